//! `wedge bench` end to end, on circuits of a few gates.

mod common;

use common::*;
use std::path::Path;
use std::process::Stdio;

const ENGINES: &str = "[engines]\nbmc = [\"--engine\", \"bmc\"]\nimc = [\"--engine\", \"imc\"]\n\
                       portfolio = [\"--engine\", \"portfolio\", \"--cores\", \"2\"]\n";

fn suite(directory: &Path, expected: [&str; 3]) -> String {
    write(directory, "endless.aag", &endless());
    write(directory, "safe.aag", &safe());
    write(directory, "unsafe.aag", &unsafe_at_5());
    let [endless, safe, unsafe_] = expected;
    let manifest = format!(
        "path\texpected\tcategory\nsafe.aag\t{safe}\tsmall\nunsafe.aag\t{unsafe_}\tsmall\n\
         endless.aag\t{endless}\tlarge\n"
    );
    write(directory, "tasks.tsv", &manifest);
    let text = format!(
        "name = \"counters\"\n[limits]\ntime = \"1500ms\"\nmemory = \"2GB\"\njobs = 2\n[[tasks]]\n\
         manifest = \"tasks.tsv\"\n{ENGINES}"
    );
    write(directory, "suite.toml", &text).to_str().unwrap().to_string()
}

fn finished(out: &Path) -> usize {
    let text = std::fs::read_to_string(out.join("results.jsonl")).unwrap_or_default();
    text.lines().count().saturating_sub(1)
}

/// A process and what it has started, at any depth.
fn tree(pid: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task"));
    let threads = tasks.into_iter().flatten().flatten().map(|entry| entry.path());
    let lists = threads.map(|path| std::fs::read_to_string(path.join("children")));
    let children: Vec<u32> = lists
        .flat_map(|list| {
            let list = list.unwrap_or_default();
            list.split_ascii_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<_>>()
        })
        .collect();
    children.iter().copied().chain(children.iter().flat_map(|&child| tree(child))).collect()
}

/// Starts the suite, ends it with a signal in the middle of the long runs, and continues.
fn interrupted_by(name: &str) {
    let dir = tempfile::tempdir().unwrap();
    let (suite, out) = (suite(dir.path(), ["unknown", "safe", "unsafe"]), dir.path().join("out"));
    let arguments = ["bench", &suite, "--out", out.to_str().unwrap()];
    let mut parent = wedge(&arguments).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    eventually("the short runs are done and a long one is at work", || {
        finished(&out) >= 6 && !tree(parent.id()).is_empty()
    });
    let started = tree(parent.id());
    signal(parent.id(), name);
    parent.wait().unwrap();
    eventually("nothing is left", || started.iter().all(|&pid| state(pid).is_none()));
    let before = finished(&out);
    assert!((6..9).contains(&before), "{before} runs");
    let again = output(&arguments);
    let errors = String::from_utf8_lossy(&again.stderr);
    assert!(errors.contains(&format!("{before} of 9 runs are done already")), "{errors}");
    assert_eq!(again.status.code(), Some(0), "{errors}");
    assert_eq!(finished(&out), 9);
    let table = stdout(&again);
    let row = |engine: &str| {
        let line = table.lines().find(|l| l.starts_with(engine) && l.contains(" all ")).unwrap();
        line.split_whitespace().skip(2).take(6).map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(row("bmc"), ["3", "1", "1", "0", "0", "1"]);
    assert_eq!(row("imc"), ["3", "1", "1", "0", "0", "1"]);
    assert_eq!(row("portfolio"), ["3", "1", "1", "0", "0", "1"]);
}

#[test]
fn continues_after_a_kill() {
    interrupted_by("KILL");
}

#[test]
fn continues_after_an_interrupt() {
    interrupted_by("INT");
}

#[test]
fn wrong_verdicts_set_the_exit_status() {
    let dir = tempfile::tempdir().unwrap();
    let (suite, out) = (suite(dir.path(), ["unknown", "unsafe", "unsafe"]), dir.path().join("out"));
    let out = out.to_str().unwrap();
    let run = output(&["bench", &suite, "--out", out, "--only", "small", "--list", "--plot"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(stdout(&run).contains("WRONG"), "{}", stdout(&run));
    for file in ["results.csv", "results.json", "cactus.svg", "scatter-bmc-imc.svg"] {
        assert!(Path::new(out).join(file).is_file(), "{file}");
    }
    let other = output(&["bench", &suite, "--out", out, "--only", "small", "--timeout", "7s"]);
    assert_eq!(other.status.code(), Some(2));
    let message = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(message.contains("another time limit (1.5 s, now 7 s)"), "{message}");
}

#[test]
fn bad_suites_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let suite = suite(dir.path(), ["unknown", "safe", "unsafe"]);
    let study = output(&["bench", &suite, "--study", "hardware"]);
    assert_eq!(study.status.code(), Some(2));
    let message = String::from_utf8_lossy(&study.stderr).into_owned();
    assert!(message.contains("the suite has no ismc"), "{message}");
    let missing = output(&["bench", "missing.toml"]);
    assert_eq!(missing.status.code(), Some(2));
}
