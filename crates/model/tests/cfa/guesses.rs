//! Relations guessed from runs.

use wedge_logic::{BitVec, Evaluator, Sort, Value};
use wedge_model::Cfa;
use wedge_model::cfa::{BlockOptions, Edge, LocationId, Target, TargetKind, single_loop};
use wedge_model::guess::guesses;

/// Whether a guess excludes the state in the loop in which the variables have these values.
fn excluded(cfa: &Cfa, values: [u64; 4]) -> bool {
    holding(cfa, values).contains(&false)
}

/// By guess, whether it holds in the state in the loop in which the variables have these values.
fn holding(cfa: &Cfa, values: [u64; 4]) -> Vec<bool> {
    let single = single_loop(cfa, &BlockOptions::default()).expect("small");
    let mut terms = single.system.terms.clone();
    let found = guesses(cfa, &single, &mut terms, &|| false).expect("there is a loop");
    let mut evaluator = Evaluator::new(&terms);
    evaluator.assign(single.pc.expect("there is a loop"), Value::Bv(BitVec::new(1, 1)));
    for (&variable, value) in cfa.variables.iter().zip(values) {
        let Sort::Bv(width) = terms.sort(variable) else { continue };
        evaluator.assign(variable, Value::Bv(BitVec::new(width, value)));
    }
    found.iter().map(|&guess| evaluator.holds(guess) != Ok(false)).collect()
}

/// `x = 0; y = 0; z = n; while (*) { x += 1; y += 2; z -= 1; }`
fn three_counters() -> Cfa {
    let mut cfa = Cfa::new();
    let sort = Sort::Bv(16);
    let [x, y, z, n] = ["x", "y", "z", "n"].map(|name| cfa.add_variable(name, sort));
    let more = cfa.add_input("more", Sort::BOOL);
    let head = cfa.add_location(None);
    let end = cfa.add_location(None);
    let error = cfa.add_location(None);
    cfa.targets.push(Target { location: error, kind: TargetKind::Error, name: "error".into() });
    let terms = &mut cfa.terms;
    let (yes, stop, zero, two) =
        (terms.bool(true), terms.not(more), terms.zero(16), terms.number(16, 2));
    let (next_x, next_y, next_z) = (terms.inc(x), terms.add(y, two), terms.dec(z));
    let (double, sum) = (terms.add(x, x), terms.add(x, z));
    let (first, second) = (terms.eq(double, y), terms.eq(sum, n));
    let right = terms.and(first, second);
    let wrong = terms.not(right);
    let mut edge = |from, to, guard, updates| {
        cfa.add_edge(Edge { from, to, guard, updates, origin: None });
    };
    edge(LocationId(0), head, yes, vec![(x, zero), (y, zero), (z, n)]);
    edge(head, head, more, vec![(x, next_x), (y, next_y), (z, next_z)]);
    edge(head, end, stop, Vec::new());
    edge(end, error, wrong, Vec::new());
    assert_eq!(cfa.check(), Ok(()));
    cfa
}

#[test]
fn linear_relations_are_among_the_guesses() {
    let cfa = three_counters();
    let states = [([3, 6, 7, 10], true), ([3, 7, 7, 10], false), ([3, 6, 8, 10], false)];
    for (values, reachable) in states {
        assert_eq!(excluded(&cfa, values), !reachable, "{values:?}");
    }
}

/// `i = *; j = *; if (i >= 0 && j >= 0) { x = i; y = j; while (x) { x--; y--; } if (i == j && y) error }`
#[test]
fn differences_are_related() {
    let mut cfa = Cfa::new();
    let sort = Sort::Bv(32);
    let [i, j, x, y] = ["i", "j", "x", "y"].map(|name| cfa.add_variable(name, sort));
    let [a, b] = ["a", "b"].map(|name| cfa.add_input(name, sort));
    let [read, head, end, error] = [(); 4].map(|_| cfa.add_location(None));
    cfa.targets.push(Target { location: error, kind: TargetKind::Error, name: "error".into() });
    let terms = &mut cfa.terms;
    let (yes, zero) = (terms.bool(true), terms.zero(32));
    let (first, second) = (terms.sle(zero, i), terms.sle(zero, j));
    let natural = terms.and(first, second);
    let (more, done) = (terms.neq(x, zero), terms.eq(x, zero));
    let (next_x, next_y) = (terms.dec(x), terms.dec(y));
    let (same, rest) = (terms.eq(i, j), terms.neq(y, zero));
    let wrong = terms.and(same, rest);
    let mut edge = |from, to, guard, updates| {
        cfa.add_edge(Edge { from, to, guard, updates, origin: None });
    };
    edge(LocationId(0), read, yes, vec![(i, a), (j, b)]);
    edge(read, head, natural, vec![(x, i), (y, j)]);
    edge(head, head, more, vec![(x, next_x), (y, next_y)]);
    edge(head, end, done, Vec::new());
    edge(end, error, wrong, Vec::new());
    assert_eq!(cfa.check(), Ok(()));
    assert!(excluded(&cfa, [9, 9, 0, 1]));
    assert!(!excluded(&cfa, [9, 8, 2, 1]));
}

/// `x = y = 0; while (*) { x++; y += flag ? 1 : 2; } if (flag && x != y) error`
#[test]
fn equations_may_depend_on_a_flag() {
    let mut cfa = Cfa::new();
    let sort = Sort::Bv(32);
    let [flag, x, y, unused] = ["flag", "x", "y", "z"].map(|name| cfa.add_variable(name, sort));
    let given = cfa.add_input("given", sort);
    let more = cfa.add_input("more", Sort::BOOL);
    let [head, end, error] = [(); 3].map(|_| cfa.add_location(None));
    cfa.targets.push(Target { location: error, kind: TargetKind::Error, name: "error".into() });
    let terms = &mut cfa.terms;
    let (yes, stop, zero) = (terms.bool(true), terms.not(more), terms.zero(32));
    let (one, two) = (terms.number(32, 1), terms.number(32, 2));
    let (set, differ) = (terms.neq(flag, zero), terms.neq(x, y));
    let (wrong, by) = (terms.and(set, differ), terms.ite(set, one, two));
    let (next_x, next_y) = (terms.inc(x), terms.add(y, by));
    let mut edge = |from, to, guard, updates| {
        cfa.add_edge(Edge { from, to, guard, updates, origin: None });
    };
    edge(LocationId(0), head, yes, vec![(flag, given), (x, zero), (y, zero), (unused, zero)]);
    edge(head, head, more, vec![(x, next_x), (y, next_y)]);
    edge(head, end, stop, Vec::new());
    edge(end, error, wrong, Vec::new());
    assert!(excluded(&cfa, [5, 7, 8, 0]));
    assert!(excluded(&cfa, [0, 7, 7, 0]));
    assert!(!excluded(&cfa, [5, 7, 7, 0]));
    assert!(!excluded(&cfa, [0, 7, 14, 0]));
}

/// `i = a; if (0 <= i && i < 100) { j = 0; while (*) { i++; j++; } }`, in a loop that ends when `j` is 50:
/// what samples hardly come to is a constant of the program.
#[test]
fn differences_are_bounded_by_constants_of_the_program() {
    let mut cfa = Cfa::new();
    let sort = Sort::Bv(32);
    let [i, j] = ["i", "j"].map(|name| cfa.add_variable(name, sort));
    let a = cfa.add_input("a", sort);
    let [read, head, end, error] = [(); 4].map(|_| cfa.add_location(None));
    cfa.targets.push(Target { location: error, kind: TargetKind::Error, name: "error".into() });
    let terms = &mut cfa.terms;
    let (yes, zero, fifty) = (terms.bool(true), terms.zero(32), terms.number(32, 50));
    let hundred = terms.number(32, 100);
    let (natural, small) = (terms.sle(zero, i), terms.slt(i, hundred));
    let enters = terms.and(natural, small);
    let more = terms.slt(j, fifty);
    let done = terms.not(more);
    let (next_i, next_j) = (terms.inc(i), terms.inc(j));
    let limit = terms.number(32, 150);
    let wrong = terms.sle(limit, i);
    let mut edge = |from, to, guard, updates| {
        cfa.add_edge(Edge { from, to, guard, updates, origin: None });
    };
    edge(LocationId(0), read, yes, vec![(i, a), (j, zero)]);
    edge(read, head, enters, Vec::new());
    edge(head, head, more, vec![(i, next_i), (j, next_j)]);
    edge(head, end, done, Vec::new());
    edge(end, error, wrong, Vec::new());
    assert_eq!(cfa.check(), Ok(()));
    let holds = |values: [u64; 2]| holding(&cfa, [values[0], values[1], 0, 0]);
    let reachable = [[99, 0], [149, 50], [0, 0], [50, 50]].map(holds);
    // Other guesses may be wrong.
    let right = |index: &usize| reachable.iter().all(|holds| holds[*index]);
    let right: Vec<usize> = (0..reachable[0].len()).filter(right).collect();
    for state in [[100, 0], [149, 49], [10, 11]] {
        let holds = holds(state);
        assert!(right.iter().any(|&index| !holds[index]), "{state:?}");
    }
}
