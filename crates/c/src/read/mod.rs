//! From a file to a syntax tree.
//!
//! `preprocess` (only if needed), `lexer`, `rewrite`, `nesting`, and then the grammar of `lang-c`.
//! This module knows nothing of types.

mod cursor;
mod directive;
mod lexer;
pub mod literal;
mod nesting;
mod preprocess;
mod rewrite;
mod token;

pub use rewrite::{ELVIS, SYMBOL};

use crate::error::{Cause, Error, Fault, Warning};
use crate::source::{FileId, Files, Position, SourceMap};
use crate::types::DataModel;
use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, SyntaxError, parse_preprocessed};
use lang_c::span::Span;
use std::path::Path;
use token::Tokens;

/// A parsed file.
pub struct Unit {
    pub tree: TranslationUnit,
    map: SourceMap,
    /// Where `#pragma pack` changes, by offset.
    packs: Vec<(usize, u8)>,
    /// The file, and whether it was sent through the preprocessor.
    file: FileId,
    is_preprocessed: bool,
}

impl Unit {
    /// The line of the file that a position is in; none if it is in another file.
    pub fn row(&self, position: Position) -> Option<u32> {
        match self.is_preprocessed {
            true => (position.file == self.file).then_some(position.line),
            false => Some(position.physical_line),
        }
    }

    /// Where a node of the tree begins.
    pub fn position(&self, span: Span) -> Position {
        self.map.position(span.start)
    }

    /// Where a node of the tree ends: the position of its last token.
    pub fn end(&self, span: Span) -> Position {
        self.map.position(span.end.saturating_sub(1))
    }

    /// The `#pragma pack` in force at the end of a node, 0 if there is none.
    pub fn pack(&self, span: Span) -> u8 {
        let after = self.packs.partition_point(|&(offset, _)| offset < span.end);
        after.checked_sub(1).map_or(0, |last| self.packs[last].1)
    }
}

/// Whether a file is sent through the preprocessor before it is read.
pub fn needs_preprocessor(text: &[u8]) -> bool {
    preprocess::is_needed(text)
}

/// Reads and parses a file.
pub fn parse_file(
    path: &Path,
    model: DataModel,
    files: &mut Files,
    warnings: &mut Vec<Warning>,
) -> Result<Unit, Error> {
    let unreadable =
        |why: std::io::Error| Error::whole_file(path.display(), Cause::Unreadable(why.to_string()));
    let mut bytes = std::fs::read(path).map_err(unreadable)?;
    let is_preprocessed = preprocess::is_needed(&bytes);
    if is_preprocessed {
        bytes = preprocess::run(path, model)?;
    }
    let file = files.intern(&path.display().to_string());
    let unit = parse_bytes(&bytes, file, files, warnings).map_err(|fault| fault.named(files))?;
    Ok(Unit { is_preprocessed, ..unit })
}

/// Parses preprocessed text.
pub fn parse_bytes(
    bytes: &[u8],
    file: FileId,
    files: &mut Files,
    warnings: &mut Vec<Warning>,
) -> Result<Unit, Fault> {
    let too_large =
        || Fault::unsupported(Position { file, ..Position::default() }, "a file this large");
    if bytes.len() > u32::MAX as usize / 8 {
        return Err(too_large());
    }
    let tokens = lexer::tokens(bytes, file, files)?;
    let (tokens, found) = rewrite::rewrite(tokens)?;
    nesting::check(&tokens)?;
    warnings.extend(found);
    let (text, map, packs) = assemble(&tokens);
    let config =
        Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    match parse_preprocessed(&config, text) {
        Ok(parse) => Ok(Unit { tree: parse.unit, map, packs, file, is_preprocessed: false }),
        Err(error) => {
            let fault = syntax_fault(&error, &map);
            Err(nested_function(&tokens, fault.position).unwrap_or(fault))
        }
    }
}

/// The text for the parser, with the positions and packs of its tokens.
fn assemble(tokens: &Tokens) -> (String, SourceMap, Vec<(usize, u8)>) {
    let mut text = rewrite::PRELUDE.to_string();
    let mut map = SourceMap::default();
    let mut packs = Vec::new();
    let mut pack = 0;
    for &token in &tokens.list {
        if !text.ends_with(|last| joins(last, tokens.text(token))) {
            text.push(' ');
        }
        map.push(text.len(), token.position);
        if token.pack != pack {
            pack = token.pack;
            packs.push((text.len(), pack));
        }
        text.push_str(tokens.text(token));
    }
    (text, map, packs)
}

/// The grammar wants the double parentheses of attributes without a space between them.
fn joins(last: char, next: &str) -> bool {
    last == '(' && next == "(" || last == ')' && next == ")"
}

/// What the grammar stumbled over, if it is the body of a function inside another one.
fn nested_function(tokens: &Tokens, at: Position) -> Option<Fault> {
    let brace = tokens.list.iter().position(|token| token.position == at)?;
    if tokens.at(brace) != "{" || brace == 0 || tokens.at(brace - 1) != ")" {
        return None;
    }
    let braces = |text: &str| (0..brace).filter(|&index| tokens.at(index) == text).count();
    let is_inside = braces("{") > braces("}");
    let mut depth = 0usize;
    let open = (0..brace).rev().find(|&index| {
        match tokens.at(index) {
            ")" => depth += 1,
            "(" => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    let name = tokens.list.get(open.checked_sub(1)?)?;
    let is_name = name.kind == token::Kind::Word;
    (is_inside && is_name).then(|| {
        let what = format!("nested function `{}`", tokens.text(*name));
        Fault::unsupported(name.position, what)
    })
}

fn syntax_fault(error: &SyntaxError, map: &SourceMap) -> Fault {
    let rest = error.source.get(error.offset..).unwrap_or("").trim_start();
    let end = rest.find([' ', '(', ')']).filter(|&end| end > 0).unwrap_or(rest.len().min(1));
    let end = if rest.starts_with(['(', ')']) { 1 } else { end };
    let found = &rest[..end];
    let at = error.source.len() - rest.len();
    let what = if found.is_empty() {
        "unexpected end of file".to_string()
    } else {
        format!("unexpected `{found}`")
    };
    Fault::syntax(map.position(at), what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(source: &str) -> Result<Unit, Fault> {
        let mut files = Files::default();
        let file = files.intern("t.c");
        parse_bytes(source.as_bytes(), file, &mut files, &mut Vec::new())
    }

    #[test]
    fn syntax_errors_point_at_the_token() {
        for (source, line, column, what) in [
            ("int f(void)\n{ return 1 + ; }", 2, 14, "unexpected `;`"),
            ("int x = 3 int y;", 1, 11, "unexpected `int`"),
            ("int f(void", 1, 6, "unmatched `(`"),
            ("int x", 1, 5, "unexpected end of file"),
        ] {
            let fault = parse(source).err().expect(source);
            assert_eq!((fault.position.line, fault.position.column), (line, column), "{source}");
            assert_eq!(fault.cause, Cause::Syntax(what.into()));
        }
    }

    #[test]
    fn packs_are_found_by_place() {
        let unit = parse("struct a { int x; };\n#pragma pack(2)\nstruct b { int x; };").unwrap();
        let packs: Vec<u8> = unit.tree.0.iter().map(|d| unit.pack(d.span)).collect();
        assert_eq!(packs[3..], [0, 2]);
    }
}
