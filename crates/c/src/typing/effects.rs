//! What expressions may read and write, by name, to tell whether the order of operands matters.
//!
//! C does not say in which order operands and arguments are evaluated (C11 6.5 p3, 6.5.2.2 p10). It
//! matters only where one writes what another reads or writes, or where one can end the program
//! and another comes to an error. This is found out on the syntax, before types are known: storage
//! is named by identifiers, whatever their scope, and all that is reached through pointers is one
//! more name. What is said to conflict may not; what is said not to does not.

use lang_c::ast::{
    BinaryOperator, Declarator, DeclaratorKind, Expression, FunctionDefinition, InitDeclarator,
    MemberOperator, UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use rustc_hash::{FxHashMap, FxHashSet};

type Names = FxHashSet<String>;

/// Functions of the library that write through their arguments.
const WRITERS: &[&str] = &[
    "memcpy",
    "memmove",
    "mempcpy",
    "memset",
    "bzero",
    "strcpy",
    "stpcpy",
    "strncpy",
    "strcat",
    "strncat",
    "free",
    "realloc",
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
    "time",
    "frexp",
    "modf",
    "memccpy",
    "swab",
    "__VERIFIER_nondet_memory",
];
/// Functions that end the program without an error.
const ENDS: &[&str] =
    &["exit", "_exit", "_Exit", "quick_exit", "abort", "__VERIFIER_assume", "longjmp"];
/// Functions that may be errors.
const ERRORS: &[&str] = &["reach_error", "__VERIFIER_error", "assert", "__assert_fail", "__assert"];

/// What an expression or a function does.
#[derive(Clone, Default, Debug)]
pub struct Effects {
    reads: Names,
    writes: Names,
    calls: Names,
    reads_memory: bool,
    writes_memory: bool,
    calls_pointer: bool,
    ends: bool,
    errs: bool,
    /// It contains statements, which cannot be written down twice.
    pub has_statements: bool,
}

impl Effects {
    fn add(&mut self, other: &Effects) {
        self.reads.extend(other.reads.iter().cloned());
        self.writes.extend(other.writes.iter().cloned());
        self.calls.extend(other.calls.iter().cloned());
        self.reads_memory |= other.reads_memory;
        self.writes_memory |= other.writes_memory;
        self.calls_pointer |= other.calls_pointer;
        self.ends |= other.ends;
        self.errs |= other.errs;
    }

    fn size(&self) -> (usize, usize, usize, [bool; 5]) {
        let flags =
            [self.reads_memory, self.writes_memory, self.calls_pointer, self.ends, self.errs];
        (self.reads.len(), self.writes.len(), self.calls.len(), flags)
    }

    fn has_writes(&self) -> bool {
        self.writes_memory || !self.writes.is_empty()
    }
}

/// The effects of all functions of a program.
#[derive(Default)]
pub struct Summary {
    functions: FxHashMap<String, Effects>,
    /// Functions that are mentioned other than by calling them.
    addressed: Names,
    /// Variables that pointers may lead to.
    exposed: Names,
}

impl Summary {
    /// Of the definitions in some files.
    pub fn of<'a>(trees: impl Iterator<Item = &'a lang_c::ast::TranslationUnit>) -> Summary {
        let mut summary = Summary::default();
        let mut globals = Globals::default();
        let mut definitions: Vec<&FunctionDefinition> = Vec::new();
        for tree in trees {
            globals.visit_translation_unit(tree);
            let functions = tree.0.iter().filter_map(|declaration| match &declaration.node {
                lang_c::ast::ExternalDeclaration::FunctionDefinition(f) => Some(&f.node),
                _ => None,
            });
            definitions.extend(functions);
        }
        summary.exposed = globals.exposed;
        for definition in definitions {
            let Some(name) = declared_name(&definition.declarator.node) else { continue };
            let mut found = Finder::default();
            found.visit_function_definition(definition, &definition.statement.span);
            let Finder { mut effects, locals, .. } = found;
            let is_own = |name: &String| locals.contains(name) && !globals.names.contains(name);
            effects.reads.retain(|name| !is_own(name));
            effects.writes.retain(|name| !is_own(name));
            summary.functions.entry(name.to_string()).or_default().add(&effects);
        }
        let mentioned = summary.functions.values().flat_map(|f| &f.reads).chain(&globals.mentioned);
        let is_function = |name: &&String| summary.functions.contains_key(*name);
        summary.addressed = mentioned.filter(is_function).cloned().collect();
        summary.close();
        summary
    }

    /// Adds the effects of what is called until nothing changes.
    fn close(&mut self) {
        let names: Vec<String> = self.functions.keys().cloned().collect();
        loop {
            let mut changed = false;
            for name in &names {
                let before = self.functions[name].size();
                let whole = self.whole(self.functions[name].clone());
                changed |= whole.size() != before;
                self.functions.insert(name.clone(), whole);
            }
            if !changed {
                return;
            }
        }
    }

    /// The effects together with those of the functions that are called.
    fn whole(&self, mut effects: Effects) -> Effects {
        let mut called: Vec<String> = effects.calls.iter().cloned().collect();
        if effects.calls_pointer {
            called.extend(self.addressed.iter().cloned());
        }
        for name in &called {
            let plain = name.strip_prefix("__builtin_").unwrap_or(name);
            match self.functions.get(name) {
                Some(function) => effects.add(function),
                None if WRITERS.contains(&plain) => {
                    (effects.reads_memory, effects.writes_memory) = (true, true);
                }
                None => effects.reads_memory |= !name.starts_with("__VERIFIER_"),
            }
            effects.ends |= ENDS.contains(&plain);
            effects.errs |= ERRORS.contains(&plain);
        }
        effects
    }

    /// What the evaluation of an expression does.
    pub fn effects(&self, node: &Node<Expression>) -> Effects {
        let mut found = Finder::default();
        found.visit_expression(&node.node, &node.span);
        let has_statements = found.has_statements;
        Effects { has_statements, ..self.whole(found.effects) }
    }

    /// The same for what has to be known to find the object that an expression names.
    pub fn effects_of_place(&self, node: &Node<Expression>) -> Effects {
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
        let touched = || b.reads.iter().chain(&b.writes);
        let by_pointer = b.reads_memory || b.writes_memory;
        touched().any(|name| a.writes.contains(name))
            || a.writes_memory && (by_pointer || touched().any(|name| self.exposed.contains(name)))
            || by_pointer && a.writes.iter().any(|name| self.exposed.contains(name))
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
struct Globals {
    depth: usize,
    names: Names,
    /// Variables whose addresses are taken. Elements of arrays count as reached by pointers.
    exposed: Names,
    /// Names in initial values of globals.
    mentioned: Names,
}

impl<'a> Visit<'a> for Globals {
    fn visit_function_definition(&mut self, definition: &'a FunctionDefinition, span: &'a Span) {
        self.depth += 1;
        visit::visit_function_definition(self, definition, span);
        self.depth -= 1;
    }

    fn visit_declarator(&mut self, declarator: &'a Declarator, span: &'a Span) {
        if let Some(name) = declared_name(declarator).filter(|_| self.depth == 0) {
            self.names.insert(name.to_string());
        }
        visit::visit_declarator(self, declarator, span);
    }

    fn visit_expression(&mut self, expression: &'a Expression, span: &'a Span) {
        match expression {
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Address =>
            {
                if let Some(name) = base_name(&unary.node.operand.node) {
                    self.exposed.insert(name.to_string());
                }
            }
            Expression::Identifier(name) if self.depth == 0 => {
                self.mentioned.insert(name.node.name.clone());
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
struct Finder {
    effects: Effects,
    locals: Names,
    has_statements: bool,
    /// In a declaration of something that outlives the function: it is no local.
    in_static: bool,
}

impl Finder {
    /// An object is written, and read before if `reads`.
    fn write(&mut self, node: &Node<Expression>, reads: bool) {
        match base_name(&node.node) {
            Some(name) => {
                self.effects.writes.insert(name.to_string());
                if reads {
                    self.effects.reads.insert(name.to_string());
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
    fn place(&mut self, node: &Node<Expression>) {
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

impl<'a> Visit<'a> for Finder {
    fn visit_init_declarator(&mut self, declarator: &'a InitDeclarator, span: &'a Span) {
        if let Some(name) = declared_name(&declarator.declarator.node).filter(|_| !self.in_static) {
            self.locals.insert(name.to_string());
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
            self.locals.insert(name.to_string());
        }
    }

    fn visit_type_name(&mut self, _: &'a lang_c::ast::TypeName, _: &'a Span) {}

    fn visit_expression(&mut self, expression: &'a Expression, span: &'a Span) {
        match expression {
            Expression::Identifier(name) => {
                self.effects.reads.insert(name.node.name.clone());
                return;
            }
            Expression::SizeOfVal(_) | Expression::SizeOfTy(_) | Expression::AlignOf(_) => return,
            Expression::Statement(_) => self.has_statements = true,
            Expression::VaArg(_) => self.effects.writes_memory = true,
            Expression::Call(call) => {
                match &call.node.callee.node {
                    Expression::Identifier(name) => {
                        self.effects.calls.insert(name.node.name.clone());
                        // It may be a variable.
                        self.effects.reads.insert(name.node.name.clone());
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
