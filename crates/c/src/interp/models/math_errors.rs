//! Errors of mathematical functions, which implementations may report in `errno`.

use super::Arguments;
use crate::arith::math::{self, Class};
use crate::interp::exec::Interpreter;
use crate::interp::oracle::ChoiceKind;
use crate::interp::outcome::Step;
use crate::interp::value::Scalar;
use crate::library::{FunctionModel, may_underflow, reports_errors};
use crate::source::Position;
use crate::types::{FloatKind, Ty};

impl Interpreter<'_, '_> {
    /// A pole error of `logb`.
    pub(super) fn pole_error(&mut self, name: &str, at: Position) -> Step<()> {
        match self.choose(ChoiceKind::External(name), Ty::INT, at).bits {
            number @ (33 | 34) => self.set_error(number as i128, at),
            _ => Ok(()),
        }
    }

    /// After a call: the oracle is asked for the number of the error, whether there is one or not.
    pub(super) fn math_error(
        &mut self,
        known: FunctionModel,
        name: &str,
        arguments: &Arguments,
        result: Option<Scalar>,
    ) -> Step<()> {
        if !reports_errors(known) || self.program.error_number().is_none() {
            return Ok(());
        }
        let kind_of =
            |index: usize| arguments.ty(index).and_then(|ty| self.program.types.float_kind(ty));
        let Some(kind) = kind_of(0) else { return Ok(()) };
        let operands: Vec<Class> = (0..arguments.values.len())
            .filter(|&index| kind_of(index) == Some(kind))
            .filter_map(|index| arguments.scalar(index))
            .map(|value| math::classify(value.bits, kind))
            .collect();
        let number = self.choose(ChoiceKind::External(name), Ty::INT, arguments.at).bits;
        match (number, result) {
            (33 | 34, Some(result)) if has_error(known, &operands, result, kind) => {
                self.set_error(number as i128, arguments.at)
            }
            _ => Ok(()),
        }
    }
}

fn has_error(known: FunctionModel, operands: &[Class], result: Scalar, kind: FloatKind) -> bool {
    let Some(&first) = operands.first() else { return false };
    if known == FunctionModel::Float(crate::library::FloatFunction::Exponent) {
        return matches!(first, Class::Zero | Class::Nan | Class::Infinite);
    }
    let numbers = operands.iter().all(|&class| class != Class::Nan);
    let finite = numbers && operands.iter().all(|&class| class != Class::Infinite);
    match math::classify(result.bits, kind) {
        Class::Nan => numbers,
        Class::Infinite => finite,
        Class::Zero | Class::Subnormal => {
            let is_exact = known.is_exact_at_zero() && first == Class::Zero;
            may_underflow(known) && finite && !is_exact
        }
        Class::Normal => false,
    }
}
