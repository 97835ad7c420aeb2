//! Guesses at what holds of all elements of arrays, at the cut points of a program.
//!
//! A guess is a condition with bound variables, of which it is said that it holds for all their
//! values: `0 <= k && k < i  implies  a[k] == b[k]`. It is made of a property of one iteration ([`properties`])
//! and of a range of iterations ([`ranges`]), and kept if it holds in the states of random runs
//! ([`runs`]) of the program with small constants in the place of large ones ([`scale`]). Guesses about variables that are
//! no arrays are made along with it, since the others rest on them ([`scalars`]).
//!
//! A guess need not be an invariant; whoever uses one has to find that out. The instances that are worth
//! looking at are those that a step is about: the variables that count, and the indices that it accesses.

mod fit;
mod folds;
mod properties;
mod ranges;
mod runs;
mod scalars;
mod scale;
mod shape;
mod tables;

use crate::cfa::{Cfa, Liveness, SingleLoop};
use folds::{Folds, Found};
use properties::{Property, Search};
use ranges::{Range, Ranges};
use runs::Small;
use rustc_hash::FxHashSet;
use scale::Scale;
use shape::Shape;
use tables::{Values, values};
use wedge_logic::folds::Fold;
use wedge_logic::{Sort, Term, TermStore};

/// What the smallest large constant becomes, in each of the programs that runs are made of.
const SIZES: [u64; 2] = [6, 9];
/// Guesses per cut point, and ranges per property.
const MAX_GUESSES: usize = 140;
const MAX_RANGES: usize = 4;
/// Instances per cut point and list of bound variables.
const MAX_INSTANCES: usize = 9;

/// A condition that may hold for all values of its bound variables.
#[derive(Clone, Debug)]
pub struct Guess {
    pub bound: Vec<Term>,
    pub formula: Term,
}

/// What is guessed at one cut point.
#[derive(Clone, Debug, Default)]
pub struct Guesses {
    pub guesses: Vec<Guess>,
    /// For lists of bound variables, terms in their place that are worth looking at on the way from
    /// the cut point.
    pub instances: Vec<(Vec<Term>, Vec<Vec<Term>>)>,
    /// Words of guesses that stand for folds.
    pub folds: Vec<Fold>,
    /// Values of the counters of folds that are worth looking at on the way from the cut point.
    pub probes: Vec<Term>,
}

/// Guesses by cut point, as terms over the states of the system and bound variables; none if the program has no loop
/// or no arrays. `terms` extends the store of the system.
pub fn elements(
    cfa: &Cfa,
    single: &SingleLoop,
    terms: &mut TermStore,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Guesses>> {
    single.pc?;
    let shape = Shape::new(terms, single);
    let mut search = Search::new(terms, &shape);
    search.run(single);
    let Search { properties, elements, .. } = search;
    let scales = SIZES.map(|size| Scale::new(terms, single, size));
    let mut smalls = Vec::new();
    for scale in &scales {
        if smalls.is_empty() || !scale.is_trivial() {
            smalls.push(Small::new(terms, single, scale, stop));
        }
    }
    let conditions = scalars::conditions(terms, single, &shape);
    let all_folds = Folds::new(terms, single, &shape);
    let live = Liveness::new(cfa);
    let mut all = vec![Guesses::default()];
    for (cut, &location) in single.cuts.iter().enumerate().skip(1) {
        if stop() {
            return None;
        }
        let live: Vec<Term> = live.live_at(location).map(|index| cfa.variables[index]).collect();
        let words = live.iter().copied().filter(|v| shape.scalars.contains(v));
        let words: Vec<Term> = words.collect();
        let scalars = scalars::guesses(terms, &mut smalls, &scales[0], (cut, &words), &conditions);
        let simple = |formula: Term| Guess { bound: Vec::new(), formula };
        let mut guesses: Vec<Guess> = scalars.into_iter().map(simple).collect();
        let data = (&mut smalls[..], &scales[0]);
        let Found { guesses: of_folds, folds, probes } =
            all_folds.guesses(terms, data, (cut, &live), &shape);
        guesses.extend(of_folds);
        let mut instances = Vec::new();
        for bound in bound_lists(&properties, &elements) {
            let about = |list: &[Property]| -> Vec<Property> {
                let fits = |p: &&Property| {
                    let free = terms.free_vars(&[p.formula]);
                    p.bound == bound && free.iter().all(|v| live.contains(v) || bound.contains(v))
                };
                list.iter().filter(fits).cloned().collect()
            };
            let (properties, elements) = (about(&properties), about(&elements));
            let mut ranges = Ranges { terms, shape: &shape, live: &words, cut };
            let origins: Vec<Vec<Term>> =
                properties.iter().chain(&elements).map(|p| p.origin.clone()).collect();
            let list = ranges.of(&bound, &origins);
            let borders: Vec<Vec<Term>> =
                bound.iter().map(|&b| ranges.borders(ranges.terms.width(b))).collect();
            let mut at = At { terms, smalls: &mut smalls, cut, bound: &bound };
            let found = at.guesses(&properties, &elements, &list);
            guesses.extend(found);
            let constants = &shape.constants[cut];
            instances.push((bound.clone(), tuples(terms, &borders, constants, &bound)));
        }
        all.push(Guesses { guesses, instances, folds, probes });
    }
    Some(all)
}

fn bound_lists(properties: &[Property], elements: &[Property]) -> Vec<Vec<Term>> {
    let mut lists: Vec<Vec<Term>> = Vec::new();
    for property in properties.iter().chain(elements) {
        if !lists.contains(&property.bound) {
            lists.push(property.bound.clone());
        }
    }
    lists
}

/// Terms in the place of bound variables.
fn tuples(
    terms: &mut TermStore,
    borders: &[Vec<Term>],
    constants: &[u64],
    bound: &[Term],
) -> Vec<Vec<Term>> {
    let mut tuples: Vec<Vec<Term>> = match borders {
        [one] => one.iter().map(|&term| vec![term]).collect(),
        [outer, inner] => {
            let pairs = outer.iter().take(3);
            let pairs = pairs.flat_map(|&a| inner.iter().take(3).map(move |&b| (a, b)));
            pairs.filter(|(a, b)| a != b).map(|(a, b)| vec![a, b]).collect()
        }
        _ => Vec::new(),
    };
    tuples.truncate(MAX_INSTANCES);
    let Sort::Bv(width) = terms.sort(bound[0]) else { return tuples };
    if bound.len() == 1 {
        tuples.extend(constants.iter().map(|&constant| vec![terms.number(width, constant)]));
    }
    tuples
}

/// One cut point and one list of bound variables.
struct At<'a> {
    terms: &'a mut TermStore,
    smalls: &'a mut [Small],
    cut: usize,
    bound: &'a [Term],
}

impl At<'_> {
    /// The properties with the ranges in which they hold in all samples.
    fn guesses(
        &mut self,
        properties: &[Property],
        elements: &[Property],
        ranges: &[Range],
    ) -> Vec<Guess> {
        let mut atoms: Vec<Term> = Vec::new();
        let mut known = FxHashSet::default();
        atoms.extend(ranges.iter().flatten().filter(|&&atom| known.insert(atom)));
        let Some(tables) = self.values(&atoms) else { return Vec::new() };
        let tables: Vec<Table> =
            ranges.iter().map(|range| Table::all(range, &atoms, &tables)).collect();
        let formulas: Vec<Term> = properties.iter().map(|p| p.formula).collect();
        let mut guesses = Vec::new();
        if let Some(values) = self.values(&formulas) {
            for (&formula, values) in formulas.iter().zip(&values) {
                for range in kept(&tables, ranges, |point| values[point] == 1) {
                    guesses.push(self.guess(&ranges[range], formula));
                }
            }
        }
        guesses.truncate(MAX_GUESSES);
        let fitted = self.fitted(elements, ranges, &tables);
        guesses.splice(0..0, fitted);
        guesses
    }

    fn values(&mut self, wanted: &[Term]) -> Option<Vec<Values>> {
        values(self.terms, self.smalls, self.cut, self.bound, wanted)
    }

    fn guess(&mut self, range: &Range, formula: Term) -> Guess {
        let range = self.terms.and_all(range);
        let formula = self.terms.implies(range, formula);
        Guess { bound: self.bound.to_vec(), formula }
    }
}

/// The points of a range.
struct Table {
    points: Vec<usize>,
    /// How many conditions the range consists of.
    conditions: usize,
}

impl Table {
    fn all(range: &Range, atoms: &[Term], tables: &[Values]) -> Table {
        let place = |atom: &Term| atoms.iter().position(|other| other == atom);
        let places: Vec<usize> = range.iter().filter_map(place).collect();
        let count = tables.first().map_or(0, Vec::len);
        let inside = |&point: &usize| places.iter().all(|&place| tables[place][point] == 1);
        Table { points: (0..count).filter(inside).collect(), conditions: range.len() }
    }
}

/// The ranges in which something holds at all points, the largest first; none of them twice, and none without points.
fn kept(tables: &[Table], ranges: &[Range], holds: impl Fn(usize) -> bool) -> Vec<usize> {
    let good = |&range: &usize| {
        !tables[range].points.is_empty() && tables[range].points.iter().all(|&point| holds(point))
    };
    let mut found: Vec<usize> = (0..ranges.len()).filter(good).collect();
    found.sort_by_key(|&r| (usize::MAX - tables[r].points.len(), tables[r].conditions));
    // Of ranges that have the same points, the one with the fewest and the one with the most conditions:
    // that they are the same may be due to the samples.
    let mut kept: Vec<(usize, Option<usize>)> = Vec::new();
    for range in found {
        let same = |&(other, _): &(usize, _)| tables[other].points == tables[range].points;
        match kept.iter().position(same) {
            Some(at) if tables[range].conditions > tables[kept[at].0].conditions => {
                kept[at].1 = Some(range);
            }
            None if kept.len() < MAX_RANGES => kept.push((range, None)),
            _ => {}
        }
    }
    kept.into_iter().flat_map(|(first, last)| [Some(first), last]).flatten().collect()
}
