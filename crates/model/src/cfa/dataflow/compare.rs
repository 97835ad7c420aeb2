//! Comparisons of floats. They are spelled out in bits when terms are built; here they are found
//! again by building them anew and looking whether the store has them already.

use super::range::{Range, after, before};
use rustc_hash::FxHashMap;
use wedge_logic::{BitVec, FloatFormat, Op, Term, TermStore};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    Less,
    LessOrEqual,
    Equal,
}

/// A term of width 1 that compares two floats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    relation: Relation,
    width: u32,
    pub operands: [Term; 2],
}

/// The comparisons in a store, with the constants that they compare with.
#[derive(Default)]
pub struct Comparisons {
    found: FxHashMap<Term, Comparison>,
    /// Constants that the store does not have as terms.
    constants: FxHashMap<Term, (u32, u64)>,
}

const FORMATS: [FloatFormat; 2] = [FloatFormat::Single, FloatFormat::Double];

impl Comparisons {
    /// The comparisons in the cones of some terms.
    pub fn find(terms: &TermStore, roots: &[Term]) -> Comparisons {
        let pairs = pairs(terms, roots);
        let mut comparisons = Comparisons::default();
        if pairs.is_empty() {
            return comparisons;
        }
        let known = terms.len();
        let mut store = terms.clone();
        for (format, a, b) in pairs {
            let b = match b {
                Operand::Term(b) => b,
                Operand::Constant(bits) => store.float_constant(format, bits as u128),
            };
            comparisons.note(&mut store, known, format, [a, b]);
            comparisons.note(&mut store, known, format, [b, a]);
        }
        comparisons
    }

    fn note(&mut self, store: &mut TermStore, known: usize, format: FloatFormat, pair: [Term; 2]) {
        let [a, b] = pair;
        let made = [
            (Relation::Less, store.float_lt(format, a, b)),
            (Relation::LessOrEqual, store.float_le(format, a, b)),
            (Relation::Equal, store.float_eq(format, a, b)),
        ];
        for (relation, term) in made {
            if term.index() >= known || store.is_const(term) || self.found.contains_key(&term) {
                continue;
            }
            let width = format.width();
            self.found.insert(term, Comparison { relation, width, operands: pair });
            for operand in pair.into_iter().filter(|operand| operand.index() >= known) {
                let bits = store.value(operand).and_then(BitVec::to_u64);
                self.constants.extend(bits.map(|bits| (operand, (width, bits))));
            }
        }
    }

    pub fn get(&self, term: Term) -> Option<&Comparison> {
        if self.found.is_empty() { None } else { self.found.get(&term) }
    }

    /// A constant that only a comparison speaks of.
    pub fn constant(&self, term: Term) -> Option<(u32, u64)> {
        if self.constants.is_empty() {
            return None;
        }
        self.constants.get(&term).copied()
    }
}

#[derive(Clone, Copy)]
enum Operand {
    Term(Term),
    Constant(u64),
}

/// What may be compared: magnitudes meet in an equation or an order.
fn pairs(terms: &TermStore, roots: &[Term]) -> Vec<(FloatFormat, Term, Operand)> {
    let magnitude = |term: Term| {
        let Op::Slice { high, low: 0 } = terms.op(term) else { return None };
        let float = terms.args(term)[0];
        let format = FORMATS.into_iter().find(|format| format.width() == terms.width(float))?;
        (high + 2 == format.width()).then_some((format, float))
    };
    let mut pairs = Vec::new();
    for term in terms.cone(roots) {
        if !matches!(terms.op(term), Op::Eq | Op::Ult) {
            continue;
        }
        let &[left, right] = terms.args(term) else { continue };
        match (magnitude(left), magnitude(right)) {
            (Some((format, a)), Some((_, b))) => pairs.push((format, a, Operand::Term(b))),
            (Some((format, a)), None) | (None, Some((format, a))) => {
                let other = if magnitude(left).is_some() { right } else { left };
                let Some(value) = terms.value(other).and_then(BitVec::to_u64) else { continue };
                let sign = 1u64 << (format.width() - 1);
                // Rewriting may have moved a bound by one.
                for near in [value.saturating_sub(1), value, value + 1] {
                    let near = near & (sign - 1);
                    pairs.push((format, a, Operand::Constant(near)));
                    pairs.push((format, a, Operand::Constant(near | sign)));
                }
            }
            (None, None) => {}
        }
    }
    pairs
}

impl Comparison {
    /// Whether the comparison holds, if that is certain.
    pub fn truth(&self, ranges: [Option<Range>; 2]) -> Option<bool> {
        let [a, b] = ranges.map(|range| range.unwrap_or(Range::TOP));
        let numbers = a.has_numbers() && b.has_numbers();
        let (always, never) = match self.relation {
            Relation::Less => (a.high < b.low, a.low >= b.high),
            Relation::LessOrEqual => (a.high <= b.low, a.low > b.high),
            Relation::Equal => {
                let same = a.low == a.high && b.low == b.high && a.low == b.low;
                (same, a.high < b.low || b.high < a.low)
            }
        };
        match (numbers, a.nan || b.nan) {
            (false, _) => Some(false),
            (true, false) if always => Some(true),
            (true, _) if never => Some(false),
            _ => None,
        }
    }

    /// What follows for the operands; none if nothing is possible.
    pub fn refine(&self, ranges: [Option<Range>; 2], holds: bool) -> Option<[Option<Range>; 2]> {
        let [a, b] = ranges.map(|range| range.unwrap_or(Range::TOP));
        let numbers = Range { nan: false, ..Range::TOP };
        if holds {
            let (below, above) = match self.relation {
                Relation::Less => (before(self.width, b.high), after(self.width, a.low)),
                Relation::LessOrEqual => (b.high, a.low),
                Relation::Equal => {
                    let both = a.meet(&b)?.meet(&numbers)?;
                    return Some([Some(both), Some(both)]);
                }
            };
            let new_a = a.meet(&Range { high: below, ..numbers })?;
            let new_b = b.meet(&Range { low: above, ..numbers })?;
            return Some([Some(new_a), Some(new_b)]);
        }
        let (above, below) = match self.relation {
            Relation::Less => (b.low, a.high),
            Relation::LessOrEqual => (after(self.width, b.low), before(self.width, a.high)),
            Relation::Equal => return Some([None, None]),
        };
        // A NaN on one side says nothing about the other.
        let new_a = (!b.nan).then(|| a.meet(&Range { low: above, ..Range::TOP }));
        let new_b = (!a.nan).then(|| b.meet(&Range { high: below, ..Range::TOP }));
        let flatten = |new: Option<Option<Range>>| match new {
            None => Some(None),
            Some(range) => range.map(Some),
        };
        Some([flatten(new_a)?, flatten(new_b)?])
    }
}
