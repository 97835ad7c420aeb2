//! A counterexample as text for people: one line per step.

use super::counterexample::{Counterexample, Place, Step, StepEvent};
use wedge_c::library::ARGUMENT;

impl Counterexample {
    /// The story, with as much space for places as the longest one needs.
    pub fn text(&self) -> String {
        let places: Vec<String> = self.steps.iter().map(|step| place(&step.place)).collect();
        let width = places.iter().map(String::len).max().unwrap_or(0) + 2;
        let mut text = String::from("Error trace:\n");
        if self.forgotten > 0 {
            text += &format!("  ({} earlier events were not kept)\n", self.forgotten);
        }
        for (number, (place, step)) in places.iter().zip(&self.steps).enumerate() {
            if number == self.omitted_after && self.omitted > 0 {
                text += &format!("  ... {} steps left out; --trace shows them\n", self.omitted);
            }
            text += &format!("  {place:width$}{}\n", step.what());
        }
        text
    }
}

impl Step {
    /// What happens, in words.
    pub fn what(&self) -> String {
        match &self.event {
            StepEvent::Call { callee } => format!("call of {callee}"),
            StepEvent::Return => format!("return from {}", self.function),
            StepEvent::Decision { source, value } => {
                let source = source.as_deref().map_or("condition".into(), shortened);
                format!("{source}   decided: {value}")
            }
            StepEvent::Assignment { variable, value, .. } => format!("{variable} = {value}"),
            StepEvent::Choice { name, is_call, value } => {
                if name.starts_with(ARGUMENT) {
                    return format!("{name} = {value}");
                }
                let call = if *is_call { "()" } else { "" };
                format!("{name}{call} gives {value}")
            }
            StepEvent::Violation { what, .. } => what.clone(),
        }
    }
}

/// The name of the file without its folder, and the line.
fn place(place: &Place) -> String {
    let name = place.file.rsplit('/').next().unwrap_or(&place.file);
    format!("{name}:{}", place.line)
}

fn shortened(line: &str) -> String {
    const LIMIT: usize = 60;
    match line.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line.to_string(),
    }
}
