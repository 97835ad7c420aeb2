//! Relations between variables that are no arrays, at one cut point.

use super::runs::Small;
use super::scale::{Scale, roots};
use super::shape::{MAX_SIZE, Shape};
use super::tables::values;
use crate::cfa::SingleLoop;
use crate::guess::{Column, relations};
use rustc_hash::FxHashSet;
use wedge_logic::{Op, Substitution, Term, TermStore, Value};

/// Guesses per cut point.
const MAX_GUESSES: usize = 160;
const MAX_COMPARED: usize = 80;

/// Conditions over scalars that the program evaluates, also those about inputs that it stores.
pub fn conditions(terms: &mut TermStore, single: &SingleLoop, shape: &Shape) -> Vec<Term> {
    let mut found = Vec::new();
    let mut known = FxHashSet::default();
    let compared = terms.cone(&roots(single));
    let is_comparison = |op: Op| matches!(op, Op::Eq | Op::Ult | Op::Slt);
    let mut candidates: Vec<Term> =
        compared.into_iter().filter(|&term| is_comparison(terms.op(term))).collect();
    for exit in single.blocks.iter().flat_map(|block| &block.exits) {
        let stored = exit.values.iter().filter(|(_, value)| shape.inputs.contains(value));
        let mut stored = Substitution::new(stored.map(|&(variable, value)| (value, variable)));
        for term in terms.cone(&[exit.condition]) {
            if is_comparison(terms.op(term)) && terms.size(&[term]) <= MAX_SIZE {
                candidates.push(stored.apply(terms, term));
            }
        }
    }
    for term in candidates {
        let is_new = known.insert(term) && found.len() < MAX_COMPARED && !terms.is_const(term);
        if !is_new || terms.size(&[term]) > MAX_SIZE || !shape.is_closed(terms, term) {
            continue;
        }
        let args = terms.args(term).to_vec();
        found.push(term);
        found.push(terms.not(term));
        // Where x < y lets a loop go on, x <= y holds at its head; where x <= y does, x <= y + 1.
        match terms.op(term) {
            Op::Slt => {
                found.push(terms.sle(args[0], args[1]));
                let next = terms.inc(args[0]);
                found.push(terms.sle(args[1], next));
            }
            Op::Ult => {
                found.push(terms.ule(args[0], args[1]));
                let next = terms.inc(args[0]);
                found.push(terms.ule(args[1], next));
            }
            _ => {}
        }
    }
    found
}

/// What holds in all samples: of the conditions, and of relations that are guessed.
pub fn guesses(
    terms: &mut TermStore,
    smalls: &mut [Small],
    scale: &Scale,
    (cut, live): (usize, &[Term]),
    conditions: &[Term],
) -> Vec<Term> {
    let is_live = |terms: &TermStore, term: Term| {
        terms.free_vars(&[term]).iter().all(|variable| live.contains(variable))
    };
    let mut found: Vec<Term> =
        conditions.iter().copied().filter(|&condition| is_live(terms, condition)).collect();
    let columns = columns(terms, &smalls[0], cut, live);
    for guess in relations::guess(terms, &columns).into_iter().take(MAX_GUESSES) {
        let enlarged = scale.enlarged(terms, guess);
        found.extend([guess, enlarged]);
    }
    let mut known = FxHashSet::default();
    found.retain(|&term| known.insert(term) && !terms.is_const(term));
    let Some(tables) = values(terms, smalls, cut, &[], &found) else { return Vec::new() };
    let holds = tables.iter().map(|table| table.iter().all(|&value| value == 1));
    let kept: Vec<Term> = found.iter().zip(holds).filter(|(_, h)| *h).map(|(&f, _)| f).collect();
    kept.into_iter().take(MAX_GUESSES).collect()
}

fn columns(terms: &TermStore, small: &Small, cut: usize, live: &[Term]) -> Vec<Column> {
    let mut columns = Vec::new();
    for (place, &variable) in small.samples.variables.iter().enumerate() {
        let seen = &small.samples.seen[cut];
        let is_word = |width: u32| (2..=64).contains(&width);
        if !live.contains(&variable) || seen.is_empty() || !is_word(terms.width(variable)) {
            continue;
        }
        let number = |state: &Vec<Value>| state[place].bv().to_u64().unwrap_or(0);
        let values = seen.iter().map(number).collect();
        columns.push(Column { variable, width: terms.width(variable), values });
    }
    columns
}
