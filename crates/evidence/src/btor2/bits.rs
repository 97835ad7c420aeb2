//! A word-level system as a machine over bits.
//!
//! Unlike the lowering that engines use, nothing is simplified or left out here: every variable
//! that plays a role keeps all its bits, so that two systems can share them. Arrays have one word
//! per element.

use crate::machine::{Machine, Register};
use crate::rejection::Rejection;
use crate::simulation::Source;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::blast::Limits;
use wedge_logic::{Aig, BlastError, Blaster, Lit, Term};
use wedge_model::{State, System};

pub(super) struct WordMachine {
    aig: Aig,
    inputs: Vec<Lit>,
    registers: Vec<Register>,
    constraints: Vec<Lit>,
    bad: Lit,
    /// The first bit of each variable.
    places: FxHashMap<Term, Source>,
}

impl WordMachine {
    /// The machine in which one of `bads` must not hold, and in which the states that are `kept`
    /// follow their init and next; other states may take any value in any step.
    pub fn new(
        system: &System,
        bads: &[Term],
        kept: &FxHashSet<Term>,
        limits: Limits,
    ) -> Result<WordMachine, Rejection> {
        let mut bits = Bits::new(system, limits);
        bits.declare(bads, kept)?;
        bits.define(bads, kept)?;
        Ok(bits.machine)
    }

    pub fn machine(&self) -> Machine<'_> {
        Machine {
            aig: &self.aig,
            inputs: self.inputs.clone(),
            registers: self.registers.clone(),
            constraints: self.constraints.clone(),
            bad: self.bad,
        }
    }

    /// The first bit of a variable, `None` if it plays no role.
    pub fn place(&self, var: Term) -> Option<Source> {
        self.places.get(&var).copied()
    }
}

struct Bits<'a> {
    system: &'a System,
    limits: Limits,
    blaster: Blaster,
    machine: WordMachine,
}

impl<'a> Bits<'a> {
    fn new(system: &'a System, limits: Limits) -> Bits<'a> {
        let machine = WordMachine {
            aig: Aig::new(),
            inputs: Vec::new(),
            registers: Vec::new(),
            constraints: Vec::new(),
            bad: Lit::FALSE,
            places: FxHashMap::default(),
        };
        Bits { system, limits, blaster: Blaster::new(limits), machine }
    }

    /// Gives bits to the kept variables and to those that occur.
    fn declare(&mut self, bads: &[Term], kept: &FxHashSet<Term>) -> Result<(), Rejection> {
        let system = self.system;
        let mut roots = system.constraints.clone();
        roots.extend(bads);
        roots.extend(kept_states(system, kept).flat_map(|s| [s.init, s.next]).flatten());
        let mut needed: FxHashSet<Term> = system.terms.free_vars(&roots).into_iter().collect();
        needed.extend(kept);
        self.check_size(&needed)?;
        for &var in system.inputs.iter().filter(|var| needed.contains(var)) {
            let first = Source::Input(self.machine.inputs.len());
            let bits = self.fresh(var);
            self.machine.inputs.extend(&bits);
            self.machine.places.insert(var, first);
        }
        for state in system.states.iter().filter(|state| needed.contains(&state.var)) {
            let first = Source::Register(self.machine.registers.len());
            let register = |state| Register { state, next: None, reset: None };
            let bits = self.fresh(state.var);
            self.machine.registers.extend(bits.into_iter().map(register));
            self.machine.places.insert(state.var, first);
        }
        Ok(())
    }

    fn fresh(&mut self, var: Term) -> Vec<Lit> {
        let count = self.system.terms.sort(var).bits();
        let bits: Vec<Lit> = (0..count).map(|_| self.machine.aig.add_input()).collect();
        self.blaster.bind(&self.system.terms, var, &bits);
        bits
    }

    fn check_size(&self, needed: &FxHashSet<Term>) -> Result<(), BlastError> {
        let mut total = 0u64;
        for &var in needed {
            let sort = self.system.terms.sort(var);
            if sort.is_array() && sort.bits() > self.limits.array_bits {
                let name = self.system.name(var).to_string();
                return Err(BlastError::ArrayTooLarge { name, bits: sort.bits() });
            }
            total = total.saturating_add(sort.bits());
        }
        match total.saturating_mul(2) > self.limits.nodes {
            true => Err(BlastError::TooManyNodes { limit: self.limits.nodes }),
            false => Ok(()),
        }
    }

    fn define(&mut self, bads: &[Term], kept: &FxHashSet<Term>) -> Result<(), BlastError> {
        for state in kept_states(self.system, kept) {
            let Some(Source::Register(first)) = self.machine.place(state.var) else { continue };
            if let Some(init) = state.init {
                for (offset, lit) in self.blast(init)?.into_iter().enumerate() {
                    self.machine.registers[first + offset].reset = Some(lit);
                }
            }
            if let Some(next) = state.next {
                for (offset, lit) in self.blast(next)?.into_iter().enumerate() {
                    self.machine.registers[first + offset].next = Some(lit);
                }
            }
        }
        for &constraint in &self.system.constraints {
            let bits = self.blast(constraint)?;
            self.machine.constraints.extend(bits);
        }
        let mut lits = Vec::new();
        for &bad in bads {
            lits.extend(self.blast(bad)?);
        }
        self.machine.bad = self.machine.aig.or_all(&lits);
        Ok(())
    }

    fn blast(&mut self, term: Term) -> Result<Vec<Lit>, BlastError> {
        let terms = &self.system.terms;
        self.blaster.blast(terms, &mut self.machine.aig, term).map(|bits| bits.to_vec())
    }
}

fn kept_states<'a>(system: &'a System, kept: &FxHashSet<Term>) -> impl Iterator<Item = &'a State> {
    system.states.iter().filter(|state| kept.contains(&state.var))
}
