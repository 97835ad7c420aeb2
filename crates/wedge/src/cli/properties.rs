//! `wedge check` on a circuit with several properties: a line for each, then the verdict of the file.

use super::alarms;
use super::args::CheckArgs;
use super::publish::{draw, save, show};
use super::say::sayln;
use std::sync::Arc;
use wedge::properties::Report;
use wedge::{InputError, Model};
use wedge_report::sarif::{Log, sarif};

/// Files first, then figures, then the verdicts; the last line is that of the file.
pub fn publish(
    args: &CheckArgs,
    model: &Arc<dyn Model>,
    report: &Report,
) -> Result<u8, InputError> {
    let warnings = report.answers.iter().flat_map(|answer| &answer.warnings);
    warnings.for_each(|warning| eprintln!("wedge: {warning}"));
    save(&args.witness, report.witnesses().as_deref());
    if args.certificate.is_some() {
        match report.certificate(&**model) {
            Ok(None) => {}
            Ok(Some((certificate, proven))) => {
                save(&args.certificate, Some(&certificate));
                if proven.properties().len() < report.verdicts.len() {
                    eprintln!("wedge: the certificate is about the properties {proven}");
                }
            }
            Err(cause) => eprintln!("wedge: no certificate: {cause}"),
        }
    }
    // The page and the waveform are about the answer that matters most.
    let whole = report.whole();
    if let Some(answer) = report.answers.iter().find(|answer| answer.verdict == whole) {
        draw(answer, args, &**model);
    }
    let mut log = Log::default();
    report.answers.iter().for_each(|answer| alarms::add(&mut log, args, answer, &**model));
    log.verdict = whole.to_string();
    save(&args.sarif, Some(sarif(&log).as_bytes()));
    report.answers.iter().for_each(|answer| show(answer, args));
    for (property, verdict) in report.verdicts.iter().enumerate() {
        match model.property_name(property) {
            Some(name) => sayln!("property {property} ({name}): {verdict}"),
            None => sayln!("property {property}: {verdict}"),
        }
    }
    sayln!("{whole}");
    Ok(whole.exit_status())
}
