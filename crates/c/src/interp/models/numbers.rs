//! Parsing and dividing numbers, bytes in network order, random numbers.

use super::programs::{Given, Request, given, not_here};
use super::streams::is_blank;
use crate::arith::{float, int};
use crate::interp::exec::Interpreter;
use crate::interp::outcome::{Step, Undefined, undefined, unsupported};
use crate::interp::value::{Byte, Scalar, Value};
use crate::types::{FloatKind, Ty};
use std::num::FpCategory;

const INVALID: i128 = 22;
const OUT_OF_RANGE: i128 = 34;

/// An integer at the beginning of a text.
pub(super) struct Parsed {
    pub negative: bool,
    /// Large ones are cut off far beyond every type.
    pub magnitude: i128,
    /// Characters used, blanks included; 0 if there is no number.
    pub length: usize,
}

impl Interpreter<'_, '_> {
    pub(super) fn number_function(&mut self, request: Request) -> Given {
        let Some(first) = request.arguments.scalar(0) else {
            return match request.name {
                "drand48" => self.unit_interval(request),
                _ => not_here(),
            };
        };
        let value = first.bits;
        match request.name {
            "atoi" | "atol" | "atoll" => self.decimal(request, first),
            "strtol" | "strtoll" | "strtoul" | "strtoull" | "strtoimax" | "strtoumax" => {
                self.text_to_integer(request, first)
            }
            "strtod" | "atof" => self.text_to_float(request, first, FloatKind::Double),
            "strtof" => self.text_to_float(request, first, FloatKind::Float),
            "div" | "ldiv" | "lldiv" | "imaxdiv" => self.both_quotients(request),
            "ffs" | "ffsl" | "ffsll" => {
                let place = if value == 0 { 0 } else { value.trailing_zeros() + 1 };
                self.given_number(request, place as i128)
            }
            "nextafter" => self.neighbour(request, 64),
            "nextafterf" => self.neighbour(request, 32),
            "isascii" => self.given_number(request, i128::from(value as u32 & !127 == 0)),
            "toascii" => self.given_number(request, (value & 127) as i128),
            "htonl" | "ntohl" => self.given_number(request, (value as u32).swap_bytes() as i128),
            "htons" | "ntohs" => self.given_number(request, (value as u16).swap_bytes() as i128),
            "difftime" => self.seconds_between(request),
            "rand_r" => {
                let number = self.ask_between(request, Ty::INT, 0, i32::MAX as i128);
                let seed = self.ask(request, Ty::UINT);
                self.store_number(first, seed, Ty::UINT, request.at)?;
                self.given_number(request, number)
            }
            _ => not_here(),
        }
    }

    fn unit_interval(&mut self, request: Request) -> Given {
        let number = f64::from_bits(self.ask(request, Ty::DOUBLE) as u64);
        let inside = if (0.0..1.0).contains(&number) { number } else { 0.5 };
        given(Scalar::number(inside.to_bits() as u128))
    }

    /// The next number in the direction of another one. The bits of a magnitude, taken as a number,
    /// are in the order of the magnitudes.
    fn neighbour(&mut self, request: Request, width: u32) -> Given {
        let (Some(x), Some(y)) = (request.arguments.scalar(0), request.arguments.scalar(1)) else {
            return not_here();
        };
        let top = 1u128 << (width - 1);
        let infinity = if width == 64 { 0x7ff0u128 << 48 } else { 0x7f80u128 << 16 };
        let order = |bits: u128| match bits & top {
            0 => bits as i128,
            _ => -((bits & !top) as i128),
        };
        let (from, to) = (order(x.bits), order(y.bits));
        let is_nan = |bits: u128| bits & !top > infinity;
        if is_nan(x.bits) || is_nan(y.bits) {
            let quiet = infinity | infinity >> 1 & !infinity;
            return given(Scalar::number(
                if is_nan(x.bits) { x.bits } else { y.bits } | quiet & !infinity,
            ));
        }
        if from == to {
            return given(y);
        }
        let next = if from < to { from + 1 } else { from - 1 };
        let is_negative = next < 0 || next == 0 && x.bits & top != 0;
        let bits = next.unsigned_abs() | if is_negative { top } else { 0 };
        given(Scalar::number(bits))
    }

    fn seconds_between(&mut self, request: Request) -> Given {
        let Some(format) = request.arguments.ty(0).and_then(|ty| self.program.types.int_format(ty))
        else {
            return not_here();
        };
        let number = |bits: u128| int::extend(bits, format) as i128 as f64;
        let (Some(a), Some(b)) = (request.arguments.scalar(0), request.arguments.scalar(1)) else {
            return not_here();
        };
        given(Scalar::number((number(a.bits) - number(b.bits)).to_bits() as u128))
    }

    fn decimal(&mut self, request: Request, text: Scalar) -> Given {
        let text = self.string(text, u64::MAX, request.at)?;
        let parsed = integer_in(&text, 10);
        let long = if request.name == "atoll" { Ty::LLONG } else { Ty::LONG };
        let most = self.largest(long, true);
        self.given_number(request, limited(&parsed, most).0)
    }

    fn largest(&self, ty: Ty, signed: bool) -> i128 {
        let width = self.program.types.int_format(ty).map_or(32, |format| format.width);
        (1i128 << (width - u32::from(signed))) - 1
    }

    fn text_to_integer(&mut self, request: Request, start: Scalar) -> Given {
        let at = request.at;
        let (Some(end), Some(base)) = (request.arguments.scalar(1), request.arguments.scalar(2))
        else {
            return not_here();
        };
        let base = base.bits as u32 as i32;
        if base < 0 || base == 1 || base > 36 {
            self.set_error(INVALID, at)?;
            return self.given_number(request, 0);
        }
        let text = self.string(start, u64::MAX, at)?;
        let parsed = integer_in(&text, base as u32);
        if end.bits != 0 {
            let rest = self.moved(start, parsed.length as u64);
            self.write_pointer(end, rest, at)?;
        }
        let ty = request.result.unwrap_or(Ty::LONG);
        let signed = self.program.types.int_format(ty).is_some_and(|format| format.signed);
        let most = self.largest(ty, signed);
        let (value, over) = match signed {
            true => limited(&parsed, most),
            false if parsed.magnitude > most => (most, true),
            false if parsed.negative => (-parsed.magnitude, false),
            false => (parsed.magnitude, false),
        };
        if over {
            self.set_error(OUT_OF_RANGE, at)?;
        }
        self.given_number(request, value)
    }

    /// `strtod`, `strtof` and `atof` for decimal numbers that are neither too large nor too small.
    fn text_to_float(&mut self, request: Request, start: Scalar, kind: FloatKind) -> Given {
        let at = request.at;
        let text = self.string(start, u64::MAX, at)?;
        let Some((length, number)) = float_in(&text) else {
            return unsupported("a number other than a decimal one", at);
        };
        if let Some(end) = request.arguments.scalar(1).filter(|end| end.bits != 0) {
            let rest = self.moved(start, length as u64);
            self.write_pointer(end, rest, at)?;
        }
        let bits = match number {
            "" => 0,
            digits => float::parse(digits, kind).unwrap_or(0),
        };
        let value = match kind {
            FloatKind::Float => f32::from_bits(bits as u32).classify(),
            _ => f64::from_bits(bits as u64).classify(),
        };
        let digits = number.split(['e', 'E']).next().unwrap_or("");
        let is_zero = !digits.contains(|c: char| ('1'..='9').contains(&c));
        if !(value == FpCategory::Normal || value == FpCategory::Zero && is_zero) {
            return unsupported("a number beyond the range of its type", at);
        }
        given(Scalar::number(bits))
    }

    /// `div`: the quotient and the remainder, one after the other.
    fn both_quotients(&mut self, request: Request) -> Given {
        let ty = request.arguments.ty(0);
        let Some(format) = ty.and_then(|ty| self.program.types.int_format(ty)) else {
            return not_here();
        };
        let number = |index: usize| {
            request.arguments.scalar(index).map(|value| int::extend(value.bits, format) as i128)
        };
        let (Some(a), Some(b)) = (number(0), number(1)) else { return not_here() };
        if b == 0 || b == -1 && a == -1 << (format.width - 1) {
            return undefined(Undefined::DivisionByZero, request.at);
        }
        let size = format.width as usize / 8;
        let parts = [a / b, a % b].map(|part| part.to_le_bytes()[..size].to_vec()).concat();
        let bytes = parts.into_iter().map(Byte::known);
        Ok(Some(Some(Value::Bytes(bytes.collect()))))
    }

    /// `errno` gets a value, if the program has it.
    pub(super) fn set_error(&mut self, number: i128, at: crate::source::Position) -> Step<()> {
        match self.program.error_number() {
            Some(id) => {
                let place = self.memory.pointer(self.globals[id.0 as usize]);
                self.store_number(place, number, Ty::INT, at)
            }
            None => Ok(()),
        }
    }

    /// Something has failed: `errno` may say why.
    pub(super) fn fail(&mut self, request: Request) -> Step<()> {
        let number = self.ask(request, Ty::INT);
        match (1..=133).contains(&number) {
            true => self.set_error(number, request.at),
            false => Ok(()),
        }
    }
}

/// A signed number within its type, and whether it had to be changed.
fn limited(parsed: &Parsed, most: i128) -> (i128, bool) {
    let value = if parsed.negative { -parsed.magnitude } else { parsed.magnitude };
    let inside = value.clamp(-most - 1, most);
    (inside, inside != value)
}

/// The integer at the beginning of a text; base 0 goes by the prefix.
pub(super) fn integer_in(text: &[u8], base: u32) -> Parsed {
    let blanks = text.iter().take_while(|&&byte| is_blank(byte)).count();
    let mut rest = &text[blanks..];
    let sign = rest.first().copied().filter(|byte| matches!(byte, b'-' | b'+'));
    rest = &rest[usize::from(sign.is_some())..];
    let is_hexadecimal =
        matches!(rest, [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit());
    let base = match base {
        0 | 16 if is_hexadecimal => {
            rest = &rest[2..];
            16
        }
        0 if rest.first() == Some(&b'0') => 8,
        0 => 10,
        base => base,
    };
    let digits = rest.iter().map_while(|&byte| (byte as char).to_digit(base));
    let (mut magnitude, mut count) = (0i128, 0);
    for digit in digits {
        magnitude = (magnitude * base as i128 + digit as i128).min(1 << 100);
        count += 1;
    }
    let length = if count == 0 { 0 } else { text.len() - rest.len() + count };
    Parsed { negative: sign == Some(b'-'), magnitude, length }
}

/// The decimal number at the beginning of a text: its end, and the number itself, which is empty if
/// there is none; `None` for numbers in other forms.
pub(super) fn float_in(text: &[u8]) -> Option<(usize, &str)> {
    let blanks = text.iter().take_while(|&&byte| is_blank(byte)).count();
    let mut end = blanks;
    let byte = |index: usize| text.get(index).copied().unwrap_or(0);
    let digits = |from: usize| text[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    if matches!(byte(end), b'-' | b'+') {
        end += 1;
    }
    if matches!(byte(end), b'i' | b'I' | b'n' | b'N') {
        return None;
    }
    if byte(end) == b'0' && matches!(byte(end + 1), b'x' | b'X') {
        return None;
    }
    let whole = digits(end);
    end += whole;
    let mut count = whole;
    if byte(end) == b'.' {
        let fraction = digits(end + 1);
        count += fraction;
        if count > 0 {
            end += 1 + fraction;
        }
    }
    if count == 0 {
        return Some((0, ""));
    }
    if matches!(byte(end), b'e' | b'E') {
        let sign = usize::from(matches!(byte(end + 1), b'-' | b'+'));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    Some((end, std::str::from_utf8(&text[blanks..end]).ok()?))
}
