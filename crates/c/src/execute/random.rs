//! Numbers that look random and are the same every time.

/// Marsaglia's xorshift generator, with the multiplication of xorshift*.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed ^ 0x9e37_79b9_7f4a_7c15 | 1)
    }

    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn wide(&mut self) -> u128 {
        (self.word() as u128) << 64 | self.word() as u128
    }

    /// A number below the bound; 0 if there is none.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((self.word() as u128 * bound as u128) >> 64) as u64
    }

    /// True about once in so many times.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}
