//! Sums of addresses and numbers that lead out of an object.
//!
//! Where objects are is the model's own choice. A sum that leaves its object and happens to be inside
//! of another one there is somewhere else in the program, and an access at it is invalid; it must
//! not be taken for one of the other object, nor must what is computed from it. So whatever leaves the
//! chunk of its object is arbitrary, but still outside of it and on the same side: in some run it is
//! so far away from all objects that no steps lead to them. Pointers that are only ever followed where
//! they can mean a single object need none of this.

use super::address::Address;
use super::{ChoicePointKind, Encoder};
use crate::flat::InstanceId;
use crate::points::{ObjectId, Targets};
use crate::source::Position;
use crate::types::Ty;
use rustc_hash::FxHashSet;
use wedge_logic::Term;

/// The objects that an access may mean together with others.
#[derive(Default)]
pub struct Mixed(FxHashSet<ObjectId>);

impl Mixed {
    /// Notes what an access may mean. `is_pool` says whether an object stands for several.
    pub fn note(&mut self, targets: &Targets, is_pool: impl Fn(ObjectId) -> bool) {
        let mut objects = targets.list.iter().map(|target| target.object);
        let Some(first) = objects.next() else { return };
        if is_pool(first) || objects.any(|other| other != first) {
            self.0.extend(targets.list.iter().map(|target| target.object));
        }
    }
}

/// The objects that a pointer may refer to, each once.
pub fn objects_of(targets: &Targets) -> Vec<ObjectId> {
    let mut objects: Vec<ObjectId> = targets.list.iter().map(|target| target.object).collect();
    objects.sort_unstable();
    objects.dedup();
    objects
}

impl Encoder<'_, '_> {
    /// The value of a pointer that is a sum: arbitrary where it leads out of its object.
    pub(super) fn pointer_sum(
        &mut self,
        instance: InstanceId,
        address: &Address,
        at: Position,
    ) -> Term {
        let sum = self.address_value(address);
        if self.is_no_sum(address) {
            return sum;
        }
        let (start, objects) = match (address.start(), address.variable()) {
            (Some((start, targets)), _) => (start, objects_of(targets)),
            (None, Some(object)) => (self.place_of(object), vec![object]),
            (None, None) => return sum,
        };
        self.without_jump(instance, (start, &objects), sum, at)
    }

    /// Whether it is where it starts, or inside of a variable or at its end.
    fn is_no_sum(&self, address: &Address) -> bool {
        match (address.fixed(), address.is_unmoved()) {
            (Some((object, offset)), _) => offset <= self.storage.get(object).bytes,
            (None, is_unmoved) => is_unmoved,
        }
    }

    /// A sum of a number and an address in one of some objects.
    pub(super) fn without_jump(
        &mut self,
        instance: InstanceId,
        (start, objects): (Term, &[ObjectId]),
        sum: Term,
        at: Position,
    ) -> Term {
        let is_mixed = |object: &ObjectId| self.mixed.0.contains(object);
        if !self.lives.are_tracked || !objects.iter().any(is_mixed) {
            return sum;
        }
        let (mut known, mut stays) = (Vec::new(), Vec::new());
        for &object in objects {
            known.push(self.is_around(start, object).0);
            stays.push(self.are_around(start, sum, object));
        }
        let terms = &mut self.cfa.terms;
        let (known, stays) = (terms.or_all(&known), terms.or_all(&stays));
        let leaves = terms.not(stays);
        let jumps = terms.and(known, leaves);
        if terms.value(jumps).is_some_and(|jumps| jumps.is_zero()) {
            return sum;
        }
        let elsewhere = self.elsewhere(instance, (start, sum), objects, jumps, at);
        self.cfa.terms.ite(jumps, elsewhere, sum)
    }

    /// Whether an address is in the chunk of an object, and of which one of a pool.
    pub(super) fn is_around(&mut self, address: Term, object: ObjectId) -> (Term, Option<Term>) {
        match (self.offset_in(object, address), self.size_of(object, None)) {
            (Some(offset), Some(size)) => (self.cfa.terms.ule(offset, size), None),
            _ => self.is_at(address, object, None),
        }
    }

    /// Whether two addresses are in the chunk of an object, in that of the same one of a pool.
    fn are_around(&mut self, one: Term, other: Term, object: ObjectId) -> Term {
        let (first, which) = self.is_around(one, object);
        let (second, whose) = self.is_around(other, object);
        let terms = &mut self.cfa.terms;
        let both = terms.and(first, second);
        match (which, whose) {
            (Some(which), Some(whose)) => {
                let same = terms.eq(which, whose);
                terms.and(both, same)
            }
            _ => both,
        }
    }

    /// Any address on the same side of a start as a sum, outside of the object of the start.
    fn elsewhere(
        &mut self,
        instance: InstanceId,
        (start, sum): (Term, Term),
        objects: &[ObjectId],
        condition: Term,
        at: Position,
    ) -> Term {
        let width = self.cfa.terms.width(sum);
        let some = self.arbitrary(ChoicePointKind::Other, Ty::VOID, width, instance, at);
        let mut outside = Vec::new();
        for &object in objects {
            let both = self.are_around(start, some, object);
            outside.push(self.cfa.terms.not(both));
        }
        let terms = &mut self.cfa.terms;
        let (up, same) = (terms.ult(start, sum), terms.ult(start, some));
        outside.push(terms.xnor(up, same));
        let fits = terms.and_all(&outside);
        let fits = terms.implies(condition, fits);
        self.require(fits);
        some
    }
}
