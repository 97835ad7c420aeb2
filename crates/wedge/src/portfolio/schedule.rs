//! Which engines run, and for how much of the time.
//!
//! Each engine has a share. Whenever the schedule is consulted, the engines that are furthest
//! behind their share run; engines with equal claims go in the order of the plan. An engine can
//! use one core at most, so with two cores and half of all shares the first one runs all the
//! time, and the others take turns on the second core.

use std::time::Duration;
use wedge_engines::registry;

/// One line of the plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    pub engine: &'static str,
    pub share: f64,
}

/// The circuits' engines with their shares.
const PLAN: &[Entry] = &[
    Entry { engine: "pdr", share: 6.0 },
    Entry { engine: "bmc", share: 2.0 },
    Entry { engine: "imc", share: 2.0 },
    Entry { engine: "kind", share: 1.0 },
    Entry { engine: "cnf-itp", share: 2.0 },
    Entry { engine: "dar", share: 1.0 },
    Entry { engine: "ismc", share: 1.0 },
];

/// The entries whose engines exist in this build.
pub fn plan() -> Vec<Entry> {
    PLAN.iter().filter(|entry| registry::find(entry.engine).is_some()).copied().collect()
}

/// What the schedule has to know about an engine that can run.
#[derive(Clone, Copy)]
pub struct Claim {
    pub index: usize,
    pub share: f64,
    /// How long it has run.
    pub used: Duration,
}

/// The engines that run next, at most `cores`.
pub fn pick(mut claims: Vec<Claim>, cores: usize) -> Vec<usize> {
    let behind = |claim: &Claim| claim.used.as_secs_f64() / claim.share;
    claims.sort_by(|a, b| behind(a).total_cmp(&behind(b)).then(a.index.cmp(&b.index)));
    claims.truncate(cores);
    claims.iter().map(|claim| claim.index).collect()
}

/// How long a choice stands: short at first, when many tasks are decided, longer later.
pub fn turn(elapsed: Duration) -> Duration {
    (elapsed / 10).clamp(Duration::from_millis(50), Duration::from_secs(1))
}
