//! Input: arbitrary, of the right shape.
//!
//! A call asks for the length of what is read, then for its characters one by one. Answers that
//! do not have the right shape are brought into it.

use super::programs::{Given, Request, done, given, not_here};
use super::streams::{Stream, stream_of};
use crate::interp::exec::Interpreter;
use crate::interp::outcome::Step;
use crate::interp::value::Scalar;
use crate::types::Ty;

/// Longer input is cut off where nothing else bounds it and the answer is no plausible length.
const PLAUSIBLE: i128 = 1 << 20;

impl Interpreter<'_, '_> {
    pub(super) fn input_function(&mut self, request: Request) -> Given {
        match request.name {
            "fgetc" | "fgetc_unlocked" | "getc" | "getc_unlocked" | "_IO_getc" | "getchar"
            | "getchar_unlocked" => self.character_read(request),
            "fgets" => self.line_into(request),
            "gets" => self.unbounded_line(request),
            "fread" => self.items_into(request),
            "fwrite" => self.items_from(request),
            "fputc" | "fputc_unlocked" | "putc" | "putc_unlocked" | "_IO_putc" | "putchar"
            | "putchar_unlocked" | "ungetc" => self.character_written(request),
            "read" | "write" => self.bytes_of_file(request),
            "getline" => self.whole_line(request, b'\n', request.arguments.scalar(1)),
            "getdelim" => {
                let end = request.arguments.scalar(2).map_or(b'\n', |value| value.bits as u8);
                self.whole_line(request, end, request.arguments.scalar(1))
            }
            "getenv" => {
                let length = self.ask(request, Ty::ULONG);
                let length = if length > PLAUSIBLE { length % 64 } else { length };
                if length == 0 {
                    return given(Scalar::number(0));
                }
                given(self.arbitrary_text(length as u64, request)?)
            }
            "__VERIFIER_nondet_memory" | "arc4random_buf" => {
                let (Some(to), Some(size)) =
                    (request.arguments.scalar(0), request.arguments.size(1))
                else {
                    return not_here();
                };
                self.characters_into(request, to, size, None)?;
                done()
            }
            _ => not_here(),
        }
    }

    /// A new object of so many bytes, arbitrary but for the last, which is 0.
    pub(super) fn arbitrary_text(&mut self, size: u64, request: Request) -> Step<Scalar> {
        let text = self.in_library(size, request.at)?;
        self.write_text(self.moved(text, size - 1), &[0], request.at)?;
        Ok(text)
    }

    /// Reads so many characters; the one that ends a line is none of them but the last. Gives the
    /// last one.
    fn characters_into(
        &mut self,
        request: Request,
        to: Scalar,
        count: u64,
        end: Option<u8>,
    ) -> Step<Option<u8>> {
        let mut last = None;
        let is_input = match request.name {
            "read" => request.arguments.size(0) == Some(0),
            _ => stream_of(request).is_some_and(Stream::may_be_input),
        };
        for index in 0..count {
            let byte = self.ask(request, Ty::CHAR) as u8;
            let is_wrong = Some(byte) == end && index + 1 < count;
            let byte = if is_wrong { b' ' } else { byte };
            if index == 0 {
                self.first_arrives(request, Some(byte))?;
            }
            if is_input {
                self.outside.read(&[byte]);
            }
            self.write_text(self.moved(to, index), &[byte], request.at)?;
            last = Some(byte);
        }
        Ok(last)
    }

    /// A character is read, or -1 at the end; what was put back comes first.
    fn character_read(&mut self, request: Request) -> Given {
        let Some(stream) = stream_of(request) else { return not_here() };
        let chosen = self.ask_between(request, Ty::INT, -1, 255);
        if chosen == -1 {
            self.fail(request)?;
        }
        if let Some(byte) = self.take_back(stream, request.at)? {
            return self.given_number(request, i128::from(byte));
        }
        let byte = u8::try_from(chosen).ok();
        self.arrives(stream, byte, request.at)?;
        if let Some(byte) = byte.filter(|_| stream.may_be_input()) {
            self.outside.read(&[byte]);
        }
        self.given_number(request, chosen)
    }

    /// A character is written, or put back into a stream; it is the result.
    fn character_written(&mut self, request: Request) -> Given {
        let Some(value) = request.arguments.scalar(0) else { return not_here() };
        let (byte, at) = (value.bits as u8, request.at);
        if request.name == "ungetc" && value.bits as u32 == u32::MAX {
            return self.given_number(request, -1);
        }
        if self.ask(request, Ty::CHAR) & 1 == 1 {
            if request.name == "ungetc" {
                self.push_fails(request)?;
            }
            self.fail(request)?;
            return self.given_number(request, -1);
        }
        if request.name == "ungetc"
            && let Some(stream) = stream_of(request)
        {
            self.push_back(stream, byte, at)?;
        }
        self.given_number(request, i128::from(byte))
    }

    /// The first character that a call reads.
    fn first_arrives(&mut self, request: Request, byte: Option<u8>) -> Step<()> {
        match stream_of(request) {
            Some(stream) => self.arrives(stream, byte, request.at),
            None => Ok(()),
        }
    }

    fn line_into(&mut self, request: Request) -> Given {
        let (Some(to), Some(room)) = (request.arguments.scalar(0), request.arguments.scalar(1))
        else {
            return not_here();
        };
        let room = room.bits as u32 as i32;
        if room <= 0 {
            return given(Scalar::number(0));
        }
        if room > 1 {
            let length = self.ask_between(request, Ty::ULONG, 0, room as i128 - 1) as u64;
            if length == 0 {
                self.first_arrives(request, None)?;
                return given(Scalar::number(0));
            }
            let last = self.characters_into(request, to, length, Some(b'\n'))?;
            self.write_text(self.moved(to, length), &[0], request.at)?;
            if last != Some(b'\n') && length + 1 < room as u64 {
                // There was room for more, and the line had not ended.
                self.first_arrives(request, None)?;
            }
        } else {
            self.write_text(to, &[0], request.at)?;
        }
        given(to)
    }

    fn unbounded_line(&mut self, request: Request) -> Given {
        let Some(to) = request.arguments.scalar(0) else { return not_here() };
        let length = self.ask(request, Ty::ULONG);
        let length = if length > PLAUSIBLE { length % 64 } else { length } as u64;
        if self.ask(request, Ty::CHAR) & 1 == 1 {
            self.first_arrives(request, None)?;
            return given(Scalar::number(0));
        }
        if length == 0 {
            self.first_arrives(request, Some(b'\n'))?;
        }
        let mut line = Vec::new();
        for index in 0..length {
            let byte = self.ask(request, Ty::CHAR) as u8;
            let byte = if byte == b'\n' { b' ' } else { byte };
            if index == 0 {
                self.first_arrives(request, Some(byte))?;
            }
            line.push(byte);
            self.write_text(self.moved(to, index), &[byte], request.at)?;
        }
        self.write_text(self.moved(to, length), &[0], request.at)?;
        line.push(b'\n');
        self.outside.read(&line);
        given(to)
    }

    fn items_into(&mut self, request: Request) -> Given {
        let arguments = request.arguments;
        let (Some(to), Some(size), Some(count)) =
            (arguments.scalar(0), arguments.size(1), arguments.size(2))
        else {
            return not_here();
        };
        if size == 0 || count == 0 {
            return self.given_number(request, 0);
        }
        let room = (size as i128).wrapping_mul(count as i128);
        let length = self.ask_between(request, Ty::ULONG, 0, room) as u64;
        if length == 0 {
            self.first_arrives(request, None)?;
        }
        self.characters_into(request, to, length, None)?;
        if length > 0 && (length as i128) < room {
            self.first_arrives(request, None)?;
        }
        self.given_number(request, (length / size) as i128)
    }

    fn items_from(&mut self, request: Request) -> Given {
        let (Some(size), Some(count)) = (request.arguments.size(1), request.arguments.size(2))
        else {
            return not_here();
        };
        let most = if size == 0 { 0 } else { count as i128 };
        let length = self.ask_between(request, Ty::ULONG, 0, most);
        self.given_number(request, length)
    }

    /// `read` and `write`.
    fn bytes_of_file(&mut self, request: Request) -> Given {
        let (Some(to), Some(size)) = (request.arguments.scalar(1), request.arguments.size(2))
        else {
            return not_here();
        };
        let most = (size as i128).min(i64::MAX as i128);
        let length = self.ask_between(request, Ty::LONG, -1, most);
        if length < 0 {
            self.fail(request)?;
        }
        if request.name == "read" && length > 0 {
            self.characters_into(request, to, length as u64, None)?;
        }
        self.given_number(request, length)
    }

    /// `getline`: the buffer is made larger if it has to be.
    fn whole_line(&mut self, request: Request, end: u8, room: Option<Scalar>) -> Given {
        let at = request.at;
        let (Some(line), Some(room)) = (request.arguments.scalar(0), room) else {
            return not_here();
        };
        let length = self.ask(request, Ty::ULONG);
        let length = if length > PLAUSIBLE { length % 64 } else { length } as u64;
        if length == 0 {
            self.first_arrives(request, None)?;
            return self.given_number(request, -1);
        }
        let old = self.read_pointer(line, at)?;
        let is_large = old.bits != 0 && self.load_at(room, Ty::ULONG, at)?.bits as u64 > length;
        if !is_large {
            let new = self.reallocate(old, length + 1, at)?;
            self.write_pointer(line, new, at)?;
            self.store_number(room, length as i128 + 1, Ty::ULONG, at)?;
        }
        let to = self.read_pointer(line, at)?;
        let last = self.characters_into(request, to, length, Some(end))?;
        self.write_text(self.moved(to, length), &[0], at)?;
        if last != Some(end) {
            self.first_arrives(request, None)?;
        }
        self.given_number(request, length as i128)
    }
}
