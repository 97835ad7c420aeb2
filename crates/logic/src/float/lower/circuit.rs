//! Word-level building blocks: shifters that find or keep what matters for rounding, and the step
//! of a restoring division.

use crate::term::{Term, TermStore};

/// `a & !b`
pub fn and_not(s: &mut TermStore, a: Term, b: Term) -> Term {
    let not_b = s.not(b);
    s.and(a, not_b)
}

/// The disjunction of a few conditions.
pub fn any(s: &mut TermStore, conditions: &[Term]) -> Term {
    s.or_all(conditions)
}

/// The word where the condition holds, else 0.
pub fn only_if(s: &mut TermStore, condition: Term, word: Term) -> Term {
    let mask = s.sext(condition, s.width(word) - 1);
    s.and(word, mask)
}

/// The bit at a place.
pub fn bit(s: &mut TermStore, word: Term, place: u32) -> Term {
    s.slice(word, place, place)
}

/// Zeros below the word.
pub fn pad(s: &mut TermStore, word: Term, zeros: u32) -> Term {
    if zeros == 0 {
        return word;
    }
    let zeros = s.zero(zeros);
    s.concat(word, zeros)
}

/// The words one after the other, the first on top.
pub fn join(s: &mut TermStore, words: &[Term]) -> Term {
    let mut joined = words[0];
    for &word in &words[1..] {
        joined = s.concat(joined, word);
    }
    joined
}

/// Zero- or sign-extension to a width that is not smaller.
pub fn widen(s: &mut TermStore, word: Term, width: u32, signed: bool) -> Term {
    let by = width - s.width(word);
    if signed { s.sext(word, by) } else { s.zext(word, by) }
}

/// `a + b + carry` modulo 2^width: the carry comes out of one more place at the bottom.
pub fn add_carry(s: &mut TermStore, a: Term, b: Term, carry: Term) -> Term {
    let width = s.width(a);
    let one = s.bool(true);
    let (a, b) = (s.concat(a, one), s.concat(b, carry));
    let sum = s.add(a, b);
    s.slice(sum, width, 1)
}

/// Number of bits to write a number.
pub fn bits_for(number: u32) -> u32 {
    32 - number.leading_zeros()
}

/// The word shifted to the left until its top bit is set, and by how much. A word that is 0 stays
/// so; the amount then means nothing.
pub fn normalize(s: &mut TermStore, word: Term) -> (Term, Term) {
    let width = s.width(word);
    let mut shifted = word;
    let mut flags = Vec::new();
    for stage in (0..bits_for(width - 1)).rev() {
        let step = 1 << stage;
        let top = s.slice(shifted, width - 1, width - step);
        let occupied = s.redor(top);
        let empty = s.not(occupied);
        let rest = s.slice(shifted, width - 1 - step, 0);
        let moved = pad(s, rest, step);
        shifted = s.ite(empty, moved, shifted);
        flags.push(empty);
    }
    let amount = join(s, &flags);
    (shifted, amount)
}

/// Like [`normalize`], but by `limit` at most; also gives what is left of the limit.
///
/// The largest amount that neither loses a bit nor exceeds the limit is found digit by digit from
/// the top, as each digit can be decided once the larger ones are.
pub fn normalize_within(s: &mut TermStore, word: Term, limit: Term) -> (Term, Term) {
    let (width, limit_width) = (s.width(word), s.width(limit));
    let (mut shifted, mut left) = (word, limit);
    for stage in (0..bits_for(width - 1).min(limit_width)).rev() {
        let step = 1 << stage;
        let top = s.slice(shifted, width - 1, width - step);
        let occupied = s.redor(top);
        let high = s.slice(left, limit_width - 1, stage);
        let allowed = s.redor(high);
        let shift = and_not(s, allowed, occupied);
        let rest = s.slice(shifted, width - 1 - step, 0);
        let moved = pad(s, rest, step);
        shifted = s.ite(shift, moved, shifted);
        let minus = s.sext(shift, limit_width - 1 - stage);
        let high = s.add(high, minus);
        left = match stage {
            0 => high,
            _ => {
                let low = s.slice(left, stage - 1, 0);
                s.concat(high, low)
            }
        };
    }
    (shifted, left)
}

/// The word shifted to the right, and whether a bit that was set fell off.
pub fn shift_right(s: &mut TermStore, word: Term, amount: Term) -> (Term, Term) {
    let (width, amount_width) = (s.width(word), s.width(amount));
    let stages = bits_for(width - 1).min(amount_width);
    let mut shifted = word;
    let mut lost = s.bool(false);
    for stage in 0..stages {
        let step = 1 << stage;
        let moves = bit(s, amount, stage);
        let low = s.slice(shifted, step - 1, 0);
        let set = s.redor(low);
        let falls = s.and(moves, set);
        lost = s.or(lost, falls);
        let rest = s.slice(shifted, width - 1, step);
        let moved = s.zext(rest, step);
        shifted = s.ite(moves, moved, shifted);
    }
    if stages < amount_width {
        let high = s.slice(amount, amount_width - 1, stages);
        let far = s.redor(high);
        let set = s.redor(shifted);
        let falls = s.and(far, set);
        lost = s.or(lost, falls);
        let near = s.not(far);
        shifted = only_if(s, near, shifted);
    }
    (shifted, lost)
}

/// One step of a restoring division: `(2 * remainder + digit) mod divisor`, and whether the
/// divisor fitted. The remainder must be smaller than the divisor, which has the same width.
pub fn divide_step(s: &mut TermStore, remainder: Term, digit: Term, divisor: Term) -> (Term, Term) {
    let width = s.width(divisor);
    let current = s.concat(remainder, digit);
    let divisor = s.zext(divisor, 1);
    let difference = s.sub(current, divisor);
    let negative = s.sign(difference);
    let (kept, reduced) = (s.slice(current, width - 1, 0), s.slice(difference, width - 1, 0));
    let remainder = s.ite(negative, kept, reduced);
    (remainder, s.not(negative))
}

/// The word modulo a divisor that is not wider and whose top bit is set.
pub fn modulo(s: &mut TermStore, word: Term, divisor: Term) -> Term {
    let (width, size) = (s.width(word), s.width(divisor));
    // The top places are less than the divisor, having one bit less.
    let top = s.slice(word, width - 1, width - size + 1);
    let mut remainder = s.zext(top, 1);
    for place in (0..=width - size).rev() {
        let digit = bit(s, word, place);
        remainder = divide_step(s, remainder, digit, divisor).0;
    }
    remainder
}
