//! Automata that are given by hand, with one trace.

use std::time::Duration;
use wedge_engines::Context;
use wedge_engines::paths::newton::Cores;
use wedge_engines::paths::{
    BlockSize, Blocked, CoreGrain, Goal, Infeasible, Newton, Source, StepId, Variant,
};
use wedge_logic::Term;
use wedge_model::Cfa;
use wedge_model::cfa::{Edge, LocationId, Target, TargetKind};
use wedge_sat::Interrupt;
use wedge_smt::Decider;
use wedge_smt::{Interpolation, Triples};

pub fn context() -> Context {
    Context::new(Some(Duration::from_secs(60)))
}

pub fn newton(variant: Variant, grain: CoreGrain, context: &Context) -> Newton {
    let cores = Cores::built_in(&context.interrupt());
    Newton::new(variant, grain, Interpolation::default(), cores, context)
}

pub fn variant(name: &str) -> Variant {
    Variant::all().into_iter().find(|variant| variant.to_string() == name).expect("a variant")
}

/// From a location to another, a guard, and updates.
pub type Statement = (u32, u32, Option<Term>, Vec<(Term, Term)>);

pub struct Example {
    pub cfa: Cfa,
    /// The locations of the trace, to the error.
    trace: Vec<LocationId>,
}

impl Example {
    /// The error is the location with the largest number.
    pub fn new(mut cfa: Cfa, statements: Vec<Statement>, path: &[u32]) -> Example {
        let last = statements.iter().map(|s| s.0.max(s.1)).max().unwrap_or(0);
        for _ in 0..last {
            cfa.add_location(None);
        }
        let always = cfa.terms.bool(true);
        for (from, to, guard, updates) in statements {
            let (from, to, guard) = (LocationId(from), LocationId(to), guard.unwrap_or(always));
            cfa.add_edge(Edge { from, to, guard, updates, origin: None });
        }
        let (name, location) = ("error".to_string(), LocationId(last));
        cfa.targets.push(Target { location, kind: TargetKind::Error, name });
        cfa.check().expect("well-formed");
        Example { cfa, trace: path.iter().map(|&n| LocationId(n)).collect() }
    }

    /// The automaton with one step per statement, and the steps of the trace.
    pub fn blocked(&self) -> (Blocked<'_>, Vec<StepId>) {
        let blocked = Blocked::new(&self.cfa, BlockSize::Edge, true).expect("small");
        let error = self.cfa.targets[0].location;
        let location = |goal: Goal| match goal {
            Goal::Place(place) => blocked.place(place).location,
            Goal::Target(_) => error,
        };
        let mut place = Blocked::ENTRY;
        let mut steps = Vec::new();
        for &next in &self.trace[1..] {
            let mut all = blocked.place(place).steps.iter();
            let step = all.find(|&&id| location(blocked.step(id).to) == next).expect("a step");
            steps.push(*step);
            if let Goal::Place(to) = blocked.step(*step).to {
                place = to;
            }
        }
        (blocked, steps)
    }

    /// The assertions of a variant, for all steps of the trace.
    pub fn sequence(&self, variant: Variant) -> (Blocked<'_>, Vec<StepId>, Vec<Term>) {
        let (mut blocked, steps) = self.blocked();
        let context = context();
        let mut source = newton(variant, CoreGrain::Statements, &context);
        let path = Infeasible::whole(&blocked, steps);
        let found = source.assertions(&mut blocked, &path, &context.interrupt());
        (blocked, path.steps, found.expect("assertions"))
    }
}

/// Definition 3.2: φ₀ = true, {φᵢ} stepᵢ₊₁ {φᵢ₊₁}, φₙ = false, each over variables.
pub fn assert_inductive(blocked: &mut Blocked, steps: &[StepId], sequence: &[Term], which: &str) {
    assert_eq!(sequence.len(), steps.len() + 1, "{which}");
    assert!(blocked.is_true(sequence[0]) && blocked.is_false(sequence[steps.len()]), "{which}");
    assert_consecutive(blocked, steps, sequence, which);
}

pub fn assert_consecutive(blocked: &mut Blocked, steps: &[StepId], sequence: &[Term], which: &str) {
    let mut triples = blocked.triples(Decider::bits(&Interrupt::default()));
    for (place, &step) in steps.iter().enumerate() {
        let (before, after) = (sequence[place], sequence[place + 1]);
        let verdict = triples.triple(&mut blocked.store, before, step, after);
        assert!(verdict.holds(), "{which} at {place}: {verdict:?}");
        let free = blocked.store.free_vars(&[after]);
        let variables = &blocked.cfa.variables;
        assert!(free.iter().all(|v| variables.contains(v)), "{which} at {place}");
    }
}

pub fn equivalent(blocked: &mut Blocked, left: Term, right: Term) -> bool {
    let mut triples = Triples::new(&Interrupt::default());
    triples.equivalence(&mut blocked.store, left, right).holds()
}
