//! Qualifiers, for `_Generic` alone.
//!
//! Types do not have qualifiers, since those do not change what a program computes. A choice between
//! `char *` and `const char *` needs them, though: so the qualifiers of declared names are kept beside
//! their types, level by level, and those of an expression are found where it is a name, a cast, a
//! literal, or made from such by `&`, `*`, `+` and `-`. Of other expressions they are not known.

use super::Typer;
use lang_c::ast::{
    BinaryOperator, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator,
    Expression, PointerQualifier, SpecifierQualifier, TypeName, TypeQualifier, TypeSpecifier,
    UnaryOperator,
};
use lang_c::span::Node;

/// The qualifiers of a type, of what it points to, and so on; those of an array are those of a pointer
/// to its elements.
pub type Levels = Vec<u8>;

fn bit(qualifier: &TypeQualifier) -> u8 {
    match qualifier {
        TypeQualifier::Const => 1,
        TypeQualifier::Volatile => 2,
        TypeQualifier::Restrict => 4,
        TypeQualifier::Atomic => 8,
        _ => 0,
    }
}

impl Typer<'_> {
    /// Keeps the qualifiers of a name that was bound just now.
    pub(super) fn bind_qualifiers(
        &mut self,
        name: &str,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
    ) {
        let mut types = Vec::new();
        let mut bits = 0;
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::TypeSpecifier(ty) => types.push(&ty.node),
                DeclarationSpecifier::TypeQualifier(qualifier) => bits |= bit(&qualifier.node),
                _ => {}
            }
        }
        let levels = self.base_levels(&types, bits).and_then(|base| declared(base, declarator));
        if let Some(levels) = levels {
            self.scopes.qualify(name, levels);
        }
    }

    /// Those of a type name.
    pub(super) fn levels_of_name(&self, name: &TypeName) -> Option<Levels> {
        let mut types = Vec::new();
        let mut bits = 0;
        for specifier in &name.specifiers {
            match &specifier.node {
                SpecifierQualifier::TypeSpecifier(ty) => types.push(&ty.node),
                SpecifierQualifier::TypeQualifier(qualifier) => bits |= bit(&qualifier.node),
                SpecifierQualifier::Extension(_) => {}
            }
        }
        let base = self.base_levels(&types, bits)?;
        match &name.declarator {
            Some(declarator) => declared(base, declarator),
            None => Some(base),
        }
    }

    fn base_levels(&self, types: &[&TypeSpecifier], bits: u8) -> Option<Levels> {
        let mut levels = match types {
            [TypeSpecifier::TypedefName(name)] => self.scopes.qualifiers(&name.node.name)?,
            [TypeSpecifier::TypeOf(_)] => return None,
            _ => vec![0],
        };
        levels[0] |= bits;
        Some(levels)
    }

    /// Those of the value of an expression.
    pub(super) fn levels(&self, node: &Node<Expression>) -> Option<Levels> {
        let mut levels = self.place_levels(node)?;
        levels[0] = 0;
        Some(levels)
    }

    /// Those of an expression that may be a place.
    fn place_levels(&self, node: &Node<Expression>) -> Option<Levels> {
        match &node.node {
            Expression::Identifier(name) => self.scopes.qualifiers(&name.node.name),
            Expression::StringLiteral(_) => Some(vec![0, 0]),
            Expression::Cast(cast) => self.levels_of_name(&cast.node.type_name.node),
            Expression::UnaryOperator(unary) => {
                let operand = &unary.node.operand;
                match unary.node.operator.node {
                    UnaryOperator::Address => {
                        let mut levels = self.place_levels(operand)?;
                        levels.insert(0, 0);
                        Some(levels)
                    }
                    UnaryOperator::Indirection => {
                        let levels = self.levels(operand)?;
                        (levels.len() > 1).then(|| levels[1..].to_vec())
                    }
                    _ => None,
                }
            }
            Expression::BinaryOperator(binary) => match binary.node.operator.node {
                BinaryOperator::Index => {
                    let levels = self.levels(&binary.node.lhs)?;
                    (levels.len() > 1).then(|| levels[1..].to_vec())
                }
                BinaryOperator::Plus | BinaryOperator::Minus => self.levels(&binary.node.lhs),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The qualifiers behind a declarator of pointers, and at most one array of them.
fn declared(mut levels: Levels, declarator: &Node<Declarator>) -> Option<Levels> {
    if matches!(declarator.node.kind.node, DeclaratorKind::Declarator(_)) {
        return None;
    }
    let mut is_array = false;
    for derived in &declarator.node.derived {
        match &derived.node {
            DerivedDeclarator::Pointer(qualifiers) => {
                let bits = qualifiers.iter().map(|qualifier| match &qualifier.node {
                    PointerQualifier::TypeQualifier(qualifier) => bit(&qualifier.node),
                    PointerQualifier::Extension(_) => 0,
                });
                levels.insert(0, bits.fold(0, |all, bit| all | bit));
            }
            DerivedDeclarator::Array(_) if !is_array => {
                is_array = true;
                levels.insert(0, 0);
            }
            _ => return None,
        }
    }
    Some(levels)
}
