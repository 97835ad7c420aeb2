//! Calls of functions that nobody knows, where they may change what they can reach.
//!
//! Such a function can reach the global variables, what its arguments and those of earlier calls point
//! to, and whatever is behind pointers in there. All of that has arbitrary contents afterwards, each
//! object under a new lifetime.

use super::calls::Argument;
use super::exec::Interpreter;
use super::memory::Origin;
use super::oracle::{Birth, Havocked};
use super::value::{ObjectId, Value};
use crate::source::Position;
use crate::typed::{GlobalId, LocalId};
use rustc_hash::FxHashSet;

impl Interpreter<'_, '_> {
    pub(super) fn havoc(&mut self, values: &[Argument], at: Position) {
        for (value, _) in values {
            match value {
                Value::Scalar(scalar) => self.reached.extend(scalar.object),
                Value::Bytes(bytes) => {
                    self.reached.extend(bytes.iter().filter_map(|byte| byte.object));
                }
            }
        }
        let globals = self.globals.clone();
        self.reached.extend(&globals);
        self.close_reached();
        let mut lives = Vec::new();
        for (index, &object) in globals.iter().enumerate() {
            let what = Havocked::Global(GlobalId(index as u32));
            lives.push((Some(object), Birth::Havoc(at, what)));
        }
        for frame in &self.frames {
            for (index, object) in frame.objects.iter().enumerate() {
                if !frame.in_register[index] {
                    let what = Havocked::Local(frame.function, LocalId(index as u32));
                    lives.push((*object, Birth::Havoc(at, what)));
                }
            }
        }
        for (object, position, number) in self.memory.numbered_allocations() {
            lives.push((Some(object), Birth::Havoc(at, Havocked::Heap(position, number))));
        }
        for (object, birth) in lives {
            // The oracle has something for each, whether it can be reached in this run or not.
            let life = self.begin(birth);
            let Some(id) = object.filter(|id| self.reached.contains(id)) else { continue };
            if let Some(object) = self.memory.object_mut(id)
                && object.alive
                && object.writable
                && !self.is_constant_global(id)
                && let Some(object) = self.memory.object_mut(id)
            {
                object.begin(life);
            }
        }
    }

    fn is_constant_global(&self, id: ObjectId) -> bool {
        match self.memory.object(id).map(|object| object.origin) {
            Some(Origin::Global(global)) => {
                let global = self.program.global(global);
                global.is_constant || global.is_literal
            }
            _ => false,
        }
    }

    /// Adds what pointers in reached objects lead to.
    fn close_reached(&mut self) {
        let mut stack: Vec<ObjectId> = self.reached.iter().copied().collect();
        let mut seen: FxHashSet<ObjectId> = self.reached.clone();
        while let Some(id) = stack.pop() {
            let Some(object) = self.memory.object(id) else { continue };
            for next in object.addresses() {
                if seen.insert(next) {
                    stack.push(next);
                }
            }
        }
        self.reached = seen;
    }
}
