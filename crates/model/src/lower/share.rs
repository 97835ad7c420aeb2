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

use super::prepare::Prepared;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Op, Term, TermStore};

/// Narrower operators are not worth a conditional.
const MIN_WIDTH: u32 = 8;
/// Lists whose lengths have a larger product are not aligned, but joined as they are.
const MAX_ALIGNMENT: usize = 40_000;
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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Mul,
}

/// Operators with the same key can be one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key {
    kind: Kind,
    width: u32,
    /// A constant divisor.
    divisor: Option<Term>,
}

impl Key {
    fn make(self, terms: &mut TermStore, operands: &[Term]) -> Term {
        let (a, b) = (operands[0], self.divisor.unwrap_or_else(|| operands[1]));
        match self.kind {
            Kind::Udiv => terms.udiv(a, b),
            Kind::Urem => terms.urem(a, b),
            Kind::Sdiv => terms.sdiv(a, b),
            Kind::Srem => terms.srem(a, b),
            Kind::Mul => terms.mul(a, b),
        }
    }
}

#[derive(Clone, Debug)]
struct Operation {
    key: Key,
    operands: Vec<Term>,
}

/// An operand: a term, or one of two by a condition.
#[derive(Clone, Debug)]
enum Choice {
    Always(Term),
    Either(Term, Box<[Choice; 2]>),
}

/// One operator for one or more terms.
#[derive(Clone, Debug)]
struct Unit {
    key: Key,
    members: Vec<Term>,
    operands: Vec<Choice>,
}

impl Unit {
    fn alone(term: Term, operation: &Operation) -> Unit {
        let operands = operation.operands.iter().map(|&term| Choice::Always(term)).collect();
        Unit { key: operation.key, members: vec![term], operands }
    }

    fn either(condition: Term, then: Unit, other: Unit) -> Unit {
        let both = then.operands.into_iter().zip(other.operands);
        let operands = both.map(|(a, b)| Choice::Either(condition, Box::new([a, b]))).collect();
        let members = [then.members, other.members].concat();
        Unit { key: then.key, members, operands }
    }
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

/// The operators among the terms that are worth sharing.
fn operations(terms: &mut TermStore, cone: &[Term]) -> FxHashMap<Term, Operation> {
    let known: FxHashSet<Term> = cone.iter().copied().collect();
    let mut operations = FxHashMap::default();
    for &term in cone {
        let kind = match terms.op(term) {
            Op::Udiv => Kind::Udiv,
            Op::Urem => Kind::Urem,
            Op::Mul => Kind::Mul,
            _ => continue,
        };
        let (a, b) = (terms.args(term)[0], terms.args(term)[1]);
        let has_constant = terms.is_const(a) || terms.is_const(b);
        if terms.width(term) < MIN_WIDTH || (kind == Kind::Mul && has_constant) {
            continue;
        }
        if let Some((signed, operation)) = signed(terms, kind, a, b, &known) {
            operations.insert(signed, operation);
        }
        operations.insert(term, operation(terms, kind, a, b));
    }
    operations
}

fn operation(terms: &TermStore, kind: Kind, a: Term, b: Term) -> Operation {
    let divisor = (kind != Kind::Mul && terms.is_const(b)).then_some(b);
    let key = Key { kind, width: terms.width(a), divisor };
    let operands = if divisor.is_some() { vec![a] } else { vec![a, b] };
    Operation { key, operands }
}

/// The signed division by a constant that a division of absolute values is part of.
fn signed(
    terms: &mut TermStore,
    kind: Kind,
    a: Term,
    b: Term,
    known: &FxHashSet<Term>,
) -> Option<(Term, Operation)> {
    let kind = match kind {
        Kind::Udiv => Kind::Sdiv,
        Kind::Urem => Kind::Srem,
        _ => return None,
    };
    if !terms.is_const(b) || terms.op(a) != Op::Ite {
        return None;
    }
    let negative = terms.neg(b);
    for dividend in [terms.args(a)[2], terms.args(a)[1]] {
        for divisor in [b, negative] {
            let operation = operation(terms, kind, dividend, divisor);
            let whole = operation.key.make(terms, &operation.operands);
            if known.contains(&whole) && terms.op(whole) == Op::Ite {
                return Some((whole, operation));
            }
        }
    }
    None
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

/// The lists of two branches as one, each in its order, with as many units shared as can be.
fn aligned(condition: Term, then: Vec<Unit>, other: Vec<Unit>) -> Vec<Unit> {
    if then.is_empty() || other.is_empty() || then.len() * other.len() > MAX_ALIGNMENT {
        return [then, other].concat();
    }
    let common = common_lengths(&then, &other);
    let mut both = Vec::with_capacity(then.len().max(other.len()));
    let (mut i, mut j) = (0, 0);
    let (mut then, mut other) = (then.into_iter().peekable(), other.into_iter().peekable());
    while let (Some(a), Some(b)) = (then.peek(), other.peek()) {
        let is_pair = a.key == b.key && common[i][j] == common[i + 1][j + 1] + 1;
        let takes_first = is_pair || common[i + 1][j] >= common[i][j + 1];
        let first = if takes_first { then.next() } else { None };
        let second = if is_pair || !takes_first { other.next() } else { None };
        i += first.is_some() as usize;
        j += second.is_some() as usize;
        match (first, second) {
            (Some(a), Some(b)) => both.push(Unit::either(condition, a, b)),
            (Some(unit), None) | (None, Some(unit)) => both.push(unit),
            (None, None) => unreachable!("one of the lists is gone through"),
        }
    }
    both.extend(then);
    both.extend(other);
    both
}

/// How many units the rest of one list, from a place on, can share with the rest of the other.
fn common_lengths(then: &[Unit], other: &[Unit]) -> Vec<Vec<u32>> {
    let mut common = vec![vec![0; other.len() + 1]; then.len() + 1];
    for i in (0..then.len()).rev() {
        for j in (0..other.len()).rev() {
            common[i][j] = match then[i].key == other[j].key {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    common
}

#[cfg(test)]
mod tests;
