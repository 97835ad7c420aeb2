//! Takes what a conjunction says outright about inputs, that one is constant or equal to another,
//! and substitutes it.
//!
//! Invariants of large circuits are full of such facts: stuck latches, duplicated registers, the
//! two halves of an equivalence check. After the substitution structural hashing merges the gates
//! above them, which costs a solver thousands of small proofs.

use rustc_hash::FxHashSet;
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

/// A substitution may bring further facts to light, each round at the cost of a copy of the
/// graph; chains of implications are left to the solver.
const ROUNDS: usize = 8;

/// A conjunction of `roots` that is satisfiable iff the original one is.
pub(crate) struct Simplified {
    pub aig: Aig,
    pub roots: Vec<Lit>,
    /// What each input of the original graph became. An assignment that satisfies the roots
    /// satisfies the original ones if the inputs take the values of these literals.
    pub images: Vec<Lit>,
}

/// Ensures: see [`Simplified`]; a contradiction that was noticed leaves `Lit::FALSE` in the roots.
pub(crate) fn simplify(aig: &Aig, roots: &[Lit]) -> Simplified {
    let images = (0..aig.num_inputs()).map(|index| aig.input(index)).collect();
    let mut result = Simplified { aig: aig.clone(), roots: conjuncts(aig, roots), images };
    for _ in 0..ROUNDS {
        match Equalities::in_conjuncts(&result.aig, &result.roots) {
            Some(equalities) => result.substitute(&equalities),
            None => break,
        }
    }
    result
}

impl Simplified {
    fn substitute(&mut self, equalities: &Equalities) {
        let mut target = Aig::with_inputs(self.aig.num_inputs());
        let inputs: Vec<Lit> =
            (0..target.num_inputs()).map(|index| self.aig.input(index)).collect();
        let image = |lit: Lit, target: &Aig| {
            let lit = equalities.find(lit);
            match self.aig.node(lit.node()) {
                Node::Input(index) => target.input(index as usize).xor(lit.is_negated()),
                _ => lit,
            }
        };
        let sources: Vec<Lit> = inputs.iter().map(|&input| image(input, &target)).collect();
        self.images.iter_mut().for_each(|lit| *lit = image(*lit, &target));
        let mut roots = self.aig.copy_into(&mut target, &self.roots, &sources);
        if equalities.contradict {
            roots.push(Lit::FALSE);
        }
        self.roots = conjuncts(&target, &roots);
        self.aig = target;
    }
}

/// The literals whose conjunction the roots are, without `Lit::TRUE` and repetitions.
fn conjuncts(aig: &Aig, roots: &[Lit]) -> Vec<Lit> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(lit) = stack.pop() {
        if lit == Lit::TRUE || !seen.insert(lit) {
            continue;
        }
        match aig.node(lit.node()) {
            Node::And(a, b) if !lit.is_negated() => stack.extend([a, b]),
            _ => found.push(lit),
        }
    }
    found
}

/// Classes of inputs that are equal up to negation; the class of the constant holds the inputs
/// whose value is known.
struct Equalities {
    /// Per node, a literal of a smaller node that it is equal to, or the node itself.
    parent: Vec<Lit>,
    contradict: bool,
}

impl Equalities {
    /// The equalities that some conjuncts state, `None` if there is none.
    fn in_conjuncts(aig: &Aig, conjuncts: &[Lit]) -> Option<Equalities> {
        if conjuncts.contains(&Lit::FALSE) {
            return None;
        }
        let parent = (0..aig.len() as u32).map(|node| Lit::new(node, false)).collect();
        let mut equalities = Equalities { parent, contradict: false };
        let mut clauses = FxHashSet::default();
        let mut changed = false;
        for &conjunct in conjuncts {
            changed |= match aig.node(conjunct.node()) {
                Node::Input(_) => equalities.merge(conjunct, Lit::TRUE),
                Node::And(a, b) if is_input(aig, a) && is_input(aig, b) => {
                    // ¬(a ∧ b), and earlier ¬(¬a ∧ ¬b): a = ¬b.
                    clauses.insert((a, b));
                    clauses.contains(&(!a, !b)) && equalities.merge(a, !b)
                }
                Node::And(a, b) => match both_or_neither(aig, a, b) {
                    Some((left, right)) => equalities.merge(left, right),
                    None => false,
                },
                Node::Const => false,
            }
        }
        changed.then_some(equalities)
    }

    /// The representative of a literal.
    fn find(&self, mut lit: Lit) -> Lit {
        loop {
            let parent = self.parent[lit.node() as usize].xor(lit.is_negated());
            if parent == lit {
                return lit;
            }
            lit = parent;
        }
    }

    /// Whether this was news.
    fn merge(&mut self, left: Lit, right: Lit) -> bool {
        let (left, right) = (self.find(left), self.find(right));
        if left.node() == right.node() {
            self.contradict |= left != right;
            return left != right;
        }
        let (low, high) = if left.node() < right.node() { (left, right) } else { (right, left) };
        self.parent[high.node() as usize] = low.xor(high.is_negated());
        true
    }
}

/// Inputs l and r if ¬(a ∧ b) is (l ∧ r) ∨ (¬l ∧ ¬r).
fn both_or_neither(aig: &Aig, a: Lit, b: Lit) -> Option<(Lit, Lit)> {
    let (Node::And(l, r), Node::And(x, y)) = (aig.node(a.node()), aig.node(b.node())) else {
        return None;
    };
    let equality = a.is_negated() && b.is_negated() && (x, y) == (!l, !r);
    (equality && is_input(aig, l) && is_input(aig, r)).then_some((l, r))
}

fn is_input(aig: &Aig, lit: Lit) -> bool {
    matches!(aig.node(lit.node()), Node::Input(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wedge_logic::aig::word;

    /// All assignments of up to six inputs at once.
    const PATTERNS: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];

    fn models(aig: &Aig, roots: &[Lit], inputs: &[u64]) -> u64 {
        let words = aig.simulate(inputs);
        roots.iter().fold(u64::MAX, |all, &root| all & word(&words, root))
    }

    fn random(seed: &mut u64, bound: usize) -> usize {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 33) as usize % bound
    }

    #[test]
    fn keeps_satisfiability_and_gives_models_back() {
        let mut seed = 5;
        let (mut satisfiable, mut substituted) = (0, 0);
        for _ in 0..2000 {
            let mut aig = Aig::with_inputs(6);
            let mut pool: Vec<Lit> = (0..6).map(|i| aig.input(i)).collect();
            let mut roots = Vec::new();
            for _ in 0..8 {
                let mut pick =
                    || pool[random(&mut seed, pool.len())].xor(random(&mut seed, 2) == 1);
                let (a, b) = (pick(), pick());
                match random(&mut seed, 5) {
                    0 => roots.push(aig.iff(a, b)),
                    1 => roots.push(aig.or(a, b)),
                    2 => pool.push(aig.xor(a, b)),
                    3 => roots.push(a),
                    _ => pool.push(aig.and(a, b)),
                }
            }
            let simple = simplify(&aig, &roots);
            let original = models(&aig, &roots, &PATTERNS);
            let simplified = models(&simple.aig, &simple.roots, &PATTERNS);
            assert_eq!(original == 0, simplified == 0);
            let words = simple.aig.simulate(&PATTERNS);
            let inputs: Vec<u64> = simple.images.iter().map(|&lit| word(&words, lit)).collect();
            assert_eq!(simplified & !models(&aig, &roots, &inputs), 0);
            satisfiable += (original != 0) as usize;
            substituted += (0..6).any(|i| simple.images[i] != simple.aig.input(i)) as usize;
        }
        assert!((200..1800).contains(&satisfiable), "{satisfiable} satisfiable");
        assert!(substituted > 1000, "{substituted} with a substitution");
    }

    #[test]
    fn equal_halves_become_one() {
        let mut aig = Aig::with_inputs(4);
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| aig.input(i));
        let (left, right) = (aig.and(a, b), aig.and(c, d));
        let roots = [aig.iff(a, c), aig.iff(b, !d), aig.iff(left, !right), aig.iff(d, d)];
        let simple = simplify(&aig, &roots);
        assert_eq!(simple.images[2], simple.images[0]);
        assert_eq!(simple.images[3], !simple.images[1]);
        let halves = [aig.iff(a, c), aig.iff(b, d), aig.xor(left, right)];
        assert!(simplify(&aig, &halves).roots.contains(&Lit::FALSE));
    }
}
