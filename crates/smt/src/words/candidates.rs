//! What is worth asking: the atoms over some words that one state satisfies.

use super::vocabulary::Vocabulary;
use wedge_logic::atoms::{Atom, Relation, Side, mask, signed};

/// How particular facts are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Words and numbers of the model.
    Model,
    /// Linear equations.
    Linear,
    /// The tightest bounds.
    Bounds,
}

impl Level {
    pub const ALL: [Level; 3] = [Level::Model, Level::Linear, Level::Bounds];
}

/// Numbers that one word is compared with.
const MAX_NUMBERS: usize = 24;
/// Known low bits.
const MAX_RESIDUE: u32 = 4;

/// The candidates over these words that hold for these values of all words.
pub(super) fn candidates(vocabulary: &Vocabulary, words: &[usize], values: &[u64]) -> Vec<Atom> {
    let mut found = Vec::new();
    for (index, &word) in words.iter().enumerate() {
        about_one(vocabulary, word, values[word], &mut found);
        for &other in &words[..index] {
            if vocabulary.width(word) == vocabulary.width(other) && vocabulary.width(word) > 1 {
                about_two(vocabulary, word, other, values, &mut found);
            }
        }
    }
    found.retain(|atom| atom.holds(values, vocabulary.widths()));
    found
}

fn about_one(vocabulary: &Vocabulary, word: usize, value: u64, found: &mut Vec<Atom>) {
    let width = vocabulary.width(word);
    let this = Side::Word(word);
    if width == 1 {
        found.push(Atom::Compare(Relation::Eq, this, Side::Value(value)));
        return;
    }
    for bits in 1..=MAX_RESIDUE.min(width - 1) {
        found.push(Atom::Residue { word, bits, value: value & mask(bits) });
    }
    for number in numbers(vocabulary, width) {
        let number = Side::Value(number);
        for relation in [Relation::Ule, Relation::Sle] {
            found.push(Atom::Compare(relation, this, number));
            found.push(Atom::Compare(relation, number, this));
        }
        found.push(Atom::Compare(Relation::Ne, this, number));
    }
}

fn about_two(
    vocabulary: &Vocabulary,
    left: usize,
    right: usize,
    values: &[u64],
    found: &mut Vec<Atom>,
) {
    for relation in [Relation::Ule, Relation::Sle, Relation::Ult, Relation::Slt] {
        found.push(Atom::compare(relation, left, right));
        found.push(Atom::compare(relation, right, left));
    }
    found.push(Atom::compare(Relation::Ne, left, right));
    let mask = mask(vocabulary.width(left));
    let sum = values[left].wrapping_add(values[right]) & mask;
    if vocabulary.constants(vocabulary.width(left)).contains(&sum) {
        found.push(Atom::Sum { left, right, value: sum });
    }
}

/// The numbers that a word of this width is compared with: those of the model and their
/// neighbours, small ones first, without those that every word of the width is above or below.
fn numbers(vocabulary: &Vocabulary, width: u32) -> Vec<u64> {
    let mut known: Vec<u64> = vocabulary.constants(width).to_vec();
    known.extend([0, 1]);
    known.sort_by_key(|&number| signed(number, width).unsigned_abs());
    let mut numbers: Vec<u64> = Vec::new();
    for number in known {
        for near in [number, number.wrapping_add(1), number.wrapping_sub(1)] {
            let near = near & mask(width);
            if numbers.len() < 2 * MAX_NUMBERS && !numbers.contains(&near) {
                numbers.push(near);
            }
        }
    }
    numbers.truncate(MAX_NUMBERS);
    numbers
}
