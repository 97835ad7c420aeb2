//! Engines on words, for models whose arrays are too large for the registers of a circuit.
//!
//! The automaton becomes a transition system over words by the single-loop transformation; its
//! queries are decided by [`wedge_smt`], where arrays stay arrays. A proof is a formula over the
//! state, given back as one formula for each cut point.

mod bmc;
mod imc;
mod kind;
mod search;

pub use bmc::WordBmc;
pub use imc::WordImc;
pub use kind::WordInduction;

use crate::contract::{AutomatonOutcome, Context, UnknownReason};
use wedge_logic::{Substitution, Term, TermStore, Value};
use wedge_model::Cfa;
use wedge_model::cfa::{BlockOptions, CutInvariants, SingleLoop, run, single_loop};
use wedge_model::{WordStep, WordTrace};
use wedge_sat::InterpolationSystem;
use wedge_smt::projection::{Limits, forall};
use wedge_smt::{Interpolation, Method, Solver};

/// No run is longer.
const MAX_EDGES: usize = 10_000_000;

/// The transition system of an automaton, with terms that grow.
struct Words<'a> {
    cfa: &'a Cfa,
    single: SingleLoop,
    store: TermStore,
    /// A target is reached.
    bad: Term,
    /// What every step satisfies.
    constraint: Term,
}

/// The values of states and inputs at one time.
#[derive(Clone)]
struct Frame {
    states: Vec<Term>,
    inputs: Vec<Term>,
}

impl<'a> Words<'a> {
    fn new(cfa: &'a Cfa) -> Result<Words<'a>, UnknownReason> {
        let single = single_loop(cfa, &BlockOptions::default())
            .map_err(|error| UnknownReason::TooLarge(error.to_string()))?;
        let mut store = single.system.terms.clone();
        let bads: Vec<Term> = single.system.bads.iter().map(|bad| bad.term).collect();
        let bad = store.or_all(&bads);
        let constraint = store.and_all(&single.system.constraints);
        Ok(Words { cfa, single, store, bad, constraint })
    }

    /// New inputs for these states.
    fn frame(&mut self, states: Vec<Term>) -> Frame {
        let inputs = self.single.system.inputs.clone();
        let inputs = inputs.iter().map(|&input| self.copy(input)).collect();
        Frame { states, inputs }
    }

    fn copy(&mut self, variable: Term) -> Term {
        let name = self.store.name(variable).unwrap_or_default().to_string();
        let sort = self.store.sort(variable);
        self.store.fresh_var(&name, sort)
    }

    /// States with any values.
    fn any_states(&mut self) -> Vec<Term> {
        let variables: Vec<Term> = self.variables();
        variables.into_iter().map(|variable| self.copy(variable)).collect()
    }

    fn variables(&self) -> Vec<Term> {
        self.single.system.states.iter().map(|state| state.var).collect()
    }

    /// States as they are at the beginning.
    fn first_states(&mut self) -> Vec<Term> {
        let states = self.single.system.states.clone();
        // Only the program counter has an initial value, a constant.
        states.iter().map(|state| state.init.unwrap_or_else(|| self.copy(state.var))).collect()
    }

    /// I(s) over the state variables.
    fn initial(&mut self) -> Term {
        let states = self.single.system.states.clone();
        let set = states.iter().filter_map(|state| Some((state.var, state.init?)));
        let equal: Vec<Term> = set.map(|(variable, init)| self.store.eq(variable, init)).collect();
        self.store.and_all(&equal)
    }

    /// There is a path of at most so many states to a bad one, beginning with these.
    fn ahead(&mut self, states: &[Term], count: usize) -> Term {
        let mut frame = self.frame(states.to_vec());
        let mut reached = Vec::new();
        let mut path = self.store.bool(true);
        for _ in 0..count {
            let both = [self.bad, self.constraint];
            let both = self.at(&frame, &both);
            path = self.store.and(path, both[1]);
            reached.push(self.store.and(path, both[0]));
            let states = self.next_states(&frame);
            frame = self.frame(states);
        }
        self.store.or_all(&reached)
    }

    /// What holds of a state whatever the inputs are; none if these cannot be removed.
    fn for_all_inputs(&mut self, term: Term, context: &Context) -> Option<Term> {
        let variables = self.variables();
        let is_input = |v: &Term| !variables.contains(v);
        let inputs: Vec<Term> =
            self.store.free_vars(&[term]).into_iter().filter(is_input).collect();
        forall(&mut self.store, &inputs, term, &Limits::default(), &context.interrupt()).ok()
    }

    /// The terms with the values of a frame for their variables.
    fn at(&mut self, frame: &Frame, terms: &[Term]) -> Vec<Term> {
        let states = self.variables().into_iter().zip(frame.states.clone());
        let inputs = self.single.system.inputs.iter().copied().zip(frame.inputs.clone());
        let mut substitution = Substitution::new(states.chain(inputs));
        terms.iter().map(|&term| substitution.apply(&mut self.store, term)).collect()
    }

    /// The states after a step.
    fn next_states(&mut self, frame: &Frame) -> Vec<Term> {
        let states = self.single.system.states.clone();
        let next: Vec<Term> =
            states.iter().map(|state| state.next.unwrap_or_else(|| self.copy(state.var))).collect();
        self.at(frame, &next)
    }

    /// The same states in both.
    fn equal(&mut self, left: &[Term], right: &[Term]) -> Term {
        let equal: Vec<Term> = left.iter().zip(right).map(|(&a, &b)| self.store.eq(a, b)).collect();
        self.store.and_all(&equal)
    }

    /// The run along frames whose values the solver has.
    fn run(&self, frames: &[Frame], solver: &mut Solver) -> AutomatonOutcome {
        let mut values = |terms: &[Term]| -> Vec<Value> {
            let value = |&term: &Term| solver.value(&self.store, term).expect("a model was found");
            terms.iter().map(value).collect()
        };
        let steps = frames
            .iter()
            .map(|frame| WordStep { states: values(&frame.states), inputs: values(&frame.inputs) })
            .collect();
        match run::run(self.cfa, &self.single, &WordTrace { steps }, MAX_EDGES) {
            Ok(run) => AutomatonOutcome::Unsafe(run),
            Err(error) => AutomatonOutcome::Unknown(UnknownReason::Internal(error.to_string())),
        }
    }

    /// The formula over the state variables, by cut point.
    fn proof(mut self, invariant: Term) -> AutomatonOutcome {
        let mut invariants = Vec::new();
        for (number, &cut) in self.single.cuts.clone().iter().enumerate() {
            let formula = match (number, self.single.pc) {
                (0, _) => self.store.bool(true),
                (_, None) => invariant,
                (_, Some(pc)) => {
                    let here = self.store.number(self.store.width(pc), number as u64);
                    self.store.substitute(invariant, &[(pc, here)])
                }
            };
            invariants.push((cut, formula));
        }
        AutomatonOutcome::Safe(CutInvariants { terms: self.store, invariants })
    }
}

/// Interpolants of one proof.
fn interpolation(system: InterpolationSystem, lift: bool) -> Interpolation {
    Interpolation { system, method: Method::Sequence, lift }
}
