//! Sets of offsets inside an object: one offset, a finite progression, or an unbounded one.
//!
//! Offsets are signed and may lie outside the object, because a pointer may leave it and return.

/// How many offsets of one object are kept apart before they are merged.
pub const KEPT: usize = 8;
/// The count of a progression without end in both directions.
const ALL: u64 = u64::MAX;
/// The count of a progression without end upwards.
const TAIL: u64 = u64::MAX - 1;

/// The offsets `first`, `first + stride`, and so on. A single offset has stride 0 and count 1. A
/// progression in both directions begins at its smallest number that is not negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Off {
    pub first: i64,
    pub stride: u64,
    count: u64,
}

pub fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Off {
    pub fn exact(first: i64) -> Off {
        Off { first, stride: 0, count: 1 }
    }

    /// All offsets that leave this remainder.
    pub fn class(first: i64, stride: u64) -> Off {
        let stride = stride.clamp(1, 1 << 40);
        Off { first: first.rem_euclid(stride as i64), stride, count: ALL }
    }

    pub fn anywhere() -> Off {
        Off::class(0, 1)
    }

    pub fn tail(first: i64, stride: u64) -> Off {
        Off { first, stride: stride.max(1), count: TAIL }
    }

    pub fn range(first: i64, stride: u64, count: u64) -> Off {
        let span = (stride as u128) * (count as u128);
        match (stride, count) {
            (_, 0 | 1) | (0, _) => Off::exact(first),
            _ if span > 1 << 40 => Off::tail(first, stride),
            _ => Off { first, stride, count },
        }
    }

    pub fn is_exact(&self) -> bool {
        self.count == 1
    }

    pub fn is_class(&self) -> bool {
        self.count == ALL
    }

    /// The number of offsets, if it is finite.
    pub fn finite(&self) -> Option<u64> {
        (self.count < TAIL).then_some(self.count)
    }

    /// The largest offset, if there is one.
    pub fn last(&self) -> Option<i64> {
        self.finite().map(|count| self.first.saturating_add(((count - 1) * self.stride) as i64))
    }

    pub fn shift(&self, by: i64) -> Off {
        if self.is_class() {
            return Off::class(self.first.wrapping_add(by), self.stride);
        }
        Off { first: self.first.wrapping_add(by), ..*self }
    }

    /// Every offset moved by 0, `stride`, ... `(count - 1) * stride`; without a count by any
    /// multiple of the stride upwards.
    pub fn spread(&self, stride: u64, count: Option<u64>) -> Off {
        let common = gcd(self.stride, stride);
        if self.is_class() {
            return Off::class(self.first, common);
        }
        match (self.last(), count) {
            (Some(last), Some(count)) if stride.checked_mul(count).is_some() => {
                let end = last as i128 + (stride * count.saturating_sub(1)) as i128;
                let steps = (end - self.first as i128) as u128 / common.max(1) as u128;
                Off::range(self.first, common, (steps + 1).min(1 << 50) as u64)
            }
            _ => Off::tail(self.first, common),
        }
    }

    /// Moved by any multiple of the stride, up or down.
    pub fn anyhow(&self, stride: u64) -> Off {
        Off::class(self.first, gcd(self.stride, stride).max(1))
    }

    pub fn covers(&self, other: &Off) -> bool {
        if self.count == ALL && self.stride == 1 {
            return true;
        }
        if self.is_exact() {
            return self == other;
        }
        let distance = other.first as i128 - self.first as i128;
        let fits = match self.stride {
            0 => distance == 0 && other.is_exact(),
            stride => {
                distance.rem_euclid(stride as i128) == 0 && other.stride.is_multiple_of(stride)
            }
        };
        let above = other.first >= self.first && !other.is_class();
        fits && match (self.count, self.last(), other.last()) {
            (ALL, _, _) => true,
            (TAIL, _, _) => above,
            (_, Some(mine), Some(its)) => above && its <= mine,
            _ => false,
        }
    }

    /// One set that covers a list of sets. What has grown once becomes unbounded, so that
    /// pointers which are moved step by step come to an end.
    fn merged(list: &[Off]) -> Off {
        let first = list.iter().map(|off| off.first).min().unwrap_or(0);
        let stride = list.iter().fold(0, |stride, off| {
            gcd(gcd(stride, off.stride), (off.first as i128 - first as i128) as u64)
        });
        let small = |off: &Off| off.finite().is_some_and(|count| count <= KEPT as u64);
        let last = list.iter().map(Off::last).max().flatten();
        match last {
            Some(last) if list.iter().all(small) => {
                let count = (last as i128 - first as i128) as u64 / stride.max(1) + 1;
                Off::range(first, stride, count.max(KEPT as u64 + 1))
            }
            _ => Off::class(first, stride),
        }
    }
}

/// Adds to a list in which no set covers another. Says whether it changed.
pub fn insert(list: &mut Vec<Off>, new: Off) -> bool {
    if list.iter().any(|old| old.covers(&new)) {
        return false;
    }
    list.retain(|old| !new.covers(old));
    list.push(new);
    if list.len() > KEPT {
        *list = vec![Off::merged(list)];
    }
    list.sort_unstable();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(off: &Off) -> Vec<i64> {
        let inside = |x: &i64| off.covers(&Off::exact(*x));
        (-100..100).filter(inside).collect()
    }

    fn samples() -> Vec<Off> {
        let mut all = vec![Off::anywhere(), Off::tail(-3, 2), Off::tail(4, 4)];
        for first in [-8, -3, 0, 2, 7] {
            all.push(Off::exact(first));
            for stride in [1, 2, 3, 4] {
                all.push(Off::class(first, stride));
                all.push(Off::range(first, stride, 5));
            }
        }
        all
    }

    #[test]
    fn covering_is_inclusion() {
        for a in samples() {
            for b in samples() {
                if a.covers(&b) {
                    assert!(members(&b).iter().all(|x| members(&a).contains(x)), "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn operations_cover_their_members() {
        for a in samples() {
            let all: Vec<i64> = members(&a).into_iter().filter(|x| x.abs() < 50).collect();
            for x in all {
                assert!(a.shift(5).covers(&Off::exact(x + 5)), "{a:?} {x}");
                for k in 0..4 {
                    let spread = a.spread(6, Some(4));
                    assert!(spread.covers(&Off::exact(x + 6 * k)), "{a:?} {x} {k}");
                    assert!(a.spread(6, None).covers(&Off::exact(x + 6 * k)));
                    assert!(a.anyhow(6).covers(&Off::exact(x - 6 * k)));
                }
            }
        }
    }

    #[test]
    fn lists_stay_short_and_complete() {
        let mut list = Vec::new();
        for x in 0..1000 {
            insert(&mut list, Off::exact(4 * x));
            for y in 0..=x {
                assert!(list.iter().any(|off| off.covers(&Off::exact(4 * y))));
            }
            assert!(list.len() <= KEPT);
        }
        assert_eq!(list, [Off::class(0, 4)]);
    }
}
