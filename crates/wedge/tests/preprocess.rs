//! Preprocessing on the command line: what it changes, and that evidence is about the file.

mod common;

use common::{last_line, output, stdout, write};

/// Two registers that store the same input, one of them negated. Bad: they are equal.
const COPIES: &str = "aag 6 1 2 0 3 1\n2\n4 2 0\n6 3 1\n12\n8 4 7\n10 5 6\n12 9 11\n";

/// A state from which the bad one could be reached is itself never reached, but it can be
/// repeated. A counter of two bits runs beside it.
const REPEATED: &str = "aag 9 1 4 0 4 1\n2\n4 4\n6 12\n8 9\n10 19\n6\n\
                        12 4 2\n14 10 9\n16 11 8\n18 15 17\n";

fn figure(text: &str, name: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in {text}")).trim().parse().unwrap()
}

#[test]
fn the_circuit_shrinks_and_the_certificate_is_about_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let model = write(folder.path(), "copies.aag", COPIES).display().to_string();
    let certificate = folder.path().join("certificate").display().to_string();
    for (options, latches) in [(&[][..], 0.0), (&["--no-preprocess"][..], 2.0)] {
        let mut arguments = vec!["check", "--engine", "pdr", "--stats", &model];
        arguments.extend(["--certificate", &certificate]);
        arguments.extend(options);
        let run = output(&arguments);
        assert_eq!(last_line(&run), "TRUE");
        assert_eq!(figure(&stdout(&run), "latches before preprocessing"), 2.0);
        assert_eq!(figure(&stdout(&run), "latches after preprocessing"), latches);
        let run = output(&["certify", &model, &certificate]);
        assert_eq!(last_line(&run), "ACCEPTED(certificate)");
        std::fs::remove_file(&certificate).unwrap();
    }
}

/// Without the counter two steps would do; but the proof is about the circuit in the file, whose
/// states differ in the counter, too.
#[test]
fn simple_paths_are_those_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let model = write(folder.path(), "repeated.aag", REPEATED).display().to_string();
    for option in ["--no-preprocess", "--stats"] {
        let run = output(&["check", "--engine", "kind", "--simple-path", option, &model]);
        assert_eq!(last_line(&run), "TRUE", "{}", String::from_utf8_lossy(&run.stderr));
    }
    let mut arguments = vec!["check", "--engine", "kind", "--max-bound", "20", &model];
    assert_eq!(last_line(&output(&arguments)), "TRUE", "latches that are equal say enough");
    arguments.push("--no-preprocess");
    assert_eq!(last_line(&output(&arguments)), "UNKNOWN(bound 20 reached)");
}
