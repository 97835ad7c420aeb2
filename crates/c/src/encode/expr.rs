//! Expressions as terms. Integers and pointers are bit-vectors of their width, conditions of
//! width 1 inside and `int` outside.

use super::Encoder;
use crate::arith::float;
use crate::error::Fault;
use crate::flat::InstanceId;
use crate::typed::{BinaryOp, CastKind, Expr, ExprKind, UnaryOp};
use crate::types::{FloatKind, IntFormat, Ty};
use crate::violation::Kind;
use wedge_logic::{BitVec, Term};

impl Encoder<'_, '_> {
    /// The value of a scalar expression.
    pub(super) fn expr(&mut self, instance: InstanceId, expr: &Expr) -> Result<Term, Fault> {
        match &expr.kind {
            ExprKind::Int(bits) | ExprKind::Float(bits) => {
                Ok(self.constant(*bits, self.value_width(expr.ty)))
            }
            ExprKind::Load(place) => self.load(instance, place),
            ExprKind::AddressOf(_) | ExprKind::PointerAdd { .. } => {
                let address = self.pointer(instance, expr)?;
                Ok(self.pointer_sum(instance, &address, expr.position))
            }
            ExprKind::Function(id) => Ok(self.function_address(*id)),
            ExprKind::Unary(op, operand) => {
                let value = self.expr(instance, operand)?;
                let value = self.observed(instance, operand, value);
                self.unary(*op, value, operand.ty, expr)
            }
            ExprKind::Binary(op, ..) if op.is_comparison() => self.truth_as_int(instance, expr),
            ExprKind::Binary(op, left, right) => {
                let a = self.operand(instance, left)?;
                let b = self.operand(instance, right)?;
                let pair = (left.as_ref(), right.as_ref());
                let (a, b) = self.operands_observed(instance, *op, pair, (a, b));
                let value = self.binary(*op, a, b, left.ty, right.ty, expr)?;
                Ok(self.moved_address(instance, *op, pair, (a, b), value))
            }
            ExprKind::PointerDifference { left, right, scale } => {
                let a = self.expr(instance, left)?;
                let b = self.expr(instance, right)?;
                let width = self.pointer_width;
                let terms = &mut self.cfa.terms;
                let bytes = terms.sub(a, b);
                let scale = terms.number(width, (*scale).max(1));
                let distance = terms.sdiv(bytes, scale);
                let pair = (left.as_ref(), right.as_ref());
                Ok(self.if_same_object(instance, pair, (a, b), distance, expr.position))
            }
            ExprKind::Cast(kind, operand) => {
                let mut value = self.expr(instance, operand)?;
                let is_cut = self.value_width(expr.ty) < self.pointer_width;
                let observes = match kind {
                    CastKind::IntToInt | CastKind::PointerToInt => is_cut,
                    CastKind::IntToFloat => true,
                    CastKind::ToBool => self.may_be_null(instance, operand),
                    _ => false,
                };
                if observes {
                    value = self.observed(instance, operand, value);
                }
                let widths = (self.value_width(expr.ty), self.value_width(operand.ty));
                if *kind != CastKind::IntToInt || widths.0 != widths.1 {
                    value = self.part_observed(instance, operand, value);
                }
                self.cast(*kind, value, operand.ty, expr)
            }
            ExprKind::And(..) | ExprKind::Or(..) => self.truth_as_int(instance, expr),
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.truth(instance, condition)?;
                let then = self.under(condition, |this| this.expr(instance, then))?;
                let negated = self.cfa.terms.not(condition);
                let otherwise = self.under(negated, |this| this.expr(instance, otherwise))?;
                Ok(self.cfa.terms.ite(condition, then, otherwise))
            }
        }
    }

    /// Translates something that counts only under a condition.
    fn under<T>(&mut self, condition: Term, work: impl FnOnce(&mut Self) -> T) -> T {
        self.step.conditions.push(condition);
        let result = work(self);
        self.step.conditions.pop();
        result
    }

    fn truth_as_int(&mut self, instance: InstanceId, expr: &Expr) -> Result<Term, Fault> {
        let truth = self.truth(instance, expr)?;
        Ok(self.cfa.terms.zext(truth, self.value_width(expr.ty) - 1))
    }

    /// Whether an expression differs from 0, as a term of width 1.
    pub(super) fn truth(&mut self, instance: InstanceId, expr: &Expr) -> Result<Term, Fault> {
        match &expr.kind {
            ExprKind::And(left, right) => {
                let a = self.truth(instance, left)?;
                let b = self.under(a, |this| this.truth(instance, right))?;
                Ok(self.cfa.terms.and(a, b))
            }
            ExprKind::Or(left, right) => {
                let a = self.truth(instance, left)?;
                let negated = self.cfa.terms.not(a);
                let b = self.under(negated, |this| this.truth(instance, right))?;
                Ok(self.cfa.terms.or(a, b))
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                let a = self.operand(instance, left)?;
                let b = self.operand(instance, right)?;
                let (a, b) = self.operands_observed(instance, *op, (left, right), (a, b));
                let truth = self.comparison(*op, a, b, left.ty, expr)?;
                let pair = (left.as_ref(), right.as_ref());
                if !op.is_order() {
                    return Ok(self.equality(instance, pair, (a, b), truth, expr.position));
                }
                Ok(self.if_same_object(instance, pair, (a, b), truth, expr.position))
            }
            ExprKind::Cast(CastKind::IntToInt, operand)
                if self.value_width(operand.ty) <= self.value_width(expr.ty) =>
            {
                self.truth(instance, operand)
            }
            _ => {
                let value = self.operand(instance, expr)?;
                let value = self.truth_observed(instance, expr, value);
                self.is_nonzero(value, expr.ty)
            }
        }
    }

    /// The value of an operand of an operator, which may be a part of a pointer.
    fn operand(&mut self, instance: InstanceId, expr: &Expr) -> Result<Term, Fault> {
        let value = self.expr(instance, expr)?;
        Ok(self.part_observed(instance, expr, value))
    }

    pub(super) fn is_float(&self, ty: Ty) -> bool {
        self.program.types.is_float(ty)
    }

    pub(super) fn is_nonzero(&mut self, value: Term, ty: Ty) -> Result<Term, Fault> {
        if let Some(kind) = self.program.types.float_kind(ty) {
            return Ok(self.float_is_nonzero(value, kind));
        }
        let zero = self.cfa.terms.zero(self.cfa.terms.width(value));
        Ok(self.cfa.terms.neq(value, zero))
    }

    pub(super) fn constant(&mut self, bits: u128, width: u32) -> Term {
        if width <= 64 {
            return self.cfa.terms.constant(BitVec::new(width, bits as u64));
        }
        let high = BitVec::new(width - 64, (bits >> 64) as u64);
        let low = BitVec::new(64, bits as u64);
        self.cfa.terms.constant(high.concat(&low))
    }

    fn unary(&mut self, op: UnaryOp, value: Term, ty: Ty, expr: &Expr) -> Result<Term, Fault> {
        if let Some(kind) = self.program.types.float_kind(ty) {
            return Ok(self.float_negate(value, kind));
        }
        let width = self.cfa.terms.width(value);
        Ok(match op {
            UnaryOp::Negate => {
                if self.checks_overflow() && self.format(ty).signed {
                    let zero = self.cfa.terms.zero(width);
                    self.check_overflow(BinaryOp::Subtract, zero, value);
                }
                self.cfa.terms.neg(value)
            }
            UnaryOp::Complement => self.cfa.terms.not(value),
            UnaryOp::LeadingZeros => {
                self.first_one(value, (0..width).map(|bit| (bit, width - 1 - bit)))
            }
            UnaryOp::TrailingZeros => self.first_one(value, (0..width).rev().map(|bit| (bit, bit))),
            UnaryOp::PopulationCount => {
                let mut sum = self.cfa.terms.zero(width);
                for bit in 0..width {
                    let one = self.cfa.terms.slice(value, bit, bit);
                    let one = self.cfa.terms.zext(one, width - 1);
                    sum = self.cfa.terms.add(sum, one);
                }
                sum
            }
            UnaryOp::ReverseBytes => {
                if !width.is_multiple_of(8) {
                    return Err(Fault::unsupported(expr.position, "bytes of a bit-field"));
                }
                let mut reversed = self.cfa.terms.slice(value, 7, 0);
                for byte in 1..width / 8 {
                    let next = self.cfa.terms.slice(value, 8 * byte + 7, 8 * byte);
                    reversed = self.cfa.terms.concat(reversed, next);
                }
                reversed
            }
        })
    }

    /// The number that goes with the last of the given bits that is 1, or the width.
    fn first_one(&mut self, value: Term, bits: impl Iterator<Item = (u32, u32)>) -> Term {
        let width = self.cfa.terms.width(value);
        let mut result = self.cfa.terms.number(width, width as u64);
        for (bit, number) in bits {
            let is_one = self.cfa.terms.slice(value, bit, bit);
            let number = self.cfa.terms.number(width, number as u64);
            result = self.cfa.terms.ite(is_one, number, result);
        }
        result
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        a: Term,
        b: Term,
        ty: Ty,
        right: Ty,
        expr: &Expr,
    ) -> Result<Term, Fault> {
        if let Some(kind) = self.program.types.float_kind(ty) {
            return self.float_binary(op, a, b, kind, expr);
        }
        let signed = self.format(ty).signed;
        if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) {
            let zero = self.cfa.terms.zero(self.cfa.terms.width(b));
            let defined = self.cfa.terms.neq(b, zero);
            self.check(Kind::DivisionByZero, defined);
            if signed {
                self.require_quotient(a, b);
            }
        }
        if op.is_shift() {
            self.require_shift(a, b);
        }
        let count = if op.is_shift() { self.shift_count(a, b, right) } else { b };
        if signed && self.checks_overflow() {
            self.check_overflow(op, a, count);
        }
        let terms = &mut self.cfa.terms;
        Ok(match (op, signed) {
            (BinaryOp::Add, _) => terms.add(a, b),
            (BinaryOp::Subtract, _) => terms.sub(a, b),
            (BinaryOp::Multiply, _) => terms.mul(a, b),
            (BinaryOp::Divide, true) => terms.sdiv(a, b),
            (BinaryOp::Divide, false) => terms.udiv(a, b),
            (BinaryOp::Remainder, true) => terms.srem(a, b),
            (BinaryOp::Remainder, false) => terms.urem(a, b),
            (BinaryOp::And, _) => terms.and(a, b),
            (BinaryOp::Or, _) => terms.or(a, b),
            (BinaryOp::Xor, _) => terms.xor(a, b),
            (BinaryOp::ShiftLeft, _) => terms.sll(a, count),
            (BinaryOp::ShiftRight, true) => terms.sra(a, count),
            (BinaryOp::ShiftRight, false) => terms.srl(a, count),
            _ => return Err(Fault::unsupported(expr.position, "a comparison as a number")),
        })
    }

    /// Whether signed results have to fit here. What the library computes is its own affair.
    fn checks_overflow(&self) -> bool {
        self.violations.contains_key(&Kind::Overflow) && !self.in_library
    }

    /// The result of an operator on signed numbers fits (C11 6.5 p5, 6.5.7 p4). The count of a shift
    /// has the width of the number and is less than it.
    fn check_overflow(&mut self, op: BinaryOp, a: Term, b: Term) {
        let terms = &mut self.cfa.terms;
        let width = terms.width(a);
        let fits = match op {
            BinaryOp::Add | BinaryOp::Subtract => {
                // One bit more holds every sum.
                let (wide_a, wide_b) = (terms.sext(a, 1), terms.sext(b, 1));
                let exact = match op {
                    BinaryOp::Add => terms.add(wide_a, wide_b),
                    _ => terms.sub(wide_a, wide_b),
                };
                let (first, second) =
                    (terms.slice(exact, width, width), terms.slice(exact, width - 1, width - 1));
                terms.eq(first, second)
            }
            BinaryOp::Multiply => {
                let (wide_a, wide_b) = (terms.sext(a, width), terms.sext(b, width));
                let exact = terms.mul(wide_a, wide_b);
                let low = terms.slice(exact, width - 1, 0);
                let again = terms.sext(low, width);
                terms.eq(exact, again)
            }
            BinaryOp::ShiftLeft => {
                // The number is not negative, no bit gets lost, and none becomes the sign.
                let shifted = terms.sll(a, b);
                let back = terms.sra(shifted, b);
                let (same, negative) = (terms.eq(back, a), terms.sign(a));
                let positive = terms.not(negative);
                terms.and(same, positive)
            }
            _ => return,
        };
        self.check(Kind::Overflow, fits);
    }

    /// The smallest number divided by -1 has no result.
    fn require_quotient(&mut self, a: Term, b: Term) {
        let terms = &mut self.cfa.terms;
        let width = terms.width(a);
        let zero = terms.zero(width);
        let minus_one = terms.not(zero);
        let one = terms.number(width, 1);
        let by = terms.number(width, width as u64 - 1);
        let least = terms.sll(one, by);
        let (other, larger) = (terms.neq(b, minus_one), terms.neq(a, least));
        let defined = terms.or(other, larger);
        self.check(Kind::Overflow, defined);
    }

    /// The count of a shift is not negative and less than the width.
    fn require_shift(&mut self, a: Term, b: Term) {
        let terms = &mut self.cfa.terms;
        let (width, of_count) = (terms.width(a), terms.width(b));
        if of_count < 32 && width >= 1 << of_count {
            return;
        }
        let width = terms.number(of_count, width as u64);
        let defined = terms.ult(b, width);
        self.check(Kind::Shift, defined);
    }

    /// The count modulo the smallest power of two that is not below the width.
    fn shift_count(&mut self, shifted: Term, count: Term, ty: Ty) -> Term {
        let width = self.cfa.terms.width(shifted);
        let bits = width.next_power_of_two().trailing_zeros().max(1);
        let signed = self.format(ty).signed;
        let count = self.resized(count, bits, signed);
        self.resized(count, width, false)
    }

    fn comparison(
        &mut self,
        op: BinaryOp,
        a: Term,
        b: Term,
        ty: Ty,
        expr: &Expr,
    ) -> Result<Term, Fault> {
        if let Some(kind) = self.program.types.float_kind(ty) {
            return self.float_comparison(op, a, b, kind, expr);
        }
        let signed = self.format(ty).signed;
        let terms = &mut self.cfa.terms;
        Ok(match (op, signed) {
            (BinaryOp::Equal, _) => terms.eq(a, b),
            (BinaryOp::NotEqual, _) => terms.neq(a, b),
            (BinaryOp::Less, true) => terms.slt(a, b),
            (BinaryOp::Less, false) => terms.ult(a, b),
            (BinaryOp::LessEqual, true) => terms.sle(a, b),
            (BinaryOp::LessEqual, false) => terms.ule(a, b),
            (BinaryOp::Greater, true) => terms.sgt(a, b),
            (BinaryOp::Greater, false) => terms.ugt(a, b),
            (_, true) => terms.sge(a, b),
            (_, false) => terms.uge(a, b),
        })
    }

    fn cast(&mut self, kind: CastKind, value: Term, from: Ty, expr: &Expr) -> Result<Term, Fault> {
        let types = &self.program.types;
        let (from_float, to_float) = (types.float_kind(from), types.float_kind(expr.ty));
        match (kind, from_float, to_float) {
            (CastKind::ToBool, ..) => {
                let truth = self.is_nonzero(value, from)?;
                Ok(self.cfa.terms.zext(truth, self.value_width(expr.ty) - 1))
            }
            (_, None, None) => {
                let signed = self.format(from).signed;
                Ok(self.resized(value, self.value_width(expr.ty), signed))
            }
            _ => {
                if let (Some(kind), None) = (from_float, to_float)
                    && self.checks_overflow()
                {
                    self.check_conversion(value, kind, expr)?;
                }
                self.float_cast(value, from, expr.ty, expr.position)
            }
        }
    }

    /// A number lies strictly between -1 - the largest magnitude of a negative integer of a type
    /// and 2 to the power of its bits without the sign, so that truncated it is one of the type.
    fn check_conversion(&mut self, value: Term, kind: FloatKind, expr: &Expr) -> Result<(), Fault> {
        let IntFormat { width, signed } = self.format(expr.ty);
        if width == 128 && !signed {
            let always = self.cfa.terms.bool(true);
            self.limit(always, "a conversion to `unsigned __int128`");
            return Ok(());
        }
        let wide = IntFormat { width: 128, signed: true };
        let bits = width - u32::from(signed);
        let upper = IntFormat { width: 128, signed: false };
        let upper = float::from_int(1 << bits, upper, kind);
        let precision = match kind {
            FloatKind::Float => 24,
            FloatKind::Double => 53,
            FloatKind::LongDouble => 64,
            FloatKind::Float128 => 113,
        };
        // Where there is no number between, the bound itself is a number that fits.
        let (op, lower) = match signed {
            true if width > precision => (BinaryOp::GreaterEqual, -1i128 << (width - 1)),
            true => (BinaryOp::Greater, (-1i128 << (width - 1)) - 1),
            false => (BinaryOp::Greater, -1),
        };
        let lower = float::from_int(lower as u128, wide, kind);
        let of_floats = self.cfa.terms.width(value);
        let (upper, lower) = (self.constant(upper, of_floats), self.constant(lower, of_floats));
        let below = self.float_comparison(BinaryOp::Less, value, upper, kind, expr)?;
        let above = self.float_comparison(op, value, lower, kind, expr)?;
        let fits = self.cfa.terms.and(below, above);
        self.check(Kind::Overflow, fits);
        Ok(())
    }

    /// A word cut off or extended to a width.
    pub(super) fn resized(&mut self, value: Term, width: u32, signed: bool) -> Term {
        let has = self.cfa.terms.width(value);
        match has.cmp(&width) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.cfa.terms.slice(value, width - 1, 0),
            std::cmp::Ordering::Less if signed => self.cfa.terms.sext(value, width - has),
            std::cmp::Ordering::Less => self.cfa.terms.zext(value, width - has),
        }
    }

    pub(super) fn format(&self, ty: Ty) -> IntFormat {
        let default = IntFormat { width: self.value_width(ty), signed: false };
        self.program.types.word_format(ty).unwrap_or(default)
    }
}
