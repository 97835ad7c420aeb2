//! The shares with which a portfolio solves most.
//!
//! A search that changes one share at a time, from several beginnings, on a grid of shares. What counts
//! is how many tasks are solved within the limit; less, but something, counts that they are solved in
//! a half, a quarter and so on of it. That prefers fast portfolios, and those in which a task is not
//! solved at the last moment.
//!
//! What is best for some tasks leaves out every engine that solves none of them alone. Others might need it, so shares
//! are fitted to several samples of the folders, drawn with replacement, and the mean of all is taken (Breiman, "Bagging
//! predictors", Machine Learning 1996).
//!
//! Where there is much more time than runs had, they say little about who needs it. Then every engine that fits the
//! kind has as much as its runs had, if that costs no more than a part of the time: nothing is lost then that any of
//! them solved.

use super::simulate::{chance, hazards, seconds};
use super::{Observation, Setting};
use std::collections::BTreeMap;

/// The shares that are tried.
const GRID: [f64; 8] = [0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];
/// What a solved task counts within the limit, in a half of it, in a quarter, and so on.
const WEIGHTS: [f64; 5] = [1.0, 0.3, 0.15, 0.1, 0.05];
/// A share has to bring this much, in tasks, to be there at all: what one task more or less decides is
/// chance. Chosen as what two tasks count that are solved sooner, not as what one counts that is solved.
const WORTH: f64 = 0.05;

/// A task of another kind counts this much of one of the kind that shares are for: what engines are like
/// shows on all tasks, and a dozen tasks of a kind alone say more about these than about the kind.
const RELATED: f64 = 0.1;

/// To double or halve a share of an earlier plan, or of the one for all kinds, has to bring this much, in tasks. Not
/// tuned.
const PULL: f64 = 0.1;
/// No share at all is as far away as this one.
const LEAST: f64 = 0.125;

/// From so many engines alone the search begins, besides all engines with equal shares.
const STARTS: usize = 3;

/// Tasks to fit shares to, each with what it counts.
type Lessons<'d> = Vec<(&'d Observation, f64)>;

/// What tasks teach about a kind of task.
fn lessons<'d>(tasks: &[&'d Observation], kind: &str) -> Lessons<'d> {
    let weight = |task: &Observation| if task.kind == kind { 1.0 } else { RELATED };
    tasks.iter().map(|&task| (task, weight(task))).collect()
}

/// A question: which shares for these tasks and this setting?
struct Search<'a> {
    tasks: &'a Lessons<'a>,
    setting: Setting,
    hazards: Vec<f64>,
    before: Option<&'a [f64]>,
    /// By engine: whether it may have a share.
    allowed: &'a [bool],
}

impl Search<'_> {
    /// What shares are worth.
    fn score(&self, shares: &[f64]) -> f64 {
        let mut score = 0.0;
        for (halvings, weight) in WEIGHTS.iter().enumerate() {
            let part = self.setting.seconds / f64::from(1 << halvings);
            let seconds = seconds(shares, Setting { seconds: part, ..self.setting });
            let chance = |task| chance(task, &seconds, &self.hazards);
            let sum: f64 = self.tasks.iter().map(|&(task, counts)| counts * chance(task)).sum();
            score += weight * sum;
        }
        score
            - WORTH * shares.iter().filter(|&&share| share > 0.0).count() as f64
            - self.pull(shares)
    }

    /// How far shares are from those before.
    fn pull(&self, shares: &[f64]) -> f64 {
        let level = |share: f64| share.max(LEAST).log2();
        let pairs = self.before.into_iter().flatten().zip(shares);
        pairs.map(|(&before, &now)| PULL * (level(before) - level(now)).abs()).sum()
    }

    /// Changes single shares until nothing gets better.
    fn climb(&self, mut shares: Vec<f64>) -> (f64, Vec<f64>) {
        let mut best = self.score(&shares);
        loop {
            let before = best;
            for index in (0..shares.len()).filter(|&index| self.allowed[index]) {
                let mut chosen = shares[index];
                for share in GRID {
                    shares[index] = share;
                    let score = self.score(&shares);
                    if score > best + 1e-9 {
                        (best, chosen) = (score, share);
                    }
                }
                shares[index] = chosen;
            }
            if best <= before {
                return (best, shares);
            }
        }
    }
}

/// So many samples of the folders are fitted to. Not tuned: with them the study of 101 tasks takes two minutes on
/// two cores.
const SAMPLES: u64 = 8;
/// The largest share of a plan.
const LARGEST: f64 = 16.0;
/// Shares are written down in steps of this; smaller ones are none.
const STEP: f64 = 0.25;
/// So many times the time that runs had is much more. Not tuned.
const FAR: f64 = 4.0;
/// What it may cost, of all the time, that every engine has something. Not tuned.
const INSURANCE: f64 = 0.25;

/// What shares for kinds of tasks are made from in one setting.
pub struct Fit<'d> {
    tasks: Vec<&'d Observation>,
    engines: usize,
    setting: Setting,
    /// Samples of the tasks, each with the shares that are best for all of its kinds together.
    samples: Vec<(Vec<&'d Observation>, Vec<f64>)>,
}

impl<'d> Fit<'d> {
    pub fn new(tasks: &[&'d Observation], engines: usize, setting: Setting) -> Fit<'d> {
        let mut folders: BTreeMap<&str, Vec<&'d Observation>> = BTreeMap::new();
        tasks.iter().for_each(|&task| folders.entry(&task.folder).or_default().push(task));
        let folders: Vec<Vec<&'d Observation>> = folders.into_values().collect();
        let sample = |seed: u64| {
            let sample: Vec<&'d Observation> = drawn(seed, folders.len())
                .flat_map(|folder| folders[folder].iter().copied())
                .collect();
            let all = sample.iter().map(|&task| (task, 1.0)).collect();
            let general = fit(&all, setting, None, &vec![true; engines]);
            (sample, general)
        };
        let samples = (1..=SAMPLES).map(sample).collect();
        Fit { tasks: tasks.to_vec(), engines, setting, samples }
    }

    /// The shares for a kind of task: in each sample not far from those before or, without any, from those that are
    /// best for all kinds together.
    pub fn plan(&self, kind: &str, before: Option<&[f64]>) -> Vec<f64> {
        let mut mean = vec![0.0; self.engines];
        let allowed = self.fitting(kind, before);
        for (sample, general) in &self.samples {
            let mut before = before.unwrap_or(general).to_vec();
            before.iter_mut().zip(&allowed).filter(|(_, is)| !**is).for_each(|(b, _)| *b = 0.0);
            let shares = fit(&lessons(sample, kind), self.setting, Some(&before), &allowed);
            let sum = shares.iter().sum::<f64>().max(f64::MIN_POSITIVE);
            mean.iter_mut().zip(shares).for_each(|(mean, share)| *mean += share / sum);
        }
        let least = self.insurance(kind, before, &allowed) * mean.iter().sum::<f64>();
        let insured = |engine: usize| least > 0.0 && allowed[engine];
        (0..self.engines).filter(|&e| insured(e)).for_each(|e| mean[e] = mean[e].max(least));
        let largest = mean.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            return vec![1.0; self.engines];
        }
        let written = |(engine, share): (usize, f64)| {
            let steps = share / largest * LARGEST / STEP;
            STEP * if insured(engine) { steps.ceil() } else { steps.round() }
        };
        mean.into_iter().enumerate().map(written).collect()
    }

    /// The least part of the time that each engine gets. None where runs say enough: near the time that they had, and
    /// where there are earlier plans.
    fn insurance(&self, kind: &str, before: Option<&[f64]>, allowed: &[bool]) -> f64 {
        let of_kind = self.tasks.iter().filter(|task| task.kind == kind);
        let tried = of_kind.flat_map(|task| &task.tried).copied().filter(|tried| tried.is_finite());
        let longest = tried.fold(0.0, f64::max);
        if before.is_some() || self.setting.seconds < FAR * longest {
            return 0.0;
        }
        let count = allowed.iter().filter(|is| **is).count() as f64;
        let as_in_runs = longest / (self.setting.cores as f64 * self.setting.seconds);
        // What some get more makes all parts smaller, by as much at most.
        as_in_runs.min(INSURANCE / count) * (1.0 + INSURANCE)
    }
}

impl Fit<'_> {
    /// By engine: whether it has solved a task of the kind or run out of time on one; those that always gave up, or
    /// never ran, do not fit the kind. Of a kind without tasks nothing is known but earlier plans.
    fn fitting(&self, kind: &str, before: Option<&[f64]>) -> Vec<bool> {
        let of_kind: Vec<_> = self.tasks.iter().filter(|task| task.kind == kind).collect();
        let fits = |engine: usize| {
            let is_busy = |task: &&&Observation| {
                task.times[engine].is_some() || task.tried[engine].is_finite()
            };
            let had_share = before.is_some_and(|before| before[engine] > 0.0);
            of_kind.is_empty() || had_share || of_kind.iter().any(is_busy)
        };
        (0..self.engines).map(fits).collect()
    }
}

/// So many numbers below a count, with replacement (SplitMix64; Steele, Lea, Flood, OOPSLA 2014).
fn drawn(seed: u64, count: usize) -> impl Iterator<Item = usize> {
    let mut state = seed;
    (0..count).map(move |_| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % count as u64) as usize
    })
}

/// The best shares that were found, not far from those before; all equal if there are no tasks.
fn fit(tasks: &Lessons, setting: Setting, before: Option<&[f64]>, allowed: &[bool]) -> Vec<f64> {
    let engines = allowed.len();
    let all: Vec<&Observation> = tasks.iter().map(|&(task, _)| task).collect();
    let search = Search { tasks, setting, hazards: hazards(&all, engines), before, allowed };
    if let Some(before) = before {
        return search.climb(before.to_vec()).1;
    }
    let equal = vec![1.0; engines];
    if tasks.is_empty() {
        return equal;
    }
    // From those engines that are best alone.
    let mut alone: Vec<(f64, Vec<f64>)> = (0..engines)
        .map(|engine| {
            let mut shares = vec![0.0; engines];
            shares[engine] = 1.0;
            (search.score(&shares), shares)
        })
        .collect();
    alone.sort_by(|a, b| b.0.total_cmp(&a.0));
    let alone = alone.into_iter().take(STARTS).map(|(_, shares)| shares);
    let starts = std::iter::once(equal).chain(alone);
    let found = starts.map(|start| search.climb(start));
    let best = found.reduce(|best, next| if next.0 > best.0 + 1e-9 { next } else { best });
    let shares = best.map_or(vec![1.0; engines], |(_, shares)| shares);
    match shares.iter().any(|&share| share > 0.0) {
        true => shares,
        false => vec![1.0; engines],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::simulate::{seconds as seconds_of, solved};

    fn task(times: &[Option<f64>]) -> Observation {
        Observation {
            folder: String::new(),
            kind: String::new(),
            times: times.to_vec(),
            tried: vec![10.0; times.len()],
        }
    }

    /// One engine solves most, another one the rest, quickly; a third one nothing of its own.
    #[test]
    fn who_solves_something_has_a_share() {
        let mut tasks: Vec<Observation> =
            (1..=8).map(|i| task(&[Some(f64::from(i)), None, Some(9.9)])).collect();
        tasks.extend([task(&[None, Some(0.9), None]), task(&[None, Some(0.4), None])]);
        let tasks: Vec<&Observation> = tasks.iter().collect();
        let one = Setting { cores: 1, seconds: 10.0 };
        let shares = fit(&lessons(&tasks, ""), one, None, &[true; 3]);
        assert_eq!(solved(&tasks, &shares, one), 10, "{shares:?}");
        assert!(shares[0] > shares[1] && shares[1] > 0.0 && shares[2] == 0.0, "{shares:?}");
    }

    /// Where the best member alone solves all that can be solved, it is left alone.
    #[test]
    fn a_portfolio_may_be_one_engine() {
        let tasks: Vec<Observation> =
            (1..=6).map(|i| task(&[Some(f64::from(i) * 1.6), None])).collect();
        let tasks: Vec<&Observation> = tasks.iter().collect();
        let one = Setting { cores: 1, seconds: 10.0 };
        let shares = fit(&lessons(&tasks, ""), one, None, &[true; 2]);
        assert_eq!(shares[1], 0.0);
        assert_eq!(fit(&vec![], one, None, &[true; 2]), [1.0, 1.0]);
    }

    /// Tasks of other kinds decide where those of the kind leave something open, and only there.
    #[test]
    fn other_kinds_count_little() {
        let kind = |kind: &str, times| Observation { kind: kind.into(), ..task(times) };
        let mut tasks = vec![kind("a", &[Some(6.0), None, None])];
        tasks.extend((0..3).map(|_| kind("b", &[None, Some(6.0), None])));
        let tasks: Vec<&Observation> = tasks.iter().collect();
        let setting = |cores| Setting { cores, seconds: 10.0 };
        let shares = |cores| fit(&lessons(&tasks, "a"), setting(cores), None, &[true; 3]);
        assert!(shares(1)[0] > 0.0 && shares(1)[1] == 0.0, "{:?}", shares(1));
        assert!(shares(2)[0] > 0.0 && shares(2)[1] > 0.0 && shares(2)[2] == 0.0);
    }

    /// Earlier shares stay unless a task speaks against them.
    #[test]
    fn earlier_plans_are_corrected_only() {
        let one = Setting { cores: 1, seconds: 10.0 };
        let before = [3.0, 3.0, 0.0];
        let easy = [task(&[Some(0.01), Some(0.01), Some(0.01)])];
        let easy: Vec<&Observation> = easy.iter().collect();
        assert_eq!(fit(&lessons(&easy, ""), one, Some(&before), &[true; 3]), before);
        let hard: Vec<Observation> = (0..4).map(|_| task(&[None, None, Some(4.0)])).collect();
        let hard: Vec<&Observation> = hard.iter().collect();
        assert!(fit(&lessons(&hard, ""), one, Some(&before), &[true; 3])[2] > 0.0);
    }

    /// An engine that solves tasks of other kinds but always gives up on those of this one.
    #[test]
    fn who_always_gives_up_has_no_share() {
        let mut tasks: Vec<Observation> = (0..3)
            .map(|_| task(&[Some(1.0), None]))
            .map(|t| Observation { kind: "a".into(), ..t })
            .collect();
        tasks.iter_mut().for_each(|task| task.tried[1] = f64::INFINITY);
        tasks.extend((0..9).map(|_| Observation { kind: "b".into(), ..task(&[None, Some(1.0)]) }));
        let tasks: Vec<&Observation> = tasks.iter().collect();
        let fit = Fit::new(&tasks, 2, Setting { cores: 2, seconds: 10.0 });
        let [a, b] = ["a", "b"].map(|kind| fit.plan(kind, None));
        assert!(a[0] > 0.0 && a[1] == 0.0, "{a:?}");
        assert!(b[1] > 0.0, "{b:?}");
        assert_eq!(Fit::new(&[], 2, fit.setting).plan("a", None), [16.0, 16.0]);
    }

    /// One engine is enough for all; with time enough everyone has as much as in its runs but who gives up.
    #[test]
    fn much_time_leaves_something_to_everyone() {
        let mut tasks: Vec<Observation> = (0..8)
            .map(|_| task(&[Some(0.1), None, None]))
            .map(|t| Observation { kind: "a".into(), ..t })
            .collect();
        tasks.iter_mut().for_each(|task| task.tried[2] = f64::INFINITY);
        let tasks: Vec<&Observation> = tasks.iter().collect();
        let had = |seconds: f64, before: Option<&[f64]>| {
            let setting = Setting { cores: 1, seconds };
            seconds_of(&Fit::new(&tasks, 3, setting).plan("a", before), setting)
        };
        // Runs had ten seconds.
        assert_eq!(had(30.0, None), [30.0, 0.0, 0.0]);
        assert_eq!(had(900.0, Some(&[16.0, 0.0, 0.0])), [900.0, 0.0, 0.0]);
        let much = had(900.0, None);
        assert!(much[0] > 880.0 && much[1] >= 10.0 && much[2] == 0.0, "{much:?}");
        // An eighth of the time for each of the two is what it may cost.
        let some = had(40.0, None);
        assert!((4.9..6.0).contains(&some[1]) && some[2] == 0.0, "{some:?}");
    }

    /// A kind with few tasks has the shares of all, but for what its tasks speak for.
    #[test]
    fn kinds_are_not_far_from_all_together() {
        let kind = |kind: &str, times| Observation { kind: kind.into(), ..task(times) };
        let mut tasks: Vec<Observation> =
            (0..9).map(|_| kind("a", &[Some(1.0), None, None])).collect();
        tasks.extend((0..2).map(|_| kind("b", &[None, Some(6.0), None])));
        let tasks: Vec<&Observation> = tasks.iter().collect();
        let one = Setting { cores: 1, seconds: 10.0 };
        let fit = Fit::new(&tasks, 3, one);
        let [a, b, none] = ["a", "b", "c"].map(|kind| fit.plan(kind, None));
        assert_eq!(a, none);
        assert!(a[0] > 0.0 && b[1] > b[0], "{a:?} {b:?}");
        assert_eq!(b[2], 0.0);
    }
}
