//! Bounded model checking on words (Biere, Cimatti, Clarke, Zhu, TACAS 1999).
//!
//! The states of each step are terms over the first ones and the inputs, so that nothing is solved
//! for them. Where no path of k steps is left, every run was seen. The evidence of that is a
//! formula per step, from interpolants: part j is a step from sⱼ to sⱼ₊₁, unless sⱼ or an earlier
//! state is bad, which a flag remembers. All parts together have no model, and what the cuts say
//! about states whose flag is not set steps into the next cut, excludes bad states, and holds of no
//! state at the end. So the disjunction over all cuts is an inductive invariant.

use super::search::{Attempt, search};
use super::{Words, interpolation};
use crate::contract::{AutomatonEngine, AutomatonOutcome, Context};
use wedge_logic::{Sort, Substitution, Term};
use wedge_model::Cfa;
use wedge_sat::InterpolationSystem;
use wedge_smt::{Outcome, interpolants};

pub struct WordBmc {
    pub max_bound: Option<usize>,
}

impl AutomatonEngine for WordBmc {
    fn run(&self, automaton: &Cfa, context: &Context) -> AutomatonOutcome {
        search(automaton, self.max_bound, context, |words, paths, bound| {
            if words.single.pc.is_none() {
                // One step is a whole run.
                return Attempt::Proof(words.store.bool(true));
            }
            match paths.is_exhausted() {
                true => exhausted(words, bound, context),
                false => Attempt::Nothing,
            }
        })
    }
}

/// The invariant of a system all of whose paths have fewer than `bound` + 1 states.
fn exhausted(words: &mut Words, bound: usize, context: &Context) -> Attempt {
    let variables = words.variables();
    let mut parts = vec![words.initial()];
    let mut cuts: Vec<(Vec<Term>, Term)> = Vec::new();
    let mut states = variables.clone();
    let mut is_done = words.store.bool(false);
    for _ in 0..=bound {
        let (after, flag) = (words.any_states(), words.store.fresh_var("done", Sort::BOOL));
        let frame = words.frame(states.clone());
        let both = [words.bad, words.constraint];
        let both = words.at(&frame, &both);
        let next = words.next_states(&frame);
        let equal = words.equal(&after, &next);
        let store = &mut words.store;
        // (done ∨ C ∧ ¬P) ∧ done'  ∨  C ∧ s' = T(s) ∧ ¬done'
        let bad = store.and(both[0], both[1]);
        let ends = store.or(is_done, bad);
        let ends = store.and(ends, flag);
        let goes_on = store.and_all(&[both[1], equal]);
        let not_done = [is_done, flag].map(|flag| store.not(flag));
        let goes_on = store.and_all(&[goes_on, not_done[0], not_done[1]]);
        parts.push(store.or(ends, goes_on));
        cuts.push((states, is_done));
        (states, is_done) = (after, flag);
    }
    let how = interpolation(InterpolationSystem::McMillan, true);
    let outcome = interpolants(&mut words.store, &parts, &how, &context.interrupt());
    let Outcome::Sequence(sequence) = outcome else {
        // Longer paths end as well, and perhaps with a proof.
        return Attempt::Nothing;
    };
    let no = words.store.bool(false);
    let mut reached = Vec::new();
    for ((states, flag), &cut) in cuts.iter().zip(&sequence[1..]) {
        let flag = (words.store.value(*flag).is_none()).then_some((*flag, no));
        let back = states.iter().copied().zip(variables.iter().copied()).chain(flag);
        reached.push(Substitution::new(back).apply(&mut words.store, cut));
    }
    Attempt::Proof(words.store.or_all(&reached))
}
