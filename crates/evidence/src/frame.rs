//! One step of a machine inside a larger graph.
//!
//! Every condition is written as one graph over the variables of up to four frames. What a
//! condition asserts of a variable is substituted where possible (constant resets, next-state
//! functions), so structural hashing decides what is obvious before a solver is asked.

use crate::machine::Machine;
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

pub(crate) struct Frame<'m, 'a> {
    machine: &'m Machine<'a>,
    pub registers: Vec<Lit>,
    /// What stands for each input of the machine's graph.
    sources: Vec<Lit>,
}

impl<'m, 'a> Frame<'m, 'a> {
    /// A step in which the machine's inputs and registers have the given literals.
    pub fn new(machine: &'m Machine<'a>, inputs: &[Lit], registers: Vec<Lit>) -> Frame<'m, 'a> {
        let mut sources = vec![Lit::FALSE; machine.aig.num_inputs()];
        let states = machine.registers.iter().map(|register| register.state);
        let own = machine.inputs.iter().copied().chain(states);
        for (lit, &image) in own.zip(inputs.iter().chain(&registers)) {
            if let Node::Input(index) = machine.aig.node(lit.node()) {
                sources[index as usize] = image;
            }
        }
        Frame { machine, registers, sources }
    }

    /// A step with new variables for inputs and registers.
    pub fn any(aig: &mut Aig, machine: &'m Machine<'a>) -> Frame<'m, 'a> {
        let inputs = fresh(aig, machine.inputs.len());
        let registers = fresh(aig, machine.registers.len());
        Frame::new(machine, &inputs, registers)
    }

    /// The first step, and what is to be assumed of it.
    pub fn first(aig: &mut Aig, machine: &'m Machine<'a>) -> (Frame<'m, 'a>, Vec<Lit>) {
        let inputs = fresh(aig, machine.inputs.len());
        let constant = |reset: &Lit| reset.is_const();
        let registers = machine
            .registers
            .iter()
            .map(|register| register.reset.filter(constant).unwrap_or_else(|| aig.add_input()));
        let registers = registers.collect();
        let frame = Frame::new(machine, &inputs, registers);
        let all: Vec<usize> = (0..machine.registers.len()).collect();
        let resets = frame.resets(aig, &all);
        (frame, resets)
    }

    /// The step after `previous`.
    pub fn after(aig: &mut Aig, previous: &Frame<'m, 'a>) -> Frame<'m, 'a> {
        let inputs = fresh(aig, previous.machine.inputs.len());
        let registers = previous.nexts(aig);
        Frame::new(previous.machine, &inputs, registers)
    }

    /// Copies of the cones of `lits`.
    fn image(&self, aig: &mut Aig, lits: &[Lit]) -> Vec<Lit> {
        self.machine.aig.copy_into(aig, lits, &self.sources)
    }

    pub fn bad(&self, aig: &mut Aig) -> Lit {
        self.image(aig, &[self.machine.bad])[0]
    }

    pub fn constraints(&self, aig: &mut Aig) -> Vec<Lit> {
        self.image(aig, &self.machine.constraints)
    }

    /// The values of all registers in the next step, a new variable where any is possible.
    pub fn nexts(&self, aig: &mut Aig) -> Vec<Lit> {
        let nexts: Vec<Lit> =
            self.machine.registers.iter().map(|r| r.next.unwrap_or(Lit::FALSE)).collect();
        let mut nexts = self.image(aig, &nexts);
        for (next, register) in nexts.iter_mut().zip(&self.machine.registers) {
            if register.next.is_none() {
                *next = aig.add_input();
            }
        }
        nexts
    }

    /// That each of these registers has its reset value.
    pub fn resets(&self, aig: &mut Aig, registers: &[usize]) -> Vec<Lit> {
        let reset = |&index: &usize| {
            let reset = self.machine.registers[index].reset?;
            Some((self.registers[index], reset))
        };
        let (states, resets): (Vec<Lit>, Vec<Lit>) = registers.iter().filter_map(reset).unzip();
        let resets = self.image(aig, &resets);
        states.into_iter().zip(resets).map(|(state, reset)| aig.iff(state, reset)).collect()
    }
}

pub(crate) fn fresh(aig: &mut Aig, count: usize) -> Vec<Lit> {
    (0..count).map(|_| aig.add_input()).collect()
}
