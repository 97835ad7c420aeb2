//! Words: which latches together are a variable of the model as it was read.
//!
//! Engines work on bits. What they find can be said better with words, where the latches are known
//! to belong together. Words are hints: reductions may replace some of their bits by constants or
//! by other latches, and may drop some.

use crate::lower::LoweringMap;
use crate::system::System;
use rustc_hash::FxHashSet;
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit, Op, Term};

/// Wider words are left out.
pub const MAX_WIDTH: usize = 64;

/// The bits of a variable, the least significant first: literals of a graph whose input i is
/// latch i, or constants. Never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    pub bits: Vec<Lit>,
    /// It says where a program is, so that other words mean something only together with it.
    pub is_control: bool,
}

/// The words of a circuit, and the numbers of the model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Words {
    pub words: Vec<Word>,
    /// Numbers with their widths that occur in the model.
    pub constants: Vec<(usize, u64)>,
}

impl Words {
    /// The words of a circuit in which each old latch is a literal over the new ones, or is gone.
    /// A word without its highest bits is a narrower one; without others it is none.
    pub fn map(&self, images: &[Option<Lit>]) -> Words {
        let old = Aig::with_inputs(images.len());
        let image = |bit: Lit| match bit.is_const() {
            true => Some(bit),
            false if bit.node() as usize >= old.len() => None,
            false => match old.node(bit.node()) {
                Node::Input(latch) => images[latch as usize].map(|i| i.xor(bit.is_negated())),
                _ => None,
            },
        };
        let mut mapped = Words { words: Vec::new(), constants: self.constants.clone() };
        for word in &self.words {
            let bits: Vec<Option<Lit>> = word.bits.iter().map(|&bit| image(bit)).collect();
            let low: Vec<Lit> = bits.iter().map_while(|&bit| bit).collect();
            let is_whole = bits[low.len()..].iter().all(|bit| bit.is_none());
            if is_whole && low.iter().any(|bit| !bit.is_const()) {
                mapped.words.push(Word { bits: low, is_control: word.is_control });
            }
        }
        mapped
    }
}

impl LoweringMap {
    /// The words of the circuit that was made from this system, `control` being the variable that
    /// says where a program is.
    pub fn words(&self, system: &System, control: Option<Term>) -> Words {
        let latches = self.narrow();
        let end = latches.iter().map(|(_, range)| range.end).max().unwrap_or(0);
        let graph = Aig::with_inputs(end);
        let mut words = Words { words: Vec::new(), constants: constants(system) };
        for (var, range) in latches {
            let bits = range.map(|latch| graph.input(latch)).collect();
            words.words.push(Word { bits, is_control: Some(var) == control });
        }
        words
    }

    /// The variables that these words are, or are elements of.
    pub fn word_variables(&self) -> Vec<Term> {
        self.narrow().into_iter().map(|(var, _)| var).collect()
    }

    fn narrow(&self) -> Vec<(Term, std::ops::Range<usize>)> {
        let words = self.latch_words().into_iter();
        words.filter(|(_, range)| (1..=MAX_WIDTH).contains(&range.len())).collect()
    }
}

/// The numbers in the terms of a system.
fn constants(system: &System) -> Vec<(usize, u64)> {
    let terms = &system.terms;
    let states = system.states.iter().flat_map(|state| [state.init, state.next]).flatten();
    let bads = system.bads.iter().map(|bad| bad.term);
    let roots: Vec<Term> = states.chain(bads).chain(system.constraints.iter().copied()).collect();
    let mut seen = FxHashSet::default();
    let mut constants = Vec::new();
    for term in terms.cone(&roots) {
        if let (Op::Const(_), Some(value)) = (terms.op(term), terms.value(term))
            && let Some(number) = value.to_u64()
            && value.width() as usize <= MAX_WIDTH
            && seen.insert((value.width() as usize, number))
        {
            constants.push((value.width() as usize, number));
        }
    }
    constants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_their_latches() {
        let old = Aig::with_inputs(6);
        let word = |latches: &[usize]| Word {
            bits: latches.iter().map(|&l| old.input(l)).collect(),
            is_control: false,
        };
        let words =
            Words { words: vec![word(&[0, 1, 2]), word(&[3, 4]), word(&[5])], constants: vec![] };
        let new = Aig::with_inputs(2);
        // Latch 1 is the negation of latch 0, the highest bit of the first word is gone, and so is
        // the lowest of the second; the third word is a constant.
        let (a, b) = (new.input(0), new.input(1));
        let images = [Some(a), Some(!a), None, None, Some(b), Some(Lit::TRUE)];
        let mapped = words.map(&images);
        assert_eq!(mapped.words, [Word { bits: vec![a, !a], is_control: false }]);
    }
}
