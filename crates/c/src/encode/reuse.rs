//! Objects that may be where others have been.
//!
//! When an object has ended, a new one may get its address: memory is allocated again after `free`,
//! `realloc` leaves an object where it is, variables of blocks and calls share a place on the stack. An old
//! pointer, or a number made from it, may then be equal to a new one (C11 6.2.4 p2 promises
//! nothing about its value). In the model every object has an address of its own, so the result of such a
//! comparison is arbitrary. That needs three things: the new object may have begun after the old one
//! ended, which an analysis of the flat program tells for each pair of objects that are compared; the old
//! one has ended now, for which allocated objects have a bit; and the two are different ones. Variables
//! that live again have two addresses ([`again`](super::again)), and who is at the wrong one is old.
//!
//! Objects that are alive at the same time are never equal, so programs that free nothing before they
//! allocate, or do not compare what they keep, pay nothing.

use super::Encoder;
use super::births_after::{Flow, has};
use super::blocks::Set;
use super::compared::Comparisons;
use crate::flat::{Flat, InstanceId};
use crate::points::{ObjectId, ObjectKind, Points};
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::Term;

/// The pairs of objects of which one may be where the other one was.
#[derive(Default)]
pub struct Reuse {
    /// The old object and the new one.
    after: FxHashSet<(ObjectId, ObjectId)>,
    /// The bits of the objects that are compared.
    bits: FxHashMap<ObjectId, usize>,
    /// By block of the flat program: those that may have ended at its end.
    ended: Vec<Set>,
    /// The block that is translated.
    pub now: usize,
    /// Variables that live more than once, and to whom no old pointer leads.
    pub forgotten: FxHashSet<ObjectId>,
}

impl Reuse {
    pub fn find(flat: &Flat, points: &Points) -> Reuse {
        let mut found = Reuse::default();
        let compared = Comparisons::find(flat, points);
        for object in compared {
            let bit = found.bits.len();
            found.bits.entry(object).or_insert(bit);
        }
        if found.bits.is_empty() {
            return found;
        }
        let mut flow = Flow::new(flat, points, &found.bits);
        flow.run();
        found.after = flow.after;
        found.ended = flow.ends.into_iter().map(|state| state.ended).collect();
        found
    }

    /// The objects whose old addresses may be those of new ones.
    pub fn old(&self) -> FxHashSet<ObjectId> {
        self.after.iter().map(|(old, _)| *old).collect()
    }

    /// Whether the old addresses of an object are compared.
    pub fn is_old(&self, object: ObjectId) -> bool {
        self.after.iter().any(|(old, _)| *old == object)
    }

    /// Whether the second object may be where the first one was, which may have ended here.
    fn is_after(&self, old: ObjectId, new: ObjectId) -> bool {
        self.after.contains(&(old, new)) && has(&self.ended[self.now], self.bits[&old])
    }
}

impl Encoder<'_, '_> {
    /// Conditions under which one of two addresses is that of an object that has ended, and the other
    /// one of an object that may be in its place.
    pub(super) fn reused(
        &mut self,
        instance: InstanceId,
        (a, left): (Term, &[ObjectId]),
        (b, right): (Term, &[ObjectId]),
        open: &mut Vec<Term>,
    ) {
        if self.reuse.after.is_empty() {
            return;
        }
        for &one in left {
            for &other in right {
                if self.reuse.is_after(one, other) {
                    self.takes_place(instance, (a, one), (b, other), open);
                }
                if self.reuse.is_after(other, one) {
                    self.takes_place(instance, (b, other), (a, one), open);
                }
            }
        }
    }

    fn takes_place(
        &mut self,
        instance: InstanceId,
        (old, first): (Term, ObjectId),
        (new, second): (Term, ObjectId),
        open: &mut Vec<Term>,
    ) {
        let is_site = matches!(self.points.object(first).kind, ObjectKind::Site(..));
        if self.reuse.forgotten.contains(&first) || first == second && !is_site {
            return;
        }
        // A variable that lives again is at the other of its addresses, unless its activation has ended.
        let (is_old, which) = match self.elsewhere_of(old, first) {
            Some(elsewhere) if self.is_open(first, instance) => (elsewhere, None),
            elsewhere => self.at_any(old, first, elsewhere),
        };
        let elsewhere = self.elsewhere_of(new, second);
        let (is_new, whose) = self.at_any(new, second, elsewhere);
        let (old_lost, new_lost) = (self.lost_of(old, first), self.lost_of(new, second));
        let mut all = vec![is_old, is_new];
        if let Some(exists) = self.exists_still(first, which) {
            all.push(self.cfa.terms.not(exists));
        }
        // The objects of a pool are numbered in the order in which they begin.
        if let (true, Some(which), Some(whose)) = (first == second, which, whose) {
            all.push(self.cfa.terms.ult(which, whose));
        }
        open.push(self.cfa.terms.and_all(&all));
        // Of a lost object it is not known whether it has ended.
        let terms = &mut self.cfa.terms;
        if let Some(old_lost) = old_lost {
            open.push(terms.and(old_lost, is_new));
        }
        if let Some(new_lost) = new_lost {
            let is_ended = terms.and_all(&[is_old, new_lost]);
            open.push(is_ended);
        }
    }

    /// Whether an address is in the chunk of an object, or in the other one that it has.
    fn at_any(
        &mut self,
        address: Term,
        object: ObjectId,
        elsewhere: Option<Term>,
    ) -> (Term, Option<Term>) {
        let (here, which) = self.is_around(address, object);
        match elsewhere {
            Some(elsewhere) => (self.cfa.terms.or(here, elsewhere), which),
            None => (here, which),
        }
    }

    fn lost_of(&mut self, address: Term, object: ObjectId) -> Option<Term> {
        (self.forget && self.can_be_lost(object)).then(|| self.is_lost(address))
    }
}
