//! Table 1 of paper 5: the size of interpolants and its effect, ITP against CNF-ITP.
//!
//! The rows are the tasks that `imc` or `cnf-itp` proved. Columns as in the paper: state variables
//! (in the paper those in the cone of influence, here those that preprocessing leaves); k, the
//! bound at which the fixed point was found; total n, the number of iterations of the inner loop,
//! each of which computes one interpolant; the average number of clauses per interpolant; the
//! average time to extract one; the total run time. A timeout counts with the time limit in the
//! total, and its figures are those at the end of the time.
//!
//! The paper's "42 times smaller" is the last row of its table: 1,469,009 clauses of ITP against
//! 34,928 of CNF-ITP, each the sum of one average per task. What ITP's interpolants were before their
//! "translation to CNF" (footnote 4) is what the proofs give, so that reading is printed beside the
//! one of the interpolants that `imc` goes on with, which it has reduced: three clauses per gate as
//! it came from the proof, and one for the root.

use crate::record::{Outcome, Record};
use crate::results::Results;
use crate::table::Table;

pub fn text(results: &Results) -> String {
    let columns = ["pdr", "imc", "cnf-itp"].map(|name| results.engine(name));
    let [Some(pdr), Some(imc), Some(cnf)] = columns else {
        return "The study needs the engines pdr, imc and cnf-itp.\n".into();
    };
    let rows: Vec<Row> =
        results.records.iter().filter_map(|row| Row::new(row, pdr, imc, cnf)).collect();
    if rows.is_empty() {
        return "Neither imc nor cnf-itp has proved a task.\n".into();
    }
    let limit = results.limits.time.as_secs_f64();
    format!("{}\n{}\n{}", table(&rows, limit), sizes(&rows), run_times(&rows, limit))
}

struct Row<'a> {
    name: &'a str,
    variables: Option<f64>,
    pdr: Option<&'a Record>,
    imc: Side<'a>,
    cnf: Side<'a>,
}

/// One of the two compared engines on one task.
struct Side<'a> {
    record: &'a Record,
    interpolants: f64,
    clauses: Option<f64>,
    /// The clauses of an interpolant before any reduction.
    unreduced: Option<f64>,
    extraction: Option<f64>,
}

impl<'a> Row<'a> {
    fn new(row: &'a [Option<Record>], pdr: usize, imc: usize, cnf: usize) -> Option<Row<'a>> {
        let (imc, cnf) = (row[imc].as_ref()?, row[cnf].as_ref()?);
        if !imc.proved() && !cnf.proved() {
            return None;
        }
        let records = [imc, cnf];
        let variables =
            records.iter().find_map(|record| record.figure("latches after preprocessing"));
        let pdr = row[pdr].as_ref();
        Some(Row { name: &imc.task, variables, pdr, imc: Side::new(imc), cnf: Side::new(cnf) })
    }
}

impl Side<'_> {
    fn new(record: &Record) -> Side<'_> {
        let interpolants = record.figure("interpolants").unwrap_or(0.0);
        let average = |sum: f64| (interpolants > 0.0).then(|| sum / interpolants);
        Side {
            record,
            interpolants,
            clauses: clauses(record, interpolants).and_then(average),
            unreduced: record
                .figure("AND gates in proofs")
                .and_then(|ands| average(3.0 * ands + interpolants)),
            extraction: record.figure("interpolation_seconds").and_then(average),
        }
    }

    fn cells(&self) -> [String; 5] {
        let number = |name: &str| self.record.figure(name).map_or("-".into(), |v| v.to_string());
        [
            number("bound"),
            self.interpolants.to_string(),
            self.clauses.map_or("-".into(), |c| format!("{c:.0}")),
            self.extraction.map_or("-".into(), |s| format!("{s:.3}")),
            run_time(self.record),
        ]
    }
}

/// The clauses of all interpolants. Where an engine counts gates only, the conversion to CNF has
/// three clauses per AND gate and one for the root.
fn clauses(record: &Record, interpolants: f64) -> Option<f64> {
    match (record.figure("interpolant_clauses"), record.figure("interpolant_ands")) {
        (Some(clauses), _) if clauses > 0.0 => Some(clauses),
        (_, Some(ands)) => Some(3.0 * ands + interpolants),
        (clauses, None) => clauses,
    }
}

fn run_time(record: &Record) -> String {
    match record.outcome {
        _ if record.solved() => format!("{:.2}", record.cpu_seconds),
        Outcome::Timeout => "TO".into(),
        Outcome::Memory => "MO".into(),
        _ => "-".into(),
    }
}

/// What is not solved counts with the time limit.
fn total(records: impl Iterator<Item = Option<f64>>, limit: f64) -> f64 {
    records.map(|seconds| seconds.unwrap_or(limit)).sum()
}

fn seconds(record: &Record) -> Option<f64> {
    record.solved().then_some(record.cpu_seconds)
}

const HEADER: &[&str] = &[
    "name",
    "vars",
    "PDR MC[s]",
    "ITP k",
    "total n",
    "clauses avg",
    "extract[s]",
    "MC[s]",
    "CNF-ITP k",
    "total n",
    "clauses avg",
    "extract[s]",
    "MC[s]",
];

fn table(rows: &[Row], limit: f64) -> Table {
    let mut table = Table::new(1, HEADER);
    for row in rows {
        let variables = row.variables.map_or("-".into(), |v| v.to_string());
        let pdr = row.pdr.map_or("-".into(), run_time);
        let mut cells = vec![row.name.to_string(), variables, pdr];
        cells.extend(row.imc.cells());
        cells.extend(row.cnf.cells());
        table.row(cells);
    }
    let pdr = total(rows.iter().filter_map(|row| row.pdr).map(seconds), limit);
    let mut cells = vec!["total".to_string(), String::new(), format!("{pdr:.2}")];
    for side in [|row: &Row| Sums::of(&row.imc), |row: &Row| Sums::of(&row.cnf)] {
        let sums: Vec<Sums> = rows.iter().map(side).collect();
        cells.extend([String::new(), String::new()]);
        cells.push(format!("{:.0}", sums.iter().map(|s| s.clauses).sum::<f64>()));
        cells.push(format!("{:.3}", sums.iter().map(|s| s.extraction).sum::<f64>()));
        cells.push(format!("{:.2}", total(sums.iter().map(|s| s.seconds), limit)));
    }
    table.row(cells);
    table
}

struct Sums {
    clauses: f64,
    extraction: f64,
    seconds: Option<f64>,
}

impl Sums {
    fn of(side: &Side) -> Sums {
        Sums {
            clauses: side.clauses.unwrap_or(0.0),
            extraction: side.extraction.unwrap_or(0.0),
            seconds: seconds(side.record),
        }
    }
}

/// The ratio of the sums of averages, over the tasks on which both computed an interpolant.
fn sizes(rows: &[Row]) -> String {
    let pairs: Vec<(f64, f64)> =
        rows.iter().filter_map(|row| Some((row.imc.clauses?, row.cnf.clauses?))).collect();
    let smaller = pairs.iter().filter(|(imc, cnf)| cnf < imc).count();
    let (imc, cnf, ratio) = ratio(&pairs);
    let mut text = format!(
        "Average clauses, summed over {} tasks with interpolants of both: ITP {imc:.0}, CNF-ITP \
         {cnf:.0}; ratio {ratio:.1} (paper 5: 42).\nCNF-ITP has the smaller average on {smaller} of \
         them.\n",
        pairs.len(),
    );
    let unreduced: Vec<(f64, f64)> =
        rows.iter().filter_map(|row| Some((row.imc.unreduced?, row.cnf.clauses?))).collect();
    if !unreduced.is_empty() {
        let (imc, cnf, ratio) = self::ratio(&unreduced);
        text += &format!(
            "As the paper reads its table, ITP before any reduction, {} tasks: ITP {imc:.0}, \
             CNF-ITP {cnf:.0}; ratio {ratio:.1} (paper 5: 42).\n",
            unreduced.len(),
        );
    }
    text
}

/// The sums of both sides, and how many times smaller the second one is.
fn ratio(pairs: &[(f64, f64)]) -> (f64, f64, f64) {
    let imc: f64 = pairs.iter().map(|(imc, _)| imc).sum();
    let cnf: f64 = pairs.iter().map(|(_, cnf)| cnf).sum();
    (imc, cnf, imc / cnf.max(f64::MIN_POSITIVE))
}

fn run_times(rows: &[Row], limit: f64) -> String {
    let count = |wanted: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| wanted(row)).count();
    let cost = |record: &Record| seconds(record).unwrap_or(f64::INFINITY);
    let proved = |side: &Side| side.record.proved();
    format!(
        "Of these {} tasks ITP proved {}, CNF-ITP {}. CNF-ITP is faster than ITP on {}, slower on \
         {}; faster than PDR on {}, slower on {}. Not solved within {limit} s counts as slower.\n",
        rows.len(),
        count(&|row| proved(&row.imc)),
        count(&|row| proved(&row.cnf)),
        count(&|row| cost(row.cnf.record) < cost(row.imc.record)),
        count(&|row| cost(row.cnf.record) > cost(row.imc.record)),
        count(&|row| row.pdr.is_some_and(|pdr| cost(row.cnf.record) < cost(pdr))),
        count(&|row| row.pdr.is_some_and(|pdr| cost(row.cnf.record) > cost(pdr))),
    )
}
