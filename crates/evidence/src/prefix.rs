//! The first steps of all paths, as one graph: what base cases and exhausted paths are about.

use crate::frame::Frame;
use crate::machine::Machine;
use crate::rejection::{Condition, Rejection};
use crate::solve::{Turn, refute_in_turn};
use wedge_logic::{Aig, Lit};
use wedge_model::Circuit;
use wedge_sat::Interrupt;

pub(crate) struct Prefix {
    /// The registers of the first step.
    pub first: Vec<Lit>,
    /// For each step: it goes on a path whose earlier steps are good, and it is not bad.
    pub turns: Vec<Turn>,
}

impl Prefix {
    pub fn new(aig: &mut Aig, machine: &Machine, steps: usize) -> Prefix {
        let (mut frame, resets) = Frame::first(aig, machine);
        let first = frame.registers.clone();
        let mut given = resets;
        let mut turns = Vec::new();
        for step in 0..steps {
            if step > 0 {
                frame = Frame::after(aig, &frame);
            }
            given.extend(frame.constraints(aig));
            let wrong = frame.bad(aig);
            // A path that has been bad needs no continuation.
            turns.push(Turn { given: std::mem::replace(&mut given, vec![!wrong]), wrong });
        }
        Prefix { first, turns }
    }
}

/// Accepts that every path is good and has at most `length` steps:
/// R(s₀) ∧ C₀ ∧ F ∧ C₁ … → ¬bad₀ ∧ … ∧ ¬badₙ₋₁, and R(s₀) ∧ C₀ ∧ F ∧ … ∧ Cₙ is contradictory.
pub fn check_exhaustion(
    circuit: &Circuit,
    length: usize,
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    let machine = Machine::from(circuit);
    let mut aig = Aig::new();
    let mut prefix = Prefix::new(&mut aig, &machine, length + 1);
    // The last step is wrong whether it is bad or not.
    prefix.turns.last_mut().expect("there is a step").wrong = Lit::TRUE;
    refute_in_turn(&aig, &prefix.turns, Condition::Exhaustion, &prefix.first, interrupt)
}
