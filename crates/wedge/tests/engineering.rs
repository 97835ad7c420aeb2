//! Programs as engineers write them (`examples/programs`): each holds, and with its planted error
//! fails in the way that the error does.

mod common;

use common::{run, write};
use tempfile::TempDir;

const CHECKS: &str = "assert,overflow,bounds,free,div-by-zero,shift";

/// The program, the macro that plants the error, and the verdicts that name it.
type Planted = (&'static str, &'static str, &'static [&'static str]);

const PROGRAMS: &[Planted] = &[
    ("ring_buffer", "RING_ERROR", &["FALSE(assert)", "FALSE(valid-deref)"]),
    ("state_machine", "MACHINE_ERROR", &["FALSE(assert)"]),
    ("hash_table", "HASH_ERROR", &["FALSE(valid-deref)"]),
    ("fixed_point", "FIXED_ERROR", &["FALSE(no-overflow)"]),
    ("scheduler", "SCHEDULER_ERROR", &["FALSE(shift)"]),
    ("parser", "PARSER_ERROR", &["FALSE(assert)"]),
    ("allocator", "ALLOCATOR_ERROR", &["FALSE(assert)"]),
    ("matrix", "MATRIX_ERROR", &["FALSE(assert)"]),
    ("sorting", "SORTING_ERROR", &["FALSE(assert)", "FALSE(valid-deref)"]),
    ("string_library", "STRING_ERROR", &["FALSE(assert)", "FALSE(valid-deref)"]),
];

fn verdict(text: &str, folder: &TempDir, name: &str) -> String {
    let file = write(folder.path(), &format!("{name}.c"), text).display().to_string();
    run(&["check", "--check", CHECKS, "--timeout", "300s", &file]).verdict().to_string()
}

#[test]
fn programs_hold_and_planted_errors_are_found() {
    let folder = TempDir::new().unwrap();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/programs");
    for (name, planted, expected) in PROGRAMS {
        let text = std::fs::read_to_string(format!("{root}/{name}.c")).unwrap();
        assert_eq!(verdict(&text, &folder, name), "TRUE", "{name}");
        let found = verdict(&format!("#define {planted}\n{text}"), &folder, name);
        assert!(expected.contains(&found.as_str()), "{name} with {planted}: {found}");
    }
}
