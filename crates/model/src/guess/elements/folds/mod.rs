//! Guesses about folds: that what a loop adds up, or the largest of what it has seen, is that of the elements of an
//! array.
//!
//! A loop that counts and joins something to a variable in each iteration computes a fold ([`wedge_logic::folds`]). At
//! each cut point the variable, and what the program makes of it after the loop, is compared with such folds: of
//! the elements up to what counts there, of all elements, and of all elements but one, in whose place
//! a variable is. The last is what a loop keeps that moves elements from place to place: `x[i]` is there twice, and the
//! variable holds what is missing.

mod data;
mod recognise;

use super::Guess;
use super::runs::Small;
use super::scale::Scale;
use super::shape::{MAX_SIZE, Shape};
use crate::cfa::SingleLoop;
use crate::guess::{Column, linear};
use recognise::recognised;
use rustc_hash::FxHashMap;
use wedge_logic::folds::{Fold, Joint};
use wedge_logic::{Op, Sort, Term, TermStore};

/// Folds that are looked at, and the bounds, indices and scalars that each of them is tried with. Not tuned.
const MAX_KINDS: usize = 4;
const MAX_BOUNDS: usize = 3;
const MAX_PLACES: usize = 2;
const MAX_SCALARS: usize = 4;

/// What loops compute, for any number of iterations.
struct Kind {
    joint: Joint,
    counter: Term,
    step: Term,
    /// What the variable that counts is compared with.
    limits: Vec<Term>,
    /// Variables to which it is joined, and constants that they begin with.
    accumulators: Vec<Term>,
    begins: Vec<Term>,
}

/// A variable, and what it becomes of an accumulator.
struct ResultOf {
    variable: Term,
    accumulator: Term,
    value: Term,
}

/// The folds of a program.
pub struct Folds {
    kinds: Vec<Kind>,
    results: Vec<ResultOf>,
}

/// What is guessed at a cut point.
#[derive(Default)]
pub struct Found {
    pub guesses: Vec<Guess>,
    pub folds: Vec<Fold>,
    /// Values of counters that a step from the cut point is about.
    pub probes: Vec<Term>,
}

impl Folds {
    pub fn new(terms: &mut TermStore, single: &SingleLoop, shape: &Shape) -> Folds {
        let mut folds = Folds { kinds: Vec::new(), results: Vec::new() };
        let mut counters = FxHashMap::default();
        for (number, block) in single.blocks.iter().enumerate() {
            for exit in block.exits.iter().filter(|exit| exit.to == block.cut) {
                let is_counter = |terms: &mut TermStore, variable: Term, value: Term| {
                    shape.scalars.contains(&variable) && terms.inc(variable) == value
                };
                let mut counting = Vec::new();
                for &(variable, value) in &exit.values {
                    if is_counter(terms, variable, value) {
                        counting.push(variable);
                    }
                }
                for &(variable, value) in &exit.values {
                    if counting.contains(&variable) || !shape.scalars.contains(&variable) {
                        continue;
                    }
                    let changed = &shape.changed[number];
                    for (joint, step) in recognised(terms, variable, value) {
                        let free = terms.free_vars(&[step]);
                        let counts: Vec<Term> =
                            free.iter().copied().filter(|v| counting.contains(v)).collect();
                        let is_other = |v: &Term| {
                            shape.inputs.contains(v) || changed.contains(v) && !counts.contains(v)
                        };
                        let reads = free.iter().any(|&v| terms.sort(v).is_array());
                        let &[count] = &counts[..] else { continue };
                        if !reads || free.iter().any(is_other) || terms.size(&[step]) > MAX_SIZE {
                            continue;
                        }
                        let width = terms.width(count);
                        let counter = *counters
                            .entry(width)
                            .or_insert_with(|| terms.fresh_var("counter", Sort::Bv(width)));
                        let step = terms.substitute(step, &[(count, counter)]);
                        folds.note(terms, shape, (joint, counter, step), (variable, count));
                    }
                }
            }
        }
        folds.find_results(terms, single, shape);
        folds
    }

    fn note(
        &mut self,
        terms: &mut TermStore,
        shape: &Shape,
        (joint, counter, step): (Joint, Term, Term),
        (accumulator, count): (Term, Term),
    ) {
        let same = |kind: &Kind| (kind.joint, kind.counter, kind.step) == (joint, counter, step);
        let place = match self.kinds.iter().position(same) {
            Some(place) => place,
            None if self.kinds.len() == MAX_KINDS => return,
            None => {
                let (limits, accumulators, begins) = Default::default();
                self.kinds.push(Kind { joint, counter, step, limits, accumulators, begins });
                self.kinds.len() - 1
            }
        };
        let kind = &mut self.kinds[place];
        for &(bound, may_equal) in shape.bounds.get(&count).into_iter().flatten() {
            let limit = if may_equal { terms.inc(bound) } else { bound };
            if terms.width(limit) == terms.width(count) && !kind.limits.contains(&limit) {
                kind.limits.push(limit);
            }
        }
        if !kind.accumulators.contains(&accumulator) {
            kind.accumulators.push(accumulator);
        }
    }

    fn find_results(&mut self, terms: &TermStore, single: &SingleLoop, shape: &Shape) {
        for block in &single.blocks {
            for exit in &block.exits {
                for &(variable, value) in &exit.values {
                    if !shape.scalars.contains(&variable) {
                        continue;
                    }
                    for kind in &mut self.kinds {
                        let is_begin = kind.accumulators.contains(&variable)
                            && terms.is_const(value)
                            && !kind.begins.contains(&value);
                        if is_begin {
                            kind.begins.push(value);
                        }
                    }
                    if exit.to == block.cut || terms.size(&[value]) > MAX_SIZE {
                        continue;
                    }
                    let free = terms.free_vars(&[value]);
                    let accumulators = self.kinds.iter().flat_map(|kind| &kind.accumulators);
                    let mut used = accumulators.copied().filter(|a| free.contains(a));
                    let is_closed = shape.is_closed(terms, value);
                    if let (Some(accumulator), true) = (used.next(), is_closed) {
                        self.results.push(ResultOf { variable, accumulator, value });
                    }
                }
            }
        }
    }

    /// What holds of folds in all samples at a cut point.
    pub fn guesses(
        &self,
        terms: &mut TermStore,
        (smalls, scale): (&mut [Small], &Scale),
        (cut, live): (usize, &[Term]),
        shape: &Shape,
    ) -> Found {
        let mut at = At { terms, smalls, cut, live, shape, folds: Vec::new() };
        let mut candidates = Vec::new();
        let mut probes = Vec::new();
        for kind in &self.kinds {
            let is_live = |v: &Term| *v == kind.counter || live.contains(v);
            if at.terms.free_vars(&[kind.step]).iter().all(is_live) {
                let first = at.folds.len();
                at.add_folds(kind, &mut probes);
                at.candidates(kind, &self.results, first, &mut candidates);
            }
        }
        let values = at.fold_values();
        let columns = at.columns(&values);
        let mut widths: Vec<u32> = columns.iter().map(|column| column.width).collect();
        widths.sort_unstable();
        widths.dedup();
        for width in widths {
            let group: Vec<&Column> = columns.iter().filter(|c| c.width == width).collect();
            for equation in linear::equations(at.terms, &group) {
                let enlarged = scale.enlarged(at.terms, equation);
                candidates.extend([equation, enlarged]);
            }
        }
        let kept = at.holding(&candidates, &values);
        let used = at.terms.free_vars(&kept);
        let folds = at.folds.into_iter().filter(|fold| used.contains(&fold.word)).collect();
        let guess = |formula: Term| Guess { bound: Vec::new(), formula };
        Found { guesses: kept.into_iter().map(guess).collect(), folds, probes }
    }
}

/// One cut point.
struct At<'a> {
    terms: &'a mut TermStore,
    smalls: &'a mut [Small],
    cut: usize,
    live: &'a [Term],
    shape: &'a Shape,
    folds: Vec<Fold>,
}

impl At<'_> {
    /// Variables that count at the cut point, of a width.
    fn counts(&self, width: u32) -> Vec<Term> {
        let is_count = |v: &Term| {
            self.shape.scalars.contains(v)
                && self.shape.changed[self.cut].contains(v)
                && self.terms.width(*v) == width
        };
        let counts = self.live.iter().copied().filter(is_count);
        let accessed = |v: &Term| self.shape.positions[self.cut].contains(v);
        let mut counts: Vec<Term> = counts.collect();
        counts.sort_by_key(|v| !accessed(v));
        counts
    }

    fn add_folds(&mut self, kind: &Kind, probes: &mut Vec<Term>) {
        let width = self.terms.width(kind.counter);
        let counts: Vec<Term> = self.counts(width).into_iter().take(MAX_PLACES).collect();
        let is_live = |at: &At, term: Term| {
            at.terms.free_vars(&[term]).iter().all(|v| at.live.contains(v) && !counts.contains(v))
        };
        let limits = kind.limits.iter().copied().filter(|&limit| is_live(self, limit));
        let limits: Vec<Term> = limits.take(MAX_BOUNDS).collect();
        for &bound in counts.iter().chain(&limits) {
            self.add_fold(kind, Vec::new(), bound);
        }
        for values in self.holes(kind, &counts) {
            for &bound in &limits {
                self.add_fold(kind, values.clone(), bound);
            }
        }
        for &count in &counts {
            probes.extend([count, self.terms.inc(count), self.terms.dec(count)]);
        }
        probes.extend([0, 1].map(|number| self.terms.number(width, number)));
        probes.sort_unstable();
        probes.dedup();
    }

    fn add_fold(&mut self, kind: &Kind, values: Vec<(Term, Term)>, bound: Term) {
        let &Kind { joint, counter, step, .. } = kind;
        let word = self.terms.fresh_var("fold", self.terms.sort(step));
        self.folds.push(Fold { word, joint, counter, step, values, bound });
    }

    /// Arrays of the step with a variable in the place of one element.
    fn holes(&mut self, kind: &Kind, counts: &[Term]) -> Vec<Vec<(Term, Term)>> {
        let mut reads = self.terms.cone(&[kind.step]);
        reads.retain(|&part| self.terms.op(part) == Op::Read);
        let &[read] = &reads[..] else { return Vec::new() };
        let (array, index) = (self.terms.args(read)[0], self.terms.args(read)[1]);
        let changed = &self.shape.changed[self.cut];
        let is_fit = |v: &Term| {
            !self.terms.sort(*v).is_array()
                && self.terms.sort(*v) == self.terms.sort(read)
                && !changed.contains(v)
        };
        let scalars = self.live.iter().copied().filter(is_fit);
        let scalars: Vec<Term> = scalars.take(MAX_SCALARS).collect();
        let mut holes = Vec::new();
        if !self.terms.is_var(array) {
            return holes;
        }
        for &count in counts {
            let index = self.terms.substitute(index, &[(kind.counter, count)]);
            for &scalar in &scalars {
                holes.push(vec![(array, self.terms.write(array, index, scalar))]);
            }
        }
        holes
    }

    /// That accumulators are folds, and that results are what becomes of folds. The folds of the kind
    /// are those from `first` on.
    fn candidates(
        &mut self,
        kind: &Kind,
        results: &[ResultOf],
        first: usize,
        candidates: &mut Vec<Term>,
    ) {
        let mut totals: Vec<Term> = self.folds[first..].iter().map(|fold| fold.word).collect();
        let plain = self.folds[first..].iter().filter(|fold| fold.values.is_empty());
        let plain: Vec<Term> = plain.map(|fold| fold.word).collect();
        for &all in &plain {
            for &part in plain.iter().filter(|&&part| part != all) {
                totals.extend(kind.joint.undo(self.terms, all, part));
            }
        }
        let unit = kind.joint.unit(self.terms, self.terms.width(kind.step));
        for &begin in kind.begins.iter().filter(|&&begin| begin != unit) {
            for place in 0..totals.len() {
                totals.push(kind.joint.join(self.terms, totals[place], begin));
            }
        }
        let is_live = |at: &At, term: Term, but: Term| {
            at.terms.free_vars(&[term]).iter().all(|v| *v == but || at.live.contains(v))
        };
        for &accumulator in kind.accumulators.iter().filter(|v| self.live.contains(v)) {
            for &total in &totals {
                candidates.push(self.terms.eq(accumulator, total));
            }
        }
        for ResultOf { variable, accumulator, value } in results {
            let is_own = kind.accumulators.contains(accumulator) && self.live.contains(variable);
            if !is_own || !is_live(self, *value, *accumulator) {
                continue;
            }
            for &total in &totals {
                let value = self.terms.substitute(*value, &[(*accumulator, total)]);
                candidates.push(self.terms.eq(*variable, value));
            }
        }
    }
}
