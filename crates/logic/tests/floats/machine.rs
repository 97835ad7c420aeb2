//! The evaluator against the arithmetic of the host, which rounds to nearest even.

use crate::random::Random;
use wedge_logic::FloatFunction::*;
use wedge_logic::float::evaluate;
use wedge_logic::{BitVec, FloatFormat, FloatFunction, FloatOp};

/// Runs an operator on `f64`s; NaNs are compared as such.
fn double(function: FloatFunction, args: &[f64]) -> f64 {
    let op = FloatOp { format: FloatFormat::Double, function };
    let mut args: Vec<BitVec> = args.iter().map(|x| BitVec::new(64, x.to_bits())).collect();
    args.extend(op.is_rounded().then(|| BitVec::zero(3)));
    let result = evaluate(op, &args.iter().collect::<Vec<_>>());
    f64::from_bits(result.to_u64().expect("64 bits"))
}

fn same(found: f64, wanted: f64, what: &str, args: &[f64]) {
    let same = found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
    assert!(same, "{what} of {args:?}: {found:?} instead of {wanted:?}");
}

#[test]
fn doubles_agree_with_the_machine() {
    let mut random = Random::new(7);
    for _ in 0..20_000 {
        let near = random.next() >> 53;
        let mut next = || {
            let bits = random.float(FloatFormat::Double, near);
            f64::from_bits(bits.to_u64().expect("64 bits"))
        };
        let args @ [a, b, c] = [next(), next(), next()];
        same(double(Add, &[a, b]), a + b, "sum", &args);
        same(double(Subtract, &[a, b]), a - b, "difference", &args);
        same(double(Multiply, &[a, b]), a * b, "product", &args);
        same(double(Divide, &[a, b]), a / b, "quotient", &args);
        same(double(MultiplyAdd, &[a, b, c]), a.mul_add(b, c), "fused product", &args);
        same(double(SquareRoot, &[a]), a.sqrt(), "root", &args);
        same(double(Modulo, &[a, b]), a % b, "modulo", &args);
        same(double(RoundToIntegral, &[a]), a.round_ties_even(), "integral number", &args);
    }
}

#[test]
fn nans_have_the_sign_of_the_default_or_of_an_operand() {
    let nan = f64::from_bits(0x7ff8_0000_0000_0000);
    let sign = |x: f64| x.is_nan() && x.is_sign_negative();
    assert!(sign(double(Divide, &[0.0, 0.0])));
    assert!(sign(double(SquareRoot, &[-1.0])));
    assert!(sign(double(Add, &[-nan, 1.0])));
    assert!(!sign(double(Add, &[1.0, nan])));
    assert!(!sign(double(Subtract, &[1.0, nan])));
    assert_eq!(double(Add, &[f64::from_bits(nan.to_bits() | 5), 1.0]).to_bits(), nan.to_bits());
}
