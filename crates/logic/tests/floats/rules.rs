//! The rules for float operators against the evaluator: where they apply and where they must not.

use crate::random::Random;
use crate::simulate::Circuit;
use wedge_logic::FloatFunction::*;
use wedge_logic::float::{evaluate, lower_floats};
use wedge_logic::{BitVec, FloatFormat, FloatFunction, FloatOp, Op, Rounding, Sort, TermStore};

const FORMATS: [FloatFormat; 4] =
    [FloatFormat::Mini, FloatFormat::Half, FloatFormat::Single, FloatFormat::Double];

/// A power of two, or its negative, as bits.
fn power(format: FloatFormat, exponent: i32, negative: bool) -> BitVec {
    let field = (format.bias() as i32 + exponent) as u64;
    let exponent = BitVec::new(format.exponent_bits(), field);
    BitVec::from(negative).concat(&exponent).concat(&BitVec::zero(format.precision() - 1))
}

/// Operands: all of the small format, random ones of the others.
fn operands(format: FloatFormat) -> Vec<BitVec> {
    let mut random = Random::new(3);
    match format {
        FloatFormat::Mini => (0..256).map(|bits| BitVec::new(8, bits)).collect(),
        _ => (0..500).map(|_| random.float(format, format.bias() as u64)).collect(),
    }
}

/// Checks `function(x, constant)` in a mode; says whether the operator is still there.
fn with_constant(format: FloatFormat, function: FloatFunction, c: &BitVec, mode: Rounding) -> bool {
    let op = FloatOp { format, function };
    let mut store = TermStore::new();
    let x = store.var("x", Sort::Bv(format.width()));
    let (constant, number) = (store.constant(c.clone()), store.rounding(mode));
    let term = store.float(format, function, &[x, constant, number]);
    let kept = store.op(term) == Op::Float(op);
    let lowered = lower_floats(&mut store, &[term])[0];
    let circuit = Circuit::of(op, &store, &[x], lowered);
    let mode = BitVec::new(3, mode as u64);
    for batch in operands(format).chunks(64) {
        let cases: Vec<Vec<BitVec>> = batch.iter().map(|x| vec![x.clone()]).collect();
        for (x, found) in batch.iter().zip(circuit.run(&cases)) {
            assert_eq!(found, evaluate(op, &[x, c, &mode]), "{op:?} {x:x?} {c:x?}");
        }
    }
    kept
}

#[test]
fn powers_of_two() {
    for format in FORMATS {
        for function in [Multiply, Divide] {
            for mode in Rounding::ALL {
                for exponent in [0, 1, -1, 3, -3, format.bias() as i32, 1 - format.bias() as i32] {
                    let positive = power(format, exponent, false);
                    assert!(!with_constant(format, function, &positive, mode));
                }
                let negative = power(format, 1, true);
                assert!(with_constant(format, function, &negative, mode));
                let other = power(format, 1, false).inc();
                assert!(with_constant(format, function, &other, mode));
            }
        }
    }
}

#[test]
fn conversions_there_and_back() {
    let (single, double) = (FloatFormat::Single, FloatFormat::Double);
    let mut store = TermStore::new();
    let x = store.var("x", Sort::Bv(32));
    let mode = store.rounding(Rounding::Up);
    let wide = store.float_convert(single, double, mode, x);
    let back = store.float_convert(double, single, mode, wide);
    assert!(!matches!(store.op(back), Op::Float(_)));
    let op = FloatOp { format: double, function: Convert(single) };
    let circuit = Circuit::of(op, &store, &[x], back);
    let (there, mode) = (FloatOp { format: single, function: Convert(double) }, BitVec::new(3, 2));
    for x in operands(single) {
        let wanted = evaluate(op, &[&evaluate(there, &[&x, &mode]), &mode]);
        assert_eq!(circuit.run(&[vec![x]])[0], wanted);
    }
    // The other way round digits are lost.
    let y = store.var("y", Sort::Bv(64));
    let mode = store.rounding(Rounding::Up);
    let narrow = store.float_convert(double, single, mode, y);
    let again = store.float_convert(single, double, mode, narrow);
    assert!(matches!(store.op(again), Op::Float(_)));
}

#[test]
fn integers_there_and_back() {
    let double = FloatFormat::Double;
    let mut store = TermStore::new();
    let mode = store.rounding(Rounding::TowardZero);
    for (format, width, wide, exact) in [
        (double, 32, 32, true),
        (double, 32, 64, true),
        (double, 64, 64, false),
        (double, 32, 16, false),
        (FloatFormat::Single, 32, 32, false),
        (FloatFormat::Single, 25, 32, true),
    ] {
        let i = store.var("i", Sort::Bv(width));
        let float = store.float_from_int(format, mode, i, true);
        let back = store.float(format, ToSigned(wide), &[float, mode]);
        let kept = matches!(store.op(back), Op::Float(_));
        assert_eq!(kept, !exact, "{format:?} {width} {wide}");
        if exact {
            let extended = store.sext(i, wide - width);
            assert_eq!(back, extended);
        }
        let rounded = store.float_round(format, mode, float);
        assert_eq!(rounded, float);
    }
    let u = store.var("u", Sort::Bv(32));
    let float = store.float_from_int(double, mode, u, false);
    let (narrow, wide) =
        ([32, 33].map(|width| store.float(double, ToSigned(width), &[float, mode]))).into();
    assert!(matches!(store.op(narrow), Op::Float(_)), "2^31 does not fit");
    let extended = store.zext(u, 1);
    assert_eq!(wide, extended);
}
