//! The stimulus file of a bad state: `1`, `b<i>`, the initial latch values, the inputs of every
//! step, and `.` alone on the last line. A value `x` stands for any; it is read as 0.
//!
//! One file holds one witness and nothing else. Text around it, a second witness or the status
//! of another verdict is an error, so that what is checked is what the file says.

use super::error::{AigerError, Fault};
use super::file::read_bytes;
use super::model::AigerModel;
use std::path::Path;
use wedge_model::Trace;

/// A claim that `trace` reaches bad state `property` of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    pub property: usize,
    pub trace: Trace,
}

impl Witness {
    /// Reads a witness from a file; `model` says how many values the lines have.
    pub fn read(path: &Path, model: &AigerModel) -> Result<Witness, AigerError> {
        let name = path.display().to_string();
        let bytes = read_bytes(path, |start| start.starts_with(b"1"))?;
        Witness::parse(&bytes, &name, model)
    }

    /// Reads a witness from the contents of a file; `path` is for the error message only.
    pub fn parse(bytes: &[u8], path: &str, model: &AigerModel) -> Result<Witness, AigerError> {
        let mut lines = Lines { bytes, offset: 0 };
        parse_lines(&mut lines, model).map_err(|fault| fault.at_line(path, bytes))
    }
}

impl std::fmt::Display for Witness {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let bits = |values: &[bool]| -> String {
            values.iter().map(|&value| if value { '1' } else { '0' }).collect()
        };
        writeln!(f, "1\nb{}\n{}", self.property, bits(&self.trace.initial))?;
        for inputs in &self.trace.inputs {
            writeln!(f, "{}", bits(inputs))?;
        }
        writeln!(f, ".")
    }
}

struct Line<'a> {
    offset: usize,
    text: &'a [u8],
}

struct Lines<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let (offset, rest) = (self.offset, &self.bytes[self.offset..]);
        if rest.is_empty() {
            return None;
        }
        let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        self.offset = self.bytes.len().min(offset + length + 1);
        let text = rest[..length].strip_suffix(b"\r").unwrap_or(&rest[..length]);
        Some(Line { offset, text })
    }
}

impl<'a> Lines<'a> {
    fn expect(&mut self, what: &str) -> Result<Line<'a>, Fault> {
        let end = self.bytes.len();
        let message = || Fault::malformed(end, format!("expected {what}, but the file ends"));
        self.next().ok_or_else(message)
    }
}

impl Line<'_> {
    fn wrong(&self, cause: impl Into<String>) -> Fault {
        Fault::malformed(self.offset, cause)
    }

    /// The text for an error message, cut where it gets long.
    fn shown(&self) -> String {
        const LONGEST: usize = 20;
        let start = &self.text[..self.text.len().min(LONGEST)];
        let dots = if self.text.len() > LONGEST { "..." } else { "" };
        format!("'{}{dots}'", start.escape_ascii())
    }
}

fn parse_lines(lines: &mut Lines, model: &AigerModel) -> Result<Witness, Fault> {
    parse_status(&lines.expect("the status line '1'")?)?;
    let property = parse_property(&lines.expect("the property line 'b<i>'")?, model)?;
    let initial = lines.expect("the initial latch values")?;
    let initial = parse_values(&initial, model.latches.len(), "latch")?;
    let mut inputs = Vec::new();
    loop {
        let line = lines.expect("input values or the final '.'")?;
        if line.text == b"." {
            break finish(lines, &line, Witness { property, trace: Trace { initial, inputs } });
        }
        inputs.push(parse_values(&line, model.inputs.len(), "input")?);
    }
}

fn parse_status(line: &Line) -> Result<(), Fault> {
    match line.text {
        b"1" => Ok(()),
        b"0" => Err(line.wrong("status 0 claims that there is no counterexample, not a witness")),
        b"2" => Err(line.wrong("status 2 means unknown, so there is no witness")),
        _ => Err(line.wrong(format!("expected the status line '1', found {}", line.shown()))),
    }
}

fn parse_property(line: &Line, model: &AigerModel) -> Result<usize, Fault> {
    if line.text.starts_with(b"j") {
        let cause = "witnesses of justice properties are not supported";
        return Err(Fault::unsupported(line.offset, cause));
    }
    let digits = line
        .text
        .strip_prefix(b"b")
        .filter(|digits| (1..=19).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit));
    let Some(digits) = digits else {
        return Err(line.wrong(format!("expected one property 'b<i>', found {}", line.shown())));
    };
    let index = digits.iter().fold(0u64, |value, digit| value * 10 + (digit - b'0') as u64);
    let count = model.properties().len();
    usize::try_from(index)
        .ok()
        .filter(|&index| index < count)
        .ok_or_else(|| line.wrong(format!("there is no property b{index}: the model has {count}")))
}

fn parse_values(line: &Line, count: usize, what: &str) -> Result<Vec<bool>, Fault> {
    let mut values = Vec::with_capacity(line.text.len().min(count));
    for &byte in line.text {
        match byte {
            b'0' | b'x' => values.push(false),
            b'1' => values.push(true),
            _ => {
                let cause = format!("{what} values are 0, 1 or x, but the line is");
                return Err(line.wrong(format!("{cause} {}", line.shown())));
            }
        }
    }
    if values.len() != count {
        let found = values.len();
        return Err(line.wrong(format!("expected {count} {what} values, found {found}")));
    }
    Ok(values)
}

fn finish(lines: &mut Lines, end: &Line, witness: Witness) -> Result<Witness, Fault> {
    if witness.trace.inputs.is_empty() {
        return Err(end.wrong("the witness has no step: expected input values before '.'"));
    }
    match lines.find(|line| !line.text.is_empty()) {
        None => Ok(witness),
        Some(line) if line.text == b"1" => {
            Err(line.wrong("a second witness starts here; a file holds one"))
        }
        Some(line) => {
            Err(line.wrong(format!("expected nothing after '.', found {}", line.shown())))
        }
    }
}
