//! The stimulus file of bad states and justice properties: `1`, `b<i>` or `j<i>` for each of them, the initial latch values, the inputs of every
//! step, and `.` alone on the last line. A value `x` stands for any; it is read as 0.
//!
//! A file holds witnesses, one after the other, and nothing else. Text around them or the status of
//! another verdict is an error, so that what is checked is what the file says.

use super::error::{AigerError, Fault};
use super::file::read_bytes;
use super::model::AigerModel;
use std::path::Path;
use wedge_model::Trace;
use wedge_model::partial::PartialTrace;

/// A claim that `trace` reaches these bad states of a model, or after its last step comes back to a
/// state before, on a loop that satisfies these justice properties. They are counted behind the bad
/// states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    pub properties: Vec<usize>,
    /// How many properties of the model are bad states.
    pub bads: usize,
    pub trace: Trace,
}

impl Witness {
    /// Reads the witnesses of a file, at least one; `model` says how many values the lines have.
    pub fn read(path: &Path, model: &AigerModel) -> Result<Vec<Witness>, AigerError> {
        let name = path.display().to_string();
        let bytes = read_bytes(path, |start| start.starts_with(b"1"))?;
        Witness::parse(&bytes, &name, model)
    }

    /// Reads the witnesses in the contents of a file; `path` is for the error message only.
    pub fn parse(bytes: &[u8], path: &str, model: &AigerModel) -> Result<Vec<Witness>, AigerError> {
        let mut lines = Lines { bytes, offset: 0 };
        let mut witnesses = Vec::new();
        loop {
            let witness = parse_lines(&mut lines, model);
            witnesses.push(witness.map_err(|fault| fault.at_line(path, bytes))?);
            if lines.skip_to_next() {
                return Ok(witnesses);
            }
        }
    }
}

impl Witness {
    /// The text of a witness in which `x` stands for what does not matter.
    pub fn partial_text(&self, open: &PartialTrace) -> String {
        let bits = |values: &[Option<bool>]| -> String {
            values
                .iter()
                .map(|value| value.map_or('x', |value| if value { '1' } else { '0' }))
                .collect()
        };
        let mut text = format!("1\n{}\n{}\n", self.symbols(), bits(&open.initial));
        open.inputs.iter().for_each(|inputs| text += &(bits(inputs) + "\n"));
        text + ".\n"
    }

    /// The properties as the format names them.
    fn symbols(&self) -> String {
        let symbol = |property: &usize| match property.checked_sub(self.bads) {
            None => format!("b{property}"),
            Some(justice) => format!("j{justice}"),
        };
        self.properties.iter().map(symbol).collect()
    }
}

impl std::fmt::Display for Witness {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let bits = |values: &[bool]| -> String {
            values.iter().map(|&value| if value { '1' } else { '0' }).collect()
        };
        writeln!(f, "1\n{}\n{}", self.symbols(), bits(&self.trace.initial))?;
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

    /// Skips empty lines; whether that was the end.
    fn skip_to_next(&mut self) -> bool {
        loop {
            let start = self.offset;
            match self.next() {
                None => return true,
                Some(line) if line.text.is_empty() => {}
                Some(_) => {
                    self.offset = start;
                    return false;
                }
            }
        }
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
    let properties = parse_properties(&lines.expect("the property line 'b<i>'")?, model)?;
    let initial = lines.expect("the initial latch values")?;
    let initial = parse_values(&initial, model.latches.len(), "latch")?;
    let mut inputs = Vec::new();
    loop {
        let line = lines.expect("input values or the final '.'")?;
        if line.text == b"." {
            break match inputs.is_empty() {
                true => {
                    Err(line.wrong("the witness has no step: expected input values before '.'"))
                }
                false => {
                    let bads = model.properties().len();
                    Ok(Witness { properties, bads, trace: Trace { initial, inputs } })
                }
            };
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

/// `b<i>` and `j<i>`, one or several without blanks in between.
fn parse_properties(line: &Line, model: &AigerModel) -> Result<Vec<usize>, Fault> {
    let wrong = || line.wrong(format!("expected a property 'b<i>', found {}", line.shown()));
    let (bads, justice) = (model.properties().len(), model.justice.len());
    let mut properties = Vec::new();
    let mut rest = line.text;
    while let [kind, after @ ..] = rest {
        let length = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, behind) = after.split_at(length);
        if !(1..=19).contains(&length) {
            return Err(wrong());
        }
        let index = digits.iter().fold(0u64, |value, digit| value * 10 + (digit - b'0') as u64);
        let (first, count) = match kind {
            b'b' => (0, bads),
            b'j' => (bads, justice),
            _ => return Err(wrong()),
        };
        let kind = *kind as char;
        let found = usize::try_from(index).ok().filter(|&index| index < count);
        let missing = || format!("there is no property {kind}{index}: the model has {count}");
        properties.push(first + found.ok_or_else(|| line.wrong(missing()))?);
        rest = behind;
    }
    match properties.is_empty() {
        true => Err(wrong()),
        false => Ok(properties),
    }
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
