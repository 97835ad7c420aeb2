//! The attributes that matter (see `read::rewrite`), collected from where the grammar puts them.

use super::{Result, Typer};
use crate::error::Fault;
use crate::read::SYMBOL;
use crate::source::Position;
use crate::types::Ty;
use lang_c::ast::{Attribute, Expression, Extension};
use lang_c::span::Node;

#[derive(Clone, Debug, Default)]
pub struct Attributes {
    pub packed: bool,
    pub align: Option<u64>,
    pub mode: Option<String>,
    /// The bytes of a vector.
    pub vector: Option<u64>,
    pub noreturn: bool,
    pub transparent_union: bool,
    pub alias: Option<String>,
    /// The object itself is `const`, not only what it points to.
    pub constant: bool,
    /// There is a pointer between the type that is specified and the object.
    pub pointed: bool,
    /// The name for the linker.
    pub symbol: Option<String>,
    /// The function that is called when the variable goes out of scope.
    pub cleanup: Option<String>,
    /// Called before `main`, or after it, with this priority.
    pub constructor: Option<Priority>,
    pub destructor: Option<Priority>,
}

/// The order of constructors: lower numbers first. Those without one come last.
pub type Priority = u64;

/// The priority of those without one.
const NO_PRIORITY: Priority = Priority::MAX;

impl Attributes {
    /// Adds those of `other`, which come later in the source.
    pub fn merge(&mut self, other: Attributes) {
        self.packed |= other.packed;
        self.noreturn |= other.noreturn;
        self.transparent_union |= other.transparent_union;
        self.align = self.align.max(other.align);
        self.mode = other.mode.or(self.mode.take());
        self.vector = other.vector.or(self.vector);
        self.alias = other.alias.or(self.alias.take());
        self.constant = other.constant || self.constant && !other.pointed;
        self.pointed |= other.pointed;
        self.symbol = other.symbol.or(self.symbol.take());
        self.cleanup = other.cleanup.or(self.cleanup.take());
        self.constructor = other.constructor.or(self.constructor);
        self.destructor = other.destructor.or(self.destructor);
    }
}

impl Typer<'_> {
    pub(super) fn attributes(&mut self, extensions: &[Node<Extension>]) -> Result<Attributes> {
        let mut found = Attributes::default();
        for extension in extensions {
            if let Extension::Attribute(attribute) = &extension.node {
                self.attribute(attribute, &mut found)?;
            }
        }
        Ok(found)
    }

    fn attribute(&mut self, attribute: &Attribute, found: &mut Attributes) -> Result<()> {
        match attribute.name.node.trim_matches('_') {
            "packed" => found.packed = true,
            "noreturn" => found.noreturn = true,
            "transparent_union" => found.transparent_union = true,
            "aligned" => found.align = found.align.max(Some(self.alignment_argument(attribute)?)),
            "mode" => {
                found.mode = Some(self.name_argument(attribute)?.trim_matches('_').to_string());
            }
            "vector_size" => found.vector = Some(self.alignment_argument(attribute)?),
            "alias" => found.alias = Some(self.string_argument(attribute)?),
            SYMBOL => found.symbol = Some(self.string_argument(attribute)?),
            // Without an argument an `alias` says which function is meant.
            "weakref" if !attribute.arguments.is_empty() => {
                found.symbol = Some(self.string_argument(attribute)?);
            }
            "cleanup" => found.cleanup = Some(self.name_argument(attribute)?),
            "constructor" => found.constructor = Some(self.priority_argument(attribute)?),
            "destructor" => found.destructor = Some(self.priority_argument(attribute)?),
            // The others were dropped before parsing.
            _ => {}
        }
        Ok(())
    }

    /// Without an argument: the largest alignment of the target.
    fn alignment_argument(&mut self, attribute: &Attribute) -> Result<u64> {
        let Some(argument) = attribute.arguments.first() else { return Ok(16) };
        let position = self.position(argument);
        let value = self.constant_integer(argument)?.1;
        match u64::try_from(value) {
            Ok(align) if align.is_power_of_two() && align <= 1 << 28 => Ok(align),
            _ => Err(Fault::invalid(position, "the alignment is not a power of two")),
        }
    }

    fn priority_argument(&mut self, attribute: &Attribute) -> Result<Priority> {
        let Some(argument) = attribute.arguments.first() else { return Ok(NO_PRIORITY) };
        let position = self.position(argument);
        let value = self.constant_integer(argument)?.1;
        Priority::try_from(value)
            .map_err(|_| Fault::invalid(position, "the priority is not a number"))
    }

    fn name_argument(&self, attribute: &Attribute) -> Result<String> {
        match attribute.arguments.first().map(|argument| &argument.node) {
            Some(Expression::Identifier(name)) => Ok(name.node.name.clone()),
            _ => Err(self.malformed(attribute)),
        }
    }

    fn string_argument(&self, attribute: &Attribute) -> Result<String> {
        let name = match attribute.arguments.first().map(|argument| &argument.node) {
            Some(Expression::StringLiteral(literal)) => self.literal_text(&literal.node),
            _ => None,
        };
        name.ok_or_else(|| self.malformed(attribute))
    }

    fn malformed(&self, attribute: &Attribute) -> Fault {
        let name = &attribute.name.node;
        Fault::invalid(self.position(&attribute.name), format!("malformed attribute `{name}`"))
    }

    /// The type that `__attribute__((mode(…)))` makes of `ty`.
    pub(super) fn with_mode(&mut self, ty: Ty, mode: &str, position: Position) -> Result<Ty> {
        let signed = self.types.int_format(ty).is_none_or(|format| format.signed);
        let pointer = 8 * self.types.model.pointer_bytes() as u32;
        let width = match mode {
            "QI" | "byte" => 8,
            "HI" => 16,
            "SI" => 32,
            "DI" => 64,
            "TI" => 128,
            "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => {
                pointer
            }
            "SF" => return Ok(Ty::FLOAT),
            "DF" => return Ok(Ty::DOUBLE),
            "XF" => return Ok(Ty::LDOUBLE),
            "TF" => return Ok(Ty::FLOAT128),
            _ => return Err(Fault::unsupported(position, format!("machine mode `{mode}`"))),
        };
        Ok(self.types.int_of_width(width, signed))
    }
}
