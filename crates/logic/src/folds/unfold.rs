//! What is known of folds in the states that a question is about.
//!
//! A fold is unfolded as far as its bound and its arrays show how they have come about: by steps, writes and choices. Words are
//! left for folds of arrays as they are. Two words for the same fold, or for neighbours, are related by lemmas.

use super::{Fold, Joint, Place};
use crate::{Op, Term, TermStore};
use rustc_hash::FxHashMap;

/// Folds that are looked at; others are words of which nothing is known. Like the number of steps not tuned.
const MAX_FOLDS: usize = 150;
/// Constant bounds up to here are unfolded to the end.
const MAX_STEPS: u64 = 3;

/// A fold with values of all variables.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    joint: Joint,
    counter: Term,
    step: Term,
    /// The variables of the step, with their values.
    values: Vec<(Term, Term)>,
    bound: Term,
    /// A value of the counter that is left out.
    without: Option<Term>,
}

impl Key {
    /// What is joined for a value of the counter.
    fn step_at(&self, terms: &mut TermStore, counter: Term) -> Term {
        let mut pairs = self.values.clone();
        pairs.push((self.counter, counter));
        terms.substitute(self.step, &pairs)
    }

    fn with(&self, place: usize, value: Term) -> Key {
        let mut key = self.clone();
        key.values[place].1 = value;
        key
    }
}

/// The folds of a question.
#[derive(Default)]
pub struct Unfolding {
    /// Values of counters for which it is written down that a maximum is at least what it is one of.
    probes: Vec<Term>,
    known: FxHashMap<Key, Term>,
    /// Folds for which words are left.
    words: Vec<(Key, Term)>,
    lemmas: Vec<Term>,
    /// What decides between two forms of a fold.
    choices: Vec<Term>,
}

impl Unfolding {
    pub fn new(probes: Vec<Term>) -> Unfolding {
        Unfolding { probes, ..Unfolding::default() }
    }

    /// The fold, where the variables of its step have these values ([`Fold::parameters`]), and its bound has one.
    pub fn unfold(
        &mut self,
        terms: &mut TermStore,
        fold: &Fold,
        values: Vec<(Term, Term)>,
        bound: Term,
    ) -> Term {
        let Fold { joint, counter, step, .. } = *fold;
        self.term(terms, Key { joint, counter, step, values, bound, without: None })
    }

    /// Conditions on which unfolded sums and the like depend. Where one is known to hold, or not to, they are simpler with a constant
    /// in its place: sums, say, that algebra can compare.
    pub fn choices(&self) -> &[Term] {
        &self.choices
    }

    fn choose(
        &mut self,
        terms: &mut TermStore,
        joint: Joint,
        condition: Term,
        (a, b): (Term, Term),
    ) -> Term {
        let choice = match terms.op(condition) {
            Op::Not => terms.args(condition)[0],
            _ => condition,
        };
        let is_new = !terms.is_const(choice) && !self.choices.contains(&choice);
        if is_new && joint.undo(terms, a, b).is_some() {
            self.choices.push(choice);
        }
        terms.ite(condition, a, b)
    }

    fn term(&mut self, terms: &mut TermStore, key: Key) -> Term {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let term = match self.known.len() < MAX_FOLDS {
            true => self.by_bound(terms, &key),
            false => None,
        };
        let term = term.unwrap_or_else(|| self.word(terms, &key));
        self.known.insert(key, term);
        term
    }

    /// A word for the fold.
    fn word(&mut self, terms: &mut TermStore, key: &Key) -> Term {
        if let Some((_, word)) = self.words.iter().find(|(other, _)| other == key) {
            return *word;
        }
        let word = terms.fresh_var("fold", terms.sort(key.step));
        self.words.push((key.clone(), word));
        word
    }

    /// F(0) = unit, F(k + 1) = F(k) ⊙ step(k)
    fn by_bound(&mut self, terms: &mut TermStore, key: &Key) -> Option<Term> {
        let args = terms.args(key.bound).to_vec();
        let unit = key.joint.unit(terms, terms.width(key.step));
        let with = |bound: Term| Key { bound, ..key.clone() };
        match terms.op(key.bound) {
            Op::Const(_) => {
                let count = terms.value(key.bound)?.to_u64().filter(|&count| count <= MAX_STEPS);
                let Some(count) = count else { return self.by_values(terms, key) };
                let mut all = unit;
                for number in 0..count {
                    let counter = terms.number(terms.width(key.counter), number);
                    let step = key.step_at(terms, counter);
                    all = key.joint.join(terms, all, step);
                }
                Some(all)
            }
            Op::Ite => {
                let (a, b) = (self.term(terms, with(args[1])), self.term(terms, with(args[2])));
                Some(self.choose(terms, key.joint, args[0], (a, b)))
            }
            Op::Add => {
                let one = terms.one(terms.width(key.bound));
                let Some(place) = args.iter().position(|&arg| arg == one) else {
                    return self.by_values(terms, key);
                };
                let before = args[1 - place];
                let (fold, step) = (self.term(terms, with(before)), key.step_at(terms, before));
                let joined = key.joint.join(terms, fold, step);
                let last = terms.ones(terms.width(before));
                let is_last = terms.eq(before, last);
                Some(self.choose(terms, key.joint, is_last, (unit, joined)))
            }
            _ => self.by_values(terms, key),
        }
    }

    /// What choices and writes make of a fold.
    fn by_values(&mut self, terms: &mut TermStore, key: &Key) -> Option<Term> {
        for place in 0..key.values.len() {
            let (variable, value) = key.values[place];
            if !terms.sort(variable).is_array() {
                continue;
            }
            let args = terms.args(value).to_vec();
            match terms.op(value) {
                Op::Ite => {
                    let a = self.term(terms, key.with(place, args[1]));
                    let b = self.term(terms, key.with(place, args[2]));
                    return Some(self.choose(terms, key.joint, args[0], (a, b)));
                }
                Op::Write => {
                    if let Some(at) = Place::of_all(terms, key.step, variable, key.counter) {
                        return Some(self.by_write(terms, key, (place, at)));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Only the step of one value of the counter reads what was written, if the counter is not so
    /// large that its upper bits, which the index does not have, matter.
    fn by_write(&mut self, terms: &mut TermStore, key: &Key, (place, at): (usize, Place)) -> Term {
        let args = terms.args(key.values[place].1).to_vec();
        let width = terms.width(key.counter);
        let bits = terms.slice(args[1], at.shift + at.bits - 1, at.shift);
        let changed = terms.zext(bits, width - at.bits);
        let before = key.with(place, args[0]);
        let fold = self.term(terms, before.clone());
        let steps = [before.step_at(terms, changed), key.step_at(terms, changed)];
        let [old, new] = steps.map(|step| self.resolved(terms, key.joint, step));
        if old == new {
            return fold;
        }
        let is_inside = terms.ult(changed, key.bound);
        let rest = match key.joint.undo(terms, fold, old) {
            Some(rest) => rest,
            None => {
                let rest = self.word(terms, &Key { without: Some(changed), ..before });
                let joined = key.joint.join(terms, rest, old);
                let same = terms.eq(fold, joined);
                self.lemmas.push(terms.implies(is_inside, same));
                rest
            }
        };
        let joined = key.joint.join(terms, rest, new);
        let result = self.choose(terms, key.joint, is_inside, (joined, fold));
        if at.bits == width {
            return result;
        }
        let ones = terms.ones(at.bits);
        let largest = terms.zext(ones, width - at.bits);
        let count = terms.inc(largest);
        let is_small = terms.ule(key.bound, count);
        let other = self.word(terms, key);
        self.choose(terms, key.joint, is_small, (result, other))
    }

    /// The term with the elements that reads of written arrays give.
    fn resolved(&mut self, terms: &mut TermStore, joint: Joint, term: Term) -> Term {
        let mut images: FxHashMap<Term, Term> = FxHashMap::default();
        for part in terms.cone(&[term]) {
            let args: Vec<Term> = terms.args(part).iter().map(|arg| images[arg]).collect();
            let image = match terms.op(part) {
                Op::Read => self.element(terms, joint, args[0], args[1]),
                _ if args == terms.args(part) => part,
                op => terms.rebuild(op, &args),
            };
            images.insert(part, image);
        }
        images[&term]
    }

    fn element(&mut self, terms: &mut TermStore, joint: Joint, array: Term, index: Term) -> Term {
        let args = terms.args(array).to_vec();
        match terms.op(array) {
            Op::Write => {
                let other = self.element(terms, joint, args[0], index);
                let same = terms.eq(args[1], index);
                self.choose(terms, joint, same, (args[2], other))
            }
            _ => terms.read(array, index),
        }
    }

    /// What is known of the words that are left.
    pub fn lemmas(&mut self, terms: &mut TermStore) -> Vec<Term> {
        let mut lemmas = self.lemmas.clone();
        for (place, (key, word)) in self.words.iter().enumerate() {
            alone(terms, key, *word, &mut lemmas);
            if key.joint.undo(terms, *word, *word).is_none() {
                for &probe in &self.probes {
                    includes(terms, (key, *word), probe, &mut lemmas);
                }
            }
            for (other, another) in &self.words[..place] {
                related(terms, (key, *word), (other, *another), &mut lemmas);
                related(terms, (other, *another), (key, *word), &mut lemmas);
            }
        }
        lemmas
    }
}

/// k = 0 → F = unit, k = 1 → F = step(0)
fn alone(terms: &mut TermStore, key: &Key, word: Term, lemmas: &mut Vec<Term>) {
    if key.without.is_some() {
        return;
    }
    let width = terms.width(key.counter);
    let zero = terms.zero(width);
    let unit = key.joint.unit(terms, terms.width(word));
    let first = key.step_at(terms, zero);
    let mut values = vec![(zero, unit)];
    if width > 1 {
        values.push((terms.one(width), first));
    }
    for (bound, value) in values {
        let (is_bound, same) = (terms.eq(key.bound, bound), terms.eq(word, value));
        lemmas.push(terms.implies(is_bound, same));
    }
}

/// t < k → F ⊙ step(t) = F, unless t is left out
fn includes(terms: &mut TermStore, (key, word): (&Key, Term), probe: Term, lemmas: &mut Vec<Term>) {
    if terms.sort(probe) != terms.sort(key.counter) {
        return;
    }
    let mut condition = terms.ult(probe, key.bound);
    if let Some(without) = key.without {
        let differs = terms.neq(probe, without);
        condition = terms.and(condition, differs);
    }
    let step = key.step_at(terms, probe);
    let joined = key.joint.join(terms, word, step);
    let same = terms.eq(joined, word);
    lemmas.push(terms.implies(condition, same));
}

/// k = l → F(k) = F(l), and k = l + 1 → F(k) = F(l) ⊙ step(l)
fn related(
    terms: &mut TermStore,
    (key, word): (&Key, Term),
    (other, another): (&Key, Term),
    lemmas: &mut Vec<Term>,
) {
    let is_alike = (key.joint, key.counter, key.step) == (other.joint, other.counter, other.step)
        && key.values == other.values
        && key.without.is_some() == other.without.is_some();
    if !is_alike {
        return;
    }
    let mut same_key = terms.eq(key.bound, other.bound);
    if let (Some(a), Some(b)) = (key.without, other.without) {
        let same = terms.eq(a, b);
        same_key = terms.and(same_key, same);
    }
    let same = terms.eq(word, another);
    lemmas.push(terms.implies(same_key, same));
    if key.without.is_none() {
        let (next, last) = (terms.inc(other.bound), terms.ones(terms.width(other.bound)));
        let (is_next, goes_on) = (terms.eq(key.bound, next), terms.neq(other.bound, last));
        let condition = terms.and(is_next, goes_on);
        let step = other.step_at(terms, other.bound);
        let joined = key.joint.join(terms, another, step);
        let same = terms.eq(word, joined);
        lemmas.push(terms.implies(condition, same));
    }
}

#[cfg(test)]
mod tests;
