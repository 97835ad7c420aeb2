//! What is remembered between calls: which jobs were submitted for what.

use super::queue::Element;
use crate::error::BenchError;
use crate::suite::Suite;
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

#[derive(Serialize, Deserialize)]
pub struct Campaign {
    /// Identifies tasks and engines: shards of other ones have other numbers.
    pub selection: String,
    pub shards: usize,
    /// Jobs that may still be at work.
    pub jobs: Vec<String>,
}

fn path(directory: &Path) -> PathBuf {
    directory.join("slurm/campaign.json")
}

impl Campaign {
    /// Without jobs, and with a shard per task.
    pub fn of(suite: &Suite) -> Campaign {
        let mut hasher = std::hash::DefaultHasher::new();
        suite.tasks.iter().for_each(|task| task.name.hash(&mut hasher));
        for engine in &suite.engines {
            (&engine.name, &engine.arguments).hash(&mut hasher);
        }
        let selection = format!("{:016x}", hasher.finish());
        Campaign { selection, shards: suite.tasks.len(), jobs: Vec::new() }
    }

    pub fn read(directory: &Path) -> Result<Option<Campaign>, BenchError> {
        let path = path(directory);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(BenchError::io(&path)(error)),
        };
        let campaign = serde_json::from_str(&text);
        campaign.map(Some).map_err(|e| BenchError::Suite { path, cause: e.to_string() })
    }

    /// A new file in place of the old one, so that there is always a whole one.
    pub fn write(&self, directory: &Path) -> Result<(), BenchError> {
        let path = path(directory);
        let text = serde_json::to_string(self)
            .map_err(|e| BenchError::Io { path: path.clone(), source: e.into() })?;
        let new = path.with_extension("new");
        std::fs::create_dir_all(path.parent().expect("it is in a folder"))
            .and_then(|()| std::fs::write(&new, text + "\n"))
            .and_then(|()| std::fs::rename(&new, &path))
            .map_err(BenchError::io(&path))
    }

    pub fn remove(directory: &Path) -> Result<(), BenchError> {
        let path = path(directory);
        std::fs::remove_file(&path).map_err(BenchError::io(&path))
    }

    /// Its jobs are still at work on other tasks or engines, or for other results.
    pub fn busy(&self, live: &[Element]) -> BenchError {
        let mut jobs: Vec<&str> = live.iter().map(|element| element.job.as_str()).collect();
        jobs.dedup();
        BenchError::Slurm(format!(
            "jobs of another selection of tasks and engines, or of results to discard, are at work \
             in this folder; wait for them, or cancel them with: scancel {}",
            jobs.join(" ")
        ))
    }
}
