//! The classes of `<ctype.h>` in the C locale.

/// Whether a character belongs to the class that the function of this name tests.
pub fn has_class(c: u8, name: &str) -> bool {
    match name {
        "isalnum" => c.is_ascii_alphanumeric(),
        "isalpha" => c.is_ascii_alphabetic(),
        "isblank" => c == b' ' || c == b'\t',
        "iscntrl" => c.is_ascii_control(),
        "isdigit" => c.is_ascii_digit(),
        "isgraph" => c.is_ascii_graphic(),
        "islower" => c.is_ascii_lowercase(),
        "isprint" => c.is_ascii_graphic() || c == b' ',
        "ispunct" => c.is_ascii_punctuation(),
        "isspace" => c.is_ascii_whitespace() || c == 0x0b,
        "isupper" => c.is_ascii_uppercase(),
        _ => c.is_ascii_hexdigit(),
    }
}
