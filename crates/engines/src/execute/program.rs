//! Execution of a program: the search itself is [`wedge_c::execute`].

use super::Execute;
use crate::contract::{Context, ProgramEngine};
use crate::figures;
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
            for (key, value) in named(&statistics) {
                figures.set(key, value);
            }
        });
        finding
    }
}

fn named(statistics: &Statistics) -> [(figures::Key, f64); 6] {
    [
        (figures::EXECUTED_RUNS, statistics.runs as f64),
        (figures::EXECUTED_STEPS, statistics.steps as f64),
        (figures::COVERED_DECISIONS, statistics.covered as f64),
        (figures::ALL_DECISIONS, statistics.branches as f64),
        (figures::KEPT_RUNS, statistics.kept as f64),
        (figures::WALKED_STATES, statistics.states as f64),
    ]
}
