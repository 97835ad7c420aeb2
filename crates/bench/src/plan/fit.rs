//! The shares with which a portfolio solves most.
//!
//! A search that changes one share at a time, from several beginnings, on a grid of shares. What counts
//! is how many tasks are solved within the limit; less, but something, counts that they are solved in
//! a half, a quarter and so on of it. That prefers fast portfolios, and those in which a task is not
//! solved at the last moment.

use super::simulate::{chance, hazards, seconds};
use super::{Observation, Setting};

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
            for index in 0..shares.len() {
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

/// The shares for a kind of task, from tasks of all kinds: not far from those before or, without any, from
/// those that are best for all kinds together.
pub fn plan(
    tasks: &[&Observation],
    kind: &str,
    engines: usize,
    setting: Setting,
    before: Option<&[f64]>,
) -> Vec<f64> {
    let general = || fit(&tasks.iter().map(|&task| (task, 1.0)).collect(), engines, setting, None);
    let before = before.map_or_else(general, <[f64]>::to_vec);
    fit(&lessons(tasks, kind), engines, setting, Some(&before))
}

/// The best shares that were found, not far from those before; all equal if there are no tasks.
fn fit(tasks: &Lessons, engines: usize, setting: Setting, before: Option<&[f64]>) -> Vec<f64> {
    let all: Vec<&Observation> = tasks.iter().map(|&(task, _)| task).collect();
    let search = Search { tasks, setting, hazards: hazards(&all, engines), before };
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
    use crate::plan::simulate::solved;

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
        let shares = fit(&lessons(&tasks, ""), 3, one, None);
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
        let shares = fit(&lessons(&tasks, ""), 2, one, None);
        assert_eq!(shares[1], 0.0);
        assert_eq!(fit(&vec![], 2, one, None), [1.0, 1.0]);
    }

    /// Tasks of other kinds decide where those of the kind leave something open, and only there.
    #[test]
    fn other_kinds_count_little() {
        let kind = |kind: &str, times| Observation { kind: kind.into(), ..task(times) };
        let mut tasks = vec![kind("a", &[Some(6.0), None, None])];
        tasks.extend((0..3).map(|_| kind("b", &[None, Some(6.0), None])));
        let tasks: Vec<&Observation> = tasks.iter().collect();
        let setting = |cores| Setting { cores, seconds: 10.0 };
        let shares = |cores| fit(&lessons(&tasks, "a"), 3, setting(cores), None);
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
        assert_eq!(fit(&lessons(&easy, ""), 3, one, Some(&before)), before);
        let hard: Vec<Observation> = (0..4).map(|_| task(&[None, None, Some(4.0)])).collect();
        let hard: Vec<&Observation> = hard.iter().collect();
        assert!(fit(&lessons(&hard, ""), 3, one, Some(&before))[2] > 0.0);
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
        let [a, b, none] = ["a", "b", "c"].map(|kind| plan(&tasks, kind, 3, one, None));
        assert_eq!(a, none);
        assert!(a[0] > 0.0 && b[1] > b[0], "{a:?} {b:?}");
        assert_eq!(b[2], 0.0);
    }
}
