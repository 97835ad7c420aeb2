//! What one question came to, in a form that can be published or sent to another process.

use crate::question::Question;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use wedge_engines::Figures;
use wedge_evidence::c::Counterexample;
use wedge_report::shown::{Inside, Waveform};

#[derive(Serialize, Deserialize)]
pub struct Answer {
    pub question: Question,
    /// The properties that the counterexample violates, if there is one.
    pub violated: Vec<usize>,
    /// Between processes it goes apart.
    #[serde(skip)]
    pub verdict: Verdict,
    /// What the evidence is, in words.
    pub evidence: String,
    pub figures: Figures,
    pub seconds: f64,
    pub files: Files,
    /// What the answer takes for granted.
    pub notes: Vec<String>,
    /// What the user should know besides: evidence that was rejected, files that cannot be written.
    pub warnings: Vec<String>,
    /// What the model is, by name.
    pub about: Vec<(String, String)>,
    /// The engines of a portfolio; empty for a single engine.
    pub members: Vec<Member>,
    /// The engine did not stop at a limit, and still holds processor and memory.
    pub abandoned: bool,
}

/// What files are made of; only what was asked for is there.
#[derive(Default, Serialize, Deserialize)]
pub struct Files {
    #[serde(skip)]
    pub witness: Option<Vec<u8>>,
    #[serde(skip)]
    pub certificate: Option<Vec<u8>>,
    /// The counterexample of a circuit.
    pub waveform: Option<Waveform>,
    /// The counterexample of a program.
    pub counterexample: Option<Counterexample>,
    /// The same with more steps, for pages.
    pub story: Option<Counterexample>,
    /// What else a report shows.
    pub inside: Option<Box<Inside>>,
    /// The counterexample as a C program.
    pub harness: Option<String>,
}

/// What became of one engine of a portfolio.
#[derive(Serialize, Deserialize)]
pub struct Member {
    pub engine: String,
    pub answered: bool,
    pub end: String,
    /// How long it had a processor.
    pub seconds: f64,
    /// From when to when, in seconds since the beginning.
    pub turns: Vec<(f64, f64)>,
    pub bound: usize,
    /// How often it has learnt from others how far the model is good.
    pub shared_bounds: usize,
    /// How many invariants it has learnt from others.
    pub shared_facts: usize,
}

/// What is said where there is no evidence.
pub const NO_EVIDENCE: &str = "none";

impl Answer {
    /// An answer without evidence or figures.
    pub fn bare(question: Question, verdict: Verdict) -> Answer {
        Answer {
            question,
            violated: Vec::new(),
            verdict,
            evidence: NO_EVIDENCE.into(),
            figures: Figures::default(),
            seconds: 0.0,
            files: Files::default(),
            notes: Vec::new(),
            warnings: Vec::new(),
            about: Vec::new(),
            members: Vec::new(),
            abandoned: false,
        }
    }

    /// The engine of a portfolio that gave the answer.
    pub fn winner(&self) -> Option<&str> {
        self.members.iter().find(|member| member.answered).map(|member| member.engine.as_str())
    }
}
