//! Cross-validation over folders: tasks of one folder are often one program in several versions, so
//! whoever has seen some of them has seen all.

use super::fit::Fit;
use super::simulate::solved;
use super::{Observation, Setting};
use std::collections::BTreeMap;

/// Into so many parts the tasks are split.
const FOLDS: usize = 5;

/// For each task the part that it belongs to: folders as a whole, the largest ones first, each to the
/// part that has the fewest tasks.
fn parts(tasks: &[&Observation]) -> Vec<usize> {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    tasks.iter().for_each(|task| *sizes.entry(&task.folder).or_default() += 1);
    let mut folders: Vec<(&str, usize)> = sizes.into_iter().collect();
    folders.sort_by_key(|&(_, size)| std::cmp::Reverse(size));
    let mut filled = [0; FOLDS];
    let mut part_of: BTreeMap<&str, usize> = BTreeMap::new();
    for (folder, size) in folders {
        let part = (0..FOLDS).min_by_key(|&part| filled[part]).unwrap_or(0);
        filled[part] += size;
        part_of.insert(folder, part);
    }
    tasks.iter().map(|task| part_of[task.folder.as_str()]).collect()
}

/// By kind of task: how many are solved with shares that were fitted to tasks of other folders, of which
/// `lessons` says what is known, in the order of the tasks.
pub fn validated<'k, 'o>(
    (lessons, tasks): (&[&'o Observation], &[&'o Observation]),
    kinds: &[&'k str],
    engines: usize,
    setting: Setting,
    before: impl Fn(&str) -> Option<Vec<f64>>,
) -> BTreeMap<&'k str, usize> {
    let parts = parts(tasks);
    let mut solved_by_kind = BTreeMap::new();
    for part in 0..FOLDS {
        let of_part = |all: &[&'o Observation], is_own: bool| -> Vec<&'o Observation> {
            let pairs = all.iter().zip(&parts).filter(|&(_, &own)| (own == part) == is_own);
            pairs.map(|(&task, _)| task).collect()
        };
        let fit = Fit::new(&of_part(lessons, false), engines, setting);
        let own = of_part(tasks, true);
        for &kind in kinds {
            let own: Vec<&Observation> =
                own.iter().filter(|task| task.kind == kind).copied().collect();
            let count = match own.is_empty() {
                true => 0,
                false => solved(&own, &fit.plan(kind, before(kind).as_deref()), setting),
            };
            *solved_by_kind.entry(kind).or_default() += count;
        }
    }
    solved_by_kind
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(count: usize, folder: impl Fn(usize) -> String) -> Vec<Observation> {
        let task = |index: usize| Observation {
            folder: folder(index),
            kind: String::new(),
            times: vec![Some(6.0), None],
            tried: vec![10.0; 2],
        };
        (0..count).map(task).collect()
    }

    #[test]
    fn folders_stay_together() {
        let tasks = tasks(40, |index| format!("{}", index % 7));
        let tasks: Vec<&Observation> = tasks.iter().collect();
        let parts = parts(&tasks);
        assert!((7..40).all(|index| parts[index] == parts[index % 7]));
        assert!((0..FOLDS).all(|part| parts.contains(&part)));
    }

    /// What only one folder shows is not known where that folder is judged.
    #[test]
    fn what_was_fitted_is_not_what_is_reported() {
        let mut all = tasks(12, |index| format!("{}", index % 6));
        // One folder is solved by the other engine only.
        all.iter_mut().filter(|task| task.folder == "5").for_each(|task| task.times.reverse());
        let all: Vec<&Observation> = all.iter().collect();
        let one = Setting { cores: 1, seconds: 10.0 };
        let two = Setting { cores: 2, seconds: 10.0 };
        let fitted = |setting| solved(&all, &Fit::new(&all, 2, setting).plan("", None), setting);
        let validated = |setting| validated((&all, &all), &[""], 2, setting, |_| None)[""];
        assert_eq!(validated(one), 10);
        assert_eq!(fitted(two), 12);
        assert_eq!(validated(two), 10);
    }
}
