//! Words instead of bits: interpolants that are lifted, and invariants that people can read.

mod common;

use common::{example, run as wedge};
use std::path::Path;

const DECLARATIONS: &str = "extern int __VERIFIER_nondet_int(void);\n\
    extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n";

const UPTO: &str = "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0;
  while (i < n) i++;
  if (i != n) reach_error(); return 0; }";
const NESTED: &str =
    "int main(void) { int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), i = 0;
  if (n < 0 || m < 0) return 0;
  while (i < n) { int j = 0; while (j < m) { if (i >= n) reach_error(); j++; } i++; }
  if (i != n) reach_error(); return 0; }";
const MOVED: &str = "int main(void) { unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0;
  while (x > 0) { x--; y++; }
  if (y != n) reach_error(); return 0; }";
const MOVED_BYTES: &str =
    "int main(void) { unsigned char n = __VERIFIER_nondet_uint(), x = n, y = 0;
  while (x > 0) { x--; y++; }
  if (y != n) reach_error(); return 0; }";
const HIT: &str = "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0;
  while (i < n) { i++; if (i == 7 && n == 9) reach_error(); } return 0; }";

fn write(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(format!("{name}.c"));
    std::fs::write(&file, format!("{DECLARATIONS}{text}")).unwrap();
    file.display().to_string()
}

#[test]
fn loops_that_need_words_are_proved_with_lifting_only() {
    let folder = tempfile::tempdir().unwrap();
    let nested = write(folder.path(), "nested", NESTED);
    let moved = write(folder.path(), "moved", MOVED_BYTES);
    let upto = write(folder.path(), "upto", UPTO);
    let counter = example("bounded_counter.btor2");
    // At this bound comparisons of words have led to a proof, and bits are far from one.
    let bound = "6";
    let cases = [("imc", &moved), ("imc", &counter), ("ismc", &upto), ("ismc", &counter)];
    for (engine, file) in cases.into_iter().chain([("dar", &counter), ("imc", &nested)]) {
        let check = |options: &[&str]| {
            let shared = ["check", "--engine", engine, file, "--stats", "--timeout", "60s"];
            let run = wedge(&[&shared, options].concat());
            format!("{}{}", run.stdout, run.stderr)
        };
        let with = check(&["--lift", "--max-bound", bound]);
        assert!(with.ends_with("TRUE\n"), "{engine} on {file}: {with}");
        assert!(with.contains("lift: kept"), "{engine} on {file}: {with}");
        // Here bits may do, after a time that differs from run to run.
        if file == &nested {
            continue;
        }
        let without = check(&["--max-bound", bound]);
        assert!(without.contains("\nUNKNOWN(bound "), "{engine} on {file}: {without}");
        assert!(!without.contains("lift:"), "{engine} on {file}: {without}");
    }
}

#[test]
fn violations_are_found_with_lifting() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "hit", HIT);
    for engine in ["imc", "ismc", "dar"] {
        let run = wedge(&["check", "--engine", engine, "--lift", "--timeout", "60s", &file]);
        assert_eq!(run.verdict(), "FALSE(unreach-call)", "{engine}: {}", run.stderr);
    }
}

/// The values of the loop invariants in the witness of a proof.
fn invariants(folder: &Path, engine: &[&str], file: &str) -> Vec<String> {
    let witness = folder.join("witness.yml").display().to_string();
    let options = ["check", "--timeout", "60s", "--witness", &witness, file];
    let run = wedge(&[&options[..], engine].concat());
    assert_eq!(run.verdict(), "TRUE", "{}", run.stderr);
    let text = std::fs::read_to_string(&witness).unwrap();
    let yaml: serde_yaml_ng::Value = serde_yaml_ng::from_str(&text).unwrap();
    let content = yaml[0]["content"].as_sequence().unwrap();
    let value =
        |entry: &serde_yaml_ng::Value| entry["invariant"]["value"].as_str().map(String::from);
    content.iter().filter_map(value).collect()
}

#[test]
fn invariants_are_comparisons_of_words() {
    let folder = tempfile::tempdir().unwrap();
    for engine in ["kind", "pdr", "imc"] {
        let even = invariants(folder.path(), &["--engine", engine], &example("even_steps.c"));
        assert_eq!(even, ["((x & 1u) == 0u)"], "{engine}");
    }
    let upto = write(folder.path(), "upto", UPTO);
    assert_eq!(invariants(folder.path(), &["--engine", "imc", "--lift"], &upto), ["(i <= n)"]);
    assert_eq!(invariants(folder.path(), &["--engine", "kind"], &upto), ["(i <= n)"]);
    let moved = write(folder.path(), "moved", MOVED);
    let moved = invariants(folder.path(), &["--engine", "kind"], &moved);
    let sums = ["(n == x + y)", "(n == y + x)", "(x + y == n)", "(y + x == n)"];
    let known = [&sums[..], &["(x == n - y)", "(y == n - x)"]].concat();
    assert!(known.contains(&moved[0].as_str()), "{moved:?}");
}
