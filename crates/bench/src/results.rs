//! The results of a suite by engine and task.

use crate::plan::Earlier;
use crate::record::{Judgement, Outcome, Record};
use crate::suite::{Engine, Limits};
use crate::tasks::Task;

pub struct Results {
    pub suite: String,
    pub limits: Limits,
    pub engines: Vec<Engine>,
    pub tasks: Vec<Task>,
    /// Plans of a portfolio that there were before.
    pub plans: Earlier,
    /// One row per task, one entry per engine; none if that run has not been made.
    pub records: Vec<Vec<Option<Record>>>,
}

impl Results {
    pub fn iter(&self) -> impl Iterator<Item = &Record> {
        self.records.iter().flatten().flatten()
    }

    /// The column of an engine.
    pub fn engine(&self, name: &str) -> Option<usize> {
        self.engines.iter().position(|engine| engine.name == name)
    }

    /// The runs of an engine, task by task.
    pub fn column(&self, engine: usize) -> impl Iterator<Item = Option<&Record>> {
        self.records.iter().map(move |row| row[engine].as_ref())
    }

    /// The runs of two engines on the tasks that both have run on.
    pub fn pairs(&self, a: usize, b: usize) -> impl Iterator<Item = (&Record, &Record)> {
        self.column(a).zip(self.column(b)).filter_map(|(a, b)| Some((a?, b?)))
    }

    pub fn is_complete(&self) -> bool {
        self.missing() == 0
    }

    /// How many runs have not been made that the suite asks for.
    pub fn missing(&self) -> usize {
        let row = |(task, row): (&Task, &Vec<Option<Record>>)| {
            let cells = self.engines.iter().zip(row);
            cells.filter(|(engine, record)| engine.runs_on(task) && record.is_none()).count()
        };
        self.tasks.iter().zip(&self.records).map(row).sum()
    }

    /// Tasks on which engines contradict each other.
    pub fn contradictions(&self) -> Vec<&Task> {
        let has = |row: &[Option<Record>], outcome| {
            row.iter().flatten().any(|record| record.outcome == outcome)
        };
        let rows = self.tasks.iter().zip(&self.records);
        let contradictory = rows.filter(|(_, r)| has(r, Outcome::True) && has(r, Outcome::False));
        contradictory.map(|(task, _)| task).collect()
    }

    /// Some verdict cannot be right.
    pub fn any_wrong(&self) -> bool {
        self.iter().any(|record| record.judgement() == Judgement::Wrong)
            || !self.contradictions().is_empty()
    }
}
