//! `malloc` and its relatives. Allocation succeeds.

use super::Arguments;
use crate::interp::detail::Culprit;
use crate::interp::exec::Interpreter;
use crate::interp::memory::Origin;
use crate::interp::oracle::Birth;
use crate::interp::outcome::{Step, Undefined, undefined, unsupported};
use crate::interp::value::{ObjectId, Scalar, Value};
use crate::library::FunctionModel;
use crate::source::Position;

impl Interpreter<'_, '_> {
    pub(super) fn allocation(
        &mut self,
        model: FunctionModel,
        arguments: &Arguments,
    ) -> Step<Option<Option<Value>>> {
        let at = arguments.at;
        let pointer = match model {
            FunctionModel::Free => {
                let Some(pointer) = arguments.scalar(0) else { return Ok(None) };
                self.free(pointer, at)?;
                return Ok(Some(None));
            }
            FunctionModel::Malloc => {
                let Some(size) = arguments.size(0) else { return Ok(None) };
                self.unwritten_on_heap(size, at)?
            }
            FunctionModel::AlignedAlloc => {
                let (Some(align), Some(size)) = (arguments.size(0), arguments.size(1)) else {
                    return Ok(None);
                };
                self.aligned_on_heap(size, align, at)?
            }
            FunctionModel::Calloc => {
                let (Some(count), Some(size)) = (arguments.size(0), arguments.size(1)) else {
                    return Ok(None);
                };
                self.zeroed(count, size, at)?
            }
            FunctionModel::Realloc => {
                let (Some(old), Some(size)) = (arguments.scalar(0), arguments.size(1)) else {
                    return Ok(None);
                };
                self.reallocate(old, size, at)?
            }
            _ => {
                let Some(size) = arguments.size(0) else { return Ok(None) };
                let object = self.memory.allocate(size, 16, Origin::Frame, at)?;
                self.begin_object(object, Birth::Allocation(at));
                self.leave_object_unwritten(object);
                self.frame_mut().owned.push(object);
                self.memory.pointer(object)
            }
        };
        Ok(Some(Some(Value::Scalar(pointer))))
    }

    pub(super) fn on_heap(&mut self, size: u64, at: Position) -> Step<Scalar> {
        let object = self.memory.allocate(size, 16, Origin::Heap, at)?;
        self.begin_object(object, Birth::Allocation(at));
        Ok(self.memory.pointer(object))
    }

    /// The same at a multiple of a power of two.
    pub(super) fn aligned_on_heap(&mut self, size: u64, align: u64, at: Position) -> Step<Scalar> {
        if !align.is_power_of_two() || align > 1 << 20 {
            return unsupported("this alignment", at);
        }
        let object = self.memory.allocate(size, align.max(16), Origin::Heap, at)?;
        self.begin_object(object, Birth::Allocation(at));
        self.leave_object_unwritten(object);
        Ok(self.memory.pointer(object))
    }

    /// An object that the program has to write before it reads it.
    pub(super) fn unwritten_on_heap(&mut self, size: u64, at: Position) -> Step<Scalar> {
        let pointer = self.on_heap(size, at)?;
        if let Some(object) = pointer.object {
            self.leave_object_unwritten(object);
        }
        Ok(pointer)
    }

    /// An object of the library, which the program never frees.
    pub(super) fn in_library(&mut self, size: u64, at: Position) -> Step<Scalar> {
        let object = self.memory.allocate(size, 16, Origin::Library, at)?;
        self.begin_object(object, Birth::Allocation(at));
        Ok(self.memory.pointer(object))
    }

    fn zeroed(&mut self, count: u64, size: u64, at: Position) -> Step<Scalar> {
        let bytes = count.saturating_mul(size);
        let pointer = self.on_heap(bytes, at)?;
        let (object, offset) = self.memory.resolve_mut(pointer, bytes, at)?;
        object.fill(offset, bytes, Some(0));
        Ok(pointer)
    }

    /// The heap object that a pointer to its beginning refers to.
    fn allocated(&self, pointer: Scalar, at: Position) -> Step<(ObjectId, u64)> {
        let id = pointer.object.or_else(|| self.memory.guess(pointer.bits as u64, at));
        let object = id.and_then(|id| Some((id, self.memory.object(id)?)));
        match object {
            Some((id, object))
                if object.alive
                    && object.origin == Origin::Heap
                    && object.base as u128 == pointer.bits =>
            {
                Ok((id, object.size))
            }
            _ => {
                self.culprit.set(Some(Culprit::Freed { pointer, object: id }));
                undefined(Undefined::InvalidFree, at)
            }
        }
    }

    fn free(&mut self, pointer: Scalar, at: Position) -> Step<()> {
        if pointer.bits == 0 && pointer.object.is_none() {
            return Ok(());
        }
        let (id, _) = self.allocated(pointer, at)?;
        self.memory.free(id, at);
        Ok(())
    }

    /// As in glibc, size 0 frees the object and gives null.
    pub(super) fn reallocate(&mut self, old: Scalar, size: u64, at: Position) -> Step<Scalar> {
        if old.bits == 0 && old.object.is_none() {
            return self.unwritten_on_heap(size, at);
        }
        let (id, old_size) = self.allocated(old, at)?;
        if size == 0 {
            self.memory.free(id, at);
            return Ok(Scalar::number(0));
        }
        let bytes = self.memory.read_bytes(old, old_size.min(size), at)?;
        self.memory.keep_place(id, size);
        let new = self.unwritten_on_heap(size, at)?;
        self.memory.write_bytes(new, &bytes, at)?;
        let life = |id: Option<ObjectId>| self.memory.object(id?).and_then(|object| object.life);
        if let (Some(from), Some(to)) = (life(Some(id)), life(new.object)) {
            self.oracle.moved(from, old_size, to);
        }
        self.memory.free(id, at);
        Ok(new)
    }
}
