//! Intervals of floating-point numbers, for the formats binary32 and binary64.
//!
//! Zeros of either sign are the same number. The ends are numbers of the format that the interval
//! is about, so that none is lost when they are taken for `f64`.

use super::word::Word;

/// The numbers from `low` to `high`, and NaN if `nan`; no numbers if the ends are exchanged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Range {
    pub low: f64,
    pub high: f64,
    pub nan: bool,
}

/// Where widening may stop, on either side of 0; all of them are numbers of binary32.
const STEPS: [f64; 8] = [0.0, 1.0, 2.0, 10.0, 100.0, 1000.0, 1e6, 1e9];

/// The number that the bits of a width of 32 or 64 are.
pub fn number(width: u32, bits: u64) -> f64 {
    match width {
        32 => f32::from_bits(bits as u32) as f64,
        _ => f64::from_bits(bits),
    }
}

/// The bits of a number; none if the format does not have it.
pub fn bits(width: u32, number: f64) -> Option<u64> {
    match width {
        32 => {
            let single = number as f32;
            (single as f64 == number).then(|| single.to_bits() as u64)
        }
        64 => Some(number.to_bits()),
        _ => None,
    }
}

/// The number before, which is infinite where there is none.
pub fn before(width: u32, number: f64) -> f64 {
    match width {
        32 => (number as f32).next_down() as f64,
        _ => number.next_down(),
    }
}

pub fn after(width: u32, number: f64) -> f64 {
    -before(width, -number)
}

impl Range {
    pub const TOP: Range = Range { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };
    const ONLY_NAN: Range = Range { low: f64::INFINITY, high: f64::NEG_INFINITY, nan: true };

    pub fn is_top(&self) -> bool {
        *self == Range::TOP
    }

    pub fn has_numbers(&self) -> bool {
        self.low <= self.high
    }

    pub fn has(&self, number: f64) -> bool {
        self.low <= number && number <= self.high
    }

    pub fn may_be_infinite(&self) -> bool {
        self.has(f64::INFINITY) || self.has(f64::NEG_INFINITY)
    }

    /// What the bits say, if they say anything.
    pub fn of_word(word: &Word) -> Option<Range> {
        let (infinity, sign) = match word.width {
            32 => (f32::INFINITY.to_bits() as u64, 1u64 << 31),
            64 => (f64::INFINITY.to_bits(), 1u64 << 63),
            _ => return None,
        };
        let (first, last) = (number(word.width, word.umin), number(word.width, word.umax));
        let same_sign = word.umin & sign == word.umax & sign;
        let magnitude = |bits: u64| bits & !sign;
        match (same_sign, word.umin & sign == 0) {
            (true, _) if magnitude(word.umin) > infinity => Some(Range::ONLY_NAN),
            (true, _) if magnitude(word.umax) > infinity => None,
            (true, true) => Some(Range { low: first, high: last, nan: false }),
            (true, false) => Some(Range { low: last, high: first, nan: false }),
            (false, _) => None,
        }
    }

    /// What the numbers say about their bits, if they are on one side of 0.
    pub fn word(&self, width: u32) -> Option<Word> {
        if self.nan || !self.has_numbers() {
            return None;
        }
        let (low, high) = (bits(width, self.low)?, bits(width, self.high)?);
        if self.low > 0.0 {
            return Some(Word::unsigned(width, low, high));
        }
        (self.high < 0.0).then(|| Word::unsigned(width, high, low))
    }

    pub fn join(&self, other: &Range) -> Range {
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        Range { low, high, nan: self.nan || other.nan }
    }

    /// What is in both, or none if nothing is.
    pub fn meet(&self, other: &Range) -> Option<Range> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        match (self.nan && other.nan, low <= high) {
            (nan, true) => Some(Range { low, high, nan }),
            (true, false) => Some(Range::ONLY_NAN),
            (false, false) => None,
        }
    }

    pub fn widen(&self, new: &Range) -> Range {
        let mut wide = self.join(new);
        if wide.high > self.high {
            wide.high = above(wide.high);
        }
        if wide.low < self.low {
            wide.low = -above(-wide.low);
        }
        wide
    }

    pub fn negated(&self) -> Range {
        Range { low: -self.high, high: -self.low, nan: self.nan }
    }

    pub fn magnitude(&self) -> Range {
        match (self.low >= 0.0, self.high <= 0.0) {
            _ if !self.has_numbers() => *self,
            (true, _) => *self,
            (_, true) => self.negated(),
            _ => Range { low: 0.0, high: self.high.max(-self.low), nan: self.nan },
        }
    }
}

/// The first step that is not below the number.
fn above(number: f64) -> f64 {
    let steps = STEPS.iter().rev().map(|step| -step).chain(STEPS);
    steps.into_iter().find(|&step| step >= number).unwrap_or(f64::INFINITY)
}
