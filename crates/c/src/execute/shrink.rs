//! A shorter run to the same violation.
//!
//! The first run that a search finds may have wandered about before it came to the violation. As in
//! Zeller, Hildebrandt, "Simplifying and isolating failure-inducing input" (TSE 2002), answers are
//! left out, large pieces first, and the run is repeated with what is left and zeros behind it. A
//! repetition that comes to the same violation in fewer steps, or with fewer answers, is the run
//! from then on. Then single answers are changed: to values that make the run shorter, and in the
//! end to 0 or 1 where that is enough.

use super::environment::Environment;
use super::guide::Guide;
use super::values::Style;
use crate::arith::int;
use crate::interp::{Answer, Experience, Limits, Outcome, run_again};
use crate::typed::Program;
use crate::violation::{Kind, Properties, Violation};

/// Repetitions, and the steps of all of them together: about half a second, since an answer waits for
/// it. With ten times as many, an error that was found in 0.1 s was told after 5.7 s.
const RUNS: usize = 400;
const STEPS: u64 = 200_000;

/// The answers and steps of a run, or those of a shorter one.
pub(super) fn shrunk(
    program: &Program,
    properties: &Properties,
    (answers, steps): (Vec<Answer>, u64),
    stop: &dyn Fn() -> bool,
) -> (Vec<Answer>, u64) {
    let experience = Experience::default();
    let mut shrinking =
        Shrinking { program, properties, experience, runs: 0, steps: 0, stop, best: None };
    let first = shrinking.repeat(&answers, steps.saturating_add(1));
    let Some(first) = first.filter(|first| first.answers == answers && first.steps == steps) else {
        return (answers, steps);
    };
    shrinking.best = Some(first);
    shrinking.leave_out();
    shrinking.vary();
    shrinking.simplify();
    shrinking.best.map_or((answers, steps), |best| (best.answers, best.steps))
}

/// A run that comes to a violation.
struct Found {
    answers: Vec<Answer>,
    steps: u64,
    violation: Violation,
}

fn is_shorter(found: &Found, best: &Found) -> bool {
    (found.steps, found.answers.len()) < (best.steps, best.answers.len())
}

struct Shrinking<'a> {
    program: &'a Program,
    properties: &'a Properties,
    experience: Experience,
    runs: usize,
    steps: u64,
    stop: &'a dyn Fn() -> bool,
    best: Option<Found>,
}

impl Shrinking<'_> {
    fn is_spent(&self) -> bool {
        self.runs >= RUNS || self.steps >= STEPS || (self.stop)()
    }

    /// A run of fewer than so many steps with these answers first.
    fn repeat(&mut self, answers: &[Answer], limit: u64) -> Option<Found> {
        let mut guide = Guide::new(self.program, answers, Style::Constant(0), limit, self.stop);
        if !self.properties.asks(Kind::Deref) {
            guide.environment = Environment::of_repetition();
        }
        let limits = Limits { steps: limit, ..Limits::default() };
        let run =
            run_again(self.program, self.properties, &mut guide, limits, &mut self.experience);
        self.runs += 1;
        self.steps += run.steps - run.leapt;
        let (answers, _) = guide.finish();
        match run.outcome {
            Outcome::Violated(violation) => Some(Found { answers, steps: run.steps, violation }),
            _ => None,
        }
    }

    /// Whether the run with these answers is better than the best one; it is the best one then.
    fn improves(&mut self, answers: &[Answer], is_better: fn(&Found, &Found) -> bool) -> bool {
        let Some(limit) = self.best.as_ref().map(|best| best.steps + 1) else { return false };
        let Some(found) = self.repeat(answers, limit) else { return false };
        let is_better = self.best.as_ref().is_some_and(|best| {
            let (own, other) = (&found.violation, &best.violation);
            own == other && is_better(&found, best)
        });
        if is_better {
            self.best = Some(found);
        }
        is_better
    }

    fn answers(&self) -> &[Answer] {
        self.best.as_ref().map_or(&[], |best| &best.answers)
    }

    /// Leaves answers out, half of them at first, then smaller and smaller pieces.
    fn leave_out(&mut self) {
        let mut piece = self.answers().len();
        while piece > 0 {
            let mut from = 0;
            while from < self.answers().len() && !self.is_spent() {
                let all = self.answers();
                let end = (from + piece).min(all.len());
                let left: Vec<Answer> = all[..from].iter().chain(&all[end..]).copied().collect();
                if !self.improves(&left, is_shorter) {
                    from += piece;
                }
            }
            piece /= 2;
        }
    }

    /// Gives single answers other values that make the run shorter, as a number from which a loop
    /// counts: the ends of the type, twice or half as much, one more or less.
    fn vary(&mut self) {
        let mut index = 0;
        while let Some(&Answer { bits, width, .. }) = self.answers().get(index) {
            let most = int::truncate(u128::MAX, width);
            let half = most >> 1;
            let values = [
                most,
                half,
                half + 1,
                bits / 2,
                bits.wrapping_mul(2),
                bits.wrapping_add(1),
                bits.wrapping_sub(1),
            ];
            let is_varied = values.iter().any(|value| {
                let mut changed = self.answers().to_vec();
                changed[index].bits = int::truncate(*value, width);
                !self.is_spent() && self.improves(&changed, is_shorter)
            });
            // The same answer again, while that helps.
            index += !is_varied as usize;
            if self.is_spent() {
                return;
            }
        }
    }

    /// Makes answers 0 or 1 where the run is not longer for it.
    fn simplify(&mut self) {
        let is_as_short = |found: &Found, best: &Found| {
            found.steps <= best.steps && found.answers.len() <= best.answers.len()
        };
        let mut index = 0;
        while index < self.answers().len() && !self.is_spent() {
            let own = self.answers()[index].bits;
            for bits in (0..2).take_while(|&bits| bits < own) {
                let mut changed = self.answers().to_vec();
                changed[index].bits = bits;
                if self.improves(&changed, is_as_short) {
                    break;
                }
            }
            index += 1;
        }
    }
}
