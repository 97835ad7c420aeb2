//! Functions of the library whose model for encoders is a program in C: what they do here.
//!
//! Nothing of those programs is used. What both sides share is which arbitrary values a call asks
//! for, and in which order.

use super::Arguments;
use crate::arith::int;
use crate::interp::exec::Interpreter;
use crate::interp::oracle::ChoiceKind;
use crate::interp::outcome::{Step, unsupported};
use crate::interp::value::{Scalar, Value};
use crate::source::Position;
use crate::types::Ty;

/// A call at work.
#[derive(Clone, Copy)]
pub(super) struct Request<'a> {
    pub name: &'a str,
    pub arguments: &'a Arguments<'a>,
    pub result: Option<Ty>,
    pub at: Position,
}

/// What a function gives; `None` if the call does not fit it.
pub(super) type Given = Step<Option<Option<Value>>>;

impl<'p> Interpreter<'p, '_> {
    pub(super) fn program_function(
        &mut self,
        name: &'p str,
        arguments: &Arguments,
        result: Option<Ty>,
    ) -> Given {
        let request = Request { name, arguments, result, at: arguments.at };
        let groups = [
            Self::number_function,
            Self::token_function,
            Self::search_function,
            Self::wide_function,
            Self::multibyte_function,
            Self::sort_function,
            Self::input_function,
            Self::system_function,
            Self::late_function,
            Self::table_function,
            Self::sine_and_cosine,
            Self::remainder_and_quotient,
        ];
        for group in groups {
            if let Some(given) = group(self, request)? {
                return Ok(Some(given));
            }
        }
        unsupported(format!("`{name}`"), arguments.at)
    }

    /// A number as the result of a call.
    pub(super) fn given_number(&self, request: Request, value: i128) -> Given {
        let width = request.result.and_then(|ty| self.program.types.int_format(ty));
        let width = width.map_or(128, |format| format.width);
        Ok(Some(Some(Value::Scalar(Scalar::number(int::truncate(value as u128, width))))))
    }

    /// An arbitrary number of a type, as the program asks for it by its call.
    pub(super) fn ask(&mut self, request: Request, ty: Ty) -> i128 {
        let bits = self.choose(ChoiceKind::External(request.name), ty, request.at).bits;
        match self.program.types.int_format(ty) {
            Some(format) => int::extend(bits, format) as i128,
            None => bits as i128,
        }
    }

    /// The same, brought between two bounds.
    pub(super) fn ask_between(&mut self, request: Request, ty: Ty, low: i128, high: i128) -> i128 {
        let value = self.ask(request, ty);
        match (low..=high).contains(&value) {
            true => value,
            false => low + value.rem_euclid(high - low + 1),
        }
    }

    /// A number in memory.
    pub(super) fn store_number(
        &mut self,
        to: Scalar,
        value: i128,
        ty: Ty,
        at: Position,
    ) -> Step<()> {
        let width = self.program.types.int_format(ty).map_or(128, |format| format.width);
        self.store_at(to, Scalar::number(int::truncate(value as u128, width)), ty, at)
    }
}

/// The call gives this pointer or number.
pub(super) fn given(value: Scalar) -> Given {
    Ok(Some(Some(Value::Scalar(value))))
}

/// The call gives nothing.
pub(super) fn done() -> Given {
    Ok(Some(None))
}

/// The function is another one.
pub(super) fn not_here() -> Given {
    Ok(None)
}
