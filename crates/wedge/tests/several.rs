//! Circuits with several properties: one run, a verdict for each, evidence for all of them.

mod common;

use common::{counter, example, run};
use std::path::Path;

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

/// A counter in steps of 2: 3 and 5 are never reached, 4 and 6 are, and 6 again with its name.
const NAMES: &str = "b0 three\nb1 four\nb3 six\n";

fn counters() -> String {
    counter(6, 2, &[3, 4, 5, 6, 6]) + NAMES
}

#[test]
fn every_property_has_a_line_and_the_file_a_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "c.aag", &counters());
    let expected = "property 0 (three): TRUE\nproperty 1 (four): FALSE(bad)\nproperty 2: TRUE\n\
                    property 3 (six): FALSE(bad)\nproperty 4: FALSE(bad)\nFALSE(bad)\n";
    for engine in ["imc", "pdr", "portfolio"] {
        let run = run(&["check", "--engine", engine, &file]);
        assert_eq!((run.status, run.stdout.as_str()), (10, expected), "{engine}");
    }
    let safe = run(&["check", "--engine", "pdr", "--property-index", "0,2", &file]);
    assert_eq!((safe.status, safe.stdout.as_str()), (0, "TRUE\n"));
    let missing = run(&["check", "--property-index", "0,7", &file]);
    assert!(missing.status == 2 && missing.stderr.contains("no property 7"), "{}", missing.stderr);
}

#[test]
fn witness_and_certificate_are_for_all_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let aiger = write(folder.path(), "c.aag", &counters());
    let words = write(folder.path(), "c.btor2", WORDS);
    for file in [&aiger, &words] {
        let (witness, certificate) = (path(folder.path(), "w"), path(folder.path(), "cert"));
        let outputs = ["--witness", &witness, "--certificate", &certificate];
        let check = run(&[&["check", "--engine", "pdr", file][..], &outputs].concat());
        assert_eq!(check.verdict(), "FALSE(bad)");
        assert!(check.stderr.contains("the certificate is about the properties 0,2"));
        let text = std::fs::read_to_string(&witness).unwrap();
        assert_eq!(text.lines().filter(|line| *line == ".").count(), 2, "two runs: {text}");
        assert_eq!(run(&["certify", file, &witness]).stdout, "ACCEPTED(witness)\n");
        let index = ["--property-index", "0,2"];
        let part = run(&[&["certify", file, &certificate][..], &index].concat());
        assert_eq!(part.stdout, "ACCEPTED(certificate)\n");
        let all = run(&["certify", file, &certificate]);
        assert!(all.status == 1 && all.stdout.starts_with("REJECTED"), "{}", all.stdout);
    }
}

/// The same counter over words.
const WORDS: &str = "1 sort bitvec 6\n2 sort bitvec 1\n3 input 2 go\n4 state 1 count\n5 zero 1\n\
    6 init 1 4 5\n7 constd 1 2\n8 add 1 4 7\n9 ite 1 3 8 4\n10 next 1 4 9\n11 constd 1 3\n\
    12 eq 2 4 11\n13 bad 12 three\n14 constd 1 4\n15 eq 2 4 14\n16 bad 15 four\n17 constd 1 5\n\
    18 eq 2 4 17\n19 bad 18\n20 constd 1 6\n21 eq 2 4 20\n22 bad 21 six\n23 bad 21\n";

/// Two latches, a := b and b := 0: that a is never 1 is 2-inductive, that not both are is so as well.
const LATCHES: &str = "aag 4 1 2 0 1 2\n2\n4 6\n6 0\n4\n8\n8 4 6\n";
const LATCHES_AS_WORDS: &str = "1 sort bitvec 1\n2 zero 1\n3 state 1 a\n4 state 1 b\n5 init 1 3 2\n\
    6 init 1 4 2\n7 next 1 3 4\n8 next 1 4 2\n9 bad 3\n10 and 1 3 4\n11 bad 10\n";

/// What is proven alone, by induction with its own memory and by an invariant, is joined to one
/// certificate.
#[test]
fn certificates_of_single_proofs_are_joined() {
    use wedge::input::read_circuit;
    let folder = tempfile::tempdir().unwrap();
    let aiger = write(folder.path(), "l.aag", LATCHES);
    let words = write(folder.path(), "l.btor2", LATCHES_AS_WORDS);
    for file in [&aiger, &words] {
        let mut certificates = Vec::new();
        for (engine, property) in [("kind", "0"), ("pdr", "1")] {
            let certificate = path(folder.path(), "one");
            let arguments = ["check", "--engine", engine, "--property-index", property];
            let outputs = ["--no-preprocess", file.as_str(), "--certificate", &certificate];
            assert_eq!(run(&[&arguments[..], &outputs].concat()).verdict(), "TRUE", "{engine}");
            certificates.push(std::fs::read(&certificate).unwrap());
        }
        let model = read_circuit(Path::new(file)).unwrap();
        let joined = path(folder.path(), "joined");
        std::fs::write(&joined, model.joined_certificate(&certificates).unwrap()).unwrap();
        let run = run(&["certify", file, &joined]);
        assert_eq!(run.stdout, "ACCEPTED(certificate)\n", "{file}");
    }
}

#[test]
fn competition_mode_prints_one_word_and_writes_evidence() {
    let folder = tempfile::tempdir().unwrap();
    let (sat, unsat) = (path(folder.path(), "sat"), path(folder.path(), "unsat"));
    let file = write(folder.path(), "c.aag", &counters());
    let violated = run(&["hwmcc", &file, &sat, &unsat]);
    assert_eq!((violated.status, violated.stdout.as_str()), (10, "sat\n"), "one of many fails");
    assert_eq!(run(&["certify", &file, &sat]).stdout, "ACCEPTED(witness)\n");
    assert!(!Path::new(&unsat).exists());
    for file in [example("arbiter.aag"), write(folder.path(), "s.aag", &counter(6, 2, &[3, 5]))] {
        let holds = run(&["hwmcc", &file, &sat, &unsat]);
        assert_eq!((holds.status, holds.stdout.as_str()), (20, "unsat\n"));
        assert_eq!(run(&["certify", &file, &unsat]).stdout, "ACCEPTED(certificate)\n");
        std::fs::remove_file(&unsat).unwrap();
    }
    let open = write(folder.path(), "e.aag", &common::endless());
    let open = run(&["hwmcc", &open, "--timeout", "1s"]);
    assert_eq!((open.status, open.stdout.as_str()), (0, "unknown\n"));
}

/// The protocol of SymbiYosys, without it.
#[test]
fn the_protocol_of_symbiyosys() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "c.aag", &counters());
    let violated = run(&["sby", "+simple_liveness", &file]);
    let lines: Vec<&str> = violated.stdout.lines().filter(|line| !line.starts_with('u')).collect();
    assert_eq!((violated.status, &lines[..3]), (0, &["1", "b1", "000000"][..]));
    assert_eq!(lines.last(), Some(&"."));
    let holds = run(&["sby", &example("arbiter.aag")]);
    assert!(holds.status == 0 && holds.stdout.ends_with("0\nb0\n.\n"), "{}", holds.stdout);
    // Two steps are too few for 4, three are enough.
    let shallow = run(&["sby", "-k", "1", &file]);
    assert!(shallow.status == 0 && shallow.stdout.ends_with("2\n"), "{}", shallow.stdout);
    let deep = run(&["sby", "-k", "2", &file]);
    assert!(deep.stdout.contains("1\nb1\n"), "{}", deep.stdout);
    let words = write(folder.path(), "c.btor2", WORDS);
    let pono = ["sby", "--witness", "-v", "1", "-e", "bmc", "-k"];
    let shallow = run(&[&pono[..], &["1", &words]].concat());
    assert!(shallow.status == 0 && shallow.stdout.ends_with("unknown\n"), "{}", shallow.stdout);
    let deep = run(&[&pono[..], &["2", &words]].concat());
    assert!(deep.stdout.contains("sat\nb1\n#0\n"), "{}", deep.stdout);
    // Out of time is not "nothing up to this depth".
    let late = run(&["sby", "-k", "1000000", "--timeout", "1s", &{
        write(folder.path(), "e.aag", &common::endless())
    }]);
    assert!(late.status == 0 && !late.stdout.lines().any(|line| line == "2"), "{}", late.stdout);
}

#[test]
fn files_that_cannot_be_written_and_second_files() {
    let file = example("arbiter.aag");
    let early = run(&["check", "--engine", "pdr", "--certificate", "/no/such/folder/c", &file]);
    assert_eq!((early.status, early.stdout.as_str()), (2, ""));
    let twice = run(&["check", "--witness", "a", "--witness=b", &file]);
    assert!(twice.status == 2 && twice.stderr.contains("--witness is given twice"));
    let folder = tempfile::tempdir().unwrap();
    let unsafe_file = write(folder.path(), "u.aag", &common::unsafe_at_5());
    // Any input will do in the last step, but none before.
    let marks = ["--mark-irrelevant", "--witness", "-"];
    let marked = run(&[&["check", "--engine", "pdr", &unsafe_file][..], &marks].concat());
    assert_eq!(marked.stdout, "1\nb0\n000000\n1\n1\n1\n1\n1\nx\n.\nFALSE(bad)\n");
    let shown = run(&["check", "--engine", "bmc", "--witness", "-", &unsafe_file]);
    assert!(shown.stdout.starts_with("1\nb0\n") && shown.stdout.ends_with(".\nFALSE(bad)\n"));
    for (name, start) in [("x.aig", "aig "), ("x.aag", "aag ")] {
        let out = path(folder.path(), name);
        assert_eq!(run(&["emit", "--aiger", &file, "-o", &out]).status, 0);
        assert!(std::fs::read(&out).unwrap().starts_with(start.as_bytes()));
        assert_eq!(run(&["check", "--engine", "pdr", &out]).verdict(), "TRUE");
    }
}
