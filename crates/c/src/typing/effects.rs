//! What expressions may read and write, by name, to tell whether the order of operands matters.
//!
//! C does not say in which order operands and arguments are evaluated (C11 6.5 p3, 6.5.2.2 p10). It
//! matters only where one writes what another reads or writes, or where one can end the program
//! and another comes to an error. This is found out on the syntax, before types are known: storage
//! is named by identifiers, whatever their scope, and all that is reached through pointers is one
//! more name. What is said to conflict may not; what is said not to does not.
//!
//! Nothing is looked at before somebody asks for it: most programs have few operands that call, and
//! a driver has thousands of functions.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use lang_c::ast::{
    BinaryOperator, Declarator, DeclaratorKind, Expression, FunctionDefinition, InitDeclarator,
    MemberOperator, TranslationUnit, UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use rustc_hash::{FxHashMap, FxHashSet};

type Names<'u> = FxHashSet<&'u str>;

/// Functions of the library that write through their arguments.
const WRITERS: &[&str] = &[
    "memcpy",
    "memmove",
    "mempcpy",
    "memset",
    "bzero",
    "explicit_bzero",
    "strcpy",
    "stpcpy",
    "strncpy",
    "strcat",
    "strncat",
    "free",
    "realloc",
    "asprintf",
    "vasprintf",
    "mbstowcs",
    "wcstombs",
    "mbtowc",
    "wctomb",
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "scanf",
    "sscanf",
    "fscanf",
    "fgets",
    "gets",
    "fread",
    "read",
    "getline",
    "qsort",
    "strtok",
    "strtok_r",
    "strsep",
    "strtol",
    "strtoul",
    "strtoll",
    "strtoull",
    "strtod",
    "strtof",
    "time",
    "frexp",
    "modf",
    "memccpy",
    "swab",
    "__VERIFIER_nondet_memory",
    "vscanf",
    "vsscanf",
    "vfscanf",
    "getdelim",
    "stpncpy",
    "strlcpy",
    "strlcat",
    "strtoimax",
    "strtoumax",
    "posix_memalign",
    "gettimeofday",
    "clock_gettime",
    "rand_r",
    "arc4random_buf",
    "sincos",
    "signal",
    "wcscpy",
    "wcsncpy",
    "wcscat",
    "wcsncat",
    "wmemcpy",
    "wmemmove",
    "wmemset",
];
/// Functions of the library that call functions of the program.
const CALLERS: &[&str] = &["qsort", "bsearch", "lfind", "raise", "pthread_once", "call_once"];
/// Functions that end the program without an error.
const ENDS: &[&str] =
    &["exit", "_exit", "_Exit", "quick_exit", "abort", "__VERIFIER_assume", "longjmp"];
/// Functions that may be errors.
const ERRORS: &[&str] = &["reach_error", "__VERIFIER_error", "assert", "__assert_fail", "__assert"];

/// What an expression or a function does.
#[derive(Clone, Default, Debug)]
pub struct Effects<'u> {
    reads: Names<'u>,
    writes: Names<'u>,
    calls: Names<'u>,
    reads_memory: bool,
    writes_memory: bool,
    calls_pointer: bool,
    ends: bool,
    errs: bool,
    /// It contains statements, which cannot be written down twice.
    pub has_statements: bool,
}

impl<'u> Effects<'u> {
    fn add(&mut self, other: &Effects<'u>) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.calls.extend(&other.calls);
        self.reads_memory |= other.reads_memory;
        self.writes_memory |= other.writes_memory;
        self.calls_pointer |= other.calls_pointer;
        self.ends |= other.ends;
        self.errs |= other.errs;
    }

    /// Adds what a function of the library does that is called by this name.
    fn add_library(&mut self, name: &str, is_defined: bool) {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if !is_defined && WRITERS.contains(&plain) {
            (self.reads_memory, self.writes_memory) = (true, true);
        }
        self.calls_pointer |= !is_defined && CALLERS.contains(&plain);
        self.reads_memory |= !is_defined && !name.starts_with("__VERIFIER_");
        self.ends |= ENDS.contains(&plain);
        self.errs |= ERRORS.contains(&plain);
    }

    fn has_writes(&self) -> bool {
        self.writes_memory || !self.writes.is_empty()
    }
}

/// The effects of all functions of a program.
#[derive(Default)]
pub struct Summary<'u> {
    trees: Vec<&'u TranslationUnit>,
    definitions: FxHashMap<&'u str, Vec<&'u FunctionDefinition>>,
    globals: OnceCell<Globals<'u>>,
    /// Functions that are mentioned other than by calling them.
    addressed: OnceCell<Vec<&'u str>>,
    /// What the functions do themselves.
    own: RefCell<FxHashMap<&'u str, Rc<Effects<'u>>>>,
    /// What they do together with what they call.
    whole: RefCell<FxHashMap<&'u str, Rc<Effects<'u>>>>,
}

impl<'u> Summary<'u> {
    /// Of the definitions in some files.
    pub fn of(trees: impl Iterator<Item = &'u TranslationUnit>) -> Summary<'u> {
        let mut summary = Summary { trees: trees.collect(), ..Summary::default() };
        for declaration in summary.trees.iter().flat_map(|tree| &tree.0) {
            let lang_c::ast::ExternalDeclaration::FunctionDefinition(function) = &declaration.node
            else {
                continue;
            };
            if let Some(name) = declared_name(&function.node.declarator.node) {
                summary.definitions.entry(name).or_default().push(&function.node);
            }
        }
        summary
    }

    fn globals(&self) -> &Globals<'u> {
        self.globals.get_or_init(|| {
            let mut globals = Globals::default();
            self.trees.iter().for_each(|tree| globals.visit_translation_unit(tree));
            globals
        })
    }

    fn addressed(&self) -> &[&'u str] {
        self.addressed.get_or_init(|| {
            let mut mentioned = self.globals().mentioned.clone();
            for &name in self.definitions.keys() {
                mentioned.extend(&self.own(name).reads);
            }
            mentioned.retain(|name| self.definitions.contains_key(name));
            mentioned.into_iter().collect()
        })
    }

    /// What a function does itself, under all its definitions.
    fn own(&self, name: &'u str) -> Rc<Effects<'u>> {
        if let Some(known) = self.own.borrow().get(name) {
            return known.clone();
        }
        let mut all = Effects::default();
        for definition in self.definitions.get(name).into_iter().flatten() {
            let mut found = Finder::default();
            found.visit_function_definition(definition, &definition.statement.span);
            let Finder { mut effects, locals, .. } = found;
            let globals = &self.globals().names;
            let is_own = |name: &&str| locals.contains(name) && !globals.contains(name);
            effects.reads.retain(|name| !is_own(name));
            effects.writes.retain(|name| !is_own(name));
            all.add(&effects);
        }
        let all = Rc::new(all);
        self.own.borrow_mut().insert(name, all.clone());
        all
    }

    /// What a function does together with all that it may call.
    fn called(&self, name: &str) -> Rc<Effects<'u>> {
        if let Some(known) = self.whole.borrow().get(name) {
            return known.clone();
        }
        let Some((&name, _)) = self.definitions.get_key_value(name) else {
            let mut effects = Effects::default();
            effects.add_library(name, false);
            return Rc::new(effects);
        };
        let mut effects = Effects::default();
        let mut seen = Names::from_iter([name]);
        let mut todo = vec![name];
        let mut follows_pointers = false;
        while let Some(next) = todo.pop() {
            let is_defined = self.definitions.contains_key(next);
            effects.add_library(next, is_defined);
            if !is_defined {
                continue;
            }
            let own = self.own(next);
            effects.add(&own);
            todo.extend(own.calls.iter().filter(|&name| seen.insert(name)));
            if own.calls_pointer && !std::mem::replace(&mut follows_pointers, true) {
                todo.extend(self.addressed().iter().filter(|&name| seen.insert(name)));
            }
        }
        let effects = Rc::new(effects);
        self.whole.borrow_mut().insert(name, effects.clone());
        effects
    }

    /// The effects together with those of the functions that are called.
    fn whole<'e>(&self, mut effects: Effects<'e>) -> Effects<'e>
    where
        'u: 'e,
    {
        let calls: Vec<&str> = effects.calls.iter().copied().collect();
        let pointers = if effects.calls_pointer { self.addressed() } else { &[] };
        for name in calls.iter().chain(pointers) {
            let called: Rc<Effects<'u>> = self.called(name);
            effects.add(&called);
        }
        effects
    }

    /// What the evaluation of an expression does.
    pub fn effects<'e>(&self, node: &'e Node<Expression>) -> Effects<'e>
    where
        'u: 'e,
    {
        let mut found = Finder::default();
        found.visit_expression(&node.node, &node.span);
        let has_statements = found.has_statements;
        Effects { has_statements, ..self.whole(found.effects) }
    }

    /// The same for what has to be known to find the object that an expression names.
    pub fn effects_of_place<'e>(&self, node: &'e Node<Expression>) -> Effects<'e>
    where
        'u: 'e,
    {
        let mut found = Finder::default();
        found.place(node);
        let has_statements = found.has_statements;
        Effects { has_statements, ..self.whole(found.effects) }
    }

    /// Whether it matters which of two comes first.
    pub fn conflict(&self, a: &Effects, b: &Effects) -> bool {
        self.disturbs(a, b) || self.disturbs(b, a)
    }

    /// Whether one changes what the other depends on.
    fn disturbs(&self, a: &Effects, b: &Effects) -> bool {
        if a.ends && b.errs {
            return true;
        }
        if !a.has_writes() {
            return false;
        }
        let exposed = &self.globals().exposed;
        let touched = || b.reads.iter().chain(&b.writes);
        let by_pointer = b.reads_memory || b.writes_memory;
        touched().any(|name| a.writes.contains(name))
            || a.writes_memory && (by_pointer || touched().any(|name| exposed.contains(name)))
            || by_pointer && a.writes.iter().any(|name| exposed.contains(name))
    }
}

fn declared_name(declarator: &Declarator) -> Option<&str> {
    match &declarator.kind.node {
        DeclaratorKind::Identifier(name) => Some(&name.node.name),
        DeclaratorKind::Declarator(inner) => declared_name(&inner.node),
        DeclaratorKind::Abstract => None,
    }
}

/// Names of a whole file.
#[derive(Default)]
struct Globals<'u> {
    depth: usize,
    names: Names<'u>,
    /// Variables whose addresses are taken. Elements of arrays count as reached by pointers.
    exposed: Names<'u>,
    /// Names in initial values of globals.
    mentioned: Names<'u>,
}

impl<'a> Visit<'a> for Globals<'a> {
    fn visit_function_definition(&mut self, definition: &'a FunctionDefinition, span: &'a Span) {
        self.depth += 1;
        visit::visit_function_definition(self, definition, span);
        self.depth -= 1;
    }

    fn visit_declarator(&mut self, declarator: &'a Declarator, span: &'a Span) {
        if let Some(name) = declared_name(declarator).filter(|_| self.depth == 0) {
            self.names.insert(name);
        }
        visit::visit_declarator(self, declarator, span);
    }

    fn visit_expression(&mut self, expression: &'a Expression, span: &'a Span) {
        match expression {
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Address =>
            {
                if let Some(name) = base_name(&unary.node.operand.node) {
                    self.exposed.insert(name);
                }
            }
            Expression::Identifier(name) if self.depth == 0 => {
                self.mentioned.insert(&name.node.name);
            }
            _ => {}
        }
        visit::visit_expression(self, expression, span);
    }
}

/// The variable that an object is a part of, if no pointer is followed.
fn base_name(expression: &Expression) -> Option<&str> {
    match expression {
        Expression::Identifier(name) => Some(&name.node.name),
        Expression::Member(member) if member.node.operator.node == MemberOperator::Direct => {
            base_name(&member.node.expression.node)
        }
        Expression::BinaryOperator(binary)
            if binary.node.operator.node == BinaryOperator::Index =>
        {
            base_name(&binary.node.lhs.node)
        }
        _ => None,
    }
}

#[derive(Default)]
struct Finder<'u> {
    effects: Effects<'u>,
    locals: Names<'u>,
    has_statements: bool,
    /// In a declaration of something that outlives the function: it is no local.
    in_static: bool,
}

impl<'u> Finder<'u> {
    /// An object is written, and read before if `reads`.
    fn write(&mut self, node: &'u Node<Expression>, reads: bool) {
        match base_name(&node.node) {
            Some(name) => {
                self.effects.writes.insert(name);
                if reads {
                    self.effects.reads.insert(name);
                }
            }
            None => {
                self.effects.writes_memory = true;
                self.effects.reads_memory |= reads;
            }
        }
        self.place(node);
        // The base of an index may be a pointer.
        if matches!(&node.node, Expression::BinaryOperator(_)) {
            self.effects.writes_memory = true;
        }
    }

    /// What finding an object takes: the values of indices and pointers.
    fn place(&mut self, node: &'u Node<Expression>) {
        match &node.node {
            Expression::Identifier(_) => {}
            Expression::Member(member) if member.node.operator.node == MemberOperator::Direct => {
                self.place(&member.node.expression);
            }
            Expression::Member(member) => {
                self.visit_expression(&member.node.expression.node, &node.span);
            }
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Index =>
            {
                self.visit_expression(&binary.node.lhs.node, &node.span);
                self.visit_expression(&binary.node.rhs.node, &node.span);
            }
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Indirection =>
            {
                self.visit_expression(&unary.node.operand.node, &node.span);
            }
            other => visit::visit_expression(self, other, &node.span),
        }
    }
}

impl<'a> Visit<'a> for Finder<'a> {
    fn visit_init_declarator(&mut self, declarator: &'a InitDeclarator, span: &'a Span) {
        if let Some(name) = declared_name(&declarator.declarator.node).filter(|_| !self.in_static) {
            self.locals.insert(name);
        }
        visit::visit_init_declarator(self, declarator, span);
    }

    fn visit_declaration(&mut self, declaration: &'a lang_c::ast::Declaration, span: &'a Span) {
        use lang_c::ast::{DeclarationSpecifier, StorageClassSpecifier};
        let shared = |class: &StorageClassSpecifier| {
            matches!(class, StorageClassSpecifier::Static | StorageClassSpecifier::Extern)
        };
        self.in_static = declaration.specifiers.iter().any(|specifier| {
            matches!(&specifier.node, DeclarationSpecifier::StorageClass(class) if shared(&class.node))
        });
        visit::visit_declaration(self, declaration, span);
        self.in_static = false;
    }

    fn visit_parameter_declaration(
        &mut self,
        parameter: &'a lang_c::ast::ParameterDeclaration,
        _: &'a Span,
    ) {
        let declarator = parameter.declarator.as_ref();
        if let Some(name) = declarator.and_then(|d| declared_name(&d.node)) {
            self.locals.insert(name);
        }
    }

    fn visit_type_name(&mut self, _: &'a lang_c::ast::TypeName, _: &'a Span) {}

    fn visit_expression(&mut self, expression: &'a Expression, span: &'a Span) {
        match expression {
            Expression::Identifier(name) => {
                self.effects.reads.insert(&name.node.name);
                return;
            }
            Expression::SizeOfVal(_) | Expression::SizeOfTy(_) | Expression::AlignOf(_) => return,
            Expression::Statement(_) => self.has_statements = true,
            Expression::VaArg(_) => self.effects.writes_memory = true,
            Expression::Call(call) => {
                match &call.node.callee.node {
                    Expression::Identifier(name) => {
                        self.effects.calls.insert(&name.node.name);
                        // It may be a variable.
                        self.effects.reads.insert(&name.node.name);
                    }
                    callee => {
                        self.effects.calls_pointer = true;
                        self.visit_expression(callee, span);
                    }
                }
                for argument in &call.node.arguments {
                    self.visit_expression(&argument.node, &argument.span);
                }
                return;
            }
            Expression::UnaryOperator(unary) => match unary.node.operator.node {
                UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement
                | UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement => {
                    self.write(&unary.node.operand, true);
                    return;
                }
                UnaryOperator::Address => {
                    self.place(&unary.node.operand);
                    return;
                }
                UnaryOperator::Indirection => self.effects.reads_memory = true,
                _ => {}
            },
            Expression::Member(member) if member.node.operator.node == MemberOperator::Indirect => {
                self.effects.reads_memory = true;
            }
            Expression::BinaryOperator(binary) => match &binary.node.operator.node {
                BinaryOperator::Assign => {
                    self.write(&binary.node.lhs, false);
                    self.visit_expression(&binary.node.rhs.node, span);
                    return;
                }
                op if super::expressions::compound_operator(op).is_some() => {
                    self.write(&binary.node.lhs, true);
                    self.visit_expression(&binary.node.rhs.node, span);
                    return;
                }
                BinaryOperator::Index => self.effects.reads_memory = true,
                _ => {}
            },
            _ => {}
        }
        visit::visit_expression(self, expression, span);
    }
}
