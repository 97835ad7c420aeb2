//! Evidence that has passed its check, and what it is in words.

use wedge_c::interp::Answer;
use wedge_model::cfa::{CutInvariants, Run};
use wedge_model::{Predicate, Trace};

/// Evidence that has passed its check, on the model as read.
pub enum Evidence {
    Invariant(Predicate),
    /// Where the facts hold, if there are any; they are inductive.
    Induction {
        k: usize,
        simple_path: bool,
        facts: Option<Predicate>,
    },
    /// No path has more steps.
    Exhaustion {
        length: usize,
    },
    /// A formula for each cut point of the automaton.
    Invariants(CutInvariants),
    Trace(Trace),
    /// A run of the automaton.
    Run(Run),
    /// The error was reached by an execution of so many steps with these values, and again when it
    /// was replayed.
    Execution {
        steps: u64,
        answers: Vec<Answer>,
    },
    /// There is only one run, without an error, in the interpreter and on the automaton.
    OnlyRun {
        steps: u64,
        edges: u64,
    },
}

impl Evidence {
    /// Whether it is a counterexample.
    pub fn is_violation(&self) -> bool {
        matches!(self, Evidence::Trace(_) | Evidence::Run(_) | Evidence::Execution { .. })
    }

    pub fn in_words(&self) -> String {
        match self {
            Evidence::Invariant(invariant) => {
                format!("inductive invariant with {} AND gates, checked", invariant.aig.num_ands())
            }
            Evidence::Induction { k, simple_path, facts } => {
                let paths = if *simple_path { " on simple paths" } else { "" };
                let facts = facts.as_ref().map_or(String::new(), |facts| {
                    format!(" with auxiliary invariants of {} AND gates", facts.aig.num_ands())
                });
                format!("{k}-induction{paths}{facts}, checked")
            }
            Evidence::Exhaustion { length } => {
                format!("every path ends within {length} steps, checked")
            }
            Evidence::Invariants(proof) => {
                format!("invariants at {} cut points, checked", proof.invariants.len())
            }
            Evidence::Trace(trace) => {
                format!("counterexample with {} steps, replayed", trace.inputs.len())
            }
            Evidence::Run(run) => {
                format!("run with {} edges of the automaton, replayed", run.edges.len())
            }
            Evidence::Execution { steps, answers } => {
                let count = answers.len();
                format!("execution of {steps} steps with {count} chosen values, replayed")
            }
            Evidence::OnlyRun { steps, edges } => format!(
                "the only run ends without an error after {steps} steps, \
                 confirmed by {edges} steps of the automaton"
            ),
        }
    }
}
