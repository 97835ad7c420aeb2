//! Conjuncts that share no quantified variable are quantified one by one; a group that reads
//! quantified variables only is true or false (unconnected parameter drop).

use super::Work;
use rustc_hash::FxHashMap;
use wedge_logic::{Term, TermStore};

/// The groups of conjuncts connected by quantified variables.
pub(super) fn split(store: &TermStore, work: Work) -> Vec<Work> {
    let mut group_of: Vec<usize> = (0..work.conjuncts.len()).collect();
    let mut first: FxHashMap<Term, usize> = FxHashMap::default();
    for (place, &conjunct) in work.conjuncts.iter().enumerate() {
        for variable in store.free_vars(&[conjunct]) {
            if !work.variables.contains(&variable) {
                continue;
            }
            let other = *first.entry(variable).or_insert(place);
            let (a, b) = (find(&group_of, other), find(&group_of, place));
            group_of[a.max(b)] = a.min(b);
        }
    }
    let mut groups: Vec<(usize, Vec<Term>)> = Vec::new();
    for (place, &conjunct) in work.conjuncts.iter().enumerate() {
        let root = find(&group_of, place);
        match groups.iter_mut().find(|group| group.0 == root) {
            Some(group) => group.1.push(conjunct),
            None => groups.push((root, vec![conjunct])),
        }
    }
    let variables = work.variables;
    let group = |(_, conjuncts)| Work { variables: variables.clone(), conjuncts };
    groups.into_iter().map(group).collect()
}

fn find(group_of: &[usize], mut place: usize) -> usize {
    while group_of[place] != place {
        place = group_of[place];
    }
    place
}
