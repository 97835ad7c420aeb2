//! Follows the automaton with all inputs 0 for a while. If no target can be reached in its graph at
//! all, the program is safe; nothing else is proved.

use wedge_engines::{AutomatonEngine, AutomatonOutcome, Context, UnknownReason};
use wedge_logic::{Term, Value};
use wedge_model::cfa::run::{Oracle, follow};
use wedge_model::cfa::{Cfa, CutInvariants, EdgeId, LocationId};

/// No run is followed for longer.
const MAX_EDGES: usize = 10_000;

pub struct Straight;

impl AutomatonEngine for Straight {
    fn run(&self, automaton: &Cfa, context: &Context) -> AutomatonOutcome {
        if automaton.targets.is_empty() || is_cut_off(automaton) {
            return AutomatonOutcome::Safe(everything(automaton));
        }
        let mut oracle = Zeros { automaton };
        match follow(automaton, &mut oracle, MAX_EDGES) {
            Ok(run) if run.target.is_some() => AutomatonOutcome::Unsafe(run),
            _ => {
                let gave_up = UnknownReason::BoundReached(MAX_EDGES);
                AutomatonOutcome::Unknown(context.interrupted().unwrap_or(gave_up))
            }
        }
    }
}

/// Whether no path leads from the entry to a target.
fn is_cut_off(automaton: &Cfa) -> bool {
    let outgoing = automaton.outgoing();
    let mut seen = vec![false; automaton.locations.len()];
    let mut stack = vec![automaton.entry];
    while let Some(location) = stack.pop() {
        if !std::mem::replace(&mut seen[location.0 as usize], true) {
            stack.extend(outgoing[location.0 as usize].iter().map(|&edge| automaton.edge(edge).to));
        }
    }
    automaton.targets.iter().all(|target| !seen[target.location.0 as usize])
}

/// Every location is a cut point at which everything is possible.
fn everything(automaton: &Cfa) -> CutInvariants {
    let mut terms = automaton.terms.clone();
    let always = terms.bool(true);
    let locations = (0..automaton.locations.len() as u32).map(LocationId);
    let is_target =
        |location: &LocationId| automaton.targets.iter().any(|target| target.location == *location);
    let invariants = locations.filter(|l| !is_target(l)).map(|l| (l, always)).collect();
    CutInvariants { terms, invariants }
}

struct Zeros<'a> {
    automaton: &'a Cfa,
}

impl Oracle for Zeros<'_> {
    fn initial(&mut self, variable: Term) -> Value {
        Value::zero(self.automaton.terms.sort(variable))
    }

    fn input(&mut self, input: Term) -> Value {
        Value::zero(self.automaton.terms.sort(input))
    }

    fn taken(&mut self, _: EdgeId, _: &[Term]) {}

    fn reached(&mut self, _: LocationId) -> bool {
        true
    }
}
