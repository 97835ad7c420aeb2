//! The checker against explicit search: random automata, random formulas.

use super::{check, check_cut_invariants};
use crate::rejection::{Condition, Rejection};
use explicit::{combinations, reachable};
use random_cfa::{Genes, random_cfa};
use rustc_hash::FxHashSet;
use wedge_logic::{BitVec, FloatFormat, Rounding, Sort, Term, TermStore, Value};
use wedge_model::Cfa;
use wedge_model::cfa::{CutInvariants, Edge, LocationId, Target, TargetKind};
use wedge_sat::Interrupt;

#[allow(dead_code)]
#[path = "../../../model/tests/cfa/explicit.rs"]
mod explicit;
#[allow(dead_code)]
#[path = "../../../model/tests/cfa/random_cfa.rs"]
mod random_cfa;

/// States by their place in the list of all.
type States = Vec<bool>;

/// A claim with the sets that its formulas are.
struct Drawn {
    claim: CutInvariants,
    sets: Vec<(LocationId, States)>,
}

impl Drawn {
    /// The states that are reached, at a random choice of cut points; at times one state more or
    /// less.
    fn new(cfa: &Cfa, all: &[Vec<Value>], genes: &mut Genes) -> Drawn {
        let reached = reachable(cfa);
        let is_target = |l: LocationId| cfa.targets.iter().any(|target| target.location == l);
        let mut claim = CutInvariants { terms: cfa.terms.clone(), invariants: Vec::new() };
        let mut sets = Vec::new();
        for number in 0..cfa.locations.len() as u32 {
            let location = LocationId(number);
            if location != cfa.entry && (is_target(location) || genes.chance(5)) {
                continue;
            }
            let mut set: States = vec![false; all.len()];
            for (_, state) in reached.iter().filter(|(at, _)| *at == location) {
                let place = all.iter().position(|other| other == state);
                set[place.expect("all states are listed")] = true;
            }
            if genes.chance(6) {
                let changed = genes.below(set.len());
                set[changed] ^= true;
            }
            let formula = formula(&mut claim.terms, &cfa.variables, all, &set);
            claim.invariants.push((location, formula));
            sets.push((location, set));
        }
        Drawn { claim, sets }
    }

    fn set(&self, location: LocationId) -> Option<&States> {
        self.sets.iter().find(|(at, _)| *at == location).map(|(_, set)| set)
    }
}

/// A set of states as a term.
fn formula(terms: &mut TermStore, variables: &[Term], all: &[Vec<Value>], set: &States) -> Term {
    let mut states = Vec::new();
    for (state, _) in all.iter().zip(set).filter(|(_, is_in)| **is_in) {
        let mut facts = Vec::new();
        for (&variable, value) in variables.iter().zip(state) {
            match value {
                Value::Bv(bits) => {
                    let bits = terms.constant(bits.clone());
                    facts.push(terms.eq(variable, bits));
                }
                Value::Array(array) => {
                    for index in 0..1u64 << array.index_width() {
                        let at = BitVec::new(array.index_width(), index);
                        let (at, element) = (terms.constant(at.clone()), array.read(&at).clone());
                        let (read, element) = (terms.read(variable, at), terms.constant(element));
                        facts.push(terms.eq(read, element));
                    }
                }
            }
        }
        states.push(terms.and_all(&facts));
    }
    terms.or_all(&states)
}

/// Whether the conditions hold, by running every state; none if a cycle has no cut point.
fn conditions_hold(cfa: &Cfa, drawn: &Drawn, all: &[Vec<Value>]) -> Option<bool> {
    let mut holds = drawn.set(cfa.entry)?.iter().all(|&is_in| is_in);
    let mut open = vec![cfa.entry];
    let mut seen: FxHashSet<LocationId> = open.iter().copied().collect();
    while let Some(cut) = open.pop() {
        let set = drawn.set(cut)?;
        if !set.contains(&true) {
            continue;
        }
        let mut walk = Walk { cfa, drawn, all, next: Vec::new(), holds: true };
        walk.graph(cut, &mut vec![cut])?;
        for (state, _) in all.iter().zip(set).filter(|(_, is_in)| **is_in) {
            walk.states(cut, state);
        }
        holds &= walk.holds;
        open.extend(walk.next.into_iter().filter(|&next| seen.insert(next)));
    }
    Some(holds)
}

struct Walk<'a> {
    cfa: &'a Cfa,
    drawn: &'a Drawn,
    all: &'a [Vec<Value>],
    next: Vec<LocationId>,
    holds: bool,
}

impl<'a> Walk<'a> {
    fn is_target(&self, location: LocationId) -> bool {
        self.cfa.targets.iter().any(|target| target.location == location)
    }

    /// The edges that some run may take: the guard is not the constant false.
    fn edges_from(&self, from: LocationId) -> impl Iterator<Item = &'a Edge> + use<'a> {
        let cfa = self.cfa;
        let is_taken = move |edge: &&Edge| cfa.terms.value(edge.guard).is_none_or(|v| !v.is_zero());
        cfa.edges.iter().filter(move |edge| edge.from == from).filter(is_taken)
    }

    /// Whether something that matters can be reached.
    fn matters(&self, from: LocationId, seen: &mut FxHashSet<LocationId>) -> bool {
        self.is_target(from)
            || self.drawn.set(from).is_some()
            || seen.insert(from) && self.edges_from(from).any(|edge| self.matters(edge.to, seen))
    }

    /// Follows the graph to the next cut points; none if it comes to a place twice on the way.
    fn graph(&mut self, from: LocationId, way: &mut Vec<LocationId>) -> Option<()> {
        for edge in self.edges_from(from) {
            match self.drawn.set(edge.to) {
                _ if self.is_target(edge.to) => {}
                Some(_) => self.next.push(edge.to),
                None if !self.matters(edge.to, &mut FxHashSet::default()) => {}
                None if way.contains(&edge.to) => return None,
                None => {
                    way.push(edge.to);
                    self.graph(edge.to, way)?;
                    way.pop();
                }
            }
        }
        Some(())
    }

    fn states(&mut self, at: LocationId, state: &[Value]) {
        for number in 0..self.cfa.edges.len() {
            if self.cfa.edges[number].from != at {
                continue;
            }
            let to = self.cfa.edges[number].to;
            let id = wedge_model::cfa::EdgeId(number as u32);
            for next in explicit::edge_images(self.cfa, id, state) {
                let place = self.all.iter().position(|other| *other == next).expect("listed");
                match self.drawn.set(to) {
                    _ if self.is_target(to) => self.holds = false,
                    Some(set) => self.holds &= set[place],
                    None if self.matters(to, &mut FxHashSet::default()) => self.states(to, &next),
                    None => {}
                }
            }
        }
    }
}

#[test]
fn random_automata_agree_with_explicit_search() {
    let (mut accepted, mut rejected, mut cyclic) = (0, 0, 0);
    for seed in 0..1200 {
        let mut genes = Genes::new(seed);
        let cfa = random_cfa(&mut genes);
        let all = combinations(&cfa.terms, &cfa.variables);
        let drawn = Drawn::new(&cfa, &all, &mut genes);
        // Once with arrays as registers and once by following reads through writes.
        for small in [0, 1024] {
            let found = check(&cfa, &drawn.claim, small, &Interrupt::default());
            match conditions_hold(&cfa, &drawn, &all) {
                Some(true) => assert_eq!(found, Ok(()), "seed {seed}"),
                Some(false) => {
                    assert!(found.is_err_and(|e| e.condition().is_some()), "seed {seed}");
                }
                // It may have been refuted before the checker came to the cycle.
                None => cyclic += matches!(found.unwrap_err(), Rejection::Malformed(_)) as usize,
            }
        }
        match conditions_hold(&cfa, &drawn, &all) {
            Some(true) => accepted += 1,
            Some(false) => rejected += 1,
            None => {}
        }
    }
    assert!(accepted > 100 && rejected > 100 && cyclic > 20, "{accepted} {rejected} {cyclic}");
}

/// for (x = first; x < 10; x += step); if (!(property)) error
struct Counting {
    cfa: Cfa,
    x: Term,
    head: LocationId,
}

fn counting(first: u64, step: u64) -> Counting {
    let mut cfa = Cfa::new();
    let x = cfa.add_variable("x", Sort::Bv(32));
    let (head, error) = (cfa.add_location(None), cfa.add_location(None));
    let name = "error".to_string();
    cfa.targets.push(Target { location: error, kind: TargetKind::Error, name });
    let s = &mut cfa.terms;
    let [first, step, ten] = [first, step, 10].map(|number| s.number(32, number));
    let (always, goes_on, next) = (s.bool(true), s.ult(x, ten), s.add(x, step));
    let ends = s.not(goes_on);
    let wrong = s.neq(x, ten);
    let fails = s.and(ends, wrong);
    let edge = |from, to, guard, updates| Edge { from, to, guard, updates, origin: None };
    cfa.add_edge(edge(cfa.entry, head, always, vec![(x, first)]));
    cfa.add_edge(edge(head, head, goes_on, vec![(x, next)]));
    cfa.add_edge(edge(head, error, fails, Vec::new()));
    Counting { cfa, x, head }
}

/// A cut point and what makes its formula.
type At<'a> = (LocationId, &'a dyn Fn(&mut TermStore) -> Term);

fn claim(cfa: &Cfa, at: &[At]) -> CutInvariants {
    let mut terms = cfa.terms.clone();
    let invariants = at.iter().map(|(location, make)| (*location, make(&mut terms))).collect();
    CutInvariants { terms, invariants }
}

fn verdict(cfa: &Cfa, claim: &CutInvariants) -> Result<(), Rejection> {
    check_cut_invariants(cfa, claim, &Interrupt::default())
}

/// x ≤ bound, and x even if that is asked for.
fn at_most(x: Term, bound: u64, even: bool) -> impl Fn(&mut TermStore) -> Term {
    move |s| {
        let bound = s.number(32, bound);
        let (small, low) = (s.ule(x, bound), s.slice(x, 0, 0));
        let is_even = s.not(low);
        if even { s.and(small, is_even) } else { small }
    }
}

#[test]
fn each_condition_is_checked() {
    let Counting { cfa, x, head } = counting(0, 2);
    let entry = cfa.entry;
    let right = at_most(x, 10, true);
    assert_eq!(verdict(&cfa, &claim(&cfa, &[(head, &right)])), Ok(()));
    assert_eq!(verdict(&cfa, &claim(&cfa, &[(entry, &|s| s.bool(true)), (head, &right)])), Ok(()));
    let refuted = |at: &[At]| match verdict(&cfa, &claim(&cfa, at)) {
        Err(Rejection::RefutedAt { condition, from, to, state }) => {
            (condition, from, to, state.first().map_or(0, |(_, x)| x.to_u64().unwrap()))
        }
        other => panic!("{other:?}"),
    };
    let (condition, from, to, x0) = refuted(&[(entry, &at_most(x, 3, false)), (head, &right)]);
    assert_eq!((condition, from, to), (Condition::Initiation, entry, entry));
    assert!(x0 > 3);
    let (condition, from, to, x0) = refuted(&[(head, &at_most(x, 8, true))]);
    assert_eq!((condition, from, to, x0), (Condition::Consecution, head, head, 8));
    let (condition, from, ..) = refuted(&[(head, &|s| s.bool(false))]);
    assert_eq!((condition, from), (Condition::Consecution, entry));
    let (condition, from, to, x0) = refuted(&[(head, &|s| s.bool(true))]);
    assert_eq!((condition, from, to.0), (Condition::Safety, head, 2));
    assert!(x0 > 10);
}

#[test]
fn unsafe_automata_have_no_proof() {
    let Counting { cfa, x, head } = counting(0, 3);
    for bound in [10, 12, u32::MAX as u64] {
        let found = verdict(&cfa, &claim(&cfa, &[(head, &at_most(x, bound, false))]));
        assert!(matches!(found, Err(Rejection::RefutedAt { .. })), "{bound}: {found:?}");
    }
}

#[test]
fn claims_that_do_not_fit_are_named() {
    let Counting { mut cfa, x, head } = counting(0, 2);
    let input = cfa.add_input("i", Sort::Bv(1));
    let right = at_most(x, 10, true);
    let shape = |at: &[At]| match verdict(&cfa, &claim(&cfa, at)) {
        Err(Rejection::Malformed(cause)) => cause,
        other => panic!("{other:?}"),
    };
    assert!(shape(&[]).contains("cycle through location 1 has no cut point"));
    assert!(shape(&[(head, &right), (head, &right)]).contains("two formulas"));
    assert!(shape(&[(LocationId(9), &right)]).contains("no location"));
    assert!(shape(&[(head, &|_| x)]).contains("no condition"));
    assert!(shape(&[(head, &|_| input)]).contains("no variable"));
    assert!(shape(&[(head, &|s| s.var("x", Sort::BOOL))]).contains("no variable"));
}

#[test]
fn a_check_is_stopped() {
    let Counting { cfa, x, head } = counting(0, 2);
    let interrupt = Interrupt::default();
    interrupt.flag.store(true, std::sync::atomic::Ordering::Relaxed);
    let claim = claim(&cfa, &[(head, &at_most(x, 10, true))]);
    assert_eq!(check_cut_invariants(&cfa, &claim, &interrupt), Err(Rejection::Stopped));
}

/// Guards that overlap: a run may take either edge.
#[test]
fn overlapping_guards_are_both_followed() {
    for order in [[0u64, 1], [1, 0]] {
        let mut cfa = Cfa::new();
        let x = cfa.add_variable("x", Sort::Bv(8));
        let (middle, error) = (cfa.add_location(None), cfa.add_location(None));
        let name = "error".to_string();
        cfa.targets.push(Target { location: error, kind: TargetKind::Limit, name });
        let always = cfa.terms.bool(true);
        for value in order {
            let value = cfa.terms.number(8, value);
            let updates = vec![(x, value)];
            let (from, to) = (cfa.entry, middle);
            cfa.add_edge(Edge { from, to, guard: always, updates, origin: None });
        }
        let one = cfa.terms.number(8, 1);
        let guard = cfa.terms.eq(x, one);
        cfa.add_edge(Edge { from: middle, to: error, guard, updates: Vec::new(), origin: None });
        let found = verdict(&cfa, &claim(&cfa, &[]));
        assert_eq!(found.unwrap_err().condition(), Some(Condition::Safety));
    }
}

/// The same input at two locations is two values.
#[test]
fn inputs_are_new_at_each_location() {
    let mut cfa = Cfa::new();
    let (x, y) = (cfa.add_variable("x", Sort::Bv(8)), cfa.add_variable("y", Sort::Bv(8)));
    let input = cfa.add_input("i", Sort::Bv(8));
    let [first, second, error] = [0; 3].map(|_| cfa.add_location(None));
    let name = "error".to_string();
    cfa.targets.push(Target { location: error, kind: TargetKind::Error, name });
    let (always, differ) = (cfa.terms.bool(true), cfa.terms.neq(x, y));
    let edge = |from, to, guard, updates| Edge { from, to, guard, updates, origin: None };
    cfa.add_edge(edge(cfa.entry, first, always, vec![(x, input)]));
    cfa.add_edge(edge(first, second, always, vec![(y, input)]));
    cfa.add_edge(edge(second, error, differ, Vec::new()));
    let found = verdict(&cfa, &claim(&cfa, &[]));
    assert_eq!(found.unwrap_err().condition(), Some(Condition::Safety));
}

/// a[5] = 7; for (i = 6; i < n; i++) a[i] = i; assert(a[5] == 7)
fn filling() -> (Cfa, [Term; 3], LocationId) {
    let mut cfa = Cfa::new();
    let sort = Sort::Array { index: 32, element: 32 };
    let (a, b) = (cfa.add_variable("a", sort), cfa.add_variable("b", sort));
    let i = cfa.add_variable("i", Sort::Bv(32));
    let n = cfa.add_variable("n", Sort::Bv(32));
    let (head, error) = (cfa.add_location(None), cfa.add_location(None));
    let name = "error".to_string();
    cfa.targets.push(Target { location: error, kind: TargetKind::Error, name });
    let s = &mut cfa.terms;
    let [five, six, seven] = [5, 6, 7].map(|number| s.number(32, number));
    let (always, goes_on) = (s.bool(true), s.ult(i, n));
    let first = s.write(a, five, seven);
    let (next, filled) = (s.inc(i), s.write(a, i, i));
    let (ends, read) = (s.not(goes_on), s.read(a, five));
    let wrong = s.neq(read, seven);
    let fails = s.and(ends, wrong);
    let edge = |from, to, guard, updates| Edge { from, to, guard, updates, origin: None };
    cfa.add_edge(edge(cfa.entry, head, always, vec![(a, first), (b, first), (i, six)]));
    cfa.add_edge(edge(head, head, goes_on, vec![(i, next), (a, filled)]));
    cfa.add_edge(edge(head, error, fails, Vec::new()));
    (cfa, [a, b, i], head)
}

#[test]
fn arrays_of_any_size() {
    let (cfa, [a, b, i], head) = filling();
    let element = |s: &mut TermStore| {
        let (five, seven) = (s.number(32, 5), s.number(32, 7));
        let read = s.read(a, five);
        s.eq(read, seven)
    };
    let both = |s: &mut TermStore| {
        let five = s.number(32, 5);
        let (above, kept) = (s.ugt(i, five), element(s));
        s.and(above, kept)
    };
    assert_eq!(verdict(&cfa, &claim(&cfa, &[(head, &both)])), Ok(()));
    let found = verdict(&cfa, &claim(&cfa, &[(head, &element)])).unwrap_err();
    assert_eq!(found.condition(), Some(Condition::Consecution));
    let found = verdict(&cfa, &claim(&cfa, &[(head, &|s| s.eq(a, b))]));
    assert!(matches!(found, Err(Rejection::TooLarge(_))), "{found:?}");
}

/// for (x = 0; x < 1; x += 0.25); assert(x == 1)
#[test]
fn floats() {
    let mut cfa = Cfa::new();
    let x = cfa.add_variable("x", Sort::Bv(32));
    let (head, error) = (cfa.add_location(None), cfa.add_location(None));
    let name = "error".to_string();
    cfa.targets.push(Target { location: error, kind: TargetKind::Error, name });
    let format = FloatFormat::Single;
    let s = &mut cfa.terms;
    let mode = s.rounding(Rounding::NearestEven);
    let [zero, quarter, one] = [0f32, 0.25, 1.0].map(|x| s.number(32, x.to_bits() as u64));
    let (always, goes_on) = (s.bool(true), s.float_lt(format, x, one));
    let next = s.float_add(format, mode, x, quarter);
    let ends = s.not(goes_on);
    let wrong = s.neq(x, one);
    let fails = s.and(ends, wrong);
    let edge = |from, to, guard, updates| Edge { from, to, guard, updates, origin: None };
    cfa.add_edge(edge(cfa.entry, head, always, vec![(x, zero)]));
    cfa.add_edge(edge(head, head, goes_on, vec![(x, next)]));
    cfa.add_edge(edge(head, error, fails, Vec::new()));
    let one_of = |numbers: &'static [f32]| {
        move |s: &mut TermStore| {
            let mut all = Vec::new();
            for number in numbers {
                let number = s.number(32, number.to_bits() as u64);
                all.push(s.eq(x, number));
            }
            s.or_all(&all)
        }
    };
    let right = one_of(&[0.0, 0.25, 0.5, 0.75, 1.0]);
    assert_eq!(verdict(&cfa, &claim(&cfa, &[(head, &right)])), Ok(()));
    let wrong = one_of(&[0.0, 0.25, 0.5, 1.0]);
    let found = verdict(&cfa, &claim(&cfa, &[(head, &wrong)])).unwrap_err();
    assert_eq!(found.condition(), Some(Condition::Consecution));
}

/// Thousands of branches over hundreds of variables between two loops.
#[test]
fn long_regions_cost_what_their_edges_do() {
    let mut cfa = Cfa::new();
    let variables: Vec<Term> =
        (0..200).map(|n| cfa.add_variable(format!("v{n}"), Sort::Bv(32))).collect();
    let (x, y) = (variables[0], variables[1]);
    let edge = |from, to, guard, updates| Edge { from, to, guard, updates, origin: None };
    let always = cfa.terms.bool(true);
    let zero = cfa.terms.zero(32);
    let mut now = cfa.add_location(None);
    cfa.add_edge(edge(cfa.entry, now, always, vec![(x, zero), (y, zero)]));
    for branch in 0..4000 {
        let input = cfa.add_input(format!("i{branch}"), Sort::BOOL);
        let other = cfa.terms.not(input);
        let [left, right, join] = [0; 3].map(|_| cfa.add_location(None));
        let (a, b) = (variables[2 + branch % 198], variables[2 + (branch + 1) % 198]);
        let more = cfa.terms.inc(b);
        let both = |s: &mut TermStore| [(x, s.inc(x)), (y, s.inc(y))];
        let updates = both(&mut cfa.terms).to_vec();
        cfa.add_edge(edge(now, left, input, updates));
        cfa.add_edge(edge(now, right, other, vec![(a, more)]));
        cfa.add_edge(edge(left, join, always, Vec::new()));
        cfa.add_edge(edge(right, join, always, Vec::new()));
        now = join;
    }
    let (head, error) = (cfa.add_location(None), cfa.add_location(None));
    cfa.add_edge(edge(now, head, always, Vec::new()));
    let name = "error".to_string();
    cfa.targets.push(Target { location: error, kind: TargetKind::Error, name });
    let (next_x, next_y, differ) = (cfa.terms.inc(x), cfa.terms.inc(y), cfa.terms.neq(x, y));
    let same = cfa.terms.not(differ);
    cfa.add_edge(edge(head, head, same, vec![(x, next_x), (y, next_y)]));
    cfa.add_edge(edge(head, error, differ, Vec::new()));
    assert_eq!(verdict(&cfa, &claim(&cfa, &[(head, &|s| s.eq(x, y))])), Ok(()));
}
