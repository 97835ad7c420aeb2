//! Lifting: interpolants over bits become interpolants over words.
//!
//! An interpolant that comes from a proof over bits is as particular as the proof: after one
//! iteration of a loop it says which bits of a counter are set, not that the counter is below its
//! limit. Here the query (A, B) that it comes from is asked again, for facts about words: those
//! that A implies are collected, from general ones to particular ones, until together they exclude
//! B; then those that are not needed are dropped (see [`wedge_smt::words`]). Facts that stay true
//! from one step to the next are preferred, as they are what an invariant may consist of. What remains is an
//! interpolant of the same query, by the very solver calls that found it: it may use words that
//! have a bit in the interpolant of the proof. If there is none, or finding it takes too long, the
//! interpolant of the proof stays.
//!
//! The idea of looking for interpolants in a language of word-level templates is that of Rümmer
//! and Subotić, "Exploring Interpolants" (FMCAD 2013); here the language is fixed, and the search
//! is one of dropping what does not hold or is not needed.

mod budget;
mod sessions;

use crate::contract::Context;
use crate::figures;
use crate::unroll::{Encoder, encode_predicate};
use budget::Budget;
use sessions::{Ahead, Plain, Step};
use std::sync::Arc;
use std::time::Instant;
use wedge_logic::aig::Node;
use wedge_model::{Predicate, Words};
use wedge_sat::Session;
use wedge_smt::words::{Fact, Set, View, Vocabulary, separate};

/// What the last interpolant of a sequence excludes.
#[derive(Clone, Copy)]
pub enum Goal<'p> {
    /// ¬P
    Bad,
    States(&'p Predicate),
}

/// The sessions for the queries of one engine, whose interpolants are about the circuit's latches.
pub struct Lifter<'e> {
    encoder: &'e Encoder<'e>,
    vocabulary: Vocabulary,
    /// s and s' with T(s,s').
    step: Step,
    /// The same, to ask which facts stay true.
    again: Step,
    /// A state alone.
    plain: Plain,
    /// Paths to a bad state, of the last bound that was asked for.
    ahead: Option<Ahead>,
    budget: Budget,
}

impl<'e> Lifter<'e> {
    /// None if nothing was asked for, or the circuit has no words.
    pub fn new(
        words: &Option<Arc<Words>>,
        encoder: &'e Encoder<'e>,
        context: &Context,
    ) -> Option<Lifter<'e>> {
        let words = words.as_ref().filter(|words| !words.words.is_empty())?;
        let control = words.words.iter().position(|word| word.is_control);
        let bits = words.words.iter().map(|word| word.bits.clone()).collect();
        let latches = encoder.circuit.latches.len();
        Some(Lifter {
            encoder,
            vocabulary: Vocabulary::new(latches, bits, control, &words.constants),
            step: Step::new(encoder, context),
            again: Step::new(encoder, context),
            plain: Plain::new(encoder, context),
            ahead: None,
            budget: Budget::new(),
        })
    }

    /// For IMC: A = frontier(s) ∧ T(s,s'), B = a path of at most `bound` − 1 steps from s' to a
    /// bad state.
    pub fn image(
        &mut self,
        interpolant: Predicate,
        frontier: &Predicate,
        bound: usize,
        context: &Context,
    ) -> Predicate {
        if self.ahead.as_ref().is_none_or(|ahead| ahead.bound != bound) {
            self.ahead = Some(Ahead::new(self.encoder, bound, context));
        }
        let ahead = self.ahead.as_mut().expect("just set");
        let step = &mut self.step;
        let start = encode_predicate(frontier, &step.before, &mut step.session);
        let inside = (&mut step.session, &mut step.over_after, vec![start]);
        let outside = (&mut ahead.session, &mut ahead.view, vec![]);
        let means = (&mut self.vocabulary, &mut self.again, &mut self.budget, true);
        lift(interpolant, inside, outside, means, context)
    }

    /// For DAR: A = from(s) ∧ T(s,s'), B = to(s').
    pub fn forward(
        &mut self,
        interpolant: Predicate,
        from: &Predicate,
        to: &Predicate,
        context: &Context,
    ) -> Predicate {
        let (step, plain) = (&mut self.step, &mut self.plain);
        let start = encode_predicate(from, &step.before, &mut step.session);
        let end = encode_predicate(to, &plain.state, &mut plain.session);
        let inside = (&mut step.session, &mut step.over_after, vec![start]);
        let outside = (&mut plain.session, &mut plain.view, vec![end]);
        let means = (&mut self.vocabulary, &mut self.again, &mut self.budget, false);
        lift(interpolant, inside, outside, means, context)
    }

    /// For DAR: A = T(s,s') ∧ to(s'), B = from(s).
    pub fn backward(
        &mut self,
        interpolant: Predicate,
        from: &Predicate,
        to: &Predicate,
        context: &Context,
    ) -> Predicate {
        let (step, plain) = (&mut self.step, &mut self.plain);
        let end = encode_predicate(to, &step.after, &mut step.session);
        let start = encode_predicate(from, &plain.state, &mut plain.session);
        let inside = (&mut step.session, &mut step.over_before, vec![end]);
        let outside = (&mut plain.session, &mut plain.view, vec![start]);
        let means = (&mut self.vocabulary, &mut self.again, &mut self.budget, false);
        lift(interpolant, inside, outside, means, context)
    }

    /// For ISMC and the global stage of DAR: τ₁, …, τₙ, which refine the images F₁, …, Fₙ.
    ///
    /// From the last to the first, τᵢ is weakened to a τ'ᵢ that excludes what does not step into
    /// τ'ᵢ₊₁:
    ///
    /// ```text
    /// A = Fᵢ(s) ∧ τᵢ(s)        B = Fᵢ(s) ∧ T(s,s') ∧ ¬τ'ᵢ₊₁(s')
    /// ```
    ///
    /// so that Fᵢ ∧ τ'ᵢ still steps into Fᵢ₊₁ ∧ τ'ᵢ₊₁. The last one excludes the goal.
    pub fn sequence(
        &mut self,
        sequence: Vec<Predicate>,
        image: impl Fn(usize) -> Option<Predicate>,
        goal: Goal,
        context: &Context,
    ) -> Vec<Predicate> {
        let mut lifted: Vec<Predicate> = Vec::with_capacity(sequence.len());
        for (index, interpolant) in sequence.into_iter().enumerate().rev() {
            if !self.budget.is_left() {
                lifted.push(interpolant);
                continue;
            }
            let image = image(index + 1);
            let (plain, step) = (&mut self.plain, &mut self.step);
            let mut inside = vec![encode_predicate(&interpolant, &plain.state, &mut plain.session)];
            let mut outside = Vec::new();
            if let Some(image) = &image {
                inside.push(encode_predicate(image, &plain.state, &mut plain.session));
                outside.push(encode_predicate(image, &step.before, &mut step.session));
            }
            outside.push(match (lifted.last(), goal) {
                (Some(next), _) => -encode_predicate(next, &step.after, &mut step.session),
                (None, Goal::Bad) => step.bad,
                (None, Goal::States(goal)) => {
                    encode_predicate(goal, &step.before, &mut step.session)
                }
            });
            let inside = (&mut plain.session, &mut plain.view, inside);
            let outside = (&mut step.session, &mut step.over_before, outside);
            let means = (&mut self.vocabulary, &mut self.again, &mut self.budget, false);
            lifted.push(lift(interpolant, inside, outside, means, context));
        }
        lifted.reverse();
        lifted
    }
}

/// A session, the state that is spoken of, and what is assumed.
type Side<'s> = (&'s mut Session, &'s mut View, Vec<i32>);
/// The last one says whether the result should be closed under steps: where interpolants are
/// conjoined and others rest on them, the weaker is the better.
type Means<'s> = (&'s mut Vocabulary, &'s mut Step, &'s mut Budget, bool);

fn lift(
    interpolant: Predicate,
    inside: Side,
    outside: Side,
    (vocabulary, step, budget, closes): Means,
    context: &Context,
) -> Predicate {
    let Some(effort) = budget.effort() else { return interpolant };
    let clock = Instant::now();
    let words = words_of(&interpolant, vocabulary);
    let set = |(session, view, assumptions)| Set { session, view, assumptions, effort };
    let (mut inside, mut outside) = (set(inside), set(outside));
    let found: Option<Vec<Fact>> = match words.is_empty() {
        true => None,
        false => separate(
            &mut inside,
            &mut outside,
            vocabulary,
            &words,
            Some(step.asked(effort, closes)),
        ),
    };
    let seconds = clock.elapsed().as_secs_f64();
    budget.spend(seconds, found.is_some());
    context.record(|f| {
        f.add(figures::LIFT_TRIED, 1.0);
        f.add(figures::LIFT_KEPT, found.is_some() as u8 as f64);
        f.add(figures::LIFT_SECONDS, seconds);
    });
    let Some(facts) = found else { return interpolant };
    let (aig, root) = vocabulary.conjunction(&facts);
    Predicate { aig, root }
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
