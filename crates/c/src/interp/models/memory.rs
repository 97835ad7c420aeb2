//! `memcpy` and its relatives. Uninitialised bytes and pointers are copied as they are.

use super::Arguments;
use crate::interp::exec::Interpreter;
use crate::interp::outcome::Step;
use crate::interp::value::Scalar;
use crate::library::FunctionModel;
use crate::source::Position;
use crate::types::Ty;

impl Interpreter<'_, '_> {
    pub(super) fn memory_function(
        &mut self,
        model: FunctionModel,
        arguments: &Arguments,
    ) -> Step<Option<Scalar>> {
        let at = arguments.at;
        let last = if model == FunctionModel::MemZero { 1 } else { 2 };
        let (Some(first), Some(second), Some(size)) =
            (arguments.scalar(0), arguments.scalar(1), arguments.size(last))
        else {
            return Ok(None);
        };
        match model {
            FunctionModel::MemCopy | FunctionModel::MemCopyEnd => {
                if size > 0 {
                    let bytes = self.read_bytes(second, size, at)?;
                    self.write_bytes(first, &bytes, at)?;
                }
                let end = if model == FunctionModel::MemCopyEnd { size } else { 0 };
                Ok(Some(self.moved(first, end)))
            }
            FunctionModel::MemSet | FunctionModel::MemZero => {
                let value = if model == FunctionModel::MemZero { 0 } else { second.bits as u8 };
                if size > 0 {
                    self.fill(first, size, value, at)?;
                }
                Ok(Some(first))
            }
            FunctionModel::MemFind => self.find_byte(first, second.bits as u8, size, at).map(Some),
            _ => self.compare_bytes(first, second, size, at).map(Some),
        }
    }

    /// The byte at a pointer.
    pub(super) fn byte_at(&mut self, pointer: Scalar, at: Position) -> Step<u8> {
        Ok(self.load_at(pointer, Ty::UCHAR, at)?.bits as u8)
    }

    fn find_byte(&mut self, start: Scalar, wanted: u8, size: u64, at: Position) -> Step<Scalar> {
        for index in 0..size {
            let here = self.moved(start, index);
            if self.byte_at(here, at)? == wanted {
                return Ok(here);
            }
        }
        Ok(Scalar::number(0))
    }

    /// The difference of the first bytes that differ, as an `int`.
    fn compare_bytes(
        &mut self,
        left: Scalar,
        right: Scalar,
        size: u64,
        at: Position,
    ) -> Step<Scalar> {
        for index in 0..size {
            let a = self.byte_at(self.moved(left, index), at)?;
            let b = self.byte_at(self.moved(right, index), at)?;
            if a != b {
                return Ok(int_difference(a, b));
            }
        }
        Ok(Scalar::number(0))
    }
}

/// `a - b` of type `int`.
pub(super) fn int_difference(a: u8, b: u8) -> Scalar {
    Scalar::number((a as i32 - b as i32) as u32 as u128)
}
