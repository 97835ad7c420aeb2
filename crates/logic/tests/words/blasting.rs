//! Limits, layouts and sizes of circuits.

use wedge_logic::blast::{Layout, Limits};
use wedge_logic::{Aig, BitVec, BlastError, Blaster, Lit, Sort, Term, TermStore};

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
    assert_eq!(error.to_string(), "array too large: huge, more than 2^63 bits");
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
    let times_255 = |s: &mut TermStore, a: Term, _: Term| {
        let k = s.number(32, 255);
        s.mul(a, k)
    };
    assert!(ands(times_255) <= 7 * 32, "one subtraction");
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
