//! `wedge certify`: checks a certificate or a witness.

use super::args::CertifyArgs;
use super::launch::{self, SameProgram};
use super::say::sayln;
use super::status::{ProgressArg, Status};
use std::sync::Arc;
use std::time::Instant;
use wedge::certify::{Certified, certify, is_violation};
use wedge::input::{is_program, read_circuit};
use wedge::{
    CertifyError, Choice, InputError, Members, Options, PortfolioOptions, Question, Version,
    WitnessFormat, read,
};
use wedge_sat::Interrupt;

pub fn run(args: &CertifyArgs) -> Result<u8, InputError> {
    if is_program(&args.model) {
        return program(args);
    }
    let model = read_circuit(&args.model)?;
    let deadline = args.timeout.map(|t| Instant::now() + t);
    let interrupt = Interrupt { deadline, ..Interrupt::default() };
    let all = || Question::any_of((0..model.num_bads()).collect());
    let question = args.property_index.clone().or_else(all).unwrap_or_else(|| Question::one(0));
    let missing = question.properties().iter().find(|&&n| n >= model.num_properties());
    if let Some(missing) = missing {
        let count = model.num_properties();
        let cause = format!("there is no property {missing}; the file has {count}");
        return Err(InputError(format!("{}: {cause}", args.model.display())));
    }
    match model.certify(&args.evidence, &question, &interrupt) {
        Ok(kind) => told(&Certified::Accepted(kind.to_string())),
        Err(CertifyError::Rejected(cause)) => told(&Certified::Rejected(cause)),
        Err(CertifyError::Undecided(cause)) => told(&Certified::Undecided(cause)),
        Err(CertifyError::Input(message)) => Err(InputError(message)),
    }
}

/// The last line of standard output, and the exit status.
fn told(certified: &Certified) -> Result<u8, InputError> {
    sayln!("{certified}");
    Ok(match certified {
        Certified::Accepted(_) => 0,
        Certified::Rejected(_) => 1,
        Certified::Undecided(_) => 30,
    })
}

/// A witness of a program.
fn program(args: &CertifyArgs) -> Result<u8, InputError> {
    let start = Instant::now();
    let mut options = Options {
        engine: Choice::find(&args.engine).expect("the command line offers known engines"),
        program: args.program.options(),
        settings: args.engines.options.clone(),
        question: args.member.clone(),
        timeout: args.timeout,
        memory: args.memory,
        portfolio: PortfolioOptions {
            members: Members::Processes(Arc::new(SameProgram::again())),
            ..PortfolioOptions::default()
        },
        ..Options::default()
    };
    options.program.witness = Some(args.evidence.clone());
    if is_violation(&args.evidence) {
        options.wanted.witness = Some(WitnessFormat::Yaml(Version::V20));
    }
    let files = [args.model.clone()];
    if args.member.is_some() {
        let line = launch::report(true)?;
        let left = args.timeout.map(|timeout| timeout.saturating_sub(start.elapsed()));
        return match read(&files, &options.program, left)? {
            Some(model) => launch::work(&model, &options, start, &line),
            None => Ok(30),
        };
    }
    let mut status = Status::new(ProgressArg::Auto, start, None);
    told(&certify(&files, &args.evidence, &options, start, &mut status)?)
}
