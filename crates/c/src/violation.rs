//! What may go wrong in a program, and which of it is asked for.
//!
//! A potential violation has a [`Kind`] and a place. Encoding and interpreter recognise all of
//! them, each in its own way; one that is asked for is a target, any other is a dead end: the run
//! ends there and nothing is said about it. A new kind is an entry of [`KINDS`] and its checks in
//! `encode` and `interp`; a function that stands for a violation is an entry of [`CALLS`].

use crate::annotation;
use crate::property::{Property, PropertyKind};
use crate::source::{Files, Position};
use crate::typed::{Callee, Expr, ExprKind, FuncId, Function, Program, StmtKind};
use crate::types::Types;

/// What is violated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// An error function is called.
    UnreachCall,
    /// An assertion does not hold.
    Assert,
    /// The result of signed arithmetic does not fit.
    Overflow,
    /// Memory is accessed where there is no object.
    Deref,
    /// Something is freed that is not an allocated object.
    Free,
    /// At the end there is an allocated object that nothing leads to.
    Memtrack,
    /// At the end there is an allocated object.
    Memcleanup,
    /// A division by zero.
    DivisionByZero,
    /// A shift by a number of bits that the operand does not have.
    Shift,
    /// A value is read that was never written.
    Uninitialised,
    /// What the program declares to be unreachable is reached.
    Unreachable,
    /// A place is reached of which that is asked.
    Reached,
    /// An invariant of a witness does not hold, or has no value ([`crate::annotation`]).
    Invariant,
}

/// Each kind with its name in verdicts and with what happens in words.
const KINDS: &[(Kind, &str, &str)] = &[
    (Kind::UnreachCall, "unreach-call", "the error function is called"),
    (Kind::Assert, "assert", "the assertion does not hold"),
    (Kind::Overflow, "no-overflow", "signed arithmetic overflows"),
    (Kind::Deref, "valid-deref", "invalid access to memory"),
    (Kind::Free, "valid-free", "invalid free"),
    (Kind::Memtrack, "valid-memtrack", "an allocated object is lost"),
    (Kind::Memcleanup, "valid-memcleanup", "an allocated object is not freed"),
    (Kind::DivisionByZero, "div-by-zero", "a number is divided by zero"),
    (Kind::Shift, "shift", "a shift is by a number of bits that the operand does not have"),
    (Kind::Uninitialised, "uninitialised", "a value is read that was never written"),
    (Kind::Unreachable, "unreachable", "what is declared to be unreachable is reached"),
    (Kind::Reached, "reached", "the place is reached"),
    (Kind::Invariant, "invariant", "an invariant of the witness does not hold"),
];

impl Kind {
    /// All of them, in a fixed order.
    pub fn all() -> impl Iterator<Item = Kind> {
        KINDS.iter().map(|(kind, ..)| *kind)
    }

    fn entry(self) -> &'static (Kind, &'static str, &'static str) {
        let entry = KINDS.iter().find(|(kind, ..)| *kind == self);
        entry.expect("every kind has an entry")
    }

    /// As verdicts name it: `unreach-call`.
    pub fn name(self) -> &'static str {
        self.entry().1
    }

    /// What happens, as a sentence.
    pub fn event(self) -> &'static str {
        self.entry().2
    }
}

/// Something that went wrong in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violation {
    pub kind: Kind,
    pub position: Position,
}

/// When a call is a violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    Always,
    /// If the first argument is 0.
    IfZero,
}

/// A call that may be a violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Check {
    pub kind: Kind,
    pub when: When,
    /// Whether it is a target; a dead end otherwise.
    pub is_asked: bool,
}

/// The functions that `<assert.h>` expands to on various systems, which report a failure. Some
/// programs declare those of the last group with the condition as their only argument.
const CALLS: &[(&str, Calls)] = &[
    ("assert", Calls::Tests),
    ("__assert_fail", Calls::Reports),
    ("__assert_perror_fail", Calls::Reports),
    ("__assert_rtn", Calls::Reports),
    ("__assert_func", Calls::Reports),
    ("__assert13", Calls::Reports),
    ("__assert_c99", Calls::Reports),
    ("_wassert", Calls::Reports),
    ("__assert", Calls::Either),
    ("_assert", Calls::Either),
];

/// What a function of `<assert.h>` does.
#[derive(Clone, Copy)]
enum Calls {
    /// It looks at its argument.
    Tests,
    /// It says that an assertion failed.
    Reports,
    /// The one with one argument, the other with text, file and line.
    Either,
}

/// The error functions that are meant where no property says otherwise.
const ERROR_FUNCTIONS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// A check of a program: what may be violated by a statement, and where the statement is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CheckPoint {
    pub kind: Kind,
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl CheckPoint {
    pub fn new(kind: Kind, files: &Files, at: Position) -> CheckPoint {
        CheckPoint { kind, file: files.name(at.file).to_string(), line: at.line, column: at.column }
    }

    /// From `kind@line:column@file`, as [`CheckPoint::text`] writes it.
    pub fn parse(text: &str) -> Option<CheckPoint> {
        let mut parts = text.splitn(3, '@');
        let name = parts.next()?;
        let kind = Kind::all().find(|kind| kind.name() == name)?;
        let (line, column) = parts.next()?.split_once(':')?;
        let (line, column) = (line.parse().ok()?, column.parse().ok()?);
        Some(CheckPoint { kind, file: parts.next()?.to_string(), line, column })
    }

    pub fn text(&self) -> String {
        format!("{}@{}:{}@{}", self.kind.name(), self.line, self.column, self.file)
    }
}

/// The properties that are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    list: Vec<Property>,
    /// Checks that are known to fail: a run that violates one ends there.
    settled: Vec<CheckPoint>,
    /// Places of which it is asked whether they are reached, and nothing else.
    goals: Vec<CheckPoint>,
    /// Nobody has said which; they are those of the default.
    are_usual: bool,
}

/// Why properties cannot be decided, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

impl Default for Properties {
    /// What counts where nothing is said: the error functions are never called, and assertions
    /// hold.
    fn default() -> Properties {
        let unreach_call = Property::unreach_call();
        let never = |name: &&str| Property {
            kind: PropertyKind::NeverCalled(name.to_string()),
            text: unreach_call.text.replace("reach_error", name),
            ..unreach_call.clone()
        };
        let mut list: Vec<Property> = ERROR_FUNCTIONS.iter().map(never).collect();
        list.push(Property::assert());
        Properties { list, settled: Vec::new(), goals: Vec::new(), are_usual: true }
    }
}

impl Properties {
    /// Exactly these.
    pub fn new(list: Vec<Property>) -> Result<Properties, Unsupported> {
        for property in &list {
            if property.violations().is_empty() {
                return Err(Unsupported(property.name().to_string()));
            }
            if property.entry != "main" {
                let what =
                    format!("{} of runs that begin in `{}`", property.name(), property.entry);
                return Err(Unsupported(what));
            }
        }
        Ok(Properties { list, settled: Vec::new(), goals: Vec::new(), are_usual: false })
    }

    /// The same, and that invariants of a witness hold.
    pub fn with_invariants(mut self) -> Properties {
        let kind = PropertyKind::No(Kind::Invariant);
        self.list.push(Property { entry: "main".to_string(), kind, text: String::new() });
        self
    }

    /// The same, where violations of some checks end a run and are none. If there are places to be
    /// reached among them, these are what is asked for.
    pub fn without(self, settled: Vec<CheckPoint>) -> Properties {
        let is_goal = |point: &CheckPoint| point.kind == Kind::Reached;
        let (goals, settled): (Vec<_>, Vec<_>) = settled.into_iter().partition(is_goal);
        let list = if goals.is_empty() { self.list } else { Vec::new() };
        Properties { list, settled, goals, are_usual: self.are_usual }
    }

    /// Whether places are to be reached.
    pub fn has_goals(&self) -> bool {
        !self.goals.is_empty()
    }

    /// Whether a place is to be reached.
    pub fn is_goal(&self, files: &Files, at: Position) -> bool {
        let is_here = |goal: &CheckPoint| (goal.line, goal.column) == (at.line, at.column);
        self.goals.iter().any(|goal| is_here(goal) && goal.file == files.name(at.file))
    }

    /// Whether a property is asked for.
    pub fn has(&self, property: &Property) -> bool {
        self.list.iter().any(|own| own.kind == property.kind && own.entry == property.entry)
    }

    /// Whether some checks are settled.
    pub fn has_settled(&self) -> bool {
        !self.settled.is_empty()
    }

    /// Whether violations of this kind by the statement at a place are no targets.
    pub fn is_settled(&self, kind: Kind, files: &Files, statement: Position) -> bool {
        !self.settled.is_empty() && self.settled.contains(&CheckPoint::new(kind, files, statement))
    }

    /// Whether some violations of a kind are targets.
    pub fn asks(&self, kind: Kind) -> bool {
        self.list.iter().any(|property| property.violations().contains(&kind))
            || kind == Kind::Reached && self.has_goals()
    }

    /// Whether it matters which objects exist.
    pub fn asks_memory(&self) -> bool {
        [Kind::Deref, Kind::Free, Kind::Memtrack, Kind::Memcleanup].iter().any(|&k| self.asks(k))
    }

    /// Whether what it takes to find a violation is more than to look at calls.
    pub fn asks_operations(&self) -> bool {
        self.kinds().any(|kind| !matches!(kind, Kind::UnreachCall | Kind::Assert))
    }

    /// The kinds that are asked for.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        Kind::all().filter(|kind| self.asks(*kind))
    }

    fn is_error_function(&self, name: &str) -> bool {
        let is_named = |property: &Property| matches!(&property.kind, PropertyKind::NeverCalled(error) if error == name);
        self.list.iter().any(is_named)
    }

    /// The texts of the properties of a kind, or of all, one per line, as witnesses state them. Of
    /// the usual ones those count that a program can violate.
    pub fn specification(&self, kind: Option<Kind>, program: Option<&Program>) -> String {
        let wanted = |p: &&Property| {
            let is_own = p.kind != PropertyKind::No(Kind::Invariant);
            is_own && kind.is_none_or(|kind| p.violations().contains(&kind))
        };
        let wanted: Vec<&Property> = self.list.iter().filter(wanted).collect();
        let is_meant = |p: &&&Property| program.is_none_or(|program| self.concerns(p, program));
        let mut texts: Vec<&str> =
            wanted.iter().filter(is_meant).map(|property| property.text.as_str()).collect();
        if texts.is_empty() {
            texts.extend(wanted.first().map(|property| property.text.as_str()));
        }
        texts.dedup();
        texts.join("\n")
    }

    /// Whether a property is one that was asked for, or a usual one that names what a program has.
    fn concerns(&self, property: &Property, program: &Program) -> bool {
        if !self.are_usual {
            return true;
        }
        let mut functions = program.functions.iter();
        match &property.kind {
            PropertyKind::NeverCalled(name) => functions.any(|f| f.name == *name),
            PropertyKind::Assert => functions.any(|f| {
                let check = self.check(&program.types, f);
                check.is_some_and(|check| check.kind == Kind::Assert)
            }),
            _ => true,
        }
    }

    /// What a call of a function means, where it is or may be a violation. The call of an error
    /// function that is asked for is one, body or not; any other function that has a body in the
    /// program is what its body says.
    pub fn check(&self, types: &Types, function: &Function) -> Option<Check> {
        let name = function.name.as_str();
        if self.is_error_function(name) {
            return Some(Check { kind: Kind::UnreachCall, when: When::Always, is_asked: true });
        }
        if function.body.is_some() {
            return None;
        }
        if name == annotation::CHECK {
            let (kind, is_asked) = (Kind::Invariant, self.asks(Kind::Invariant));
            return Some(Check { kind, when: When::IfZero, is_asked });
        }
        if ERROR_FUNCTIONS.contains(&name) {
            return Some(Check { kind: Kind::UnreachCall, when: When::Always, is_asked: false });
        }
        let (_, calls) = CALLS.iter().find(|(known, _)| *known == name)?;
        let parameters = types.signature(function.ty).map_or(0, |s| s.parameters.len());
        let when = match calls {
            Calls::Tests => When::IfZero,
            Calls::Either if parameters < 2 => When::IfZero,
            Calls::Reports | Calls::Either => When::Always,
        };
        Some(Check { kind: Kind::Assert, when, is_asked: self.asks(Kind::Assert) })
    }

    /// Whether nothing that is asked for can happen in a program, whatever its inputs: none of
    /// the functions that `main` can get to has a check of it.
    pub fn is_vacuous(&self, program: &Program) -> bool {
        if self.asks_operations() {
            return false;
        }
        let mut seen = vec![false; program.functions.len()];
        let mut work: Vec<FuncId> = program.main.into_iter().collect();
        while let Some(FuncId(id)) = work.pop() {
            if std::mem::replace(&mut seen[id as usize], true) {
                continue;
            }
            let function = &program.functions[id as usize];
            if self.check(&program.types, function).is_some_and(|check| check.is_asked) {
                return false;
            }
            work.extend(mentioned(function));
        }
        // Initial values may hold the addresses of functions, which anything may call.
        let mut rest = program.functions.iter().zip(&seen).filter(|(_, seen)| !**seen);
        let through_pointers = has_calls_through_pointers(program, &seen);
        !(through_pointers
            && rest.any(|(f, _)| self.check(&program.types, f).is_some_and(|check| check.is_asked)))
    }
}

/// The functions that a body calls or whose addresses it takes.
fn mentioned(function: &Function) -> Vec<FuncId> {
    let mut found = Vec::new();
    let body = function.body.iter().flat_map(|body| &body.blocks);
    for statement in body.flat_map(|block| &block.statements) {
        match &statement.kind {
            StmtKind::Call { callee, arguments, .. } => {
                if let Callee::Function(id) = callee {
                    found.push(*id);
                }
                arguments.iter().for_each(|argument| functions_in(argument, &mut found));
            }
            StmtKind::Assign { value, .. } => functions_in(value, &mut found),
            _ => {}
        }
    }
    found
}

fn functions_in(expr: &Expr, found: &mut Vec<FuncId>) {
    match &expr.kind {
        ExprKind::Function(id) => found.push(*id),
        ExprKind::Cast(_, operand) => functions_in(operand, found),
        ExprKind::Conditional(_, then, otherwise) => {
            functions_in(then, found);
            functions_in(otherwise, found);
        }
        _ => {}
    }
}

fn has_calls_through_pointers(program: &Program, reached: &[bool]) -> bool {
    let bodies = program.functions.iter().zip(reached).filter(|(_, reached)| **reached);
    let mut statements = bodies
        .filter_map(|(function, _)| function.body.as_ref())
        .flat_map(|body| &body.blocks)
        .flat_map(|block| &block.statements);
    statements.any(|statement| {
        matches!(statement.kind, StmtKind::Call { callee: Callee::Pointer(_), .. })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::parse;
    use crate::{DataModel, load_text};

    fn asked(goals: &[&str]) -> Properties {
        let one = |goal: &&str| parse(&format!("CHECK( init(main()), LTL({goal}) )")).unwrap();
        Properties::new(goals.iter().map(one).collect()).unwrap()
    }

    fn check(properties: &Properties, declaration: &str, name: &str) -> Option<(Kind, When, bool)> {
        let text = format!("{declaration} int main(void) {{ return 0; }}");
        let program = load_text(&text, "t.c", DataModel::Ilp32).unwrap();
        let id = program.function_named(name).unwrap();
        let check = properties.check(&program.types, program.function(id))?;
        Some((check.kind, check.when, check.is_asked))
    }

    #[test]
    fn what_is_asked_for_is_a_target() {
        let both = Properties::default();
        let only = asked(&["G ! call(__VERIFIER_error())"]);
        let unreach = |is_asked| Some((Kind::UnreachCall, When::Always, is_asked));
        let plain = "void reach_error(void); void __VERIFIER_error(void);";
        assert_eq!(check(&both, plain, "reach_error"), unreach(true));
        assert_eq!(check(&both, plain, "__VERIFIER_error"), unreach(true));
        assert_eq!(check(&only, plain, "reach_error"), unreach(false));
        assert_eq!(check(&only, plain, "__VERIFIER_error"), unreach(true));
        let defined = "void reach_error(void) { } void __VERIFIER_error(void) { }";
        assert_eq!(check(&only, defined, "reach_error"), None);
        assert_eq!(check(&only, defined, "__VERIFIER_error"), unreach(true));
        let own = asked(&["G ! call(boom())"]);
        assert_eq!(check(&own, "void boom(int x) { }", "boom"), unreach(true));
        let assert = |when, is_asked| Some((Kind::Assert, when, is_asked));
        let reports = "void __assert_fail(const char *, const char *, unsigned, const char *);";
        assert_eq!(check(&both, reports, "__assert_fail"), assert(When::Always, true));
        assert_eq!(check(&only, reports, "__assert_fail"), assert(When::Always, false));
        assert_eq!(check(&both, "void assert(int);", "assert"), assert(When::IfZero, true));
        assert_eq!(check(&both, "void assert(int x) { }", "assert"), None);
        assert_eq!(check(&both, "void __assert(int);", "__assert"), assert(When::IfZero, true));
        let three = "void __assert(const char *, const char *, int);";
        assert_eq!(check(&both, three, "__assert"), assert(When::Always, true));
    }

    #[test]
    fn programs_with_nothing_to_check_are_recognised() {
        let is_vacuous = |properties: &Properties, text: &str| {
            properties.is_vacuous(&load_text(text, "t.c", DataModel::Ilp32).unwrap())
        };
        let (both, only) = (Properties::default(), asked(&["G ! call(reach_error())"]));
        let asserts = "void assert(int); void f(void) { assert(1); } int main(void) { f(); }";
        assert!(!is_vacuous(&both, asserts));
        assert!(is_vacuous(&only, asserts));
        let unused = "void reach_error(void); void f(void) { reach_error(); } int main(void) {}";
        assert!(is_vacuous(&both, unused));
        let table = "void reach_error(void); void f(void) { reach_error(); }
            void (*t[])(void) = {f}; int main(void) { t[0](); }";
        assert!(!is_vacuous(&both, table));
    }

    #[test]
    fn specifications_name_what_is_violated() {
        let both = Properties::default();
        let program = |text: &str| {
            let text = format!("{text} int main(void) {{ return 0; }}");
            load_text(&text, "t.c", DataModel::Ilp32).unwrap()
        };
        let said = |kind, text: &str| both.specification(kind, Some(&program(text)));
        let error = "void reach_error(void);";
        assert_eq!(said(Some(Kind::UnreachCall), error), Property::unreach_call().text);
        assert_eq!(said(None, error), Property::unreach_call().text);
        assert_eq!(said(Some(Kind::Assert), error), Property::assert().text);
        assert!(said(None, "void __VERIFIER_error(void);").contains("call(__VERIFIER_error())"));
        assert_eq!(both.specification(None, None).lines().count(), 3);
    }
}
