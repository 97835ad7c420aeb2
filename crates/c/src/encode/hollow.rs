//! Objects whose size is not a constant, without their contents.
//!
//! Where memory safety is asked for and a model may forget, such an object, if it is allocated once,
//! has a size and an address but no bytes: proofs that do not depend on what is in an array hold for
//! arrays of any length, and the model is as small as if there were none. It lies in the upper half
//! of the address space, at a place of its own; only if it is too large for that its address is
//! arbitrary there.
//!
//! What is accessed at one offset only, such as the length in front of an array, is known, and so is
//! the last byte where bytes are accessed: that is where the end of a string is. An access that may cut
//! across it gives anything, and anything may be in the object after such a write. What was tried
//! instead: one element at an offset that is chosen by prophecy. The proofs need "the offset is that of
//! the end", which has no short invariant over bits. And the byte that was accessed last, so that it can be read
//! twice: that doubled the time of the proofs about single strings and decided none about two.

use super::layout::{Band, Layout};
use super::memory::Access;
use super::{ChoicePointKind, Encoder};
use crate::flat::InstanceId;
use crate::points::{ObjectId, ObjectKind, Offsets, Targets};
use crate::source::Position;
use crate::types::Ty;
use wedge_logic::{Sort, Term};

/// Objects with more bands than this have no elements that are known.
const MAX_BANDS: usize = 8;
/// The layout is that of an object of this size: every access of the program is inside of it.
const LAYOUT_BYTES: u64 = 1 << 26;
/// Between two objects in the upper half.
const GAP: u64 = 1 << 12;

/// What is known of the contents of an object.
#[derive(Clone, Default)]
pub struct Hollow {
    layout: Layout,
    /// For each band its only element, if it has one.
    known: Vec<Option<Term>>,
    /// A band of bytes, and the last byte of the object.
    last: Option<(usize, Term)>,
}

impl Hollow {
    /// The variables of what is known.
    fn variables(&self) -> Vec<Term> {
        let last = self.last.map(|(_, last)| last);
        self.known.iter().flatten().copied().chain(last).collect()
    }
}

impl Encoder<'_, '_> {
    /// Whether an object has no bytes.
    pub(super) fn is_hollow(&self, id: ObjectId) -> bool {
        let object = self.points.object(id);
        self.are_hollow
            && matches!(object.kind, ObjectKind::Site(..))
            && object.size.is_none()
            && !object.repeated
    }

    pub(super) fn has_hollow(&self) -> bool {
        (0..self.storage.len()).any(|index| self.is_hollow(ObjectId(index as u32)))
    }

    /// Makes the variables for the elements that are known, given all accesses to an object.
    pub(super) fn make_hollow(&mut self, id: ObjectId, accesses: Vec<(Offsets, u64)>) {
        let layout = Layout::new(accesses, LAYOUT_BYTES);
        let mut known = Vec::new();
        for band in layout.bands.iter().take(MAX_BANDS) {
            let sort = Sort::Bv(8 * band.width as u32);
            known.push((band.count == 1).then(|| self.temporary("element", sort)));
        }
        let bytes = layout.bands.iter().position(|band| band.width == 1 && band.count > 1);
        let last = bytes.map(|band| (band, self.temporary("last", Sort::Bv(8))));
        self.hollow.insert(id, Hollow { layout, known, last });
    }

    /// The places of hollow objects: how many bytes each has, and where the first of them is.
    fn hollow_region(&self) -> (u64, u64) {
        let count = (0..self.storage.len()).filter(|&i| self.is_hollow(ObjectId(i as u32))).count();
        let half = self.pointer_width - 1;
        // The lower part of the upper half is for objects of pools and those that are too large.
        let start = if self.has_pools() { 3 << (half - 1) } else { 1 << half };
        let room = if self.has_pools() { 1u64 << (half - 1) } else { 1 << half };
        (room / count.max(1).next_power_of_two() as u64, start)
    }

    /// Where a hollow object is as long as it is not larger than its place, and how much that is.
    pub(super) fn hollow_base(&self, id: ObjectId) -> (u64, u64) {
        let (share, start) = self.hollow_region();
        let before = (0..id.0).filter(|&i| self.is_hollow(ObjectId(i))).count() as u64;
        let alone = share == 1 << (self.pointer_width - 1);
        (start + before * share, if alone { share - 1 } else { share - GAP })
    }

    /// The address of a new hollow object.
    pub(super) fn hollow_address(
        &mut self,
        id: ObjectId,
        size: Term,
        instance: InstanceId,
        at: Position,
    ) -> Term {
        let (base, share) = self.hollow_base(id);
        let (base, share) = {
            let terms = &mut self.cfa.terms;
            (terms.number(self.pointer_width, base), terms.number(self.pointer_width, share))
        };
        let is_larger = self.cfa.terms.ult(share, size);
        let address = self.or_lost(is_larger, base, instance, at);
        // It does not go beyond the end of the address space, if there is a place where it does not.
        let half = self.constant(1 << (self.pointer_width - 1), self.pointer_width);
        let terms = &mut self.cfa.terms;
        let is_placeable = terms.ule(size, half);
        let end = terms.add(address, size);
        let end = terms.dec(end);
        let ends = terms.sign(end);
        let condition = terms.and(is_larger, is_placeable);
        let fits = terms.implies(condition, ends);
        self.require(fits);
        address
    }

    /// The address of a hollow object, given what was kept when it was made.
    pub(super) fn base_of(&mut self, id: ObjectId, kept: Term) -> Term {
        let address = self.step.current(kept);
        let Some(size) = self.size_of(id, None) else { return address };
        let (base, share) = self.hollow_base(id);
        let terms = &mut self.cfa.terms;
        let base = terms.number(self.pointer_width, base);
        let share = terms.number(self.pointer_width, share);
        let is_larger = terms.ult(share, size);
        terms.ite(is_larger, address, base)
    }

    /// The bytes from an address to the end of the hollow object that it is in; `some` elsewhere.
    pub(super) fn hollow_bytes(&mut self, address: Term, targets: &Targets, some: Term) -> Term {
        let is_lost = self.is_lost(address);
        let mut bytes = some;
        for id in self.hollow_among(targets) {
            let (Some(offset), Some(has)) = (self.offset_in(id, address), self.size_of(id, None))
            else {
                continue;
            };
            let terms = &mut self.cfa.terms;
            let inside = terms.ule(offset, has);
            let inside = terms.and(is_lost, inside);
            let rest = terms.sub(has, offset);
            bytes = terms.ite(inside, rest, bytes);
        }
        bytes
    }

    /// The bytes of a new object are zero.
    pub(super) fn zero_hollow(&mut self, id: ObjectId) {
        let Some(hollow) = self.hollow.get(&id).cloned() else { return };
        for known in hollow.variables() {
            let zero = self.cfa.terms.zero(self.cfa.terms.width(known));
            self.step.update(known, zero);
        }
    }

    fn hollow_among(&self, targets: &Targets) -> Vec<ObjectId> {
        let mut found: Vec<ObjectId> = Vec::new();
        for target in &targets.list {
            if self.is_hollow(target.object) && !found.contains(&target.object) {
                found.push(target.object);
            }
        }
        found
    }

    /// The hollow objects that an access may mean, each with the condition for it.
    fn hollow_targets(&mut self, access: &Access) -> Vec<(ObjectId, Term)> {
        let found = self.hollow_among(&access.targets);
        let is_other = |object: ObjectId| self.can_be_lost(object) && !found.contains(&object);
        let has_others = access.targets.list.iter().any(|target| is_other(target.object));
        let is_alone = found.len() == 1 && !has_others;
        let address = self.address_value(&access.address);
        let is_lost = self.is_lost(address);
        let mut list = Vec::new();
        for id in found {
            let (Some(offset), Some(has)) = (self.offset_in(id, address), self.size_of(id, None))
            else {
                continue;
            };
            let inside = self.cfa.terms.ult(offset, has);
            let condition = if is_alone { is_lost } else { self.cfa.terms.and(is_lost, inside) };
            list.push((id, condition));
        }
        list
    }

    /// The band that an access of some bytes is an element of, whatever its offset is.
    fn band_of(&self, id: ObjectId, targets: &Targets, size: u64) -> Option<usize> {
        let hollow = self.hollow.get(&id)?;
        let mut found = None;
        for target in targets.list.iter().filter(|target| target.object == id) {
            let spot = hollow.layout.find(target.offsets.first, size)?;
            let band: Band = hollow.layout.bands[spot.band];
            let is_regular = target.offsets.count == 1 || target.offsets.stride % band.stride == 0;
            let is_element = spot.sub == 0 && size == band.width && is_regular;
            if !is_element || found.is_some_and(|known| known != spot.band) {
                return None;
            }
            found = Some(spot.band);
        }
        found
    }

    /// What is read from a hollow object, if an access means one; `some` where nothing is known.
    pub(super) fn read_hollow(&mut self, access: &Access, size: u64, some: Term) -> Term {
        let mut value = some;
        for (id, condition) in self.hollow_targets(access) {
            let Some((known, condition)) = self.element_of(id, access, size, condition) else {
                continue;
            };
            let here = self.step.current(known);
            value = self.cfa.terms.ite(condition, here, value);
        }
        value
    }

    /// The variable of the element that an access means, if it is known, and when it means that.
    fn element_of(
        &mut self,
        id: ObjectId,
        access: &Access,
        size: u64,
        condition: Term,
    ) -> Option<(Term, Term)> {
        let band = self.band_of(id, &access.targets, size)?;
        let hollow = self.hollow.get(&id)?;
        if let Some(known) = hollow.known.get(band).copied().flatten() {
            return Some((known, condition));
        }
        let (_, last) = hollow.last.filter(|&(bytes, _)| bytes == band)?;
        let address = self.address_value(&access.address);
        let (offset, has) = (self.offset_in(id, address)?, self.size_of(id, None)?);
        let terms = &mut self.cfa.terms;
        let end = terms.dec(has);
        let is_last = terms.eq(offset, end);
        Some((last, terms.and(condition, is_last)))
    }

    /// A write that may be to hollow objects.
    pub(super) fn write_hollow(&mut self, access: &Access, value: Term) {
        let size = self.cfa.terms.width(value) as u64 / 8;
        let reached = self.reached();
        for (id, condition) in self.hollow_targets(access) {
            let condition = self.cfa.terms.and(condition, reached);
            if self.band_of(id, &access.targets, size).is_none() {
                self.forget_contents(id, condition, access);
            }
            let Some((known, condition)) = self.element_of(id, access, size, condition) else {
                continue;
            };
            let old = self.step.current(known);
            let new = self.cfa.terms.ite(condition, value, old);
            self.step.update(known, new);
        }
    }

    /// Under a condition, anything may be in an object.
    fn forget_contents(&mut self, id: ObjectId, condition: Term, access: &Access) {
        let known = self.hollow.get(&id).map(Hollow::variables).unwrap_or_default();
        for known in known {
            let width = self.cfa.terms.width(known);
            let (instance, at) = (access.instance, access.position);
            let some = self.arbitrary(ChoicePointKind::Other, Ty::VOID, width, instance, at);
            let old = self.step.current(known);
            let new = self.cfa.terms.ite(condition, some, old);
            self.step.update(known, new);
        }
    }
}
