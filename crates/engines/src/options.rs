//! What the user can set about engines.
//!
//! An option of an engine is one value: its name, what it takes, its help and what it sets. The
//! registry lists for each engine the options that it reads, and the command line is made of that.

mod general;
mod paths;
mod pdr;

pub use general::*;
pub use paths::*;
pub use pdr::*;

use crate::auxiliary::Auxiliary;
use crate::cut::Stride;
use crate::imc::{Direction, Reuse};
use crate::paths::PathConfig;
use crate::pdr::{CtgLimits, PdrConfig};
use crate::reduction::Reduce;
use std::collections::BTreeMap;
use std::sync::Arc;
use wedge_model::Words;
use wedge_sat::InterpolationSystem;

/// The settings of all engines; each reads what concerns it.
#[derive(Clone, Debug)]
pub struct Options {
    pub max_bound: Option<usize>,
    /// States that are explored.
    pub max_states: Option<usize>,
    pub simple_path: bool,
    /// Unroll with latches merged that are alike.
    pub sweep: bool,
    /// Only paths on which what the model leaves open is 0.
    pub zero: bool,
    pub direction: Option<Direction>,
    pub system: Option<InterpolationSystem>,
    pub stride: Option<Stride>,
    pub inductive_check: bool,
    pub simplify: bool,
    pub smallest: bool,
    pub reduce: Option<Reduce>,
    pub reuse: Option<Reuse>,
    pub ahead: bool,
    pub check_interpolants: bool,
    /// Lift interpolants to the words of the circuit.
    pub lift: bool,
    /// The words of the circuit that is run on, where they are needed.
    pub words: Option<Arc<Words>>,
    pub b_weak: bool,
    pub push: bool,
    pub incremental: bool,
    pub generalize: bool,
    pub pdr: PdrConfig,
    /// The limits of `--ctg always`.
    pub ctg_limits: CtgLimits,
    pub paths: PathConfig,
    /// Facts about the circuit that is run on.
    pub auxiliary: Auxiliary,
    /// What engines from outside of this crate are told, by the name of their option.
    pub others: BTreeMap<&'static str, String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            max_bound: None,
            max_states: None,
            simple_path: false,
            sweep: false,
            zero: false,
            direction: None,
            system: None,
            stride: None,
            inductive_check: true,
            simplify: true,
            smallest: false,
            reduce: None,
            reuse: None,
            ahead: true,
            check_interpolants: false,
            lift: false,
            words: None,
            b_weak: true,
            push: true,
            incremental: true,
            generalize: true,
            pdr: PdrConfig::default(),
            ctg_limits: CtgLimits { max: 3, depth: 1 },
            paths: PathConfig::default(),
            auxiliary: Auxiliary::default(),
            others: BTreeMap::new(),
        }
    }
}

/// A word that an option may be followed by, and what it sets.
pub type Word = (&'static str, fn(&mut Options));

/// What follows the name of an option, and what it sets.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    Nothing(fn(&mut Options)),
    /// A number or a word; how the help names it.
    Value(&'static str, fn(&mut Options, &str) -> Result<(), String>),
    /// One of these words.
    OneOf(&'static [Word]),
}

/// An option of one or several engines.
#[derive(Debug)]
pub struct EngineOption {
    /// Without the leading dashes.
    pub name: &'static str,
    pub help: &'static str,
    /// What holds if the option is not given, for the help; empty if there is nothing to say.
    pub default: &'static str,
    pub takes: Takes,
}

impl EngineOption {
    /// An option that takes nothing.
    pub const fn flag(
        name: &'static str,
        help: &'static str,
        set: fn(&mut Options),
    ) -> EngineOption {
        EngineOption { name, help, default: "", takes: Takes::Nothing(set) }
    }

    pub const fn value(
        name: &'static str,
        shown: &'static str,
        help: &'static str,
        set: fn(&mut Options, &str) -> Result<(), String>,
    ) -> EngineOption {
        EngineOption { name, help, default: "", takes: Takes::Value(shown, set) }
    }

    pub const fn one_of(
        name: &'static str,
        help: &'static str,
        words: &'static [Word],
    ) -> EngineOption {
        EngineOption { name, help, default: "", takes: Takes::OneOf(words) }
    }

    pub const fn by_default(self, default: &'static str) -> EngineOption {
        EngineOption { default, ..self }
    }

    /// Sets the option; the text of one that takes nothing is ignored.
    pub fn set(&self, options: &mut Options, text: &str) -> Result<(), String> {
        match self.takes {
            Takes::Nothing(set) => set(options),
            Takes::Value(_, set) => set(options, text)?,
            Takes::OneOf(words) => {
                let known = words.iter().find(|(word, _)| *word == text);
                known.ok_or_else(|| format!("unknown value '{text}'"))?.1(options);
            }
        }
        Ok(())
    }
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a number".to_string())
}
