//! Functions on strings.

use super::Arguments;
use super::memory::int_difference;
use crate::arith::int;
use crate::interp::exec::Interpreter;
use crate::interp::outcome::Step;
use crate::interp::value::{Byte, Scalar};
use crate::library::FunctionModel;
use crate::source::Position;

impl Interpreter<'_, '_> {
    pub(super) fn string_function(
        &mut self,
        model: FunctionModel,
        arguments: &Arguments,
    ) -> Step<Option<Scalar>> {
        let at = arguments.at;
        let Some(first) = arguments.scalar(0) else { return Ok(None) };
        match model {
            FunctionModel::StrLen => {
                let length = self.string(first, u64::MAX, at)?.len();
                return Ok(Some(self.size_value(length)));
            }
            FunctionModel::StrDuplicate => return self.duplicate(first, u64::MAX, at).map(Some),
            _ => {}
        }
        let Some(second) = arguments.scalar(1) else { return Ok(None) };
        match model {
            FunctionModel::StrNLen => {
                let length = self.string(first, second.bits as u64, at)?.len();
                return Ok(Some(self.size_value(length)));
            }
            FunctionModel::StrNDuplicate => {
                return self.duplicate(first, second.bits as u64, at).map(Some);
            }
            FunctionModel::StrFind | FunctionModel::StrFindLast => {
                return self.find_character(model, first, second.bits as u8, at).map(Some);
            }
            FunctionModel::StrCopy | FunctionModel::StrCopyEnd | FunctionModel::StrAppend => {
                return self.copy_string(model, first, second, at).map(Some);
            }
            FunctionModel::StrCompare => {
                return self.compare(first, second, u64::MAX, at).map(Some);
            }
            FunctionModel::StrFindString
            | FunctionModel::StrSpan
            | FunctionModel::StrComplementSpan
            | FunctionModel::StrFindAny => return self.search(model, first, second, at).map(Some),
            _ => {}
        }
        let Some(limit) = arguments.size(2) else { return Ok(None) };
        match model {
            FunctionModel::StrNCopy | FunctionModel::StrNAppend => {
                self.copy_bounded(model, first, second, limit, at).map(Some)
            }
            FunctionModel::StrNCompare => self.compare(first, second, limit, at).map(Some),
            _ => Ok(None),
        }
    }

    fn size_value(&self, size: usize) -> Scalar {
        let width = 8 * self.program.types.model.pointer_bytes() as u32;
        Scalar::number(int::truncate(size as u128, width))
    }

    /// The characters before the terminating zero, at most `limit`.
    pub(super) fn string(&mut self, start: Scalar, limit: u64, at: Position) -> Step<Vec<u8>> {
        let mut text = Vec::new();
        while (text.len() as u64) < limit {
            match self.byte_at(self.moved(start, text.len() as u64), at)? {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(text)
    }

    pub(super) fn write_text(&mut self, to: Scalar, text: &[u8], at: Position) -> Step<()> {
        let bytes: Vec<Byte> = text.iter().map(|&byte| Byte::known(byte)).collect();
        self.write_bytes(to, &bytes, at)
    }

    fn duplicate(&mut self, start: Scalar, limit: u64, at: Position) -> Step<Scalar> {
        let mut text = self.string(start, limit, at)?;
        text.push(0);
        let copy = self.on_heap(text.len() as u64, at)?;
        self.write_text(copy, &text, at)?;
        Ok(copy)
    }

    fn find_character(
        &mut self,
        model: FunctionModel,
        start: Scalar,
        wanted: u8,
        at: Position,
    ) -> Step<Scalar> {
        let mut text = self.string(start, u64::MAX, at)?;
        text.push(0);
        let found = match model {
            FunctionModel::StrFind => text.iter().position(|&byte| byte == wanted),
            _ => text.iter().rposition(|&byte| byte == wanted),
        };
        Ok(found.map_or(Scalar::number(0), |index| self.moved(start, index as u64)))
    }

    fn copy_string(
        &mut self,
        model: FunctionModel,
        to: Scalar,
        from: Scalar,
        at: Position,
    ) -> Step<Scalar> {
        let mut text = self.string(from, u64::MAX, at)?;
        let length = text.len() as u64;
        text.push(0);
        let before = match model {
            FunctionModel::StrAppend => self.string(to, u64::MAX, at)?.len() as u64,
            _ => 0,
        };
        self.write_text(self.moved(to, before), &text, at)?;
        Ok(self.moved(to, if model == FunctionModel::StrCopyEnd { length } else { 0 }))
    }

    /// `strncpy` fills up with zeros; `strncat` always ends with one.
    fn copy_bounded(
        &mut self,
        model: FunctionModel,
        to: Scalar,
        from: Scalar,
        limit: u64,
        at: Position,
    ) -> Step<Scalar> {
        let mut text = self.string(from, limit, at)?;
        let start = if model == FunctionModel::StrNAppend {
            text.push(0);
            self.string(to, u64::MAX, at)?.len() as u64
        } else {
            // What does not fit fails before it is built.
            self.check_room(to, limit, at)?;
            text.resize(limit as usize, 0);
            0
        };
        self.write_text(self.moved(to, start), &text, at)?;
        Ok(to)
    }

    pub(super) fn compare(
        &mut self,
        left: Scalar,
        right: Scalar,
        limit: u64,
        at: Position,
    ) -> Step<Scalar> {
        for index in 0..limit {
            let a = self.byte_at(self.moved(left, index), at)?;
            let b = self.byte_at(self.moved(right, index), at)?;
            if a != b {
                return Ok(int_difference(a, b));
            }
            if a == 0 {
                break;
            }
        }
        Ok(Scalar::number(0))
    }

    fn search(
        &mut self,
        model: FunctionModel,
        left: Scalar,
        right: Scalar,
        at: Position,
    ) -> Step<Scalar> {
        let text = self.string(left, u64::MAX, at)?;
        let other = self.string(right, u64::MAX, at)?;
        let found = match model {
            FunctionModel::StrFindString if other.is_empty() => Some(0),
            FunctionModel::StrFindString => {
                text.windows(other.len()).position(|part| part == other)
            }
            FunctionModel::StrSpan => {
                let end = text.iter().position(|byte| !other.contains(byte));
                return Ok(self.size_value(end.unwrap_or(text.len())));
            }
            FunctionModel::StrComplementSpan => {
                let end = text.iter().position(|byte| other.contains(byte));
                return Ok(self.size_value(end.unwrap_or(text.len())));
            }
            _ => text.iter().position(|byte| other.contains(byte)),
        };
        Ok(found.map_or(Scalar::number(0), |index| self.moved(left, index as u64)))
    }
}
