//! Allocated objects that are left when a program ends.
//!
//! One that was not freed is a violation of `valid-memcleanup`; one that cannot be found any more,
//! by following pointers from global variables and from the variables of functions that have not
//! returned, is one of `valid-memtrack`. An object that has been lost once is lost at the end.

use super::exec::Interpreter;
use super::memory::Origin;
use super::outcome::{Outcome, Step};
use super::value::ObjectId;
use crate::source::Position;
use crate::typed::BlockId;
use crate::violation::{Kind, Violation};
use rustc_hash::FxHashSet;

impl Interpreter<'_, '_> {
    /// The outcome of a run that may have been aborted.
    pub(super) fn with_leaks(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Aborted(at) => self.check_leaks(at).err().map_or(outcome, |stop| *stop),
            _ => outcome,
        }
    }

    /// Ends the run with a violation if an object is left that must not be.
    pub(super) fn check_leaks(&self, position: Position) -> Step<()> {
        let is_left = |kind: Kind| match kind {
            Kind::Memcleanup => self.memory.allocated().next().is_some(),
            Kind::Memtrack => self.untracked().is_some(),
            _ => false,
        };
        let asked = [Kind::Memtrack, Kind::Memcleanup];
        match asked.into_iter().find(|&kind| self.properties.asks(kind) && is_left(kind)) {
            Some(kind) => Err(Box::new(Outcome::Violated(Violation { kind, position }))),
            None => Ok(()),
        }
    }

    /// Where a loop begins, in a run that may have no end: ends it if an object has been lost.
    pub(super) fn check_tracked(&self, block: BlockId, position: Position) -> Step<()> {
        let is_head = || self.frame().body.loops.iter().any(|a_loop| a_loop.head == block);
        if !self.tracks || !is_head() || self.untracked().is_none() {
            return Ok(());
        }
        Err(Box::new(Outcome::Violated(Violation { kind: Kind::Memtrack, position })))
    }

    /// An allocated object that no pointer leads to.
    pub(super) fn untracked(&self) -> Option<ObjectId> {
        let tracked = self.tracked();
        self.memory.allocated().find(|id| !tracked.contains(id))
    }

    /// The objects that pointers lead to.
    fn tracked(&self) -> FxHashSet<ObjectId> {
        let mut found: FxHashSet<ObjectId> = FxHashSet::default();
        let mut work: Vec<ObjectId> = self.globals.clone();
        for frame in &self.frames {
            work.extend(frame.objects.iter().flatten());
            work.extend(&frame.owned);
            // A temporary has done its service.
            let registers = frame.registers.iter().zip(&frame.body.locals);
            let named = registers.filter(|(_, local)| local.name.is_some());
            work.extend(named.filter_map(|(value, _)| value.as_ref()?.object));
        }
        while let Some(id) = work.pop() {
            if !found.insert(id) {
                continue;
            }
            let Some(object) = self.memory.object(id) else { continue };
            if object.origin != Origin::Heap || object.alive {
                work.extend(object.addresses());
            }
        }
        found
    }
}
