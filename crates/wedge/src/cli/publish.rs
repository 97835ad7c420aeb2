//! An answer on the screen and in files.

use super::args::CheckArgs;
use super::report;
use std::path::Path;
use wedge::{Answer, InputError};

/// Files first, then figures, then the verdict as the last line.
pub fn publish(answer: &Answer, args: &CheckArgs) -> Result<(), InputError> {
    answer.warnings.iter().for_each(|warning| eprintln!("wedge: {warning}"));
    let files =
        [(&args.witness, &answer.files.witness), (&args.certificate, &answer.files.certificate)];
    for (path, bytes) in files {
        if let (Some(path), Some(bytes)) = (path, bytes) {
            write(path, bytes)?;
        }
    }
    if let (Some(path), Some(text)) = (&args.harness, &answer.files.harness) {
        write(path, text.as_bytes())?;
    }
    if let Some(path) = &args.report {
        write(path, report::page(args, answer).as_bytes())?;
    }
    if args.json {
        println!("{}", report::json(args, answer));
    }
    if let (Some(counterexample), false) = (&answer.files.counterexample, args.json) {
        print!("{}", counterexample.text());
    }
    if args.stats {
        print!("{}", report::figures(answer));
    }
    match (&answer.name, args.all_properties) {
        (_, false) => println!("{}", answer.verdict),
        (Some(name), true) => println!("property {} ({name}): {}", answer.property, answer.verdict),
        (None, true) => println!("property {}: {}", answer.property, answer.verdict),
    }
    Ok(())
}

/// Whether a file can be written, asked before there is something to write. Leaves no file behind
/// that was not there.
pub fn can_write(path: &Path) -> Result<(), InputError> {
    let was_there = path.exists();
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(path);
    opened.map_err(|e| InputError(format!("{}: {e}", path.display())))?;
    let is_file = path.metadata().is_ok_and(|found| found.is_file());
    if !was_there && is_file {
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), InputError> {
    std::fs::write(path, bytes).map_err(|e| InputError(format!("{}: {e}", path.display())))
}
