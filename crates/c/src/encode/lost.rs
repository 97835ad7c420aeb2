//! Objects beyond those that the model has room for, where they are no limit.
//!
//! A lost object has an address in the upper half of the address space, where no other object is;
//! which one is arbitrary. What is read from it is arbitrary, what is written to it is forgotten.
//! Every run of the program is a run of this model: let lost objects have distinct addresses, and
//! let every read give what the program reads. The converse does not hold.

use super::{ChoicePointKind, Encoder};
use crate::flat::InstanceId;
use crate::points::{ObjectKind, Targets};
use crate::source::Position;
use crate::types::Ty;
use wedge_logic::Term;

impl Encoder<'_, '_> {
    /// Whether a pointer may refer to a lost object.
    pub(super) fn may_be_lost(&self, targets: &Targets) -> bool {
        let is_open = |id: crate::points::ObjectId| {
            let object = self.points.object(id);
            let is_site = matches!(object.kind, ObjectKind::Site(..));
            is_site && (object.repeated || object.size.is_none())
        };
        self.forget && targets.list.iter().any(|target| is_open(target.object))
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
        // One in front, then a zero, so that offsets do not lead out of the upper half; objects
        // are aligned to 16 bytes.
        let width = self.pointer_width - 6;
        let some = self.arbitrary(ChoicePointKind::Other, Ty::VOID, width, instance, at);
        let terms = &mut self.cfa.terms;
        let (front, low) = (terms.number(2, 2), terms.zero(4));
        let upper = terms.concat(front, some);
        let somewhere = terms.concat(upper, low);
        terms.ite(lost, somewhere, address)
    }
}
