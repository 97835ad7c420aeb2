//! Checks a proof whose formulas hold for all values of bound variables.
//!
//! Let ∀x. φ_c(s, x) be what is said of a cut point c. What has to be shown is, with the runs between
//! cut points as in [`super`]:
//!
//! ```text
//! initiation    φ_entry(s, x)
//! consecution   (∀y. φ_c(s, y)) ∧ ways(s, s')  → φ_d(s', x)   for each cut point d that comes next
//! safety        (∀y. φ_c(s, y)) ∧ ways(s, s')  → false        for each target
//! ```
//!
//! In the conclusion x is arbitrary, a variable that nothing else speaks of. Of the premise only some
//! instances are used: the one for x itself, and those that the claim names. Fewer premises make the
//! check stricter, never weaker, so it does not matter where the instances come from.
//!
//! That φ_d(s', x) fails for some x is said case by case: for x equal to one of the instances, where it is
//! put in the place of x, and for x different from all of them. In the first cases much becomes equal by
//! itself that bits would have to be compared for, such as products.
//!
//! Words that stand for folds over arrays are unfolded at c and at d; laws of folds ([`wedge_logic::folds`]) are
//! added to the premise.

mod folds;

use super::paths::{Paths, imported_with};
use super::region::{Kind, Node};
use super::{Checker, Demand, SMALL};
use crate::rejection::{Condition, Rejection};
use folds::read;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::folds::{Fold, Unfolding};
use wedge_logic::{Op, Sort, Term, TermStore};
use wedge_model::Cfa;
use wedge_model::cfa::{CutInvariants, Instance, LocationId, QuantifiedInvariants};
use wedge_sat::Interrupt;

/// Accepts only formulas that, for all values of their bound variables, are inductive from cut
/// point to cut point and exclude the targets of both kinds; not all of them, since a proof may need
/// other instances than those that the claim names.
///
/// Returns `Rejection::Stopped` soon after `interrupt` is raised.
pub fn check_quantified_invariants(
    cfa: &Cfa,
    claim: &QuantifiedInvariants,
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    let mut checker = Quantified::new(cfa, claim, interrupt)?;
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

struct Quantified<'a> {
    /// Its formulas are all true; they only say where the cut points are.
    checker: Checker<'a>,
    bound: FxHashSet<Term>,
    formulas: FxHashMap<LocationId, Vec<Term>>,
    instances: FxHashMap<LocationId, Vec<Instance>>,
    folds: Vec<Fold>,
    probes: FxHashMap<LocationId, Vec<Term>>,
}

impl<'a> Quantified<'a> {
    fn new(
        cfa: &'a Cfa,
        claim: &QuantifiedInvariants,
        interrupt: &'a Interrupt,
    ) -> Result<Quantified<'a>, Rejection> {
        let mut terms = cfa.terms.clone();
        let all = terms.bool(true);
        let cuts = claim.invariants.iter().map(|&(location, _)| (location, all)).collect();
        let cuts = CutInvariants { terms, invariants: cuts };
        let checker = Checker::new(cfa, &cuts, SMALL, interrupt)?;
        let (bound, formulas, instances) = Default::default();
        let (folds, probes) = Default::default();
        let mut quantified = Quantified { checker, bound, formulas, instances, folds, probes };
        quantified.import(cfa, claim)?;
        Ok(quantified)
    }

    /// Takes over formulas and instances, with new variables in the place of bound ones.
    fn import(&mut self, cfa: &Cfa, claim: &QuantifiedInvariants) -> Result<(), Rejection> {
        let unfit = |what: &str| Rejection::Malformed(what.to_string());
        let variables: FxHashSet<Term> = cfa.variables.iter().copied().collect();
        let terms = &mut self.checker.terms;
        let mut renamed = FxHashMap::default();
        for &bound in &claim.bound {
            if variables.contains(&bound) || !claim.terms.is_var(bound) {
                return Err(unfit("a bound variable is one of the automaton, or none"));
            }
            renamed.insert(bound, terms.fresh_var("bound", claim.terms.sort(bound)));
        }
        self.bound = renamed.values().copied().collect();
        self.import_folds(claim, &variables, &mut renamed)?;
        let terms = &mut self.checker.terms;
        let foreign = || unfit("a formula reads what is no variable of the automaton");
        for (location, formulas) in &claim.invariants {
            let mut own = Vec::new();
            for &formula in formulas {
                if claim.terms.sort(formula) != Sort::BOOL {
                    return Err(unfit("the formula of a cut point is no condition"));
                }
                let formula = imported_with(&claim.terms, formula, terms, &variables, &renamed);
                own.push(formula.ok_or_else(foreign)?);
            }
            self.formulas.insert(*location, own);
        }
        let none = FxHashMap::default();
        for (location, instances) in &claim.instances {
            for instance in instances {
                let mut own = Vec::new();
                for &(bound, term) in instance {
                    let &image = renamed.get(&bound).ok_or_else(|| unfit("no bound variable"))?;
                    let term = imported_with(&claim.terms, term, terms, &variables, &none);
                    let term = term.ok_or_else(foreign)?;
                    if terms.sort(term) != terms.sort(image) {
                        return Err(unfit("an instance has another sort than its variable"));
                    }
                    own.push((image, term));
                }
                self.instances.entry(*location).or_default().push(own);
            }
        }
        Ok(())
    }

    fn formulas(&self, cut: LocationId) -> Vec<Term> {
        self.formulas.get(&cut).cloned().unwrap_or_default()
    }

    /// φ_entry(s, x)
    fn initiation(&mut self) -> Result<(), Rejection> {
        let entry = self.checker.plan.cfa.entry;
        let formulas = self.formulas(entry);
        let terms = &mut self.checker.terms;
        let all = terms.and_all(&formulas);
        let (wrong, all) = (terms.not(all), terms.bool(true));
        let demand = Demand { condition: Condition::Initiation, to: entry, wrong };
        self.checker.refute(entry, all, &[demand])
    }

    /// What comes next satisfies its formulas, and is no target. Returns the cut points that come
    /// next.
    fn leave(&mut self, cut: LocationId) -> Result<Vec<LocationId>, Rejection> {
        let mut unfolding = Unfolding::new(self.probes.get(&cut).cloned().unwrap_or_default());
        let given = self.given(cut, &mut unfolding);
        let region = self.checker.plan.region(cut)?;
        let instances = self.instances.get(&cut).cloned().unwrap_or_default();
        let (mut demands, mut folded) = (Vec::new(), Vec::new());
        let Checker { plan, terms, is_input, .. } = &mut self.checker;
        let mut paths = Paths::new(plan.cfa, &region, terms, is_input);
        for (number, node) in region.nodes.iter().enumerate() {
            let to = node.location;
            let reached = paths.reached(number);
            let is_target = plan.targets.contains(&to);
            let (condition, wrong) = match node.kind {
                Kind::Target => (Condition::Safety, reached),
                Kind::Start if is_target => (Condition::Safety, reached),
                Kind::Cut => {
                    let mut failures = Vec::new();
                    let mut of_folds = Vec::new();
                    for &formula in self.formulas.get(&to).into_iter().flatten() {
                        // Where nothing is assigned, variables keep their names: x among them.
                        let there = at(&mut paths, number, formula, &self.bound);
                        let mut pairs = Vec::new();
                        for fold in read(paths.terms, &self.folds, formula) {
                            let mut values = fold.parameters(paths.terms);
                            values.iter_mut().for_each(|(_, term)| *term = paths.at(number, *term));
                            let bound = paths.at(number, fold.bound);
                            let fold_there = unfolding.unfold(paths.terms, fold, values, bound);
                            pairs.push((fold.word, fold_there));
                        }
                        let there = paths.terms.substitute(there, &pairs);
                        let fails = fails(paths.terms, there, &self.bound, &instances);
                        match pairs.is_empty() {
                            true => failures.push(fails),
                            false => of_folds.push(fails),
                        }
                    }
                    for fails in of_folds {
                        let wrong = paths.terms.and(reached, fails);
                        let demand = Demand { condition: Condition::Consecution, to, wrong };
                        folded.push((reached, demand));
                    }
                    let fails = paths.terms.or_all(&failures);
                    (Condition::Consecution, paths.terms.and(reached, fails))
                }
                Kind::Start | Kind::Inner => continue,
            };
            demands.push(Demand { condition, to, wrong });
        }
        let lemmas = unfolding.lemmas(&mut self.checker.terms);
        let lemmas = self.checker.terms.and_all(&lemmas);
        let given = self.checker.terms.and(given, lemmas);
        for (reached, demand) in folded {
            self.refute_folded(cut, given, unfolding.choices(), (reached, demand))?;
        }
        self.refute(cut, given, demands)?;
        let is_cut = |node: &&Node| node.kind == Kind::Cut;
        Ok(region.nodes.iter().filter(is_cut).map(|node| node.location).collect())
    }

    /// Accepts if what is given excludes what each demand calls wrong. Products are unknown numbers at
    /// first, equal ones for equal factors: what that excludes is excluded.
    fn refute(
        &mut self,
        cut: LocationId,
        given: Term,
        demands: Vec<Demand>,
    ) -> Result<(), Rejection> {
        let mut products = Products::default();
        let terms = &mut self.checker.terms;
        let hidden_given = products.hidden(terms, given);
        let mut hidden = Vec::new();
        for Demand { condition, to, wrong } in &demands {
            let wrong = products.hidden(terms, *wrong);
            hidden.push(Demand { condition: *condition, to: *to, wrong });
        }
        match self.checker.refute(cut, hidden_given, &hidden) {
            Err(Rejection::RefutedAt { .. }) if !products.0.is_empty() => {
                self.checker.refute(cut, given, &demands)
            }
            result => result,
        }
    }

    /// The instances of the formulas at a cut point.
    fn given(&mut self, cut: LocationId, unfolding: &mut Unfolding) -> Term {
        let mut formulas = self.formulas(cut);
        let instances = self.instances.get(&cut).cloned().unwrap_or_default();
        let terms = &mut self.checker.terms;
        for formula in &mut formulas {
            let mut pairs = Vec::new();
            for fold in read(terms, &self.folds, *formula) {
                let values = fold.parameters(terms);
                pairs.push((fold.word, unfolding.unfold(terms, fold, values, fold.bound)));
            }
            *formula = terms.substitute(*formula, &pairs);
        }
        let mut given = formulas.clone();
        for &formula in &formulas {
            for instance in &instances {
                if covers(terms, formula, &self.bound, instance) {
                    given.push(terms.substitute(formula, instance));
                }
            }
        }
        terms.and_all(&given)
    }
}

/// Products of terms that are no constants, each with a variable in its place.
#[derive(Default)]
struct Products(FxHashMap<Term, Term>);

impl Products {
    fn hidden(&mut self, terms: &mut TermStore, term: Term) -> Term {
        let mut pairs = Vec::new();
        for part in terms.cone(&[term]) {
            let is_product = terms.op(part) == Op::Mul
                && !terms.args(part).iter().any(|&factor| terms.is_const(factor));
            if is_product {
                let sort = terms.sort(part);
                let variable =
                    *self.0.entry(part).or_insert_with(|| terms.fresh_var("product", sort));
                pairs.push((part, variable));
            }
        }
        terms.substitute(term, &pairs)
    }
}

/// A formula with the values of variables at a node; bound variables stay.
fn at(paths: &mut Paths, node: usize, formula: Term, bound: &FxHashSet<Term>) -> Term {
    // No edge assigns a bound variable and none is an input, so that it has no other value anywhere.
    debug_assert!(bound.iter().all(|&variable| paths.terms.is_var(variable)));
    paths.at(node, formula)
}

/// Whether an instance says something about all bound variables of a formula, and about no others.
fn covers(terms: &TermStore, formula: Term, bound: &FxHashSet<Term>, instance: &Instance) -> bool {
    let own = terms.free_vars(&[formula]).into_iter().filter(|v| bound.contains(v));
    let own: Vec<Term> = own.collect();
    let named = |variable: &Term| instance.iter().any(|(named, _)| named == variable);
    !own.is_empty() && own.len() == instance.len() && own.iter().all(named)
}

/// That the formula fails for some values of its bound variables.
fn fails(
    terms: &mut TermStore,
    formula: Term,
    bound: &FxHashSet<Term>,
    instances: &[Instance],
) -> Term {
    let wrong = terms.not(formula);
    let mut cases = Vec::new();
    let mut other = wrong;
    for instance in instances {
        if !covers(terms, formula, bound, instance) {
            continue;
        }
        cases.push(terms.substitute(wrong, instance));
        let equal: Vec<Term> = instance.iter().map(|&(v, term)| terms.eq(v, term)).collect();
        let same = terms.and_all(&equal);
        let differs = terms.not(same);
        other = terms.and(other, differs);
    }
    cases.push(other);
    terms.or_all(&cases)
}
