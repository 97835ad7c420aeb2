//! `wedge check`: reads a model, lets an engine or the portfolio decide its properties, answers.

use super::alarms;
use super::args::CheckArgs;
use super::checks;
use super::dump;
use super::launch::{self, SameProgram};
use super::properties;
use super::publish::{can_write, publish, save, show};
use super::say::{say, sayln};
use super::status::Status;
use std::sync::Arc;
use std::time::Instant;
use wedge::properties::{Until, check_every};
use wedge::{
    Answer, Choice, Follower, InputError, Members, Model, Options, ProofStep, Question,
    UnknownReason, check_model, read,
};
use wedge_process::{clock, leash};
use wedge_report::sarif::{Log, sarif};

pub fn run(args: &CheckArgs) -> Result<u8, InputError> {
    let start = Instant::now();
    // A member that is a program of its own does not know when the others were started.
    if args.member.is_none() {
        clock::started(start);
    }
    if let Some(folder) = &args.dump_queries {
        dump::queries(folder, &args.engine)?;
    }
    let mut line = None;
    if args.member.is_some() {
        line = Some(launch::report(!args.no_sharing)?);
    } else if args.leashed {
        leash::hold();
    }
    if args.member.is_none() {
        refuse_second_outputs()?;
        let files = [&args.witness, &args.certificate, &args.harness, &args.report];
        let files = files.into_iter().chain([&args.vcd, &args.sarif]);
        files.flatten().try_for_each(|path| can_write(path))?;
    }
    let mut options = args.options(Members::Copies(Arc::new(SameProgram::again())));
    if (args.explain || args.graph.is_some()) && args.member.is_none() {
        if matches!(options.engine, Choice::Portfolio) {
            let name = if args.explain { "--explain" } else { "--graph" };
            let cause = format!("{name} follows a single engine, such as --engine impact");
            return Err(InputError(cause));
        }
        options.follower = Some(follower(args));
    }
    let left = args.timeout.map(|timeout| timeout.saturating_sub(start.elapsed()));
    let Some(model) = read(&args.files, &options.program, left)? else {
        let question = args.property_index.clone().unwrap_or_else(|| Question::one(0));
        let answer = Answer::bare(question, UnknownReason::Timeout.into());
        if args.member.is_none() {
            show(&answer, args);
            sayln!("{}", answer.verdict);
        }
        return Ok(answer.verdict.exit_status());
    };
    if args.vcd.is_some() && model.as_program().is_some() {
        return Err(InputError("--vcd is for circuits only".into()));
    }
    match line {
        Some(line) => launch::work(&model, &options, start, &line),
        None => {
            model.notes().iter().for_each(|note| eprintln!("wedge: {note}"));
            match args.all_properties && model.as_program().is_some() {
                true if args.witness.is_some() || args.certificate.is_some() => {
                    let cause = "the checks of a program have no common witness or certificate";
                    Err(InputError(cause.to_string()))
                }
                true => checks::run(args, &options, &*model, start),
                false => check_all(args, &model, &options, start),
            }
        }
    }
}

/// Of other options that are given twice the last one counts; a second file would be lost silently.
fn refuse_second_outputs() -> Result<(), InputError> {
    const OUTPUTS: [&str; 7] =
        ["--witness", "--certificate", "--harness", "--report", "--graph", "--vcd", "--sarif"];
    let words: Vec<String> = std::env::args_os()
        .take_while(|word| word != "--")
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    for output in OUTPUTS {
        let is_it = |word: &&String| word.split('=').next() == Some(output);
        if words.iter().filter(is_it).count() > 1 {
            return Err(InputError(format!(
                "{output} is given twice; there is one file of a kind"
            )));
        }
    }
    Ok(())
}

/// The question that was asked, or every property of a circuit.
fn check_all(
    args: &CheckArgs,
    model: &Arc<dyn Model>,
    options: &Options,
    start: Instant,
) -> Result<u8, InputError> {
    let named = |InputError(cause)| InputError(format!("{}: {cause}", args.file().display()));
    let mut status = Status::new(args.progress, start, options.timeout);
    if options.question.is_none() && model.num_properties() > 1 {
        let report = check_every(model, options, start, Until::AllDecided, &mut status);
        drop(status);
        return properties::publish(args, model, &report.map_err(named)?);
    }
    let answer = check_model(model, options, start, &mut status).map_err(named)?;
    drop(status);
    let mut log = Log::default();
    alarms::add(&mut log, args, &answer, &**model);
    save(&args.sarif, Some(sarif(&log).as_bytes()));
    publish(&answer, args, &**model)?;
    Ok(answer.verdict.exit_status())
}

/// Prints the steps of a proof, and writes its graph, as far as each is wanted.
fn follower(args: &CheckArgs) -> Follower {
    let (explain, graph) = (args.explain, args.graph.clone());
    Arc::new(move |step: &ProofStep| match step {
        ProofStep::Graph(found) => {
            let Some(path) = &graph else { return };
            let as_json = path.extension().is_some_and(|extension| extension == "json");
            let text = if as_json { found.json() } else { found.dot() };
            if let Err(error) = std::fs::write(path, text) {
                eprintln!("wedge: cannot write {}: {error}", path.display());
            }
        }
        _ if !explain => {}
        ProofStep::Outline(text) => say!("{text}"),
        ProofStep::Bound(bound) => sayln!("Unrolling bound {bound}"),
        ProofStep::Interpolant(formula) => sayln!("  interpolant: {formula}"),
        ProofStep::Spurious => sayln!("  the next query is satisfiable: the bound grows"),
        ProofStep::FixedPoint(formula) => sayln!("Fixed point: {formula}"),
    })
}
