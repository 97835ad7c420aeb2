//! Reading by one format: the program in C.
//!
//! From a file comes arbitrary input of the right shape: how many conversions succeed, and a value
//! for each of them. A text is read as it is.

use super::directives::{Input, Scanned};
use super::print::integer;
use super::{Body, Kind, Work};
use std::fmt::Write;

const BLANK: &str = "(c == ' ' || (c >= '\\t' && c <= '\\r'))";

/// The program for a format; none if it needs what is not modelled.
pub fn text(parts: &[Scanned], work: Work) -> Option<Body> {
    let mut writer = Writer { text: String::new(), kinds: Vec::new() };
    match work {
        Work::ScanText => writer.of_text(parts)?,
        Work::ScanFile => writer.of_file(parts, &NAMED)?,
        _ => writer.of_file(parts, &UNNAMED)?,
    }
    Some(Body { text: writer.text, kinds: writer.kinds })
}

/// How the end of a stream is remembered, in C.
struct End {
    declared: &'static str,
    is_there: &'static str,
    comes: &'static str,
}

/// Of a stream that is given.
const NAMED: End = End {
    declared: "void **__wedge_ended(void);",
    is_there: "*__wedge_ended() == file",
    comes: "*__wedge_ended() = file;",
};

/// Of the standard input of functions that name no stream.
const UNNAMED: End = End {
    declared: "char *__wedge_input_ended(void);",
    is_there: "*__wedge_input_ended()",
    comes: "*__wedge_input_ended() = 1;",
};

struct Writer {
    text: String,
    kinds: Vec<Kind>,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    /// Where the next value goes.
    fn argument(&mut self) -> String {
        self.kinds.push(Kind::Pointer);
        format!("a{}", self.kinds.len() - 1)
    }

    fn of_file(&mut self, parts: &[Scanned], end: &End) -> Option<()> {
        let befores = std::iter::once(None).chain(parts.iter().map(Some));
        let values = parts.iter().zip(befores).filter_map(|(part, before)| match part {
            Scanned::Value { is_kept: true, width, what } => {
                Some((width, what, before == Some(&Scanned::Blanks)))
            }
            _ => None,
        });
        let values: Vec<(&Option<u64>, &Input, bool)> = values.collect();
        self.line("int __wedge_any_count(void);");
        self.line("SIZE __wedge_any_length(void);");
        self.line("char __wedge_any_char(void);");
        self.line("void __wedge_assume(int);");
        self.line(end.declared);
        self.line("int count = __wedge_any_count();");
        self.line(&format!("__wedge_assume(count >= -1 && count <= {});", values.len()));
        if !values.is_empty() {
            self.line(&format!("__wedge_assume(count < 0 || !({}));", end.is_there));
        }
        self.line(&format!("if (count < 0) {}", end.comes));
        for (index, (width, what, is_after_blanks)) in values.into_iter().enumerate() {
            let to = self.argument();
            self.line(&format!("if (count > {index}) {{"));
            match what {
                Input::Integer { size, signed, base } => {
                    self.any_integer(&to, *size, *signed, *base, *width);
                }
                Input::Float(size) => {
                    let ty = if *size == 4 { "float" } else { "double" };
                    self.line(&format!("{ty} __wedge_any_{ty}(void);"));
                    self.line(&format!("*({ty} *){to} = __wedge_any_{ty}();"));
                }
                Input::Characters if width.unwrap_or(1) == 1 => {
                    self.line("char c = __wedge_any_char();");
                    if is_after_blanks {
                        self.line(&format!("__wedge_assume(!{BLANK});"));
                    }
                    self.line(&format!("*(char *){to} = c;"));
                }
                Input::Word => self.any_text(&to, *width, &format!("!{BLANK}")),
                Input::Set(set) => self.any_text(&to, *width, &members(set)),
                // How many characters there are is not known, or only by a reader of them all.
                Input::Characters | Input::Count(_) => return None,
            }
            self.line("}");
        }
        self.line("return count;");
        Some(())
    }

    /// An integer, of at most so many characters.
    fn any_integer(&mut self, to: &str, size: u64, signed: bool, base: u32, width: Option<u64>) {
        let sign = if signed { "" } else { "unsigned " };
        let ty = format!("{sign}{}", integer(size));
        let name = format!("__wedge_any_{}{size}", if signed { "i" } else { "u" });
        self.line(&format!("{ty} {name}(void);"));
        self.line(&format!("{ty} value = {name}();"));
        let limit = u64::MAX >> (64 - 8 * size + u64::from(signed));
        let bounds = width.and_then(|width| bounds(base, width));
        if let Some((low, high)) = bounds.filter(|(_, high)| *high <= limit) {
            // A number without sign may have a minus, which turns it around.
            let fits = match signed {
                true => format!("value >= -{low}ll && value <= {high}ll"),
                false => format!("value <= {high}ull || ({ty})-value <= {low}ull"),
            };
            self.line(&format!("__wedge_assume({fits});"));
        }
        self.line(&format!("*({ty} *){to} = value;"));
    }

    /// Characters that all are of a kind, and the zero after them.
    fn any_text(&mut self, to: &str, width: Option<u64>, condition: &str) {
        self.line("SIZE length = __wedge_any_length(), i = 0;");
        self.line("__wedge_assume(length >= 1);");
        if let Some(width) = width {
            self.line(&format!("__wedge_assume(length <= {width});"));
        }
        self.line("while (i < length) { char c = __wedge_any_char();");
        self.line(&format!("__wedge_assume({condition});"));
        self.line(&format!("((char *){to})[i] = c; i++; }}"));
        self.line(&format!("((char *){to})[length] = 0;"));
    }

    fn of_text(&mut self, parts: &[Scanned]) -> Option<()> {
        self.line("SIZE at = 0; int count = 0; char c;");
        for part in parts {
            match part {
                Scanned::Blanks => self.skip(),
                Scanned::Byte(byte) => self.byte(*byte),
                Scanned::Percent => {
                    self.skip();
                    self.byte(b'%');
                }
                Scanned::Value { is_kept, width, what } => {
                    let to = if *is_kept { Some(self.argument()) } else { None };
                    self.line("{");
                    self.taken(to.as_deref(), *width, what);
                    let is_counted = *is_kept && !matches!(what, Input::Count(_));
                    self.line(if is_counted { "count++; }" } else { "}" });
                }
            }
        }
        self.line("return count;");
        Some(())
    }

    fn skip(&mut self) {
        self.line(&format!("c = s[at]; while {BLANK} {{ at++; c = s[at]; }}"));
    }

    /// The input is at its end: nothing has been read, or only a part.
    fn end(&mut self) {
        self.line("if (!s[at]) return count ? count : -1;");
    }

    fn byte(&mut self, byte: u8) {
        self.end();
        self.line(&format!("if (s[at] != {}) return count;", byte as i8));
        self.line("at++;");
    }

    fn taken(&mut self, to: Option<&str>, width: Option<u64>, what: &Input) {
        let width = width.map_or("~(SIZE)0".to_string(), |width| format!("(SIZE){width}"));
        match what {
            Input::Integer { size, base, signed } => {
                self.skip();
                self.end();
                self.line("int is_there = 0;");
                self.line(
                    "long long __wedge_scan_integer(const char *, SIZE *, int, SIZE, int, int *);",
                );
                let signed = i32::from(*signed);
                self.line(&format!(
                    "long long value = __wedge_scan_integer(s, &at, {base}, {width}, {signed} + 2 * ({size} == 8), &is_there);"
                ));
                self.line("if (!is_there) return count;");
                if let Some(to) = to {
                    let ty = integer(*size);
                    self.line(&format!("*({ty} *){to} = ({ty})value;"));
                }
            }
            Input::Float(size) => {
                self.skip();
                self.end();
                self.line("int is_there = 1;");
                self.line("double __wedge_scan_double(const char *, SIZE *, SIZE, int *);");
                self.line(&format!(
                    "double value = __wedge_scan_double(s, &at, {width}, &is_there);"
                ));
                self.line("if (!is_there) return count;");
                match (to, size) {
                    (None, _) => {}
                    (Some(to), 4) => {
                        self.line("float __wedge_narrow(double);");
                        self.line(&format!("*(float *){to} = __wedge_narrow(value);"));
                    }
                    (Some(to), _) => self.line(&format!("*(double *){to} = value;")),
                }
            }
            Input::Characters => {
                self.end();
                let width = if width.starts_with('~') { "(SIZE)1" } else { &width };
                self.line(&format!("SIZE i = 0; while (i < {width} && s[at]) {{"));
                self.kept(to);
                self.line("}");
            }
            Input::Word => {
                self.skip();
                self.end();
                self.line(&format!(
                    "SIZE i = 0; c = s[at]; while (i < {width} && c && !{BLANK}) {{"
                ));
                self.kept(to);
                self.line("}");
                self.terminated(to);
            }
            Input::Set(set) => {
                self.end();
                let condition = members(set);
                self.line(&format!(
                    "SIZE i = 0; c = s[at]; while (i < {width} && c && ({condition})) {{"
                ));
                self.kept(to);
                self.line("}");
                self.line("if (!i) return count;");
                self.terminated(to);
            }
            Input::Count(size) => {
                let (to, ty) = (to.unwrap_or("0"), integer(*size));
                self.line(&format!("*({ty} *){to} = ({ty})at;"));
            }
        }
    }

    /// The next character is taken over.
    fn kept(&mut self, to: Option<&str>) {
        if let Some(to) = to {
            self.line(&format!("((char *){to})[i] = s[at];"));
        }
        self.line("i++; at++; c = s[at];");
    }

    fn terminated(&mut self, to: Option<&str>) {
        if let Some(to) = to {
            self.line(&format!("((char *){to})[i] = 0;"));
        }
    }
}

/// Whether `c` is in a set, by the ranges that the set consists of.
fn members(set: &[bool]) -> String {
    let mut ranges = Vec::new();
    let mut next = 0;
    while next < set.len() {
        let first = next;
        while next < set.len() && set[next] {
            next += 1;
        }
        if next > first {
            let (first, last) = (first, next - 1);
            ranges.push(format!("((unsigned char)c >= {first} && (unsigned char)c <= {last})"));
        }
        next += 1;
    }
    if ranges.is_empty() { "0".to_string() } else { ranges.join(" || ") }
}

/// The largest magnitudes of a negative and of another number that has at most so many characters;
/// none if every number of 64 bits may have.
fn bounds(base: u32, width: u64) -> Option<(u64, u64)> {
    // A prefix makes a number smaller, except that it changes the base.
    let most =
        |digits: u64, base: u64| base.checked_pow(u32::try_from(digits).ok()?).map(|p| p - 1);
    let largest = |width: u64| match base {
        0 => Some(most(width, 10)?.max(if width > 2 { most(width - 2, 16)? } else { 0 })),
        base => most(width, u64::from(base)),
    };
    Some((largest(width.saturating_sub(1))?, largest(width)?))
}
