//! `<ctype.h>` in the C locale, and absolute values of integers.

use super::Arguments;
use super::programs::{Given, Request, given, not_here};
use crate::arith::int;
use crate::interp::exec::Interpreter;
use crate::interp::value::Scalar;
use crate::library::{FunctionModel, has_class};
use crate::typed::UnaryOp;

impl Interpreter<'_, '_> {
    pub(super) fn character_function(
        &self,
        model: FunctionModel,
        name: &str,
        arguments: &Arguments,
    ) -> Option<Scalar> {
        let value = arguments.scalar(0)?;
        let format = self.program.types.int_format(arguments.ty(0)?)?;
        let number = int::extend(value.bits, format) as i128;
        let character = u8::try_from(number).ok();
        Some(match model {
            FunctionModel::AbsoluteValue if number < 0 => {
                Scalar::number(int::unary(UnaryOp::Negate, value.bits, format))
            }
            FunctionModel::CharacterTest => {
                Scalar::truth(character.is_some_and(|c| has_class(c, name)))
            }
            FunctionModel::ToLower => {
                character.map_or(value, |c| number_of(c.to_ascii_lowercase()))
            }
            FunctionModel::ToUpper => {
                character.map_or(value, |c| number_of(c.to_ascii_uppercase()))
            }
            _ => value,
        })
    }
}

impl Interpreter<'_, '_> {
    /// Tables that the macros of glibc's headers look into, from -128 to 255.
    pub(super) fn table_function(&mut self, request: Request) -> Given {
        let size = if request.name == "__ctype_b_loc" { 2 } else { 4 };
        let mut bytes = Vec::new();
        for index in -128i32..256 {
            let entry = match (request.name, u8::try_from(index)) {
                ("__ctype_b_loc", Ok(byte)) => classes(byte),
                ("__ctype_b_loc", Err(_)) => 0,
                (_, Err(_)) if index == -1 => -1,
                (_, Err(_)) => index & 255,
                ("__ctype_tolower_loc", Ok(byte)) => i32::from(byte.to_ascii_lowercase()),
                ("__ctype_toupper_loc", Ok(byte)) => i32::from(byte.to_ascii_uppercase()),
                _ => return not_here(),
            };
            bytes.extend_from_slice(&entry.to_le_bytes()[..size]);
        }
        let table = self.in_library(bytes.len() as u64, request.at)?;
        self.write_text(table, &bytes, request.at)?;
        let place = self.in_library(self.program.types.model.pointer_bytes(), request.at)?;
        self.write_pointer(place, self.moved(table, 128 * size as u64), request.at)?;
        given(place)
    }
}

/// glibc's bits for a character.
fn classes(byte: u8) -> i32 {
    let printable = byte.is_ascii_graphic() || byte == b' ';
    let all = [
        byte == b' ' || byte == b'\t',
        byte.is_ascii_control(),
        byte.is_ascii_punctuation(),
        byte.is_ascii_alphanumeric(),
        false,
        false,
        false,
        false,
        byte.is_ascii_uppercase(),
        byte.is_ascii_lowercase(),
        byte.is_ascii_alphabetic(),
        byte.is_ascii_digit(),
        byte.is_ascii_hexdigit(),
        matches!(byte, b' ' | 9..=13),
        printable,
        byte.is_ascii_graphic(),
    ];
    all.iter().enumerate().map(|(bit, is_in)| i32::from(*is_in) << bit).sum()
}

fn number_of(character: u8) -> Scalar {
    Scalar::number(character as u128)
}
