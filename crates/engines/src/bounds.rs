//! How far a circuit is known to be good: no path of so many steps ends in a bad state.
//!
//! An engine notes what it has refuted, and leaves out what someone else has. Preprocessing keeps
//! the steps of a circuit, so a bound of the reduced circuit is one of the original, and the other
//! way round. What a proof rests on is checked again with its evidence.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// KnownBounds of one circuit, shared between threads. A number n means that no path with fewer than n
/// steps after its first state ends in a bad one.
#[derive(Clone, Debug, Default)]
pub struct KnownBounds {
    numbers: Arc<Numbers>,
}

#[derive(Debug, Default)]
struct Numbers {
    own: AtomicUsize,
    told: AtomicUsize,
}

impl KnownBounds {
    /// The engine has refuted all paths of at most so many steps.
    pub fn refute(&self, steps: usize) {
        self.numbers.own.fetch_max(steps.saturating_add(1), Ordering::Relaxed);
    }

    /// Someone else has refuted all paths of at most so many steps. True if that is news.
    pub fn tell(&self, steps: usize) -> bool {
        let number = steps.saturating_add(1);
        self.numbers.told.fetch_max(number, Ordering::Relaxed) < number
    }

    /// Whether someone else has refuted all paths of so many steps.
    pub fn is_told(&self, steps: usize) -> bool {
        steps < self.numbers.told.load(Ordering::Relaxed)
    }

    /// The most steps that the engine has refuted, if that is more than it was told.
    pub fn own(&self) -> Option<usize> {
        let own = self.numbers.own.load(Ordering::Relaxed);
        let told = self.numbers.told.load(Ordering::Relaxed);
        if own > told { own.checked_sub(1) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_only_grow() {
        let bounds = KnownBounds::default();
        assert!(!bounds.is_told(0) && bounds.own().is_none());
        bounds.refute(0);
        assert_eq!(bounds.own(), Some(0));
        assert!(bounds.tell(4) && !bounds.tell(4) && !bounds.tell(3));
        assert!(bounds.is_told(4) && !bounds.is_told(5));
        bounds.refute(3);
        assert_eq!(bounds.own(), None, "others know that");
        bounds.refute(7);
        bounds.refute(6);
        assert_eq!(bounds.own(), Some(7));
    }
}
