//! Constants and string literals (C11 6.4.4, 6.4.5).

use super::{Result, Typer};
use crate::arith::{float, int};
use crate::error::Fault;
use crate::read::literal::{self, Encoding};
use crate::source::Position;
use crate::typed::{Expr, ExprKind, GlobalId, Initial, Place, PlaceKind};
use crate::types::{Length, Ty};
use lang_c::ast::{
    Constant, Expression, Float, FloatFormat, Integer, IntegerBase, IntegerSize, StringLiteral,
    TS18661FloatFormat,
};
use lang_c::span::Node;

impl Typer<'_> {
    pub(super) fn constant(&mut self, node: &Node<Constant>) -> Result<Expr> {
        let position = self.position(node);
        match &node.node {
            Constant::Integer(integer) => self.integer_constant(integer, position),
            Constant::Float(float) => self.float_constant(float, position),
            Constant::Character(text) => self.character_constant(text, position),
        }
    }

    fn integer_constant(&self, integer: &Integer, position: Position) -> Result<Expr> {
        if integer.suffix.imaginary {
            return Err(Fault::unsupported(position, "complex numbers (`_Complex`)"));
        }
        let radix = match integer.base {
            IntegerBase::Decimal => 10,
            IntegerBase::Octal => 8,
            IntegerBase::Hexadecimal => 16,
            IntegerBase::Binary => 2,
        };
        let digits: &str = if integer.number.is_empty() { "0" } else { &integer.number };
        let value = u128::from_str_radix(digits, radix)
            .map_err(|_| Fault::invalid(position, "an integer constant this large"))?;
        let ty = self.integer_constant_type(integer, value);
        Ok(Expr::int(value, ty, position))
    }

    /// The first type of the list in C11 6.4.4.1 that can hold the value; for larger ones gcc
    /// goes on to `__int128`.
    fn integer_constant_type(&self, integer: &Integer, value: u128) -> Ty {
        let ladder = [
            (IntegerSize::Int, Ty::INT, Ty::UINT),
            (IntegerSize::Long, Ty::LONG, Ty::ULONG),
            (IntegerSize::LongLong, Ty::LLONG, Ty::ULLONG),
        ];
        let fits = |ty: Ty| {
            self.types.int_format(ty).is_some_and(|format| {
                int::truncate(value, format.width - format.signed as u32) == value
            })
        };
        let decimal = integer.base == IntegerBase::Decimal;
        for (size, signed, unsigned) in ladder {
            if size < integer.suffix.size {
                continue;
            }
            if !integer.suffix.unsigned && fits(signed) {
                return signed;
            }
            if (integer.suffix.unsigned || !decimal) && fits(unsigned) {
                return unsigned;
            }
        }
        if fits(Ty::INT128) && !integer.suffix.unsigned { Ty::INT128 } else { Ty::UINT128 }
    }

    fn float_constant(&self, constant: &Float, position: Position) -> Result<Expr> {
        use TS18661FloatFormat::{BinaryExtended, BinaryInterchange};
        if constant.suffix.imaginary {
            return Err(Fault::unsupported(position, "complex numbers (`_Complex`)"));
        }
        let ty = match &constant.suffix.format {
            FloatFormat::Float => Ty::FLOAT,
            FloatFormat::Double => Ty::DOUBLE,
            FloatFormat::LongDouble => Ty::LDOUBLE,
            FloatFormat::TS18661Format(format) => match (&format.format, format.width) {
                (BinaryInterchange, 32) => Ty::FLOAT,
                (BinaryInterchange, 64) | (BinaryExtended, 32) => Ty::DOUBLE,
                (BinaryExtended, 64) => Ty::LDOUBLE,
                (BinaryInterchange, 128) => Ty::FLOAT128,
                _ => return Err(Fault::unsupported(position, "this floating type")),
            },
        };
        let hexadecimal = constant.base == lang_c::ast::FloatBase::Hexadecimal;
        let number: &str = &constant.number;
        let text = match hexadecimal && !number.starts_with("0x") && !number.starts_with("0X") {
            true => format!("0x{number}"),
            false => number.to_string(),
        };
        let bits = self.types.float_kind(ty).and_then(|kind| float::parse(&text, kind));
        let bits = bits.ok_or_else(|| Fault::invalid(position, "malformed floating constant"))?;
        Ok(Expr::new(ExprKind::Float(bits), ty, position))
    }

    /// A plain character constant is an `int`, of several characters with the first one highest.
    fn character_constant(&self, text: &str, position: Position) -> Result<Expr> {
        let Some((encoding, units)) = literal::decode(text) else {
            return Err(Fault::syntax(position, "malformed character constant"));
        };
        let ty = self.unit_type(encoding);
        Ok(match (encoding, units.as_slice()) {
            (Encoding::Narrow, &[unit]) => self.int(unit as u8 as i8 as i32, position),
            (Encoding::Narrow, units) => {
                let value = units.iter().fold(0u32, |value, &unit| value << 8 | unit);
                self.int(value as i32, position)
            }
            (_, units) => {
                let width = self.types.int_format(ty).map_or(32, |format| format.width);
                let unit = units.last().copied().unwrap_or(0) as u128;
                Expr::int(int::truncate(unit, width), ty, position)
            }
        })
    }

    fn unit_type(&self, encoding: Encoding) -> Ty {
        match encoding {
            Encoding::Narrow => Ty::CHAR,
            Encoding::Wide => self.types.wide_char_type(),
            Encoding::Utf16 => Ty::USHORT,
            Encoding::Utf32 => Ty::UINT,
        }
    }

    /// The code units of adjacent string literals, without the final zero, and their type.
    pub(super) fn string_units(
        &self,
        literal: &StringLiteral,
        position: Position,
    ) -> Result<(Vec<u32>, Ty)> {
        let mut units = Vec::new();
        let mut encoding = Encoding::Narrow;
        for part in literal {
            let Some((own, decoded)) = literal::decode(part) else {
                return Err(Fault::syntax(position, "malformed string literal"));
            };
            if own != Encoding::Narrow {
                if encoding != Encoding::Narrow && own != encoding {
                    let what = "string literals of different kinds next to each other";
                    return Err(Fault::invalid(position, what));
                }
                encoding = own;
            }
            units.extend(decoded);
        }
        Ok((units, self.unit_type(encoding)))
    }

    /// The text of a plain string literal, for messages and names.
    pub(super) fn literal_text(&self, literal: &StringLiteral) -> Option<String> {
        let (units, _) = self.string_units(literal, Position::default()).ok()?;
        let bytes: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The array that a string literal stands for.
    pub(super) fn string_literal(&mut self, node: &Node<StringLiteral>) -> Result<Place> {
        let position = self.position(node);
        let (units, element) = self.string_units(&node.node, position)?;
        let id = self.string_object(units, element, position);
        Ok(self.global_place(id, position))
    }

    /// The object with these contents; equal literals share one.
    pub(super) fn string_object(
        &mut self,
        units: Vec<u32>,
        element: Ty,
        position: Position,
    ) -> GlobalId {
        let key = (units, element);
        if let Some(&known) = self.strings.get(&key) {
            let global = &mut self.globals[known.0 as usize];
            // The same place may be looked at more than once.
            global.is_shared |= global.position != position;
            return known;
        }
        let length = key.0.len() as u64 + 1;
        let ty = self.types.array(element, Length::Fixed(length));
        let name = format!("<string {}>", self.strings.len());
        let align = self.types.align(element);
        let id = self.new_global(&name, ty, Initial::Values(Vec::new()), align, position);
        let place = self.global_place(id, position);
        let mut values = Vec::new();
        for (index, &unit) in key.0.iter().enumerate().filter(|(_, unit)| **unit != 0) {
            let offset = Box::new(self.offset_constant(index as u64, position));
            let kind = PlaceKind::Index(Box::new(place.clone()), offset);
            let part = Place::new(kind, element, position);
            values.push((part, Expr::int(unit as u128, element, position)));
        }
        let global = &mut self.globals[id.0 as usize];
        global.is_literal = true;
        global.initial = Initial::Values(values);
        self.strings.insert(key, id);
        id
    }

    /// The type and value of an integer constant expression (C11 6.6).
    pub(super) fn constant_integer(&mut self, node: &Node<Expression>) -> Result<(Ty, i128)> {
        let position = self.position(node);
        let not_constant = || Fault::invalid(position, "not an integer constant expression");
        let mark = self.builder.mark();
        let value = self.as_constant(|typer| typer.value(node))?;
        let format = self.types.int_format(value.ty).ok_or_else(not_constant)?;
        match value.as_int() {
            Some(bits) if self.builder.is_unchanged(mark) => {
                Ok((value.ty, int::extend(bits, format) as i128))
            }
            _ => Err(not_constant()),
        }
    }
}
