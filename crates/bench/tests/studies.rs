//! The studies on made-up runs whose numbers can be counted by hand.

mod common;

use common::{Run, engine, results};
use wedge_bench::Expected::{Safe, Unsafe};
use wedge_bench::Outcome::{False, Memory, Timeout, True, Unknown};
use wedge_bench::study::Study;
use wedge_bench::{Limits, Results, Suite};

/// Figures of an interpolating engine: bound, interpolants, clauses, seconds of interpolation.
fn interpolation(k: f64, n: f64, clauses: f64, seconds: f64) -> [(&'static str, f64); 5] {
    [
        ("bound", k),
        ("interpolants", n),
        ("interpolant_clauses", clauses),
        ("interpolation_seconds", seconds),
        ("latches after preprocessing", 17.0),
    ]
}

#[test]
fn table_1_of_paper_5() {
    let (itp, cnf) = (interpolation(5.0, 4.0, 4000.0, 2.0), interpolation(3.0, 2.0, 20.0, 1.0));
    let gates = [("interpolants", 1.0), ("interpolant_ands", 33.0), ("AND gates in proofs", 333.0)];
    let more = interpolation(2.0, 1.0, 90.0, 0.0);
    let results = results(
        &["pdr", "imc", "cnf-itp"],
        &[
            (Safe, "-", vec![(True, 1.0, &[]), (Timeout, 10.0, &itp), (True, 4.0, &cnf)]),
            (Safe, "-", vec![(Timeout, 10.0, &[]), (True, 2.0, &gates), (True, 3.0, &more)]),
            (Safe, "-", vec![(True, 1.0, &[]), (Timeout, 10.0, &itp), (Timeout, 10.0, &cnf)]),
            (Unsafe, "-", vec![(False, 1.0, &[]), (False, 1.0, &itp), (False, 1.0, &cnf)]),
        ],
    );
    let text = Study::CnfItp.text(&results);
    let rows: Vec<Vec<&str>> = text.lines().map(|l| l.split_whitespace().collect()).collect();
    let expected =
        ["safe0", "17", "1.00", "5", "4", "1000", "0.500", "TO", "3", "2", "10", "0.500", "4.00"];
    assert_eq!(rows[1], expected);
    let expected =
        ["safe1", "17", "TO", "-", "1", "100", "-", "2.00", "2", "1", "90", "0.000", "3.00"];
    assert_eq!(rows[2], expected);
    assert_eq!(rows[3], ["total", "11.00", "1100", "0.500", "12.00", "100", "0.500", "7.00"]);
    assert!(text.contains("ITP 1100, CNF-ITP 100; ratio 11.0"), "{text}");
    assert!(text.contains("1 tasks: ITP 1000, CNF-ITP 90; ratio 11.1"), "{text}");
    assert!(text.contains("ITP proved 1, CNF-ITP 2"), "{text}");
    assert!(text.contains("faster than ITP on 1, slower on 1; faster than PDR on 1, slower on 1"));
}

#[test]
fn nothing_proved_is_said() {
    let runs: Vec<Run> = vec![(Timeout, 1.0, &[]); 3];
    let results = results(&["pdr", "imc", "cnf-itp"], &[(Safe, "-", runs)]);
    assert!(Study::CnfItp.text(&results).contains("Neither imc nor cnf-itp has proved a task"));
}

/// Figures of a proof: bound, convergence length, interpolants, their AND gates.
fn proof(k: f64, length: f64, n: f64, ands: f64) -> [(&'static str, f64); 4] {
    [("bound", k), ("convergence", length), ("interpolants", n), ("interpolant_ands", ands)]
}

fn dar(n: f64, length: f64, ands: f64, iterations: f64, global: f64) -> [(&'static str, f64); 5] {
    [
        ("convergence", length),
        ("interpolants", n),
        ("interpolant_ands", ands),
        ("iterations", iterations),
        ("global strengthenings", global),
    ]
}

fn claims(text: &str) -> Vec<(String, String)> {
    let blocks = text.split("\n\n").map(str::trim).filter(|block| !block.is_empty());
    blocks
        .map(|block| {
            let lines: Vec<&str> = block.lines().map(str::trim).collect();
            assert_eq!(lines.len(), 3, "{block}");
            let name = lines[0].split(':').next().unwrap();
            let holds = lines[2].split(" (").next().unwrap();
            (format!("{name} {holds}"), lines[1].to_string())
        })
        .collect()
}

fn made_up() -> Results {
    let imc = [proof(2.0, 2.0, 5.0, 50.0), proof(9.0, 3.0, 6.0, 600.0), proof(3.0, 1.0, 2.0, 2.0)];
    let with_dar = [
        dar(9.0, 4.0, 90.0, 4.0, 1.0),
        dar(7.0, 2.0, 7000.0, 2.0, 1.0),
        dar(2.0, 3.0, 200.0, 3.0, 0.0),
    ];
    results(
        &["imc", "ismc", "dar"],
        &[
            (Safe, "-", vec![(True, 1.0, &imc[0]), (True, 2.0, &[]), (True, 0.5, &with_dar[0])]),
            (Safe, "-", vec![(True, 3.0, &imc[1]), (True, 1.0, &[]), (True, 8.0, &with_dar[1])]),
            (Safe, "-", vec![(True, 0.1, &imc[2]), (True, 0.1, &[]), (True, 0.9, &with_dar[2])]),
            (Unsafe, "-", vec![(False, 2.0, &[]), (False, 1.0, &[]), (Timeout, 10.0, &[])]),
            (Unsafe, "-", vec![(Timeout, 10.0, &[]), (False, 4.0, &[]), (False, 1.0, &[])]),
            (Unsafe, "-", vec![(False, 1.0, &[]), (False, 1.5, &[]), (False, 1.0, &[])]),
        ],
    )
}

#[test]
fn claims_of_paper_4() {
    let claims = claims(&Study::Hardware.text(&made_up()));
    let names: Vec<&str> = claims.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "H1.A HOLDS",
        "H1.B HOLDS",
        "H1.C HOLDS",
        "H2.A HOLDS",
        "H2.B DOES NOT HOLD",
        "H2.C HOLDS",
        "H2.D DOES NOT HOLD",
        "H2.E DOES NOT HOLD",
    ];
    assert_eq!(names, expected, "{claims:#?}");
    let numbers = |index: usize| claims[index].1.as_str();
    assert_eq!(
        numbers(0),
        "ISMC is faster on 2, slower on 1, equal on 0 unsafe tasks; only ISMC solved 1, only IMC \
         0; on the 2 that both solved ISMC took 2.50 s, IMC 3.00 s"
    );
    assert!(numbers(1).starts_with("where IMC needed a bound of 9 or more"), "{}", numbers(1));
    assert!(numbers(2).starts_with("both solved 5: ISMC 5.60 s, IMC 7.10 s"), "{}", numbers(2));
    assert_eq!(
        numbers(3),
        "of 3 safe tasks that DAR proved with iterations the ratio is below 0.5 on 2, 0 on 1; its \
         average is 0.250"
    );
    assert_eq!(
        numbers(4),
        "of 3 tasks that both proved IMC converges sooner on 2, later on 1; where sooner, it is \
         slower on 1, faster on 1"
    );
    assert!(numbers(5).contains("more on 2, fewer on 0, as many on 2; in all 18 against 13"));
}

#[test]
fn no_runs_no_claims() {
    let runs: Vec<Run> = vec![(Timeout, 1.0, &[]); 3];
    let results = results(&["imc", "ismc", "dar"], &[(Safe, "-", runs)]);
    for (name, numbers) in claims(&Study::Hardware.text(&results)) {
        assert!(name.ends_with("NO DATA"), "{name}: {numbers}");
    }
}

#[test]
fn a_study_needs_its_engines() {
    let limits =
        Limits { time: std::time::Duration::from_secs(1), cpu: None, memory: None, again: None };
    let engines = ["imc", "dar"].map(engine).to_vec();
    let suite = Suite {
        name: "n".into(),
        tasks: Vec::new(),
        engines,
        limits,
        jobs: 1,
        plans: Default::default(),
    };
    let error = Study::Hardware.check(&suite).err().unwrap().to_string();
    assert!(error.contains("has no ismc"), "{error}");
    assert!(Study::CnfItp.check(&suite).is_err());
}

/// One task that all solve, one that R does not, one that only the weights lose.
#[test]
fn tables_of_paper_3() {
    let (many, few) = ([("nodes", 10.0)], [("nodes", 4.0)]);
    let engines = ["interp-r", "interp-rs", "interp-rsw", "interp-rsew"];
    let results = results(
        &engines,
        &[
            (
                Safe,
                "a",
                vec![(True, 2.0, &many), (True, 1.0, &few), (True, 1.0, &few), (True, 1.0, &few)],
            ),
            (
                Unsafe,
                "a",
                vec![
                    (Timeout, 10.0, &[]),
                    (False, 3.0, &few),
                    (False, 2.0, &[]),
                    (False, 2.0, &[]),
                ],
            ),
            (
                Safe,
                "a",
                vec![(True, 2.0, &many), (True, 1.0, &few), (Timeout, 10.0, &[]), (True, 5.0, &[])],
            ),
        ],
    );
    let text = Study::Interp.text(&results);
    let lines: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.trim_start().starts_with("total"))
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(lines[0], ["total", "3", "0.0", "2", "3", "2", "3"], "{text}");
    assert_eq!(lines[1].join(""), "total2/13/02/13/0", "{text}");
    assert_eq!(lines[2], ["total", "14.0", "5.0", "13.0", "8.0"], "{text}");
    assert_eq!(cells(&text, "nodes "), ["10", "4", "4", "4"]);
    assert_eq!(cells(&text, "R+S+W "), ["50.0", "%", "0.0", "%"], "{text}");
    assert!(text.contains("Not in the suite: interp-re, interp-rse."), "{text}");
    assert!(text.contains("Nodes on all tasks: R 20, R+S 12, R+S+W 4, R+S+E+W 4"), "{text}");
    let plots = Study::Interp.plots(&results);
    let shown = |index: usize, text: &str| plots[index].1.contains(text);
    assert!(shown(0, "(2 tasks)") && shown(0, ">R+S+W<") && shown(0, ">50.0 %<"));
    assert!(shown(1, "(1 tasks)") && shown(1, ">100.0 %<") && shown(1, ">0.0 %<"));
    let verdict = |name: &str| {
        let at = text.find(name).expect("the observation");
        text[at..].lines().nth(2).expect("its judgement").trim().to_string()
    };
    assert!(verdict("Observation 1").starts_with("NO DATA"));
    assert!(verdict("Observation 3").starts_with("DOES NOT HOLD"));
}

/// The cells of the line that begins with these words.
fn cells<'t>(text: &'t str, head: &str) -> Vec<&'t str> {
    let line = text.lines().find(|line| line.trim_start().starts_with(head));
    let line = line.unwrap_or_else(|| panic!("no line `{head}` in\n{text}"));
    line.trim_start().trim_start_matches(head).split_whitespace().collect()
}

#[test]
fn table_2_of_paper_1() {
    let results = results(
        &["kind", "imc", "bmc"],
        &[
            (Safe, "a", vec![(True, 1.0, &[]), (True, 2.0, &[]), (Timeout, 10.0, &[])]),
            (Safe, "a", vec![(True, 4.0, &[]), (Timeout, 10.0, &[]), (Memory, 3.0, &[])]),
            (Safe, "b", vec![(False, 1.0, &[]), (True, 3.0, &[]), (Unknown, 1.0, &[])]),
            (Unsafe, "b", vec![(False, 2.0, &[]), (False, 1.0, &[]), (False, 0.5, &[])]),
            (Unsafe, "b", vec![(Timeout, 10.0, &[]), (Timeout, 10.0, &[]), (False, 0.25, &[])]),
        ],
    );
    let text = Study::Imc.text(&results);
    assert_eq!(cells(&text, "algorithm"), ["imc", "bmc", "kind"]);
    assert_eq!(cells(&text, "correct results"), ["3", "2", "3"]);
    assert_eq!(cells(&text, "proofs"), ["2", "0", "2"]);
    assert_eq!(cells(&text, "alarms"), ["1", "2", "1"]);
    assert_eq!(cells(&text, "wrong proofs"), ["0", "0", "0"]);
    assert_eq!(cells(&text, "wrong alarms"), ["0", "0", "1"]);
    assert_eq!(cells(&text, "timeouts"), ["2", "1", "1"]);
    assert_eq!(cells(&text, "out of memory"), ["0", "1", "0"]);
    assert_eq!(cells(&text, "other inconclusive"), ["0", "1", "0"]);
    assert_eq!(cells(&text, "CPU time of correct [s]"), ["6.00", "0.75", "7.00"]);
    assert!(text.contains("no such engine: pdr, predabs, impact."), "{text}");
    assert!(text.contains("IMC.B: k-induction solves the most"), "{text}");
    assert!(text.contains("imc 3, kind 3, bmc 2\n      HOLDS (paper 1: holds)"), "{text}");
    assert!(text.contains("bmc 2, imc 1, kind 1\n      HOLDS"), "{text}");
    assert!(text.contains("1 tasks (paper 1: 6 of 6027)\n      HOLDS"), "{text}");
    // Nobody else interpolates here, so there is nothing to compare.
    assert!(text.contains("imc 3\n      NO DATA"), "{text}");
    let both: Vec<&str> =
        text.lines().find(|l| l.starts_with("bmc  ")).unwrap().split_whitespace().collect();
    assert_eq!(both, ["bmc", "1", "0", "1", "2", "1"]);
}

#[test]
fn tables_of_paper_4() {
    let text = Study::Transfer.text(&made_up());
    assert_eq!(cells(&text, "correct results"), ["5", "6", "5"]);
    assert_eq!(cells(&text, "total"), ["5", "7.10", "5.60", "0.79", "4", "5.10", "10.40", "2.04"]);
    assert_eq!(cells(&text, "proofs"), ["3", "3", "3"]);
    assert!(text.contains("no such engine: impact, predabs."), "{text}");
    assert!(text.contains("all tasks, as the runs do not tell the number of loops"), "{text}");
    assert!(text.contains("H1.A:") && text.contains("H2.E:"), "{text}");
}

#[test]
fn programs_with_more_loops_are_left_out_of_table_3() {
    let (one, two): (&[_], &[_]) = (&[("model: loop heads", 1.0)], &[("model: loop heads", 2.0)]);
    let results = results(
        &["imc", "ismc", "dar", "impact"],
        &[
            (
                Safe,
                "a",
                vec![(True, 1.0, one), (True, 2.0, one), (True, 1.0, one), (True, 1.0, one)],
            ),
            (
                Safe,
                "b",
                vec![(True, 1.0, two), (True, 2.0, two), (True, 1.0, two), (True, 1.0, &[])],
            ),
        ],
    );
    let text = Study::Transfer.text(&results);
    let table = text.split("Table 3").nth(1).unwrap();
    assert!(table.starts_with(": results on tasks with at most one loop"), "{table}");
    assert_eq!(cells(table, "tasks"), ["1", "1", "1", "1"]);
    assert!(text.contains("no such engine: predabs."), "{text}");
}

/// The figures of a run of a path engine: iterations, sequences, perfect ones.
fn paths(iterations: f64, sequences: f64, perfect: f64) -> [(&'static str, f64); 3] {
    [
        ("refinements", iterations),
        ("sequences of assertions", sequences),
        ("perfect sequences", perfect),
    ]
}

#[test]
fn table_1_of_paper_2() {
    let engines = ["trace-craig", "trace-newton", "trace-newton:it-sp", "trace-newton:sp", "other"];
    let (good, half) = (paths(3.0, 2.0, 2.0), paths(9.0, 8.0, 4.0));
    let lost: Run = (Timeout, 10.0, &[]);
    let results = results(
        &engines,
        &[
            (
                Safe,
                "ReachSafety-Arrays",
                vec![(True, 1.0, &good), (True, 2.0, &good), (True, 3.0, &good), lost, lost],
            ),
            (
                Safe,
                "ReachSafety-Heap",
                vec![lost, (True, 2.0, &half), (True, 3.0, &good), lost, lost],
            ),
            (Unsafe, "ReachSafety-Heap", vec![(False, 1.0, &half), lost, lost, lost, lost]),
            (
                Unsafe,
                "ReachSafety-Floats",
                vec![lost, (False, 1.0, &good), (False, 1.0, &good), (False, 1.0, &good), lost],
            ),
        ],
    );
    let text = Study::Newton.text(&results);
    let rows: Vec<Vec<&str>> = text.lines().map(|l| l.split_whitespace().collect()).collect();
    let row = |name: &str| rows.iter().find(|row| row.first() == Some(&name)).expect(name);
    assert_eq!(*row("tasks"), ["tasks", "3", "1", "4"]);
    assert_eq!(*row("craig"), ["craig", "2", "(1)", "0", "(0)", "2", "(1)"]);
    assert_eq!(*row("newton"), ["newton", "2", "(0)", "1", "(0)", "3", "(0)"]);
    assert_eq!(*row("newton:sp"), ["newton:sp", "0", "(0)", "1", "(0)", "1", "(0)"]);
    assert_eq!(*row("P_Craig"), ["P_Craig", "2", "0", "2"]);
    assert_eq!(*row("P_IT-SP-LV"), ["P_IT-SP-LV", "2", "1", "3"]);
    assert_eq!(*row("P_All"), ["P_All", "3", "1", "4"]);
    assert_eq!(*row("trace-newton"), ["trace-newton", "3", "2", "83.3", "5.0"]);
    let claims = claims(text.split("\n\n").skip(2).collect::<Vec<_>>().join("\n\n").as_str());
    let judged: Vec<&str> = claims.iter().map(|(claim, _)| claim.as_str()).collect();
    let expected = [
        "Claim 1 DOES NOT HOLD",
        "Claim 2 DOES NOT HOLD",
        "Claim 3 HOLDS",
        "Claim 4 HOLDS",
        "Claim 5 HOLDS",
        "Claim 6 HOLDS",
        "Claim 7 DOES NOT HOLD",
    ];
    assert_eq!(judged, expected, "{text}");
    let plots = Study::Newton.plots(&results);
    let names: Vec<&str> = plots.iter().map(|(name, _)| name.as_str()).collect();
    let of = |set: &str| {
        ["time", "iterations", "perfect"].map(|m| format!("newton-trace-{set}-{m}.svg"))
    };
    assert_eq!(names, [of("bitvector"), of("float")].concat());
    assert!(plots.iter().all(|(_, svg)| svg.starts_with("<svg") && !svg.contains("NaN")));
    // One point per solved task, after the first one twice.
    let points = |svg: &str| {
        svg.split("points=\"").nth(1).map(|s| s.split('"').next().unwrap().split(' ').count())
    };
    assert_eq!(points(&plots[0].1), Some(3));
}

/// Two engines share one core as what they solve alone says, with a plan per kind, cores and seconds.
#[test]
fn shares_follow_from_what_engines_solve_alone() {
    let run = |solves: bool, seconds: f64| -> Run<'static> {
        (if solves { True } else { Timeout }, if solves { seconds } else { 10.0 }, &[])
    };
    // One half is solved by one engine, the other half by the other one, each in four seconds.
    let rows = (0..24).map(|task| {
        let first = task % 2 == 0;
        (Safe, "-", vec![run(first, 4.0), run(!first, 4.0), run(false, 0.0)])
    });
    let mut results = results(&["bmc", "pdr", "dar"], &rows.collect::<Vec<_>>());
    for (index, task) in results.tasks.iter_mut().enumerate() {
        task.name = format!("folder{}/{}", index % 5, task.name);
    }
    assert!(Study::Shares.text(&results).contains("No run says what 24 tasks are like"));
    for record in results.records.iter_mut().flatten().flatten() {
        record.detail = Some(serde_json::json!({ "kind": "loops" }));
    }
    let text = Study::Shares.text(&results);
    // What one engine has found out counts.
    let one = results.records[0][1].as_mut().unwrap();
    one.detail = Some(serde_json::json!({ "kind": "large" }));
    let row = |text: &str, kind: &str| -> Option<String> {
        let cells = |line: &str| line.split_whitespace().map(String::from).collect::<Vec<_>>();
        let of_kind = |line: &Vec<String>| line.len() > 3 && line[..3] == [kind, "1", "10"];
        text.lines().map(cells).find(of_kind).map(|cells| cells[3].clone())
    };
    assert_eq!(row(&text, "large"), None);
    let refined = Study::Shares.text(&results);
    assert_eq!(row(&refined, "large").as_deref(), Some("1"));
    assert_eq!(row(&refined, "loops").as_deref(), Some("23"));
    let one = results.records[0][1].as_mut().unwrap();
    one.detail = Some(serde_json::json!({ "kind": "loops" }));
    let line = |wanted: [&str; 3]| -> Vec<&str> {
        let lines = text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>());
        lines.into_iter().find(|cells| cells.starts_with(&wanted)).unwrap()
    };
    assert_eq!(line(["loops", "1", "10"])[3..], ["24", "24", "12", "-", "24", "24"]);
    assert!(text.contains("solves at least what its best member"), "{text}");
    let files = Study::Shares.files(&results);
    let [(name, table)] = &files[..] else { panic!("there is one file") };
    assert_eq!(*name, "plans.tsv");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows[2], ["kind", "cores", "seconds", "bmc", "pdr", "dar"]);
    assert_eq!(rows.len(), 3 + 12);
    assert!(rows[3][..3] == ["loops", "1", "10"] && rows[3][3] == rows[3][4] && rows[3][5] == "0");
}
