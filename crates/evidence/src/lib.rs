//! Decides what is believed: a counterexample only if it replays, a proof only if a fresh solver
//! confirms every condition it has to meet.
//!
//! This crate shares no code with the engines, whose claims it checks; a bug in an engine may
//! cost an answer but not yield a wrong one. Its own trusted base is small: and-inverter graphs,
//! one clause encoding and CaDiCaL.

pub mod auxiliary;
pub mod btor2;
pub mod c;
pub mod certificate;
pub mod checked;
pub mod claims;
pub mod cuts;
mod frame;
pub mod induction;
pub mod invariant;
pub mod join;
pub mod lasso;
pub mod machine;
pub mod prefix;
pub mod rejection;
pub mod restate;
mod simplify;
pub mod simulation;
mod solve;
pub mod trace;

pub use auxiliary::check_strengthened_induction;
pub use certificate::{certificate, check_certificate, check_certificate_files};
pub use checked::{Checked, Course, Proof, Run};
pub use cuts::{check_cut_invariants, check_exhausted_automaton};
pub use induction::{check_induction, induction_certificate};
pub use invariant::check_invariant;
pub use join::joined_certificate;
pub use lasso::{check_lasso, check_word_lasso, closed_lasso, closed_word_lasso};
pub use machine::{Machine, Register};
pub use prefix::check_exhaustion;
pub use rejection::{Condition, Rejection};
pub use simulation::{Mapping, Source, check_simulation};
pub use trace::{check_trace, check_witness};
