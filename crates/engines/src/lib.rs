//! The model-checking algorithms, one file each, behind one [`contract`] and in one [`registry`].
//!
//! An engine reads a circuit, an automaton or a program, and never parses, prints or exits. It does
//! not decide what is believed either: an [`Outcome`] is a claim with evidence, and
//! `wedge-evidence`, which shares no code with this crate, checks it.

pub mod ahead;
pub mod automata;
pub mod auxiliary;
pub mod bmc;
pub mod bounds;
pub mod closed;
pub mod cnf_itp;
pub mod contract;
pub mod course;
pub mod cut;
pub mod dar;
pub mod demand;
pub mod execute;
pub mod explicit;
pub mod figures;
pub mod forall;
pub mod houdini;
pub mod images;
pub mod imc;
pub mod impact;
pub mod interp;
pub mod interpolants;
pub mod ismc;
pub mod kind;
pub mod kojak;
pub mod options;
pub mod origins;
pub mod paths;
pub mod pdr;
pub mod predabs;
pub mod preprocess;
pub mod reached;
pub mod recorded;
pub mod reduction;
pub mod registry;
pub mod shares;
pub mod trace;
pub mod unroll;
pub mod words;

pub use contract::{
    AutomatonEngine, AutomatonOutcome, Context, Engine, Insight, Observer, Outcome, ProgramEngine,
    UnknownReason,
};
pub use figures::Figures;
