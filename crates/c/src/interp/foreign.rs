//! Memory and functions of the environment, where the oracle has one.
//!
//! A pointer that refers to no object of the program refers to memory of the environment. A byte of
//! it is arbitrary when it is first read and keeps its value until it is written. The parameters of
//! `main` are of that kind, too, but have a shape (C11 5.1.2.2.1): `argc` is not negative, and
//! `argv` has `argc` strings and then a null pointer.

use super::access::bit_bytes;
use super::calls::Argument;
use super::exec::Interpreter;
use super::oracle::ChoiceKind;
use super::outcome::{Outcome, Step, Undefined, undefined};
use super::value::{Byte, Scalar, Value};
use crate::arith::int;
use crate::library::UndefinedFunctions;
use crate::source::Position;
use crate::typed::{LocalId, Place};
use crate::types::{BitField, Length, Ty, Type};

/// More arguments than this are not made up.
const PLAUSIBLE: u128 = 4096;
/// More bytes than this are not copied or filled at once.
const MOST_BYTES: u64 = 1 << 20;

impl<'p> Interpreter<'p, '_> {
    /// Whether a pointer refers to memory of the environment.
    #[inline]
    pub(super) fn is_foreign(&self, pointer: Scalar) -> bool {
        pointer.object.is_none() && self.is_foreign_address(pointer.bits)
    }

    fn is_foreign_address(&self, address: u128) -> bool {
        self.oracle.environment().is_some_and(|first| address >= first as u128)
            && self.memory.at_address(address as u64).is_none()
            && !self.oracle.leads_nowhere(address as u64)
    }

    pub(super) fn load_foreign(&mut self, pointer: Scalar, ty: Ty, at: Position) -> Step<Scalar> {
        let size = self.value_size(ty);
        // Asked for in any case, so that the oracle sees every read.
        let mut chosen = self.choose(ChoiceKind::Environment, ty, at).bits;
        let first = pointer.bits as u64;
        for index in 0..size {
            if let Some(byte) = self.oracle.environment_byte(first.wrapping_add(index)) {
                let shift = 8 * index;
                chosen = chosen & !(0xff << shift) | u128::from(byte) << shift;
            }
        }
        if !(0..size).any(|index| self.foreign.contains_key(&first.wrapping_add(index))) {
            chosen = self.argument(pointer, chosen, size, at)?;
        }
        let mut bits = 0u128;
        let mut objects = Vec::with_capacity(size as usize);
        for index in 0..size {
            let new = Byte::known((chosen >> (8 * index)) as u8);
            let byte = *self.foreign.entry(first.wrapping_add(index)).or_insert(new);
            bits |= u128::from(byte.value.unwrap_or(0)) << (8 * index);
            objects.push(byte.object);
        }
        let same = objects.windows(2).all(|pair| pair[0] == pair[1]);
        Ok(Scalar { bits, object: objects.first().copied().flatten().filter(|_| same) })
    }

    pub(super) fn store_foreign(&mut self, pointer: Scalar, size: u64, value: Scalar) {
        for index in 0..size {
            let byte =
                Byte { object: value.object, ..Byte::known((value.bits >> (8 * index)) as u8) };
            self.foreign.insert((pointer.bits as u64).wrapping_add(index), byte);
        }
    }

    /// The bytes around a bit-field in memory of the environment. What was never written beside the
    /// field is 0 from then on, where it might be anything: some runs are missed.
    pub(super) fn load_foreign_bits(
        &mut self,
        pointer: Scalar,
        bits: BitField,
        ty: Ty,
        at: Position,
    ) -> u128 {
        let field = self.choose(ChoiceKind::Environment, ty, at).bits;
        let chosen = int::truncate(field, bits.width) << bits.shift;
        let first = pointer.bits as u64;
        (0..bit_bytes(bits)).fold(0, |raw, index| {
            let new = Byte::known((chosen >> (8 * index)) as u8);
            let byte = *self.foreign.entry(first.wrapping_add(index)).or_insert(new);
            raw | u128::from(byte.value.unwrap_or(0)) << (8 * index)
        })
    }

    pub(super) fn store_foreign_bits(&mut self, pointer: Scalar, bits: BitField, value: Scalar) {
        let mask = int::truncate(u128::MAX, bits.width) << bits.shift;
        let new = value.bits << bits.shift & mask;
        for index in 0..bit_bytes(bits) {
            let (mask, new) = ((mask >> (8 * index)) as u8, (new >> (8 * index)) as u8);
            let place = self.foreign.entry((pointer.bits as u64).wrapping_add(index));
            let byte = place.or_insert(Byte::known(0));
            *byte = Byte::known(byte.value.unwrap_or(0) & !mask | new);
        }
    }

    /// A record in memory of the environment, scalar by scalar.
    pub(super) fn load_foreign_record(
        &mut self,
        pointer: Scalar,
        ty: Ty,
        at: Position,
    ) -> Step<Vec<Byte>> {
        let size = self.program.types.size(ty).unwrap_or(0);
        let mut pieces = Vec::new();
        self.scalars(ty, 0, &mut pieces);
        pieces.sort_unstable_by_key(|&(offset, _)| offset);
        let mut end = 0;
        for (offset, ty) in pieces {
            // The members of a union lie over one another.
            if offset >= end {
                self.load_foreign(self.moved(pointer, offset), ty, at)?;
                end = offset + self.value_size(ty);
            }
        }
        let first = pointer.bits as u64;
        let byte = |index: u64| self.foreign.get(&first.wrapping_add(index)).copied();
        Ok((0..size).map(|index| byte(index).unwrap_or(Byte::known(0))).collect())
    }

    /// The scalars of a type, the widest first where several begin at one place.
    fn scalars(&self, ty: Ty, offset: u64, found: &mut Vec<(u64, Ty)>) {
        let types = &self.program.types;
        match types.get(ty) {
            &Type::Array(element, Length::Fixed(count)) => {
                let size = types.size(element).unwrap_or(0);
                (0..count).for_each(|index| self.scalars(element, offset + index * size, found));
            }
            Type::Array(..) => {}
            Type::Record(_) => {
                let mut fields: Vec<_> = types.fields(ty).iter().collect();
                fields.sort_by_key(|field| std::cmp::Reverse(types.size(field.ty)));
                for field in fields {
                    self.scalars(field.ty, offset + field.offset, found);
                }
            }
            _ => found.push((offset, ty)),
        }
    }

    pub(super) fn write_bytes(&mut self, to: Scalar, bytes: &[Byte], at: Position) -> Step<()> {
        if !self.is_foreign(to) || !self.oracle.is_environment_writable() {
            return self.memory.write_bytes(to, bytes, at);
        }
        for (index, byte) in bytes.iter().enumerate() {
            self.foreign.insert((to.bits as u64).wrapping_add(index as u64), *byte);
        }
        Ok(())
    }

    /// Copies of the bytes at a pointer, in memory of the environment too.
    pub(super) fn read_bytes(&mut self, from: Scalar, size: u64, at: Position) -> Step<Vec<Byte>> {
        if !self.is_foreign(from) || size > MOST_BYTES {
            return self.memory.read_bytes(from, size, at);
        }
        for index in 0..size {
            self.load_foreign(self.moved(from, index), Ty::UCHAR, at)?;
        }
        let first = from.bits as u64;
        let byte = |index: u64| self.foreign.get(&first.wrapping_add(index)).copied();
        Ok((0..size).map(|index| byte(index).unwrap_or(Byte::known(0))).collect())
    }

    /// Writes the same to some bytes, in memory of the environment too.
    pub(super) fn fill(&mut self, to: Scalar, size: u64, value: u8, at: Position) -> Step<()> {
        if self.is_foreign(to) && self.oracle.is_environment_writable() && size <= MOST_BYTES {
            return self.write_bytes(to, &vec![Byte::known(value); size as usize], at);
        }
        let (object, offset) = self.memory.resolve_mut(to, size, at)?;
        object.fill(offset, size, Some(value));
        Ok(())
    }

    /// Whether bytes at a pointer can be written.
    pub(super) fn check_room(&mut self, to: Scalar, size: u64, at: Position) -> Step<()> {
        let is_open = self.is_foreign(to) && self.oracle.is_environment_writable();
        match is_open && size <= MOST_BYTES {
            true => Ok(()),
            false => self.memory.resolve_mut(to, size, at).map(|_| ()),
        }
    }

    /// Whether a pointer refers to a function of the environment.
    pub(super) fn is_foreign_function(&self, pointer: Scalar) -> bool {
        self.is_foreign(pointer)
    }

    /// A function of the environment gives an arbitrary result and has no effect.
    pub(super) fn call_foreign(
        &mut self,
        result: Option<&'p Place>,
        arguments: &[Argument],
        at: Position,
    ) -> Step<()> {
        if self.program.undefined_functions == UndefinedFunctions::Havoc {
            self.havoc(arguments, at);
        }
        let Some(place) = result else { return Ok(()) };
        let value = match self.program.types.is_scalar(place.ty) {
            true => Value::Scalar(self.choose(ChoiceKind::Environment, place.ty, at)),
            false => self.arbitrary_record(place.ty, at),
        };
        self.store(place, value, at)
    }

    /// Whether a variable is a parameter of `main` as the program starts.
    fn is_argument(&self, id: LocalId) -> bool {
        let frame = &self.frames[0];
        self.frames.len() == 1 && (id.0 as usize) < frame.body.parameters
    }

    /// What was chosen for a variable, brought into range if it is `argc`. The parameters of `main`
    /// are remembered as they are given, because a program may change them.
    pub(super) fn fit_argument(&mut self, id: LocalId, chosen: Scalar, ty: Ty) -> Scalar {
        if !self.is_argument(id) {
            return chosen;
        }
        let fitting = match self.program.types.int_format(ty) {
            Some(format) if id.0 == 0 && format.signed => {
                let count = int::truncate(chosen.bits, format.width - 1);
                // Without a path to follow, the texts lie where nothing else is.
                let is_free = self.oracle.environment().is_some() && !self.oracle.insists();
                Scalar::number(if is_free { count % PLAUSIBLE } else { count })
            }
            _ => chosen,
        };
        if let Some(given) = self.given_arguments.get_mut(id.0 as usize) {
            *given = given.or(Some(fitting));
        }
        fitting
    }

    /// What an element of `argv` may hold: a null pointer if it is the last one, and no null pointer
    /// if it is not.
    fn argument(&mut self, at: Scalar, chosen: u128, size: u64, place: Position) -> Step<u128> {
        let Some((first, count)) = self.arguments(place) else { return Ok(chosen) };
        let unit = u128::from(self.program.types.model.pointer_bytes());
        let Some(offset) = at.bits.checked_sub(first).filter(|o| *o < (1 << 40)) else {
            return Ok(chosen);
        };
        if offset % unit != 0 || u128::from(size) != unit {
            return Ok(chosen);
        }
        match (offset / unit).cmp(&count) {
            std::cmp::Ordering::Less if chosen == 0 => Err(Box::new(Outcome::AssumeFailed(place))),
            std::cmp::Ordering::Less => Ok(chosen),
            std::cmp::Ordering::Equal => Ok(0),
            std::cmp::Ordering::Greater if offset / unit - count < (1 << 16) => {
                undefined(Undefined::OutOfBounds, place)
            }
            std::cmp::Ordering::Greater => Ok(chosen),
        }
    }

    /// `argv` and `argc` as they were given, if `main` has them and the first is known.
    fn arguments(&mut self, at: Position) -> Option<(u128, u128)> {
        let [count, first] = self.given_arguments;
        let first = first.filter(|first| first.object.is_none() && first.bits != 0)?.bits;
        if let Some(count) = count {
            return Some((first, count.bits));
        }
        // Nobody has looked at `argc` yet.
        let frame = &self.frames[0];
        let (ty, life) = (frame.body.locals[0].ty, frame.lives[0]);
        let format = self.program.types.int_format(ty).filter(|format| format.signed)?;
        if frame.registers[0].is_some() || !frame.in_register[0] {
            return None;
        }
        let chosen = self.choose_in(life, ChoiceKind::Local(LocalId(0)), ty, at);
        let count = int::truncate(chosen.bits, format.width - 1);
        let count = Scalar::number(if self.oracle.insists() { count } else { count % PLAUSIBLE });
        self.frames[0].registers[0] = Some(count);
        self.given_arguments[0] = Some(count);
        Some((first, count.bits))
    }
}
