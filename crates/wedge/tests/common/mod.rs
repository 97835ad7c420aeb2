//! Circuits in ASCII AIGER, the program under test, and a look at running processes.

#![allow(dead_code)]

pub mod witness;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// What a run of the program came to.
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    pub fn verdict(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }
}

pub fn run(arguments: &[&str]) -> Run {
    let output = output(arguments);
    Run {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The path of a file in `examples/`.
pub fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    root.join(name).display().to_string()
}

pub fn wedge(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wedge"));
    command.args(arguments);
    command
}

pub fn output(arguments: &[&str]) -> Output {
    wedge(arguments).output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn last_line(output: &Output) -> String {
    stdout(output).lines().last().unwrap_or_default().to_string()
}

/// A circuit under construction: literals as in the format.
struct Builder {
    inputs: usize,
    latches: usize,
    gates: Vec<(usize, usize)>,
}

impl Builder {
    fn and(&mut self, a: usize, b: usize) -> usize {
        self.gates.push((a, b));
        2 * (self.inputs + self.latches + self.gates.len())
    }

    fn xor(&mut self, a: usize, b: usize) -> usize {
        let (left, right) = (self.and(a, b ^ 1), self.and(a ^ 1, b));
        self.and(left ^ 1, right ^ 1) ^ 1
    }

    fn text(&self, next: &[usize], bad: &[usize]) -> String {
        let (i, l, a) = (self.inputs, self.latches, self.gates.len());
        let mut text = format!("aag {} {i} {l} 0 {a} {}\n", i + l + a, bad.len());
        (0..i).for_each(|n| text += &format!("{}\n", 2 * (n + 1)));
        next.iter().enumerate().for_each(|(n, f)| text += &format!("{} {f}\n", 2 * (i + n + 1)));
        bad.iter().for_each(|b| text += &format!("{b}\n"));
        for (n, (x, y)) in self.gates.iter().enumerate() {
            text += &format!("{} {x} {y}\n", 2 * (i + l + n + 1));
        }
        text
    }
}

/// A counter of `bits` bits that advances by `step` when its input is 1. Property n is bad when
/// the counter has the n-th of `values`.
pub fn counter(bits: usize, step: u64, values: &[u64]) -> String {
    let mut builder = Builder { inputs: 1, latches: bits, gates: Vec::new() };
    let state: Vec<usize> = (0..bits).map(|n| 2 * (n + 2)).collect();
    let mut next = Vec::new();
    let mut carry = 0;
    for (n, &bit) in state.iter().enumerate() {
        let addend = if step >> n & 1 == 1 { 2 } else { 0 };
        let half = builder.xor(bit, addend);
        next.push(builder.xor(half, carry));
        let (both, ripple) = (builder.and(bit, addend), builder.and(half, carry));
        carry = builder.and(both ^ 1, ripple ^ 1) ^ 1;
    }
    let equal = |builder: &mut Builder, value: u64| {
        state.iter().enumerate().fold(1, |all, (n, &bit)| {
            builder.and(all, if value >> n & 1 == 1 { bit } else { bit ^ 1 })
        })
    };
    let bad: Vec<usize> = values.iter().map(|&value| equal(&mut builder, value)).collect();
    builder.text(&next, &bad)
}

/// Even numbers only, and 5 is odd: safe.
pub fn safe() -> String {
    counter(6, 2, &[5])
}

/// 5 after five steps: unsafe.
pub fn unsafe_at_5() -> String {
    counter(6, 1, &[5])
}

/// Bad after 2⁶² steps and not before: no engine decides this.
pub fn endless() -> String {
    counter(63, 1, &[1 << 62])
}

pub fn write(directory: &Path, name: &str, content: &str) -> PathBuf {
    let path = directory.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

/// The processes that `pid` has started.
pub fn children(pid: u32) -> Vec<u32> {
    let path = format!("/proc/{pid}/task/{pid}/children");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split_ascii_whitespace().map(|child| child.parse().unwrap()).collect()
}

/// The state letter of a process that is neither gone nor waiting to be reaped.
pub fn state(pid: u32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let letter = stat[stat.rfind(')')? + 1..].trim_start().chars().next()?;
    (letter != 'Z').then_some(letter)
}

pub fn arguments(pid: u32) -> Vec<String> {
    let text = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    text.split(|&b| b == 0).map(|part| String::from_utf8_lossy(part).into_owned()).collect()
}

/// Waits until the condition holds; fails after a generous time.
#[track_caller]
pub fn eventually(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(30), "not reached: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub fn signal(pid: u32, name: &str) {
    let status = Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status();
    assert!(status.unwrap().success());
}
