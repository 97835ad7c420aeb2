//! Concrete bit-vector values of any width, with the operations of the SMT-LIB theory
//! `FixedSizeBitVectors` and of BTOR2 (Niemetz, Preiner, Wolf, Biere, CAV 2018).
//!
//! Values of up to 64 bits are a machine word; wider ones fall back on big integers. The stored
//! number is always smaller than 2^width, so equality and order are those of the numbers. Binary
//! operations demand operands of equal width and panic otherwise: sorts are checked where terms
//! are built.

mod arith;
mod bits;
mod text;

pub use text::ParseError;

use num_bigint::BigUint;

/// A bit-vector value. Ordered by width first, then as an unsigned number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitVec {
    width: u32,
    repr: Repr,
}

/// Invariant: `Small` exactly if the width is at most 64; the number is below 2^width.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Repr {
    Small(u64),
    Big(Box<BigUint>),
}

/// The lowest `width` bits set, for widths up to 64.
fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width.min(64))
}

/// 2^width - 1.
fn big_mask(width: u32) -> BigUint {
    (BigUint::from(1u32) << width) - 1u32
}

impl BitVec {
    /// `value` modulo 2^width. Panics if the width is 0.
    pub fn new(width: u32, value: u64) -> BitVec {
        assert!(width > 0, "a bit-vector has at least one bit");
        let repr = match width {
            ..=64 => Repr::Small(value & mask(width)),
            _ => Repr::Big(Box::new(BigUint::from(value))),
        };
        BitVec { width, repr }
    }

    /// `value` modulo 2^width. Panics if the width is 0.
    pub fn from_biguint(width: u32, value: BigUint) -> BitVec {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= 64 {
            return BitVec::new(width, value.iter_u64_digits().next().unwrap_or(0));
        }
        let fits = value.bits() <= width as u64;
        let value = if fits { value } else { value & big_mask(width) };
        BitVec { width, repr: Repr::Big(Box::new(value)) }
    }

    /// The value with these bits, least significant first. Panics if there are none.
    pub fn from_bits(bits: &[bool]) -> BitVec {
        let width = bits.len() as u32;
        if width <= 64 {
            let value = bits.iter().rev().fold(0, |value, &bit| value << 1 | bit as u64);
            return BitVec::new(width, value);
        }
        let mut value = BigUint::default();
        for (index, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
            value.set_bit(index as u64, true);
        }
        BitVec::from_biguint(width, value)
    }

    pub fn zero(width: u32) -> BitVec {
        BitVec::new(width, 0)
    }
    pub fn one(width: u32) -> BitVec {
        BitVec::new(width, 1)
    }
    pub fn ones(width: u32) -> BitVec {
        match width {
            ..=64 => BitVec::new(width, u64::MAX),
            _ => BitVec::from_biguint(width, big_mask(width)),
        }
    }
    /// The smallest signed value: only the sign bit set.
    pub fn min_signed(width: u32) -> BitVec {
        BitVec::power_of_two(width, width - 1)
    }
    /// The largest signed value: all but the sign bit set.
    pub fn max_signed(width: u32) -> BitVec {
        BitVec::min_signed(width).not()
    }
    /// 2^exponent, which is 0 if the exponent is not below the width.
    pub fn power_of_two(width: u32, exponent: u32) -> BitVec {
        match (width, exponent) {
            _ if exponent >= width => BitVec::zero(width),
            (..=64, _) => BitVec::new(width, 1 << exponent),
            _ => BitVec::from_biguint(width, BigUint::from(1u32) << exponent),
        }
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.repr {
            Repr::Small(value) => Some(*value),
            Repr::Big(value) => u64::try_from(&**value).ok(),
        }
    }

    pub fn to_biguint(&self) -> BigUint {
        match &self.repr {
            Repr::Small(value) => BigUint::from(*value),
            Repr::Big(value) => (**value).clone(),
        }
    }

    /// The bit at `index`, 0 being the least significant; false beyond the width.
    pub fn bit(&self, index: u32) -> bool {
        match &self.repr {
            Repr::Small(value) => index < 64 && value >> index & 1 == 1,
            Repr::Big(value) => value.bit(index as u64),
        }
    }

    /// All bits, least significant first.
    pub fn bits(&self) -> impl Iterator<Item = bool> + '_ {
        (0..self.width).map(|index| self.bit(index))
    }

    pub fn is_zero(&self) -> bool {
        match &self.repr {
            Repr::Small(value) => *value == 0,
            Repr::Big(value) => value.bits() == 0,
        }
    }
    pub fn is_one(&self) -> bool {
        self.to_u64() == Some(1)
    }
    pub fn is_ones(&self) -> bool {
        self.count_ones() == self.width as u64
    }
    /// The sign bit.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }
    pub fn is_min_signed(&self) -> bool {
        self.is_negative() && self.count_ones() == 1
    }

    pub fn count_ones(&self) -> u64 {
        match &self.repr {
            Repr::Small(value) => value.count_ones() as u64,
            Repr::Big(value) => value.count_ones(),
        }
    }

    /// Number of zeros below the lowest set bit; the width if there is none.
    pub fn trailing_zeros(&self) -> u32 {
        match &self.repr {
            Repr::Small(value) => value.trailing_zeros().min(self.width),
            Repr::Big(value) => value.trailing_zeros().map_or(self.width, |zeros| zeros as u32),
        }
    }

    /// The exponent k if the value is 2^k.
    pub fn exact_log2(&self) -> Option<u32> {
        (self.count_ones() == 1).then(|| self.trailing_zeros())
    }

    fn same_width(&self, other: &BitVec) {
        assert_eq!(self.width, other.width, "bit-vector operands of different widths");
    }
}

impl From<bool> for BitVec {
    fn from(value: bool) -> BitVec {
        BitVec::new(1, value as u64)
    }
}
