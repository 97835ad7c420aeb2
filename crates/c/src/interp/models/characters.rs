//! `<ctype.h>` in the C locale, and absolute values of integers.

use super::Arguments;
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

fn number_of(character: u8) -> Scalar {
    Scalar::number(character as u128)
}
