//! One run: a process with limits, from its start to its record.

use crate::machine::Machine;
use crate::record::{Outcome, Record, read_detail, read_verdict};
use crate::suite::{Engine, Limits};
use crate::tasks::Task;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use wedge_process::usage::{tree_cpu_seconds, tree_resident};
use wedge_process::{Exit, Process};

/// A program that keeps the time limit by itself gets this long to do so.
pub const GRACE: Duration = Duration::from_secs(5);
/// The same for its memory limit.
pub const MEMORY_GRACE: f64 = 1.1;
const POLL: Duration = Duration::from_millis(10);
/// What is kept of a program's output.
const OUTPUT: u64 = 64 << 20;

/// Runs `command` within the limits; none if `stop` was raised meanwhile.
pub fn run(
    mut command: Command,
    task: &Task,
    engine: &Engine,
    limits: &Limits,
    stop: &AtomicBool,
) -> Option<Record> {
    let mut record = blank(task, engine);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut process = match Process::spawn_group(&mut command) {
        Ok(process) => process,
        Err(error) => {
            record.reason = format!("cannot be started: {error}");
            return Some(record);
        }
    };
    let output = collect(process.take_stdout());
    let errors = collect(process.take_stderr());
    let end = supervise(&mut process, start, limits, stop, &mut record)?;
    record.seconds = start.elapsed().as_secs_f64();
    // Nobody has waited for the children of a process that was killed.
    record.cpu_seconds = record.cpu_seconds.max(process.cpu_seconds());
    let output = output.join().unwrap_or_default();
    let errors = errors.join().unwrap_or_default();
    conclude(&mut record, end, &output, &errors);
    Some(record)
}

fn blank(task: &Task, engine: &Engine) -> Record {
    Record {
        engine: engine.name.clone(),
        arguments: engine.told(task),
        task: task.name.clone(),
        data_model: task.data_model.clone(),
        property: task.property.clone(),
        subproperty: task.subproperty.clone(),
        category: task.category.clone(),
        expected: task.expected,
        outcome: Outcome::Crash,
        reason: String::new(),
        seconds: 0.0,
        cpu_seconds: 0.0,
        peak_bytes: 0,
        again_seconds: None,
        machine: Some(Machine::here().clone()),
        detail: None,
    }
}

/// How the wait for a process ended.
#[derive(Clone, Copy)]
enum End {
    ByItself(Exit),
    Killed(Outcome),
}

fn supervise(
    process: &mut Process,
    start: Instant,
    limits: &Limits,
    stop: &AtomicBool,
    record: &mut Record,
) -> Option<End> {
    loop {
        if let Some(exit) = process.ended() {
            return Some(End::ByItself(exit));
        }
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let resident = tree_resident(process.id());
        record.peak_bytes = record.peak_bytes.max(resident);
        let too_large = limits.memory.is_some_and(|m| resident as f64 > m as f64 * MEMORY_GRACE);
        let used_up = |cpu: Duration| {
            record.cpu_seconds = tree_cpu_seconds(process.id());
            record.cpu_seconds > cpu.as_secs_f64()
        };
        let too_late = start.elapsed() > limits.time + GRACE || limits.cpu.is_some_and(used_up);
        if too_large || too_late {
            process.kill();
            process.wait();
            return Some(End::Killed(if too_large { Outcome::Memory } else { Outcome::Timeout }));
        }
        std::thread::sleep(POLL);
    }
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            let _ = pipe.take(OUTPUT).read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn conclude(record: &mut Record, end: End, output: &str, errors: &str) {
    record.detail = read_detail(output);
    (record.outcome, record.reason) = match (end, read_verdict(output)) {
        (End::Killed(outcome), _) => (outcome, "killed".into()),
        (End::ByItself(_), Some((outcome, reason))) => (outcome, reason),
        (End::ByItself(exit), None) => (Outcome::Crash, complaint(exit, errors)),
    };
}

/// How the program ended, and the last thing it said.
fn complaint(exit: Exit, errors: &str) -> String {
    match errors.lines().map(str::trim).rfind(|line| !line.is_empty()) {
        Some(line) => format!("{exit}: {}", line.chars().take(200).collect::<String>()),
        None => exit.to_string(),
    }
}
