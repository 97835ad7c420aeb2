//! Refinement: what is known about a term says something about its operands. From a guard that
//! holds, this reaches the variables that it compares.

use super::arith;
use super::evaluate::Evaluation;
use super::value::Value;
use super::word::{Word, mask};
use wedge_logic::{Op, Term};

/// Steps of one refinement.
const MAX_STEPS: usize = 256;

impl Evaluation<'_> {
    /// Adds what is known about a term, and what follows for the terms below it. False if nothing
    /// is possible then.
    pub(super) fn restrict(&mut self, term: Term, value: Value) -> bool {
        let mut queue = vec![(term, value)];
        let mut steps = 0;
        while let Some((term, value)) = queue.pop() {
            let Some(old) = self.known(term) else { continue };
            let Some(new) = old.meet(&value) else { return false };
            if new == old || steps >= MAX_STEPS || self.is_fixed(term) {
                continue;
            }
            steps += 1;
            self.work += 1;
            self.set(term, Some(new));
            if !self.operands(term, &new, &mut queue) {
                return false;
            }
        }
        true
    }

    /// What follows for the operands of a term that has this value; false if nothing is possible.
    fn operands(&self, term: Term, value: &Value, queue: &mut Vec<(Term, Value)>) -> bool {
        if let Some(comparison) = self.comparisons.get(term)
            && let Some(truth) = value.word.truth()
        {
            let ranges = comparison.operands.map(|operand| self.known(operand)?.range());
            let Some(refined) = comparison.refine(ranges, truth) else { return false };
            let pairs = comparison.operands.into_iter().zip(refined);
            queue.extend(pairs.filter_map(|(operand, range)| {
                let known = self.known(operand)?;
                Some((operand, Value { float: Some(range?), ..known }))
            }));
        }
        let terms = &self.cfa.terms;
        let args = terms.args(term);
        let known = |place: usize| self.known(args[place]).map(|value| value.word);
        let mut add = |place: usize, word: Word| queue.push((args[place], word.into()));
        let word = &value.word;
        match (terms.op(term), args.len()) {
            (Op::Not, 1) => add(0, arith::not(word)),
            (Op::Neg, 1) => add(0, arith::neg(word)),
            (Op::Slice { high, low }, 1) => {
                if let Some(whole) = known(0) {
                    add(0, unsliced(word, &whole, high, low));
                }
            }
            (Op::Sext(_), 1) => {
                if let Some(narrow) = known(0) {
                    add(0, arith::slice(word, narrow.width - 1, 0));
                }
            }
            (Op::Concat, 2) => {
                if let (Some(high), Some(low)) = (known(0), known(1)) {
                    add(0, arith::slice(word, high.width + low.width - 1, low.width));
                    add(1, arith::slice(word, low.width - 1, 0));
                }
            }
            (Op::Ite, 3) => self.choice(args, value, queue),
            (op, 2) => {
                if let (Some(a), Some(b)) = (known(0), known(1)) {
                    let Some((a, b)) = pair(op, word, &a, &b) else { return false };
                    add(0, a);
                    add(1, b);
                }
            }
            _ => {}
        }
        true
    }

    fn choice(&self, args: &[Term], value: &Value, queue: &mut Vec<(Term, Value)>) {
        let condition = self.known(args[0]).and_then(|value| value.word.truth());
        let fits = |place: usize| {
            self.known(args[place]).is_none_or(|branch| branch.meet(value).is_some())
        };
        let chosen = match (condition, fits(1), fits(2)) {
            (Some(truth), ..) => truth,
            (None, true, false) => true,
            (None, false, true) => false,
            _ => return,
        };
        queue.push((args[if chosen { 1 } else { 2 }], *value));
        queue.push((args[0], Word::bool(Some(chosen)).into()));
    }
}

/// What a slice says about the whole.
fn unsliced(part: &Word, whole: &Word, high: u32, low: u32) -> Word {
    let bits = Word::bits(whole.width, part.zeros << low, part.ones << low);
    if low > 0 {
        return bits;
    }
    // The upper bits are all zero, so part and whole are the same number.
    let above = mask(whole.width) & !mask(high + 1);
    if whole.zeros & above == above {
        let interval = Word::unsigned(whole.width, part.umin, part.umax);
        return bits.meet(&interval).unwrap_or(bits);
    }
    bits
}

/// What the result of a binary operator says about its operands; none if nothing is possible.
fn pair(op: Op, word: &Word, a: &Word, b: &Word) -> Option<(Word, Word)> {
    let truth = word.truth();
    Some(match op {
        Op::And => (conjunct(word, b), conjunct(word, a)),
        Op::Xor => (arith::xor(word, b), arith::xor(word, a)),
        Op::Add => (arith::add(word, &arith::neg(b)), arith::add(word, &arith::neg(a))),
        Op::Eq if truth == Some(true) => (*b, *a),
        Op::Eq if truth == Some(false) => (different(a, b)?, different(b, a)?),
        Op::Ult if truth == Some(true) => {
            let top = b.umax.checked_sub(1)?;
            let bottom = a.umin.checked_add(1).filter(|&n| n <= mask(a.width))?;
            let (low, high) = (Word::top(a.width), Word::top(a.width));
            (Word { umax: top, ..low }.reduced()?, Word { umin: bottom, ..high }.reduced()?)
        }
        Op::Ult if truth == Some(false) => {
            let (high, low) = (Word::top(a.width), Word::top(a.width));
            (Word { umin: b.umin, ..high }.reduced()?, Word { umax: a.umax, ..low }.reduced()?)
        }
        Op::Slt if truth == Some(true) => {
            let (top, bottom) = (b.smax.checked_sub(1)?, a.smin.checked_add(1)?);
            let (low, high) = (Word::top(a.width), Word::top(a.width));
            (Word { smax: top, ..low }.reduced()?, Word { smin: bottom, ..high }.reduced()?)
        }
        Op::Slt if truth == Some(false) => {
            let (high, low) = (Word::top(a.width), Word::top(a.width));
            (Word { smin: b.smin, ..high }.reduced()?, Word { smax: a.smax, ..low }.reduced()?)
        }
        _ => (*a, *b),
    })
}

/// One operand of a conjunction, given the other.
fn conjunct(word: &Word, other: &Word) -> Word {
    Word { umin: word.umin, ..Word::bits(word.width, word.zeros & other.ones, word.ones) }
        .reduced_or_top()
}

/// `a` without the only value of `b`, as far as it is an end of an interval; none if nothing is
/// left.
fn different(a: &Word, b: &Word) -> Option<Word> {
    let Some(value) = b.value() else { return Some(*a) };
    let mut rest = *a;
    if a.umin == value {
        rest.umin = a.umin.checked_add(1)?;
    }
    if a.umax == value {
        rest.umax = a.umax.checked_sub(1)?;
    }
    let number = super::word::signed(a.width, value);
    if a.smin == number {
        rest.smin = a.smin.checked_add(1)?;
    }
    if a.smax == number {
        rest.smax = a.smax.checked_sub(1)?;
    }
    rest.reduced()
}
