//! The first iteration in which a series is where it should not be.

use super::series::Series;

/// The first `n` with a value outside of an interval; none if there is none up to
/// `series.farthest()`.
pub fn outside(series: &Series, low: i128, high: i128) -> Option<i128> {
    let is_outside = |n: i128| !(low..=high).contains(&series.at(n));
    let end = series.farthest();
    // Where the differences change their sign the series turns back.
    let [_, c1, c2] = series.c;
    let turn = match c1.signum() * c2.signum() {
        -1 => (c1.abs() + c2.abs() - 1) / c2.abs(),
        _ => end,
    };
    let turn = turn.min(end);
    if is_outside(0) {
        return Some(0);
    }
    search(0, turn, is_outside).or_else(|| search(turn, end, is_outside))
}

/// The first number in `(from, to]` for which something holds, where it does not hold at `from`
/// and once it holds it holds up to `to`.
fn search(from: i128, to: i128, holds: impl Fn(i128) -> bool) -> Option<i128> {
    if from >= to || !holds(to) {
        return None;
    }
    let (mut not, mut yes) = (from, to);
    while yes - not > 1 {
        let middle = not + (yes - not) / 2;
        match holds(middle) {
            true => yes = middle,
            false => not = middle,
        }
    }
    Some(yes)
}

/// The first `n` for which `begin + step * n` modulo `2^width`, a width of at most 64, is not in an
/// interval; none if there is none at all.
pub fn outside_modulo(
    (begin, step): (i128, i128),
    width: u32,
    (low, high): (i128, i128),
) -> Option<u128> {
    let all = 1i128 << width;
    let wrong = all - (high - low + 1);
    if wrong <= 0 {
        return None;
    }
    // What is wrong begins after `high` and has `wrong` numbers, across 0.
    let first = (high + 1 - begin).rem_euclid(all);
    let last = first + wrong - 1;
    if first == 0 || last >= all {
        return Some(0);
    }
    multiple_in(step.rem_euclid(all) as u128, all as u128, first as u128, last as u128)
}

/// The least `n` with `low <= (step * n) % modulus <= high`, where `0 < low <= high < modulus`.
///
/// If no multiple of the step is in the interval before the modulus is passed, then the number of
/// times it is passed is the answer to the same question about smaller numbers, as in Euclid's
/// algorithm: `step * n - modulus * times` is in the interval if and only if
/// `(modulus * times) % step` is in `[-high, -low]` modulo the step.
fn multiple_in(step: u128, modulus: u128, low: u128, high: u128) -> Option<u128> {
    if step == 0 {
        return None;
    }
    let n = low.div_ceil(step);
    if step * n <= high {
        return Some(n);
    }
    let times = multiple_in(modulus % step, step, step - high % step, step - low % step)?;
    Some((low + modulus * times).div_ceil(step))
}
