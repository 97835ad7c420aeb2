//! Declaration specifiers: storage classes and the type that all declarators share.

use super::attributes::Attributes;
use super::scope::Binding;
use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::types::Ty;
use lang_c::ast::{
    AlignmentSpecifier, DeclarationSpecifier, Expression, Extension, FunctionSpecifier,
    SpecifierQualifier, StorageClassSpecifier, TS18661FloatFormat, TypeOf, TypeQualifier,
    TypeSpecifier,
};
use lang_c::span::Node;

/// What the specifiers of a declaration say.
#[derive(Clone, Debug)]
pub struct Specified {
    pub ty: Ty,
    pub storage: Option<StorageClassSpecifier>,
    pub inline: bool,
    /// The alignment of the typedef that names the type.
    pub typedef_align: Option<u64>,
    pub attributes: Attributes,
    /// `__auto_type`: the type comes from the initialiser.
    pub automatic: bool,
}

/// A specifier that concerns the type, from either list of the grammar.
enum Part<'a> {
    Type(&'a Node<TypeSpecifier>),
    Attributes(&'a [Node<Extension>]),
}

/// How often each word of a basic type occurs.
#[derive(Default)]
struct Words {
    void: u32,
    bool: u32,
    char: u32,
    short: u32,
    int: u32,
    long: u32,
    float: u32,
    double: u32,
    signed: u32,
    unsigned: u32,
}

impl Typer<'_> {
    pub(super) fn specifiers(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
        position: Position,
    ) -> Result<Specified> {
        let mut parts = Vec::new();
        let (mut storage, mut inline) = (None, false);
        let mut extra = Attributes::default();
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => {
                    if class.node != StorageClassSpecifier::ThreadLocal {
                        storage = Some(class.node.clone());
                    }
                }
                DeclarationSpecifier::TypeSpecifier(ty) => parts.push(Part::Type(ty)),
                DeclarationSpecifier::Extension(list) => parts.push(Part::Attributes(list)),
                DeclarationSpecifier::Function(function) => match function.node {
                    FunctionSpecifier::Inline => inline = true,
                    FunctionSpecifier::Noreturn => extra.noreturn = true,
                },
                DeclarationSpecifier::Alignment(alignment) => {
                    extra.align = extra.align.max(Some(self.alignas(&alignment.node)?));
                }
                DeclarationSpecifier::TypeQualifier(qualifier) => {
                    extra.constant |= qualifier.node == TypeQualifier::Const;
                }
            }
        }
        let mut specified = self.type_parts(&parts, position)?;
        specified.attributes.merge(extra);
        Ok(Specified { storage, inline, ..specified })
    }

    fn alignas(&mut self, alignment: &AlignmentSpecifier) -> Result<u64> {
        match alignment {
            AlignmentSpecifier::Type(name) => {
                let ty = self.type_name(name)?;
                Ok(self.types.align(ty))
            }
            AlignmentSpecifier::Constant(value) => {
                let position = self.position(value);
                match u64::try_from(self.constant_integer(value)?.1) {
                    Ok(0) => Ok(1),
                    Ok(align) if align.is_power_of_two() && align <= 1 << 28 => Ok(align),
                    _ => Err(Fault::invalid(position, "the alignment is not a power of two")),
                }
            }
        }
    }

    /// The list that occurs in members and type names.
    pub(super) fn qualified(
        &mut self,
        specifiers: &[Node<SpecifierQualifier>],
        position: Position,
    ) -> Result<Specified> {
        let mut parts = Vec::new();
        for specifier in specifiers {
            match &specifier.node {
                SpecifierQualifier::TypeSpecifier(ty) => parts.push(Part::Type(ty)),
                SpecifierQualifier::Extension(list) => parts.push(Part::Attributes(list)),
                SpecifierQualifier::TypeQualifier(_) => {}
            }
        }
        self.type_parts(&parts, position)
    }

    fn type_parts(&mut self, parts: &[Part], position: Position) -> Result<Specified> {
        let mut words = Words::default();
        let mut named: Option<Specified> = None;
        let mut attributes = Attributes::default();
        let mut at = 0;
        while let Some(part) = parts.get(at) {
            at += 1;
            match part {
                Part::Attributes(list) => attributes.merge(self.attributes(list)?),
                Part::Type(specifier) => {
                    // Attributes directly behind the body of a tagged type belong to the type.
                    let mut own = Attributes::default();
                    while let Some(Part::Attributes(list)) = parts.get(at)
                        && has_body(&specifier.node)
                    {
                        own.merge(self.attributes(list)?);
                        at += 1;
                    }
                    if let Some(ty) = self.type_specifier(specifier, own, &mut words)? {
                        named = Some(ty);
                    }
                }
            }
        }
        let mut specified = match named {
            Some(specified) => specified,
            None => plain(self.basic_type(&words, position)?),
        };
        if let Some(mode) = &attributes.mode {
            specified.ty = self.with_mode(specified.ty, mode, position)?;
        }
        if let Some(bytes) = attributes.vector.take() {
            specified.ty = self.vector_type(specified.ty, bytes, position)?;
        }
        specified.attributes.merge(attributes);
        Ok(specified)
    }

    /// A type that stands on its own, or `None` for a word of a basic type, which is counted.
    fn type_specifier(
        &mut self,
        specifier: &Node<TypeSpecifier>,
        own: Attributes,
        words: &mut Words,
    ) -> Result<Option<Specified>> {
        let position = self.position(specifier);
        let word = match &specifier.node {
            TypeSpecifier::Struct(record) => {
                return Ok(Some(plain(self.record_type(record, own)?)));
            }
            TypeSpecifier::Enum(enumeration) => {
                return Ok(Some(plain(self.enum_type(enumeration, own)?)));
            }
            TypeSpecifier::TypedefName(name) => return self.typedef(&name.node.name, position),
            TypeSpecifier::TypeOf(operand) => {
                let ty = self.type_of(&operand.node)?;
                return Ok(Some(plain(ty)));
            }
            TypeSpecifier::Atomic(name) => {
                let ty = self.type_name(name)?;
                return Ok(Some(plain(ty)));
            }
            TypeSpecifier::TS18661Float(float) => {
                use TS18661FloatFormat::{BinaryExtended, BinaryInterchange};
                let ty = match (&float.format, float.width) {
                    (BinaryInterchange, 32) => Ty::FLOAT,
                    (BinaryInterchange, 64) | (BinaryExtended, 32) => Ty::DOUBLE,
                    (BinaryExtended, 64) => Ty::LDOUBLE,
                    (BinaryInterchange, 128) => Ty::FLOAT128,
                    (format, width) => {
                        let what = floating_name(format, width);
                        return Err(Fault::unsupported(position, format!("`{what}`")));
                    }
                };
                return Ok(Some(plain(ty)));
            }
            TypeSpecifier::Complex => {
                return Err(Fault::unsupported(position, "complex numbers (`_Complex`)"));
            }
            TypeSpecifier::Void => &mut words.void,
            TypeSpecifier::Char => &mut words.char,
            TypeSpecifier::Short => &mut words.short,
            TypeSpecifier::Int => &mut words.int,
            TypeSpecifier::Long => &mut words.long,
            TypeSpecifier::Float => &mut words.float,
            TypeSpecifier::Double => &mut words.double,
            TypeSpecifier::Signed => &mut words.signed,
            TypeSpecifier::Unsigned => &mut words.unsigned,
            TypeSpecifier::Bool => &mut words.bool,
        };
        *word += 1;
        Ok(None)
    }

    fn type_of(&mut self, operand: &TypeOf) -> Result<Ty> {
        match operand {
            // The grammar takes the name of a type for a variable here.
            TypeOf::Expression(expression) => match &expression.node {
                Expression::Identifier(name) => match self.scopes.lookup(&name.node.name) {
                    Some(&Binding::Typedef { ty, .. }) => Ok(ty),
                    _ => self.type_of_expression(expression),
                },
                _ => self.type_of_expression(expression),
            },
            TypeOf::Type(name) => self.type_name(name),
        }
    }

    fn typedef(&mut self, name: &str, position: Position) -> Result<Option<Specified>> {
        let found = match self.scopes.lookup(name) {
            Some(&Binding::Typedef { ty, align }) => {
                Specified { typedef_align: align, ..plain(ty) }
            }
            _ if name == "__builtin_va_list" => plain(Ty::VA_LIST),
            _ => return Err(Fault::invalid(position, format!("`{name}` is not a type"))),
        };
        let is_auto = name == "__auto_type" && self.scopes.lookup(name).is_some();
        Ok(Some(Specified { automatic: is_auto, ..found }))
    }

    /// The type that a multiset of words names (C11 6.7.2). Three `long`s stand for `__int128`.
    fn basic_type(&self, words: &Words, position: Position) -> Result<Ty> {
        let w = words;
        let unsigned = w.unsigned > 0;
        let signedness = w.signed + w.unsigned;
        let others = w.void + w.bool + w.char + w.short + w.float + w.double;
        let integer = |signed_ty, unsigned_ty| if unsigned { unsigned_ty } else { signed_ty };
        let plain_ty = signedness == 0 && w.int == 0;
        let ty = match (others, w.long) {
            (1, 0) if w.void == 1 && plain_ty => Ty::VOID,
            (1, 0) if w.bool == 1 && plain_ty => Ty::BOOL,
            (1, 0) if w.char == 1 && w.int == 0 => match (w.signed, w.unsigned) {
                (0, 0) => Ty::CHAR,
                (_, 0) => Ty::SCHAR,
                _ => Ty::UCHAR,
            },
            (1, 0) if w.short == 1 => integer(Ty::SHORT, Ty::USHORT),
            (1, 0) if w.float == 1 && plain_ty => Ty::FLOAT,
            (1, 0) if w.double == 1 && plain_ty => Ty::DOUBLE,
            (1, 1) if w.double == 1 && plain_ty => Ty::LDOUBLE,
            (0, 0) if w.int + signedness > 0 => integer(Ty::INT, Ty::UINT),
            (0, 1) => integer(Ty::LONG, Ty::ULONG),
            (0, 2) => integer(Ty::LLONG, Ty::ULLONG),
            (0, 3) => integer(Ty::INT128, Ty::UINT128),
            _ => return Err(Fault::invalid(position, "invalid combination of type specifiers")),
        };
        if signedness > 1 || w.int > 1 {
            return Err(Fault::invalid(position, "invalid combination of type specifiers"));
        }
        Ok(ty)
    }
}

fn plain(ty: Ty) -> Specified {
    let attributes = Attributes::default();
    Specified {
        ty,
        storage: None,
        inline: false,
        typedef_align: None,
        attributes,
        automatic: false,
    }
}

fn has_body(specifier: &TypeSpecifier) -> bool {
    match specifier {
        TypeSpecifier::Struct(record) => record.node.declarations.is_some(),
        TypeSpecifier::Enum(enumeration) => !enumeration.node.enumerators.is_empty(),
        _ => false,
    }
}

/// As the source spells it: `_Float16`, `_Decimal32x`.
fn floating_name(format: &TS18661FloatFormat, width: usize) -> String {
    use TS18661FloatFormat::{
        BinaryExtended, BinaryInterchange, DecimalExtended, DecimalInterchange,
    };
    let (stem, end) = match format {
        BinaryInterchange => ("_Float", ""),
        BinaryExtended => ("_Float", "x"),
        DecimalInterchange => ("_Decimal", ""),
        DecimalExtended => ("_Decimal", "x"),
    };
    format!("{stem}{width}{end}")
}
