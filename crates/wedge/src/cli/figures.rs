//! Figures for people: by name, with their units, and in groups.

use wedge::answer::Member;
use wedge::{Answer, TASK_KIND};
use wedge_engines::Figures;
use wedge_engines::figures::{Unit, shown, unit};
use wedge_report::shown::{Figure, Group};

/// The figures by name, in the order of the papers' tables.
fn rows(figures: &Figures) -> Vec<(String, String)> {
    let average = |sum: u64| sum as f64 / figures.interpolants.max(1) as f64;
    let mut rows = vec![
        ("bound".into(), figures.bound.to_string()),
        ("convergence length".into(), figures.convergence.to_string()),
        ("refinements".into(), figures.refinements.to_string()),
        ("solver queries".into(), figures.queries.to_string()),
        ("solver seconds".into(), format!("{:.3}", figures.solver_seconds)),
        ("interpolants".into(), figures.interpolants.to_string()),
        ("interpolation seconds".into(), format!("{:.3}", figures.interpolation_seconds)),
        ("average AND gates".into(), format!("{:.1}", average(figures.interpolant_ands))),
        ("largest AND gates".into(), figures.largest_interpolant.to_string()),
    ];
    for (name, sum) in
        [("atoms", figures.interpolant_atoms), ("clauses", figures.interpolant_clauses)]
    {
        rows.push((format!("average {name}"), format!("{:.1}", average(sum))));
    }
    rows.extend(figures.extra.iter().map(|(name, value)| (name.clone(), shown(name, *value))));
    rows.extend(figures.said.iter().cloned());
    rows
}

/// All of them as text (`--stats`).
pub fn text(answer: &Answer) -> String {
    let mut rows = rows(&answer.figures);
    rows.insert(0, ("evidence".into(), answer.evidence.clone()));
    // The kind of task is for programs: it says nothing of the answer.
    let about = answer.about.iter().filter(|(name, _)| name != TASK_KIND);
    rows.splice(0..0, about.cloned());
    if let Some(winner) = answer.winner() {
        rows.insert(0, ("answered by".into(), winner.into()));
    }
    rows.extend(answer.members.iter().map(|m| (format!("  {}", m.engine), describe(m))));
    rows.extend(answer.notes.iter().map(|note| ("note".into(), note.clone())));
    rows.push(("seconds".into(), format!("{:.3}", answer.seconds)));
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0) + 2;
    rows.iter().map(|(name, value)| format!("{name:width$}{value}\n")).collect()
}

fn describe(member: &Member) -> String {
    let text = format!("{}, {:.3} s, bound {}", member.end, member.seconds, member.bound);
    match shared(member) {
        shared if shared.is_empty() => text,
        shared => format!("{text}, {shared}"),
    }
}

/// What a member has learnt from others, in words.
pub fn shared(member: &Member) -> String {
    let shared = [("bounds", member.shared_bounds), ("facts", member.shared_facts)];
    let some = shared.into_iter().filter(|(_, count)| *count > 0);
    let parts: Vec<String> = some.map(|(what, count)| format!("{count} {what}")).collect();
    if parts.is_empty() { String::new() } else { format!("shared: {}", parts.join(", ")) }
}

/// The figures that are not 0, in groups, for pages. A figure `group: name` names its group.
pub fn groups(figures: &Figures) -> Vec<Group> {
    let count = figures.interpolants.max(1) as f64;
    let fixed = [
        ("search", "bound", figures.bound as f64, ""),
        ("search", "convergence length", figures.convergence as f64, ""),
        ("search", "refinements", figures.refinements as f64, ""),
        ("solver", "queries", figures.queries as f64, ""),
        ("solver", "time", figures.solver_seconds, "s"),
        ("interpolants", "number", figures.interpolants as f64, ""),
        ("interpolants", "time", figures.interpolation_seconds, "s"),
        ("interpolants", "average size", figures.interpolant_ands as f64 / count, "gates"),
        ("interpolants", "largest", figures.largest_interpolant as f64, "gates"),
        ("interpolants", "average", figures.interpolant_atoms as f64 / count, "atoms"),
        ("interpolants", "average", figures.interpolant_clauses as f64 / count, "clauses"),
    ];
    let mut groups: Vec<Group> = Vec::new();
    for (group, name, value, unit) in fixed {
        add(&mut groups, group, name, value, unit);
    }
    for (name, value) in &figures.extra {
        let (group, rest) = match name.split_once(": ") {
            Some((group, rest)) => (group, rest),
            None if name.contains("preprocessing") => ("preprocessing", name.as_str()),
            None => ("engine", name.as_str()),
        };
        let unit = match unit(name) {
            Unit::Seconds => "s",
            Unit::Bits => "bits",
            Unit::Count => "",
        };
        let name = rest.trim_end_matches(" seconds").replace("seconds", "time");
        add(&mut groups, group, &name, *value, unit);
    }
    for (name, value) in &figures.said {
        let row = Figure { name: name.clone(), value: value.clone(), unit: String::new() };
        push(&mut groups, "solver", row);
    }
    groups
}

fn add(groups: &mut Vec<Group>, group: &str, name: &str, value: f64, unit: &str) {
    if value == 0.0 {
        return;
    }
    let (value, unit) = match unit {
        "s" if value < 1.0 => (format!("{:.1}", value * 1000.0), "ms"),
        "s" => (format!("{value:.2}"), "s"),
        unit if value.fract() == 0.0 => (thousands(value as u64), unit),
        unit => (format!("{value:.1}"), unit),
    };
    push(groups, group, Figure { name: name.into(), value, unit: unit.into() });
}

fn push(groups: &mut Vec<Group>, group: &str, row: Figure) {
    let name = capital(group);
    match groups.iter_mut().find(|known| known.name == name) {
        Some(known) => known.rows.push(row),
        None => groups.push(Group { name, rows: vec![row] }),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A number with a narrow space between thousands.
fn thousands(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use wedge_engines::figures;

    #[test]
    fn groups_have_units_and_no_zeros() {
        let mut figures = Figures { bound: 1234, solver_seconds: 0.25, ..Figures::default() };
        figures.add(figures::STATE_BITS, 64.0);
        figures.add(figures::LEMMAS, 0.0);
        figures.add(figures::LATCHES_AFTER, 3.0);
        let groups = groups(&figures);
        let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names, ["Search", "Solver", "Model", "Preprocessing"]);
        let row = |group: usize| {
            (groups[group].rows[0].value.as_str(), groups[group].rows[0].unit.as_str())
        };
        assert_eq!(row(0), ("1\u{202f}234", ""));
        assert_eq!(row(1), ("250.0", "ms"));
        assert_eq!(row(2), ("64", "bits"));
    }
}
