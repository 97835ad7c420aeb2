//! The command line: arguments, printing, progress, files and exit status. Nothing here decides.

mod alarms;
mod args;
mod bench;
mod certify;
mod check;
mod checks;
mod dump;
mod emit;
mod engine_args;
mod figures;
mod hwmcc;
mod launch;
mod manual;
mod page;
mod properties;
mod publish;
mod report;
mod say;
mod sby;
mod solvers;
mod status;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;
use wedge::InputError;

/// Runs the command that the arguments of this process name.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let status = match &cli.command {
        Command::Check(args) => check::run(args),
        Command::Certify(args) => certify::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Emit(args) => emit::run(args),
        Command::Hwmcc(args) => hwmcc::run(args),
        Command::Sby(args) => sby::run(args),
        Command::Solvers => solvers::run(),
        Command::Man(args) => manual::man(args),
        Command::Completions(args) => manual::completions(args),
    };
    match status {
        Ok(status) => ExitCode::from(status),
        Err(InputError(message)) => {
            eprintln!("wedge: {message}");
            ExitCode::from(2)
        }
    }
}
