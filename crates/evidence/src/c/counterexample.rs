//! The run of an alarm as data: where it went and the values that matter.
//!
//! One step per input, assignment to a variable of the program, decision, and call. Temporaries of
//! the front end are left out. Text, JSON and pages are made from this.

use super::replay::Alarm;
use super::sources::Sources;
use serde::{Deserialize, Serialize};
use wedge_c::Violation;
use wedge_c::interp::Event;
use wedge_c::source::Position;
use wedge_c::typed::{FuncId, LocalKind, Program};
use wedge_c::typed::{Place as Lvalue, PlaceKind};

/// How many steps are kept at the beginning and at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    pub head: usize,
    pub tail: usize,
}

impl Extent {
    /// What people read in one go.
    pub const SHORT: Extent = Extent { head: 15, tail: 25 };
    /// What a page with a slider can hold.
    pub const PAGE: Extent = Extent { head: 1000, tail: 5000 };
    pub const WHOLE: Extent = Extent { head: usize::MAX, tail: 0 };
}

/// A violation of a property by a program, as far as it is to be shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Counterexample {
    /// Events before the first step that were not kept.
    pub forgotten: u64,
    /// So many steps are left out.
    pub omitted: usize,
    /// After so many.
    pub omitted_after: usize,
    /// The last one is the violation.
    pub steps: Vec<Step>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    pub place: Place,
    /// The function in which it happens.
    pub function: String,
    /// How many calls are open, those not counted that were open before the first step.
    pub depth: usize,
    #[serde(flatten)]
    pub event: StepEvent,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// Where that is in the files that were handed in, if it is: the line markers of a preprocessor
    /// give places other names.
    pub input: Option<InputPlace>,
}

/// A line of a file that was handed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputPlace {
    /// Counted from 0.
    pub file: usize,
    /// Counted from 1.
    pub line: u32,
}

/// What happens in a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum StepEvent {
    Call {
        callee: String,
    },
    Return,
    /// A branch, with the line of the source if it is at hand.
    Decision {
        source: Option<String>,
        value: bool,
    },
    Assignment {
        variable: String,
        value: String,
        /// Whether the variable belongs to the call.
        local: bool,
    },
    /// A value that the program leaves open; the result of a call of the function of that name, or
    /// what a variable has without having been written.
    Choice {
        name: String,
        is_call: bool,
        value: String,
    },
    Violation {
        /// As verdicts name it.
        property: String,
        /// What happens, as a sentence.
        what: String,
        /// The statement that does it.
        statement: Place,
    },
}

/// The counterexample of an alarm, without its middle if it is longer than wanted.
pub fn counterexample(
    program: &Program,
    sources: &Sources,
    alarm: &Alarm,
    extent: Extent,
) -> Counterexample {
    let record = |kept: Kept| {
        let (functions, steps) = (Vec::new(), Vec::new());
        let mut recorder = Recorder { program, sources, functions, kept, count: 0, steps };
        let events = alarm.trace.chosen.iter().chain(&alarm.trace.events);
        events.for_each(|event| recorder.record(event));
        recorder.violation(alarm);
        recorder
    };
    // A run may have a million events of which a few dozen are shown: they are counted first.
    let all = record(Kept::NONE).count;
    let more = all.saturating_sub(extent.head.saturating_add(extent.tail));
    let omitted = if more > 1 { more } else { 0 };
    let head = extent.head.min(all);
    let steps = record(Kept { head, tail_from: head + omitted }).steps;
    let omitted_after = if omitted > 0 { head } else { 0 };
    let forgotten = alarm.trace.dropped - alarm.trace.chosen.len() as u64;
    Counterexample { forgotten, omitted, omitted_after, steps }
}

/// The steps that are kept, by their numbers: those before `head` and those from `tail_from` on.
#[derive(Clone, Copy)]
struct Kept {
    head: usize,
    tail_from: usize,
}

impl Kept {
    const NONE: Kept = Kept { head: 0, tail_from: usize::MAX };
}

struct Recorder<'a> {
    program: &'a Program,
    sources: &'a Sources,
    /// The open calls.
    functions: Vec<FuncId>,
    kept: Kept,
    /// Steps so far, kept or not.
    count: usize,
    steps: Vec<Step>,
}

impl Recorder<'_> {
    fn place(&self, position: Position) -> Place {
        let (file, line) = (self.program.files.name(position.file).to_string(), position.line);
        let input = self.sources.input(&self.program.files, position);
        let input = input.map(|(file, line)| InputPlace { file, line });
        Place { file, line, column: position.column, input }
    }

    /// One more step; what happens in it is only written down if it is kept.
    fn push(&mut self, position: Position, event: impl FnOnce(&Self) -> StepEvent) {
        let number = self.count;
        self.count += 1;
        if number >= self.kept.head && number < self.kept.tail_from {
            return;
        }
        let event = event(self);
        let place = self.place(position);
        let function = self.functions.last().map(|&id| self.program.function(id).name.clone());
        let depth = self.functions.len();
        self.steps.push(Step { place, function: function.unwrap_or_default(), depth, event });
    }

    /// Of the caller of an entry only the arguments are told.
    fn is_told(&self, event: &Event) -> bool {
        let caller = self.program.main.filter(|_| self.program.entry.is_some());
        match event {
            Event::Enter(function, _)
            | Event::Return(function, _)
            | Event::Branch(function, ..)
            | Event::Store(function, ..) => Some(*function) != caller,
            Event::Choice { .. } | Event::Access(..) => true,
        }
    }

    fn record(&mut self, event: &Event) {
        if !self.is_told(event) {
            return;
        }
        match event {
            Event::Enter(function, position) => {
                self.push(*position, |this| {
                    let callee = this.program.function(*function).name.clone();
                    StepEvent::Call { callee }
                });
                self.functions.push(*function);
            }
            Event::Return(function, position) => {
                self.inside(*function);
                self.push(*position, |_| StepEvent::Return);
                self.functions.pop();
            }
            Event::Branch(function, value, position) => {
                self.inside(*function);
                self.push(*position, |this| {
                    let source = this.sources.line(&this.program.files, *position);
                    StepEvent::Decision { source, value: *value }
                });
            }
            Event::Store(function, place, bits, position) => {
                self.inside(*function);
                if !self.is_temporary(*function, place) {
                    self.push(*position, |this| {
                        let body = this.program.function(*function).body.as_ref();
                        let variable = this.program.show_place(body, place);
                        let value = this.program.show_value(place.ty, *bits);
                        StepEvent::Assignment { variable, value, local: is_local(place) }
                    });
                }
            }
            Event::Choice { function, name, is_call, ty, bits, position } => {
                self.inside(*function);
                self.push(*position, |this| {
                    let value = this.program.show_value(*ty, *bits);
                    StepEvent::Choice { name: name.clone(), is_call: *is_call, value }
                });
            }
            Event::Access(..) => {}
        }
    }

    /// A call may have begun before the first event that was kept.
    fn inside(&mut self, function: FuncId) {
        if self.functions.last() != Some(&function) {
            self.functions.clear();
            self.functions.push(function);
        }
    }

    /// The last step.
    fn violation(&mut self, alarm: &Alarm) {
        let Violation { kind, position } = alarm.violation;
        self.push(position, |this| {
            let property = kind.name().to_string();
            let what = match &alarm.detail {
                Some(detail) => format!("{}: {detail}", kind.event()),
                None => kind.event().to_string(),
            };
            let statement = this.place(alarm.statement);
            StepEvent::Violation { property, what, statement }
        });
    }

    /// Whether a place is a variable that the front end has made.
    fn is_temporary(&self, function: FuncId, place: &Lvalue) -> bool {
        let PlaceKind::Local(id) = place.kind else { return false };
        let body = self.program.function(function).body.as_ref();
        body.is_some_and(|body| body.local(id).kind == LocalKind::Temporary)
    }
}

/// Whether a place is a part of a variable of the call.
fn is_local(place: &Lvalue) -> bool {
    match &place.kind {
        PlaceKind::Local(_) => true,
        PlaceKind::Global(_) | PlaceKind::Deref(_) => false,
        PlaceKind::Field(whole, _) | PlaceKind::Index(whole, _) => is_local(whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::replay_answers;
    use wedge_c::execute::{Finding, search};
    use wedge_c::{DataModel, Properties};

    const TEXT: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int twice(int n) { return n + n; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 21) {
    int y = twice(x);
    if (y == 42) reach_error();
  }
  return 0;
}";

    #[test]
    fn steps_say_where_they_happen_and_what() {
        let program = wedge_c::load_text(TEXT, "t.c", DataModel::Ilp32).unwrap();
        let usual = Properties::default();
        let Finding::Error { answers, steps } = search(&program, &usual, 3, &|| false).0 else {
            panic!("the error is reached")
        };
        let alarm = replay_answers(&program, &usual, &answers, steps, 100).unwrap();
        let found = counterexample(&program, &Sources::default(), &alarm, Extent::WHOLE);
        let of = |wanted: &dyn Fn(&StepEvent) -> bool| {
            found.steps.iter().find(|step| wanted(&step.event)).expect("such a step")
        };
        let choice = of(&|event| matches!(event, StepEvent::Choice { value, .. } if value == "21"));
        assert_eq!((choice.place.line, choice.function.as_str()), (4, "main"));
        let call = of(&|event| matches!(event, StepEvent::Call { callee } if callee == "twice"));
        assert_eq!((call.place.line, call.function.as_str()), (6, "main"));
        let back = of(&|event| *event == StepEvent::Return);
        assert_eq!((back.function.as_str(), back.depth), ("twice", call.depth + 1));
        let last = found.steps.last().unwrap();
        assert!(matches!(&last.event, StepEvent::Violation { .. }));
        assert_eq!((last.place.file.as_str(), last.place.line), ("t.c", 7));
        assert_eq!((found.forgotten, found.omitted), (0, 0));
        let short = Extent { head: 2, tail: 3 };
        let short = counterexample(&program, &Sources::default(), &alarm, short);
        let (all, n) = (&found.steps, found.steps.len());
        assert_eq!((short.omitted, short.omitted_after), (n - 5, 2));
        assert_eq!((&short.steps[..2], &short.steps[2..]), (&all[..2], &all[n - 3..]));
        let text = found.text();
        assert!(text.starts_with("Error trace:\n"), "{text}");
        assert!(text.contains("t.c:4  __VERIFIER_nondet_int() gives 21\n"), "{text}");
        assert!(text.contains("t.c:6  y = 42\n"), "{text}");
        assert!(text.ends_with("t.c:7  the error function is called\n"), "{text}");
    }
}
