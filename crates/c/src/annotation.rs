//! Conditions that somebody else has written about places of a program.
//!
//! A witness says of a loop that a condition holds there, or of a call what it gives. Such a
//! condition is typed in the scope of its place and becomes a statement of the program there, so
//! that the encoding, the interpreter and every engine look at it like at the rest. A condition that
//! changes something, or that is no C, is refused with its place in the witness.
//!
//! A run that is to follow a witness step by step counts how far it has come ([`Action::Follow`]).

use crate::error::{Error, Fault};
use crate::read::{self, Unit};
use crate::source::{FileId, Files, Position};
use lang_c::ast::{
    BlockItem, Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, Expression,
    ExternalDeclaration, Statement, StorageClassSpecifier,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use std::collections::BTreeSet;

/// The function that an annotation is checked by.
pub const CHECK: &str = "__wedge_invariant";
/// How a condition after a call names the result of the call.
pub const RESULT: &str = "__wedge_result";
/// What the name of a parameter has before it where its first value is meant.
pub const BEFORE: &str = "__wedge_before_";
const SEGMENT: &str = "__wedge_segment";

/// What happens where an annotation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// The condition holds, or the run violates [`crate::Kind::Invariant`].
    Check,
    /// A run that has come to segment n and satisfies the condition comes to the next one.
    Follow(u32),
    /// A run that has come to segment n must satisfy the condition and comes to the next one.
    Force(u32),
    /// A run that has come to segment n and satisfies the condition is of no interest.
    Avoid(u32),
    /// A run that has not come to segment n is of no interest.
    Arrive(u32),
}

/// What stands at the place of an annotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spot {
    /// A loop, by its keyword: each time an iteration may begin.
    Loop,
    /// A statement or declaration: before it.
    Statement,
    /// A call, by its closing parenthesis: before and after it.
    BeforeCall,
    AfterCall,
    /// An `if` or loop, by its keyword: after its condition was decided this way.
    Branch(bool),
    /// A function, by a line of its head: when it has been called, and when it returns. There the
    /// names of parameters and of what is declared outside of functions are known.
    Entry,
    Exit,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// Which input file, and where in its text. Column 0 stands for the first that fits.
    pub file: usize,
    pub line: u32,
    pub column: u32,
    pub spot: Spot,
    pub action: Action,
    /// An expression of C.
    pub condition: String,
    /// The line of the witness that it comes from.
    pub witness_line: u32,
}

/// All annotations of a program, from one witness.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotations {
    /// The name of the witness.
    pub witness: String,
    pub list: Vec<Annotation>,
}

/// Annotations that have been parsed, ready for typing.
#[derive(Default)]
pub(crate) struct Insertions {
    pub list: Vec<Annotation>,
    /// What the statements need, and for each annotation a function with its condition and its
    /// statement.
    pub unit: Option<Unit>,
    /// The witness among the files.
    pub witness: Option<FileId>,
}

impl Insertions {
    /// The condition and the statement of an annotation.
    pub fn statement(&self, number: usize) -> Option<(&Node<Expression>, &Node<Statement>)> {
        let tree = &self.unit.as_ref()?.tree.0;
        let first = tree.len().checked_sub(self.list.len())?;
        parts(tree.get(first + number)?)
    }
}

/// The condition and the statement in the function of an annotation.
fn parts(node: &Node<ExternalDeclaration>) -> Option<(&Node<Expression>, &Node<Statement>)> {
    let ExternalDeclaration::FunctionDefinition(function) = &node.node else { return None };
    let Statement::Compound(items) = &function.node.statement.node else { return None };
    let [
        Node { node: BlockItem::Statement(first), .. },
        Node { node: BlockItem::Statement(then), .. },
    ] = &items[..]
    else {
        return None;
    };
    match &first.node {
        Statement::Expression(Some(condition)) => Some((condition, then)),
        _ => None,
    }
}

/// Parses annotations for a program that consists of these files.
pub(crate) fn insertions(
    annotations: &Annotations,
    units: &[Unit],
    files: &mut Files,
) -> Result<Insertions, Error> {
    if annotations.list.is_empty() {
        return Ok(Insertions::default());
    }
    let witness = files.intern(&annotations.witness);
    let mut names = TypeNames::default();
    units.iter().for_each(|unit| names.visit_translation_unit(&unit.tree));
    let mut text: String = names.0.iter().map(|name| format!("typedef int {name}; ")).collect();
    text += &format!("static unsigned {SEGMENT};\n");
    for annotation in &annotations.list {
        let (line, condition) = (annotation.witness_line, annotation.condition.replace('\n', " "));
        let fault = |what: String| {
            let position = Position { file: witness, line, column: 0, physical_line: line };
            Fault::syntax(position, what).named(files)
        };
        if let Some(what) = unbalanced(&condition) {
            return Err(fault(format!("{what} in `{condition}`")));
        }
        // The line of the text tells annotations apart, the line that is named is the witness's.
        text += &format!("# {line} {:?}\n", annotations.witness);
        let then = statement(annotation, &condition);
        text += &format!("void f(void) {{ ({condition}); {then} }}\n");
    }
    let parsed = read::parse_bytes(text.as_bytes(), witness, files, &mut Vec::new());
    let unit = parsed.map_err(|fault| whole_line(fault).named(files))?;
    let list = annotations.list.clone();
    let insertions = Insertions { list, unit: Some(unit), witness: Some(witness) };
    for (number, annotation) in insertions.list.iter().enumerate() {
        if insertions.statement(number).is_none() {
            let line = annotation.witness_line;
            let position = Position { file: witness, line, column: 0, physical_line: line };
            let what = format!("`{}` is not an expression", annotation.condition);
            return Err(Fault::syntax(position, what).named(files));
        }
    }
    Ok(insertions)
}

/// A fault of a line of the witness; columns are those of the text that was made of it.
pub(crate) fn whole_line(fault: Fault) -> Fault {
    Fault { position: Position { column: 0, ..fault.position }, ..fault }
}

/// Whether brackets do not match, or something does not end, so that the condition would swallow
/// what follows it.
fn unbalanced(condition: &str) -> Option<String> {
    let (mut open, mut quote, mut escaped) = (Vec::new(), None, false);
    for c in condition.chars() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(end), _) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => open.push(')'),
            (None, '[') => open.push(']'),
            (None, '{') => open.push('}'),
            (None, ')' | ']' | '}') if open.pop() != Some(c) => {
                return Some(format!("unexpected `{c}`"));
            }
            (None, '#' | ';') => return Some(format!("unexpected `{c}`")),
            _ => {}
        }
    }
    if condition.trim().is_empty() {
        return Some("no expression".to_string());
    }
    let comment = condition.contains("//") || condition.contains("/*");
    let missing = open.last().map(|end| format!("missing `{end}`"));
    missing
        .or_else(|| quote.map(|quote| format!("missing `{quote}`")))
        .or_else(|| comment.then(|| "a comment".to_string()))
}

/// The statement that an annotation stands for.
fn statement(annotation: &Annotation, condition: &str) -> String {
    match annotation.action {
        Action::Check => format!("{CHECK}(({condition}) ? 1 : 0);"),
        Action::Follow(n) => {
            let next = n + 1;
            format!("if ({SEGMENT} == {n} && ({condition})) {SEGMENT} = {next};")
        }
        Action::Force(n) => {
            let next = n + 1;
            format!(
                "if ({SEGMENT} == {n}) {{ __wedge_assume(({condition}) ? 1 : 0); {SEGMENT} = {next}; }}"
            )
        }
        Action::Avoid(n) => format!("if ({SEGMENT} == {n} && ({condition})) __wedge_assume(0);"),
        Action::Arrive(n) => format!("__wedge_assume({SEGMENT} == {n});"),
    }
}

/// The names that stand for types somewhere in a program: the grammar has to know them.
#[derive(Default)]
struct TypeNames(BTreeSet<String>);

impl<'a> Visit<'a> for TypeNames {
    fn visit_declaration(&mut self, node: &'a Declaration, span: &'a Span) {
        if is_typedef(node) {
            let declarators = node.declarators.iter().map(|d| &d.node.declarator.node);
            self.0.extend(declarators.filter_map(declared));
        }
        visit::visit_declaration(self, node, span);
    }
}

pub(crate) fn is_typedef(declaration: &Declaration) -> bool {
    declaration.specifiers.iter().any(|specifier| {
        matches!(&specifier.node, DeclarationSpecifier::StorageClass(class)
            if class.node == StorageClassSpecifier::Typedef)
    })
}

fn declared(declarator: &Declarator) -> Option<String> {
    match &declarator.kind.node {
        DeclaratorKind::Identifier(name) => Some(name.node.name.clone()),
        DeclaratorKind::Declarator(inner) => declared(&inner.node),
        DeclaratorKind::Abstract => None,
    }
}
