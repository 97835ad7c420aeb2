//! `--dump-queries`: every query of the term solver as a file.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::Mutex;
use wedge::InputError;
use wedge_smt::transcript::{self, Query};

/// Writes the queries of this process to `FOLDER/ENGINE-NUMBER.smt2`. Other processes may write
/// there at the same time.
pub fn queries(folder: &Path, engine: &str) -> Result<(), InputError> {
    let named = |error| InputError(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(named)?;
    let (folder, engine) = (folder.to_path_buf(), engine.to_string());
    let next = Mutex::new(0);
    transcript::observe(Box::new(move |query| {
        let mut next = next.lock().expect("no writer panics");
        if let Err(error) = write(&folder, &engine, &mut next, query) {
            eprintln!("wedge: {}: {error}", folder.display());
        }
    }));
    Ok(())
}

/// The first number that is free, from `next` on.
fn write(folder: &Path, engine: &str, next: &mut usize, query: &Query) -> std::io::Result<()> {
    loop {
        let path = folder.join(format!("{engine}-{next:06}.smt2"));
        *next += 1;
        match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(mut file) => return file.write_all(query.script.as_bytes()),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}
