//! Random terms, built with all rewriting, against the values of what was asked for.
//!
//! A program of surface operators runs twice: on terms and on values. Evaluating, blasting and
//! substituting the terms must give the values. The widths go beyond one machine word.

use crate::reference::{BINARY, UNARY, apply};
use proptest::prelude::*;
use wedge_logic::{
    Aig, ArrayValue, BitVec, Blaster, Evaluator, Lit, Operator, Sort, Term, TermStore, Value,
    smtlib,
};

const WIDTHS: [u32; 8] = [1, 1, 2, 3, 8, 13, 64, 70];
const INDEX: u32 = 2;
const ELEMENT: u32 = 8;

/// What a program computes with: words and arrays, as terms and as values.
struct Machine {
    store: TermStore,
    variables: Vec<(Term, Value)>,
    words: Vec<(Term, BitVec)>,
    arrays: Vec<(Term, ArrayValue)>,
}

type Step = (u8, u16, u16, u16, u64);

impl Machine {
    fn new(values: &[u64]) -> Machine {
        let mut machine = Machine {
            store: TermStore::new(),
            variables: Vec::new(),
            words: Vec::new(),
            arrays: Vec::new(),
        };
        for (i, &seed) in values.iter().enumerate() {
            let width = WIDTHS[i % WIDTHS.len()];
            let value = spread(width, seed);
            let term = machine.store.var(format!("v{i}"), Sort::Bv(width));
            machine.variables.push((term, value.clone().into()));
            machine.words.push((term, value));
        }
        for (i, &seed) in values.iter().take(2).enumerate() {
            let sort = Sort::Array { index: INDEX, element: ELEMENT };
            let value = ArrayValue::constant(INDEX, spread(ELEMENT, seed))
                .write(&BitVec::new(INDEX, seed >> 7), &spread(ELEMENT, seed >> 20));
            let term = machine.store.var(format!("a{i}"), sort);
            machine.variables.push((term, Value::Array(value.clone())));
            machine.arrays.push((term, value));
        }
        machine
    }

    fn word(&self, pick: u16) -> (Term, BitVec) {
        // The later words are the deeper ones, and the more interesting.
        let len = self.words.len();
        let at = if pick.is_multiple_of(3) {
            pick as usize % len
        } else {
            len - 1 - pick as usize % len.min(6)
        };
        self.words[at].clone()
    }

    fn array(&self, pick: u16) -> (Term, ArrayValue) {
        self.arrays[pick as usize % self.arrays.len()].clone()
    }

    /// A word cut or extended to the width.
    fn word_of(&mut self, pick: u16, width: u32) -> (Term, BitVec) {
        let (term, value) = self.word(pick);
        let given = value.width();
        match given.cmp(&width) {
            std::cmp::Ordering::Equal => (term, value),
            std::cmp::Ordering::Greater => {
                let low = pick as u32 % (given - width + 1);
                let high = low + width - 1;
                (self.store.slice(term, high, low), value.slice(high, low))
            }
            std::cmp::Ordering::Less if pick.is_multiple_of(2) => {
                (self.store.zext(term, width - given), value.zext(width - given))
            }
            std::cmp::Ordering::Less => {
                (self.store.sext(term, width - given), value.sext(width - given))
            }
        }
    }

    fn step(&mut self, &(what, a, b, c, seed): &Step) {
        match what % 16 {
            0 => self.constant(a, seed),
            1 => self.concat(a, b),
            2 => self.slice(a, seed),
            3 | 4 => self.ite(a, b, c),
            5 => self.read(a, b),
            6 => self.write(a, b, c),
            7 => self.array_ite(a, b, c),
            8 => self.array_eq(a, b),
            9 => self.unary(a, seed),
            _ => self.binary(a, b, seed),
        }
    }

    fn constant(&mut self, pick: u16, seed: u64) {
        let value = spread(self.word(pick).1.width(), seed);
        let term = self.store.constant(value.clone());
        self.words.push((term, value));
    }

    fn concat(&mut self, a: u16, b: u16) {
        let ((s, x), (t, y)) = (self.word(a), self.word(b));
        if x.width() + y.width() <= 150 {
            let term = self.store.concat(s, t);
            self.words.push((term, x.concat(&y)));
        }
    }

    fn slice(&mut self, a: u16, seed: u64) {
        let (term, value) = self.word(a);
        let low = seed as u32 % value.width();
        let high = low + (seed >> 32) as u32 % (value.width() - low);
        let term = self.store.apply(Operator::Slice { high, low }, &[term]).expect("in range");
        self.words.push((term, value.slice(high, low)));
    }

    fn ite(&mut self, a: u16, b: u16, c: u16) {
        let (t, x) = self.word(b);
        let ((p, condition), (e, y)) = (self.word_of(a, 1), self.word_of(c, x.width()));
        let term = self.store.apply(Operator::Ite, &[p, t, e]).expect("well-sorted");
        self.words.push((term, if condition.is_one() { x } else { y }));
    }

    fn read(&mut self, a: u16, b: u16) {
        let ((s, array), (t, index)) = (self.array(a), self.word_of(b, INDEX));
        let term = self.store.apply(Operator::Read, &[s, t]).expect("well-sorted");
        self.words.push((term, array.read(&index).clone()));
    }

    fn write(&mut self, a: u16, b: u16, c: u16) {
        let (s, array) = self.array(a);
        let ((t, index), (u, element)) = (self.word_of(b, INDEX), self.word_of(c, ELEMENT));
        let term = self.store.apply(Operator::Write, &[s, t, u]).expect("well-sorted");
        self.arrays.push((term, array.write(&index, &element)));
    }

    fn array_ite(&mut self, a: u16, b: u16, c: u16) {
        let ((p, condition), (s, x), (t, y)) = (self.word_of(a, 1), self.array(b), self.array(c));
        let (term, value) = match c % 5 {
            0 => {
                let (t, element) = self.word_of(c, ELEMENT);
                let operator = Operator::ConstArray { index: INDEX };
                let term = self.store.apply(operator, &[t]).expect("well-sorted");
                (term, ArrayValue::constant(INDEX, element))
            }
            _ => (self.store.ite(p, s, t), if condition.is_one() { x } else { y }),
        };
        self.arrays.push((term, value));
    }

    fn array_eq(&mut self, a: u16, b: u16) {
        let ((s, x), (t, y)) = (self.array(a), self.array(b));
        let term = self.store.apply(Operator::Eq, &[s, t]).expect("well-sorted");
        self.words.push((term, (x == y).into()));
    }

    fn unary(&mut self, a: u16, seed: u64) {
        let (term, value) = self.word(a);
        let operator = UNARY[seed as usize % UNARY.len()];
        let term = self.store.apply(operator, &[term]).expect("well-sorted");
        self.words.push((term, apply(operator, &value, &value)));
    }

    fn binary(&mut self, a: u16, b: u16, seed: u64) {
        let (s, x) = self.word(a);
        let (t, y) = self.word_of(b, x.width());
        let operator = BINARY[seed as usize % BINARY.len()];
        let term = self.store.apply(operator, &[s, t]).expect("well-sorted");
        self.words.push((term, apply(operator, &x, &y)));
    }

    fn check(mut self) {
        self.store.check();
        self.check_evaluation();
        self.check_circuit();
        self.check_substitution();
    }

    fn check_evaluation(&self) {
        let mut evaluator = Evaluator::new(&self.store);
        for (var, value) in &self.variables {
            evaluator.assign(*var, value.clone());
        }
        for (term, value) in &self.words {
            assert_eq!(
                evaluator.eval_bv(*term),
                Ok(value),
                "{}",
                smtlib::formula(&self.store, *term)
            );
        }
        for (term, value) in &self.arrays {
            assert_eq!(evaluator.eval(*term), Ok(&Value::Array(value.clone())));
        }
    }

    fn check_circuit(&self) {
        let (mut aig, mut blaster) = (Aig::new(), Blaster::default());
        for (term, _) in &self.words {
            blaster.blast(&self.store, &mut aig, *term).expect("small circuits");
        }
        let value = |var: &Term| &self.variables.iter().find(|(v, _)| v == var).expect("known").1;
        let inputs: Vec<u64> =
            blaster.fresh().iter().flat_map(|var| flat(value(var))).map(u64::from).collect();
        let words = aig.simulate(&inputs);
        for (term, value) in &self.words {
            let bits: Vec<bool> = blaster
                .bits(*term)
                .expect("just blasted")
                .iter()
                .map(|&lit: &Lit| wedge_logic::aig::word(&words, lit) & 1 == 1)
                .collect();
            assert_eq!(&BitVec::from_bits(&bits), value);
        }
    }

    /// Replacing the word variables by their values folds what does not depend on arrays.
    fn check_substitution(&mut self) {
        let mut pairs = Vec::new();
        for (var, value) in &self.variables {
            if let Value::Bv(value) = value {
                pairs.push((*var, self.store.constant(value.clone())));
            }
        }
        for (term, value) in &self.words {
            let result = self.store.substitute(*term, &pairs);
            let vars = self.store.free_vars(&[result]);
            assert!(vars.iter().all(|&v| self.store.sort(v).is_array()));
            if vars.is_empty()
                && self.store.cone(&[result]).iter().all(|&t| !self.store.sort(t).is_array())
            {
                assert_eq!(self.store.value(result), Some(value));
            }
        }
    }
}

/// A value of any width from 64 bits.
fn spread(width: u32, seed: u64) -> BitVec {
    let bits: Vec<bool> =
        (0..width).map(|i| seed.rotate_left(i * 7) >> (i % 64) & 1 == 1).collect();
    match seed % 5 {
        0 => BitVec::ones(width),
        1 => BitVec::new(width, seed >> 60),
        _ => BitVec::from_bits(&bits),
    }
}

/// The bits of a value as the blaster orders them.
fn flat(value: &Value) -> Vec<bool> {
    match value {
        Value::Bv(value) => value.bits().collect(),
        Value::Array(array) => (0..1 << array.index_width())
            .flat_map(|i| {
                array.read(&BitVec::new(array.index_width(), i)).bits().collect::<Vec<_>>()
            })
            .collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn terms_mean_what_was_asked_for(
        values in prop::collection::vec(any::<u64>(), 10),
        steps in prop::collection::vec(any::<Step>(), 1..60),
    ) {
        let mut machine = Machine::new(&values);
        steps.iter().for_each(|step| machine.step(step));
        machine.check();
    }
}
