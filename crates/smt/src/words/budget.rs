//! How much lifting may cost: a share of the time of whoever lifts.

use super::set::Effort;
use std::time::{Duration, Instant};

/// Seconds that are granted at first.
const ADVANCE: f64 = 0.5;
/// The share of the time since the start that may be spent, and after many failures.
const SHARE: f64 = 0.5;
const LOW_SHARE: f64 = 0.1;
/// Failures in a row after which the share is low.
const FAILURES: usize = 12;
/// Seconds for one interpolant.
const LONGEST: f64 = 2.0;
const SHORTEST: f64 = 0.02;
const CONFLICTS: i32 = 4000;

pub(super) struct Budget {
    start: Instant,
    spent: f64,
    /// Failures since the last success.
    failures: usize,
}

impl Budget {
    pub fn new() -> Budget {
        Budget { start: Instant::now(), spent: 0.0, failures: 0 }
    }

    fn left(&self) -> f64 {
        let share = if self.failures < FAILURES { SHARE } else { LOW_SHARE };
        ADVANCE + share * self.start.elapsed().as_secs_f64() - self.spent
    }

    pub fn is_left(&self) -> bool {
        self.left() > SHORTEST
    }

    /// What may be spent on the next interpolant.
    pub fn effort(&self) -> Option<Effort> {
        let time = Duration::from_secs_f64(self.left().clamp(SHORTEST, LONGEST));
        self.is_left().then(|| Effort { deadline: Instant::now() + time, conflicts: CONFLICTS })
    }

    pub fn spend(&mut self, seconds: f64, success: bool) {
        self.spent += seconds;
        self.failures = if success { 0 } else { self.failures + 1 };
    }
}
