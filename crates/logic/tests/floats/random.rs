//! The larger formats on random operands and on those where something special happens.

use crate::simulate::{Circuit, operand_widths};
use num_bigint::BigUint;
use wedge_logic::FloatFunction::*;
use wedge_logic::{BitVec, FloatFormat, FloatFunction, FloatOp};

/// Marsaglia's xorshift.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 11) % bound
    }
    pub fn bits(&mut self, width: u32) -> BitVec {
        let digits = (0..width.div_ceil(32)).map(|_| (self.next() >> 20) as u32).collect();
        BitVec::from_biguint(width, BigUint::new(digits))
    }

    /// A word with long runs of equal bits, or few bits that differ from them.
    fn sparse(&mut self, width: u32) -> BitVec {
        let mut word = if self.below(2) == 0 { BitVec::zero(width) } else { BitVec::ones(width) };
        for _ in 0..self.below(4) {
            let place = self.below(width as u64) as u32;
            let flip = match self.below(2) {
                0 => BitVec::power_of_two(width, place),
                _ => BitVec::power_of_two(width, place).dec(),
            };
            word = word.xor(&flip);
        }
        word
    }

    fn word(&mut self, width: u32) -> BitVec {
        if self.below(3) == 0 { self.sparse(width) } else { self.bits(width) }
    }

    /// A float whose exponent is often special or near a given one.
    pub fn float(&mut self, format: FloatFormat, near: u64) -> BitVec {
        if self.below(24) == 0 {
            return self.word(format.width());
        }
        let bits = format.exponent_bits();
        let last = (1u64 << bits) - 1;
        let exponent = match self.below(16) {
            0 => 0,
            1 => self.below(3),
            2 => last - self.below(3),
            3 => last,
            4 => format.bias() as u64 + self.below(4) - 2,
            5 | 6 => self.next(),
            7 => format.bias() as u64 + self.below(format.precision() as u64 + 2),
            _ => near
                .wrapping_add(self.below(2 * format.precision() as u64 + 8))
                .wrapping_sub(format.precision() as u64 + 4),
        };
        let sign = BitVec::from(self.below(2) == 1);
        let exponent = BitVec::new(bits, exponent);
        let fraction = match self.below(8) {
            0 => BitVec::zero(format.precision() - 1),
            _ => self.word(format.precision() - 1),
        };
        let high = sign.concat(&exponent);
        if !format.has_integer_bit() {
            return high.concat(&fraction);
        }
        let canonical = self.below(16) != 0;
        let integer = BitVec::from(exponent.is_zero() != canonical);
        high.concat(&integer).concat(&fraction)
    }
}

/// Random operands of an operator.
fn case(random: &mut Random, op: FloatOp, widths: &[u32]) -> Vec<BitVec> {
    let near = match random.below(3) {
        0 => op.format.bias() as u64,
        _ => random.below(1 << op.format.exponent_bits()),
    };
    let floats = widths.len() - op.is_rounded() as usize;
    let integers = matches!(op.function, FromSigned | FromUnsigned);
    let mut case: Vec<BitVec> = widths[..floats]
        .iter()
        .map(|&w| if integers { random.word(w) } else { random.float(op.format, near) })
        .collect();
    if op.function == Scale {
        let range = 2 * (op.format.bias() + op.format.precision()) as u64;
        let near = random.below(2 * range).wrapping_sub(range);
        case[1] = if random.below(8) == 0 { random.word(32) } else { BitVec::new(32, near) };
    }
    case.extend(op.is_rounded().then(|| random.bits(3)));
    // A fused sum is delicate where the addend nearly cancels the product.
    if op.function == MultiplyAdd && random.below(2) == 0 {
        let args = [&case[0], &case[1], &case[3]];
        let product = wedge_logic::float::evaluate(FloatOp { function: Multiply, ..op }, &args);
        case[2] = product.xor(&BitVec::min_signed(op.format.width()));
        if random.below(2) == 0 {
            case[2] = case[2].xor(&BitVec::new(op.format.width(), random.below(4)));
        }
    }
    case
}

fn check(format: FloatFormat, function: FloatFunction, integer: u32, count: usize) {
    let circuit = Circuit::new(format, function, integer);
    let widths = operand_widths(circuit.op, integer);
    let mut random = Random::new(count as u64 + format.width() as u64);
    circuit.check((0..count).map(|_| case(&mut random, circuit.op, &widths)));
}

const FORMATS: [FloatFormat; 5] = [
    FloatFormat::Half,
    FloatFormat::Single,
    FloatFormat::Double,
    FloatFormat::Extended,
    FloatFormat::Quad,
];

/// All operators on numbers of one format.
const ARITHMETIC: [FloatFunction; 8] =
    [Add, Subtract, Multiply, Divide, MultiplyAdd, SquareRoot, RoundToIntegral, Scale];

fn arithmetic(formats: &[FloatFormat], functions: &[FloatFunction], count: usize) {
    for &format in formats {
        for &function in functions {
            check(format, function, 0, count);
        }
    }
}

fn conversions(count: usize) {
    for format in FORMATS {
        for to in FORMATS.into_iter().filter(|&to| to != format) {
            check(format, Convert(to), 0, count);
        }
        for width in [1, 8, 24, 31, 32, 33, 53, 64, 65, 128, 200] {
            check(format, FromSigned, width, count);
            check(format, FromUnsigned, width, count);
            check(format, ToSigned(width), 0, count);
            check(format, ToUnsigned(width), 0, count);
        }
    }
}

fn remainders(count: usize) {
    for format in [FloatFormat::Half, FloatFormat::Single, FloatFormat::Double] {
        for function in [Modulo, Remainder] {
            check(format, function, 0, count);
        }
    }
    for function in [Modulo, Remainder] {
        check(FloatFormat::Extended, function, 0, count.min(3000));
    }
}

#[test]
fn random_arithmetic() {
    arithmetic(&FORMATS, &ARITHMETIC, 20_000);
}

#[test]
fn random_conversions() {
    conversions(2_000);
}

#[test]
fn random_remainders() {
    remainders(10_000);
}

/// The formats of `float` and `double`.
const COMMON: [FloatFormat; 2] = [FloatFormat::Single, FloatFormat::Double];

#[test]
#[ignore = "two million operands per operator and format, minutes"]
fn long_sums() {
    arithmetic(&COMMON, &[Add, Subtract, RoundToIntegral, Scale], 2_000_000);
}

#[test]
#[ignore = "two million operands per format, minutes"]
fn long_products() {
    arithmetic(&COMMON, &[Multiply], 2_000_000);
}

#[test]
#[ignore = "a million operands per operator and format, minutes"]
fn long_quotients_and_roots() {
    arithmetic(&COMMON, &[Divide, SquareRoot], 1_000_000);
}

#[test]
#[ignore = "a million operands per conversion between `float`, `double` and integers, minutes"]
fn long_conversions() {
    check(FloatFormat::Single, Convert(FloatFormat::Double), 0, 2_000_000);
    check(FloatFormat::Double, Convert(FloatFormat::Single), 0, 2_000_000);
    for format in COMMON {
        for width in [32, 64] {
            for function in [FromSigned, FromUnsigned, ToSigned(width), ToUnsigned(width)] {
                check(format, function, width, 1_000_000);
            }
        }
    }
}

#[test]
#[ignore = "the other formats, conversions, fused products and remainders, minutes"]
fn long_rest() {
    arithmetic(&COMMON, &[MultiplyAdd], 200_000);
    let others = [FloatFormat::Half, FloatFormat::Extended, FloatFormat::Quad];
    arithmetic(&others, &ARITHMETIC, 100_000);
    conversions(10_000);
    remainders(20_000);
}
