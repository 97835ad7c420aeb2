//! Walks over the bytes of a file, counting lines and skipping spliced line ends.

use crate::source::{FileId, Position};

pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
    line_start: usize,
    /// The file and the difference between presumed and physical lines, from line markers.
    file: FileId,
    presumed: i64,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8], file: FileId) -> Cursor<'a> {
        let mut cursor = Cursor { bytes, at: 0, line: 1, line_start: 0, file, presumed: 0 };
        if bytes.starts_with(b"\xef\xbb\xbf") {
            (cursor.at, cursor.line_start) = (3, 3);
        }
        cursor.skip_splices();
        cursor
    }

    /// The current byte; `None` at the end of the file.
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The byte `ahead` places after the current one, spliced line ends not being skipped.
    pub fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Whether the bytes from here on begin with `prefix`.
    pub fn looking_at(&self, prefix: &str) -> bool {
        self.bytes[self.at..].starts_with(prefix.as_bytes())
    }

    pub fn bump(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        if byte == b'\n' {
            self.new_line();
        }
        self.skip_splices();
        Some(byte)
    }

    pub fn bump_if(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.bump();
        }
        found
    }

    fn new_line(&mut self) {
        self.line = self.line.saturating_add(1);
        self.line_start = self.at;
    }

    /// A backslash at the end of a line joins it with the next one (C11 5.1.1.2).
    fn skip_splices(&mut self) {
        while self.peek() == Some(b'\\') {
            let newline = match (self.peek_at(1), self.peek_at(2)) {
                (Some(b'\n'), _) => 2,
                (Some(b'\r'), Some(b'\n')) => 3,
                _ => return,
            };
            self.at += newline;
            self.new_line();
        }
    }

    pub fn position(&self) -> Position {
        let line = (self.line as i64 + self.presumed).clamp(0, u32::MAX as i64) as u32;
        let column = (self.at - self.line_start + 1) as u32;
        Position { file: self.file, line, column, physical_line: self.line }
    }

    /// The rest of the current line, which is consumed up to its end.
    pub fn rest_of_line(&mut self) -> String {
        let mut line = Vec::new();
        while let Some(byte) = self.peek().filter(|&b| b != b'\n') {
            line.push(byte);
            self.bump();
        }
        String::from_utf8_lossy(&line).into_owned()
    }

    /// A line marker: the next physical line is presumed to be `line` of `file`.
    pub fn presume(&mut self, line: u32, file: Option<FileId>) {
        self.presumed = line as i64 - (self.line as i64 + 1);
        self.file = file.unwrap_or(self.file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splices_vanish_and_lines_are_counted() {
        let mut cursor = Cursor::new(b"a\\\nb\nc", FileId::default());
        assert_eq!(cursor.bump(), Some(b'a'));
        assert_eq!(cursor.position().line, 2);
        assert_eq!(cursor.bump(), Some(b'b'));
        assert_eq!(cursor.bump(), Some(b'\n'));
        assert_eq!((cursor.position().line, cursor.position().column), (3, 1));
        cursor.presume(70, None);
        assert_eq!(cursor.bump(), Some(b'c'));
        assert_eq!(cursor.bump(), None);
    }
}
