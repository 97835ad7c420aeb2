//! Contracts of recursive functions in witnesses, and what else witnesses say about functions.

mod common;

use common::{Run, run};
use std::path::Path;

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name).display().to_string();
    std::fs::write(&path, text).unwrap();
    path
}

fn certify(file: &str, witness: &str) -> Run {
    run(&["certify", "--timeout", "60s", file, witness])
}

/// The witness of a program that is decided, its path, and what was said beside it.
fn witness(folder: &Path, file: &str, more: &[&str], verdict: &str) -> (String, String, String) {
    let witness = folder.join("w.yml").display().to_string();
    let options = ["check", "--timeout", "60s", "--witness", &witness, file];
    let checked = run(&[&options[..], more].concat());
    assert_eq!(checked.verdict(), verdict, "{}", checked.stderr);
    (std::fs::read_to_string(&witness).unwrap(), witness, checked.stderr)
}

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
    let (text, path, said) = witness(folder.path(), &file, &NEW, "TRUE");
    assert!(text.contains("- contract:\n        type: \"function_contract\""), "{text}");
    assert!(text.contains("requires: \"n >= 0 && n <= 7\""), "{text}");
    assert!(text.contains("ensures: \"\\\\result == n + 5\""), "{text}");
    assert!(text.contains("(n == 9 && \\\\result == 34)"), "{text}");
    assert!(!said.contains("no proof"), "{said}");
    let certified = certify(&file, &path);
    let verdict = certified.verdict();
    assert!(verdict.starts_with("ACCEPTED(correctness witness, its 2 contracts"), "{verdict}");
    // In 2.0 there are no contracts; what is known of parameters is said inside of the functions.
    let (text, path, _) = witness(folder.path(), &file, &[], "TRUE");
    assert!(text.contains("location_invariant") && !text.contains("contract"), "{text}");
    assert!(text.contains("value: \"n >= 0 && n <= 7\""), "{text}");
    assert!(certify(&file, &path).verdict().starts_with("ACCEPTED("));
}

#[test]
fn wrong_contracts_are_rejected_with_the_cause() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "program.c", SMALL);
    let (good, ..) = witness(folder.path(), &file, &NEW, "TRUE");
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
    let (plain, ..) = witness(folder.path(), &file, &NEW, "TRUE");
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
        let (text, path, _) = witness(folder.path(), &file, &engine, "FALSE(unreach-call)");
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
    let (_, _, said) = witness(folder.path(), &file, &[], "TRUE");
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
