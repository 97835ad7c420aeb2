//! Gets the bytes of a file, but no more than it deserves: a path may name an endless device.

use super::error::AigerError;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Enough to recognise a format and to show in a message what stands there instead.
const START: u64 = 64;

/// Larger files are refused: their literals would not fit.
const MAX_BYTES: u64 = 1 << 32;

/// The contents of a file, or just its start unless that is `promising`.
pub(super) fn read_bytes(
    path: &Path,
    promising: impl Fn(&[u8]) -> bool,
) -> Result<Vec<u8>, AigerError> {
    let read = || {
        let mut file = File::open(path)?.take(START);
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if promising(&bytes) {
            file.set_limit(MAX_BYTES);
            file.read_to_end(&mut bytes)?;
        }
        match bytes.len() as u64 > MAX_BYTES {
            true => Err(io::Error::other("files of more than 4 GB are not supported")),
            false => Ok(bytes),
        }
    };
    read().map_err(|error: io::Error| AigerError::unreadable(&path.display().to_string(), &error))
}
