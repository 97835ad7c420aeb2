//! Contracts of recursive functions in witnesses, and what else witnesses say about functions.

mod common;

use common::witness::{Written, certify, sha256, witness, write};

/// One run; `down` keeps its parameter, and so does `grow`, which gives no simple function of it.
const RECURSIVE: &str = "extern void reach_error(void);
int down(int n) {
  if (n <= 0)
    return 5;
  return down(n - 1) + 1;
}
int grow(int n) { if (n < 2) return n; return grow(n - 1) + grow(n - 2); }
int main(void) {
  if (down(7) != 12 || grow(9) != 34)
    reach_error();
  return 0;
}
";

/// The first of these functions alone, since every witness of it is certified anew.
const SMALL: &str = "extern void reach_error(void);
int down(int n) {
  if (n <= 0)
    return 5;
  return down(n - 1) + 1;
}
int main(void) {
  if (down(3) != 8)
    reach_error();
  return 0;
}
";

const NEW: [&str; 2] = ["--witness-version", "2.1"];

#[test]
fn recursive_functions_get_contracts() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "program.c", RECURSIVE);
    let Written { text, path, said } = witness(folder.path(), &file, "w.yml", &NEW, "TRUE");
    assert!(text.contains("- contract:\n        type: \"function_contract\""), "{text}");
    assert!(text.contains("requires: \"n >= 0 && n <= 7\""), "{text}");
    assert!(text.contains("ensures: \"\\\\result == n + 5\""), "{text}");
    assert!(text.contains("(n == 9 && \\\\result == 34)"), "{text}");
    assert!(!said.contains("no proof"), "{said}");
    let certified = certify(&file, &path);
    let verdict = certified.verdict();
    assert!(verdict.starts_with("ACCEPTED(correctness witness, its 2 contracts"), "{verdict}");
    // In 2.0 there are no contracts; what is known of parameters is said inside of the functions.
    let file = write(folder.path(), "program.c", SMALL);
    let Written { text, path, .. } = witness(folder.path(), &file, "w.yml", &[], "TRUE");
    assert!(text.contains("location_invariant") && !text.contains("contract"), "{text}");
    assert!(text.contains("value: \"n >= 0 && n <= 3\""), "{text}");
    assert!(certify(&file, &path).verdict().starts_with("ACCEPTED("));
}

#[test]
fn wrong_contracts_are_rejected_with_the_cause() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "program.c", SMALL);
    let good = witness(folder.path(), &file, "w.yml", &NEW, "TRUE").text;
    let (requires, ensures) = ("n >= 0 && n <= 3", "\\\\result == n + 5");
    let cases = [
        (good.replace(requires, "n >= 1"), "requires of contract 1 `n >= 1`"),
        (good.replace(ensures, "\\\\result == n + 6"), "does not hold"),
        (good.replace(ensures, "\\\\result == m"), "`m`"),
        (good.replace(requires, "\\\\result == 5"), "requires of contract 1"),
        (good.replace(ensures, "\\\\at(n, Here) == 1"), "no parameter"),
        (good.replace("line: 2\n", "line: 9\n"), "no function begins there"),
        (good.replace("\"2.1\"", "\"2.0\""), "content.contract.type"),
        (
            good.replace("        ensures: \"\\\\result == n + 5\"\n", ""),
            "content.contract.ensures",
        ),
    ];
    for (text, cause) in cases {
        assert_ne!(text, good, "{cause}");
        let certified = certify(&file, &write(folder.path(), "m.yml", &text));
        let verdict = certified.verdict();
        assert!(verdict.starts_with("REJECTED(") && verdict.contains(cause), "{cause}: {verdict}");
    }
    let right = [
        good.replace(ensures, "\\\\result == \\\\at(n, Pre) + 5"),
        good.replace(ensures, "\\\\result == \\\\old(n) + 5"),
        // As others have written contracts.
        good.replace("- contract:", "- invariant:"),
    ];
    for text in right {
        assert_ne!(text, good);
        let certified = certify(&file, &write(folder.path(), "m.yml", &text));
        assert!(certified.verdict().starts_with("ACCEPTED("), "{}\n{text}", certified.verdict());
    }
}

/// Programs with several runs: what some runs suggest is proved for one function after the other.
#[test]
fn recursion_over_inputs_gets_contracts() {
    let folder = tempfile::tempdir().unwrap();
    let head = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";
    let programs = [
        // At most 3, whatever the input.
        ("int id(int x) { if (x == 0) return 0; int r = id(x - 1) + 1; if (r > 3) return 3; return r; }
int main(void) { if (id(__VERIFIER_nondet_int()) == 5) reach_error(); return 0; }", "<= 3"),
        // Two functions that call one another.
        ("int odd(int n);
int even(int n) { if (n == 0) return 1; return odd(n - 1); }
int odd(int n) { if (n == 0) return 0; return even(n - 1); }
int main(void) { if (even(__VERIFIER_nondet_int()) > 1) reach_error(); return 0; }", "<= 1"),
        // A sum.
        ("int add(int m, int n) { if (n == 0) return m; if (n > 0) return add(m + 1, n - 1); return add(m - 1, n + 1); }
int main(void) { int m = __VERIFIER_nondet_int(); if (add(m, 7) != m + 7) reach_error(); return 0; }", "m + n"),
    ];
    for (text, ensured) in programs {
        let file = write(folder.path(), "program.c", &format!("{head}{text}\n"));
        let Written { text, path, said } = witness(folder.path(), &file, "w.yml", &NEW, "TRUE");
        assert!(text.contains("function_contract") && text.contains(ensured), "{text}{said}");
        assert!(!said.contains("no proof"), "{said}");
        let certified = certify(&file, &path);
        let verdict = certified.verdict();
        assert!(verdict.contains("by induction"), "{text}{verdict}");
        // What is too strong holds in no proof, and is not believed.
        let wrong =
            text.replace(ensured, &ensured.replace("3", "2").replace("1", "0").replace('+', "-"));
        assert_ne!(wrong, text);
        let certified = certify(&file, &write(folder.path(), "m.yml", &wrong));
        assert!(!certified.verdict().starts_with("ACCEPTED"), "{wrong}{}", certified.verdict());
    }
}

/// A function that changes more than its result is not replaced by its contract.
#[test]
fn contracts_of_functions_with_effects_are_checked_in_runs() {
    let folder = tempfile::tempdir().unwrap();
    let text = "extern void reach_error(void);
int g;
int f(int n) { if (n <= 0) return 0; g = g + 1; return f(n - 1); }
int main(void) { f(2); if (g == 2) reach_error(); return 0; }
";
    let file = write(folder.path(), "program.c", text);
    let safe = write(folder.path(), "safe.c", &text.replace("g == 2", "g == 3"));
    let good = witness(folder.path(), &safe, "w.yml", &NEW, "TRUE").text;
    let other = witness(folder.path(), &file, "other.yml", &[], "FALSE(unreach-call)").text;
    let moved = good.replace("safe.c", "program.c").replace(&sha256(&good), &sha256(&other));
    assert!(moved.contains("function_contract"), "{moved}");
    let certified = certify(&file, &write(folder.path(), "m.yml", &moved));
    assert!(
        certified.verdict().starts_with("REJECTED(the program violates"),
        "{}",
        certified.stdout
    );
}

/// A name in a contract is a parameter or a global one, whatever a block declares.
#[test]
fn contracts_do_not_see_what_blocks_declare() {
    let folder = tempfile::tempdir().unwrap();
    let text = "extern void reach_error(void);
int g = 1;
int f(int n) {
  int g = 3;
  { int n = 4; g += n; if (g > 100) return 0; }
  n = n + 1;
  return g;
}
int main(void) { if (f(2) != 7) reach_error(); return 0; }
";
    let file = write(folder.path(), "program.c", text);
    let plain = witness(folder.path(), &file, "w.yml", &NEW, "TRUE").text;
    let contract = |ensures: &str| {
        let head = plain.split("  content:").next().unwrap();
        let text = format!(
            "{head}  content:\n    - contract:\n        type: \"function_contract\"\n        \
             location: {{file_name: \"program.c\", line: 3}}\n        requires: \"n == 2\"\n        \
             ensures: {ensures:?}\n        format: \"ext_c_expression\"\n"
        );
        certify(&file, &write(folder.path(), "m.yml", &text)).verdict().to_string()
    };
    assert!(contract("g == 1 && n == 3 && \\at(n, Pre) == 2").starts_with("ACCEPTED("));
    assert!(contract("g == 7").starts_with("REJECTED("));
}

#[test]
fn values_that_were_never_written_are_assumptions() {
    let folder = tempfile::tempdir().unwrap();
    let text = "extern void reach_error(void);
int main(void) {
  int y;
  int i = 0;
  while (i < 3)
    i++;
  if (y > 3)
    reach_error();
  return 0;
}
";
    let file = write(folder.path(), "program.c", text);
    for engine in ["bmc", "execute"] {
        let engine = ["--engine", engine];
        let Written { text, path, .. } =
            witness(folder.path(), &file, "w.yml", &engine, "FALSE(unreach-call)");
        assert!(text.contains("type: \"assumption\"") && text.contains("\"y == "), "{text}");
        assert!(certify(&file, &path).verdict().starts_with("ACCEPTED(violation"));
    }
}

/// Once, whoever found the proof.
#[test]
fn what_a_witness_lacks_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let text = "extern void reach_error(void);
int main(void) {
  float x = 1.0f, y = x / 2.5f;
  while (y != x) {
    x = y;
    y = x / 2.5f;
  }
  if (x != 0)
    reach_error();
  return 0;
}
";
    let file = write(folder.path(), "program.c", text);
    let said = witness(folder.path(), &file, "w.yml", &[], "TRUE").said;
    assert_eq!(said.matches("are no proof").count(), 1, "{said}");
}

/// The script that counts what witnesses of a suite are worth, where there is Python.
#[test]
fn witnesses_of_a_suite_are_counted() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../contrib/witnesses/table.py");
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "right.c", RECURSIVE);
    write(folder.path(), "wrong.c", &RECURSIVE.replace("12", "13"));
    std::fs::create_dir(folder.path().join("properties")).unwrap();
    let property = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
    write(folder.path(), "properties/unreach-call.prp", property);
    let rows = "path\tcategory\tdata_model\nright.c\tR\tLP64\nwrong.c\tR\tLP64\n";
    let manifest = write(folder.path(), "tasks.tsv", rows);
    let out = folder.path().join("out").display().to_string();
    let options = ["--wedge", env!("CARGO_BIN_EXE_wedge"), "--version", "2.1", "--name", "it"];
    let started = std::process::Command::new("python3")
        .args([script, &manifest, "--out", &out])
        .args(options)
        .output();
    let Ok(output) = started else { return };
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{table}{}", String::from_utf8_lossy(&output.stderr));
    let all = table.lines().last().unwrap();
    let cells: Vec<&str> = all.split('|').map(str::trim).collect();
    // Two tasks, one proof whose contracts are accepted and one alarm that is.
    assert_eq!(cells[1..4], ["it, all", "2", "1"], "{table}");
    assert_eq!((cells[8], cells[10], cells[11], cells[12]), ("1", "0", "1", "1"), "{table}");
}
