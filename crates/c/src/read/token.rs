//! Tokens of a translation unit, with their text kept in one buffer.

use crate::source::Position;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An identifier or a keyword.
    Word,
    Number,
    String,
    Character,
    Punctuator,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Kind,
    /// The alignment limit in bytes set by `#pragma pack`; 0 where there is none.
    pub pack: u8,
    start: u32,
    end: u32,
    pub position: Position,
}

/// A sequence of tokens. Tokens may be copied, dropped, reordered and added; the text buffer only
/// grows.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    text: String,
    pub list: Vec<Token>,
}

impl Tokens {
    /// The text of a token of this buffer.
    pub fn text(&self, token: Token) -> &str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// The text of the `index`-th token; empty beyond the end.
    pub fn at(&self, index: usize) -> &str {
        self.list.get(index).map_or("", |&token| self.text(token))
    }

    /// Puts `text` into the buffer and makes a token of it, without adding it to the list.
    pub fn make(&mut self, kind: Kind, text: &str, pack: u8, position: Position) -> Token {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        Token { kind, pack, start, end: self.text.len() as u32, position }
    }

    /// A token with a new text that takes the place of `model`.
    pub fn replace(&mut self, model: Token, text: &str) -> Token {
        let kind = match text.as_bytes().first() {
            Some(b'_' | b'a'..=b'z' | b'A'..=b'Z') => Kind::Word,
            Some(b'0'..=b'9') => Kind::Number,
            Some(b'"') => Kind::String,
            _ => Kind::Punctuator,
        };
        self.make(kind, text, model.pack, model.position)
    }

    /// The index of the bracket that closes the one at `open`, if there is one.
    pub fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (index, &token) in self.list.iter().enumerate().skip(open) {
            if token.kind != Kind::Punctuator {
                continue;
            }
            match self.text(token) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(index);
                    }
                }
                _ => {}
            }
        }
        None
    }
}
