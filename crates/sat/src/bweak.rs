//! Approximate interpolants in conjunctive normal form.
//!
//! Paper: Vizel, Ryvchin, Nadel, "Efficient Generation of Small Interpolants in CNF", figure 2.
//!
//! Along the A-part of a refutation every clause gets a set of clauses that A implies and that,
//! with B, imply it. At a resolution on a variable local to A, that variable is eliminated from
//! the set if the set does not grow and nothing below was skipped. What local variables are left
//! at the empty clause are removed by bounded elimination, and the rest by incomplete elimination,
//! which keeps only some resolvents. A implies the result, which has shared variables only; it
//! may be too weak to contradict B (a "B-weak" interpolant).

use crate::check::{Flaw, check_interpolant, sides};
use crate::interpolate::Label;
use crate::proof::{ClauseId, Proof, ProofError};
use crate::refutation::{Origin, Refutation};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use wedge_logic::{Aig, Lit, audit};

/// Clauses are sorted and free of duplicates.
pub type Clause = Vec<i32>;
type ClauseSet = Rc<Vec<Rc<Clause>>>;

/// Sets larger than this are not worth eliminating from while the proof is traversed.
const LOCAL_SET: usize = 60;
/// Longer clauses say next to nothing and are left out.
const LONGEST: usize = 60;
/// By how many clauses an elimination may grow the set if otherwise it would be incomplete: a
/// complete interpolant needs no strengthening, which costs much more than a few clauses.
const GROWTH: usize = 8;

/// How a B-weak interpolant came about.
#[derive(Clone, Debug, Default)]
pub struct BWeak {
    pub clauses: Vec<Clause>,
    /// No incomplete elimination was needed: it is an interpolant.
    pub complete: bool,
}

impl BWeak {
    /// Asserts that A implies it, and if it is complete that it contradicts B, where such checks are
    /// made.
    fn audit(&self, proof: &Proof, root: ClauseId, cut: u32, label: &dyn Fn(i32) -> Label) {
        if !audit::is_on() {
            return;
        }
        let (a, b) = sides(proof, root, cut, label);
        let variables: Vec<i32> = self.clauses.iter().flatten().map(|lit| lit.abs()).collect();
        let mut aig = Aig::with_inputs(variables.len());
        let mut inputs = 0..;
        let mut conjuncts = Vec::new();
        for clause in &self.clauses {
            let lits: Vec<Lit> = clause
                .iter()
                .map(|&lit| aig.input(inputs.next().expect("without end")).xor(lit < 0))
                .collect();
            conjuncts.push(aig.or_all(&lits));
        }
        let interpolant = aig.and_all(&conjuncts);
        match check_interpolant(&a, &b, &aig, interpolant, &variables) {
            Err(Flaw::NotRefuting) if !self.complete => {}
            other => assert_eq!(other, Ok(()), "what was computed is a B-weak interpolant"),
        }
    }
}

/// The B-weak interpolant of the refutation at `root`, over the shared variables.
///
/// Requires: partitions below `cut` are A; `label(v)` says where v occurs. The root may be a
/// clause of negated `assumptions`, which are local to A or to B and occur nowhere else.
pub fn b_weak_interpolant(
    proof: &Proof,
    root: ClauseId,
    cut: u32,
    assumptions: &[i32],
    label: impl Fn(i32) -> Label,
) -> Result<BWeak, ProofError> {
    let refutation = Refutation::extract(proof, root, |_| false)?;
    let is_local = |v: i32| label(v) == Label::A;
    let clauses = non_global_interpolant(proof, &refutation, cut, assumptions, &is_local);
    let mut elimination = Elimination::new(clauses);
    elimination.eliminate_bounded(0, &is_local);
    elimination.eliminate_bounded(GROWTH, &is_local);
    let complete = elimination.eliminate_rest(&is_local);
    let mut clauses = elimination.into_clauses();
    let count = clauses.len();
    clauses.retain(|clause| clause.len() <= LONGEST);
    let found = BWeak { complete: complete && clauses.len() == count, clauses };
    found.audit(proof, root, cut, &label);
    Ok(found)
}

/// What is known of a clause of the refutation.
#[derive(Clone)]
enum Part {
    /// Derived from B alone.
    B,
    /// A clause set in which every local pivot below was eliminated.
    Set(ClauseSet),
    /// Elimination was skipped here or below: the union of the parts in this arena slot.
    Skipped(u32),
}

struct Builder {
    /// Pairs of parts whose union a skipped clause stands for.
    unions: Vec<[Part; 2]>,
}

/// Lines 2 to 21 of figure 2.
fn non_global_interpolant(
    proof: &Proof,
    refutation: &Refutation,
    cut: u32,
    assumptions: &[i32],
    is_local: &impl Fn(i32) -> bool,
) -> Vec<Clause> {
    let mut builder = Builder { unions: Vec::new() };
    let mut parts: Vec<Part> = Vec::with_capacity(refutation.clauses.len());
    for (&id, &origin) in refutation.clauses.iter().zip(&refutation.origins) {
        let part = match origin {
            Origin::Original(partition) if partition < cut => {
                Part::Set(Rc::new(vec![Rc::new(normalised(proof.clause(id), assumptions))]))
            }
            Origin::Original(_) | Origin::Known => Part::B,
            Origin::Chain { first, start, end } => {
                let mut current = parts[first as usize].clone();
                for step in &refutation.resolutions[start as usize..end as usize] {
                    let other = parts[step.node as usize].clone();
                    current = builder.resolve(current, other, step.pivot.abs(), is_local);
                }
                current
            }
        };
        parts.push(part);
    }
    builder.flatten(parts.pop().expect("a refutation has its root"))
}

impl Builder {
    fn resolve(
        &mut self,
        left: Part,
        right: Part,
        pivot: i32,
        is_local: &impl Fn(i32) -> bool,
    ) -> Part {
        match (left, right) {
            (Part::B, other) | (other, Part::B) => other,
            (Part::Set(left), Part::Set(right)) if left.len() + right.len() <= LOCAL_SET => {
                let union = union(&left, &right);
                if !is_local(pivot) {
                    return Part::Set(Rc::new(union));
                }
                match eliminate_if_smaller(&union, pivot) {
                    Some(eliminated) => Part::Set(Rc::new(eliminated)),
                    None => self.skip(Part::Set(left), Part::Set(right)),
                }
            }
            (left, right) => self.skip(left, right),
        }
    }

    fn skip(&mut self, left: Part, right: Part) -> Part {
        self.unions.push([left, right]);
        Part::Skipped(self.unions.len() as u32 - 1)
    }

    /// The union of everything below a part.
    fn flatten(&self, root: Part) -> Vec<Clause> {
        let mut seen = FxHashSet::default();
        let mut clauses: FxHashSet<Clause> = FxHashSet::default();
        let mut stack = vec![&root];
        while let Some(part) = stack.pop() {
            match part {
                Part::B => {}
                Part::Set(set) => clauses.extend(set.iter().map(|c| (**c).clone())),
                Part::Skipped(slot) if seen.insert(*slot) => {
                    stack.extend(&self.unions[*slot as usize]);
                }
                Part::Skipped(_) => {}
            }
        }
        let mut clauses: Vec<Clause> = clauses.into_iter().collect();
        clauses.sort_unstable();
        clauses
    }
}

/// The clause under the assumptions: without their negations.
fn normalised(clause: &[i32], assumptions: &[i32]) -> Clause {
    let mut clause = clause.to_vec();
    clause.retain(|lit| !assumptions.contains(&-lit));
    clause.sort_unstable();
    clause.dedup();
    clause
}

fn union(left: &ClauseSet, right: &ClauseSet) -> Vec<Rc<Clause>> {
    let mut union: Vec<Rc<Clause>> = left.iter().chain(right.iter()).cloned().collect();
    union.sort_unstable();
    union.dedup();
    union
}

/// VE(set, v), if it has no more clauses than the set.
fn eliminate_if_smaller(set: &[Rc<Clause>], pivot: i32) -> Option<Vec<Rc<Clause>>> {
    let with = |lit: i32| set.iter().filter(move |c| c.contains(&lit)).collect::<Vec<_>>();
    let (positive, negative) = (with(pivot), with(-pivot));
    let mut result: Vec<Rc<Clause>> =
        set.iter().filter(|c| !c.contains(&pivot) && !c.contains(&-pivot)).cloned().collect();
    for left in &positive {
        for right in &negative {
            if let Some(resolvent) = resolvent(left, right, pivot) {
                result.push(Rc::new(resolvent));
                if result.len() > set.len() {
                    return None;
                }
            }
        }
    }
    result.sort_unstable();
    result.dedup();
    Some(result)
}

/// The resolvent on `pivot`, unless it is a tautology.
fn resolvent(left: &[i32], right: &[i32], pivot: i32) -> Option<Clause> {
    let mut clause: Clause =
        left.iter().chain(right).copied().filter(|l| l.abs() != pivot.abs()).collect();
    clause.sort_unstable();
    clause.dedup();
    let tautology = clause.iter().any(|l| *l > 0 && clause.binary_search(&-l).is_ok());
    (!tautology).then_some(clause)
}

/// Variable elimination over the whole clause set, with occurrence lists.
struct Elimination {
    clauses: Vec<Option<Clause>>,
    occurrences: rustc_hash::FxHashMap<i32, Vec<u32>>,
}

impl Elimination {
    fn new(clauses: Vec<Clause>) -> Elimination {
        let mut elimination = Elimination { clauses: Vec::new(), occurrences: Default::default() };
        clauses.into_iter().for_each(|c| elimination.add(c));
        elimination
    }

    fn add(&mut self, clause: Clause) {
        let index = self.clauses.len() as u32;
        for &lit in &clause {
            self.occurrences.entry(lit).or_default().push(index);
        }
        self.clauses.push(Some(clause));
    }

    /// The live clauses with a literal.
    fn with(&mut self, lit: i32) -> Vec<u32> {
        let clauses = &self.clauses;
        let Some(list) = self.occurrences.get_mut(&lit) else { return Vec::new() };
        list.retain(|&c| clauses[c as usize].is_some());
        list.clone()
    }

    /// Local variables that occur, those with the fewest resolvents first.
    fn locals(&mut self, is_local: &impl Fn(i32) -> bool) -> Vec<i32> {
        let mut locals: Vec<i32> =
            self.occurrences.keys().map(|l| l.abs()).filter(|&v| is_local(v)).collect();
        locals.sort_unstable();
        locals.dedup();
        let mut keyed = Vec::new();
        for var in locals {
            let (positive, negative) = (self.with(var).len(), self.with(-var).len());
            if positive + negative > 0 {
                keyed.push((positive * negative, var));
            }
        }
        keyed.sort_unstable();
        keyed.into_iter().map(|(_, v)| v).collect()
    }

    /// Line 22: as in SatELite, a variable is eliminated if the clauses do not become more than
    /// that.
    fn eliminate_bounded(&mut self, growth: usize, is_local: &impl Fn(i32) -> bool) {
        loop {
            let mut changed = false;
            for var in self.locals(is_local) {
                let (positive, negative) = (self.with(var), self.with(-var));
                let before = positive.len() + negative.len();
                if positive.len() * negative.len() > 4 * before.max(16) {
                    continue;
                }
                let resolvents = self.resolvents(&positive, &negative, var);
                if resolvents.len() <= before + growth {
                    self.replace(&positive, &negative, resolvents);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Line 26; true if there was nothing left to do.
    fn eliminate_rest(&mut self, is_local: &impl Fn(i32) -> bool) -> bool {
        let mut complete = true;
        let mut locals = self.locals(is_local);
        while !locals.is_empty() {
            for var in locals {
                let (positive, negative) = (self.with(var), self.with(-var));
                let all = positive.len() * negative.len();
                let resolvents = self.incomplete(&positive, &negative, var);
                complete &= resolvents.len() == all;
                self.replace(&positive, &negative, resolvents);
            }
            locals = self.locals(is_local);
        }
        complete
    }

    fn resolvents(&self, positive: &[u32], negative: &[u32], var: i32) -> Vec<Clause> {
        let mut resolvents = Vec::new();
        for &p in positive {
            resolvents.extend(negative.iter().filter_map(|&n| self.resolvent(p, n, var)));
        }
        resolvents.sort_unstable();
        resolvents.dedup();
        resolvents
    }

    fn resolvent(&self, positive: u32, negative: u32, var: i32) -> Option<Clause> {
        let live = |index: u32| self.clauses[index as usize].as_deref().expect("a live clause");
        resolvent(live(positive), live(negative), var)
    }

    /// Definition 11: for every clause its shortest resolvent, hence no more than there were.
    fn incomplete(&self, positive: &[u32], negative: &[u32], var: i32) -> Vec<Clause> {
        let shortest = |candidates: &mut dyn Iterator<Item = Option<Clause>>| {
            candidates.flatten().min_by_key(|c| c.len())
        };
        let mut kept = Vec::new();
        for &p in positive {
            kept.extend(shortest(&mut negative.iter().map(|&n| self.resolvent(p, n, var))));
        }
        for &n in negative {
            kept.extend(shortest(&mut positive.iter().map(|&p| self.resolvent(p, n, var))));
        }
        kept.sort_unstable();
        kept.dedup();
        kept
    }

    fn replace(&mut self, positive: &[u32], negative: &[u32], by: Vec<Clause>) {
        for &index in positive.iter().chain(negative) {
            self.clauses[index as usize] = None;
        }
        by.into_iter().for_each(|clause| self.add(clause));
    }

    /// The clauses that are left, without those another one subsumes.
    fn into_clauses(self) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = self.clauses.into_iter().flatten().collect();
        clauses.sort_unstable_by_key(|c| c.len());
        clauses.dedup();
        let mut kept: Vec<Clause> = Vec::new();
        for clause in clauses {
            let subsumed = kept.iter().any(|k| k.iter().all(|l| clause.binary_search(l).is_ok()));
            if !subsumed {
                kept.push(clause);
            }
        }
        kept
    }
}
