//! Programs, their witnesses, and what `certify` says about those.

use super::{Run, run};
use std::path::Path;

/// A file in a folder; returns its path.
pub fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name).display().to_string();
    std::fs::write(&path, text).unwrap();
    path
}

pub fn certify(file: &str, witness: &str) -> Run {
    run(&["certify", "--timeout", "60s", file, witness])
}

/// A witness of a program that was decided, and what was said beside it.
pub struct Written {
    pub text: String,
    pub path: String,
    pub said: String,
}

/// Has a program decided, with a witness of this name.
pub fn witness(folder: &Path, file: &str, name: &str, more: &[&str], verdict: &str) -> Written {
    let path = folder.join(name).display().to_string();
    let options = ["check", "--timeout", "60s", "--witness", &path, file];
    let checked = run(&[&options[..], more].concat());
    assert_eq!(checked.verdict(), verdict, "{}", checked.stderr);
    Written { text: std::fs::read_to_string(&path).unwrap(), path, said: checked.stderr }
}

/// The hash in a witness.
pub fn sha256(witness: &str) -> String {
    let words = witness.split(|c: char| !c.is_ascii_hexdigit());
    words.map(str::to_string).find(|word| word.len() == 64).unwrap()
}
