//! The arithmetic of the interpreter and the evaluator of terms agree bit for bit.

use super::float::{binary, convert, from_int, is_nan, sign_bit, to_int};
use super::math::{self, Rounding};
use crate::typed::BinaryOp;
use crate::types::{FloatKind, IntFormat};
use proptest::prelude::*;
use wedge_logic::float::evaluate;
use wedge_logic::{BitVec, FloatFormat, FloatFunction, FloatOp, Rounding as Mode, TermStore};

const KINDS: [(FloatKind, FloatFormat); 4] = [
    (FloatKind::Float, FloatFormat::Single),
    (FloatKind::Double, FloatFormat::Double),
    (FloatKind::LongDouble, FloatFormat::Extended),
    (FloatKind::Float128, FloatFormat::Quad),
];

const MODES: [(Rounding, Mode); 5] = [
    (Rounding::Down, Mode::Down),
    (Rounding::Up, Mode::Up),
    (Rounding::ToZero, Mode::TowardZero),
    (Rounding::HalfAway, Mode::NearestAway),
    (Rounding::HalfEven, Mode::NearestEven),
];

fn bits(width: u32, value: u128) -> BitVec {
    BitVec::from_biguint(width, value.into())
}

/// An operator on terms, applied to bits.
fn on_terms(format: FloatFormat, function: FloatFunction, args: &[u128], mode: Mode) -> u128 {
    let op = FloatOp { format, function };
    let mut args: Vec<BitVec> = args.iter().map(|&x| bits(format.width(), x)).collect();
    args.extend(op.is_rounded().then(|| BitVec::new(3, mode as u64)));
    let result = evaluate(op, &args.iter().collect::<Vec<_>>());
    u128::try_from(&result.to_biguint()).expect("at most 128 bits")
}

/// Random bits, with exponents that are often special or close to that of 1.
fn operand() -> impl Strategy<Value = (u128, u8)> {
    (any::<u128>(), any::<u8>())
}

/// The bits of a float of a kind.
fn float((random, choice): (u128, u8), kind: FloatKind, format: FloatFormat) -> u128 {
    let exponent_bits = format.exponent_bits();
    let low = sign_bit(kind) - exponent_bits;
    let random = random & (u128::MAX >> (127 - sign_bit(kind)));
    let ones = (1u128 << exponent_bits) - 1;
    let exponent = match choice % 8 {
        0 => 0,
        1 => ones,
        2..=5 => format.bias() as u128 + choice as u128 / 2 - 32,
        _ => return random,
    };
    let fraction = if choice & 8 == 0 { random } else { 0 };
    let kept = random >> sign_bit(kind) << sign_bit(kind) | fraction & ((1 << low) - 1);
    let integer = (format.has_integer_bit() && exponent != 0) as u128;
    (exponent & ones) << low | kept | integer << 63
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn arithmetic(a in operand(), b in operand(), c in operand()) {
        use FloatFunction::*;
        for (kind, format) in KINDS {
            let [a, b, c] = [a, b, c].map(|x| float(x, kind, format));
            let mode = Mode::NearestEven;
            let run = |function, args: &[u128]| on_terms(format, function, args, mode);
            prop_assert_eq!(binary(BinaryOp::Add, a, b, kind), run(Add, &[a, b]));
            prop_assert_eq!(binary(BinaryOp::Subtract, a, b, kind), run(Subtract, &[a, b]));
            prop_assert_eq!(binary(BinaryOp::Multiply, a, b, kind), run(Multiply, &[a, b]));
            prop_assert_eq!(binary(BinaryOp::Divide, a, b, kind), run(Divide, &[a, b]));
            prop_assert_eq!(math::remainder(a, b, kind, false), run(Modulo, &[a, b]));
            prop_assert_eq!(math::remainder(a, b, kind, true), run(Remainder, &[a, b]));
            prop_assert_eq!(math::multiply_add(a, b, c, kind), run(MultiplyAdd, &[a, b, c]));
            if let Some(root) = math::square_root(a, kind) {
                prop_assert_eq!(root, run(SquareRoot, &[a]), "root of {:x}", a);
            }
            for (rounding, mode) in MODES {
                let wanted = on_terms(format, RoundToIntegral, &[a], mode);
                prop_assert_eq!(math::round(a, kind, rounding), wanted);
            }
            for (other, to) in KINDS.into_iter().filter(|&(other, _)| other != kind) {
                prop_assert_eq!(convert(a, kind, other), run(Convert(to), &[a]));
            }
        }
    }

    /// Comparisons, extrema and conversions to and from integers, which are derived terms.
    #[test]
    fn derived(a in operand(), b in operand(), integer in any::<u128>()) {
        for (kind, format) in KINDS {
            let [a, b] = [a, b].map(|x| float(x, kind, format));
            let mut store = TermStore::new();
            let s = &mut store;
            let [x, y] = [a, b].map(|x| s.float_constant(format, x));
            let mode = s.rounding(Mode::NearestEven);
            let mut pairs = vec![
                (binary(BinaryOp::Less, a, b, kind), s.float_lt(format, x, y)),
                (binary(BinaryOp::LessEqual, a, b, kind), s.float_le(format, x, y)),
                (binary(BinaryOp::Equal, a, b, kind), s.float_eq(format, x, y)),
                (math::classify(a, kind) as u128, s.float_classify(format, x, 32, [0, 1, 2, 3, 4])),
                (is_nan(a, kind) as u128, s.float_is_nan(format, x)),
                (math::extremum(a, b, kind, std::cmp::Ordering::Less), s.float_min(format, x, y)),
                (math::extremum(a, b, kind, std::cmp::Ordering::Greater), s.float_max(format, x, y)),
                (math::positive_difference(a, b, kind), s.float_positive_difference(format, mode, x, y)),
            ];
            for width in [8, 16, 32, 64, 128] {
                for signed in [false, true] {
                    let int = IntFormat { width, signed };
                    let zero = s.rounding(Mode::TowardZero);
                    pairs.push((to_int(a, kind, int), s.float_to_int(format, zero, x, width, signed)));
                    let number = integer & (u128::MAX >> (128 - width));
                    let term = s.constant(bits(width, number));
                    pairs.push((from_int(number, int, kind), s.float_from_int(format, mode, term, signed)));
                }
            }
            for (at, (wanted, term)) in pairs.into_iter().enumerate() {
                let found = store.value(term).expect("constants fold");
                let found = u128::try_from(&found.to_biguint()).expect("at most 128 bits");
                prop_assert_eq!(found, wanted, "{:?} {:x} {:x}, number {}", kind, a, b, at);
            }
        }
    }
}
