//! The evaluation of Tian, Duan, Duan, Ong, "More Effective Interpolations in Software Model Checking"
//! (paper 3, section V): tables I to III by package, the ratios of figure 9, and its four
//! observations.
//!
//! A mode is an engine of the suite named after its letters: `interp-r` for R, `interp-rsew` for
//! R+S+E+W. The package of a task is the folder that it lies in.

use super::claims::Claim;
use crate::plot::shares;
use crate::record::Record;
use crate::results::Results;
use crate::table::Table;
use std::path::Path;

/// The modes of table II, in its order, as the suite and as the paper name them.
const MODES: [(&str, &str); 6] = [
    ("interp-r", "R"),
    ("interp-re", "R+E"),
    ("interp-rs", "R+S"),
    ("interp-rse", "R+S+E"),
    ("interp-rsw", "R+S+W"),
    ("interp-rsew", "R+S+E+W"),
];

const SOURCE: &str = "paper 3";

pub fn text(results: &Results) -> String {
    let modes = modes(results);
    let packages = packages(results);
    let absent = MODES.iter().filter(|(name, _)| results.engine(name).is_none());
    let absent: Vec<&str> = absent.map(|&(name, _)| name).collect();
    let absence = match absent.is_empty() {
        true => String::new(),
        false => format!("Not in the suite: {}.\n", absent.join(", ")),
    };
    let claims: Vec<String> = claims(&modes).iter().map(|claim| claim.text(SOURCE)).collect();
    format!(
        "Table I: tasks that each engine solves\n{}\nTable II: tasks solved and not solved by \
         mode\n{}{absence}\nTable III: CPU time [s], not solved with the time that it took\n{}\n\
         Nodes of the reachability graphs, on tasks that all modes solve\n{}\nNodes on all tasks: \
         {}\n\nFigure 9: share of \
         the tasks that R solves, and of those that it does not\n{}\n{}",
        solved_table(results, &packages),
        modes_table(&modes, &packages),
        times_table(&modes, &packages),
        nodes(&modes),
        all_nodes(&modes),
        ratios(&modes),
        claims.join("\n"),
    )
}

/// Figure 9 as two plots, each with the name of its file.
pub fn plots(results: &Results) -> Vec<(String, String)> {
    let modes = modes(results);
    let Some(first) = modes.first().filter(|mode| mode.name == "R") else { return Vec::new() };
    let (solved, open) = first.split();
    let bars = |tasks: &[usize], wanted: bool| -> Vec<(String, f64)> {
        let bar = |mode: &Mode| {
            let part = tasks.iter().filter(|&&task| mode.solved(task) == wanted).count();
            (mode.name.to_string(), part as f64 / tasks.len() as f64)
        };
        modes.iter().filter(|_| !tasks.is_empty()).map(bar).collect()
    };
    let title = |what: &str, count: usize| format!("{what} ({count} tasks)");
    let kept = title("Solved, of the tasks that R solves", solved.len());
    let left = title("Not solved, of the tasks that R does not solve", open.len());
    vec![
        ("interp-figure-9a.svg".to_string(), shares(&kept, &bars(&solved, true))),
        ("interp-figure-9b.svg".to_string(), shares(&left, &bars(&open, false))),
    ]
}

fn modes(results: &Results) -> Vec<Mode<'_>> {
    MODES.iter().filter_map(|&(name, shown)| Mode::new(results, name, shown)).collect()
}

struct Mode<'a> {
    name: &'a str,
    /// One per task.
    records: Vec<Option<&'a Record>>,
}

impl<'a> Mode<'a> {
    fn new(results: &'a Results, name: &str, shown: &'a str) -> Option<Mode<'a>> {
        let engine = results.engine(name)?;
        Some(Mode { name: shown, records: results.column(engine).collect() })
    }

    fn solved(&self, task: usize) -> bool {
        self.records[task].is_some_and(Record::solved)
    }

    fn count(&self) -> usize {
        (0..self.records.len()).filter(|&task| self.solved(task)).count()
    }

    /// The tasks that it solves, and the others.
    fn split(&self) -> (Vec<usize>, Vec<usize>) {
        (0..self.records.len()).partition(|&task| self.solved(task))
    }
}

/// The folder of a task.
fn package(path: &str) -> String {
    let mut parts = path.rsplit('/').skip(1);
    parts.next().unwrap_or(".").to_string()
}

/// Each package with the numbers of its tasks, and all of them together.
fn packages(results: &Results) -> Vec<(String, Vec<usize>)> {
    let mut packages: Vec<(String, Vec<usize>)> = Vec::new();
    for (number, task) in results.tasks.iter().enumerate() {
        let name = package(&task.name);
        match packages.iter_mut().find(|(known, _)| *known == name) {
            Some((_, tasks)) => tasks.push(number),
            None => packages.push((name, vec![number])),
        }
    }
    packages.sort();
    packages.push(("total".to_string(), (0..results.tasks.len()).collect()));
    packages
}

fn solved_table(results: &Results, packages: &[(String, Vec<usize>)]) -> Table {
    let names = results.engines.iter().map(|engine| engine.name.as_str());
    let header: Vec<&str> = ["package", "tasks", "KLOC"].into_iter().chain(names).collect();
    let mut table = Table::new(1, &header);
    let lines: Vec<usize> = results.tasks.iter().map(|task| lines(&task.file)).collect();
    for (name, tasks) in packages {
        let lines: usize = tasks.iter().map(|&task| lines[task]).sum();
        let mut cells = vec![name.clone(), tasks.len().to_string()];
        cells.push(format!("{:.1}", lines as f64 / 1000.0));
        for engine in 0..results.engines.len() {
            let solved = |task: &&usize| {
                results.records[**task][engine].as_ref().is_some_and(Record::solved)
            };
            cells.push(tasks.iter().filter(solved).count().to_string());
        }
        table.row(cells);
    }
    table
}

/// The lines of a file; none if it is not there any more.
fn lines(file: &Path) -> usize {
    std::fs::read(file).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count())
}

fn modes_table(modes: &[Mode], packages: &[(String, Vec<usize>)]) -> Table {
    let header: Vec<String> = modes.iter().map(|mode| mode.name.to_string()).collect();
    let header: Vec<&str> =
        std::iter::once("package").chain(header.iter().map(String::as_str)).collect();
    let mut table = Table::new(1, &header);
    for (name, tasks) in packages {
        let cell = |mode: &Mode| {
            let solved = tasks.iter().filter(|&&task| mode.solved(task)).count();
            format!("{solved} / {}", tasks.len() - solved)
        };
        table.row(std::iter::once(name.clone()).chain(modes.iter().map(cell)).collect());
    }
    table
}

fn times_table(modes: &[Mode], packages: &[(String, Vec<usize>)]) -> Table {
    let header: Vec<&str> =
        std::iter::once("package").chain(modes.iter().map(|mode| mode.name)).collect();
    let mut table = Table::new(1, &header);
    for (name, tasks) in packages {
        let cell = |mode: &Mode| format!("{:.1}", seconds(mode, tasks));
        table.row(std::iter::once(name.clone()).chain(modes.iter().map(cell)).collect());
    }
    table
}

fn seconds(mode: &Mode, tasks: &[usize]) -> f64 {
    tasks.iter().filter_map(|&task| mode.records[task]).map(|record| record.cpu_seconds).sum()
}

/// Nodes and what was saved of them.
fn nodes(modes: &[Mode]) -> Table {
    let figures = [
        "nodes",
        "nodes covered",
        "nodes pruned by safety interpolants",
        "safety interpolants withdrawn",
        "error interpolants confirmed",
        "error interpolants withdrawn",
    ];
    let header: Vec<&str> =
        std::iter::once("figure").chain(modes.iter().map(|mode| mode.name)).collect();
    let mut table = Table::new(1, &header);
    let count = modes.first().map_or(0, |mode| mode.records.len());
    let common: Vec<usize> =
        (0..count).filter(|&task| modes.iter().all(|mode| mode.solved(task))).collect();
    for figure in figures {
        let cell = |mode: &Mode| {
            let values = common.iter().filter_map(|&task| mode.records[task]?.figure(figure));
            // Starts from 0, since a sum of nothing is -0.
            format!("{:.0}", values.fold(0.0, |sum, value| sum + value))
        };
        table.row(std::iter::once(figure.to_string()).chain(modes.iter().map(cell)).collect());
    }
    table
}

/// How many nodes each mode has made, solved or not.
fn all_nodes(modes: &[Mode]) -> String {
    let of = |mode: &Mode| {
        let nodes = mode.records.iter().filter_map(|record| record.as_ref()?.figure("nodes"));
        format!("{} {:.0}", mode.name, nodes.fold(0.0, |sum, value| sum + value))
    };
    modes.iter().map(of).collect::<Vec<_>>().join(", ")
}

/// Figure 9: of the tasks that R solves (a) and that it does not solve (b), those that a mode
/// solves (a) and does not solve (b).
fn ratios(modes: &[Mode]) -> Table {
    let mut table = Table::new(1, &["mode", "(a) solved", "(b) not solved"]);
    let Some(first) = modes.first().filter(|mode| mode.name == "R") else { return table };
    let (solved, open) = first.split();
    let share = |part: usize, whole: usize| match whole {
        0 => "-".to_string(),
        _ => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
    };
    for mode in modes {
        let kept = solved.iter().filter(|&&task| mode.solved(task)).count();
        let left = open.iter().filter(|&&task| !mode.solved(task)).count();
        let cells = [mode.name.to_string(), share(kept, solved.len()), share(left, open.len())];
        table.row(cells.to_vec());
    }
    table
}

/// The observations of section V.
fn claims(modes: &[Mode]) -> Vec<Claim> {
    let observations: [(&str, &str, &[&str], &[&str]); 4] = [
        ("Observation 1", "R+E and R+S each verify more than R.", &["R+E", "R+S"], &["R"]),
        (
            "Observation 2",
            "R+S+E verifies more than R+E and than R+S.",
            &["R+S+E"],
            &["R+E", "R+S"],
        ),
        ("Observation 3", "R+S+W verifies more than R+S.", &["R+S+W"], &["R+S"]),
        (
            "Observation 4",
            "R+S+E+W verifies the most.",
            &["R+S+E+W"],
            &["R", "R+E", "R+S", "R+S+E", "R+S+W"],
        ),
    ];
    let count = |name: &str| modes.iter().find(|mode| mode.name == name).map(Mode::count);
    let claim = |&(name, claim, better, worse): &(&'static str, &'static str, &[&str], &[&str])| {
        let all: Vec<&str> = better.iter().chain(worse).copied().collect();
        let numbers = all.iter().map(|&mode| {
            count(mode).map_or(format!("{mode} -"), |solved| format!("{mode} {solved}"))
        });
        let holds = all
            .iter()
            .all(|mode| count(mode).is_some())
            .then(|| better.iter().all(|more| worse.iter().all(|less| count(more) > count(less))));
        let numbers = numbers.collect::<Vec<_>>().join(", ");
        Claim { name, claim, for_software: true, numbers, holds }
    };
    observations.iter().map(claim).collect()
}
