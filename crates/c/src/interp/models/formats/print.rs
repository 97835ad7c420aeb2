//! `printf` and its like.

use super::super::programs::{Given, Request};
use super::{Values, as_text, floats, take_while};
use crate::interp::exec::Interpreter;
use crate::interp::outcome::{Step, unsupported};
use crate::interp::value::Scalar;
use crate::types::Ty;

/// The most characters that are asked for where a number with a fraction is printed.
const MOST_CHARACTERS: i128 = 10_000;

/// What stands between `%` and the letter.
#[derive(Default)]
struct Manner {
    flags: Vec<u8>,
    width: Option<i64>,
    precision: Option<i64>,
}

impl Manner {
    fn has(&self, flag: u8) -> bool {
        self.flags.contains(&flag)
    }

    /// Fills up to the width: blanks before or behind, or zeros between `prefix` and the rest.
    fn filled(&self, prefix: &str, rest: &[u8], zeros: bool) -> Vec<u8> {
        let width = self.width.map_or(0, i64::unsigned_abs) as usize;
        let missing = width.saturating_sub(prefix.len() + rest.len());
        let left = self.has(b'-') || self.width.is_some_and(|width| width < 0);
        let (before, between, behind) = match (left, zeros && self.has(b'0')) {
            (true, _) => (0, 0, missing),
            (false, true) => (0, missing, 0),
            (false, false) => (missing, 0, 0),
        };
        let fill = |byte: u8, count: usize| std::iter::repeat_n(byte, count);
        let text = fill(b' ', before).chain(prefix.bytes()).chain(fill(b'0', between));
        text.chain(rest.iter().copied()).chain(fill(b' ', behind)).collect()
    }

    /// What stands before a number that is not negative.
    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.has(b'+'), self.has(b' ')) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    /// The digits of an integer with the zeros that the precision asks for.
    fn integer(&self, prefix: &str, digits: String) -> Vec<u8> {
        let precision = self.precision.filter(|precision| *precision >= 0);
        let digits = match precision {
            Some(0) if digits == "0" => String::new(),
            Some(precision) => format!("{digits:0>width$}", width = precision as usize),
            None => digits,
        };
        self.filled(prefix, digits.as_bytes(), precision.is_none())
    }
}

impl Interpreter<'_, '_> {
    pub(super) fn print(
        &mut self,
        request: Request,
        plain: &str,
        format: &[u8],
        values: &mut Values,
    ) -> Given {
        let at = request.at;
        let mut text = Vec::new();
        let mut rest = format;
        while !rest.is_empty() {
            text.extend_from_slice(take_while(&mut rest, |byte| byte != b'%'));
            if let Some((_, after)) = rest.split_first() {
                rest = after;
                self.conversion(request, &mut rest, values, &mut text)?;
            }
        }
        let length = text.len() as i128;
        text.push(0);
        match plain {
            "sprintf" | "snprintf" => {
                let to = request.arguments.scalar(0).unwrap_or(Scalar::number(0));
                if plain == "snprintf" {
                    let room = request.arguments.size(1).unwrap_or(0);
                    if let Some(last) = room.checked_sub(1).filter(|last| *last < length as u64) {
                        text.truncate(last as usize);
                        text.push(0);
                    }
                    if room == 0 {
                        text.clear();
                    }
                }
                for (index, byte) in text.iter().enumerate() {
                    self.write_text(self.moved(to, index as u64), &[*byte], at)?;
                }
                self.given_number(request, length)
            }
            "asprintf" => {
                let place = request.arguments.scalar(0).unwrap_or(Scalar::number(0));
                let to = self.unwritten_on_heap(text.len() as u64, at)?;
                self.write_text(to, &text, at)?;
                self.write_pointer(place, to, at)?;
                self.given_number(request, length)
            }
            _ => match self.ask(request, Ty::CHAR) & 1 {
                1 => self.given_number(request, -1),
                _ => self.given_number(request, length),
            },
        }
    }

    /// A width or precision.
    fn amount(
        &mut self,
        request: Request,
        rest: &mut &[u8],
        values: &mut Values,
    ) -> Step<Option<i64>> {
        if let Some(after) = rest.strip_prefix(b"*") {
            *rest = after;
            let amount = self.next_value(values, Ty::INT, request.at)?;
            return Ok(Some(i64::from(amount.bits as u32 as i32)));
        }
        match as_text(take_while(rest, |byte| byte.is_ascii_digit())) {
            "" => Ok(None),
            digits => match digits.parse::<i32>() {
                Ok(amount) => Ok(Some(i64::from(amount))),
                Err(_) => unsupported("a width beyond all numbers", request.at),
            },
        }
    }

    /// One conversion; what it writes is added to the text.
    fn conversion(
        &mut self,
        request: Request,
        rest: &mut &[u8],
        values: &mut Values,
        text: &mut Vec<u8>,
    ) -> Step<()> {
        let at = request.at;
        let mut manner = Manner {
            flags: take_while(rest, |b| b"-+ #0".contains(&b)).to_vec(),
            ..Manner::default()
        };
        manner.width = self.amount(request, rest, values)?;
        if let Some(after) = rest.strip_prefix(b".") {
            *rest = after;
            manner.precision = Some(self.amount(request, rest, values)?.unwrap_or(0));
        }
        let modifier = as_text(take_while(rest, |byte| b"hljztLq".contains(&byte)));
        let Some((&letter, after)) = rest.split_first() else {
            return unsupported("a format that ends too early", at);
        };
        *rest = after;
        let unknown = || unsupported(format!("`%{modifier}{}`", letter as char), at);
        match letter {
            b'%' => text.push(b'%'),
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let Some((ty, width)) = self.modified(modifier) else { return unknown() };
                let passed = if width < 32 { Ty::INT } else { ty };
                let bits = self.next_value(values, passed, at)?.bits;
                text.extend(integer(&manner, letter, bits, width));
            }
            b'c' if modifier.is_empty() => {
                let value = self.next_value(values, Ty::INT, at)?;
                text.extend(manner.filled("", &[value.bits as u8], false));
            }
            b's' if modifier.is_empty() => {
                let from = self.next_pointer(values, at)?;
                let most = manner.precision.and_then(|most| u64::try_from(most).ok());
                let string = self.string(from, most.unwrap_or(u64::MAX), at)?;
                text.extend(manner.filled("", &string, false));
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' if matches!(modifier, "" | "l") => {
                let bits = self.next_value(values, Ty::DOUBLE, at)?.bits;
                self.ask_for_text(request);
                let value = f64::from_bits(bits as u64);
                let precision = manner.precision.and_then(|amount| usize::try_from(amount).ok());
                let digits = floats::magnitude(value, letter, precision, manner.has(b'#'));
                let sign = manner.sign(value.is_sign_negative());
                text.extend(manner.filled(sign, digits.as_bytes(), value.is_finite()));
            }
            b'n' => {
                let Some((ty, _)) = self.modified(modifier) else { return unknown() };
                let to = self.next_pointer(values, at)?;
                self.store_number(to, text.len() as i128, ty, at)?;
            }
            _ => return unknown(),
        }
        Ok(())
    }

    /// The other side has any text here; what is chosen for it does not matter.
    fn ask_for_text(&mut self, request: Request) {
        let length = self.ask(request, Ty::ULONG);
        if (1..=MOST_CHARACTERS).contains(&length) {
            (0..length).for_each(|_| {
                self.ask(request, Ty::CHAR);
            });
        }
    }
}

/// An integer of so many bits.
fn integer(manner: &Manner, letter: u8, bits: u128, width: u32) -> Vec<u8> {
    let shift = 64 - width;
    let unsigned = (bits as u64) << shift >> shift;
    let signed = ((bits as u64) << shift) as i64 >> shift;
    match letter {
        b'd' | b'i' => manner.integer(manner.sign(signed < 0), signed.unsigned_abs().to_string()),
        b'u' => manner.integer("", unsigned.to_string()),
        b'o' => {
            let digits = format!("{unsigned:o}");
            let precision = manner.precision.unwrap_or(1).max(0) as usize;
            let lacks_zero = digits.len() >= precision && (unsigned != 0 || precision == 0);
            match manner.has(b'#') && lacks_zero {
                // Not a number any more, so that a precision of 0 does not remove it.
                true => manner.integer_with_zero(digits),
                false => manner.integer("", digits),
            }
        }
        _ => {
            let digits =
                if letter == b'X' { format!("{unsigned:X}") } else { format!("{unsigned:x}") };
            let prefix = match (manner.has(b'#') && unsigned != 0, letter) {
                (true, b'X') => "0X",
                (true, _) => "0x",
                (false, _) => "",
            };
            manner.integer(prefix, digits)
        }
    }
}

impl Manner {
    /// An octal number that begins with the zero of `%#o`.
    fn integer_with_zero(&self, digits: String) -> Vec<u8> {
        let digits = if digits == "0" { digits } else { format!("0{digits}") };
        self.filled("", digits.as_bytes(), self.precision.is_none_or(|precision| precision < 0))
    }
}
