//! Execution of a program: the search itself is [`wedge_c::execute`].

use super::Execute;
use crate::contract::{Context, ProgramEngine};
use wedge_c::Properties;
use wedge_c::execute::{Finding, Statistics, search};
use wedge_c::typed::Program;

/// Every search of the same length finds the same.
const SEED: u64 = 1;

impl ProgramEngine for Execute {
    fn run(&self, program: &Program, properties: &Properties, context: &Context) -> Finding {
        let stop = || context.interrupted().is_some();
        let (finding, statistics) = search(program, properties, SEED, &stop);
        context.record(|figures| {
            for (name, value) in named(&statistics) {
                figures.set(name, value);
            }
        });
        finding
    }
}

fn named(statistics: &Statistics) -> [(&'static str, f64); 6] {
    [
        ("execution: runs", statistics.runs as f64),
        ("execution: steps", statistics.steps as f64),
        ("execution: decisions covered", statistics.covered as f64),
        ("execution: decisions in the program", statistics.branches as f64),
        ("execution: runs kept", statistics.kept as f64),
        ("execution: states of walks", statistics.states as f64),
    ]
}
