//! On which machines results were made: times from unlike ones do not compare.

use crate::machine::Machine;
use crate::results::Results;

/// Machines of one kind.
pub struct Kind<'a> {
    pub like: &'a Machine,
    pub hosts: Vec<&'a str>,
    pub runs: usize,
}

/// The kinds of machines, in the order of the runs.
pub fn kinds(results: &Results) -> Vec<Kind<'_>> {
    let mut kinds: Vec<Kind> = Vec::new();
    for machine in results.iter().filter_map(|record| record.machine.as_ref()) {
        let known = kinds.iter().position(|kind| kind.like.is_like(machine));
        let index = known.unwrap_or_else(|| {
            kinds.push(Kind { like: machine, hosts: Vec::new(), runs: 0 });
            kinds.len() - 1
        });
        let kind = &mut kinds[index];
        kind.runs += 1;
        if !kind.hosts.contains(&machine.host.as_str()) {
            kind.hosts.push(&machine.host);
        }
    }
    kinds.iter_mut().for_each(|kind| kind.hosts.sort_unstable());
    kinds
}

/// What a reader of the times has to know, if there are several kinds of machines.
pub fn warning(results: &Results) -> Option<String> {
    let kinds = kinds(results);
    if kinds.len() < 2 {
        return None;
    }
    let lines = kinds
        .iter()
        .map(|kind| format!("  {} runs on {} ({})", kind.runs, kind.like, kind.hosts.join(", ")));
    let lines: Vec<String> = lines.collect();
    Some(format!("Times were taken on unlike machines:\n{}", lines.join("\n")))
}
