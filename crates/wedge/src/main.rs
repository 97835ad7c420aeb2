//! The program `wedge`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
