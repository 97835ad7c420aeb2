//! What writing and copying adds to memory.

use super::ObjectId;
use super::layout::{Access, has_array, part};
use super::offsets::Off;
use super::set::{Flags, Set};
use super::state::{Cell, Grid, MAX_CELLS, NodeId, View};
use super::value::grid;
use crate::flat::InstanceId;
use crate::typed::{Expr, ExprKind, FuncId, Place, PlaceKind};
use crate::types::Ty;

/// Something that a statement adds to the state.
pub enum Effect {
    Node(NodeId, Set),
    Cell {
        object: ObjectId,
        at: u64,
        size: u64,
        set: Set,
    },
    Blob {
        object: ObjectId,
        grid: Option<Grid>,
        set: Set,
    },
    /// A function is called for the first time.
    Activate(FuncId),
}

/// Where a value goes.
pub enum Destination {
    Register(NodeId),
    Memory(Set),
    /// A bit-field: only numbers go there.
    Bits(Set, u64),
}

pub type Effects = Vec<Effect>;

impl View<'_, '_> {
    pub fn destination(&mut self, instance: InstanceId, place: &Place) -> Destination {
        if let PlaceKind::Local(id) = place.kind
            && let Some(node) = self.state.register(instance, id)
        {
            return Destination::Register(node);
        }
        let pointers = self.place(instance, place);
        match self.bits(place) {
            Some(bits) => Destination::Bits(pointers, (bits.shift + bits.width).div_ceil(8) as u64),
            None => Destination::Memory(pointers),
        }
    }

    /// Writes a scalar of some type.
    pub fn put(&mut self, to: &Destination, value: &Set, ty: Ty, out: &mut Effects) {
        match to {
            Destination::Register(node) => out.push(Effect::Node(*node, value.clone())),
            Destination::Memory(pointers) => {
                self.store(pointers, self.state.width(ty), value, out);
            }
            Destination::Bits(pointers, size) => {
                self.store(pointers, *size, &Set::flags(Flags::ARBITRARY), out);
            }
        }
    }

    /// Writes the value of any expression to a destination of type `ty`. A record that does not
    /// fit there leaves it arbitrary.
    pub fn assign(
        &mut self,
        to: &Destination,
        ty: Ty,
        instance: InstanceId,
        value: &Expr,
        out: &mut Effects,
    ) {
        let types = &self.state.program.types;
        match (&value.kind, to) {
            _ if types.is_scalar(value.ty) && types.is_scalar(ty) => {
                let set = self.value(instance, value);
                self.put(to, &set, ty, out);
            }
            (ExprKind::Load(source), Destination::Memory(pointers))
                if types.size(value.ty) == types.size(ty) && !types.is_scalar(value.ty) =>
            {
                let from = self.place(instance, source);
                self.copy(pointers, &from, types.size(ty), out);
            }
            _ => self.leave_open(to, ty, out),
        }
    }

    /// Writes an arbitrary value of any type.
    pub fn leave_open(&mut self, to: &Destination, ty: Ty, out: &mut Effects) {
        let arbitrary = Set::flags(Flags::ARBITRARY);
        match to {
            Destination::Memory(pointers) => {
                let size = self.state.program.types.size(ty).unwrap_or(0);
                self.store(pointers, size, &arbitrary, out);
            }
            _ => self.put(to, &arbitrary, ty, out),
        }
    }

    /// Writes values of some size through a pointer.
    pub fn store(&mut self, to: &Set, size: u64, value: &Set, out: &mut Effects) {
        let set = Set { list: value.list.clone(), flags: value.flags.without(Flags::NULL) };
        self.leave_through(to, &set);
        if set.is_empty() || size == 0 {
            return;
        }
        for (object, off) in &to.list {
            self.store_at(*object, off, size, &set, out);
        }
    }

    fn store_at(&mut self, object: ObjectId, off: &Off, size: u64, set: &Set, out: &mut Effects) {
        let contents = &self.state.contents[object.0 as usize];
        if !contents.writable {
            return;
        }
        match self.access(object, off, size) {
            Access::Places(places) if contents.cells.len() + places.len() <= MAX_CELLS => {
                for at in places {
                    out.push(Effect::Cell { object, at, size, set: set.clone() });
                }
            }
            Access::Places(places) if places.is_empty() => {}
            _ => out.push(Effect::Blob { object, grid: grid(off, size), set: set.clone() }),
        }
    }

    /// Copies so many bytes, or any number of them.
    pub fn copy(&mut self, to: &Set, from: &Set, size: Option<u64>, out: &mut Effects) {
        if size == Some(0) {
            return;
        }
        if from.flags.without(Flags::NULL).any() {
            let flags = Set::flags(from.flags.without(Flags::NULL));
            self.store_range(to, size, &flags, out);
        }
        if self.leaving.is_some() {
            let mut held = Set::default();
            for (source, _) in &from.list {
                let all = self.state.contents[source.0 as usize].all;
                held.join(self.read(all));
            }
            self.leave_through(to, &held);
        }
        for (source, source_off) in &from.list {
            for (target, target_off) in &to.list {
                let range = Range { source: *source, target: *target, source_off, target_off };
                self.copy_range(&range, size, out);
            }
        }
    }

    /// Writes one value all over a number of bytes, which is unknown if there is none.
    pub fn store_range(&mut self, to: &Set, size: Option<u64>, value: &Set, out: &mut Effects) {
        match size {
            Some(size) => self.store(to, size, value, out),
            None => {
                self.leave_through(to, value);
                for (object, _) in &to.list {
                    if self.state.contents[object.0 as usize].writable {
                        let (object, set) = (*object, value.clone());
                        out.push(Effect::Blob { object, grid: None, set });
                    }
                }
            }
        }
    }

    fn copy_range(&mut self, range: &Range, size: Option<u64>, out: &mut Effects) {
        if !self.state.contents[range.target.0 as usize].writable {
            return;
        }
        let contents = self.contents(range.source);
        let begins = size.map(|size| self.access(range.source, range.source_off, size));
        match (begins, size) {
            (Some(Access::Places(places)), Some(size)) => {
                if places.is_empty() {
                    return;
                }
                self.copy_initial(range, Some(size), contents.initial, out);
                for begin in places {
                    for cell in &contents.cells {
                        if cell.at < begin + size && begin < cell.at + cell.size {
                            self.copy_cell(range, cell, begin, size, out);
                        }
                    }
                }
            }
            _ if self.is_parallel(range) => {
                self.copy_initial(range, None, contents.initial, out);
                for cell in &contents.cells {
                    let (object, set) = (range.target, self.read(cell.node).clone());
                    out.push(Effect::Cell { object, at: cell.at, size: cell.size, set });
                }
            }
            _ => {
                self.copy_initial(range, None, contents.initial, out);
                let set = self.read(contents.all).clone();
                if !set.is_empty() {
                    out.push(Effect::Blob { object: range.target, grid: None, set });
                }
                return;
            }
        }
        if let Some(blob) = contents.blob {
            let set = self.read(blob.node);
            let grid = blob.grid.and_then(|grid| range.moved(grid));
            let set = if grid.is_some() { set.clone() } else { set.smeared() };
            out.push(Effect::Blob { object: range.target, grid, set });
        }
    }

    /// Whether every byte goes to the same offset of an object that is arranged in the same way.
    fn is_parallel(&self, range: &Range) -> bool {
        let same = range.source_off == range.target_off && range.source_off.is_exact();
        same && self.shape(range.source) == self.shape(range.target)
    }

    fn copy_initial(
        &mut self,
        range: &Range,
        size: Option<u64>,
        initial: Flags,
        out: &mut Effects,
    ) {
        let flags = initial.without(Flags::NULL);
        if flags.any() {
            let to = Set::one(range.target, *range.target_off);
            self.store_range(&to, size, &Set::flags(flags), out);
        }
    }

    /// Copies what one cell holds; the copied range begins at `begin`, which is normalised.
    fn copy_cell(&mut self, range: &Range, cell: &Cell, begin: u64, size: u64, out: &mut Effects) {
        let set = self.read(cell.node);
        let is_whole = begin <= cell.at && cell.at + cell.size <= begin + size;
        if !is_whole {
            let set = set.smeared();
            out.push(Effect::Blob { object: range.target, grid: None, set });
            return;
        }
        let types = &self.state.program.types;
        let step = cell.at - begin;
        let source_part = part(types, self.shape(range.source), begin, size);
        // Without arrays inside, normalised distances are real ones.
        let is_plain = match source_part {
            Some(ty) => !has_array(types, ty),
            None => self.is_bytes(range.source),
        };
        if is_plain {
            let off = range.target_off.shift(step as i64);
            self.store_at(range.target, &off, cell.size, set, out);
            return;
        }
        if let Access::Places(places) = self.access(range.target, range.target_off, size)
            && source_part.is_some()
            && places
                .iter()
                .all(|at| part(types, self.shape(range.target), *at, size) == source_part)
        {
            for place in places {
                let (object, size) = (range.target, cell.size);
                out.push(Effect::Cell { object, at: place + step, size, set: set.clone() });
            }
            return;
        }
        out.push(Effect::Blob { object: range.target, grid: None, set: set.smeared() });
    }

    fn shape(&self, object: ObjectId) -> super::layout::Shape {
        self.state.contents[object.0 as usize].shape
    }

    fn is_bytes(&self, object: ObjectId) -> bool {
        self.shape(object) == super::layout::Shape::Bytes
    }
}

/// What is copied from where to where.
struct Range<'a> {
    source: ObjectId,
    target: ObjectId,
    source_off: &'a Off,
    target_off: &'a Off,
}

impl Range<'_> {
    /// A grid of the source as it arrives in the target.
    fn moved(&self, grid: Grid) -> Option<Grid> {
        let regular = |off: &Off| off.stride.is_multiple_of(grid.size);
        let distance = self.target_off.first - self.source_off.first;
        let rest = (grid.rest as i64 + distance).rem_euclid(grid.size as i64) as u64;
        (regular(self.source_off) && regular(self.target_off))
            .then_some(Grid { size: grid.size, rest })
    }
}
