//! Lines cut into words.

use super::error::Fault;
use std::borrow::Cow;

/// The words of one line, up to its comment.
pub(super) struct Words<'a> {
    rest: &'a [u8],
}

/// The longest piece of a file that a message quotes.
const QUOTE: usize = 40;

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// A word as it appears in messages.
pub(super) fn quote(word: &[u8]) -> String {
    let shown = String::from_utf8_lossy(&word[..word.len().min(QUOTE)]);
    let dots = if word.len() > QUOTE { "..." } else { "" };
    format!("'{}{dots}'", shown.escape_debug())
}

impl<'a> Words<'a> {
    pub fn new(line: &'a [u8]) -> Words<'a> {
        Words { rest: line }
    }

    /// The next word; a word that starts with a semicolon starts a comment and ends the line.
    pub fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.rest.iter().position(|&b| !is_space(b)).unwrap_or(self.rest.len());
        let rest = &self.rest[start..];
        if rest.is_empty() || rest[0] == b';' {
            self.rest = &[];
            return None;
        }
        let end = rest.iter().position(|&b| is_space(b)).unwrap_or(rest.len());
        self.rest = &rest[end..];
        Some(&rest[..end])
    }

    /// The next word; `what` says in messages what it should have been.
    pub fn word(&mut self, what: &str) -> Result<&'a [u8], Fault> {
        self.next().ok_or_else(|| Fault::malformed(format!("{what} is missing")))
    }

    /// The next word as text, which it must be.
    pub fn text(&mut self, what: &str) -> Result<&'a str, Fault> {
        let word = self.word(what)?;
        std::str::from_utf8(word)
            .map_err(|_| Fault::malformed(format!("{} is no {what}", quote(word))))
    }

    /// The next word as a number without sign.
    pub fn number(&mut self, what: &str) -> Result<u64, Fault> {
        let word = self.word(what)?;
        number(word).ok_or_else(|| Fault::malformed(format!("{} is no {what}", quote(word))))
    }

    /// The next word as a number without sign that fits into 32 bits.
    pub fn small(&mut self, what: &str) -> Result<u32, Fault> {
        let number = self.number(what)?;
        let large = || Fault::malformed(format!("{what} {number} is too large"));
        u32::try_from(number).map_err(|_| large())
    }

    /// A number, and whether a minus sign stands before it.
    pub fn signed(&mut self, what: &str) -> Result<(u64, bool), Fault> {
        let word = self.word(what)?;
        let (digits, negative) = match word.strip_prefix(b"-") {
            Some(digits) => (digits, true),
            None => (word, false),
        };
        match number(digits) {
            Some(number) => Ok((number, negative)),
            None => Err(Fault::malformed(format!("{} is no {what}", quote(word)))),
        }
    }

    /// The symbol at the end of the line, if there is one.
    pub fn symbol(&mut self) -> Result<Option<Cow<'a, str>>, Fault> {
        let symbol = self.next().map(String::from_utf8_lossy);
        self.end()?;
        Ok(symbol)
    }

    /// Nothing but a comment may follow.
    pub fn end(&mut self) -> Result<(), Fault> {
        match self.next() {
            Some(word) => Err(Fault::malformed(format!("unexpected {}", quote(word)))),
            None => Ok(()),
        }
    }
}

/// A decimal number that fits into 63 bits.
fn number(word: &[u8]) -> Option<u64> {
    if word.is_empty() {
        return None;
    }
    let mut value = 0u64;
    for &byte in word {
        let digit = byte.checked_sub(b'0').filter(|&d| d < 10)?;
        value = value.checked_mul(10)?.checked_add(digit as u64)?;
    }
    (value <= i64::MAX as u64).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_the_comment() {
        let mut words = Words::new(b"  12 and\t3 -4 a;b ; the rest\r");
        assert_eq!(words.number("id"), Ok(12));
        assert_eq!(words.text("operator"), Ok("and"));
        assert_eq!(words.signed("operand"), Ok((3, false)));
        assert_eq!(words.signed("operand"), Ok((4, true)));
        assert_eq!(words.symbol(), Ok(Some("a;b".into())));
        assert_eq!(words.next(), None);
    }

    #[test]
    fn wrong_words_are_named() {
        let cause = |line: &'static [u8]| match Words::new(line).small("width") {
            Ok(value) => value.to_string(),
            Err(fault) => fault.cause,
        };
        assert_eq!(cause(b"17"), "17");
        assert_eq!(cause(b""), "width is missing");
        assert_eq!(cause(b"; 17"), "width is missing");
        assert_eq!(cause(b"-1"), "'-1' is no width");
        assert_eq!(cause(b"4294967296"), "width 4294967296 is too large");
        assert_eq!(cause(b"99999999999999999999"), "'99999999999999999999' is no width");
        assert_eq!(cause(b"\xff"), "'\u{fffd}' is no width");
        let mut words = Words::new(b"a b");
        assert_eq!(words.symbol().map_err(|f| f.cause), Err("unexpected 'b'".into()));
    }
}
