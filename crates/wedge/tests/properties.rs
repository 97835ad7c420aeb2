//! Which properties of a program count, and which of them the verdict names.

mod common;

use common::run as wedge;
use std::process::Command;
use tempfile::TempDir;

fn write(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// A file with a property.
fn property(folder: &TempDir, goal: &str) -> String {
    let text = format!("CHECK( init(main()), LTL({goal}) )\n");
    write(folder, "property.prp", &text)
}

const INPUT: &str = "extern int __VERIFIER_nondet_int(void);\n";

/// An assertion in one of the forms that programs have, about `x < 10`.
const ASSERTIONS: &[(&str, &str)] = &[
    ("#include <assert.h>\n", "assert(x < 10);"),
    ("extern void assert(int);\n", "assert(x < 10);"),
    ("", "assert(x < 10);"),
    (
        "extern void __assert_fail(const char *, const char *, unsigned, const char *);\n",
        "if (!(x < 10)) __assert_fail(\"x\", \"f\", 1, \"main\");",
    ),
    (
        "void __assert_func(const char *, int, const char *, const char *);\n",
        "x < 10 ? (void)0 : __assert_func(\"f\", 1, \"main\", \"x\");",
    ),
    (
        "void __assert_perror_fail(int, const char *, unsigned, const char *);\n",
        "if (x >= 10) __assert_perror_fail(x, \"f\", 1, \"main\");",
    ),
    ("void _wassert(int *, int *, unsigned);\n", "if (x >= 10) _wassert(0, 0, 1);"),
    ("void __assert(const char *, const char *, int);\n", "if (x >= 10) __assert(\"\", \"\", 1);"),
];

fn program(declarations: &str, assertion: &str, limit: i32) -> String {
    format!(
        "{declarations}{INPUT}int main(void) {{\n  int x = __VERIFIER_nondet_int();\n  \
         if (x < {limit})\n    {assertion}\n  return 0;\n}}\n"
    )
}

#[test]
fn assertions_count_without_a_property_file() {
    let folder = tempfile::tempdir().unwrap();
    for (declarations, assertion) in ASSERTIONS {
        for (limit, expected) in [(11, "FALSE(assert)"), (10, "TRUE")] {
            let text = program(declarations, assertion, limit);
            let file = write(&folder, "program.c", &text);
            for engine in ["kind", "portfolio"] {
                let run = wedge(&["check", "--engine", engine, "--timeout", "60s", &file]);
                assert_eq!(run.verdict(), expected, "{text}{}{}", run.stdout, run.stderr);
            }
        }
        let file = write(&folder, "program.c", &program(declarations, assertion, 11));
        let run = wedge(&["check", "--engine", "execute", "--timeout", "60s", &file]);
        assert_eq!(run.verdict(), "FALSE(assert)", "{}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains("the assertion does not hold"), "{}", run.stdout);
    }
}

#[test]
fn a_property_file_means_exactly_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let all = "extern void reach_error(void); extern void __VERIFIER_error(void);\n\
        extern void assert(int); void boom(int x) { }\n";
    let body = |call: &str| write(&folder, "p.c", &format!("{all}int main(void) {{ {call}; }}\n"));
    let calls = ["reach_error()", "__VERIFIER_error()", "assert(0)", "boom(1)"];
    let goals = [
        ("G ! call(reach_error())", [true, false, false, false], "unreach-call"),
        ("G ! call(__VERIFIER_error())", [false, true, false, false], "unreach-call"),
        ("G assert", [false, false, true, false], "assert"),
        ("G ! call(boom())", [false, false, false, true], "unreach-call"),
    ];
    for (goal, violated, name) in goals {
        let property = property(&folder, goal);
        for (call, violated) in calls.iter().zip(violated) {
            let file = body(call);
            for engine in ["bmc", "execute"] {
                let run = wedge(&["check", "--engine", engine, "--property", &property, &file]);
                let expected = match violated {
                    true => format!("FALSE({name})"),
                    false => "TRUE".to_string(),
                };
                assert_eq!(run.verdict(), expected, "{goal}: {call}: {}", run.stderr);
            }
        }
    }
    // An error function that is not asked for is what its body says.
    let own = "extern void __VERIFIER_error(void); void reach_error(void) { __VERIFIER_error(); }\n\
        int main(void) { reach_error(); }\n";
    let file = write(&folder, "p.c", own);
    let property = property(&folder, "G ! call(__VERIFIER_error())");
    let run = wedge(&["check", "--engine", "bmc", "--property", &property, &file]);
    assert_eq!(run.verdict(), "FALSE(unreach-call)", "{}", run.stderr);
}

#[test]
fn other_properties_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder, "p.c", "int main(void) { return 0; }\n");
    for (goal, name) in [("F end", "termination"), ("G ! data-race", "no-data-race")] {
        let property = property(&folder, goal);
        for engine in ["bmc", "execute", "portfolio"] {
            let run = wedge(&["check", "--engine", engine, "--property", &property, &file]);
            let expected = format!("UNKNOWN(unsupported property {name} in {property})");
            assert_eq!((run.verdict(), run.status), (expected.as_str(), 30), "{}", run.stderr);
        }
    }
}

#[test]
fn a_program_with_nothing_to_check_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder, "p.c", "int main(void) { return 0; }\n");
    let run = wedge(&["check", &file]);
    assert_eq!(run.verdict(), "TRUE");
    assert!(run.stderr.contains("nothing to check"), "{}", run.stderr);
    let file = write(&folder, "p.c", "void assert(int); int main(void) { assert(1); }\n");
    let run = wedge(&["check", &file]);
    assert_eq!((run.verdict(), run.stderr.as_str()), ("TRUE", ""));
    let property = property(&folder, "G ! call(reach_error())");
    let run = wedge(&["check", "--stats", "--engine", "bmc", "--property", &property, &file]);
    assert!(run.stderr.contains("nothing to check"), "{}", run.stderr);
    assert!(run.stdout.contains("`assert` is not asked for"), "{}", run.stdout);
}

#[test]
fn a_failing_assertion_has_a_harness_and_a_witness() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (declarations, assertion) in &ASSERTIONS[..4] {
        let file = write(&folder, "program.c", &program(declarations, assertion, 11));
        let path = |name: &str| folder.path().join(name).display().to_string();
        let (harness, witness, binary) = (path("h.c"), path("w.yml"), path("h"));
        let run = wedge(&[
            "check",
            "--engine",
            "bmc",
            "--harness",
            &harness,
            "--witness",
            &witness,
            &file,
        ]);
        assert_eq!(run.verdict(), "FALSE(assert)", "{}", run.stderr);
        let compiled = Command::new("cc").args(["-w", "-o", &binary, &harness]).output().unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let ran = Command::new(&binary).output().unwrap();
        assert_eq!(ran.status.code(), Some(107), "{assertion}");
        let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(stdout.contains("the assertion does not hold"), "{stdout}");
        let witness = std::fs::read_to_string(&witness).unwrap();
        assert!(witness.contains("G assert"), "{witness}");
    }
}
