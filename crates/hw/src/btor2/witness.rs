//! Witnesses in the BTOR2 format: the free values of a path to a bad state.
//!
//! A witness starts with `sat` and the properties it violates. Each frame k has a part `#k` with
//! values of states and a part `@k` with values of inputs; a line is a position (in the order of
//! declaration), a binary value and a name, for arrays with the index in brackets in between.
//! What is not listed counts as 0. A file may hold several witnesses, one after the other.

use super::error::Btor2Error;
use super::witness_read;
use std::fmt::Write;
use std::path::Path;
use wedge_logic::{BitVec, Value};
use wedge_model::simulate_words::{WordReplayError, evaluator, replay, run};
use wedge_model::{Choice, System, WordTrace};

/// The claim that a bad state is reachable, with the choices that lead there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The violated properties, as positions among the bads and, behind them, the justice properties.
    pub properties: Vec<usize>,
    /// One per step, at least one.
    pub frames: Vec<Choice>,
}

/// Arrays with more elements than this are only written if most of them are 0.
const MAX_ELEMENTS: u64 = 1 << 16;

/// An array that is mostly nonzero and has more elements than can be listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayNotListable {
    pub name: String,
}

impl std::fmt::Display for ArrayNotListable {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "the array '{}' has too many elements that are not 0", self.name)
    }
}

impl std::error::Error for ArrayNotListable {}

impl Witness {
    /// Reads the witnesses of a file, at least one.
    pub fn read(path: &Path, system: &System) -> Result<Vec<Witness>, Btor2Error> {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| Btor2Error::unreadable(&name, &error))?;
        Witness::parse(&name, &bytes, system)
    }

    /// Reads the contents of a witness file; `path` is only used in messages.
    pub fn parse(path: &str, bytes: &[u8], system: &System) -> Result<Vec<Witness>, Btor2Error> {
        witness_read::parse(path, bytes, system)
    }

    /// The free values of a trace that reaches these properties.
    pub fn from_trace(system: &System, properties: Vec<usize>, trace: &WordTrace) -> Witness {
        let mut frames = Vec::new();
        for (step, values) in trace.steps.iter().enumerate() {
            let mut frame = Choice::open(system);
            frame.inputs = values.inputs.iter().cloned().map(Some).collect();
            for (index, state) in system.states.iter().enumerate() {
                let determined = if step == 0 { state.init } else { state.next };
                if determined.is_none() {
                    frame.states[index] = Some(values.states[index].clone());
                }
            }
            frames.push(frame);
        }
        Witness { properties, frames }
    }

    /// The path that the witness describes, if it reaches every bad that it names; checked by the
    /// word-level simulator.
    pub fn check(&self, system: &System) -> Result<WordTrace, WordReplayError> {
        let trace = run(system, &self.frames)?;
        let bads = self.properties.iter().filter(|&&property| property < system.bads.len());
        for &property in bads {
            let length = self.first_bad(system, property, &trace)?;
            let prefix = WordTrace { steps: trace.steps[..length].to_vec() };
            replay(system, property, &prefix)?;
        }
        Ok(trace)
    }

    /// The length of the shortest prefix that ends in a bad state, else of the whole trace.
    fn first_bad(
        &self,
        system: &System,
        property: usize,
        trace: &WordTrace,
    ) -> Result<usize, WordReplayError> {
        let Some(bad) = system.bads.get(property) else { return Ok(trace.steps.len()) };
        for (step, values) in trace.steps.iter().enumerate() {
            if evaluator(system, values).holds(bad.term)? {
                return Ok(step + 1);
            }
        }
        Ok(trace.steps.len())
    }

    /// The witness as text.
    pub fn write(&self, system: &System) -> Result<String, ArrayNotListable> {
        let mut out = String::from("sat\n");
        let symbol = |property: &usize| match property.checked_sub(system.bads.len()) {
            None => format!("b{property}"),
            Some(justice) => format!("j{justice}"),
        };
        let properties: Vec<String> = self.properties.iter().map(symbol).collect();
        let _ = writeln!(out, "{}", properties.join(" "));
        for (step, frame) in self.frames.iter().enumerate() {
            // The first frame always has its state part, even if it is empty.
            if step == 0 || frame.states.iter().any(Option::is_some) {
                let _ = writeln!(out, "#{step}");
                let names = system.states.iter().map(|s| system.name(s.var));
                write_values(&mut out, names, &frame.states, &format!("#{step}"))?;
            }
            let _ = writeln!(out, "@{step}");
            let names = system.inputs.iter().map(|&var| system.name(var));
            write_values(&mut out, names, &frame.inputs, &format!("@{step}"))?;
        }
        out.push_str(".\n");
        Ok(out)
    }
}

fn write_values<'a>(
    out: &mut String,
    names: impl Iterator<Item = &'a str>,
    values: &[Option<Value>],
    suffix: &str,
) -> Result<(), ArrayNotListable> {
    for (position, (name, value)) in names.zip(values).enumerate() {
        match value {
            None => {}
            Some(Value::Bv(value)) => {
                let _ = writeln!(out, "{position} {value:b} {name}{suffix}");
            }
            Some(Value::Array(_)) => {
                for (index, element) in elements(name, value.as_ref())? {
                    let _ = writeln!(out, "{position} [{index:b}] {element:b} {name}{suffix}");
                }
            }
        }
    }
    Ok(())
}

/// The elements of an array that must be listed: those that are not 0.
fn elements(name: &str, value: Option<&Value>) -> Result<Vec<(BitVec, BitVec)>, ArrayNotListable> {
    let Some(Value::Array(array)) = value else { return Ok(Vec::new()) };
    if array.default_element().is_zero() {
        return Ok(array.entries().map(|(i, e)| (i.clone(), e.clone())).collect());
    }
    let width = array.index_width();
    if 1u64.checked_shl(width).is_none_or(|count| count > MAX_ELEMENTS) {
        return Err(ArrayNotListable { name: name.to_string() });
    }
    let indices = (0..1 << width).map(|i| BitVec::new(width, i));
    Ok(indices.map(|i| (array.read(&i).clone(), i)).map(|(e, i)| (i, e)).collect())
}
