//! Waveforms as value change dumps (IEEE 1364-2005, clause 18), which waveform viewers read. One
//! step is one unit of time; the dump ends one step after the last, so that the last step has a
//! width.

use crate::shown::{Signal, SignalKind, Waveform};
use std::fmt::Write;

/// The waveform of a model of this name.
pub fn vcd(name: &str, waveform: &Waveform) -> String {
    let mut text = format!("$version wedge {} $end\n", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(text, "$comment counterexample of {} $end", word(name).replace('$', "_"));
    text += "$timescale 1 ns $end\n";
    for (kind, scope) in [
        (SignalKind::Input, "inputs"),
        (SignalKind::State, "states"),
        (SignalKind::Bad, "property"),
    ] {
        let signals = waveform.signals.iter().enumerate().filter(|(_, s)| s.kind == kind);
        let declared: String = signals
            .map(|(index, s)| {
                format!("$var wire {} {} {} $end\n", s.width, code(index), reference(s))
            })
            .collect();
        if !declared.is_empty() {
            let _ = write!(text, "$scope module {scope} $end\n{declared}$upscope $end\n");
        }
    }
    text += "$enddefinitions $end\n";
    let mut at: Vec<Vec<(usize, &str)>> = vec![Vec::new(); waveform.steps];
    for (index, signal) in waveform.signals.iter().enumerate() {
        for (step, value) in &signal.changes {
            if let Some(changes) = at.get_mut(*step) {
                changes.push((index, value));
            }
        }
    }
    for (step, changes) in at.iter().enumerate().filter(|(_, changes)| !changes.is_empty()) {
        let _ = writeln!(text, "#{step}");
        for &(index, value) in changes {
            text += &change(value, waveform.signals[index].width, &code(index));
        }
    }
    let _ = writeln!(text, "#{}", waveform.steps);
    text
}

fn change(value: &str, width: u32, code: &str) -> String {
    match width {
        1 => format!("{value}{code}\n"),
        _ => format!("b{} {code}\n", binary(value, width as usize)),
    }
}

/// Hexadecimal digits as binary ones, as many as the signal is wide.
pub fn binary(hexadecimal: &str, width: usize) -> String {
    let digit = |c: char| format!("{:04b}", c.to_digit(16).unwrap_or(0));
    let all: String = hexadecimal.chars().map(digit).collect();
    format!("{:0>width$}", &all[all.len().saturating_sub(width)..])
}

/// Identifiers are the printable characters, in the order of numbers with 94 digits.
fn code(mut index: usize) -> String {
    let mut code = String::new();
    loop {
        code.push((b'!' + (index % 94) as u8) as char);
        index /= 94;
        if index == 0 {
            return code;
        }
        index -= 1;
    }
}

/// A name without spaces, and the bits that it has.
fn reference(signal: &Signal) -> String {
    let name = word(&signal.name);
    match signal.width {
        1 => name,
        width => format!("{name} [{}:0]", width - 1),
    }
}

fn word(name: &str) -> String {
    name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_at_their_steps() {
        let signals = vec![
            Signal::new(
                "in a",
                SignalKind::Input,
                1,
                ["1", "1", "0"].map(String::from).into_iter(),
            ),
            Signal::new("n", SignalKind::State, 6, ["0", "2a", "2a"].map(String::from).into_iter()),
        ];
        let text = vcd("m.btor2", &Waveform { steps: 3, signals, omitted: 0 });
        assert!(text.contains("$var wire 1 ! in_a $end\n"), "{text}");
        assert!(text.contains("$var wire 6 \" n [5:0] $end\n"), "{text}");
        let (_, body) = text.split_once("$enddefinitions $end\n").unwrap();
        assert_eq!(body, "#0\n1!\nb000000 \"\n#1\nb101010 \"\n#2\n0!\n#3\n");
    }

    #[test]
    fn codes_are_different() {
        let mut codes: Vec<String> = (0..10_000).map(code).collect();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), 10_000);
    }
}
