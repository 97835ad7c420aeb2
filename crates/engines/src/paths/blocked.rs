//! An automaton in blocks, as path engines walk over it: places joined by steps.
//!
//! A place is a cut point. A step leads from it to another place or to a target; it is a guarded
//! parallel assignment with inputs, as an edge is, and stands for all ways between the two. The
//! guards of the steps from one place exclude one another.

use super::config::BlockSize;
use crate::contract::UnknownReason;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Term, TermStore};
use wedge_model::Cfa;
use wedge_model::cfa::dataflow::{Precision, analyse};
use wedge_model::cfa::{
    Block, BlockOptions, Cuts, EdgeId, Exit, Liveness, LocationId, TargetKind, blocks,
};
use wedge_smt::{Decider, StepId, Triples};

/// How many terms the blocks of an automaton may have.
const MAX_TERMS: usize = 20_000_000;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlaceId(pub u32);

impl PlaceId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a step leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    Place(PlaceId),
    Target(TargetKind),
}

#[derive(Clone, Debug)]
pub struct Step {
    pub from: PlaceId,
    pub to: Goal,
    /// Over the variables and inputs of the automaton.
    pub guard: Term,
    /// Variables with their new values; the others keep theirs, or are not read any more.
    pub updates: Vec<(Term, Term)>,
    /// The inputs that guard and updates read.
    pub inputs: Vec<Term>,
}

#[derive(Clone, Debug)]
pub struct Place {
    pub location: LocationId,
    /// The steps from here, those to errors first, then those to limits.
    pub steps: Vec<StepId>,
    /// What an analysis of the program says about every state here; true if nothing was asked.
    pub facts: Term,
}

/// `store` extends that of the automaton.
pub struct Blocked<'a> {
    pub cfa: &'a Cfa,
    pub store: TermStore,
    /// The first is that of the entry.
    pub places: Vec<Place>,
    pub steps: Vec<Step>,
    /// Copies of variables and inputs, by the place of the step that makes them.
    copies: FxHashMap<(Term, usize), Term>,
    /// The places from which a target can be reached in the graph.
    is_useful: Vec<bool>,
    live: Liveness,
    /// The place of each variable among those of the automaton.
    variables: FxHashMap<Term, usize>,
}

impl<'a> Blocked<'a> {
    /// Steps to places from which no target can be reached are left out if `prune` says so.
    pub fn new(cfa: &'a Cfa, size: BlockSize, prune: bool) -> Result<Blocked<'a>, UnknownReason> {
        let cuts = match size {
            BlockSize::Loops => Cuts::Heads,
            BlockSize::Edge => Cuts::Everywhere,
            BlockSize::AtMost(edges) => Cuts::AtMost(edges),
        };
        let options = BlockOptions { cuts, max_terms: MAX_TERMS };
        let made =
            blocks(cfa, &options).map_err(|error| UnknownReason::TooLarge(error.to_string()))?;
        let mut blocked = Blocked {
            cfa,
            store: made.terms,
            places: Vec::new(),
            steps: Vec::new(),
            copies: FxHashMap::default(),
            is_useful: Vec::new(),
            live: made.live,
            variables: cfa.variables.iter().copied().zip(0..).collect(),
        };
        let always = blocked.store.bool(true);
        let place_of: FxHashMap<LocationId, PlaceId> =
            made.blocks.iter().zip(0..).map(|(block, i)| (block.cut, PlaceId(i))).collect();
        for block in &made.blocks {
            let place = Place { location: block.cut, steps: Vec::new(), facts: always };
            blocked.places.push(place);
        }
        let useful = useful(&blocked.store, &made.blocks, &place_of);
        let outgoing = cfa.outgoing();
        let inputs: FxHashSet<Term> = cfa.inputs.iter().copied().collect();
        for (block, from) in made.blocks.iter().zip((0..).map(PlaceId)) {
            let targets = [(block.error, TargetKind::Error), (block.limit, TargetKind::Limit)];
            for (guard, kind) in targets {
                blocked.add(from, Goal::Target(kind), guard, Vec::new(), &inputs);
            }
            let mut exits: Vec<&Exit> = block.exits.iter().collect();
            if size == BlockSize::Edge {
                // In the order of the automaton.
                exits.sort_by_key(|exit| {
                    let leads_there = |&id: &EdgeId| cfa.edge(id).to == exit.to;
                    outgoing[block.cut.0 as usize].iter().position(leads_there)
                });
            }
            for exit in exits {
                let to = place_of[&exit.to];
                if useful[to.index()] || !prune {
                    let goal = Goal::Place(to);
                    blocked.add(from, goal, exit.condition, exit.values.clone(), &inputs);
                }
            }
        }
        blocked.is_useful = useful;
        Ok(blocked)
    }

    /// The number of the function that a place belongs to, if it is known.
    pub fn function(&self, place: PlaceId) -> Option<u32> {
        self.cfa.locations[self.place(place).location.0 as usize].function
    }

    /// Whether no target can be reached from a place in the graph.
    pub fn is_harmless(&self, place: PlaceId) -> bool {
        !self.is_useful[place.index()]
    }

    /// Whether a formula can be asserted at a place: steps say what becomes of variables only where
    /// these are live.
    pub fn is_known_at(&self, place: PlaceId, formula: Term) -> bool {
        let location = self.place(place).location;
        let known = |variable: &usize| self.live.is_live(location, *variable);
        let variables = self.store.free_vars(&[formula]);
        variables.iter().all(|variable| self.variables.get(variable).is_some_and(known))
    }

    fn add(
        &mut self,
        from: PlaceId,
        to: Goal,
        guard: Term,
        updates: Vec<(Term, Term)>,
        is_input: &FxHashSet<Term>,
    ) {
        if self.is_false(guard) {
            return;
        }
        let roots: Vec<Term> = updates.iter().map(|&(_, value)| value).chain([guard]).collect();
        let mut inputs = self.store.free_vars(&roots);
        inputs.retain(|input| is_input.contains(input));
        self.places[from.index()].steps.push(StepId(self.steps.len() as u32));
        self.steps.push(Step { from, to, guard, updates, inputs });
    }

    /// Asks the data-flow analysis what holds at each place; nothing if it takes too long.
    pub fn add_facts(&mut self, stop: &dyn Fn() -> bool) {
        let Some(analysis) = analyse(self.cfa, Precision::Quick, stop) else { return };
        for place in self.places.iter_mut().skip(1) {
            let facts = analysis.facts(&mut self.store, place.location);
            place.facts = self.store.and_all(&facts);
        }
    }

    /// The copy of a variable or input that the step with this place on a path makes. It is always
    /// the same, so that paths with a common beginning have common formulas.
    pub fn copy(&mut self, variable: Term, place: usize) -> Term {
        let store = &mut self.store;
        *self.copies.entry((variable, place)).or_insert_with(|| {
            let name = format!("{}@{place}", store.name(variable).unwrap_or_default());
            store.var(name, store.sort(variable))
        })
    }

    /// The copy, if it was ever made.
    pub fn known_copy(&self, variable: Term, place: usize) -> Option<Term> {
        self.copies.get(&(variable, place)).copied()
    }

    pub fn step(&self, step: StepId) -> &Step {
        &self.steps[step.0 as usize]
    }

    pub fn place(&self, place: PlaceId) -> &Place {
        &self.places[place.index()]
    }

    pub const ENTRY: PlaceId = PlaceId(0);

    pub fn is_false(&self, term: Term) -> bool {
        self.store.value(term).is_some_and(|value| value.is_zero())
    }

    pub fn is_true(&self, term: Term) -> bool {
        self.store.value(term).is_some_and(|value| value.is_one())
    }

    /// All steps, each with its number, for Hoare triples.
    pub fn triples(&self, decider: Decider) -> Triples {
        let mut triples = Triples::over(decider);
        for step in &self.steps {
            triples.add_step(step.guard, &step.updates);
        }
        triples
    }
}

/// For each block whether a target can be reached from it in the graph.
fn useful(
    store: &TermStore,
    blocks: &[Block],
    place_of: &FxHashMap<LocationId, PlaceId>,
) -> Vec<bool> {
    let never = |term: Term| store.value(term).is_some_and(|value| value.is_zero());
    let mut useful: Vec<bool> =
        blocks.iter().map(|block| !never(block.error) || !never(block.limit)).collect();
    let mut incoming = vec![Vec::new(); blocks.len()];
    for (from, block) in blocks.iter().enumerate() {
        for exit in block.exits.iter().filter(|exit| !never(exit.condition)) {
            incoming[place_of[&exit.to].index()].push(from);
        }
    }
    let mut open: Vec<usize> = (0..blocks.len()).filter(|&block| useful[block]).collect();
    while let Some(block) = open.pop() {
        for &from in &incoming[block] {
            if !std::mem::replace(&mut useful[from], true) {
                open.push(from);
            }
        }
    }
    useful
}
