//! Wedge decides whether an error of a C program or a bad state of a circuit is reachable, and gives
//! evidence that an independent check has accepted.
//!
//! ```
//! use std::time::Duration;
//! use wedge::{Input, Options, Silent, check};
//!
//! let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/arbiter.aag");
//! let options = Options::for_engine("imc").unwrap().within(Duration::from_secs(60));
//! let answer = check(&Input::file(file), &options, &mut Silent).unwrap();
//! assert_eq!(answer.verdict.to_string(), "TRUE");
//! println!("{}: {}", answer.verdict, answer.evidence);
//! ```
//!
//! [`check`] reads a model (C, a task definition, AIGER or BTOR2), lets an engine or the portfolio
//! decide a property, checks the evidence on the model as it was read, and gives an [`Answer`] with
//! the verdict, what it rests on, the figures of the engine and whatever [`Wanted`] asks for: a
//! witness, a certificate, a harness. It prints nothing, starts no process unless it is given a
//! [`Launcher`], and never ends the program. An [`Observer`] can look on.
//!
//! | room | what is there |
//! | --- | --- |
//! | [`input`] | models as files, and the way from them to what engines read |
//! | `decide` | one engine on one property: model, reduce, run, check the evidence |
//! | `efforts` | which model of a program is tried next |
//! | `auxiliary`, `sharing` | invariants from analyses and from other engines |
//! | [`portfolio`] | several engines at once, in threads or in processes |
//! | `notebook` | notes of what an engine finds, for the report |
//! | [`checks`] | every check of a program by itself |
//! | [`mod@certify`] | witnesses of programs, validated |
//! | [`properties`] | every property of a circuit, with shared work |
//! | [`verdict`], [`answer`] | what comes out |

pub mod answer;
mod auxiliary;
pub mod certify;
mod check;
pub mod checks;
mod decide;
mod efforts;
mod explain;
pub mod input;
mod notebook;
pub mod observer;
pub mod options;
pub mod portfolio;
pub mod properties;
mod question;
mod sharing;
mod tuned;
mod vacuity;
pub mod verdict;

pub use answer::Answer;
pub use check::{Input, TASK_KIND, check, check_model, read};
pub use input::{AigerForm, CertifyError, Emission, InputError, LimitsAre, Model, Smt2Form};
pub use observer::{Observer, Phase, Silent, Working};
pub use options::{
    ArrayModel, Choice, Follower, Invariants, Launcher, MemberTask, Members, Options,
    PortfolioOptions, ProgramOptions, ProofStep, Version, Wanted, WitnessFormat,
};
pub use question::Question;
pub use verdict::{Said, Verdict};
pub use wedge_engines::UnknownReason;
