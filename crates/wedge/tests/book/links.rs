//! Links lead to files and headings that exist; the contents name every page; options that pages
//! mention exist.

use super::page::{self, Page, root};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const BESIDE: &[&str] = &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];

fn all() -> Vec<Page> {
    page::book().into_iter().chain(BESIDE.iter().map(|name| page::beside(name))).collect()
}

/// The name of a file relative to the root, without `.` and `..`.
fn resolve(page: &Page, target: &str) -> String {
    let folder = Path::new(&page.name).parent().unwrap_or(Path::new(""));
    let mut parts: Vec<&str> =
        folder.to_str().unwrap().split('/').filter(|p| !p.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => assert!(parts.pop().is_some(), "{}: {target} leaves the repository", page.name),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// What is wrong with a link.
fn fault(page: &Page, target: &str, pages: &[Page]) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let name = if path.is_empty() { page.name.clone() } else { resolve(page, path) };
    if !root().join(&name).exists() {
        return Some(format!("{name} does not exist"));
    }
    if page.name.starts_with("docs/") && !name.starts_with("docs/") {
        return Some(format!("{name} is not part of the book"));
    }
    let linked = pages.iter().find(|page| page.name == name);
    let has_anchor = |page: &Page| page.anchors().iter().any(|known| known == anchor);
    let is_missing = !anchor.is_empty() && !linked.is_some_and(has_anchor);
    is_missing.then(|| format!("{name} has no heading {anchor}"))
}

#[test]
fn links_lead_somewhere() {
    let pages = all();
    let mut faults = Vec::new();
    let mut links = 0;
    for page in &pages {
        for (line, target) in page.links() {
            links += 1;
            let place = format!("{}:{line}: ({target})", page.name);
            faults.extend(fault(page, &target, &pages).map(|fault| format!("{place}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(links > 100, "only {links} links were found");
}

#[test]
fn a_broken_link_is_noticed() {
    let page = |text: &str| Page { name: "docs/x.md".into(), text: text.into() };
    let pages = [page("# One heading\n")];
    let of = |target: &str| fault(&pages[0], target, &pages).is_some();
    assert!(!of("install.md") && !of("https://example.org/x"));
    assert!(of("instal.md") && of("../README.md") && of("install.md#nowhere"));
}

#[test]
fn the_contents_name_every_page() {
    let pages = page::book();
    let contents = pages.iter().find(|page| page.name == "docs/SUMMARY.md").unwrap();
    let named: Vec<String> =
        contents.links().iter().map(|(_, target)| resolve(contents, target)).collect();
    let unique: BTreeSet<&String> = named.iter().collect();
    assert_eq!(unique.len(), named.len(), "a page is named twice");
    let others = pages.iter().filter(|page| page.name != contents.name);
    let missing: Vec<&String> =
        others.map(|page| &page.name).filter(|name| !unique.contains(name)).collect();
    assert!(missing.is_empty(), "SUMMARY.md does not name {missing:?}");
}

/// Options of other programs that pages mention.
const FOREIGN: &[&str] = &[
    "--example",
    "--ignored",
    "--incremental",
    "--lang",
    "--open",
    "--release",
    "--requeue",
    "--test",
];

/// The text of a manual page without the escapes of roff.
fn unescaped(page: &str) -> String {
    let fonts = ["\\fB", "\\fI", "\\fR"];
    fonts.iter().fold(page.to_string(), |text, font| text.replace(font, " ")).replace('\\', "")
}

#[test]
fn options_that_pages_mention_exist() {
    let folder = tempfile::tempdir().unwrap();
    let wedge = env!("CARGO_BIN_EXE_wedge");
    let status = Command::new(wedge).args(["man", "--out"]).arg(folder.path()).status();
    assert!(status.unwrap().success());
    let manual: String = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| unescaped(&std::fs::read_to_string(entry.unwrap().path()).unwrap()))
        .collect();
    let name_of = |word: &str| {
        let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        word[..end.unwrap_or(word.len())].to_string()
    };
    let words: BTreeSet<String> =
        manual.split("--").skip(1).map(|rest| format!("--{}", name_of(rest))).collect();
    let mut unknown = Vec::new();
    for page in all().iter().filter(|page| page.name != "CHANGELOG.md") {
        for (line, code) in page.code() {
            let options =
                code.split_whitespace().filter(|word| word.starts_with("--")).map(name_of);
            let fine = |option: &String| {
                option.len() <= 2 || words.contains(option) || FOREIGN.contains(&option.as_str())
            };
            unknown.extend(
                options
                    .filter(|option| !fine(option))
                    .map(|o| format!("{}:{line}: {o}", page.name)),
            );
        }
    }
    assert!(unknown.is_empty(), "no such options:\n{}", unknown.join("\n"));
}
