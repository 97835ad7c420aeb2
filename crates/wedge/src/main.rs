//! The command line of Wedge.

mod answer;
mod args;
mod auxiliary;
mod bench;
mod check;
mod decide;
mod efforts;
mod emit;
mod explain;
mod input;
mod pdr_args;
mod portfolio;
mod report;
mod sharing;
mod status;
mod verdict;

use args::{CertifyArgs, Cli, Command};
use clap::Parser;
use input::{CertifyError, InputError};
use std::process::ExitCode;
use std::time::Instant;
use wedge_sat::Interrupt;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let status = match &cli.command {
        Command::Check(args) => check::run(args),
        Command::Certify(args) => certify(args),
        Command::Bench(args) => bench::run(args),
        Command::Emit(args) => emit::run(args),
    };
    match status {
        Ok(status) => ExitCode::from(status),
        Err(InputError(message)) => {
            eprintln!("wedge: {message}");
            ExitCode::from(2)
        }
    }
}

fn certify(args: &CertifyArgs) -> Result<u8, InputError> {
    let model = input::read_circuit(&args.model)?;
    let deadline = args.timeout.map(|t| Instant::now() + t);
    let interrupt = Interrupt { deadline, ..Interrupt::default() };
    match model.certify(&args.evidence, args.property_index, &interrupt) {
        Ok(kind) => {
            println!("ACCEPTED({kind})");
            Ok(0)
        }
        Err(CertifyError::Rejected(cause)) => {
            println!("REJECTED({cause})");
            Ok(1)
        }
        Err(CertifyError::Undecided(cause)) => {
            println!("UNKNOWN({cause})");
            Ok(30)
        }
        Err(CertifyError::Input(message)) => Err(InputError(message)),
    }
}
