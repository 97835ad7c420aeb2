//! Errors of mathematical functions (C11 7.12.1): a domain error, a pole error, overflow and
//! underflow. Implementations may report them in `errno`, and need not; what they store is `EDOM` or
//! `ERANGE`. Nothing is paid where the program has no `errno`.

use super::{ChoicePointKind, Encoder};
use crate::arith::mode::format as float_format;
use crate::error::Fault;
use crate::flat::InstanceId;
use crate::library::{FunctionModel, may_underflow, reports_errors};
use crate::source::Position;
use crate::typed::{Expr, FuncId, Place, PlaceKind};
use crate::types::{FloatKind, Ty};
use wedge_logic::Term;

impl Encoder<'_, '_> {
    /// After a call with these operands, of which those that are no floats have another width.
    pub(super) fn math_error(
        &mut self,
        instance: InstanceId,
        (function, known): (FuncId, FunctionModel),
        (operands, kind): (&[Term], FloatKind),
        result: Option<Term>,
        at: Position,
    ) -> Result<(), Fault> {
        if !reports_errors(known) {
            return Ok(());
        }
        let Some(error) = self.program.error_number() else { return Ok(()) };
        let place = Place::new(PlaceKind::Global(error), self.program.global(error).ty, at);
        let number = self.arbitrary(ChoicePointKind::Call(function), Ty::INT, 32, instance, at);
        let is_reason = self.in_range(number, 33, 34, true);
        let fails = match result {
            Some(result) => self.has_math_error(known, operands, kind, result),
            None => self.cfa.terms.bool(true),
        };
        let is_set = self.cfa.terms.and(is_reason, fails);
        let old = self.expr(instance, &Expr::load(place.clone()))?;
        let new = self.cfa.terms.ite(is_set, number, old);
        self.store(instance, &place, new)
    }

    fn has_math_error(
        &mut self,
        known: FunctionModel,
        operands: &[Term],
        kind: FloatKind,
        result: Term,
    ) -> Term {
        let format = float_format(kind);
        let terms = &mut self.cfa.terms;
        let width = format.width();
        let Some(&first) = operands.first() else { return terms.bool(false) };
        if terms.width(result) != width {
            // `ilogb`: there is no exponent.
            let finite = terms.float_is_finite(format, first);
            let zero = terms.float_is_zero(format, first);
            let special = terms.not(finite);
            return terms.or(special, zero);
        }
        let (mut numbers, mut finite) = (Vec::new(), Vec::new());
        for &operand in operands {
            if terms.width(operand) != width {
                continue;
            }
            let nan = terms.float_is_nan(format, operand);
            numbers.push(terms.not(nan));
            finite.push(terms.float_is_finite(format, operand));
        }
        let (numbers, finite) = (terms.and_all(&numbers), terms.and_all(&finite));
        let (nan, infinite) =
            (terms.float_is_nan(format, result), terms.float_is_infinite(format, result));
        let (domain, range) = (terms.and(nan, numbers), terms.and(infinite, finite));
        let mut fails = terms.or(domain, range);
        if may_underflow(known) {
            let (zero, small) =
                (terms.float_is_zero(format, result), terms.float_is_subnormal(format, result));
            let tiny = terms.or(zero, small);
            let from_zero = terms.float_is_zero(format, first);
            let exact = match known.is_exact_at_zero() {
                true => from_zero,
                false => terms.bool(false),
            };
            let inexact = terms.not(exact);
            let inexact = terms.and(inexact, finite);
            let underflows = terms.and(tiny, inexact);
            fails = terms.or(fails, underflows);
        }
        fails
    }
}
