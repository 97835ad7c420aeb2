//! Units that serve several terms, and lists of them made one.

use super::operations::{Key, Operation};
use wedge_logic::Term;

/// Lists whose lengths have a larger product are not aligned, but joined as they are.
const MAX_ALIGNMENT: usize = 40_000;

/// An operand: a term, or one of two by a condition.
#[derive(Clone, Debug)]
pub enum Choice {
    Always(Term),
    Either(Term, Box<[Choice; 2]>),
}

/// One operator for one or more terms.
#[derive(Clone, Debug)]
pub struct Unit {
    pub key: Key,
    pub members: Vec<Term>,
    pub operands: Vec<Choice>,
}

impl Unit {
    pub fn alone(term: Term, operation: &Operation) -> Unit {
        let operands = operation.operands.iter().map(|&term| Choice::Always(term)).collect();
        Unit { key: operation.key, members: vec![term], operands }
    }

    pub fn either(condition: Term, then: Unit, other: Unit) -> Unit {
        let both = then.operands.into_iter().zip(other.operands);
        let operands = both.map(|(a, b)| Choice::Either(condition, Box::new([a, b]))).collect();
        let members = [then.members, other.members].concat();
        Unit { key: then.key, members, operands }
    }
}

/// The lists of two branches as one, each in its order, with as many units shared as can be.
pub fn aligned(condition: Term, then: Vec<Unit>, other: Vec<Unit>) -> Vec<Unit> {
    if then.is_empty() || other.is_empty() || then.len() * other.len() > MAX_ALIGNMENT {
        return [then, other].concat();
    }
    let common = common_lengths(&then, &other);
    let mut both = Vec::with_capacity(then.len().max(other.len()));
    let (mut i, mut j) = (0, 0);
    let (mut then, mut other) = (then.into_iter().peekable(), other.into_iter().peekable());
    while let (Some(a), Some(b)) = (then.peek(), other.peek()) {
        let is_pair = a.key == b.key && common[i][j] == common[i + 1][j + 1] + 1;
        let takes_first = is_pair || common[i + 1][j] >= common[i][j + 1];
        let first = if takes_first { then.next() } else { None };
        let second = if is_pair || !takes_first { other.next() } else { None };
        i += first.is_some() as usize;
        j += second.is_some() as usize;
        match (first, second) {
            (Some(a), Some(b)) => both.push(Unit::either(condition, a, b)),
            (Some(unit), None) | (None, Some(unit)) => both.push(unit),
            (None, None) => unreachable!("one of the lists is gone through"),
        }
    }
    both.extend(then);
    both.extend(other);
    both
}

/// How many units the rest of one list, from a place on, can share with the rest of the other.
fn common_lengths(then: &[Unit], other: &[Unit]) -> Vec<Vec<u32>> {
    let mut common = vec![vec![0; other.len() + 1]; then.len() + 1];
    for i in (0..then.len()).rev() {
        for j in (0..other.len()).rev() {
            common[i][j] = match then[i].key == other[j].key {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    common
}
