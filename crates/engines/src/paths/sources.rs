//! Sources by choice, and what is counted of all of them.

use super::blocked::Blocked;
use super::choice::SourceChoice;
use super::config::PathConfig;
use super::craig::Craig;
use super::feasible::Infeasible;
use super::newton::{Cores, Newton};
use super::perfect::is_perfect;
use super::source::{NoAssertions, Source};
use crate::contract::Context;
use crate::figures;
use wedge_logic::Term;
use wedge_sat::Interrupt;
use wedge_smt::{StepId, Triples};

/// Conflicts that may be spent on a triple of the question whether a sequence is perfect.
const CONFLICTS: i32 = 2000;

/// The source that the user has chosen. It records how many sequences there were, how many of them
/// were perfect, and how long finding them took.
pub fn source(
    config: &PathConfig,
    blocked: &Blocked,
    context: &Context,
) -> Result<Box<dyn Source>, String> {
    let inner = chosen(&config.source, config, context)?;
    let mut triples = blocked.triples(&context.interrupt());
    triples.solver().set_conflicts(Some(CONFLICTS));
    Ok(Box::new(Counted { inner, triples, context: context.clone() }))
}

fn chosen(
    choice: &SourceChoice,
    config: &PathConfig,
    context: &Context,
) -> Result<Box<dyn Source>, String> {
    let how = config.interpolation;
    Ok(match choice {
        SourceChoice::Craig { solver: None } => Box::new(Craig { how }),
        SourceChoice::Newton { variant, solver: None } => {
            let cores = Cores::built_in(&context.interrupt());
            Box::new(Newton::new(*variant, config.core_grain, how, cores, context))
        }
        other => return Err(format!("the source {other} is not available")),
    })
}

/// A source of which the sequences are counted.
struct Counted {
    inner: Box<dyn Source>,
    triples: Triples,
    context: Context,
}

impl Source for Counted {
    fn assertions(
        &mut self,
        blocked: &mut Blocked,
        path: &Infeasible,
        interrupt: &Interrupt,
    ) -> Result<Vec<Term>, NoAssertions> {
        let sequence = self.inner.assertions(blocked, path, interrupt)?;
        let perfect = is_perfect(blocked, &mut self.triples, &path.steps, &sequence);
        self.context.record(|f| {
            f.add(figures::SEQUENCES, 1.0);
            f.add(figures::PERFECT_SEQUENCES, f64::from(u8::from(perfect)));
        });
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
        self.inner.between(blocked, before, path, after, interrupt)
    }
}
