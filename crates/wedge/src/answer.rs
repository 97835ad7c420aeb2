//! What one property came to, in a form that can be published or sent to another process.

use crate::args::CheckArgs;
use crate::input::InputError;
use crate::report;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::path::Path;
use wedge_engines::Figures;

#[derive(Serialize, Deserialize)]
pub struct Answer {
    pub property: usize,
    /// The name of the property, if the file gives one.
    pub name: Option<String>,
    pub verdict: Verdict,
    /// What the evidence is, in words.
    pub evidence: String,
    pub figures: Figures,
    pub seconds: f64,
    pub files: Files,
    /// What the answer takes for granted.
    pub notes: Vec<String>,
    /// What the model is, by name.
    pub about: Vec<(String, String)>,
    /// The engines of a portfolio; empty for a single engine.
    pub members: Vec<Member>,
}

/// What files are made of; only what the command line asks for is there.
#[derive(Default, Serialize, Deserialize)]
pub struct Files {
    #[serde(skip)]
    pub witness: Option<Vec<u8>>,
    #[serde(skip)]
    pub certificate: Option<Vec<u8>>,
    /// The counterexample as a part of the page.
    pub trace_table: Option<String>,
    /// The counterexample as a story about the source.
    pub story: Option<String>,
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
    pub bound: usize,
    /// How often it has learnt from others how far the model is good.
    pub shared_bounds: usize,
    /// How many invariants it has learnt from others.
    pub shared_facts: usize,
}

impl Answer {
    /// An answer without evidence or figures.
    pub fn bare(property: usize, verdict: Verdict) -> Answer {
        Answer {
            property,
            name: None,
            verdict,
            evidence: report::NO_EVIDENCE.into(),
            figures: Figures::default(),
            seconds: 0.0,
            files: Files::default(),
            notes: Vec::new(),
            about: Vec::new(),
            members: Vec::new(),
        }
    }

    /// The engine of a portfolio that gave the answer.
    pub fn winner(&self) -> Option<&str> {
        self.members.iter().find(|member| member.answered).map(|member| member.engine.as_str())
    }

    /// Files first, then figures, then the verdict as the last line.
    pub fn publish(&self, args: &CheckArgs) -> Result<(), InputError> {
        let files =
            [(&args.witness, &self.files.witness), (&args.certificate, &self.files.certificate)];
        for (path, bytes) in files {
            if let (Some(path), Some(bytes)) = (path, bytes) {
                write(path, bytes)?;
            }
        }
        if let (Some(path), Some(text)) = (&args.harness, &self.files.harness) {
            write(path, text.as_bytes())?;
        }
        if let Some(path) = &args.report {
            write(path, report::page(args, self).as_bytes())?;
        }
        if args.json {
            println!("{}", report::json(args, self));
        }
        if let (Some(story), false) = (&self.files.story, args.json) {
            print!("{story}");
        }
        if args.stats {
            print!("{}", report::figures(self));
        }
        match (&self.name, args.all_properties) {
            (_, false) => println!("{}", self.verdict),
            (Some(name), true) => println!("property {} ({name}): {}", self.property, self.verdict),
            (None, true) => println!("property {}: {}", self.property, self.verdict),
        }
        Ok(())
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), InputError> {
    std::fs::write(path, bytes).map_err(|e| InputError(format!("{}: {e}", path.display())))
}
