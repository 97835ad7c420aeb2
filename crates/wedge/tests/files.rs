//! Files that are written about programs which Wedge sends through the preprocessor itself.

mod common;

use common::run as wedge;
use std::process::Command;
use tempfile::TempDir;

const PROGRAM: &str = "#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
#define ONE 1
#define SUM(x) \\
  ((x) + \\
   ONE)
extern int unknown;
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (unknown != 7 && SUM(x) == 8)
    reach_error();
  return 0;
}
";

/// The number of the line that contains a text.
fn line(text: &str) -> usize {
    PROGRAM.lines().position(|line| line.contains(text)).unwrap() + 1
}

#[test]
fn lines_are_those_of_the_source_and_harnesses_compile() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (file, witness, harness) = (path("program.c"), path("w.yml"), path("h.c"));
    std::fs::write(&file, PROGRAM).unwrap();
    let options = ["--engine", "bmc", "--data-model", "LP64", "--timeout", "60s"];
    let files = ["check", &file, "--witness", &witness, "--harness", &harness];
    let run = wedge(&[&files[..], &options].concat());
    assert!(run.verdict().starts_with("FALSE("), "{}{}", run.stdout, run.stderr);
    let text = std::fs::read_to_string(&witness).unwrap();
    let lines: Vec<usize> =
        text.lines().filter_map(|line| line.trim().strip_prefix("line: ")?.parse().ok()).collect();
    let wanted = [line("= __VERIFIER_nondet_int"), line("    reach_error")];
    assert!(wanted.iter().all(|line| lines.contains(line)), "{lines:?} {wanted:?}\n{text}");
    assert!(lines.iter().all(|&line| line > 0 && line <= PROGRAM.lines().count()), "{lines:?}");
    let binary = path("h");
    let Ok(compiled) = Command::new("cc").args(["-w", "-o", &binary, &harness]).output() else {
        return;
    };
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    assert_eq!(Command::new(&binary).output().unwrap().status.code(), Some(107));
}

#[test]
fn a_path_that_cannot_be_written_is_reported_before_the_run() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("program.c").display().to_string();
    std::fs::write(&file, "int main(void) { for (;;); }\n").unwrap();
    let nowhere = folder.path().join("missing/w.yml").display().to_string();
    for option in ["--witness", "--harness"] {
        let run = wedge(&["check", &file, option, &nowhere, "--timeout", "60s"]);
        assert!(run.stderr.contains(&nowhere), "{}", run.stderr);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    }
}
