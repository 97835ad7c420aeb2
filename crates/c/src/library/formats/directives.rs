//! The parts of a format (C11 7.21.6.1 and 7.21.6.2). What is not understood is none.

/// A part of a format for printing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Printed {
    Byte(u8),
    Value(Conversion),
}

/// A width or a precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    None,
    Number(u64),
    /// `*`: an argument.
    Argument,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conversion {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub zero: bool,
    pub width: Amount,
    pub precision: Amount,
    pub what: What,
}

/// What is printed. Sizes are in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    Signed(u64),
    Unsigned {
        size: u64,
        base: u64,
        upper: bool,
    },
    Float {
        long: bool,
    },
    Character,
    Text,
    /// `%n`
    Count(u64),
}

/// A part of a format for reading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scanned {
    Blanks,
    Byte(u8),
    /// `%%`, which skips blanks.
    Percent,
    Value {
        is_kept: bool,
        width: Option<u64>,
        what: Input,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// Base 0 goes by the prefix.
    Integer {
        size: u64,
        base: u32,
        signed: bool,
    },
    /// `float` or `double`.
    Float(u64),
    Characters,
    Word,
    /// The characters that belong to it.
    Set(Vec<bool>),
    Count(u64),
}

/// A format that is read from left to right.
struct Reader<'f> {
    rest: &'f [u8],
    long: u64,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.rest.first() == Some(&byte);
        self.rest = &self.rest[usize::from(is_next)..];
        is_next
    }

    fn number(&mut self) -> Option<u64> {
        let count = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.rest.split_at(count);
        let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
        self.rest = rest;
        Some(number)
    }

    /// The length modifier: the size of integers, and whether there is a modifier for floats.
    fn length(&mut self) -> (u64, Option<u8>) {
        for (text, size) in [
            (&b"hh"[..], 1),
            (b"h", 2),
            (b"ll", 8),
            (b"l", self.long),
            (b"j", 8),
            (b"z", self.long),
            (b"t", self.long),
            (b"L", 8),
            (b"q", 8),
        ] {
            if let Some(rest) = self.rest.strip_prefix(text) {
                self.rest = rest;
                return (size, text.first().copied());
            }
        }
        (4, None)
    }

    fn amount(&mut self) -> Amount {
        match self.eat(b'*') {
            true => Amount::Argument,
            false => self.number().map_or(Amount::None, Amount::Number),
        }
    }

    fn printed(&mut self) -> Option<Printed> {
        let (mut left, mut plus, mut space, mut alternate, mut zero) = Default::default();
        loop {
            match self.rest.first()? {
                b'-' => left = true,
                b'+' => plus = true,
                b' ' => space = true,
                b'#' => alternate = true,
                b'0' => zero = true,
                _ => break,
            }
            self.next();
        }
        let width = self.amount();
        let precision = match self.eat(b'.') {
            true => match self.amount() {
                Amount::None => Amount::Number(0),
                amount => amount,
            },
            false => Amount::None,
        };
        let (size, modifier) = self.length();
        let is_plain = modifier.is_none();
        let unsigned = |base: u64, upper: bool| What::Unsigned { size, base, upper };
        let what = match self.next()? {
            b'%' => return Some(Printed::Byte(b'%')),
            b'd' | b'i' => What::Signed(size),
            b'u' => unsigned(10, false),
            b'x' => unsigned(16, false),
            b'X' => unsigned(16, true),
            b'o' => unsigned(8, false),
            b'c' if is_plain => What::Character,
            b's' if is_plain => What::Text,
            b'n' => What::Count(size),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => What::Float { long: modifier == Some(b'L') },
            _ => return None,
        };
        let value = Conversion { left, plus, space, alternate, zero, width, precision, what };
        Some(Printed::Value(value))
    }

    fn scanned(&mut self) -> Option<Scanned> {
        if self.eat(b'%') {
            return Some(Scanned::Percent);
        }
        let is_kept = !self.eat(b'*');
        let width = self.number();
        if width == Some(0) {
            return None;
        }
        let (size, modifier) = self.length();
        let integer = |base: u32, signed: bool| Input::Integer { size, base, signed };
        let what = match self.next()? {
            b'd' => integer(10, true),
            b'i' => integer(0, true),
            b'u' => integer(10, false),
            b'x' | b'X' => integer(16, false),
            b'o' => integer(8, false),
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => match modifier {
                None => Input::Float(4),
                Some(b'l') => Input::Float(8),
                _ => return None,
            },
            b'c' if modifier.is_none() => Input::Characters,
            b's' if modifier.is_none() => Input::Word,
            b'[' if modifier.is_none() => Input::Set(self.set()?),
            b'n' if is_kept && width.is_none() => Input::Count(size),
            _ => return None,
        };
        Some(Scanned::Value { is_kept, width, what })
    }

    /// The rest of `%[...]`. A hyphen between two characters makes a range, as in glibc.
    fn set(&mut self) -> Option<Vec<bool>> {
        let is_complement = self.eat(b'^');
        let mut members = Vec::new();
        loop {
            match self.next()? {
                b']' if !members.is_empty() => break,
                byte => members.push(byte),
            }
        }
        let mut set = vec![is_complement; 256];
        let mut rest = &members[..];
        while let Some((&first, after)) = rest.split_first() {
            let (last, after) = match after {
                [b'-', last, after @ ..] if first <= *last => (*last, after),
                _ => (first, after),
            };
            set[first as usize..=last as usize].fill(!is_complement);
            rest = after;
        }
        Some(set)
    }
}

/// The parts of a format for printing; `long` is the size of `long`.
pub fn printing(format: &[u8], long: u64) -> Option<Vec<Printed>> {
    let mut reader = Reader { rest: format, long };
    let mut parts = Vec::new();
    while let Some(byte) = reader.next() {
        parts.push(match byte {
            b'%' => reader.printed()?,
            byte => Printed::Byte(byte),
        });
    }
    Some(parts)
}

/// The parts of a format for reading.
pub fn scanning(format: &[u8], long: u64) -> Option<Vec<Scanned>> {
    let mut reader = Reader { rest: format, long };
    let mut parts = Vec::new();
    while let Some(byte) = reader.next() {
        parts.push(match byte {
            b'%' => reader.scanned()?,
            b' ' | b'\t'..=b'\r' => Scanned::Blanks,
            byte => Scanned::Byte(byte),
        });
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_for_printing_are_understood_or_refused() {
        let parts = printing(b"a%-05.*hhd%%", 8).unwrap();
        let Printed::Value(value) = &parts[1] else { panic!() };
        assert!(value.left && value.zero && !value.plus);
        assert_eq!((value.width, value.precision), (Amount::Number(5), Amount::Argument));
        assert_eq!(value.what, What::Signed(1));
        assert_eq!(parts[2], Printed::Byte(b'%'));
        for refused in ["%p", "%ls", "%2$d", "%", "%m", "%'d", "%a"] {
            assert_eq!(printing(refused.as_bytes(), 8), None, "{refused}");
        }
    }

    #[test]
    fn sets_have_ranges() {
        let parts = scanning(b" %3[]a-c-]", 8).unwrap();
        let Scanned::Value { width: Some(3), what: Input::Set(set), .. } = &parts[1] else {
            panic!()
        };
        let members: Vec<usize> = (0..256).filter(|&c| set[c]).collect();
        assert_eq!(members, [45, 93, 97, 98, 99]);
        for refused in ["%p", "%mc", "%0d", "%[a", "%lc", "%Lf"] {
            assert_eq!(scanning(refused.as_bytes(), 8), None, "{refused}");
        }
    }
}
