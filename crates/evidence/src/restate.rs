//! Invariants over bits, said again with words.
//!
//! An engine's invariant is a graph over latches. What it says about words (comparisons, known low
//! bits, sums and differences) is found out by asking a solver, so whatever is said here follows
//! from the invariant ([`wedge_smt::words`]). Often those facts are an invariant by themselves: the
//! ones that exclude the bad states, those that they need to be inductive, and so on, are collected
//! until nothing is missing, and the result has to pass [`check_invariant`] like any other.

use crate::invariant::check_invariant;
use std::time::{Duration, Instant};
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};
use wedge_model::{Circuit, Predicate, Words};
use wedge_sat::gates::{Frame, Gates};
use wedge_sat::{Interrupt, Session};
use wedge_smt::words::{self, Effort, Fact, Level, Set, View, Vocabulary, closed, implied, reduce};

/// What all questions about one invariant may take.
const TIME: Duration = Duration::from_secs(4);
const CONFLICTS: i32 = 5000;

/// What an invariant says about words.
pub struct Restated {
    vocabulary: Vocabulary,
    /// What follows from the invariant, the preferred facts first.
    facts: Vec<Fact>,
    session: Session,
    state: Vec<i32>,
    view: View,
    effort: Effort,
}

impl Restated {
    /// Facts about those words, given by number, that `is_usable`; those of a small rank are
    /// preferred. None if they cannot be found with moderate effort.
    pub fn new(
        invariant: &Predicate,
        words: &Words,
        is_usable: impl Fn(usize) -> bool,
        rank: impl Fn(&Fact) -> u32,
        interrupt: &Interrupt,
    ) -> Option<Restated> {
        let latches = invariant.aig.num_inputs();
        let mut session = Session::light(interrupt);
        let state: Vec<i32> = (0..latches).map(|_| session.new_var()).collect();
        let inside = View::new(&state).literal(&invariant.aig, invariant.root, &mut session);
        let control = words.words.iter().position(|word| word.is_control);
        let bits = words.words.iter().map(|word| word.bits.clone()).collect();
        let mut vocabulary = Vocabulary::new(latches, bits, control, &words.constants);
        let is_read = inputs_of(invariant);
        let mut relevant = vocabulary.reading(|index| is_read[index]);
        relevant.retain(|&word| is_usable(word));
        let effort = Effort { deadline: Instant::now() + TIME, conflicts: CONFLICTS };
        let mut view = View::new(&state);
        let assumptions = vec![inside];
        let mut set = Set { session: &mut session, view: &mut view, assumptions, effort };
        let mut facts = implied(&mut set, &mut vocabulary, &relevant, Level::Bounds).ok()?;
        facts.sort_by_key(|fact| (rank(fact), fact.strength()));
        Some(Restated { vocabulary, facts, session, state, view, effort })
    }

    /// Facts that together are an inductive invariant of the circuit that excludes its bad states,
    /// by the checker of invariants.
    pub fn proof(&mut self, circuit: &Circuit, interrupt: &Interrupt) -> Option<Vec<Fact>> {
        if circuit.latches.len() != self.state.len() {
            return None;
        }
        let mut step = Step::new(circuit, interrupt);
        let bad = vec![step.bad];
        let needed = step.reduced(bad, &mut self.vocabulary, &self.facts, self.effort)?;
        let mut asked = step.asked(self.effort);
        let needed = closed(&mut asked, &mut self.vocabulary, &self.facts, needed)?;
        let (aig, root) = self.vocabulary.conjunction(&needed);
        check_invariant(circuit, &Predicate { aig, root }, interrupt).ok()?;
        Some(needed)
    }

    /// Whether nothing more will be found out.
    pub fn is_spent(&self) -> bool {
        Instant::now() >= self.effort.deadline
    }

    /// Facts from which a set of states follows where the control word has this value.
    pub fn covering(&mut self, part: &Aig, root: Lit, place: Option<u64>) -> Option<Vec<Fact>> {
        let facts: Vec<Fact> = self.facts.iter().filter(|f| speaks_of(f, place)).cloned().collect();
        let inside = View::new(&self.state).literal(part, root, &mut self.session);
        let mut assumptions = vec![-inside];
        if let Some(place) = place {
            let here = self.vocabulary.at(place);
            assumptions.push(self.view.literal(&self.vocabulary.aig, here, &mut self.session));
        }
        let (session, view) = (&mut self.session, &mut self.view);
        let mut set = Set { session, view, assumptions, effort: self.effort };
        reduce(&mut set, &mut self.vocabulary, &facts)
    }
}

/// Whether a fact says something about the states with this value of the control word.
pub fn speaks_of(fact: &Fact, place: Option<u64>) -> bool {
    match fact {
        Fact::Atom { place: own, .. } => own.is_none() || *own == place,
        Fact::Places(_) => true,
    }
}

/// By input of the graph, whether the predicate reads it.
fn inputs_of(predicate: &Predicate) -> Vec<bool> {
    let aig = &predicate.aig;
    let cone = aig.cone(&[predicate.root]);
    let mut is_read = vec![false; aig.num_inputs()];
    for node in (0..aig.len()).filter(|&node| cone[node]) {
        if let Node::Input(index) = aig.node(node as u32) {
            is_read[index as usize] = true;
        }
    }
    is_read
}

/// s and s' with C(s) and T(s,s').
struct Step {
    session: Session,
    bad: i32,
    /// C(s')
    constraints_after: Vec<i32>,
    over_before: View,
    over_after: View,
}

impl Step {
    fn new(circuit: &Circuit, interrupt: &Interrupt) -> Step {
        let mut session = Session::light(interrupt);
        let mut roots: Vec<Lit> = circuit.latches.iter().map(|latch| latch.next).collect();
        roots.extend(circuit.constraints.iter().copied().chain([circuit.bad]));
        let gates = Gates::new(&circuit.aig, &roots);
        let before: Vec<i32> = circuit.latches.iter().map(|_| session.new_var()).collect();
        let framed = |state: &[i32]| {
            let mut frame = Frame::new(&circuit.aig);
            circuit.latches.iter().zip(state).for_each(|(l, &lit)| frame.set(l.state, lit));
            frame
        };
        let mut now = framed(&before);
        for &constraint in &circuit.constraints {
            let holds = now.encode(&gates, &mut session, constraint);
            session.add_clause(&[holds]);
        }
        let next = |latch: &wedge_model::Latch| now.encode(&gates, &mut session, latch.next);
        let after: Vec<i32> = circuit.latches.iter().map(next).collect();
        let bad = now.encode(&gates, &mut session, circuit.bad);
        let mut then = framed(&after);
        let holds = |&constraint: &Lit| then.encode(&gates, &mut session, constraint);
        let constraints_after = circuit.constraints.iter().map(holds).collect();
        let (over_before, over_after) = (View::new(&before), View::new(&after));
        Step { session, bad, constraints_after, over_before, over_after }
    }

    /// The steps on paths that go on, to be asked about facts.
    fn asked(&mut self, effort: Effort) -> words::Step<'_> {
        let (before, after) = (&mut self.over_before, &mut self.over_after);
        let assumptions = self.constraints_after.clone();
        words::Step { session: &mut self.session, before, after, assumptions, effort, closes: true }
    }

    /// The facts at s that exclude what is assumed.
    fn reduced(
        &mut self,
        assumptions: Vec<i32>,
        vocabulary: &mut Vocabulary,
        facts: &[Fact],
        effort: Effort,
    ) -> Option<Vec<Fact>> {
        let (session, view) = (&mut self.session, &mut self.over_before);
        reduce(&mut Set { session, view, assumptions, effort }, vocabulary, facts)
    }
}
