//! Who wants to know what happens while a check goes on.

use wedge_engines::Figures;

/// Looks on. All methods do nothing by default.
pub trait Observer {
    /// Called every few milliseconds; `engines` tells which engines are at work and how far they are.
    fn working(&mut self, _engines: &dyn Fn() -> Vec<Working>) {}
    /// Something happened that a user should know at once.
    fn message(&mut self, _text: &str) {}
}

/// An engine at work.
pub struct Working {
    pub engine: String,
    /// What its bound counts.
    pub counts: &'static str,
    pub figures: Figures,
    pub phase: Phase,
    /// How long it has had a processor.
    pub seconds: f64,
    /// In bytes; none for a thread among others.
    pub memory: Option<u64>,
}

/// What an engine does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// It looks for an answer.
    Searching,
    /// It has an answer, and its evidence is being checked.
    Checking,
}

impl Phase {
    pub fn new(is_checking: bool) -> Phase {
        if is_checking { Phase::Checking } else { Phase::Searching }
    }
}

/// Sees nothing.
pub struct Silent;

impl Observer for Silent {}
