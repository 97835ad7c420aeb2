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

/// Every number of the smaller formats, moved beyond both ends of the range.
#[test]
fn scales() {
    for format in [FloatFormat::Mini, FloatFormat::Half] {
        let circuit = Circuit::new(format, Scale, 0);
        let range = 2 * (format.bias() + format.precision()) as i32 + 3;
        let step = if format == FloatFormat::Mini { 1 } else { 61 };
        let values = (0..1u64 << format.width()).step_by(step);
        let amounts = || (-range..=range).chain([i32::MIN, i32::MAX, 1 << 20, -(1 << 20)]);
        let pairs = values.flat_map(|a| amounts().map(move |n| (a, n)));
        let cases = pairs.flat_map(|(a, n)| (0..MODES).map(move |mode| (a, n, mode)));
        circuit.check(cases.map(|(a, n, mode)| {
            let value = BitVec::new(format.width(), a);
            vec![value, BitVec::new(32, n as u32 as u64), BitVec::new(3, mode)]
        }));
    }
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
