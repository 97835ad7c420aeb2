//! The hash-consing store: nodes, their sorts, constants and variables.

use super::{MAX_ARITY, Op, Sort, Term};
use crate::bitvec::BitVec;
use rustc_hash::FxHashMap;

/// The widest bit-vector a store accepts. Wide enough for every circuit in use, small enough
/// that no single operation on constants is expensive.
pub const MAX_WIDTH: u32 = 1 << 16;

/// An operator with its operands; the unused places hold the term 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    op: Op,
    args: [Term; MAX_ARITY],
}

#[derive(Clone)]
struct Variable {
    name: String,
    term: Term,
}

/// Owner of terms. Invariants: no two indices have the same operator and operands; operands
/// precede their users; every term is well-sorted.
#[derive(Clone, Default)]
pub struct TermStore {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    unique: FxHashMap<Node, Term>,
    constants: Vec<BitVec>,
    constant_ids: FxHashMap<BitVec, u32>,
    constant_bits: u64,
    variables: Vec<Variable>,
    /// How many constructors are active inside one another; bounds the rewriting.
    pub(crate) depth: u32,
}

impl TermStore {
    pub fn new() -> TermStore {
        TermStore::default()
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// Total width of the distinct constants: what they weigh, for readers that bound memory.
    pub fn constant_bits(&self) -> u64 {
        self.constant_bits
    }

    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.index()].op
    }
    pub fn args(&self, term: Term) -> &[Term] {
        let node = &self.nodes[term.index()];
        &node.args[..node.op.arity()]
    }
    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.index()]
    }
    /// Width of a bit-vector term. Panics on an array.
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::Bv(width) => width,
            Sort::Array { .. } => panic!("an array has no width"),
        }
    }

    /// The value of a constant.
    pub fn value(&self, term: Term) -> Option<&BitVec> {
        match self.op(term) {
            Op::Const(id) => Some(&self.constants[id as usize]),
            _ => None,
        }
    }
    pub fn is_const(&self, term: Term) -> bool {
        matches!(self.op(term), Op::Const(_))
    }
    pub fn is_var(&self, term: Term) -> bool {
        matches!(self.op(term), Op::Var(_))
    }
    /// The name of a variable.
    pub fn name(&self, term: Term) -> Option<&str> {
        match self.op(term) {
            Op::Var(id) => Some(&self.variables[id as usize].name),
            _ => None,
        }
    }
    /// All variables in the order in which they were made.
    pub fn vars(&self) -> impl Iterator<Item = Term> + '_ {
        self.variables.iter().map(|v| v.term)
    }

    /// A new variable, distinct from all others even if the name is taken.
    pub fn var(&mut self, name: impl Into<String>, sort: Sort) -> Term {
        check_sort(sort);
        let id = self.variables.len() as u32;
        let term = self.push(Node { op: Op::Var(id), args: [Term(0); MAX_ARITY] }, sort);
        self.variables.push(Variable { name: name.into(), term });
        term
    }

    /// A new variable with a name made unique by a number.
    pub fn fresh_var(&mut self, prefix: &str, sort: Sort) -> Term {
        let name = format!("{prefix}!{}", self.variables.len());
        self.var(name, sort)
    }

    pub fn constant(&mut self, value: BitVec) -> Term {
        let width = value.width();
        check_sort(Sort::Bv(width));
        let id = match self.constant_ids.get(&value) {
            Some(&id) => id,
            None => self.add_constant(value),
        };
        self.intern(Op::Const(id), &[], Sort::Bv(width))
    }

    fn add_constant(&mut self, value: BitVec) -> u32 {
        let id = self.constants.len() as u32;
        self.constant_bits += value.width() as u64;
        self.constants.push(value.clone());
        self.constant_ids.insert(value, id);
        id
    }

    /// The term with this operator and these operands, without any simplification. The caller
    /// vouches for the sort.
    pub(crate) fn intern(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        let mut node = Node { op, args: [Term(0); MAX_ARITY] };
        node.args[..args.len()].copy_from_slice(args);
        if let Some(&term) = self.unique.get(&node) {
            return term;
        }
        let term = self.push(node, sort);
        self.unique.insert(node, term);
        term
    }

    fn push(&mut self, node: Node, sort: Sort) -> Term {
        let term = Term(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        self.nodes.push(node);
        self.sorts.push(sort);
        term
    }

    /// Asserts the invariants of the type; meant for debug builds and tests.
    pub fn check(&self) {
        for index in 0..self.nodes.len() {
            let term = Term(index as u32);
            let args = self.args(term);
            assert!(args.iter().all(|a| a.index() < index), "operands precede their users");
            let node = &self.nodes[index];
            let var = matches!(node.op, Op::Var(_));
            assert!(var || self.unique[node] == term, "terms are unique");
            if args.is_empty() {
                continue;
            }
            assert_eq!(self.kernel_sort(node.op, args), Ok(self.sorts[index]), "sorts fit");
        }
    }
}

fn check_sort(sort: Sort) {
    let legal = |width: u32| (1..=MAX_WIDTH).contains(&width);
    let ok = match sort {
        Sort::Bv(width) => legal(width),
        Sort::Array { index, element } => legal(index) && legal(element),
    };
    assert!(ok, "no term has the sort {sort}");
}
