//! Execution as a way to find errors: many runs of the interpreter on chosen inputs.
//!
//! The first run answers 0 to every question. If it is asked nothing and depends on nothing that C
//! leaves open, it is the only run. Otherwise rounds follow in which runs may last longer and
//! longer: first one of each [`Style`], then, for as many steps again, variations of earlier runs
//! that went somewhere new, as grey-box fuzzers make them. Coverage is counted per branch and magnitude
//! of its number of executions ("Technical whitepaper for afl-fuzz"); values that were compared
//! with an input are tried as that input ("REDQUEEN", NDSS 2019). A run that ended early, in an
//! assumption mostly, is varied where it read its last inputs. Pointers from outside lead to memory of
//! the environment ([`environment`]).
//!
//! The run that is found is made shorter where that is cheap ([`shrink`]).
//!
//! Everything is derived from one seed, so that a search of the same length finds the same.

mod corpus;
mod coverage;
mod environment;
mod guide;
mod meaning;
mod only;
mod random;
mod shrink;
mod swift;
mod values;
mod walk;
mod words;

use crate::interp::{Answer, Experience, Limits, Outcome, Run, Undefined, run_again};
use crate::source::Position;
use crate::typed::Program;
use crate::violation::{Kind, Properties};
use corpus::Corpus;
use coverage::Coverage;
use environment::Environment;
use guide::Guide;
pub use meaning::{Doubt, doubt, visited};
use random::Random;
use shrink::shrunk;
use swift::Swift;
use values::{STYLES, Style};
use walk::{MARK, View, Walks};
use words::Words;

/// Steps of the runs of the first round, and of the second. After that they grow by this factor.
const SHORT: u64 = 20_000;
const LONG: u64 = 1_000_000;
const GROWTH: u64 = 4;
/// Steps of one run that is made early on the swift way if the first ones were too short: many programs
/// with long loops fail whenever they come to their end. Chosen so that it takes less than half a second;
/// loops over some hundred thousand elements need a third of it.
const PROBE: u64 = 1 << 24;
/// How often a run that violates an assumption is tried with other values for its last answers.
const REPAIRS: usize = 6;
/// The first runs are interpreted: they show whether there is only one, and what inputs are
/// compared with.
const INTERPRETED: u64 = 2;
/// Runs that were too long on the swift way and are interpreted, which may take loops in one step, to
/// see whether that is worth it.
const LEAP_TRIALS: u32 = 4;
/// A run is charged at least this many steps, for its preparation.
const OVERHEAD: u64 = 500;

/// What a search came to.
#[derive(Clone, Debug)]
pub enum Finding {
    /// With these answers something that is asked for happens, after so many steps.
    Error { answers: Vec<Answer>, steps: u64 },
    /// There is only one run, and it ends like this, without an error.
    OnlyRun { outcome: Outcome, steps: u64 },
    /// There is only one run up to a place where it cannot be followed.
    Stuck(Outcome),
    /// The only run depends on what C leaves to implementations.
    Unspecified(&'static str, Position),
    /// A run comes to undefined behaviour. Only a search in a benign environment says so.
    Undefined(Undefined, Position),
    /// The search was stopped.
    Stopped,
}

#[derive(Clone, Copy, Default, Debug)]
pub struct Statistics {
    pub runs: u64,
    pub steps: u64,
    /// Decisions of branches and switches seen, of those that the program has.
    pub covered: usize,
    pub branches: usize,
    /// Runs that are kept because they went somewhere new.
    pub kept: usize,
    /// States that walks have met.
    pub states: usize,
}

/// Searches until an error is found, there is nothing left to try, or `stop` says so.
pub fn search(
    program: &Program,
    properties: &Properties,
    seed: u64,
    stop: &dyn Fn() -> bool,
) -> (Finding, Statistics) {
    let mut search = Search::new(program, properties, seed, stop);
    let finding = match search.run() {
        Finding::Error { answers, steps } => {
            let (answers, steps) = shrunk(program, properties, (answers, steps), stop);
            Finding::Error { answers, steps }
        }
        other => other,
    };
    let statistics = Statistics {
        covered: search.coverage.covered(),
        branches: search.coverage.branches(),
        kept: search.corpus.len(),
        states: search.walks.states(),
        ..search.statistics
    };
    (finding, statistics)
}

struct Search<'a> {
    program: &'a Program,
    properties: &'a Properties,
    words: Words,
    random: Random,
    coverage: Coverage,
    corpus: Corpus,
    walks: Walks,
    experience: Experience,
    /// The swift way, if there is one.
    swift: Option<Swift>,
    /// So many more runs that are too long on the swift way are interpreted.
    leap_trials: u32,
    /// The last run took its loops in one step each, so the next one is interpreted, too.
    leaps: bool,
    statistics: Statistics,
    /// Steps of a run in the first round, and of any run.
    short: u64,
    longest: u64,
    /// At most so many runs, and so many steps of all of them together.
    most_runs: u64,
    budget: u64,
    /// Steps of a run that is asked nothing.
    patience: u64,
    /// The environment makes no faults, and undefined behaviour is what is searched for.
    benign: bool,
    stop: &'a dyn Fn() -> bool,
}

/// What is remembered of a run.
struct Attempt {
    answers: Vec<Answer>,
    comparisons: Vec<(u128, u128)>,
    outcome: Outcome,
    steps: u64,
    /// Those that were not made many at a time.
    work: u64,
}

impl<'a> Search<'a> {
    fn new(
        program: &'a Program,
        properties: &'a Properties,
        seed: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> Search<'a> {
        Search {
            program,
            properties,
            words: Words::of(program),
            random: Random::new(seed),
            coverage: Coverage::new(program),
            corpus: Corpus::default(),
            walks: Walks::default(),
            experience: Experience::default(),
            swift: Swift::of(program, properties).filter(|_| !properties.asks_operations()),
            leap_trials: LEAP_TRIALS,
            leaps: false,
            statistics: Statistics::default(),
            short: SHORT,
            longest: u64::MAX,
            most_runs: u64::MAX,
            budget: u64::MAX,
            patience: u64::MAX,
            benign: false,
            stop,
        }
    }

    fn is_stopped(&self) -> bool {
        let Statistics { runs, steps, .. } = self.statistics;
        steps >= self.budget || runs >= self.most_runs || (self.stop)()
    }

    fn run(&mut self) -> Finding {
        let short = self.short;
        let (first, only) = self.first(short);
        let is_long = first.outcome == Outcome::StepLimit;
        if let Some(finding) = only.or_else(|| self.found(first)) {
            return finding;
        }
        let (marked, _) = self.execute(&[], Style::Constant(MARK), short);
        self.walks.learn(&marked.comparisons);
        if let Some(finding) = self.found(marked) {
            return finding;
        }
        if is_long && let Some(finding) = self.probe() {
            return finding;
        }
        let mut whole = short;
        let mut varied = short;
        let mut unfinished: Vec<Style> = STYLES.to_vec();
        while !self.is_stopped() {
            let spent = self.statistics.steps;
            let mut finding = self.whole_runs(whole, &mut unfinished);
            if self.walks.are_possible() && !self.benign {
                finding = finding.or_else(|| self.walks(varied.max(LONG)));
            }
            let spent = self.statistics.steps - spent;
            if let Some(finding) = finding.or_else(|| self.variations(varied, spent.max(SHORT))) {
                return finding;
            }
            whole = whole.saturating_mul(GROWTH).max(LONG).min(self.longest);
            varied = varied.saturating_mul(2).min(self.longest);
        }
        Finding::Stopped
    }

    /// A long run, of which only an error counts: it says nothing of what short ones can meet.
    fn probe(&mut self) -> Option<Finding> {
        if self.benign || PROBE > self.longest {
            return None;
        }
        let style = Style::Mixed;
        let attempt = self.execute_swiftly(&[], style, PROBE)?;
        if !matches!(attempt.outcome, Outcome::Violated(_)) {
            return None;
        }
        // Errors are for the interpreter to find.
        let again = self.interpret(&attempt.answers, style, PROBE).0;
        self.found(again)
    }

    /// A run of every style; those without chance only as long as they do not end by themselves.
    fn whole_runs(&mut self, limit: u64, styles: &mut Vec<Style>) -> Option<Finding> {
        let mut again = Vec::new();
        for &style in styles.iter() {
            let attempt = self.execute(&[], style, limit).0;
            if attempt.outcome == Outcome::StepLimit || style.is_random() {
                again.push(style);
            }
            if let Some(finding) = self.concluded(attempt) {
                return Some(finding);
            }
        }
        *styles = again;
        None
    }

    /// A walk of so many steps with each view; runs that end are followed by others.
    fn walks(&mut self, steps: u64) -> Option<Finding> {
        for view in [View::Memory, View::Everything] {
            let mut spent = 0;
            while spent < steps {
                self.walks.begin(view);
                let attempt = self.execute(&[], Style::Walk(view), steps).0;
                self.walks.finish(&attempt.outcome);
                spent += attempt.work.max(OVERHEAD);
                if let Some(finding) = self.concluded(attempt) {
                    return Some(finding);
                }
            }
        }
        None
    }

    /// Variations of runs that went somewhere new, for about so many steps in all.
    fn variations(&mut self, limit: u64, steps: u64) -> Option<Finding> {
        let mut spent = 0;
        while spent < steps {
            let prefix = self.corpus.variation(&mut self.random, &self.words)?;
            let style = STYLES[self.random.below(STYLES.len() as u64) as usize];
            let mut attempt = self.execute(&prefix, style, limit).0;
            for _ in 0..REPAIRS {
                spent += attempt.work.max(OVERHEAD);
                if !matches!(attempt.outcome, Outcome::AssumeFailed(_)) || self.is_stopped() {
                    break;
                }
                let Some(prefix) = corpus::repaired(&attempt, &mut self.random) else { break };
                attempt = self.execute(&prefix, style, limit).0;
            }
            if let Some(finding) = self.concluded(attempt) {
                return Some(finding);
            }
        }
        None
    }

    fn concluded(&mut self, attempt: Attempt) -> Option<Finding> {
        let stopped = self.is_stopped().then_some(Finding::Stopped);
        self.found(attempt).or(stopped)
    }

    fn found(&self, attempt: Attempt) -> Option<Finding> {
        let Attempt { answers, outcome, steps, .. } = attempt;
        match outcome {
            Outcome::Violated(_) => Some(Finding::Error { answers, steps }),
            Outcome::UndefinedBehaviour(what, at) if self.benign && meaning::is_own(what) => {
                Some(Finding::Undefined(what, at))
            }
            _ => None,
        }
    }

    /// One run; also what follows if it is the only one of the program.
    fn execute(
        &mut self,
        prefix: &[Answer],
        style: Style,
        limit: u64,
    ) -> (Attempt, Option<Finding>) {
        if self.leaps {
            let interpreted = self.interpret(prefix, style, limit);
            self.leaps = interpreted.0.steps > interpreted.0.work.saturating_mul(4);
            return interpreted;
        }
        let Some(attempt) = self.execute_swiftly(prefix, style, limit) else {
            return self.interpret(prefix, style, limit);
        };
        if attempt.outcome == Outcome::StepLimit && self.leap_trials > 0 && !self.benign {
            let again = self.interpret(&attempt.answers, style, limit);
            let is_worth_it = again.0.steps > again.0.work;
            self.leaps = again.0.work < attempt.steps / 4;
            self.leap_trials = if is_worth_it { LEAP_TRIALS } else { self.leap_trials - 1 };
            return again;
        }
        let is_error = matches!(attempt.outcome, Outcome::Violated(_));
        let is_repaired = matches!(attempt.outcome, Outcome::AssumeFailed(_));
        let is_new = self.coverage.is_new() | self.corpus.is_new_end(&attempt.outcome);
        if !is_error && !is_repaired && !is_new {
            return (attempt, None);
        }
        // Once more, to know what was compared; and errors are for the interpreter to find.
        let again = self.interpret(&attempt.answers, style, limit.max(attempt.steps));
        if is_new {
            self.corpus.keep(&again.0);
        }
        if is_error && !matches!(again.0.outcome, Outcome::Violated(_)) {
            self.swift = None;
        }
        again
    }

    /// A run on the swift way. It tells nothing of comparisons.
    fn execute_swiftly(&mut self, prefix: &[Answer], style: Style, limit: u64) -> Option<Attempt> {
        let swift = self.swift.as_mut().filter(|_| self.statistics.runs >= INTERPRETED)?;
        self.coverage.begin();
        let mut guide = Guide::new(self.program, prefix, style, limit, self.stop);
        guide.connect(&mut self.random, &self.words, &mut self.coverage, &mut self.walks);
        let (outcome, steps) = swift.run(self.program, &mut guide);
        let (answers, comparisons) = guide.finish();
        self.statistics.runs += 1;
        self.statistics.steps += steps;
        Some(Attempt { answers, comparisons, outcome, steps, work: steps })
    }

    fn interpret(
        &mut self,
        prefix: &[Answer],
        style: Style,
        limit: u64,
    ) -> (Attempt, Option<Finding>) {
        self.coverage.begin();
        let mut guide = Guide::new(self.program, prefix, style, limit, self.stop);
        guide.patience = self.patience;
        // Who asks for memory safety asks about pointers that the program has never written, too.
        if self.benign || !self.properties.asks(Kind::Deref) {
            guide.environment = Environment::of_run(self.statistics.runs, self.benign);
        }
        guide.connect(&mut self.random, &self.words, &mut self.coverage, &mut self.walks);
        let limits = Limits { steps: u64::MAX, ..Limits::default() };
        let run =
            run_again(self.program, self.properties, &mut guide, limits, &mut self.experience);
        let is_open = guide.is_open();
        let (answers, comparisons) = guide.finish();
        self.statistics.runs += 1;
        let work = run.steps - run.leapt;
        self.statistics.steps += work;
        let only = (!is_open).then(|| self.only(&run));
        let (outcome, steps) = (run.outcome, run.steps);
        let attempt = Attempt { answers, comparisons, outcome, steps, work };
        if self.coverage.is_new() | self.corpus.is_new_end(&attempt.outcome) {
            self.corpus.keep(&attempt);
        }
        (attempt, only)
    }

    /// What a run without any question shows.
    fn only(&self, run: &Run) -> Finding {
        let (outcome, steps) = (run.outcome.clone(), run.steps);
        match (&outcome, run.unspecified) {
            (Outcome::Violated(_), _) => Finding::Error { answers: Vec::new(), steps },
            (Outcome::StepLimit, _) if self.is_stopped() => Finding::Stopped,
            // It goes on in a circle.
            (Outcome::StepLimit, _) => Finding::Stuck(outcome),
            (Outcome::Unsupported(..) | Outcome::UndefinedBehaviour(..), _) => {
                Finding::Stuck(outcome)
            }
            (_, Some((what, at))) => Finding::Unspecified(what, at),
            (Outcome::Finished(_) | Outcome::Aborted(_) | Outcome::AssumeFailed(_), None) => {
                Finding::OnlyRun { outcome, steps }
            }
        }
    }
}

#[cfg(test)]
mod tests;
