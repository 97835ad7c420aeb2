//! How long ago the program was started. A copy of a process was started with it.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

static START: OnceLock<Instant> = OnceLock::new();

/// Says when the program was started; only the first time counts.
pub fn started(at: Instant) {
    let _ = START.set(at);
}

/// The time since then; none if nobody said when.
pub fn since_start() -> Option<Duration> {
    START.get().map(Instant::elapsed)
}
