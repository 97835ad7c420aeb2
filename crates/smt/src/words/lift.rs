//! Lifting: interpolants over bits become interpolants over words.
//!
//! An interpolant that comes from a proof over bits is as particular as the proof: after one
//! iteration of a loop it says which bits of a counter are set, not that the counter is below its
//! limit. Here the query (A, B) that it comes from is asked again, for facts about words: those
//! that A implies are collected, from general ones to particular ones, until together they exclude
//! B; then those that are not needed are dropped (see [`separate`]). Facts that stay true
//! from one step to the next are preferred, as they are what an invariant may consist of. What remains is an
//! interpolant of the same query, by the very solver calls that found it: it may use words that
//! have a bit in the interpolant of the proof. If there is none, or finding it takes too long, the
//! interpolant of the proof stays.
//!
//! The idea of looking for interpolants in a language of word-level templates is that of Rümmer
//! and Subotić, "Exploring Interpolants" (FMCAD 2013); here the language is fixed, and the search
//! is one of dropping what does not hold or is not needed.

use super::budget::Budget;
use super::inductive::Step;
use super::separate::separate;
use super::set::{Set, View};
use super::vocabulary::{Fact, Vocabulary};
use std::time::Instant;
use wedge_logic::aig::Node;
use wedge_model::Predicate;
use wedge_sat::Session;

/// One side of a query: a session, the state that is spoken of, and what is assumed.
pub struct Asked<'s> {
    session: &'s mut Session,
    view: &'s mut View,
    assumptions: Vec<i32>,
}

impl<'s> Asked<'s> {
    pub fn new(session: &'s mut Session, view: &'s mut View, assumptions: Vec<i32>) -> Asked<'s> {
        Asked { session, view, assumptions }
    }
}

/// A step to ask which facts stay true.
pub struct AskedStep<'s> {
    pub session: &'s mut Session,
    pub before: &'s mut View,
    pub after: &'s mut View,
    /// Whether the result should be closed under steps: where interpolants are conjoined and
    /// others rest on them, the weaker is the better.
    pub closes: bool,
}

/// An interpolant, lifted or as it was.
pub struct Lifted {
    pub interpolant: Predicate,
    pub succeeded: bool,
    /// What it took; none if there was no time left to try.
    pub seconds: Option<f64>,
}

/// What one user of lifting keeps between interpolants over the same bits.
pub struct Lifter {
    vocabulary: Vocabulary,
    budget: Budget,
}

impl Lifter {
    pub fn new(vocabulary: Vocabulary) -> Lifter {
        Lifter { vocabulary, budget: Budget::new() }
    }

    /// Whether there is time left for another interpolant.
    pub fn may_go_on(&self) -> bool {
        self.budget.is_left()
    }

    /// Requires: `inside` implies the interpolant, which excludes `outside`.
    ///
    /// Ensures: so it is with the result.
    pub fn lift(
        &mut self,
        interpolant: Predicate,
        inside: Asked,
        outside: Asked,
        step: AskedStep,
    ) -> Lifted {
        let Some(effort) = self.budget.effort() else {
            return Lifted { interpolant, succeeded: false, seconds: None };
        };
        let clock = Instant::now();
        let words = words_of(&interpolant, &self.vocabulary);
        let AskedStep { session, before, after, closes } = step;
        let step = Step { session, before, after, assumptions: Vec::new(), effort, closes };
        let [mut inside, mut outside] = [inside, outside].map(|asked| {
            let Asked { session, view, assumptions } = asked;
            Set { session, view, assumptions, effort }
        });
        let found: Option<Vec<Fact>> = match words.is_empty() {
            true => None,
            false => separate(&mut inside, &mut outside, &mut self.vocabulary, &words, Some(step)),
        };
        let seconds = clock.elapsed().as_secs_f64();
        let succeeded = found.is_some();
        self.budget.spend(seconds, succeeded);
        let interpolant = match found {
            None => interpolant,
            Some(facts) => {
                let (aig, root) = self.vocabulary.conjunction(&facts);
                Predicate { aig, root }
            }
        };
        Lifted { interpolant, succeeded, seconds: Some(seconds) }
    }
}

/// The words that have a bit in the interpolant.
fn words_of(interpolant: &Predicate, vocabulary: &Vocabulary) -> Vec<usize> {
    let cone = interpolant.aig.cone(&[interpolant.root]);
    let mut is_read = vec![false; interpolant.aig.num_inputs()];
    for node in (0..interpolant.aig.len()).filter(|&node| cone[node]) {
        if let Node::Input(index) = interpolant.aig.node(node as u32) {
            is_read[index as usize] = true;
        }
    }
    vocabulary.reading(|index| is_read.get(index).copied().unwrap_or(false))
}
