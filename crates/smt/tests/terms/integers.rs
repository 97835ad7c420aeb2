//! Words as integers: as long as nothing overflows, the reading of an operator gives what the
//! operator gives.

use std::time::Duration;
use wedge_logic::{BitVec, Operator, Sort, Term, TermStore};
use wedge_sat::Interrupt;
use wedge_smt::external::find;
use wedge_smt::{Answer, Integers};

fn started() -> Option<Integers> {
    let started = Integers::start(&find("z3"), Duration::from_secs(20), &Interrupt::default());
    if started.is_err() {
        println!("z3 is not installed: nothing is asked of it");
    }
    started.ok()
}

struct Asked {
    store: TermStore,
    integers: Integers,
    words: [Term; 2],
}

impl Asked {
    fn new(integers: Integers) -> Asked {
        let mut store = TermStore::new();
        let words = ["a", "b"].map(|name| store.var(name, Sort::Bv(8)));
        Asked { store, integers, words }
    }

    /// Whether a term over the two words can be anything but what it is for these values.
    fn differs(
        &mut self,
        term: impl Fn(&mut TermStore, [Term; 2]) -> Term,
        values: [u64; 2],
    ) -> Answer {
        let store = &mut self.store;
        let constants = values.map(|value| store.constant(BitVec::new(8, value)));
        let (open, expected) = (term(store, self.words), term(store, constants));
        let mut query = vec![];
        for (word, constant) in self.words.into_iter().zip(constants) {
            query.push(store.eq(word, constant));
        }
        let same = store.eq(open, expected);
        query.push(store.not(same));
        self.integers.check(store, &query)
    }
}

#[test]
fn operators_that_do_not_overflow_are_exact() {
    let Some(integers) = started() else { return };
    let mut asked = Asked::new(integers);
    let binary = [
        Operator::Udiv,
        Operator::Urem,
        Operator::Ult,
        Operator::Slt,
        Operator::Sle,
        Operator::Uge,
        Operator::Eq,
        Operator::Concat,
    ];
    let unary = [
        Operator::Not,
        Operator::Zext(4),
        Operator::Sext(4),
        Operator::Slice { high: 7, low: 7 },
        Operator::Slice { high: 3, low: 3 },
        Operator::Slice { high: 5, low: 2 },
        Operator::Slice { high: 7, low: 4 },
    ];
    // 8-bit words: large, small and negative as signed numbers.
    for values in [[200, 3], [100, 7], [255, 255], [0, 128], [5, 0], [77, 200]] {
        for operator in binary {
            let term = |s: &mut TermStore, words: [Term; 2]| s.apply(operator, &words).unwrap();
            assert_eq!(asked.differs(term, values), Answer::Unsat, "{operator:?} {values:?}");
        }
        for operator in unary {
            let term = |s: &mut TermStore, [a, _]: [Term; 2]| s.apply(operator, &[a]).unwrap();
            assert_eq!(asked.differs(term, values), Answer::Unsat, "{operator:?} {values:?}");
        }
        for (operator, number) in [
            (Operator::Srl, 3),
            (Operator::Sra, 3),
            (Operator::And, 0x0f),
            (Operator::And, 0xf0),
            (Operator::And, 1),
        ] {
            let term = |s: &mut TermStore, [a, _]: [Term; 2]| {
                let number = s.constant(BitVec::new(8, number));
                s.apply(operator, &[a, number]).unwrap()
            };
            assert_eq!(asked.differs(term, values), Answer::Unsat, "{operator:?} {values:?}");
        }
    }
}

#[test]
fn sums_have_no_bound() {
    let Some(integers) = started() else { return };
    let mut asked = Asked::new(integers);
    let add = |s: &mut TermStore, [a, b]: [Term; 2]| s.add(a, b);
    assert_eq!(asked.differs(add, [20, 30]), Answer::Unsat);
    assert_eq!(asked.differs(add, [100, 100]), Answer::Sat, "words wrap around, integers do not");
    let store = &mut asked.store;
    let [a, b] = asked.words;
    let sum = store.add(a, b);
    let zero = store.constant(BitVec::zero(8));
    let query = [store.slt(zero, a), store.slt(zero, b), store.slt(sum, zero)];
    assert_eq!(asked.integers.explain(store, &query), Answer::Unsat);
    assert_eq!(asked.integers.core().map(<[Term]>::len), Some(3));
}

#[test]
fn other_bit_operations_are_any_number() {
    let Some(integers) = started() else { return };
    let mut asked = Asked::new(integers);
    let xor = |s: &mut TermStore, [a, b]: [Term; 2]| s.xor(a, b);
    assert_eq!(asked.differs(xor, [1, 2]), Answer::Sat);
    assert_eq!(asked.integers.approximated, 1);
}
