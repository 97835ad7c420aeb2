//! Checks a proof that gives a formula for each cut point of an automaton.
//!
//! Every cycle goes through a cut point, and the entry is one. From a cut point c the runs go on
//! without a loop to the next ones and to targets; for a state s at c let ways(s, s') say that a
//! run leads from it to the state s' there:
//!
//! ```text
//! initiation    φ_entry(s), since all variables are arbitrary there
//! consecution   φ_c(s) ∧ ways(s, s')  → φ_d(s')   for each cut point d that comes next
//! safety        φ_c(s) ∧ ways(s, s')  → false     for each target
//! ```
//!
//! By induction a run satisfies the formula of each cut point that it comes to, and it comes to no
//! target. Only cut points that can be reached in the graph are looked at; one without a formula of
//! its own would be a location like others, but for the entry, whose formula then is true. There is
//! one question per cut point and next one, and one solver per cut point.
//!
//! The runs between cut points are made here again ([`paths`]), by other means than the blocks that
//! engines use.

mod algebra;
mod arrays;
pub mod circuit;
pub mod largest;
mod paths;
mod quantified;
#[cfg(test)]
mod quantified_tests;
mod region;
#[cfg(test)]
mod tests;
mod unwound;

use crate::rejection::{Condition, Rejection};
use crate::solve::{Turn, first_possible};
use arrays::{Flat, SMALL, without_large_arrays};
use paths::Paths;
pub use paths::imported;
pub use quantified::check_quantified_invariants;
use region::{Kind, Plan, Region};
use rustc_hash::{FxHashMap, FxHashSet};
pub use unwound::check_exhausted_automaton;
use wedge_logic::blast::Limits;
use wedge_logic::float::Lowering;
use wedge_logic::{Aig, BitVec, Blaster, Lit, Sort, Term, TermStore};
use wedge_model::Cfa;
use wedge_model::cfa::{CutInvariants, LocationId};
use wedge_sat::Interrupt;

/// Accepts exactly the formulas that are inductive from cut point to cut point and exclude the
/// targets of both kinds; what does not fit into the limits on bits is too large.
///
/// Returns `Rejection::Stopped` soon after `interrupt` is raised.
pub fn check_cut_invariants(
    cfa: &Cfa,
    claim: &CutInvariants,
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    check(cfa, claim, SMALL, interrupt)
}

/// Arrays of at most `small` bits are registers, larger ones are taken apart.
fn check(
    cfa: &Cfa,
    claim: &CutInvariants,
    small: u64,
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    let mut checker = Checker::new(cfa, claim, small, interrupt)?;
    checker.initiation()?;
    let mut open = vec![cfa.entry];
    let mut seen: FxHashSet<LocationId> = open.iter().copied().collect();
    while let Some(cut) = open.pop() {
        for next in checker.leave(cut)? {
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    Ok(())
}

struct Checker<'a> {
    plan: Plan<'a>,
    terms: TermStore,
    is_input: FxHashSet<Term>,
    formulas: FxHashMap<LocationId, Term>,
    floats: Lowering,
    small: u64,
    interrupt: &'a Interrupt,
}

/// That something must not be possible.
#[derive(Clone, Copy)]
struct Demand {
    condition: Condition,
    /// Where the run comes to.
    to: LocationId,
    wrong: Term,
}

impl<'a> Checker<'a> {
    fn new(
        cfa: &'a Cfa,
        claim: &CutInvariants,
        small: u64,
        interrupt: &'a Interrupt,
    ) -> Result<Checker<'a>, Rejection> {
        cfa.check().map_err(|error| Rejection::Malformed(error.to_string()))?;
        let mut terms = cfa.terms.clone();
        let is_variable: FxHashSet<Term> = cfa.variables.iter().copied().collect();
        let mut formulas = FxHashMap::default();
        for &(location, formula) in &claim.invariants {
            let unfit =
                |what: &str| Rejection::Malformed(format!("{what} (location {})", location.0));
            if location.0 as usize >= cfa.locations.len() {
                return Err(unfit("a cut point is no location of the automaton"));
            }
            if claim.terms.sort(formula) != Sort::BOOL {
                return Err(unfit("the formula of a cut point is no condition"));
            }
            let formula = imported(&claim.terms, formula, &mut terms, &is_variable)
                .ok_or_else(|| unfit("a formula reads what is no variable of the automaton"))?;
            if formulas.insert(location, formula).is_some() {
                return Err(unfit("a cut point has two formulas"));
            }
        }
        let all = terms.bool(true);
        formulas.entry(cfa.entry).or_insert(all);
        let plan = Plan::new(cfa, formulas.keys().copied().collect());
        let is_input = cfa.inputs.iter().copied().collect();
        Ok(Checker { plan, terms, is_input, formulas, floats: Lowering::new(), small, interrupt })
    }

    /// φ_entry
    fn initiation(&mut self) -> Result<(), Rejection> {
        let entry = self.plan.cfa.entry;
        let wrong = self.terms.not(self.formulas[&entry]);
        let all = self.terms.bool(true);
        let demand = Demand { condition: Condition::Initiation, to: entry, wrong };
        self.refute(entry, all, &[demand])
    }

    /// φ_c(s) ∧ ways(s, s') → φ_d(s'), and not to a target. Returns the cut points that come next.
    fn leave(&mut self, cut: LocationId) -> Result<Vec<LocationId>, Rejection> {
        let given = self.formulas[&cut];
        if self.terms.value(given).is_some_and(|value| value.is_zero()) {
            return Ok(Vec::new());
        }
        let region = self.plan.region(cut)?;
        let demands = self.demands(&region);
        self.refute(cut, given, &demands)?;
        let is_cut = |node: &&region::Node| node.kind == Kind::Cut;
        Ok(region.nodes.iter().filter(is_cut).map(|node| node.location).collect())
    }

    fn demands(&mut self, region: &Region) -> Vec<Demand> {
        let mut paths = Paths::new(self.plan.cfa, region, &mut self.terms, &self.is_input);
        let mut demands = Vec::new();
        for (number, node) in region.nodes.iter().enumerate() {
            let to = node.location;
            let reached = paths.reached(number);
            let is_target = self.plan.targets.contains(&to);
            let (condition, wrong) = match node.kind {
                Kind::Target => (Condition::Safety, reached),
                Kind::Start if is_target => (Condition::Safety, reached),
                Kind::Cut => {
                    let there = paths.at(number, self.formulas[&to]);
                    let not_there = paths.terms.not(there);
                    (Condition::Consecution, paths.terms.and(reached, not_there))
                }
                Kind::Start | Kind::Inner => continue,
            };
            demands.push(Demand { condition, to, wrong });
        }
        demands
    }

    /// Accepts if what is given excludes what each demand calls wrong.
    fn refute(
        &mut self,
        from: LocationId,
        given: Term,
        demands: &[Demand],
    ) -> Result<(), Rejection> {
        if self.interrupt.is_raised() {
            return Err(Rejection::Stopped);
        }
        let demands = algebra::without_solved(&mut self.terms, given, demands);
        if demands.is_empty() {
            return Ok(());
        }
        let roots: Vec<Term> = [given].into_iter().chain(demands.iter().map(|d| d.wrong)).collect();
        let lowered: Vec<Term> =
            roots.iter().map(|&root| self.floats.lower(&mut self.terms, root)).collect();
        let Flat { roots, assumptions } =
            without_large_arrays(&mut self.terms, &lowered, self.small)?;
        let mut aig = Aig::new();
        let mut blaster = Blaster::new(Limits::default());
        let mut turns: Vec<Turn> = Vec::new();
        let mut premises = Vec::new();
        for &premise in assumptions.iter().chain([&roots[0]]) {
            premises.push(blaster.literal(&self.terms, &mut aig, premise)?);
        }
        for &wrong in &roots[1..] {
            let wrong = blaster.literal(&self.terms, &mut aig, wrong)?;
            turns.push(Turn { given: std::mem::take(&mut premises), wrong });
        }
        let names: Vec<(Term, Vec<Lit>)> = self.shown(&blaster);
        let shown: Vec<Lit> = names.iter().flat_map(|(_, bits)| bits.iter().copied()).collect();
        let Some((turn, values)) = first_possible(&aig, &turns, &shown, self.interrupt)? else {
            return Ok(());
        };
        let Demand { condition, to, .. } = demands[turn];
        Err(Rejection::RefutedAt { condition, from, to, state: self.state(&names, &values) })
    }

    /// The variables that the question speaks of, with their bits.
    fn shown(&self, blaster: &Blaster) -> Vec<(Term, Vec<Lit>)> {
        let words = self.plan.cfa.variables.iter();
        let words = words.filter(|&&variable| !self.terms.sort(variable).is_array());
        let shown = |&variable: &Term| Some((variable, blaster.bits(variable)?.to_vec()));
        words.filter_map(shown).collect()
    }

    fn state(&self, names: &[(Term, Vec<Lit>)], mut values: &[bool]) -> Vec<(String, BitVec)> {
        let mut state = Vec::new();
        for (variable, bits) in names {
            let (own, rest) = values.split_at(bits.len());
            let name = self.terms.name(*variable).unwrap_or_default().to_string();
            state.push((name, BitVec::from_bits(own)));
            values = rest;
        }
        state
    }
}
