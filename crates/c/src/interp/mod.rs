//! A concrete interpreter of typed programs, independent of every encoder.
//!
//! It runs a program on byte-accurate memory, with inputs that an [`Oracle`] supplies, and tells
//! how the run ended. Alarms are believed only if they replay here.
//!
//! Memory consists of separate objects. A pointer is an address together with the object it was
//! derived from; arithmetic that leaves the object does not reach another one, and every access
//! must stay inside a living object. Integers made from pointers keep the object until they are
//! computed with; then a pointer made from the number alone refers to the object at that address.
//! Calls do not use the stack of the host, so recursion is limited by memory only.
//!
//! Choices where C leaves them: see [`crate::typed`]. A function without a body follows its
//! [`FunctionModel`](crate::library::FunctionModel), or else returns an arbitrary value and does nothing.

mod access;
mod calls;
mod detail;
mod eval;
mod exec;
mod foreign;
mod frame;
mod havoc;
mod leaks;
mod leap;
mod memory;
mod models;
mod oracle;
mod outcome;
mod outside;
mod places;
mod seen;
mod snapshot;
mod trace;
mod unspecified;
mod value;

pub use exec::{Experience, Limits, Run, run, run_again};
pub use frame::register_candidates;
pub use memory::{Origin, Placement};
pub use oracle::{Answer, Birth, Choice, ChoiceKind, Havocked, Inputs, Life, Oracle, Snapshot};
pub use outcome::{Outcome, Undefined};
pub use outside::{Outer, Outside};
pub use seen::{Arguments, Calls, Seen};
pub use trace::{Event, Trace};
