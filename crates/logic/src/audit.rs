//! Checks of whole structures that are too dear for every run: terms, automata, interpolants.
//!
//! They are on in debug builds, and a test of an optimised build may turn them on for its process.
//! A check that fails is a bug of this program and panics.

use std::sync::atomic::{AtomicBool, Ordering};

static ON: AtomicBool = AtomicBool::new(cfg!(debug_assertions));

/// Whether such checks are made.
pub fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Makes them from now on, in this process.
pub fn turn_on() {
    ON.store(true, Ordering::Relaxed);
}
