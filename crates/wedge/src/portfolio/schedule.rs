//! Which engines run, and for how much of the time.
//!
//! Each engine has a share. Whenever the schedule is consulted, the engines that are furthest
//! behind their share run; engines with equal claims go in the order of the plan. An engine can
//! use one core at most, so with two cores and half of all shares the first one runs all the
//! time, and the others take turns on the second core. One that has an answer goes
//! before the others while it checks its evidence, for a time.

use std::time::Duration;
use wedge_c::Features;
use wedge_engines::registry;

/// One line of the plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Its name, and options that only this entry has.
    pub engine: &'static str,
    pub share: f64,
}

type Plan = [(&'static str, f64)];

/// The circuits' engines with their shares.
const CIRCUITS: &Plan = &[
    ("execute", 0.5),
    ("pdr", 6.0),
    ("bmc", 2.0),
    ("imc", 2.0),
    ("kind", 1.0),
    ("cnf-itp", 2.0),
    ("dar", 1.0),
    ("ismc", 1.0),
];

/// Programs with loops: proofs by induction and interpolation, and unrolling.
const LOOPS: &Plan = &[
    ("execute", 2.5),
    ("bmc", 4.0),
    ("kind", 4.0),
    ("pdr", 4.0),
    ("imc", 1.5),
    ("cnf-itp", 0.5),
    ("dar", 0.5),
    ("ismc", 0.5),
];

/// Large arrays: errors lie behind long loops that fill them, which are executed best.
const ARRAYS: &Plan = &[
    ("execute", 5.0),
    ("bmc", 3.0),
    ("kind", 4.0),
    ("pdr", 4.0),
    ("imc", 2.0),
    ("cnf-itp", 0.5),
    ("dar", 0.5),
    ("ismc", 0.5),
];

/// Without loops one step is a whole run, and recursion is unrolled best.
const UNROLLED: &Plan = &[
    ("execute", 2.0),
    ("bmc", 8.0),
    ("imc", 2.0),
    ("kind", 1.0),
    ("pdr", 1.0),
    ("cnf-itp", 0.5),
    ("dar", 0.5),
    ("ismc", 0.5),
];

/// Unbounded many objects: a few chosen ones stand for all.
const HEAP: &Plan = &[
    ("execute", 1.0),
    ("bmc", 4.0),
    ("pdr --objects 2", 5.0),
    ("pdr", 3.0),
    ("kind", 2.0),
    ("imc", 2.0),
    ("cnf-itp", 0.5),
    ("dar", 0.5),
    ("ismc", 0.5),
];

/// Wide arithmetic: few and hard queries, on which bits generalise badly.
const FLOATS: &Plan = &[
    ("execute", 1.0),
    ("bmc", 4.0),
    ("kind", 3.0),
    ("imc", 3.0),
    ("pdr", 2.0),
    ("ismc", 1.0),
    ("dar", 0.5),
    ("cnf-itp", 0.5),
];

/// Every engine encodes the program for itself, so few of them run.
const LARGE: &Plan = &[("execute", 0.5), ("pdr", 4.0), ("bmc", 3.0), ("kind", 1.0), ("imc", 1.0)];

/// Programs with more statements than this are large.
const LARGE_PROGRAM: usize = 10_000;

/// The engines for a circuit, or for a program with these features.
pub fn plan(features: Option<&Features>) -> Vec<Entry> {
    let plan = match features {
        None => CIRCUITS,
        Some(features) if features.statements > LARGE_PROGRAM => LARGE,
        Some(features) if features.recursion || !features.loops => UNROLLED,
        Some(features) if features.floats => FLOATS,
        Some(features) if features.heap => HEAP,
        Some(features) if features.arrays => ARRAYS,
        Some(_) => LOOPS,
    };
    let known = plan.iter().filter(|(entry, _)| registry::find(engine(entry)).is_some());
    known.map(|&(engine, share)| Entry { engine, share }).collect()
}

/// The engine of an entry, without its options.
pub fn engine(entry: &str) -> &str {
    entry.split_whitespace().next().unwrap_or_default()
}

/// What the schedule has to know about an engine that can run.
#[derive(Clone, Copy)]
pub struct Claim {
    pub index: usize,
    pub share: f64,
    /// How long it has run.
    pub used: Duration,
    pub urgency: Urgency,
}

/// What matters more than shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    Share,
    /// It is about to answer.
    Answer,
    /// It runs and cannot be stopped yet.
    Unstoppable,
}

/// The engines that run next, at most `cores`. No more can be unstoppable, because an engine is
/// only after it was picked.
pub fn pick(mut claims: Vec<Claim>, cores: usize) -> Vec<usize> {
    let behind = |claim: &Claim| claim.used.as_secs_f64() / claim.share;
    claims.sort_by(|a, b| {
        let by_share = || behind(a).total_cmp(&behind(b));
        b.urgency.cmp(&a.urgency).then_with(by_share).then(a.index.cmp(&b.index))
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
            urgency: Urgency::Share,
        };
        pairs.map(claim).collect()
    }

    #[test]
    fn a_plan_names_an_engine_once() {
        for plan in [CIRCUITS, LOOPS, ARRAYS, UNROLLED, HEAP, FLOATS, LARGE] {
            for (index, (entry, share)) in plan.iter().enumerate() {
                assert!(*share > 0.0 && registry::find(engine(entry)).is_some(), "{entry}");
                assert!(plan[..index].iter().all(|(other, _)| other != entry), "{entry}");
            }
        }
        let all =
            |plan: &Plan| registry::ENGINES.iter().all(|e| plan.iter().any(|p| p.0 == e.name));
        assert!([CIRCUITS, LOOPS, ARRAYS, UNROLLED, HEAP, FLOATS].iter().all(|plan| all(plan)));
    }

    #[test]
    fn features_choose_the_plan() {
        let first = |features: Features| plan(Some(&features))[1].engine;
        let loops = Features { loops: true, ..Features::default() };
        assert!(
            [CIRCUITS, LOOPS, ARRAYS, UNROLLED, HEAP, FLOATS, LARGE]
                .iter()
                .all(|p| p[0].0 == "execute")
        );
        assert_eq!(plan(None)[1].engine, "pdr");
        assert_eq!(first(Features::default()), "bmc");
        assert_eq!(plan(Some(&loops)).len(), LOOPS.len());
        let execute = |features: Features| plan(Some(&features))[0].share;
        assert!(execute(Features { arrays: true, ..loops }) > execute(loops));
        assert_eq!(plan(Some(&Features { statements: 100_000, ..loops })).len(), LARGE.len());
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
        claims[0].urgency = Urgency::Unstoppable;
        assert_eq!(pick(claims.clone(), 2), [0, 1]);
        claims[1].urgency = Urgency::Answer;
        claims[2].urgency = Urgency::Answer;
        assert_eq!(pick(claims, 2), [0, 1]);
    }

    #[test]
    fn an_answer_that_is_near_goes_first() {
        let mut claims = claims(&[1.0, 1.0, 1.0], &[0, 0, 10]);
        claims[2].urgency = Urgency::Answer;
        assert_eq!(pick(claims, 2), [2, 0]);
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
