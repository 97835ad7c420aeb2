//! `wedge bench`: runs this program over a suite and prints what came out.

mod args;
mod elsewhere;

use crate::cli::say::sayln;
pub use args::BenchArgs;
use args::StudyArg;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use wedge::InputError;
use wedge_bench::journal::{Header, Journal, fingerprint};
use wedge_bench::study::Study;
use wedge_bench::{
    BenchError, Engine, Limits, Results, Suite, Task, benchexec, files, index, machines, plot,
    runner, slurm, summary, tasks,
};
use wedge_process::stop;
use wedge_process::units::duration_argument;

const WRONG: u8 = 1;
const INCOMPLETE: u8 = 3;
const INTERRUPTED: u8 = 130;

pub fn run(args: &BenchArgs) -> Result<u8, InputError> {
    run_suite(args).map_err(|error| InputError(error.to_string()))
}

fn run_suite(args: &BenchArgs) -> Result<u8, BenchError> {
    let suite = suite(args)?;
    let study = args.study.map(StudyArg::study);
    study.map_or(Ok(()), |study| study.check(&suite))?;
    let program = std::env::current_exe().map_err(BenchError::io("this program"))?;
    let header = Header::new(&suite.name, &fingerprint(&program)?, &suite.limits);
    let bench = Bench { args, study, program, header, directory: directory(args) };
    if args.fresh {
        slurm::forget(&bench.directory)?;
    }
    let stop = stop::on_signals().map_err(BenchError::io("signals"))?;
    match (args.shard, &args.merge, args.slurm) {
        (Some(shard), _, _) => bench.shard(suite, shard, &stop),
        (None, Some(others), _) => bench.merge(suite, others),
        (None, None, true) => bench.on_cluster(suite, &stop),
        (None, None, false) => bench.here(suite, &stop),
    }
}

/// What all ways to have results have in common.
struct Bench<'a> {
    args: &'a BenchArgs,
    study: Option<Study>,
    program: PathBuf,
    header: Header,
    directory: PathBuf,
}

impl Bench<'_> {
    fn journal(&self) -> Result<Journal, BenchError> {
        Journal::open(&self.directory, &self.header, self.args.fresh)
    }

    fn here(&self, suite: Suite, stop: &AtomicBool) -> Result<u8, BenchError> {
        let results = self.run(suite, &mut self.journal()?, stop)?;
        self.publish(&results)?;
        Ok(self.status(&results, stop.load(Ordering::Relaxed)))
    }

    fn run(
        &self,
        suite: Suite,
        journal: &mut Journal,
        stop: &AtomicBool,
    ) -> Result<Results, BenchError> {
        let reports = self.args.reports.then_some(self.directory.as_path());
        let command = |task: &Task, engine: &Engine, limits: &Limits| {
            command(&self.program, task, engine, limits, reports)
        };
        runner::run_suite(suite, journal, &command, stop)
    }

    fn publish(&self, results: &Results) -> Result<(), BenchError> {
        files::write(&self.directory, results)?;
        benchexec::write(&self.directory, results)?;
        plot::write(&self.directory, results, self.study)?;
        files::write_more(&self.directory, self.study.map_or(Vec::new(), |s| s.files(results)))?;
        index::write(&self.directory, results, self.study)?;
        print(self.args, self.study, results);
        let directory = self.directory.display();
        sayln!("Results are in {directory}; index.html is their front page.");
        Ok(())
    }

    fn status(&self, results: &Results, interrupted: bool) -> u8 {
        match (interrupted, results.any_wrong(), results.is_complete()) {
            (true, _, _) => INTERRUPTED,
            (false, true, _) => WRONG,
            (false, false, false) => INCOMPLETE,
            (false, false, true) => 0,
        }
    }
}

/// The suite as the command line changes it.
fn suite(args: &BenchArgs) -> Result<Suite, BenchError> {
    let mut suite = Suite::read(&args.suite)?;
    let sample = args.sample.map(|n| n as usize);
    suite.tasks = tasks::select(suite.tasks, args.only.as_deref(), sample)?;
    suite.jobs = args.jobs.map_or(suite.jobs, |jobs| jobs as usize);
    suite.limits.time = args.timeout.unwrap_or(suite.limits.time);
    suite.limits.cpu = args.cpu_time.or(suite.limits.cpu);
    suite.limits.memory = args.memory.or(suite.limits.memory);
    Ok(suite)
}

fn directory(args: &BenchArgs) -> PathBuf {
    let default = || {
        let stem = args.suite.file_stem().unwrap_or_default();
        PathBuf::from(format!("{}.results", stem.to_string_lossy()))
    };
    args.out.clone().unwrap_or_else(default)
}

fn command(
    program: &Path,
    task: &Task,
    engine: &Engine,
    limits: &Limits,
    reports: Option<&Path>,
) -> Command {
    let mut command = Command::new(program);
    command.args(["check", "--json", "--leashed", "--timeout", &duration_argument(limits.time)]);
    if let Some(memory) = limits.memory {
        command.args(["--memory", &memory.to_string()]);
    }
    if let Some(data_model) = &task.data_model {
        command.args(["--data-model", data_model]);
    }
    if let Some(property) = &task.property {
        command.arg("--property").arg(property);
    }
    if let Some(directory) = reports {
        let path = directory.join(index::report_path(&engine.name, &task.name));
        // Without its folder there is no report, and the run says so.
        let _ = path.parent().map(std::fs::create_dir_all);
        command.arg("--report").arg(path);
    }
    command.args(engine.told(task)).arg("--").arg(&task.file);
    command
}

fn print(args: &BenchArgs, study: Option<Study>, results: &Results) {
    if args.list {
        let unsolved = summary::unsolved(results);
        if !unsolved.is_empty() {
            sayln!("{unsolved}");
        }
    }
    for task in results.contradictions() {
        sayln!("CONTRADICTION: engines disagree about {}\n", task.name);
    }
    sayln!("{}", summary::table(&summary::summarise(results)));
    if results.engines.len() > 1 {
        sayln!("{}", summary::comparison(results));
    }
    if let Some(study) = study {
        sayln!("{}", study.text(results));
    }
    if let Some(warning) = machines::warning(results) {
        sayln!("{warning}\n");
    }
    let missing = results.missing();
    if missing > 0 {
        let how = match args.merge {
            Some(_) => "--merge other results, or leave --merge out to make them here",
            None => "the same command continues with them",
        };
        sayln!("{missing} runs are missing: {how}.");
    }
}
