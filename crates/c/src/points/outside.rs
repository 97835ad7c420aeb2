//! The environment: what it knows of the program, and what may happen to that.
//!
//! A pointer about which nothing is known may come from outside. It refers to memory of the
//! environment, or to an object whose address has got there: as an argument of a function without
//! a body, by a write through such a pointer, or because an object that is known outside holds it.
//! Objects that are not known outside cannot be changed by a write through a pointer from there.
//!
//! What leaves is looked for when the sets are complete, since only then it is known which
//! pointers refer to nothing; what is found may let the sets grow again.

use super::set::{Flags, Set};
use super::state::{State, View};
use super::units::Unit;
use super::{ObjectId, ObjectKind};
use crate::flat::InstanceId;
use crate::library::UndefinedFunctions;
use crate::typed::{Expr, ExprKind};

/// What has been found so far.
#[derive(Clone, Debug, Default)]
pub struct Outside {
    /// By object.
    known: Vec<bool>,
    /// Something is written through a pointer from outside.
    pub is_written: bool,
}

/// What one statement lets out.
#[derive(Clone, Debug, Default)]
pub struct Leaving {
    objects: Vec<ObjectId>,
    writes: bool,
    /// A function that nobody knows may change global variables.
    globals: bool,
}

impl Outside {
    pub fn knows(&self, object: ObjectId) -> bool {
        self.known.get(object.0 as usize) == Some(&true)
    }
}

impl State<'_> {
    /// Adds what the units let out. Gives the objects whose contents are to be seen as arbitrary
    /// from now on; there are none when nothing has changed.
    pub fn let_out(&mut self, units: &[Unit]) -> Vec<ObjectId> {
        let mut found = Leaving::default();
        for unit in units {
            let mut view = View::new(self);
            view.leaving = Some(Leaving::default());
            view.transfer(unit, &mut Vec::new());
            let Leaving { objects, writes, globals } = view.leaving.unwrap_or_default();
            found.objects.extend(objects);
            found.writes |= writes;
            found.globals |= globals;
        }
        if found.globals {
            let objects = self.public.iter().enumerate();
            let globals = objects.filter(|(_, o)| matches!(o.kind, ObjectKind::Global(_)));
            found.objects.extend(globals.map(|(index, _)| ObjectId(index as u32)));
        }
        self.outside.is_written |= found.writes || found.globals;
        self.outside.known.resize(self.public.len(), false);
        // What was known already may hold more than it did.
        let known = (0..self.public.len() as u32).map(ObjectId).filter(|&o| self.outside.knows(o));
        let mut stack: Vec<ObjectId> = known.collect();
        self.outside.known.fill(false);
        stack.extend(found.objects);
        while let Some(object) = stack.pop() {
            if !std::mem::replace(&mut self.outside.known[object.0 as usize], true) {
                let all = self.contents[object.0 as usize].all;
                stack.extend(self.nodes[all.0 as usize].list.iter().map(|(inside, _)| *inside));
            }
        }
        if !self.outside.is_written {
            return Vec::new();
        }
        let objects = (0..self.public.len() as u32).map(ObjectId);
        let changes = |&object: &ObjectId| {
            let contents = &self.contents[object.0 as usize];
            let is_open = contents.initial.has(Flags::ARBITRARY);
            self.outside.knows(object) && contents.writable && !is_open
        };
        objects.filter(changes).collect()
    }
}

impl View<'_, '_> {
    /// A value of a scalar, or whatever a record holds, gets outside.
    pub fn leave(&mut self, value: &Set) {
        if let Some(leaving) = &mut self.leaving {
            leaving.objects.extend(value.list.iter().map(|(object, _)| *object));
        }
    }

    /// A value is written through these pointers.
    pub fn leave_through(&mut self, to: &Set, value: &Set) {
        let is_unknown = to.flags.has(Flags::ARBITRARY) || to.list.is_empty();
        if is_unknown && let Some(leaving) = &mut self.leaving {
            leaving.writes = true;
            leaving.objects.extend(value.list.iter().map(|(object, _)| *object));
        }
    }

    /// The arguments of a function without a body get outside.
    pub fn leave_as_arguments(&mut self, instance: InstanceId, arguments: &[Expr]) {
        let changes = self.state.program.undefined_functions == UndefinedFunctions::Havoc;
        match &mut self.leaving {
            Some(leaving) => leaving.globals |= changes,
            None => return,
        }
        for argument in arguments {
            if self.state.program.types.is_scalar(argument.ty) {
                let value = self.value(instance, argument).into_owned();
                self.leave(&value);
            } else if let ExprKind::Load(place) = &argument.kind {
                for (object, _) in self.place(instance, place).list {
                    let all = self.state.contents[object.0 as usize].all;
                    let held = self.read(all).clone();
                    self.leave(&held);
                }
            }
        }
    }
}
