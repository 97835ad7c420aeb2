//! The command line, as one value per flag with its help text.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use wedge_engines::imc::{Direction, Stride};
use wedge_engines::registry::{ENGINES, Options};
use wedge_sat::System;

#[derive(Parser)]
#[command(
    name = "wedge",
    version,
    about = "Verifies circuits by Craig interpolation, with evidence."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Decide whether a bad state is reachable.
    ///
    /// The last line of standard output is the verdict: TRUE, FALSE(bad) or UNKNOWN(reason).
    /// Exit status: 0 TRUE, 10 FALSE, 30 UNKNOWN, 2 bad usage or unreadable input. With
    /// --all-properties there is one line per property, and the status is the worst of them:
    /// FALSE before UNKNOWN before TRUE.
    Check(CheckArgs),
    /// Check a certificate or a witness against its model, independently of any engine.
    ///
    /// A certificate (AIGER or BTOR2) is accepted if its reset, transition, safety, base and step
    /// conditions hold; a witness if its trace replays to a bad state. Exit status: 0 accepted,
    /// 1 rejected, 30 undecided within the timeout, 2 bad usage or unreadable input.
    Certify(CertifyArgs),
}

#[derive(Args)]
pub struct CheckArgs {
    /// The model: AIGER (.aig, .aag) or BTOR2 (.btor2, .btor).
    pub file: PathBuf,
    /// The algorithm to run.
    #[arg(long, short, default_value = "imc", value_parser = engine_names(), help = engine_help())]
    pub engine: String,
    /// Which property to check, counted from 0.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "all_properties")]
    pub property_index: usize,
    /// Check every property in turn, one verdict line each; the timeout is for each.
    #[arg(long)]
    pub all_properties: bool,
    /// Give up after this time, such as 60s, 500ms, 5m or 1h.
    #[arg(long, value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Give up when this much memory is in use, such as 4GB or 500MB.
    #[arg(long, value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// Write the counterexample to this file in the model's witness format.
    #[arg(long, value_name = "OUT", conflicts_with = "all_properties")]
    pub witness: Option<PathBuf>,
    /// Write the invariant to this file as a certificate circuit in the model's format.
    #[arg(long, value_name = "OUT", conflicts_with = "all_properties")]
    pub certificate: Option<PathBuf>,
    /// Only remove what cannot influence the property; do not simplify the circuit further.
    #[arg(long)]
    pub no_preprocess: bool,
    /// Print the engine's figures before the verdict.
    #[arg(long, conflicts_with = "json")]
    pub stats: bool,
    /// Print verdict and figures as one line of JSON before the verdict.
    #[arg(long)]
    pub json: bool,
    /// Write a self-contained page about the result to this file.
    #[arg(long, value_name = "OUT.html", conflicts_with = "all_properties")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub tuning: Tuning,
}

/// Choices within an engine.
#[derive(Args)]
#[command(next_help_heading = "Engine options")]
pub struct Tuning {
    /// Stop at this unrolling bound.
    #[arg(long, value_name = "K")]
    pub max_bound: Option<usize>,
    /// kind: require the states of an induction step to differ.
    #[arg(long)]
    pub simple_path: bool,
    /// imc: derive interpolants as itp(A,B) or as not itp(B,A).
    #[arg(long, value_enum)]
    pub direction: Option<DirectionArg>,
    /// imc: the interpolation system, from strong to weak.
    #[arg(long, value_enum)]
    pub system: Option<SystemArg>,
    /// imc: how much the bound grows after a spurious hit.
    #[arg(long, value_enum)]
    pub stride: Option<StrideArg>,
    /// imc: detect the fixed point by inclusion only, as in the papers.
    #[arg(long)]
    pub no_inductive_check: bool,
    /// imc: use interpolants as they come from the proof.
    #[arg(long)]
    pub no_simplify: bool,
    /// imc: one solver session per bound instead of one per query.
    #[arg(long)]
    pub incremental: bool,
    /// Check every interpolant with a fresh solver (slow).
    #[arg(long)]
    pub check_interpolants: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum DirectionArg {
    Forward,
    Backward,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum SystemArg {
    Mcmillan,
    Pudlak,
    Dual,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum StrideArg {
    One,
    Iterations,
}

impl Tuning {
    pub fn options(&self) -> Options {
        Options {
            max_bound: self.max_bound,
            simple_path: self.simple_path,
            direction: self.direction.map(|d| match d {
                DirectionArg::Forward => Direction::Forward,
                DirectionArg::Backward => Direction::Backward,
            }),
            system: self.system.map(|s| match s {
                SystemArg::Mcmillan => System::McMillan,
                SystemArg::Pudlak => System::Pudlak,
                SystemArg::Dual => System::DualMcMillan,
            }),
            stride: self.stride.map(|s| match s {
                StrideArg::One => Stride::One,
                StrideArg::Iterations => Stride::Iterations,
            }),
            no_inductive_check: self.no_inductive_check,
            no_simplify: self.no_simplify,
            incremental: self.incremental,
            check_interpolants: self.check_interpolants,
        }
    }
}

#[derive(Args)]
pub struct CertifyArgs {
    /// The model: AIGER or BTOR2.
    pub model: PathBuf,
    /// The certificate or witness, in the model's format.
    pub evidence: PathBuf,
    /// The property that the certificate is about, counted from 0; a witness names its own.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub property_index: usize,
    /// Give up after this time, such as 60s.
    #[arg(long, value_parser = parse_duration)]
    pub timeout: Option<Duration>,
}

fn engine_names() -> clap::builder::PossibleValuesParser {
    ENGINES.iter().map(|entry| entry.name).collect::<Vec<_>>().into()
}

fn engine_help() -> String {
    let entries: Vec<String> =
        ENGINES.iter().map(|e| format!("{}: {}", e.name, e.summary)).collect();
    format!("The algorithm to run. {}", entries.join("; "))
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit '{unit}'; use ms, s, m or h")),
    };
    let number: f64 = number.trim().parse().map_err(|_| "expected a number such as 60s")?;
    let seconds = number * factor;
    if !(seconds > 0.0 && seconds < 1e9) {
        return Err("expected a positive time".into());
    }
    Ok(Duration::from_secs_f64(seconds))
}

fn parse_bytes(text: &str) -> Result<u64, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit.to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "" => 1.0,
        "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        _ => return Err(format!("unknown unit '{unit}'; use KB, MB or GB")),
    };
    let number: f64 = number.trim().parse().map_err(|_| "expected a size such as 4GB")?;
    let bytes = number * factor;
    if !(bytes >= 1.0 && bytes < 1e18) {
        return Err("expected a positive size".into());
    }
    Ok(bytes as u64)
}
