//! The formulas of a program for people: what happens before, in and after its loops.

use super::translation::Translation;
use crate::input::clauses::show;
use std::fmt::Write;
use wedge_c::encode::OriginKind;
use wedge_logic::{Term, TermStore};
use wedge_model::cfa::{Block, LocationId};

/// Every block of the transition system: the prefix from the entry, the loops, and the suffixes
/// that lead to an error.
pub fn outline(translation: &Translation) -> String {
    let single = &translation.single;
    let terms = &single.system.terms;
    let mut text = String::new();
    if let Some(pc) = single.pc {
        let name = terms.name(pc).unwrap_or("pc");
        let _ = writeln!(text, "The program counter `{name}` tells the place:");
        for (number, &cut) in single.cuts.iter().enumerate() {
            let _ = writeln!(text, "  {number}: {}", place(translation, cut));
        }
    }
    for block in &single.blocks {
        text += &describe(translation, terms, block);
    }
    text
}

fn describe(translation: &Translation, terms: &TermStore, block: &Block) -> String {
    let from = place(translation, block.cut);
    let mut text = String::new();
    for exit in &block.exits {
        let kind = match (block.cut == translation.automaton.sliced.entry, block.cut == exit.to) {
            (true, _) => "Prefix",
            (_, true) => "Loop",
            _ => "Transition",
        };
        let to = place(translation, exit.to);
        let _ = writeln!(text, "{kind} from {from} to {to}");
        let _ = writeln!(text, "  if {}", show(terms, exit.condition));
        for &(variable, value) in &exit.values {
            let name = terms.name(variable).unwrap_or("?");
            let _ = writeln!(text, "  {name}' = {}", show(terms, value));
        }
    }
    for (what, condition) in [("an error", block.error), ("the end of the model", block.limit)] {
        if terms.value(condition).is_none_or(|value| !value.is_zero()) {
            let _ = writeln!(text, "Suffix from {from} to {what}");
            let _ = writeln!(text, "  if {}", show(terms, condition));
        }
    }
    text
}

fn place(translation: &Translation, location: LocationId) -> String {
    if location == translation.automaton.sliced.entry {
        return "the entry".to_string();
    }
    let origin = translation.automaton.sliced.locations[location.0 as usize].origin;
    match origin.and_then(|origin| translation.automaton.encoded.origins.get(origin as usize)) {
        Some(origin) => {
            let at = translation.automaton.program.files.show(origin.position);
            let name = &translation.automaton.program.function(origin.function).name;
            match origin.kind {
                OriginKind::LoopHead(_) => format!("the loop of {name} at {at}"),
                _ => format!("{name} at {at}"),
            }
        }
        None => format!("location {}", location.0),
    }
}

/// A set of states, for each loop head by itself.
pub fn at_loops(translation: &Translation, terms: &mut TermStore, term: Term) -> String {
    let single = &translation.single;
    let Some(pc) = single.pc else { return show(terms, term) };
    let mut parts = Vec::new();
    for (number, &cut) in single.cuts.iter().enumerate().skip(1) {
        let number = terms.number(terms.width(pc), number as u64);
        let here = terms.substitute(term, &[(pc, number)]);
        parts.push(match single.cuts.len() {
            2 => show(terms, here),
            _ => format!("at {}: {}", place(translation, cut), show(terms, here)),
        });
    }
    parts.join("; ")
}
