//! Every operator on every operand of the 8-bit format, in every rounding mode.

use crate::simulate::Circuit;
use wedge_logic::FloatFunction::*;
use wedge_logic::{BitVec, FloatFormat, FloatFunction};

const MODES: u64 = 8;

fn unary(format: FloatFormat, function: FloatFunction, width: u32) {
    let circuit = Circuit::new(format, function, width);
    let values = (0..1u64 << width).flat_map(|a| (0..MODES).map(move |mode| (a, mode)));
    circuit.check(values.map(|(a, mode)| vec![BitVec::new(width, a), BitVec::new(3, mode)]));
}

fn binary(function: FloatFunction) {
    let circuit = Circuit::new(FloatFormat::Mini, function, 0);
    let modes = if circuit.op.is_rounded() { MODES } else { 1 };
    let pairs = (0..1u64 << 16).flat_map(|pair| (0..modes).map(move |mode| (pair, mode)));
    circuit.check(pairs.map(|(pair, mode)| {
        let mut case = vec![BitVec::new(8, pair >> 8), BitVec::new(8, pair)];
        case.extend((modes > 1).then(|| BitVec::new(3, mode)));
        case
    }));
}

#[test]
fn sums() {
    binary(Add);
    binary(Subtract);
}

#[test]
fn products() {
    binary(Multiply);
}

#[test]
fn quotients() {
    binary(Divide);
}

#[test]
fn remainders() {
    binary(Modulo);
    binary(Remainder);
}

#[test]
fn roots_and_integral_numbers() {
    for function in [SquareRoot, RoundToIntegral] {
        unary(FloatFormat::Mini, function, 8);
        unary(FloatFormat::Half, function, 16);
    }
}

#[test]
fn conversions() {
    unary(FloatFormat::Mini, Convert(FloatFormat::Half), 8);
    unary(FloatFormat::Mini, Convert(FloatFormat::Single), 8);
    unary(FloatFormat::Mini, Convert(FloatFormat::Extended), 8);
    unary(FloatFormat::Half, Convert(FloatFormat::Mini), 16);
    unary(FloatFormat::Half, Convert(FloatFormat::Double), 16);
}

#[test]
fn integers() {
    for width in [1, 2, 3, 4, 5, 7, 8, 9, 12] {
        for function in [ToSigned(width), ToUnsigned(width)] {
            unary(FloatFormat::Mini, function, 8);
        }
        for function in [FromSigned, FromUnsigned] {
            unary(FloatFormat::Mini, function, width);
            unary(FloatFormat::Half, function, width);
        }
    }
    for function in [ToSigned(16), ToUnsigned(17), ToSigned(64)] {
        unary(FloatFormat::Half, function, 16);
    }
    unary(FloatFormat::Half, FromSigned, 16);
    unary(FloatFormat::Half, FromUnsigned, 17);
}

/// Every so many of the triples in each mode.
fn fused(step: usize) {
    let circuit = Circuit::new(FloatFormat::Mini, MultiplyAdd, 0);
    for mode in 0..5u64 {
        let triples = (mode as usize..1 << 24).step_by(step);
        circuit.check(triples.map(|triple| {
            let byte = |shift: u32| BitVec::new(8, triple as u64 >> shift);
            vec![byte(16), byte(8), byte(0), BitVec::new(3, mode)]
        }));
    }
}

#[test]
fn fused_products() {
    fused(37);
}

#[test]
#[ignore = "all 80 million triples, about a minute"]
fn all_fused_products() {
    fused(1);
}
