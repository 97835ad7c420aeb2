//! Places in the source text.
//!
//! A preprocessed file speaks of other files through its line markers (`# 12 "list.h"`); messages
//! and traces must name those, while a witness refers to lines of the file that was handed in. A
//! [`Position`] therefore carries both: the presumed file, line and column, and the physical line.

use std::fmt;

/// A source file named by the input or by one of its line markers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FileId(u32);

/// Where a token begins. Lines and columns count from 1, columns in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Position {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
    /// The line in the file that was read, whatever its line markers say.
    pub physical_line: u32,
}

/// The names behind the [`FileId`]s of a program.
#[derive(Clone, Debug, Default)]
pub struct Files {
    names: Vec<String>,
}

impl Files {
    /// The identifier of `name`, new or known.
    pub fn intern(&mut self, name: &str) -> FileId {
        let known = self.names.iter().position(|n| n == name);
        FileId(known.unwrap_or_else(|| {
            self.names.push(name.to_string());
            self.names.len() - 1
        }) as u32)
    }

    pub fn name(&self, file: FileId) -> &str {
        self.names.get(file.0 as usize).map_or("<unknown>", String::as_str)
    }

    /// `file:line:column`, as compilers print it.
    pub fn show(&self, position: Position) -> Shown<'_> {
        Shown { files: self, position }
    }
}

/// A position together with the name of its file, ready for printing.
pub struct Shown<'a> {
    files: &'a Files,
    position: Position,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Position { file, line, column, .. } = self.position;
        let name = self.files.name(file);
        // What belongs to no line of a file has none.
        match line {
            0 => write!(f, "{name}"),
            _ => write!(f, "{name}:{line}:{column}"),
        }
    }
}

/// The positions of the tokens in the text given to the parser, by the offset of their first byte.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// Sorted by offset.
    starts: Vec<(u32, Position)>,
}

impl SourceMap {
    /// Records that the token at `offset` comes from `position`. Offsets must not decrease.
    pub fn push(&mut self, offset: usize, position: Position) {
        debug_assert!(self.starts.last().is_none_or(|last| last.0 <= offset as u32));
        self.starts.push((offset as u32, position));
    }

    /// The position of the token that contains `offset`, or of the nearest one before it.
    pub fn position(&self, offset: usize) -> Position {
        let after = self.starts.partition_point(|start| start.0 as usize <= offset);
        let index = after.saturating_sub(1);
        self.starts.get(index).map_or(Position::default(), |start| start.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_answers_with_the_enclosing_token() {
        let mut files = Files::default();
        let file = files.intern("a.c");
        assert_eq!(files.intern("a.c"), file);
        let at = |line| Position { file, line, column: 3, physical_line: line };
        let mut map = SourceMap::default();
        map.push(0, at(1));
        map.push(10, at(2));
        assert_eq!(map.position(9), at(1));
        assert_eq!(map.position(10), at(2));
        assert_eq!(map.position(500), at(2));
        assert_eq!(files.show(at(2)).to_string(), "a.c:2:3");
    }
}
