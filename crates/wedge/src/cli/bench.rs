//! `wedge bench`: runs this program over a suite and prints what came out.

use super::args::{BenchArgs, StudyArg};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::Ordering;
use wedge::InputError;
use wedge_bench::journal::{Header, Journal, fingerprint};
use wedge_bench::study::Study;
use wedge_bench::{
    BenchError, Engine, Limits, Results, Suite, Task, benchexec, files, index, plot, runner,
    summary, tasks,
};
use wedge_process::stop;
use wedge_process::units::duration_argument;

const INTERRUPTED: u8 = 130;

pub fn run(args: &BenchArgs) -> Result<u8, InputError> {
    run_suite(args).map_err(|error| InputError(error.to_string()))
}

fn run_suite(args: &BenchArgs) -> Result<u8, BenchError> {
    let suite = suite(args)?;
    let study = args.study.map(|study| match study {
        StudyArg::CnfItp => Study::CnfItp,
        StudyArg::Hardware => Study::Hardware,
        StudyArg::Imc => Study::Imc,
        StudyArg::Interp => Study::Interp,
        StudyArg::Newton => Study::Newton,
        StudyArg::Transfer => Study::Transfer,
    });
    study.map_or(Ok(()), |study| study.check(&suite))?;
    let program = std::env::current_exe().map_err(BenchError::io("this program"))?;
    let header = Header::new(&suite.name, &fingerprint(&program)?, &suite.limits);
    let directory = directory(args);
    let mut journal = Journal::open(&directory, &header, args.fresh)?;
    let stop = stop::on_signals().map_err(BenchError::io("signals"))?;
    let reports = args.reports.then(|| directory.clone());
    let command = |task: &Task, engine: &Engine, limits: &Limits| {
        command(&program, task, engine, limits, reports.as_deref())
    };
    let results = runner::run_suite(suite, &mut journal, &command, &stop)?;
    files::write(&directory, &results)?;
    benchexec::write(&directory, &results)?;
    plot::write(&directory, &results, study)?;
    index::write(&directory, &results, study)?;
    print(args, study, &results, &directory);
    Ok(match (stop.load(Ordering::Relaxed), results.any_wrong()) {
        (true, _) => INTERRUPTED,
        (false, wrong) => u8::from(wrong),
    })
}

/// The suite as the command line changes it.
fn suite(args: &BenchArgs) -> Result<Suite, BenchError> {
    let mut suite = Suite::read(&args.suite)?;
    let sample = args.sample.map(|n| n as usize);
    suite.tasks = tasks::select(suite.tasks, args.only.as_deref(), sample)?;
    suite.jobs = args.jobs.map_or(suite.jobs, |jobs| jobs as usize);
    suite.limits.time = args.timeout.unwrap_or(suite.limits.time);
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
    command.args(&engine.arguments).arg("--").arg(&task.file);
    command
}

fn print(args: &BenchArgs, study: Option<Study>, results: &Results, directory: &Path) {
    if args.list {
        let unsolved = summary::unsolved(results);
        if !unsolved.is_empty() {
            println!("{unsolved}");
        }
    }
    for task in results.contradictions() {
        println!("CONTRADICTION: engines disagree about {}\n", task.name);
    }
    println!("{}", summary::table(&summary::summarise(results)));
    if results.engines.len() > 1 {
        println!("{}", summary::comparison(results));
    }
    if let Some(study) = study {
        println!("{}", study.text(results));
    }
    if !results.is_complete() {
        println!("Interrupted: the same command continues with the runs that are missing.");
    }
    println!("Results are in {}; index.html is their front page.", directory.display());
}
