//! The engines on paths from the command line: verdicts, certificates and graphs.

mod common;

use common::example;
use std::process::{Command, Output};

const ENGINES: [&str; 5] = ["predabs", "impact", "interp", "trace", "kojak"];

fn wedge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wedge")).args(arguments).output().expect("it runs")
}

fn verdict(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().last().unwrap_or_default().to_string()
}

/// Two loops, the second of which undoes the first.
const HOLDING: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
    int main(void) { int n = 0, m = 0; while (__VERIFIER_nondet_int()) { if (n == 5) break; n++; }\n\
    while (m < n) m++;\n if (m > 5) reach_error(); return 0; }\n";
/// The same with a smaller bound at the end.
const FAILING: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
    int main(void) { int n = 0, m = 0; while (__VERIFIER_nondet_int()) { if (n == 5) break; n++; }\n\
    while (m < n) m++;\n if (m > 4) reach_error(); return 0; }\n";

fn program(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, text).expect("a file");
    let path = path.display().to_string();
    (folder, path)
}

#[test]
fn programs_with_all_sizes_of_blocks() {
    let (_holding, holds) = program(HOLDING);
    let (_failing, fails) = program(FAILING);
    for engine in ENGINES {
        for blocks in ["loops", "edge", "3"] {
            let check = |file: &str| {
                let options = ["--engine", engine, "--blocks", blocks, "--timeout", "60s", file];
                verdict(&wedge(&[&["check"], &options[..]].concat()))
            };
            assert_eq!(check(&holds), "TRUE", "{engine}, {blocks}");
            assert_eq!(check(&fails), "FALSE(unreach-call)", "{engine}, {blocks}");
        }
    }
}

/// What is found out about a variable where it lives says nothing where it does not: the two loops
/// have a counter each, of which one is dead while the other counts.
const IN_TURN: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
    int count(int n) { int i = 0; while (i < n) i++; return i; }\n\
    int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 2) return 0;\n\
    int first = count(n); int second = count(first);\n if (second > 2) reach_error(); return 0; }\n";

#[test]
fn predicates_of_places_functions_and_programs() {
    let (_holding, holds) = program(IN_TURN);
    let (_failing, fails) = program(&IN_TURN.replace("second > 2", "second > 1"));
    for engine in ["predabs", "interp"] {
        for scope in ["place", "function", "global"] {
            let check = |file: &str| {
                let options = ["--engine", engine, "--scope", scope, "--no-facts"];
                verdict(&wedge(&[&["check"], &options[..], &["--timeout", "60s", file]].concat()))
            };
            assert_eq!(check(&holds), "TRUE", "{engine}, {scope}");
            assert_eq!(check(&fails), "FALSE(unreach-call)", "{engine}, {scope}");
        }
    }
}

#[test]
fn letters_of_interpolants() {
    let (_holding, holds) = program(HOLDING);
    let (_failing, fails) = program(FAILING);
    for letters in ["r", "re", "rs", "rse", "rsw", "rsew"] {
        let check = |file: &str| {
            let options = ["--engine", "interp", "--interpolants", letters, "--blocks", "edge"];
            verdict(&wedge(&[&["check"], &options[..], &["--timeout", "60s", file]].concat()))
        };
        assert_eq!(check(&holds), "TRUE", "{letters}");
        assert_eq!(check(&fails), "FALSE(unreach-call)", "{letters}");
    }
    let wrong = wedge(&["check", "--engine", "interp", "--interpolants", "x", &holds]);
    assert_eq!(wrong.status.code(), Some(2));
}

/// A loop whose exit is always safe: no path through it reaches the error, so that its head has to
/// learn from paths that a safety interpolant ends.
const EVEN: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
    int main(void) { unsigned x = 0; while (__VERIFIER_nondet_int()) { x += 2;\n\
    if (x > 1000) x = 0; }\n if (x % 2) reach_error(); return 0; }\n";

#[test]
fn loops_behind_which_all_is_safe() {
    let (_holding, holds) = program(EVEN);
    let (_failing, fails) = program(&EVEN.replace("x = 0; }", "x = 1; }").replace("1000", "3"));
    for letters in ["rs", "rsw", "rsew"] {
        let check = |file: &str| {
            let options = ["--engine", "interp", "--interpolants", letters, "--blocks", "edge"];
            let options = [&["check", "--timeout", "60s"], &options[..], &[file]].concat();
            verdict(&wedge(&options))
        };
        assert_eq!(check(&holds), "TRUE", "{letters}");
        assert_eq!(check(&fails), "FALSE(unreach-call)", "{letters}");
    }
}

#[test]
fn certificates_are_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    for engine in ENGINES {
        for model in ["arbiter.aag", "bounded_counter.btor2"] {
            let (model, proof) = (example(model), folder.path().join("proof"));
            let (model, proof) = (model.as_str(), proof.to_str().unwrap());
            let checked = wedge(&["check", "--engine", engine, "--certificate", proof, model]);
            assert_eq!(verdict(&checked), "TRUE", "{engine} on {model}");
            let certified = wedge(&["certify", model, proof]);
            assert!(certified.status.success(), "{engine} on {model}: {}", verdict(&certified));
        }
    }
}

#[test]
fn graphs_are_written() {
    let (folder, holds) = program(HOLDING);
    for engine in ENGINES {
        let [dot, json] = ["graph.dot", "graph.json"].map(|name| {
            let path = folder.path().join(name);
            let graph = path.to_str().unwrap();
            let checked = wedge(&["check", "--engine", engine, "--graph", graph, &holds]);
            assert_eq!(verdict(&checked), "TRUE");
            std::fs::read_to_string(&path).expect("the graph was written")
        });
        assert!(dot.starts_with("digraph") && dot.contains("n0 -> n1"), "{dot}");
        let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
        let nodes = json["nodes"].as_array().expect("nodes");
        assert!(nodes.len() > 2 && nodes[0]["parent"].is_null() && nodes[0]["formula"] == "true");
    }
    let portfolio = wedge(&["check", "--graph", "graph.dot", &holds]);
    assert_eq!(portfolio.status.code(), Some(2));
}
