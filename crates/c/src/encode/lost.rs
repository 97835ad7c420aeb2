//! Objects beyond those that the model has room for, where they are no limit.
//!
//! A lost object has an address in the upper half of the address space, where no other object is;
//! which one is arbitrary. What is read from it is arbitrary, what is written to it is forgotten.
//! Every run of the program is a run of this model: let lost objects have distinct addresses, and
//! let every read give what the program reads. The converse does not hold.
//!
//! In lists without bound it matters less which objects come first than which one shows the error.
//! So a few more objects may be kept that are chosen when they are allocated, by prophecy, and an
//! error counts only if the last n reads through pointers to allocated objects were none of lost
//! ones, for n chosen objects per site. Every error is still found: the last n reads of a run are
//! of at most n objects, and in some run of the model these are the chosen ones. The invariants
//! that are needed speak of one object that stands for all.

use super::address::Located;
use super::memory::Access;
use super::storage::bits_for;
use super::{ChoicePointKind, Encoder};
use crate::flat::InstanceId;
use crate::points::{ObjectId, ObjectKind, Targets};
use crate::source::Position;
use crate::types::Ty;
use wedge_logic::{Sort, Term};

/// Bits that tell the upper half, and those that are zero in all addresses of objects there.
pub const UPPER: u32 = 2;
pub const ALIGNED: u32 = 4;

impl Encoder<'_, '_> {
    /// Whether a pointer may refer to a lost object.
    pub(super) fn may_be_lost(&self, targets: &Targets) -> bool {
        self.forget && targets.list.iter().any(|target| self.can_be_lost(target.object))
    }

    /// Whether there is not enough room for all objects that this one stands for.
    pub(super) fn can_be_lost(&self, id: ObjectId) -> bool {
        let object = self.points.object(id);
        let is_site = matches!(object.kind, ObjectKind::Site(..));
        is_site && (object.repeated || object.size.is_none() && self.forgets_sizes())
    }

    /// Whether several objects of one site may have to be told apart.
    pub(super) fn has_pools(&self) -> bool {
        let is_site = |kind: &ObjectKind| matches!(kind, ObjectKind::Site(..));
        self.points.objects().iter().any(|object| object.repeated && is_site(&object.kind))
    }

    /// Whether a place exists already. What is read from lost objects may be the address of one
    /// that does not, but not in a run of the program.
    pub(super) fn is_allocated(&mut self, spot: &Located) -> Term {
        let condition = spot.condition.unwrap_or_else(|| self.cfa.terms.bool(true));
        let Some(which) = spot.instance.filter(|_| self.forget && self.can_be_lost(spot.object))
        else {
            return condition;
        };
        let counter = self.counter(spot.object);
        let counter = self.step.current(counter);
        let terms = &mut self.cfa.terms;
        let which = terms.zext(which, terms.width(counter) - terms.width(which));
        let exists = terms.ult(which, counter);
        terms.and(condition, exists)
    }

    /// Whether an address is that of a lost object.
    pub(super) fn is_lost(&mut self, address: Term) -> Term {
        self.cfa.terms.sign(address)
    }

    /// The address, or under a condition that of a lost object.
    pub(super) fn or_lost(
        &mut self,
        lost: Term,
        address: Term,
        instance: InstanceId,
        at: Position,
    ) -> Term {
        if !self.forget || self.cfa.terms.value(lost).is_some_and(|lost| lost.is_zero()) {
            return address;
        }
        let somewhere = self.somewhere(instance, at);
        self.cfa.terms.ite(lost, somewhere, address)
    }

    /// Any address in the upper half.
    pub(super) fn somewhere(&mut self, instance: InstanceId, at: Position) -> Term {
        let width = self.pointer_width - UPPER - ALIGNED;
        let some = self.arbitrary(ChoicePointKind::Other, Ty::VOID, width, instance, at);
        self.in_upper_half(some)
    }

    /// One in front, then a zero, so that offsets do not lead out of the upper half; objects are
    /// aligned to 16 bytes.
    pub(super) fn in_upper_half(&mut self, middle: Term) -> Term {
        let terms = &mut self.cfa.terms;
        let (front, low) = (terms.number(UPPER, 2), terms.zero(ALIGNED));
        let upper = terms.concat(front, middle);
        terms.concat(upper, low)
    }

    /// Whether objects that are larger than their room are lost. A chosen object must have room.
    pub(super) fn forgets_sizes(&self) -> bool {
        self.forget && self.chosen == 0
    }

    /// Whether the next object of a pool is lost because it is not chosen.
    pub(super) fn left_out(
        &mut self,
        counter: Term,
        instances: u64,
        instance: InstanceId,
        at: Position,
    ) -> Term {
        if self.chosen == 0 {
            return self.cfa.terms.bool(false);
        }
        let some = self.arbitrary(ChoicePointKind::Other, Ty::VOID, 1, instance, at);
        let terms = &mut self.cfa.terms;
        let first = terms.number(terms.width(counter), instances - self.chosen as u64);
        let is_first = terms.ult(counter, first);
        let kept = terms.or(is_first, some);
        terms.not(kept)
    }

    pub(super) fn make_known_reads(&mut self) {
        if self.chosen > 0 {
            let width = bits_for(self.chosen as u64 + 1);
            self.known_reads = Some(self.temporary("known", Sort::Bv(width)));
        }
    }

    /// At the start nothing was read from a lost object.
    pub(super) fn start_known_reads(&mut self) {
        if let Some(known) = self.known_reads {
            let all = self.cfa.terms.number(self.cfa.terms.width(known), self.chosen as u64);
            self.step.update(known, all);
        }
    }

    /// Counts a read that may be of a lost object.
    pub(super) fn count_read(&mut self, access: &Access) {
        let Some(known) = self.known_reads else { return };
        let address = self.address_value(&access.address);
        let (is_lost, reached) = (self.is_lost(address), self.reached());
        let now = self.step.current(known);
        let terms = &mut self.cfa.terms;
        let all = terms.number(terms.width(known), self.chosen as u64);
        let is_full = terms.eq(now, all);
        let more = terms.inc(now);
        let more = terms.ite(is_full, now, more);
        let zero = terms.zero(terms.width(known));
        let next = terms.ite(is_lost, zero, more);
        let next = terms.ite(reached, next, now);
        self.step.update(known, next);
    }

    /// Whether an error here counts.
    pub(super) fn last_reads_are_known(&mut self) -> Term {
        match self.known_reads {
            Some(known) => {
                let all = self.cfa.terms.number(self.cfa.terms.width(known), self.chosen as u64);
                self.cfa.terms.eq(known, all)
            }
            None => self.cfa.terms.bool(true),
        }
    }
}
