//! Which engines run, and for how much of the time.
//!
//! Each engine has a share. Whenever the schedule is consulted, the engines that are furthest
//! behind their share run; engines with equal claims go in the order of the plan. An engine can
//! use one core at most, so with two cores and half of all shares the first one runs all the
//! time, and the others take turns on the second core.

use std::time::Duration;
use wedge_engines::registry;

/// One line of the plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    pub engine: &'static str,
    pub share: f64,
}

/// The circuits' engines with their shares.
const PLAN: &[Entry] = &[
    Entry { engine: "execute", share: 0.5 },
    Entry { engine: "pdr", share: 6.0 },
    Entry { engine: "bmc", share: 2.0 },
    Entry { engine: "imc", share: 2.0 },
    Entry { engine: "kind", share: 1.0 },
    Entry { engine: "cnf-itp", share: 2.0 },
    Entry { engine: "dar", share: 1.0 },
    Entry { engine: "ismc", share: 1.0 },
];

/// The entries whose engines exist in this build.
pub fn plan() -> Vec<Entry> {
    PLAN.iter().filter(|entry| registry::find(entry.engine).is_some()).copied().collect()
}

/// What the schedule has to know about an engine that can run.
#[derive(Clone, Copy)]
pub struct Claim {
    pub index: usize,
    pub share: f64,
    /// How long it has run.
    pub used: Duration,
    /// It runs and cannot be stopped yet.
    pub pinned: bool,
}

/// The engines that run next, at most `cores`. No more can be pinned, because an engine is pinned
/// only after it was picked.
pub fn pick(mut claims: Vec<Claim>, cores: usize) -> Vec<usize> {
    let behind = |claim: &Claim| claim.used.as_secs_f64() / claim.share;
    claims.sort_by(|a, b| {
        let by_share = || behind(a).total_cmp(&behind(b));
        b.pinned.cmp(&a.pinned).then_with(by_share).then(a.index.cmp(&b.index))
    });
    claims.truncate(cores);
    claims.iter().map(|claim| claim.index).collect()
}

/// How long a choice stands: short at first, when many tasks are decided, longer later.
pub fn turn(elapsed: Duration) -> Duration {
    (elapsed / 10).clamp(Duration::from_millis(50), Duration::from_secs(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(shares: &[f64], used: &[u64]) -> Vec<Claim> {
        let pairs = shares.iter().zip(used).enumerate();
        let claim = |(index, (&share, &used))| Claim {
            index,
            share,
            used: Duration::from_millis(used),
            pinned: false,
        };
        pairs.map(claim).collect()
    }

    #[test]
    fn the_plan_names_each_engine_once() {
        let plan = plan();
        assert_eq!(plan.len(), PLAN.len());
        for (index, entry) in plan.iter().enumerate() {
            assert!(entry.share > 0.0);
            assert!(plan[..index].iter().all(|other| other.engine != entry.engine));
        }
        assert!(registry::ENGINES.iter().all(|e| plan.iter().any(|p| p.engine == e.name)));
    }

    #[test]
    fn those_behind_their_share_go_first() {
        assert_eq!(pick(claims(&[2.0, 1.0, 1.0], &[0, 0, 0]), 2), [0, 1]);
        assert_eq!(pick(claims(&[2.0, 1.0, 1.0], &[100, 60, 50]), 2), [0, 2]);
        assert_eq!(pick(claims(&[1.0, 1.0], &[5, 3]), 8), [1, 0]);
        assert!(pick(Vec::new(), 2).is_empty());
    }

    #[test]
    fn what_cannot_be_stopped_stays() {
        let mut claims = claims(&[1.0, 1.0, 1.0], &[10, 0, 0]);
        claims[0].pinned = true;
        assert_eq!(pick(claims, 2), [0, 1]);
    }

    /// Simulated turns: engines get their shares, but never more than one core each.
    #[test]
    fn shares_come_out_over_time() {
        let shares = [4.0, 2.0, 1.0, 1.0];
        for (cores, expected) in [(1, [500, 250, 125, 125]), (2, [1000, 500, 250, 250])] {
            let mut used = [0u64; 4];
            for _ in 0..1000 {
                pick(claims(&shares, &used), cores).iter().for_each(|&index| used[index] += 1);
            }
            let close = used.iter().zip(expected).all(|(&u, e)| u64::abs_diff(u, e) <= 2);
            assert!(close, "{cores} cores: {used:?}");
        }
    }
}
