//! Relations that hold in all samples.

use super::Column;
use super::linear;
use std::collections::BTreeSet;
use wedge_logic::{Term, TermStore};

/// Variables that are related in pairs and in threes, of each width.
const MAX_PAIRED: usize = 20;
const MAX_TRIPLED: usize = 7;
/// Variables whose being 0 is taken for a condition, and the samples that each case needs.
const MAX_CONDITIONS: usize = 4;
const MIN_SAMPLES: usize = 6;

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

pub(super) fn signed(width: u32, value: u64) -> i64 {
    ((value << (64 - width)) as i64) >> (64 - width)
}

/// The value that all have, if there is one.
fn common(mut values: impl Iterator<Item = u64>) -> Option<u64> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// Guesses about these variables at one place, the most telling first.
pub fn guess(terms: &mut TermStore, columns: &[Column]) -> Vec<Term> {
    let mut guesses = Vec::new();
    let mut related = Vec::new();
    for width in widths(columns) {
        let group: Vec<&Column> = columns.iter().filter(|c| c.width == width).collect();
        let (fixed, moving): (Vec<&Column>, Vec<&Column>) =
            group.iter().partition(|c| common(c.values.iter().copied()).is_some());
        for column in fixed {
            let value = terms.number(width, column.values[0]);
            guesses.push(terms.eq(column.variable, value));
        }
        let equations = linear::equations(terms, &moving);
        related.extend(terms.cone(&equations));
        guesses.extend(equations);
        let paired = &moving[..moving.len().min(MAX_PAIRED)];
        for (index, a) in paired.iter().enumerate() {
            for b in &paired[index + 1..] {
                pair(terms, a, b, &mut guesses);
            }
        }
        products(terms, &moving[..moving.len().min(MAX_TRIPLED)], &mut guesses);
        for column in &moving {
            single(terms, column, &mut guesses);
        }
    }
    conditional(terms, columns, &related, &mut guesses);
    guesses
}

/// The widths that there are.
pub(super) fn widths(columns: &[Column]) -> BTreeSet<u32> {
    columns.iter().map(|column| column.width).collect()
}

/// Equations that hold where a variable is 0, or where it is not. Variables that occur in
/// equations already are no flags.
fn conditional(
    terms: &mut TermStore,
    columns: &[Column],
    related: &[Term],
    guesses: &mut Vec<Term>,
) {
    let is_flag = |column: &&Column| {
        let zeros = column.values.iter().filter(|&&value| value == 0).count();
        let is_often = zeros >= MIN_SAMPLES && column.values.len() - zeros >= MIN_SAMPLES;
        is_often && !related.contains(&column.variable)
    };
    let flags: Vec<&Column> = columns.iter().filter(is_flag).take(MAX_CONDITIONS).collect();
    for flag in flags {
        let zero = terms.zero(flag.width);
        let is_zero = terms.eq(flag.variable, zero);
        for (condition, wanted) in [(is_zero, true), (terms.not(is_zero), false)] {
            let others = columns.iter().filter(|column| column.variable != flag.variable);
            let part: Vec<Column> = others.map(|column| column.where_zero(flag, wanted)).collect();
            for width in widths(&part) {
                let group: Vec<&Column> = part.iter().filter(|c| c.width == width).collect();
                let mut equations = linear::equations(terms, &group);
                // x = y does not follow from 2x = 2y.
                let paired = &group[..group.len().min(MAX_PAIRED)];
                for (index, a) in paired.iter().enumerate() {
                    equations
                        .extend(paired[index + 1..].iter().filter_map(|b| offset(terms, a, b)));
                }
                for equation in equations {
                    if !guesses.contains(&equation) {
                        guesses.push(terms.implies(condition, equation));
                    }
                }
            }
        }
    }
}

fn single(terms: &mut TermStore, column: &Column, guesses: &mut Vec<Term>) {
    let Column { variable, width, values } = column;
    let zero = terms.zero(*width);
    if values.iter().all(|&value| signed(*width, value) >= 0) {
        guesses.push(terms.sle(zero, *variable));
    }
    if values.iter().all(|&value| value != 0) {
        guesses.push(terms.neq(*variable, zero));
    }
    let odd = common(values.iter().map(|value| value & 1));
    if let Some(bit) = odd {
        let low = terms.slice(*variable, 0, 0);
        let bit = terms.bool(bit == 1);
        guesses.push(terms.eq(low, bit));
    }
}

/// x = y + c.
fn offset(terms: &mut TermStore, a: &Column, b: &Column) -> Option<Term> {
    let (pairs, mask) = (a.values.iter().zip(&b.values), mask(a.width));
    let offset = common(pairs.map(|(a, b)| a.wrapping_sub(*b) & mask))?;
    let offset = terms.number(a.width, offset);
    let sum = terms.add(b.variable, offset);
    Some(terms.eq(a.variable, sum))
}

fn pair(terms: &mut TermStore, a: &Column, b: &Column, guesses: &mut Vec<Term>) {
    if let Some(equation) = offset(terms, a, b) {
        guesses.push(equation);
        return;
    }
    let width = a.width;
    let (x, y) = (a.variable, b.variable);
    let pairs = || a.values.iter().copied().zip(b.values.iter().copied());
    if let Some(sum) = common(pairs().map(|(a, b)| a.wrapping_add(b) & mask(width))) {
        let (both, sum) = (terms.add(x, y), terms.number(width, sum));
        guesses.push(terms.eq(both, sum));
    }
    for (x, y, swapped) in [(x, y, false), (y, x, true)] {
        let ordered = |order: &dyn Fn(u64, u64) -> bool| {
            pairs().all(|(a, b)| if swapped { order(b, a) } else { order(a, b) })
        };
        if ordered(&|a, b| signed(width, a) < signed(width, b)) {
            guesses.push(terms.slt(x, y));
        } else if ordered(&|a, b| signed(width, a) <= signed(width, b)) {
            guesses.push(terms.sle(x, y));
        }
        if ordered(&|a, b| a < b) {
            guesses.push(terms.ult(x, y));
        } else if ordered(&|a, b| a <= b) {
            guesses.push(terms.ule(x, y));
        }
    }
}

/// x = y·z among few variables.
fn products(terms: &mut TermStore, columns: &[&Column], guesses: &mut Vec<Term>) {
    for (index, y) in columns.iter().enumerate() {
        for z in &columns[index..] {
            for x in columns.iter().filter(|x| x.variable != y.variable) {
                let product = |i: usize| y.values[i].wrapping_mul(z.values[i]) & mask(x.width);
                let telling = x.values.iter().any(|&value| value > 1);
                if telling && (0..x.values.len()).all(|i| x.values[i] == product(i)) {
                    let product = terms.mul(y.variable, z.variable);
                    guesses.push(terms.eq(x.variable, product));
                }
            }
        }
    }
}
