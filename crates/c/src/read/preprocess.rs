//! The system's preprocessor, for files that ask for it.
//!
//! The programs of the verification suites are preprocessed already; for those no other program is
//! started. A file with `#include`, `#define` and the like, or one that uses predefined macros, is
//! sent through `cc -E` for the chosen data model.

use super::directive;
use crate::error::{Cause, Error};
use crate::types::DataModel;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Whether `bytes` contain a directive, or use a predefined macro, that must be expanded.
pub fn is_needed(bytes: &[u8]) -> bool {
    let mut scanner = Scanner { bytes, at: 0 };
    let mut line_begins = true;
    while let Some(&byte) = bytes.get(scanner.at) {
        match byte {
            b'#' if line_begins && directive::needs_preprocessor(&scanner.line()) => return true,
            b'"' | b'\'' => scanner.skip_literal(byte),
            b'/' => scanner.skip_comment(),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                if is_predefined_macro(scanner.word()) {
                    return true;
                }
            }
            _ => scanner.at += 1,
        }
        line_begins = byte == b'\n' || line_begins && matches!(byte, b' ' | b'\t' | b'/');
    }
    false
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    /// The rest of the line after the `#` here.
    fn line(&mut self) -> String {
        self.at += 1;
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        self.at += end;
        String::from_utf8_lossy(&rest[..end]).into_owned()
    }

    /// Skips a literal, which ends at its line's end at the latest.
    fn skip_literal(&mut self, quote: u8) {
        self.at += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => return,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
            if byte == quote {
                return;
            }
        }
    }

    fn skip_comment(&mut self) {
        let rest = &self.bytes[self.at..];
        let length = if rest.starts_with(b"//") {
            rest.iter().position(|&b| b == b'\n')
        } else if rest.starts_with(b"/*") {
            rest[2..].windows(2).position(|pair| pair == b"*/").map(|end| end + 4)
        } else {
            Some(1)
        };
        self.at += length.unwrap_or(rest.len());
    }

    fn word(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let length = rest.iter().position(|b| !is_word(b)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }
}

/// `__LINE__`, `__INT_MAX__`, `__SIZE_TYPE__` and their like.
fn is_predefined_macro(word: &[u8]) -> bool {
    let inner = word.strip_prefix(b"__").and_then(|w| w.strip_suffix(b"__"));
    inner.is_some_and(|inner| {
        inner.iter().all(|&b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
            && inner.first().is_some_and(u8::is_ascii_uppercase)
            && inner != b"FUNCTION"
            && inner != b"PRETTY_FUNCTION"
    })
}

/// The output of `cc -E` for the file.
pub fn run(path: &Path, model: DataModel) -> Result<Vec<u8>, Error> {
    let mut output = command(path, model, &[])?;
    if !output.status.success() && model == DataModel::Ilp32 {
        output = with_borrowed_headers(path, model)?.unwrap_or(output);
    }
    if output.status.success() { Ok(output.stdout) } else { Err(failure(path, &output.stderr)) }
}

fn command(path: &Path, model: DataModel, extra: &[String]) -> Result<Output, Error> {
    let width = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let mut command = Command::new("cc");
    // Without the macros of <ctype.h>, which read tables of the C library, its functions are called.
    command
        .args(["-E", "-w", "-x", "c", "-D__NO_CTYPE", width])
        .args(extra)
        .arg(unlike_option(path));
    command.output().map_err(|why| {
        let what = format!("needs preprocessing, but `cc` cannot be run: {why}");
        Error::whole_file(path.display(), Cause::Preprocessor(what))
    })
}

/// A path that begins with a dash would be taken for an option.
fn unlike_option(path: &Path) -> PathBuf {
    let dashed = path.to_string_lossy().starts_with('-');
    if dashed { Path::new(".").join(path) } else { path.to_path_buf() }
}

/// A 64-bit system often lacks the few headers that differ for 32 bits. The C library's headers
/// choose by the compiler's macros, so its own directory serves as well, except for one generated
/// list of unimplemented functions, which may be empty.
fn with_borrowed_headers(path: &Path, model: DataModel) -> Result<Option<Output>, Error> {
    let multiarch = Command::new("cc").arg("-print-multiarch").output().ok();
    let name = multiarch.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    let Some(name) = name.filter(|name| !name.is_empty()) else { return Ok(None) };
    let Some(stubs) = Stubs::create() else { return Ok(None) };
    let extra = [
        format!("-I{}", stubs.directory.display()),
        "-idirafter".to_string(),
        format!("/usr/include/{name}"),
    ];
    command(path, model, &extra).map(Some)
}

/// A temporary directory with an empty `gnu/stubs-32.h`.
struct Stubs {
    directory: PathBuf,
}

impl Stubs {
    fn create() -> Option<Stubs> {
        use std::sync::atomic::{AtomicU32, Ordering};
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("wedge-headers-{}-{count}", std::process::id());
        let stubs = Stubs { directory: std::env::temp_dir().join(name) };
        std::fs::create_dir_all(stubs.directory.join("gnu")).ok()?;
        std::fs::write(stubs.directory.join("gnu/stubs-32.h"), "").ok()?;
        Some(stubs)
    }
}

impl Drop for Stubs {
    fn drop(&mut self) {
        // Nothing depends on the directory being gone.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// The first error among the preprocessor's messages, at the place it names.
fn failure(path: &Path, stderr: &[u8]) -> Error {
    let text = String::from_utf8_lossy(stderr);
    let located = text.lines().find_map(located_error);
    located.unwrap_or_else(|| {
        let first = text.lines().next().unwrap_or("no message");
        let what = format!("the preprocessor failed: {first}");
        Error::whole_file(path.display(), Cause::Preprocessor(what))
    })
}

/// `file:line:column: error: message`
fn located_error(line: &str) -> Option<Error> {
    let (place, message) =
        line.split_once(": fatal error: ").or_else(|| line.split_once(": error: "))?;
    let (place, column) = place.rsplit_once(':')?;
    let (file, line) = place.rsplit_once(':')?;
    Some(Error {
        file: file.to_string(),
        line: line.parse().ok()?,
        column: column.parse().ok()?,
        cause: Cause::Preprocessor(message.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_real_directives_count() {
        assert!(is_needed(b"int x;\n  # include <a.h>\n"));
        assert!(is_needed(b"int x = __INT_MAX__;"));
        for plain in ["# 1 \"a.c\"\nint x;", "#pragma pack(1)", "/*\n#include\n*/ //\n", "__func__"]
        {
            assert!(!is_needed(plain.as_bytes()), "{plain}");
        }
        assert!(!is_needed(b"char *s = \"#define\\\"\"; char c = '"));
        assert!(!is_needed(b"__FUNCTION__ \"__LINE__\""));
    }

    #[test]
    fn messages_keep_their_place() {
        let error = failure(Path::new("a.c"), b"a.c:3:10: fatal error: x.h: No such file\n");
        assert_eq!(error.to_string(), "a.c:3:10: x.h: No such file");
        let error = failure(Path::new("a.c"), b"cc: fatal\n");
        assert_eq!(error.to_string(), "a.c: the preprocessor failed: cc: fatal");
    }
}
