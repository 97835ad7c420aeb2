//! Splits a preprocessed file into tokens.
//!
//! Comments, spliced lines and line markers end here; literals get their canonical spelling and
//! digraphs their usual one. Every token knows its position and the `#pragma pack` in force.

use super::cursor::Cursor;
use super::directive::{self, Directive, PackStack};
use super::literal::{self, Encoding};
use super::token::{Kind, Tokens};
use crate::error::Fault;
use crate::source::{FileId, Files, Position};

/// The punctuators of more than one character, longest first.
const PUNCTUATORS: &[&str] = &[
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=",
    "/=", "%=", "+=", "-=", "&=", "^=", "|=", "<:", ":>", "<%", "%>",
];

/// The tokens of `bytes`, the contents of `file`.
pub fn tokens(bytes: &[u8], file: FileId, files: &mut Files) -> Result<Tokens, Fault> {
    let mut lexer = Lexer {
        cursor: Cursor::new(bytes, file),
        files,
        packs: PackStack::default(),
        tokens: Tokens::default(),
        line_begins: true,
    };
    while lexer.advance()? {}
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    cursor: Cursor<'a>,
    files: &'a mut Files,
    packs: PackStack,
    tokens: Tokens,
    /// No token has been seen on this line, so a `#` begins a directive.
    line_begins: bool,
}

impl Lexer<'_> {
    /// Reads one token, or some white space. Returns whether there may be more.
    fn advance(&mut self) -> Result<bool, Fault> {
        let Some(byte) = self.cursor.peek() else { return Ok(false) };
        match byte {
            b'\n' => {
                self.cursor.bump();
                self.line_begins = true;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                self.cursor.bump();
            }
            b'/' if self.cursor.peek_at(1) == Some(b'/') => {
                self.cursor.rest_of_line();
            }
            b'/' if self.cursor.peek_at(1) == Some(b'*') => self.comment()?,
            b'#' if self.line_begins => self.directive()?,
            _ => self.token(byte)?,
        }
        Ok(true)
    }

    fn comment(&mut self) -> Result<(), Fault> {
        let position = self.cursor.position();
        self.cursor.bump();
        self.cursor.bump();
        loop {
            match self.cursor.bump() {
                Some(b'*') if self.cursor.bump_if(b'/') => return Ok(()),
                Some(_) => {}
                None => return Err(Fault::syntax(position, "unterminated comment")),
            }
        }
    }

    fn directive(&mut self) -> Result<(), Fault> {
        let position = self.cursor.position();
        self.cursor.bump();
        let line = self.cursor.rest_of_line();
        match directive::read(&line) {
            Directive::Ignored => Ok(()),
            Directive::Refused(name) => {
                Err(Fault::unsupported(position, format!("`#pragma {name}`")))
            }
            Directive::Pack(arguments) => self.packs.apply(&arguments, position),
            Directive::Line(line, file) => {
                let file = file.map(|name| self.files.intern(&name));
                self.cursor.presume(line, file);
                Ok(())
            }
            Directive::Preprocess(name) => {
                Err(Fault::syntax(position, format!("unexpected directive `#{name}`")))
            }
        }
    }

    fn token(&mut self, byte: u8) -> Result<(), Fault> {
        self.line_begins = false;
        let position = self.cursor.position();
        match byte {
            b'0'..=b'9' => self.number(position),
            b'.' if self.cursor.peek_at(1).is_some_and(|b| b.is_ascii_digit()) => {
                self.number(position)
            }
            b'"' | b'\'' => return self.literal("", position),
            _ if is_word_byte(byte) => return self.word(position),
            _ => return self.punctuator(position),
        }
        Ok(())
    }

    fn push(&mut self, kind: Kind, text: &str, position: Position) {
        let token = self.tokens.make(kind, text, self.packs.current(), position);
        self.tokens.list.push(token);
    }

    /// A preprocessing number (C11 6.4.8): more than what is a valid constant.
    fn number(&mut self, position: Position) {
        let mut text = String::new();
        while let Some(byte) = self.cursor.peek() {
            let exponent = matches!(text.as_bytes().last(), Some(b'e' | b'E' | b'p' | b'P'));
            let sign = exponent && matches!(byte, b'+' | b'-') && !is_hexadecimal_e(&text);
            if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || sign) {
                break;
            }
            text.push(byte as char);
            self.cursor.bump();
        }
        self.push(Kind::Number, &text, position);
    }

    fn word(&mut self, position: Position) -> Result<(), Fault> {
        let mut bytes = Vec::new();
        while let Some(byte) = self.cursor.peek().filter(|&b| is_word_byte(b)) {
            bytes.push(byte);
            self.cursor.bump();
        }
        let text = ascii_word(&bytes);
        if matches!(self.cursor.peek(), Some(b'"' | b'\'')) && Encoding::of_prefix(&text).is_some()
        {
            return self.literal(&text, position);
        }
        self.push(Kind::Word, &text, position);
        Ok(())
    }

    fn literal(&mut self, prefix: &str, position: Position) -> Result<(), Fault> {
        let quote = self.cursor.bump().unwrap_or(b'"');
        let body = self.literal_body(quote, position)?;
        let encoding = Encoding::of_prefix(prefix).unwrap_or(Encoding::Narrow);
        let units =
            literal::units(&body, encoding).map_err(|what| Fault::syntax(position, what))?;
        if quote == b'"' {
            let text = literal::spell(&units, encoding, '"');
            self.push(Kind::String, &text, position);
            return Ok(());
        }
        // gcc takes the last character of a wide constant with several.
        let units = match units[..] {
            [] => return Err(Fault::syntax(position, "empty character constant")),
            [.., last] if encoding != Encoding::Narrow => vec![last],
            _ => units,
        };
        let text = literal::spell(&units, encoding, '\'');
        self.push(Kind::Character, &text, position);
        Ok(())
    }

    fn literal_body(&mut self, quote: u8, position: Position) -> Result<Vec<u8>, Fault> {
        let mut body = Vec::new();
        loop {
            match self.cursor.bump() {
                Some(byte) if byte == quote => return Ok(body),
                None | Some(b'\n') => {
                    let what = format!("missing terminating `{}`", quote as char);
                    return Err(Fault::syntax(position, what));
                }
                Some(b'\\') => {
                    body.push(b'\\');
                    body.extend(self.cursor.bump());
                }
                Some(byte) => body.push(byte),
            }
        }
    }

    fn punctuator(&mut self, position: Position) -> Result<(), Fault> {
        if let Some(long) = PUNCTUATORS.iter().find(|long| self.cursor.looking_at(long)) {
            for _ in 0..long.len() {
                self.cursor.bump();
            }
            self.push(Kind::Punctuator, without_digraph(long), position);
            return Ok(());
        }
        match self.cursor.bump() {
            Some(byte) if b"[](){}.&*+-~!/%<>^|?:;=,".contains(&byte) => {
                self.push(Kind::Punctuator, (byte as char).encode_utf8(&mut [0; 4]), position);
                Ok(())
            }
            other => {
                let stray = other.unwrap_or(0).escape_ascii().to_string();
                Err(Fault::syntax(position, format!("stray `{stray}`")))
            }
        }
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 128
}

/// In `0x1e+2` the `e` is a digit and the plus an operator of its own, unlike in `1e+2`.
fn is_hexadecimal_e(text: &str) -> bool {
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    hexadecimal && text.ends_with(['e', 'E'])
}

/// The grammar knows plain identifiers only; other characters are spelled by their codes.
fn ascii_word(bytes: &[u8]) -> String {
    let mut word = String::with_capacity(bytes.len());
    for character in String::from_utf8_lossy(bytes).chars() {
        match character {
            '$' => word.push_str("_u24_"),
            c if c.is_ascii() => word.push(c),
            c => word.push_str(&format!("_u{:x}_", c as u32)),
        }
    }
    word
}

fn without_digraph(punctuator: &str) -> &str {
    match punctuator {
        "<:" => "[",
        ":>" => "]",
        "<%" => "{",
        "%>" => "}",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lex(source: &str) -> Result<Tokens, Fault> {
        let mut files = Files::default();
        let file = files.intern("t.c");
        tokens(source.as_bytes(), file, &mut files)
    }

    fn texts(source: &str) -> Vec<String> {
        let tokens = lex(source).unwrap();
        tokens.list.iter().map(|&t| tokens.text(t).to_string()).collect()
    }

    #[test]
    fn maximal_munch() {
        assert_eq!(texts("a+++b"), ["a", "++", "+", "b"]);
        assert_eq!(texts("x>>=1...2"), ["x", ">>=", "1...2"]);
        assert_eq!(texts("0x1e+2 1e+2 .5f"), ["0x1e", "+", "2", "1e+2", ".5f"]);
        assert_eq!(texts("a<:1:>"), ["a", "[", "1", "]"]);
    }

    #[test]
    fn comments_splices_and_literals() {
        assert_eq!(texts("a/*b*/c//d\ne"), ["a", "c", "e"]);
        assert_eq!(texts("in\\\nt L\"x\" u8\"y\" '\\n'"), ["int", "L\"x\"", "\"y\"", "'\\012'"]);
    }

    #[test]
    fn markers_and_packs() {
        let tokens = lex("a\n# 40 \"h.h\" 1\nb\n#pragma pack(1)\nc").unwrap();
        let lines: Vec<_> =
            tokens.list.iter().map(|t| (t.position.line, t.position.physical_line)).collect();
        assert_eq!(lines, [(1, 1), (40, 3), (42, 5)]);
        assert_eq!(tokens.list[1].pack, 0);
        assert_eq!(tokens.list[2].pack, 1);
    }

    #[test]
    fn errors_have_places() {
        for (source, line, column) in
            [("a\n  \"x", 2, 3), ("a /* b", 1, 3), ("@", 1, 1), ("''", 1, 1), ("\n#define x", 2, 1)]
        {
            let fault = lex(source).unwrap_err();
            assert_eq!((fault.position.line, fault.position.column), (line, column), "{source}");
        }
    }
}
