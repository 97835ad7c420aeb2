//! What a program can see of addresses.
//!
//! C does not say where objects are, and the addresses of the model are only one way to place
//! them. The order and the distance of different objects are therefore arbitrary. Such a result
//! need not agree with another one, so the model has more runs than the program: proofs hold
//! wherever objects are, and a counterexample counts if the interpreter, which places objects in
//! its own way, confirms it. Programs that do none of this are not changed.

use super::{ChoicePointKind, Encoder};
use crate::flat::InstanceId;
use crate::points::{ObjectId, Targets};
use crate::source::Position;
use crate::typed::Expr;
use crate::types::Ty;
use wedge_logic::Term;

impl Encoder<'_, '_> {
    /// A value that counts if two pointers refer to one object, and an arbitrary one otherwise.
    pub(super) fn if_same_object(
        &mut self,
        instance: InstanceId,
        (left, right): (&Expr, &Expr),
        (a, b): (Term, Term),
        value: Term,
        at: Position,
    ) -> Term {
        let (Some(left), Some(right)) =
            (self.addresses(instance, left), self.addresses(instance, right))
        else {
            return value;
        };
        if left.list.is_empty() || right.list.is_empty() || self.is_one_object(&left, &right) {
            return value;
        }
        let mut same = Vec::new();
        for object in objects(&left).filter(|&object| objects(&right).any(|other| other == object))
        {
            let (in_left, which_left) = self.is_at(a, object, None);
            let (in_right, which_right) = self.is_at(b, object, None);
            let terms = &mut self.cfa.terms;
            let mut both = terms.and(in_left, in_right);
            if let (Some(first), Some(second)) = (which_left, which_right) {
                let one = terms.eq(first, second);
                both = terms.and(both, one);
            }
            same.push(both);
        }
        let terms = &mut self.cfa.terms;
        // Null has an order and a distance to itself, and no object is there.
        let zero = terms.zero(terms.width(a));
        let (no_left, no_right) = (terms.eq(a, zero), terms.eq(b, zero));
        same.push(terms.or(no_left, no_right));
        let same = terms.or_all(&same);
        self.or_arbitrary(same, value, instance, at)
    }

    fn or_arbitrary(
        &mut self,
        specified: Term,
        value: Term,
        instance: InstanceId,
        at: Position,
    ) -> Term {
        if self.cfa.terms.value(specified).is_some_and(|known| known.is_one()) {
            return value;
        }
        self.notes
            .insert(String::from("the order and the distance of different objects are arbitrary"));
        let width = self.cfa.terms.width(value);
        let some = self.arbitrary(ChoicePointKind::Other, Ty::VOID, width, instance, at);
        self.cfa.terms.ite(specified, value, some)
    }

    /// The objects that a pointer may refer to.
    fn addresses(&self, instance: InstanceId, expr: &Expr) -> Option<Targets> {
        let is_open = self.program.types.is_pointer(expr.ty) && expr.as_int().is_none();
        is_open.then(|| self.points.value(instance, expr))
    }

    fn is_one_object(&self, left: &Targets, right: &Targets) -> bool {
        let mut all = objects(left).chain(objects(right));
        let Some(first) = all.next() else { return true };
        all.all(|other| other == first) && self.storage.get(first).instances == 1
    }
}

fn objects(targets: &Targets) -> impl Iterator<Item = ObjectId> {
    targets.list.iter().map(|target| target.object)
}
