//! The store, the checking front door, and substitution.

use wedge_logic::term::MAX_WIDTH;
use wedge_logic::{Evaluator, Operator, Sort, SortError, Substitution, TermStore};

#[test]
fn equal_terms_are_the_same_and_variables_are_not() {
    let mut store = TermStore::new();
    let a = store.var("a", Sort::Bv(8));
    let b = store.var("a", Sort::Bv(8));
    assert_ne!(a, b);
    assert_eq!(store.add(a, b), store.add(b, a));
    assert_ne!(store.fresh_var("f", Sort::BOOL), store.fresh_var("f", Sort::BOOL));
    assert_eq!(store.vars().count(), 4);
    let fresh = store.fresh_var("f", Sort::BOOL);
    assert_eq!(store.name(fresh), Some("f!4"));
    store.check();
}

#[test]
fn the_front_door_refuses_operands_that_do_not_fit() {
    let mut store = TermStore::new();
    let (a, b) = (store.var("a", Sort::Bv(8)), store.var("b", Sort::Bv(4)));
    let array = store.var("m", Sort::Array { index: 4, element: 8 });
    let wide = store.var("w", Sort::Bv(MAX_WIDTH));
    let mismatch = |wanted, given| Err(SortError::Mismatch { wanted, given });
    let (byte, nibble) = (Sort::Bv(8), Sort::Bv(4));
    assert_eq!(store.apply(Operator::Add, &[a, b]), mismatch(byte, nibble));
    assert_eq!(store.apply(Operator::Eq, &[a, array]), mismatch(byte, store.sort(array)));
    assert_eq!(store.apply(Operator::Implies, &[a, a]), mismatch(Sort::BOOL, byte));
    assert_eq!(store.apply(Operator::Ite, &[a, a, a]), mismatch(Sort::BOOL, byte));
    assert_eq!(store.apply(Operator::Read, &[array, a]), mismatch(nibble, byte));
    assert_eq!(store.apply(Operator::Write, &[array, b, b]), mismatch(byte, nibble));
    assert_eq!(store.apply(Operator::Read, &[a, a]), Err(SortError::NotArray(byte)));
    let sort = store.sort(array);
    assert_eq!(store.apply(Operator::Not, &[array]), Err(SortError::NotBitVector(sort)));
    assert_eq!(store.apply(Operator::Add, &[a, array]), Err(SortError::NotBitVector(sort)));
    assert_eq!(store.apply(Operator::Add, &[a]), Err(SortError::Arity { wanted: 2, given: 1 }));
    for (high, low) in [(8, 0), (2, 3), (u32::MAX, 0)] {
        let slice = store.apply(Operator::Slice { high, low }, &[a]);
        assert_eq!(slice, Err(SortError::Slice { high, low, width: 8 }));
    }
    let too_wide = |by: u64| Err(SortError::TooWide(MAX_WIDTH as u64 + by));
    assert_eq!(store.apply(Operator::Zext(1), &[wide]), too_wide(1));
    assert_eq!(store.apply(Operator::Sext(u32::MAX), &[wide]), too_wide(u32::MAX as u64));
    assert_eq!(store.apply(Operator::Concat, &[wide, a]), too_wide(8));
    assert_eq!(store.apply(Operator::Uaddo, &[wide, wide]), too_wide(1));
    assert_eq!(store.apply(Operator::Umulo, &[wide, wide]), too_wide(MAX_WIDTH as u64));
    let zero_index = store.apply(Operator::ConstArray { index: 0 }, &[a]);
    assert_eq!(zero_index, Err(SortError::ZeroWidth));
}

#[test]
fn substitution_is_simultaneous_and_takes_the_outermost_match() {
    let mut store = TermStore::new();
    let [a, b, c] = ["a", "b", "c"].map(|n| store.var(n, Sort::Bv(8)));
    let sum = store.add(a, b);
    let term = store.udiv(sum, a);
    let swapped = store.substitute(term, &[(a, b), (b, a)]);
    assert_eq!(swapped, store.udiv(sum, b));
    let replaced = store.substitute(term, &[(sum, c), (a, b)]);
    assert_eq!(replaced, store.udiv(c, b));
    let mut twice = Substitution::new([(a, b), (b, c)]);
    assert_eq!(twice.apply(&mut store, a), b);
    assert_eq!(twice.apply(&mut store, b), c);
}

#[test]
fn evaluation_names_the_variable_without_a_value() {
    let mut store = TermStore::new();
    let (a, b) = (store.var("a", Sort::BOOL), store.var("b", Sort::BOOL));
    let and = store.and(a, b);
    let mut evaluator = Evaluator::new(&store);
    evaluator.assign(a, true.into());
    let error = evaluator.eval(and).expect_err("b has no value");
    assert_eq!((error.variable, error.to_string()), (b, "the variable 'b' has no value".into()));
    evaluator.assign(b, true.into());
    assert_eq!(evaluator.holds(and), Ok(true));
    evaluator.assign(b, false.into());
    assert_eq!(evaluator.holds(and), Ok(false));
}

#[test]
fn balanced_connectives() {
    let mut store = TermStore::new();
    let bits: Vec<_> = (0..5).map(|i| store.var(format!("b{i}"), Sort::BOOL)).collect();
    let (all, any) = (store.and_all(&bits), store.or_all(&bits));
    for pattern in 0..32u32 {
        let mut evaluator = Evaluator::new(&store);
        for (i, &bit) in bits.iter().enumerate() {
            evaluator.assign(bit, (pattern >> i & 1 == 1).into());
        }
        assert_eq!(evaluator.holds(all), Ok(pattern == 31));
        assert_eq!(evaluator.holds(any), Ok(pattern != 0));
    }
    let (none, zero) = (store.and_all(&[]), store.or_all(&[]));
    assert_eq!((store.bool(true), store.bool(false)), (none, zero));
}
