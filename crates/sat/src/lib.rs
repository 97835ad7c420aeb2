//! Propositional reasoning: CaDiCaL sessions, their recorded resolution proofs, and what can be
//! computed from a proof.
//!
//! Literals of this crate are DIMACS integers: a variable is a positive number, its negation the
//! negative one; only the [`light`] solver, made for speed, has its own. This crate knows clauses
//! and and-inverter graphs, but no terms and no transition systems.

pub mod bweak;
pub mod check;
pub mod gates;
pub mod growing;
pub mod interpolate;
pub mod light;
pub mod light_session;
pub mod proof;
pub mod random;
pub mod refutation;
pub mod session;
pub mod sweep;

pub use interpolate::{InterpolationSystem, Interpolator, Label};
pub use light_session::LightSession;
pub use proof::{ClauseId, Proof, ProofError};
pub use session::{Answer, Interrupt, Session, Sink};
