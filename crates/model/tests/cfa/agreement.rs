//! Passes and transition systems say the same about targets as the automata that they are from.

use crate::explicit::{search_cfa, search_system};
use crate::random_cfa::{Genes, random_cfa};
use proptest::prelude::*;
use wedge_model::Cfa;
use wedge_model::cfa::run::{retrace, run};
use wedge_model::cfa::{
    BlockOptions, Cuts, ERROR, LIMIT, TargetKind, prune, reduce, simplify, single_loop, slice,
};
use wedge_model::simulate_words::replay;

/// Searches the system, replays what it finds on the automaton and on the one it came from.
fn check_system(original: &Cfa, cfa: &Cfa, cuts: Cuts) -> (bool, bool) {
    wedge_logic::audit::turn_on();
    let options = BlockOptions { cuts, ..BlockOptions::default() };
    let single = single_loop(cfa, &options).expect("small");
    assert_eq!(single.system.check(), Ok(()));
    single.system.terms.check();
    let traces = search_system(&single.system);
    for (bad, trace) in traces.iter().enumerate() {
        let Some(trace) = trace else { continue };
        assert_eq!(replay(&single.system, bad, trace), Ok(()));
        let run = run(cfa, &single, trace, 1000).expect("a run");
        let kind = if bad == ERROR { TargetKind::Error } else { TargetKind::Limit };
        let target = run.target.expect("the trace leads to a target");
        assert_eq!(cfa.targets[target].kind, kind);
        let first = retrace(original, cfa, &run, 1000).expect("a run");
        let target = first.target.expect("the same choices lead to a target");
        assert_eq!(original.targets[target].kind, kind);
    }
    (traces[ERROR].is_some(), traces[LIMIT].is_some())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(700))]

    #[test]
    fn systems_agree_with_their_automata(seed in any::<u64>()) {
        let cfa = random_cfa(&mut Genes::new(seed));
        let wanted = search_cfa(&cfa);
        prop_assert_eq!(check_system(&cfa, &cfa, Cuts::Heads), wanted);
        prop_assert_eq!(check_system(&cfa, &cfa, Cuts::Everywhere), wanted);
        prop_assert_eq!(check_system(&cfa, &cfa, Cuts::AtMost(2)), wanted);
    }

    #[test]
    fn passes_keep_the_verdict(seed in any::<u64>()) {
        let cfa = random_cfa(&mut Genes::new(seed));
        let wanted = search_cfa(&cfa);
        let pruned = prune(&cfa);
        prop_assert_eq!(search_cfa(&pruned.cfa), wanted);
        prop_assert_eq!(pruned.cfa.check(), Ok(()));
        let sliced = slice(&cfa);
        prop_assert_eq!(search_cfa(&sliced.cfa), wanted);
        prop_assert_eq!(sliced.cfa.check(), Ok(()));
        for (new, &old) in sliced.cfa.variables.iter().zip(&sliced.variables) {
            prop_assert_eq!(*new, cfa.variables[old]);
        }
        for (new, &old) in sliced.cfa.edges.iter().zip(&sliced.edges) {
            prop_assert_eq!(new.origin, cfa.edge(old).origin);
        }
        prop_assert_eq!(check_system(&cfa, &sliced.cfa, Cuts::Heads), wanted);
    }
    #[test]
    fn constants_and_all_reductions_keep_the_verdict(seed in any::<u64>()) {
        let cfa = random_cfa(&mut Genes::new(seed));
        let wanted = search_cfa(&cfa);
        let simple = simplify(&cfa);
        prop_assert_eq!(simple.check(), Ok(()));
        prop_assert_eq!(search_cfa(&simple), wanted);
        let reduced = reduce(&cfa);
        prop_assert_eq!(reduced.cfa.check(), Ok(()));
        prop_assert_eq!(search_cfa(&reduced.cfa), wanted);
        for (new, &old) in reduced.cfa.locations.iter().zip(&reduced.locations) {
            prop_assert_eq!(new.origin, cfa.locations[old.0 as usize].origin);
        }
        for (new, &old) in reduced.cfa.variables.iter().zip(&reduced.variables) {
            prop_assert_eq!(*new, cfa.variables[old]);
        }
        prop_assert_eq!(check_system(&cfa, &reduced.cfa, Cuts::Heads), wanted);
        prop_assert_eq!(check_system(&cfa, &reduced.cfa, Cuts::Everywhere), wanted);
    }
}

/// The other tests say little if nearly all automata are of one kind.
#[test]
fn all_verdicts_occur() {
    let mut counts = [[0; 2]; 2];
    let mut loops = [0; 3];
    for seed in 0..300 {
        let cfa = random_cfa(&mut Genes::new(seed));
        let (error, limit) = search_cfa(&cfa);
        counts[error as usize][limit as usize] += 1;
        let single = single_loop(&cfa, &BlockOptions::default()).expect("small");
        loops[(single.cuts.len() - 1).min(2)] += 1;
    }
    assert!(counts.iter().flatten().all(|&count| count > 8), "{counts:?}");
    assert!(loops.iter().all(|&count| count > 8), "{loops:?}");
}
