//! Relations guessed from runs.

use wedge_logic::{Evaluator, Sort, Value};
use wedge_model::Cfa;
use wedge_model::cfa::guess::guesses;
use wedge_model::cfa::{BlockOptions, Edge, LocationId, Target, TargetKind, single_loop};

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
    let single = single_loop(&cfa, &BlockOptions::default()).expect("small");
    let mut terms = single.system.terms.clone();
    let found = guesses(&cfa, &single, &mut terms, &|| false).expect("there is a loop");
    let mut evaluator = Evaluator::new(&terms);
    let pc = single.pc.expect("there is a loop");
    // All guesses hold in a state of the loop, and some of them excludes each state that is not.
    let states = [([3, 6, 7, 10], true), ([3, 7, 7, 10], false), ([3, 6, 8, 10], false)];
    for (values, reachable) in states {
        evaluator.assign(pc, Value::Bv(wedge_logic::BitVec::new(1, 1)));
        for (&variable, value) in cfa.variables.iter().zip(values) {
            evaluator.assign(variable, Value::Bv(wedge_logic::BitVec::new(16, value)));
        }
        let violated = found.iter().filter(|&&guess| evaluator.holds(guess) == Ok(false)).count();
        assert_eq!(violated == 0, reachable, "{values:?}: {violated} of {}", found.len());
    }
}
