//! Arrays of any size.

use wedge_logic::{Evaluator, Sort, Term, TermStore};
use wedge_sat::Interrupt;
use wedge_smt::{Answer, Solver};

const BUFFER: Sort = Sort::Array { index: 12, element: 8 };

struct Buffer {
    store: TermStore,
    solver: Solver,
}

impl Buffer {
    fn new() -> Buffer {
        Buffer { store: TermStore::new(), solver: Solver::new(&Interrupt::default()) }
    }

    fn words(&mut self, prefix: &str, count: usize, width: u32) -> Vec<Term> {
        (0..count).map(|i| self.store.var(format!("{prefix}{i}"), Sort::Bv(width))).collect()
    }

    /// The values given back satisfy the terms.
    fn satisfied(&mut self, terms: &[Term]) {
        let values: Vec<_> = self
            .store
            .free_vars(terms)
            .into_iter()
            .map(|v| (v, self.solver.value(&self.store, v).expect("a model")))
            .collect();
        let mut evaluator = Evaluator::new(&self.store);
        values.into_iter().for_each(|(variable, value)| evaluator.assign(variable, value));
        assert!(terms.iter().all(|&t| evaluator.holds(t).expect("all have values")));
    }
}

/// 4 KB, twenty symbolic writes, twenty reads: distinct indices keep what was written, and one
/// more index may hit any of them.
#[test]
fn a_buffer_with_twenty_symbolic_writes_and_reads() {
    let mut b = Buffer::new();
    let start = b.store.var("buffer", BUFFER);
    let indices = b.words("i", 20, 12);
    let elements = b.words("e", 20, 8);
    let mut buffer = start;
    for (&index, &element) in indices.iter().zip(&elements) {
        buffer = b.store.write(buffer, index, element);
    }
    for pair in indices.windows(2) {
        let increasing = b.store.ult(pair[0], pair[1]);
        b.solver.assert(&mut b.store, increasing);
    }
    let mut wrong = Vec::new();
    for (&index, &element) in indices.iter().zip(&elements) {
        let read = b.store.read(buffer, index);
        wrong.push(b.store.neq(read, element));
    }
    let some = b.store.or_all(&wrong);
    assert_eq!(b.solver.check_assuming(&mut b.store, &[some]), Answer::Unsat);

    let other = b.store.var("other", Sort::Bv(12));
    let (now, before) = (b.store.read(buffer, other), b.store.read(start, other));
    let changed = b.store.neq(now, before);
    assert_eq!(b.solver.check_assuming(&mut b.store, &[changed]), Answer::Sat);
    b.satisfied(&[changed]);
    let elsewhere: Vec<Term> = indices.iter().map(|&i| b.store.neq(other, i)).collect();
    let elsewhere = b.store.and_all(&elsewhere);
    assert_eq!(b.solver.check_assuming(&mut b.store, &[changed, elsewhere]), Answer::Unsat);
    assert_eq!(b.solver.core().map(|core| core.len()), Some(2));
}

/// Swapping two elements twice gives the array back; arrays with indices of 64 bits.
#[test]
fn swapping_twice_is_the_identity() {
    let mut b = Buffer::new();
    let start = b.store.var("memory", Sort::Array { index: 64, element: 32 });
    let (i, j) = (b.store.var("i", Sort::Bv(64)), b.store.var("j", Sort::Bv(64)));
    let mut swap = |array: Term| {
        let (x, y) = (b.store.read(array, i), b.store.read(array, j));
        let once = b.store.write(array, i, y);
        b.store.write(once, j, x)
    };
    let once = swap(start);
    let twice = swap(once);
    let differs = b.store.neq(twice, start);
    assert_eq!(b.solver.check_assuming(&mut b.store, &[differs]), Answer::Unsat);
    let differs = b.store.neq(once, start);
    assert_eq!(b.solver.check_assuming(&mut b.store, &[differs]), Answer::Sat);
    b.satisfied(&[differs]);
}

/// Constant arrays that differ are not equal, whatever is written to a few of their elements.
#[test]
fn constant_arrays_meet() {
    let mut b = Buffer::new();
    let (x, y) = (b.store.var("x", Sort::Bv(8)), b.store.var("y", Sort::Bv(8)));
    let [mut left, mut right] = [x, y].map(|element| b.store.const_array(12, element));
    for (i, (index, element)) in b.words("i", 4, 12).into_iter().zip(b.words("e", 4, 8)).enumerate()
    {
        let side = if i % 2 == 0 { &mut left } else { &mut right };
        *side = b.store.write(*side, index, element);
    }
    let (equal, differ) = (b.store.eq(left, right), b.store.neq(x, y));
    assert_eq!(b.solver.check_assuming(&mut b.store, &[equal]), Answer::Sat);
    b.satisfied(&[equal]);
    assert_eq!(b.solver.check_assuming(&mut b.store, &[equal, differ]), Answer::Unsat);
}
