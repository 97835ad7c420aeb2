//! The journal of a suite: a line of JSON for every finished run, so that a killed session
//! continues where it ended.
//!
//! The first line says under which conditions the runs were made. Results made under other
//! conditions do not compare, so they are refused rather than mixed. A last line that was cut
//! short by a kill is dropped; any other damage is an error. Where several machines work on one
//! suite, each process writes a part of its own (`parts.rs`), which the journal takes in.

use crate::error::BenchError;
use crate::parts::{self, Parts};
use crate::record::Record;
use crate::shard::Shard;
use crate::suite::{Engine, Limits};
use crate::tasks::Task;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};

pub const FILE: &str = "results.jsonl";

/// The conditions of all runs in a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub suite: String,
    /// Identifies the program, so that results of another build are not taken for its own.
    pub program: String,
    pub time_seconds: f64,
    /// The limit of processor time.
    #[serde(default)]
    pub cpu_seconds: Option<f64>,
    pub memory_bytes: Option<u64>,
}

impl Header {
    pub fn new(suite: &str, program: &str, limits: &Limits) -> Header {
        Header {
            suite: suite.into(),
            program: program.into(),
            time_seconds: limits.time.as_secs_f64(),
            cpu_seconds: limits.cpu.map(|cpu| cpu.as_secs_f64()),
            memory_bytes: limits.memory,
        }
    }

    /// What keeps results made under `other` from being used under `self`.
    fn difference(&self, other: &Header) -> Option<String> {
        let memory = |h: &Header| h.memory_bytes.map_or("none".into(), |m| format!("{m} bytes"));
        let cpu = |h: &Header| h.cpu_seconds.map_or("none".into(), |s| format!("{s} s"));
        let pairs = [
            ("suite", other.suite.clone(), self.suite.clone()),
            ("program", other.program.clone(), self.program.clone()),
            ("time limit", format!("{} s", other.time_seconds), format!("{} s", self.time_seconds)),
            ("limit of processor time", cpu(other), cpu(self)),
            ("memory limit", memory(other), memory(self)),
        ];
        let (what, old, new) = pairs.into_iter().find(|(_, old, new)| old != new)?;
        Some(format!("the results were made with another {what} ({old}, now {new})"))
    }

    /// Refuses a file whose first line does not say that it was made under these conditions.
    pub(crate) fn check(&self, path: &Path, first: &str) -> Result<(), BenchError> {
        let found: Header = serde_json::from_str(first).map_err(|e| BenchError::Line {
            path: path.into(),
            line: 1,
            cause: format!("this is not a journal of results: {e}"),
        })?;
        match self.difference(&found) {
            Some(cause) => Err(BenchError::Mismatch { path: path.into(), cause }),
            None => Ok(()),
        }
    }
}

pub struct Journal {
    place: Place,
    records: Vec<Record>,
    /// Records by engine and task.
    index: HashMap<(String, String), Vec<usize>>,
}

/// Where new records go.
enum Place {
    /// The journal of the whole suite, which one process at a time may have.
    Whole { path: PathBuf, file: File, parts: Parts },
    /// A file of this process alone, which there is from the first record on.
    Part { directory: PathBuf, shard: Shard, header: Header, file: Option<(PathBuf, File)> },
}

impl Drop for Journal {
    /// Closing the file is not enough: a process that is being started elsewhere in this program
    /// holds a copy of it for a moment, and the lock with it.
    fn drop(&mut self) {
        if let Place::Whole { file, .. } = &self.place {
            let _ = file.unlock();
        }
    }
}

impl Journal {
    /// Opens or starts the journal in `directory` and takes in what its parts have; `fresh`
    /// discards all of that.
    pub fn open(directory: &Path, header: &Header, fresh: bool) -> Result<Journal, BenchError> {
        std::fs::create_dir_all(directory).map_err(BenchError::io(directory))?;
        let path = directory.join(FILE);
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let mut file = file.map_err(BenchError::io(&path))?;
        lock(&path, &file)?;
        if fresh {
            file.set_len(0).map_err(BenchError::io(&path))?;
            parts::discard(directory)?;
        }
        let (records, length) = load(&path, header)?;
        file.set_len(length).map_err(BenchError::io(&path))?;
        file.seek(SeekFrom::End(0)).map_err(BenchError::io(&path))?;
        if length == 0 {
            write(&path, &mut file, header)?;
        }
        let parts = Parts::new(directory, header);
        let mut journal = Journal::with(Place::Whole { path, file, parts }, records);
        journal.absorb()?;
        Ok(journal)
    }

    /// The journal of a shard in a folder that others may be writing to: knows what they had when
    /// it was opened, and writes to a file of its own.
    pub fn open_part(
        directory: &Path,
        header: &Header,
        shard: Shard,
    ) -> Result<Journal, BenchError> {
        let path = directory.join(FILE);
        let (mut records, _) = match path.is_file() {
            true => load(&path, header)?,
            false => (Vec::new(), 0),
        };
        records.extend(Parts::new(directory, header).news()?);
        let (directory, header) = (directory.into(), header.clone());
        Ok(Journal::with(Place::Part { directory, shard, header, file: None }, records))
    }

    fn with(place: Place, records: Vec<Record>) -> Journal {
        let mut journal = Journal { place, records: Vec::new(), index: HashMap::new() };
        records.into_iter().for_each(|record| journal.remember(record));
        journal
    }

    fn remember(&mut self, record: Record) {
        let key = (record.engine.clone(), record.task.clone());
        self.index.entry(key).or_default().push(self.records.len());
        self.records.push(record);
    }

    pub fn append(&mut self, record: Record) -> Result<(), BenchError> {
        match &mut self.place {
            Place::Whole { path, file, .. } => write(path, file, &record)?,
            Place::Part { directory, shard, header, file } => {
                if file.is_none() {
                    let (path, mut started) = parts::create(directory, *shard)?;
                    write(&path, &mut started, header)?;
                    *file = Some((path, started));
                }
                let (path, file) = file.as_mut().expect("started above");
                write(path, file, &record)?;
            }
        }
        self.remember(record);
        Ok(())
    }

    /// Copies what the parts have got since the last time into the journal, and returns it. A run
    /// that was made twice counts once: the one that was seen first.
    pub fn absorb(&mut self) -> Result<Vec<Record>, BenchError> {
        let Place::Whole { parts, .. } = &mut self.place else { return Ok(Vec::new()) };
        let news = parts.news()?;
        self.take_in(news)
    }

    /// The same for the results in another folder, or in one file of results.
    pub fn merge(&mut self, header: &Header, other: &Path) -> Result<Vec<Record>, BenchError> {
        let records = if other.is_dir() {
            let journal = other.join(FILE);
            let mut records =
                if journal.is_file() { load(&journal, header)?.0 } else { Vec::new() };
            records.extend(Parts::new(other, header).news()?);
            records
        } else {
            load(other, header)?.0
        };
        self.take_in(records)
    }

    fn take_in(&mut self, records: Vec<Record>) -> Result<Vec<Record>, BenchError> {
        let mut taken = Vec::new();
        for record in records {
            if !self.alike(&record.engine, &record.task).any(|other| same_run(other, &record)) {
                self.append(record.clone())?;
                taken.push(record);
            }
        }
        Ok(taken)
    }

    fn alike(&self, engine: &str, task: &str) -> impl Iterator<Item = &Record> {
        let found = self.index.get(&(engine.to_string(), task.to_string()));
        found.into_iter().flatten().map(|&index| &self.records[index])
    }

    /// The run of an engine on a task, with what the suite now knows about the task.
    pub fn find(&self, engine: &Engine, task: &Task) -> Option<Record> {
        let told = engine.told(task);
        let matching = self.alike(&engine.name, &task.name).filter(|record| {
            record.arguments == told
                && record.data_model == task.data_model
                && same_file(record.property.as_deref(), task.property.as_deref())
        });
        // Of several, the one that had most time, and of those the last.
        let had = |record: &&Record| record.again_seconds.unwrap_or(0.0);
        let found = matching.max_by(|a, b| had(a).total_cmp(&had(b)))?;
        let (expected, category) = (task.expected, task.category.clone());
        let subproperty = task.subproperty.clone();
        Some(Record { expected, category, subproperty, ..found.clone() })
    }
}

fn same_run(a: &Record, b: &Record) -> bool {
    a.arguments == b.arguments
        && a.again_seconds == b.again_seconds
        && a.data_model == b.data_model
        && same_file(a.property.as_deref(), b.property.as_deref())
}

/// Whether two paths may be one file, seen from different folders or machines.
fn same_file(a: Option<&Path>, b: Option<&Path>) -> bool {
    let plain = |path: &Path| -> PathBuf {
        path.components().filter(|part| *part != Component::CurDir).collect()
    };
    match (a.map(plain), b.map(plain)) {
        (Some(a), Some(b)) => a.ends_with(&b) || b.ends_with(&a),
        (a, b) => a == b,
    }
}

/// A file system without locks is no reason to refuse.
fn lock(path: &Path, file: &File) -> Result<(), BenchError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(BenchError::Suite {
            path: path.into(),
            cause: "another process is using this file".into(),
        }),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// One write for the whole line, so that a kill leaves all of it, a beginning, or nothing.
fn write(path: &Path, file: &mut File, value: &impl Serialize) -> Result<(), BenchError> {
    let mut line = serde_json::to_vec(value)
        .map_err(|e| BenchError::Io { path: path.into(), source: e.into() })?;
    line.push(b'\n');
    let written = file.write_all(&line).and_then(|()| file.sync_data());
    written.map_err(BenchError::io(path))
}

/// The records of a journal and the length of its intact part.
fn load(path: &Path, header: &Header) -> Result<(Vec<Record>, u64), BenchError> {
    let bytes = std::fs::read(path).map_err(BenchError::io(path))?;
    let intact = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |position| position + 1);
    let error = |line: usize, cause: String| BenchError::Line { path: path.into(), line, cause };
    let text = std::str::from_utf8(&bytes[..intact]).map_err(|e| error(1, e.to_string()))?;
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let Some((_, first)) = lines.next() else { return Ok((Vec::new(), 0)) };
    header.check(path, first)?;
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
mod tests;
