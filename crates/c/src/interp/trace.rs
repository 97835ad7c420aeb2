//! What a run did, for people to read.

use super::memory::Origin;
use crate::source::Position;
use crate::typed::{FuncId, Place, Program};
use crate::types::Ty;
use std::collections::VecDeque;
use std::fmt::Write;

#[derive(Clone, Debug)]
pub enum Event<'p> {
    /// A function was entered.
    Enter(FuncId, Position),
    Return(FuncId, Position),
    /// A branch was decided.
    Branch(FuncId, bool, Position),
    /// A scalar was stored.
    Store(FuncId, &'p Place, u128, Position),
    /// A value that the program left open was chosen, by this name; whether it is the result of a
    /// call of the function of that name.
    Choice {
        function: FuncId,
        name: String,
        is_call: bool,
        ty: Ty,
        bits: u128,
        position: Position,
    },
    /// A place in memory was read or written: where it was. Recorded only on demand.
    Access(FuncId, &'p Place, Origin, u64),
}

impl Event<'_> {
    /// Where it happened.
    pub fn position(&self) -> Position {
        match self {
            Event::Enter(_, position) | Event::Return(_, position) => *position,
            Event::Branch(_, _, position) | Event::Store(_, _, _, position) => *position,
            Event::Choice { position, .. } => *position,
            Event::Access(_, place, ..) => place.position,
        }
    }
}

/// Choices that are kept of those that are dropped.
const CHOSEN: usize = 10_000;

/// The last events of a run.
#[derive(Clone, Debug, Default)]
pub struct Trace<'p> {
    pub events: VecDeque<Event<'p>>,
    capacity: usize,
    /// Whether accesses to memory are recorded.
    pub accesses: bool,
    /// Events that were dropped because there were too many.
    pub dropped: u64,
    /// The first choices among them: a run is not known without what it was given.
    pub chosen: Vec<Event<'p>>,
}

impl<'p> Trace<'p> {
    /// A trace that keeps this many events.
    pub fn with_capacity(capacity: usize) -> Trace<'p> {
        Trace { capacity, ..Trace::default() }
    }

    /// The same trace, with or without accesses to memory.
    pub fn with_accesses(self, accesses: bool) -> Trace<'p> {
        Trace { accesses, ..self }
    }

    /// The most events that it keeps.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    pub fn is_wanted(&self) -> bool {
        self.capacity > 0
    }

    pub fn push(&mut self, event: Event<'p>) {
        if self.capacity == 0 {
            return;
        }
        if self.events.len() == self.capacity {
            self.drop_first();
        }
        self.events.push_back(event);
    }

    fn drop_first(&mut self) {
        let Some(event) = self.events.pop_front() else { return };
        self.dropped += 1;
        if matches!(event, Event::Choice { .. }) && self.chosen.len() < CHOSEN {
            self.chosen.push(event);
        }
    }

    /// Drops all events, and so many more that were not recorded.
    pub fn clear(&mut self, more: u64) {
        while !self.events.is_empty() {
            self.drop_first();
        }
        self.dropped += more;
    }

    /// One line per event, with its place in the source.
    pub fn show(&self, program: &Program) -> String {
        let mut text = String::new();
        for event in &self.events {
            let _ = match event {
                Event::Enter(function, position) => {
                    let name = &program.function(*function).name;
                    writeln!(text, "{}: enter {name}", program.files.show(*position))
                }
                Event::Return(function, position) => {
                    let name = &program.function(*function).name;
                    writeln!(text, "{}: leave {name}", program.files.show(*position))
                }
                Event::Branch(_, taken, position) => {
                    writeln!(text, "{}: condition is {taken}", program.files.show(*position))
                }
                Event::Store(function, place, bits, position) => {
                    let body = program.function(*function).body.as_ref();
                    let place_text = program.show_place(body, place);
                    let value = program.show_value(place.ty, *bits);
                    writeln!(text, "{}: {place_text} = {value}", program.files.show(*position))
                }
                Event::Choice { name, ty, bits, position, .. } => {
                    let value = program.show_value(*ty, *bits);
                    writeln!(text, "{}: {name} gives {value}", program.files.show(*position))
                }
                Event::Access(function, place, origin, offset) => {
                    let body = program.function(*function).body.as_ref();
                    let place_text = program.show_place(body, place);
                    let position = program.files.show(place.position);
                    writeln!(text, "{position}: {place_text} is byte {offset} of {origin:?}")
                }
            };
        }
        text
    }
}
