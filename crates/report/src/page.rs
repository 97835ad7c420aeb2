//! The page about an answer: one HTML file with its data, scripts and styles inside.
//!
//! What matters most, the verdict, the sentence and the facts, is plain markup, so that the page
//! says it without scripts, too. The scripts draw the rest from the data, and only what is looked
//! at: a source of many lines is made of the lines that are on the screen.

use crate::THEME;
use crate::shown::{Outcome, Page};
use crate::text::{embedded, escape};

const STYLE: &str = include_str!("../web/report.css");
/// In the order in which they need each other.
const SCRIPTS: &[&str] = &[
    include_str!("../web/base.js"),
    include_str!("../web/source.js"),
    include_str!("../web/story.js"),
    include_str!("../web/wave.js"),
    include_str!("../web/layout.js"),
    include_str!("../web/graph.js"),
    include_str!("../web/course.js"),
    include_str!("../web/report.js"),
];

pub fn html(page: &Page) -> String {
    let class = match page.outcome {
        Outcome::True => "true",
        Outcome::False => "false",
        Outcome::Unknown => "unknown",
    };
    let facts: String = page
        .facts
        .iter()
        .map(|(name, value)| {
            format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name), escape(value))
        })
        .collect();
    let title = format!("{}: {}", page.file, page.verdict);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"wedge {version}\">\n\
         <title>{title}</title>\n<style>\n{THEME}{STYLE}</style>\n</head>\n\
         <body>\n<header class=\"{class}\">\n\
         <p class=\"file\">{file}</p>\n<h1>{verdict}</h1>\n<p class=\"sentence\">{sentence}</p>\n\
         <dl class=\"facts\">\n{facts}</dl>\n{assumed}{warnings}</header>\n\
         <nav role=\"tablist\" aria-label=\"Parts of the report\"></nav>\n<main></main>\n\
         <noscript><p>The source, the steps and the pictures of this page need scripts.</p></noscript>\n\
         <footer>Made by Wedge {version}. Keys: <kbd>?</kbd></footer>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>\n\"use strict\";\n{scripts}</script>\n</body>\n</html>\n",
        version = env!("CARGO_PKG_VERSION"),
        title = escape(&title),
        file = escape(&page.file),
        verdict = escape(&page.verdict),
        sentence = escape(&page.sentence),
        assumed = list("Taken for granted", "assumed", &page.assumed),
        warnings = list("Warnings", "warnings", &page.warnings),
        data = embedded(page),
        scripts = SCRIPTS.concat(),
    )
}

fn list(title: &str, class: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let items: String = lines.iter().map(|line| format!("<li>{}</li>\n", escape(line))).collect();
    let open = if lines.len() <= 3 { " open" } else { "" };
    format!(
        "<details class=\"{class}\"{open}><summary>{title} ({})</summary>\n<ul>\n{items}</ul></details>\n",
        lines.len()
    )
}
