//! Every operator in every guise (constant folding, evaluation, circuit) against the reference.

use crate::reference::{BINARY, UNARY, apply, reference};
use proptest::prelude::*;
use wedge_logic::aig::word;
use wedge_logic::{Aig, BitVec, Blaster, Evaluator, Lit, Operator, Sort, Term, TermStore};

/// An operator on variables, with its circuit.
struct Bench {
    operator: Operator,
    width: u32,
    store: TermStore,
    vars: Vec<Term>,
    term: Term,
    aig: Aig,
    bits: Vec<Lit>,
}

impl Bench {
    fn new(operator: Operator, width: u32) -> Bench {
        let mut store = TermStore::new();
        let vars: Vec<Term> =
            ["a", "b"][..operator.arity()].iter().map(|n| store.var(*n, Sort::Bv(width))).collect();
        let term = store.apply(operator, &vars).expect("operands of the right sort");
        store.check();
        let (mut aig, mut blaster) = (Aig::new(), Blaster::default());
        for &var in &vars {
            let inputs: Vec<Lit> = (0..width).map(|_| aig.add_input()).collect();
            blaster.bind(&store, var, &inputs);
        }
        let bits = blaster.blast(&store, &mut aig, term).expect("small circuits").to_vec();
        Bench { operator, width, store, vars, term, aig, bits }
    }

    fn check_all(&self, pairs: &[(u64, u64)]) {
        for chunk in pairs.chunks(64) {
            let circuit = self.simulate(chunk);
            for (&(a, b), circuit) in chunk.iter().zip(circuit) {
                self.check(a, b, circuit);
            }
        }
    }

    /// The circuit's results, 64 at once.
    fn simulate(&self, pairs: &[(u64, u64)]) -> Vec<u64> {
        let column = |select: fn(&(u64, u64)) -> u64, bit: u32| {
            let bits = pairs.iter().map(|pair| select(pair) >> bit & 1);
            bits.enumerate().fold(0, |word, (run, bit)| word | bit << run)
        };
        let mut inputs: Vec<u64> = (0..self.width).map(|bit| column(|p| p.0, bit)).collect();
        if self.vars.len() == 2 {
            inputs.extend((0..self.width).map(|bit| column(|p| p.1, bit)));
        }
        let words = self.aig.simulate(&inputs);
        let result = |run: usize| {
            let bits = self.bits.iter().enumerate();
            bits.fold(0, |value, (i, &lit)| value | (word(&words, lit) >> run & 1) << i)
        };
        (0..pairs.len()).map(result).collect()
    }

    fn check(&self, a: u64, b: u64, circuit: u64) {
        let (width, wanted) = reference(self.operator, self.width, a, b);
        let case = format!("{:?} at width {} on {a} and {b}", self.operator, self.width);
        let wanted = BitVec::new(width, wanted);
        assert_eq!(BitVec::new(self.bits.len() as u32, circuit), wanted, "circuit: {case}");
        let values = [BitVec::new(self.width, a), BitVec::new(self.width, b)];
        assert_eq!(apply(self.operator, &values[0], &values[1]), wanted, "value: {case}");
        let mut evaluator = Evaluator::new(&self.store);
        for (&var, value) in self.vars.iter().zip(&values) {
            evaluator.assign(var, value.clone().into());
        }
        assert_eq!(evaluator.eval_bv(self.term), Ok(&wanted), "evaluation: {case}");
        let mut store = TermStore::new();
        let constants: Vec<Term> =
            values[..self.vars.len()].iter().map(|value| store.constant(value.clone())).collect();
        let folded = store.apply(self.operator, &constants).expect("operands of the right sort");
        assert_eq!(store.value(folded), Some(&wanted), "folding: {case}");
    }
}

fn operators() -> impl Iterator<Item = Operator> {
    UNARY.into_iter().chain(BINARY)
}

#[test]
fn all_operands_up_to_width_4() {
    for width in 1..=4 {
        let pairs: Vec<(u64, u64)> =
            (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))).collect();
        operators().for_each(|operator| Bench::new(operator, width).check_all(&pairs));
    }
}

#[test]
fn boolean_operators() {
    for operator in [Operator::Implies, Operator::Iff] {
        Bench::new(operator, 1).check_all(&[(0, 0), (0, 1), (1, 0), (1, 1)]);
    }
}

/// Values near the corners as well as any others.
fn operand(width: u32) -> impl Strategy<Value = u64> {
    let mask = u64::MAX >> (64 - width);
    prop_oneof![
        any::<u64>().prop_map(move |v| v & mask),
        (0..width, any::<bool>(), 0..3u64).prop_map(move |(bit, flip, offset)| {
            let value = (1u64 << bit).wrapping_add(offset).wrapping_sub(1);
            (if flip { !value } else { value }) & mask
        }),
    ]
}

fn pairs(width: u32) -> impl Strategy<Value = Vec<(u64, u64)>> {
    prop::collection::vec((operand(width), operand(width)), 128)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn random_operands(
        sets in (pairs(5), pairs(6), pairs(7), pairs(8), pairs(33), pairs(64))
    ) {
        for (width, pairs) in [
            (5, &sets.0), (6, &sets.1), (7, &sets.2), (8, &sets.3), (33, &sets.4), (64, &sets.5),
        ] {
            operators().for_each(|operator| Bench::new(operator, width).check_all(pairs));
        }
    }
}

#[test]
fn random_operands_at_width_32() {
    let mut seed = 7u64;
    let mut next = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        seed >> 32
    };
    let pairs: Vec<(u64, u64)> = (0..256).map(|_| (next(), next() >> (next() % 32))).collect();
    operators().for_each(|operator| Bench::new(operator, 32).check_all(&pairs));
}
