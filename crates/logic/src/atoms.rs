//! Atoms: the word-level statements that people write as loop invariants.
//!
//! An atom is about words that are given by number. It has one meaning in three languages: values
//! ([`Atom::holds`]), bits ([`Atom::literal`]) and terms ([`Atom::term`]).
//!
//! | atom | meaning |
//! | --- | --- |
//! | `Compare` | a word and another one, or a number: `<=`, `<`, `==`, `!=`, signed and unsigned |
//! | `Residue` | the lowest bits of a word |
//! | `Difference` | what one word is more than another, modulo 2^width |
//! | `Sum` | what two words are together, modulo 2^width |
//! | `Linear` | what multiples of up to four words are together, modulo 2^width |

use crate::aig::{Aig, Lit};
use crate::bitvec::BitVec;
use crate::blast::add as compare;
use crate::term::{Term, TermStore};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    Ule,
    Sle,
    Ult,
    Slt,
    Ne,
    Eq,
}

/// An operand of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// By number.
    Word(usize),
    Value(u64),
}

/// Invariants: words are at most 64 bits wide; those of one atom have the same width, and values
/// fit into it; a comparison has a word on at least one side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    Compare(Relation, Side, Side),
    Residue {
        word: usize,
        bits: u32,
        value: u64,
    },
    Difference {
        left: usize,
        right: usize,
        value: u64,
    },
    Sum {
        left: usize,
        right: usize,
        value: u64,
    },
    /// Words with their factors; those with factor 0 are not there. There is at least one.
    Linear {
        parts: [(usize, u64); PARTS],
        value: u64,
    },
}

/// So many words are in a linear equation.
pub const PARTS: usize = 4;

impl Atom {
    pub fn compare(relation: Relation, left: usize, right: usize) -> Atom {
        Atom::Compare(relation, Side::Word(left), Side::Word(right))
    }

    /// The words that the atom is about.
    pub fn words(&self) -> Vec<usize> {
        match *self {
            Atom::Compare(_, left, right) => [left, right]
                .into_iter()
                .filter_map(|side| match side {
                    Side::Word(word) => Some(word),
                    Side::Value(_) => None,
                })
                .collect(),
            Atom::Residue { word, .. } => vec![word],
            Atom::Difference { left, right, .. } | Atom::Sum { left, right, .. } => {
                vec![left, right]
            }
            Atom::Linear { parts, .. } => {
                parts.into_iter().filter(|part| part.1 != 0).map(|part| part.0).collect()
            }
        }
    }

    /// Whether it relates words rather than bounding one.
    pub fn is_relation(&self) -> bool {
        self.words().len() > 1
    }

    /// How much it says: what says less is rather inductive.
    pub fn strength(&self) -> u32 {
        match self {
            Atom::Residue { bits, .. } => bits.min(&8) - 1,
            Atom::Compare(Relation::Ule | Relation::Sle, ..) => 2,
            Atom::Compare(Relation::Ne, ..) => 3,
            Atom::Compare(Relation::Ult | Relation::Slt, ..) => 4,
            Atom::Sum { .. } => 5,
            Atom::Difference { .. } | Atom::Linear { .. } => 6,
            Atom::Compare(Relation::Eq, ..) => 7,
        }
    }

    /// Whether it holds for these values of the words, which have these widths.
    pub fn holds(&self, values: &[u64], widths: &[u32]) -> bool {
        let cut = |value: u64, word: usize| value & mask(widths[word]);
        match *self {
            Atom::Compare(relation, left, right) => {
                let width = self.words().first().map_or(1, |&word| widths[word]);
                let value = |side| match side {
                    Side::Word(word) => values[word],
                    Side::Value(value) => value,
                };
                let (left, right) = (value(left), value(right));
                match relation {
                    Relation::Ule => left <= right,
                    Relation::Ult => left < right,
                    Relation::Sle => signed(left, width) <= signed(right, width),
                    Relation::Slt => signed(left, width) < signed(right, width),
                    Relation::Ne => left != right,
                    Relation::Eq => left == right,
                }
            }
            Atom::Residue { word, bits, value } => values[word] & mask(bits) == value,
            Atom::Difference { left, right, value } => {
                cut(values[left].wrapping_sub(values[right]), left) == value
            }
            Atom::Sum { left, right, value } => {
                cut(values[left].wrapping_add(values[right]), left) == value
            }
            Atom::Linear { parts, value } => {
                let part = |&(word, factor): &(usize, u64)| match factor {
                    0 => 0,
                    _ => factor.wrapping_mul(values[word]),
                };
                let sum = parts.iter().map(part).fold(0, u64::wrapping_add);
                cut(sum, self.words()[0]) == value
            }
        }
    }

    /// The atom over the bits of the words, the least significant first.
    pub fn literal(&self, aig: &mut Aig, words: &[Vec<Lit>]) -> Lit {
        let constant = |value: u64, width: usize| -> Vec<Lit> {
            (0..width).map(|bit| (value >> bit & 1 == 1).into()).collect()
        };
        match *self {
            Atom::Compare(relation, left, right) => {
                let width = self.words().first().map_or(1, |&word| words[word].len());
                let bits = |side| match side {
                    Side::Word(word) => words[word].clone(),
                    Side::Value(value) => constant(value, width),
                };
                let (left, right) = (bits(left), bits(right));
                match relation {
                    Relation::Ule => !compare::ult(aig, &right, &left),
                    Relation::Ult => compare::ult(aig, &left, &right),
                    Relation::Sle => !compare::slt(aig, &right, &left),
                    Relation::Slt => compare::slt(aig, &left, &right),
                    Relation::Ne => !equal(aig, &left, &right),
                    Relation::Eq => equal(aig, &left, &right),
                }
            }
            Atom::Residue { word, bits, value } => {
                let low = &words[word][..bits as usize];
                equal(aig, low, &constant(value, low.len()))
            }
            Atom::Difference { left, right, value } => {
                let difference = compare::subtract(aig, &words[left], &words[right]);
                equal(aig, &difference, &constant(value, difference.len()))
            }
            Atom::Sum { left, right, value } => {
                let sum = compare::add(aig, &words[left], &words[right]);
                equal(aig, &sum, &constant(value, sum.len()))
            }
            Atom::Linear { parts, value } => {
                let width = words[self.words()[0]].len();
                let mut sum = constant(0, width);
                for (word, factor) in parts.into_iter().filter(|part| part.1 != 0) {
                    add_multiple(aig, &mut sum, &words[word], factor);
                }
                equal(aig, &sum, &constant(value, width))
            }
        }
    }

    /// The atom over terms for the words.
    pub fn term(&self, terms: &mut TermStore, words: &[Term]) -> Term {
        match *self {
            Atom::Compare(relation, left, right) => {
                let width = self.words().first().map_or(1, |&word| terms.width(words[word]));
                let mut side = |side| match side {
                    Side::Word(word) => words[word],
                    Side::Value(value) => terms.number(width, value),
                };
                let (left, right) = (side(left), side(right));
                match relation {
                    Relation::Ule => terms.ule(left, right),
                    Relation::Ult => terms.ult(left, right),
                    Relation::Sle => terms.sle(left, right),
                    Relation::Slt => terms.slt(left, right),
                    Relation::Ne => terms.neq(left, right),
                    Relation::Eq => terms.eq(left, right),
                }
            }
            Atom::Residue { word, bits, value } => {
                let width = terms.width(words[word]);
                let lowest = terms.constant(BitVec::new(width, mask(bits)));
                let value = terms.number(width, value);
                let low = terms.and(words[word], lowest);
                terms.eq(low, value)
            }
            Atom::Difference { left, right, value } => {
                let value = terms.number(terms.width(words[left]), value);
                let moved = terms.add(words[right], value);
                terms.eq(words[left], moved)
            }
            Atom::Sum { left, right, value } => {
                let value = terms.number(terms.width(words[left]), value);
                let sum = terms.add(words[left], words[right]);
                terms.eq(sum, value)
            }
            Atom::Linear { parts, value } => {
                let width = terms.width(words[self.words()[0]]);
                // What counts negatively is written on the other side.
                let mut sides = [None, (value != 0).then(|| terms.number(width, value))];
                for (word, factor) in parts.into_iter().filter(|part| part.1 != 0) {
                    let is_negative = signed(factor, width) < 0;
                    let size = signed(factor, width).unsigned_abs() & mask(width);
                    let part = match size {
                        1 => words[word],
                        _ => {
                            let size = terms.number(width, size);
                            terms.mul(size, words[word])
                        }
                    };
                    let side = &mut sides[is_negative as usize];
                    *side = Some(match *side {
                        Some(sum) => terms.add(sum, part),
                        None => part,
                    });
                }
                let [left, right] = sides.map(|side| side.unwrap_or_else(|| terms.zero(width)));
                terms.eq(left, right)
            }
        }
    }
}

/// Adds a multiple of a word, by as few additions or subtractions of shifted words as a binary
/// factor or its negation has.
fn add_multiple(aig: &mut Aig, sum: &mut Vec<Lit>, word: &[Lit], factor: u64) {
    let width = word.len();
    let all = mask(width as u32);
    let (plus, minus) = (factor & all, factor.wrapping_neg() & all);
    let is_negative = minus.count_ones() < plus.count_ones();
    let factor = if is_negative { minus } else { plus };
    for shift in (0..width).filter(|&shift| factor >> shift & 1 == 1) {
        let zeros = std::iter::repeat_n(Lit::FALSE, shift);
        let shifted: Vec<Lit> = zeros.chain(word[..width - shift].iter().copied()).collect();
        *sum = match is_negative {
            true => compare::subtract(aig, sum, &shifted),
            false => compare::add(aig, sum, &shifted),
        };
    }
}

/// The numbers of this width have all bits in it.
pub fn mask(width: u32) -> u64 {
    match width {
        0 => 0,
        _ => u64::MAX >> (64 - width.min(64)),
    }
}

/// The value of a word as a signed number.
pub fn signed(value: u64, width: u32) -> i64 {
    let shift = 64 - width.clamp(1, 64);
    ((value << shift) as i64) >> shift
}

fn equal(aig: &mut Aig, left: &[Lit], right: &[Lit]) -> Lit {
    let bits: Vec<Lit> = left.iter().zip(right).map(|(&a, &b)| aig.iff(a, b)).collect();
    aig.and_all(&bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluator;
    use crate::term::Sort;
    use crate::value::Value;

    fn atoms(width: u32) -> Vec<Atom> {
        use Relation::*;
        let mut atoms = Vec::new();
        let sides = [Side::Word(0), Side::Word(1), Side::Value(0), Side::Value(mask(width) - 1)];
        for relation in [Ule, Sle, Ult, Slt, Ne, Eq] {
            for (left, right) in [(0, 1), (1, 0), (0, 2), (3, 0), (1, 3), (2, 1)] {
                atoms.push(Atom::Compare(relation, sides[left], sides[right]));
            }
        }
        for value in 0..mask(width) {
            for factors in [(1, 2), (3, mask(width)), (mask(width) - 1, 2)] {
                let parts = [(0, factors.0), (0, 0), (1, factors.1), (0, 0)];
                atoms.push(Atom::Linear { parts, value });
            }
            atoms.push(Atom::Difference { left: 0, right: 1, value });
            atoms.push(Atom::Sum { left: 0, right: 1, value });
        }
        atoms.extend((1..=width).map(|bits| Atom::Residue { word: 1, bits, value: 1 }));
        atoms
    }

    #[test]
    fn values_bits_and_terms_agree() {
        for width in [2u32, 3] {
            let mut aig = Aig::with_inputs(2 * width as usize);
            let word = |aig: &Aig, at: u32| -> Vec<Lit> {
                (at * width..(at + 1) * width).map(|i| aig.input(i as usize)).collect()
            };
            let words = vec![word(&aig, 0), word(&aig, 1)];
            let mut terms = TermStore::new();
            let vars = [terms.var("x", Sort::Bv(width)), terms.var("y", Sort::Bv(width))];
            for atom in atoms(width) {
                let lit = atom.literal(&mut aig, &words);
                let term = atom.term(&mut terms, &vars);
                for (x, y) in (0..1u64 << (2 * width)).map(|s| (s & mask(width), s >> width)) {
                    let holds = atom.holds(&[x, y], &[width, width]);
                    let inputs: Vec<bool> =
                        (0..2 * width).map(|i| (y << width | x) >> i & 1 == 1).collect();
                    assert_eq!(aig.eval(lit, &inputs), holds, "{atom:?} of {x} and {y}");
                    let mut evaluator = Evaluator::new(&terms);
                    evaluator.assign(vars[0], Value::Bv(BitVec::new(width, x)));
                    evaluator.assign(vars[1], Value::Bv(BitVec::new(width, y)));
                    let value = evaluator.eval(term).unwrap();
                    assert_eq!(value, &Value::Bv(BitVec::new(1, holds as u64)), "{atom:?}");
                }
            }
        }
    }
}
