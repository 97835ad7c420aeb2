//! The program of figure 1 (Exa.c), rebuilt from the text: s = 1, then 2, 1, 2 or 3 is added to it as
//! two conditions decide, and L10 is reached where s > 3 in the end.

use super::*;
use crate::paths::{BlockSize, Cover, Interpolants};
use std::time::Duration;
use wedge_logic::{Sort, Term};
use wedge_model::cfa::{Edge, LocationId, Target, TargetKind};

/// The places of locations are L1, L2, … so that location n is n - 1.
struct Exa {
    cfa: Cfa,
    s: Term,
}

/// From, to, guard, the new value of the variable that edges assign.
type Way = (u32, u32, Term, Option<Term>);

/// Adds edges that assign one variable, and the location of the error.
fn connect(cfa: &mut Cfa, assigned: Term, ways: &[Way], error: u32) {
    let location = |number: u32| LocationId(number - 1);
    let last = ways.iter().map(|&(from, to, ..)| from.max(to)).max().expect("edges");
    while cfa.locations.len() < last as usize {
        cfa.add_location(None);
    }
    for &(from, to, guard, value) in ways {
        let updates = value.map(|value| (assigned, value)).into_iter().collect();
        let (from, to) = (location(from), location(to));
        cfa.add_edge(Edge { from, to, guard, updates, origin: None });
    }
    let name = "error".to_string();
    cfa.targets.push(Target { location: location(error), kind: TargetKind::Error, name });
}

fn exa() -> Exa {
    let mut cfa = Cfa::new();
    let [s, a, i] = ["s", "a", "i"].map(|name| cfa.add_variable(name, Sort::Bv(32)));
    let t = &mut cfa.terms;
    let [one, two, three] = [1, 2, 3].map(|n| t.number(32, n));
    let always = t.bool(true);
    let (i_large, a_one, s_large) = (t.sgt(i, one), t.eq(a, one), t.sgt(s, three));
    let [i_small, a_other, s_small] = [i_large, a_one, s_large].map(|c| t.not(c));
    let [plus_one, plus_two, plus_three] = [one, two, three].map(|n| t.add(s, n));
    let edges = [
        (1, 2, always, Some(one)),
        (2, 3, i_large, None),
        (2, 12, i_small, None),
        (3, 4, a_one, None),
        (3, 5, a_other, None),
        (4, 6, always, Some(plus_two)),
        (5, 6, always, Some(plus_one)),
        (6, 7, always, None),
        (12, 13, a_other, None),
        (12, 14, a_one, None),
        (13, 15, always, Some(plus_two)),
        (14, 15, always, Some(plus_three)),
        (15, 7, always, None),
        (7, 8, s_small, None),
        (7, 10, s_large, None),
        (8, 9, always, None),
        (10, 11, always, None),
    ];
    connect(&mut cfa, s, &edges, 11);
    Exa { cfa, s }
}

fn config(letters: &str, prune: bool) -> PathConfig {
    let has = |letter| letters.contains(letter);
    PathConfig {
        blocks: Some(BlockSize::Edge),
        cover: Cover::One,
        facts: false,
        prune,
        interpolants: Interpolants { safety: has('s'), error: has('e'), weights: has('w') },
        ..PathConfig::default()
    }
}

fn place(search: &Search, number: u32) -> PlaceId {
    let at = search.tree.blocked.places.iter().position(|p| p.location == LocationId(number - 1));
    PlaceId(at.expect("a place") as u32)
}

/// Explores until a run is found; the search as it is then, and the locations of its nodes.
fn explored<'a>(exa: &'a Exa, letters: &str, prune: bool, context: &'a Context) -> Search<'a> {
    let config = config(letters, prune);
    let mut search = Search::new(&exa.cfa, &config, context).unwrap_or_else(|_| panic!("small"));
    let outcome = search.explore().expect_err("the error is reachable");
    assert!(matches!(*outcome, AutomatonOutcome::Unsafe(_)), "with {letters}");
    search
}

fn locations(search: &Search) -> Vec<u32> {
    let graph = &search.tree.graph;
    let location = |id| search.tree.blocked.place(graph.node(id).place).location.0 + 1;
    graph.ids().map(location).collect()
}

fn times(search: &Search, location: u32) -> usize {
    locations(search).into_iter().filter(|&other| other == location).count()
}

fn context() -> Context {
    Context::new(Some(Duration::from_secs(60)))
}

fn equivalent(search: &mut Search, left: Term, right: Term) -> bool {
    let tree = &mut search.tree;
    tree.triples.equivalence(&mut tree.blocked.store, left, right).holds()
}

/// s + `more` <= 3
fn at_most_three(search: &mut Search, s: Term, more: u64) -> Term {
    let store = &mut search.tree.blocked.store;
    let (more, three) = (store.number(32, more), store.number(32, 3));
    let sum = store.add(s, more);
    store.sle(sum, three)
}

/// Figure 2: L10 is explored on three paths in vain, L8 is covered where it comes again.
#[test]
fn reachability_interpolants_alone() {
    let (exa, context) = (exa(), context());
    let search = explored(&exa, "r", false, &context);
    assert_eq!(times(&search, 7), 4);
    assert!(times(&search, 10) >= 2, "{:?}", locations(&search));
    assert_eq!(times(&search, 15), 2);
}

/// Figure 3: L7, L6 and L4 have full safety interpolants after the first path, which end the second
/// one at L6 and the third one before L10.
#[test]
fn safety_interpolants() {
    let (exa, context) = (exa(), context());
    let mut search = explored(&exa, "rs", false, &context);
    for (number, more) in [(7, 0), (6, 0), (4, 2)] {
        let at = place(&search, number);
        assert!(search.safety.is_full(at), "L{number}");
        let (found, wanted) = (search.safety.formula(at), at_most_three(&mut search, exa.s, more));
        assert!(equivalent(&mut search, found, wanted), "L{number}");
    }
    let at = place(&search, 1);
    let always = search.tree.blocked.store.bool(true);
    assert!(!search.safety.is_full(at) && search.safety.formula(at) == always);
    // P3 ends at its L6, so that L7 is reached by P1 and by the two paths over L15.
    assert_eq!((times(&search, 6), times(&search, 7)), (2, 3));
    let pruned: Vec<PlaceId> =
        search.pruned.iter().map(|&node| search.tree.graph.node(node).place).collect();
    assert!(pruned.contains(&place(&search, 6)) && pruned.contains(&place(&search, 7)));
}

/// Figure 4: where the path of P7 comes to L15, the error interpolant that P6 has left there says
/// that it can be continued to the error.
#[test]
fn error_interpolants() {
    let (exa, context) = (exa(), context());
    let mut search = explored(&exa, "re", false, &context);
    assert_eq!(context.figures().get(figures::ERROR_HITS), Some(1.0));
    assert_eq!((times(&search, 15), times(&search, 7)), (2, 3));
    let at = place(&search, 7);
    let bad = search.error.formula(&mut search.tree.blocked.store, at);
    let safe = at_most_three(&mut search, exa.s, 0);
    let store = &mut search.tree.blocked.store;
    let above = store.not(safe);
    assert!(search.tree.triples.implication(store, above, bad).holds());
}

/// Figures 6 and 7: all together explore no more than any of them, and pruning saves L8 and L9.
#[test]
fn all_together() {
    let exa = exa();
    let count = |letters: &str, prune| {
        let context = context();
        explored(&exa, letters, prune, &context).tree.graph.len()
    };
    let [r, rs, re, rse] = ["r", "rs", "re", "rse"].map(|letters| count(letters, false));
    assert!(rs < r && re < r && rse <= rs && rse <= re.max(rs), "{r} {rs} {re} {rse}");
    assert!(count("rse", true) < rse);
    assert!(count("rsew", true) <= count("rse", true));
}

/// Section IV-B: after P2, L7 is full, and with it nothing is missing behind any branch that only
/// leads there; before, all weights are undefined, which goes before 0.
#[test]
fn weights_say_what_is_missing() {
    let (exa, context) = (exa(), context());
    let mut search =
        Search::new(&exa.cfa, &config("rsw", true), &context).unwrap_or_else(|_| panic!("small"));
    let steps: Vec<StepId> = (0..search.tree.blocked.steps.len() as u32).map(StepId).collect();
    let undefined = search.weights.rank(steps[0]);
    assert!(steps.iter().all(|&step| search.weights.weight(step).is_none()));
    while !search.safety.is_full(place(&search, 6)) {
        let node = search.tree.next_open().unwrap_or_else(|_| panic!("time is left"));
        search.expand(node.expect("there are more")).unwrap_or_else(|_| panic!("P2 is spurious"));
    }
    let leads_to = |step: StepId| match search.tree.blocked.step(step).to {
        Goal::Place(to) => search.tree.blocked.place(to).location.0 + 1,
        Goal::Target(_) => 11,
    };
    for step in steps {
        let expected = match leads_to(step) {
            10 | 11 => None,
            _ => Some(0),
        };
        assert_eq!(search.weights.weight(step), expected, "into L{}", leads_to(step));
        assert_eq!(search.weights.rank(step) < undefined, expected.is_some());
    }
}

/// The automaton of figure 8, as far as the text tells: a choice at L2, after which `a` is 1 or
/// arbitrary, and one at L6. From L7 on the error is never reached, behind L11 it is.
fn two_choices() -> Exa {
    let mut cfa = Cfa::new();
    let [s, a] = ["s", "a"].map(|name| cfa.add_variable(name, Sort::Bv(32)));
    let t = &mut cfa.terms;
    let [one, three] = [1, 3].map(|n| t.number(32, n));
    let always = t.bool(true);
    let (s_large, a_small, a_large) = (t.sgt(s, one), t.slt(a, three), t.sgt(a, three));
    let [s_small, a_other] = [s_large, a_small].map(|c| t.not(c));
    let edges = [
        (1, 2, always, None),
        (2, 3, s_small, None),
        (2, 4, s_large, None),
        (3, 5, always, Some(one)),
        (4, 5, always, None),
        (5, 6, always, None),
        (6, 7, a_small, None),
        (6, 11, a_other, None),
        (7, 12, a_large, None),
        (11, 12, always, None),
    ];
    connect(&mut cfa, a, &edges, 12);
    Exa { cfa, s }
}

/// Figure 8: P1 goes over L3 and L7, P2 over L3 to L11, in vain. Then the branch into L7 weighs 0 and
/// the one into L11 nothing yet, so that P3 goes over L4 straight to the error. Without weights it
/// comes to L7 again first.
#[test]
fn weights_lead_to_the_branch_that_was_not_explored() {
    let program = two_choices();
    for (letters, visits_of_l7) in [("rsw", 1), ("rs", 2)] {
        let context = context();
        let search = explored(&program, letters, false, &context);
        let graph = &search.tree.graph;
        let at = place(&search, 7);
        let is_visited = |&id: &NodeId| graph.node(id).place == at && graph.node(id).is_expanded;
        let visits = graph.ids().filter(is_visited).count();
        assert_eq!(visits, visits_of_l7, "with {letters}: {:?}", locations(&search));
    }
}

/// L2 is the head of a loop over L3: the step back weighs 0 from the start, so that the way out goes
/// first, and sums do not go round.
#[test]
fn steps_back_weigh_nothing() {
    let mut cfa = Cfa::new();
    let s = cfa.add_variable("s", Sort::Bv(8));
    let t = &mut cfa.terms;
    let [zero, one, nine] = [0, 1, 9].map(|n| t.number(8, n));
    let (always, more, odd) = (t.bool(true), t.add(s, one), t.eq(s, nine));
    let small = t.ult(s, one);
    let (large, even) = (t.not(small), t.not(odd));
    let edges = [
        (1, 2, always, Some(zero)),
        (2, 3, small, None),
        (2, 4, large, None),
        (3, 2, always, Some(more)),
        (4, 5, odd, None),
        (4, 6, even, None),
    ];
    connect(&mut cfa, s, &edges, 5);
    let (context, config) = (context(), config("sw", false));
    let mut search = Search::new(&cfa, &config, &context).unwrap_or_else(|_| panic!("small"));
    let back = search.tree.blocked.place(place(&search, 3)).steps[0];
    assert_eq!(search.weights.weight(back), Some(0));
    assert!(search.explore().is_ok(), "s is never 9 at L4");
    assert_eq!(search.weights.weight(back), Some(0));
}
