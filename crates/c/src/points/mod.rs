//! Which objects pointers may point to, and where inside them.
//!
//! A flow-insensitive inclusion analysis in the manner of Andersen ("Program Analysis and
//! Specialization for the C Programming Language", 1994) over a flat program, extended by offsets
//! as in Balakrishnan and Reps's value-set analysis. Every statement is evaluated over the current
//! sets and adds to what it writes; whatever it has read wakes it up again ([`solve`]). All scalars
//! are followed, not only pointers, because integers can carry addresses.
//!
//! Contract: whatever a run of the interpreter reads or writes through a pointer that was derived
//! from the address of an object lies in the set of that pointer, with two exceptions that C makes
//! undefined: an index of a declared array that leaves it for another part of the same object, and
//! integer arithmetic that leads from the address of one object into another. Pointers made from
//! numbers that come from elsewhere are only marked as unknown; which objects a write through one
//! of them may change is the subject of [`outside`].

mod crowd;
mod hints;
mod layout;
mod library;
mod locals;
mod offsets;
mod outside;
mod place;
mod set;
mod solve;
mod state;
mod transfer;
mod units;
mod value;
mod write;

use crate::flat::{Flat, FlatBlockId, InstanceId};
use crate::typed::{Body, Expr, FuncId, GlobalId, LocalId, Place, Program};
use crate::types::Ty;
use crate::violation::Properties;
use offsets::Off;
use rustc_hash::FxHashSet;
use set::{Flags, Set};
use state::State;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    Global(GlobalId),
    /// A local variable that is in memory.
    Local(InstanceId, LocalId),
    Function(FuncId),
    /// What a statement of a flat block allocates: a library call or `Allocate`.
    Site(FlatBlockId, usize),
    /// The arguments of an activation beyond its parameters.
    Variadic(InstanceId),
}

#[derive(Clone, Debug)]
pub struct Object {
    pub kind: ObjectKind,
    /// In bytes, if it is always the same.
    pub size: Option<u64>,
    /// The statement that allocates it lies on a cycle of the flat graph.
    pub repeated: bool,
    /// Of variables, the declared type; of allocations, what the pointer to it is first converted
    /// to.
    pub ty: Option<Ty>,
    /// What its address is a multiple of, wherever it is.
    pub align: u64,
}

/// The offsets `first`, `first + stride`, and so on, `count` of them; those outside the object
/// are left out. With count `u64::MAX` they go on to the end of the object; with count 1 the
/// stride has no meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offsets {
    pub first: u64,
    pub stride: u64,
    pub count: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub object: ObjectId,
    pub offsets: Offsets,
}

/// Null is always possible and not mentioned.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Targets {
    /// In the order of objects.
    pub list: Vec<Target>,
    /// The value may be something else: a result of an external function, uninitialised or
    /// arbitrary memory, a number other than 0.
    pub unknown: bool,
    /// Unknown for another reason than that storage is read before it is written.
    pub arbitrary: bool,
}

impl Targets {
    /// Whether nothing is known about the value in some runs. A pointer that the program never
    /// sets to an address counts, even if it is only ever null: then a part of the environment is
    /// missing. Where it is set somewhere, storage that is read before it is written means
    /// undefined behaviour.
    pub fn is_unknown(&self) -> bool {
        self.arbitrary || self.list.is_empty()
    }
}

/// For each local of a function, whether it needs memory: see [`Points::in_memory`].
pub(crate) fn needs_memory(program: &Program, body: &Body) -> Vec<bool> {
    locals::LocalFacts::find(program, body).in_memory
}

/// The result of the analysis.
pub struct Points<'p> {
    state: State<'p>,
    /// Objects that no set mentions any more: see [`crowd`].
    crowd: FxHashSet<ObjectId>,
}

impl<'p> Points<'p> {
    /// Analyses a flat program.
    pub fn analyse(flat: &Flat<'p>) -> Points<'p> {
        Points { state: solve::flat(flat), crowd: FxHashSet::default() }
    }

    /// Gives objects to the environment where a pointer may refer to more than `many`, or where the
    /// analysis has given up.
    pub fn make_crowd(&mut self, flat: &Flat, many: usize) {
        self.crowd = match self.has_given_up() {
            true => crowd::of_addresses(flat, &self.state),
            false if flat.singles.is_empty() => FxHashSet::default(),
            false => crowd::of_sets(&self.state, self.known_outside(), many),
        };
    }

    /// Whether objects were given to the environment.
    pub fn has_crowd(&self) -> bool {
        !self.crowd.is_empty()
    }

    /// Whether an object was given to the environment: what it holds is arbitrary.
    pub fn is_crowded(&self, object: ObjectId) -> bool {
        self.crowd.contains(&object)
    }

    /// Analyses a program before it is flattened, with one activation per function. Instances
    /// are numbered as functions are.
    pub(crate) fn of_program(program: &'p Program, properties: &'p Properties) -> Points<'p> {
        Points { state: solve::program(program, properties), crowd: FxHashSet::default() }
    }

    /// Whether the program was too large, so that nothing is known about pointers that are read from
    /// variables. Then they may refer to the objects of [`crowd`].
    pub fn has_given_up(&self) -> bool {
        self.state.everything.is_some()
    }

    pub fn objects(&self) -> &[Object] {
        &self.state.public
    }

    pub fn object(&self, id: ObjectId) -> &Object {
        &self.state.public[id.0 as usize]
    }

    /// What a scalar expression may point to.
    pub fn value(&self, instance: InstanceId, expr: &Expr) -> Targets {
        let mut view = state::View::new(&self.state);
        let set = view.value(instance, expr);
        self.targets(&set)
    }

    /// Whether a scalar expression, where it is an address, is that of a byte of its object in every
    /// run. Arithmetic on integers may lead anywhere.
    pub fn stays_inside(&self, instance: InstanceId, expr: &Expr) -> bool {
        let mut view = state::View::new(&self.state);
        let set = view.value(instance, expr);
        if self.has_crowd() {
            return false;
        }
        let is_inside = |(object, off): &(ObjectId, Off)| {
            let end = self.object(*object).size.unwrap_or(1).max(1);
            let last = off.last().and_then(|last| u64::try_from(last).ok());
            off.first >= 0 && last.is_some_and(|last| last < end)
        };
        set.list.iter().all(is_inside)
    }

    /// Where a place may lie; nowhere if it is not in memory.
    pub fn place(&self, instance: InstanceId, place: &Place) -> Targets {
        let mut view = state::View::new(&self.state);
        let set = view.place(instance, place);
        self.targets(&set)
    }

    /// The objects whose addresses may be stored in one.
    pub fn stored_in(&self, object: ObjectId) -> Vec<ObjectId> {
        self.objects_of(self.state.contents[object.0 as usize].all)
    }

    /// The objects whose addresses a local may hold that needs no memory.
    pub fn held_in(&self, instance: InstanceId, local: LocalId) -> Vec<ObjectId> {
        let register = self.state.register(instance, local);
        register.map_or_else(Vec::new, |node| self.objects_of(node))
    }

    fn objects_of(&self, node: state::NodeId) -> Vec<ObjectId> {
        let mut view = state::View::new(&self.state);
        let objects = view.read(node).list.iter().map(|(object, _)| *object);
        objects.filter(|&object| !self.is_crowded(object)).collect()
    }

    /// Whether a local needs memory: a record, an array, or a scalar whose address is taken. The
    /// others are only read and written as a whole.
    pub fn in_memory(&self, instance: InstanceId, local: LocalId) -> bool {
        self.state.in_memory(instance, local)
    }

    pub fn object_of(&self, kind: ObjectKind) -> Option<ObjectId> {
        self.state.by_kind.get(&kind).copied()
    }

    /// The functions among the targets.
    pub(crate) fn functions(&self, targets: &Targets) -> Vec<FuncId> {
        let function = |target: &Target| match self.object(target.object).kind {
            ObjectKind::Function(id) => Some(id),
            _ => None,
        };
        let mut functions: Vec<FuncId> = targets.list.iter().filter_map(function).collect();
        functions.dedup();
        functions
    }

    /// The objects that a write through a pointer of unknown value may change.
    pub fn known_outside(&self) -> Vec<ObjectId> {
        let objects = (0..self.state.public.len() as u32).map(ObjectId);
        let writable = |object: &ObjectId| self.state.contents[object.0 as usize].writable;
        let is_known =
            |&object: &ObjectId| self.state.outside.knows(object) && !self.is_crowded(object);
        objects.filter(is_known).filter(writable).collect()
    }

    /// Whether something may be written to memory of the environment.
    pub fn is_outside_written(&self) -> bool {
        self.state.outside.is_written || self.has_given_up()
    }

    /// The functions whose addresses are known outside.
    pub(crate) fn functions_outside(&self) -> Vec<FuncId> {
        let outside = self.state.by_kind.iter().filter_map(|(kind, &object)| match kind {
            ObjectKind::Function(id) if self.state.outside.knows(object) => Some(*id),
            _ => None,
        });
        let mut functions: Vec<FuncId> = outside.collect();
        functions.sort_unstable_by_key(|id| id.0);
        functions
    }

    fn targets(&self, set: &Set) -> Targets {
        let mut arbitrary = set.flags.has(Flags::ARBITRARY);
        let list = set.list.iter().filter_map(|(object, off)| {
            if self.is_crowded(*object) {
                arbitrary = true;
                return None;
            }
            let offsets = visible(off, self.object(*object).size)?;
            Some(Target { object: *object, offsets })
        });
        let list = list.collect();
        let unknown = arbitrary || set.flags.has(Flags::UNINITIALISED);
        Targets { list, unknown, arbitrary }
    }
}

/// The offsets that lie inside an object or at its end.
fn visible(off: &Off, size: Option<u64>) -> Option<Offsets> {
    let stride = off.stride.max(1);
    let first = match u64::try_from(off.first) {
        Ok(first) => first,
        Err(_) if off.is_exact() => return None,
        Err(_) => off.first.rem_euclid(stride as i64) as u64,
    };
    let last = match off.last() {
        Some(last) => Some(u64::try_from(last).ok()?),
        None => None,
    };
    let reaches = |end: u64| last.is_none_or(|last| last >= end);
    let count = match (last, size) {
        (_, Some(size)) if first > size => return None,
        (Some(last), Some(size)) if reaches(size) && last > size => (size - first) / stride + 1,
        (Some(last), _) => last.checked_sub(first)? / stride + 1,
        (None, _) => u64::MAX,
    };
    Some(Offsets { first, stride, count })
}
