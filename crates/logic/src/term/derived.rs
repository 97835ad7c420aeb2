//! Constructors of the operators that the kernel does without: each is a short term over kernel
//! operators that costs no more gates than an operator of its own would.

use super::{Term, TermStore};
use crate::bitvec::BitVec;

/// The widest rotation by a variable amount that is spelled out bit by bit where the width is no
/// power of two.
const MAX_STAGES: u32 = 64;

impl TermStore {
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.not(a), self.not(b));
        self.nand(a, b)
    }
    pub fn nand(&mut self, a: Term, b: Term) -> Term {
        let and = self.and(a, b);
        self.not(and)
    }
    pub fn nor(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.not(a), self.not(b));
        self.and(a, b)
    }
    pub fn xnor(&mut self, a: Term, b: Term) -> Term {
        let xor = self.xor(a, b);
        self.not(xor)
    }
    /// Bitwise implication; of Booleans where the width is 1.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let b = self.not(b);
        self.nand(a, b)
    }
    pub fn neq(&mut self, a: Term, b: Term) -> Term {
        let eq = self.eq(a, b);
        self.not(eq)
    }
    /// The conjunction of many terms of width 1, balanced.
    pub fn and_all(&mut self, terms: &[Term]) -> Term {
        self.fold_balanced(terms, true, TermStore::and)
    }
    /// The disjunction of many terms of width 1, balanced.
    pub fn or_all(&mut self, terms: &[Term]) -> Term {
        self.fold_balanced(terms, false, TermStore::or)
    }

    fn fold_balanced(
        &mut self,
        terms: &[Term],
        unit: bool,
        op: fn(&mut TermStore, Term, Term) -> Term,
    ) -> Term {
        let mut layer = terms.to_vec();
        while layer.len() > 1 {
            layer = layer
                .chunks(2)
                .map(|pair| if let [a, b] = *pair { op(self, a, b) } else { pair[0] })
                .collect();
        }
        layer.first().copied().unwrap_or_else(|| self.bool(unit))
    }

    pub fn ugt(&mut self, a: Term, b: Term) -> Term {
        self.ult(b, a)
    }
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let gt = self.ult(b, a);
        self.not(gt)
    }
    pub fn uge(&mut self, a: Term, b: Term) -> Term {
        self.ule(b, a)
    }
    pub fn sgt(&mut self, a: Term, b: Term) -> Term {
        self.slt(b, a)
    }
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let gt = self.slt(b, a);
        self.not(gt)
    }
    pub fn sge(&mut self, a: Term, b: Term) -> Term {
        self.sle(b, a)
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let b = self.neg(b);
        self.add(a, b)
    }
    pub fn inc(&mut self, a: Term) -> Term {
        let one = self.one(self.width(a));
        self.add(a, one)
    }
    pub fn dec(&mut self, a: Term) -> Term {
        let ones = self.ones(self.width(a));
        self.add(a, ones)
    }

    /// `by` zeros on top.
    pub fn zext(&mut self, a: Term, by: u32) -> Term {
        if by == 0 {
            return a;
        }
        let zeros = self.zero(by);
        self.concat(zeros, a)
    }

    pub fn redand(&mut self, a: Term) -> Term {
        let ones = self.ones(self.width(a));
        self.eq(a, ones)
    }
    pub fn redor(&mut self, a: Term) -> Term {
        let zero = self.zero(self.width(a));
        self.neq(a, zero)
    }
    /// The parity, by folding the upper half onto the lower one.
    pub fn redxor(&mut self, a: Term) -> Term {
        let mut rest = a;
        let mut odd = None;
        while self.width(rest) > 1 {
            let width = self.width(rest);
            if width % 2 == 1 {
                let top = self.slice(rest, width - 1, width - 1);
                odd = Some(odd.map_or(top, |o| self.xor(o, top)));
            }
            let half = width / 2;
            let (high, low) = (self.slice(rest, 2 * half - 1, half), self.slice(rest, half - 1, 0));
            rest = self.xor(high, low);
        }
        odd.map_or(rest, |odd| self.xor(odd, rest))
    }

    /// The sign bit.
    pub fn sign(&mut self, a: Term) -> Term {
        let top = self.width(a) - 1;
        self.slice(a, top, top)
    }
    fn abs(&mut self, a: Term) -> Term {
        let (sign, neg) = (self.sign(a), self.neg(a));
        self.ite(sign, neg, a)
    }
    /// Signed quotient, rounded towards zero.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        let (abs_a, abs_b) = (self.abs(a), self.abs(b));
        let quotient = self.udiv(abs_a, abs_b);
        let (sign_a, sign_b) = (self.sign(a), self.sign(b));
        let (differ, neg) = (self.xor(sign_a, sign_b), self.neg(quotient));
        self.ite(differ, neg, quotient)
    }
    /// Signed remainder with the sign of the dividend.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        let (abs_a, abs_b) = (self.abs(a), self.abs(b));
        let remainder = self.urem(abs_a, abs_b);
        let (sign, neg) = (self.sign(a), self.neg(remainder));
        self.ite(sign, neg, remainder)
    }
    /// Signed remainder with the sign of the divisor.
    pub fn smod(&mut self, a: Term, b: Term) -> Term {
        let remainder = self.srem(a, b);
        let (sign_a, sign_b) = (self.sign(a), self.sign(b));
        let (differ, nonzero) = (self.xor(sign_a, sign_b), self.redor(remainder));
        let (adjust, adjusted) = (self.and(differ, nonzero), self.add(remainder, b));
        self.ite(adjust, adjusted, remainder)
    }

    /// Rotation to the left by the amount modulo the width.
    pub fn rol(&mut self, a: Term, amount: Term) -> Term {
        self.rotate(a, amount, true)
    }
    /// Rotation to the right by the amount modulo the width.
    pub fn ror(&mut self, a: Term, amount: Term) -> Term {
        self.rotate(a, amount, false)
    }

    fn rotate(&mut self, a: Term, amount: Term, left: bool) -> Term {
        let width = self.width(a);
        match width.is_power_of_two() || width <= MAX_STAGES {
            true => self.rotate_in_stages(a, amount, left),
            false => self.rotate_by_shifts(a, amount, left),
        }
    }

    /// One conditional rotation per bit of the amount. Rotations add up modulo the width, so no
    /// division is needed, and where the width is a power of two only the low bits matter.
    fn rotate_in_stages(&mut self, a: Term, amount: Term, left: bool) -> Term {
        let width = self.width(a);
        let mut result = a;
        let mut steps = 1 % width;
        for bit in 0..width {
            if steps == 0 {
                break;
            }
            let rotated = self.rotate_left(result, if left { steps } else { width - steps });
            let condition = self.slice(amount, bit, bit);
            result = self.ite(condition, rotated, result);
            steps = steps * 2 % width;
        }
        result
    }

    /// Two shifts, so that the term stays small whatever the width.
    fn rotate_by_shifts(&mut self, a: Term, amount: Term, left: bool) -> Term {
        let width = self.width(a);
        let all = self.number(width, width as u64);
        let steps = self.urem(amount, all);
        let rest = self.sub(all, steps);
        // A shift by the whole width gives 0, so rotation by 0 needs no special case.
        let (up, down) = if left { (steps, rest) } else { (rest, steps) };
        let (high, low) = (self.sll(a, up), self.srl(a, down));
        self.or(high, low)
    }

    /// Rotation by a fixed number of steps, 0 < steps < width.
    fn rotate_left(&mut self, a: Term, steps: u32) -> Term {
        let width = self.width(a);
        let cut = width - steps;
        let (high, low) = (self.slice(a, cut - 1, 0), self.slice(a, width - 1, cut));
        self.concat(high, low)
    }

    /// Whether the unsigned sum needs more bits. Panics at the largest width.
    pub fn uaddo(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.zext(a, 1), self.zext(b, 1));
        let sum = self.add(a, b);
        self.sign(sum)
    }
    /// Whether the signed sum needs more bits: operands of one sign, sum of the other.
    pub fn saddo(&mut self, a: Term, b: Term) -> Term {
        let sum = self.add(a, b);
        let (sign_a, sign_b, sign) = (self.sign(a), self.sign(b), self.sign(sum));
        let (same, changed) = (self.xnor(sign_a, sign_b), self.xor(sign_a, sign));
        self.and(same, changed)
    }
    /// Whether the unsigned difference is negative.
    pub fn usubo(&mut self, a: Term, b: Term) -> Term {
        self.ult(a, b)
    }
    pub fn ssubo(&mut self, a: Term, b: Term) -> Term {
        let difference = self.sub(a, b);
        let (sign_a, sign_b, sign) = (self.sign(a), self.sign(b), self.sign(difference));
        let (differ, changed) = (self.xor(sign_a, sign_b), self.xor(sign_a, sign));
        self.and(differ, changed)
    }
    /// Whether the upper half of the double-width product is not zero. Panics above half the
    /// largest width.
    pub fn umulo(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = (self.zext(a, width), self.zext(b, width));
        let product = self.mul(a, b);
        let high = self.slice(product, 2 * width - 1, width);
        self.redor(high)
    }
    /// Whether the upper half of the double-width product is not the extension of the sign.
    /// Panics above half the largest width.
    pub fn smulo(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = (self.sext(a, width), self.sext(b, width));
        let product = self.mul(a, b);
        let high = self.slice(product, 2 * width - 1, width - 1);
        let (ones, some) = (self.redand(high), self.redor(high));
        self.xor(ones, some)
    }
    /// Only the smallest value divided by -1 overflows.
    pub fn sdivo(&mut self, a: Term, b: Term) -> Term {
        let (smallest, minus_one) = (self.nego(a), self.redand(b));
        self.and(smallest, minus_one)
    }
    pub fn nego(&mut self, a: Term) -> Term {
        let smallest = self.constant(BitVec::min_signed(self.width(a)));
        self.eq(a, smallest)
    }
}
