//! What a program can see of addresses.
//!
//! C does not say where objects are, and the addresses of the model are only one way to place
//! them. The order and the distance of different objects are therefore arbitrary. Such a result
//! need not agree with another one, so the model has more runs than the program: proofs hold
//! wherever objects are, and a counterexample counts if the interpreter, which places objects in
//! its own ways, confirms it. Programs that do none of this are not changed.
//!
//! A number may be an address, too. An operator that looks at more than what every placement has in
//! common sees an arbitrary number in its place: aligned as the object is, neither null nor in
//! the last page of the address space, where error codes are kept. Copies, comparisons for equality
//! of addresses that do not leave their living objects, sums of an address and a number, distances
//! from one object, and bits below the alignment are the same for all placements, so nothing is paid
//! there. A sum may leave its object, though: then it may be anything, the address of another
//! object and null included.

use super::jumps::objects_of;
use super::storage::MAX_ALIGNMENT;
use super::{ChoicePointKind, Encoder};
use crate::flat::InstanceId;
use crate::points::{ObjectId, Targets};
use crate::source::Position;
use crate::typed::{BinaryOp, Expr};
use crate::types::Ty;
use wedge_logic::Term;

/// How many of the highest addresses stand for error codes.
pub const ERROR_CODES: u128 = 4096;

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

    /// The value of an expression for an operator that looks at its bits: an arbitrary number in
    /// place of an address.
    pub(super) fn observed(&mut self, instance: InstanceId, expr: &Expr, value: Term) -> Term {
        let width = self.cfa.terms.width(value);
        if width < self.pointer_width || expr.as_int().is_some() || self.is_float(expr.ty) {
            return value;
        }
        if width > self.pointer_width {
            return self.observed_wide(instance, expr, value);
        }
        self.observed_address(instance, expr, value)
    }

    /// The same for a number with more bits than addresses have: those above may be copies of the
    /// highest one.
    fn observed_wide(&mut self, instance: InstanceId, expr: &Expr, value: Term) -> Term {
        let pointer = self.pointer_width;
        let low = self.cfa.terms.slice(value, pointer - 1, 0);
        let seen = self.observed_address(instance, expr, low);
        if seen == low {
            return value;
        }
        let more = self.cfa.terms.width(value) - pointer;
        let is_signed =
            self.arbitrary(ChoicePointKind::Other, Ty::VOID, 8, instance, expr.position);
        let terms = &mut self.cfa.terms;
        let zero = terms.zero(8);
        let is_signed = terms.neq(is_signed, zero);
        let (signed, unsigned) = (terms.sext(seen, more), terms.zext(seen, more));
        let number = terms.ite(is_signed, signed, unsigned);
        // What is no address stays as it is.
        let same = terms.eq(seen, low);
        terms.ite(same, value, number)
    }

    fn observed_address(&mut self, instance: InstanceId, expr: &Expr, value: Term) -> Term {
        let width = self.pointer_width;
        let targets = self.points.value(instance, expr);
        let mut here = Vec::new();
        let mut known: Vec<ObjectId> = Vec::new();
        for object in objects(&targets) {
            if !known.contains(&object) {
                known.push(object);
                here.push(self.is_at(value, object, None).0);
            }
        }
        if known.is_empty() {
            return value;
        }
        let places = match self.points.stays_inside(instance, expr) {
            true => {
                let is_inside = self.cfa.terms.or_all(&here);
                (is_inside, is_inside)
            }
            false => self.near(value, &known),
        };
        // What is derived from an address is one, too, unless it is smaller than all of them.
        let terms = &mut self.cfa.terms;
        let first = terms.number(width, self.storage.numbers);
        let is_address = terms.ule(first, value);
        let low = known.iter().map(|&object| self.alignment(object)).min().unwrap_or(1);
        let low = low.trailing_zeros();
        let number = self.arbitrary_address(value, places, low, instance, expr.position);
        self.cfa.terms.ite(is_address, number, value)
    }

    /// For an address that was computed from those of some objects: whether it is too near to be
    /// null, and whether it is inside. Only with one object it is clear from which one it is.
    fn near(&mut self, value: Term, objects: &[ObjectId]) -> (Term, Term) {
        let no = self.cfa.terms.bool(false);
        let &[object] = objects else { return (no, no) };
        let stored = self.storage.get(object);
        let instances = stored.instances;
        let Some(size) = self.points.object(object).size.filter(|_| instances == 1) else {
            return (no, no);
        };
        let width = self.pointer_width;
        let base = self.place_of(object);
        let terms = &mut self.cfa.terms;
        let offset = terms.sub(value, base);
        let (end, page) =
            (terms.number(width, size), terms.number(width, size + ERROR_CODES as u64));
        (terms.ult(offset, page), terms.ult(offset, end))
    }

    /// The sum or difference of an address and a number. Below all addresses of the model there are
    /// numbers only, so what would lead from an address to there is an arbitrary number.
    pub(super) fn moved_address(
        &mut self,
        instance: InstanceId,
        op: BinaryOp,
        (left, right): (&Expr, &Expr),
        (a, b): (Term, Term),
        sum: Term,
    ) -> Term {
        let width = self.value_width(left.ty);
        if !matches!(op, BinaryOp::Add | BinaryOp::Subtract)
            || width < self.pointer_width
            || self.is_float(left.ty)
        {
            return sum;
        }
        let targets = |expr: &Expr| match expr.as_int() {
            Some(_) => Targets::default(),
            None => self.points.value(instance, expr),
        };
        let (to_left, to_right) = (targets(left), targets(right));
        let (source, address, to, number) =
            match (to_left.list.is_empty(), to_right.list.is_empty()) {
                (false, true) => (left, a, to_left, right),
                (true, false) if op == BinaryOp::Add => (right, b, to_right, left),
                _ => return sum,
            };
        let sum = self.number_without_jump(instance, (address, &to), sum, left.position);
        // From inside of an object no small step leads to the numbers; from elsewhere, many of them
        // in a row do.
        let near = match self.points.stays_inside(instance, source) {
            true => u128::from(self.storage.numbers),
            false => 0,
        };
        let is_small = |bits: u128| {
            let ones = u128::MAX >> (128 - width);
            bits.min(bits.wrapping_neg() & ones) <= near
        };
        if number.as_int().is_some_and(is_small) {
            return sum;
        }
        let low = objects(&to).map(|object| self.alignment(object)).min().unwrap_or(1);
        let terms = &mut self.cfa.terms;
        let (no, first) = (terms.bool(false), terms.number(width, self.storage.numbers));
        let (above, below) = (terms.ule(first, address), terms.ult(sum, first));
        let falls = terms.and(above, below);
        let (low, pointer) = (low.trailing_zeros(), self.pointer_width);
        let part = self.cfa.terms.slice(sum, pointer - 1, 0);
        let some = self.arbitrary_address(part, (no, no), low, instance, left.position);
        let some = self.cfa.terms.sext(some, width - pointer);
        self.cfa.terms.ite(falls, some, sum)
    }

    /// A sum that has at least as many bits as addresses, arbitrary where it leads out of an object.
    fn number_without_jump(
        &mut self,
        instance: InstanceId,
        (address, to): (Term, &Targets),
        sum: Term,
        at: Position,
    ) -> Term {
        let (objects, pointer) = (objects_of(to), self.pointer_width);
        let start = self.cfa.terms.slice(address, pointer - 1, 0);
        let low = self.cfa.terms.slice(sum, pointer - 1, 0);
        let new = self.without_jump(instance, (start, &objects), low, at);
        if new == low {
            return sum;
        }
        let terms = &mut self.cfa.terms;
        let more = terms.width(sum) - pointer;
        let (same, new) = (terms.eq(new, low), terms.sext(new, more));
        terms.ite(same, sum, new)
    }

    /// Any number with the lowest bits of a given one; if that is near an object, not null, and if
    /// it is inside, one where objects may be.
    fn arbitrary_address(
        &mut self,
        like: Term,
        (is_near, is_inside): (Term, Term),
        low: u32,
        instance: InstanceId,
        at: Position,
    ) -> Term {
        self.notes.insert(String::from(
            "the addresses of objects are arbitrary where the program computes with them",
        ));
        let width = self.pointer_width;
        let mut number = self.arbitrary(ChoicePointKind::Other, Ty::VOID, width, instance, at);
        let terms = &mut self.cfa.terms;
        if low > 0 {
            let (upper, lower) =
                (terms.slice(number, width - 1, low), terms.slice(like, low - 1, 0));
            number = terms.concat(upper, lower);
        }
        let first = terms.number(width, 1);
        let end = self.constant((1u128 << width) - ERROR_CODES, width);
        let terms = &mut self.cfa.terms;
        let (above, below) = (terms.ule(first, number), terms.ult(number, end));
        let (above, below) = (terms.implies(is_near, above), terms.implies(is_inside, below));
        let fits = terms.and(above, below);
        self.require(fits);
        number
    }

    /// What the address of an object is a multiple of, in the model as well.
    fn alignment(&self, object: ObjectId) -> u64 {
        self.points.object(object).align.clamp(1, MAX_ALIGNMENT)
    }

    /// The operands of an operator on integers, as it sees them.
    pub(super) fn operands_observed(
        &mut self,
        instance: InstanceId,
        op: BinaryOp,
        (left, right): (&Expr, &Expr),
        (a, b): (Term, Term),
    ) -> (Term, Term) {
        if !self.observes(instance, op, left, right) {
            return (a, b);
        }
        (self.observed(instance, left, a), self.observed(instance, right, b))
    }

    /// Whether the result depends on where objects are.
    pub(super) fn observes(
        &self,
        instance: InstanceId,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
    ) -> bool {
        let width = self.value_width(left.ty);
        if width < self.pointer_width || self.is_float(left.ty) {
            return false;
        }
        let targets = |expr: &Expr| match expr.as_int() {
            Some(_) => Targets::default(),
            None => self.points.value(instance, expr),
        };
        let (to_left, to_right) = (targets(left), targets(right));
        if to_left.list.is_empty() && to_right.list.is_empty() {
            return false;
        }
        let both = !to_left.list.is_empty() && !to_right.list.is_empty();
        let pointers = self.program.types.is_pointer(left.ty);
        match op {
            BinaryOp::Add => both,
            BinaryOp::Subtract => {
                to_left.list.is_empty() || both && !self.is_one_object(&to_left, &to_right)
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                let all = objects(&to_left).chain(objects(&to_right));
                let least = all.map(|object| self.alignment(object)).min().unwrap_or(1);
                let mask = right.as_int().or(left.as_int());
                let (least, ones) = (u128::from(least), u128::MAX >> (128 - width));
                mask.is_none_or(|mask| mask >= least && (!mask & ones) >= least)
            }
            // Pointers to different objects are the affair of `equality`.
            BinaryOp::Equal | BinaryOp::NotEqual if pointers => false,
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let inside = |expr| self.points.stays_inside(instance, expr);
                match both {
                    // Inside of objects it is the affair of `equality`.
                    true => {
                        let are_inside = inside(left) && inside(right);
                        !are_inside && !self.is_one_object(&to_left, &to_right)
                    }
                    false => {
                        let address = if to_left.list.is_empty() { right } else { left };
                        let number = left.as_int().or(right.as_int());
                        number.is_none() || self.is_ordinary(number) || !inside(address)
                    }
                }
            }
            _ if op.is_order() && both => !pointers && !self.is_one_object(&to_left, &to_right),
            _ if op.is_order() => {
                let signed = self.format(left.ty).signed;
                let number = left.as_int().or(right.as_int());
                number.is_none() || signed || self.is_ordinary(number)
            }
            _ => true,
        }
    }

    /// A number that is asked whether it is 0.
    pub(super) fn truth_observed(
        &mut self,
        instance: InstanceId,
        expr: &Expr,
        value: Term,
    ) -> Term {
        match self.may_be_null(instance, expr) {
            true => self.observed(instance, expr, value),
            false => value,
        }
    }

    /// Whether an integer may be computed from an address in such a way that it is 0 where objects
    /// are placed suitably.
    pub(super) fn may_be_null(&self, instance: InstanceId, expr: &Expr) -> bool {
        let is_number = self.program.types.is_integer(expr.ty);
        is_number
            && self.value_width(expr.ty) >= self.pointer_width
            && !self.points.stays_inside(instance, expr)
    }

    /// Whether an address may have this value: no object contains null or the end of the address
    /// space.
    fn is_ordinary(&self, number: Option<u128>) -> bool {
        let last_page = (1u128 << self.pointer_width) - ERROR_CODES;
        number.is_some_and(|value| value != 0 && value < last_page)
    }

    /// The objects that a pointer may refer to.
    fn addresses(&self, instance: InstanceId, expr: &Expr) -> Option<Targets> {
        let is_open = self.program.types.is_pointer(expr.ty) && expr.as_int().is_none();
        is_open.then(|| self.points.value(instance, expr))
    }

    fn is_one_object(&self, left: &Targets, right: &Targets) -> bool {
        let mut all = objects(left).chain(objects(right));
        let Some(first) = all.next() else { return true };
        let is_again = self.is_twofold(first) && self.reuse.is_old(first);
        let is_single = self.storage.get(first).instances == 1 && !is_again;
        all.all(|other| other == first) && is_single
    }
}

fn objects(targets: &Targets) -> impl Iterator<Item = ObjectId> {
    targets.list.iter().map(|target| target.object)
}
