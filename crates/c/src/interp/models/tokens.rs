//! Strings: tokens, comparison without case, bounded copies and other searches.

use super::memory::int_difference;
use super::programs::{Given, Request, done, given, not_here};
use crate::interp::exec::Interpreter;
use crate::interp::outcome::Step;
use crate::interp::value::Scalar;
use crate::source::Position;

impl Interpreter<'_, '_> {
    pub(super) fn token_function(&mut self, request: Request) -> Given {
        let at = request.at;
        let scalar = |index: usize| request.arguments.scalar(index);
        let (Some(first), Some(second)) = (scalar(0), scalar(1)) else { return not_here() };
        match request.name {
            "strtok" => {
                let start = if first.bits == 0 { self.token } else { first };
                let (token, rest) = self.next_token(start, second, at)?;
                self.token = rest;
                given(token)
            }
            "strtok_r" => {
                let Some(place) = scalar(2) else { return not_here() };
                let start = if first.bits == 0 { self.read_pointer(place, at)? } else { first };
                let (token, rest) = self.next_token(start, second, at)?;
                self.write_pointer(place, rest, at)?;
                given(token)
            }
            "strsep" => self.separated(first, second, at),
            "strcoll" => given(self.compare(first, second, u64::MAX, at)?),
            "strcasecmp" => self.compare_folded(first, second, u64::MAX, at),
            "strncasecmp" => match request.arguments.size(2) {
                Some(limit) => self.compare_folded(first, second, limit, at),
                None => not_here(),
            },
            "strlcpy" | "strlcat" | "strxfrm" | "stpncpy" => self.bounded_copy(request),
            "memccpy" => self.copy_up_to(request),
            "swab" => self.swapped_pairs(request),
            "bcopy" => {
                let size = request.arguments.size(2).unwrap_or(0);
                if size > 0 {
                    let bytes = self.read_bytes(first, size, at)?;
                    self.write_bytes(second, &bytes, at)?;
                }
                done()
            }
            _ => not_here(),
        }
    }

    /// A pointer in memory.
    pub(super) fn read_pointer(&mut self, from: Scalar, at: Position) -> Step<Scalar> {
        let size = self.program.types.model.pointer_bytes();
        let (id, offset) = self.memory.resolve(from, size, at)?;
        match self.memory.object(id).and_then(|object| object.read(offset, size)) {
            Some(pointer) => Ok(pointer),
            None => crate::interp::outcome::unsupported("a pointer without a value", at),
        }
    }

    /// The next token and what follows it.
    fn next_token(
        &mut self,
        start: Scalar,
        separators: Scalar,
        at: Position,
    ) -> Step<(Scalar, Scalar)> {
        let text = self.string(start, u64::MAX, at)?;
        let separators = self.string(separators, u64::MAX, at)?;
        let is_separator = |byte: &u8| separators.contains(byte);
        let Some(first) = text.iter().position(|byte| !is_separator(byte)) else {
            return Ok((Scalar::number(0), self.moved(start, text.len() as u64)));
        };
        let token = self.moved(start, first as u64);
        let Some(length) = text[first..].iter().position(is_separator) else {
            return Ok((token, self.moved(start, text.len() as u64)));
        };
        let end = self.moved(token, length as u64);
        self.write_text(end, &[0], at)?;
        Ok((token, self.moved(end, 1)))
    }

    fn separated(&mut self, place: Scalar, separators: Scalar, at: Position) -> Given {
        let start = self.read_pointer(place, at)?;
        if start.bits == 0 {
            return given(start);
        }
        let text = self.string(start, u64::MAX, at)?;
        let separators = self.string(separators, u64::MAX, at)?;
        let rest = match text.iter().position(|byte| separators.contains(byte)) {
            Some(length) => {
                let end = self.moved(start, length as u64);
                self.write_text(end, &[0], at)?;
                self.moved(end, 1)
            }
            None => Scalar::number(0),
        };
        self.write_pointer(place, rest, at)?;
        given(start)
    }

    fn compare_folded(&mut self, left: Scalar, right: Scalar, limit: u64, at: Position) -> Given {
        for index in 0..limit {
            let a = self.byte_at(self.moved(left, index), at)?.to_ascii_lowercase();
            let b = self.byte_at(self.moved(right, index), at)?.to_ascii_lowercase();
            if a != b {
                return given(int_difference(a, b));
            }
            if a == 0 {
                break;
            }
        }
        given(Scalar::number(0))
    }

    fn bounded_copy(&mut self, request: Request) -> Given {
        let at = request.at;
        let (Some(to), Some(from), Some(room)) =
            (request.arguments.scalar(0), request.arguments.scalar(1), request.arguments.size(2))
        else {
            return not_here();
        };
        if request.name == "stpncpy" {
            let mut text = self.string(from, room, at)?;
            let end = self.moved(to, text.len() as u64);
            self.check_room(to, room, at)?;
            text.resize(room as usize, 0);
            self.write_text(to, &text, at)?;
            return given(end);
        }
        let mut text = self.string(from, u64::MAX, at)?;
        let length = text.len() as u64;
        let before = match request.name {
            "strlcat" => self.string(to, room, at)?.len() as u64,
            _ => 0,
        };
        let free = room.saturating_sub(before);
        if request.name == "strxfrm" && free <= length {
            text.truncate(free as usize);
            self.write_text(to, &text, at)?;
        } else if free > 0 {
            text.truncate(free as usize - 1);
            text.push(0);
            self.write_text(self.moved(to, before), &text, at)?;
        }
        self.given_number(request, (before + length) as i128)
    }

    /// `memccpy`: up to and with a character.
    fn copy_up_to(&mut self, request: Request) -> Given {
        let (at, arguments) = (request.at, request.arguments);
        let (Some(to), Some(from), Some(wanted), Some(size)) =
            (arguments.scalar(0), arguments.scalar(1), arguments.scalar(2), arguments.size(3))
        else {
            return not_here();
        };
        for index in 0..size {
            let byte = self.byte_at(self.moved(from, index), at)?;
            self.write_text(self.moved(to, index), &[byte], at)?;
            if byte == wanted.bits as u8 {
                return given(self.moved(to, index + 1));
            }
        }
        given(Scalar::number(0))
    }

    /// `swab`: the two bytes of each pair change places.
    fn swapped_pairs(&mut self, request: Request) -> Given {
        let (at, arguments) = (request.at, request.arguments);
        let (Some(from), Some(to), Some(size)) =
            (arguments.scalar(0), arguments.scalar(1), arguments.scalar(2))
        else {
            return not_here();
        };
        let width = 8 * self.program.types.model.pointer_bytes() as u32;
        let is_negative = size.bits >> (width - 1) & 1 == 1;
        let pairs = if is_negative { 0 } else { size.bits as u64 / 2 };
        for pair in 0..pairs {
            let first = self.byte_at(self.moved(from, 2 * pair), at)?;
            let second = self.byte_at(self.moved(from, 2 * pair + 1), at)?;
            self.write_text(self.moved(to, 2 * pair), &[second, first], at)?;
        }
        done()
    }

    /// Searches in memory and strings.
    pub(super) fn search_function(&mut self, request: Request) -> Given {
        let (at, arguments) = (request.at, request.arguments);
        let (Some(start), Some(second)) = (arguments.scalar(0), arguments.scalar(1)) else {
            return not_here();
        };
        let byte = second.bits as u8;
        let found = match request.name {
            "strchrnul" => {
                let text = self.string(start, u64::MAX, at)?;
                Some(text.iter().position(|&b| b == byte).unwrap_or(text.len()))
            }
            "rawmemchr" => {
                let mut index = 0;
                while self.byte_at(self.moved(start, index), at)? != byte {
                    index += 1;
                }
                Some(index as usize)
            }
            "memrchr" => {
                let mut index = arguments.size(2).unwrap_or(0);
                loop {
                    if index == 0 {
                        break None;
                    }
                    index -= 1;
                    if self.byte_at(self.moved(start, index), at)? == byte {
                        break Some(index as usize);
                    }
                }
            }
            "strcasestr" => {
                let text = self.string(start, u64::MAX, at)?.to_ascii_lowercase();
                let wanted = self.string(second, u64::MAX, at)?.to_ascii_lowercase();
                position_of(&text, &wanted)
            }
            "memmem" => {
                let (Some(size), Some(wanted), Some(length)) =
                    (arguments.size(1), arguments.scalar(2), arguments.size(3))
                else {
                    return not_here();
                };
                let text = self.bytes_at(start, size, at)?;
                let wanted = self.bytes_at(wanted, length, at)?;
                position_of(&text, &wanted)
            }
            _ => return not_here(),
        };
        given(found.map_or(Scalar::number(0), |index| self.moved(start, index as u64)))
    }

    pub(super) fn bytes_at(&mut self, start: Scalar, size: u64, at: Position) -> Step<Vec<u8>> {
        (0..size).map(|index| self.byte_at(self.moved(start, index), at)).collect()
    }
}

fn position_of(text: &[u8], wanted: &[u8]) -> Option<usize> {
    match wanted.is_empty() {
        true => Some(0),
        false => text.windows(wanted.len()).position(|part| part == wanted),
    }
}
