//! Character and string literals.
//!
//! The lexer reads a literal into its code units and writes it back in one canonical form, plain
//! ASCII with octal escapes (hexadecimal ones in wide literals), which the grammar accepts and the
//! typing decodes with the functions below. So bytes above 127, universal character names and GNU
//! escapes are dealt with in one place.

/// The encoding prefix of a literal (C11 6.4.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// No prefix, or `u8`: bytes.
    Narrow,
    /// `L`: `wchar_t`.
    Wide,
    /// `u`: 16-bit units.
    Utf16,
    /// `U`: 32-bit units.
    Utf32,
}

impl Encoding {
    /// The encoding that `prefix` stands for; `None` if it is not an encoding prefix.
    pub fn of_prefix(prefix: &str) -> Option<Encoding> {
        Some(match prefix {
            "" | "u8" => Encoding::Narrow,
            "L" => Encoding::Wide,
            "u" => Encoding::Utf16,
            "U" => Encoding::Utf32,
            _ => return None,
        })
    }

    fn prefix(self) -> &'static str {
        match self {
            Encoding::Narrow => "",
            Encoding::Wide => "L",
            Encoding::Utf16 => "u",
            Encoding::Utf32 => "U",
        }
    }

    /// Appends the code units of a character.
    fn encode(self, character: char, units: &mut Vec<u32>) {
        match self {
            Encoding::Narrow => {
                units.extend(character.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
            }
            Encoding::Utf16 => {
                units.extend(character.encode_utf16(&mut [0; 2]).iter().map(|&unit| unit as u32));
            }
            Encoding::Wide | Encoding::Utf32 => units.push(character as u32),
        }
    }

    fn unit_mask(self) -> u32 {
        match self {
            Encoding::Narrow => 0xff,
            Encoding::Utf16 => 0xffff,
            Encoding::Wide | Encoding::Utf32 => u32::MAX,
        }
    }
}

/// The code units of the text between the quotes of a literal as it stands in the source.
pub fn units(body: &[u8], encoding: Encoding) -> Result<Vec<u32>, String> {
    let mut units = Vec::new();
    let mut rest = body;
    while let Some((&first, tail)) = rest.split_first() {
        if first == b'\\' {
            rest = escape(tail, encoding, &mut units)?;
        } else if first < 128 || encoding == Encoding::Narrow {
            units.push(first as u32);
            rest = tail;
        } else {
            let character = first_character(rest)?;
            encoding.encode(character, &mut units);
            rest = &rest[character.len_utf8()..];
        }
    }
    Ok(units)
}

fn first_character(bytes: &[u8]) -> Result<char, String> {
    (1..=bytes.len().min(4))
        .find_map(|length| std::str::from_utf8(&bytes[..length]).ok()?.chars().next())
        .ok_or_else(|| "a wide literal that is not UTF-8".to_string())
}

/// Reads the escape sequence whose backslash precedes `rest`; returns what follows it.
fn escape<'a>(
    rest: &'a [u8],
    encoding: Encoding,
    units: &mut Vec<u32>,
) -> Result<&'a [u8], String> {
    let Some((&kind, tail)) = rest.split_first() else {
        return Err("a literal that ends in a backslash".into());
    };
    let (value, tail) = match kind {
        b'0'..=b'7' => number(rest, 8, 3),
        b'x' => number(tail, 16, usize::MAX),
        b'u' | b'U' => {
            let (value, after) = number(tail, 16, if kind == b'u' { 4 } else { 8 });
            let character = char::from_u32(value).ok_or("an invalid universal character name")?;
            encoding.encode(character, units);
            return Ok(after);
        }
        _ => (simple_escape(kind), tail),
    };
    units.push(value & encoding.unit_mask());
    Ok(tail)
}

/// A number of at most `limit` digits and the text after it. Overlong numbers wrap.
fn number(text: &[u8], radix: u32, limit: usize) -> (u32, &[u8]) {
    let is_digit = |byte: &&u8| (**byte as char).is_digit(radix);
    let length = text.iter().take(limit).take_while(is_digit).count();
    let digits = text[..length].iter().map(|&b| (b as char).to_digit(radix).unwrap_or(0));
    let value = digits.fold(0u32, |value, digit| value.wrapping_mul(radix).wrapping_add(digit));
    (value, &text[length..])
}

fn simple_escape(kind: u8) -> u32 {
    match kind {
        b'a' => 7,
        b'b' => 8,
        b't' => 9,
        b'n' => 10,
        b'v' => 11,
        b'f' => 12,
        b'r' => 13,
        b'e' | b'E' => 27,
        other => other as u32,
    }
}

/// The canonical spelling of a literal.
pub fn spell(units: &[u32], encoding: Encoding, quote: char) -> String {
    let mut text = format!("{}{quote}", encoding.prefix());
    let mut after_hex = false;
    for &unit in units {
        let character = char::from_u32(unit).filter(|c| matches!(c, ' '..='~'));
        match character {
            Some(c) if c != quote && c != '\\' => {
                if after_hex && c.is_ascii_hexdigit() {
                    text.push_str(&format!("{quote} {}{quote}", encoding.prefix()));
                }
                text.push(c);
                after_hex = false;
            }
            _ if unit < 0o400 => {
                text.push_str(&format!("\\{unit:03o}"));
                after_hex = false;
            }
            _ => {
                text.push_str(&format!("\\x{unit:x}"));
                after_hex = true;
            }
        }
    }
    text.push(quote);
    text
}

/// The encoding and code units of a literal in its canonical spelling, quotes included.
pub fn decode(spelling: &str) -> Option<(Encoding, Vec<u32>)> {
    let open = spelling.find(['"', '\''])?;
    let encoding = Encoding::of_prefix(&spelling[..open])?;
    let body = spelling.get(open + 1..spelling.len().checked_sub(1)?)?;
    Some((encoding, units(body.as_bytes(), encoding).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(body: &str, encoding: Encoding) -> String {
        spell(&units(body.as_bytes(), encoding).unwrap(), encoding, '"')
    }

    #[test]
    fn escapes_become_octal() {
        assert_eq!(canonical("a\\n\\x41\\\"", Encoding::Narrow), "\"a\\012A\\042\"");
        assert_eq!(canonical("\\e\\0", Encoding::Narrow), "\"\\033\\000\"");
        assert_eq!(canonical("é", Encoding::Narrow), "\"\\303\\251\"");
        assert_eq!(canonical("\\u00e9", Encoding::Narrow), "\"\\303\\251\"");
    }

    #[test]
    fn wide_units_do_not_swallow_digits() {
        assert_eq!(canonical("€1", Encoding::Wide), "L\"\\x20ac\" L\"1\"");
        assert_eq!(canonical("😀", Encoding::Utf16), "u\"\\xd83d\\xde00\"");
        assert!(units(b"\xff", Encoding::Wide).is_err());
        assert!(units(b"\\", Encoding::Narrow).is_err());
    }

    #[test]
    fn decoding_reverses_spelling() {
        let all: Vec<u32> = (0..256).collect();
        let spelled = spell(&all, Encoding::Narrow, '"');
        assert_eq!(decode(&spelled), Some((Encoding::Narrow, all)));
    }
}
