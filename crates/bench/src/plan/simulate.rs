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
pub fn hazards(tasks: &[&Observation], engines: usize) -> Vec<f64> {
    let hazard = |engine: usize| {
        let runs = tasks.iter().map(|task| (task.times[engine], task.tried[engine]));
        let runs = || runs.clone().filter(|(_, tried)| tried.is_finite());
        let late = runs().filter(|(time, tried)| time.is_some_and(|time| time > tried / 4.0));
        let early = runs().filter(|(time, tried)| time.is_some_and(|time| time <= tried / 4.0));
        let open = runs().count() - early.count();
        late.count() as f64 / 2.0 / (open as f64 + 2.0)
    };
    (0..engines).map(hazard).collect()
}

/// The chance that some engine solves a task in the seconds that each of them has.
pub fn chance(task: &Observation, seconds: &[f64], hazards: &[f64]) -> f64 {
    let mut fails = 1.0;
    let runs = task.times.iter().zip(&task.tried);
    for (((time, tried), &seconds), hazard) in runs.zip(seconds).zip(hazards) {
        match time {
            Some(time) if *time <= seconds => return 1.0,
            None if seconds > *tried => fails *= (1.0 - hazard).powf((seconds / tried).log2()),
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
        Observation {
            folder: String::new(),
            kind: String::new(),
            times: times.to_vec(),
            tried: vec![10.0; times.len()],
        }
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
        let hazards = hazards(&[&late, &open], 1);
        assert_eq!(hazards, [0.125]);
        assert_eq!(chance(&open, &[10.0], &hazards), 0.0);
        assert!((chance(&open, &[20.0], &hazards) - 0.125).abs() < 1e-9);
        assert!(chance(&open, &[40.0], &hazards) > 0.2);
        assert_eq!(chance(&late, &[9.0], &hazards), 1.0);
        assert_eq!(chance(&late, &[8.0], &hazards), 0.0);
        // What has tried for longer has a chance later, and what gave up has none.
        let longer = Observation { tried: vec![40.0], ..open.clone() };
        assert_eq!(chance(&longer, &[40.0], &hazards), 0.0);
        assert!(chance(&longer, &[80.0], &hazards) > 0.1);
        let gave_up = Observation { tried: vec![f64::INFINITY], ..open };
        assert_eq!(chance(&gave_up, &[900.0], &hazards), 0.0);
    }
}
