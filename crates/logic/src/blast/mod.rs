//! Bit-blasting: from word-level terms to an and-inverter graph.
//!
//! A [`Blaster`] maps each term to its bits, least significant first, and remembers them, so
//! that shared terms become shared gates. A variable stands for the literals it was bound to, or
//! else for fresh inputs of the graph. Operands are visited without recursion. An array of n
//! elements is a register of n times the element's width, element 0 lowest; a [`Layout`] may
//! restrict it to the elements that matter.
//!
//! Sizes are checked before gates are built: an array beyond the limit, or an operator whose
//! circuit would exceed the limit on nodes, is an error value and costs nothing.

pub(crate) mod add;
mod array;
mod divide;
mod multiply;
mod shift;

pub use array::Layout;

use crate::aig::{Aig, Lit};
use crate::float::FloatOp;
use crate::term::{MAX_ARITY, Op, Sort, Term, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::ops::Range;

/// What blasting may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bits of a single array.
    pub array_bits: u64,
    /// Nodes of the graph.
    pub nodes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { array_bits: 1 << 16, nodes: 1 << 24 }
    }
}

/// Literals remembered per node that the limits allow: an array term takes memory even where it
/// takes no gates.
const LITERALS_PER_NODE: u64 = 8;

/// Why a term was not blasted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BlastError {
    /// The name is that of a variable in the array term, if it has one.
    ArrayTooLarge { name: String, bits: u64 },
    /// The graph would grow beyond the limit.
    TooManyNodes { limit: u64 },
    /// A read of an array at an index that its layout leaves out.
    OutsideLayout { name: String },
    /// A floating-point operator that was not lowered to bit-vectors first.
    Float(FloatOp),
}

impl fmt::Display for BlastError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            BlastError::ArrayTooLarge { name, bits: u64::MAX } => {
                write!(f, "the array {name} has more than 2^63 bits")
            }
            BlastError::ArrayTooLarge { name, bits } => {
                write!(f, "the array {name} has {bits} bits")
            }
            BlastError::TooManyNodes { limit } => {
                write!(f, "circuit too large: more than {limit} nodes")
            }
            BlastError::OutsideLayout { name } => {
                write!(f, "array {name} is read at an index outside its layout")
            }
            BlastError::Float(op) => {
                write!(f, "the operator {:?} on floats has to be lowered first", op.function)
            }
        }
    }
}

impl std::error::Error for BlastError {}

/// The bits of the terms blasted so far. Use one blaster with one store and one graph only.
#[derive(Clone, Debug, Default)]
pub struct Blaster {
    limits: Limits,
    /// All remembered literals; `places` says whose they are.
    literals: Vec<Lit>,
    places: FxHashMap<Term, Range<usize>>,
    /// Quotient and remainder of the operands that were divided.
    divisions: FxHashMap<(Term, Term), (Vec<Lit>, Vec<Lit>)>,
    layouts: FxHashMap<Term, Layout>,
    fresh: Vec<Term>,
}

impl Blaster {
    pub fn new(limits: Limits) -> Blaster {
        Blaster { limits, ..Blaster::default() }
    }

    /// Lets a variable stand for these literals. Panics unless there is one per bit of its sort,
    /// or of its layout.
    pub fn bind(&mut self, store: &TermStore, variable: Term, bits: &[Lit]) {
        let wanted = self.num_bits(store, variable);
        assert_eq!(bits.len() as u64, wanted, "a variable has one literal per bit");
        self.remember(variable, bits);
    }

    /// Restricts an array term to the elements of a layout. All array terms that meet in an
    /// operator must have the same one.
    pub fn set_layout(&mut self, array: Term, layout: Layout) {
        self.layouts.insert(array, layout);
    }

    /// The elements to which an array term is restricted.
    pub fn layout(&self, array: Term) -> Option<&Layout> {
        self.layouts.get(&array)
    }

    /// Number of literals that represent the term.
    pub fn num_bits(&self, store: &TermStore, term: Term) -> u64 {
        let sort = store.sort(term);
        match (sort, self.layouts.get(&term)) {
            (Sort::Array { element, .. }, Some(layout)) => layout.bits(element),
            _ => sort.bits(),
        }
    }

    /// The variables that were given fresh inputs, in the order of the inputs; least significant
    /// bits come first.
    pub fn fresh(&self) -> &[Term] {
        &self.fresh
    }

    /// The bits of a term that was blasted before.
    pub fn bits(&self, term: Term) -> Option<&[Lit]> {
        self.places.get(&term).map(|place| &self.literals[place.clone()])
    }

    /// The bits of a term, least significant first.
    pub fn blast(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        term: Term,
    ) -> Result<&[Lit], BlastError> {
        for term in self.pending(store, term) {
            self.check_size(store, aig, term)?;
            let bits = self.circuit(store, aig, term)?;
            self.remember(term, &bits);
        }
        Ok(self.known(term))
    }

    /// The literal of a term of width 1.
    pub fn literal(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        term: Term,
    ) -> Result<Lit, BlastError> {
        self.blast(store, aig, term).map(|bits| bits[0])
    }

    /// What has to be blasted for `root`, operands first.
    fn pending(&self, store: &TermStore, root: Term) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !self.places.contains_key(&term) && seen.insert(term) {
                let (operands, arity) = operands(store, term);
                stack.extend_from_slice(&operands[..arity]);
            }
        }
        let mut pending: Vec<Term> = seen.into_iter().collect();
        pending.sort_unstable();
        pending
    }

    fn remember(&mut self, term: Term, bits: &[Lit]) {
        let start = self.literals.len();
        self.literals.extend_from_slice(bits);
        self.places.insert(term, start..self.literals.len());
    }

    fn known(&self, term: Term) -> &[Lit] {
        self.bits(term).expect("operands are blasted before their users")
    }

    fn check_size(&self, store: &TermStore, aig: &Aig, term: Term) -> Result<(), BlastError> {
        let limit = self.limits.nodes;
        let bits = self.num_bits(store, term);
        if store.sort(term).is_array() && bits > self.limits.array_bits {
            return Err(BlastError::ArrayTooLarge { name: array_name(store, term), bits });
        }
        let literals = (self.literals.len() as u64).saturating_add(bits);
        let nodes = (aig.len() as u64).saturating_add(self.estimate(store, term));
        match nodes > limit || literals > limit.saturating_mul(LITERALS_PER_NODE) {
            true => Err(BlastError::TooManyNodes { limit }),
            false => Ok(()),
        }
    }

    /// An upper bound on the nodes that the circuit of a term adds.
    fn estimate(&self, store: &TermStore, term: Term) -> u64 {
        let bits = |t: Term| self.known(t);
        let (args, arity) = operands(store, term);
        let widest = args[..arity].iter().map(|&t| bits(t).len() as u64).max().unwrap_or(0);
        match store.op(term) {
            Op::Var(_) => self.num_bits(store, term),
            Op::Const(_) | Op::Not | Op::Concat | Op::Slice { .. } | Op::Sext(_) => 0,
            Op::Mul => 8 * widest * multiply::rows(bits(args[0]), bits(args[1])),
            Op::Eq if factors(store, term).is_some() => {
                8 * widest * multiply::rows(bits(args[0]), bits(args[1]))
            }
            Op::Udiv | Op::Urem => 16 * widest * (divide::narrow(bits(args[1])) as u64 + 1),
            Op::Sll | Op::Srl | Op::Sra => 4 * widest * (64 - widest.leading_zeros()) as u64,
            _ => 8 * widest,
        }
    }

    /// The bits of a term whose operands are known.
    fn circuit(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        term: Term,
    ) -> Result<Vec<Lit>, BlastError> {
        let args = store.args(term);
        Ok(match store.op(term) {
            Op::Var(_) => self.fresh_bits(store, aig, term),
            Op::Const(_) => {
                store.value(term).into_iter().flat_map(|v| v.bits()).map(Lit::from).collect()
            }
            Op::Float(op) => return Err(BlastError::Float(op)),
            Op::Read => array::read(self, store, aig, args[0], args[1])?,
            Op::Write => array::write(self, store, aig, args),
            Op::ConstArray(_) => {
                let element = self.known(args[0]);
                element.repeat(self.num_bits(store, term) as usize / element.len())
            }
            Op::Udiv | Op::Urem => self.division(store, aig, term),
            Op::Add => self.sum(store, aig, term),
            Op::Eq if factors(store, term).is_some() => {
                let ([a, b, ..], _) = operands(store, term);
                vec![multiply::fits_half(aig, self.known(a), self.known(b))]
            }
            op if op.arity() == 1 => unary(aig, op, self.known(args[0])),
            Op::Ite => {
                let c = self.known(args[0])[0];
                choose(aig, c, self.known(args[1]), self.known(args[2]))
            }
            op => binary(aig, op, self.known(args[0]), self.known(args[1])),
        })
    }

    fn fresh_bits(&mut self, store: &TermStore, aig: &mut Aig, variable: Term) -> Vec<Lit> {
        self.fresh.push(variable);
        (0..self.num_bits(store, variable)).map(|_| aig.add_input()).collect()
    }

    /// Quotient and remainder of the same operands share one divider.
    fn division(&mut self, store: &TermStore, aig: &mut Aig, term: Term) -> Vec<Lit> {
        let (a, b) = (store.args(term)[0], store.args(term)[1]);
        if !self.divisions.contains_key(&(a, b)) {
            let both = divide::divide(aig, self.known(a), self.known(b));
            self.divisions.insert((a, b), both);
        }
        let (quotient, remainder) = &self.divisions[&(a, b)];
        if store.op(term) == Op::Udiv { quotient.clone() } else { remainder.clone() }
    }

    /// A sum with a negated operand is a subtraction: one adder with a carry at the bottom.
    fn sum(&self, store: &TermStore, aig: &mut Aig, term: Term) -> Vec<Lit> {
        let ([a, b, ..], _) = operands(store, term);
        match subtrahend(store, term) {
            Some(_) => add::subtract(aig, self.known(a), self.known(b)),
            None => add::add(aig, self.known(a), self.known(b)),
        }
    }
}

/// The terms whose bits the circuit of a term reads, and how many they are.
fn operands(store: &TermStore, term: Term) -> ([Term; MAX_ARITY], usize) {
    let mut operands = [term; MAX_ARITY];
    let args = store.args(term);
    operands[..args.len()].copy_from_slice(args);
    if let Some(factors) = factors(store, term) {
        operands[..2].copy_from_slice(&factors);
    }
    if let Some(at) = subtrahend(store, term) {
        operands[..2].copy_from_slice(&[args[1 - at], store.args(args[at])[0]]);
    }
    (operands, args.len())
}

/// The position of a negated operand of an addition.
fn subtrahend(store: &TermStore, term: Term) -> Option<usize> {
    let negated = |t: &Term| store.op(*t) == Op::Neg;
    (store.op(term) == Op::Add).then(|| store.args(term).iter().position(negated))?
}

/// The factors of a product that is compared with the extension of its lower half: whether a signed
/// multiplication overflows. The upper half of the product is not needed for that.
fn factors(store: &TermStore, term: Term) -> Option<[Term; 2]> {
    let &[first, second] = store.args(term) else { return None };
    if store.op(term) != Op::Eq {
        return None;
    }
    [(first, second), (second, first)].into_iter().find_map(|(product, extension)| {
        let (Op::Mul, Op::Sext(by)) = (store.op(product), store.op(extension)) else { return None };
        let low = store.args(extension)[0];
        let is_half = store.op(low) == Op::Slice { high: by - 1, low: 0 }
            && store.args(low)[0] == product
            && store.width(product) == 2 * by;
        let factors = store.args(product);
        is_half.then(|| [factors[0], factors[1]])
    })
}

fn unary(aig: &mut Aig, op: Op, a: &[Lit]) -> Vec<Lit> {
    match op {
        Op::Not => a.iter().map(|&bit| !bit).collect(),
        Op::Neg => add::negate(aig, a),
        Op::Slice { high, low } => a[low as usize..=high as usize].to_vec(),
        Op::Sext(by) => {
            let sign = a[a.len() - 1];
            a.iter().copied().chain(std::iter::repeat_n(sign, by as usize)).collect()
        }
        _ => unreachable!("{op:?} is not unary"),
    }
}

fn binary(aig: &mut Aig, op: Op, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let pairs = a.iter().copied().zip(b.iter().copied());
    match op {
        Op::And => pairs.map(|(x, y)| aig.and(x, y)).collect(),
        Op::Xor => pairs.map(|(x, y)| aig.xor(x, y)).collect(),
        Op::Eq => vec![equal(aig, a, b)],
        Op::Ult => vec![add::ult(aig, a, b)],
        Op::Slt => vec![add::slt(aig, a, b)],
        Op::Mul => multiply::multiply(aig, a, b),
        Op::Sll => shift::left(aig, a, b),
        Op::Srl => shift::right(aig, a, b, Lit::FALSE),
        Op::Sra => shift::right(aig, a, b, a[a.len() - 1]),
        Op::Concat => b.iter().chain(a).copied().collect(),
        _ => unreachable!("{op:?} is not binary"),
    }
}

fn equal(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let bits: Vec<Lit> = a.iter().zip(b).map(|(&x, &y)| aig.iff(x, y)).collect();
    aig.and_all(&bits)
}

fn choose(aig: &mut Aig, condition: Lit, then: &[Lit], other: &[Lit]) -> Vec<Lit> {
    then.iter().zip(other).map(|(&t, &e)| aig.ite(condition, t, e)).collect()
}

/// A name for an array term in messages: that of its first array variable.
fn array_name(store: &TermStore, term: Term) -> String {
    let vars = store.free_vars(&[term]);
    let array = vars.iter().find(|&&v| store.sort(v).is_array());
    array.and_then(|&v| store.name(v)).unwrap_or("constant").to_string()
}
