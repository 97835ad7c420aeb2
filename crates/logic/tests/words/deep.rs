//! Terms far deeper than any call stack.

use wedge_logic::aig::word;
use wedge_logic::{
    Aig, BitVec, Blaster, Evaluator, Sort, Substitution, Term, TermStore, Value, smtlib,
};

const DEPTH: u64 = 120_000;

/// x0 = x, x(i+1) = ite(x(i) <u y, x(i) + y, x(i) xor i): nothing simplifies.
fn chain(store: &mut TermStore) -> (Term, Term, Term) {
    let x = store.var("x", Sort::Bv(4));
    let y = store.var("y", Sort::Bv(4));
    let mut term = x;
    for i in 0..DEPTH / 3 {
        let (number, sum) = (store.number(4, i % 15 + 1), store.add(term, y));
        let (less, xor) = (store.ult(term, y), store.xor(term, number));
        term = store.ite(less, sum, xor);
    }
    (x, y, term)
}

fn chain_value(x: u64, y: u64) -> u64 {
    (0..DEPTH / 3).fold(x, |v, i| if v < y { (v + y) % 16 } else { v ^ (i % 15 + 1) })
}

#[test]
fn deep_terms_are_evaluated_blasted_and_printed() {
    let mut store = TermStore::new();
    let (x, y, term) = chain(&mut store);
    assert_eq!(store.free_vars(&[term]), vec![x, y]);
    assert!(store.size(&[term]) > DEPTH as usize / 2);

    let mut evaluator = Evaluator::new(&store);
    evaluator.assign(x, Value::from(BitVec::new(4, 3)));
    evaluator.assign(y, Value::from(BitVec::new(4, 9)));
    assert_eq!(evaluator.eval_bv(term), Ok(&BitVec::new(4, chain_value(3, 9))));

    let (mut aig, mut blaster) = (Aig::new(), Blaster::default());
    let bits = blaster.blast(&store, &mut aig, term).expect("within the limits").to_vec();
    let words = aig.simulate(&[1, 1, 0, 0, 1, 0, 0, 1]);
    let value = bits.iter().rev().fold(0, |v, &bit| v << 1 | word(&words, bit) & 1);
    assert_eq!(value, chain_value(3, 9));

    let text = smtlib::formula(&store, term);
    assert!(text.len() < 80 * DEPTH as usize, "sharing keeps the output linear");
}

#[test]
fn deep_terms_are_substituted() {
    let mut store = TermStore::new();
    let (x, y, term) = chain(&mut store);
    let (three, nine) = (store.number(4, 3), store.number(4, 9));
    let mut substitution = Substitution::new([(x, three), (y, nine)]);
    let result = substitution.apply(&mut store, term);
    assert_eq!(store.value(result), Some(&BitVec::new(4, chain_value(3, 9))));
}

#[test]
fn long_concatenations_and_write_chains() {
    let mut store = TermStore::new();
    let bit = store.var("bit", Sort::BOOL);
    let other = store.var("other", Sort::BOOL);
    let (mut left, mut right) = (bit, other);
    for _ in 0..20_000 {
        left = store.concat(left, bit);
        right = store.concat(right, other);
    }
    store.eq(left, right);
    assert_eq!(store.slice(left, 0, 0), bit);
    assert_eq!(store.slice(left, 20_000, 20_000), bit);

    let mut array = store.var("array", Sort::Array { index: 32, element: 8 });
    for i in 0..20_000 {
        let (index, element) = (store.number(32, i), store.number(8, i));
        array = store.write(array, index, element);
    }
    let (last, first) = (store.number(32, 19_999), store.number(32, 0));
    let (read_last, read_first) = (store.read(array, last), store.read(array, first));
    assert_eq!(store.value(read_last), Some(&BitVec::new(8, 19_999)));
    let mut evaluator = Evaluator::new(&store);
    let base = store.free_vars(&[array])[0];
    evaluator.assign(base, Value::zero(store.sort(base)));
    assert_eq!(evaluator.eval_bv(read_first), Ok(&BitVec::zero(8)));
}
