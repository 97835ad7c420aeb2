//! Objects with addresses and bytes.

use super::oracle::Life;
use super::outcome::{Step, Undefined, undefined, unsupported};
use super::value::{Byte, ObjectId, Scalar, Source};
use crate::source::Position;
use crate::typed::{FuncId, GlobalId, LocalId};
use crate::types::DataModel;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::hash::Hasher;

/// Objects beyond this size are not allocated.
const MAX_OBJECT: u64 = 1 << 30;
/// All objects together may not be larger.
const MAX_TOTAL: u64 = 1 << 32;
/// Space between objects, so that a pointer just past one never reaches the next.
const GAP: u64 = 16;
/// Objects at once, those that died lately included.
const MAX_OBJECTS: usize = 1 << 22;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    Global(GlobalId),
    Function(FuncId),
    Local(FuncId, LocalId),
    /// `alloca`, variable-length arrays and variable arguments.
    Frame,
    /// Ends with `free`.
    Heap,
    /// Belongs to the library.
    Library,
}

#[derive(Debug)]
pub struct Object {
    id: ObjectId,
    pub base: u64,
    pub size: u64,
    /// Where it was made.
    pub position: Position,
    pub origin: Origin,
    /// How many were allocated before at the same place.
    number: u64,
    pub alive: bool,
    /// Where it was freed.
    pub freed: Option<Position>,
    pub writable: bool,
    /// Under which its uninitialised contents are asked for.
    pub life: Option<Life>,
    bytes: Vec<u8>,
    /// Whether each byte has a value; empty as long as none has.
    initialized: Vec<bool>,
    /// The object of the pointer that each byte belongs to; empty as long as there is none.
    pointers: Vec<Option<ObjectId>>,
    /// Where uninitialised bytes were copied from; empty as long as none was.
    sources: Vec<Option<Source>>,
    /// Whether uninitialised bytes have been copied from here.
    is_copied: Cell<bool>,
}

impl Object {
    /// Gives the object its bytes; until then it occupies no memory.
    fn materialize(&mut self) {
        if self.initialized.is_empty() {
            self.bytes = vec![0; self.size as usize];
            self.initialized = vec![false; self.size as usize];
        }
    }

    pub fn get(&self, offset: u64) -> Byte {
        let at = offset as usize;
        let is_set = self.initialized.get(at).copied().unwrap_or(false);
        let object = self.pointers.get(at).copied().flatten();
        let source = if is_set { None } else { self.source(offset) };
        Byte { value: is_set.then(|| self.bytes[at]), object, source }
    }

    /// Where the contents of an uninitialised byte are asked for.
    pub fn source(&self, offset: u64) -> Option<Source> {
        let copied = self.sources.get(offset as usize).copied().flatten();
        copied.or_else(|| self.life.map(|life| Source { life, offset }))
    }

    /// Whether other objects may hold copies of the same uninitialised bytes.
    pub fn shares_bytes(&self) -> bool {
        self.is_copied.get() || !self.sources.is_empty()
    }

    /// Arbitrary contents from now on, asked for under this lifetime.
    pub fn begin(&mut self, life: Life) {
        self.fill(0, self.size, None);
        self.sources.clear();
        self.is_copied.set(false);
        self.life = Some(life);
    }

    pub fn set(&mut self, offset: u64, byte: Byte) {
        self.materialize();
        let at = offset as usize;
        self.initialized[at] = byte.value.is_some();
        self.bytes[at] = byte.value.unwrap_or(0);
        if byte.object.is_some() && self.pointers.is_empty() {
            self.pointers = vec![None; self.size as usize];
        }
        if let Some(entry) = self.pointers.get_mut(at) {
            *entry = byte.object;
        }
        if byte.value.is_none() && byte.source.is_some() && self.sources.is_empty() {
            self.sources = vec![None; self.size as usize];
        }
        if let Some(entry) = self.sources.get_mut(at) {
            *entry = byte.source;
        }
    }

    /// The bits of `size` bytes, if all of them have values, and the object they refer to, if all
    /// of them belong to pointers to it.
    pub fn read(&self, offset: u64, size: u64) -> Option<Scalar> {
        let range = offset as usize..(offset + size) as usize;
        if !self.initialized.get(range.clone())?.iter().all(|&set| set) {
            return None;
        }
        let mut buffer = [0u8; 16];
        buffer[..size as usize].copy_from_slice(&self.bytes[range.clone()]);
        let object = self.pointers.get(range).and_then(|pointers| {
            let first = *pointers.first()?;
            pointers.iter().all(|&pointer| pointer == first).then_some(first)?
        });
        Some(Scalar { bits: u128::from_le_bytes(buffer), object })
    }

    /// The objects that pointers in it lead to.
    pub fn addresses(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.pointers.iter().copied().flatten()
    }

    /// Whether some of these bytes are parts of pointers.
    pub fn holds_address(&self, offset: u64, size: u64) -> bool {
        let range = offset as usize..(offset + size) as usize;
        self.pointers.get(range).is_some_and(|pointers| pointers.iter().any(Option::is_some))
    }

    pub fn write(&mut self, offset: u64, size: u64, value: Scalar) {
        self.materialize();
        let range = offset as usize..(offset + size) as usize;
        self.bytes[range.clone()].copy_from_slice(&value.bits.to_le_bytes()[..size as usize]);
        self.initialized[range.clone()].fill(true);
        if value.object.is_some() && self.pointers.is_empty() {
            self.pointers = vec![None; self.size as usize];
        }
        if !self.pointers.is_empty() {
            self.pointers[range].fill(value.object);
        }
    }

    pub fn fill(&mut self, offset: u64, size: u64, value: Option<u8>) {
        self.materialize();
        let range = offset as usize..(offset + size) as usize;
        self.bytes[range.clone()].fill(value.unwrap_or(0));
        self.initialized[range.clone()].fill(value.is_some());
        if !self.pointers.is_empty() {
            self.pointers[range].fill(None);
        }
    }
}

/// Where nothing lies, unless the environment says that its memory begins earlier.
const NEAR_NULL: u64 = 4096;

/// All objects of a run, in the order of their numbers.
pub struct Memory {
    objects: Vec<Object>,
    next_id: u32,
    /// Where the next object of each region goes.
    next_static: u64,
    next_heap: u64,
    next_stack: u64,
    total: u64,
    dead: usize,
    /// What is below, and no object, is taken for a part of what a null pointer refers to.
    pub near_null: u64,
    /// How many objects of the heap were allocated at each place.
    numbers: FxHashMap<Position, u64>,
    /// Where they begin and end.
    begins: [u64; 3],
    ends: [u64; 3],
    placement: Placement,
    /// Blocks of the heap that can be used again, with their sizes, the oldest first.
    freed: Vec<(u64, u64)>,
    /// The same for the stack.
    left: Vec<(u64, u64)>,
    /// Where the next object of the heap has to be.
    kept: Option<u64>,
    /// Where an object was first found by its address alone.
    pub guessed: Cell<Option<Position>>,
    /// The last access that an object did not allow.
    pub denied: Cell<Option<Denied>>,
}

/// An access as it was tried.
#[derive(Clone, Copy, Debug)]
pub struct Denied {
    pub access: Access,
    /// What the pointer leads to.
    pub object: Option<ObjectId>,
    /// In the object, or an address.
    pub offset: i64,
    pub size: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Read,
    Write,
}

/// Where objects are: C leaves that to implementations.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Placement {
    /// As Linux places the objects of a program whose code has a fixed address.
    #[default]
    Usual,
    /// All within the lowest four gigabytes.
    Low,
    /// The same, with the heap from the first page on: nothing but null is no address of an object.
    First,
    /// Downwards, no farther apart than they must be; a block of the heap that has been freed is
    /// used again, and one that is large enough is not moved.
    Packed,
    /// With room behind each object: `realloc` moves nothing, and whatever fits takes the place of what
    /// ended first, on the stack as well.
    Roomy,
}

/// Where static objects, the heap and the stack begin and end.
fn regions(model: DataModel, placement: Placement) -> [(u64, u64); 3] {
    let [statics, heap, stack, end] = match (model, placement) {
        (DataModel::Ilp32, _) => [0x0804_8000, 0x2000_0000, 0xb000_0000, 0xffff_f000],
        (DataModel::Lp64, Placement::Usual | Placement::Packed | Placement::Roomy) => {
            [0x40_0000, 0x5555_0000_0000, 0x7fff_0000_0000, 0x8000_0000_0000]
        }
        (DataModel::Lp64, Placement::Low | Placement::First) => {
            [0x40_0000, 0x1000_0000, 0xb000_0000, 0xf000_0000]
        }
    };
    let of_heap = match placement {
        Placement::First => (1, statics),
        Placement::Usual | Placement::Low | Placement::Packed | Placement::Roomy => (heap, stack),
    };
    [(statics, heap), of_heap, (stack, end)]
}

/// The size of the block of the heap that has room for so many bytes.
fn block(size: u64) -> u64 {
    (size + 1).next_multiple_of(32)
}

/// The same where objects have room, on the heap and on the stack.
fn room(size: u64, origin: Origin) -> u64 {
    let unit = if is_stack(origin) { 256 } else { 1 << 16 };
    (size + GAP).next_multiple_of(unit)
}

fn is_stack(origin: Origin) -> bool {
    matches!(origin, Origin::Local(..) | Origin::Frame)
}

impl Memory {
    /// What living objects hold.
    pub fn hash_contents(&self, hasher: &mut impl Hasher) {
        let varying = |object: &&Object| object.alive && object.writable;
        for object in self.objects.iter().filter(varying) {
            hasher.write(&object.bytes);
        }
    }

    pub fn new(model: DataModel, placement: Placement) -> Memory {
        let regions = regions(model, placement);
        let (begins, ends) = (regions.map(|region| region.0), regions.map(|region| region.1));
        let starts = match placement {
            Placement::Packed => ends,
            Placement::Usual | Placement::Low | Placement::First | Placement::Roomy => begins,
        };
        Memory {
            objects: Vec::new(),
            next_id: 1,
            next_static: starts[0],
            next_heap: starts[1],
            next_stack: starts[2],
            placement,
            freed: Vec::new(),
            left: Vec::new(),
            kept: None,
            begins,
            ends,
            total: 0,
            dead: 0,
            near_null: NEAR_NULL,
            numbers: FxHashMap::default(),
            guessed: Cell::new(None),
            denied: Cell::new(None),
        }
    }

    /// A new object of uninitialised bytes.
    pub fn allocate(
        &mut self,
        size: u64,
        align: u64,
        origin: Origin,
        at: Position,
    ) -> Step<ObjectId> {
        if self.objects.len() >= MAX_OBJECTS {
            self.forget();
        }
        if size > MAX_OBJECT || self.total + size > MAX_TOTAL {
            return unsupported("an allocation this large", at);
        }
        let place = match self.placement {
            Placement::Packed => self.packed(size, align, origin),
            Placement::Roomy => self.roomy(size, align, origin),
            Placement::Usual | Placement::Low | Placement::First => {
                self.upwards(size, align, origin)
            }
        };
        let Some(base) = place else { return unsupported("an allocation this large", at) };
        self.allocate_at(base, size, origin, at)
    }

    /// The same at an address that is known to be free.
    pub fn allocate_at(
        &mut self,
        base: u64,
        size: u64,
        origin: Origin,
        at: Position,
    ) -> Step<ObjectId> {
        if self.next_id == u32::MAX || self.objects.len() >= MAX_OBJECTS {
            return unsupported("this many allocations", at);
        }
        self.total += size;
        let number = match origin {
            Origin::Heap => {
                let next = self.numbers.entry(at).or_insert(0);
                *next += 1;
                *next - 1
            }
            _ => 0,
        };
        let id = ObjectId(self.next_id);
        self.next_id += 1;
        self.objects.push(Object {
            id,
            base,
            size,
            position: at,
            origin,
            number,
            alive: true,
            freed: None,
            writable: true,
            life: None,
            bytes: Vec::new(),
            initialized: Vec::new(),
            pointers: Vec::new(),
            sources: Vec::new(),
            is_copied: Cell::new(false),
        });
        Ok(id)
    }

    /// The number of a region and where its next object goes.
    fn region(&mut self, origin: Origin) -> (usize, &mut u64) {
        match origin {
            Origin::Global(_) | Origin::Function(_) => (0, &mut self.next_static),
            Origin::Heap | Origin::Library => (1, &mut self.next_heap),
            Origin::Local(..) | Origin::Frame => (2, &mut self.next_stack),
        }
    }

    /// The next address of a region.
    fn upwards(&mut self, size: u64, align: u64, origin: Origin) -> Option<u64> {
        let ends = self.ends;
        let (region, next) = self.region(origin);
        let base = next.next_multiple_of(align.max(16));
        let end = base + size + GAP;
        (end <= ends[region]).then(|| *next = end)?;
        Some(base)
    }

    fn packed(&mut self, size: u64, align: u64, origin: Origin) -> Option<u64> {
        let begins = self.begins;
        let is_heap = origin == Origin::Heap;
        let size = if is_heap { block(size) } else { size + 1 };
        if is_heap {
            if let Some(base) = self.kept.take() {
                return Some(base);
            }
            if let Some(index) = self.freed.iter().rposition(|&(room, _)| room == size) {
                return Some(self.freed.remove(index).1);
            }
        }
        let (region, next) = self.region(origin);
        let base = next.checked_sub(size)? / align.max(1) * align.max(1);
        (base >= begins[region]).then(|| *next = base)?;
        Some(base)
    }

    fn roomy(&mut self, size: u64, align: u64, origin: Origin) -> Option<u64> {
        let needed = room(size, origin);
        let again = match origin {
            Origin::Heap => &mut self.freed,
            Origin::Local(..) | Origin::Frame => &mut self.left,
            Origin::Global(_) | Origin::Function(_) | Origin::Library => {
                return self.upwards(size, align, origin);
            }
        };
        if origin == Origin::Heap
            && let Some(base) = self.kept.take()
        {
            return Some(base);
        }
        let fits = |&(has, base): &(u64, u64)| has >= needed && base.is_multiple_of(align.max(1));
        match again.iter().position(fits) {
            Some(index) => Some(again.remove(index).1),
            None => self.upwards(needed - GAP, align, origin),
        }
    }

    /// The next object of the heap takes the place of a living one, which is about to end, if its
    /// block has room for that many bytes.
    pub fn keep_place(&mut self, id: ObjectId, size: u64) {
        let Some(object) = self.object(id) else { return };
        let has_room = match self.placement {
            Placement::Packed => size <= block(object.size),
            Placement::Roomy => room(size, object.origin) <= room(object.size, object.origin),
            Placement::Usual | Placement::Low | Placement::First => false,
        };
        if has_room {
            self.kept = Some(object.base);
        }
    }

    /// Whether a variable whose block begins again is where it was before.
    pub fn returns_to_places(&self) -> bool {
        self.placement != Placement::Roomy
    }

    fn index(&self, id: ObjectId) -> Option<usize> {
        // Where it is if no earlier, or no later, object has been forgotten.
        let from_start = id.0 as usize - 1;
        let from_end = self.objects.len().wrapping_sub((self.next_id - id.0) as usize);
        for guess in [from_start, from_end] {
            if self.objects.get(guess).is_some_and(|object| object.id == id) {
                return Some(guess);
            }
        }
        self.objects.binary_search_by_key(&id, |object| object.id).ok()
    }

    /// An object that has not been forgotten since it died.
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.index(id).map(|index| &self.objects[index])
    }

    /// The allocated objects that have not been freed.
    pub fn allocated(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let is_left = |object: &&Object| object.alive && object.origin == Origin::Heap;
        self.objects.iter().filter(is_left).map(|object| object.id)
    }

    /// The living allocated objects, with the place of the allocation and how many there have been
    /// before at this place.
    pub fn numbered_allocations(&self) -> Vec<(ObjectId, Position, u64)> {
        let is_left = |object: &&Object| object.alive && object.origin == Origin::Heap;
        let found = self.objects.iter().filter(is_left);
        found.map(|object| (object.id, object.position, object.number)).collect()
    }

    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.index(id).map(|index| &mut self.objects[index])
    }

    /// A pointer to the beginning of an object.
    pub fn pointer(&self, id: ObjectId) -> Scalar {
        let base = self.object(id).map_or(0, |object| object.base);
        Scalar { bits: base as u128, object: Some(id) }
    }

    /// The living object that contains an address, or ends there.
    pub fn at_address(&self, address: u64) -> Option<ObjectId> {
        let holds = |object: &&Object| {
            object.alive && object.base <= address && address <= object.base + object.size
        };
        self.objects.iter().find(holds).map(|object| object.id)
    }

    /// The same, remembered, since other implementations have other addresses.
    pub fn guess(&self, address: u64, at: Position) -> Option<ObjectId> {
        let found = self.at_address(address)?;
        self.guessed.set(self.guessed.get().or(Some(at)));
        Some(found)
    }

    /// Ends the life of an object of the heap.
    pub fn free(&mut self, id: ObjectId, at: Position) {
        self.kill(id);
        if let Some(object) = self.object_mut(id) {
            object.freed = Some(at);
        }
    }

    /// Ends the life of an object; its contents are gone.
    pub fn kill(&mut self, id: ObjectId) {
        if let Some(object) = self.object_mut(id).filter(|object| object.alive) {
            object.alive = false;
            object.bytes = Vec::new();
            object.initialized = Vec::new();
            object.pointers = Vec::new();
            object.sources = Vec::new();
            let (size, base, origin) = (object.size, object.base, object.origin);
            self.total -= size;
            self.dead += 1;
            let is_shared = |other: &Object| other.alive && other.base == base;
            let again = match (self.placement, origin) {
                (Placement::Packed, Origin::Heap) => Some((block(size), &mut self.freed)),
                (Placement::Roomy, Origin::Heap) => Some((room(size, origin), &mut self.freed)),
                (Placement::Roomy, _) if is_stack(origin) => {
                    Some((room(size, origin), &mut self.left))
                }
                _ => None,
            };
            if let Some((room, list)) = again
                && !self.objects.iter().any(is_shared)
            {
                list.push((room, base));
            }
        }
    }

    /// Where the stack is now, to return to it when a function ends.
    pub fn stack_mark(&self) -> u64 {
        self.next_stack
    }

    /// Gives back the addresses of a function's objects, which must have been killed.
    pub fn release_stack(&mut self, mark: u64) {
        self.next_stack = mark;
        self.left.retain(|&(_, base)| base < mark);
        self.forget_if_many();
    }

    /// Forgets dead objects when they are the greater part.
    pub fn forget_if_many(&mut self) {
        if self.dead > 64 && self.dead * 2 > self.objects.len() {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.objects.retain(|object| object.alive);
        self.dead = 0;
    }

    /// The object and offset of `size` bytes at a pointer, which have to lie inside it.
    pub fn resolve(&self, pointer: Scalar, size: u64, at: Position) -> Step<(ObjectId, u64)> {
        self.resolve_for(Access::Read, pointer, size, at)
    }

    fn resolve_for(
        &self,
        access: Access,
        pointer: Scalar,
        size: u64,
        at: Position,
    ) -> Step<(ObjectId, u64)> {
        let address = pointer.bits as u64;
        let denied = |object: Option<ObjectId>, offset: u64, what: Undefined| {
            let offset = offset as i64;
            self.denied.set(Some(Denied { access, object, offset, size }));
            undefined(what, at)
        };
        if address == 0 && pointer.object.is_none() {
            return denied(None, 0, Undefined::NullDereference);
        }
        let Some(id) = pointer.object.or_else(|| self.guess(address, at)) else {
            let what = match address < self.near_null {
                true => Undefined::NullDereference,
                false => Undefined::InvalidPointer,
            };
            return denied(None, address, what);
        };
        let object = self.object(id);
        let offset = address.wrapping_sub(object.map_or(0, |object| object.base));
        let Some(object) = object.filter(|object| object.alive) else {
            return denied(Some(id), offset, Undefined::Dangling);
        };
        let inside = offset <= object.size && size <= object.size - offset;
        if !inside {
            return denied(Some(id), offset, Undefined::OutOfBounds);
        }
        if access == Access::Write && !object.writable {
            return denied(Some(id), offset, Undefined::ReadOnly);
        }
        Ok((id, offset))
    }

    /// The same for bytes that are going to be written.
    pub fn resolve_mut(
        &mut self,
        pointer: Scalar,
        size: u64,
        at: Position,
    ) -> Step<(&mut Object, u64)> {
        let (id, offset) = self.resolve_for(Access::Write, pointer, size, at)?;
        match self.object_mut(id) {
            Some(object) => Ok((object, offset)),
            None => undefined(Undefined::Dangling, at),
        }
    }

    /// Copies of the bytes at a pointer.
    pub fn read_bytes(&self, pointer: Scalar, size: u64, at: Position) -> Step<Vec<Byte>> {
        let (id, offset) = self.resolve(pointer, size, at)?;
        let object = self.object(id).filter(|object| object.alive);
        let Some(object) = object else { return Ok(Vec::new()) };
        let bytes: Vec<Byte> = (offset..offset + size).map(|index| object.get(index)).collect();
        if bytes.iter().any(|byte| byte.value.is_none()) {
            object.is_copied.set(true);
        }
        Ok(bytes)
    }

    pub fn write_bytes(&mut self, pointer: Scalar, bytes: &[Byte], at: Position) -> Step<()> {
        let (object, offset) = self.resolve_mut(pointer, bytes.len() as u64, at)?;
        for (index, &byte) in bytes.iter().enumerate() {
            object.set(offset + index as u64, byte);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_stay_inside_living_objects() {
        let at = Position::default();
        let mut memory = Memory::new(DataModel::Lp64, Placement::Usual);
        let first = memory.allocate(8, 4, Origin::Heap, at).unwrap();
        let second = memory.allocate(8, 4, Origin::Heap, at).unwrap();
        let pointer = memory.pointer(first);
        let past = Scalar { bits: pointer.bits + 8, ..pointer };
        assert!(memory.resolve(pointer, 8, at).is_ok());
        assert!(memory.resolve(past, 1, at).is_err());
        let beyond = Scalar { bits: memory.pointer(second).bits, ..pointer };
        assert!(memory.resolve(beyond, 1, at).is_err());
        assert_eq!(memory.resolve(Scalar::number(beyond.bits), 1, at).unwrap().0, second);
        memory.kill(first);
        assert!(memory.resolve(pointer, 1, at).is_err());
        assert!(memory.resolve(Scalar::number(0), 1, at).is_err());
    }

    #[test]
    fn pointers_survive_bytewise_copies() {
        let at = Position::default();
        let mut memory = Memory::new(DataModel::Ilp32, Placement::Usual);
        let target = memory.allocate(4, 4, Origin::Heap, at).unwrap();
        let cell = memory.allocate(8, 4, Origin::Heap, at).unwrap();
        let (to, value) = (memory.pointer(cell), memory.pointer(target));
        memory.resolve_mut(to, 4, at).unwrap().0.write(0, 4, value);
        let bytes = memory.read_bytes(to, 4, at).unwrap();
        let second = Scalar { bits: to.bits + 4, ..to };
        memory.write_bytes(second, &bytes, at).unwrap();
        assert_eq!(memory.object(cell).unwrap().read(4, 4), Some(value));
        assert_eq!(memory.object(cell).unwrap().read(2, 4).unwrap().object, Some(target));
    }
}
