//! Typed reads and writes.

use super::detail::Culprit;
use super::exec::Interpreter;
use super::memory::{Access, Object, Origin};
use super::oracle::{Choice, ChoiceKind, Life};
use super::outcome::{Step, Undefined, undefined};
use super::places::Location;
use super::trace::Event;
use super::value::{Byte, ObjectId, Scalar, Value};
use crate::arith::int;
use crate::source::Position;
use crate::typed::{Place, PlaceKind};
use crate::types::{BitField, IntFormat, Ty};

impl<'p> Interpreter<'p, '_> {
    /// The bytes that a value of scalar type occupies.
    pub(super) fn value_size(&self, ty: Ty) -> u64 {
        let types = &self.program.types;
        match types.float_kind(ty) {
            Some(kind) => kind.value_bytes(),
            None => types.size(ty).unwrap_or(0),
        }
    }

    /// Subscripts of arrays that are parts of objects stay inside of them.
    fn check_parts(&mut self, place: &'p Place, access: Access) -> Step<()> {
        let mut next = Some(place).filter(|_| self.checks_parts);
        while let Some(now) = next {
            if let (PlaceKind::Index(_, index), Some(length)) =
                (&now.kind, self.program.types.part_length(now))
            {
                let index = self.eval_number(index)?;
                if index < 0 || index >= i128::from(length) {
                    let size = self.program.types.size(place.ty).unwrap_or(0);
                    self.culprit.set(Some(Culprit::Part { access, size, place: now, index }));
                    return undefined(Undefined::OutOfPart, place.position);
                }
            }
            next = now.base();
        }
        Ok(())
    }

    /// The value of a place of scalar type.
    pub(super) fn load(&mut self, place: &'p Place) -> Step<Scalar> {
        self.check_parts(place, Access::Read)?;
        match self.location(place)? {
            Location::Register(id) => {
                if let Some(value) = self.frame().registers[id.0 as usize] {
                    return Ok(value);
                }
                let life = self.frame().lives[id.0 as usize];
                self.check_life(life, place.position)?;
                let kind = ChoiceKind::Local(id);
                let chosen = self.choose_in(life, kind, place.ty, place.position);
                let chosen = self.fit_argument(id, chosen, place.ty);
                self.frame_mut().registers[id.0 as usize] = Some(chosen);
                Ok(chosen)
            }
            Location::Memory(pointer, None) => {
                self.note_access(place, pointer);
                self.check_written(pointer, self.value_size(place.ty), place.position)?;
                self.load_at(pointer, place.ty, place.position)
            }
            Location::Memory(pointer, Some(bits)) => {
                self.note_access(place, pointer);
                self.check_written(pointer, bit_bytes(bits), place.position)?;
                self.load_bits(pointer, bits, place.ty, place.position)
            }
        }
    }

    /// What belongs to a life has been written, or was given.
    fn check_life(&self, life: Option<Life>, at: Position) -> Step<()> {
        let unwritten = self.unwritten.as_ref();
        match life.is_some_and(|life| unwritten.is_some_and(|list| list.contains(&life))) {
            true => undefined(Undefined::Uninitialised, at),
            false => Ok(()),
        }
    }

    /// None of some bytes is read before it is written.
    fn check_written(&self, pointer: Scalar, size: u64, at: Position) -> Step<()> {
        if self.unwritten.is_none() || self.is_foreign(pointer) {
            return Ok(());
        }
        let (id, offset) = self.memory.resolve(pointer, size, at)?;
        let Some(object) = self.memory.object(id) else { return Ok(()) };
        for place in offset..offset + size {
            let byte = object.get(place);
            if byte.value.is_none() {
                let life = byte.source.map(|source| source.life).or(object.life);
                self.check_life(life, at)?;
            }
        }
        Ok(())
    }

    fn note_access(&mut self, place: &'p Place, pointer: Scalar) {
        if !self.trace.accesses {
            return;
        }
        if let Ok((id, offset)) = self.memory.resolve(pointer, 0, place.position)
            && let Some(object) = self.memory.object(id)
        {
            let event = Event::Access(self.frame().function, place, object.origin, offset);
            self.trace.push(event);
        }
    }

    /// The value of any place.
    pub(super) fn load_value(&mut self, place: &'p Place) -> Step<Value> {
        if self.program.types.is_scalar(place.ty) {
            return self.load(place).map(Value::Scalar);
        }
        self.check_parts(place, Access::Read)?;
        let pointer = self.address(place)?;
        self.note_access(place, pointer);
        if self.is_foreign(pointer) {
            return self.load_foreign_record(pointer, place.ty, place.position).map(Value::Bytes);
        }
        let size = self.program.types.size(place.ty).unwrap_or(0);
        self.memory.read_bytes(pointer, size, place.position).map(Value::Bytes)
    }

    /// Reads a scalar; uninitialised bytes get arbitrary values, which they keep.
    pub(super) fn load_at(&mut self, pointer: Scalar, ty: Ty, at: Position) -> Step<Scalar> {
        let size = self.value_size(ty);
        if self.is_foreign(pointer) {
            return self.load_foreign(pointer, ty, at);
        }
        let (id, offset) = self.memory.resolve(pointer, size, at)?;
        let Some(object) = self.memory.object(id) else {
            return undefined(Undefined::Dangling, at);
        };
        if object.holds_address(offset, size) {
            let value = object.read(offset, size);
            self.note_address(value, ty, at);
        }
        let object = self.memory.object(id);
        if let Some(value) = object.and_then(|object| object.read(offset, size)) {
            return Ok(value);
        }
        self.settle_bytes(id, offset, size, ty, at);
        let value = self.memory.object(id).and_then(|object| object.read(offset, size));
        Ok(value.unwrap_or(Scalar::number(0)))
    }

    /// Gives arbitrary values to the uninitialised ones among some bytes.
    fn settle_bytes(&mut self, id: ObjectId, offset: u64, size: u64, ty: Ty, at: Position) {
        if self.memory.object(id).is_some_and(Object::shares_bytes) {
            return self.settle_copies(id, offset, size, at);
        }
        let origin = self.memory.object(id).map(|object| object.origin);
        let life = self.memory.object(id).and_then(|object| object.life);
        let name = match origin {
            Some(Origin::Global(id)) => Some(self.program.global(id).name.as_str()),
            Some(Origin::Local(_, id)) => self.local_name(id),
            _ => None,
        };
        let kind = ChoiceKind::Memory(name, offset);
        let chosen = self.choose_in(life, kind, ty, at).bits.to_le_bytes();
        let Some(object) = self.memory.object_mut(id) else { return };
        for index in 0..size {
            if object.get(offset + index).value.is_none() {
                object.set(offset + index, Byte::known(chosen[index as usize]));
            }
        }
    }

    /// The same, byte by byte, where there may be copies: all of them have one value.
    fn settle_copies(&mut self, id: ObjectId, offset: u64, size: u64, at: Position) {
        for place in offset..offset + size {
            let byte = self.memory.object(id).map(|object| object.get(place));
            let Some(Byte { value: None, source, .. }) = byte else { continue };
            let known = source.and_then(|source| self.settled.get(&source).copied());
            let chosen = known.unwrap_or_else(|| {
                let kind = ChoiceKind::Memory(None, source.map_or(place, |source| source.offset));
                let life = source.map(|source| source.life);
                self.choose_in(life, kind, Ty::UCHAR, at).bits as u8
            });
            if let Some(source) = source {
                self.settled.insert(source, chosen);
            }
            if let Some(object) = self.memory.object_mut(id) {
                object.set(place, Byte::known(chosen));
            }
        }
    }

    fn local_name(&self, id: crate::typed::LocalId) -> Option<&'p str> {
        self.frame().body.locals.get(id.0 as usize).and_then(|local| local.name.as_deref())
    }

    fn load_bits(&mut self, pointer: Scalar, bits: BitField, ty: Ty, at: Position) -> Step<Scalar> {
        let raw = match self.is_foreign(pointer) {
            true => self.load_foreign_bits(pointer, bits, ty, at),
            false => self.raw_bits(pointer, bits, at)?,
        };
        let signed = self.program.types.int_format(ty).is_some_and(|format| format.signed);
        let field = int::truncate(raw >> bits.shift, bits.width);
        let value = int::extend(field, IntFormat { width: bits.width, signed });
        let width = self.program.types.int_format(ty).map_or(bits.width, |format| format.width);
        Ok(Scalar::number(int::truncate(value, width)))
    }

    /// The bytes around a bit-field.
    fn raw_bits(&mut self, pointer: Scalar, bits: BitField, at: Position) -> Step<u128> {
        let size = bit_bytes(bits);
        let (id, offset) = self.memory.resolve(pointer, size, at)?;
        if self.memory.object(id).is_some_and(|object| object.holds_address(offset, size)) {
            self.note_unspecified("the bytes of an address", at);
        }
        let read = |memory: &super::memory::Memory| {
            memory.object(id).and_then(|object| object.read(offset, size)).map(|value| value.bits)
        };
        if let Some(value) = read(&self.memory) {
            return Ok(value);
        }
        self.settle_bytes(id, offset, size, Ty::UINT128, at);
        Ok(read(&self.memory).unwrap_or(0))
    }

    /// Stores a value in a place of the same type.
    pub(super) fn store(&mut self, place: &'p Place, value: Value, at: Position) -> Step<()> {
        self.check_parts(place, Access::Write)?;
        match value {
            Value::Bytes(bytes) => {
                let pointer = self.address(place)?;
                self.note_access(place, pointer);
                self.write_bytes(pointer, &bytes, at)
            }
            Value::Scalar(value) => {
                if self.trace.is_wanted() {
                    let function = self.frame().function;
                    self.trace.push(Event::Store(function, place, value.bits, at));
                }
                self.store_scalar(place, value, at)
            }
        }
    }

    fn store_scalar(&mut self, place: &'p Place, value: Scalar, at: Position) -> Step<()> {
        match self.location(place)? {
            Location::Register(id) => {
                self.frame_mut().registers[id.0 as usize] = Some(value);
                Ok(())
            }
            Location::Memory(pointer, bits) => {
                self.note_access(place, pointer);
                match bits {
                    None => self.store_at(pointer, value, place.ty, at),
                    Some(bits) => self.store_bits(pointer, bits, value, at),
                }
            }
        }
    }

    pub(super) fn store_at(
        &mut self,
        pointer: Scalar,
        value: Scalar,
        ty: Ty,
        at: Position,
    ) -> Step<()> {
        let size = self.value_size(ty);
        if self.is_foreign(pointer) && self.oracle.is_environment_writable() {
            self.store_foreign(pointer, size, value);
            return Ok(());
        }
        let (object, offset) = self.memory.resolve_mut(pointer, size, at)?;
        object.write(offset, size, value);
        Ok(())
    }

    fn store_bits(
        &mut self,
        pointer: Scalar,
        bits: BitField,
        value: Scalar,
        at: Position,
    ) -> Step<()> {
        if bits.width == 0 {
            return Ok(());
        }
        if self.is_foreign(pointer) && self.oracle.is_environment_writable() {
            self.store_foreign_bits(pointer, bits, value);
            return Ok(());
        }
        let raw = self.raw_bits(pointer, bits, at)?;
        let mask = int::truncate(u128::MAX, bits.width) << bits.shift;
        let new = raw & !mask | value.bits << bits.shift & mask;
        let size = bit_bytes(bits);
        let (object, offset) = self.memory.resolve_mut(pointer, size, at)?;
        object.write(offset, size, Scalar::number(new));
        Ok(())
    }

    /// An arbitrary value of a scalar type.
    pub(super) fn choose(&mut self, kind: ChoiceKind, ty: Ty, position: Position) -> Scalar {
        self.choose_in(None, kind, ty, position)
    }

    /// An arbitrary value that belongs to this lifetime.
    pub(super) fn choose_in(
        &mut self,
        life: Option<Life>,
        kind: ChoiceKind,
        ty: Ty,
        position: Position,
    ) -> Scalar {
        let types = &self.program.types;
        let width = match types.word_format(ty) {
            _ if ty == Ty::BOOL => 1,
            Some(format) => format.width,
            None => 8 * self.value_size(ty) as u32,
        };
        let name = match kind {
            ChoiceKind::Input(name) | ChoiceKind::External(name) => name,
            ChoiceKind::Memory(Some(name), _) => name,
            ChoiceKind::Local(id) => {
                self.frame().body.local(id).name.as_deref().unwrap_or(UNWRITTEN)
            }
            _ => UNWRITTEN,
        };
        let name = self.trace.is_wanted().then(|| name.to_string());
        let is_call = matches!(kind, ChoiceKind::Input(_) | ChoiceKind::External(_));
        let is_input = matches!(kind, ChoiceKind::Input(_));
        let state = (self.states && is_input).then(|| self.snapshot());
        let choice = Choice { kind, ty, width, position, life, state };
        let bits = self.oracle.choose(&choice);
        let bits = int::truncate(bits, width);
        if let ChoiceKind::Memory(_, offset) = choice.kind {
            self.outside.note(life, offset, bits, width);
        }
        if let Some(name) = name {
            let function = self.frame().function;
            self.trace.push(Event::Choice { function, name, is_call, ty, bits, position });
        }
        Scalar::number(bits)
    }

    /// The function that a pointer refers to.
    pub(super) fn function_at(&self, pointer: Scalar, at: Position) -> Step<crate::typed::FuncId> {
        let id = pointer.object.or_else(|| self.memory.guess(pointer.bits as u64, at));
        let object = id.and_then(|id| self.memory.object(id));
        match object.map(|object| (object.origin, object.base)) {
            Some((Origin::Function(function), base)) if base as u128 == pointer.bits => {
                Ok(function)
            }
            _ if pointer.bits == 0 => undefined(Undefined::NullDereference, at),
            _ => undefined(Undefined::InvalidCall, at),
        }
    }
}

/// The name of what is read without having been written, where it has no name of its own.
const UNWRITTEN: &str = "an uninitialised value";

/// The bytes that a bit-field touches.
pub(super) fn bit_bytes(bits: BitField) -> u64 {
    (bits.shift + bits.width).div_ceil(8) as u64
}
