//! The evaluation of Beyer, Chien, Jankola, Lee, "A Transferability Study of Interpolation-Based
//! Hardware Model Checking to Software Verification" (paper 4, section 6): tables 1 to 3, the
//! numbers behind the quantile plots, and the claims H1.A to H2.E. The tasks may be programs or
//! circuits.

use super::hardware;
use super::overview::{KINDS, absence, categories, columns, quantiles, summary};
use crate::record::Record;
use crate::results::Results;
use crate::table::Table;
use std::collections::HashSet;

/// The engines of tables 1 and 3, in their order.
const COMPARED: [&str; 3] = ["imc", "ismc", "dar"];
const ALL: [&str; 5] = ["imc", "ismc", "dar", "impact", "predabs"];

/// The figure that counts the loops of a program.
const LOOPS: &str = "model: loop heads";

pub fn text(results: &Results) -> String {
    let (compared, missing) = columns(results, &COMPARED, &|_| true);
    if !missing.is_empty() {
        return format!("The study needs the engines {}.\n", COMPARED.join(", "));
    }
    format!(
        "Table 1: results\n{}\nTable 2: CPU time on tasks that both solved [s]\n{}\nFigure 2a: \
         CPU time of the n-th fastest alarm [s]\n{}\nFigure 2b: CPU time of the n-th fastest \
         proof [s]\n{}\n{}\n{}",
        summary(&compared),
        common_times(results),
        quantiles(&compared, Record::refuted),
        quantiles(&compared, Record::proved),
        single_loops(results),
        hardware::text(results),
    )
}

/// Table 2: IMC against ISMC and DAR, in all, on proofs and on alarms.
fn common_times(results: &Results) -> Table {
    let header = ["tasks", "number", "imc", "ismc", "ratio", "number", "imc", "dar", "ratio"];
    let mut table = Table::new(1, &header);
    for (kind, solves) in KINDS {
        let mut cells = vec![kind.to_string()];
        for other in ["ismc", "dar"] {
            let engines = results.engine("imc").zip(results.engine(other));
            let pairs: Vec<(&Record, &Record)> = engines
                .into_iter()
                .flat_map(|(imc, other)| results.pairs(imc, other))
                .filter(|(a, b)| solves(a) && solves(b))
                .collect();
            let imc: f64 = pairs.iter().map(|(imc, _)| imc.cpu_seconds).sum();
            let its: f64 = pairs.iter().map(|(_, other)| other.cpu_seconds).sum();
            let ratio = if imc > 0.0 { format!("{:.2}", its / imc) } else { "-".into() };
            cells.extend([
                pairs.len().to_string(),
                format!("{imc:.2}"),
                format!("{its:.2}"),
                ratio,
            ]);
        }
        table.row(cells);
    }
    table
}

/// Table 3: the comparison with Impact and predicate abstraction on programs with at most one
/// loop, in all and by category. Without the number of loops in the figures it is about all tasks.
fn single_loops(results: &Results) -> String {
    let loops = |record: &Record| record.figure(LOOPS);
    let many: HashSet<&str> = results
        .iter()
        .filter(|record| loops(record).is_some_and(|number| number > 1.0))
        .map(|record| record.task.as_str())
        .collect();
    let scope = match results.iter().any(|record| loops(record).is_some()) {
        true => "tasks with at most one loop",
        false => "all tasks, as the runs do not tell the number of loops",
    };
    let wanted = |record: &Record| !many.contains(record.task.as_str());
    let (columns, absent) = columns(results, &ALL, &wanted);
    format!(
        "Table 3: results on {scope}\n{}{}\n{}",
        summary(&columns),
        absence(&absent),
        categories(results, &columns)
    )
}
