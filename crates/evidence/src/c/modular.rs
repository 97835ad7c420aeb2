//! A program in which contracts stand for the functions that they are about.
//!
//! A recursive function with a contract needs no stack: where it is called, its contract is used, and
//! that the contract is right is shown for its body alone. So the program gets a new beginning, which
//! is `main` or, for one of the functions, its body with any arguments that are as required; and every
//! call checks what is required and gives any result that is as ensured. If no run of that program
//! violates anything, then by induction over the number of calls no run of the original program does,
//! and all contracts hold in it.
//!
//! That is so for functions whose only effect is their result: they read and write nothing but their
//! parameters and variables, and call only each other and functions of that kind. Conditions are made
//! of comparisons, sums and logical operators, which always have a value.
//!
//! The program is made as text, with the lines of the original one: the body gets another name, and
//! what stands for the function follows at the end.

use super::clauses::at_first;
use super::contracts::{Parameter, parameters};
use super::definition::Definition;
use super::reading::Contract;
use super::sources::Source;
use wedge_c::annotation::{BEFORE, CHECK, RESULT};
use wedge_c::entry::EntryPoint;
use wedge_c::typed::{Callee, Expr, ExprKind, FuncId, Place, PlaceKind, Program};
use wedge_c::typed::{StmtKind, Terminator};
use wedge_c::{DataModel, Kind, Properties, load_text};

/// What the new names begin with.
pub(super) const OWN: &str = "__wedge_modular_";

/// A contract of a function: conditions of C over its parameters, and over the result by the name
/// [`RESULT`]. Parameters are meant as the function was called with them, with or without [`BEFORE`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    pub function: String,
    pub requires: String,
    pub ensures: String,
}

/// The contracts of a witness; none if it is not clear which functions they are about.
pub fn claims(program: &Program, source: &Source, contracts: &[Contract]) -> Option<Vec<Claim>> {
    let text = std::str::from_utf8(source.text()).ok()?;
    let claim = |contract: &Contract| {
        let is_meant = |name: &&str| {
            let found = Definition::find(text, name);
            found.is_some_and(|found| found.has_line(contract.location.line))
        };
        let own = program.functions.iter().filter(|f| f.body.is_some() && !f.is_library);
        let function = own.map(|f| f.name.as_str()).find(is_meant)?.to_string();
        let ensures = at_first(&contract.ensures.value).ok()?;
        Some(Claim { function, requires: contract.requires.value.clone(), ensures })
    };
    contracts.iter().map(claim).collect()
}

/// The program with the contracts in the place of their functions; none if they may have other
/// effects, or if it cannot be made of the text.
pub fn modular(
    program: &Program,
    properties: &Properties,
    source: &Source,
    model: DataModel,
    claims: &[Claim],
) -> Option<Program> {
    let is_simple =
        |kind| matches!(kind, Kind::UnreachCall | Kind::Assert | Kind::Overflow | Kind::Invariant);
    let main = program.function(program.main?);
    let has_arguments = main.body.as_ref().is_none_or(|body| body.parameters > 0);
    let is_fit = properties.kinds().all(is_simple) && !has_arguments && main.name == "main";
    if claims.is_empty() || !is_fit || wedge_c::needs_preprocessor(source.text()) {
        return None;
    }
    let ids: Vec<FuncId> = claims
        .iter()
        .map(|claim| program.function_named(&claim.function))
        .collect::<Option<_>>()?;
    let mut pure = Purity { program, properties, known: ids.clone() };
    let are_pure = ids.iter().all(|&id| pure.is_pure_body(id));
    if !are_pure || !claims.iter().zip(&ids).all(|(claim, &id)| is_clear(program, id, claim)) {
        return None;
    }
    let mut text = String::from_utf8(source.text().to_vec()).ok()?;
    if text.contains(OWN) {
        return None;
    }
    let mut more = format!("\nextern void {CHECK}(int); extern void __wedge_assume(int);\n");
    let mut proofs = String::new();
    for (number, claim) in claims.iter().enumerate() {
        let definition = Definition::find(&text, &claim.function)?;
        more += &definition.stand_in(claim)?;
        proofs +=
            &format!("if ({OWN}which == {number}) {{ {OWN}proof_{}(); return; }} ", claim.function);
        text = definition.renamed();
    }
    text += &more;
    text += &format!("void {OWN}begin(void) {{ int {OWN}which; {proofs}main(); }}\n");
    let name = source.path.display().to_string();
    let mut made = load_text(&text, &name, model).ok()?;
    made.undefined_functions = program.undefined_functions;
    let function = format!("{OWN}begin");
    let entry = EntryPoint { function, max_array: 1, depth: 0, arbitrary_globals: false };
    made.begin_at(&entry).ok()?;
    Some(made)
}

/// Whether the conditions of a contract mean the same outside of the function: they have a value
/// whatever happens, and read nothing but parameters that the function keeps, and the result.
fn is_clear(program: &Program, id: FuncId, claim: &Claim) -> bool {
    let Some(body) = program.function(id).body.as_ref() else { return false };
    let parameters = parameters(program, body);
    let is_known = |word: &str, is_end: bool| {
        let before = word.strip_prefix(BEFORE).filter(|_| is_end);
        let name = before.unwrap_or(word);
        let fits =
            |own: &Parameter| own.name == name && (own.is_kept || before.is_some() || !is_end);
        is_end && word == RESULT || word == "long" || parameters.iter().any(fits)
    };
    let all = parameters.len() == body.parameters;
    all && [(&claim.requires, false), (&claim.ensures, true)].into_iter().all(|(text, is_end)| {
        words(text).is_some_and(|words| words.iter().all(|word| is_known(word, is_end)))
    })
}

/// The names in a condition; none if it has more than comparisons, sums, logic and numbers.
fn words(condition: &str) -> Option<Vec<&str>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_fine = |c: char| is_part(c) || c.is_ascii_whitespace() || "()=!<>&|+-?:".contains(c);
    // What may have no value, changes something or is about addresses and bits.
    let odd = ["<<", ">>", "++", "--", "->"];
    let singles = |c: char| {
        let text = condition.replace(&format!("{c}{c}"), "");
        text.contains(c)
    };
    if !condition.chars().all(is_fine)
        || odd.iter().any(|odd| condition.contains(odd))
        || singles('&')
        || singles('|')
    {
        return None;
    }
    let assigns = condition.replace("==", "").replace("!=", "").replace("<=", "").replace(">=", "");
    if assigns.contains('=') {
        return None;
    }
    let words = condition.split(|c| !is_part(c)).filter(|word| !word.is_empty());
    Some(words.filter(|word| !word.starts_with(|c: char| c.is_ascii_digit())).collect())
}

/// Which functions have no effect but their result.
struct Purity<'p> {
    program: &'p Program,
    properties: &'p Properties,
    /// Those that are looked at or have a contract.
    known: Vec<FuncId>,
}

impl Purity<'_> {
    fn is_pure_body(&mut self, id: FuncId) -> bool {
        let function = self.program.function(id);
        let Some(body) = function.body.as_ref().filter(|_| !function.is_library) else {
            return false;
        };
        let is_pure = |statement: &wedge_c::typed::Stmt| match &statement.kind {
            StmtKind::Assign { place, value } => is_own(place) && is_plain(value),
            StmtKind::Zero(place) => is_own(place),
            StmtKind::Call { result, callee, arguments } => {
                let callee = match callee {
                    Callee::Function(id) => self.may_call(*id),
                    Callee::Pointer(_) => false,
                };
                callee && result.iter().all(is_own) && arguments.iter().all(is_plain)
            }
            StmtKind::Declare(_) | StmtKind::Begin(_) | StmtKind::End(_) => true,
            _ => false,
        };
        let mut statements = body.blocks.iter().flat_map(|block| &block.statements);
        let ends = body.blocks.iter().all(|block| match &block.terminator {
            Terminator::Branch { condition, .. } => is_plain(condition),
            Terminator::Switch { value, .. } => is_plain(value),
            Terminator::Return(value) => value.iter().all(is_plain),
            Terminator::Goto(_) => true,
            Terminator::Unreachable => false,
        });
        ends && statements.all(is_pure)
    }

    /// Functions of the program are looked at in turn; others are inputs, errors and ends.
    fn may_call(&mut self, id: FuncId) -> bool {
        if self.known.contains(&id) {
            return true;
        }
        let function = self.program.function(id);
        if function.body.is_some() {
            self.known.push(id);
            return self.is_pure_body(id);
        }
        let name = function.name.as_str();
        name.starts_with("__VERIFIER_")
            // Not `exit`: it calls what the program has registered, which may be anything.
            || matches!(name, "abort" | CHECK)
            || self.properties.check(&self.program.types, function).is_some()
    }
}

/// A variable of the function, or a part of one.
fn is_own(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(_) => true,
        PlaceKind::Field(inner, _) => is_own(inner),
        PlaceKind::Global(_) | PlaceKind::Deref(_) | PlaceKind::Index(..) => false,
    }
}

/// Computed from variables of the function alone.
fn is_plain(value: &Expr) -> bool {
    let is_here = match &value.kind {
        ExprKind::Load(place) => is_own(place),
        ExprKind::AddressOf(_) | ExprKind::Function(_) => false,
        ExprKind::PointerAdd { .. } | ExprKind::PointerDifference { .. } => false,
        _ => true,
    };
    is_here && value.operands().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_that_always_have_a_value() {
        assert_eq!(
            words("n >= 0 && __wedge_result == n + 5"),
            Some(vec!["n", "__wedge_result", "n"])
        );
        for odd in
            ["1 / n", "n << 3", "*p", "a[1]", "n = 3", "n++", "f & 1", "a->b", "x % 2", "n <<= 1"]
        {
            assert_eq!(words(odd), None, "{odd}");
        }
    }

    #[test]
    fn only_functions_without_other_effects_are_replaced() {
        let cases = [
            ("int f(int n) { if (n <= 0) return 0; return f(n - 1); }", true),
            (
                "int h(int n) { return n - 1; } int f(int n) { if (n <= 0) return 0; return f(h(n)); }",
                true,
            ),
            ("int g; int f(int n) { if (n <= 0) return 0; g = 1; return f(n - 1); }", false),
            ("int g; int f(int n) { if (n <= g) return 0; return f(n - 1); }", false),
            ("int f(int n) { static int s; if (n <= 0) return 0; s = n; return f(n - 1); }", false),
            ("int g; int *p = &g; int f(int n) { if (n <= 0) return *p; return f(n - 1); }", false),
            ("void exit(int); int f(int n) { if (n <= 0) exit(1); return f(n - 1); }", false),
            ("void h(void); int f(int n) { if (n <= 0) h(); return f(n - 1); }", false),
            ("int f(int n) { if (n <= 0) return 0; n = n - 1; return f(n); }", false),
        ];
        for (text, expected) in cases {
            let text = format!("{text} int main(void) {{ return f(3); }}\n");
            let program = load_text(&text, "test.c", DataModel::Ilp32).unwrap();
            let source = Source::new(std::path::Path::new("test.c"), text.clone().into_bytes());
            let (requires, ensures) = ("1".to_string(), format!("{RESULT} <= n"));
            let claim = Claim { function: "f".to_string(), requires, ensures };
            let properties = Properties::default();
            let made = modular(&program, &properties, &source, DataModel::Ilp32, &[claim]);
            assert_eq!(made.is_some(), expected, "{text}");
        }
    }
}
