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

/// The classes in the order of glibc's bits, from bit 0 of the second byte on.
const BITS: [(&str, u16); 12] = [
    ("isupper", 1 << 8),
    ("islower", 1 << 9),
    ("isalpha", 1 << 10),
    ("isdigit", 1 << 11),
    ("isxdigit", 1 << 12),
    ("isspace", 1 << 13),
    ("isprint", 1 << 14),
    ("isgraph", 1 << 15),
    ("isblank", 1 << 0),
    ("iscntrl", 1 << 1),
    ("ispunct", 1 << 2),
    ("isalnum", 1 << 3),
];

/// The tables behind glibc's macros, from -128 to 255, as functions in C.
pub(super) fn tables() -> Vec<(String, String)> {
    let classes = |c: i32| match u8::try_from(c) {
        Ok(c) => {
            BITS.iter().filter(|(name, _)| has_class(c, name)).map(|(_, bit)| *bit as i32).sum()
        }
        Err(_) => 0,
    };
    let lower = |c: i32| changed(c, |c| c.to_ascii_lowercase());
    let upper = |c: i32| changed(c, |c| c.to_ascii_uppercase());
    let table = |name: &str, ty: &str, value: &dyn Fn(i32) -> i32| {
        let values: Vec<String> = (-128..256).map(|c| value(c).to_string()).collect();
        let values = values.join(", ");
        let text = format!(
            "const {ty} **{name}(void)\n{{\n    static const {ty} table[384] = {{{values}}};\n    \
             static const {ty} *zero = table + 128;\n    return &zero;\n}}"
        );
        (name.to_string(), text)
    };
    vec![
        table("__ctype_b_loc", "unsigned short", &classes),
        table("__ctype_tolower_loc", "int", &lower),
        table("__ctype_toupper_loc", "int", &upper),
    ]
}

/// A character in another case; numbers that stand for bytes of a signed type keep their byte.
fn changed(c: i32, change: impl Fn(u8) -> u8) -> i32 {
    match c {
        -1 => -1,
        c if c < 0 => c + 256,
        c => i32::from(change(c as u8)),
    }
}
