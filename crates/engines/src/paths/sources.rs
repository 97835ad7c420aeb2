//! Sources by choice: one of them, or all in turn until a sequence is perfect (paper 2, end of
//! section 7.1); and what is counted of all of them.

use super::arithmetic::{decider, integers, interpolating};
use super::blocked::Blocked;
use super::choice::{SourceChoice, Variant};
use super::config::{Arithmetic, PathConfig};
use super::craig::Craig;
use super::feasible::Infeasible;
use super::newton::{Cores, Newton};
use super::other_craig::start;
use super::perfect::is_perfect;
use super::source::{NoAssertions, Source};
use crate::contract::Context;
use crate::figures;
use std::time::{Duration, Instant};
use wedge_logic::Term;
use wedge_sat::Interrupt;
use wedge_smt::external::catalog::version;
use wedge_smt::external::{Entry, Purpose};
use wedge_smt::{StepId, Triples};

/// Conflicts that may be spent on a triple of the question whether a sequence is perfect.
const CONFLICTS: i32 = 2000;
/// What that question may take where nothing depends on it: some time, and a share of all time.
const ADVANCE: Duration = Duration::from_millis(200);
const SHARE: u32 = 20;

/// The source that the user has chosen. It records how many sequences it gave, and how many of them
/// were perfect. The error says why there is no such source.
pub fn source(
    config: &PathConfig,
    blocked: &mut Blocked,
    context: &Context,
) -> Result<Box<dyn Source>, String> {
    let choices = choices(config);
    let sources = choices.iter().map(|choice| single(choice, config, context));
    let sources = sources.collect::<Result<Vec<_>, String>>()?;
    let decider = decider(config, blocked, &context.interrupt())?;
    let mut triples = blocked.triples(decider);
    triples.solver().set_conflicts(Some(CONFLICTS));
    let (start, judging) = (Instant::now(), Duration::ZERO);
    Ok(Box::new(InTurn { sources, triples, context: context.clone(), start, judging }))
}

/// The sources that are asked in turn.
fn choices(config: &PathConfig) -> Vec<SourceChoice> {
    let are_words = config.arithmetic == Arithmetic::Words;
    let craig = SourceChoice::Craig { solver: None };
    match &config.source {
        None if are_words => vec![craig],
        None => vec![SourceChoice::newton(Variant::BEST, None)],
        Some(SourceChoice::All) => {
            let newton = |variant| SourceChoice::newton(variant, None);
            let craig = are_words.then_some(craig);
            craig.into_iter().chain(Variant::all().map(newton)).collect()
        }
        Some(choice) => vec![choice.clone()],
    }
}

fn single(
    choice: &SourceChoice,
    config: &PathConfig,
    context: &Context,
) -> Result<Box<dyn Source>, String> {
    let how = config.interpolation;
    let interrupt = context.interrupt();
    if config.arithmetic != Arithmetic::Words {
        return integer_source(choice, config, context);
    }
    Ok(match choice {
        SourceChoice::Craig { solver: None } => Box::new(Craig { interpolator: how }),
        SourceChoice::Craig { solver: Some(solver) } => {
            let solver = start(Purpose::Interpolants, solver, &interrupt)?;
            named(solver.entry(), context);
            Box::new(Craig { interpolator: solver })
        }
        SourceChoice::Newton { variant, solver } => {
            let cores = match solver {
                None => Cores::built_in(&interrupt),
                Some(solver) => {
                    let solver = start(Purpose::Cores, solver, &interrupt)?;
                    named(solver.entry(), context);
                    Cores::Other(Box::new(solver))
                }
            };
            Box::new(Newton::new(*variant, config.core_grain, how, cores, context))
        }
        SourceChoice::All => unreachable!("it stands for the others"),
    })
}

/// A source where words are integers: Newton with cores, or Craig with interpolants, of a solver of
/// integer arithmetic.
fn integer_source(
    choice: &SourceChoice,
    config: &PathConfig,
    context: &Context,
) -> Result<Box<dyn Source>, String> {
    let interrupt = context.interrupt();
    match choice {
        SourceChoice::Craig { solver } => {
            let integers = interpolating(solver.as_deref(), &interrupt)?;
            named(integers.entry(), context);
            Ok(Box::new(Craig { interpolator: integers }))
        }
        SourceChoice::Newton { variant, solver } => {
            let solver = solver.as_ref();
            let other = solver.map(|name| Arithmetic::Integers { solver: Some(name.clone()) });
            let arithmetic = other.unwrap_or_else(|| config.arithmetic.clone());
            let config = PathConfig { arithmetic, ..config.clone() };
            let Some(integers) = integers(&config, &interrupt)? else {
                unreachable!("words have other sources")
            };
            named(integers.entry(), context);
            let cores = Cores::Integers(Box::new(integers));
            let (grain, how) = (config.core_grain, config.interpolation);
            Ok(Box::new(Newton::new(*variant, grain, how, cores, context)))
        }
        SourceChoice::All => unreachable!("it stands for the others"),
    }
}

/// Records which solver is asked, and its version.
fn named(solver: &Entry, context: &Context) {
    let text = format!("{}: {}", solver.name, version(solver));
    context.record(|f| f.say(figures::SOLVER, text));
}

/// Sources of which the next is asked where the one before gives no perfect sequence.
struct InTurn {
    sources: Vec<Box<dyn Source>>,
    triples: Triples,
    context: Context,
    start: Instant,
    /// Time spent on the question whether sequences are perfect.
    judging: Duration,
}

impl InTurn {
    /// Whether a sequence is looked at: always where that decides which source is asked next, else
    /// as long as it takes little of the time.
    fn is_judged(&self) -> bool {
        self.sources.len() > 1 || self.judging < ADVANCE + self.start.elapsed() / SHARE
    }

    fn is_perfect(&mut self, blocked: &mut Blocked, path: &Infeasible, found: &[Term]) -> bool {
        let start = Instant::now();
        let perfect = is_perfect(blocked, &mut self.triples, &path.steps, found);
        self.judging += start.elapsed();
        perfect
    }
}

impl Source for InTurn {
    fn assertions(
        &mut self,
        blocked: &mut Blocked,
        path: &Infeasible,
        interrupt: &Interrupt,
    ) -> Result<Vec<Term>, NoAssertions> {
        let mut best: Option<Vec<Term>> = None;
        let mut trouble = None;
        let mut perfect = false;
        let judged = self.is_judged();
        for number in 0..self.sources.len() {
            match self.sources[number].assertions(blocked, path, interrupt) {
                Ok(sequence) => {
                    perfect = judged && self.is_perfect(blocked, path, &sequence);
                    if perfect || best.is_none() {
                        best = Some(sequence);
                    }
                }
                Err(why) => trouble = trouble.or(Some(why)),
            }
            if perfect || interrupt.is_raised() {
                break;
            }
        }
        // One of the two is there, since there is a source.
        let sequence = best.ok_or_else(|| trouble.unwrap_or(NoAssertions::Stopped))?;
        if judged {
            self.context.record(|f| {
                f.add(figures::SEQUENCES, 1.0);
                f.add(figures::PERFECT_SEQUENCES, f64::from(u8::from(perfect)));
            });
        }
        Ok(sequence)
    }

    fn between(
        &mut self,
        blocked: &mut Blocked,
        before: Term,
        path: &[StepId],
        after: Term,
        interrupt: &Interrupt,
    ) -> Option<Vec<Term>> {
        let mut sources = self.sources.iter_mut();
        sources.find_map(|source| source.between(blocked, before, path, after, interrupt))
    }
}
