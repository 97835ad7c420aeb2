//! Why evidence is not accepted.

use wedge_hw::aiger::AigerError;
use wedge_hw::btor2::Btor2Error;
use wedge_logic::{BitVec, BlastError};
use wedge_model::WordReplayError;
use wedge_model::cfa::{LocationId, Target, TargetKind};
use wedge_model::simulate::ReplayError;

/// What a solver has to confirm. `C` are the constraints, `R` the resets, `F` the transition,
/// `P` the property; in the conditions of a certificate circuit its parts are primed, and `K`
/// are the variables it shares with the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// R ∧ C → Inv
    Initiation,
    /// Inv₀ ∧ C₀ ∧ F ∧ C₁ → Inv₁
    Consecution,
    /// Inv ∧ C → P, or for a certificate C ∧ C' ∧ P' → P
    Safety,
    /// R{K} ∧ C → R'{K} ∧ C'
    Reset,
    /// F{K} ∧ C₀ ∧ C₁ ∧ C'₀ → F'{K} ∧ C'₁
    Transition,
    /// R' ∧ C' → P'
    Base,
    /// F' ∧ C'₀ ∧ C'₁ ∧ P'₀ → P'₁
    Step,
    /// R ∧ C₀ ∧ F ∧ … → P₀ ∧ …, and no path has more steps
    Exhaustion,
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            Condition::Initiation => "initiation",
            Condition::Consecution => "consecution",
            Condition::Safety => "safety",
            Condition::Reset => "reset",
            Condition::Transition => "transition",
            Condition::Base => "base",
            Condition::Step => "step",
            Condition::Exhaustion => "exhaustion",
        })
    }
}

/// Why a claim has not become [`Checked`](crate::Checked).
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Rejection {
    /// The check was interrupted or ran out of time; nothing is known.
    #[error("the check was stopped")]
    Stopped,
    /// The run ends where the model does, for this reason; the program may go on.
    #[error("limit of the model: {name}")]
    Limit { name: String },
    /// The run comes to a call that is not followed; what the program does then is not known.
    #[error("unsupported: {call}")]
    Refused { call: String },
    /// The run needs a function of the library to give a result which it may not have.
    #[error("{call}")]
    Inexact { call: String },
    /// The program does not violate its property with the values of the counterexample.
    #[error("counterexample not confirmed: {0}")]
    Unconfirmed(String),
    /// The condition does not hold. `state` is a counterexample: the latches, in the first of
    /// the steps the condition speaks about, of the circuit (for base and step, of the
    /// certificate).
    #[error("the {condition} condition does not hold")]
    Refuted { condition: Condition, state: Vec<bool> },
    /// The condition does not hold for the runs of an automaton from one location to another.
    /// `state` is a counterexample: values of variables at the first one.
    #[error("the {condition} condition does not hold from location {} to {}", from.0, to.0)]
    RefutedAt {
        condition: Condition,
        from: LocationId,
        to: LocationId,
        state: Vec<(String, BitVec)>,
    },
    /// The automaton of a program reaches this, and its only run does not.
    #[error("the automaton reaches {target}, the program does not")]
    Contradicted { target: String },
    /// The trace of a circuit is no counterexample.
    #[error("{0}")]
    Replay(#[from] ReplayError),
    /// The trace of a word-level model is no counterexample.
    #[error("{0}")]
    WordReplay(#[from] WordReplayError),
    /// The evidence does not fit the model.
    #[error("{0}")]
    Malformed(String),
    /// The models do not fit into the limits on bits; nothing is known.
    #[error("{0}")]
    TooLarge(#[from] BlastError),
    #[error("{0}")]
    File(#[from] AigerError),
    #[error("{0}")]
    WordFile(#[from] Btor2Error),
}

impl Rejection {
    /// The condition that does not hold, if that is what failed.
    pub fn condition(&self) -> Option<Condition> {
        match self {
            Rejection::Refuted { condition, .. } | Rejection::RefutedAt { condition, .. } => {
                Some(*condition)
            }
            _ => None,
        }
    }
}

impl Rejection {
    /// Of a run that ends where the model does.
    pub(crate) fn of_end(target: &Target) -> Rejection {
        let name = target.name.clone();
        match target.kind {
            TargetKind::Refused => Rejection::Refused { call: name },
            TargetKind::Limit | TargetKind::Error => Rejection::Limit { name },
        }
    }
}
