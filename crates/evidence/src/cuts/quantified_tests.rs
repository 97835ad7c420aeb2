//! Claims with quantifiers about small automata with an array: right ones, and wrong ones of each kind.

use super::check_quantified_invariants;
use crate::rejection::{Condition, Rejection};
use wedge_logic::folds::{Fold, Joint};
use wedge_logic::{Sort, Term};
use wedge_model::Cfa;
use wedge_model::cfa::{Edge, Instance, LocationId, QuantifiedInvariants, Target, TargetKind};
use wedge_sat::Interrupt;

const WIDTH: u32 = 12;

/// `for (i = 0; i < n; i++) a[i] = v(i); for (i = 0; i < n; i++) if (a[i] != w(i)) error;`
struct Filling {
    cfa: Cfa,
    array: Term,
    index: Term,
    length: Term,
    heads: [LocationId; 2],
}

/// What is written, or expected, at an index.
type Element = fn(&mut wedge_logic::TermStore, Term) -> Term;

fn square(terms: &mut wedge_logic::TermStore, index: Term) -> Term {
    terms.mul(index, index)
}

fn next(terms: &mut wedge_logic::TermStore, index: Term) -> Term {
    terms.inc(index)
}

fn filling(first: u64, written: Element, expected: Element) -> Filling {
    let mut cfa = Cfa::new();
    let array = cfa.add_variable("a", Sort::Array { index: WIDTH, element: WIDTH });
    let index = cfa.add_variable("i", Sort::Bv(WIDTH));
    let length = cfa.add_variable("n", Sort::Bv(WIDTH));
    let heads = [cfa.add_location(None), cfa.add_location(None)];
    let error = cfa.add_location(None);
    let terms = &mut cfa.terms;
    let always = terms.bool(true);
    let inside = terms.ult(index, length);
    let (outside, after) = (terms.not(inside), terms.inc(index));
    let (first, zero) = (terms.number(WIDTH, first), terms.zero(WIDTH));
    let element = written(terms, index);
    let filled = terms.write(array, index, element);
    let (read, wanted) = (terms.read(array, index), expected(terms, index));
    let is_right = terms.eq(read, wanted);
    let is_wrong = terms.not(is_right);
    let (right, wrong) = (terms.and(inside, is_right), terms.and(inside, is_wrong));
    let entry = cfa.entry;
    for (from, to, guard, updates) in [
        (entry, heads[0], always, vec![(index, first)]),
        (heads[0], heads[0], inside, vec![(array, filled), (index, after)]),
        (heads[0], heads[1], outside, vec![(index, zero)]),
        (heads[1], heads[1], right, vec![(index, after)]),
        (heads[1], error, wrong, vec![]),
    ] {
        cfa.add_edge(Edge { from, to, guard, updates, origin: None });
    }
    cfa.targets.push(Target { location: error, kind: TargetKind::Error, name: "error".into() });
    Filling { cfa, array, index, length, heads }
}

impl Filling {
    /// All elements before the index, and then all before the length, are as said.
    fn claim(&self, element: Element) -> QuantifiedInvariants {
        let mut terms = self.cfa.terms.clone();
        let any = terms.var("any", Sort::Bv(WIDTH));
        let value = element(&mut terms, any);
        let read = terms.read(self.array, any);
        let is_right = terms.eq(read, value);
        let (done, inside) = (terms.ult(any, self.index), terms.ult(any, self.length));
        let first = terms.implies(done, is_right);
        let second = terms.implies(inside, is_right);
        let at_index: Instance = vec![(any, self.index)];
        QuantifiedInvariants {
            terms,
            bound: vec![any],
            invariants: vec![(self.heads[0], vec![first]), (self.heads[1], vec![second])],
            instances: self.heads.map(|head| (head, vec![at_index.clone()])).to_vec(),
            folds: Vec::new(),
            probes: Vec::new(),
        }
    }

    fn check(&self, claim: &QuantifiedInvariants) -> Result<(), Rejection> {
        check_quantified_invariants(&self.cfa, claim, &Interrupt::default())
    }
}

fn failed(result: Result<(), Rejection>) -> Option<Condition> {
    match result {
        Err(Rejection::RefutedAt { condition, .. }) => Some(condition),
        Err(other) => panic!("{other}"),
        Ok(()) => None,
    }
}

#[test]
fn all_elements_are_as_they_were_written() {
    for element in [next as Element, square as Element] {
        let program = filling(0, element, element);
        assert_eq!(failed(program.check(&program.claim(element))), None);
    }
}

#[test]
fn what_was_not_written_is_not_believed() {
    let program = filling(1, next, next);
    assert_eq!(failed(program.check(&program.claim(next))), Some(Condition::Consecution));
}

#[test]
fn another_element_than_the_one_written_is_not_believed() {
    let program = filling(0, square, next);
    assert_eq!(failed(program.check(&program.claim(next))), Some(Condition::Consecution));
    assert_eq!(failed(program.check(&program.claim(square))), Some(Condition::Safety));
}

#[test]
fn a_proof_needs_its_instances() {
    let program = filling(0, next, next);
    let mut claim = program.claim(next);
    claim.instances.clear();
    // Without the element at the index nothing is known of the one that is read.
    assert_eq!(failed(program.check(&claim)), Some(Condition::Safety));
}

#[test]
fn the_entry_is_arbitrary() {
    let program = filling(0, next, next);
    let mut claim = program.claim(next);
    let formula = claim.invariants[1].1.clone();
    claim.invariants.push((program.cfa.entry, formula));
    assert_eq!(failed(program.check(&claim)), Some(Condition::Initiation));
}

#[test]
fn variables_of_the_automaton_are_not_bound() {
    let program = filling(1, next, next);
    let mut claim = program.claim(next);
    // For all i would be no claim about the i of the program.
    claim.bound.push(program.index);
    assert!(matches!(program.check(&claim), Err(Rejection::Malformed(_))));
    let mut claim = program.claim(next);
    claim.bound.clear();
    assert!(matches!(program.check(&claim), Err(Rejection::Malformed(_))));
}

#[test]
fn a_loop_without_formulas_is_no_cut_point() {
    let program = filling(0, next, next);
    let mut claim = program.claim(next);
    claim.invariants.remove(0);
    assert!(matches!(program.check(&claim), Err(Rejection::Malformed(_))));
}

/// `for (i = 0; i < n; i++) s += a[i]; for (i = 0; i < n; i++) s -= a[i]; if (s != 0) error;`, and the claim that
/// the sum is that of the elements before the index, and then that of the others.
fn summing(taken_back: bool) -> (Cfa, QuantifiedInvariants) {
    let mut cfa = Cfa::new();
    let array = cfa.add_variable("a", Sort::Array { index: WIDTH, element: WIDTH });
    let [index, length, sum] = ["i", "n", "s"].map(|name| cfa.add_variable(name, Sort::Bv(WIDTH)));
    let heads = [cfa.add_location(None), cfa.add_location(None)];
    let error = cfa.add_location(None);
    let terms = &mut cfa.terms;
    let always = terms.bool(true);
    let inside = terms.ult(index, length);
    let (outside, after) = (terms.not(inside), terms.inc(index));
    let zero = terms.zero(WIDTH);
    let read = terms.read(array, index);
    let (more, less) = (terms.add(sum, read), terms.sub(sum, read));
    let less = if taken_back { less } else { more };
    let is_left = terms.neq(sum, zero);
    let wrong = terms.and(outside, is_left);
    let entry = cfa.entry;
    for (from, to, guard, updates) in [
        (entry, heads[0], always, vec![(index, zero), (sum, zero)]),
        (heads[0], heads[0], inside, vec![(sum, more), (index, after)]),
        (heads[0], heads[1], outside, vec![(index, zero)]),
        (heads[1], heads[1], inside, vec![(sum, less), (index, after)]),
        (heads[1], error, wrong, vec![]),
    ] {
        cfa.add_edge(Edge { from, to, guard, updates, origin: None });
    }
    cfa.targets.push(Target { location: error, kind: TargetKind::Error, name: "error".into() });
    let mut terms = cfa.terms.clone();
    let counter = terms.var("counter", Sort::Bv(WIDTH));
    let step = terms.read(array, counter);
    let fold = |terms: &mut wedge_logic::TermStore, bound: Term| {
        let word = terms.fresh_var("word", Sort::Bv(WIDTH));
        Fold { word, joint: Joint::Sum, counter, step, values: Vec::new(), bound }
    };
    let folds = vec![fold(&mut terms, index), fold(&mut terms, length)];
    let is_before = terms.ule(index, length);
    let first = terms.eq(sum, folds[0].word);
    let rest = terms.sub(folds[1].word, folds[0].word);
    let second = terms.eq(sum, rest);
    let invariants = vec![(heads[0], vec![is_before, first]), (heads[1], vec![is_before, second])];
    let (bound, instances, probes) = Default::default();
    (cfa, QuantifiedInvariants { terms, bound, invariants, instances, folds, probes })
}

#[test]
fn sums_are_those_of_elements() {
    let (cfa, claim) = summing(true);
    assert_eq!(failed(check_quantified_invariants(&cfa, &claim, &Interrupt::default())), None);
    let (cfa, claim) = summing(false);
    let result = check_quantified_invariants(&cfa, &claim, &Interrupt::default());
    assert_eq!(failed(result), Some(Condition::Consecution));
}

#[test]
fn other_folds_are_not_believed() {
    for joint in [Joint::Xor, Joint::Max, Joint::And] {
        let (cfa, mut claim) = summing(true);
        claim.folds.iter_mut().for_each(|fold| fold.joint = joint);
        let result = check_quantified_invariants(&cfa, &claim, &Interrupt::default());
        assert_eq!(failed(result), Some(Condition::Consecution), "{joint:?}");
    }
}

#[test]
fn words_of_folds_mean_nothing_else() {
    let (cfa, claim) = summing(true);
    let malformed = |change: &dyn Fn(&mut QuantifiedInvariants)| {
        let mut claim = claim.clone();
        change(&mut claim);
        let result = check_quantified_invariants(&cfa, &claim, &Interrupt::default());
        assert!(matches!(result, Err(Rejection::Malformed(_))), "{result:?}");
    };
    malformed(&|claim| claim.folds[0].word = cfa.variables[3]);
    malformed(&|claim| claim.folds[0].word = claim.folds[1].word);
    malformed(&|claim| claim.folds[0].counter = cfa.variables[1]);
    malformed(&|claim| claim.folds[0].bound = claim.folds[0].counter);
    malformed(&|claim| {
        claim.folds.pop();
    });
}
