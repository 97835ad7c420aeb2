//! Sets of states as clauses over latches; latch i is the variable i + 1.

use wedge_logic::{Aig, Lit};
use wedge_model::Predicate;
use wedge_sat::bweak::Clause;

/// The initial states and those that satisfy all clauses of some set.
pub fn union(initial: &Predicate, sets: &[Vec<Clause>]) -> Predicate {
    let latches = initial.aig.num_inputs();
    let mut aig = Aig::with_inputs(latches);
    let inputs: Vec<Lit> = (0..latches).map(|i| aig.input(i)).collect();
    let mut members = initial.aig.copy_into(&mut aig, &[initial.root], &inputs);
    for clauses in sets {
        let mut conjuncts = Vec::with_capacity(clauses.len());
        for clause in clauses {
            conjuncts.push(aig.or_all(&disjuncts(clause, &inputs)));
        }
        members.push(aig.and_all(&conjuncts));
    }
    let root = aig.or_all(&members);
    Predicate { aig, root }
}

fn disjuncts(clause: &[i32], inputs: &[Lit]) -> Vec<Lit> {
    clause.iter().map(|l| inputs[l.unsigned_abs() as usize - 1].xor(*l < 0)).collect()
}

/// The clauses without duplicates and without those that another one subsumes.
pub fn without_subsumed(mut clauses: Vec<Clause>) -> Vec<Clause> {
    clauses.iter_mut().for_each(|c| c.sort_unstable());
    clauses.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    clauses.dedup();
    let signature = |c: &Clause| c.iter().fold(0u64, |s, l| s | 1 << (l.unsigned_abs() % 64));
    let mut kept: Vec<(u64, Clause)> = Vec::with_capacity(clauses.len());
    for clause in clauses {
        let own = signature(&clause);
        let subsumed = kept.iter().any(|(other, k)| {
            other & !own == 0 && k.iter().all(|l| clause.binary_search(l).is_ok())
        });
        if !subsumed {
            kept.push((own, clause));
        }
    }
    kept.into_iter().map(|(_, clause)| clause).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsumed_clauses_go() {
        let clauses = vec![vec![3, -1], vec![2], vec![-1, 2], vec![-1, 3], vec![1, 4, 5]];
        assert_eq!(without_subsumed(clauses), vec![vec![2], vec![-1, 3], vec![1, 4, 5]]);
    }

    #[test]
    fn a_union_holds_where_a_member_does() {
        let aig = Aig::with_inputs(3);
        let root = aig.input(0);
        let initial = Predicate { aig, root };
        let union = union(&initial, &[vec![vec![2], vec![-3]], vec![vec![-2, 3], vec![3]]]);
        for bits in 0..8 {
            let state: Vec<bool> = (0..3).map(|i| bits >> i & 1 == 1).collect();
            let expected = state[0] || state[1] || state[2];
            assert_eq!(union.aig.eval(union.root, &state), expected, "{state:?}");
        }
    }
}
