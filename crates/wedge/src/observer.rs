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
    pub figures: Figures,
}

/// Sees nothing.
pub struct Silent;

impl Observer for Silent {}
