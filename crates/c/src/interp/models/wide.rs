//! Strings of wide characters.

use super::programs::{Given, Request, given, not_here};
use crate::interp::exec::Interpreter;
use crate::interp::outcome::Step;
use crate::interp::value::Scalar;
use crate::source::Position;
use crate::types::Ty;

/// Both data models have wide characters of four bytes.
const SIZE: u64 = 4;

impl Interpreter<'_, '_> {
    pub(super) fn wide_function(&mut self, request: Request) -> Given {
        let (at, name) = (request.at, request.name);
        if name == "wcstombs" || !name.starts_with("wcs") && !name.starts_with("wmem") {
            return not_here();
        }
        let Some(first) = request.arguments.scalar(0) else { return not_here() };
        if name == "wcslen" {
            let length = self.wide_text(first, u64::MAX, at)?.len();
            return self.given_number(request, length as i128);
        }
        let Some(second) = request.arguments.scalar(1) else { return not_here() };
        let limit = request.arguments.size(2);
        match (name, limit) {
            ("wcsnlen", _) => {
                let length = self.wide_text(first, second.bits as u64, at)?.len();
                self.given_number(request, length as i128)
            }
            ("wcschr" | "wcsrchr", _) => {
                let mut text = self.wide_text(first, u64::MAX, at)?;
                text.push(0);
                let wanted = second.bits as u32;
                let found = match name {
                    "wcschr" => text.iter().position(|&c| c == wanted),
                    _ => text.iter().rposition(|&c| c == wanted),
                };
                given(found.map_or(Scalar::number(0), |i| self.moved(first, SIZE * i as u64)))
            }
            ("wcscmp", _) => self.compare_wide(request, first, second, u64::MAX),
            ("wcsncmp", Some(limit)) => self.compare_wide(request, first, second, limit),
            ("wcscpy" | "wcscat" | "wcsncat", limit) => {
                let limit = limit.filter(|_| name == "wcsncat").unwrap_or(u64::MAX);
                let mut text = self.wide_text(second, limit, at)?;
                text.push(0);
                let before = match name {
                    "wcscpy" => 0,
                    _ => self.wide_text(first, u64::MAX, at)?.len() as u64,
                };
                self.write_wide(self.moved(first, SIZE * before), &text, at)?;
                given(first)
            }
            ("wcsncpy", Some(limit)) => {
                let mut text = self.wide_text(second, limit, at)?;
                self.memory.resolve_mut(first, limit.saturating_mul(SIZE), at)?;
                text.resize(limit as usize, 0);
                self.write_wide(first, &text, at)?;
                given(first)
            }
            ("wmemset", Some(limit)) => {
                self.memory.resolve_mut(first, limit.saturating_mul(SIZE), at)?;
                self.write_wide(first, &vec![second.bits as u32; limit as usize], at)?;
                given(first)
            }
            ("wmemcpy", Some(limit)) => {
                if limit > 0 {
                    let bytes = self.memory.read_bytes(second, limit.saturating_mul(SIZE), at)?;
                    self.memory.write_bytes(first, &bytes, at)?;
                }
                given(first)
            }
            ("wmemcmp", Some(limit)) => {
                for index in 0..limit {
                    let a = self.wide_at(self.moved(first, SIZE * index), at)? as i32;
                    let b = self.wide_at(self.moved(second, SIZE * index), at)? as i32;
                    if a != b {
                        return self.given_number(request, if a < b { -1 } else { 1 });
                    }
                }
                self.given_number(request, 0)
            }
            _ => not_here(),
        }
    }

    fn wide_at(&mut self, pointer: Scalar, at: Position) -> Step<u32> {
        Ok(self.load_at(pointer, Ty::INT, at)?.bits as u32)
    }

    /// The characters before the terminating zero, at most `limit`.
    fn wide_text(&mut self, start: Scalar, limit: u64, at: Position) -> Step<Vec<u32>> {
        let mut text = Vec::new();
        while (text.len() as u64) < limit {
            match self.wide_at(self.moved(start, SIZE * text.len() as u64), at)? {
                0 => break,
                character => text.push(character),
            }
        }
        Ok(text)
    }

    fn write_wide(&mut self, to: Scalar, text: &[u32], at: Position) -> Step<()> {
        let bytes: Vec<u8> = text.iter().flat_map(|character| character.to_le_bytes()).collect();
        self.write_text(to, &bytes, at)
    }

    fn compare_wide(&mut self, request: Request, left: Scalar, right: Scalar, limit: u64) -> Given {
        for index in 0..limit {
            let a = self.wide_at(self.moved(left, SIZE * index), request.at)? as i32;
            let b = self.wide_at(self.moved(right, SIZE * index), request.at)? as i32;
            if a != b {
                return self.given_number(request, if a < b { -1 } else { 1 });
            }
            if a == 0 {
                break;
            }
        }
        self.given_number(request, 0)
    }
}
