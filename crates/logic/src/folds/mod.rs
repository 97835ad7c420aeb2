//! Folds over arrays: sums, maxima and the like of what a loop reads.
//!
//! ```text
//! F(k)  =  step(0) ⊙ step(1) ⊙ … ⊙ step(k − 1)
//! ```
//!
//! A fold is no term; a word stands for it in formulas, and what is known of the word are instances of these
//! laws, which hold of all arrays:
//!
//! ```text
//! F(0)      =  unit
//! F(k + 1)  =  F(k) ⊙ step(k)                                            unless k + 1 is 0
//! F of a with v at p  =  F without step(p), with what step(p) is for v   if p < k, else F
//! ```
//!
//! Sums can be undone, so that the third law is an equation between words. Maxima cannot; there it speaks of one more
//! word, for what the others amount to (in the manner of Daca, Henzinger, Kupriyanov: Array Folds Logic, CAV 2016, whose folds count;
//! Bradley, Manna, Sipma: What's Decidable About Arrays?, VMCAI 2006, has none).

mod unfold;

pub use unfold::Unfolding;

use crate::{Op, Term, TermStore};

/// How what is read is joined. All of them are associative and commutative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Joint {
    Sum,
    Xor,
    And,
    Or,
    /// Of signed numbers.
    Max,
    Min,
}

impl Joint {
    pub const ALL: [Joint; 6] =
        [Joint::Sum, Joint::Xor, Joint::And, Joint::Or, Joint::Max, Joint::Min];

    /// What joining nothing gives.
    pub fn unit(self, terms: &mut TermStore, width: u32) -> Term {
        let lowest = |terms: &mut TermStore| {
            let (one, zeros) = (terms.bool(true), width - 1);
            if zeros == 0 {
                return one;
            }
            let zeros = terms.zero(zeros);
            terms.concat(one, zeros)
        };
        match self {
            Joint::Sum | Joint::Xor | Joint::Or => terms.zero(width),
            Joint::And => terms.ones(width),
            Joint::Max => lowest(terms),
            Joint::Min => {
                let lowest = lowest(terms);
                terms.not(lowest)
            }
        }
    }

    pub fn join(self, terms: &mut TermStore, a: Term, b: Term) -> Term {
        match self {
            Joint::Sum => terms.add(a, b),
            Joint::Xor => terms.xor(a, b),
            Joint::And => terms.and(a, b),
            Joint::Or => terms.or(a, b),
            Joint::Max => {
                let less = terms.slt(a, b);
                terms.ite(less, b, a)
            }
            Joint::Min => {
                let less = terms.slt(b, a);
                terms.ite(less, b, a)
            }
        }
    }

    /// What has given the first when the second was joined to it, if that can be told.
    pub fn undo(self, terms: &mut TermStore, all: Term, part: Term) -> Option<Term> {
        match self {
            Joint::Sum => Some(terms.sub(all, part)),
            Joint::Xor => Some(terms.xor(all, part)),
            Joint::And | Joint::Or | Joint::Max | Joint::Min => None,
        }
    }
}

/// A word that stands for a fold in formulas about states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fold {
    /// A variable that means nothing else.
    pub word: Term,
    pub joint: Joint,
    /// A variable that only `step` speaks of.
    pub counter: Term,
    /// What is joined for a value of the counter, over variables of the state.
    pub step: Term,
    /// What some of these variables are to be, over variables of the state: an array with another element, say.
    pub values: Vec<(Term, Term)>,
    /// How many values of the counter there are, over variables of the state.
    pub bound: Term,
}

impl Fold {
    /// The variables of the step, with what they are to be.
    pub fn parameters(&self, terms: &TermStore) -> Vec<(Term, Term)> {
        let variables = terms.free_vars(&[self.step]).into_iter().filter(|&v| v != self.counter);
        let value = |variable: Term| {
            let given = self.values.iter().find(|(other, _)| *other == variable);
            (variable, given.map_or(variable, |&(_, value)| value))
        };
        variables.map(value).collect()
    }

    /// Whether all widths fit together.
    pub fn is_fit(&self, terms: &TermStore) -> bool {
        let is_word = |term: Term| !terms.sort(term).is_array();
        let is_kept = |&(variable, value): &(Term, Term)| terms.sort(variable) == terms.sort(value);
        terms.is_var(self.word)
            && terms.is_var(self.counter)
            && [self.word, self.counter, self.step, self.bound].into_iter().all(is_word)
            && terms.sort(self.word) == terms.sort(self.step)
            && terms.sort(self.counter) == terms.sort(self.bound)
            && self.values.iter().all(is_kept)
    }
}

/// The bits of an index that are the lowest ones of the counter: how many, from which on. The others are constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    bits: u32,
    shift: u32,
}

impl Place {
    fn of(terms: &TermStore, index: Term, counter: Term) -> Option<Place> {
        if index == counter {
            return Some(Place { bits: terms.width(counter), shift: 0 });
        }
        let args = terms.args(index);
        match terms.op(index) {
            Op::Slice { high, low: 0 } if args[0] == counter => {
                Some(Place { bits: high + 1, shift: 0 })
            }
            Op::Concat if terms.is_const(args[1]) => {
                let Place { bits, shift } = Place::of(terms, args[0], counter)?;
                Some(Place { bits, shift: shift + terms.width(args[1]) })
            }
            Op::Concat if terms.is_const(args[0]) => Place::of(terms, args[1], counter),
            _ => None,
        }
    }

    /// The place of all reads of an array in a step, if nothing else is done with the array and
    /// they have the same.
    fn of_all(terms: &TermStore, step: Term, array: Term, counter: Term) -> Option<Place> {
        let mut found = None;
        for part in terms.cone(&[step]) {
            let args = terms.args(part);
            match terms.op(part) {
                Op::Read if args[0] == array => {
                    let place = Place::of(terms, args[1], counter)?;
                    if *found.get_or_insert(place) != place {
                        return None;
                    }
                }
                _ if args.contains(&array) => return None,
                _ => {}
            }
        }
        found
    }
}
