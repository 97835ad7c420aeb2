//! Interpolants over terms: why a sequence of parts is infeasible.
//!
//! The parts (edges or blocks of a path, or any terms) are encoded into one recording session,
//! each in a partition of its own; they share the bits of their variables and nothing else. From
//! one refutation comes the interpolant of every cut (Vizel and Grumberg, FMCAD 2009), a formula
//! over the variables that both sides mention ([`proof`]); what the refutation does not need is left
//! out before ([`needed`]). As the proof is one over bits, so is the
//! formula; where facts about words are interpolants, too, they replace it ([`crate::words`]). An array is
//! spoken of by its elements at indices that both sides mention: lemmas about arrays belong to a
//! part that mentions all they speak of. Where there is no such part, there may be no interpolant
//! without quantifiers: then strongest postconditions are tried ([`posts`]), and if their
//! quantifiers cannot be removed, the answer is unknown.

mod needed;
mod parts;
mod posts;
mod proof;

use crate::solver::Why;
use crate::words;
use std::fmt;
use std::time::Instant;
use wedge_logic::{Term, TermStore, Value};
pub use wedge_sat::InterpolationSystem;
use wedge_sat::{Interrupt, ProofError};

/// How interpolants are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interpolation {
    pub system: InterpolationSystem,
    pub method: Method,
    /// Whether facts about words replace formulas over bits where they can.
    pub lift: bool,
}

impl Default for Interpolation {
    fn default() -> Interpolation {
        Interpolation {
            system: InterpolationSystem::McMillan,
            method: Method::Sequence,
            lift: true,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// All cuts of one proof.
    Sequence,
    /// From the first cut to the last: Iₖ₊₁ interpolates Iₖ ∧ partₖ and the rest.
    Forward,
    /// From the last cut to the first: Iₖ interpolates the parts before and partₖ ∧ ¬Iₖ₊₁.
    Backward,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The parts can hold together, with these values of their variables.
    Feasible(Vec<(Term, Value)>),
    /// I₀ = true, I₁, …, Iₙ = false with Iₖ ∧ partₖ → Iₖ₊₁; each over variables that occur both
    /// before and after its cut.
    Sequence(Vec<Term>),
    Unknown(Reason),
}

/// Why there are no interpolants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    Solver(Why),
    /// The refutation needs a fact about arrays that no part can state by itself.
    Mixed,
    /// The proof cannot be read.
    Proof(ProofError),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Reason::Solver(why) => write!(f, "{why}"),
            Reason::Mixed => write!(f, "the refutation relates array elements of different parts"),
            Reason::Proof(error) => write!(f, "{error}"),
        }
    }
}

/// Interpolants for parts that cannot hold together.
///
/// Ensures: a sequence has one element more than there are parts, is inductive, and each element
/// has only variables that occur on both sides of its cut.
pub fn interpolants(
    store: &mut TermStore,
    parts: &[Term],
    how: &Interpolation,
    interrupt: &Interrupt,
) -> Outcome {
    let start = Instant::now();
    let parts = &needed::needed(store, parts, interrupt)[..];
    let outcome = match how.method {
        Method::Sequence => proof::sequence(store, parts, how.system, interrupt),
        Method::Forward => forward(store, parts, how.system, interrupt),
        Method::Backward => backward(store, parts, how.system, interrupt),
    };
    let outcome = match outcome {
        Outcome::Unknown(Reason::Mixed) => posts::sequence(store, parts, interrupt),
        outcome => outcome,
    };
    match outcome {
        Outcome::Sequence(sequence) if how.lift => {
            let proof = start.elapsed();
            Outcome::Sequence(words::terms::sequence(store, parts, sequence, proof, interrupt))
        }
        outcome => outcome,
    }
}

fn forward(
    store: &mut TermStore,
    parts: &[Term],
    system: InterpolationSystem,
    interrupt: &Interrupt,
) -> Outcome {
    let mut sequence = vec![store.bool(true)];
    for cut in 1..parts.len() {
        let before = store.and(sequence[cut - 1], parts[cut - 1]);
        let after = store.and_all(&parts[cut..]);
        match proof::sequence(store, &[before, after], system, interrupt) {
            Outcome::Sequence(three) => sequence.push(three[1]),
            other => return other,
        }
    }
    closing(store, parts, sequence, system, interrupt)
}

/// The last step of a forward sequence, or the whole answer if there is a single part.
fn closing(
    store: &mut TermStore,
    parts: &[Term],
    mut sequence: Vec<Term>,
    system: InterpolationSystem,
    interrupt: &Interrupt,
) -> Outcome {
    if parts.len() < 2 {
        return proof::sequence(store, parts, system, interrupt);
    }
    sequence.push(store.bool(false));
    Outcome::Sequence(sequence)
}

fn backward(
    store: &mut TermStore,
    parts: &[Term],
    system: InterpolationSystem,
    interrupt: &Interrupt,
) -> Outcome {
    let mut sequence = vec![store.bool(false)];
    for cut in (1..parts.len()).rev() {
        let before = store.and_all(&parts[..cut]);
        let beyond = store.not(sequence[sequence.len() - 1]);
        let after = store.and(parts[cut], beyond);
        match proof::sequence(store, &[before, after], system, interrupt) {
            Outcome::Sequence(three) => sequence.push(three[1]),
            other => return other,
        }
    }
    if parts.len() < 2 {
        return proof::sequence(store, parts, system, interrupt);
    }
    sequence.push(store.bool(true));
    sequence.reverse();
    Outcome::Sequence(sequence)
}
