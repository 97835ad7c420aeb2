//! `wedge check`: reads a model, lets an engine or the portfolio decide its properties, answers.

use crate::answer::Answer;
use crate::args::{CheckArgs, PORTFOLIO};
use crate::decide::check_property;
use crate::input::{self, InputError, Model};
use crate::portfolio;
use crate::sharing::Sharing;
use crate::status::{StatusLine, progress};
use crate::verdict::Verdict;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Instant;
use wedge_bench::leash;
use wedge_engines::{Context, UnknownReason};

pub fn run(args: &CheckArgs) -> Result<u8, InputError> {
    let start = Instant::now();
    let mut sharing = Sharing::default();
    if args.member.is_some() {
        sharing = portfolio::sharing(args);
        let receiver = sharing.clone();
        leash::hold_and_hear(move |line| receiver.receive(line));
        portfolio::report_ready()?;
    } else if args.leashed {
        leash::hold();
    }
    if args.explain && args.engine == PORTFOLIO && args.member.is_none() {
        let cause = "--explain follows a single engine, such as --engine imc";
        return Err(InputError(cause.into()));
    }
    let Some(model) = read_in_time(args, start)? else {
        let answer = Answer::bare(args.property_index, UnknownReason::Timeout.into());
        if args.member.is_none() {
            answer.publish(args)?;
        }
        return Ok(answer.verdict.exit_status());
    };
    if let Some(property) = args.member {
        return portfolio::member(args, &model, property, start, &sharing);
    }
    model.notes().iter().for_each(|note| eprintln!("wedge: {note}"));
    let for_programs = [
        (args.invariants.is_some(), "--invariants"),
        (args.ignore_undefined, "--ignore-undefined"),
    ];
    if let Some((_, option)) = for_programs.into_iter().find(|(is_given, _)| *is_given)
        && model.features().is_none()
    {
        let cause = format!("{option} is for C programs only");
        return Err(InputError(format!("{}: {cause}", args.file().display())));
    }
    let count = model.num_properties();
    if args.property_index >= count {
        let cause = format!("there is no property {}; the file has {count}", args.property_index);
        return Err(InputError(format!("{}: {cause}", args.file().display())));
    }
    let properties =
        if args.all_properties { 0..count } else { args.property_index..args.property_index + 1 };
    let features = model.features();
    let mut status = 0;
    let mut abandoned = None;
    for property in properties {
        // Reading counts into the time of the first property.
        let start = if property == args.property_index { start } else { Instant::now() };
        let mut answer = match abandoned {
            Some(earlier) => not_checked(property, earlier),
            None if args.engine == PORTFOLIO => {
                portfolio::race(args, features.as_ref(), property, start)
            }
            None => single(args, &model, property, start, &mut abandoned)?,
        };
        answer.name = model.property_name(property);
        answer.about = model.about();
        answer.publish(args)?;
        status = worst(status, answer.verdict.exit_status());
    }
    Ok(status)
}

/// Reads the model in another thread, so that the timeout counts; none if it has passed.
fn read_in_time(args: &CheckArgs, start: Instant) -> Result<Option<Arc<dyn Model>>, InputError> {
    let (files, program) = (args.files.clone(), args.program.clone());
    let (sender, receiver) = channel();
    std::thread::spawn(move || sender.send(input::read(&files, &program)));
    let failed = || InputError(format!("{}: internal error while reading", args.file().display()));
    let Some(timeout) = args.timeout else {
        return receiver.recv().map_err(|_| failed())?.map(Some);
    };
    match receiver.recv_timeout(timeout.saturating_sub(start.elapsed())) {
        Ok(result) => result.map(Some),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err(failed()),
    }
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
fn not_checked(property: usize, earlier: usize) -> Answer {
    let reason = format!("not checked: the engine did not stop at the limit on property {earlier}");
    Answer::bare(property, Verdict::Unknown(reason))
}

fn single(
    args: &CheckArgs,
    model: &Arc<dyn Model>,
    property: usize,
    start: Instant,
    abandoned: &mut Option<usize>,
) -> Result<Answer, InputError> {
    let mut status = StatusLine::new(start);
    let mut observe = |context: &Context, _: bool| {
        status.update(|| progress(&args.engine, &context.figures()));
    };
    let alone = Sharing::default();
    let result = check_property(args, model, property, start, &alone, &mut observe);
    status.clear();
    if result.abandoned {
        *abandoned = Some(property);
    }
    result.answer(args)
}
