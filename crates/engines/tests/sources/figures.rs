//! The examples of paper 2: figures 1 and 2 (arrays a, b and words p, x), and 3 (k, y).

use crate::example::{Example, assert_inductive, equivalent, variant};
use wedge_engines::paths::{Blocked, StepId, Variant, is_perfect};
use wedge_logic::{Sort, Term, TermStore, smtlib};
use wedge_model::Cfa;
use wedge_sat::Interrupt;
use wedge_smt::Decider;

struct Heap {
    example: Example,
    a: Term,
    b: Term,
    p: Term,
    x: Term,
}

/// Figure 1, with integers of 32 bits.
fn heap() -> Heap {
    let mut cfa = Cfa::new();
    let array = Sort::Array { index: 32, element: 1 };
    let [a, b] = ["a", "b"].map(|name| cfa.add_variable(name, array));
    let [p, x] = ["p", "x"].map(|name| cfa.add_variable(name, Sort::Bv(32)));
    let again = cfa.add_input("again", Sort::BOOL);
    let any = cfa.add_input("any", Sort::Bv(32));
    let t = &mut cfa.terms;
    let (zero, one) = (t.zero(32), t.one(32));
    let [no, yes] = [false, true].map(|value| t.bool(value));
    let (read, next) = (t.read(a, p), t.add(x, one));
    let (free, [freed, taken]) = (t.not(read), [no, yes].map(|value| t.write(a, p, value)));
    // The two ways from the head exclude one another.
    let (end, differ) = (t.not(again), t.neq(a, b));
    let wrong = t.and(end, differ);
    // Only what is read somewhere is a variable of the steps.
    let (same, large) = (t.eq(a, b), t.ult(one, x));
    let right = t.and_all(&[end, same, large]);
    let statements = vec![
        (0, 1, None, vec![(b, a)]),
        (1, 2, None, vec![(x, zero)]),
        (2, 3, Some(again), vec![(p, any)]),
        (3, 4, Some(free), vec![]),
        (4, 5, None, vec![(a, taken)]),
        (5, 6, None, vec![(x, next)]),
        (6, 2, None, vec![(a, freed)]),
        (2, 7, Some(right), vec![]),
        (2, 8, Some(wrong), vec![]),
    ];
    let path = [0, 1, 2, 3, 4, 5, 6, 2, 8];
    Heap { example: Example::new(cfa, statements, &path), a, b, p, x }
}

/// The assertions of figure 2, for the trace or for its infeasible core.
///
/// The strongest postconditions φ₅ and φ₆ say that `b[p]` is false, which the figure leaves out;
/// without it φ₇ would not follow.
fn figure_2(heap: &Heap, t: &mut TermStore, with_x: bool) -> Vec<Term> {
    let Heap { a, b, p, x, .. } = *heap;
    let (zero, one, yes) = (t.zero(32), t.one(32), t.bool(true));
    let (is_zero, is_one) = (t.eq(x, zero), t.eq(x, one));
    let same = t.eq(a, b);
    let taken = t.write(b, p, yes);
    let taken = t.eq(a, taken);
    let [in_a, in_b] = [a, b].map(|array| t.read(array, p));
    let [not_in_a, not_in_b] = [in_a, in_b].map(|read| t.not(read));
    let [always, never] = [true, false].map(|value| t.bool(value));
    let parts = [
        (vec![always], None),
        (vec![same], None),
        (vec![same], Some(is_zero)),
        (vec![same], Some(is_zero)),
        (vec![same, not_in_a], Some(is_zero)),
        (vec![taken, in_a, not_in_b], Some(is_zero)),
        (vec![taken, in_a, not_in_b], Some(is_one)),
        (vec![same, not_in_a], Some(is_one)),
        (vec![never], None),
    ];
    let whole = parts.into_iter().map(|(mut parts, about_x)| {
        parts.extend(about_x.filter(|_| with_x));
        t.and_all(&parts)
    });
    whole.collect()
}

fn perfect(blocked: &mut Blocked, steps: &[StepId], sequence: &[Term]) -> bool {
    let mut triples = blocked.triples(Decider::bits(&Interrupt::default()));
    is_perfect(blocked, &mut triples, steps, sequence)
}

fn assert_figure(name: &str, with_x: bool) {
    let heap = heap();
    let (mut blocked, steps, sequence) = heap.example.sequence(variant(name));
    assert_inductive(&mut blocked, &steps, &sequence, name);
    let expected = figure_2(&heap, &mut blocked.store, with_x);
    for (place, (&found, expected)) in sequence.iter().zip(expected).enumerate() {
        let text = smtlib::formula(&blocked.store, found);
        assert!(equivalent(&mut blocked, found, expected), "{name} at {place}: {text}");
    }
    // Property (1) of section 2: φ₂ is a loop invariant, if x is left out.
    assert_eq!(perfect(&mut blocked, &steps, &sequence), !with_x, "{name}");
}

#[test]
fn figure_2_trace() {
    assert_figure("sp", true);
}

#[test]
fn figure_2_infeasible_core() {
    assert_figure("it-sp", false);
}

/// The assertions of the infeasible core as they are printed.
#[test]
fn figure_2_in_text() {
    let heap = heap();
    let (blocked, _, sequence) = heap.example.sequence(Variant::BEST);
    let printed: Vec<String> =
        sequence.iter().map(|&term| smtlib::formula(&blocked.store, term)).collect();
    let taken = "(and (not (= (select b p) #b1)) (= a (store b p #b1)))";
    let expected = [
        "true",
        "(= a b)",
        "(= a b)",
        "(= a b)",
        "(and (not (= (select a p) #b1)) (= a b))",
        taken,
        taken,
        "(= a b)",
        "false",
    ];
    assert_eq!(printed, expected);
}

/// Every variant refutes the trace; those with cores find loop invariants.
#[test]
fn variants_on_figure_1() {
    for variant in Variant::all() {
        let heap = heap();
        let (mut blocked, steps, sequence) = heap.example.sequence(variant);
        assert_inductive(&mut blocked, &steps, &sequence, &variant.to_string());
        if variant.core {
            assert!(perfect(&mut blocked, &steps, &sequence), "{variant}");
        }
    }
}

pub struct Counter {
    pub example: Example,
    k: Term,
    y: Term,
}

/// Figure 3. An addition that overflows ends the run, since integers of the paper never do.
pub fn counter() -> Counter {
    let mut cfa = Cfa::new();
    let [k, y] = ["k", "y"].map(|name| cfa.add_variable(name, Sort::Bv(32)));
    let again = cfa.add_input("again", Sort::BOOL);
    let t = &mut cfa.terms;
    let (zero, one) = (t.zero(32), t.one(32));
    let (enough, negative, sum) = (t.sge(y, k), t.slt(y, zero), t.add(y, k));
    let overflow = t.saddo(y, k);
    let fits = t.not(overflow);
    let end = t.not(again);
    let wrong = t.and(end, negative);
    let statements = vec![
        (0, 1, None, vec![(k, zero)]),
        (1, 2, Some(enough), vec![]),
        (2, 3, Some(again), vec![(k, one)]),
        (3, 2, Some(fits), vec![(y, sum)]),
        (2, 4, Some(wrong), vec![]),
    ];
    let path = [0, 1, 2, 3, 2, 4];
    Counter { example: Example::new(cfa, statements, &path), k, y }
}

/// k = 0, y ≥ 0 and so on: what the figure says of k, and of y; none for nothing. Whether φ₂ is a
/// loop invariant.
fn assert_counter(name: &str, expected: [(Option<u64>, Option<u64>); 4], is_invariant: bool) {
    let counter = counter();
    let (mut blocked, steps, sequence) = counter.example.sequence(variant(name));
    assert_inductive(&mut blocked, &steps, &sequence, name);
    for (place, (k, y)) in expected.into_iter().enumerate() {
        let t = &mut blocked.store;
        let mut parts = Vec::new();
        if let Some(k) = k {
            let k = t.number(32, k);
            parts.push(t.eq(counter.k, k));
        }
        if let Some(y) = y {
            let y = t.number(32, y);
            parts.push(t.sge(counter.y, y));
        }
        let expected = t.and_all(&parts);
        let found = sequence[place + 1];
        let text = smtlib::formula(&blocked.store, found);
        assert!(equivalent(&mut blocked, found, expected), "{name} at {}: {text}", place + 1);
    }
    let mut triples = blocked.triples(Decider::bits(&Interrupt::default()));
    let around = triples.implication(&mut blocked.store, sequence[4], sequence[2]);
    assert_eq!(around.holds(), is_invariant, "{name}");
    // φ₂ ∨ φ₄ is one in any case.
    assert!(perfect(&mut blocked, &steps, &sequence), "{name}");
}

#[test]
fn figure_3() {
    let some = |k, y| (Some(k), Some(y));
    let with_k = [(Some(0), None), some(0, 0), some(1, 0), some(1, 1)];
    assert_counter("sp", with_k, false);
    assert_counter("it-sp", with_k, false);
    // k is read by the guard y ≥ k, and not at the head of the loop any more.
    let without_k = [(Some(0), None), (None, Some(0)), some(1, 0), (None, Some(1))];
    assert_counter("sp-lv", without_k, true);
    assert_counter("it-sp-lv", without_k, true);
}
