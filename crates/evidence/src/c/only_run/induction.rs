//! Many iterations of a loop of an automaton at once, by induction.
//!
//! Some iterations are watched. From their differences it is guessed what the variables are after n
//! more: `x + n * d + (n * (n - 1) / 2) * e` modulo 2^width. And from values of the guards it is
//! guessed how many go the same way. Both are guesses, and nothing is believed of them. What counts is
//! an answer of the solver about the terms of the path through the loop: for every n below the number
//! of iterations, if the variables are what is guessed, then all guards of the path hold, those of the
//! edges that would have been taken first do not, and the variables change by `d + n * e`, which
//! is the difference between the guess for n and that for n + 1. With what was seen for n = 0 this is a proof by induction.
//! The solver knows `n * (n - 1) / 2` only as an arbitrary number, so it has no products of variables
//! to think about. Where it does not agree, its counterexample is the next guess of how many.
//!
//! No code of the interpreter's leaps is used here, and no closed form of comparisons.

use rustc_hash::FxHashMap;
use std::rc::Rc;
use wedge_logic::{BitVec, Evaluator, Sort, Substitution, Term, TermStore, Value};
use wedge_model::Cfa;
use wedge_model::cfa::EdgeId;
use wedge_sat::Interrupt;
use wedge_smt::{Answer, Solver};

/// Fewer iterations are not worth a proof.
const LEAST: u64 = 64;
/// Guesses of how many iterations there are.
const GUESSES: usize = 40;
/// Conflicts of a query.
const CONFLICTS: i32 = 20_000;
/// The number of iterations has so many bits.
const BITS: u32 = 64;

/// What the iterations of loops do.
pub struct Induction<'a> {
    cfa: &'a Cfa,
    outgoing: &'a [Vec<EdgeId>],
    terms: TermStore,
    /// How many iterations there were, and how many pairs of them there are.
    n: Term,
    pairs: Term,
    paths: FxHashMap<Vec<EdgeId>, Option<Rc<Path>>>,
}

/// One iteration, over the variables where it begins.
struct Path {
    guard: Term,
    /// The changed variables, with what they are where it ends.
    changes: Vec<(Term, Term)>,
    /// The other variables that matter.
    others: Vec<Term>,
}

/// A number, its next difference, and the difference of that, modulo 2^64.
struct Guess {
    now: u64,
    first: u64,
    second: u64,
}

impl Guess {
    /// What follows from four values in a row, the last of which is the one now.
    fn of(values: [u64; 4], width: u32) -> Option<Guess> {
        let [a, b, c, now] = values;
        let (first, second) = (b.wrapping_sub(a), c.wrapping_sub(b));
        let second = second.wrapping_sub(first);
        let third = c.wrapping_add(c.wrapping_sub(b)).wrapping_add(second);
        let is_so = BitVec::new(width, third) == BitVec::new(width, now);
        let first = now.wrapping_sub(c).wrapping_add(second);
        is_so.then_some(Guess { now, first, second })
    }

    fn after(&self, n: u64) -> u64 {
        let pairs = (u128::from(n) * u128::from(n.saturating_sub(1)) / 2) as u64;
        let linear = self.now.wrapping_add(n.wrapping_mul(self.first));
        linear.wrapping_add(pairs.wrapping_mul(self.second))
    }
}

impl<'a> Induction<'a> {
    pub fn new(cfa: &'a Cfa, outgoing: &'a [Vec<EdgeId>]) -> Induction<'a> {
        let mut terms = cfa.terms.clone();
        let n = terms.fresh_var("iterations", Sort::Bv(BITS));
        let pairs = terms.fresh_var("pairs", Sort::Bv(BITS));
        Induction { cfa, outgoing, terms, n, pairs, paths: FxHashMap::default() }
    }

    /// The variables that a path changes, if it may have a closed form.
    pub fn changed(&mut self, path: &[EdgeId]) -> Option<Vec<Term>> {
        let path = self.path(path)?;
        Some(path.changes.iter().map(|(variable, _)| *variable).collect())
    }

    /// How often the path is taken again, at least, and what its variables are then. The values are
    /// those that the changed variables had the last four times where it begins; `value` says what
    /// others are.
    ///
    /// Ensures: a run of the automaton that is at the beginning of the path with the last of the
    /// values takes the path so many times and then has the variables that are given.
    pub fn leap(
        &mut self,
        path: &[EdgeId],
        values: &[Vec<u64>; 4],
        mut value: impl FnMut(Term) -> Option<u64>,
    ) -> Option<(u64, Vec<(Term, Value)>)> {
        let path = self.path(path)?;
        let mut guesses = Vec::with_capacity(path.changes.len());
        for (index, (variable, _)) in path.changes.iter().enumerate() {
            let width = self.terms.width(*variable);
            let row = [0, 1, 2, 3].map(|state: usize| values[state][index]);
            guesses.push(Guess::of(row, width)?);
        }
        let mut known = Vec::with_capacity(path.others.len());
        for &variable in &path.others {
            known.push((variable, value(variable)?));
        }
        let mut iterations = self.guess(&path, &guesses, &known)?;
        for _ in 0..GUESSES {
            if iterations < LEAST {
                return None;
            }
            match self.counterexample(&path, &guesses, &known, iterations)? {
                Some(n) => iterations = n.min(iterations - 1),
                None => {
                    let after = |(guess, (variable, _)): (&Guess, &(Term, Term))| {
                        let width = self.terms.width(*variable);
                        (*variable, Value::Bv(BitVec::new(width, guess.after(iterations))))
                    };
                    return Some((
                        iterations,
                        guesses.iter().zip(&path.changes).map(after).collect(),
                    ));
                }
            }
        }
        None
    }

    fn path(&mut self, edges: &[EdgeId]) -> Option<Rc<Path>> {
        if let Some(known) = self.paths.get(edges) {
            return known.clone();
        }
        let path = self.compose(edges).map(Rc::new);
        self.paths.insert(edges.to_vec(), path.clone());
        path
    }

    /// The edges one after the other as one step.
    fn compose(&mut self, edges: &[EdgeId]) -> Option<Path> {
        let terms = &mut self.terms;
        let mut now: FxHashMap<Term, Term> = FxHashMap::default();
        let mut guard = terms.bool(true);
        for &id in edges {
            let edge = self.cfa.edge(id);
            let mut substitution = Substitution::new(now.iter().map(|(&a, &b)| (a, b)));
            for &other in &self.outgoing[edge.from.0 as usize] {
                let condition = substitution.apply(terms, self.cfa.edge(other).guard);
                let condition = if other == id { condition } else { terms.not(condition) };
                guard = terms.and(guard, condition);
                if other == id {
                    break;
                }
            }
            let new = edge.updates.iter();
            let new = new.map(|&(variable, value)| (variable, substitution.apply(terms, value)));
            let new: Vec<(Term, Term)> = new.collect();
            now.extend(new);
        }
        let mut changes: Vec<(Term, Term)> = now.into_iter().collect();
        changes.sort_unstable();
        let is_word = |&term: &Term| matches!(terms.sort(term), Sort::Bv(1..=BITS));
        let roots: Vec<Term> = changes.iter().map(|change| change.1).chain([guard]).collect();
        let mut others = terms.free_vars(&roots);
        others.retain(|variable| !changes.iter().any(|(changed, _)| changed == variable));
        let is_input = |variable: &Term| self.cfa.inputs.contains(variable);
        let all_words = changes.iter().map(|(variable, _)| variable).chain(&others).all(is_word);
        (all_words && !others.iter().any(is_input)).then_some(Path { guard, changes, others })
    }

    /// How many iterations go the same way, if the guards behave.
    fn guess(&self, path: &Path, guesses: &[Guess], known: &[(Term, u64)]) -> Option<u64> {
        let mut evaluator = Evaluator::new(&self.terms);
        for &(variable, value) in known {
            let value = BitVec::new(self.terms.width(variable), value);
            evaluator.assign(variable, Value::Bv(value));
        }
        let mut holds = |n: u64| {
            for (guess, (variable, _)) in guesses.iter().zip(&path.changes) {
                let value = BitVec::new(self.terms.width(*variable), guess.after(n));
                evaluator.assign(*variable, Value::Bv(value));
            }
            evaluator.holds(path.guard).ok()
        };
        if !holds(0)? {
            return None;
        }
        let (mut yes, mut no) = (0, 1);
        while holds(no)? {
            if no >= 1 << 62 {
                return Some(no);
            }
            (yes, no) = (no, 2 * no);
        }
        while no - yes > 1 {
            let middle = yes + (no - yes) / 2;
            match holds(middle)? {
                true => yes = middle,
                false => no = middle,
            }
        }
        Some(no)
    }

    /// An iteration below the number for which the guesses are wrong; none if there is none. None at
    /// all if the solver does not know.
    fn counterexample(
        &mut self,
        path: &Path,
        guesses: &[Guess],
        known: &[(Term, u64)],
        iterations: u64,
    ) -> Option<Option<u64>> {
        let terms = &mut self.terms;
        let mut solver = Solver::new(&Interrupt::default());
        solver.set_conflicts(Some(CONFLICTS));
        let bound = terms.number(BITS, iterations);
        let below = terms.ult(self.n, bound);
        solver.assert(terms, below);
        // What is linear in n is put in the place of its variable, so that most of the claim is plain
        // to see.
        let mut meanings = Vec::with_capacity(known.len() + guesses.len());
        for &(variable, value) in known {
            meanings.push((variable, terms.number(terms.width(variable), value)));
        }
        let mut claims = Vec::with_capacity(guesses.len());
        for (guess, &(variable, end)) in guesses.iter().zip(&path.changes) {
            let width = terms.width(variable);
            let [n, pairs] = [self.n, self.pairs].map(|term| terms.slice(term, width - 1, 0));
            let [now, first, second] =
                [guess.now, guess.first, guess.second].map(|number| terms.number(width, number));
            let linear = terms.mul(n, first);
            let sum = terms.add(now, linear);
            let growth = terms.mul(n, second);
            let difference = terms.add(first, growth);
            if guess.second == 0 {
                meanings.push((variable, sum));
                claims.push((end, sum, difference));
                continue;
            }
            let square = terms.mul(pairs, second);
            let sum = terms.add(sum, square);
            let is_sum = terms.eq(variable, sum);
            solver.assert(terms, is_sum);
            claims.push((end, variable, difference));
        }
        let mut meaning = Substitution::new(meanings);
        let mut claim = meaning.apply(terms, path.guard);
        for (end, now, difference) in claims {
            let end = meaning.apply(terms, end);
            let next = terms.add(now, difference);
            let is_next = terms.eq(end, next);
            claim = terms.and(claim, is_next);
        }
        let refuted = terms.not(claim);
        solver.assert(terms, refuted);
        match solver.check(terms) {
            Answer::Unsat => Some(None),
            Answer::Sat => Some(solver.value(terms, self.n)?.bv().to_u64()),
            Answer::Unknown(_) => None,
        }
    }
}
