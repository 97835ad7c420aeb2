//! The largest inductive part of what may hold at cut points, and a small part of that which
//! excludes the targets.
//!
//! Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001): candidates that do
//! not follow from those at the cut points before are dropped until all that is left does. If what
//! is left excludes the targets, the candidates that this needs, those that they need to be
//! inductive, and so on, are collected from unsat cores.
//!
//! A candidate may be about several locations, as a loop of a function that is called twice: it
//! holds at all of them or is dropped.

use super::paths::{Paths, imported};
use super::region::{Kind, Plan};
use crate::rejection::Rejection;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::float::Lowering;
use wedge_logic::{Term, TermStore, Value};
use wedge_model::Cfa;
use wedge_model::cfa::LocationId;
use wedge_sat::Interrupt;
use wedge_smt::{Answer, Solver};

/// Conflicts of one query; one that is not answered counts as one that does not hold.
const CONFLICTS: i32 = 20_000;

/// Something that may hold whenever a run comes to some places.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// For each location its formula, over the variables of the automaton.
    pub at: Vec<(LocationId, Term)>,
}

/// What is left.
#[derive(Clone, Debug)]
pub struct Largest {
    /// By number, the candidates that hold together.
    pub holds: Vec<usize>,
    /// Those of them that exclude the targets and are inductive, if there are such.
    pub proof: Option<Vec<usize>>,
}

/// The candidates, formulas of `store`, on an automaton that is cut at these locations and its
/// entry.
pub fn largest(
    cfa: &Cfa,
    cuts: &[LocationId],
    store: &TermStore,
    candidates: &[Candidate],
    interrupt: &Interrupt,
) -> Result<Largest, Rejection> {
    let mut search = Search::new(cfa, cuts, store, candidates, interrupt)?;
    search.regions()?;
    search.shrink()?;
    let proof = search.proof()?;
    let holds = (0..candidates.len()).filter(|&number| search.is_alive[number]).collect();
    Ok(Largest { holds, proof })
}

/// The runs from one cut point to the next ones.
struct Between {
    solver: Solver,
    /// The candidates at the beginning: number and formula.
    given: Vec<(usize, Term)>,
    /// For each end that is a cut point: when it is reached, and its candidates there.
    ends: Vec<(Term, Vec<(usize, Term)>)>,
    /// When targets are reached.
    targets: Vec<Term>,
}

struct Search<'a> {
    plan: Plan<'a>,
    terms: TermStore,
    is_input: FxHashSet<Term>,
    floats: Lowering,
    /// By location, the candidates there.
    at: FxHashMap<LocationId, Vec<(usize, Term)>>,
    is_alive: Vec<bool>,
    between: Vec<Between>,
    interrupt: &'a Interrupt,
}

impl<'a> Search<'a> {
    fn new(
        cfa: &'a Cfa,
        cuts: &[LocationId],
        store: &TermStore,
        candidates: &[Candidate],
        interrupt: &'a Interrupt,
    ) -> Result<Search<'a>, Rejection> {
        cfa.check().map_err(|error| Rejection::Malformed(error.to_string()))?;
        let mut terms = cfa.terms.clone();
        let is_variable: FxHashSet<Term> = cfa.variables.iter().copied().collect();
        let mut at: FxHashMap<LocationId, Vec<(usize, Term)>> = FxHashMap::default();
        for (number, candidate) in candidates.iter().enumerate() {
            for &(location, formula) in &candidate.at {
                let formula =
                    imported(store, formula, &mut terms, &is_variable).ok_or_else(|| {
                        Rejection::Malformed("a candidate reads what is no variable".into())
                    })?;
                at.entry(location).or_default().push((number, formula));
            }
        }
        let cuts = cuts.iter().copied().chain([cfa.entry]).collect();
        let plan = Plan::new(cfa, cuts);
        let is_input = cfa.inputs.iter().copied().collect();
        let is_alive = vec![true; candidates.len()];
        let (floats, between) = (Lowering::new(), Vec::new());
        Ok(Search { plan, terms, is_input, floats, at, is_alive, between, interrupt })
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.is_raised()
    }

    /// Makes the formulas of all regions that can be reached.
    fn regions(&mut self) -> Result<(), Rejection> {
        let mut open = vec![self.plan.cfa.entry];
        let mut seen: FxHashSet<LocationId> = open.iter().copied().collect();
        while let Some(cut) = open.pop() {
            if self.is_stopped() {
                return Err(Rejection::Stopped);
            }
            let region = self.plan.region(cut)?;
            let mut paths = Paths::new(self.plan.cfa, &region, &mut self.terms, &self.is_input);
            let (mut ends, mut targets) = (Vec::new(), Vec::new());
            for (number, node) in region.nodes.iter().enumerate() {
                let reached = paths.reached(number);
                let is_target = self.plan.targets.contains(&node.location);
                match node.kind {
                    Kind::Target => targets.push(reached),
                    Kind::Start if is_target => targets.push(reached),
                    Kind::Cut => {
                        let there = self.at.get(&node.location).cloned().unwrap_or_default();
                        let there = there.into_iter().map(|(n, f)| (n, paths.at(number, f)));
                        ends.push((reached, there.collect::<Vec<_>>()));
                        if seen.insert(node.location) {
                            open.push(node.location);
                        }
                    }
                    Kind::Start | Kind::Inner => {}
                }
            }
            // At the entry nothing is known.
            let given = match cut == self.plan.cfa.entry {
                true => Vec::new(),
                false => self.at.get(&cut).cloned().unwrap_or_default(),
            };
            let mut between = Between { solver: Solver::new(self.interrupt), given, ends, targets };
            between.solver.set_conflicts(Some(CONFLICTS));
            self.lower(&mut between);
            self.between.push(between);
        }
        Ok(())
    }

    /// Floating-point operations become those of bits.
    fn lower(&mut self, between: &mut Between) {
        let (floats, terms) = (&mut self.floats, &mut self.terms);
        let mut lower = |term: &mut Term| *term = floats.lower(terms, *term);
        between.given.iter_mut().for_each(|(_, term)| lower(term));
        between.targets.iter_mut().for_each(&mut lower);
        for (reached, there) in &mut between.ends {
            lower(reached);
            there.iter_mut().for_each(|(_, term)| lower(term));
        }
    }

    /// Drops candidates until all that are left are inductive.
    fn shrink(&mut self) -> Result<(), Rejection> {
        loop {
            let before = self.is_alive.iter().filter(|&&alive| alive).count();
            for number in 0..self.between.len() {
                for end in 0..self.between[number].ends.len() {
                    while self.drops(number, end)? {}
                }
            }
            if self.is_alive.iter().filter(|&&alive| alive).count() == before {
                return Ok(());
            }
        }
    }

    /// Whether candidates at the end of some runs were dropped because a run falsifies them.
    fn drops(&mut self, number: usize, end: usize) -> Result<bool, Rejection> {
        if self.is_stopped() {
            return Err(Rejection::Stopped);
        }
        let Search { terms, is_alive, between, .. } = self;
        let Between { solver, given, ends, .. } = &mut between[number];
        let (reached, there) = &ends[end];
        let open: Vec<(usize, Term)> =
            there.iter().filter(|(candidate, _)| is_alive[*candidate]).copied().collect();
        if open.is_empty() {
            return Ok(false);
        }
        let known = given.iter().filter(|(candidate, _)| is_alive[*candidate]);
        let mut assumed: Vec<Term> = known.map(|(_, formula)| *formula).collect();
        let all: Vec<Term> = open.iter().map(|(_, formula)| *formula).collect();
        let all = terms.and_all(&all);
        assumed.extend([*reached, terms.not(all)]);
        match solver.check_assuming(terms, &assumed) {
            Answer::Unsat => return Ok(false),
            Answer::Sat => {
                for &(candidate, formula) in &open {
                    let value = solver.value(terms, formula);
                    if matches!(value, Some(Value::Bv(value)) if value.is_zero()) {
                        is_alive[candidate] = false;
                    }
                }
            }
            // One of them is too hard; the last one is the least preferred.
            Answer::Unknown(_) => is_alive[open[open.len() - 1].0] = false,
        }
        let is_smaller = open.iter().any(|(candidate, _)| !is_alive[*candidate]);
        if !is_smaller {
            is_alive[open[open.len() - 1].0] = false;
        }
        Ok(true)
    }

    /// The candidates that a refutation of `wrong` needs where `number` begins; those of `needed`
    /// alone if they suffice. None if there is no refutation.
    fn reasons(
        &mut self,
        number: usize,
        wrong: &[Term],
        needed: &FxHashSet<usize>,
    ) -> Result<Option<Vec<usize>>, Rejection> {
        if self.is_stopped() {
            return Err(Rejection::Stopped);
        }
        let Search { terms, is_alive, between, .. } = self;
        let Between { solver, given, .. } = &mut between[number];
        let alive: Vec<(usize, Term)> =
            given.iter().filter(|(candidate, _)| is_alive[*candidate]).copied().collect();
        let few = alive.iter().filter(|(candidate, _)| needed.contains(candidate));
        let few: Vec<Term> = few.map(|(_, f)| *f).chain(wrong.iter().copied()).collect();
        if solver.check_assuming(terms, &few) == Answer::Unsat {
            return Ok(Some(Vec::new()));
        }
        // What comes first is left out first, so that the preferred candidates stay.
        let all = alive.iter().rev().map(|(_, formula)| *formula);
        let all: Vec<Term> = all.chain(wrong.iter().copied()).collect();
        if solver.check_assuming(terms, &all) != Answer::Unsat {
            return Ok(None);
        }
        let core = solver.minimal_core(terms).unwrap_or_default();
        let is_used = |(_, formula): &&(usize, Term)| core.assumptions.contains(formula);
        Ok(Some(alive.iter().filter(is_used).map(|(candidate, _)| *candidate).collect()))
    }

    /// Candidates that exclude the targets, with all that they need.
    fn proof(&mut self) -> Result<Option<Vec<usize>>, Rejection> {
        let mut needed: FxHashSet<usize> = FxHashSet::default();
        for number in 0..self.between.len() {
            for target in self.between[number].targets.clone() {
                match self.reasons(number, &[target], &needed)? {
                    Some(reasons) => needed.extend(reasons),
                    None => return Ok(None),
                }
            }
        }
        loop {
            let before = needed.len();
            for number in 0..self.between.len() {
                for (reached, there) in self.between[number].ends.clone() {
                    for (candidate, formula) in there {
                        if !needed.contains(&candidate) {
                            continue;
                        }
                        let not = self.terms.not(formula);
                        match self.reasons(number, &[reached, not], &needed)? {
                            Some(reasons) => needed.extend(reasons),
                            None => return Ok(None),
                        }
                    }
                }
            }
            if needed.len() == before {
                let mut proof: Vec<usize> = needed.into_iter().collect();
                proof.sort_unstable();
                return Ok(Some(proof));
            }
        }
    }
}
