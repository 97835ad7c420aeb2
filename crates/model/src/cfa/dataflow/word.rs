//! What the analysis knows about one bit-vector of up to 64 bits: known bits, an unsigned and a
//! signed interval, each sharpening the others.
//!
//! The low known bits are a congruence modulo a power of two, to which the ends of the intervals
//! are moved.

/// A set of values of one width, never empty.
///
/// Invariant: every value in it has the bits `ones` set and the bits `zeros` clear and lies in
/// both intervals, ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    pub width: u32,
    pub zeros: u64,
    pub ones: u64,
    pub umin: u64,
    pub umax: u64,
    pub smin: i64,
    pub smax: i64,
}

/// The widest bit-vector about which anything is known.
pub const MAX_WIDTH: u32 = 64;

/// Rounds in which the parts of a word sharpen one another.
const ROUNDS: usize = 4;

pub fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}

fn sign_bit(width: u32) -> u64 {
    1 << (width - 1)
}

/// A number of this width as a signed one.
pub fn signed(width: u32, value: u64) -> i64 {
    let unused = 64 - width;
    ((value << unused) as i64) >> unused
}

pub fn signed_min(width: u32) -> i64 {
    signed(width, sign_bit(width))
}

pub fn signed_max(width: u32) -> i64 {
    (mask(width) >> 1) as i64
}

impl Word {
    pub fn top(width: u32) -> Word {
        Word {
            width,
            zeros: 0,
            ones: 0,
            umin: 0,
            umax: mask(width),
            smin: signed_min(width),
            smax: signed_max(width),
        }
    }

    pub fn constant(width: u32, value: u64) -> Word {
        let value = value & mask(width);
        let (smin, ones) = (signed(width, value), value);
        let zeros = !value & mask(width);
        Word { width, zeros, ones, umin: value, umax: value, smin, smax: smin }
    }

    pub fn bool(value: Option<bool>) -> Word {
        value.map_or(Word::top(1), |value| Word::constant(1, value as u64))
    }

    pub fn unsigned(width: u32, umin: u64, umax: u64) -> Word {
        Word { umin, umax, ..Word::top(width) }.reduced_or_top()
    }

    pub fn signed(width: u32, smin: i64, smax: i64) -> Word {
        Word { smin, smax, ..Word::top(width) }.reduced_or_top()
    }

    pub fn bits(width: u32, zeros: u64, ones: u64) -> Word {
        let (zeros, ones) = (zeros & mask(width), ones & mask(width));
        Word { zeros, ones, ..Word::top(width) }.reduced_or_top()
    }

    pub fn value(&self) -> Option<u64> {
        (self.umin == self.umax).then_some(self.umin)
    }

    /// Of width 1, whether it holds.
    pub fn truth(&self) -> Option<bool> {
        self.value().map(|value| value == 1)
    }

    pub fn is_top(&self) -> bool {
        *self == Word::top(self.width)
    }

    /// How many of the lowest bits are known.
    pub fn low_known(&self) -> u32 {
        (self.zeros | self.ones).trailing_ones().min(self.width)
    }

    pub fn join(&self, other: &Word) -> Word {
        Word {
            width: self.width,
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
        }
    }

    /// What is in both, or none if nothing is.
    pub fn meet(&self, other: &Word) -> Option<Word> {
        Word {
            width: self.width,
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            umin: self.umin.max(other.umin),
            umax: self.umax.min(other.umax),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
        }
        .reduced()
    }

    /// A word above both in whose chain only finitely many ends occur: those that `thresholds`
    /// offer.
    pub fn widen(&self, new: &Word, thresholds: &Thresholds) -> Word {
        let all = self.join(new);
        if all == *self {
            return all;
        }
        let mut wide = all;
        if all.umin < self.umin {
            wide.umin = thresholds.below(all.umin);
        }
        if all.umax > self.umax {
            wide.umax = thresholds.above(all.umax).min(mask(self.width));
        }
        if all.smin < self.smin {
            wide.smin = thresholds.signed_below(all.smin).max(signed_min(self.width));
        }
        if all.smax > self.smax {
            wide.smax = thresholds.signed_above(all.smax).min(signed_max(self.width));
        }
        wide.reduced().unwrap_or(all)
    }

    pub fn reduced_or_top(self) -> Word {
        self.reduced().unwrap_or(Word::top(self.width))
    }

    /// The same set, with every part as sharp as the others make it; none if it is empty.
    pub fn reduced(mut self) -> Option<Word> {
        for _ in 0..ROUNDS {
            let before = self;
            self.bits_to_intervals();
            self.between_intervals();
            if self.umin > self.umax || self.smin > self.smax {
                return None;
            }
            self.intervals_to_bits();
            if self.zeros & self.ones != 0 || !self.align() {
                return None;
            }
            if self == before {
                break;
            }
        }
        (self.umin <= self.umax && self.smin <= self.smax).then_some(self)
    }

    fn bits_to_intervals(&mut self) {
        let (all, sign) = (mask(self.width), sign_bit(self.width));
        let most = !self.zeros & all;
        self.umin = self.umin.max(self.ones);
        self.umax = self.umax.min(most);
        let open = sign & !self.zeros & !self.ones;
        self.smin = self.smin.max(signed(self.width, self.ones | open));
        self.smax = self.smax.min(signed(self.width, most & !open));
    }

    fn between_intervals(&mut self) {
        let (all, sign) = (mask(self.width), sign_bit(self.width));
        if self.umin & sign == self.umax & sign {
            self.smin = self.smin.max(signed(self.width, self.umin));
            self.smax = self.smax.min(signed(self.width, self.umax));
        }
        if (self.smin < 0) == (self.smax < 0) {
            self.umin = self.umin.max(self.smin as u64 & all);
            self.umax = self.umax.min(self.smax as u64 & all);
        }
    }

    /// The ends of an interval have a prefix in common that all of it has.
    fn intervals_to_bits(&mut self) {
        let differing = 64 - (self.umin ^ self.umax).leading_zeros();
        let prefix = mask(self.width) & !u64::MAX.checked_shr(64 - differing).unwrap_or(0);
        self.ones |= self.umin & prefix;
        self.zeros |= !self.umin & prefix;
    }

    /// Moves the ends to the nearest numbers with the known low bits; false if there are none.
    fn align(&mut self) -> bool {
        let known = self.low_known();
        if known == 0 || known == self.width {
            return true;
        }
        let low = mask(known);
        let residue = self.ones & low;
        let up = residue.wrapping_sub(self.umin) & low;
        let down = self.umax.wrapping_sub(residue) & low;
        let signed_up = residue.wrapping_sub(self.smin as u64) & low;
        let signed_down = (self.smax as u64).wrapping_sub(residue) & low;
        let ends = (
            self.umin.checked_add(up),
            self.umax.checked_sub(down),
            self.smin.checked_add(signed_up as i64),
            self.smax.checked_sub(signed_down as i64),
        );
        let (Some(umin), Some(umax), Some(smin), Some(smax)) = ends else { return false };
        (self.umin, self.umax, self.smin, self.smax) = (umin, umax, smin, smax);
        true
    }
}

/// The ends at which widening may stop.
#[derive(Clone, Debug, Default)]
pub struct Thresholds {
    /// Both in increasing order.
    unsigned: Vec<u64>,
    signed: Vec<i64>,
}

impl Thresholds {
    pub fn new(constants: impl IntoIterator<Item = (u32, u64)>) -> Thresholds {
        let mut thresholds = Thresholds::default();
        for (width, value) in constants {
            let number = signed(width, value);
            let near = [value.saturating_sub(1), value, value.saturating_add(1)];
            thresholds.unsigned.extend(near);
            let near = [number.saturating_sub(1), number, number.saturating_add(1)];
            thresholds.signed.extend(near);
        }
        thresholds.unsigned.sort_unstable();
        thresholds.unsigned.dedup();
        thresholds.signed.sort_unstable();
        thresholds.signed.dedup();
        thresholds
    }

    fn below(&self, value: u64) -> u64 {
        let count = self.unsigned.partition_point(|&t| t <= value);
        count.checked_sub(1).map_or(0, |last| self.unsigned[last])
    }

    fn above(&self, value: u64) -> u64 {
        let first = self.unsigned.partition_point(|&t| t < value);
        self.unsigned.get(first).copied().unwrap_or(u64::MAX)
    }

    fn signed_below(&self, value: i64) -> i64 {
        let count = self.signed.partition_point(|&t| t <= value);
        count.checked_sub(1).map_or(i64::MIN, |last| self.signed[last])
    }

    fn signed_above(&self, value: i64) -> i64 {
        let first = self.signed.partition_point(|&t| t < value);
        self.signed.get(first).copied().unwrap_or(i64::MAX)
    }
}
