//! What went wrong in the end of a run, in words for people.

use super::exec::Interpreter;
use super::memory::{Denied, Object, Origin};
use super::outcome::{Outcome, Undefined};
use super::value::ObjectId;
use crate::violation::Kind;

impl Interpreter<'_, '_> {
    /// A sentence about an outcome that is or may be a violation.
    pub(super) fn detail(&self, outcome: &Outcome) -> Option<String> {
        let (what, at) = match outcome {
            Outcome::UndefinedBehaviour(what, at) => (what, at),
            Outcome::Violated(violation) => return self.leaked(violation.kind),
            _ => return None,
        };
        let denied = self.memory.denied.get();
        match (what, denied) {
            (Undefined::OutOfBounds, Some(denied)) => Some(self.outside(denied)),
            (Undefined::Dangling, Some(denied)) => {
                let bytes = bytes(denied.size);
                let name = self.name(denied.object);
                Some(format!("{bytes} of {name} are accessed, which exists no more"))
            }
            (Undefined::ReadOnly, Some(denied)) => {
                Some(format!("{} is written, which must not change", self.name(denied.object)))
            }
            (Undefined::InvalidFree, _) => {
                let place = self.program.files.show(*at);
                Some(format!("what is freed is not an object that was allocated ({place})"))
            }
            _ => Some(format!("{what}")),
        }
    }

    fn outside(&self, Denied { object, offset, size }: Denied) -> String {
        let has = self.memory.object(object).map_or(0, |object| object.size);
        let (tried, name, has) = (bytes(size), self.name(object), bytes(has));
        format!("{tried} are accessed at offset {offset} of {name}, which has {has}")
    }

    fn leaked(&self, kind: Kind) -> Option<String> {
        let id = match kind {
            Kind::Memcleanup => self.memory.allocated().next()?,
            Kind::Memtrack => self.untracked()?,
            _ => return None,
        };
        let name = self.name(id);
        Some(match kind {
            Kind::Memcleanup => format!("{name} is not freed"),
            _ => format!("nothing leads to {name} any more"),
        })
    }

    /// An object as people call it.
    fn name(&self, id: ObjectId) -> String {
        let Some(object) = self.memory.object(id) else { return "an object".to_string() };
        let place = |object: &Object| self.program.files.show(object.position).to_string();
        match object.origin {
            Origin::Global(global) => format!("`{}`", self.program.global(global).name),
            Origin::Function(function) => format!("`{}`", self.program.function(function).name),
            Origin::Local(local) => {
                let owner = self.frames.iter().rev().find(|frame| {
                    frame.objects.get(local.0 as usize).copied().flatten() == Some(id)
                });
                let name = owner.and_then(|frame| frame.body.local(local).name.clone());
                name.map_or("a local variable".to_string(), |name| format!("`{name}`"))
            }
            Origin::Frame => format!("the array of {}", place(object)),
            Origin::Heap | Origin::Library => {
                format!("the object allocated at {}", place(object))
            }
        }
    }
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_string() } else { format!("{count} bytes") }
}
