//! Made-up results: one line per task, one run per engine.

use serde_json::{Map, Value, json};
use std::time::Duration;
use wedge_bench::{Engine, Expected, Limits, Outcome, Record, Results, Task};

/// What a made-up run came to: outcome, seconds, figures.
pub type Run<'a> = (Outcome, f64, &'a [(&'a str, f64)]);

pub fn engine(name: &str) -> Engine {
    Engine { name: name.into(), arguments: vec!["--engine".into(), name.into()] }
}

pub fn task(name: &str, expected: Expected, category: &str) -> Task {
    Task { name: name.into(), expected, category: category.into(), ..Task::default() }
}

pub fn record(engine: &Engine, task: &Task, run: &Run) -> Record {
    let (outcome, seconds, figures) = *run;
    let members: Map<String, Value> =
        figures.iter().map(|(name, value)| (name.to_string(), json!(value))).collect();
    Record {
        engine: engine.name.clone(),
        arguments: engine.arguments.clone(),
        task: task.name.clone(),
        data_model: None,
        property: None,
        subproperty: None,
        category: task.category.clone(),
        expected: task.expected,
        outcome,
        reason: String::new(),
        seconds,
        cpu_seconds: seconds,
        peak_bytes: 1 << 20,
        again_seconds: None,
        machine: None,
        detail: Some(json!({ "figures": members })),
    }
}

/// Results of the engines on tasks that are named after their expectation and number.
pub fn results(engines: &[&str], rows: &[(Expected, &str, Vec<Run>)]) -> Results {
    let engines: Vec<Engine> = engines.iter().map(|name| engine(name)).collect();
    let numbered = rows.iter().enumerate();
    let tasks: Vec<Task> = numbered
        .map(|(index, (expected, category, _))| {
            task(&format!("{}{index}", expected.name()), *expected, category)
        })
        .collect();
    let row = |(task, (_, _, runs)): (&Task, &(Expected, &str, Vec<Run>))| {
        let cells = engines.iter().zip(runs).map(|(engine, run)| Some(record(engine, task, run)));
        cells.collect()
    };
    Results {
        suite: "made up".into(),
        limits: Limits { time: Duration::from_secs(10), cpu: None, memory: None, again: None },
        records: tasks.iter().zip(rows).map(row).collect(),
        engines,
        tasks,
        plans: Default::default(),
    }
}
