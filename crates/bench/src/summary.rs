//! How many tasks each engine solved, by category and in all.

use crate::record::{Judgement, Record};
use crate::results::Results;
use crate::table::Table;
use serde::Serialize;

/// Counts over the runs of one engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Counts {
    pub runs: usize,
    pub correct_proofs: usize,
    pub correct_alarms: usize,
    pub unconfirmed: usize,
    pub wrong: usize,
    pub timeouts: usize,
    pub out_of_memory: usize,
    pub other: usize,
    pub seconds: f64,
    pub cpu_seconds: f64,
}

impl Counts {
    fn add(&mut self, record: &Record) {
        self.runs += 1;
        self.seconds += record.seconds;
        self.cpu_seconds += record.cpu_seconds;
        *match record.judgement() {
            Judgement::CorrectProof => &mut self.correct_proofs,
            Judgement::CorrectAlarm => &mut self.correct_alarms,
            Judgement::Unconfirmed => &mut self.unconfirmed,
            Judgement::Wrong => &mut self.wrong,
            Judgement::Timeout => &mut self.timeouts,
            Judgement::Memory => &mut self.out_of_memory,
            Judgement::Other => &mut self.other,
        } += 1;
    }
}

/// The counts of one engine, on one category or on all tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    pub engine: String,
    pub category: String,
    #[serde(flatten)]
    pub counts: Counts,
}

pub const ALL: &str = "all";

/// A line per engine and category, then one for all of them if there are several.
pub fn summarise(results: &Results) -> Vec<Line> {
    let mut categories: Vec<&str> = results.tasks.iter().map(|t| t.category.as_str()).collect();
    categories.sort_unstable();
    categories.dedup();
    let mut lines = Vec::new();
    for (index, engine) in results.engines.iter().enumerate() {
        let line = |category: &str, wanted: &dyn Fn(&Record) -> bool| {
            let mut counts = Counts::default();
            let records = results.column(index).flatten().filter(|record| wanted(record));
            records.for_each(|record| counts.add(record));
            Line { engine: engine.name.clone(), category: category.into(), counts }
        };
        if categories.len() > 1 {
            lines.extend(categories.iter().map(|&c| line(c, &|record| record.category == c)));
        }
        lines.push(line(ALL, &|_| true));
    }
    lines
}

const HEADER: &[&str] = &[
    "engine",
    "category",
    "runs",
    "proofs",
    "alarms",
    "unconfirmed",
    "wrong",
    "timeouts",
    "out of memory",
    "other",
    "seconds",
    "cpu seconds",
];

pub fn table(lines: &[Line]) -> Table {
    let mut table = Table::new(2, HEADER);
    for Line { engine, category, counts: c } in lines {
        let numbers = [
            c.runs,
            c.correct_proofs,
            c.correct_alarms,
            c.unconfirmed,
            c.wrong,
            c.timeouts,
            c.out_of_memory,
            c.other,
        ];
        let mut row = vec![engine.clone(), category.clone()];
        row.extend(numbers.iter().map(usize::to_string));
        row.extend([c.seconds, c.cpu_seconds].map(|seconds| format!("{seconds:.1}")));
        table.row(row);
    }
    table
}

/// Every run that did not give an answer to rely on, and every contradiction.
pub fn unsolved(results: &Results) -> Table {
    let mut table = Table::new(5, &["engine", "task", "expected", "result", "reason", "seconds"]);
    for record in results.iter().filter(|record| !record.solved()) {
        let Record { engine, task, expected, reason, seconds, .. } = record;
        table.row(vec![
            engine.clone(),
            task.clone(),
            expected.name().into(),
            record.judgement().name().into(),
            reason.clone(),
            format!("{seconds:.2}"),
        ]);
    }
    table
}

/// The first engine against each other one: what both solved and how their times compare.
pub fn comparison(results: &Results) -> Table {
    let header = &["engines", "both solved", "time ratio", "only first", "only second"];
    let mut table = Table::new(1, header);
    for other in 1..results.engines.len() {
        let pairs: Vec<_> = results.pairs(0, other).collect();
        let both: Vec<_> = pairs.iter().filter(|(x, y)| x.solved() && y.solved()).collect();
        let first: f64 = both.iter().map(|(x, _)| x.seconds).sum();
        let second: f64 = both.iter().map(|(_, y)| y.seconds).sum();
        let only_first = pairs.iter().filter(|(x, y)| x.solved() && !y.solved()).count();
        let only_second = pairs.iter().filter(|(x, y)| !x.solved() && y.solved()).count();
        table.row(vec![
            format!("{} : {}", results.engines[0].name, results.engines[other].name),
            both.len().to_string(),
            if second > 0.0 { format!("{:.2}", first / second) } else { "-".into() },
            only_first.to_string(),
            only_second.to_string(),
        ]);
    }
    table
}
