//! The commands of a page, run one after the other in a folder of their own.

use super::compare::agree;
use super::page::{Block, Page, root};
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Longer than any command of the book takes, on any machine.
const LONGEST: Duration = Duration::from_secs(200);

/// A command and what the page says that it prints.
struct Step {
    command: String,
    shown: Vec<String>,
}

/// What the commands of a page came to.
#[derive(Default)]
pub struct Report {
    pub commands: usize,
    pub not_run: usize,
    pub failures: Vec<String>,
}

/// Runs the commands of all console blocks and writes the files that the page shows.
pub fn follow(page: &Page) -> Report {
    let mut report = Report::default();
    let folder = prepare();
    for block in page.blocks() {
        let place = format!("{}:{}", page.name, block.line);
        if let Some(name) = block.note("file") {
            report.failures.extend(provide(&folder, name, &block).map(|f| format!("{place}: {f}")));
        }
        if let Some(name) = block.note("from") {
            let text = std::fs::read_to_string(root().join(name)).unwrap_or_default();
            if !text.contains(&block.text()) {
                report.failures.push(format!("{place}: that is not in {name}"));
            }
        }
        if let Some(why) = block.note("not run") {
            assert!(why.len() > 5, "{place}: why is it not run?");
            report.not_run += 1;
            continue;
        }
        match block.language.as_str() {
            "console" => run_block(&folder, &block, &place, &mut report),
            "sh" | "shell" | "bash" => report.failures.push(format!("{place}: say console")),
            _ if is_commands(&block) => {
                report.failures.push(format!("{place}: commands without the language console"))
            }
            _ => {}
        }
    }
    report
}

/// A folder with the examples and a program called `wedge`.
fn prepare() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("examples"), &folder.path().join("examples"));
    let programs = folder.path().join(".bin");
    std::fs::create_dir(&programs).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_wedge"), programs.join("wedge")).unwrap();
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).unwrap();
        }
    }
}

/// Writes what the block shows to a file. One that is there must contain it already.
fn provide(folder: &TempDir, name: &str, block: &Block) -> Option<String> {
    let path = folder.path().join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) if text.contains(&block.text()) => None,
        Ok(_) => Some(format!("{name} is not what the page shows")),
        Err(_) => {
            std::fs::write(&path, block.text()).unwrap();
            None
        }
    }
}

fn is_commands(block: &Block) -> bool {
    let starts = ["$ ", "wedge ", "cargo "];
    block.lines.iter().any(|line| starts.iter().any(|start| line.starts_with(start)))
}

fn run_block(folder: &TempDir, block: &Block, place: &str, report: &mut Report) {
    let varies: Vec<&str> =
        block.note("varies").map_or(Vec::new(), |words| words.split(", ").collect());
    let mut status = 0;
    let steps = steps(block);
    for (at, step) in steps.iter().enumerate() {
        let (output, new) = execute(folder, &step.command, status);
        report.commands += 1;
        let lines: Vec<String> =
            output.lines().filter(|line| !is_progress(line)).map(str::to_string).collect();
        let shown = format!("{place}: $ {}", step.command);
        if !agree(&step.shown, &lines, &varies) {
            report.failures.push(format!("{shown}\n{output}"));
        }
        let is_shown = steps.get(at + 1).is_some_and(|next| next.command == "echo $?");
        if !is_shown && ![0, usual_status(&lines)].contains(&new) {
            report.failures.push(format!("{shown}\nends with status {new}"));
        }
        status = new;
    }
}

/// On a busy machine a command may take so long that it says how far it is.
fn is_progress(line: &str) -> bool {
    let time = line.strip_prefix("wedge: ").and_then(|rest| rest.split_once(" s; "));
    time.is_some_and(|(seconds, _)| seconds.parse::<f64>().is_ok())
}

/// The status that goes with a verdict.
fn usual_status(lines: &[String]) -> i32 {
    let last = lines.last().map(String::as_str).unwrap_or_default();
    let known = [
        ("FALSE(", 10),
        ("UNKNOWN(", 30),
        ("REJECTED(", 1),
        ("unsat", 20),
        ("sat", 10),
        ("wedge: ", 2),
    ];
    known.iter().find(|(start, _)| last.starts_with(start)).map_or(0, |(_, status)| *status)
}

fn steps(block: &Block) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in &block.lines {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step { command: command.into(), shown: Vec::new() }),
            (None, Some(step)) if step.shown.is_empty() && step.command.ends_with('\\') => {
                step.command = format!("{} {}", step.command.trim_end_matches('\\'), line.trim());
            }
            (None, Some(step)) => step.shown.push(line.clone()),
            (None, None) => panic!("line {}: a block begins with its command", block.line),
        }
    }
    steps
}

/// The output of both kinds, as on a terminal, and the status. `$?` is `earlier`.
fn execute(folder: &TempDir, command: &str, earlier: i32) -> (String, i32) {
    let command = match command.strip_prefix("cargo run --release -- ") {
        Some(arguments) => format!("wedge {arguments}"),
        None => command.to_string(),
    };
    let log = folder.path().join(".output");
    let file = File::create(&log).unwrap();
    let path = format!("{}/.bin:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let mut child = Command::new("sh")
        .args(["-c", &format!("(exit {earlier}); {command}")])
        .current_dir(folder.path())
        .env("PATH", path)
        .stdin(Stdio::null())
        .stdout(file.try_clone().unwrap())
        .stderr(file)
        .process_group(0)
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code().unwrap_or(-1);
        }
        if start.elapsed() > LONGEST {
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            child.wait().unwrap();
            break -1;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    (String::from_utf8_lossy(&std::fs::read(&log).unwrap()).into_owned(), status)
}
