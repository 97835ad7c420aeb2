//! C's `scalbn`: the exponent moves, the significand stays unless the result is subnormal.

use super::circuit::widen;
use super::round::{Exact, choose, infinity, nan, round, zero};
use super::unpack::{Fields, Normal};
use super::{Operand, positive_nan};
use crate::bitvec::BitVec;
use crate::float::FloatFormat;
use crate::term::{Term, TermStore};

/// The amount in two bits more than the exponent has, or the largest one of its sign: from the
/// least subnormal number to the overflow it is less than twice the bias and the precision.
fn clamped(s: &mut TermStore, format: FloatFormat, amount: Term) -> Term {
    let (width, has) = (format.exponent_bits() + 2, s.width(amount));
    if has <= width {
        return widen(s, amount, width, true);
    }
    let low = s.slice(amount, width - 1, 0);
    let extended = s.sext(low, has - width);
    let fits = s.eq(extended, amount);
    let negative = s.sign(amount);
    let least = s.constant(BitVec::min_signed(width).inc());
    let most = s.constant(BitVec::min_signed(width).not());
    let limit = s.ite(negative, least, most);
    s.ite(fits, low, limit)
}

pub fn scale(
    s: &mut TermStore,
    format: FloatFormat,
    mode: Term,
    a: Operand,
    x: Normal,
    amount: Term,
) -> Fields {
    let width = format.exponent_bits() + 4;
    let amount = clamped(s, format, amount);
    let (old, amount) = (widen(s, x.exponent, width, true), widen(s, amount, width, true));
    let exponent = s.add(old, amount);
    let none = s.bool(false);
    let significand = s.concat(x.significand, none);
    let sign = a.fields.sign;
    let exact = Exact { sign, exponent, significand, sticky: none };
    let rounded = round(s, format, mode, exact, true).fields(s, format);

    let (zero, infinity) = (zero(s, format, sign), infinity(s, format, sign));
    let positive = positive_nan(s, &[a]);
    let nan = nan(s, format, positive);
    let rest = choose(s, a.class.zero, zero, rounded);
    let rest = choose(s, a.class.infinite, infinity, rest);
    choose(s, a.class.nan, nan, rest)
}

impl TermStore {
    /// The exponent of a finite number other than 0, subnormal ones included, as C's `ilogb`
    /// gives it, in a signed word of 32 bits. For other operands the result means nothing.
    pub fn float_logb(&mut self, format: FloatFormat, a: Term) -> Term {
        let fields = Fields::unpack(self, format, a);
        let exponent = fields.normal(self).exponent;
        let exponent = widen(self, exponent, 32, true);
        let bias = self.number(32, format.bias() as u64);
        self.sub(exponent, bias)
    }
}
