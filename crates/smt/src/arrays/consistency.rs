//! Whether an assignment of words agrees with what arrays are.
//!
//! Every array term gets a table of the elements that are known there: those that are read, and
//! those that are written. An element travels down through writes to other indices and through
//! the chosen branch; where arrays are claimed to be equal, it travels between them, and upwards
//! again. Two different elements at one index are a conflict, and the lemmas along the ways of
//! both, all of them valid, exclude it.

use super::abstraction::{Abstraction, Read};
use super::lemma::Lemma;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{ArrayValue, BitVec, Op, Sort, Term, TermStore, Value};

/// What a check comes to.
pub(crate) enum Finding {
    /// Values of the array variables with which everything agrees.
    Consistent(Vec<(Term, Value)>),
    /// Instances that the assignment violates.
    Lemmas(Vec<Lemma>),
}

/// An element known of an array, and how it came there.
struct Entry {
    index: Term,
    element: BitVec,
    from: Option<(usize, Lemma)>,
}

struct Arrival {
    array: Term,
    index: Term,
    element: BitVec,
    from: Option<(usize, Lemma)>,
}

/// What the terms that matter say about arrays.
#[derive(Default)]
struct Scene {
    reads: Vec<(Read, Term)>,
    equalities: Vec<usize>,
    arrays: Vec<Term>,
}

/// Ensures: lemmas are instances that do not hold under the values; if consistent, the roots have
/// the same values with the arrays given back as with the variables that abstract them.
pub(crate) fn check(
    store: &mut TermStore,
    abstraction: &mut Abstraction,
    roots: &[Term],
    mut value: impl FnMut(&TermStore, Term) -> BitVec,
) -> Finding {
    let scene = Scene::of(store, abstraction, roots);
    let mut tables = Tables {
        store,
        abstraction,
        scene: &scene,
        value: &mut value,
        entries: Vec::new(),
        tables: FxHashMap::default(),
        lemmas: FxHashSet::default(),
        queue: Vec::new(),
        parents: FxHashMap::default(),
        links: FxHashMap::default(),
    };
    tables.connect();
    tables.begin();
    while let Some(arrival) = tables.queue.pop() {
        tables.arrive(arrival);
    }
    if !tables.lemmas.is_empty() {
        return Finding::Lemmas(tables.lemmas.into_iter().collect());
    }
    let values = tables.variables();
    let Some((equality, index)) = tables.difference(&values) else {
        return Finding::Consistent(values);
    };
    let index = store.constant(index);
    abstraction.equalities[equality].indices.push(index);
    Finding::Lemmas(vec![Lemma::Equal { equality, index }])
}

impl Scene {
    /// Everything about arrays that the roots depend on.
    fn of(store: &mut TermStore, abstraction: &mut Abstraction, roots: &[Term]) -> Scene {
        let mut scene = Scene::default();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut work = roots.to_vec();
        while !work.is_empty() {
            let cone = store.cone_without(&work, |t| seen.contains(&t));
            work.clear();
            seen.extend(&cone);
            for term in cone {
                if store.sort(term).is_array() {
                    scene.arrays.push(term);
                }
                if let Some(read) = abstraction.read_of(term) {
                    scene.reads.push((read, term));
                    work.extend([read.array, read.index]);
                }
                if let Some(&number) = abstraction.equality_of.get(&term) {
                    scene.equalities.push(number);
                    let equality = abstraction.equalities[number].clone();
                    for array in [equality.left, equality.right] {
                        work.push(array);
                        for &index in &equality.indices {
                            work.push(abstraction.read(store, array, index));
                        }
                    }
                }
            }
        }
        scene
    }
}

struct Tables<'a, V> {
    store: &'a TermStore,
    abstraction: &'a Abstraction,
    scene: &'a Scene,
    value: &'a mut V,
    entries: Vec<Entry>,
    tables: FxHashMap<Term, FxHashMap<BitVec, usize>>,
    lemmas: FxHashSet<Lemma>,
    queue: Vec<Arrival>,
    /// The writes and choices made of an array, where elements travel upwards.
    parents: FxHashMap<Term, Vec<Term>>,
    /// The equalities of an array that are claimed to hold, with the other array.
    links: FxHashMap<Term, Vec<(usize, Term)>>,
}

impl<V: FnMut(&TermStore, Term) -> BitVec> Tables<'_, V> {
    fn value(&mut self, term: Term) -> BitVec {
        (self.value)(self.store, term)
    }

    /// Elements travel upwards only where some arrays are claimed to be equal.
    fn connect(&mut self) {
        for &number in &self.scene.equalities {
            let equality = &self.abstraction.equalities[number];
            let (left, right, variable) = (equality.left, equality.right, equality.variable);
            if self.value(variable).is_one() {
                self.links.entry(left).or_default().push((number, right));
                self.links.entry(right).or_default().push((number, left));
            }
        }
        if self.links.is_empty() {
            return;
        }
        for &array in &self.scene.arrays {
            for &part in self.store.args(array).iter().filter(|&&a| self.store.sort(a).is_array()) {
                self.parents.entry(part).or_default().push(array);
            }
        }
    }

    /// What is written and what is read.
    fn begin(&mut self) {
        for &array in &self.scene.arrays {
            if self.store.op(array) == Op::Write {
                let (index, element) = (self.store.args(array)[1], self.store.args(array)[2]);
                let element = self.value(element);
                self.queue.push(Arrival { array, index, element, from: None });
            }
        }
        for &(Read { array, index }, variable) in &self.scene.reads {
            let element = self.value(variable);
            self.queue.push(Arrival { array, index, element, from: None });
        }
        // Writes are looked at first.
        self.queue.reverse();
    }

    fn arrive(&mut self, arrival: Arrival) {
        let Arrival { array, index, element, from } = arrival;
        let at = self.value(index);
        if let Some(&known) = self.tables.get(&array).and_then(|table| table.get(&at)) {
            if self.entries[known].element != element {
                self.blame(known);
                self.blame_way(from);
                let left = self.entries[known].index;
                if left != index {
                    self.lemmas.insert(Lemma::Same { array, left, right: index });
                }
            }
            return;
        }
        let number = self.entries.len();
        self.entries.push(Entry { index, element: element.clone(), from });
        self.tables.entry(array).or_default().insert(at.clone(), number);
        self.travel_down(array, index, &at, &element, number);
        self.travel_up(array, index, &at, &element, number);
        for (equality, other) in self.links.get(&array).cloned().unwrap_or_default() {
            let from = Some((number, Lemma::Equal { equality, index }));
            self.queue.push(Arrival { array: other, index, element: element.clone(), from });
        }
    }

    fn travel_down(&mut self, array: Term, index: Term, at: &BitVec, element: &BitVec, n: usize) {
        let args = self.store.args(array).to_vec();
        let below = match self.store.op(array) {
            Op::Write if self.value(args[1]) != *at => args[0],
            Op::Ite if self.value(args[0]).is_one() => args[1],
            Op::Ite => args[2],
            Op::ConstArray(_) => {
                // The lemma that led here says already what the element is.
                if self.value(args[0]) != *element {
                    self.blame(n);
                }
                return;
            }
            _ => return,
        };
        let from = Some((n, Lemma::Step { array, index }));
        self.queue.push(Arrival { array: below, index, element: element.clone(), from });
    }

    fn travel_up(&mut self, array: Term, index: Term, at: &BitVec, element: &BitVec, n: usize) {
        for parent in self.parents.get(&array).cloned().unwrap_or_default() {
            let args = self.store.args(parent).to_vec();
            let passes = match self.store.op(parent) {
                Op::Write => self.value(args[1]) != *at,
                _ => (if self.value(args[0]).is_one() { args[1] } else { args[2] }) == array,
            };
            if passes {
                let from = Some((n, Lemma::Step { array: parent, index }));
                self.queue.push(Arrival { array: parent, index, element: element.clone(), from });
            }
        }
    }

    /// The lemmas on the way to an entry.
    fn blame(&mut self, entry: usize) {
        let from = self.entries[entry].from;
        self.blame_way(from);
    }

    fn blame_way(&mut self, from: Option<(usize, Lemma)>) {
        let mut from = from;
        while let Some((entry, lemma)) = from {
            self.lemmas.insert(lemma);
            from = self.entries[entry].from;
        }
    }

    /// The values of array variables: what their tables say, elsewhere the element of a constant
    /// array that they are connected with, or 0.
    fn variables(&mut self) -> Vec<(Term, Value)> {
        let defaults = self.defaults();
        let scene = self.scene;
        let variables = scene.arrays.iter().copied().filter(|&a| self.store.is_var(a));
        let mut values = Vec::new();
        for variable in variables {
            let Sort::Array { index, element } = self.store.sort(variable) else { continue };
            let default = defaults.get(&variable).cloned();
            let default = default.unwrap_or_else(|| BitVec::zero(element));
            let mut array = ArrayValue::constant(index, default);
            for (at, &entry) in self.tables.get(&variable).into_iter().flatten() {
                array = array.write(at, &self.entries[entry].element);
            }
            values.push((variable, Value::Array(array)));
        }
        values
    }

    /// The elements of constant arrays, spread over writes, choices and equalities.
    fn defaults(&mut self) -> FxHashMap<Term, BitVec> {
        let mut defaults = FxHashMap::default();
        if self.links.is_empty() {
            return defaults;
        }
        let mut work = Vec::new();
        for &array in &self.scene.arrays {
            if let Op::ConstArray(_) = self.store.op(array) {
                let element = self.value(self.store.args(array)[0]);
                work.push((array, element));
            }
        }
        while let Some((array, element)) = work.pop() {
            if defaults.contains_key(&array) {
                continue;
            }
            defaults.insert(array, element.clone());
            for near in self.near(array) {
                work.push((near, element.clone()));
            }
        }
        defaults
    }

    /// The arrays that agree with this one almost everywhere.
    fn near(&mut self, array: Term) -> Vec<Term> {
        let mut near: Vec<Term> =
            self.links.get(&array).into_iter().flatten().map(|link| link.1).collect();
        near.extend(self.part(array));
        for parent in self.parents.get(&array).cloned().unwrap_or_default() {
            if self.part(parent) == Some(array) {
                near.push(parent);
            }
        }
        near
    }

    fn part(&mut self, array: Term) -> Option<Term> {
        let args = self.store.args(array).to_vec();
        match self.store.op(array) {
            Op::Write => Some(args[0]),
            Op::Ite => Some(if self.value(args[0]).is_one() { args[1] } else { args[2] }),
            _ => None,
        }
    }

    /// An index at which two arrays differ that are claimed to be equal. There is none unless
    /// constant arrays meet.
    fn difference(&mut self, values: &[(Term, Value)]) -> Option<(usize, BitVec)> {
        if self.links.is_empty() {
            return None;
        }
        let mut model = crate::Assignment::default();
        values.iter().for_each(|(variable, value)| model.set(*variable, value.clone()));
        let mut arrays: FxHashMap<Term, ArrayValue> = FxHashMap::default();
        for &number in &self.scene.equalities {
            let equality = &self.abstraction.equalities[number];
            let (left, right) = (equality.left, equality.right);
            if !self.value(equality.variable).is_one() {
                continue;
            }
            for array in [left, right] {
                let store = self.store;
                let value = model.value(store, array, |leaf| (self.value)(store, leaf).into());
                arrays.insert(array, value.array().clone());
            }
            if let Some(index) = differs(&arrays[&left], &arrays[&right]) {
                return Some((number, index));
            }
        }
        None
    }
}

/// An index at which the arrays differ.
fn differs(left: &ArrayValue, right: &ArrayValue) -> Option<BitVec> {
    if left == right {
        return None;
    }
    let mut entries = left.entries().chain(right.entries()).map(|entry| entry.0);
    if let Some(index) = entries.find(|index| left.read(index) != right.read(index)) {
        return Some(index.clone());
    }
    // The defaults differ, and the entries do not cover all indices.
    let width = left.index_width();
    let mut index = BitVec::zero(width);
    while left.read(&index) == right.read(&index) {
        index = index.inc();
    }
    Some(index)
}
