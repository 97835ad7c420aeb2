//! Origins: the queries about circuits that interpolants come from, for lifting to ask again.
//!
//! Lifting (`wedge_smt::words`, `--lift`) replaces an interpolant over bits by one over words and
//! needs the query (A, B) that it belongs to. Here are the queries of the engines on circuits, in
//! sessions that are kept from one interpolant to the next.

mod sessions;

use crate::contract::Context;
use crate::figures;
use crate::unroll::{Encoder, encode_predicate};
use sessions::{Ahead, Plain, Step};
use std::sync::Arc;
use wedge_model::{Predicate, Words};
use wedge_smt::words::{Asked, Lifted, Lifter, Vocabulary};

/// What the last interpolant of a sequence excludes.
#[derive(Clone, Copy)]
pub enum Goal<'p> {
    /// ¬P
    Bad,
    States(&'p Predicate),
}

/// An end of a step.
#[derive(Clone, Copy)]
enum End {
    Before,
    After,
}

/// The sessions for the queries of one engine, whose interpolants are about the circuit's latches.
pub struct Origins<'e> {
    encoder: &'e Encoder<'e>,
    lifter: Lifter,
    /// s and s' with T(s,s').
    step: Step,
    /// The same, to ask which facts stay true.
    again: Step,
    /// A state alone.
    plain: Plain,
    /// Paths to a bad state, of the last bound that was asked for.
    ahead: Option<Ahead>,
}

impl<'e> Origins<'e> {
    /// None if nothing was asked for, or the circuit has no words.
    pub fn new(
        words: &Option<Arc<Words>>,
        encoder: &'e Encoder<'e>,
        context: &Context,
    ) -> Option<Origins<'e>> {
        let words = words.as_ref().filter(|words| !words.words.is_empty())?;
        let control = words.words.iter().position(|word| word.is_control);
        let bits = words.words.iter().map(|word| word.bits.clone()).collect();
        let latches = encoder.circuit.latches.len();
        Some(Origins {
            encoder,
            lifter: Lifter::new(Vocabulary::new(latches, bits, control, &words.constants)),
            step: Step::new(encoder, context),
            again: Step::new(encoder, context),
            plain: Plain::new(encoder, context),
            ahead: None,
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
        let inside = Asked::new(&mut step.session, &mut step.over_after, vec![start]);
        let outside = Asked::new(&mut ahead.session, &mut ahead.view, vec![]);
        let step = self.again.asked(true);
        record(self.lifter.lift(interpolant, inside, outside, step), context)
    }

    /// For DAR: A = from(s) ∧ T(s,s'), B = to(s').
    pub fn forward(
        &mut self,
        interpolant: Predicate,
        from: &Predicate,
        to: &Predicate,
        context: &Context,
    ) -> Predicate {
        self.beside(End::After, interpolant, [to, from], context)
    }

    /// For DAR: A = T(s,s') ∧ to(s'), B = from(s).
    pub fn backward(
        &mut self,
        interpolant: Predicate,
        from: &Predicate,
        to: &Predicate,
        context: &Context,
    ) -> Predicate {
        self.beside(End::Before, interpolant, [from, to], context)
    }

    /// A = T(s,s') with a predicate at the other end of the step, B = a predicate at this end.
    fn beside(
        &mut self,
        end: End,
        interpolant: Predicate,
        [here, there]: [&Predicate; 2],
        context: &Context,
    ) -> Predicate {
        let (step, plain) = (&mut self.step, &mut self.plain);
        let (other_end, view) = match end {
            End::Before => (&step.after, &mut step.over_before),
            End::After => (&step.before, &mut step.over_after),
        };
        let there = encode_predicate(there, other_end, &mut step.session);
        let here = encode_predicate(here, &plain.state, &mut plain.session);
        let inside = Asked::new(&mut step.session, view, vec![there]);
        let outside = Asked::new(&mut plain.session, &mut plain.view, vec![here]);
        let step = self.again.asked(false);
        record(self.lifter.lift(interpolant, inside, outside, step), context)
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
            if !self.lifter.may_go_on() {
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
            let inside = Asked::new(&mut plain.session, &mut plain.view, inside);
            let outside = Asked::new(&mut step.session, &mut step.over_before, outside);
            let step = self.again.asked(false);
            lifted.push(record(self.lifter.lift(interpolant, inside, outside, step), context));
        }
        lifted.reverse();
        lifted
    }
}

fn record(lifted: Lifted, context: &Context) -> Predicate {
    if let Some(seconds) = lifted.seconds {
        context.record(|f| {
            f.add(figures::LIFT_TRIED, 1.0);
            f.add(figures::LIFT_KEPT, lifted.succeeded as u8 as f64);
            f.add(figures::LIFT_SECONDS, seconds);
        });
    }
    lifted.interpolant
}
