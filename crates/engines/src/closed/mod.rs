//! Closed forms of counted loops as invariants.
//!
//! A loop that adds the same to its variables in every round has a closed form: an equation between them
//! that holds after any number of rounds, with wrap-around (Knuth: The Art of Computer Programming 1, for sums;
//! Müller-Olm, Seidl: Analysis of Modular Arithmetic, TOPLAS 2007, for equations modulo 2^w). The forms are
//! read off the program ([`wedge_model::guess::closed`]), those that are inductive are kept (Flanagan, Leino:
//! Houdini, FME 2001), and if they exclude the errors they are the proof. That sums and products are equal is
//! shown by algebra ([`wedge_logic::ring`]), what is left is asked of a solver. There is no refinement, and no
//! counterexample is found.

use crate::contract::{AutomatonEngine, AutomatonOutcome, Context, UnknownReason};
use crate::figures;
use rustc_hash::FxHashMap;
use wedge_logic::ring::simplify;
use wedge_logic::{Substitution, Term, TermStore};
use wedge_model::Cfa;
use wedge_model::cfa::{BlockOptions, CutInvariants, SingleLoop, single_loop};
use wedge_model::guess::closed::closed_forms;
use wedge_sat::Interrupt;
use wedge_smt::{Answer, Solver};

/// Larger programs are left alone: they are about more than counting. Not tuned.
const MAX_TERMS: usize = 20_000;
const MAX_CUTS: usize = 40;
/// Conflicts that a question about a candidate may take, and one about errors. Not tuned: what algebra has not
/// settled is mostly a bound, which takes a few hundred.
const ALONE: i32 = 2_000;
const SAFETY: i32 = 50_000;

pub struct Closed;

impl AutomatonEngine for Closed {
    fn run(&self, automaton: &Cfa, context: &Context) -> AutomatonOutcome {
        match proof(automaton, context) {
            Ok(proof) => AutomatonOutcome::Safe(proof),
            Err(reason) => AutomatonOutcome::Unknown(reason),
        }
    }
}

fn inapplicable(what: &str) -> UnknownReason {
    UnknownReason::Inapplicable(what.to_string())
}

fn proof(cfa: &Cfa, context: &Context) -> Result<CutInvariants, UnknownReason> {
    let single = single_loop(cfa, &BlockOptions::default())
        .map_err(|error| UnknownReason::TooLarge(error.to_string()))?;
    let size = single.system.terms.cone(&single.system.roots()).len();
    if size > MAX_TERMS || single.cuts.len() > MAX_CUTS {
        return Err(inapplicable("the program is too large for closed forms of its loops"));
    }
    let mut terms = single.system.terms.clone();
    let candidates = closed_forms(cfa, &single, &mut terms);
    let count: usize = candidates.iter().map(Vec::len).sum();
    context.record(|f| f.add(figures::CANDIDATES, count as f64));
    if count == 0 {
        return Err(inapplicable("no loop of the program has a closed form"));
    }
    let interrupt = context.interrupt();
    let mut houdini = Houdini { single: &single, terms, candidates, interrupt: &interrupt };
    houdini.filter().ok_or_else(|| context.stop_reason())?;
    let kept: usize = houdini.candidates.iter().map(Vec::len).sum();
    context.record(|f| f.add(figures::FACTS, kept as f64));
    if !houdini.is_safe().ok_or_else(|| context.stop_reason())? {
        return Err(inapplicable("the closed forms of loops do not exclude the error"));
    }
    let Houdini { mut terms, candidates, .. } = houdini;
    let cuts = single.cuts.iter().zip(candidates);
    let invariants = cuts.map(|(&cut, formulas)| (cut, terms.and_all(&formulas))).collect();
    Ok(CutInvariants { terms, invariants })
}

/// The candidates that are left at each cut point.
struct Houdini<'a> {
    single: &'a SingleLoop,
    terms: TermStore,
    candidates: Vec<Vec<Term>>,
    interrupt: &'a Interrupt,
}

impl Houdini<'_> {
    /// Drops candidates until those that are left are inductive. None if interrupted.
    fn filter(&mut self) -> Option<()> {
        let single = self.single;
        let numbers = single.cuts.iter().enumerate();
        let number: FxHashMap<_, usize> = numbers.map(|(number, &cut)| (cut, number)).collect();
        loop {
            let mut has_dropped = false;
            for (from, block) in single.blocks.iter().enumerate() {
                for exit in &block.exits {
                    let to = number[&exit.to];
                    let mut after = Substitution::new(exit.values.iter().copied());
                    for candidate in self.candidates[to].clone() {
                        let then = after.apply(&mut self.terms, candidate);
                        let wrong = self.terms.not(then);
                        // ⋀g(s) ∧ step(s, s') ∧ ¬f(s')
                        if !self.excludes(from, &[exit.condition, wrong], ALONE)? {
                            self.candidates[to].retain(|&other| other != candidate);
                            has_dropped = true;
                        }
                    }
                }
            }
            if !has_dropped {
                return Some(());
            }
        }
    }

    /// Whether no error and no limit of the model can be reached. None if interrupted.
    fn is_safe(&mut self) -> Option<bool> {
        for (cut, block) in self.single.blocks.iter().enumerate() {
            let bad = self.terms.or(block.error, block.limit);
            // ⋀g(s) ∧ bad(s)
            if !self.excludes(cut, &[bad], SAFETY)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether the candidates of a cut point exclude that all this holds there. None if interrupted.
    fn excludes(&mut self, cut: usize, what: &[Term], conflicts: i32) -> Option<bool> {
        let mut all = self.candidates[cut].clone();
        all.extend(what);
        let left = simplify(&mut self.terms, &all);
        if left.iter().any(|&part| self.terms.value(part).is_some_and(|value| value.is_zero())) {
            return Some(true);
        }
        let mut solver = Solver::new(self.interrupt);
        solver.set_conflicts(Some(conflicts));
        match solver.check_assuming(&mut self.terms, &left) {
            Answer::Unsat => Some(true),
            Answer::Unknown(_) if self.interrupt.is_raised() => None,
            Answer::Sat | Answer::Unknown(_) => Some(false),
        }
    }
}
