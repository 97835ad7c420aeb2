//! Answers for people and programs: pages, waveforms, SARIF, JSON by its schema, progress.

mod common;
#[path = "common/schema.rs"]
mod schema;

use common::{example, run};
use schema::assert_valid;
use serde_json::Value;
use std::path::Path;

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The page that a check writes, and the data in it.
fn page(arguments: &[&str]) -> (String, Value) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    run(&[&["check", "--report", path.to_str().unwrap()], arguments].concat());
    let page = read(folder.path(), "page.html");
    let (_, rest) = page.split_once("id=\"data\">").expect("data");
    let (data, _) = rest.split_once("</script>").expect("the end of the data");
    (page.clone(), serde_json::from_str(data).expect("data is JSON"))
}

/// One file: nothing in it is fetched from anywhere.
fn assert_self_contained(page: &str) {
    assert!(page.starts_with("<!doctype html>"), "{}", &page[..200]);
    for part in ["<script src", "<link", "@import", "url(http", "fetch(", "XMLHttpRequest"] {
        assert!(!page.contains(part), "{part}");
    }
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</html>").count(), 1);
}

#[test]
fn the_page_of_a_violation_has_the_path_on_the_source() {
    let (page, data) = page(&["--engine", "bmc", &example("lost_update.c")]);
    assert_self_contained(&page);
    assert!(page.contains("<h1>FALSE(unreach-call)</h1>"));
    assert!(page.contains("There is a run on which the error function is called at"));
    let steps = data["story"]["steps"].as_array().unwrap();
    let last = steps.last().unwrap();
    assert_eq!(
        (last["kind"].as_str(), last["spot"]["line"].as_u64()),
        (Some("violation"), Some(24))
    );
    let source = data["sources"][0]["text"].as_str().unwrap();
    for step in steps.iter().filter(|step| step["kind"] == "assignment") {
        let line = step["spot"]["line"].as_u64().unwrap() as usize;
        let name = step["variable"].as_str().unwrap();
        assert!(source.lines().nth(line - 1).unwrap().contains(name), "{step}");
    }
    let balance = steps.iter().find(|step| step["variable"] == "balance").unwrap();
    assert_eq!(balance["local"], false);
    let kinds: Vec<&str> = data["automaton"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["kind"].as_str().unwrap())
        .collect();
    assert!(kinds.contains(&"entry") && kinds.contains(&"error"), "{kinds:?}");
}

#[test]
fn the_page_of_a_proof_has_invariants_beside_the_loops() {
    let (page, data) = page(&["--engine", "impact", &example("even_steps.c")]);
    assert_self_contained(&page);
    assert!(page.contains("<h1>TRUE</h1>") && page.contains("has accepted the proof"));
    let invariant = &data["invariants"][0];
    assert_eq!(invariant["spot"]["line"], 8);
    assert!(invariant["formula"].as_str().unwrap().contains("x"), "{invariant}");
    let nodes = data["reached"]["nodes"].as_array().unwrap();
    assert!(nodes.iter().any(|node| node["kind"] == "covered"), "{nodes:?}");
    assert!(data["course"].as_array().is_some_and(|course| !course.is_empty()));
    let figures = data["figures"].as_array().unwrap();
    let rows = figures.iter().flat_map(|group| group["rows"].as_array().unwrap());
    assert!(rows.into_iter().all(|row| row["value"] != "0"), "{figures:?}");
}

#[test]
fn engines_show_their_interpolants_and_frames() {
    let (_, data) = page(&["--engine", "imc", &example("even_steps.c")]);
    let found = data["interpolants"].as_array().unwrap();
    assert!(found.iter().any(|one| one["is_fixed_point"] == true), "{found:?}");
    let (_, data) = page(&["--engine", "pdr", &example("arbiter.aag")]);
    assert_eq!(data["frames"].as_array().unwrap().last().unwrap()["name"], "∞");
    assert!(!data["clauses"].as_array().unwrap().is_empty());
}

#[test]
fn a_portfolio_has_a_timeline() {
    let (page, data) = page(&[&example("arbiter.aag")]);
    assert!(page.contains("portfolio, answered by"));
    let members = data["members"].as_array().unwrap();
    let winner = members.iter().find(|member| member["answered"] == true).unwrap();
    let turn = &winner["turns"][0];
    assert!(turn[0].as_f64().unwrap() < turn[1].as_f64().unwrap(), "{winner}");
}

#[test]
fn the_counterexample_of_a_circuit_is_a_waveform() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.vcd");
    let model = example("leaky_bucket.btor2");
    for engine in ["bmc", "impact"] {
        run(&["check", "--engine", engine, "--vcd", path.to_str().unwrap(), &model]);
        let vcd = read(folder.path(), "trace.vcd");
        assert!(vcd.contains("inflow [1:0] $end") && vcd.contains("level [3:0] $end"), "{vcd}");
        let (_, values) = vcd.split_once("$enddefinitions $end\n").unwrap();
        assert!(values.starts_with("#0\n"), "{values}");
        let (_, data) = page(&["--engine", engine, &model]);
        let signals = data["waveform"]["signals"].as_array().unwrap();
        let bad = signals.iter().find(|signal| signal["kind"] == "bad").unwrap();
        let steps = data["waveform"]["steps"].as_u64().unwrap();
        assert_eq!(bad["changes"].as_array().unwrap().last().unwrap()[0], steps - 1, "{bad}");
    }
    let program = run(&["check", "--vcd", path.to_str().unwrap(), &example("lost_update.c")]);
    assert_eq!(program.status, 2);
    assert!(program.stderr.contains("--vcd is for circuits only"), "{}", program.stderr);
}

fn json(arguments: &[&str]) -> Value {
    let run = run(&[&["check", "--json"], arguments].concat());
    serde_json::from_str(run.stdout.lines().next().unwrap()).unwrap()
}

#[test]
fn answers_are_as_their_schema_says() {
    let unsafe_program = json(&["--engine", "bmc", &example("lost_update.c")]);
    assert_valid("check", &unsafe_program);
    assert_eq!(unsafe_program["violated"], "unreach-call");
    assert_eq!(unsafe_program["trace"]["steps"][0]["place"]["input"]["file"], 0);
    let safe = json(&["--engine", "imc", &example("even_steps.c")]);
    assert_valid("check", &safe);
    let portfolio = json(&[&example("arbiter.aag")]);
    assert_valid("check", &portfolio);
    assert!(!portfolio["members"].as_array().unwrap().is_empty());
    let unknown = json(&["--engine", "bmc", "--timeout", "300ms", &example("even_steps.c")]);
    assert_valid("check", &unknown);
    assert_eq!(unknown["reason"], "timeout");
    let all = json(&["--all-properties", &example("lost_update.c")]);
    assert_valid("checks", &all);
}

#[test]
fn a_schema_refuses_what_it_does_not_describe() {
    let path = format!("{}/../../docs/schemas/check.json", env!("CARGO_MANIFEST_DIR"));
    let check: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let answer = json(&["--engine", "imc", &example("even_steps.c")]);
    assert!(schema::is_valid(&check, &answer));
    for (name, value) in [("verdict", "MAYBE"), ("outcome", "perhaps"), ("surprise", "!")] {
        let mut changed = answer.clone();
        changed[name] = value.into();
        assert!(!schema::is_valid(&check, &changed), "{name}");
    }
}

#[test]
fn progress_is_told_to_programs() {
    let run = run(&[
        "check",
        "--progress",
        "json",
        "--timeout",
        "2s",
        "--engine",
        "bmc",
        &example("even_steps.c"),
    ]);
    let lines: Vec<Value> =
        run.stderr.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert!(!lines.is_empty());
    lines.iter().for_each(|line| assert_valid("progress", line));
    let engine = &lines.last().unwrap()["engines"][0];
    assert_eq!(engine["engine"], "bmc");
    assert!(engine["bound"].as_u64().unwrap() > 0, "{engine}");
    assert!(lines[0]["left"].as_f64().unwrap() < 2.0);
}

#[test]
fn violations_are_sarif_with_their_code_flow() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.sarif");
    let path = path.to_str().unwrap();
    run(&["check", "--engine", "bmc", "--sarif", path, &example("lost_update.c")]);
    let log: Value = serde_json::from_str(&read(folder.path(), "out.sarif")).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "unreach-call");
    let place = &result["locations"][0]["physicalLocation"];
    assert!(place["artifactLocation"]["uri"].as_str().unwrap().ends_with("lost_update.c"));
    assert_eq!(place["region"]["startLine"], 24);
    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    let told = |step: &Value| step["location"]["message"]["text"].as_str().unwrap().to_string();
    assert_eq!(told(flow.last().unwrap()), "the error function is called");
    assert!(flow.iter().any(|step| step["nestingLevel"] == 2), "{flow:?}");
    run(&["check", "--engine", "imc", "--sarif", path, &example("even_steps.c")]);
    let log: Value = serde_json::from_str(&read(folder.path(), "out.sarif")).unwrap();
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
    run(&["check", "--engine", "bmc", "--sarif", path, &example("leaky_bucket.btor2")]);
    let log: Value = serde_json::from_str(&read(folder.path(), "out.sarif")).unwrap();
    let flow = &log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    assert!(told(&flow[0]).contains("inflow = 0x"), "{flow}");
}
