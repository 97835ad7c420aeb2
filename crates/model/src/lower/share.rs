//! One divider for many branches.
//!
//! A program that goes one of a hundred ways and divides on each of them has a hundred divisions in
//! its next functions, of which a step needs one. Two operators of which at most one matters, because
//! every use of them is in different branches of one conditional, can be one: op(x) in one branch and
//! op(y) in the other become op(ite(c, x, y)), as in the sharing of functional units in high-level
//! synthesis. What an operator costs, several hundred gates and their propagation in every query, is
//! then paid once, and a conditional between operands is paid for each use.
//!
//! - *Regions*: the innermost branch that all uses of a term are in. It is the nearest common
//!   ancestor of its users' regions in the tree of branches, that is, its dominator among them.
//! - *Lists*: the operators of a region, each after those that it reads. The lists of the two branches
//!   of a conditional are aligned by a longest common subsequence, so that the order is kept and
//!   nothing comes to read itself, and the result joins the list of the region around it.
//!
//! Signed division is recognised by making it again, and shared with what it does about signs.

mod align;
mod operations;

use super::prepare::Prepared;
use align::{Choice, Unit, aligned};
use operations::{Operation, operations};
use rustc_hash::FxHashMap;
use wedge_logic::{Op, Term, TermStore};

/// Steps in the tree of branches after which the search ends.
const MAX_CLIMBS: usize = 20_000_000;
/// All terms belong to the region around all branches.
const EVERYWHERE: u32 = 0;
const UNUSED: u32 = u32::MAX;

/// Replaces operators in different branches by shared ones.
///
/// Ensures: next functions, constraints and the bad state have the values that they had.
pub(super) fn share_operators(prepared: &mut Prepared) {
    let mut roots: Vec<Term> = prepared.states().filter_map(|state| state.next).collect();
    roots.extend(&prepared.constraints);
    roots.push(prepared.bad);
    let terms = &mut prepared.system.terms;
    let Some(mut sharing) = Sharing::find(terms, &roots) else { return };
    sharing.build(terms);
    for &position in &prepared.state_positions {
        let next = &mut prepared.system.states[position].next;
        *next = next.map(|term| sharing.image_of(terms, term));
    }
    for constraint in &mut prepared.constraints {
        *constraint = sharing.image_of(terms, *constraint);
    }
    prepared.bad = sharing.image_of(terms, prepared.bad);
}

struct Sharing {
    /// Units in an order in which each reads earlier ones only.
    units: Vec<Unit>,
    image: FxHashMap<Term, Term>,
}

impl Sharing {
    /// None if no operator can be shared.
    fn find(terms: &mut TermStore, roots: &[Term]) -> Option<Sharing> {
        let cone = terms.cone(roots);
        let operations = operations(terms, &cone);
        if operations.len() < 2 {
            return None;
        }
        let regions = Regions::find(terms, &cone, roots, &operations)?;
        let units = regions.units(terms, &cone, &operations);
        let is_shared = units.iter().any(|unit| unit.members.len() > 1);
        is_shared.then(|| Sharing { units, image: FxHashMap::default() })
    }

    fn build(&mut self, terms: &mut TermStore) {
        for unit in std::mem::take(&mut self.units) {
            if unit.members.len() < 2 {
                continue;
            }
            let operands: Vec<Term> =
                unit.operands.iter().map(|choice| self.chosen(terms, choice)).collect();
            let operator = unit.key.make(terms, &operands);
            self.image.extend(unit.members.iter().map(|&member| (member, operator)));
        }
    }

    fn chosen(&mut self, terms: &mut TermStore, choice: &Choice) -> Term {
        // The post-order of a tree, without recursion: branches may be nested deeply.
        let mut todo = vec![(choice, false)];
        let mut done = Vec::new();
        while let Some((choice, is_ready)) = todo.pop() {
            match choice {
                Choice::Always(term) => done.push(self.image_of(terms, *term)),
                Choice::Either(_, both) if !is_ready => {
                    todo.extend([(choice, true), (&both[1], false), (&both[0], false)]);
                }
                Choice::Either(condition, _) => {
                    let (other, then) = (done.pop(), done.pop());
                    let condition = self.image_of(terms, *condition);
                    let (then, other) = (then.expect("two"), other.expect("two"));
                    done.push(terms.ite(condition, then, other));
                }
            }
        }
        done.pop().expect("a choice has a term")
    }

    /// The term with operators replaced by their units, as far as these have been built.
    fn image_of(&mut self, terms: &mut TermStore, term: Term) -> Term {
        for old in terms.cone_without(&[term], |t| self.image.contains_key(&t)) {
            let args: Vec<Term> = terms.args(old).iter().map(|arg| self.image[arg]).collect();
            let is_same = args == terms.args(old);
            let new = if is_same { old } else { terms.rebuild(terms.op(old), &args) };
            self.image.insert(old, new);
        }
        self.image[&term]
    }
}

#[derive(Clone, Copy)]
struct Branch {
    parent: u32,
    depth: u32,
}

struct Regions {
    /// The tree of branches; the first is around all others.
    branches: Vec<Branch>,
    /// By conditional: its two branches.
    branches_of: FxHashMap<Term, [u32; 2]>,
    /// By position in the cone.
    places: Vec<u32>,
    climbs: usize,
}

impl Regions {
    /// None if the branches are nested too deeply.
    fn find(
        terms: &TermStore,
        cone: &[Term],
        roots: &[Term],
        operations: &FxHashMap<Term, Operation>,
    ) -> Option<Regions> {
        let position: FxHashMap<Term, usize> =
            cone.iter().enumerate().map(|(position, &term)| (term, position)).collect();
        let mut regions = Regions {
            branches: vec![Branch { parent: EVERYWHERE, depth: 0 }],
            branches_of: FxHashMap::default(),
            places: vec![UNUSED; cone.len()],
            climbs: 0,
        };
        for root in roots {
            regions.places[position[root]] = EVERYWHERE;
        }
        // Users come after operands in the cone.
        for (at, &term) in cone.iter().enumerate().rev() {
            let place = regions.places[at];
            if place == UNUSED {
                continue;
            }
            let args = terms.args(term);
            if let Some(operation) = operations.get(&term) {
                for operand in &operation.operands {
                    regions.use_in(position[operand], place);
                }
            } else if terms.op(term) == Op::Ite {
                let [then, other] = [regions.branch(place), regions.branch(place)];
                regions.branches_of.insert(term, [then, other]);
                regions.use_in(position[&args[0]], place);
                regions.use_in(position[&args[1]], then);
                regions.use_in(position[&args[2]], other);
            } else {
                args.iter().for_each(|arg| regions.use_in(position[arg], place));
            }
            if regions.climbs > MAX_CLIMBS {
                return None;
            }
        }
        Some(regions)
    }

    fn branch(&mut self, parent: u32) -> u32 {
        let depth = self.branches[parent as usize].depth + 1;
        self.branches.push(Branch { parent, depth });
        self.branches.len() as u32 - 1
    }

    /// Takes note of a use: the region of a term is the nearest around all of its uses.
    fn use_in(&mut self, position: usize, branch: u32) {
        let (mut a, mut b) = (self.places[position], branch);
        if a == UNUSED {
            self.places[position] = b;
            return;
        }
        while a != b {
            self.climbs += 1;
            let (left, right) = (self.branches[a as usize], self.branches[b as usize]);
            if left.depth >= right.depth {
                a = left.parent;
            } else {
                b = right.parent;
            }
        }
        self.places[position] = a;
    }

    /// The operators of the region around everything, in an order in which each reads earlier ones.
    fn units(
        &self,
        terms: &TermStore,
        cone: &[Term],
        operations: &FxHashMap<Term, Operation>,
    ) -> Vec<Unit> {
        let mut lists: Vec<Vec<Unit>> = vec![vec![]; self.branches.len()];
        for (&term, &place) in cone.iter().zip(&self.places) {
            if place == UNUSED {
                continue;
            }
            if let Some(operation) = operations.get(&term) {
                lists[place as usize].push(Unit::alone(term, operation));
            } else if let Some(&[then, other]) = self.branches_of.get(&term) {
                let then = std::mem::take(&mut lists[then as usize]);
                let other = std::mem::take(&mut lists[other as usize]);
                let both = aligned(terms.args(term)[0], then, other);
                lists[place as usize].extend(both);
            }
        }
        std::mem::take(&mut lists[EVERYWHERE as usize])
    }
}

#[cfg(test)]
mod tests;
