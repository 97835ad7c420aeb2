//! Lemmas that hold in all reached states, until they are an inductive invariant.

use super::Explicit;
use super::explore::{Bad, Exploration};
use super::reached::Literal;
use crate::contract::{Context, Outcome, UnknownReason};
use crate::figures;
use crate::pdr::PdrConfig;
use crate::pdr::extend::Extended;
use crate::pdr::initial::complete;
use crate::pdr::lift::{CubeLifter, Leaf};
use crate::pdr::solvers::{INFINITY, Solvers};
use crate::pdr::transition::Transition;
use std::collections::VecDeque;
use wedge_logic::Lit;
use wedge_model::Predicate;
use wedge_sat::{Answer, light};

pub struct Learner<'a> {
    extended: &'a Extended,
    transition: &'a Transition,
    context: &'a Context,
    config: PdrConfig,
    solvers: Solvers<'a, light::Solver>,
    lifter: CubeLifter<'a>,
    exploration: Exploration<'a>,
    /// The cubes that are blocked.
    lemmas: Vec<Vec<Literal>>,
    /// The lemmas that are not known to be inductive relative to all of them.
    open: VecDeque<Vec<Literal>>,
    /// The lemmas are not known to exclude all bad states.
    is_bad_open: bool,
    learned: usize,
    /// Of solvers that were replaced.
    queries: u64,
    seconds: f64,
}

type Step<T> = Result<T, UnknownReason>;

impl<'a> Learner<'a> {
    pub fn new(
        engine: &Explicit,
        extended: &'a Extended,
        transition: &'a Transition,
        context: &'a Context,
    ) -> Learner<'a> {
        let config = engine.config.clone();
        let limits = (engine.max_states, engine.max_bound);
        Learner {
            extended,
            transition,
            context,
            solvers: Solvers::new(&extended.circuit, transition, &config, &context.interrupt()),
            config,
            lifter: CubeLifter::new(extended),
            exploration: Exploration::new(extended, context, limits),
            lemmas: Vec::new(),
            open: VecDeque::new(),
            is_bad_open: true,
            learned: 0,
            queries: 0,
            seconds: 0.0,
        }
    }

    pub fn run(&mut self) -> Step<Outcome> {
        // I ∧ C
        match self.solvers.initial_state(&[]) {
            Answer::Stopped => return Err(self.context.stop_reason()),
            Answer::Unsat => {
                let none = Predicate::constant(false, self.extended.latches);
                return Ok(Outcome::Safe(none));
            }
            Answer::Sat => self.add_initial(),
        }
        loop {
            self.record();
            let target = match self.next_target()? {
                Some(target) => target,
                None => return Ok(Outcome::Safe(self.invariant())),
            };
            if let Some(bad) = self.answer(target)? {
                return Ok(Outcome::Unsafe(self.exploration.trace(bad)));
            }
        }
    }

    /// Asks until the lemmas are left, or a bad state is reached from them; the last model is of the
    /// way. None inside means a bad state, otherwise it is the cube of a lemma.
    fn next_target(&mut self) -> Step<Option<Option<Vec<Literal>>>> {
        if self.is_bad_open {
            // L ∧ C ∧ bad
            match self.solvers.bad(INFINITY) {
                Answer::Stopped => return Err(self.context.stop_reason()),
                Answer::Sat => return Ok(Some(None)),
                Answer::Unsat => self.is_bad_open = false,
            }
        }
        while let Some(cube) = self.open.front() {
            let lits = literals(self.transition, cube);
            // L ∧ C ∧ T ∧ cube'
            match self.solvers.predecessor(&lits, INFINITY) {
                Answer::Stopped => return Err(self.context.stop_reason()),
                Answer::Sat => return Ok(Some(Some(cube.clone()))),
                Answer::Unsat => self.open.pop_front(),
            };
        }
        Ok(None)
    }

    /// Blocks the states that lead to the target, or reaches it; a counterexample if it is a bad state.
    fn answer(&mut self, target: Option<Vec<Literal>>) -> Step<Option<Bad>> {
        let (cube, inputs) = self.lifted(target.as_deref());
        let before = self.exploration.reached.len();
        let bad = match (self.exploration.reached.find(&cube, 0), target) {
            (Some(state), None) => return Ok(Some(Bad { state, letter: inputs })),
            (Some(state), Some(_)) => self.exploration.add_letter(inputs, state)?,
            (None, _) => self.exploration.try_letter(&inputs)?,
        };
        if bad.is_some() {
            return Ok(bad);
        }
        if self.exploration.reached.len() > before {
            return self.grow(before);
        }
        self.block(&cube)
    }

    /// Goes on with new states, from this number on.
    fn grow(&mut self, before: usize) -> Step<Option<Bad>> {
        if let Some(bad) = self.exploration.explore()? {
            return Ok(Some(bad));
        }
        let reached = &self.exploration.reached;
        let count = self.lemmas.len();
        self.lemmas.retain(|cube| reached.find(cube, before).is_none());
        if self.lemmas.len() < count {
            self.start_again();
        }
        Ok(None)
    }

    /// Learns a lemma that excludes a cube in which no state is reached.
    fn block(&mut self, cube: &[Literal]) -> Step<Option<Bad>> {
        let lemma = self.exploration.reached.excluding(cube);
        let lits = literals(self.transition, &lemma);
        // I ∧ C ∧ cube
        match self.solvers.initial_state(&lits) {
            Answer::Stopped => return Err(self.context.stop_reason()),
            Answer::Sat => {
                let before = self.exploration.reached.len();
                self.add_initial();
                return self.grow(before);
            }
            Answer::Unsat => {}
        }
        self.learned += 1;
        self.solvers.add_lemma(&lits, 1, INFINITY);
        self.lemmas.push(lemma.clone());
        self.open.push_back(lemma);
        Ok(None)
    }

    /// New solvers, with the lemmas that are left. None of them is known to be inductive.
    fn start_again(&mut self) {
        let interrupt = self.context.interrupt();
        self.queries += self.solvers.queries;
        self.seconds += self.solvers.seconds;
        let circuit = &self.extended.circuit;
        self.solvers = Solvers::new(circuit, self.transition, &self.config, &interrupt);
        for lemma in &self.lemmas {
            self.solvers.add_lemma(&literals(self.transition, lemma), 1, INFINITY);
        }
        self.open = self.lemmas.iter().cloned().collect();
        self.is_bad_open = true;
    }

    /// Adds the initial state of the last model.
    fn add_initial(&mut self) {
        let circuit = &self.extended.circuit;
        let solvers = &mut self.solvers;
        let value = |latch| solvers.value(self.transition.latch(latch));
        let given: Vec<Option<bool>> = (0..circuit.latches.len()).map(value).collect();
        self.exploration.add_initial(complete(circuit, &given));
    }

    /// States that reach the target of the last model with the same inputs, and these.
    fn lifted(&mut self, target: Option<&[Literal]>) -> (Vec<Literal>, Vec<bool>) {
        let circuit = &self.extended.circuit;
        let next = |&(latch, value): &Literal| circuit.latches[latch].next.xor(!value);
        let mut targets = match target {
            Some(cube) => cube.iter().map(next).collect(),
            None => vec![circuit.bad],
        };
        targets.extend(&circuit.constraints);
        let (transition, solvers) = (self.transition, &mut self.solvers);
        let inputs: Vec<bool> = (0..circuit.inputs.len())
            .map(|input| solvers.value(transition.input(input)) == Some(true))
            .collect();
        let value = |leaf: Leaf| match leaf {
            Leaf::Latch(latch) => solvers.value(transition.latch(latch)) == Some(true),
            Leaf::Input(input) => inputs[input],
        };
        let weight = |latch: usize| if self.extended.is_signal(latch) { 1.0 } else { 0.0 };
        let (lifting, extra) = (self.config.lifting, self.config.extra_signals);
        let cube = self.lifter.lift(targets.into_iter(), value, weight, lifting, extra);
        (cube, inputs)
    }

    /// The conjunction of the lemmas, signals replaced by their definitions.
    fn invariant(&self) -> Predicate {
        let (mut aig, latches) = self.extended.over_latches();
        let mut clauses = Vec::new();
        for cube in &self.lemmas {
            let literals = cube.iter().map(|&(latch, value)| latches[latch].xor(value));
            let literals: Vec<Lit> = literals.collect();
            clauses.push(aig.or_all(&literals));
        }
        let root = aig.and_all(&clauses);
        Predicate { aig, root }
    }

    pub fn record(&self) {
        let exploration = &self.exploration;
        self.context.record(|f| {
            f.bound = self.lemmas.len();
            f.queries = self.queries + self.solvers.queries;
            f.solver_seconds = self.seconds + self.solvers.seconds;
            f.set(figures::LEMMAS, self.learned as f64);
            f.set(figures::REACHED_STATES, exploration.reached.len() as f64);
            f.set(figures::LETTERS, exploration.letters.len() as f64);
        });
    }
}

/// A cube in the variables of the transition relation.
fn literals(transition: &Transition, cube: &[Literal]) -> Vec<light::Lit> {
    cube.iter().map(|&(latch, value)| transition.latch(latch).xor(!value)).collect()
}
