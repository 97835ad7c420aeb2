//! `wedge hwmcc`: a circuit as the hardware model-checking competition asks about it.

use super::args::{CheckArgs, HwmccArgs};
use super::launch::SameProgram;
use super::publish::{can_write, save};
use super::say::sayln;
use super::status::{ProgressArg, Status};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use wedge::input::read_circuit;
use wedge::properties::{Until, check_every};
use wedge::{InputError, Members, Said};

pub fn run(args: &HwmccArgs) -> Result<u8, InputError> {
    let start = Instant::now();
    [&args.sat_out, &args.unsat_out].into_iter().flatten().try_for_each(|path| can_write(path))?;
    let model = read_circuit(&args.model)?;
    // Justice properties have no certificates, so there a proof counts without one.
    let has_justice = model.num_bads() < model.num_properties();
    let arguments = arguments(args, !has_justice);
    let check = CheckArgs::from_words(&arguments)?;
    let options = check.options(Members::Copies(Arc::new(SameProgram { arguments })));
    let mut status = Status::new(ProgressArg::Auto, start, None);
    let report = check_every(&model, &options, start, Until::Violated, &mut status);
    drop(status);
    let report = report
        .map_err(|InputError(cause)| InputError(format!("{}: {cause}", args.model.display())))?;
    let warnings = report.answers.iter().flat_map(|answer| &answer.warnings);
    warnings.for_each(|warning| eprintln!("wedge: {warning}"));
    let (word, status) = match report.whole().said() {
        Said::False(_) => {
            save(&args.sat_out, report.witnesses().as_deref());
            ("sat", 10)
        }
        Said::True => match args.unsat_out.as_ref().map(|_| report.certificate(&*model)) {
            Some(Err(cause)) => {
                eprintln!("wedge: no certificate: {cause}");
                ("unknown", 0)
            }
            Some(Ok(Some((certificate, _)))) => {
                save(&args.unsat_out, Some(&certificate));
                ("unsat", 20)
            }
            Some(Ok(None)) | None => ("unsat", 20),
        },
        Said::Unknown(reason) => {
            eprintln!("wedge: {reason}");
            ("unknown", 0)
        }
    };
    sayln!("{word}");
    Ok(status)
}

/// The same as arguments of `wedge check`.
fn arguments(args: &HwmccArgs, certified: bool) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["check".into()];
    let mut add = |option: &str, value: Option<&PathBuf>| {
        words.extend(value.iter().flat_map(|path| [option.into(), path.as_os_str().to_owned()]));
    };
    add("--witness", args.sat_out.as_ref());
    add("--certificate", args.unsat_out.as_ref());
    if args.unsat_out.is_some() && certified {
        words.push("--only-certified".into());
    }
    words.extend(args.limits.words());
    words.extend(["--".into(), args.model.clone().into()]);
    words
}
