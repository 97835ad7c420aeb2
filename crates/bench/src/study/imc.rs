//! The evaluation of Beyer, Lee, Wendler, "Interpolation and SAT-Based Model Checking Revisited:
//! Adoption to Software Verification" (paper 1, section 5): table 2, the numbers behind the
//! quantile plots of figure 5 and the scatter plots of figure 6, and what the text concludes.

use super::claims::Claim;
use super::overview::{Column, absence, columns, quantiles, summary};
use crate::record::{Outcome, Record};
use crate::results::Results;
use crate::table::Table;

/// The engines of table 2, in its order.
const ENGINES: [&str; 6] = ["imc", "pdr", "bmc", "kind", "predabs", "impact"];

/// Those of them that use interpolants, in the words of the paper.
const INTERPOLATING: [&str; 4] = ["imc", "pdr", "predabs", "impact"];

const SOURCE: &str = "paper 1";

pub fn text(results: &Results) -> String {
    let (columns, absent) = columns(results, &ENGINES, &|_| true);
    let Some(imc) = columns.iter().find(|column| column.name == "imc") else {
        return "The study needs the engine imc.\n".into();
    };
    let claims = claims(results, &columns, imc).map(|claim| claim.text(SOURCE)).join("\n");
    format!(
        "Table 2: results\n{}{}\nFigure 5a: CPU time of the n-th fastest proof [s]\n{}\nFigure \
         5b: CPU time of the n-th fastest alarm [s]\n{}\nFigure 6: CPU time of imc against the \
         others\n{}\n{claims}",
        summary(&columns),
        absence(&absent),
        quantiles(&columns, Record::proved),
        quantiles(&columns, Record::refuted),
        against(results, &columns),
    )
}

/// For each other engine, how the tasks lie with respect to the diagonal.
fn against(results: &Results, columns: &[Column]) -> Table {
    let header = ["engine", "both", "imc faster", "imc slower", "only imc", "only other"];
    let mut table = Table::new(1, &header);
    let Some(imc) = results.engine("imc") else { return table };
    for other in columns.iter().filter(|column| column.name != "imc") {
        let Some(index) = results.engine(other.name) else { continue };
        let pairs: Vec<(&Record, &Record)> = results.pairs(imc, index).collect();
        let count = |wanted: &dyn Fn(&Record, &Record) -> bool| {
            pairs.iter().filter(|(a, b)| wanted(a, b)).count().to_string()
        };
        let both = |a: &Record, b: &Record| a.solved() && b.solved();
        table.row(vec![
            other.name.to_string(),
            count(&both),
            count(&|a, b| both(a, b) && a.cpu_seconds < b.cpu_seconds),
            count(&|a, b| both(a, b) && a.cpu_seconds > b.cpu_seconds),
            count(&|a, b| a.solved() && !b.solved()),
            count(&|a, b| !a.solved() && b.solved()),
        ]);
    }
    table
}

/// The engines with a number, the largest first.
fn ranking(columns: &[Column], number: impl Fn(&Column) -> usize) -> Vec<(String, usize)> {
    let mut ranks: Vec<(String, usize)> =
        columns.iter().map(|column| (column.name.to_string(), number(column))).collect();
    ranks.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    ranks
}

fn shown(ranks: &[(String, usize)]) -> String {
    let each = ranks.iter().map(|(name, number)| format!("{name} {number}"));
    each.collect::<Vec<_>>().join(", ")
}

/// Whether no other engine of the ranking has more than this one; none if there is nobody to
/// compare with, or nothing was solved.
fn leads(ranks: &[(String, usize)], name: &str) -> Option<bool> {
    let own = ranks.iter().find(|(other, _)| other == name)?.1;
    let most = ranks.iter().map(|(_, number)| *number).max()?;
    (ranks.len() > 1 && most > 0).then_some(own == most)
}

fn claims(results: &Results, columns: &[Column], imc: &Column) -> [Claim; 5] {
    let correct = ranking(columns, |column| column.correct());
    let alarms = ranking(columns, |column| column.count(Record::refuted));
    let interpolating: Vec<(String, usize)> = correct
        .iter()
        .filter(|(name, _)| INTERPOLATING.contains(&name.as_str()))
        .cloned()
        .collect();
    let rest: Vec<(String, usize)> =
        correct.iter().filter(|(name, _)| name != "kind").cloned().collect();
    let second =
        leads(&correct, "kind").zip(leads(&rest, "imc")).map(|(first, then)| first && then);
    let (wrong, solved) = (imc.wrong(Outcome::True), imc.correct());
    let unique = uniquely_solved(results, columns);
    let claim =
        |name, claim, numbers, holds| Claim { name, claim, for_software: true, numbers, holds };
    [
        claim(
            "IMC.A",
            "IMC produces the most correct results among the interpolation-based approaches.",
            shown(&interpolating),
            leads(&interpolating, "imc"),
        ),
        claim(
            "IMC.B",
            "k-induction solves the most tasks, IMC the second most.",
            shown(&correct),
            second,
        ),
        claim("IMC.C", "BMC finds the most alarms.", shown(&alarms), leads(&alarms, "bmc")),
        claim(
            "IMC.D",
            "IMC solves tasks that no other approach solves.",
            format!("{unique} tasks (paper 1: 6 of 6027)"),
            (columns.len() > 1 && solved > 0).then_some(unique > 0),
        ),
        claim(
            "IMC.E",
            "IMC gives no wrong proof.",
            format!("{wrong} wrong proofs, {} wrong alarms", imc.wrong(Outcome::False)),
            (!imc.records.is_empty()).then_some(wrong == 0),
        ),
    ]
}

/// Tasks that of the engines of the paper only IMC solved.
fn uniquely_solved(results: &Results, columns: &[Column]) -> usize {
    let indices = columns.iter().filter_map(|column| results.engine(column.name));
    let indices: Vec<usize> = indices.collect();
    let only_imc = |row: &&Vec<Option<Record>>| {
        let solvers = indices.iter().filter(|&&i| row[i].as_ref().is_some_and(Record::solved));
        let names: Vec<&str> = solvers.map(|&i| results.engines[i].name.as_str()).collect();
        names == ["imc"]
    };
    results.records.iter().filter(only_imc).count()
}
