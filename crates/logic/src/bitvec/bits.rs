//! Bitwise operations, reductions, shifts, rotations, and cutting and joining.

use super::{BitVec, Repr, big_mask};
use num_bigint::BigUint;

impl BitVec {
    fn bitwise(
        &self,
        other: &BitVec,
        small: fn(u64, u64) -> u64,
        big: fn(&BigUint, &BigUint) -> BigUint,
    ) -> BitVec {
        self.same_width(other);
        match (&self.repr, &other.repr) {
            (Repr::Small(a), Repr::Small(b)) => BitVec::new(self.width, small(*a, *b)),
            _ => BitVec::from_biguint(self.width, big(&self.to_biguint(), &other.to_biguint())),
        }
    }

    pub fn not(&self) -> BitVec {
        match &self.repr {
            Repr::Small(value) => BitVec::new(self.width, !value),
            Repr::Big(value) => BitVec::from_biguint(self.width, big_mask(self.width) ^ &**value),
        }
    }
    pub fn and(&self, other: &BitVec) -> BitVec {
        self.bitwise(other, |a, b| a & b, |a, b| a & b)
    }
    pub fn or(&self, other: &BitVec) -> BitVec {
        self.bitwise(other, |a, b| a | b, |a, b| a | b)
    }
    pub fn xor(&self, other: &BitVec) -> BitVec {
        self.bitwise(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    pub fn redand(&self) -> BitVec {
        self.is_ones().into()
    }
    pub fn redor(&self) -> BitVec {
        (!self.is_zero()).into()
    }
    pub fn redxor(&self) -> BitVec {
        (self.count_ones() % 2 == 1).into()
    }

    /// The shift distance, or `None` if everything is shifted out.
    fn distance(&self, amount: &BitVec) -> Option<u32> {
        self.same_width(amount);
        let amount = amount.to_u64().filter(|&n| n < self.width as u64)?;
        Some(amount as u32)
    }

    /// Logical left shift; 0 if the amount is not below the width.
    pub fn sll(&self, amount: &BitVec) -> BitVec {
        match (self.distance(amount), &self.repr) {
            (None, _) => BitVec::zero(self.width),
            (Some(n), Repr::Small(value)) => BitVec::new(self.width, value << n),
            (Some(n), Repr::Big(value)) => BitVec::from_biguint(self.width, &**value << n),
        }
    }

    /// Logical right shift; 0 if the amount is not below the width.
    pub fn srl(&self, amount: &BitVec) -> BitVec {
        match (self.distance(amount), &self.repr) {
            (None, _) => BitVec::zero(self.width),
            (Some(n), Repr::Small(value)) => BitVec::new(self.width, value >> n),
            (Some(n), Repr::Big(value)) => BitVec::from_biguint(self.width, &**value >> n),
        }
    }

    /// Arithmetic right shift; copies of the sign if the amount is not below the width.
    pub fn sra(&self, amount: &BitVec) -> BitVec {
        match self.is_negative() {
            true => self.not().srl(amount).not(),
            false => self.srl(amount),
        }
    }

    /// Rotation to the left by the amount modulo the width.
    pub fn rol(&self, amount: &BitVec) -> BitVec {
        self.same_width(amount);
        let width = BigUint::from(self.width);
        let steps = u32::try_from(amount.to_biguint() % width).expect("below the width");
        self.rotate_left(steps)
    }

    /// Rotation to the right by the amount modulo the width.
    pub fn ror(&self, amount: &BitVec) -> BitVec {
        self.same_width(amount);
        let width = BigUint::from(self.width);
        let steps = u32::try_from(amount.to_biguint() % width).expect("below the width");
        self.rotate_left((self.width - steps) % self.width)
    }

    fn rotate_left(&self, steps: u32) -> BitVec {
        match steps {
            0 => self.clone(),
            _ => {
                let cut = self.width - steps;
                self.slice(cut - 1, 0).concat(&self.slice(self.width - 1, cut))
            }
        }
    }

    /// `self` becomes the upper part.
    pub fn concat(&self, low: &BitVec) -> BitVec {
        let width = self.width + low.width;
        match (&self.repr, &low.repr) {
            (Repr::Small(a), Repr::Small(b)) if width <= 64 => {
                BitVec::new(width, a << low.width | b)
            }
            _ => BitVec::from_biguint(width, (self.to_biguint() << low.width) | low.to_biguint()),
        }
    }

    /// The bits `high` down to `low`, both included. Panics unless low ≤ high < width.
    pub fn slice(&self, high: u32, low: u32) -> BitVec {
        assert!(low <= high && high < self.width, "slice [{high}:{low}] of width {}", self.width);
        match &self.repr {
            Repr::Small(value) => BitVec::new(high - low + 1, value >> low),
            Repr::Big(value) => BitVec::from_biguint(high - low + 1, &**value >> low),
        }
    }

    /// `by` zeros on top.
    pub fn zext(&self, by: u32) -> BitVec {
        match &self.repr {
            Repr::Small(value) => BitVec::new(self.width + by, *value),
            Repr::Big(value) => BitVec::from_biguint(self.width + by, (**value).clone()),
        }
    }

    /// `by` copies of the sign bit on top.
    pub fn sext(&self, by: u32) -> BitVec {
        match self.is_negative() {
            true => self.not().zext(by).not(),
            false => self.zext(by),
        }
    }
}
