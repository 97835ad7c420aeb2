//! How much of the time the engines of a portfolio get.
//!
//! A plan gives shares to engines, for a kind of task, a number of cores and a limit of time. All of them
//! stand in `plans.tsv`, which says on what they were made; `wedge bench --study shares` makes such a
//! file from runs of the engines.

use std::sync::LazyLock;
use std::time::Duration;

/// What a task is like, as far as the choice of engines depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskKind {
    Circuit,
    /// A program with loops: proofs by induction and interpolation, and unrolling.
    Loops,
    /// Large arrays: errors lie behind long loops that fill them, which are executed best.
    Arrays,
    /// Without loops one step is a whole run, and recursion is unrolled best.
    Unrolled,
    /// Unbounded many objects: a few chosen ones stand for all.
    Heap,
    /// Wide arithmetic: few and hard queries, on which bits generalise badly.
    Floats,
    /// A program so large that few engines can encode it in time.
    Large,
}

impl TaskKind {
    pub const ALL: [TaskKind; 7] = [
        TaskKind::Circuit,
        TaskKind::Loops,
        TaskKind::Arrays,
        TaskKind::Unrolled,
        TaskKind::Heap,
        TaskKind::Floats,
        TaskKind::Large,
    ];

    /// Whether one engine solves nearly all of what is solved, so that the others must not take its
    /// time: on circuits `pdr` does. Of programs every kind has some that only other engines solve.
    pub fn has_leader(self) -> bool {
        matches!(self, TaskKind::Circuit)
    }

    /// As plans and journals name it.
    pub fn name(self) -> &'static str {
        match self {
            TaskKind::Circuit => "circuit",
            TaskKind::Loops => "loops",
            TaskKind::Arrays => "arrays",
            TaskKind::Unrolled => "unrolled",
            TaskKind::Heap => "heap",
            TaskKind::Floats => "floats",
            TaskKind::Large => "large",
        }
    }
}

/// The shares for a kind of task in a setting.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    pub kind: TaskKind,
    pub cores: usize,
    pub seconds: u64,
    /// Engines by their names in a portfolio ([`crate::registry::Variant::name`]), each with its share.
    pub shares: Vec<(&'static str, f64)>,
}

static PLANS: LazyLock<Vec<Plan>> = LazyLock::new(|| read(include_str!("plans.tsv")));

/// The plans of the table. It is part of this crate, and so is a mistake in it.
fn read(text: &'static str) -> Vec<Plan> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#')).map(|l| l.split('\t'));
    let names: Vec<&str> = lines.next().expect("the table has a header").skip(3).collect();
    let plan = |mut cells: std::str::Split<'static, char>| {
        let mut next = || cells.next().expect("a plan has a kind, cores and seconds");
        let (kind, cores, seconds) = (next(), next(), next());
        let kind = TaskKind::ALL.into_iter().find(|known| known.name() == kind);
        let shares = cells.map(|cell| cell.parse::<f64>().expect("shares are numbers"));
        Plan {
            kind: kind.expect("the kinds of plans are those of tasks"),
            cores: cores.parse().expect("cores are a number"),
            seconds: seconds.parse().expect("seconds are a number"),
            shares: names.iter().copied().zip(shares).filter(|(_, share)| *share > 0.0).collect(),
        }
    };
    lines.map(plan).collect()
}

/// A race begins with the plan for a shorter time where that costs at most one part in so many of its own: what
/// is decided within a minute is decided as soon without a limit of time as with one.
const BEGINNING: u64 = 10;

/// The plans for a kind of task in the order in which a race goes through them, each until its own time has
/// passed. Of those for at most so many cores the ones for most count; of these the last one is that for the
/// least time that is enough, or the one for most if none is, and without a limit of time.
pub fn stages(kind: TaskKind, cores: usize, time: Option<Duration>) -> Vec<&'static Plan> {
    let all = || PLANS.iter().filter(|plan| plan.kind == kind);
    let cores = all().map(|plan| plan.cores).filter(|&most| most <= cores.max(1)).max();
    let fitting = || all().filter(|plan| Some(plan.cores) == cores);
    let enough = time.and_then(|time| {
        let lasts = |plan: &&Plan| Duration::from_secs(plan.seconds) >= time;
        fitting().filter(lasts).min_by_key(|plan| plan.seconds)
    });
    let longest = || fitting().max_by_key(|plan| plan.seconds);
    let last = enough.or_else(longest).expect("every kind of task has plans for one core");
    let mut stages: Vec<&Plan> =
        fitting().filter(|plan| plan.seconds * BEGINNING <= last.seconds).collect();
    stages.push(last);
    stages.sort_by_key(|plan| plan.seconds);
    stages
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn all_plans_are_of_engines_that_there_are() {
        let known: Vec<String> = registry::engines()
            .flat_map(|entry| entry.variants.iter().map(|variant| variant.name(entry.name)))
            .collect();
        for plan in PLANS.iter() {
            assert!(plan.shares.len() > 1, "{plan:?}");
            for (name, share) in &plan.shares {
                assert!(known.iter().any(|known| known == name) && *share > 0.0, "{plan:?}");
            }
        }
    }

    #[test]
    fn the_nearest_plan_is_the_last() {
        for kind in TaskKind::ALL {
            let found = |cores, seconds: Option<u64>| {
                let stages = stages(kind, cores, seconds.map(Duration::from_secs));
                let last = stages.last().expect("a race has a plan");
                (last.cores, last.seconds)
            };
            assert_eq!(found(1, Some(5)), (1, 10));
            assert_eq!(found(2, Some(10)), (2, 10));
            assert_eq!(found(3, Some(11)), (2, 60));
            assert_eq!(found(8, Some(900)), (4, 900));
            assert_eq!(found(64, Some(5000)), (16, 900));
            assert_eq!(found(2, None), (2, 900));
            assert_eq!(found(0, Some(1)), (1, 10));
        }
    }

    /// What comes before the plan for the limit costs little of the time.
    #[test]
    fn a_long_race_begins_as_a_short_one() {
        let seconds = |limit: Option<u64>| -> Vec<u64> {
            let stages = stages(TaskKind::Loops, 2, limit.map(Duration::from_secs));
            stages.iter().map(|plan| plan.seconds).collect()
        };
        assert_eq!(seconds(Some(10)), [10]);
        assert_eq!(seconds(Some(60)), [60]);
        assert_eq!(seconds(Some(61)), [10, 60, 900]);
        assert_eq!(seconds(None), [10, 60, 900]);
    }
}
