//! Circuits stay small, and chains of operators grow linearly.

use crate::simulate::Circuit;
use wedge_logic::float::lower_floats;
use wedge_logic::{
    BitVec, Evaluator, FloatFormat, FloatFunction, FloatOp, Rounding, Sort, Term, TermStore, Value,
};

fn chain(format: FloatFormat, links: usize) -> (usize, usize) {
    let mut store = TermStore::new();
    let mode = store.rounding(Rounding::NearestEven);
    let vars: Vec<Term> = (0..=links).map(|_| store.var("x", Sort::Bv(format.width()))).collect();
    let mut sum = vars[0];
    for &var in &vars[1..] {
        sum = store.float_add(format, mode, sum, var);
    }
    let lowered = lower_floats(&mut store, &[sum])[0];
    let op = FloatOp { format, function: FloatFunction::Add };
    (store.size(&[lowered]), Circuit::of(op, &store, &vars, lowered).aig.len())
}

#[test]
fn chains_grow_linearly() {
    for format in [FloatFormat::Single, FloatFormat::Extended] {
        let (terms, nodes) = chain(format, 1);
        let (more_terms, more_nodes) = chain(format, 21);
        assert!(more_terms <= 21 * terms, "{more_terms} terms");
        assert!(more_nodes <= 22 * nodes, "{more_nodes} nodes");
    }
}

#[test]
fn constants_fold() {
    let mut store = TermStore::new();
    let mode = store.rounding(Rounding::NearestEven);
    let [one, two] = [1.0f64, 2.0].map(|x| store.constant(BitVec::new(64, x.to_bits())));
    let sum = store.float_add(FloatFormat::Double, mode, one, two);
    assert_eq!(store.value(sum), Some(&BitVec::new(64, 3f64.to_bits())));
    let x = store.var("x", Sort::Bv(64));
    let (left, right) = (
        store.float_add(FloatFormat::Double, mode, x, one),
        store.float_add(FloatFormat::Double, mode, one, x),
    );
    assert_eq!(left, right);
}

/// A whole expression, in which operators meet other terms.
#[test]
fn lowering_reaches_everything() {
    let format = FloatFormat::Single;
    let mut store = TermStore::new();
    let [a, b] = ["a", "b"].map(|name| store.var(name, Sort::Bv(32)));
    let mode = store.var("mode", Sort::Bv(3));
    let x = store.float_from_int(format, mode, a, true);
    let y = store.float_from_int(format, mode, b, false);
    let quotient = store.float_div(format, mode, x, y);
    let less = store.float_lt(format, x, y);
    let chosen = store.ite(less, quotient, x);
    let root = store.float_sqrt(format, mode, chosen);
    let result = store.float_to_int(format, mode, root, 32, true);
    let lowered = lower_floats(&mut store, &[result])[0];
    let floats = store.cone(&[lowered]);
    assert!(floats.iter().all(|&t| !matches!(store.op(t), wedge_logic::Op::Float(_))));
    for (a_value, b_value, mode_value) in
        [(7, 9, 0), (1 << 20, 3, 1), (u32::MAX - 5, 77, 2), (0, 0, 3)]
    {
        let mut evaluator = Evaluator::new(&store);
        evaluator.assign(a, Value::Bv(BitVec::new(32, a_value as u64)));
        evaluator.assign(b, Value::Bv(BitVec::new(32, b_value as u64)));
        evaluator.assign(mode, Value::Bv(BitVec::new(3, mode_value)));
        let wanted = evaluator.eval_bv(result).cloned();
        assert_eq!(evaluator.eval_bv(lowered).cloned(), wanted);
    }
}
