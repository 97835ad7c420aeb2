//! The reference semantics of the operators: `rustc_apfloat`, a port of LLVM's `APFloat`.
//!
//! It has no square root and no integers beyond 128 bits; these are computed on big integers and
//! rounded by it. NaNs are made canonical, see [`super`].

use super::{FloatFormat, FloatFunction, FloatOp, Rounding};
use crate::bitvec::BitVec;
use num_bigint::BigUint;
use rustc_apfloat::ieee::{Double, Half, IeeeFloat, Quad, Semantics, Single, X87DoubleExtended};
use rustc_apfloat::{Category, ExpInt, Float, FloatConvert, Round};

/// The format of the exhaustive tests.
struct MiniSemantics;

impl Semantics for MiniSemantics {
    const BITS: usize = 8;
    const EXP_BITS: usize = 4;
}

type Mini = IeeeFloat<MiniSemantics>;

/// Runs `$body` with `$F` as the type that implements a format.
macro_rules! with_format {
    ($format:expr, $F:ident => $body:expr) => {
        match $format {
            FloatFormat::Mini => {
                type $F = Mini;
                $body
            }
            FloatFormat::Half => {
                type $F = Half;
                $body
            }
            FloatFormat::Single => {
                type $F = Single;
                $body
            }
            FloatFormat::Double => {
                type $F = Double;
                $body
            }
            FloatFormat::Extended => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatFormat::Quad => {
                type $F = Quad;
                $body
            }
        }
    };
}

fn apfloat_mode(mode: Rounding) -> Round {
    match mode {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::Down => Round::TowardNegative,
        Rounding::Up => Round::TowardPositive,
        Rounding::TowardZero => Round::TowardZero,
        Rounding::NearestAway => Round::NearestTiesToAway,
    }
}

/// The value of an operator. Panics on operands that do not fit it.
pub fn evaluate(op: FloatOp, args: &[&BitVec]) -> BitVec {
    let (floats, mode) = match op.is_rounded() {
        true => {
            let number = args[args.len() - 1].to_u64().unwrap_or(0);
            (&args[..args.len() - 1], Rounding::from_number(number))
        }
        false => (args, Rounding::NearestEven),
    };
    let mode = apfloat_mode(mode);
    with_format!(op.format, F => match op.function {
        FloatFunction::FromSigned => {
            let negative = floats[0].is_negative();
            let magnitude = if negative { floats[0].neg() } else { floats[0].clone() };
            encode(op.format, from_integer::<F>(negative, magnitude.to_biguint(), mode), &[])
        }
        FloatFunction::FromUnsigned => {
            encode(op.format, from_integer::<F>(false, floats[0].to_biguint(), mode), &[])
        }
        FloatFunction::ToSigned(width) => to_signed(decode::<F>(floats[0]), mode, width),
        FloatFunction::ToUnsigned(width) => to_unsigned(decode::<F>(floats[0]), mode, width),
        FloatFunction::Scale => {
            let value = decode::<F>(floats[0]);
            let amount = floats[1].to_u64().unwrap_or(0) as u32 as ExpInt;
            let scaled = if value.is_nan() { value } else { value.scalbn_r(amount, mode) };
            encode(op.format, scaled, &[value])
        }
        FloatFunction::Convert(to) => with_format!(to, T => {
            convert::<F, T>(decode(floats[0]), mode, to)
        }),
        _ => {
            let floats: Vec<F> = floats.iter().map(|bits| decode(bits)).collect();
            encode(op.format, arithmetic::<F>(op.function, &floats, mode), &floats)
        }
    })
}

fn decode<F: Float>(bits: &BitVec) -> F {
    let digits = bits.to_biguint();
    F::from_bits(u128::try_from(&digits).expect("no format has more than 128 bits"))
}

/// The bits of a result; `operands` decide on the sign of a NaN.
fn encode<F: Float>(format: FloatFormat, value: F, operands: &[F]) -> BitVec {
    if !value.is_nan() {
        return BitVec::from_biguint(format.width(), value.to_bits().into());
    }
    let positive = operands.iter().any(|x| x.is_nan() && !x.is_negative());
    let nan = format.nan();
    if positive { nan } else { nan.or(&BitVec::min_signed(format.width())) }
}

fn convert<F: Float + FloatConvert<T>, T: Float>(value: F, mode: Round, to: FloatFormat) -> BitVec {
    let mut loses_info = false;
    let converted: T = value.convert_r(mode, &mut loses_info).value;
    let operands = if value.is_nan() { vec![converted.copy_sign_of(value)] } else { vec![] };
    encode(to, converted, &operands)
}

/// A sign taken from a number of another format.
trait CopySignOf {
    fn copy_sign_of<F: Float>(self, other: F) -> Self;
}

impl<T: Float> CopySignOf for T {
    fn copy_sign_of<F: Float>(self, other: F) -> T {
        if self.is_negative() == other.is_negative() { self } else { -self }
    }
}

fn arithmetic<F: Float + FloatConvert<Quad>>(function: FloatFunction, args: &[F], mode: Round) -> F
where
    Quad: FloatConvert<F>,
{
    let a = args[0];
    match function {
        FloatFunction::Add => a.add_r(args[1], mode).value,
        FloatFunction::Subtract => a.sub_r(args[1], mode).value,
        FloatFunction::Multiply => a.mul_r(args[1], mode).value,
        FloatFunction::Divide => a.div_r(args[1], mode).value,
        FloatFunction::MultiplyAdd => a.mul_add_r(args[1], args[2], mode).value,
        FloatFunction::SquareRoot => square_root(a, mode),
        FloatFunction::Modulo => a.c_fmod(args[1]).value,
        FloatFunction::Remainder => a.ieee_rem(args[1]).value,
        FloatFunction::RoundToIntegral => a.round_to_integral(mode).value,
        _ => unreachable!("{function:?} is a conversion"),
    }
}

/// A finite number other than 0 is `significand * 2^exponent`, up to its sign.
fn parts<F: Float>(value: F) -> (u128, ExpInt) {
    let places = F::PRECISION as ExpInt - 1;
    let exponent = value.ilogb() - places;
    // Scaling in two steps keeps the factor in the range of the format.
    let half = exponent / 2;
    let integral = value.abs().scalbn(-half).scalbn(half - exponent);
    (integral.to_u128(128).value, exponent)
}

/// The root of the significand, scaled to have all places of the format and one more, with a last
/// place that says whether something follows. The square root is never subnormal.
fn square_root<F: Float + FloatConvert<Quad>>(value: F, mode: Round) -> F
where
    Quad: FloatConvert<F>,
{
    match value.category() {
        Category::NaN | Category::Zero => return value,
        _ if value.is_negative() => return F::NAN,
        Category::Infinity => return value,
        Category::Normal => {}
    }
    let (significand, exponent) = parts(value);
    let shift = F::PRECISION as ExpInt + 6;
    let shift = shift + (exponent - shift).rem_euclid(2);
    let radicand = BigUint::from(significand) << shift;
    let root = radicand.sqrt();
    let sticky = &root * &root != radicand;
    let digits = u128::try_from(&root).expect("as many places as the format has, and a few") * 2;
    let exponent = (exponent - shift) / 2 - 1;
    // For all formats but the widest the first step is exact.
    let wide = Quad::from_u128_r(digits | sticky as u128, mode).value.scalbn(exponent);
    wide.convert_r(mode, &mut false).value
}

fn from_integer<F: Float>(negative: bool, magnitude: BigUint, mode: Round) -> F {
    let mode = if negative { -mode } else { mode };
    // What does not fit 127 bits leaves a last place that says whether something follows.
    let shift = magnitude.bits().saturating_sub(126);
    let kept = &magnitude >> shift;
    let sticky = (&kept << shift) != magnitude;
    let digits = match shift {
        0 => u128::try_from(&kept).expect("126 bits"),
        _ => u128::try_from(&kept).expect("126 bits") * 2 + sticky as u128,
    };
    let scale = shift.saturating_sub(1) as ExpInt;
    let value = F::from_u128_r(digits, mode).value.scalbn_r(scale, mode);
    if negative { -value } else { value }
}

/// The rounded number as sign and magnitude; `None` if it is not finite.
fn rounded<F: Float>(value: F, mode: Round) -> Option<(bool, BigUint)> {
    let value = value.round_to_integral(mode).value;
    match value.category() {
        Category::NaN | Category::Infinity => None,
        Category::Zero => Some((false, BigUint::default())),
        Category::Normal => {
            let (significand, exponent) = parts(value);
            let digits = BigUint::from(significand);
            let magnitude = match exponent {
                0.. => digits << exponent,
                _ => digits >> -exponent,
            };
            Some((value.is_negative(), magnitude))
        }
    }
}

fn to_signed<F: Float>(value: F, mode: Round, width: u32) -> BitVec {
    let least = BitVec::min_signed(width);
    let Some((negative, magnitude)) = rounded(value, mode) else { return least };
    let bound = least.to_biguint();
    if magnitude > bound || magnitude == bound && !negative {
        return least;
    }
    let magnitude = BitVec::from_biguint(width, magnitude);
    if negative { magnitude.neg() } else { magnitude }
}

fn to_unsigned<F: Float>(value: F, mode: Round, width: u32) -> BitVec {
    let (negative, magnitude) = match rounded(value, mode) {
        Some(integer) => integer,
        None if value.is_infinite() && value.is_negative() => return BitVec::zero(width),
        None => return BitVec::ones(width),
    };
    match magnitude {
        _ if negative => BitVec::zero(width),
        _ if magnitude.bits() > width as u64 => BitVec::ones(width),
        _ => BitVec::from_biguint(width, magnitude),
    }
}
