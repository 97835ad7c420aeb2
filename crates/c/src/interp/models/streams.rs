//! What is known of the next character of a stream.
//!
//! Input is arbitrary, but not each character of it: `ungetc` says what comes next, and a number that
//! was read has ended where no digit follows. Proofs do without this, as they hold for any
//! characters, and know only that nothing follows the end; a run of the interpreter has to agree with it. A stream is known by the pointer to
//! it, or as the standard input of functions that name none; those two may be one.

use super::programs::Request;
use crate::interp::exec::Interpreter;
use crate::interp::outcome::{Outcome, Step, unsupported};
use crate::source::Position;
use rustc_hash::FxHashMap;

/// A stream that is read from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Stream {
    /// The standard input of functions that name none.
    Input,
    /// A pointer to no object, which may be that of the standard input.
    Pointer(u64),
    /// A file that the program has opened.
    File(u64),
}

impl Stream {
    /// Whether it may be the standard input.
    pub(super) fn may_be_input(self) -> bool {
        !matches!(self, Stream::File(_))
    }

    /// Whether two names may be those of one stream.
    fn may_be(self, other: Stream) -> bool {
        matches!(
            (self, other),
            (Stream::Input, Stream::Pointer(_)) | (Stream::Pointer(_), Stream::Input)
        )
    }
}

/// Characters, by their numbers.
pub(super) type Characters = [bool; 256];

#[derive(Clone, Default)]
struct Upcoming {
    /// What `ungetc` has put back.
    pushed: Option<u8>,
    /// What does not come next, behind that.
    excluded: Option<Box<Characters>>,
    /// The end has been reached, and stays where it is (C11 7.21.7.1).
    ended: bool,
}

/// What is known of all streams.
#[derive(Clone, Default)]
pub struct Streams(FxHashMap<Stream, Upcoming>);

/// The characters for which a condition holds.
pub(super) fn characters(has: impl Fn(u8) -> bool) -> Characters {
    std::array::from_fn(|index| has(index as u8))
}

/// The stream that a call reads from, if it reads from one.
pub(super) fn stream_of(request: Request) -> Option<Stream> {
    let given = |index: usize| {
        let pointer = request.arguments.scalar(index)?;
        let address = pointer.bits as u64;
        Some(match pointer.object {
            Some(_) => Stream::File(address),
            None => Stream::Pointer(address),
        })
    };
    match request.name.trim_end_matches("_unlocked") {
        "getchar" | "gets" | "scanf" | "vscanf" => Some(Stream::Input),
        "__isoc99_scanf" | "__isoc23_scanf" | "__isoc99_vscanf" | "__isoc23_vscanf" => {
            Some(Stream::Input)
        }
        "fgetc" | "getc" | "_IO_getc" | "fscanf" | "vfscanf" => given(0),
        "__isoc99_fscanf" | "__isoc23_fscanf" | "__isoc99_vfscanf" | "__isoc23_vfscanf" => given(0),
        "rewind" | "clearerr" | "fseek" | "fseeko" | "fclose" => given(0),
        "ungetc" => given(1),
        "fgets" | "getline" => given(2),
        "fread" | "getdelim" => given(3),
        _ => None,
    }
}

impl Interpreter<'_, '_> {
    /// What is known of a stream; nothing is said if the standard input may be another one that
    /// something is known of.
    fn upcoming(&mut self, stream: Stream, at: Position) -> Step<Option<&mut Upcoming>> {
        let known = &mut self.streams.0;
        if known.iter().any(|(other, next)| other.may_be(stream) && next.pushed.is_some()) {
            return unsupported("two names of the standard input", at);
        }
        Ok(known.get_mut(&stream))
    }

    /// A character is put back.
    pub(super) fn push_back(&mut self, stream: Stream, byte: u8, at: Position) -> Step<()> {
        let next = self.streams.0.entry(stream).or_default();
        if next.pushed.is_some() {
            return unsupported("a second character for `ungetc`", at);
        }
        (next.pushed, next.ended) = (Some(byte), false);
        Ok(())
    }

    /// A character is not put back, although one always can be (C11 7.21.7.10).
    pub(super) fn push_fails(&mut self, request: Request) -> Step<()> {
        let Some(stream) = stream_of(request) else { return Ok(()) };
        match self.upcoming(stream, request.at)?.is_some_and(|next| next.pushed.is_some()) {
            true => Ok(()),
            false => Err(Box::new(Outcome::AssumeFailed(request.at))),
        }
    }

    /// These characters do not come next.
    pub(super) fn exclude(&mut self, stream: Stream, excluded: Option<Characters>) {
        match excluded {
            Some(excluded) => {
                self.streams.0.entry(stream).or_default().excluded = Some(Box::new(excluded));
            }
            None => {
                if let Some(next) = self.streams.0.get_mut(&stream) {
                    next.excluded = None;
                }
            }
        }
    }

    /// The character that was put back and is read now.
    pub(super) fn take_back(&mut self, stream: Stream, at: Position) -> Step<Option<u8>> {
        Ok(self.upcoming(stream, at)?.and_then(|next| next.pushed.take()))
    }

    /// A character is read that the oracle has chosen; there is none at the end.
    pub(super) fn arrives(&mut self, stream: Stream, byte: Option<u8>, at: Position) -> Step<()> {
        for (other, next) in &mut self.streams.0 {
            if other.may_be(stream)
                && let Some(byte) = byte
                && (next.ended || next.excluded.take().is_some_and(|set| set[usize::from(byte)]))
            {
                return unsupported("two names of the standard input", at);
            }
        }
        if byte.is_none() {
            self.streams.0.entry(stream).or_default();
        }
        let Some(next) = self.upcoming(stream, at)? else { return Ok(()) };
        let is_possible = match (next.pushed.take(), byte) {
            (Some(pushed), Some(byte)) => byte == pushed,
            (Some(_), None) => false,
            (None, Some(byte)) => {
                !next.ended && next.excluded.take().is_none_or(|set| !set[usize::from(byte)])
            }
            (None, None) => {
                next.ended = true;
                true
            }
        };
        match is_possible {
            true => Ok(()),
            false => Err(Box::new(Outcome::AssumeFailed(at))),
        }
    }

    /// Something is read, or does not fit; at the end that is impossible.
    pub(super) fn goes_on(&mut self, stream: Stream, at: Position) -> Step<()> {
        match self.upcoming(stream, at)?.is_some_and(|next| next.ended) {
            true => Err(Box::new(Outcome::AssumeFailed(at))),
            false => Ok(()),
        }
    }

    /// Another place of a stream is read from now on.
    pub(super) fn forget_stream(&mut self, request: Request) -> Step<()> {
        let Some(stream) = stream_of(request) else { return Ok(()) };
        self.upcoming(stream, request.at)?;
        self.streams.0.retain(|other, next| *other != stream && next.pushed.is_some());
        Ok(())
    }

    /// A character that was put back is not read by a format.
    pub(super) fn refuse_pushed(&mut self, stream: Stream, at: Position) -> Step<()> {
        match self.upcoming(stream, at)?.is_some_and(|next| next.pushed.is_some()) {
            true => unsupported("a format after `ungetc`", at),
            false => Ok(()),
        }
    }

    /// Blanks are skipped, if there are some; what follows is none.
    pub(super) fn skip_blanks(&mut self, stream: Stream, at: Position) -> Step<()> {
        self.refuse_pushed(stream, at)?;
        let blank = characters(is_blank);
        let next = self.streams.0.entry(stream).or_default();
        let is_at_other = next.excluded.as_ref().is_some_and(|set| excludes(set, &blank));
        if !is_at_other {
            next.excluded = Some(Box::new(blank));
        }
        Ok(())
    }
}

/// Whether all of some characters are excluded.
fn excludes(set: &Characters, others: &Characters) -> bool {
    set.iter().zip(others).all(|(is_excluded, is_other)| *is_excluded || !is_other)
}

pub(super) fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}
