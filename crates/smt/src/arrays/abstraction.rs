//! Terms without arrays: a variable for each read and for each equality of arrays.

use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Op, Sort, Term, TermStore};

/// A read and the variable that stands for it. Array and index are abstracted themselves: they
/// contain no reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Read {
    pub array: Term,
    pub index: Term,
}

/// An equality of arrays; if it does not hold, the arrays differ at the index `witness`.
#[derive(Clone, Debug)]
pub struct Equality {
    pub left: Term,
    pub right: Term,
    pub variable: Term,
    /// Indices at which the arrays are compared whenever the equality matters; the first is the
    /// witness of their difference.
    pub indices: Vec<Term>,
}

/// Use one abstraction with one store only.
#[derive(Clone, Debug, Default)]
pub struct Abstraction {
    image: FxHashMap<Term, Term>,
    /// Terms below which there are no arrays: the images that are none.
    plain: FxHashSet<Term>,
    reads: FxHashMap<Read, Term>,
    pub(super) read_of: FxHashMap<Term, Read>,
    pub(super) equalities: Vec<Equality>,
    pub(super) equality_of: FxHashMap<Term, usize>,
    /// How many equalities have the lemma of their witness.
    witnessed: usize,
}

impl Abstraction {
    /// Whether there are no arrays so far.
    pub fn is_trivial(&self) -> bool {
        self.reads.is_empty() && self.equalities.is_empty()
    }

    /// The read for which a variable stands.
    pub fn read_of(&self, variable: Term) -> Option<Read> {
        self.read_of.get(&variable).copied()
    }

    /// The arrays whose equality a variable stands for.
    pub fn equality_of(&self, variable: Term) -> Option<(Term, Term)> {
        let equality = &self.equalities[*self.equality_of.get(&variable)?];
        Some((equality.left, equality.right))
    }

    /// The term without reads and equalities of arrays. An array is given back with abstracted
    /// indices and elements.
    pub fn apply(&mut self, store: &mut TermStore, term: Term) -> Term {
        for old in store.cone_without(&[term], |t| self.image.contains_key(&t)) {
            let args: Vec<Term> = store.args(old).iter().map(|arg| self.image[arg]).collect();
            let new = match store.op(old) {
                op if args.is_empty()
                    || args == store.args(old) && !is_about_arrays(store, old) =>
                {
                    debug_assert!(args.len() == op.arity());
                    old
                }
                Op::Read => self.read(store, args[0], args[1]),
                op => {
                    let rebuilt = store.rebuild(op, &args);
                    self.settle(store, rebuilt)
                }
            };
            self.image.insert(old, new);
            if !store.sort(new).is_array() {
                self.plain.insert(new);
            }
        }
        self.image[&term]
    }

    /// Simplification may turn an equality of arrays into reads.
    fn settle(&mut self, store: &mut TermStore, term: Term) -> Term {
        match store.op(term) {
            Op::Eq if store.sort(store.args(term)[0]).is_array() => {
                let (left, right) = (store.args(term)[0], store.args(term)[1]);
                self.equality(store, left, right)
            }
            _ if store.sort(term).is_array() => term,
            _ if self.image.contains_key(&term) => self.image[&term],
            _ if !self.mentions_arrays(store, term) => term,
            _ => self.apply(store, term),
        }
    }

    fn mentions_arrays(&self, store: &TermStore, term: Term) -> bool {
        let unknown = store.cone_without(&[term], |t| self.plain.contains(&t));
        unknown.iter().any(|&t| store.sort(t).is_array())
    }

    /// The plain term for a read of an abstracted array at an abstracted index.
    pub(super) fn read(&mut self, store: &mut TermStore, array: Term, index: Term) -> Term {
        let read = store.read(array, index);
        if store.op(read) != Op::Read {
            return read;
        }
        let key = Read { array: store.args(read)[0], index: store.args(read)[1] };
        if let Some(&variable) = self.reads.get(&key) {
            return variable;
        }
        let variable = store.fresh_var("read", store.sort(read));
        self.reads.insert(key, variable);
        self.read_of.insert(variable, key);
        variable
    }

    fn equality(&mut self, store: &mut TermStore, left: Term, right: Term) -> Term {
        let known = |e: &&Equality| (e.left, e.right) == (left, right);
        if let Some(equality) = self.equalities.iter().find(known) {
            return equality.variable;
        }
        let Sort::Array { index, .. } = store.sort(left) else { unreachable!("arrays are equal") };
        let variable = store.fresh_var("same", Sort::BOOL);
        let witness = store.fresh_var("differ", Sort::Bv(index));
        self.equality_of.insert(variable, self.equalities.len());
        self.equalities.push(Equality { left, right, variable, indices: vec![witness] });
        variable
    }

    /// The lemmas of the witnesses of equalities that are new since the last call: the arrays are
    /// the same or differ there.
    pub(crate) fn witness_lemmas(&mut self, store: &mut TermStore) -> Vec<Term> {
        let mut lemmas = Vec::new();
        while self.witnessed < self.equalities.len() {
            let equality = self.equalities[self.witnessed].clone();
            self.witnessed += 1;
            let [left, right] = [equality.left, equality.right]
                .map(|array| self.read(store, array, equality.indices[0]));
            let differ = store.neq(left, right);
            lemmas.push(store.or(equality.variable, differ));
        }
        lemmas
    }
}

fn is_about_arrays(store: &TermStore, term: Term) -> bool {
    match store.op(term) {
        Op::Read => true,
        Op::Eq => store.sort(store.args(term)[0]).is_array(),
        _ => false,
    }
}
