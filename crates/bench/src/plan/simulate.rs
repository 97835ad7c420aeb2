//! What a portfolio with given shares would have solved.
//!
//! An engine with a share of the time solves a task when its part of the time has reached what it needs
//! alone. That leaves out what engines tell each other, and that the model is read once for all of
//! them, so a real portfolio is somewhat faster.

use super::{Observation, Setting};

/// The processor seconds of each engine: in proportion to the shares, but one core at most.
pub fn seconds(shares: &[f64], setting: Setting) -> Vec<f64> {
    let mut rates = vec![0.0; shares.len()];
    let mut left = setting.cores as f64;
    let mut open: Vec<usize> = (0..shares.len()).filter(|&index| shares[index] > 0.0).collect();
    loop {
        let sum: f64 = open.iter().map(|&index| shares[index]).sum();
        if open.is_empty() || left <= 0.0 {
            break;
        }
        let (full, part): (Vec<usize>, Vec<usize>) =
            open.iter().partition(|&&index| shares[index] * left >= sum);
        if full.is_empty() {
            part.iter().for_each(|&index| rates[index] = shares[index] * left / sum);
            break;
        }
        full.iter().for_each(|&index| rates[index] = 1.0);
        left -= full.len() as f64;
        open = part;
    }
    rates.into_iter().map(|rate| rate * setting.seconds).collect()
}

/// How likely it is that an engine solves, in each doubling of the time, a task that it has not solved.
///
/// Runs end at a limit, and a portfolio may give an engine more time than that. What happens then is
/// taken from the last two doublings before the limit, with one task more on either side so that few
/// tasks say little.
pub fn hazards(tasks: &[&Observation], limit: f64, engines: usize) -> Vec<f64> {
    let hazard = |engine: usize| {
        let times = || tasks.iter().map(|task| task.times[engine]);
        let late = times().flatten().filter(|&time| time > limit / 4.0).count() as f64;
        let open = times().filter(|time| time.is_none_or(|time| time > limit / 4.0)).count() as f64;
        late / 2.0 / (open + 2.0)
    };
    (0..engines).map(hazard).collect()
}

/// The chance that some engine solves a task in the seconds that each of them has.
pub fn chance(task: &Observation, seconds: &[f64], hazards: &[f64], limit: f64) -> f64 {
    let mut fails = 1.0;
    for ((time, &seconds), hazard) in task.times.iter().zip(seconds).zip(hazards) {
        match time {
            Some(time) if *time <= seconds => return 1.0,
            None if seconds > limit => fails *= (1.0 - hazard).powf((seconds / limit).log2()),
            _ => {}
        }
    }
    1.0 - fails
}

/// How many of the tasks a portfolio solves, as far as the runs say it.
pub fn solved(tasks: &[&Observation], shares: &[f64], setting: Setting) -> usize {
    let seconds = seconds(shares, setting);
    let is_solved = |task: &&&Observation| {
        task.times.iter().zip(&seconds).any(|(time, had)| time.is_some_and(|time| time <= *had))
    };
    tasks.iter().filter(is_solved).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: Setting = Setting { cores: 2, seconds: 10.0 };

    #[test]
    fn no_engine_has_more_than_a_core() {
        assert_eq!(seconds(&[9.0, 1.0, 3.0], TWO), [10.0, 2.5, 7.5]);
        assert_eq!(seconds(&[1.0, 0.0, 0.0], TWO), [10.0, 0.0, 0.0]);
        assert_eq!(seconds(&[1.0, 1.0], Setting { cores: 1, ..TWO }), [5.0, 5.0]);
        assert_eq!(seconds(&[0.0], TWO), [0.0]);
    }

    fn task(times: &[Option<f64>]) -> Observation {
        Observation { folder: String::new(), kind: String::new(), times: times.to_vec() }
    }

    #[test]
    fn a_task_is_solved_by_who_has_enough_time() {
        let tasks = [task(&[Some(4.0), None]), task(&[None, Some(6.0)]), task(&[None, None])];
        let tasks: Vec<&Observation> = tasks.iter().collect();
        let one = Setting { cores: 1, seconds: 10.0 };
        assert_eq!(solved(&tasks, &[1.0, 1.0], one), 1);
        assert_eq!(solved(&tasks, &[1.0, 1.0], TWO), 2);
        assert_eq!(solved(&tasks, &[1.0, 3.0], one), 1);
        assert_eq!(solved(&tasks, &[4.0, 6.0], one), 2);
    }

    #[test]
    fn beyond_the_limit_there_are_chances_only() {
        let late = task(&[Some(9.0)]);
        let open = task(&[None]);
        let hazards = hazards(&[&late, &open], 10.0, 1);
        assert_eq!(hazards, [0.125]);
        assert_eq!(chance(&open, &[10.0], &hazards, 10.0), 0.0);
        assert!((chance(&open, &[20.0], &hazards, 10.0) - 0.125).abs() < 1e-9);
        assert!(chance(&open, &[40.0], &hazards, 10.0) > 0.2);
        assert_eq!(chance(&late, &[9.0], &hazards, 10.0), 1.0);
        assert_eq!(chance(&late, &[8.0], &hazards, 10.0), 0.0);
    }
}
