//! A cursor over the bytes of a file: numbers, blanks and line ends.
//!
//! A number must be followed by a blank or a line end, and a line end is a newline, never the
//! end of the file: a file that was cut short in the middle of a number must not be read as
//! one with a smaller number.

use super::error::Fault;

pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    pos: usize,
}

impl<'a> Scanner<'a> {
    pub fn new(bytes: &'a [u8]) -> Scanner<'a> {
        Scanner { bytes, pos: 0 }
    }

    pub fn offset(&self) -> usize {
        self.pos
    }

    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.pos
    }

    pub fn at_end(&self) -> bool {
        self.pos == self.bytes.len()
    }

    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    pub fn next_byte(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.pos += 1;
        Some(byte)
    }

    /// Steps over `word` if it is next.
    pub fn accept(&mut self, word: &[u8]) -> bool {
        let found = self.bytes[self.pos..].starts_with(word);
        if found {
            self.pos += word.len();
        }
        found
    }

    /// A decimal number; `what` names it in the error.
    pub fn number(&mut self, what: &str) -> Result<u64, Fault> {
        let start = self.pos;
        let mut value = 0u64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let wider = value.checked_mul(10).and_then(|v| v.checked_add((digit - b'0') as u64));
            value =
                wider.ok_or_else(|| Fault::malformed(start, format!("{what} is out of range")))?;
            self.pos += 1;
        }
        if self.pos == start { Err(self.expected(what)) } else { Ok(value) }
    }

    /// Steps over blanks, at least one.
    pub fn blank(&mut self, then: &str) -> Result<(), Fault> {
        if !self.skip_blanks() {
            return Err(self.expected(&format!("a blank and {then}")));
        }
        Ok(())
    }

    /// Steps over blanks and tells whether there was one.
    pub fn skip_blanks(&mut self) -> bool {
        let start = self.pos;
        while let Some(b' ' | b'\t') = self.peek() {
            self.pos += 1;
        }
        self.pos > start
    }

    pub fn at_line_end(&self) -> bool {
        let rest = &self.bytes[self.pos..];
        rest.starts_with(b"\n") || rest.starts_with(b"\r\n")
    }

    /// Steps over the end of the line and the blanks before it.
    pub fn end_line(&mut self) -> Result<(), Fault> {
        self.skip_blanks();
        if self.accept(b"\n") || self.accept(b"\r\n") {
            return Ok(());
        }
        Err(self.expected("the end of the line"))
    }

    /// The text up to the end of the line, which is stepped over.
    pub fn rest_of_line(&mut self) -> Result<&'a [u8], Fault> {
        let rest = &self.bytes[self.pos..];
        let Some(length) = rest.iter().position(|&b| b == b'\n') else {
            let message = "the file ends in the middle of a line";
            return Err(Fault::malformed(self.bytes.len(), message));
        };
        self.pos += length + 1;
        Ok(rest[..length].strip_suffix(b"\r").unwrap_or(&rest[..length]))
    }

    /// Everything that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.pos..];
        self.pos = self.bytes.len();
        rest
    }

    /// The error that says what stands here instead of `what`.
    pub fn expected(&self, what: &str) -> Fault {
        let cause = match self.peek() {
            None => format!("expected {what}, but the file ends"),
            Some(b'\n' | b'\r') => format!("expected {what}, but the line ends"),
            Some(byte @ b' '..=b'~') => format!("expected {what}, found '{}'", byte as char),
            Some(byte) => format!("expected {what}, found byte 0x{byte:02x}"),
        };
        Fault::malformed(self.pos, cause)
    }
}
