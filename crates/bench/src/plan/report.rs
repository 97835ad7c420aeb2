//! Plans as a table for people and as a file for the portfolio.

use super::fit::Fit;
use super::folds::validated;
use super::simulate::solved;
use super::{CORES, Data, Observation, Setting, settings};
use crate::results::Results;
use crate::table::Table;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The plan of a kind of task in a setting.
struct Plan<'d> {
    kind: &'d str,
    setting: Setting,
    shares: Vec<f64>,
    tasks: Vec<&'d Observation>,
}

fn plans(data: &Data) -> Vec<Plan<'_>> {
    let all: Vec<&Observation> = data.tasks.iter().collect();
    let in_setting = |setting: Setting| {
        let fit = Fit::new(&all, data.entries.len(), setting);
        let plan = |kind| {
            let of_kind = all.iter().filter(|task| task.kind == kind).copied().collect();
            let shares = fit.plan(kind, data.before(kind, setting).as_deref());
            Plan { kind, setting, shares, tasks: of_kind }
        };
        data.kinds().into_iter().map(plan).collect::<Vec<_>>()
    };
    at_once(&settings(), in_setting).into_iter().flatten().collect()
}

/// The same for every setting, all at once.
fn at_once<T: Send>(settings: &[Setting], work: impl Fn(Setting) -> T + Sync) -> Vec<T> {
    let work = &work;
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            settings.iter().map(|&setting| scope.spawn(move || work(setting))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<T>| thread.join().expect("no panic");
        threads.into_iter().map(join).collect()
    })
}

/// Where the table has what earlier plans solve, among its counts.
const EARLIER: usize = 3;

/// What the plans solve, beside what single engines do, and what they would solve on folders that they
/// were not fitted to.
pub fn text(results: &Results) -> String {
    let data = Data::of(results);
    let engines = data.entries.len();
    let all: Vec<&Observation> = data.tasks.iter().collect();
    let mut table = Table::new(
        1,
        &[
            "kind",
            "cores",
            "seconds",
            "tasks",
            "any engine",
            "best alone",
            "earlier",
            "fitted",
            "validated",
        ],
    );
    let mut worse = Vec::new();
    let plans = plans(&data);
    let kinds = data.kinds();
    let validated: Vec<BTreeMap<&str, usize>> = at_once(&settings(), |setting| {
        let before = |kind: &str| data.before(kind, setting);
        validated((&all, &all), &kinds, engines, setting, before)
    });
    for (setting, validated) in settings().into_iter().zip(&validated) {
        let here = || plans.iter().filter(|plan| plan.setting == setting);
        let mut sums = [0; 5];
        let mut lines = Vec::new();
        for Plan { kind, shares, tasks, .. } in here() {
            let fitted = solved(tasks, shares, setting);
            let before = data.before(kind, setting);
            let validated = validated.get(kind).copied().unwrap_or(0);
            let now = before.map_or(0, |before| solved(tasks, &before, setting));
            let (any, best) = alone(tasks, engines, setting);
            for (sum, count) in sums.iter_mut().zip([tasks.len(), any, now, fitted, validated]) {
                *sum += count;
            }
            lines.push((*kind, [tasks.len(), any, best, now, fitted, validated]));
        }
        let (_, best) = alone(&all, engines, setting);
        let [count, any, now, fitted, validated] = sums;
        lines.push(("all", [count, any, best, now, fitted, validated]));
        if validated + count / 50 < best {
            worse.push(format!("{} cores, {} s", setting.cores, setting.seconds));
        }
        for (kind, counts) in lines {
            let places = [setting.cores.to_string(), setting.seconds.to_string()];
            let counts = counts.iter().enumerate().map(|(column, count)| match column {
                EARLIER if data.earlier.entries.is_empty() => String::from("-"),
                _ => count.to_string(),
            });
            table.row([kind.to_string()].into_iter().chain(places).chain(counts).collect());
        }
    }
    let claim = match worse.is_empty() {
        true => String::from(
            "On folders that it was not fitted to, the portfolio solves at least what its best member \
             solves alone in the same time, less at most one task in fifty.",
        ),
        false => format!(
            "On folders that it was not fitted to, the portfolio falls behind its best member: {}.",
            worse.join("; ")
        ),
    };
    let unknown = match data.unknown {
        0 => String::new(),
        count => format!("No run says what {count} tasks are like; they were left out.\n"),
    };
    let runs = data.limits();
    format!(
        "What portfolios solve, from runs of {runs}\n{table}\n{claim}\n{unknown}\
         What an engine solves in more time than it had here is not counted.\n\n{}",
        foresight(&data)
    )
}

/// Plans for longer times than runs had are extrapolated. How well that goes, the runs say themselves: shares for the
/// time that they had are made from the first part of each alone, and judged by all of it.
const FORESIGHT: f64 = 16.0;

/// What portfolios solve whose shares were made from the beginnings of the runs.
fn foresight(data: &Data) -> String {
    let seconds = data.limit;
    let known = seconds / FORESIGHT;
    let all: Vec<&Observation> = data.tasks.iter().collect();
    let early: Vec<Observation> = all.iter().map(|task| task.within(known)).collect();
    let early: Vec<&Observation> = early.iter().collect();
    let (kinds, engines) = (data.kinds(), data.entries.len());
    let columns = ["cores", "seconds", "best alone", "from all", "from the beginnings"];
    let mut table = Table::new(0, &columns);
    let rows = CORES.map(|cores| Setting { cores, seconds });
    let counts = at_once(&rows, |setting| {
        let count = |lessons: &[&Observation]| -> usize {
            validated((lessons, &all), &kinds, engines, setting, |_| None).values().sum()
        };
        [alone(&all, engines, setting).1, count(&all), count(&early)]
    });
    for (setting, counts) in rows.iter().zip(counts) {
        let cells = [setting.cores.to_string(), setting.seconds.to_string()];
        table.row(cells.into_iter().chain(counts.iter().map(usize::to_string)).collect());
    }
    format!(
        "The same, with shares made from all of the runs, and from the first {known} s of each\n{table}"
    )
}

/// What any engine solves alone in a time, and what the best one does.
fn alone(tasks: &[&Observation], engines: usize, setting: Setting) -> (usize, usize) {
    let has = |task: &Observation, engine: usize| {
        task.times[engine].is_some_and(|time| time <= setting.seconds)
    };
    let any = tasks.iter().filter(|task| (0..engines).any(|engine| has(task, engine))).count();
    let count = |engine| tasks.iter().filter(|task| has(task, engine)).count();
    (any, (0..engines).map(count).max().unwrap_or(0))
}

/// The plans as a file: a line per plan and a column per engine, after a comment that says on what they
/// were made.
pub fn file(results: &Results) -> String {
    let data = Data::of(results);
    let mut text = format!(
        "# Shares of the engines of a portfolio, by kind of task, number of cores and seconds.\n\
         # Made by `wedge bench --study shares` from the suite {}: {} tasks, {} engines, {}.\n\
         kind\tcores\tseconds\t{}\n",
        results.suite,
        data.tasks.len(),
        data.entries.len(),
        data.limits(),
        data.entries.join("\t")
    );
    for Plan { kind, setting, shares, .. } in plans(&data) {
        let shares: Vec<String> = shares.iter().map(f64::to_string).collect();
        let Setting { cores, seconds } = setting;
        let _ = writeln!(text, "{kind}\t{cores}\t{seconds}\t{}", shares.join("\t"));
    }
    text
}
