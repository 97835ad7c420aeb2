//! The first run, which may be the only one.
//!
//! A run that is asked nothing goes on until it ends, however long that takes. The interpreter may take
//! whole loops in one step and is slow where it cannot; the swift machine is quick and takes every step.
//! So both are tried in turn, from the start and for longer each time. What the swift machine says
//! counts only if the run ends without an error: the automaton of the program is run
//! again for the evidence. Everything else is for the interpreter to find.

use super::guide::Guide;
use super::values::Style;
use super::{Attempt, Finding, Search};
use crate::interp::Outcome;

/// Steps of the interpreter before the swift machine is tried, and what they grow by.
const TRIAL: u64 = 1 << 18;
const GROWTH: u64 = 8;
/// The swift machine makes so many steps in the time of one.
const SWIFTER: u64 = 10;

impl Search<'_> {
    /// A run that answers 0 to every question; also what follows if it is the only one.
    pub(super) fn first(&mut self, limit: u64) -> (Attempt, Option<Finding>) {
        let mut patience = TRIAL;
        loop {
            let is_swift = self.swift.as_ref().is_some_and(|swift| swift.is_closed());
            self.patience = if is_swift && !self.benign { patience } else { u64::MAX };
            let (attempt, only) = self.interpret(&[], Style::Constant(0), limit);
            let is_cut = attempt.outcome == Outcome::StepLimit && attempt.work >= self.patience;
            self.patience = u64::MAX;
            if only.is_none() || !is_cut || self.is_stopped() {
                return (attempt, only);
            }
            let has_leaps = attempt.steps > attempt.work;
            let steps = if has_leaps { patience.saturating_mul(SWIFTER) } else { u64::MAX };
            match self.swiftly_to_the_end(limit, steps) {
                Course::Ended(finding) => return (attempt, Some(finding)),
                Course::Open => return (attempt, None),
                Course::Doubtful => self.swift = None,
                Course::TooLong => patience = patience.saturating_mul(GROWTH),
            }
        }
    }

    fn swiftly_to_the_end(&mut self, limit: u64, steps: u64) -> Course {
        let Some(swift) = &mut self.swift else { return Course::Doubtful };
        let mut guide = Guide::new(self.program, &[], Style::Constant(0), limit, self.stop);
        guide.patience = steps;
        let (outcome, steps) = swift.run(self.program, &mut guide);
        // It is the same run; the search counts its runs to know which of them are interpreted.
        self.statistics.steps += steps;
        match outcome {
            _ if guide.is_open() => Course::Open,
            Outcome::StepLimit if self.is_stopped() => Course::Ended(Finding::Stopped),
            Outcome::StepLimit => Course::TooLong,
            Outcome::Finished(_) | Outcome::Aborted(_) | Outcome::AssumeFailed(_) => {
                Course::Ended(Finding::OnlyRun { outcome, steps })
            }
            _ => Course::Doubtful,
        }
    }
}

/// What the swift machine comes to.
enum Course {
    Ended(Finding),
    /// Something is asked, later.
    Open,
    /// The interpreter has to say.
    Doubtful,
    TooLong,
}
