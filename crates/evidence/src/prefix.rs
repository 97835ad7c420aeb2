//! The first steps of all paths, as one graph: what base cases and exhausted paths are about.

use crate::failure::{Condition, Failure};
use crate::frame::Frame;
use crate::machine::Machine;
use crate::solve::refute;
use wedge_logic::{Aig, Lit};
use wedge_model::Circuit;
use wedge_sat::Interrupt;

pub(crate) struct Prefix {
    /// The registers of the first step.
    pub first: Vec<Lit>,
    /// For each step: there is a path to it, and it is bad.
    pub bads: Vec<Lit>,
    /// All steps form a path.
    pub path: Lit,
}

impl Prefix {
    pub fn new(aig: &mut Aig, machine: &Machine, steps: usize) -> Prefix {
        let (mut frame, resets) = Frame::first(aig, machine);
        let first = frame.registers.clone();
        let mut path = aig.and_all(&resets);
        let mut bads = Vec::new();
        for step in 0..steps {
            if step > 0 {
                frame = Frame::after(aig, &frame);
            }
            let constraints = frame.constraints(aig);
            let legal = aig.and_all(&constraints);
            path = aig.and(path, legal);
            let bad = frame.bad(aig);
            bads.push(aig.and(path, bad));
            // A path that has been bad needs no continuation.
            path = aig.and(path, !bad);
        }
        Prefix { first, bads, path }
    }
}

/// Accepts that every path is good and has at most `length` steps:
/// R(s₀) ∧ C₀ ∧ F ∧ C₁ … → ¬bad₀ ∧ … ∧ ¬badₙ₋₁, and R(s₀) ∧ C₀ ∧ F ∧ … ∧ Cₙ is contradictory.
pub fn check_exhaustion(
    circuit: &Circuit,
    length: usize,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let machine = Machine::from(circuit);
    let mut aig = Aig::new();
    let prefix = Prefix::new(&mut aig, &machine, length + 1);
    let mut wrong = prefix.bads;
    wrong.push(prefix.path);
    let wrong = aig.or_all(&wrong);
    refute(&aig, &[wrong], Condition::Exhaustion, &prefix.first, interrupt)
}
