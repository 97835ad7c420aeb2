//! What can go wrong outside of the runs themselves.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{}: {cause}", path.display())]
    Suite { path: PathBuf, cause: String },
    #[error("{}:{line}: {cause}", path.display())]
    Line { path: PathBuf, line: usize, cause: String },
    #[error("{}: {cause}; give another --out, or --fresh to discard these results", path.display())]
    Mismatch { path: PathBuf, cause: String },
    #[error("{0}")]
    Selection(String),
    #[error("Slurm: {0}")]
    Slurm(String),
}

impl BenchError {
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> BenchError {
        let path = path.into();
        move |source| BenchError::Io { path, source }
    }
}
