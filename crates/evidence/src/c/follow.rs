//! A run of the program that is given the values of a violation witness.
//!
//! The values are those that the witness gives to results of calls, in order; whatever else the
//! program leaves open is 0. If that run comes to the target nothing has to be searched.

use super::reading::{Segment, WaypointKind};
use super::sources::Sources;
use std::collections::VecDeque;
use wedge_c::Properties;
use wedge_c::interp::{Choice, ChoiceKind, Limits, Oracle, Outcome, run};
use wedge_c::source::Position;
use wedge_c::typed::Program;

/// No run that is followed is longer.
const STEPS: u64 = 20_000_000;

/// The place of the violation that such a run comes to, if it comes to one.
pub fn follow(
    program: &Program,
    properties: &Properties,
    sources: &Sources,
    segments: &[Segment],
) -> Option<Position> {
    let mut values = VecDeque::new();
    for segment in segments {
        if let WaypointKind::Return(value) = &segment.follow.kind {
            let location = &segment.follow.location;
            values.push_back((location.line, location.column, number(value)?));
        }
    }
    let mut oracle = Given { program, sources, values };
    let limits = Limits { steps: STEPS, ..Limits::default() };
    match run(program, properties, &mut oracle, limits) {
        run if run.inexact.is_some() => None,
        run => match run.outcome {
            Outcome::Violated(violation) => Some(violation.position),
            _ => None,
        },
    }
}

/// A number that `\result` is equal to.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Number {
    Int(i128),
    Float(f64),
}

fn number(constraint: &str) -> Option<Number> {
    let text = constraint.trim().trim_end_matches(';').trim();
    let text = text.strip_prefix("\\result")?.trim_start().strip_prefix("==")?.trim();
    term(text)
}

/// A number as it is written in C, with a sign, brackets and differences.
fn term(text: &str) -> Option<Number> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return term(inner);
    }
    if let Some((left, right)) = text.rsplit_once(" - ") {
        return match (term(left)?, term(right)?) {
            (Number::Int(left), Number::Int(right)) => Some(Number::Int(left - right)),
            _ => None,
        };
    }
    let plain = text.trim_end_matches(['u', 'U', 'l', 'L']);
    if let Ok(value) = plain.parse() {
        return Some(Number::Int(value));
    }
    let hex = plain.strip_prefix("0x").and_then(|digits| i128::from_str_radix(digits, 16).ok());
    hex.map(Number::Int).or_else(|| text.trim_end_matches('f').parse().ok().map(Number::Float))
}

struct Given<'a> {
    program: &'a Program,
    sources: &'a Sources,
    /// Line and column of the end of the call.
    values: VecDeque<(u32, u32, Number)>,
}

impl Oracle for Given<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let (ChoiceKind::Input(name) | ChoiceKind::External(name)) = choice.kind else { return 0 };
        let source = self.sources.of(&self.program.files, choice.position);
        let end = source.and_then(|source| source.call_end(choice.position, name));
        let row = source.map_or(0, |source| source.row(choice.position));
        let is_here = |&(line, column, _): &(u32, u32, Number)| match column {
            0 => line == row,
            _ => Some((line, column)) == end,
        };
        if !self.values.front().is_some_and(is_here) {
            return 0;
        }
        let is_int = self.program.types.int_format(choice.ty).is_some();
        match self.values.pop_front() {
            Some((_, _, Number::Int(value))) if is_int => value as u128,
            Some((_, _, value)) => {
                let value = match value {
                    Number::Int(value) => value as f64,
                    Number::Float(value) => value,
                };
                match choice.width {
                    32 => (value as f32).to_bits() as u128,
                    _ => value.to_bits() as u128,
                }
            }
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_witnesses_write_them() {
        assert_eq!(number("\\result == (-5)"), Some(Number::Int(-5)));
        assert_eq!(number("\\result == 7u;"), Some(Number::Int(7)));
        assert_eq!(number("\\result == (-2147483647 - 1)"), Some(Number::Int(-2147483648)));
        assert_eq!(number("\\result==0x10"), Some(Number::Int(16)));
        assert_eq!(number("\\result == 1.5"), Some(Number::Float(1.5)));
        assert_eq!(number("\\result < 7"), None);
        assert_eq!(number("x == 7"), None);
    }
}
