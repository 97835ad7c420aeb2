//! What is built from the bits at once, against apfloat.

use crate::random::Random;
use rustc_apfloat::ieee::{Double, Half, Single, X87DoubleExtended};
use rustc_apfloat::{Category, Float};
use std::cmp::Ordering;
use wedge_logic::{BitVec, Evaluator, FloatFormat, Rounding, Sort, Term, TermStore, Value};

/// Terms over two floats.
struct Terms {
    store: TermStore,
    vars: [Term; 2],
    terms: Vec<Term>,
}

const WIDTHS: [(u32, bool); 9] = [
    (8, true),
    (16, false),
    (32, true),
    (32, false),
    (64, true),
    (64, false),
    (40, false),
    (128, true),
    (128, false),
];

impl Terms {
    fn new(format: FloatFormat) -> Terms {
        let mut store = TermStore::new();
        let s = &mut store;
        let [a, b] = ["a", "b"].map(|name| s.var(name, Sort::Bv(format.width())));
        let mut terms = vec![
            s.float_eq(format, a, b),
            s.float_lt(format, a, b),
            s.float_le(format, a, b),
            s.float_unordered(format, a, b),
            s.float_is_nan(format, a),
            s.float_is_infinite(format, a),
            s.float_is_finite(format, a),
            s.float_is_zero(format, a),
            s.float_is_subnormal(format, a),
            s.float_is_normal(format, a),
            s.float_sign(format, a),
            s.float_classify(format, a, 32, [0, 1, 2, 3, 4]),
            s.float_neg(format, a),
            s.float_abs(format, a),
            s.float_copy_sign(format, a, b),
            s.float_min(format, a, b),
            s.float_max(format, a, b),
        ];
        let mode = s.rounding(Rounding::TowardZero);
        terms.extend(WIDTHS.map(|(width, signed)| s.float_to_int(format, mode, a, width, signed)));
        Terms { store, vars: [a, b], terms }
    }

    fn values(&self, a: &BitVec, b: &BitVec) -> Vec<BitVec> {
        let mut evaluator = Evaluator::new(&self.store);
        evaluator.assign(self.vars[0], Value::Bv(a.clone()));
        evaluator.assign(self.vars[1], Value::Bv(b.clone()));
        self.terms.iter().map(|&t| evaluator.eval_bv(t).expect("assigned").clone()).collect()
    }
}

fn digits(bits: &BitVec) -> u128 {
    u128::try_from(&bits.to_biguint()).expect("at most 128 bits")
}

/// The values that the terms must have.
fn wanted<F: Float>(a: &BitVec, b: &BitVec) -> Vec<u128> {
    let width = a.width();
    let (x, y) = (F::from_bits(digits(a)), F::from_bits(digits(b)));
    let order = x.partial_cmp(&y);
    let class = match x.category() {
        Category::NaN => 0,
        Category::Infinity => 1,
        Category::Zero => 2,
        Category::Normal if x.is_denormal() => 3,
        Category::Normal => 4,
    };
    let sign = 1u128 << (width - 1);
    let (bits, other) = (digits(a), digits(b));
    let extremum = |wanted: Ordering| match order {
        _ if x.is_nan() => other,
        Some(found) if found != wanted && found != Ordering::Equal => other,
        _ => bits,
    };
    let mut values = vec![
        (order == Some(Ordering::Equal)) as u128,
        (order == Some(Ordering::Less)) as u128,
        matches!(order, Some(Ordering::Less | Ordering::Equal)) as u128,
        order.is_none() as u128,
        x.is_nan() as u128,
        x.is_infinite() as u128,
        x.is_finite() as u128,
        x.is_zero() as u128,
        (class == 3) as u128,
        (class == 4) as u128,
        x.is_negative() as u128,
        class,
        bits ^ sign,
        bits & !sign,
        bits & !sign | other & sign,
        extremum(Ordering::Less),
        extremum(Ordering::Greater),
    ];
    values.extend(WIDTHS.map(|(width, signed)| to_int(x, width, signed)));
    values
}

/// The truncated number modulo 2^128; `None` if it is beyond ±2^126 or no number.
fn truncated<F: Float>(x: F) -> Option<i128> {
    let result = x.to_i128(127);
    let fits = !result.status.contains(rustc_apfloat::Status::INVALID_OP);
    fits.then_some(result.value)
}

/// gcc's code for x86, instruction by instruction.
fn to_int<F: Float>(x: F, width: u32, signed: bool) -> u128 {
    let register = |x: F, width: u32| match truncated(x) {
        Some(value) if value >= -1 << (width - 1) && value < 1 << (width - 1) => value as u128,
        _ => 1 << (width - 1),
    };
    let mask = u128::MAX >> (128 - width);
    match (width, signed) {
        (..32, _) | (32, true) => register(x, 32) & mask,
        (..=32, _) | (_, true) if width <= 64 => register(x, 64) & mask,
        (..=64, _) => {
            let half = F::from_u128(1 << 63).value;
            // A comparison of unordered numbers is false.
            match x.partial_cmp(&half) {
                Some(Ordering::Greater | Ordering::Equal) => {
                    (register((x - half).value, 64) ^ 1 << 63) & mask
                }
                _ => register(x, 64) & mask,
            }
        }
        (_, true) => {
            let (value, status) = (x.to_i128(128).value, x.to_i128(128).status);
            let invalid = status.contains(rustc_apfloat::Status::INVALID_OP);
            if invalid { 1 << 127 } else { value as u128 }
        }
        _ if x.is_nan() => u128::MAX,
        _ => x.to_u128(128).value,
    }
}

fn check<F: Float>(format: FloatFormat) {
    let terms = Terms::new(format);
    let mut random = Random::new(format.width() as u64);
    for _ in 0..3000 {
        let near = random.next() >> 40;
        let a = random.float(format, near);
        let b = match random.next() % 4 {
            0 => a.clone(),
            1 => a.xor(&BitVec::min_signed(format.width())),
            _ => random.float(format, near),
        };
        let found: Vec<u128> = terms.values(&a, &b).iter().map(digits).collect();
        assert_eq!(found, wanted::<F>(&a, &b), "{format:?}: {a:x?} {b:x?}");
    }
}

#[test]
fn comparisons_and_classes() {
    check::<Half>(FloatFormat::Half);
    check::<Single>(FloatFormat::Single);
    check::<Double>(FloatFormat::Double);
    check::<X87DoubleExtended>(FloatFormat::Extended);
}
