//! Arithmetic, comparison and the overflow predicates.
//!
//! Division follows SMT-LIB: `x udiv 0` is all ones and `x urem 0` is x; the signed operations
//! are defined by the unsigned ones on absolute values, `sdiv` and `srem` rounding towards zero
//! and `smod` taking the sign of the divisor.

use super::{BitVec, Repr, big_mask};
use num_bigint::BigUint;

impl BitVec {
    pub fn neg(&self) -> BitVec {
        match &self.repr {
            Repr::Small(value) => BitVec::new(self.width, value.wrapping_neg()),
            Repr::Big(value) => {
                BitVec::from_biguint(self.width, (big_mask(self.width) ^ &**value) + 1u32)
            }
        }
    }
    pub fn inc(&self) -> BitVec {
        self.add(&BitVec::one(self.width))
    }
    pub fn dec(&self) -> BitVec {
        self.sub(&BitVec::one(self.width))
    }

    pub fn add(&self, other: &BitVec) -> BitVec {
        self.same_width(other);
        match (&self.repr, &other.repr) {
            (Repr::Small(a), Repr::Small(b)) => BitVec::new(self.width, a.wrapping_add(*b)),
            _ => BitVec::from_biguint(self.width, self.to_biguint() + other.to_biguint()),
        }
    }

    pub fn sub(&self, other: &BitVec) -> BitVec {
        self.add(&other.neg())
    }

    pub fn mul(&self, other: &BitVec) -> BitVec {
        self.same_width(other);
        match (&self.repr, &other.repr) {
            (Repr::Small(a), Repr::Small(b)) => BitVec::new(self.width, a.wrapping_mul(*b)),
            _ => BitVec::from_biguint(self.width, self.to_biguint() * other.to_biguint()),
        }
    }

    pub fn udiv(&self, other: &BitVec) -> BitVec {
        self.same_width(other);
        match (&self.repr, &other.repr) {
            _ if other.is_zero() => BitVec::ones(self.width),
            (Repr::Small(a), Repr::Small(b)) => BitVec::new(self.width, a / b),
            _ => BitVec::from_biguint(self.width, self.to_biguint() / other.to_biguint()),
        }
    }

    pub fn urem(&self, other: &BitVec) -> BitVec {
        self.same_width(other);
        match (&self.repr, &other.repr) {
            _ if other.is_zero() => self.clone(),
            (Repr::Small(a), Repr::Small(b)) => BitVec::new(self.width, a % b),
            _ => BitVec::from_biguint(self.width, self.to_biguint() % other.to_biguint()),
        }
    }

    fn abs(&self) -> BitVec {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    pub fn sdiv(&self, other: &BitVec) -> BitVec {
        let quotient = self.abs().udiv(&other.abs());
        if self.is_negative() != other.is_negative() { quotient.neg() } else { quotient }
    }

    /// The remainder of `sdiv`, with the sign of the dividend.
    pub fn srem(&self, other: &BitVec) -> BitVec {
        let remainder = self.abs().urem(&other.abs());
        if self.is_negative() { remainder.neg() } else { remainder }
    }

    /// The remainder of the division that rounds down, with the sign of the divisor.
    pub fn smod(&self, other: &BitVec) -> BitVec {
        let remainder = self.srem(other);
        let adjust = !remainder.is_zero() && self.is_negative() != other.is_negative();
        if adjust { remainder.add(other) } else { remainder }
    }

    pub fn ult(&self, other: &BitVec) -> bool {
        self.same_width(other);
        self < other
    }
    pub fn ule(&self, other: &BitVec) -> bool {
        self.same_width(other);
        self <= other
    }
    pub fn slt(&self, other: &BitVec) -> bool {
        self.same_width(other);
        match (self.is_negative(), other.is_negative()) {
            (true, false) => true,
            (false, true) => false,
            _ => self < other,
        }
    }
    pub fn sle(&self, other: &BitVec) -> bool {
        !other.slt(self)
    }

    /// Whether the unsigned sum needs more bits.
    pub fn uaddo(&self, other: &BitVec) -> bool {
        self.zext(1).add(&other.zext(1)).is_negative()
    }
    /// Whether the signed sum needs more bits.
    pub fn saddo(&self, other: &BitVec) -> bool {
        !self.sext(1).add(&other.sext(1)).fits_signed(self.width)
    }
    /// Whether the unsigned difference is negative.
    pub fn usubo(&self, other: &BitVec) -> bool {
        self.ult(other)
    }
    pub fn ssubo(&self, other: &BitVec) -> bool {
        !self.sext(1).sub(&other.sext(1)).fits_signed(self.width)
    }
    pub fn umulo(&self, other: &BitVec) -> bool {
        self.same_width(other);
        let product: BigUint = self.to_biguint() * other.to_biguint();
        product.bits() > self.width as u64
    }
    pub fn smulo(&self, other: &BitVec) -> bool {
        let (a, b) = (self.sext(self.width), other.sext(self.width));
        !a.mul(&b).fits_signed(self.width)
    }
    /// Only the smallest value divided by -1 overflows.
    pub fn sdivo(&self, other: &BitVec) -> bool {
        self.same_width(other);
        self.is_min_signed() && other.is_ones()
    }
    pub fn nego(&self) -> bool {
        self.is_min_signed()
    }

    /// Whether the signed value is representable with `width` bits, fewer than this one's.
    fn fits_signed(&self, width: u32) -> bool {
        let top = self.slice(self.width - 1, width - 1);
        top.is_zero() || top.is_ones()
    }
}
