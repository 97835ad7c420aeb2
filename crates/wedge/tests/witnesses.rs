//! Witnesses of programs: what they say, and whether `certify` believes them.

mod common;

use common::run;
use common::witness::{certify, sha256, witness, write};
use std::path::Path;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";

/// Two counters that move together, the second from 3.
const TOGETHER: &str = "int main(void) {
  unsigned x = 0, y = 3;
  while (__VERIFIER_nondet_int()) {
    x++;
    y++;
  }
  if (y != x + 3)
    reach_error();
  return 0;
}
";

fn program(folder: &Path, text: &str) -> String {
    write(folder, "program.c", &format!("{HEAD}{text}"))
}

#[test]
fn a_proof_is_accepted_in_all_formats() {
    let folder = tempfile::tempdir().unwrap();
    let file = program(folder.path(), TOGETHER);
    let formats = [("w.yml", "2.0"), ("w.yml", "2.1"), ("w.graphml", "2.0")];
    for (name, version) in formats {
        let version_option = ["--witness-version", version];
        let text = witness(folder.path(), &file, name, &version_option, "TRUE").text;
        assert!(text.contains('x') && text.contains('y'), "{text}");
        if name.ends_with("yml") {
            assert!(text.contains(&format!("format_version: \"{version}\"")), "{text}");
        }
        let certified = certify(&file, &folder.path().join(name).display().to_string());
        let expected =
            "ACCEPTED(correctness witness, its invariant proves the property by induction)";
        assert_eq!((certified.verdict(), certified.status), (expected, 0), "{}", certified.stderr);
    }
}

#[test]
fn every_way_to_prove_leaves_invariants() {
    let folder = tempfile::tempdir().unwrap();
    let programs = [
        // The only run.
        ("execute", "int main(void) { int i = 0, s = 0; while (i < 20) { i++; s += 2; }
          if (s != 40) reach_error(); return 0; }"),
        // Every path ends.
        ("bmc", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0;
          while (i < 3) { if (n > 5) i += 1; i += 1; } if (i > 4) reach_error(); return 0; }"),
        // A loop that no loop statement makes.
        ("kind", "int main(void) { unsigned x = 0, y = 3;
          again: x++; y++; if (__VERIFIER_nondet_int()) goto again;
          if (y != x + 3) reach_error(); return 0; }"),
        // A loop of a function that is called twice.
        ("kind", "unsigned up(unsigned n) { unsigned i = 0, j = 1; while (i < n) { i++; j++; } return j - i; }
         int main(void) { unsigned a = up(__VERIFIER_nondet_int()), b = up(7);
          if (a + b != 2) reach_error(); return 0; }"),
    ];
    for (engine, text) in programs {
        let file = program(folder.path(), text);
        let said = witness(folder.path(), &file, "w.yml", &["--engine", engine], "TRUE").text;
        assert!(said.contains("value: "), "{engine}: {text}\n{said}");
        let certified = certify(&file, &folder.path().join("w.yml").display().to_string());
        let verdict = certified.verdict();
        assert!(verdict.contains("by induction"), "{engine}: {text}\n{said}{verdict}");
    }
}

#[test]
fn wrong_proofs_are_rejected_with_the_cause() {
    let folder = tempfile::tempdir().unwrap();
    let file = program(folder.path(), TOGETHER);
    let good = witness(folder.path(), &file, "w.yml", &[], "TRUE").text;
    let value = good.lines().find(|line| line.contains("value: ")).unwrap();
    let said = |new: &str| good.replace(value, &format!("        value: \"{new}\""));
    let hash = good.split("program.c\": \"").nth(1).unwrap();
    let hash = hash.split('"').next().unwrap();
    let mutants = [
        (good.replace("line: 5", "line: 6"), "there is no loop there"),
        (said("x < 2"), "invariant 1 `x < 2` at"),
        (said("x == y"), "does not hold"),
        (said("x == z"), "`z`"),
        (said("x++ >= 0"), "calls or changes something"),
        (said("1 / x"), "does not hold"),
        (said("x == (y"), "missing `)`"),
        (said("1); reach_error(); (1"), "unexpected"),
        (good.replace(hash, &"0".repeat(64)), "hash of"),
        (good.replace("c_expression", "acsl_expression"), "content.invariant.format"),
        (good.replace("    location:\n", "    place:\n"), "missing field `location`"),
        (good.replace("line: 5", "line: five"), "content[0].invariant.location.line"),
        (good[..good.len() / 2].to_string(), "w.yml"),
        (good.replace("invariant_set", "violation_sequence"), "content[0]"),
    ];
    for (text, cause) in mutants {
        let mutant = write(folder.path(), "m.yml", &text.replace("w.yml", "m.yml"));
        let certified = certify(&file, &mutant);
        let verdict = certified.verdict();
        let cause = cause.replace("w.yml", "m.yml");
        assert!(
            verdict.starts_with("REJECTED(") && verdict.contains(&cause),
            "{cause}: {verdict} {}\n{text}",
            certified.stderr
        );
        assert_eq!(certified.status, 1);
    }
}

#[test]
fn wrong_proofs_in_graphml_are_rejected_with_the_cause() {
    let folder = tempfile::tempdir().unwrap();
    let file = program(folder.path(), TOGETHER);
    let good = witness(folder.path(), &file, "w.graphml", &[], "TRUE").text;
    let invariant = good.split("key=\"invariant\">").nth(1).unwrap();
    let invariant = invariant.split('<').next().unwrap();
    let end = good.len() - "/graphml>".len();
    let mutants = [
        (good.replace("line\">5<", "line\">6<"), "there is no loop there"),
        (good.replace(invariant, "x &lt; 2"), "`x < 2` at"),
        (good.replace(invariant, "x == z"), "`z`"),
        (good.replace(&sha256(&good), &"0".repeat(64)), "hash of"),
        (good[..good.len() / 2].to_string(), "m.graphml:"),
        (good[..end].to_string(), "m.graphml:"),
        (good.replace("correctness_witness", "violation_witness"), "to a violation"),
    ];
    for (text, cause) in mutants {
        assert_ne!(text, good, "{cause}");
        let certified = certify(&file, &write(folder.path(), "m.graphml", &text));
        let verdict = certified.verdict();
        assert!(verdict.starts_with("REJECTED(") && verdict.contains(cause), "{cause}: {verdict}");
    }
}

#[test]
fn a_proof_of_a_program_with_an_error_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let file = program(folder.path(), TOGETHER);
    let good = witness(folder.path(), &file, "w.yml", &[], "TRUE").text;
    let old = sha256(&good);
    let wrong = TOGETHER.replace("!= x + 3", "== 7");
    let file = program(folder.path(), &wrong);
    let other = witness(folder.path(), &file, "other.yml", &[], "FALSE(unreach-call)").text;
    write(folder.path(), "w.yml", &good.replace(&old, &sha256(&other)));
    let certified = certify(&file, &folder.path().join("w.yml").display().to_string());
    assert!(
        certified.verdict().starts_with("REJECTED(the program violates"),
        "{}",
        certified.stdout
    );
}

const WRONG: &str = "int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  int n = 0;
  while (n < 3) {
    if (a > 100 && b != 7)
      n = n + 2;
    else
      n = n + 1;
  }
  if (n == 4)
    reach_error();
  if (b == 12345)
    reach_error();
  return 0;
}
";

#[test]
fn a_violation_is_accepted_in_all_formats() {
    let folder = tempfile::tempdir().unwrap();
    let file = program(folder.path(), WRONG);
    for name in ["w.yml", "w.graphml"] {
        let written =
            witness(folder.path(), &file, name, &["--engine", "bmc"], "FALSE(unreach-call)");
        let text = written.text;
        if name == "w.yml" {
            assert!(text.contains("acsl_expression") && !text.contains("ext_c"), "{text}");
        }
        let certified = certify(&file, &folder.path().join(name).display().to_string());
        assert!(
            certified.verdict().starts_with("ACCEPTED(violation witness"),
            "{}",
            certified.stdout
        );
    }
}

/// An error in line 7 for one value.
const NINE: &str = "int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a > 5)
    if (a == 9)
      reach_error();
  return 0;
}
";

#[test]
fn wrong_violations_are_rejected_with_the_cause() {
    let folder = tempfile::tempdir().unwrap();
    let file = program(folder.path(), NINE);
    for name in ["w.yml", "w.graphml"] {
        let good = witness(folder.path(), &file, name, &[], "FALSE(unreach-call)").text;
        let mutants = [
            (good.replace("result == 9", "result == 8"), "no run that follows the witness"),
            (good.replace("line: 7", "line: 8").replace("line\">7<", "line\">8<"), "line 8"),
            (good.replace(&sha256(&good), &"0".repeat(64)), "hash of"),
            (good[..good.len() / 2].to_string(), name),
        ];
        for (text, cause) in mutants {
            assert_ne!(text, good, "{cause}");
            let mutant = write(folder.path(), name, &text);
            let certified = certify(&file, &mutant);
            let verdict = certified.verdict();
            assert!(
                verdict.starts_with("REJECTED(") && verdict.contains(cause),
                "{name}: {cause}: {verdict}"
            );
        }
    }
}

/// A violation witness of `WRONG` with these segments.
fn sequence(folder: &Path, file: &str, segments: &[(&str, u32, u32, &str)]) -> String {
    let text = witness(folder, file, "w.yml", &["--engine", "bmc"], "FALSE(unreach-call)").text;
    let mut text = text.split("  content:\n").next().unwrap().to_string() + "  content:\n";
    for (kind, line, column, value) in segments {
        let (kind, action) =
            kind.strip_prefix("avoid ").map_or((*kind, "follow"), |k| (k, "avoid"));
        let item = format!(
            "        - waypoint:\n            type: \"{kind}\"\n            action: \"{action}\"\n            \
             location: {{file_name: \"program.c\", line: {line}, column: {column}}}\n"
        );
        let is_first = !text.ends_with("# goes on\n");
        text = text.replace("# goes on\n", "");
        if is_first {
            text += "    - segment:\n";
        }
        text += &item;
        if !value.is_empty() {
            text += &format!("            constraint: {{value: {value:?}}}\n");
        }
        if action == "avoid" {
            text += "# goes on\n";
        }
    }
    write(folder, "s.yml", &text)
}

#[test]
fn a_sequence_restricts_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let file = program(folder.path(), WRONG);
    let target = ("target", 14, 5, "");
    let other = ("target", 16, 5, "");
    let cases = [
        (vec![target], "ACCEPTED"),
        (vec![other], "ACCEPTED"),
        (vec![("branching", 8, 5, "true"), target], "ACCEPTED"),
        (vec![("assumption", 6, 3, "b == 9"), target], "ACCEPTED"),
        (vec![("assumption", 6, 3, "b == 7"), target], "REJECTED"),
        (vec![("avoid branching", 8, 5, "true"), target], "REJECTED"),
        (vec![("avoid branching", 8, 5, "true"), other], "ACCEPTED"),
        (vec![("function_return", 5, 33, "\\result == 12345"), other], "ACCEPTED"),
        (vec![("function_return", 4, 33, "\\result == 12345"), other], "REJECTED"),
        (vec![("function_return", 5, 33, "\\result == 7"), other], "REJECTED"),
        (vec![("branching", 9, 5, "true"), target], "REJECTED"),
    ];
    for (segments, expected) in cases {
        let witness = sequence(folder.path(), &file, &segments);
        let certified = certify(&file, &witness);
        let verdict = certified.verdict();
        assert!(verdict.starts_with(expected), "{segments:?}: {verdict} {}", certified.stderr);
    }
}

#[test]
fn an_unsupported_property_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = program(folder.path(), TOGETHER);
    for goal in ["F end", "G ! data-race", "G (p -> F q)"] {
        let text = format!("CHECK( init(main()), LTL({goal}) )\n");
        let property = write(folder.path(), "p.prp", &text);
        let checked = run(&["check", "--property", &property, &file]);
        assert_eq!(checked.status, 30, "{goal}: {}", checked.stderr);
        assert!(
            checked.verdict().starts_with("UNKNOWN(unsupported property "),
            "{}",
            checked.stdout
        );
    }
}
