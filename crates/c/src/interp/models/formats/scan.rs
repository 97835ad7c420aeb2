//! `scanf` and its like.
//!
//! From a file comes what the oracle chooses: how many conversions succeed, then the value of each.
//! Answers without the right shape are brought into it.

use super::super::programs::{Given, Request, not_here};
use super::super::streams::{Characters, Stream, characters, is_blank, stream_of};
use super::{Values, as_text, take_while};
use crate::arith::float;
use crate::interp::exec::Interpreter;
use crate::interp::outcome::{Step, unsupported};
use crate::interp::value::Scalar;
use crate::source::Position;
use crate::types::{FloatKind, Ty};

/// Longer words are cut off where nothing else bounds them.
const PLAUSIBLE: i128 = 1 << 20;

/// One conversion of a format.
struct Wanted<'f> {
    is_kept: bool,
    width: Option<u64>,
    modifier: &'f str,
    letter: u8,
    /// Of `%[`.
    set: Option<Set>,
}

/// Characters in brackets.
struct Set {
    members: Vec<(u8, u8)>,
    is_complement: bool,
}

impl Set {
    fn has(&self, byte: u8) -> bool {
        let is_listed = self.members.iter().any(|&(low, high)| (low..=high).contains(&byte));
        is_listed != self.is_complement
    }
}

/// How the reading of a text goes on.
enum Progress {
    On,
    /// The text does not fit.
    Mismatch,
    /// The text is at its end.
    End,
}

/// A part of a format.
enum Part<'f> {
    Blanks,
    Byte(u8),
    Value(Wanted<'f>),
}

/// All parts of a format; none if it is not understood.
fn parts(format: &[u8]) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            byte if is_blank(byte) => parts.push(Part::Blanks),
            b'%' if rest.starts_with(b"%") => {
                rest = &rest[1..];
                parts.extend([Part::Blanks, Part::Byte(b'%')]);
            }
            b'%' => parts.push(Part::Value(wanted(&mut rest)?)),
            byte => parts.push(Part::Byte(byte)),
        }
    }
    Some(parts)
}

impl Wanted<'_> {
    /// Of an integer, the base of digits that never follow it. After an infinity they may.
    fn digits(&self) -> Option<u8> {
        match self.letter {
            b'd' | b'u' => Some(10),
            b'x' | b'X' => Some(16),
            b'o' | b'i' => Some(8),
            _ => None,
        }
    }

    /// Whether a character belongs to a word.
    fn has(&self, byte: u8) -> bool {
        match &self.set {
            Some(set) => set.has(byte),
            None => !is_blank(byte),
        }
    }
}

fn is_digit(byte: u8, base: u8) -> bool {
    (byte as char).is_digit(u32::from(base))
}

/// The conversion after a `%`.
fn wanted<'f>(rest: &mut &'f [u8]) -> Option<Wanted<'f>> {
    let is_kept = !rest.starts_with(b"*");
    *rest = &rest[usize::from(!is_kept)..];
    let width = match as_text(take_while(rest, |byte| byte.is_ascii_digit())) {
        "" => None,
        digits => Some(digits.parse().ok().filter(|width| *width > 0)?),
    };
    let modifier = as_text(take_while(rest, |byte| b"hljztLq".contains(&byte)));
    let (&letter, after) = rest.split_first()?;
    *rest = after;
    let set = match letter {
        b'[' => Some(bracketed(rest)?),
        _ => None,
    };
    Some(Wanted { is_kept, width, modifier, letter, set })
}

fn bracketed(rest: &mut &[u8]) -> Option<Set> {
    let is_complement = rest.starts_with(b"^");
    let text = &rest[usize::from(is_complement)..];
    // A bracket in the first place is a member.
    let end = text.iter().skip(1).position(|&byte| byte == b']')? + 1;
    let (inside, mut members, mut next) = (&text[..end], Vec::new(), 0);
    *rest = &text[end + 1..];
    while next < inside.len() {
        let is_range = inside.get(next + 1) == Some(&b'-')
            && inside.get(next + 2).is_some_and(|last| inside[next] <= *last);
        let last = if is_range { next + 2 } else { next };
        members.push((inside[next], inside[last]));
        next = last + 1;
    }
    Some(Set { members, is_complement })
}

impl Interpreter<'_, '_> {
    pub(super) fn scan_file(
        &mut self,
        request: Request,
        format: &[u8],
        values: &mut Values,
    ) -> Given {
        let Some(parts) = parts(format) else { return unsupported("this format", request.at) };
        let stream = stream_of(request).unwrap_or(Stream::Input);
        let is_first_any = matches!(&parts[..], [Part::Value(first), ..] if first.letter == b'c');
        if !is_first_any {
            self.refuse_pushed(stream, request.at)?;
        }
        let kept = parts.iter().filter(|part| matches!(part, Part::Value(next) if next.is_kept));
        let most = kept.count() as i128;
        let count = self.ask_between(request, Ty::INT, -1, most);
        match count {
            -1 => self.arrives(stream, None, request.at)?,
            _ if most > 0 => self.goes_on(stream, request.at)?,
            _ => {}
        }
        let mut rest = parts.iter();
        let mut left = count.max(0);
        while left > 0 {
            let Some(part) = rest.next() else { break };
            match part {
                Part::Blanks => self.skip_blanks(stream, request.at)?,
                Part::Byte(byte) => {
                    self.arrives(stream, Some(*byte), request.at)?;
                    self.spelt(stream, &[*byte]);
                }
                Part::Value(next) => {
                    let to = match next.is_kept {
                        true => Some(self.next_pointer(values, request.at)?),
                        false => None,
                    };
                    left -= i128::from(next.is_kept);
                    let end = self.any_value(request, next, to)?;
                    self.exclude(stream, end);
                }
            }
        }
        if count == 0 && most > 0 && stream.may_be_input() {
            self.outside.misfit();
        }
        self.after_scan(stream, &rest.collect::<Vec<_>>(), count == most, request.at)?;
        self.given_number(request, count)
    }

    /// What comes after the last value of a call, with the parts of the format that are left. If
    /// not all values have been read, the first part did not fit.
    fn after_scan(
        &mut self,
        stream: Stream,
        rest: &[&Part],
        is_complete: bool,
        at: Position,
    ) -> Step<()> {
        match (rest, is_complete) {
            ([], true) => {}
            ([Part::Blanks], true) => self.skip_blanks(stream, at)?,
            ([Part::Value(next), ..], false) => {
                let digits = next.digits().map(|base| characters(|b| is_digit(b, base)));
                self.exclude(stream, digits);
            }
            _ => self.exclude(stream, None),
        }
        Ok(())
    }

    /// Reads a value, and says which characters do not come next.
    fn any_value(
        &mut self,
        request: Request,
        wanted: &Wanted,
        to: Option<Scalar>,
    ) -> Step<Option<Characters>> {
        let at = request.at;
        let stream = stream_of(request).unwrap_or(Stream::Input);
        if to.is_none() && stream.may_be_input() {
            self.outside.read_unclear();
        }
        let digits = wanted.digits().map(|base| characters(|b| is_digit(b, base)));
        let digits = digits.filter(|_| wanted.width.is_none());
        match (wanted.letter, to) {
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', Some(to)) => {
                let Some((signed, bits)) = self.modified(wanted.modifier) else {
                    return unsupported("this format", at);
                };
                let value = self.ask(request, signed);
                let value = match wanted.width {
                    Some(width) => within(value, wanted.letter, width, bits),
                    None => value,
                };
                self.store_number(to, value, signed, at)?;
                self.spelt(stream, &spelling(value, wanted.letter, bits));
                Ok(digits)
            }
            (b'f' | b'F' | b'e' | b'E' | b'g' | b'G', Some(to)) => {
                let ty = match wanted.modifier {
                    "" => Ty::FLOAT,
                    "l" => Ty::DOUBLE,
                    _ => return unsupported("this format", at),
                };
                let bits = self.ask(request, ty) as u128;
                self.store_at(to, Scalar::number(bits), ty, at)?;
                let text = match ty == Ty::FLOAT {
                    true => format!(" {:e}", f32::from_bits(bits as u32)),
                    false => format!(" {:e}", f64::from_bits(bits as u64)),
                };
                self.spelt(stream, text.as_bytes());
                Ok(digits)
            }
            (b'c', Some(to)) if wanted.modifier.is_empty() && wanted.width.unwrap_or(1) == 1 => {
                let byte = self.ask(request, Ty::CHAR) as u8;
                self.arrives(stream, Some(byte), at)?;
                self.spelt(stream, &[byte]);
                self.write_text(to, &[byte], at)?;
                Ok(None)
            }
            (b's' | b'[', Some(to)) if wanted.modifier.is_empty() => {
                self.any_word(request, wanted, to)
            }
            (_, Some(_)) => unsupported("this format", at),
            // What is read and not kept may be of any length.
            (b'c', None) => Ok(None),
            (b's' | b'[', None) if wanted.width.is_none() => {
                Ok(Some(characters(|byte| wanted.has(byte))))
            }
            (_, None) => Ok(digits),
        }
    }

    /// What a stream holds where this has been read.
    fn spelt(&mut self, stream: Stream, text: &[u8]) {
        if stream.may_be_input() {
            self.outside.read(text);
        }
    }

    fn any_word(
        &mut self,
        request: Request,
        wanted: &Wanted,
        to: Scalar,
    ) -> Step<Option<Characters>> {
        let most = wanted.width.map_or(PLAUSIBLE, i128::from);
        let length = self.ask(request, Ty::ULONG);
        let length = match (1..=most).contains(&length) {
            true => length,
            false => 1 + length.rem_euclid(most.min(64)),
        };
        let Some(other) = (0..=255u8).rev().map(|b| b ^ 0x9e).find(|&b| wanted.has(b)) else {
            return unsupported("an empty set of characters", request.at);
        };
        let stream = stream_of(request).unwrap_or(Stream::Input);
        if wanted.letter == b's' {
            self.spelt(stream, b" ");
        }
        for index in 0..length as u64 {
            let byte = self.ask(request, Ty::CHAR) as u8;
            let byte = if wanted.has(byte) { byte } else { other };
            if index == 0 && wanted.letter == b'[' {
                self.arrives(stream, Some(byte), request.at)?;
            }
            self.spelt(stream, &[byte]);
            self.write_text(self.moved(to, index), &[byte], request.at)?;
        }
        self.write_text(self.moved(to, length as u64), &[0], request.at)?;
        let is_cut = wanted.width.map(i128::from) == Some(length);
        Ok((!is_cut).then(|| characters(|byte| wanted.has(byte))))
    }

    pub(super) fn scan_text(
        &mut self,
        request: Request,
        format: &[u8],
        values: &mut Values,
    ) -> Given {
        let Some(start) = request.arguments.scalar(0) else { return not_here() };
        let text = self.string(start, u64::MAX, request.at)?;
        let (mut input, mut rest, mut count) = (&text[..], format, 0);
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            let progress = match byte {
                byte if is_blank(byte) => {
                    take_while(&mut input, is_blank);
                    Progress::On
                }
                b'%' if rest.starts_with(b"%") => {
                    rest = &rest[1..];
                    take_while(&mut input, is_blank);
                    self::literal(&mut input, b'%')
                }
                b'%' => {
                    let Some(next) = wanted(&mut rest) else {
                        return unsupported("this format", request.at);
                    };
                    let used = text.len() - input.len();
                    let progress = self.scanned(request, &next, (&mut input, used), values)?;
                    let is_counted = next.is_kept && next.letter != b'n';
                    count += i128::from(is_counted && matches!(progress, Progress::On));
                    progress
                }
                byte => literal(&mut input, byte),
            };
            match progress {
                Progress::On => {}
                Progress::Mismatch => break,
                Progress::End => {
                    return self.given_number(request, if count == 0 { -1 } else { count });
                }
            }
        }
        self.given_number(request, count)
    }

    /// One conversion of a text of which so much has been used.
    fn scanned(
        &mut self,
        request: Request,
        wanted: &Wanted,
        (input, used): (&mut &[u8], usize),
        values: &mut Values,
    ) -> Step<Progress> {
        let at = request.at;
        if wanted.letter == b'n' {
            let Some((ty, _)) = self.modified(wanted.modifier) else {
                return unsupported("this format", at);
            };
            let to = self.next_pointer(values, at)?;
            self.store_number(to, used as i128, ty, at)?;
            return Ok(Progress::On);
        }
        if !matches!(wanted.letter, b'c' | b'[') {
            take_while(input, is_blank);
        }
        if input.is_empty() {
            return Ok(Progress::End);
        }
        let to = match wanted.is_kept {
            true => Some(self.next_pointer(values, at)?),
            false => None,
        };
        let room = wanted.width.map_or(usize::MAX, |width| width as usize).min(input.len());
        match wanted.letter {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let Some((ty, _)) = self.modified(wanted.modifier) else {
                    return unsupported("this format", at);
                };
                let Some((length, value)) = self.number_in(&input[..room], wanted.letter, ty)
                else {
                    return Ok(Progress::Mismatch);
                };
                *input = &input[length..];
                if let Some(to) = to {
                    self.store_number(to, value, ty, at)?;
                }
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
                if wanted.width.is_some() || !matches!(wanted.modifier, "" | "l") {
                    return unsupported("this format", at);
                }
                return self.float_scanned(input, wanted.modifier.is_empty(), to, at);
            }
            b'c' | b's' | b'[' if wanted.modifier.is_empty() => {
                let is_one = wanted.letter == b'c';
                let room = if is_one && wanted.width.is_none() { 1 } else { room };
                let mut piece = &input[..room];
                let word = take_while(&mut piece, |byte| match (&wanted.set, is_one) {
                    (Some(set), _) => set.has(byte),
                    (None, is_one) => is_one || !is_blank(byte),
                });
                if word.is_empty() {
                    return Ok(Progress::Mismatch);
                }
                *input = &input[word.len()..];
                if let Some(to) = to {
                    self.write_text(to, word, at)?;
                    if !is_one {
                        self.write_text(self.moved(to, word.len() as u64), &[0], at)?;
                    }
                }
            }
            _ => return unsupported("this format", at),
        }
        Ok(Progress::On)
    }

    /// The number at the beginning of a text: how long it is, and its value. As in glibc, it is
    /// brought into the range of `long`, or of `long long` if that is asked for.
    fn number_in(&self, text: &[u8], letter: u8, ty: Ty) -> Option<(usize, i128)> {
        let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
        let negative = text.first() == Some(&b'-');
        let unsigned = &text[sign..];
        let has_prefix = matches!(unsigned, [b'0', b'x' | b'X', ..]);
        let (skipped, base) = match letter {
            b'x' | b'X' => (if has_prefix { 2 } else { 0 }, 16),
            b'i' if has_prefix => (2, 16),
            b'i' if unsigned.starts_with(b"0") => (0, 8),
            b'o' => (0, 8),
            _ => (0, 10),
        };
        let digits = unsigned[skipped..].iter().map_while(|&byte| (byte as char).to_digit(base));
        let (mut value, mut length) = (0u128, 0);
        for digit in digits {
            value = (value * u128::from(base) + u128::from(digit)).min(1 << 70);
            length += 1;
        }
        if length == 0 {
            return None;
        }
        let long = self.program.types.int_format(Ty::LONG)?.width;
        let bits = if self.program.types.int_format(ty)?.width == 64 { 64 } else { long };
        let value = match matches!(letter, b'd' | b'i') {
            true => {
                let most = 1i128 << (bits - 1);
                let value = if negative { -(value as i128) } else { value as i128 };
                value.clamp(-most, most - 1)
            }
            false if value >> bits != 0 => (1i128 << bits) - 1,
            false => {
                if negative {
                    -(value as i128)
                } else {
                    value as i128
                }
            }
        };
        Some((sign + skipped + length, value))
    }

    fn float_scanned(
        &mut self,
        input: &mut &[u8],
        is_float: bool,
        to: Option<Scalar>,
        at: Position,
    ) -> Step<Progress> {
        let Some((length, digits)) = super::super::numbers::float_in(input) else {
            return unsupported("a number other than a decimal one", at);
        };
        if length == 0 {
            return Ok(Progress::Mismatch);
        }
        if matches!(input.get(length), Some(b'e' | b'E')) {
            return unsupported("a number with half an exponent", at);
        }
        let (ty, kind) = match is_float {
            true => (Ty::FLOAT, FloatKind::Float),
            false => (Ty::DOUBLE, FloatKind::Double),
        };
        let bits = float::parse(digits, kind).unwrap_or(0);
        *input = &input[length..];
        if let Some(to) = to {
            self.store_at(to, Scalar::number(bits), ty, at)?;
        }
        Ok(Progress::On)
    }
}

/// A number of so many bits as a format reads it, after a blank.
fn spelling(value: i128, letter: u8, bits: u32) -> Vec<u8> {
    let unsigned = value.rem_euclid(1 << bits);
    match letter {
        b'd' | b'i' => format!(" {value}"),
        b'u' => format!(" {unsigned}"),
        b'o' => format!(" {unsigned:o}"),
        _ => format!(" {unsigned:x}"),
    }
    .into_bytes()
}

/// A character that has to be there.
fn literal(input: &mut &[u8], byte: u8) -> Progress {
    match input.split_first() {
        None => Progress::End,
        Some((&first, rest)) if first == byte => {
            *input = rest;
            Progress::On
        }
        Some(_) => Progress::Mismatch,
    }
}

/// A number of so many bits that can be written with so many characters.
fn within(value: i128, letter: u8, width: u64, bits: u32) -> i128 {
    let base: i128 = match letter {
        b'o' => 8,
        b'x' | b'X' => 16,
        _ => 10,
    };
    let most = |digits: u64| (0..digits.min(40)).fold(1i128, |p, _| (p * base).min(1 << 80)) - 1;
    let (low, high) = (most(width - 1), most(width));
    let range = 1i128 << bits;
    let is_signed = matches!(letter, b'd' | b'i');
    if high >= range >> u32::from(is_signed) {
        return value;
    }
    let unsigned = value.rem_euclid(range);
    let fits = match is_signed {
        true => (-low..=high).contains(&value),
        false => unsigned <= high || range - unsigned <= low,
    };
    if fits { value } else { unsigned % (high + 1) }
}
