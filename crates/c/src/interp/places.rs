//! Where places are in memory.

use super::exec::Interpreter;
use super::memory::Origin;
use super::outcome::Step;
use super::value::{ObjectId, Scalar};
use crate::arith::int;
use crate::typed::{LocalId, Place, PlaceKind};
use crate::types::BitField;

/// Where a place is.
pub enum Location {
    Register(LocalId),
    /// At an address; of a bit-field, the bits there.
    Memory(Scalar, Option<BitField>),
}

impl<'p> Interpreter<'p, '_> {
    pub(super) fn location(&mut self, place: &'p Place) -> Step<Location> {
        if let PlaceKind::Local(id) = place.kind
            && self.frame().in_register[id.0 as usize]
        {
            return Ok(Location::Register(id));
        }
        let bits = match &place.kind {
            PlaceKind::Field(base, index) => {
                self.program.types.fields(base.ty).get(*index as usize).and_then(|f| f.bits)
            }
            _ => None,
        };
        Ok(Location::Memory(self.address(place)?, bits))
    }

    /// The address of a place; of a bit-field, that of its first byte.
    pub(super) fn address(&mut self, place: &'p Place) -> Step<Scalar> {
        match &place.kind {
            PlaceKind::Local(id) => {
                let object = self.local_object(*id, place)?;
                Ok(self.memory.pointer(object))
            }
            PlaceKind::Global(id) => Ok(self.memory.pointer(self.globals[id.0 as usize])),
            PlaceKind::Deref(pointer) => self.eval(pointer),
            PlaceKind::Field(base, index) => {
                let start = self.address(base)?;
                let field = self.program.types.fields(base.ty).get(*index as usize);
                Ok(self.moved(start, field.map_or(0, |field| field.offset)))
            }
            PlaceKind::Index(base, index) => {
                let start = self.address(base)?;
                let index = self.eval_number(index)?;
                let size = self.program.types.size(place.ty).unwrap_or(0);
                Ok(self.moved(start, (index as u64).wrapping_mul(size)))
            }
        }
    }

    /// A pointer moved by a number of bytes, modulo the size of the address space.
    pub(super) fn moved(&self, pointer: Scalar, bytes: u64) -> Scalar {
        let width = 8 * self.program.types.model.pointer_bytes() as u32;
        let bits = int::truncate(pointer.bits.wrapping_add(bytes as u128), width);
        Scalar { bits, ..pointer }
    }

    fn local_object(&mut self, id: LocalId, place: &'p Place) -> Step<ObjectId> {
        if let Some(object) = self.frame().objects[id.0 as usize] {
            return Ok(object);
        }
        let local = self.frame().body.local(id);
        let size = self.program.types.size(local.ty).unwrap_or(0);
        let align = local.align.max(self.program.types.align(local.ty));
        let ended = self.frame().ended.iter().find(|(ended, _)| *ended == id);
        let known = ended.filter(|_| self.memory.returns_to_places());
        let origin = Origin::Local(self.frame().function, id);
        let object = match known {
            Some(&(_, base)) => self.memory.allocate_at(base, size, origin, place.position),
            None => self.memory.allocate(size, align, origin, place.position),
        }?;
        let life = self.frame().lives[id.0 as usize];
        if let Some(object) = self.memory.object_mut(object) {
            object.life = life;
        }
        let frame = self.frame_mut();
        frame.objects[id.0 as usize] = Some(object);
        frame.owned.push(object);
        Ok(object)
    }
}
