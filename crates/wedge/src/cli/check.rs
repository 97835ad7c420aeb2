//! `wedge check`: reads a model, lets an engine or the portfolio decide its properties, answers.

use super::args::CheckArgs;
use super::checks;
use super::dump;
use super::launch::{self, SameProgram};
use super::publish::{can_write, publish};
use super::status::StatusLine;
use std::sync::Arc;
use std::time::Instant;
use wedge::{
    Answer, Choice, Follower, InputError, Members, Model, Options, ProofStep, UnknownReason,
    check_model, read,
};
use wedge_process::leash;

pub fn run(args: &CheckArgs) -> Result<u8, InputError> {
    let start = Instant::now();
    if let Some(folder) = &args.dump_queries {
        dump::queries(folder, &args.engine)?;
    }
    let mut line = None;
    if args.member.is_some() {
        line = Some(launch::report(args)?);
    } else if args.leashed {
        leash::hold();
    }
    if args.member.is_none() {
        let files = [&args.witness, &args.certificate, &args.harness, &args.report];
        files.into_iter().flatten().try_for_each(|path| can_write(path))?;
    }
    let mut options = args.options(Members::Processes(Arc::new(SameProgram)));
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
        let answer = Answer::bare(args.property_index, UnknownReason::Timeout.into());
        if args.member.is_none() {
            publish(&answer, args)?;
        }
        return Ok(answer.verdict.exit_status());
    };
    match line {
        Some(line) => launch::work(&model, &options, start, &line),
        None => {
            model.notes().iter().for_each(|note| eprintln!("wedge: {note}"));
            match args.all_properties && model.as_program().is_some() {
                true => checks::run(args, &options, start),
                false => check_all(args, &model, options, start),
            }
        }
    }
}

/// The property that was asked for, or every one.
fn check_all(
    args: &CheckArgs,
    model: &Arc<dyn Model>,
    mut options: Options,
    start: Instant,
) -> Result<u8, InputError> {
    let first = args.property_index;
    let properties = match args.all_properties {
        true => 0..model.num_properties(),
        false => first..first + 1,
    };
    let named = |InputError(cause)| InputError(format!("{}: {cause}", args.file().display()));
    let mut status = 0;
    let mut abandoned = None;
    for property in properties {
        // Reading counts into the time of the first property.
        let start = if property == first { start } else { Instant::now() };
        options.property = property;
        let answer = match abandoned {
            Some(earlier) => not_checked(model, property, earlier),
            None => {
                let mut status = StatusLine::new(start);
                check_model(model, &options, start, &mut status).map_err(named)?
            }
        };
        publish(&answer, args)?;
        if answer.abandoned {
            abandoned = Some(property);
        }
        status = worst(status, answer.verdict.exit_status());
    }
    Ok(status)
}

/// Prints the steps of a proof, and writes its graph, as far as each is wanted.
fn follower(args: &CheckArgs) -> Follower {
    let (explain, graph) = (args.explain, args.graph.clone());
    Arc::new(move |step: &ProofStep| match step {
        ProofStep::Graph { dot, json } => {
            let Some(path) = &graph else { return };
            let as_json = path.extension().is_some_and(|extension| extension == "json");
            if let Err(error) = std::fs::write(path, if as_json { json } else { dot }) {
                eprintln!("wedge: cannot write {}: {error}", path.display());
            }
        }
        _ if !explain => {}
        ProofStep::Outline(text) => print!("{text}"),
        ProofStep::Bound(bound) => println!("Unrolling bound {bound}"),
        ProofStep::Interpolant(formula) => println!("  interpolant: {formula}"),
        ProofStep::Spurious => println!("  the next query is satisfiable: the bound grows"),
        ProofStep::FixedPoint(formula) => println!("Fixed point: {formula}"),
    })
}

/// FALSE before UNKNOWN before TRUE.
fn worst(a: u8, b: u8) -> u8 {
    let rank = |status: u8| match status {
        10 => 2,
        30 => 1,
        _ => 0,
    };
    if rank(b) > rank(a) { b } else { a }
}

/// An abandoned engine still holds processor and memory, so nothing follows it.
fn not_checked(model: &Arc<dyn Model>, property: usize, earlier: usize) -> Answer {
    let reason = UnknownReason::NotChecked { earlier };
    let mut answer = Answer::bare(property, reason.into());
    answer.name = model.property_name(property);
    answer
}
