//! The reader of witnesses.

use super::error::{Btor2Error, Fault};
use super::scan::quote;
use super::witness::Witness;
use wedge_logic::{ArrayValue, BitVec, Sort, Term, Value};
use wedge_model::{Choice, System};

/// Frames a witness may have; the format lets a short line open one.
const MAX_VALUES: usize = 1 << 26;

pub(super) fn parse(path: &str, bytes: &[u8], system: &System) -> Result<Vec<Witness>, Btor2Error> {
    let mut reader = Reader { system, part: Part::Start, witness: empty(), done: Vec::new() };
    for (index, line) in bytes.split(|&b| b == b'\n').enumerate() {
        reader.line(line).map_err(|fault| fault.at(path, Some(index + 1)))?;
    }
    match reader.part {
        Part::End => Ok(reader.done),
        Part::Start => Err(Fault::malformed("the witness is empty").at(path, None)),
        _ => Err(Fault::malformed("the witness does not end with a dot").at(path, None)),
    }
}

fn empty() -> Witness {
    Witness { properties: Vec::new(), frames: Vec::new() }
}

/// What the next line belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Start,
    Properties,
    /// Before the first frame.
    Frames,
    States,
    Inputs,
    End,
}

struct Reader<'a> {
    system: &'a System,
    part: Part,
    witness: Witness,
    /// Those that have ended.
    done: Vec<Witness>,
}

impl Reader<'_> {
    fn line(&mut self, line: &[u8]) -> Result<(), Fault> {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b";") {
            return Ok(());
        }
        match self.part {
            Part::Start => self.verdict(line),
            Part::End if line == b"sat" => self.verdict(line),
            Part::Properties => self.properties(line),
            Part::End => Err(Fault::malformed(format!("unexpected {} after the dot", quote(line)))),
            _ => self.frame_line(line),
        }
    }

    fn verdict(&mut self, line: &[u8]) -> Result<(), Fault> {
        match line {
            b"sat" => {
                self.part = Part::Properties;
                Ok(())
            }
            b"unsat" | b"unknown" => {
                Err(Fault::malformed(format!("the file says {} and has no path", quote(line))))
            }
            _ => Err(Fault::malformed(format!("'sat' expected, {} found", quote(line)))),
        }
    }

    fn properties(&mut self, line: &[u8]) -> Result<(), Fault> {
        for word in line.split(|&b| b == b' ').filter(|w| !w.is_empty()) {
            let (bads, justice) = (self.system.bads.len(), self.system.justice.len());
            let (property, first, count, kind) = match word.split_first() {
                Some((b'b', digits)) => (position(digits), 0, bads, "bads"),
                Some((b'j', digits)) => (position(digits), bads, justice, "justice properties"),
                _ => (None, 0, 0, ""),
            };
            match property {
                Some(property) if property < count => {
                    self.witness.properties.push(first + property)
                }
                Some(_) => {
                    let cause = format!("{}: the model has {count} {kind}", quote(word));
                    return Err(Fault::malformed(cause));
                }
                None => return Err(Fault::malformed(format!("{} is no property", quote(word)))),
            }
        }
        self.part = Part::Frames;
        Ok(())
    }

    fn frame_line(&mut self, line: &[u8]) -> Result<(), Fault> {
        match line[0] {
            b'.' if line.len() == 1 => self.finish(),
            b'#' => self.open_states(&line[1..]),
            b'@' => self.open_inputs(&line[1..]),
            _ => self.value(line),
        }
    }

    fn finish(&mut self) -> Result<(), Fault> {
        if self.part != Part::Inputs {
            return Err(Fault::malformed("the last frame has no input part"));
        }
        self.part = Part::End;
        self.done.push(std::mem::replace(&mut self.witness, empty()));
        Ok(())
    }

    /// `#k` opens frame k.
    fn open_states(&mut self, number: &[u8]) -> Result<(), Fault> {
        if self.part == Part::States {
            return Err(Fault::malformed("the frame before has no input part"));
        }
        self.open_frame(number)?;
        self.part = Part::States;
        Ok(())
    }

    /// `@k` opens frame k too unless `#k` did.
    fn open_inputs(&mut self, number: &[u8]) -> Result<(), Fault> {
        match self.part {
            Part::States => self.check_number(number, self.witness.frames.len() - 1)?,
            _ => self.open_frame(number)?,
        }
        self.part = Part::Inputs;
        Ok(())
    }

    fn open_frame(&mut self, number: &[u8]) -> Result<(), Fault> {
        self.check_number(number, self.witness.frames.len())?;
        let per_frame = self.system.states.len() + self.system.inputs.len() + 1;
        if (self.witness.frames.len() + 1).saturating_mul(per_frame) > MAX_VALUES {
            return Err(Fault::unsupported("the witness has too many values"));
        }
        self.witness.frames.push(Choice::open(self.system));
        Ok(())
    }

    fn check_number(&self, number: &[u8], wanted: usize) -> Result<(), Fault> {
        match position(number) {
            Some(given) if given == wanted => Ok(()),
            _ => Err(Fault::malformed(format!("frame {wanted} expected, {} found", quote(number)))),
        }
    }

    /// `position value name` or `position [index] element name`.
    fn value(&mut self, line: &[u8]) -> Result<(), Fault> {
        let mut words = line.split(|&b| b == b' ').filter(|w| !w.is_empty());
        let first = words.next().unwrap_or_default();
        let no_position = || Fault::malformed(format!("{} is no position", quote(first)));
        let at = position(first).ok_or_else(no_position)?;
        let mut second = words.next().ok_or_else(|| Fault::malformed("the value is missing"))?;
        let index = second.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]"));
        if index.is_some() {
            second = words.next().ok_or_else(|| Fault::malformed("the element is missing"))?;
        }
        let system = self.system;
        let (variable, slot) = self.slot(at)?;
        set(slot, system.terms.sort(variable), index, second)
    }

    /// The variable at a position of the current part, and the place for its value.
    fn slot(&mut self, at: usize) -> Result<(Term, &mut Option<Value>), Fault> {
        let system = self.system;
        let states = match self.part {
            Part::States => true,
            Part::Inputs => false,
            _ => return Err(Fault::malformed("a value outside of any frame")),
        };
        let count = if states { system.states.len() } else { system.inputs.len() };
        if at >= count {
            let kind = if states { "states" } else { "inputs" };
            return Err(Fault::malformed(format!("position {at}: the model has {count} {kind}")));
        }
        let Some(frame) = self.witness.frames.last_mut() else {
            return Err(Fault::malformed("a value outside of any frame"));
        };
        Ok(match states {
            true => (system.states[at].var, &mut frame.states[at]),
            false => (system.inputs[at], &mut frame.inputs[at]),
        })
    }
}

fn set(
    slot: &mut Option<Value>,
    sort: Sort,
    index: Option<&[u8]>,
    value: &[u8],
) -> Result<(), Fault> {
    match (sort, index) {
        (Sort::Bv(width), None) => {
            if slot.is_some() {
                return Err(Fault::malformed("a second value for the same position"));
            }
            *slot = Some(Value::Bv(binary(width, value)?));
        }
        (Sort::Array { index: index_width, element }, Some(index)) => {
            let (index, value) = (binary(index_width, index)?, binary(element, value)?);
            let array = match slot.take() {
                Some(Value::Array(array)) => array,
                _ => ArrayValue::constant(index_width, BitVec::zero(element)),
            };
            *slot = Some(Value::Array(array.write(&index, &value)));
        }
        (Sort::Bv(_), Some(_)) => {
            return Err(Fault::malformed("an index for a value that is no array"));
        }
        (Sort::Array { .. }, None) => {
            return Err(Fault::malformed("an array value needs an index in brackets"));
        }
    }
    Ok(())
}

fn binary(width: u32, digits: &[u8]) -> Result<BitVec, Fault> {
    let text = std::str::from_utf8(digits).unwrap_or("?");
    if text.len() != width as usize || text.starts_with('-') {
        let cause = format!("{width} binary digits expected, {} found", quote(digits));
        return Err(Fault::malformed(cause));
    }
    BitVec::parse(width, text, 2).map_err(|error| Fault::malformed(error.to_string()))
}

/// A decimal number without sign.
fn position(digits: &[u8]) -> Option<usize> {
    let digit = |b: &u8| b.is_ascii_digit();
    let text = std::str::from_utf8(digits).ok().filter(|_| digits.iter().all(digit))?;
    text.parse().ok()
}
