//! An answer on the screen and in files.

use super::args::CheckArgs;
use super::page::page;
use super::say::{say, sayln};
use super::{figures, report};
use std::io::Write;
use std::path::{Path, PathBuf};
use wedge::answer::Files;
use wedge::{Answer, InputError, Model};
use wedge_report::vcd::vcd;

/// Files first, then figures, then the verdict as the last line.
pub fn publish(answer: &Answer, args: &CheckArgs, model: &dyn Model) -> Result<(), InputError> {
    answer.warnings.iter().for_each(|warning| eprintln!("wedge: {warning}"));
    let Files { witness, certificate, harness, .. } = &answer.files;
    save(&args.witness, witness.as_deref());
    save(&args.certificate, certificate.as_deref());
    save(&args.harness, harness.as_deref().map(str::as_bytes));
    draw(answer, args, model);
    show(answer, args);
    sayln!("{}", answer.verdict);
    Ok(())
}

/// The page and the waveform of an answer, as far as they are wanted.
pub fn draw(answer: &Answer, args: &CheckArgs, model: &dyn Model) {
    let page = args.report.as_ref().map(|_| page(args, answer, model));
    save(&args.report, page.as_deref().map(str::as_bytes));
    let name = args.file().display().to_string();
    let waveform = args.vcd.as_ref().and(answer.files.waveform.as_ref());
    save(&args.vcd, waveform.map(|waveform| vcd(&name, waveform)).as_deref().map(str::as_bytes));
}

/// What is printed about one answer before verdicts.
pub fn show(answer: &Answer, args: &CheckArgs) {
    if args.json {
        sayln!("{}", report::json(args, answer));
    }
    if let (Some(counterexample), false) = (&answer.files.counterexample, args.json) {
        say!("{}", counterexample.text());
    }
    if args.stats {
        say!("{}", figures::text(answer));
    }
}

/// The path that means standard output.
const STANDARD_OUTPUT: &str = "-";

/// Writes a file if it is wanted and there is something to write. A path that has become unwritable
/// since the start costs the file, not the verdict.
pub fn save(path: &Option<PathBuf>, bytes: Option<&[u8]>) {
    let (Some(path), Some(bytes)) = (path, bytes) else { return };
    let written = match path.as_os_str() == STANDARD_OUTPUT {
        true => std::io::stdout().write_all(bytes),
        false => std::fs::write(path, bytes),
    };
    if let Err(error) = written {
        eprintln!("wedge: {}: {error}; the file is not written", path.display());
    }
}

/// Whether a file can be written, asked before there is something to write. Leaves no file behind
/// that was not there.
pub fn can_write(path: &Path) -> Result<(), InputError> {
    if path.as_os_str() == STANDARD_OUTPUT {
        return Ok(());
    }
    let was_there = path.exists();
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(path);
    opened.map_err(|e| InputError(format!("{}: {e}", path.display())))?;
    let is_file = path.metadata().is_ok_and(|found| found.is_file());
    if !was_there && is_file {
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}
