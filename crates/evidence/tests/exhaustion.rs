//! Automata all of whose runs end: the checker against explicit search.

use explicit::{combinations, edge_images};
use random_cfa::{Genes, random_cfa};
use std::collections::BTreeSet;
use wedge_evidence::{Condition, Rejection, check_exhausted_automaton};
use wedge_logic::Value;
use wedge_model::Cfa;
use wedge_model::cfa::LocationId;
use wedge_sat::Interrupt;

#[allow(dead_code)]
#[path = "../../model/tests/cfa/explicit.rs"]
mod explicit;
#[allow(dead_code)]
#[path = "../../model/tests/cfa/random_cfa.rs"]
mod random_cfa;

/// More cut points than a run of these automata comes to, unless it goes on forever.
const MANY: usize = 12;

/// The most cut points that a run comes to, at most [`MANY`]; none if one comes to a target.
fn longest(cfa: &Cfa, is_cut: impl Fn(LocationId) -> bool) -> Option<usize> {
    let mut most = 0;
    let mut seen = BTreeSet::new();
    let start = combinations(&cfa.terms, &cfa.variables);
    let mut open: Vec<(LocationId, usize, Vec<Value>)> =
        start.into_iter().map(|state| (cfa.entry, 0, state)).collect();
    let outgoing = cfa.outgoing();
    while let Some((location, count, state)) = open.pop() {
        if cfa.targets.iter().any(|target| target.location == location) {
            return None;
        }
        if count > MANY || !seen.insert((location, count, format!("{state:?}"))) {
            continue;
        }
        most = most.max(count);
        for &edge in &outgoing[location.0 as usize] {
            let to = cfa.edge(edge).to;
            for next in edge_images(cfa, edge, &state) {
                open.push((to, count + usize::from(is_cut(to)), next));
            }
        }
    }
    Some(most)
}

/// Every location but the entry is a cut point: then no cycle is without one.
#[test]
fn random_automata_agree_with_explicit_search() {
    let (mut accepted, mut unsafe_ones, mut endless) = (0, 0, 0);
    for seed in 0..400 {
        let cfa = random_cfa(&mut Genes::new(seed));
        let cuts: Vec<LocationId> = (0..cfa.locations.len() as u32)
            .map(LocationId)
            .filter(|&location| location != cfa.entry)
            .collect();
        let check = |length| check_exhausted_automaton(&cfa, &cuts, length, &Interrupt::default());
        let refuted = |length: usize| {
            let found = check(length);
            let condition = found.as_ref().err().and_then(Rejection::condition);
            assert_eq!(condition, Some(Condition::Exhaustion), "seed {seed}: {found:?}");
        };
        match longest(&cfa, |location| cuts.contains(&location)) {
            None => {
                refuted(MANY);
                unsafe_ones += 1;
            }
            Some(length) if length >= MANY => {
                refuted(MANY - 1);
                endless += 1;
            }
            Some(length) => {
                assert_eq!(check(length), Ok(()), "seed {seed}");
                if length > 0 {
                    refuted(length - 1);
                }
                accepted += 1;
            }
        }
    }
    assert!(accepted > 20 && unsafe_ones > 20 && endless > 5, "{accepted} {unsafe_ones} {endless}");
}

#[test]
fn a_cycle_without_a_cut_point_is_named() {
    let mut named = 0;
    for seed in 0..200 {
        let cfa = random_cfa(&mut Genes::new(seed));
        match check_exhausted_automaton(&cfa, &[], 3, &Interrupt::default()) {
            Err(Rejection::Malformed(cause)) => {
                assert!(cause.contains("has no cut point"), "{cause}");
                named += 1;
            }
            Ok(()) => assert!(longest(&cfa, |_| false).is_some(), "seed {seed}"),
            Err(other) => assert_eq!(other.condition(), Some(Condition::Exhaustion)),
        }
    }
    assert!(named > 10, "{named}");
}
