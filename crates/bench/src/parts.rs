//! Parts of a journal: what other processes, perhaps on other machines, have found for the same
//! results.
//!
//! `parts/3-of-40.1.jsonl` is the first attempt at shard 3 of 40, made by one process alone: on
//! shared folders neither appending by several machines nor locks can be relied on, but making a
//! file that must not exist can. A shard that is started again writes `3-of-40.2.jsonl`, even if
//! the machine that was believed dead is still writing to the first. A last line that cannot be
//! read has been cut short, or is still on its way.

use crate::error::BenchError;
use crate::journal::Header;
use crate::record::Record;
use crate::shard::Shard;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

const FOLDER: &str = "parts";

/// A new file for an attempt at a shard.
pub fn create(directory: &Path, shard: Shard) -> Result<(PathBuf, File), BenchError> {
    let folder = directory.join(FOLDER);
    std::fs::create_dir_all(&folder).map_err(BenchError::io(&folder))?;
    let mut attempt = 1;
    loop {
        let path = folder.join(format!("{}-of-{}.{attempt}.jsonl", shard.index, shard.count));
        match OpenOptions::new().append(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => attempt += 1,
            Err(error) => return Err(BenchError::io(&path)(error)),
        }
    }
}

/// Removes all parts.
pub fn discard(directory: &Path) -> Result<(), BenchError> {
    for path in list(directory)? {
        std::fs::remove_file(&path).map_err(BenchError::io(&path))?;
    }
    Ok(())
}

fn list(directory: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let folder = directory.join(FOLDER);
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(BenchError::io(&folder)(error)),
    };
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(BenchError::io(&folder))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    Ok(paths)
}

/// Reads the parts in a folder again and again, each line once.
pub struct Parts {
    directory: PathBuf,
    header: Header,
    /// How much of each part has been read, in bytes and lines.
    read: HashMap<PathBuf, (u64, usize)>,
}

impl Parts {
    pub fn new(directory: &Path, header: &Header) -> Parts {
        Parts { directory: directory.into(), header: header.clone(), read: HashMap::new() }
    }

    /// What has been added since the last time.
    pub fn news(&mut self) -> Result<Vec<Record>, BenchError> {
        let mut news = Vec::new();
        for path in list(&self.directory)? {
            news.extend(self.news_in(&path)?);
        }
        Ok(news)
    }

    fn news_in(&mut self, path: &Path) -> Result<Vec<Record>, BenchError> {
        let (offset, lines) = self.read.get(path).copied().unwrap_or((0, 0));
        let bytes = rest(path, offset).map_err(BenchError::io(path))?;
        let whole: Vec<&[u8]> =
            bytes.split_inclusive(|&b| b == b'\n').filter(|l| l.ends_with(b"\n")).collect();
        let (mut length, mut records) = (0, Vec::new());
        for (position, line) in whole.iter().enumerate() {
            let number = lines + position + 1;
            let text = String::from_utf8_lossy(line);
            match self.line(path, number, &text) {
                Ok(record) => records.extend(record),
                Err(BenchError::Line { .. }) if position + 1 == whole.len() => break,
                Err(error) => return Err(error),
            }
            length += line.len();
            self.read.insert(path.into(), (offset + length as u64, number));
        }
        Ok(records)
    }

    fn line(&self, path: &Path, number: usize, line: &str) -> Result<Option<Record>, BenchError> {
        if number == 1 {
            return self.header.check(path, line).map(|()| None);
        }
        serde_json::from_str(line).map(Some).map_err(|e| BenchError::Line {
            path: path.into(),
            line: number,
            cause: format!("damaged result: {e}"),
        })
    }
}

fn rest(path: &Path, offset: u64) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    if file.metadata()?.len() > offset {
        file.seek(SeekFrom::Start(offset))?;
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
