//! Files that are written about programs which Wedge sends through the preprocessor itself.

mod common;

use common::run as wedge;
use std::process::{Command, Stdio};
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

/// The sign of a zero is written where it has one, and as a number that C reads back.
#[test]
fn only_floating_zeros_have_a_sign() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (file, witness) = (path("program.c"), path("w.yml"));
    let text =
        "extern double __VERIFIER_nondet_double(void); extern int __VERIFIER_nondet_int(void);
        extern void reach_error(void);
        int main(void) { double x = __VERIFIER_nondet_double(); int y = __VERIFIER_nondet_int();
        if (x == 0 && 1 / x < 0 && y * 3 == 0) reach_error(); return 0; }";
    std::fs::write(&file, text).unwrap();
    let options = ["--engine", "bmc", "--timeout", "60s"];
    let run = wedge(&[&["check", &file, "--witness", &witness][..], &options].concat());
    assert_eq!(run.verdict(), "FALSE(unreach-call)");
    let text = std::fs::read_to_string(&witness).unwrap();
    let values: Vec<&str> = text.lines().filter(|line| line.contains("result ==")).collect();
    assert!(values[0].contains("== -0.0\""), "{values:?}");
    assert!(values[1].contains("== 0\""), "{values:?}");
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

/// Programs that read their standard input or variables of other files, each with an error.
const READERS: &[&str] = &[
    "extern int limit; extern struct S { char a; int b[3]; } outer;
     int main(void) { int x; char w[8], line[16];
       if (scanf(\"%d,%7s\", &x, w) != 2 || getchar() != '\\n' || !fgets(line, 16, stdin)) return 0;
       if (x == limit + 41 && limit > 100 && w[1] == 'y' && line[0] == '!' && outer.b[2] == 77) reach_error();
       return 0; }",
    "int main(void) { unsigned u; if (scanf(\"%x\", &u) == 0 && getchar() == 'q') reach_error(); return 0; }",
    "int main(void) { int x; if (scanf(\"%d\", &x) == 0) reach_error(); return 0; }",
    "int main(void) { double d; unsigned char b[4];
       if (scanf(\"%lf\", &d) == 1 && d == 2.5 && fread(b, 1, 3, stdin) == 3 && b[2] == 7) reach_error(); return 0; }",
    "int main(void) { char b[2]; if (getchar() == 'a' && read(0, b, 2) == 2 && b[1] == 9) reach_error(); return 0; }",
];

#[test]
fn harnesses_give_input_and_variables_their_values() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (file, harness, binary) = (path("program.c"), path("h.c"), path("h"));
    for program in READERS {
        let head = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nvoid reach_error(void) { abort(); }\n";
        std::fs::write(&file, head.to_string() + program + "\n").unwrap();
        let options = ["--engine", "bmc", "--data-model", "LP64", "--timeout", "100s"];
        let run = wedge(&[&["check", &file, "--harness", &harness][..], &options].concat());
        assert_eq!(run.verdict(), "FALSE(unreach-call)", "{program}\n{}", run.stderr);
        let compiled = Command::new("cc").args(["-w", "-o", &binary, &harness]).output().unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let ran = Command::new(&binary).stdin(Stdio::null()).output().unwrap();
        let text = std::fs::read_to_string(&harness).unwrap();
        assert_eq!(ran.status.code(), Some(107), "{program}\n{text}");
    }
}
