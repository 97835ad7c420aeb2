//! The text of the input files, for witnesses and traces: lines, hashes, and what stands where.

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use wedge_c::source::{Files, Position};

/// An input file as it was handed in.
#[derive(Clone, Debug)]
pub struct Source {
    pub path: PathBuf,
    text: Vec<u8>,
    /// Where each line begins.
    lines: Vec<usize>,
    /// What was read is the output of the preprocessor, which names lines of this text.
    is_preprocessed: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub files: Vec<Source>,
}

impl Source {
    pub fn new(path: &Path, text: Vec<u8>) -> Source {
        let newlines = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let lines = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
        let is_preprocessed = wedge_c::needs_preprocessor(&text);
        Source { path: path.to_path_buf(), text, lines, is_preprocessed }
    }

    /// The line of this text that a position is in.
    pub fn row(&self, position: Position) -> u32 {
        if self.is_preprocessed { position.line } else { position.physical_line }
    }

    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// SHA-256 in hexadecimal digits.
    pub fn hash(&self) -> String {
        Sha256::digest(&self.text).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// A line, counted from 1, without the spaces around it.
    pub fn line(&self, number: u32) -> Option<String> {
        let begin = *self.lines.get((number as usize).checked_sub(1)?)?;
        let end = self.lines.get(number as usize).copied().unwrap_or(self.text.len());
        Some(String::from_utf8_lossy(&self.text[begin..end]).trim().to_string())
    }

    /// The offset of a line and column.
    pub fn offset(&self, position: Position) -> Option<usize> {
        let begin = *self.lines.get((self.row(position) as usize).checked_sub(1)?)?;
        let offset = begin + (position.column as usize).checked_sub(1)?;
        (offset < self.text.len()).then_some(offset)
    }

    /// Line and column, counted from 1, of an offset.
    fn place(&self, offset: usize) -> (u32, u32) {
        let line = self.lines.partition_point(|&begin| begin <= offset);
        let begin = self.lines[line.saturating_sub(1)];
        (line as u32, (offset - begin) as u32 + 1)
    }

    /// Whether this word stands at a position.
    pub fn has_word(&self, position: Position, word: &str) -> bool {
        let Some(offset) = self.offset(position) else { return false };
        let rest = &self.text[offset..];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        rest.starts_with(word.as_bytes()) && !rest.get(word.len()).is_some_and(is_part)
    }

    /// Line and column of the parenthesis that closes the arguments of the call of `name` at a
    /// position; `None` if the text does not read like that.
    pub fn call_end(&self, position: Position, name: &str) -> Option<(u32, u32)> {
        if !self.has_word(position, name) {
            return None;
        }
        let begin = self.offset(position)? + name.len();
        let close = matching(&self.text, begin)?;
        Some(self.place(close))
    }

    /// The name at a position, if it is all of an operand: no call, and no part of something.
    pub fn variable(&self, position: Position) -> Option<String> {
        let offset = self.offset(position)?;
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let name: Vec<u8> = self.text[offset..].iter().take_while(is_part).copied().collect();
        let rest = self.text[offset + name.len()..].trim_ascii_start();
        let goes_on = rest.starts_with(b"->") || rest.first().is_some_and(|b| b"([.".contains(b));
        let is_name = name.first().is_some_and(|first| !first.is_ascii_digit());
        (is_name && !goes_on).then(|| String::from_utf8_lossy(&name).into_owned())
    }

    /// Line and column where the statement begins that a position is in, as far as the text tells:
    /// after the last semicolon or brace. None in the head of a `for`, and after a label.
    pub fn statement_start(&self, position: Position) -> Option<(u32, u32)> {
        let offset = self.offset(position)?;
        let before = &self.text[..offset];
        let end = before.iter().rposition(|byte| matches!(byte, b';' | b'{' | b'}'))? + 1;
        let blank = |byte: &u8| byte.is_ascii_whitespace();
        let begin =
            end + before[end..].iter().position(|byte| !blank(byte)).unwrap_or(offset - end);
        let text = &before[begin..];
        let is_odd = |byte: &u8| matches!(byte, b'#' | b':' | b'"' | b'\'' | b'/');
        let is_nested = text.iter().filter(|&&byte| byte == b'(').count()
            < text.iter().filter(|&&byte| byte == b')').count();
        let is_for = text.windows(3).any(|word| word == b"for");
        (!text.iter().any(is_odd) && !is_nested && !is_for).then(|| self.place(begin))
    }

    /// For a branch on the condition at a position: line and column of the `if` or `while` that it
    /// decides, and whether what stands between the parentheses is its negation. None if the
    /// condition may be decided in parts.
    pub fn branch_keyword(&self, position: Position) -> Option<(u32, u32, bool)> {
        let offset = self.offset(position)?;
        let mut before = self.text[..offset].trim_ascii_end();
        let mut is_negated = false;
        let (begin, open) = loop {
            if let Some(rest) = before.strip_suffix(b"!") {
                is_negated = !is_negated;
                before = rest.trim_ascii_end();
                continue;
            }
            let open = before.strip_suffix(b"(")?;
            let head = open.trim_ascii_end();
            match ["if", "while"].into_iter().find(|word| head.ends_with(word.as_bytes())) {
                Some(keyword) => break (head.len() - keyword.len(), open.len()),
                None => before = head,
            }
        };
        let close = matching(&self.text, open)?;
        let condition = &self.text[open..=close];
        if has_parts(condition) && may_have_effects(condition) {
            return None;
        }
        let joined = begin > 0 && {
            let byte = self.text[begin - 1];
            byte.is_ascii_alphanumeric() || byte == b'_'
        };
        // The `while` that ends a `do` looks the same and is another kind of place.
        let is_while = self.text[begin..].starts_with(b"while");
        let ends_do = is_while && self.text[..begin].trim_ascii_end().ends_with(b"}");
        let (line, column) = self.place(begin);
        (!joined && !ends_do).then_some((line, column, is_negated))
    }
}

/// Whether a condition has operators that may decide it before all of it is evaluated.
fn has_parts(condition: &[u8]) -> bool {
    let pairs = || condition.windows(2);
    pairs().any(|pair| pair == b"&&" || pair == b"||") || condition.contains(&b'?')
}

/// Whether evaluating a condition may do more than compute a value, as far as its text tells.
fn may_have_effects(condition: &[u8]) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut last = b' ';
    for (index, &byte) in condition.iter().enumerate() {
        let next = condition.get(index + 1).copied().unwrap_or(b' ');
        let is_assignment = byte == b'=' && next != b'=' && !b"=!<>".contains(&last);
        let is_step = (byte == b'+' || byte == b'-') && next == byte;
        if byte == b'(' && is_name(last) || is_assignment || is_step || byte == b'{' {
            return true;
        }
        if !byte.is_ascii_whitespace() {
            last = byte;
        }
    }
    false
}

/// The offset of the parenthesis that closes the first one at or after `begin`, which only
/// spaces may precede.
fn matching(text: &[u8], begin: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut quote = None;
    let mut escaped = false;
    for (index, &byte) in text.iter().enumerate().skip(begin) {
        match (quote, byte) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), b'\\') => escaped = true,
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') if depth > 0 => quote = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') if depth == 1 => return Some(index),
            (None, b')') if depth > 1 => depth -= 1,
            (None, _) if depth == 0 && !byte.is_ascii_whitespace() => return None,
            (None, _) => {}
        }
    }
    None
}

impl Sources {
    /// The input file that a position is in: the one that its presumed file names, else the only
    /// one there is.
    pub fn of(&self, files: &Files, position: Position) -> Option<&Source> {
        let name = Path::new(files.name(position.file));
        let named = self.files.iter().find(|source| source.path == name);
        match (&self.files[..], named) {
            (_, Some(source)) => Some(source),
            ([only], None) if !only.is_preprocessed => Some(only),
            _ => None,
        }
    }

    /// Which of the files a position is in, counted from 0, and in which line of it.
    pub fn input(&self, files: &Files, position: Position) -> Option<(usize, u32)> {
        let source = self.of(files, position)?;
        let index = self.files.iter().position(|file| std::ptr::eq(file, source))?;
        Some((index, source.row(position)))
    }

    /// The line of the source at a position.
    pub fn line(&self, files: &Files, position: Position) -> Option<String> {
        let source = self.of(files, position)?;
        source.line(source.row(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, column: u32) -> Position {
        Position { line, column, physical_line: line, ..Position::default() }
    }

    #[test]
    fn calls_end_at_their_parenthesis() {
        let text = b"int x = f(1,\n  \")\", (2));\nif (x > 1) x = 2;\nwhile (a && b) {}\n".to_vec();
        let source = Source::new(Path::new("a.c"), text);
        assert_eq!(source.call_end(at(1, 9), "f"), Some((2, 11)));
        assert_eq!(source.call_end(at(1, 9), "g"), None);
        assert_eq!(source.branch_keyword(at(3, 5)), Some((3, 1, false)));
        assert_eq!(source.branch_keyword(at(4, 8)), Some((4, 1, false)));
        assert_eq!(source.line(3).as_deref(), Some("if (x > 1) x = 2;"));
        assert_eq!(source.line(9), None);
    }

    #[test]
    fn decisions_belong_to_their_keyword() {
        let text = b"if (!(a && b)) {}\nif (f(a) && g(b)) {}\nif (!f(a)) {}\n\
                     do { } while (a);\nif (a && b++) {}\nif (a == b && b <= c) {}\n"
            .to_vec();
        let source = Source::new(Path::new("a.c"), text);
        assert_eq!(source.branch_keyword(at(1, 7)), Some((1, 1, true)));
        assert_eq!(source.branch_keyword(at(2, 5)), None);
        assert_eq!(source.branch_keyword(at(3, 6)), Some((3, 1, true)));
        assert_eq!(source.branch_keyword(at(4, 15)), None);
        assert_eq!(source.branch_keyword(at(5, 5)), None);
        assert_eq!(source.branch_keyword(at(6, 5)), Some((6, 1, false)));
    }

    #[test]
    fn hashes_are_hexadecimal() {
        let source = Source::new(Path::new("a"), b"abc".to_vec());
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(source.hash(), hash);
    }
}
