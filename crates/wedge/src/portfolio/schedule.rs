//! Which engines run, and for how much of the time.
//!
//! Each engine has a share. Whenever the schedule is consulted, the engines that are furthest
//! behind their share run; engines with equal claims go in the order of the plan. An engine can
//! use one core at most, so with two cores and half of all shares the first one runs all the
//! time, and the others take turns on the second core. One that has an answer goes
//! before the others while it checks its evidence, for a time.
//!
//! A long race goes through stages: it begins with the plan for ten seconds, goes on with that for a minute, and
//! then has its own. What engines have had of the time counts from the beginning, so those that only a later
//! plan has catch up at first.

use crate::tuned::{LARGE_CIRCUIT, LARGE_EXPANSION, LARGE_PROGRAM};
use std::time::Duration;
use wedge_c::Features;
use wedge_engines::registry::{self, Variant};
use wedge_engines::shares::{self, Plan, TaskKind};

/// One engine of a portfolio.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub engine: &'static registry::Entry,
    pub variant: &'static Variant,
    pub share: f64,
}

impl Entry {
    /// Its name, with what makes it differ from the engine as it is.
    pub fn name(&self) -> String {
        self.variant.name(self.engine.name)
    }
}

/// What a circuit, or a program with these features, is like.
pub fn kind(features: Option<&Features>) -> TaskKind {
    match features {
        None => TaskKind::Circuit,
        Some(features)
            if features.statements > LARGE_PROGRAM || features.expanded > LARGE_EXPANSION =>
        {
            TaskKind::Large
        }
        Some(features) if features.recursion || !features.loops => TaskKind::Unrolled,
        Some(features) if features.floats => TaskKind::Floats,
        Some(features) if features.heap => TaskKind::Heap,
        Some(features) if features.arrays => TaskKind::Arrays,
        Some(_) => TaskKind::Loops,
    }
}

/// What a task of a kind turns out to be like when its circuit has been made. Arrays and heap have engines of
/// their own, whatever the circuit is like.
pub fn refined(kind: TaskKind, gates: f64) -> TaskKind {
    match kind {
        TaskKind::Loops | TaskKind::Unrolled | TaskKind::Floats if gates > LARGE_CIRCUIT => {
            TaskKind::Large
        }
        _ => kind,
    }
}

/// What an engine without a share of its own counts beside the others, on a core that is left over.
const SPARE: f64 = 0.25;

/// What shares depend on.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    pub kind: TaskKind,
    pub cores: usize,
    /// How long the race may take.
    pub time: Option<Duration>,
}

impl Schedule {
    fn stages(&self) -> Vec<&'static Plan> {
        shares::stages(self.kind, self.cores, self.time)
    }

    /// Which plan is in force after so long a time.
    pub fn stage(&self, elapsed: Duration) -> usize {
        let stages = self.stages();
        let is_over = |plan: &&&Plan| Duration::from_secs(plan.seconds) <= elapsed;
        stages.iter().take_while(is_over).count().min(stages.len() - 1)
    }

    /// The engines that have a share at a stage: those with a head start, then by their shares. Cores
    /// for which there would be no engine get the other ones, in the order of the registry.
    fn at(&self, stage: usize) -> Vec<Entry> {
        let shares = &self.stages()[stage].shares;
        let variants = registry::engines()
            .flat_map(|engine| engine.variants.iter().map(move |variant| (engine, variant)));
        let share =
            |name: &str| shares.iter().find(|(other, _)| *other == name).map(|known| known.1);
        let entry = |(engine, variant): (&'static registry::Entry, &'static Variant)| {
            let share = share(&variant.name(engine.name));
            (share.is_some(), Entry { engine, variant, share: share.unwrap_or(SPARE) })
        };
        let (planned, spare): (Vec<_>, Vec<_>) = variants.map(entry).partition(|(known, _)| *known);
        let missing = self.cores.saturating_sub(planned.len());
        let entries = planned.into_iter().chain(spare.into_iter().take(missing));
        let mut plan: Vec<Entry> = entries.map(|(_, entry)| entry).collect();
        if self.kind.has_leader() {
            give_a_core(&mut plan, self.cores);
        }
        plan.sort_by(|a, b| {
            let by_share = b.share.total_cmp(&a.share);
            b.engine.head_start.cmp(&a.engine.head_start).then(by_share)
        });
        plan
    }

    /// The engines of the last stage: those for the whole time, where it cannot be shared out again.
    pub fn last(&self) -> Vec<Entry> {
        self.at(self.stages().len() - 1)
    }

    /// All engines of a race: those that it begins with, and without a share those that come later.
    pub fn all(&self) -> Vec<Entry> {
        let mut all = self.at(0);
        for stage in 1..self.stages().len() {
            for entry in self.at(stage) {
                if all.iter().all(|other| other.name() != entry.name()) {
                    all.push(Entry { share: 0.0, ..entry });
                }
            }
        }
        all
    }

    /// What an engine gets at a stage. Without a share in its plan that is next to nothing if the engine had one
    /// before, and nothing if it had none.
    pub fn share(&self, name: &str, stage: usize, had_one: bool) -> f64 {
        let planned = self.at(stage).into_iter().find(|entry| entry.name() == name);
        planned.map_or(if had_one { SPARE } else { 0.0 }, |entry| entry.share)
    }
}

/// Gives the engine with the largest share a core of its own, where there are several: the others divide
/// the rest, so that the portfolio solves what that engine solves alone.
fn give_a_core(plan: &mut [Entry], cores: usize) {
    let all: f64 = plan.iter().map(|entry| entry.share).sum();
    let leader = plan.iter_mut().reduce(|best, next| match next.share > best.share {
        true => next,
        false => best,
    });
    if let Some(leader) = leader.filter(|_| cores > 1) {
        let core = (all - leader.share) / (cores - 1) as f64;
        leader.share = leader.share.max(core);
    }
}

/// What the schedule has to know about an engine that can run.
#[derive(Clone, Copy)]
pub struct Claim {
    pub index: usize,
    /// With none it runs where a core is left over.
    pub share: f64,
    /// How long it has run.
    pub used: Duration,
    pub urgency: Urgency,
}

/// What matters more than shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    Share,
    /// It has a head start and has not come to its first step.
    Begins,
    /// It is about to answer.
    Answer,
    /// It runs and cannot be stopped yet.
    Unstoppable,
}

/// The engines that run next, at most `cores`. No more can be unstoppable, because an engine is
/// only after it was picked.
pub fn pick(mut claims: Vec<Claim>, cores: usize) -> Vec<usize> {
    let behind = |claim: &Claim| match claim.share > 0.0 {
        true => claim.used.as_secs_f64() / claim.share,
        false => f64::INFINITY,
    };
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

    fn schedule(kind: TaskKind, cores: usize, seconds: Option<u64>) -> Schedule {
        Schedule { kind, cores, time: seconds.map(Duration::from_secs) }
    }

    fn names(plan: &[Entry]) -> Vec<String> {
        plan.iter().map(Entry::name).collect()
    }

    fn is_without_repetition(names: &[String]) -> bool {
        names.iter().enumerate().all(|(i, name)| !names[..i].contains(name))
    }

    #[test]
    fn every_kind_has_a_plan() {
        for kind in TaskKind::ALL {
            let plan = schedule(kind, 2, None).last();
            assert!(plan.len() > 1, "{kind:?}");
            let first_without = plan.iter().position(|entry| !entry.engine.head_start);
            let late = plan.iter().skip(first_without.unwrap_or(0)).any(|e| e.engine.head_start);
            assert!(!late, "{kind:?}: those with a head start go first");
            assert!(is_without_repetition(&names(&plan)));
        }
    }

    /// A race without a limit begins as one of ten seconds, and each of its engines has its share at its time.
    #[test]
    fn a_race_goes_through_stages() {
        for kind in TaskKind::ALL {
            let long = schedule(kind, 2, None);
            let all = long.all();
            assert!(is_without_repetition(&names(&all)));
            let (now, later): (Vec<Entry>, Vec<Entry>) = all.iter().partition(|e| e.share > 0.0);
            assert_eq!(names(&now), names(&schedule(kind, 2, Some(10)).last()));
            let stages: Vec<usize> =
                [0, 9, 10, 59, 60, 9999].map(|s| long.stage(Duration::from_secs(s))).into();
            assert_eq!(stages, [0, 0, 1, 1, 2, 2]);
            for entry in later {
                let name = entry.name();
                assert_eq!(long.share(&name, 0, false), 0.0);
                assert!((1..=2).any(|stage| long.share(&name, stage, false) > 0.0), "{name}");
            }
            for (stage, limit) in [(0, 10), (1, 60), (2, 900)] {
                for entry in schedule(kind, 2, Some(limit)).last() {
                    assert_eq!(long.share(&entry.name(), stage, false), entry.share);
                }
            }
        }
    }

    /// Whatever the table says, the engine that solves most circuits has a core.
    #[test]
    fn a_leader_has_a_core() {
        for cores in 2..20 {
            for time in [10, 60, 900] {
                let plan = schedule(TaskKind::Circuit, cores, Some(time)).last();
                let all: f64 = plan.iter().map(|entry| entry.share).sum();
                let largest = plan.iter().map(|entry| entry.share).fold(0.0, f64::max);
                let part = cores as f64 * largest / all;
                assert!(part > 0.999, "{part} of a core with {cores}, {time} s");
            }
        }
    }

    #[test]
    fn spare_processors_get_variants() {
        for kind in TaskKind::ALL {
            let many = schedule(kind, 16, None).all();
            assert!(many.iter().filter(|entry| entry.share > 0.0).count() >= 16);
            assert!(is_without_repetition(&names(&many)));
        }
        let all: usize = registry::engines().map(|engine| engine.variants.len()).sum();
        assert_eq!(schedule(TaskKind::Circuit, 1000, None).all().len(), all);
    }

    #[test]
    fn features_choose_the_kind() {
        let loops = Features { loops: true, ..Features::default() };
        assert_eq!(kind(None), TaskKind::Circuit);
        assert_eq!(kind(Some(&Features::default())), TaskKind::Unrolled);
        assert_eq!(kind(Some(&loops)), TaskKind::Loops);
        assert_eq!(kind(Some(&Features { arrays: true, ..loops })), TaskKind::Arrays);
        assert_eq!(kind(Some(&Features { statements: 100_000, ..loops })), TaskKind::Large);
        assert_eq!(kind(Some(&Features { expanded: 1_000_000, ..loops })), TaskKind::Large);
    }

    #[test]
    fn a_large_circuit_makes_a_task_large() {
        for kind in TaskKind::ALL {
            assert_eq!(refined(kind, 1000.0), kind);
        }
        for kind in [TaskKind::Loops, TaskKind::Unrolled, TaskKind::Floats] {
            assert_eq!(refined(kind, 1e6), TaskKind::Large);
            // No engine is added to a race, so those that large programs need have to be in it.
            for limit in [Some(10), Some(60), None] {
                let names = names(&schedule(kind, 2, limit).all());
                assert!(names.contains(&String::from("interp")), "{kind:?}, {limit:?}");
            }
        }
        assert_eq!(refined(TaskKind::Arrays, 1e6), TaskKind::Arrays);
        assert_eq!(refined(TaskKind::Circuit, 1e6), TaskKind::Circuit);
        let part = |kind| schedule(kind, 2, Some(30)).share("interp", 0, true);
        assert!(part(TaskKind::Large) > part(TaskKind::Loops));
        let large = schedule(TaskKind::Large, 2, None);
        assert_eq!(large.share("of no plan", 0, true), SPARE);
        assert_eq!(large.share("of no plan", 0, false), 0.0);
    }

    #[test]
    fn those_behind_their_share_go_first() {
        assert_eq!(pick(claims(&[2.0, 1.0, 1.0], &[0, 0, 0]), 2), [0, 1]);
        assert_eq!(pick(claims(&[2.0, 1.0, 1.0], &[100, 60, 50]), 2), [0, 2]);
        assert_eq!(pick(claims(&[1.0, 1.0], &[5, 3]), 8), [1, 0]);
        // Those without a share have what is left over.
        assert_eq!(pick(claims(&[0.0, 1.0, 0.0, 1.0], &[0, 5, 0, 3]), 3), [3, 1, 0]);
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
