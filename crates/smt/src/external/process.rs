//! The process of a solver: commands go in, expressions come out, in time or not at all.
//!
//! A thread writes and two threads read, so that a solver that neither reads nor writes holds up
//! nobody. Every question is followed by `(echo MARK)` with a new mark: what comes before the mark
//! is the answer, and what a solver says too much is never taken for the answer to another
//! question.

use super::Trouble;
use super::catalog::Entry;
use super::sexp::{Reader, Sexp};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use wedge_process::Process as Child;
use wedge_sat::Interrupt;

/// How much of what a solver says is repeated in messages.
const SHOWN: usize = 300;
/// Longer answers are no answers.
const LONGEST: usize = 256 << 20;
/// How often a wait looks at the interrupt.
const SLICE: Duration = Duration::from_millis(20);

/// Ends with its owner, together with everything that it has started.
pub(super) struct Process {
    solver: String,
    /// Dropped first: it kills.
    _child: Child,
    input: Sender<String>,
    output: Receiver<Vec<u8>>,
    complaints: Arc<Mutex<String>>,
    reader: Reader,
    /// Bytes of a character that is not complete.
    rest: Vec<u8>,
    /// Bytes since the last question.
    read: usize,
    marks: u64,
}

impl Process {
    pub fn start(entry: &Entry, args: &[String]) -> Result<Process, Trouble> {
        let missing = |why: String| Trouble::Missing {
            solver: entry.name.clone(),
            command: entry.command.join(" "),
            why,
        };
        let program = entry.command.first().ok_or_else(|| missing("no command".into()))?;
        if super::catalog::search(program).is_none() {
            return Err(missing("there is no such program".into()));
        }
        let command = leashed([&entry.command, args].concat());
        let (started, child) = channel();
        let (sender, output) = channel();
        // The child's leash is held by the thread that starts it, so this one stays for its output.
        std::thread::spawn(move || start_and_read(command, started, sender));
        let child = child.recv().map_err(|error| missing(error.to_string()))?;
        let mut child = child.map_err(|error| missing(error.to_string()))?;
        let (input, lines) = channel::<String>();
        let mut to = child.take_stdin().expect("piped");
        std::thread::spawn(move || {
            while let Ok(line) = lines.recv() {
                let _ = to.write_all(line.as_bytes());
                let _ = to.flush();
            }
        });
        let complaints = Arc::new(Mutex::new(String::new()));
        let (heard, from) = (complaints.clone(), child.take_stderr().expect("piped"));
        std::thread::spawn(move || hear(from, &heard));
        let (solver, reader) = (entry.name.clone(), Reader::default());
        let (rest, read, marks) = (Vec::new(), 0, 0);
        Ok(Process { solver, _child: child, input, output, complaints, reader, rest, read, marks })
    }

    /// Sends a command. A solver that has died is noticed when its answer is read.
    pub fn send(&mut self, text: &str) {
        let _ = self.input.send(format!("{text}\n"));
    }

    /// The one expression that the solver answers to a question.
    pub fn ask(
        &mut self,
        question: &str,
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<Sexp, Trouble> {
        self.marks += 1;
        let mark = format!("wedge-mark-{}", self.marks);
        self.send(&format!("{question}\n(echo \"{mark}\")"));
        self.read = 0;
        let mut answers = self.until(&mark, limit, interrupt)?;
        // These answer options that a solver does not know, or commands that went before.
        answers.retain(|sexp| !matches!(sexp.atom(), Some("success" | "unsupported")));
        match (answers.iter().find(|sexp| sexp.is_error()), answers.len()) {
            (Some(error), _) => Err(self.nonsense(error)),
            (None, 1) => Ok(answers.remove(0)),
            (None, _) => Err(self.nonsense(&Sexp::List(answers))),
        }
    }

    /// What the solver prints before the mark.
    fn until(
        &mut self,
        mark: &str,
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<Vec<Sexp>, Trouble> {
        let (start, solver) = (Instant::now(), self.solver.clone());
        loop {
            let ready = &mut self.reader.done;
            if let Some(at) = ready.iter().position(|sexp| sexp.says(mark)) {
                let answers = ready.drain(..=at).take(at).collect();
                return Ok(answers);
            }
            if self.read > LONGEST || self.reader.is_too_deep() {
                let said = "a text that is too long or nested too deeply".to_string();
                return Err(Trouble::Nonsense { solver, said });
            }
            if interrupt.is_raised() {
                return Err(Trouble::Stopped { solver });
            }
            let left = limit.saturating_sub(start.elapsed());
            match self.output.recv_timeout(left.min(SLICE)) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(Trouble::TimedOut { solver, after: limit });
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Trouble::Died { solver, said: self.last_words() });
                }
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.read += bytes.len();
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
    }

    fn last_words(&mut self) -> String {
        let printed = std::mem::take(&mut self.reader.done);
        let mut said: Vec<String> = printed.iter().map(|sexp| shown(&sexp.to_string())).collect();
        // The thread that hears the complaints may be a moment behind.
        std::thread::sleep(SLICE);
        let complaints = self.complaints.lock().map(|text| text.trim().to_string());
        said.extend(complaints.ok().filter(|text| !text.is_empty()));
        shown(&said.join(" "))
    }

    pub fn nonsense(&self, sexp: &Sexp) -> Trouble {
        Trouble::Nonsense { solver: self.solver.clone(), said: shown(&sexp.to_string()) }
    }
}

pub(super) fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

/// The command such that the kernel ends the solver if its starter is killed. Where the system
/// has no program for that, a solver notices the end of its input after its present query.
fn leashed(words: Vec<String>) -> Vec<String> {
    if !cfg!(target_os = "linux") || super::catalog::search("setpriv").is_none() {
        return words;
    }
    let leash = ["setpriv", "--pdeathsig", "KILL", "--"].map(String::from);
    [leash.to_vec(), words].concat()
}

fn start_and_read(
    words: Vec<String>,
    started: Sender<std::io::Result<Child>>,
    sender: Sender<Vec<u8>>,
) {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut from = match Child::spawn_group(&mut command) {
        Err(error) => {
            let _ = started.send(Err(error));
            return;
        }
        Ok(mut child) => {
            let from = child.take_stdout().expect("piped");
            if started.send(Ok(child)).is_err() {
                return;
            }
            from
        }
    };
    let mut buffer = [0; 1 << 14];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        if sender.send(buffer[..count].to_vec()).is_err() {
            break;
        }
    }
}

/// Keeps the beginning of what a solver complains about.
fn hear(mut from: impl Read, heard: &Mutex<String>) {
    let mut buffer = [0; 1 << 10];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        let Ok(mut heard) = heard.lock() else { return };
        if heard.len() < SHOWN {
            heard.push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
    }
}
