//! The process of a solver: commands go in, expressions come out, in time or not at all.

use super::Trouble;
use super::catalog::Entry;
use super::sexp::{Reader, Sexp};
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How much of what a solver says is repeated in messages.
const SHOWN: usize = 300;

/// Ends with its owner: no process is left behind.
pub(super) struct Process {
    solver: String,
    child: Child,
    input: ChildStdin,
    output: Receiver<Vec<u8>>,
    reader: Reader,
    /// Expressions that were read before they were asked for.
    ready: std::collections::VecDeque<Sexp>,
    /// Bytes of a character that is not complete.
    rest: Vec<u8>,
}

impl Process {
    pub fn start(entry: &Entry) -> Result<Process, Trouble> {
        let missing = |why: String| Trouble::Missing {
            solver: entry.name.clone(),
            command: entry.command.join(" "),
            why,
        };
        let (program, args) =
            entry.command.split_first().ok_or_else(|| missing("no command".into()))?;
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| missing(error.to_string()))?;
        let input = child.stdin.take().expect("piped");
        let mut from = child.stdout.take().expect("piped");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 1 << 14];
            while let Ok(count @ 1..) = from.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let (solver, reader) = (entry.name.clone(), Reader::default());
        Ok(Process {
            solver,
            child,
            input,
            output,
            reader,
            ready: Default::default(),
            rest: vec![],
        })
    }

    /// Sends a command. A solver that has died is noticed when its answer is read.
    pub fn send(&mut self, text: &str) {
        let _ = self.input.write_all(text.as_bytes());
        let _ = self.input.write_all(b"\n");
        let _ = self.input.flush();
    }

    /// The next expression that the solver prints.
    pub fn receive(&mut self, limit: Duration) -> Result<Sexp, Trouble> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(sexp) = self.ready.pop_front() {
                return Ok(sexp);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.read(&bytes),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(Trouble::TimedOut { solver: self.solver.clone(), after: limit });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Trouble::Died { solver: self.solver.clone(), said: String::new() });
                }
            }
        }
    }

    fn read(&mut self, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
        let end = match std::str::from_utf8(&self.rest) {
            Ok(_) => self.rest.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            // What is no text at all becomes an expression that nobody expects.
            Err(_) => self.rest.len(),
        };
        let text = String::from_utf8_lossy(&self.rest[..end]).into_owned();
        self.rest.drain(..end);
        text.chars().for_each(|c| self.reader.push(c));
        self.ready.extend(self.reader.done.drain(..));
    }

    /// The next expression, which must not be an error.
    pub fn answer(&mut self, limit: Duration) -> Result<Sexp, Trouble> {
        let sexp = self.receive(limit)?;
        if sexp.is_error() { Err(self.nonsense(&sexp)) } else { Ok(sexp) }
    }

    pub fn nonsense(&self, sexp: &Sexp) -> Trouble {
        let said: String = sexp.to_string().chars().take(SHOWN).collect();
        Trouble::Nonsense { solver: self.solver.clone(), said }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
