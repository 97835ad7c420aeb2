//! The journal of a suite: a line of JSON for every finished run, so that a killed session
//! continues where it ended.
//!
//! The first line says under which conditions the runs were made. Results made under other
//! conditions do not compare, so they are refused rather than mixed. A last line that was cut
//! short by a kill is dropped; any other damage is an error.

use crate::error::BenchError;
use crate::record::Record;
use crate::suite::{Engine, Limits};
use crate::tasks::Task;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

pub const FILE: &str = "results.jsonl";

/// The conditions of all runs in a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub suite: String,
    /// Identifies the program, so that results of another build are not taken for its own.
    pub program: String,
    pub time_seconds: f64,
    pub memory_bytes: Option<u64>,
}

impl Header {
    pub fn new(suite: &str, program: &str, limits: &Limits) -> Header {
        Header {
            suite: suite.into(),
            program: program.into(),
            time_seconds: limits.time.as_secs_f64(),
            memory_bytes: limits.memory,
        }
    }

    /// What keeps results made under `other` from being used under `self`.
    fn difference(&self, other: &Header) -> Option<String> {
        let memory = |h: &Header| h.memory_bytes.map_or("none".into(), |m| format!("{m} bytes"));
        let pairs = [
            ("suite", other.suite.clone(), self.suite.clone()),
            ("program", other.program.clone(), self.program.clone()),
            ("time limit", format!("{} s", other.time_seconds), format!("{} s", self.time_seconds)),
            ("memory limit", memory(other), memory(self)),
        ];
        let (what, old, new) = pairs.into_iter().find(|(_, old, new)| old != new)?;
        Some(format!("the results were made with another {what} ({old}, now {new})"))
    }
}

pub struct Journal {
    path: PathBuf,
    file: File,
    records: Vec<Record>,
}

impl Drop for Journal {
    /// Closing the file is not enough: a process that is being started elsewhere in this program
    /// holds a copy of it for a moment, and the lock with it.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl Journal {
    /// Opens or starts the journal in `directory`; `fresh` discards what is there.
    pub fn open(directory: &Path, header: &Header, fresh: bool) -> Result<Journal, BenchError> {
        std::fs::create_dir_all(directory).map_err(BenchError::io(directory))?;
        let path = directory.join(FILE);
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let mut file = file.map_err(BenchError::io(&path))?;
        file.try_lock().map_err(|_| BenchError::Suite {
            path: path.clone(),
            cause: "another process is using this file".into(),
        })?;
        if fresh {
            file.set_len(0).map_err(BenchError::io(&path))?;
        }
        let (records, length) = load(&path, header)?;
        file.set_len(length).map_err(BenchError::io(&path))?;
        file.seek(SeekFrom::End(0)).map_err(BenchError::io(&path))?;
        let mut journal = Journal { path, file, records };
        if length == 0 {
            journal.write(header)?;
        }
        Ok(journal)
    }

    pub fn append(&mut self, record: Record) -> Result<(), BenchError> {
        self.write(&record)?;
        self.records.push(record);
        Ok(())
    }

    /// The run of an engine on a task, with what the suite now knows about the task.
    pub fn find(&self, engine: &Engine, task: &Task) -> Option<Record> {
        let found = self.records.iter().rev().find(|record| {
            record.engine == engine.name
                && record.arguments == engine.arguments
                && record.task == task.name
                && record.data_model == task.data_model
                && record.property == task.property
        })?;
        let (expected, category) = (task.expected, task.category.clone());
        let subproperty = task.subproperty.clone();
        Some(Record { expected, category, subproperty, ..found.clone() })
    }

    /// One write for the whole line, so that a kill leaves all of it, a beginning, or nothing.
    fn write(&mut self, value: &impl Serialize) -> Result<(), BenchError> {
        let mut line = serde_json::to_vec(value)
            .map_err(|e| BenchError::Io { path: self.path.clone(), source: e.into() })?;
        line.push(b'\n');
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        written.map_err(BenchError::io(&self.path))
    }
}

/// The records of a journal and the length of its intact part.
fn load(path: &Path, header: &Header) -> Result<(Vec<Record>, u64), BenchError> {
    let bytes = std::fs::read(path).map_err(BenchError::io(path))?;
    let intact = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |position| position + 1);
    let error = |line: usize, cause: String| BenchError::Line { path: path.into(), line, cause };
    let text = std::str::from_utf8(&bytes[..intact]).map_err(|e| error(1, e.to_string()))?;
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let Some((_, first)) = lines.next() else { return Ok((Vec::new(), 0)) };
    let found: Header = serde_json::from_str(first)
        .map_err(|e| error(1, format!("this is not a journal of results: {e}")))?;
    if let Some(cause) = header.difference(&found) {
        return Err(BenchError::Mismatch { path: path.into(), cause });
    }
    let records = lines.map(|(number, line)| {
        serde_json::from_str(line).map_err(|e| error(number, format!("damaged result: {e}")))
    });
    Ok((records.collect::<Result<_, _>>()?, intact as u64))
}

/// Identifies a program file by its name, size and content.
pub fn fingerprint(program: &Path) -> Result<String, BenchError> {
    use std::hash::Hasher;
    let bytes = std::fs::read(program).map_err(BenchError::io(program))?;
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(&bytes);
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(format!("{name} {:016x}", hasher.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Outcome;
    use crate::tasks::Expected;
    use std::time::Duration;

    fn header() -> Header {
        let limits = Limits { time: Duration::from_secs(20), memory: Some(1 << 30) };
        Header::new("suite", "program 1", &limits)
    }

    fn engine(argument: &str) -> Engine {
        Engine { name: "e".into(), arguments: vec![argument.into()] }
    }

    fn task(name: &str, expected: Expected) -> Task {
        Task { name: name.into(), expected, ..Task::default() }
    }

    fn record(name: &str) -> Record {
        Record {
            engine: "e".into(),
            arguments: vec!["a".into()],
            task: name.into(),
            data_model: None,
            property: None,
            subproperty: None,
            category: String::new(),
            expected: Expected::Unknown,
            outcome: Outcome::True,
            reason: String::new(),
            seconds: 0.5,
            cpu_seconds: 0.25,
            peak_bytes: 7,
            detail: Some(serde_json::json!({"figures": {"bound": 3}})),
        }
    }

    #[test]
    fn finished_runs_are_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(dir.path(), &header(), false).unwrap();
        journal.append(record("x")).unwrap();
        drop(journal);
        let journal = Journal::open(dir.path(), &header(), false).unwrap();
        let found = journal.find(&engine("a"), &task("x", Expected::Unsafe)).unwrap();
        assert_eq!(found, Record { expected: Expected::Unsafe, ..record("x") });
        assert_eq!(journal.find(&engine("b"), &task("x", Expected::Unknown)), None);
        assert_eq!(journal.find(&engine("a"), &task("y", Expected::Unknown)), None);
    }

    #[test]
    fn a_line_cut_short_anywhere_costs_only_that_run() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(dir.path(), &header(), false).unwrap();
        journal.append(record("x")).unwrap();
        let path = dir.path().join(FILE);
        let whole = std::fs::metadata(&path).unwrap().len();
        journal.append(record("y")).unwrap();
        drop(journal);
        let bytes = std::fs::read(&path).unwrap();
        for length in (whole..bytes.len() as u64).step_by(7) {
            std::fs::write(&path, &bytes[..length as usize]).unwrap();
            let mut journal = Journal::open(dir.path(), &header(), false).unwrap();
            assert!(journal.find(&engine("a"), &task("x", Expected::Unknown)).is_some());
            assert!(journal.find(&engine("a"), &task("y", Expected::Unknown)).is_none());
            journal.append(record("y")).unwrap();
            drop(journal);
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn other_conditions_and_damage_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        drop(Journal::open(dir.path(), &header(), false).unwrap());
        let other = Header { program: "program 2".into(), ..header() };
        let refused = Journal::open(dir.path(), &other, false).err().unwrap().to_string();
        assert!(refused.contains("another program") && refused.contains("--fresh"), "{refused}");
        let mut fresh = Journal::open(dir.path(), &other, true).unwrap();
        fresh.append(record("x")).unwrap();
        drop(fresh);
        let path = dir.path().join(FILE);
        let damaged = std::fs::read_to_string(&path).unwrap().replace("\"task\"", "\"tusk\"");
        std::fs::write(&path, damaged).unwrap();
        let error = Journal::open(dir.path(), &other, false).err().unwrap().to_string();
        assert!(error.contains("results.jsonl:2: damaged result"), "{error}");
    }

    #[test]
    fn only_one_process_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let _journal = Journal::open(dir.path(), &header(), false).unwrap();
        assert!(Journal::open(dir.path(), &header(), false).is_err());
    }
}
