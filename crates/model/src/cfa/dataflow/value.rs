//! What is known about one term: as a bit-vector, and as a floating-point number where it has the
//! width of one.

use super::range::Range;
use super::word::{Thresholds, Word};

/// A set of values of one width, never empty.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value {
    pub word: Word,
    /// For widths of 32 and 64 what the bits are as a `float` or `double`; none if they may be
    /// any.
    pub float: Option<Range>,
}

impl From<Word> for Value {
    fn from(word: Word) -> Value {
        Value { word, float: None }
    }
}

impl Value {
    pub fn is_top(&self) -> bool {
        self.float.is_none() && self.word.is_top()
    }

    /// What is known about the number that the bits are.
    pub fn range(&self) -> Option<Range> {
        let known = Range::of_word(&self.word);
        match (known, self.float) {
            (Some(a), Some(b)) => Some(a.meet(&b).unwrap_or(a)),
            (a, b) => a.or(b),
        }
    }

    pub fn join(&self, other: &Value) -> Value {
        let float = match self.float.is_some() || other.float.is_some() {
            true => self.range().zip(other.range()).map(|(a, b)| a.join(&b)),
            false => None,
        };
        Value { word: self.word.join(&other.word), float: float.filter(|range| !range.is_top()) }
    }

    /// What is in both, or none if nothing is.
    pub fn meet(&self, other: &Value) -> Option<Value> {
        let word = self.word.meet(&other.word)?;
        let float = match (self.float, other.float) {
            (Some(a), Some(b)) => Some(a.meet(&b)?),
            (a, b) => a.or(b),
        };
        let Some(range) = float else { return Some(word.into()) };
        let word = match range.word(word.width) {
            Some(bits) => word.meet(&bits)?,
            None => word,
        };
        Some(Value { word, float: Some(range).filter(|range| !range.is_top()) })
    }

    pub fn widen(&self, new: &Value, thresholds: &Thresholds) -> Value {
        let all = self.join(new);
        let float = match (self.float, all.float) {
            (Some(old), Some(new)) => Some(old.widen(&new)).filter(|range| !range.is_top()),
            (_, new) => new,
        };
        Value { word: self.word.widen(&new.word, thresholds), float }
    }
}
