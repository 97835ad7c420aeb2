//! `--arithmetic integer`: proofs for unbounded integers are checked bit by bit, and what rests on an
//! over-approximation is no alarm.

use std::process::Command;

const BEGINNING: &str =
    "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n";

/// The verdict, and all that was printed.
fn check(body: &str, arguments: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, format!("{BEGINNING}{body}\nreturn 0; }}\n")).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_wedge"))
        .args(["check", "--stats", "--timeout", "60s", "--engine"])
        .args(arguments)
        .arg(&path)
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text.lines().last().unwrap_or_default().to_string(), text)
}

fn has(solver: &str) -> bool {
    let has = Command::new(solver).arg("--version").output().is_ok();
    if !has {
        println!("{solver} is not installed: nothing is asked of it");
    }
    has
}

const BOTH: [[&str; 3]; 2] =
    [["trace", "--arithmetic", "integer:z3"], ["kojak", "--arithmetic", "integer:z3"]];

#[test]
fn what_holds_for_integers_and_words_is_proven() {
    if !has("z3") {
        return;
    }
    let body = "int n = __VERIFIER_nondet_int(); int i = 0;\n\
        while (i < n) i++;\nif (n >= 0 && i != n) reach_error();";
    for arguments in BOTH {
        let (verdict, text) = check(body, &arguments);
        assert_eq!(verdict, "TRUE", "{arguments:?}");
        assert!(text.contains("z3: Z3 version"), "the solver is a figure: {text}");
    }
}

#[test]
fn what_holds_for_integers_only_is_not_known() {
    if !has("z3") {
        return;
    }
    // The sum overflows in the loop.
    let body = "int a = 1;\nwhile (__VERIFIER_nondet_int()) a = a + 3;\nif (a < 1) reach_error();";
    for arguments in BOTH {
        let (verdict, text) = check(body, &[&arguments[..], &["--source", "newton:wp"]].concat());
        assert_eq!(verdict, "UNKNOWN(holds for unbounded integers only)", "{arguments:?}");
        assert!(text.contains("invariant of unbounded integers"), "{text}");
    }
}

#[test]
fn alarms_are_those_of_words() {
    if !has("z3") {
        return;
    }
    let real = "int x = __VERIFIER_nondet_int(); if (x > 100 && x * 2 == 400) reach_error();";
    let spurious = "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n\
        if (((x & 6) ^ (y & 6)) == 9) reach_error();";
    for arguments in BOTH {
        assert_eq!(check(real, &arguments).0, "FALSE(unreach-call)", "{arguments:?}");
        let expected =
            "UNKNOWN(a counterexample of unbounded integers is none of machine integers)";
        assert_eq!(check(spurious, &arguments).0, expected, "{arguments:?}");
    }
}

#[test]
fn what_is_missing_is_named() {
    let body = "int x = __VERIFIER_nondet_int(); if (x > 1 && x < 1) reach_error();";
    let (verdict, _) = check(body, &["trace", "--arithmetic", "integer:/no/such/solver"]);
    assert!(verdict.starts_with("UNKNOWN") && verdict.contains("/no/such/solver"), "{verdict}");
    if has("z3") {
        let craig = ["trace", "--arithmetic", "integer:z3", "--source", "craig:z3"];
        let (verdict, _) = check(body, &craig);
        assert!(verdict.contains("the solver z3 has no interpolants"), "{verdict}");
    }
}

#[test]
fn interpolants_of_integers_are_a_source() {
    if !has("z3") || !has("cvc5") {
        return;
    }
    let body = "int n = __VERIFIER_nondet_int(), x = 0, y = 0;\n\
        if (n > 5) { x = n; y = n + 1; } else { x = 7; y = 8; }\n\
        if (y - x != 1) reach_error();";
    for engine in ["trace", "kojak"] {
        for source in ["craig:cvc5", "craig"] {
            let arguments = [engine, "--arithmetic", "integer:z3", "--source", source];
            let (verdict, text) = check(body, &arguments);
            // n + 1 may overflow, but the difference is 1 all the same.
            assert_eq!(verdict, "TRUE", "{arguments:?}: {text}");
        }
    }
}
