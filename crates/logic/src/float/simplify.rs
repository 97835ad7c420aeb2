//! Rules for float operators, tried by the constructors after constants are folded.
//!
//! An operator makes NaNs canonical, so an identity of numbers is not one of bits: the rules that
//! give an operand back do so through [`quiet`]. In the 80-bit format numbers have several
//! spellings, and these rules are not tried.

use super::{FloatFormat, FloatFunction, FloatOp, SCALE_WIDTH};
use crate::term::{Op, Term, TermStore};

/// An equal, simpler term, if a rule finds one.
pub(crate) fn simplify(store: &mut TermStore, op: FloatOp, args: &[Term]) -> Option<Term> {
    use FloatFunction::*;
    match (op.function, args) {
        (Multiply | Divide, &[a, b, mode]) => by_power_of_two(store, op, a, b, mode),
        (RoundToIntegral, &[a, _]) => round_integral(store, op, a),
        (Convert(to), &[a, _]) => convert_back(store, op, a, to),
        (ToSigned(width), &[a, _]) => integer_and_back(store, op.format, a, width),
        _ => None,
    }
}

/// The term with NaNs made canonical, as every operator does.
fn quiet(store: &mut TermStore, format: FloatFormat, a: Term) -> Term {
    let is_nan = store.float_is_nan(format, a);
    let sign = store.float_sign(format, a);
    let magnitude = store.constant(format.nan().slice(format.width() - 2, 0));
    let nan = store.concat(sign, magnitude);
    store.ite(is_nan, nan, a)
}

/// The exponent of a constant that is a positive power of two in the normal range.
fn power_of_two(store: &TermStore, format: FloatFormat, a: Term) -> Option<i64> {
    let value = store.value(a)?;
    let places = format.precision() - 1;
    if format.has_integer_bit() || !value.slice(places - 1, 0).is_zero() {
        return None;
    }
    // A sign would make the field larger than all finite exponents.
    let field = value.slice(format.width() - 1, places).to_u64()?;
    let last = (1u64 << format.exponent_bits()) - 1;
    (field > 0 && field < last).then(|| field as i64 - format.bias() as i64)
}

/// `a * 2^k → scale(a, k)`, `a / 2^k → scale(a, -k)`, and `a` itself for `k = 0`
fn by_power_of_two(
    store: &mut TermStore,
    op: FloatOp,
    a: Term,
    b: Term,
    mode: Term,
) -> Option<Term> {
    let product = op.function == FloatFunction::Multiply;
    let (operand, power) = match power_of_two(store, op.format, b) {
        Some(power) => (a, power),
        None if product => (b, power_of_two(store, op.format, a)?),
        None => return None,
    };
    let power = if product { power } else { -power };
    if power == 0 {
        return Some(quiet(store, op.format, operand));
    }
    let amount = store.number(SCALE_WIDTH, power as u64);
    Some(store.float_scale(op.format, mode, operand, amount))
}

fn float_op(store: &TermStore, a: Term) -> Option<(FloatOp, Term)> {
    match store.op(a) {
        Op::Float(op) => Some((op, store.args(a)[0])),
        _ => None,
    }
}

/// `round(a) → a` for an `a` that is integral: rounded already, or made from an integer
fn round_integral(store: &mut TermStore, op: FloatOp, a: Term) -> Option<Term> {
    use FloatFunction::*;
    let (inner, _) = float_op(store, a)?;
    let integral = matches!(inner.function, RoundToIntegral | FromSigned | FromUnsigned);
    // What is made by an operator has one spelling in every format.
    (integral && inner.format == op.format).then_some(a)
}

/// Whether every number of one format is one of another.
fn includes(wide: FloatFormat, narrow: FloatFormat) -> bool {
    // With both, the least subnormal number is not larger either.
    wide.precision() >= narrow.precision() && wide.bias() >= narrow.bias()
}

/// `convert(convert(a)) → a` where the way there was to a larger format
fn convert_back(store: &mut TermStore, op: FloatOp, a: Term, to: FloatFormat) -> Option<Term> {
    let (inner, origin) = float_op(store, a)?;
    let there = inner.function == FloatFunction::Convert(op.format);
    let exact = there && inner.format == to && includes(op.format, to) && !to.has_integer_bit();
    exact.then(|| quiet(store, to, origin))
}

/// `to_signed(from_integer(i)) → i` where the format has room for all integers of that width
fn integer_and_back(
    store: &mut TermStore,
    format: FloatFormat,
    a: Term,
    width: u32,
) -> Option<Term> {
    let (inner, integer) = float_op(store, a)?;
    let has = match inner.function {
        FloatFunction::FromSigned | FloatFunction::FromUnsigned => store.width(integer),
        _ => return None,
    };
    let signed = inner.function == FloatFunction::FromSigned;
    let digits = has - u32::from(signed);
    let exact = inner.format == format && digits <= format.precision() && digits < format.bias();
    if !exact || digits >= width {
        return None;
    }
    let by = width - has;
    Some(if signed { store.sext(integer, by) } else { store.zext(integer, by) })
}
