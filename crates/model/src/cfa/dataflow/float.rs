//! The operators on floats, on intervals. Rounding is monotone in every mode, so the operator at
//! the ends of its operands gives the ends of its results; where the mode is not known, they are
//! rounded down and up. Only binary32 and binary64 are followed.

use super::range::{Range, bits, number};
use super::value::Value;
use super::word::Word;
use wedge_logic::float::evaluate;
use wedge_logic::{BitVec, FloatFormat, FloatFunction, FloatOp, Op, Rounding, Term, TermStore};

/// The result of an operator; none if nothing is known.
pub fn apply(op: FloatOp, values: &[Option<Value>]) -> Option<Value> {
    if let Some(result) = folded(op, values) {
        return Some(result);
    }
    let mode = mode(op, values);
    if let FloatFunction::FromSigned | FloatFunction::FromUnsigned = op.function {
        return from_integer(op, values.first()?.as_ref(), mode).and_then(|r| known(op.width(), r));
    }
    let width = followed(op.format)?;
    let range = |place: usize| {
        let value = values.get(place).copied().flatten();
        value.and_then(|value| value.range()).unwrap_or(Range::TOP)
    };
    let ends = Ends { op, width, mode };
    if let FloatFunction::ToSigned(to) = op.function {
        return ends.integer(&range(0), to).map(Value::from);
    }
    let result = match op.function {
        FloatFunction::Add => ends.sum(&range(0), &range(1)),
        FloatFunction::Subtract => {
            let add = FloatOp { function: FloatFunction::Add, ..op };
            Ends { op: add, ..ends }.sum(&range(0), &range(1).negated())
        }
        FloatFunction::Multiply => ends.product(&range(0), &range(1)),
        FloatFunction::Divide => ends.quotient(&range(0), &range(1)),
        FloatFunction::SquareRoot => ends.root(&range(0)),
        FloatFunction::RoundToIntegral | FloatFunction::Convert(_) => ends.monotone(&range(0)),
        FloatFunction::Scale => {
            let amount = values.get(1).copied().flatten()?.word;
            ends.scaled(&range(0), &BitVec::new(amount.width, amount.value()?))
        }
        FloatFunction::Modulo | FloatFunction::Remainder => {
            remainder(op.function == FloatFunction::Modulo, &range(0), &range(1))
        }
        _ => return None,
    };
    followed_width(op.width()).and_then(|width| known(width, result))
}

fn followed(format: FloatFormat) -> Option<u32> {
    matches!(format, FloatFormat::Single | FloatFormat::Double).then(|| format.width())
}

fn followed_width(width: u32) -> Option<u32> {
    matches!(width, 32 | 64).then_some(width)
}

fn known(width: u32, range: Range) -> Option<Value> {
    followed_width(width)?;
    let word = range.word(width).unwrap_or(Word::top(width));
    Some(Value { word, float: Some(range).filter(|range| !range.is_top()) })
}

/// The result where all operands are constants.
fn folded(op: FloatOp, values: &[Option<Value>]) -> Option<Value> {
    (op.width() <= 64).then_some(())?;
    let mut operands = Vec::new();
    for value in values {
        let word = value.as_ref()?.word;
        operands.push(BitVec::new(word.width, word.value()?));
    }
    let result = evaluate(op, &operands.iter().collect::<Vec<&BitVec>>());
    Some(Word::constant(op.width(), result.to_u64()?).into())
}

/// The rounding mode, if there is one and it is known.
fn mode(op: FloatOp, values: &[Option<Value>]) -> Option<Rounding> {
    let mode = values.last().copied().flatten().filter(|_| op.is_rounded());
    mode.and_then(|value| value.word.value()).map(Rounding::from_number)
}

/// The mode as an operand: the known one, else the given one.
fn operand(mode: Option<Rounding>, otherwise: Rounding) -> BitVec {
    BitVec::new(wedge_logic::float::ROUNDING_WIDTH, mode.unwrap_or(otherwise) as u64)
}

/// Computes an operator at the ends of intervals.
#[derive(Clone, Copy)]
struct Ends {
    op: FloatOp,
    width: u32,
    mode: Option<Rounding>,
}

impl Ends {
    /// The result for these numbers, rounded down or up where the mode is not known; none for NaN
    /// and for what is no number of the format.
    fn at(&self, numbers: &[f64], up: bool) -> Option<f64> {
        let mut operands = Vec::new();
        for &number in numbers {
            operands.push(BitVec::new(self.width, bits(self.width, number)?));
        }
        self.of(operands, up)
    }

    /// The result for these operands, in the same way.
    fn of(&self, mut operands: Vec<BitVec>, up: bool) -> Option<f64> {
        let otherwise = if up { Rounding::Up } else { Rounding::Down };
        operands.push(operand(self.mode, otherwise));
        let result = evaluate(self.op, &operands.iter().collect::<Vec<&BitVec>>());
        let result = number(self.op.width(), result.to_u64()?);
        (!result.is_nan()).then_some(result)
    }

    fn interval(&self, low: &[f64], high: &[f64], nan: bool) -> Range {
        let low = self.at(low, false).unwrap_or(f64::NEG_INFINITY);
        Range { low, high: self.at(high, true).unwrap_or(f64::INFINITY), nan }
    }

    fn sum(&self, a: &Range, b: &Range) -> Range {
        let opposite = |x: f64| a.has(x) && b.has(-x);
        let nan = a.nan || b.nan || opposite(f64::INFINITY) || opposite(f64::NEG_INFINITY);
        if !a.has_numbers() || !b.has_numbers() {
            return Range { nan, ..Range::TOP };
        }
        self.interval(&[a.low, b.low], &[a.high, b.high], nan)
    }

    /// The least and the greatest result at the corners.
    fn corners(&self, a: &Range, b: &Range, nan: bool, undefined: Option<f64>) -> Range {
        let mut result = Range { low: f64::INFINITY, high: f64::NEG_INFINITY, nan };
        for x in [a.low, a.high] {
            for y in [b.low, b.high] {
                let ends = (self.at(&[x, y], false), self.at(&[x, y], true));
                let (Some(low), Some(high)) = (ends.0.or(undefined), ends.1.or(undefined)) else {
                    return Range { nan, ..Range::TOP };
                };
                result = result.join(&Range { low, high, nan });
            }
        }
        result
    }

    fn product(&self, a: &Range, b: &Range) -> Range {
        let nan = a.has(0.0) && b.may_be_infinite() || b.has(0.0) && a.may_be_infinite();
        let nan = nan || a.nan || b.nan;
        if !a.has_numbers() || !b.has_numbers() {
            return Range { nan, ..Range::TOP };
        }
        // 0 times infinity at a corner: what lies around it is covered by 0 and the other corners.
        self.corners(a, b, nan, Some(0.0))
    }

    fn quotient(&self, a: &Range, b: &Range) -> Range {
        let zeros = a.has(0.0) && b.has(0.0);
        let nan = a.nan || b.nan || zeros || a.may_be_infinite() && b.may_be_infinite();
        if !a.has_numbers() || !b.has_numbers() || b.has(0.0) {
            return Range { nan, ..Range::TOP };
        }
        self.corners(a, b, nan, None)
    }

    fn root(&self, a: &Range) -> Range {
        let nan = a.nan || a.low < 0.0;
        if a.high < 0.0 {
            return Range { nan, ..Range::TOP };
        }
        self.interval(&[a.low.max(0.0)], &[a.high], nan)
    }

    fn monotone(&self, a: &Range) -> Range {
        if !a.has_numbers() {
            return Range { nan: a.nan, ..Range::TOP };
        }
        self.interval(&[a.low], &[a.high], a.nan)
    }

    /// Times a power of two.
    fn scaled(&self, a: &Range, amount: &BitVec) -> Range {
        if !a.has_numbers() {
            return Range { nan: a.nan, ..Range::TOP };
        }
        let end = |x: f64, up: bool| {
            let x = BitVec::new(self.width, bits(self.width, x)?);
            self.of(vec![x, amount.clone()], up)
        };
        let low = end(a.low, false).unwrap_or(f64::NEG_INFINITY);
        Range { low, high: end(a.high, true).unwrap_or(f64::INFINITY), nan: a.nan }
    }

    /// None unless every number fits.
    fn integer(&self, a: &Range, to: u32) -> Option<Word> {
        let limit = 2f64.powi(to.min(64) as i32 - 1);
        let largest = if to <= 53 { limit - 1.0 } else { limit / 2.0 };
        let fits = !a.nan && a.has_numbers() && a.low >= -limit && a.high <= largest;
        (fits && to <= 64).then_some(())?;
        let end = |x: f64, otherwise: Rounding| {
            let operands =
                [BitVec::new(self.width, bits(self.width, x)?), operand(self.mode, otherwise)];
            let result = evaluate(self.op, &operands.iter().collect::<Vec<&BitVec>>());
            Some(super::word::signed(to, result.to_u64()?))
        };
        Some(Word::signed(to, end(a.low, Rounding::Down)?, end(a.high, Rounding::Up)?))
    }
}

/// The result of `fmod` or `remainder`: never larger than either operand.
fn remainder(keeps_sign: bool, a: &Range, b: &Range) -> Range {
    let nan = a.nan || b.nan || b.has(0.0) || a.may_be_infinite();
    if !a.has_numbers() || !b.has_numbers() {
        return Range { nan, ..Range::TOP };
    }
    let limit = a.magnitude().high.min(b.magnitude().high);
    let (mut low, mut high) = (-limit, limit);
    if keeps_sign && a.low >= 0.0 {
        low = 0.0;
    }
    if keeps_sign && a.high <= 0.0 {
        high = 0.0;
    }
    Range { low, high, nan }
}

fn from_integer(op: FloatOp, value: Option<&Value>, mode: Option<Rounding>) -> Option<Range> {
    followed(op.format)?;
    let Some(word) = value.map(|value| value.word) else {
        return Some(Range { nan: false, ..Range::TOP });
    };
    let (low, high) = match op.function {
        FloatFunction::FromSigned => (word.smin as u64, word.smax as u64),
        _ => (word.umin, word.umax),
    };
    let end = |integer: u64, otherwise: Rounding| {
        let operands = [BitVec::new(word.width, integer), operand(mode, otherwise)];
        let result = evaluate(op, &operands.iter().collect::<Vec<&BitVec>>());
        Some(number(op.width(), result.to_u64()?))
    };
    Some(Range { low: end(low, Rounding::Down)?, high: end(high, Rounding::Up)?, nan: false })
}

/// The float whose magnitude a concatenation puts under a sign, and whether the sign is the
/// opposite of its own.
pub fn magnitude_of(terms: &TermStore, args: &[Term]) -> Option<(Term, bool)> {
    let &[sign, rest] = args else { return None };
    let Op::Slice { high, low: 0 } = terms.op(rest) else { return None };
    let float = terms.args(rest)[0];
    let width = followed_width(terms.width(float))?;
    (high == width - 2 && terms.width(sign) == 1).then_some(())?;
    let negates = terms.op(sign) == Op::Not && {
        let inner = terms.args(sign)[0];
        let is_sign = matches!(terms.op(inner), Op::Slice { low, .. } if low == width - 1);
        is_sign && terms.args(inner) == [float]
    };
    Some((float, negates))
}

/// A concatenation that gives a float another sign.
pub fn with_sign(word: Word, sign: Option<Value>, float: Option<(Value, bool)>) -> Value {
    let Some(range) = float.and_then(|(float, _)| float.range()) else { return word.into() };
    let negates = float.is_some_and(|(_, negates)| negates);
    let magnitude = range.magnitude();
    let range = match sign.and_then(|sign| sign.word.truth()) {
        _ if negates => range.negated(),
        Some(false) => magnitude,
        Some(true) => magnitude.negated(),
        None => magnitude.join(&magnitude.negated()),
    };
    Value { word, float: Some(range).filter(|range| !range.is_top()) }
}
