//! Evidence that has passed its check, and what it is in words.

use crate::verdict::Verdict;
use wedge_c::interp::Answer;
use wedge_evidence::{Checked, Course, Proof, Run};
use wedge_model::{Trace, cfa};

/// What a verdict rests on.
pub enum Evidence {
    Proof(Checked<Proof>),
    Run(Checked<Run>),
}

impl Evidence {
    pub fn verdict(&self) -> Verdict {
        match self {
            Evidence::Proof(proof) => proof.into(),
            Evidence::Run(run) => run.into(),
        }
    }

    pub fn is_violation(&self) -> bool {
        matches!(self, Evidence::Run(_))
    }

    pub fn proof(&self) -> Option<&Proof> {
        match self {
            Evidence::Proof(proof) => Some(proof),
            Evidence::Run(_) => None,
        }
    }

    fn course(&self) -> Option<&Course> {
        match self {
            Evidence::Run(run) => Some(&run.course),
            Evidence::Proof(_) => None,
        }
    }

    /// The path of the circuit as read, if it is one.
    pub fn trace(&self) -> Option<&Trace> {
        match self.course()? {
            Course::Trace(trace) => Some(trace),
            _ => None,
        }
    }

    /// The run of the automaton, if it is one.
    pub fn path(&self) -> Option<&cfa::Run> {
        match self.course()? {
            Course::Path(run) => Some(run),
            _ => None,
        }
    }

    /// The answers that an execution was given and its length, if it is one.
    pub fn execution(&self) -> Option<(&[Answer], u64)> {
        match self.course()? {
            Course::Execution { answers, steps } => Some((answers, *steps)),
            _ => None,
        }
    }

    pub fn in_words(&self) -> String {
        match self {
            Evidence::Proof(proof) => proof_in_words(proof),
            Evidence::Run(run) => match &run.course {
                Course::Trace(trace) => {
                    format!("counterexample with {} steps, replayed", trace.inputs.len())
                }
                Course::Path(run) => {
                    format!("run with {} edges of the automaton, replayed", run.edges.len())
                }
                Course::Execution { answers, steps } => {
                    let count = answers.len();
                    format!("execution of {steps} steps with {count} chosen values, replayed")
                }
            },
        }
    }
}

fn proof_in_words(proof: &Proof) -> String {
    match proof {
        Proof::Invariant(invariant) => {
            format!("inductive invariant with {} AND gates, checked", invariant.aig.num_ands())
        }
        Proof::Induction { k, simple_path, facts } => {
            let paths = if *simple_path { " on simple paths" } else { "" };
            let facts = facts.as_ref().map_or(String::new(), |facts| {
                format!(" with auxiliary invariants of {} AND gates", facts.aig.num_ands())
            });
            format!("{k}-induction{paths}{facts}, checked")
        }
        Proof::Exhaustion { length } => format!("every path ends within {length} steps, checked"),
        Proof::Invariants(proof) => {
            format!("invariants at {} cut points, checked", proof.invariants.len())
        }
        Proof::Quantified(proof) => {
            let count = proof.invariants.len();
            format!("quantified invariants at {count} cut points, checked")
        }
        Proof::OnlyRun { steps, edges } => format!(
            "the only run ends without an error after {steps} steps, \
             confirmed by {edges} steps of the automaton"
        ),
    }
}
