//! The arguments of `wedge bench`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use wedge_bench::Shard;
use wedge_bench::study::Study;
use wedge_process::units::{parse_bytes, parse_duration};

#[derive(Args)]
pub struct BenchArgs {
    /// The suite: a TOML file with a name, tasks, engines and limits.
    pub suite: PathBuf,
    /// Where results are kept; by default the suite's name with ".results", here.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Discard the results that are there.
    #[arg(long)]
    pub fresh: bool,
    /// How many runs at once, instead of what the suite says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,
    /// The time limit of a run, instead of what the suite says.
    #[arg(long, value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// A limit of the processor time of a run, instead of what the suite says. On a machine that others
    /// use as well, runs compare by it; the time limit should be a multiple of it.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub cpu_time: Option<Duration>,
    /// The memory limit of a run, instead of what the suite says.
    #[arg(long, value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// Only tasks whose path or category matches.
    #[arg(long, value_name = "REGEX")]
    pub only: Option<String>,
    /// Only about so many tasks, evenly spread.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub sample: Option<u32>,
    /// List every run that solved nothing or was wrong.
    #[arg(long)]
    pub list: bool,
    /// Print an experiment of a paper from the results.
    #[arg(long, value_enum)]
    pub study: Option<StudyArg>,
    /// Plots are always written into the output directory; kept for old scripts.
    #[arg(long, hide = true)]
    #[allow(dead_code, reason = "it is accepted and changes nothing")]
    pub plot: bool,
    /// Write a page about every run, to which index.html leads. Making them takes a part of the
    /// time of a run.
    #[arg(long)]
    pub reports: bool,
    /// Only every N-th task, from the I-th on: for one of N machines. Shards may share --out or have
    /// one each; --merge makes one table of them.
    #[arg(long, value_name = "I/N", conflicts_with = "fresh", help_heading = "Several machines")]
    pub shard: Option<Shard>,
    /// Run nothing: collect what shards have left in --out, and the results in other folders or files.
    #[arg(long, value_name = "PATH", num_args = 0.., conflicts_with_all = ["shard", "slurm"])]
    #[arg(help_heading = "Several machines")]
    pub merge: Option<Vec<PathBuf>>,
    /// Have the runs made by Slurm: submits an array of jobs, one for every task, and waits for them.
    /// The same command comes back to jobs that are at work and submits again what was lost. The
    /// suite and --out have to be where all machines see them. --jobs says how many elements of the
    /// array may run at once; by default time and memory are asked for as the limits of the suite
    /// need them, and one processor.
    #[arg(long, conflicts_with = "shard", help_heading = "Several machines")]
    pub slurm: bool,
    /// An option for sbatch, such as partition=long, cpus-per-task=4 or exclusive; as often as needed.
    #[arg(long, value_name = "OPTION", requires = "slurm", help_heading = "Several machines")]
    #[arg(allow_hyphen_values = true)]
    pub slurm_option: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum StudyArg {
    /// Table 1 of "Efficient Generation of Small Interpolants in CNF"; needs pdr, imc, cnf-itp.
    CnfItp,
    /// The claims about ISMC and DAR; needs imc, ismc, dar.
    Hardware,
    /// Table 2 of "Interpolation and SAT-Based Model Checking Revisited"; needs imc.
    Imc,
    /// Tables I to III of "More Effective Interpolations in Software Model Checking"; needs engines
    /// named interp-r and interp-rsew, and knows interp-re, -rs, -rse and -rsw.
    Interp,
    /// Table 1 and figures 4 to 6 of "Craig vs. Newton in Software Model Checking"; needs
    /// engines named trace-craig and trace-newton, and knows any TOOL-SOURCE.
    Newton,
    /// How the engines of the suite share the time of a portfolio best, for 1, 2, 4 and 16 cores and
    /// 10, 60 and 900 seconds, from what each solves alone; writes plans.tsv.
    Shares,
    /// The tables and claims of the transferability study of ISMC and DAR; needs imc, ismc, dar.
    Transfer,
}

impl StudyArg {
    pub fn study(self) -> Study {
        match self {
            StudyArg::CnfItp => Study::CnfItp,
            StudyArg::Hardware => Study::Hardware,
            StudyArg::Imc => Study::Imc,
            StudyArg::Interp => Study::Interp,
            StudyArg::Newton => Study::Newton,
            StudyArg::Shares => Study::Shares,
            StudyArg::Transfer => Study::Transfer,
        }
    }
}
