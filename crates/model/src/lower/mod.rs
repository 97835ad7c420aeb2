//! From the word-level [`System`] to the bit-level [`Circuit`].
//!
//! A state variable becomes one latch per bit, an input one circuit input per bit. Three things
//! do not fit a circuit as they are:
//!
//! - A state without `next` takes any value in every step. If it has an `init` it becomes latches
//!   whose next values are fresh circuit inputs; without one it is simply an input.
//! - The reset of a latch may read latches only. An input that some `init` reads is therefore
//!   held in latches too: free at first, and then whatever a fresh circuit input was one step
//!   before. The value of the word-level input in a step is that of these latches.
//! - Arrays become registers, see the module `arrays`.
//!
//! Only what the property and the constraints depend on is lowered, and states that never leave
//! a constant value are replaced by it. [`LoweringMap`] undoes all of this for traces and predicates.

mod arrays;
mod prepare;
mod share;
mod signals;
mod way_back;

pub use way_back::LoweringMap;

use crate::circuit::{Circuit, Reset};
use crate::system::{System, SystemError};
use prepare::Prepared;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use way_back::{Moment, Word};
use wedge_logic::blast::Limits;
use wedge_logic::{BitVec, BlastError, Blaster, Lit, Sort, Term};

/// Why a system was not lowered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LowerError {
    NoSuchBad { bad: usize, count: usize },
    System(SystemError),
    Blast(BlastError),
}

impl fmt::Display for LowerError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            LowerError::NoSuchBad { bad, count } => {
                write!(f, "there is no bad state property {bad}; the system has {count}")
            }
            LowerError::System(error) => write!(f, "{error}"),
            LowerError::Blast(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for LowerError {}

impl From<SystemError> for LowerError {
    fn from(error: SystemError) -> LowerError {
        LowerError::System(error)
    }
}

impl From<BlastError> for LowerError {
    fn from(error: BlastError) -> LowerError {
        LowerError::Blast(error)
    }
}

/// Requires: nothing; a system that breaks its invariants is an error.
/// Ensures: `circuit` has a path to its bad state iff `system` has one to its bad number `bad`,
/// and the way back maps the former's evidence to the latter's. Sizes are checked against the
/// limits before anything large is built.
pub fn lower(
    system: &System,
    bad: usize,
    limits: Limits,
) -> Result<(Circuit, LoweringMap), LowerError> {
    system.check()?;
    if bad >= system.bads.len() {
        return Err(LowerError::NoSuchBad { bad, count: system.bads.len() });
    }
    let mut prepared = prepare::prepare(system, bad);
    share::share_operators(&mut prepared);
    let layouts = arrays::plan(&mut prepared, limits)?;
    let mut lowering = Lowering::new(&prepared, limits);
    for (term, layout) in layouts {
        lowering.blaster.set_layout(term, layout);
    }
    lowering.check_size()?;
    lowering.declare();
    lowering.define()?;
    let Lowering { circuit, way_back, .. } = lowering;
    Ok((circuit, way_back))
}

struct Lowering<'a> {
    prepared: &'a Prepared,
    limits: Limits,
    circuit: Circuit,
    blaster: Blaster,
    way_back: LoweringMap,
    /// The inputs and states that an `init` reads.
    read_by_inits: FxHashSet<Term>,
    /// The position of the first latch of each variable that has latches.
    first_latch: FxHashMap<Term, usize>,
}

impl<'a> Lowering<'a> {
    fn new(prepared: &'a Prepared, limits: Limits) -> Lowering<'a> {
        let inits: Vec<Term> = prepared.states().filter_map(|s| s.init).collect();
        let read_by_inits = prepared.system.terms.free_vars(&inits).into_iter().collect();
        Lowering {
            prepared,
            limits,
            circuit: Circuit::default(),
            blaster: Blaster::new(limits),
            way_back: LoweringMap::new(prepared.constants.clone()),
            read_by_inits,
            first_latch: FxHashMap::default(),
        }
    }

    /// The variables alone must not exceed the limit on nodes.
    fn check_size(&self) -> Result<(), BlastError> {
        let terms = &self.prepared.system.terms;
        let bits = self
            .prepared
            .variables()
            .fold(0u64, |sum, var| sum.saturating_add(self.blaster.num_bits(terms, var)));
        match bits.saturating_mul(2) > self.limits.nodes {
            true => Err(BlastError::TooManyNodes { limit: self.limits.nodes }),
            false => Ok(()),
        }
    }

    /// Creates the inputs and latches and binds the variables to them.
    fn declare(&mut self) {
        let prepared = self.prepared;
        for &input in &prepared.inputs {
            match self.read_by_inits.contains(&input) {
                true => self.add_latches(input, true),
                false => self.add_inputs(input),
            }
        }
        for state in prepared.states() {
            let free = state.init.is_none();
            let input = free && state.next.is_none() && !self.read_by_inits.contains(&state.var);
            match input {
                true => self.undriven(|lowering| lowering.add_inputs(state.var)),
                false => self.add_latches(state.var, free),
            }
        }
    }

    /// The inputs that are added are undriven: values of a state that has no next value.
    fn undriven<T>(&mut self, add: impl FnOnce(&mut Self) -> T) -> T {
        let first = self.circuit.inputs.len();
        let added = add(self);
        self.circuit.undriven.extend_from_slice(&self.circuit.inputs[first..]);
        added
    }

    fn add_inputs(&mut self, var: Term) {
        let bits = self.input_bits(var, Moment::Now);
        self.blaster.bind(&self.prepared.system.terms, var, &bits);
    }

    /// Fresh circuit inputs for the value of a variable in this step or the next.
    fn input_bits(&mut self, var: Term, moment: Moment) -> Vec<Lit> {
        let mut bits = Vec::new();
        for (element, width) in self.words(var) {
            let first = self.circuit.inputs.len();
            bits.extend((0..width).map(|_| self.circuit.add_input()));
            self.way_back.inputs.push((Word { var, element, first, width }, moment));
        }
        bits
    }

    fn add_latches(&mut self, var: Term, free: bool) {
        let mut bits = Vec::new();
        self.first_latch.insert(var, self.circuit.latches.len());
        for (element, width) in self.words(var) {
            let first = self.circuit.latches.len();
            bits.extend((0..width).map(|_| self.circuit.add_latch(Reset::Free)));
            self.way_back.latches.push((Word { var, element, first, width }, free));
        }
        self.blaster.bind(&self.prepared.system.terms, var, &bits);
    }

    /// The words of a variable: itself, or the elements of an array that are represented.
    fn words(&self, var: Term) -> Vec<(Option<BitVec>, usize)> {
        match self.prepared.system.terms.sort(var) {
            Sort::Bv(width) => vec![(None, width as usize)],
            Sort::Array { index, element } => {
                let indices: Vec<BitVec> = match self.blaster.layout(var) {
                    Some(layout) => layout.indices().to_vec(),
                    None => (0..1 << index).map(|i| BitVec::new(index, i)).collect(),
                };
                indices.into_iter().map(|i| (Some(i), element as usize)).collect()
            }
        }
    }

    /// Blasts the resets, the next functions, the constraints and the bad state.
    fn define(&mut self) -> Result<(), BlastError> {
        let prepared = self.prepared;
        for state in prepared.states() {
            if let (Some(init), Some(&first)) = (state.init, self.first_latch.get(&state.var)) {
                for (offset, lit) in self.blast(init)?.into_iter().enumerate() {
                    self.circuit.latches[first + offset].reset = reset(lit);
                }
            }
        }
        let states = prepared.states().map(|s| (s.var, s.next, true));
        let inputs = prepared.inputs.iter().map(|&var| (var, None, false));
        for (var, next, is_state) in states.chain(inputs) {
            let Some(&first) = self.first_latch.get(&var) else { continue };
            let bits = match (next, is_state) {
                (Some(next), _) => self.blast(next)?,
                (None, true) => self.undriven(|it| it.input_bits(var, Moment::Next)),
                (None, false) => self.input_bits(var, Moment::Next),
            };
            for (offset, lit) in bits.into_iter().enumerate() {
                self.circuit.latches[first + offset].next = lit;
            }
        }
        for &constraint in &prepared.constraints {
            let lit = self.blast(constraint)?[0];
            if lit != Lit::TRUE {
                self.circuit.constraints.push(lit);
            }
        }
        self.circuit.bad = self.blast(prepared.bad)?[0];
        Ok(())
    }

    fn blast(&mut self, term: Term) -> Result<Vec<Lit>, BlastError> {
        let terms = &self.prepared.system.terms;
        self.blaster.blast(terms, &mut self.circuit.aig, term).map(|bits| bits.to_vec())
    }
}

fn reset(lit: Lit) -> Reset {
    match lit {
        Lit::FALSE => Reset::Const(false),
        Lit::TRUE => Reset::Const(true),
        lit => Reset::Function(lit),
    }
}
