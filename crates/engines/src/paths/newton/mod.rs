//! Assertions by symbolic execution (Dietsch, Heizmann, Musa, Nutz, Podelski: Craig vs. Newton in
//! Software Model Checking, ESEC/FSE 2017, section 6).
//!
//! 1. The path is a trace of statements with a trace formula ([`trace`]).
//! 2. IT: an unsat core of the formula says which statements the refutation needs ([`cores`]); the
//!    others are abstracted (definition 4.5).
//! 3. SP or WP: strongest postconditions or weakest preconditions along the trace
//!    ([`transformers`]).
//! 4. LV: of variables that are not live, nothing is said (definitions 5.1 and 5.2).

mod cores;
mod quantifiers;
pub mod trace;
mod transformers;

use super::blocked::Blocked;
use super::choice::{CoreGrain, Transformer, Variant};
use super::feasible::Infeasible;
use super::source::{NoAssertions, Source};
use crate::contract::Context;
use crate::figures;
pub use cores::Cores;
use quantifiers::Quantifiers;
use trace::{Statement, Trace};
use transformers::{Bound, posts, pres};
use wedge_logic::Term;
use wedge_sat::Interrupt;
use wedge_smt::{Interpolation, StepId};

pub struct Newton {
    variant: Variant,
    grain: CoreGrain,
    /// Where quantifiers stay, as for [`super::Craig`].
    how: Interpolation,
    cores: Cores,
    bound: Bound,
    context: Context,
}

impl Newton {
    pub fn new(
        variant: Variant,
        grain: CoreGrain,
        how: Interpolation,
        cores: Cores,
        context: &Context,
    ) -> Newton {
        Newton { variant, grain, how, cores, bound: Bound::default(), context: context.clone() }
    }

    /// Section 6.
    fn sequence(
        &mut self,
        blocked: &mut Blocked,
        trace: Trace,
        interrupt: &Interrupt,
    ) -> Result<Vec<Term>, NoAssertions> {
        let trace = match self.variant.core {
            true => self.infeasible_core(blocked, trace)?,
            false => trace,
        };
        let integers = match &mut self.cores {
            Cores::Integers(integers) => Some(&mut **integers),
            Cores::BuiltIn(_) | Cores::Other(_) => None,
        };
        let mut quantifiers = Quantifiers { how: &self.how, interrupt, integers, approximated: 0 };
        let transform = match self.variant.transformer {
            Transformer::Post => posts,
            Transformer::Pre => pres,
        };
        let live = self.variant.live;
        let sequence = transform(blocked, &trace, live, &mut self.bound, &mut quantifiers);
        let approximated = quantifiers.approximated as f64;
        self.context.record(|f| f.add(figures::APPROXIMATED_ASSERTIONS, approximated));
        sequence
    }

    /// Definition 4.5: the abstract trace for an unsat core of the trace formula.
    fn infeasible_core(
        &mut self,
        blocked: &mut Blocked,
        trace: Trace,
    ) -> Result<Trace, NoAssertions> {
        let formula = trace.formula(blocked);
        if let Cores::Integers(integers) = &mut self.cores {
            let inputs = trace.input_copies(blocked);
            integers.bound(&mut blocked.store, &inputs);
        }
        let terms: Vec<Term> = formula.iter().map(|&(_, term)| term).collect();
        let needed = self.cores.core(&mut blocked.store, &terms)?;
        let core = formula.iter().zip(needed).filter(|(_, needed)| *needed);
        let core: Vec<Statement> = core.map(|(&(statement, _), _)| statement).collect();
        self.context.record(|f| {
            f.add(figures::TRACE_STATEMENTS, terms.len() as f64);
            f.add(figures::CORE_STATEMENTS, core.len() as f64);
        });
        Ok(trace.abstracted(&core))
    }
}

impl Source for Newton {
    fn assertions(
        &mut self,
        blocked: &mut Blocked,
        path: &Infeasible,
        interrupt: &Interrupt,
    ) -> Result<Vec<Term>, NoAssertions> {
        let trace = Trace::new(blocked, &path.steps, self.grain, None, None);
        self.sequence(blocked, trace, interrupt)
    }

    fn between(
        &mut self,
        blocked: &mut Blocked,
        before: Term,
        path: &[StepId],
        after: Term,
        interrupt: &Interrupt,
    ) -> Option<Vec<Term>> {
        let outside = blocked.store.not(after);
        let trace = Trace::new(blocked, path, self.grain, Some(before), Some(outside));
        // The two conditions are statements of the trace, but no steps of the path.
        let mut sequence = self.sequence(blocked, trace, interrupt).ok()?;
        sequence.remove(0);
        sequence.pop();
        sequence[0] = before;
        sequence[path.len()] = after;
        Some(sequence)
    }
}
