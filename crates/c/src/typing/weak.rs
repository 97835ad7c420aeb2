//! Weak symbols that nobody defines (gcc manual, section Common Function Attributes): their
//! address is null.
//!
//! Whether a symbol is weak and whether it is defined may both be said after its first use, so all
//! files are looked at before anything is typed.

use crate::library;
use lang_c::ast::{
    Attribute, Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, Expression,
    Extension, ExternalDeclaration, InitDeclarator, StorageClassSpecifier, TranslationUnit,
};
use lang_c::span::Node;
use rustc_hash::FxHashSet;

/// The weak names that no file defines, and that no library or verifier does.
pub fn undefined<'u>(units: impl Iterator<Item = &'u TranslationUnit>) -> FxHashSet<String> {
    let mut names = Names::default();
    for declaration in units.flat_map(|unit| &unit.0) {
        match &declaration.node {
            ExternalDeclaration::Declaration(declaration) => names.declaration(&declaration.node),
            ExternalDeclaration::FunctionDefinition(definition) => {
                names.defined.extend(name(&definition.node.declarator.node));
            }
            ExternalDeclaration::StaticAssert(_) => {}
        }
    }
    let Names { weak, references, defined } = names;
    let is_missing = |name: &str| !defined.contains(name) && !is_given(name);
    let weak = weak.into_iter().filter(|name| is_missing(name));
    let references = references.into_iter().filter(|(_, target)| is_missing(target));
    weak.chain(references.map(|(name, _)| name)).map(str::to_string).collect()
}

/// Whether the library, or whoever verifies, brings the function along.
fn is_given(name: &str) -> bool {
    name.starts_with("__VERIFIER_") || name == "reach_error" || library::is_standard(name)
}

#[derive(Default)]
struct Names<'u> {
    weak: FxHashSet<&'u str>,
    /// Names for others that may be missing: `weakref("target")`.
    references: Vec<(&'u str, &'u str)>,
    defined: FxHashSet<&'u str>,
}

impl<'u> Names<'u> {
    fn declaration(&mut self, declaration: &'u Declaration) {
        let mut is_extern = false;
        let mut common: Vec<&Attribute> = Vec::new();
        for specifier in &declaration.specifiers {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => {
                    is_extern |= class.node == StorageClassSpecifier::Extern;
                }
                DeclarationSpecifier::Extension(list) => common.extend(attributes(list)),
                _ => {}
            }
        }
        for declarator in &declaration.declarators {
            self.declarator(&declarator.node, &common, is_extern);
        }
    }

    fn declarator(&mut self, node: &'u InitDeclarator, common: &[&'u Attribute], is_extern: bool) {
        let Some(name) = name(&node.declarator.node) else { return };
        let mut all = common.to_vec();
        own_attributes(&node.declarator.node, &mut all);
        let has = |wanted: &str| all.iter().any(|a| a.name.node.trim_matches('_') == wanted);
        let reference = all.iter().find(|a| a.name.node.trim_matches('_') == "weakref");
        match reference.and_then(|attribute| text(attribute)) {
            Some(target) => self.references.push((name, target)),
            None if has("weak") => drop(self.weak.insert(name)),
            None => {}
        }
        let is_function = !node.declarator.node.derived.is_empty();
        // An object that is only weak is a definition, as any other one.
        if node.initializer.is_some() || has("alias") || !is_extern && !is_function {
            self.defined.insert(name);
        }
    }
}

fn attributes(list: &[Node<Extension>]) -> impl Iterator<Item = &Attribute> {
    list.iter().filter_map(|extension| match &extension.node {
        Extension::Attribute(attribute) => Some(attribute),
        _ => None,
    })
}

/// The string that an attribute has as its argument.
fn text(attribute: &Attribute) -> Option<&str> {
    match &attribute.arguments.first()?.node {
        Expression::StringLiteral(literal) => {
            literal.node.first().map(|text| text.trim_matches('"'))
        }
        _ => None,
    }
}

fn own_attributes<'u>(declarator: &'u Declarator, found: &mut Vec<&'u Attribute>) {
    found.extend(attributes(&declarator.extensions));
    if let DeclaratorKind::Declarator(inner) = &declarator.kind.node {
        own_attributes(&inner.node, found);
    }
}

fn name(declarator: &Declarator) -> Option<&str> {
    match &declarator.kind.node {
        DeclaratorKind::Abstract => None,
        DeclaratorKind::Identifier(name) => Some(&name.node.name),
        DeclaratorKind::Declarator(inner) => name(&inner.node),
    }
}
