//! Functions of `<math.h>` that are not computed: arbitrary results that the rules of
//! [`crate::library::approximate`] allow. Where none of them is chosen, the path ends.

use super::{ChoicePointKind, Encoder};
use crate::library::{Approximate, Reals, allowed};
use crate::source::Position;
use crate::typed::FuncId;
use crate::types::{FloatKind, Ty};
use crate::{arith, flat::InstanceId};
use wedge_logic::{FloatFormat, Rounding, Term, TermStore};

impl Encoder<'_, '_> {
    /// A result that the function may give; `None` if the call does not fit it.
    pub(super) fn approximate(
        &mut self,
        (function, id): (Approximate, FuncId),
        operands: &[Term],
        kind: FloatKind,
        result: Ty,
        instance: InstanceId,
        at: Position,
    ) -> Option<Term> {
        if self.program.types.float_kind(result) != Some(kind) || operands.len() < function.arity()
        {
            return None;
        }
        let format = arith::mode::format(kind);
        let choice = ChoicePointKind::Call(id);
        let value = self.arbitrary(choice, result, format.width(), instance, at);
        let mut reals = TermReals { terms: &mut self.cfa.terms, format, kind };
        let rule = allowed(&mut reals, function, operands, value)?;
        self.require(rule);
        let name = &self.program.function(id).name;
        self.notes.insert(format!(
            "`{name}` is not computed: its result is any number of its range that agrees with \
             the special cases of C Annex F"
        ));
        Some(value)
    }
}

/// Floats as terms.
struct TermReals<'t> {
    terms: &'t mut TermStore,
    format: FloatFormat,
    kind: FloatKind,
}

impl Reals for TermReals<'_> {
    type Float = Term;
    type Truth = Term;

    fn number(&mut self, value: f64) -> Term {
        let bits = value.to_bits() as u128;
        let bits = arith::float::convert(bits, FloatKind::Double, self.kind);
        self.terms.float_constant(self.format, bits)
    }
    fn truth(&mut self, value: bool) -> Term {
        self.terms.bool(value)
    }
    fn not(&mut self, a: Term) -> Term {
        self.terms.not(a)
    }
    fn and(&mut self, a: Term, b: Term) -> Term {
        self.terms.and(a, b)
    }
    fn is_nan(&mut self, x: Term) -> Term {
        self.terms.float_is_nan(self.format, x)
    }
    fn is_negative(&mut self, x: Term) -> Term {
        self.terms.float_sign(self.format, x)
    }
    fn le(&mut self, x: Term, y: Term) -> Term {
        self.terms.float_le(self.format, x, y)
    }
    fn same(&mut self, x: Term, y: Term) -> Term {
        self.terms.eq(x, y)
    }
    fn is_integral(&mut self, x: Term) -> Term {
        let mode = self.terms.rounding(Rounding::TowardZero);
        let whole = self.terms.float_round(self.format, mode, x);
        self.terms.float_eq(self.format, whole, x)
    }
    fn half(&mut self, x: Term) -> Term {
        let mode = self.terms.rounding(Rounding::NearestEven);
        let minus_one = self.terms.ones(wedge_logic::float::SCALE_WIDTH);
        self.terms.float_scale(self.format, mode, x, minus_one)
    }
    fn magnitude(&mut self, x: Term) -> Term {
        self.terms.float_abs(self.format, x)
    }
}
