//! Reading and writing memory.

use super::address::{Address, moved_targets};
use super::foreign::ForeignKind;
use super::storage::FIRST_ADDRESS;
use super::{ChoicePointKind, Encoder};
use crate::error::Fault;
use crate::flat::InstanceId;
use crate::points::{ObjectId, ObjectKind, Targets};
use crate::source::Position;
use crate::typed::{Place, PlaceKind};
use crate::types::{BitField, Ty, Type};
use crate::violation::Kind;
use std::rc::Rc;
use wedge_logic::Term;

/// Records with more scalars than this are not copied.
const MAX_LEAVES: usize = 1 << 14;

/// Bytes at an address, and all the code needs to know to read or write them.
pub struct Access {
    pub address: Address,
    pub targets: Targets,
    pub instance: InstanceId,
    pub position: Position,
}

impl Access {
    pub fn moved(&self, bytes: u64) -> Access {
        Access {
            address: self.address.clone().moved(bytes),
            targets: moved_targets(&self.targets, bytes),
            ..*self
        }
    }
}

impl Encoder<'_, '_> {
    pub(super) fn access(&mut self, instance: InstanceId, place: &Place) -> Result<Access, Fault> {
        self.check_parts(instance, place)?;
        let address = self.address(instance, place)?;
        let targets = self.points.place(instance, place);
        Ok(Access { address, targets, instance, position: place.position })
    }

    /// Subscripts of arrays that are parts of objects stay inside of them (C11 6.5.6 p8).
    fn check_parts(&mut self, instance: InstanceId, place: &Place) -> Result<(), Fault> {
        if !self.violations.contains_key(&Kind::Deref) || self.in_library || self.starting {
            return Ok(());
        }
        let mut next = Some(place);
        while let Some(place) = next {
            if let (PlaceKind::Index(_, index), Some(length)) =
                (&place.kind, self.program.types.part_length(place))
            {
                let index = self.expr(instance, index)?;
                let terms = &mut self.cfa.terms;
                let length = terms.number(terms.width(index), length);
                let inside = terms.ult(index, length);
                self.check(Kind::Deref, inside);
            }
            next = place.base();
        }
        Ok(())
    }

    /// The bits of `size` bytes.
    pub(super) fn read(&mut self, access: &Access, size: u64) -> Term {
        let located = self.located(&access.address, &access.targets, size);
        let width = 8 * size as u32;
        let unknown = access.targets.is_unknown();
        let may_be_lost = self.may_be_lost(&access.targets);
        let mut value = match unknown || may_be_lost {
            true => {
                if unknown {
                    self.require_not_null(access);
                }
                let kind = match unknown {
                    true => ChoicePointKind::Environment,
                    false => ChoicePointKind::Other,
                };
                let some = self.arbitrary(kind, Ty::VOID, width, access.instance, access.position);
                if unknown {
                    self.argument_shape(access, some);
                    let condition = self.reached();
                    self.note_foreign(access, some, ForeignKind::Read { condition });
                }
                Some(match may_be_lost {
                    true => {
                        let some = self.read_lost(access, size, some);
                        self.read_hollow(access, size, some)
                    }
                    false => some,
                })
            }
            false => None,
        };
        let mut conditions = Vec::new();
        for spot in located.iter().rev() {
            let here = self.read_at(spot, size);
            let condition = spot.condition.unwrap_or_else(|| self.cfa.terms.bool(true));
            conditions.push(self.exists(spot, access, size));
            value = Some(match value {
                Some(other) => self.cfa.terms.ite(condition, here, other),
                None => here,
            });
        }
        if !unknown || self.lives.are_tracked {
            self.require_valid(access, size, conditions, may_be_lost);
        }
        if may_be_lost {
            self.count_read(access);
        }
        value.unwrap_or_else(|| self.cfa.terms.zero(width))
    }

    /// Writes the bits of some bytes.
    pub(super) fn write(&mut self, access: &Access, value: Term) {
        let size = self.cfa.terms.width(value) as u64 / 8;
        self.write_unwritten(access, size);
        let mut located = self.located(&access.address, &access.targets, size);
        // String literals are not modified (C11 6.4.5), except when they come into being.
        located.retain(|spot| self.starting || !self.is_literal(spot.object));
        let mut conditions = Vec::new();
        let unknown = access.targets.is_unknown();
        let may_be_lost = self.may_be_lost(&access.targets);
        let single = located.len() == 1 && !unknown && !may_be_lost;
        for spot in &located {
            // A single place is written whenever the statement has a meaning at all.
            let condition = spot.condition.filter(|_| !single);
            self.write_at(spot, condition, value);
            conditions.push(self.exists(spot, access, size));
        }
        if may_be_lost {
            self.write_lost(access, value);
            self.write_hollow(access, value);
        }
        if unknown && !self.lives.are_tracked {
            let valid = self.cfa.terms.or_all(&conditions);
            let elsewhere = self.cfa.terms.not(valid);
            self.write_outside(elsewhere, access, value);
        } else {
            self.require_valid(access, size, conditions, may_be_lost);
        }
    }

    /// Whether an access means no string literal, which only comes into being.
    pub(super) fn can_be_written(&self, access: &Access) -> bool {
        let mut objects = access.targets.list.iter().map(|target| target.object);
        self.starting || !objects.any(|object| self.is_literal(object))
    }

    fn is_literal(&self, object: ObjectId) -> bool {
        match self.points.object(object).kind {
            ObjectKind::Global(id) => self.program.global(id).is_literal,
            _ => false,
        }
    }

    /// The address is not null, nor that of a part of something at null. Where nothing is known of a
    /// pointer and nobody asks, that is left to those who replay a path: with the condition, all
    /// pointers that are followed would have to be kept in the model.
    pub(super) fn require_not_null(&mut self, access: &Access) {
        let is_asked =
            self.violations.contains_key(&Kind::Deref) || self.program.is_annotation(self.at);
        if access.targets.list.is_empty() && !is_asked {
            return;
        }
        let address = self.address_value(&access.address);
        let first = self.cfa.terms.number(self.pointer_width, FIRST_ADDRESS);
        let not_null = self.cfa.terms.ule(first, address);
        self.check(Kind::Deref, not_null);
    }

    /// The address means one of the places with these conditions, or a lost object.
    fn require_valid(
        &mut self,
        access: &Access,
        size: u64,
        mut conditions: Vec<Term>,
        may_be_lost: bool,
    ) {
        if may_be_lost {
            let address = self.address_value(&access.address);
            let is_lost = self.is_lost(address);
            conditions.push(match self.lives.are_tracked {
                true => {
                    let exists = self.lost_exists(access, address, size);
                    self.cfa.terms.and(is_lost, exists)
                }
                false => is_lost,
            });
        }
        let valid = self.cfa.terms.or_all(&conditions);
        self.check(Kind::Deref, valid);
    }

    /// The value of a place of scalar type.
    pub(super) fn load(&mut self, instance: InstanceId, place: &Place) -> Result<Term, Fault> {
        if let PlaceKind::Local(id) = place.kind
            && let Some(register) = self.register(instance, id)
        {
            self.check_written(register);
            return Ok(register);
        }
        let access = self.access(instance, place)?;
        let bits = self.bit_field(place);
        let bytes = bits.map_or(self.value_bytes(place.ty), bit_field_bytes);
        self.check_bytes_written(&access, bytes);
        let Some(bits) = bits else {
            return Ok(self.read(&access, self.value_bytes(place.ty)));
        };
        let raw = self.read(&access, bit_field_bytes(bits));
        let field = self.cfa.terms.slice(raw, bits.shift + bits.width - 1, bits.shift);
        let format = self.format(place.ty);
        Ok(self.resized(field, format.width, format.signed))
    }

    /// Gives a place of scalar type a value.
    pub(super) fn store(
        &mut self,
        instance: InstanceId,
        place: &Place,
        value: Term,
    ) -> Result<(), Fault> {
        if let PlaceKind::Local(id) = place.kind
            && let Some(register) = self.register(instance, id)
        {
            self.step.update(register, value);
            self.set_written(register, true);
            return Ok(());
        }
        let access = self.access(instance, place)?;
        let Some(bits) = self.bit_field(place) else {
            self.write(&access, value);
            return Ok(());
        };
        let raw = self.read(&access, bit_field_bytes(bits));
        let terms = &mut self.cfa.terms;
        let (width, end) = (terms.width(raw), bits.shift + bits.width);
        let mut new = terms.slice(value, bits.width - 1, 0);
        if bits.shift > 0 {
            let low = terms.slice(raw, bits.shift - 1, 0);
            new = terms.concat(new, low);
        }
        if end < width {
            let high = terms.slice(raw, width - 1, end);
            new = terms.concat(high, new);
        }
        self.write(&access, new);
        Ok(())
    }

    /// The bits of a place that is a bit-field of at least one bit.
    pub(super) fn bit_field(&self, place: &Place) -> Option<BitField> {
        let PlaceKind::Field(base, index) = &place.kind else { return None };
        let field = self.program.types.fields(base.ty).get(*index as usize)?;
        field.bits.filter(|bits| bits.width > 0)
    }

    /// The scalars that a type consists of, as offsets and sizes that do not overlap.
    pub(super) fn leaves(&mut self, ty: Ty, at: Position) -> Result<Rc<Vec<(u64, u64)>>, Fault> {
        if let Some(known) = self.leaves.get(&ty) {
            return Ok(known.clone());
        }
        let mut list = Vec::new();
        collect_leaves(&self.program.types, ty, 0, &mut list);
        if list.len() > MAX_LEAVES {
            let what = format!("a copy of `{}` as a whole", self.program.types.show(ty));
            return Err(Fault::unsupported(at, what));
        }
        list.sort_unstable();
        let mut merged: Vec<(u64, u64)> = Vec::new();
        for (start, size) in list {
            match merged.last_mut() {
                Some(last) if start < last.0 + last.1 => {
                    last.1 = last.1.max(start + size - last.0);
                }
                _ => merged.push((start, size)),
            }
        }
        let leaves = Rc::new(merged);
        self.leaves.insert(ty, leaves.clone());
        Ok(leaves)
    }

    /// Copies bytes, given as offsets and sizes; everything is read before anything is written.
    pub(super) fn copy(&mut self, to: &Access, from: &Access, leaves: &[(u64, u64)]) {
        let size = leaves.iter().map(|&(offset, size)| offset + size).max().unwrap_or(0);
        let moved = self.follow_copy(to, from, size);
        let (arrays, rest) = self.copy_arrays(to, from, leaves);
        let values: Vec<Term> =
            rest.iter().map(|&(offset, size)| self.read(&from.moved(offset), size)).collect();
        arrays.into_iter().for_each(|(array, value)| self.step.update(array, value));
        for (&(offset, _), value) in rest.iter().zip(values) {
            self.write(&to.moved(offset), value);
        }
        self.finish_copy(moved);
    }
}

/// The bytes that a bit-field touches.
pub fn bit_field_bytes(bits: BitField) -> u64 {
    (bits.shift + bits.width).div_ceil(8) as u64
}

fn collect_leaves(types: &crate::types::Types, ty: Ty, offset: u64, list: &mut Vec<(u64, u64)>) {
    if list.len() > MAX_LEAVES {
        return;
    }
    match types.get(ty) {
        &Type::Array(element, crate::types::Length::Fixed(count)) => {
            let size = types.size(element).unwrap_or(0);
            for index in 0..count.min(MAX_LEAVES as u64 + 1) {
                collect_leaves(types, element, offset + index * size, list);
            }
        }
        Type::Array(..) => {}
        Type::Record(_) => {
            for field in types.fields(ty) {
                match field.bits {
                    Some(bits) if bits.width > 0 => {
                        list.push((offset + field.offset, bit_field_bytes(bits)));
                    }
                    Some(_) => {}
                    None => collect_leaves(types, field.ty, offset + field.offset, list),
                }
            }
        }
        _ => {
            let size = types.float_kind(ty).map(|kind| kind.value_bytes());
            let size = size.or_else(|| types.size(ty)).unwrap_or(0);
            if size > 0 {
                list.push((offset, size));
            }
        }
    }
}
