//! Printing into memory, for one format: the program in C.
//!
//! A value is a sequence of characters that are put one after the other, each under the condition
//! that there is one: a number has a digit at a place if it is that large. Only texts, and widths
//! that are arguments, need loops.

use super::directives::{Amount, Conversion, Printed, What};
use super::{Body, Kind, Work};
use std::fmt::Write;

/// Widths above this are loops.
const MOST_UNROLLED: u64 = 24;
/// Longer ones are left to the interpreter.
const MOST: u64 = 4000;

/// The program for a format; none if it needs what is not modelled.
pub fn text(parts: &[Printed], work: Work) -> Option<Body> {
    if work == Work::PrintNew {
        return allocated(parts);
    }
    let mut writer = printed(parts, work)?;
    match work {
        Work::PrintInto => writer.line("to[at] = 0;"),
        Work::PrintWithin => writer.line("if (size) to[at < size ? at : size - 1] = 0;"),
        _ => {
            writer.line("char __wedge_any_char(void);");
            writer.line("if (__wedge_any_char() & 1) return -1;");
        }
    }
    writer.line("return (int)at;");
    Some(Body { text: writer.text, kinds: writer.kinds })
}

/// Printing into a buffer that is allocated: the characters are counted, then put. A number with a
/// fraction would be another one the second time.
fn allocated(parts: &[Printed]) -> Option<Body> {
    let is_open = |part: &Printed| {
        matches!(part, Printed::Value(Conversion { what: What::Float { .. } | What::Count(_), .. }))
    };
    if parts.iter().any(is_open) {
        return None;
    }
    let (counted, put) = (printed(parts, Work::Print)?, printed(parts, Work::PrintInto)?);
    let text = format!(
        "    void *malloc(SIZE);\n    SIZE length;\n    char *to;\n    {{\n{}    length = at;\n    }}\n    \
         to = malloc(length + 1);\n    {{\n{}    to[at] = 0;\n    }}\n    *place = to;\n    \
         return (int)length;\n",
        counted.text, put.text
    );
    Some(Body { text, kinds: put.kinds })
}

/// The characters one after the other; in the end `at` is their number.
fn printed(parts: &[Printed], work: Work) -> Option<Writer> {
    let mut writer = Writer { work, text: String::new(), kinds: Vec::new(), at: Some(0) };
    writer.line("SIZE at = 0;");
    for part in parts {
        match part {
            Printed::Byte(byte) => writer.put(&format!("{}", *byte as i8)),
            Printed::Value(value) => writer.value(value)?,
        }
    }
    writer.settle();
    Some(writer)
}

struct Writer {
    work: Work,
    text: String,
    /// The arguments that have been used.
    kinds: Vec<Kind>,
    /// The number of characters so far, as long as it does not depend on values; then it is not in
    /// the variable yet.
    at: Option<u64>,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    /// The next argument.
    fn argument(&mut self, kind: Kind) -> String {
        self.kinds.push(kind);
        format!("a{}", self.kinds.len() - 1)
    }

    /// From here on the number of characters is in the variable.
    fn settle(&mut self) {
        if let Some(at) = self.at.take().filter(|&at| at > 0) {
            self.line(&format!("at = {at};"));
        }
    }

    fn put(&mut self, character: &str) {
        let (place, next) = match &mut self.at {
            Some(at) => {
                *at += 1;
                ((*at - 1).to_string(), "")
            }
            None => ("at".to_string(), " at++;"),
        };
        match self.work {
            Work::PrintInto => self.line(&format!("to[{place}] = {character};{next}")),
            Work::PrintWithin => {
                self.line(&format!("if ({place} + 1 < size) to[{place}] = {character};{next}"));
            }
            _ if next.is_empty() => {}
            _ => self.line(next.trim()),
        }
    }

    /// Puts the same character as often as a number says that is at most `most`.
    fn repeat(&mut self, count: &str, most: Amount, character: &str) {
        match most {
            Amount::None => {}
            Amount::Number(most) if most <= MOST_UNROLLED => {
                for index in 0..most {
                    self.line(&format!("if ({count} > {index}) {{"));
                    self.put(character);
                    self.line("}");
                }
            }
            _ => {
                self.line(&format!("while ({count} > 0) {{ {count}--;"));
                self.put(character);
                self.line("}");
            }
        }
    }

    fn value(&mut self, value: &Conversion) -> Option<()> {
        let is_bounded =
            |amount: Amount| !matches!(amount, Amount::Number(number) if number > MOST);
        if !is_bounded(value.width) || !is_bounded(value.precision) {
            return None;
        }
        if value.what == What::Character && value.width == Amount::None {
            let argument = self.argument(Kind::Integer(4));
            self.put(&format!("(char){argument}"));
            return Some(());
        }
        self.settle();
        self.line("{");
        self.amounts(value);
        match value.what {
            What::Signed(size) => self.signed(value, size),
            What::Unsigned { size, base, upper } => self.unsigned(value, size, base, upper),
            What::Character => self.character(value),
            What::Text => self.characters(value),
            What::Float { long } => self.float(value, long),
            What::Count(size) => self.count(size),
        }
        self.line("}");
        Some(())
    }

    /// Variables for width and precision.
    fn amounts(&mut self, value: &Conversion) {
        match value.width {
            Amount::None => {}
            Amount::Number(width) => self.line(&format!("int width = {width}, left = 0;")),
            Amount::Argument => {
                let argument = self.argument(Kind::Integer(4));
                self.line(&format!("int left = {argument} < 0;"));
                self.line(&format!("int width = left ? -{argument} : {argument};"));
            }
        }
        if value.left && value.width != Amount::None {
            self.line("left = 1;");
        }
        match value.precision {
            Amount::None => {}
            Amount::Number(precision) => self.line(&format!("int precision = {precision};")),
            Amount::Argument => {
                let argument = self.argument(Kind::Integer(4));
                self.line(&format!("int precision = {argument};"));
            }
        }
    }

    fn signed(&mut self, value: &Conversion, size: u64) {
        let argument = self.argument(Kind::Integer(size.max(4)));
        let (ty, word) = (integer(size), word(size));
        self.line(&format!("{ty} given = ({ty}){argument};"));
        self.line(&format!("{word} v = given < 0 ? -({word})given : ({word})given;"));
        let positive = match (value.plus, value.space) {
            (true, _) => "'+'",
            (false, true) => "' '",
            (false, false) => "0",
        };
        self.line(&format!("char sign = given < 0 ? '-' : {positive};"));
        self.number(value, size, 10, false, "(sign != 0)", &["sign"]);
    }

    fn unsigned(&mut self, value: &Conversion, size: u64, base: u64, upper: bool) {
        let argument = self.argument(Kind::Integer(size.max(4)));
        let word = word(size);
        self.line(&format!("{word} v = (unsigned {}){argument};", integer(size)));
        let is_prefixed = value.alternate && base == 16;
        if is_prefixed {
            self.line("int is_prefixed = v != 0;");
        }
        let letter = if upper { "'X'" } else { "'x'" };
        match is_prefixed {
            true => self.number(value, size, base, upper, "2 * is_prefixed", &["'0'", letter]),
            false => self.number(value, size, base, upper, "0", &[]),
        }
    }

    /// The digits of `v`, after what stands before them: characters that are there if the number
    /// of them, `before`, is not 0.
    fn number(
        &mut self,
        value: &Conversion,
        size: u64,
        base: u64,
        upper: bool,
        before: &str,
        prefix: &[&str],
    ) {
        let most = digits(8 * size as u32, base);
        let mut power = 1u64;
        let mut count = String::from("1");
        for index in 2..=most {
            power *= base;
            let suffix = if size == 8 { "ull" } else { "u" };
            count = format!("v >= {power}{suffix} ? {index} : {count}");
        }
        self.line(&format!("int digits = {count};"));
        if value.precision != Amount::None {
            self.line("if (precision == 0 && v == 0) digits = 0;");
            self.line("int zeros = precision > digits ? precision - digits : 0;");
        }
        if value.alternate && base == 8 {
            match value.precision {
                Amount::None => self.line("int zeros = v != 0;"),
                _ => self.line("if (!zeros && (v != 0 || !digits)) zeros = 1;"),
            }
        }
        let has_zeros = value.precision != Amount::None || value.alternate && base == 8;
        if value.width != Amount::None {
            let zeros = if has_zeros { " - zeros" } else { "" };
            self.line(&format!("int pad = width - digits - {before}{zeros};"));
            let fills = match (value.zero, value.precision) {
                (false, _) => "0",
                (true, Amount::None) => "!left",
                // A precision that is negative is none.
                (true, Amount::Argument) => "!left && precision < 0",
                (true, Amount::Number(_)) => "0",
            };
            self.line(&format!("int fill = {fills} ? pad : 0, gap = left || fill > 0 ? 0 : pad;"));
            self.repeat("gap", value.width, "' '");
        }
        if let Some((last, first)) = prefix.split_last() {
            self.line(&format!("if ({before}) {{"));
            first.iter().for_each(|character| self.put(character));
            self.put(last);
            self.line("}");
        }
        if value.width != Amount::None && value.zero {
            self.repeat("fill", value.width, "'0'");
        }
        match value.precision {
            Amount::None if has_zeros => self.repeat("zeros", Amount::Number(1), "'0'"),
            Amount::None => {}
            Amount::Number(0) => self.repeat("zeros", Amount::Number(1), "'0'"),
            precision => self.repeat("zeros", precision, "'0'"),
        }
        self.digits(size, base, upper, most);
        if value.width != Amount::None {
            self.line("gap = left ? pad : 0;");
            self.repeat("gap", value.width, "' '");
        }
    }

    /// The digits, the last of which is `d1`.
    fn digits(&mut self, size: u64, base: u64, upper: bool, most: u64) {
        let word = word(size);
        self.line(&format!("{word} q0 = v;"));
        for index in 1..=most {
            let before = index - 1;
            let (digit, rest) = match base {
                10 => (format!("q{before} % 10"), format!("q{before} / 10")),
                _ => (
                    format!("q{before} & {}", base - 1),
                    format!("q{before} >> {}", base.trailing_zeros()),
                ),
            };
            self.line(&format!("unsigned char d{index} = {digit}; {word} q{index} = {rest};"));
        }
        let letter = if upper { "'A'" } else { "'a'" };
        for index in (1..=most).rev() {
            self.line(&format!("if (digits >= {index}) {{"));
            match base {
                16 => self.put(&format!(
                    "d{index} < 10 ? (char)('0' | d{index}) : (char)({letter} - 10 + d{index})"
                )),
                // Whatever the value, the character is seen not to be 0.
                _ => self.put(&format!("(char)('0' | (d{index} & 15))")),
            }
            self.line("}");
        }
    }

    fn character(&mut self, value: &Conversion) {
        let argument = self.argument(Kind::Integer(4));
        self.line("int gap = left ? 0 : width - 1;");
        self.repeat("gap", value.width, "' '");
        self.put(&format!("(char){argument}"));
        self.line("gap = left ? width - 1 : 0;");
        self.repeat("gap", value.width, "' '");
    }

    fn characters(&mut self, value: &Conversion) {
        let argument = self.argument(Kind::Pointer);
        self.line(&format!("const char *text = (const char *){argument};"));
        self.line("SIZE i = 0, n = 0;");
        let condition = |index: &str| match value.precision {
            Amount::None => format!("text[{index}]"),
            _ => format!("(precision < 0 || {index} < (SIZE)precision) && text[{index}]"),
        };
        if value.width != Amount::None {
            self.line(&format!("while ({}) n++;", condition("n")));
            self.line("int gap = left || n >= (SIZE)width ? 0 : width - (int)n;");
            self.repeat("gap", value.width, "' '");
        }
        self.line(&format!("while ({}) {{", condition("i")));
        self.put("text[i]");
        self.line("i++; }");
        if value.width != Amount::None {
            self.line("gap = left && n < (SIZE)width ? width - (int)n : 0;");
            self.repeat("gap", value.width, "' '");
        }
    }

    /// Any text that looks like a number. Which one it is only the interpreter knows.
    fn float(&mut self, value: &Conversion, long: bool) {
        self.argument(if long { Kind::LongDouble } else { Kind::Double });
        self.line("SIZE __wedge_any_length(void); char __wedge_any_char(void);");
        self.line("void __wedge_assume(int);");
        self.line("SIZE length = __wedge_any_length(), i = 0;");
        self.line("__wedge_assume(length >= 1 && length <= 10000);");
        if value.width != Amount::None {
            self.line("__wedge_assume(length >= width);");
        }
        self.line("while (i < length) { char c = __wedge_any_char();");
        self.line("__wedge_assume(c >= ' ' && c <= 'z'); i++;");
        self.put("c");
        self.line("}");
    }

    fn count(&mut self, size: u64) {
        let argument = self.argument(Kind::Pointer);
        let ty = integer(size);
        self.line(&format!("*({ty} *){argument} = ({ty})at;"));
    }
}

/// A signed type of so many bytes.
pub(super) fn integer(size: u64) -> &'static str {
    match size {
        1 => "char",
        2 => "short",
        4 => "int",
        _ => "long long",
    }
}

/// An unsigned type that holds the magnitudes of numbers of so many bytes.
fn word(size: u64) -> &'static str {
    if size == 8 { "unsigned long long" } else { "unsigned" }
}

/// The most digits of a number of so many bits.
fn digits(bits: u32, base: u64) -> u64 {
    let mut rest = u64::MAX >> (64 - bits);
    let mut count = 0;
    while rest > 0 {
        rest /= base;
        count += 1;
    }
    count
}
