//! The summary tables of papers 1 and 4: one column per engine, one row per kind of result.

use crate::record::{Judgement, Outcome, Record};
use crate::results::Results;
use crate::table::Table;

/// The runs of one engine that a table is about.
pub struct Column<'a> {
    pub name: &'a str,
    pub records: Vec<&'a Record>,
}

/// The engines of a paper that the suite has, in the order of the paper, and those that it lacks.
pub fn columns<'a>(
    results: &'a Results,
    names: &[&'a str],
    wanted: &dyn Fn(&Record) -> bool,
) -> (Vec<Column<'a>>, Vec<&'a str>) {
    let (mut columns, mut absent) = (Vec::new(), Vec::new());
    for &name in names {
        match results.engine(name) {
            Some(index) => {
                let records = results.column(index).flatten().filter(|record| wanted(record));
                columns.push(Column { name, records: records.collect() });
            }
            None => absent.push(name),
        }
    }
    (columns, absent)
}

/// What is said about engines of the paper that did not run.
pub fn absence(absent: &[&str]) -> String {
    match absent {
        [] => String::new(),
        names => format!("Absent, since the suite has no such engine: {}.\n", names.join(", ")),
    }
}

impl Column<'_> {
    pub fn count(&self, wanted: impl Fn(&Record) -> bool) -> usize {
        self.records.iter().filter(|record| wanted(record)).count()
    }

    pub fn correct(&self) -> usize {
        self.count(Record::solved)
    }

    pub fn wrong(&self, outcome: Outcome) -> usize {
        self.count(|record| record.judgement() == Judgement::Wrong && record.outcome == outcome)
    }

    fn judged(&self, judgement: Judgement) -> usize {
        self.count(|record| record.judgement() == judgement)
    }

    fn sum(&self, time: impl Fn(&Record) -> f64) -> f64 {
        self.records.iter().filter(|record| record.solved()).map(|record| time(record)).sum()
    }
}

/// A row of numbers, one per engine.
fn row(table: &mut Table, name: &str, columns: &[Column], cell: impl Fn(&Column) -> String) {
    let cells = columns.iter().map(cell);
    table.row([name.to_string()].into_iter().chain(cells).collect());
}

/// Results by kind, then processor and wall-clock time of the correct ones.
pub fn summary(columns: &[Column]) -> Table {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let mut table = Table::new(1, &[&["algorithm"], names.as_slice()].concat());
    let number = |n: usize| n.to_string();
    row(&mut table, "tasks", columns, |c| number(c.records.len()));
    row(&mut table, "correct results", columns, |c| number(c.correct()));
    row(&mut table, "  proofs", columns, |c| number(c.count(Record::proved)));
    row(&mut table, "  alarms", columns, |c| number(c.count(Record::refuted)));
    row(&mut table, "wrong proofs", columns, |c| number(c.wrong(Outcome::True)));
    row(&mut table, "wrong alarms", columns, |c| number(c.wrong(Outcome::False)));
    row(&mut table, "timeouts", columns, |c| number(c.judged(Judgement::Timeout)));
    row(&mut table, "out of memory", columns, |c| number(c.judged(Judgement::Memory)));
    row(&mut table, "other inconclusive", columns, |c| number(c.judged(Judgement::Other)));
    row(&mut table, "CPU time of correct [s]", columns, |c| {
        format!("{:.2}", c.sum(|record| record.cpu_seconds))
    });
    row(&mut table, "wall time of correct [s]", columns, |c| {
        format!("{:.2}", c.sum(|record| record.seconds))
    });
    table
}

/// The points of the quantile plots: how long the n-th fastest answer took, in processor time, at
/// every tenth of the largest number of answers.
pub fn quantiles(columns: &[Column], wanted: impl Fn(&Record) -> bool + Copy) -> Table {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let mut table = Table::new(0, &[&["n-th fastest"], names.as_slice()].concat());
    let times = |column: &Column| {
        let answers = column.records.iter().filter(|record| wanted(record));
        let mut times: Vec<f64> = answers.map(|record| record.cpu_seconds).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let times: Vec<Vec<f64>> = columns.iter().map(times).collect();
    let most = times.iter().map(Vec::len).max().unwrap_or(0);
    let mut last = 0;
    for tenth in 1..=10 {
        let n = (most * tenth).div_ceil(10);
        if n == last {
            continue;
        }
        last = n;
        let cell = |times: &Vec<f64>| times.get(n - 1).map_or("-".into(), |t| format!("{t:.2}"));
        table.row([n.to_string()].into_iter().chain(times.iter().map(cell)).collect());
    }
    table
}

/// A kind of answers and how to tell them.
pub type Kind = (&'static str, fn(&Record) -> bool);

pub const KINDS: [Kind; 3] =
    [("total", Record::solved), ("proofs", Record::proved), ("alarms", Record::refuted)];

/// Correct results, proofs and alarms of each category.
pub fn categories(results: &Results, columns: &[Column]) -> Table {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let mut table = Table::new(2, &[&["category", "results"], names.as_slice()].concat());
    let mut categories: Vec<&str> = results.tasks.iter().map(|t| t.category.as_str()).collect();
    categories.sort_unstable();
    categories.dedup();
    for category in categories {
        for (kind, wanted) in KINDS {
            let cell = |column: &Column| {
                let here = |record: &Record| record.category == category && wanted(record);
                column.count(here).to_string()
            };
            let first = if kind == KINDS[0].0 { category } else { "" };
            let head = [first.to_string(), kind.to_string()];
            table.row(head.into_iter().chain(columns.iter().map(cell)).collect());
        }
    }
    table
}
