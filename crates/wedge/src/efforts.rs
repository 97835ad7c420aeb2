//! Which model of a program is tried, and which one comes next.
//!
//! A program is modelled up to a depth of recursion and a number of allocations. Reaching the end
//! of the model is bad as well, so a proof shows that it does not happen. When a counterexample ends
//! there, models are tried for a short time that forget what goes beyond and so have more runs than
//! the program; then the model grows. When it cannot grow any more, only the error is bad, and only
//! a counterexample counts. Where memory safety is asked for, the first model has objects without
//! bytes, if there are any that it has. Large arrays are abstracted at first; when the program does not confirm
//! a counterexample of the abstraction, or time is up for it, a more precise model is next.

use crate::input::{Effort, Model};
use crate::tuned::{ABSTRACT_SHARE, FORGETFUL, FORGETFUL_TIME, HOLLOW_SHARE};
use std::time::Instant;
use wedge_engines::registry::Entry;
use wedge_engines::{Context, UnknownReason};

/// Why a model has not led to an answer.
pub enum Event {
    /// It cannot be made.
    NotMade(UnknownReason),
    /// A counterexample ends where the model does, for this reason.
    Limit(UnknownReason),
    /// A counterexample of an abstraction of arrays is none of the program.
    Coarse,
    /// A counterexample is not confirmed by the program, for this reason.
    Unconfirmed(String),
    /// A counterexample needs a result that a function of the library may not have.
    Inexact(String),
    /// Time is up for this model, but not for the others.
    OutOfTime,
    /// There is no error in the model, which says nothing about what goes beyond it.
    NoErrorInside,
}

impl Event {
    /// Whether there is no model because of its size.
    pub fn is_too_large(&self) -> bool {
        matches!(self, Event::NotMade(UnknownReason::TooLarge(_)))
    }
}

pub struct Efforts {
    pub now: Effort,
    start: Instant,
    /// The user has chosen how objects are forgotten, and wants nothing else.
    is_given: bool,
    levels: usize,
    precisions: usize,
    /// The engine hardly ever proves anything, so models that are made for proofs are left out.
    seeks_errors: bool,
    /// The model with objects without bytes was made at the start.
    was_hollow: bool,
    /// The last limit that was met.
    limit: Option<UnknownReason>,
}

impl Efforts {
    pub fn new(model: &dyn Model, engine: &Entry) -> Efforts {
        let program = model.as_program();
        let objects = program.and_then(|program| program.chosen_objects());
        let asks_memory = program.is_some_and(|program| program.properties().asks_memory());
        let hollow = objects.is_none() && asks_memory && !engine.seeks_errors;
        let forget = if hollow { Some(0) } else { objects };
        Efforts {
            now: Effort { forget, hollow, ..Effort::default() },
            is_given: objects.is_some(),
            start: Instant::now(),
            levels: program.map_or(1, |program| program.levels()),
            precisions: program.map_or(1, |program| program.precisions()),
            seeks_errors: engine.seeks_errors,
            was_hollow: false,
            limit: None,
        }
    }

    fn has_more_precise(&self) -> bool {
        self.now.precision + 1 < self.precisions
    }

    fn forgets_for_a_while(&self) -> bool {
        self.now.forget.is_some() && !self.is_given
    }

    /// Whether others come after the model of now even if it leads to nothing. `coarse` says that
    /// its arrays are abstracted.
    pub fn is_tentative(&self, coarse: bool) -> bool {
        self.forgets_for_a_while() || coarse && self.has_more_precise()
    }

    /// The context with the time that the model of now may take.
    pub fn context(&self, context: &Context, coarse: bool) -> Context {
        match context.deadline() {
            Some(deadline) if self.now.hollow => {
                let rest = deadline.saturating_duration_since(Instant::now());
                context.within(rest.mul_f64(HOLLOW_SHARE))
            }
            _ if self.forgets_for_a_while() => {
                context.within(self.start.elapsed().max(FORGETFUL_TIME))
            }
            Some(deadline) if coarse && self.has_more_precise() => {
                let rest = deadline.saturating_duration_since(Instant::now());
                context.within(rest / ABSTRACT_SHARE)
            }
            _ => context.clone(),
        }
    }

    /// Turns to the next model, or says what is known when there is none.
    pub fn next(&mut self, event: Event) -> Result<(), UnknownReason> {
        let Effort { level, only_error, .. } = self.now;
        let forget = self.forgets_for_a_while();
        if self.now.hollow {
            self.was_hollow = !matches!(event, Event::NotMade(_));
            self.now = Effort::default();
            return Ok(());
        }
        match event {
            Event::NotMade(_) if forget => self.grow(false),
            Event::NotMade(_) if self.limit.is_some() && !only_error => {
                // The smaller model is all there is.
                self.only_error(level.saturating_sub(1));
            }
            Event::NotMade(reason) => return Err(reason),
            // Even a path to the error itself may end where the model does.
            Event::Limit(reason) if only_error || self.is_given => return Err(reason),
            Event::Limit(reason) => {
                let again = !forget && self.limit.as_ref() == Some(&reason);
                self.limit = Some(reason);
                self.grow(again);
            }
            Event::OutOfTime | Event::Unconfirmed(_) | Event::Inexact(_) if forget => {
                self.grow(false)
            }
            Event::Coarse | Event::OutOfTime if self.has_more_precise() => self.now.precision += 1,
            Event::Coarse | Event::OutOfTime => return Err(UnknownReason::ArraysTooCoarse),
            Event::Unconfirmed(cause) => return Err(UnknownReason::Unconfirmed(cause)),
            Event::Inexact(call) => return Err(UnknownReason::Inexact(call)),
            Event::NoErrorInside => {
                let none = || UnknownReason::ModelLimit(String::new());
                return Err(self.limit.clone().unwrap_or_else(none));
            }
        }
        Ok(())
    }

    /// A larger model, after those that forget; if growing does not help, only the error is bad.
    fn grow(&mut self, again: bool) {
        let Effort { level, forget, .. } = self.now;
        let forgetful = FORGETFUL.get(level).copied().unwrap_or_default();
        let is_done = |chosen: usize| self.was_hollow && level == 0 && chosen == 0;
        let next = forgetful.iter().find(|&&chosen| Some(chosen) > forget && !is_done(chosen));
        if let Some(&chosen) = next.filter(|_| !again && !self.seeks_errors) {
            self.now.forget = Some(chosen);
        } else if again || level + 1 >= self.levels {
            self.only_error(level);
        } else {
            self.now = Effort { level: level + 1, forget: None, ..self.now };
        }
    }

    fn only_error(&mut self, level: usize) {
        self.now = Effort { level, only_error: true, forget: None, ..self.now };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn efforts(seeks_errors: bool) -> Efforts {
        let (now, start, limit) = (Effort::default(), Instant::now(), None);
        let (is_given, was_hollow) = (false, false);
        let (levels, precisions) = (3, 2);
        Efforts { now, start, is_given, levels, precisions, seeks_errors, was_hollow, limit }
    }

    fn meet(
        efforts: &mut Efforts,
        limit: &str,
    ) -> Result<(usize, Option<usize>, bool), UnknownReason> {
        efforts.next(Event::Limit(UnknownReason::ModelLimit(limit.to_string())))?;
        let Effort { level, forget, only_error, .. } = efforts.now;
        Ok((level, forget, only_error))
    }

    #[test]
    fn models_forget_then_grow_then_count_for_errors_only() {
        let mut efforts = efforts(false);
        for &chosen in FORGETFUL[0] {
            assert_eq!(meet(&mut efforts, "3"), Ok((0, Some(chosen), false)));
            assert!(efforts.is_tentative(false));
        }
        assert_eq!(meet(&mut efforts, "3"), Ok((1, None, false)));
        assert_eq!(meet(&mut efforts, "12"), Ok((1, Some(0), false)));
        assert_eq!(meet(&mut efforts, "12"), Ok((2, None, false)));
        assert_eq!(meet(&mut efforts, "48"), Ok((2, None, true)));
        let end = efforts.next(Event::NoErrorInside);
        assert_eq!(end, Err(UnknownReason::ModelLimit("48".into())));
    }

    #[test]
    fn a_limit_that_stays_is_not_outgrown() {
        let mut efforts = efforts(true);
        assert_eq!(meet(&mut efforts, "always"), Ok((1, None, false)));
        assert_eq!(meet(&mut efforts, "always"), Ok((1, None, true)));
        assert!(meet(&mut efforts, "always").is_err());
    }

    #[test]
    fn arrays_become_precise_in_the_end() {
        let mut efforts = efforts(false);
        assert!(efforts.is_tentative(true));
        assert_eq!(efforts.next(Event::Coarse), Ok(()));
        assert_eq!(efforts.now.precision, 1);
        assert!(!efforts.is_tentative(true));
        assert!(efforts.next(Event::Coarse).is_err());
    }
}
