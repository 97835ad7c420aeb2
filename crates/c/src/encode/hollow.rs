//! Objects whose size is not a constant, without their contents.
//!
//! Where memory safety is asked for and a model may forget, such an object, if it is allocated once,
//! has a size and an address but no bytes: proofs that do not depend on what is in an array hold for
//! arrays of any length, and the model is as small as if there were none. It lies in the upper half
//! of the address space, at a place of its own; only if it is too large for that its address is
//! arbitrary there.
//!
//! Some proofs depend on one element: the end of a string. So for each kind of access (a band of the
//! layout) one element is known, whose offset is chosen by prophecy, and a violation counts only if
//! the last read of each band, if there was one, was of the element that is known. Every error is
//! still found: in some run of the model the offsets are those of the last reads before it. A band
//! of a single element needs no prophecy. An access that may cut across elements gives anything, and
//! anything may be in the object after such a write.

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
    known: Vec<Known>,
}

/// An element of a band.
#[derive(Clone, Copy)]
struct Known {
    value: Term,
    /// Its offset, and whether the last read of the band was of it, unless there is no other.
    prophecy: Option<(Term, Term)>,
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
        if layout.bands.len() <= MAX_BANDS {
            for band in &layout.bands {
                let value = self.temporary("element", Sort::Bv(8 * band.width as u32));
                let prophecy = (band.count > 1).then(|| {
                    let offset = self.temporary("prophecy", Sort::Bv(self.pointer_width));
                    (offset, self.temporary("told", Sort::BOOL))
                });
                known.push(Known { value, prophecy });
            }
        }
        self.hollow.insert(id, Hollow { layout, known });
    }

    /// At the start nothing was read.
    pub(super) fn start_hollow(&mut self) {
        for told in self.told() {
            let yes = self.cfa.terms.bool(true);
            self.step.update(told, yes);
        }
    }

    fn told(&self) -> Vec<Term> {
        let all = self.hollow.values().flat_map(|hollow| &hollow.known);
        let mut told: Vec<Term> = all.filter_map(|known| Some(known.prophecy?.1)).collect();
        told.sort_unstable();
        told
    }

    /// Whether a violation counts here.
    pub(super) fn is_told(&mut self) -> Term {
        let told: Vec<Term> = self.told().iter().map(|&told| self.step.current(told)).collect();
        self.cfa.terms.and_all(&told)
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
        self.or_lost(is_larger, base, instance, at)
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
        for known in &hollow.known {
            let zero = self.cfa.terms.zero(self.cfa.terms.width(known.value));
            self.step.update(known.value, zero);
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

    /// The hollow objects that an access may mean, each with the condition for it and its offset.
    fn hollow_targets(&mut self, access: &Access) -> Vec<(ObjectId, Term, Term)> {
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
            list.push((id, condition, offset));
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
        found.filter(|&band| band < hollow.known.len())
    }

    /// What is read from a hollow object, if an access means one; `some` where nothing is known.
    pub(super) fn read_hollow(&mut self, access: &Access, size: u64, some: Term) -> Term {
        let mut value = some;
        for (id, condition, offset) in self.hollow_targets(access) {
            let Some(band) = self.band_of(id, &access.targets, size) else { continue };
            let known = self.hollow[&id].known[band];
            let here = self.step.current(known.value);
            let terms = &mut self.cfa.terms;
            let hit = match known.prophecy {
                Some((prophecy, _)) => {
                    let is_known = terms.eq(offset, prophecy);
                    terms.and(condition, is_known)
                }
                None => condition,
            };
            value = terms.ite(hit, here, value);
        }
        value
    }

    /// Notes whether a read was of an element that is known, once it is clear that it is valid: an
    /// invalid read is no read before the error.
    pub(super) fn tell_read(&mut self, access: &Access, size: u64) {
        let reached = self.reached();
        for (id, condition, offset) in self.hollow_targets(access) {
            let Some(band) = self.band_of(id, &access.targets, size) else { continue };
            let Some((prophecy, told)) = self.hollow[&id].known[band].prophecy else { continue };
            let old = self.step.current(told);
            let terms = &mut self.cfa.terms;
            let is_known = terms.eq(offset, prophecy);
            let is_read = terms.and(condition, reached);
            let new = terms.ite(is_read, is_known, old);
            self.step.update(told, new);
        }
    }

    /// A write that may be to hollow objects.
    pub(super) fn write_hollow(&mut self, access: &Access, value: Term) {
        let size = self.cfa.terms.width(value) as u64 / 8;
        let reached = self.reached();
        for (id, condition, offset) in self.hollow_targets(access) {
            let condition = self.cfa.terms.and(condition, reached);
            let Some(band) = self.band_of(id, &access.targets, size) else {
                self.forget_contents(id, condition, access);
                continue;
            };
            let known = self.hollow[&id].known[band];
            let old = self.step.current(known.value);
            let terms = &mut self.cfa.terms;
            let is_known = match known.prophecy {
                Some((prophecy, _)) => terms.eq(offset, prophecy),
                None => terms.bool(true),
            };
            let changes = terms.and(condition, is_known);
            let new = terms.ite(changes, value, old);
            self.step.update(known.value, new);
        }
    }

    /// Under a condition, anything may be in an object.
    fn forget_contents(&mut self, id: ObjectId, condition: Term, access: &Access) {
        let known = self.hollow.get(&id).map(|hollow| hollow.known.clone()).unwrap_or_default();
        for Known { value, .. } in known {
            let width = self.cfa.terms.width(value);
            let (instance, at) = (access.instance, access.position);
            let some = self.arbitrary(ChoicePointKind::Other, Ty::VOID, width, instance, at);
            let old = self.step.current(value);
            let new = self.cfa.terms.ite(condition, some, old);
            self.step.update(value, new);
        }
    }
}
