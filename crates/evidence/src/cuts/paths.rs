//! All runs through a region at once, as terms over the variables at its beginning.
//!
//! For each node there is the condition that the run comes there; the value of a variable at a node
//! is asked for where something reads it, and differs by the edge that was taken. So every edge is
//! looked at once, and what nothing reads costs nothing.
//!
//! A run takes one edge at a time even where several guards hold, since it also chooses; and the
//! inputs of two locations are different values even where they have one name.

use super::region::Region;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Op, Sort, Term, TermStore};
use wedge_model::Cfa;
use wedge_model::cfa::EdgeId;

pub struct Paths<'a> {
    cfa: &'a Cfa,
    region: &'a Region,
    pub terms: &'a mut TermStore,
    is_input: &'a FxHashSet<Term>,
    /// By node, the condition that the run comes there.
    reached: Vec<Term>,
    /// By edge, the condition that it is taken.
    taken: FxHashMap<EdgeId, Term>,
    /// The variables that some edge changes.
    changed: FxHashSet<Term>,
    /// The values of changed variables at nodes.
    values: FxHashMap<(usize, Term), Term>,
    /// The node that reads an input under its own name.
    owners: FxHashMap<Term, usize>,
    /// What other nodes read instead.
    copies: FxHashMap<(usize, Term), Term>,
}

impl<'a> Paths<'a> {
    pub fn new(
        cfa: &'a Cfa,
        region: &'a Region,
        terms: &'a mut TermStore,
        is_input: &'a FxHashSet<Term>,
    ) -> Paths<'a> {
        let edges = region.nodes.iter().flat_map(|node| &node.incoming);
        let updates = edges.flat_map(|&(_, id)| &cfa.edge(id).updates);
        let changed = updates.map(|&(variable, _)| variable).collect();
        let mut paths = Paths {
            cfa,
            region,
            terms,
            is_input,
            reached: Vec::new(),
            taken: FxHashMap::default(),
            changed,
            values: FxHashMap::default(),
            owners: FxHashMap::default(),
            copies: FxHashMap::default(),
        };
        paths.follow();
        paths
    }

    /// The condition that the run comes to a node.
    pub fn reached(&self, node: usize) -> Term {
        self.reached[node]
    }

    /// A term over variables, with their values at a node.
    pub fn at(&mut self, node: usize, term: Term) -> Term {
        let pairs: Vec<(Term, Term)> = self
            .terms
            .free_vars(&[term])
            .into_iter()
            .map(|symbol| (symbol, self.symbol(node, symbol)))
            .collect();
        self.terms.substitute(term, &pairs)
    }

    fn follow(&mut self) {
        let mut outgoing: Vec<Vec<EdgeId>> = vec![Vec::new(); self.region.nodes.len()];
        for node in &self.region.nodes {
            node.incoming.iter().for_each(|&(from, id)| outgoing[from].push(id));
        }
        for (node, edges) in outgoing.iter().enumerate() {
            let here = match node {
                0 => self.terms.bool(true),
                _ => {
                    let incoming = &self.region.nodes[node].incoming;
                    let ways: Vec<Term> = incoming.iter().map(|(_, id)| self.taken[id]).collect();
                    self.terms.or_all(&ways)
                }
            };
            self.reached.push(here);
            self.leave(node, edges);
        }
    }

    /// Says which of the edges is taken from a node.
    fn leave(&mut self, node: usize, edges: &[EdgeId]) {
        let mut guards: Vec<Term> = Vec::new();
        for &id in edges {
            let guard = self.at(node, self.cfa.edge(id).guard);
            guards.push(guard);
        }
        let excludes = match guards[..] {
            [one, other] => self.terms.not(one) == other,
            _ => guards.len() <= 1,
        };
        let mut rest = self.reached[node];
        let last = edges.len().saturating_sub(1);
        for (index, (&id, guard)) in edges.iter().zip(guards).enumerate() {
            let mut chosen = rest;
            if !excludes && index < last {
                let choice = self.terms.fresh_var("choice", Sort::BOOL);
                let other = self.terms.not(choice);
                chosen = self.terms.and(rest, choice);
                rest = self.terms.and(rest, other);
            }
            let taken = self.terms.and(chosen, guard);
            self.taken.insert(id, taken);
        }
    }

    /// The value of a variable or input for one who reads it at a node.
    fn symbol(&mut self, node: usize, symbol: Term) -> Term {
        if self.is_input.contains(&symbol) {
            return self.input(node, symbol);
        }
        let mut stack = vec![(node, symbol)];
        while let Some(&(node, variable)) = stack.last() {
            if self.known(node, variable).is_some() {
                stack.pop();
                continue;
            }
            let missing = self.missing(node, variable);
            if missing.is_empty() {
                let value = self.merged(node, variable);
                self.values.insert((node, variable), value);
                stack.pop();
            }
            stack.extend(missing);
        }
        self.known(node, symbol).expect("it has just been computed")
    }

    fn known(&self, node: usize, variable: Term) -> Option<Term> {
        match node == 0 || !self.changed.contains(&variable) {
            true => Some(variable),
            false => self.values.get(&(node, variable)).copied(),
        }
    }

    fn input(&mut self, node: usize, input: Term) -> Term {
        if *self.owners.entry(input).or_insert(node) == node {
            return input;
        }
        let terms = &mut self.terms;
        *self.copies.entry((node, input)).or_insert_with(|| {
            let sort = terms.sort(input);
            terms.fresh_var("input", sort)
        })
    }

    /// What an edge assigns to a variable.
    fn update(&self, id: EdgeId, variable: Term) -> Option<Term> {
        let updates = &self.cfa.edge(id).updates;
        updates.iter().find(|(assigned, _)| *assigned == variable).map(|&(_, value)| value)
    }

    /// Whether no run takes an edge, which the terms show by themselves. In an automaton that was
    /// unwound most edges are such.
    fn is_never(&self, id: EdgeId) -> bool {
        self.terms.value(self.taken[&id]).is_some_and(|value| value.is_zero())
    }

    /// The values on which that of a variable at a node depends and that are not known yet.
    fn missing(&self, node: usize, variable: Term) -> Vec<(usize, Term)> {
        let mut missing = Vec::new();
        for &(from, id) in &self.region.nodes[node].incoming {
            if self.is_never(id) {
                continue;
            }
            let reads = match self.update(id, variable) {
                Some(value) => self.terms.free_vars(&[value]),
                None => vec![variable],
            };
            let unknown = |&symbol: &Term| {
                !self.is_input.contains(&symbol) && self.known(from, symbol).is_none()
            };
            missing.extend(reads.into_iter().filter(unknown).map(|symbol| (from, symbol)));
        }
        missing
    }

    /// The value of a variable at a node, by the edge that was taken to it.
    fn merged(&mut self, node: usize, variable: Term) -> Term {
        let region = self.region;
        let mut merged = None;
        for &(from, id) in region.nodes[node].incoming.iter().rev() {
            if self.is_never(id) {
                continue;
            }
            let value = match self.update(id, variable) {
                Some(value) => self.at(from, value),
                None => self.known(from, variable).expect("all that is read is known"),
            };
            merged = Some(match merged {
                None => value,
                Some(other) => self.terms.ite(self.taken[&id], value, other),
            });
        }
        // Where no run comes to, any value will do.
        merged.unwrap_or(variable)
    }
}

/// A formula of another store, with the same variables; none if it reads others.
pub fn imported(
    from: &TermStore,
    term: Term,
    terms: &mut TermStore,
    is_variable: &FxHashSet<Term>,
) -> Option<Term> {
    imported_with(from, term, terms, is_variable, &FxHashMap::default())
}

/// The same, where other variables of the formula have new ones in their place.
pub(super) fn imported_with(
    from: &TermStore,
    term: Term,
    terms: &mut TermStore,
    is_variable: &FxHashSet<Term>,
    renamed: &FxHashMap<Term, Term>,
) -> Option<Term> {
    let mut images: FxHashMap<Term, Term> = FxHashMap::default();
    for old in from.cone(&[term]) {
        let new = match from.op(old) {
            Op::Var(_) if renamed.contains_key(&old) => renamed[&old],
            Op::Var(_) => {
                let same = is_variable.contains(&old)
                    && from.sort(old) == terms.sort(old)
                    && from.name(old) == terms.name(old);
                same.then_some(old)?
            }
            Op::Const(_) => terms.constant(from.value(old)?.clone()),
            op => {
                let args: Vec<Term> = from.args(old).iter().map(|arg| images[arg]).collect();
                terms.rebuild(op, &args)
            }
        };
        images.insert(old, new);
    }
    images.get(&term).copied()
}
