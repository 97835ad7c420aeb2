//! What there is to show. Everything but a [`Page`] itself may come from another process.

use serde::{Deserialize, Serialize};

/// All that a page is made of.
#[derive(Default, Serialize)]
pub struct Page {
    /// The model, by the name of its first file.
    pub file: String,
    pub outcome: Outcome,
    /// The verdict as it is printed.
    pub verdict: String,
    /// What was checked and what came out, as a sentence or two.
    pub sentence: String,
    /// What else belongs to the verdict: engine, evidence, time.
    pub facts: Vec<(String, String)>,
    /// What the verdict takes for granted.
    pub assumed: Vec<String>,
    pub warnings: Vec<String>,
    pub sources: Vec<Source>,
    pub story: Option<Story>,
    pub members: Vec<Member>,
    pub figures: Vec<Group>,
    #[serde(flatten)]
    pub inside: Inside,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    True,
    False,
    #[default]
    Unknown,
}

/// What an engine and a model tell about themselves, as far as each does.
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inside {
    pub invariants: Vec<Invariant>,
    /// The parts of an invariant of a circuit, in its names.
    pub clauses: Vec<String>,
    /// How many parts there are beyond these.
    pub more_clauses: usize,
    pub waveform: Option<Waveform>,
    pub automaton: Option<Graph>,
    /// The abstract reachability graph.
    pub reached: Option<Graph>,
    pub frames: Vec<Frame>,
    pub interpolants: Vec<Interpolant>,
    pub course: Vec<Sample>,
}

/// A file of the model.
#[derive(Clone, Debug, Serialize)]
pub struct Source {
    pub name: String,
    pub text: String,
}

/// A place in one of the [`Source`]s of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Spot {
    /// Counted from 0.
    pub file: usize,
    /// Counted from 1.
    pub line: u32,
}

/// A run of a program, step by step.
#[derive(Clone, Debug, Serialize)]
pub struct Story {
    pub steps: Vec<Step>,
    /// Events before the first step that were not kept.
    pub forgotten: u64,
    /// So many steps are left out after the first ones.
    pub omitted: usize,
    pub omitted_after: usize,
}

#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// None where the place is not in a source of the page.
    pub spot: Option<Spot>,
    pub column: u32,
    pub place: String,
    pub function: String,
    /// How many calls are open.
    pub depth: usize,
    pub kind: StepKind,
    /// What happens, in words.
    pub text: String,
    pub variable: Option<String>,
    pub value: Option<String>,
    /// Whether the variable belongs to the call.
    pub local: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StepKind {
    Call,
    Return,
    Decision,
    Assignment,
    Choice,
    Violation,
}

/// What holds whenever a loop begins an iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Invariant {
    pub spot: Option<Spot>,
    pub place: String,
    pub function: String,
    /// A C expression.
    pub formula: String,
    /// Whether the proof says more than this.
    pub weakened: bool,
}

/// Values of signals, step by step.
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct Waveform {
    pub steps: usize,
    pub signals: Vec<Signal>,
    /// Signals that cannot be drawn, such as memories.
    pub omitted: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    pub name: String,
    pub kind: SignalKind,
    pub width: u32,
    /// The steps with a new value, the first of them 0; values in hexadecimal digits.
    pub changes: Vec<(usize, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignalKind {
    Input,
    State,
    Bad,
}

impl Signal {
    /// A signal with a value in every step, of which the changes are kept.
    pub fn new(
        name: impl Into<String>,
        kind: SignalKind,
        width: u32,
        values: impl Iterator<Item = String>,
    ) -> Signal {
        let mut changes: Vec<(usize, String)> = Vec::new();
        for (step, value) in values.enumerate() {
            if changes.last().is_none_or(|(_, last)| *last != value) {
                changes.push((step, value));
            }
        }
        Signal { name: name.into(), kind, width, changes }
    }
}

/// A directed graph; the first node is where it begins.
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub links: Vec<Link>,
    /// Nodes that are left out, since there are too many.
    pub omitted: usize,
}

#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    pub label: String,
    /// What is known there, or what it is.
    pub detail: String,
    /// Nodes of one group belong together, such as those of a function.
    pub group: String,
    pub spot: Option<Spot>,
    pub kind: NodeKind,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    #[default]
    Plain,
    Entry,
    /// The head of a loop.
    Head,
    Error,
    /// The model ends here, and the program may not.
    Limit,
    Covered,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    pub from: usize,
    pub to: usize,
    pub label: String,
    /// Not a step but a covering.
    pub covers: bool,
}

/// The lemmas that hold up to one frame and not beyond, as far as is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    pub name: String,
    pub lemmas: usize,
    /// Some of them.
    pub shown: Vec<String>,
}

/// An interpolant, in the order in which they were found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interpolant {
    pub bound: usize,
    pub size: u64,
    pub formula: String,
    pub is_fixed_point: bool,
}

/// How far an engine was at some time; all numbers count from the beginning.
#[derive(Clone, Copy, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    pub seconds: f64,
    pub bound: usize,
    pub refinements: u64,
    pub interpolants: usize,
    /// Of all interpolants together, in gates, nodes of terms or clauses.
    pub size: u64,
    pub queries: u64,
}

/// An engine of a portfolio.
#[derive(Clone, Debug, Serialize)]
pub struct Member {
    pub engine: String,
    pub answered: bool,
    pub end: String,
    /// How long it had a processor.
    pub seconds: f64,
    /// From when to when, in seconds since the beginning.
    pub turns: Vec<(f64, f64)>,
    pub note: String,
}

/// Figures that belong together.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    pub name: String,
    pub rows: Vec<Figure>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    pub name: String,
    pub value: String,
    pub unit: String,
}
