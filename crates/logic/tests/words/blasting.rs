//! Limits, layouts and sizes of circuits.

use wedge_logic::aig::Node;
use wedge_logic::blast::{Layout, Limits};
use wedge_logic::{Aig, BitVec, BlastError, Blaster, Evaluator, Lit, Sort, Term, TermStore, Value};

fn blast(store: &TermStore, limits: Limits, term: Term) -> (Result<Vec<Lit>, BlastError>, Aig) {
    let mut aig = Aig::new();
    let bits = Blaster::new(limits).blast(store, &mut aig, term).map(|bits| bits.to_vec());
    (bits, aig)
}

#[test]
fn large_arrays_are_refused_before_they_are_built() {
    let mut store = TermStore::new();
    let array = store.var("memory", Sort::Array { index: 40, element: 32 });
    let i = store.var("i", Sort::Bv(40));
    let read = store.read(array, i);
    let (bits, aig) = blast(&store, Limits::default(), read);
    assert_eq!(bits, Err(BlastError::ArrayTooLarge { name: "memory".into(), bits: 32 << 40 }));
    assert!(aig.len() < 100);
    let huge = store.var("huge", Sort::Array { index: 64, element: 1 });
    let written = store.eq(huge, huge);
    assert_eq!(store.value(written), Some(&BitVec::one(1)), "no blasting needed");
    let j = store.var("j", Sort::Bv(64));
    let read = store.read(huge, j);
    let error = blast(&store, Limits::default(), read).0.expect_err("too large");
    assert_eq!(error.to_string(), "the array huge has more than 2^63 bits");
}

#[test]
fn large_circuits_are_refused_before_they_are_built() {
    let mut store = TermStore::new();
    let (a, b) = (store.var("a", Sort::Bv(20_000)), store.var("b", Sort::Bv(20_000)));
    for term in [store.mul(a, b), store.udiv(a, b)] {
        let (bits, aig) = blast(&store, Limits::default(), term);
        assert_eq!(bits, Err(BlastError::TooManyNodes { limit: 1 << 24 }));
        assert!(aig.len() < 50_000);
    }
}

#[test]
fn quotient_and_remainder_share_a_divider() {
    let mut store = TermStore::new();
    let (a, b) = (store.var("a", Sort::Bv(16)), store.var("b", Sort::Bv(16)));
    let (quotient, remainder) = (store.udiv(a, b), store.urem(a, b));
    let (mut aig, mut blaster) = (Aig::new(), Blaster::default());
    blaster.blast(&store, &mut aig, quotient).expect("small");
    let before = aig.len();
    blaster.blast(&store, &mut aig, remainder).expect("small");
    assert_eq!(aig.len(), before);
}

/// All dividends of six bits by all divisors of which three can be set, zero among them, as a
/// variable and as constants.
#[test]
fn narrow_divisors_divide_all_the_same() {
    let mut store = TermStore::new();
    let (a, b) = (store.var("a", Sort::Bv(6)), store.var("b", Sort::Bv(3)));
    let wide = store.zext(b, 3);
    let divisors: Vec<Term> = (0..8).map(|value| store.number(6, value)).collect();
    for (divisor, fixed) in [(wide, None)]
        .into_iter()
        .chain(divisors.into_iter().enumerate().map(|(value, term)| (term, Some(value))))
    {
        let quotient = store.udiv(a, divisor);
        let remainder = store.urem(a, divisor);
        let (mut aig, mut blaster) = (Aig::new(), Blaster::default());
        let a_bits = blaster.blast(&store, &mut aig, a).expect("small").to_vec();
        let b_bits = blaster.blast(&store, &mut aig, b).expect("small").to_vec();
        let quotient = blaster.blast(&store, &mut aig, quotient).expect("small").to_vec();
        let remainder = blaster.blast(&store, &mut aig, remainder).expect("small").to_vec();
        for (x, y) in (0..64).flat_map(|x| (0..8).map(move |y| (x, fixed.unwrap_or(y)))) {
            let mut inputs = vec![false; aig.num_inputs()];
            let mut set = |bits: &[Lit], value: usize| {
                for (index, bit) in bits.iter().enumerate() {
                    let Node::Input(input) = aig.node(bit.node()) else { panic!("a variable") };
                    inputs[input as usize] = value >> index & 1 == 1;
                }
            };
            set(&a_bits, x);
            set(&b_bits, y);
            let number = |bits: &[Lit]| {
                let bit = |(index, &bit)| usize::from(aig.eval(bit, &inputs)) << index;
                bits.iter().enumerate().map(bit).sum::<usize>()
            };
            assert_eq!(number(&quotient), x.checked_div(y).unwrap_or(63), "{x} / {y}");
            assert_eq!(number(&remainder), x.checked_rem(y).unwrap_or(x), "{x} % {y}");
        }
    }
}

#[test]
fn circuits_are_small() {
    let ands = |build: fn(&mut TermStore, Term, Term) -> Term| {
        let mut store = TermStore::new();
        let (a, b) = (store.var("a", Sort::Bv(32)), store.var("b", Sort::Bv(32)));
        let term = build(&mut store, a, b);
        blast(&store, Limits::default(), term).1.num_ands()
    };
    assert!(ands(|s, a, b| s.add(a, b)) <= 7 * 32);
    assert!(ands(|s, a, b| s.sub(a, b)) <= 7 * 32);
    assert!(ands(|s, a, b| s.ult(a, b)) <= 4 * 32);
    assert!(ands(|s, a, b| s.slt(a, b)) <= 4 * 32);
    assert!(ands(|s, a, b| s.eq(a, b)) <= 4 * 32);
    assert!(ands(|s, a, b| s.sll(a, b)) <= 3 * 32 * 5 + 32 + 32);
    assert!(ands(|s, a, b| s.mul(a, b)) <= 8 * 32 * 32 / 2);
    assert!(ands(|s, a, b| s.udiv(a, b)) <= 12 * 32 * 32);
    let by_10 = |s: &mut TermStore, a: Term, _: Term| {
        let k = s.number(32, 10);
        s.udiv(a, k)
    };
    assert!(ands(by_10) <= 12 * 4 * 32, "only four bits of the divisor matter");
    let times_255 = |s: &mut TermStore, a: Term, _: Term| {
        let k = s.number(32, 255);
        s.mul(a, k)
    };
    assert!(ands(times_255) <= 7 * 32, "one subtraction");
    let bytes = |s: &mut TermStore, a: Term, b: Term| {
        let (a, b) = (s.slice(a, 7, 0), s.slice(b, 7, 0));
        let (a, b) = (s.sext(a, 24), s.sext(b, 24));
        s.mul(a, b)
    };
    assert!(ands(bytes) <= 8 * 8 * 32, "eight rows");
    let fits = |s: &mut TermStore, a: Term, b: Term| {
        let (a, b) = (s.sext(a, 32), s.sext(b, 32));
        let exact = s.mul(a, b);
        let low = s.slice(exact, 31, 0);
        let again = s.sext(low, 32);
        s.eq(exact, again)
    };
    assert!(ands(fits) <= 8 * 33 * 33 / 2 + 8 * 64, "not the upper half of the product");
}

#[test]
fn a_layout_keeps_only_the_elements_that_matter() {
    let mut store = TermStore::new();
    let array = store.var("m", Sort::Array { index: 32, element: 4 });
    let (i, x) = (store.var("i", Sort::Bv(32)), store.var("x", Sort::Bv(4)));
    let written = store.write(array, i, x);
    let (five, six) = (store.number(32, 5), store.number(32, 6));
    let (inside, outside) = (store.read(written, five), store.read(written, six));
    let layout = Layout::new([BitVec::new(32, 5), BitVec::new(32, 9)]);
    let (mut aig, mut blaster) = (Aig::new(), Blaster::default());
    blaster.set_layout(array, layout.clone());
    blaster.set_layout(written, layout);
    let bits = blaster.blast(&store, &mut aig, inside).expect("in the layout").to_vec();
    assert_eq!(blaster.num_bits(&store, array), 8);
    let error = blaster.blast(&store, &mut aig, outside).expect_err("not in the layout");
    assert_eq!(error, BlastError::OutsideLayout { name: "m".into() });

    // Inputs in the order of the variables: the two elements of m, then i, then x.
    let value = |index: u64| {
        let mut inputs: Vec<bool> = BitVec::new(8, 0x3a).bits().collect();
        inputs.extend(BitVec::new(32, index).bits().chain(BitVec::new(4, 7).bits()));
        BitVec::from_bits(&bits.iter().map(|&bit| aig.eval(bit, &inputs)).collect::<Vec<_>>())
    };
    assert_eq!(value(5), BitVec::new(4, 7));
    assert_eq!(value(6), BitVec::new(4, 10));
}

/// Whether signed products fit, as programs ask it: all pairs of numbers of up to five bits, as variables,
/// with a constant, and as products whose factors are no extensions.
#[test]
fn products_that_fit_are_told_from_others() {
    for width in 1..=5u32 {
        for fixed in [None, Some(0), Some(1), Some((1u64 << width) - 1), Some(1 << (width - 1))] {
            for extended in [true, false] {
                let mut store = TermStore::new();
                let a = store.var("a", Sort::Bv(width));
                let b = match fixed {
                    Some(value) => store.number(width, value),
                    None => store.var("b", Sort::Bv(width)),
                };
                let wide = |store: &mut TermStore, x| match extended {
                    true => store.sext(x, width),
                    false => store.zext(x, width),
                };
                let (wide_a, wide_b) = (wide(&mut store, a), wide(&mut store, b));
                let exact = store.mul(wide_a, wide_b);
                let low = store.slice(exact, width - 1, 0);
                let again = store.sext(low, width);
                let fits = store.eq(exact, again);
                compare(&store, fits, &[a, b]);
            }
        }
    }
}

/// A circuit gives what evaluation gives, for all values of some variables.
fn compare(store: &TermStore, term: Term, leaves: &[Term]) {
    let (mut aig, mut blaster) = (Aig::new(), Blaster::default());
    let mut inputs: Vec<(Term, Vec<Lit>)> = Vec::new();
    for &leaf in leaves.iter().filter(|&&leaf| store.value(leaf).is_none()) {
        inputs.push((leaf, blaster.blast(store, &mut aig, leaf).expect("small").to_vec()));
    }
    let literal = blaster.blast(store, &mut aig, term).expect("small")[0];
    let count: usize = inputs.iter().map(|(_, bits)| bits.len()).sum();
    for all in 0..1u64 << count {
        let mut rest = all;
        let mut evaluator = Evaluator::new(store);
        let mut values = vec![false; aig.num_inputs()];
        for (leaf, bits) in &inputs {
            let number = rest & ((1 << bits.len()) - 1);
            evaluator.assign(*leaf, Value::from(BitVec::new(bits.len() as u32, number)));
            for (index, bit) in bits.iter().enumerate() {
                let Node::Input(input) = aig.node(bit.node()) else { panic!("a variable") };
                values[input as usize] = number >> index & 1 == 1;
            }
            rest >>= bits.len();
        }
        assert_eq!(Ok(aig.eval(literal, &values)), evaluator.holds(term), "{all}");
    }
}

/// Products of factors of which the upper bits are copies of the sign, or zero.
#[test]
fn extended_factors_are_multiplied_all_the_same() {
    for (width, by) in [(1, 3), (3, 1), (3, 4), (4, 2)] {
        for (signed_a, signed_b) in [(true, true), (true, false), (false, true)] {
            let mut store = TermStore::new();
            let a = store.var("a", Sort::Bv(width));
            let b = store.var("b", Sort::Bv(width));
            let wide = |store: &mut TermStore, x, signed| match signed {
                true => store.sext(x, by),
                false => store.zext(x, by),
            };
            let (wide_a, wide_b) = (wide(&mut store, a, signed_a), wide(&mut store, b, signed_b));
            let product = store.mul(wide_a, wide_b);
            for bit in 0..width + by {
                let bit = store.slice(product, bit, bit);
                compare(&store, bit, &[a, b]);
            }
        }
    }
}
