//! Equality of pointers that depends on where objects are.
//!
//! Pointers to different living objects are not equal, with two exceptions. One past the end of an
//! object may be where another one begins (C11 6.5.9 p6), and literals may share their storage (C11
//! 6.4.5 p7): those with the same text, and those of which one ends with the other. The result is
//! arbitrary there, and so it is where an object may be in the place of one that has ended
//! ([`reuse`](super::reuse)). Numbers that are addresses are compared in the same way. Nothing is paid
//! where the points-to analysis excludes all of this.

use super::{ChoicePointKind, Encoder};
use crate::flat::InstanceId;
use crate::points::{ObjectId, ObjectKind, Targets};
use crate::source::Position;
use crate::typed::{BinaryOp, CastKind, Expr, ExprKind, GlobalId, Initial};
use crate::types::Ty;
use wedge_logic::Term;

/// With more pairs of objects than this, any object may begin where any other ends.
const MAX_PAIRS: usize = 256;

impl Encoder<'_, '_> {
    /// Whether two pointers are equal or not, with what the model says.
    pub(super) fn equality(
        &mut self,
        instance: InstanceId,
        (left, right): (&Expr, &Expr),
        (a, b): (Term, Term),
        truth: Term,
        at: Position,
    ) -> Term {
        let is_open = |expr: &Expr| expr.as_int().is_none() && !self.is_float(expr.ty);
        let pointers = self.program.types.is_pointer(left.ty);
        let is_short = self.value_width(left.ty) < self.pointer_width;
        if !is_open(left) || !is_open(right) || is_short {
            return truth;
        }
        let to_left = self.points.value(instance, left);
        let to_right = self.points.value(instance, right);
        let no_left = to_left.list.is_empty() && is_number(left);
        if pointers && (no_left || to_right.list.is_empty() && is_number(right)) {
            return self.equality_of_number(instance, (left, right), (a, b), truth);
        }
        if to_left.list.is_empty() || to_right.list.is_empty() {
            return truth;
        }
        // Numbers that are observed are arbitrary already.
        if !pointers && self.observes(instance, BinaryOp::Equal, left, right) {
            return truth;
        }
        let last = self.pointer_width - 1;
        let (a, b) = (self.cfa.terms.slice(a, last, 0), self.cfa.terms.slice(b, last, 0));
        let mut open = Vec::new();
        let stay = |expr: &Expr| !pointers || self.points.stays_inside(instance, expr);
        let (left_stays, right_stays) = (stay(left), stay(right));
        if !left_stays {
            self.neighbours((a, &to_left), (b, &to_right), &mut open);
        }
        if !right_stays {
            self.neighbours((b, &to_right), (a, &to_left), &mut open);
        }
        self.shared_literals((a, &to_left), (b, &to_right), &mut open);
        if !open.is_empty() {
            self.notes.insert(String::from(
                "one past the end of an object may be the beginning of another one, and literals \
                 may share their storage",
            ));
        }
        let living = open.len();
        let (lefts, rights) = (distinct(&to_left), distinct(&to_right));
        self.reused(instance, (a, &lefts), (b, &rights), &mut open);
        if open.len() > living {
            self.notes.insert(String::from("an object may be where one was that has ended"));
        }
        if open.is_empty() {
            return truth;
        }
        let some = self.arbitrary(ChoicePointKind::Other, Ty::VOID, 8, instance, at);
        let terms = &mut self.cfa.terms;
        let (open, zero) = (terms.or_all(&open), terms.zero(8));
        let some = terms.neq(some, zero);
        terms.ite(open, some, truth)
    }

    /// A number as a pointer may have the address of an object, wherever that is.
    fn equality_of_number(
        &mut self,
        instance: InstanceId,
        (left, right): (&Expr, &Expr),
        (a, b): (Term, Term),
        truth: Term,
    ) -> Term {
        let (x, y) = (self.observed(instance, left, a), self.observed(instance, right, b));
        if (x, y) == (a, b) {
            return truth;
        }
        let terms = &mut self.cfa.terms;
        let (model, seen) = (terms.eq(a, b), terms.eq(x, y));
        // The comparison may be that for inequality.
        let is_equality = terms.eq(model, truth);
        let other = terms.not(seen);
        terms.ite(is_equality, seen, other)
    }

    /// Conditions under which the first pointer is at the end of an object and the second one at the
    /// beginning of another.
    fn neighbours(
        &mut self,
        (past, ends): (Term, &Targets),
        (first, begins): (Term, &Targets),
        open: &mut Vec<Term>,
    ) {
        let (ends, begins) = (distinct(ends), distinct(begins));
        let are_few = ends.len() * begins.len() <= MAX_PAIRS;
        let ends: Vec<(ObjectId, Term)> =
            ends.into_iter().map(|id| (id, self.is_past(past, id))).collect();
        let begins: Vec<(ObjectId, Term)> =
            begins.into_iter().map(|id| (id, self.is_at(first, id, Some(0)).0)).collect();
        if !are_few {
            let all = |list: &[(ObjectId, Term)]| -> Vec<Term> {
                list.iter().map(|(_, condition)| *condition).collect()
            };
            let (ends, begins) = (all(&ends), all(&begins));
            let terms = &mut self.cfa.terms;
            let (ends, begins) = (terms.or_all(&ends), terms.or_all(&begins));
            open.push(terms.and(ends, begins));
            return;
        }
        for &(end, is_past) in &ends {
            for &(begin, is_first) in &begins {
                if end != begin || self.storage.get(end).instances > 1 {
                    open.push(self.cfa.terms.and(is_past, is_first));
                }
            }
        }
    }

    /// Whether a pointer is just past an object; of an object whose size is open, behind its first
    /// byte.
    fn is_past(&mut self, pointer: Term, object: ObjectId) -> Term {
        let size = self.points.object(object).size;
        if let Some(size) = size {
            return self.is_at(pointer, object, Some(size)).0;
        }
        let (inside, _) = self.is_at(pointer, object, None);
        let offset = self.low_bits(pointer, object);
        let terms = &mut self.cfa.terms;
        let zero = terms.zero(terms.width(offset));
        let behind = terms.neq(offset, zero);
        terms.and(inside, behind)
    }

    fn shared_literals(
        &mut self,
        (a, to_left): (Term, &Targets),
        (b, to_right): (Term, &Targets),
        open: &mut Vec<Term>,
    ) {
        let lefts = self.literals(to_left);
        let rights = self.literals(to_right);
        for &(left, first) in &lefts {
            for &(right, second) in &rights {
                let may_share = match left == right {
                    true => self.program.global(first).is_shared,
                    false => self.is_end(first, second) || self.is_end(second, first),
                };
                if may_share {
                    let (x, y) = (self.is_at(a, left, None).0, self.is_at(b, right, None).0);
                    open.push(self.cfa.terms.and(x, y));
                }
            }
        }
    }

    fn literals(&self, targets: &Targets) -> Vec<(ObjectId, GlobalId)> {
        let literal = |object: ObjectId| match self.points.object(object).kind {
            ObjectKind::Global(id) if self.program.global(id).is_literal => Some((object, id)),
            _ => None,
        };
        distinct(targets).into_iter().filter_map(literal).collect()
    }

    /// Whether one literal ends with another.
    fn is_end(&self, whole: GlobalId, end: GlobalId) -> bool {
        let text = |id: GlobalId| -> Option<Vec<u128>> {
            let Initial::Values(values) = &self.program.global(id).initial else { return None };
            values.iter().map(|(_, value)| value.as_int()).collect()
        };
        let (one, other) = (self.program.global(whole), self.program.global(end));
        match (text(whole), text(end)) {
            (Some(a), Some(b)) => a.ends_with(&b) || one.size == other.size && a == b,
            _ => true,
        }
    }
}

fn distinct(targets: &Targets) -> Vec<ObjectId> {
    let mut all: Vec<ObjectId> = targets.list.iter().map(|target| target.object).collect();
    all.sort_unstable_by_key(|object| object.0);
    all.dedup();
    all
}

/// Whether a pointer is a number that was converted.
fn is_number(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Cast(CastKind::IntToPointer, _) => true,
        ExprKind::Cast(CastKind::PointerToPointer, inner) => is_number(inner),
        _ => false,
    }
}
