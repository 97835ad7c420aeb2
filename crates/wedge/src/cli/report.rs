//! Figures for people (`--stats`), for programs (`--json`) and as a page (`--report`).

use super::args::CheckArgs;
use wedge::Answer;
use wedge::answer::Member;
use wedge_engines::Figures;
use wedge_engines::figures::shown;

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

pub fn figures(answer: &Answer) -> String {
    let mut rows = rows(&answer.figures);
    rows.insert(0, ("evidence".into(), answer.evidence.clone()));
    rows.splice(0..0, answer.about.iter().cloned());
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
    let mut text = format!("{}, {:.3} s, bound {}", member.end, member.seconds, member.bound);
    let shared = [("bounds", member.shared_bounds), ("facts", member.shared_facts)];
    for (what, count) in shared.into_iter().filter(|(_, count)| *count > 0) {
        text += &format!(", shared: {count} {what}");
    }
    text
}

pub fn json(args: &CheckArgs, answer: &Answer) -> String {
    let mut object = serde_json::json!({
        "file": args.file().display().to_string(),
        "engine": args.engine,
        "properties": answer.question.properties(),
        "verdict": answer.verdict.to_string(),
        "evidence": answer.evidence,
        "seconds": answer.seconds,
        "figures": answer.figures,
    });
    for (name, value) in &answer.about {
        object[name.as_str()] = value.as_str().into();
    }
    if !answer.notes.is_empty() {
        object["notes"] = serde_json::json!(answer.notes);
    }
    if let Some(counterexample) = &answer.files.counterexample {
        object["trace"] = serde_json::json!(counterexample);
    }
    if !answer.members.is_empty() {
        object["answered by"] = answer.winner().into();
        object["members"] = serde_json::json!(answer.members);
    }
    object.to_string()
}

pub fn page(args: &CheckArgs, answer: &Answer) -> String {
    let title = format!("{}: {}", args.file().display(), answer.verdict);
    let mut rows = rows(&answer.figures);
    rows.splice(0..0, answer.about.iter().cloned());
    rows.extend(answer.members.iter().map(|m| (m.engine.clone(), describe(m))));
    let rows: String = rows
        .iter()
        .map(|(name, value)| {
            format!("<tr><th>{}</th><td>{}</td></tr>\n", escape(name), escape(value))
        })
        .collect();
    let engine = match answer.winner() {
        Some(winner) => format!("{}, answered by {winner}", args.engine),
        None => args.engine.clone(),
    };
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\n\
         <style>body{{font:15px sans-serif;max-width:60em;margin:2em auto}}\
         table{{border-collapse:collapse}}th,td{{border:1px solid #ccc;padding:.2em .6em;\
         text-align:left;font-weight:normal}}td{{font-family:monospace}}</style>\n\
         <h1>{title}</h1>\n<p>Engine {engine}; property {property}; {seconds:.3} s. \
         Evidence: {evidence}.</p>\n<h2>Figures</h2>\n<table>\n{rows}</table>\n{trace}</html>\n",
        title = escape(&title),
        engine = escape(&engine),
        property = answer.question,
        seconds = answer.seconds,
        evidence = escape(&answer.evidence),
        trace = trace_part(answer),
    )
}

fn trace_part(answer: &Answer) -> String {
    let table = answer.files.inputs.as_deref().map_or(String::new(), trace_table);
    match &answer.files.counterexample {
        Some(counterexample) => {
            let text = escape(&counterexample.text());
            format!("{table}<h2>Counterexample</h2>\n<pre>{text}</pre>\n")
        }
        None => table,
    }
}

/// The inputs that are ever different from 0, one column per step.
fn trace_table(rows: &[(String, Vec<String>)]) -> String {
    let steps = rows.first().map_or(0, |(_, values)| values.len());
    let mut table = String::from(
        "<h2>Counterexample: inputs that are ever different from 0</h2>\n<table>\n\
         <tr><th>input</th>",
    );
    (0..steps).for_each(|step| table += &format!("<th>{step}</th>"));
    table += "</tr>\n";
    for (name, values) in rows {
        table += &format!("<tr><th>{}</th>", escape(name));
        values.iter().for_each(|value| table += &format!("<td>{}</td>", escape(value)));
        table += "</tr>\n";
    }
    table + "</table>\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
