//! Variables and literals of the light solver: a literal is twice its variable, plus one if
//! negated, so that it doubles as an index into per-literal tables.

use std::ops::Not;

/// A variable, numbered from 0 in the order of creation.
pub type Var = u32;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    pub fn new(var: Var, negated: bool) -> Lit {
        Lit(var << 1 | negated as u32)
    }

    /// The literal with this [`Lit::code`].
    pub const fn from_code(code: u32) -> Lit {
        Lit(code)
    }

    pub fn var(self) -> Var {
        self.0 >> 1
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn code(self) -> u32 {
        self.0
    }

    /// This literal, negated if `flip`.
    pub fn xor(self, flip: bool) -> Lit {
        Lit(self.0 ^ flip as u32)
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}{}", if self.is_negated() { "-" } else { "" }, self.var())
    }
}
