//! A suite divided by tasks, for several machines.

use crate::tasks::Task;
use std::fmt;
use std::str::FromStr;

/// Shard `index` of `count`, from 1: every `count`-th task. All engines run on a task in the same
/// shard, so that their times come from one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    pub index: usize,
    pub count: usize,
}

impl Shard {
    /// Whether it has the task with this number, from 0.
    pub fn has(self, task: usize) -> bool {
        task % self.count == self.index - 1
    }

    pub fn tasks(self, tasks: Vec<Task>) -> Vec<Task> {
        let numbered = tasks.into_iter().enumerate();
        numbered.filter(|(number, _)| self.has(*number)).map(|(_, task)| task).collect()
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let error = || "expected I/N with I from 1 to N, such as 2/5".to_string();
        let (index, count) = text.split_once('/').ok_or_else(error)?;
        let [index, count] = [index, count].map(|number| number.parse().unwrap_or(0));
        if index == 0 || index > count {
            return Err(error());
        }
        Ok(Shard { index, count })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_in_one_shard() {
        let tasks = |range: std::ops::Range<usize>| -> Vec<Task> {
            range.map(|n| Task { name: n.to_string(), ..Task::default() }).collect()
        };
        for count in 1..8 {
            let shards = (1..=count).map(|index| Shard { index, count });
            let mut names: Vec<String> =
                shards.flat_map(|s| s.tasks(tasks(0..5))).map(|task| task.name).collect();
            names.sort();
            assert_eq!(names, ["0", "1", "2", "3", "4"]);
        }
    }

    #[test]
    fn read_from_text() {
        assert_eq!("2/5".parse(), Ok(Shard { index: 2, count: 5 }));
        for bad in ["", "0/5", "6/5", "1", "1/0", "a/b", "-1/2", "1/2/3"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
