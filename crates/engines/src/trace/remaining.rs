//! The words that are not refuted yet, as an automaton whose states have formulas, and what has
//! been proven by taking words away.
//!
//! A state says what holds wherever a word leads to it. A pair of a difference says what both of its
//! parts say, states that a minimisation makes one say one of what they said. Dead pairs leave the
//! automaton, but runs still lead to them, so that they are part of the proof: all their steps lead to
//! dead pairs, now or earlier, or nowhere.

use crate::automata::{Automaton, Colour, Difference, Letter, State, minimise};
use crate::paths::{Blocked, Goal, Graph, PlaceId, StepId};
use wedge_logic::Term;
use wedge_model::cfa::TargetKind;

pub const ERROR: Colour = Colour(0);
pub const LIMIT: Colour = Colour(1);

pub struct Remaining {
    pub automaton: Automaton,
    formulas: Vec<Term>,
    /// What runs lead to at places besides the entry.
    proven: Vec<(PlaceId, Term)>,
}

impl Remaining {
    /// All words to targets.
    pub fn all(blocked: &Blocked) -> Remaining {
        let mut automaton = Automaton::new();
        let mut formulas = vec![blocked.place(Blocked::ENTRY).facts];
        for place in &blocked.places[1..] {
            automaton.add_state(None);
            formulas.push(place.facts);
        }
        let [error, limit] = [ERROR, LIMIT].map(|colour| automaton.add_state(Some(colour)));
        formulas.extend([formulas[0]; 2]);
        for (step, letter) in blocked.steps.iter().zip(0..) {
            let to = match step.to {
                Goal::Place(to) => State(to.0),
                Goal::Target(TargetKind::Error) => error,
                Goal::Target(TargetKind::Limit | TargetKind::Refused) => limit,
            };
            automaton.add_transition(State(step.from.0), Letter(letter), to);
        }
        Remaining { automaton, formulas, proven: Vec::new() }
    }

    /// Where the words go on from a state; none at the end of words.
    fn place(&self, blocked: &Blocked, state: State) -> Option<PlaceId> {
        let (letter, _) = self.automaton.transitions(state).first()?;
        Some(blocked.step(StepId(letter.0)).from)
    }

    /// Goes on with a difference.
    pub fn replace(
        &mut self,
        blocked: &mut Blocked,
        difference: Difference,
        formulas: impl Fn(State) -> Term,
    ) {
        let said = |blocked: &mut Blocked, (left, right): (State, State)| {
            blocked.store.and(self.formulas[left.index()], formulas(right))
        };
        for &pair in &difference.dead {
            let formula = said(blocked, pair);
            // A state without transitions is a place that is not left, or a target.
            if let Some(place) = self.place(blocked, pair.0) {
                self.proven.push((place, formula));
            }
        }
        let formulas = difference.pairs.iter().map(|&pair| said(blocked, pair)).collect();
        self.formulas = formulas;
        self.automaton = difference.automaton;
    }

    /// What has been proven as a graph with one node per place.
    ///
    /// Requires: no word is left.
    pub fn unfold(&self, blocked: &mut Blocked, graph: &mut Graph) {
        let mut said = vec![Vec::new(); blocked.places.len()];
        self.proven.iter().for_each(|&(place, formula)| said[place.index()].push(formula));
        let always = blocked.store.bool(true);
        said[Blocked::ENTRY.index()] = vec![always];
        let formula =
            |(said, index): (&Vec<Term>, u32)| (PlaceId(index), blocked.store.or_all(said));
        let nodes: Vec<(PlaceId, Term)> = said.iter().zip(0..).map(formula).collect();
        let mut steps = vec![Vec::new(); blocked.places.len()];
        for (step, id) in blocked.steps.iter().zip((0..).map(StepId)) {
            if let Goal::Place(to) = step.to
                && !said[to.index()].is_empty()
            {
                steps[step.from.index()].push((id, to.index()));
            }
        }
        graph.unfold(&nodes, &steps);
    }

    pub fn minimise(&mut self, blocked: &mut Blocked) {
        let (automaton, class) = minimise(&self.automaton);
        let mut said = vec![Vec::new(); automaton.len()];
        for (class, &formula) in class.iter().zip(&self.formulas) {
            said[class.index()].push(formula);
        }
        self.formulas = said.iter().map(|said| blocked.store.or_all(said)).collect();
        self.automaton = automaton;
    }
}
