//! The largest inductive set of candidates with bound variables.
//!
//! A candidate f of the cut point d goes as long as a step leads to d from a state in which all candidates hold that are
//! left at its cut point c, and f fails after it for some values x of the bound variables:
//!
//! ```text
//! ⋀g∈c (g(s, x) ∧ ⋀t g(s, t))  ∧  step(s, s')  ∧  ¬f(s', x)
//! ```
//!
//! The terms t are the instances of c. For x, the cases x = t are written down one by one, and the one in which x is
//! none of them: where t stands for x, products and the like of equal terms are equal terms.
//!
//! Words that stand for folds are unfolded ([`wedge_logic::folds`]); what is known of those that are left is asserted.

use super::folds::{Known, unfolded};
use super::products::Products;
use rustc_hash::FxHashMap;
use wedge_logic::folds::{Fold, Unfolding};
use wedge_logic::{Substitution, Term, TermStore};
use wedge_model::cfa::{Instance, SingleLoop};
use wedge_sat::Interrupt;
use wedge_smt::{Answer, Solver};

/// Conflicts that a question about all candidates may take, one about a single one, and one about errors.
const TOGETHER: i32 = 20_000;
const ALONE: i32 = 4_000;
const SAFETY: i32 = 200_000;

pub struct Candidate {
    pub bound: Vec<Term>,
    pub formula: Term,
    pub is_alive: bool,
    /// The proof rests on it.
    pub is_needed: bool,
    /// It speaks of folds.
    pub is_folded: bool,
}

impl Candidate {
    pub fn new(bound: Vec<Term>, formula: Term) -> Candidate {
        Candidate { bound, formula, is_alive: true, is_needed: false, is_folded: false }
    }
}

/// What is said of a cut point.
pub struct Cut {
    pub candidates: Vec<Candidate>,
    pub instances: Vec<Instance>,
    /// What words of candidates stand for.
    pub folds: Vec<Fold>,
    /// Values of the counters of folds.
    pub probes: Vec<Term>,
}

/// A way from one cut point to another.
pub(super) struct Step {
    pub from: usize,
    pub to: usize,
    pub condition: Term,
    /// By candidate of the cut point after it, that it fails there.
    pub failures: Vec<Term>,
}

pub struct Houdini<'a> {
    pub terms: TermStore,
    pub cuts: Vec<Cut>,
    pub products: Products,
    /// By block that an error or the end of the model is reached.
    bad: Vec<Term>,
    pub(super) single: &'a SingleLoop,
    pub(super) steps: Vec<Step>,
    /// By cut point and candidate, the candidate with its instances.
    pub(super) premises: Vec<Vec<Term>>,
    /// By cut point.
    pub(super) solvers: Vec<Solver>,
    pub(super) folds: Vec<Known>,
    interrupt: &'a Interrupt,
}

/// What became of a question.
pub(super) enum Reply {
    Unsat,
    Sat,
    TooHard,
}

impl<'a> Houdini<'a> {
    pub fn new(
        single: &'a SingleLoop,
        (terms, products): (TermStore, Products),
        cuts: Vec<Cut>,
        interrupt: &'a Interrupt,
    ) -> Houdini<'a> {
        let solvers = cuts.iter().map(|_| Solver::new(interrupt)).collect();
        let (steps, premises, bad, folds) = Default::default();
        let mut houdini = Houdini {
            terms,
            cuts,
            products,
            bad,
            single,
            steps,
            premises,
            solvers,
            folds,
            interrupt,
        };
        houdini.mark_folded();
        let probes = houdini.cuts.iter().map(|cut| cut.probes.clone());
        let mut unfoldings: Vec<Unfolding> = probes.map(Unfolding::new).collect();
        houdini.write_premises(&mut unfoldings);
        houdini.write_steps(&mut unfoldings);
        houdini.assert_lemmas(&mut unfoldings);
        for block in &single.blocks {
            let bad = houdini.terms.or(block.error, block.limit);
            houdini.bad.push(houdini.products.hide(&mut houdini.terms, bad));
        }
        houdini
    }

    fn write_premises(&mut self, unfoldings: &mut [Unfolding]) {
        for (cut, unfolding) in self.cuts.iter().zip(unfoldings) {
            let mut words = unfolded(&mut self.terms, unfolding, &cut.folds, &mut |_, term| term);
            let mut substitutions: Vec<Substitution> =
                cut.instances.iter().map(|i| Substitution::new(i.iter().copied())).collect();
            let mut premises = Vec::new();
            for candidate in &cut.candidates {
                let mut all = vec![candidate.formula];
                for (instance, substitution) in cut.instances.iter().zip(&mut substitutions) {
                    if covers(instance, &candidate.bound) {
                        all.push(substitution.apply(&mut self.terms, candidate.formula));
                    }
                }
                let premise = self.terms.and_all(&all);
                let premise = words.apply(&mut self.terms, premise);
                premises.push(self.products.hide(&mut self.terms, premise));
            }
            self.premises.push(premises);
        }
    }

    fn write_steps(&mut self, unfoldings: &mut [Unfolding]) {
        let cuts = self.single.cuts.iter().enumerate();
        let number: FxHashMap<_, usize> = cuts.map(|(number, &cut)| (cut, number)).collect();
        for (from, block) in self.single.blocks.iter().enumerate() {
            for exit in &block.exits {
                let to = number[&exit.to];
                let mut after = Substitution::new(exit.values.iter().copied());
                let mut failures = Vec::new();
                let (folds, unfolding) = (&self.cuts[to].folds, &mut unfoldings[from]);
                let mut value = |terms: &mut TermStore, term: Term| after.apply(terms, term);
                let mut words = unfolded(&mut self.terms, unfolding, folds, &mut value);
                for candidate in &self.cuts[to].candidates {
                    let after = after.apply(&mut self.terms, candidate.formula);
                    let after = words.apply(&mut self.terms, after);
                    let wrong = self.terms.not(after);
                    let instances = &self.cuts[from].instances;
                    let cases = instances.iter().filter(|i| covers(i, &candidate.bound));
                    let fails = some(&mut self.terms, wrong, cases);
                    failures.push(self.products.hide(&mut self.terms, fails));
                }
                let condition = self.products.hide(&mut self.terms, exit.condition);
                self.steps.push(Step { from, to, condition, failures });
            }
        }
    }

    /// How many candidates are left.
    pub fn alive(&self) -> usize {
        self.cuts.iter().flat_map(|cut| &cut.candidates).filter(|c| c.is_alive).count()
    }

    /// Drops candidates until those that are left are inductive. None if interrupted.
    pub fn filter(&mut self) -> Option<()> {
        let mut open: Vec<bool> = vec![true; self.steps.len()];
        while let Some(step) = open.iter().position(|&is_open| is_open) {
            open[step] = false;
            let to = self.steps[step].to;
            if self.filter_step(step)? {
                for (place, other) in self.steps.iter().enumerate() {
                    open[place] |= other.from == to;
                }
            }
        }
        Some(())
    }

    /// Whether candidates were dropped that fail after the step.
    fn filter_step(&mut self, step: usize) -> Option<bool> {
        let mut has_dropped = false;
        let folded = self.alive_after(step).into_iter();
        let folded = folded.filter(|&place| self.candidate_after(step, place).is_folded);
        let shown = self.by_algebra(step, &folded.collect::<Vec<usize>>())?;
        loop {
            let mut alive = self.alive_after(step);
            alive.retain(|candidate| !shown.contains(candidate));
            match self.ask(step, &alive, TOGETHER)? {
                Reply::Unsat => return Some(has_dropped),
                Reply::Sat => self.drop_failing(step, &alive),
                Reply::TooHard => {
                    for one in alive {
                        match self.ask(step, &[one], ALONE)? {
                            Reply::Unsat => {}
                            Reply::Sat => self.drop_failing(step, &[one]),
                            Reply::TooHard => self.drop_candidate(step, one),
                        }
                        has_dropped |= !self.candidate_after(step, one).is_alive;
                    }
                    return Some(has_dropped);
                }
            }
            has_dropped = true;
        }
    }

    fn candidate_after(&self, step: usize, candidate: usize) -> &Candidate {
        &self.cuts[self.steps[step].to].candidates[candidate]
    }

    fn alive_after(&self, step: usize) -> Vec<usize> {
        let candidates = &self.cuts[self.steps[step].to].candidates;
        (0..candidates.len()).filter(|&place| candidates[place].is_alive).collect()
    }

    fn drop_candidate(&mut self, step: usize, candidate: usize) {
        let to = self.steps[step].to;
        self.cuts[to].candidates[candidate].is_alive = false;
    }

    /// Drops those that fail in the state that the last question has found.
    fn drop_failing(&mut self, step: usize, asked: &[usize]) {
        let Step { from, .. } = self.steps[step];
        for &candidate in asked {
            let failure = self.steps[step].failures[candidate];
            let value = self.solvers[from].value(&self.terms, failure);
            if value.is_none_or(|value| value.is_true()) {
                self.drop_candidate(step, candidate);
            }
        }
    }

    fn premises(&self, cut: usize) -> Vec<Term> {
        let premises = self.premises[cut].iter().zip(&self.cuts[cut].candidates);
        premises.filter(|(_, candidate)| candidate.is_alive).map(|(&premise, _)| premise).collect()
    }

    /// Whether one of the candidates can fail after the step.
    fn ask(&mut self, step: usize, candidates: &[usize], conflicts: i32) -> Option<Reply> {
        let Step { from, condition, failures, .. } = &self.steps[step];
        let (from, condition) = (*from, *condition);
        let failures: Vec<Term> = candidates.iter().map(|&place| failures[place]).collect();
        let wrong = self.terms.or_all(&failures);
        self.question(from, &[condition, wrong], conflicts)
    }

    /// Whether all this can hold in a state of the cut point where its candidates do.
    pub(super) fn question(&mut self, cut: usize, also: &[Term], conflicts: i32) -> Option<Reply> {
        let mut all = self.premises(cut);
        all.extend(also);
        let solver = &mut self.solvers[cut];
        solver.set_conflicts(Some(conflicts));
        match solver.check_assuming(&mut self.terms, &all) {
            Answer::Unsat => Some(Reply::Unsat),
            Answer::Sat => Some(Reply::Sat),
            Answer::Unknown(_) if self.interrupt.is_raised() => None,
            Answer::Unknown(_) => Some(Reply::TooHard),
        }
    }

    /// Whether no error can be reached where the candidates hold; marks those that this, and that
    /// they are inductive, rests on.
    pub fn needed(&mut self) -> Option<bool> {
        let mut open: Vec<(usize, usize)> = Vec::new();
        for cut in 0..self.bad.len() {
            let bad = self.bad[cut];
            if self.is_excluded(cut)? {
                self.note_simple(cut, &mut open);
                continue;
            }
            match self.question(cut, &[bad], SAFETY)? {
                Reply::Unsat => self.note_core(cut, &mut open),
                Reply::Sat | Reply::TooHard => return Some(false),
            }
        }
        while let Some((cut, candidate)) = open.pop() {
            for step in 0..self.steps.len() {
                if self.steps[step].to != cut {
                    continue;
                }
                let is_folded = self.cuts[cut].candidates[candidate].is_folded;
                if is_folded && !self.by_algebra(step, &[candidate])?.is_empty() {
                    self.note_simple(self.steps[step].from, &mut open);
                    continue;
                }
                match self.ask(step, &[candidate], SAFETY)? {
                    Reply::Unsat => self.note_core(self.steps[step].from, &mut open),
                    Reply::Sat | Reply::TooHard => return Some(false),
                }
            }
        }
        Some(true)
    }

    /// Marks the candidates without bound variables that hold at a cut point.
    fn note_simple(&mut self, cut: usize, open: &mut Vec<(usize, usize)>) {
        for (place, candidate) in self.cuts[cut].candidates.iter_mut().enumerate() {
            let is_simple = candidate.is_alive && candidate.bound.is_empty();
            if is_simple && !candidate.is_needed {
                candidate.is_needed = true;
                open.push((cut, place));
            }
        }
    }

    /// Marks the candidates that the last question about a cut point was refuted with.
    fn note_core(&mut self, cut: usize, open: &mut Vec<(usize, usize)>) {
        let core = self.solvers[cut].small_core(&mut self.terms);
        for (place, candidate) in self.cuts[cut].candidates.iter_mut().enumerate() {
            let is_used = candidate.is_alive && core.contains(&self.premises[cut][place]);
            if is_used && !candidate.is_needed {
                candidate.is_needed = true;
                open.push((cut, place));
            }
        }
    }
}

/// Whether an instance is one of formulas with these bound variables.
fn covers(instance: &Instance, bound: &[Term]) -> bool {
    let named = |variable: &Term| instance.iter().any(|(named, _)| named == variable);
    !bound.is_empty() && instance.len() == bound.len() && bound.iter().all(named)
}

/// That something holds for some values of bound variables: of those of an instance, or others.
fn some<'i>(
    terms: &mut TermStore,
    wrong: Term,
    instances: impl Iterator<Item = &'i Instance>,
) -> Term {
    let mut cases = Vec::new();
    let mut other = wrong;
    for instance in instances {
        cases.push(terms.substitute(wrong, instance));
        let equal: Vec<Term> = instance.iter().map(|&(v, term)| terms.eq(v, term)).collect();
        let same = terms.and_all(&equal);
        let differs = terms.not(same);
        other = terms.and(other, differs);
    }
    cases.push(other);
    terms.or_all(&cases)
}
