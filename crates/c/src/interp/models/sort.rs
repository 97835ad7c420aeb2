//! Sorting and searching with the program's own comparison.

use super::programs::{Given, Request, done, given, not_here};
use crate::interp::exec::Interpreter;
use crate::interp::outcome::Step;
use crate::interp::value::Scalar;
use crate::source::Position;
use crate::types::Ty;

impl Interpreter<'_, '_> {
    pub(super) fn sort_function(&mut self, request: Request) -> Given {
        let arguments = request.arguments;
        match request.name {
            "qsort" => {
                let (Some(base), Some(count), Some(size), Some(order)) = (
                    arguments.scalar(0),
                    arguments.size(1),
                    arguments.size(2),
                    arguments.scalar(3),
                ) else {
                    return not_here();
                };
                self.sort(request, (base, count, size), order)?;
                done()
            }
            "bsearch" | "lfind" => {
                let (Some(key), Some(base), Some(count), Some(size), Some(order)) = (
                    arguments.scalar(0),
                    arguments.scalar(1),
                    arguments.scalar(2),
                    arguments.size(3),
                    arguments.scalar(4),
                ) else {
                    return not_here();
                };
                let found = match request.name {
                    "bsearch" => {
                        let count = count.bits as u64;
                        self.halve(key, (base, count, size), order, request.at)?
                    }
                    _ => {
                        let count = self.load_at(count, Ty::ULONG, request.at)?.bits as u64;
                        self.scan_for(key, (base, count, size), order, request.at)?
                    }
                };
                given(found)
            }
            _ => not_here(),
        }
    }

    /// What the comparison says about two elements.
    fn order(&mut self, order: Scalar, left: Scalar, right: Scalar, at: Position) -> Step<i32> {
        let result = self.call_back(order, &[left, right], at)?;
        Ok(result.map_or(0, |value| value.bits as u32 as i32))
    }

    /// Every element is moved to the left past those that do not come before it. Which of two
    /// equal elements comes first is asked for, unless they are the same.
    fn sort(
        &mut self,
        request: Request,
        (base, count, size): (Scalar, u64, u64),
        compare: Scalar,
    ) -> Step<()> {
        let at = request.at;
        for inserted in 1..count {
            let mut place = inserted;
            while place > 0 {
                let left = self.moved(base, (place - 1).wrapping_mul(size));
                let right = self.moved(base, place.wrapping_mul(size));
                let order = self.order(compare, left, right, at)?;
                if order < 0 {
                    break;
                }
                if order == 0 {
                    let same = self.bytes_at(left, size, at)? == self.bytes_at(right, size, at)?;
                    if same || self.ask(request, Ty::UCHAR) & 1 == 0 {
                        break;
                    }
                }
                let first = self.memory.read_bytes(left, size, at)?;
                let second = self.memory.read_bytes(right, size, at)?;
                self.memory.write_bytes(left, &second, at)?;
                self.memory.write_bytes(right, &first, at)?;
                place -= 1;
            }
        }
        Ok(())
    }

    fn halve(
        &mut self,
        key: Scalar,
        (base, count, size): (Scalar, u64, u64),
        compare: Scalar,
        at: Position,
    ) -> Step<Scalar> {
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            let element = self.moved(base, middle.wrapping_mul(size));
            match self.order(compare, key, element, at)? {
                0 => return Ok(element),
                order if order < 0 => high = middle,
                _ => low = middle + 1,
            }
        }
        Ok(Scalar::number(0))
    }

    fn scan_for(
        &mut self,
        key: Scalar,
        (base, count, size): (Scalar, u64, u64),
        compare: Scalar,
        at: Position,
    ) -> Step<Scalar> {
        for index in 0..count {
            let element = self.moved(base, index.wrapping_mul(size));
            if self.order(compare, key, element, at)? == 0 {
                return Ok(element);
            }
        }
        Ok(Scalar::number(0))
    }
}
