//! A child process under control: paused, resumed, measured, killed.
//!
//! The child's standard input is a pipe that stays open as long as the [`Process`] lives, or who
//! has taken it; see [`crate::leash`] for what the child does with it. Dropping a [`Process`] kills
//! the child.

use crate::usage::{cpu_seconds, resident};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions, WaitStatus};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};

pub struct Process {
    pid: Pid,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    exit: Option<Exit>,
    /// Processor time of the child and of the children it has waited for, known at its end.
    final_cpu: f64,
    /// Signals go to the child's process group, which has its number.
    leads_group: bool,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Code(i32),
    Signal(i32),
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "exit status {code}"),
            Exit::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

impl Process {
    /// Starts `command` with a pipe as its standard input. The calling thread has to outlive it.
    pub fn spawn(command: &mut Command) -> io::Result<Process> {
        let mut child = command.stdin(Stdio::piped()).spawn()?;
        let mut process = Process::of(Pid::from_child(&child));
        process.stdin = child.stdin.take();
        process.stdout = child.stdout.take();
        process.stderr = child.stderr.take();
        Ok(process)
    }

    /// A child of this process that was not started with [`Process::spawn`].
    pub(crate) fn of(pid: Pid) -> Process {
        let (exit, final_cpu, leads_group) = (None, 0.0, false);
        Process { pid, stdin: None, stdout: None, stderr: None, exit, final_cpu, leads_group }
    }

    /// The same in a process group of its own. A Ctrl-C on the terminal does not reach it, and
    /// what it starts ends with it.
    pub fn spawn_group(command: &mut Command) -> io::Result<Process> {
        let mut process = Process::spawn(command.process_group(0))?;
        process.leads_group = true;
        Ok(process)
    }

    /// A child on its leash ends when this is dropped.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.stdin.take()
    }

    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.stdout.take()
    }

    pub fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.stderr.take()
    }

    pub fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get() as u32
    }

    /// Takes the processor away until `resume`.
    pub fn pause(&self) {
        self.signal(Signal::STOP);
    }

    pub fn resume(&self) {
        self.signal(Signal::CONT);
    }

    pub fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// A process that was not waited for keeps its number, so the signal cannot go astray.
    fn signal(&self, signal: Signal) {
        let _ = match (self.exit, self.leads_group) {
            (Some(_), _) => Ok(()),
            (None, true) => rustix::process::kill_process_group(self.pid, signal),
            (None, false) => rustix::process::kill_process(self.pid, signal),
        };
    }

    /// Resident memory in bytes; 0 after the end or where the system does not tell.
    pub fn resident(&self) -> u64 {
        if self.exit.is_some() { 0 } else { resident(&self.id().to_string()) }
    }

    /// Processor seconds of the process and of the children it has waited for.
    pub fn cpu_seconds(&self) -> f64 {
        match self.exit {
            Some(_) => self.final_cpu,
            None => cpu_seconds(self.id()).unwrap_or(self.final_cpu),
        }
    }

    /// How the process ended, if it has.
    pub fn ended(&mut self) -> Option<Exit> {
        if self.exit.is_none() && self.is_zombie() {
            self.reap();
        }
        self.exit
    }

    pub fn wait(&mut self) -> Exit {
        if self.exit.is_none() {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while let Err(rustix::io::Errno::INTR) =
                rustix::process::waitid(WaitId::Pid(self.pid), options)
            {}
            self.reap();
        }
        self.exit.unwrap_or(Exit::Code(-1))
    }

    /// Ended, but still holding its number and its times.
    fn is_zombie(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        !matches!(rustix::process::waitid(WaitId::Pid(self.pid), options), Ok(None))
    }

    fn reap(&mut self) {
        if self.leads_group {
            self.kill();
        }
        self.final_cpu = cpu_seconds(self.id()).unwrap_or(0.0);
        let status = loop {
            match rustix::process::waitpid(Some(self.pid), WaitOptions::empty()) {
                Err(rustix::io::Errno::INTR) => {}
                other => break other,
            }
        };
        self.exit = Some(match status {
            Ok(Some((_, status))) => exit_of(status),
            Ok(None) | Err(_) => Exit::Code(-1),
        });
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        self.wait();
    }
}

fn exit_of(status: WaitStatus) -> Exit {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::Code(-1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    fn shell(script: &str) -> Process {
        Process::spawn(Command::new("sh").args(["-c", script])).unwrap()
    }

    fn alive(pid: u32) -> bool {
        std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok()
    }

    #[test]
    fn reports_codes_and_signals() {
        assert_eq!(shell("exit 10").wait(), Exit::Code(10));
        assert_eq!(shell("kill -6 $$").wait(), Exit::Signal(6));
        let running = shell("exec sleep 100");
        running.kill();
        let mut running = running;
        assert_eq!(running.wait(), Exit::Signal(9));
        assert_eq!(running.ended(), Some(Exit::Signal(9)));
    }

    #[test]
    fn dropping_kills_even_a_paused_process() {
        let process = shell("exec sleep 100");
        let pid = process.id();
        assert!(alive(pid));
        process.pause();
        drop(process);
        assert!(!alive(pid));
    }

    #[test]
    fn a_group_ends_with_its_leader() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 100 >/dev/null & echo $!"]).stdout(Stdio::piped());
        let mut process = Process::spawn_group(&mut command).unwrap();
        let mut line = String::new();
        let mut output = io::BufReader::new(process.take_stdout().unwrap());
        io::BufRead::read_line(&mut output, &mut line).unwrap();
        assert_eq!(process.wait(), Exit::Code(0));
        let start = Instant::now();
        let sleeper: u32 = line.trim().parse().unwrap();
        while runs(sleeper) && start.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!runs(sleeper));
    }

    /// Neither gone nor waiting to be reaped.
    fn runs(pid: u32) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
    }

    #[test]
    fn times_survive_the_end() {
        let mut process = shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done");
        assert!(process.resident() > 0);
        let start = Instant::now();
        while process.ended().is_none() && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(process.ended(), Some(Exit::Code(0)));
        assert!(process.cpu_seconds() > 0.0);
        assert_eq!(process.resident(), 0);
    }

    #[test]
    fn a_paused_process_uses_no_time() {
        let process = shell("while :; do :; done");
        std::thread::sleep(Duration::from_millis(100));
        process.pause();
        std::thread::sleep(Duration::from_millis(30));
        let before = process.cpu_seconds();
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(process.cpu_seconds(), before);
        process.resume();
        let start = Instant::now();
        while process.cpu_seconds() == before && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(process.cpu_seconds() > before);
    }
}
