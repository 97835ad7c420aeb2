//! Judgements, counts, and results as files, on made-up runs.

mod common;

use common::results;
use wedge_bench::Outcome::{Crash, False, Memory, Timeout, True, Unknown};
use wedge_bench::record::{read_detail, read_verdict};
use wedge_bench::summary::{self, Counts};
use wedge_bench::{Expected, Machine, Outcome, Results, files, index, machines, plot};

fn sample() -> Results {
    let row = |expected, category, a: (Outcome, f64), b: (Outcome, f64)| {
        let runs: Vec<common::Run> = vec![(a.0, a.1, &[("bound", 3.0)]), (b.0, b.1, &[])];
        (expected, category, runs)
    };
    results(
        &["first", "second"],
        &[
            row(Expected::Safe, "x", (True, 1.0), (True, 2.0)),
            row(Expected::Safe, "x", (False, 1.0), (Timeout, 10.0)),
            row(Expected::Unsafe, "y", (False, 2.0), (Memory, 3.0)),
            row(Expected::Unsafe, "y", (Unknown, 0.5), (Crash, 0.25)),
            row(Expected::Unknown, "y", (True, 1.0), (False, 1.0)),
        ],
    )
}

#[test]
fn counts_per_engine_and_category() {
    let lines = summary::summarise(&sample());
    let names: Vec<_> = lines.iter().map(|l| (l.engine.as_str(), l.category.as_str())).collect();
    let expected = ["x", "y", "all"]
        .map(|c| ("first", c))
        .into_iter()
        .chain(["x", "y", "all"].map(|c| ("second", c)));
    assert_eq!(names, expected.collect::<Vec<_>>());
    let first = Counts {
        runs: 5,
        correct_proofs: 1,
        correct_alarms: 1,
        unconfirmed: 1,
        wrong: 1,
        other: 1,
        seconds: 5.5,
        cpu_seconds: 5.5,
        ..Counts::default()
    };
    assert_eq!(lines[2].counts, first);
    let second = Counts {
        runs: 5,
        correct_proofs: 1,
        unconfirmed: 1,
        timeouts: 1,
        out_of_memory: 1,
        other: 1,
        seconds: 16.25,
        cpu_seconds: 16.25,
        ..Counts::default()
    };
    assert_eq!(lines[5].counts, second);
    assert_eq!(lines[0].counts.wrong, 1);
    assert_eq!(lines[1].counts.wrong, 0);
    let text = summary::table(&lines).to_string();
    assert_eq!(text.lines().count(), 7);
}

#[test]
fn wrong_verdicts_and_contradictions_are_seen() {
    let mut results = sample();
    assert!(results.any_wrong());
    let contradictory: Vec<_> = results.contradictions().iter().map(|t| t.name.clone()).collect();
    assert_eq!(contradictory, ["unknown4"]);
    results.records[1][0] = None;
    assert!(results.any_wrong());
    results.records[4][1] = None;
    assert!(!results.any_wrong());
    assert!(!results.is_complete());
}

#[test]
fn unsolved_runs_and_comparison() {
    let results = sample();
    let unsolved = summary::unsolved(&results).to_string();
    assert_eq!(unsolved.lines().count(), 6);
    assert!(unsolved.contains("WRONG") && unsolved.contains("out of memory"), "{unsolved}");
    let comparison = summary::comparison(&results).to_string();
    let cells: Vec<&str> = comparison.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(cells, ["first", ":", "second", "2", "0.67", "1", "0"]);
}

#[test]
fn csv_has_a_row_per_run_and_quotes() {
    let mut results = sample();
    results.records[0][1].as_mut().unwrap().reason = "a \"b\", c".into();
    let csv = files::csv(&results);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 11);
    assert!(lines[0].ends_with("cpu_seconds,peak_bytes,host,bound"));
    assert!(lines[1].starts_with("first,safe0,x,safe,true,correct proof,,1.000,1.000,1048576,,3"));
    assert!(lines[2].contains(",\"a \"\"b\"\", c\","), "{}", lines[2]);
}

#[test]
fn times_from_unlike_machines_are_pointed_out() {
    let mut results = sample();
    let machine = |host: &str, cores| Machine {
        host: host.into(),
        processor: "Quick 9".into(),
        cores,
        memory_gib: 64,
    };
    for (row, records) in results.records.iter_mut().enumerate() {
        let host = if row % 2 == 0 { "n1" } else { "n2" };
        records.iter_mut().flatten().for_each(|record| record.machine = Some(machine(host, 8)));
    }
    assert_eq!(machines::warning(&results), None);
    results.records[0][0].as_mut().unwrap().machine = Some(machine("n3", 4));
    let warning = machines::warning(&results).unwrap();
    assert!(warning.contains("\n  1 runs on Quick 9, 4 cores, 64 GB (n3)"), "{warning}");
    assert!(warning.contains("\n  9 runs on Quick 9, 8 cores, 64 GB (n1, n2)"), "{warning}");
    let page = index::html(std::path::Path::new("nowhere"), &results, None);
    assert!(page.contains("unlike machines"));
    assert!(files::csv(&results).lines().nth(1).unwrap().contains(",n3,"));
}

#[test]
fn json_reads_back() {
    let value: serde_json::Value = serde_json::from_str(&files::json(&sample()).unwrap()).unwrap();
    assert_eq!(value["runs"].as_array().unwrap().len(), 10);
    assert_eq!(value["runs"][2]["judgement"], "wrong");
    assert_eq!(value["summary"][2]["correct_proofs"], 1);
    assert_eq!(value["contradictions"], serde_json::json!(["unknown4"]));
    assert_eq!(value["complete"], true);
}

#[test]
fn plots_show_every_solved_run() {
    let results = sample();
    let cactus = plot::cactus(&results);
    assert_eq!(cactus.matches("<polyline").count(), 2);
    assert!(cactus.contains("first (3)") && cactus.contains("second (2)"), "{cactus}");
    let scatter = plot::scatter(&results, 0, 1);
    assert_eq!(scatter.matches("<title>").count(), 3);
    for svg in [cactus, scatter] {
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

#[test]
fn verdict_lines() {
    let read = |text: &str| read_verdict(text);
    assert_eq!(read("TRUE\n"), Some((True, "".into())));
    assert_eq!(read("{}\nFALSE(bad)\n"), Some((False, "bad".into())));
    assert_eq!(read("UNKNOWN(timeout)"), Some((Timeout, "timeout".into())));
    assert_eq!(read("UNKNOWN(out of memory)"), Some((Memory, "out of memory".into())));
    assert_eq!(read("UNKNOWN(bound 5 reached)"), Some((Unknown, "bound 5 reached".into())));
    assert_eq!(read("UNKNOWN(f(x))").unwrap().0, Unknown);
    assert_eq!(read("TRUE\nFALSE(bad)\ntrailing words"), Some((False, "bad".into())));
    assert_eq!(read("TRUELY\nNOT TRUE\n"), None);
    assert_eq!(read(""), None);
}

#[test]
fn details_and_figures() {
    let text = "{bad\n{\"figures\":{\"bound\":3,\"extra\":[[\"iterations\",2.5]]}}\nTRUE\n";
    let mut results = sample();
    let record = results.records[0][0].as_mut().unwrap();
    record.detail = read_detail(text);
    assert_eq!(record.figure("bound"), Some(3.0));
    assert_eq!(record.figure("iterations"), Some(2.5));
    assert_eq!(record.figure("extra"), None);
    assert_eq!(record.figures().len(), 2);
    record.detail = read_detail("TRUE\n");
    assert_eq!(record.figure("bound"), None);
    assert!(record.figures().is_empty());
}
