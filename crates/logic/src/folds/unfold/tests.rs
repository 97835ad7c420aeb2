//! Folds of random arrays against what they are: unfolded terms have the value of the fold, and lemmas hold, where every word has
//! the value of the fold that it stands for.

use super::*;
use crate::{ArrayValue, BitVec, Evaluator, Sort, Value};

const COUNTER: u32 = 4;
const WORD: u32 = 5;

struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }
}

struct Setting {
    terms: TermStore,
    counter: Term,
    arrays: [Term; 2],
    words: Vec<Term>,
    index: u32,
    dice: Dice,
}

impl Setting {
    fn new(seed: u64) -> Setting {
        let mut dice = Dice(seed);
        let index = 2 + dice.below(4) as u32;
        let mut terms = TermStore::new();
        let counter = terms.var("j", Sort::Bv(COUNTER));
        let sort = Sort::Array { index, element: WORD };
        let arrays = [terms.var("a", sort), terms.var("b", sort)];
        let words = (0..4).map(|n| terms.var(format!("w{n}"), Sort::Bv(COUNTER))).collect();
        Setting { terms, counter, arrays, words, index, dice }
    }

    /// An index that the counter is a part of.
    fn place(&mut self) -> Term {
        let terms = &mut self.terms;
        if self.index > COUNTER {
            return match self.dice.below(2) {
                0 => terms.zext(self.counter, self.index - COUNTER),
                _ => {
                    let low = terms.number(self.index - COUNTER, 1);
                    terms.concat(self.counter, low)
                }
            };
        }
        match self.dice.below(2) {
            0 => terms.slice(self.counter, self.index - 1, 0),
            _ => {
                let part = terms.slice(self.counter, self.index - 2, 0);
                let low = terms.bool(self.dice.below(2) == 1);
                terms.concat(part, low)
            }
        }
    }

    fn step(&mut self) -> Term {
        let place = self.place();
        let other = if self.dice.below(2) == 0 { place } else { self.place() };
        let x = self.terms.read(self.arrays[0], place);
        let y = self.terms.read(self.arrays[1], other);
        let terms = &mut self.terms;
        let counter = terms.zext(self.counter, WORD - COUNTER);
        match self.dice.below(5) {
            0 => x,
            1 => terms.add(x, counter),
            2 => {
                let low = terms.slice(x, 0, 0);
                let (one, ones) = (terms.one(WORD), terms.ones(WORD));
                terms.ite(low, one, ones)
            }
            3 => terms.mul(x, y),
            _ => {
                let again = terms.read(self.arrays[0], other);
                terms.xor(x, again)
            }
        }
    }

    fn word(&mut self) -> Term {
        let count = self.words.len() as u64;
        self.words[self.dice.below(count) as usize]
    }

    fn bound(&mut self) -> Term {
        let word = self.word();
        match self.dice.below(4) {
            0 => word,
            1 => self.terms.inc(word),
            2 => {
                let (other, limit) = (self.word(), self.word());
                let less = self.terms.ult(other, limit);
                self.terms.ite(less, word, other)
            }
            _ => self.terms.number(COUNTER, self.dice.below(16)),
        }
    }

    /// What writes and choices make of an array.
    fn array(&mut self, array: Term) -> Term {
        let mut value = array;
        for _ in 0..self.dice.below(4) {
            let (place, element, other) = (self.word(), self.word(), self.word());
            let terms = &mut self.terms;
            let place = match self.index <= COUNTER {
                true => terms.slice(place, self.index - 1, 0),
                false => terms.zext(place, self.index - COUNTER),
            };
            let element = terms.zext(element, WORD - COUNTER);
            let written = terms.write(value, place, element);
            let less = terms.ult(other, self.words[0]);
            value = match self.dice.below(3) {
                0 => terms.ite(less, written, value),
                _ => written,
            };
        }
        value
    }

    fn state(&mut self) -> Vec<(Term, Value)> {
        let mut state = Vec::new();
        for &word in &self.words {
            let number = match self.dice.below(2) {
                0 => self.dice.below(5),
                _ => self.dice.below(1 << COUNTER),
            };
            state.push((word, Value::Bv(BitVec::new(COUNTER, number))));
        }
        for array in self.arrays {
            let mut value = ArrayValue::constant(self.index, BitVec::new(WORD, 3));
            for place in 0..1 << self.index {
                let element = BitVec::new(WORD, self.dice.below(1 << WORD));
                value = value.write(&BitVec::new(self.index, place), &element);
            }
            state.push((array, Value::Array(value)));
        }
        state
    }
}

/// What the fold is in a state.
fn value(terms: &mut TermStore, key: &Key, state: &[(Term, Value)]) -> BitVec {
    let number = |terms: &TermStore, term: Term| {
        let mut evaluator = Evaluator::new(terms);
        state.iter().for_each(|(variable, value)| evaluator.assign(*variable, value.clone()));
        evaluator.eval_bv(term).unwrap().clone()
    };
    let bound = number(terms, key.bound).to_u64().unwrap();
    let without = key.without.map(|term| number(terms, term).to_u64().unwrap());
    let mut all = key.joint.unit(terms, WORD);
    for counter in (0..bound).filter(|&counter| Some(counter) != without) {
        let counter = terms.number(COUNTER, counter);
        let step = key.step_at(terms, counter);
        let step = number(terms, step);
        let step = terms.constant(step);
        all = key.joint.join(terms, all, step);
    }
    terms.value(all).unwrap().clone()
}

#[test]
fn folds_are_what_they_are() {
    let (mut lemmas, mut applied) = (0, 0);
    for seed in 0..600 {
        let mut setting = Setting::new(seed);
        let joint = Joint::ALL[seed as usize % 6];
        let step = setting.step();
        let probes = setting.words.clone();
        let mut unfolding = Unfolding::new(probes);
        let mut folds = Vec::new();
        for _ in 0..3 {
            let values = setting.arrays.map(|array| (array, setting.array(array))).to_vec();
            let bound = setting.bound();
            let counter = setting.counter;
            let word = setting.terms.fresh_var("fold", Sort::Bv(WORD));
            let fold = Fold { word, joint, counter, step, values: values.clone(), bound };
            assert!(fold.is_fit(&setting.terms));
            let values = fold.parameters(&setting.terms);
            let term = unfolding.unfold(&mut setting.terms, &fold, values.clone(), bound);
            let key = Key { joint, counter, step, values, bound, without: None };
            folds.push((key, term));
        }
        let known = unfolding.lemmas(&mut setting.terms);
        for _ in 0..8 {
            let state = setting.state();
            let mut full = state.clone();
            for (key, word) in &unfolding.words {
                full.push((*word, Value::Bv(value(&mut setting.terms, key, &state))));
            }
            let wanted: Vec<BitVec> =
                folds.iter().map(|(key, _)| value(&mut setting.terms, key, &state)).collect();
            let mut evaluator = Evaluator::new(&setting.terms);
            full.iter().for_each(|(variable, value)| evaluator.assign(*variable, value.clone()));
            for ((_, term), wanted) in folds.iter().zip(wanted) {
                assert_eq!(*evaluator.eval_bv(*term).unwrap(), wanted, "seed {seed}, {joint:?}");
            }
            for &lemma in &known {
                assert!(evaluator.holds(lemma).unwrap(), "seed {seed}, {joint:?}");
            }
            lemmas += known.len();
            applied += folds.iter().filter(|(key, _)| !setting.terms.is_var(key.bound)).count();
        }
    }
    assert!(
        lemmas > 10_000 && applied > 1_000,
        "{lemmas} lemmas, {applied} bounds that are no words"
    );
}

#[test]
fn a_step_that_reads_elsewhere_is_left_alone() {
    let mut setting = Setting::new(1);
    let [array, _] = setting.arrays;
    let terms = &mut setting.terms;
    let next = terms.inc(setting.counter);
    let place = terms.slice(next, 1, 0);
    let sort = Sort::Array { index: 2, element: WORD };
    let small = terms.var("small", sort);
    let step = terms.read(small, place);
    assert_eq!(Place::of_all(terms, step, small, setting.counter), None);
    assert_eq!(Place::of_all(terms, step, array, setting.counter), None);
}
