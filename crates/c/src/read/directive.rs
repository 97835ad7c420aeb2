//! Directives that remain after preprocessing: line markers and `#pragma pack`.

use crate::error::Fault;
use crate::source::Position;

/// What a line that begins with `#` means to the lexer.
#[derive(Debug, PartialEq, Eq)]
pub enum Directive {
    /// The next line is presumed to be this line of this file (the current one if `None`).
    Line(u32, Option<String>),
    /// `#pragma pack`, with the text in its parentheses.
    Pack(String),
    /// A pragma that changes the meaning of a program and is not modelled.
    Refused(String),
    /// Another pragma, or a directive without meaning for the program.
    Ignored,
    /// A directive that only a preprocessor can carry out.
    Preprocess(String),
}

/// Reads the part of a directive line that follows the `#`.
pub fn read(line: &str) -> Directive {
    let line = line.trim();
    let length = line.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(line.len());
    let (word, rest) = line.split_at(length);
    match word {
        "" | "ident" | "sccs" | "assert" | "unassert" => Directive::Ignored,
        "line" => line_marker(rest.trim()).unwrap_or(Directive::Preprocess(word.into())),
        "pragma" => pragma(rest.trim()),
        _ if word.starts_with(|c: char| c.is_ascii_digit()) => {
            line_marker(line).unwrap_or(Directive::Ignored)
        }
        _ => Directive::Preprocess(word.to_string()),
    }
}

/// Whether a directive of this name asks for a preprocessor.
pub fn needs_preprocessor(line: &str) -> bool {
    matches!(read(line), Directive::Preprocess(_))
}

/// `12 "file.c" 1 3` (gcc's cpp manual, section Preprocessor Output).
fn line_marker(text: &str) -> Option<Directive> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let line: u32 = text[..digits].parse().ok()?;
    let rest = text[digits..].trim_start();
    let file = rest.strip_prefix('"').map(unquote);
    Some(Directive::Line(line, file))
}

/// The text up to the closing quote, with `\"` and `\\` resolved.
fn unquote(text: &str) -> String {
    let mut name = String::new();
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => break,
            '\\' => name.extend(characters.next()),
            other => name.push(other),
        }
    }
    name
}

/// Pragmas that give names another meaning, or records another layout.
const REFUSED: &[&str] = &["weak", "redefine_extname", "scalar_storage_order", "ms_struct"];

fn pragma(text: &str) -> Directive {
    let inner = text.strip_prefix("pack").map(str::trim_start);
    let inner = inner.and_then(|rest| rest.strip_prefix('('));
    if let Some((arguments, _)) = inner.and_then(|rest| rest.split_once(')')) {
        return Directive::Pack(arguments.to_string());
    }
    let word = text.split_whitespace().next().unwrap_or_default();
    match REFUSED.contains(&word) {
        true => Directive::Refused(word.to_string()),
        false => Directive::Ignored,
    }
}

/// The state of `#pragma pack` (gcc manual, section Structure-Layout Pragmas).
#[derive(Default)]
pub struct PackStack {
    current: u8,
    saved: Vec<(Option<String>, u8)>,
}

impl PackStack {
    /// The alignment limit in bytes, 0 if there is none.
    pub fn current(&self) -> u8 {
        self.current
    }

    pub fn apply(&mut self, arguments: &str, position: Position) -> Result<(), Fault> {
        let words: Vec<&str> = arguments.split(',').map(str::trim).collect();
        match words[..] {
            [""] => self.current = 0,
            ["pop", ..] => self.pop(&words[1..], position)?,
            ["push", ..] => self.push(&words[1..], position)?,
            [limit] => self.current = alignment(limit, position)?,
            _ => return Err(malformed(position)),
        }
        Ok(())
    }

    fn push(&mut self, words: &[&str], position: Position) -> Result<(), Fault> {
        let name = words.iter().find(|w| is_name(w)).map(|w| w.to_string());
        self.saved.push((name, self.current));
        if let Some(limit) = words.iter().find(|w| !is_name(w)) {
            self.current = alignment(limit, position)?;
        }
        Ok(())
    }

    fn pop(&mut self, words: &[&str], position: Position) -> Result<(), Fault> {
        let name = words.iter().find(|w| is_name(w)).map(|w| w.to_string());
        while let Some((saved, limit)) = self.saved.pop() {
            self.current = limit;
            if name.is_none() || saved == name {
                break;
            }
        }
        if let Some(limit) = words.iter().find(|w| !is_name(w)) {
            self.current = alignment(limit, position)?;
        }
        Ok(())
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn alignment(word: &str, position: Position) -> Result<u8, Fault> {
    match word.parse() {
        Ok(limit @ (0 | 1 | 2 | 4 | 8 | 16)) => Ok(limit),
        _ => Err(malformed(position)),
    }
}

fn malformed(position: Position) -> Fault {
    Fault::invalid(position, "malformed `#pragma pack`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_and_pragmas() {
        assert_eq!(read(" 12 \"a\\\"b.h\" 1 3"), Directive::Line(12, Some("a\"b.h".into())));
        assert_eq!(read("line 7"), Directive::Line(7, None));
        assert_eq!(read("pragma pack(push, 4)"), Directive::Pack("push, 4".into()));
        assert_eq!(read("pragma once"), Directive::Ignored);
        assert_eq!(read(""), Directive::Ignored);
        assert_eq!(read("include <stdio.h>"), Directive::Preprocess("include".into()));
    }

    #[test]
    fn packing_is_a_stack() {
        let at = Position::default();
        let mut stack = PackStack::default();
        for (arguments, expected) in
            [("push, 1", 1), ("push,name,4", 4), ("2", 2), ("push", 2), ("pop,name", 1), ("pop", 0)]
        {
            stack.apply(arguments, at).unwrap();
            assert_eq!(stack.current(), expected, "{arguments}");
        }
        assert!(stack.apply("3", at).is_err());
    }
}
