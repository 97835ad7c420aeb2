//! What is remembered of lost objects: for every field, its value in one of them.
//!
//! The field of the lost object that was read or written last is in focus: its address and its
//! value are known until the same field of another one is accessed. So a list that is extended at
//! its end, or a node that is looked at several times, is modelled exactly in that moment, however
//! many objects there are. Fields are the bands of the layouts, which no access within them cuts
//! across. An access that does not match a field exactly ends the focus of all that it may touch.

use super::memory::Access;
use super::{Encoder, ObjectId};
use crate::points::{Offsets, Targets};
use wedge_logic::{Sort, Term};

/// Programs with more fields than this have focus on the first ones only.
const MAX_FIELDS: usize = 24;

/// The same field of all lost objects.
pub struct Focus {
    lo: u64,
    width: u64,
    /// The address of the field in focus; 0 if there is none.
    address: Term,
    value: Term,
}

impl Focus {
    fn may_meet(&self, offsets: Offsets, size: u64) -> bool {
        let span = offsets.stride.saturating_mul(offsets.count - 1);
        let end = offsets.first.saturating_add(span).saturating_add(size);
        offsets.first < self.lo + self.width && self.lo < end
    }
}

/// What an access means to the fields of lost objects.
enum Touched {
    /// It is one of this field.
    Field(usize),
    /// It may change any of these.
    Several(Vec<usize>),
}

impl Encoder<'_, '_> {
    /// To be called when all objects have layouts.
    pub(super) fn make_focus(&mut self) {
        let mut fields = Vec::new();
        for index in 0..self.storage.len() {
            let id = ObjectId(index as u32);
            if !self.forget || !self.can_be_lost(id) {
                continue;
            }
            let bands = self.storage.get(id).layout.bands.iter();
            fields.extend(bands.filter(|band| band.count == 1).map(|band| (band.lo, band.width)));
        }
        fields.sort_unstable();
        fields.dedup();
        for (lo, width) in fields.into_iter().take(MAX_FIELDS) {
            let address = self.temporary("focus", Sort::Bv(self.pointer_width));
            let value = self.temporary("focus", Sort::Bv(8 * width as u32));
            self.focus.push(Focus { lo, width, address, value });
        }
    }

    pub(super) fn start_focus(&mut self) {
        let none = self.cfa.terms.zero(self.pointer_width);
        for focus in &self.focus {
            self.step.update(focus.address, none);
        }
    }

    fn touched(&self, targets: &Targets, size: u64) -> Touched {
        let open = || targets.list.iter().filter(|target| self.can_be_lost(target.object));
        let field = |offsets: Offsets, object: ObjectId| {
            let is_field = |lo: u64, width: u64| lo == offsets.first && width == size;
            let mut bands = self.storage.get(object).layout.bands.iter();
            let exact = offsets.count == 1
                && bands.any(|band| band.count == 1 && is_field(band.lo, band.width));
            let mut known = self.focus.iter();
            known.position(|focus| exact && is_field(focus.lo, focus.width))
        };
        let mut fields = open().map(|target| field(target.offsets, target.object));
        if let Some(Some(first)) = fields.next()
            && fields.all(|other| other == Some(first))
        {
            return Touched::Field(first);
        }
        let meets = |focus: &Focus| open().any(|target| focus.may_meet(target.offsets, size));
        Touched::Several((0..self.focus.len()).filter(|&i| meets(&self.focus[i])).collect())
    }

    /// What is read from a lost object, if an access means one; `some` where nothing is known.
    pub(super) fn read_lost(&mut self, access: &Access, size: u64, some: Term) -> Term {
        let Touched::Field(field) = self.touched(&access.targets, size) else { return some };
        let address = self.address_value(&access.address);
        let Focus { address: known, value, .. } = self.focus[field];
        let (known, value) = (self.step.current(known), self.step.current(value));
        let hit = self.cfa.terms.eq(known, address);
        let result = self.cfa.terms.ite(hit, value, some);
        self.set_focus(field, address, result);
        result
    }

    /// A write that may be to a lost object.
    pub(super) fn write_lost(&mut self, access: &Access, value: Term) {
        let size = self.cfa.terms.width(value) as u64 / 8;
        let address = self.address_value(&access.address);
        match self.touched(&access.targets, size) {
            Touched::Field(field) => self.set_focus(field, address, value),
            Touched::Several(fields) => {
                let is_lost = self.is_lost(address);
                fields.into_iter().for_each(|field| self.end_focus(field, is_lost));
            }
        }
    }

    fn set_focus(&mut self, field: usize, address: Term, value: Term) {
        let (is_lost, reached) = (self.is_lost(address), self.reached());
        let Focus { address: known, value: known_value, .. } = self.focus[field];
        let (old, old_value) = (self.step.current(known), self.step.current(known_value));
        let terms = &mut self.cfa.terms;
        let changes = terms.and(is_lost, reached);
        let (new, new_value) =
            (terms.ite(changes, address, old), terms.ite(changes, value, old_value));
        self.step.update(known, new);
        self.step.update(known_value, new_value);
    }

    fn end_focus(&mut self, field: usize, condition: Term) {
        let known = self.focus[field].address;
        let old = self.step.current(known);
        let none = self.cfa.terms.zero(self.pointer_width);
        let new = self.cfa.terms.ite(condition, none, old);
        self.step.update(known, new);
    }

    /// Under a condition, anything may have been written to lost objects.
    pub(super) fn end_all_focus(&mut self, condition: Term) {
        (0..self.focus.len()).for_each(|field| self.end_focus(field, condition));
    }
}
