//! The book and the README: every command in them does what they show, every link leads somewhere,
//! and every engine and option is in them.

mod compare;
mod links;
mod page;
mod session;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use wedge_engines::registry;

/// How many blocks of a page are not run, for the reason that stands above each of them.
const NOT_RUN: &[(&str, usize)] = &[
    ("README.md", 2),
    ("docs/api.md", 1),
    ("docs/campaigns.md", 2),
    ("docs/choosing.md", 1),
    ("docs/competitions.md", 2),
    ("docs/install.md", 3),
    ("docs/symbiyosys.md", 1),
];

/// The least number of commands: fewer mean that they are not found any more.
const COMMANDS: usize = 90;

#[test]
fn commands_do_what_the_pages_show() {
    let mut pages = page::book();
    pages.push(page::beside("README.md"));
    let queue = Mutex::new(pages);
    let results = Mutex::new(BTreeMap::new());
    let next = || queue.lock().unwrap().pop();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get()) {
            scope.spawn(|| {
                while let Some(page) = next() {
                    let report = session::follow(&page);
                    results.lock().unwrap().insert(page.name.clone(), report);
                }
            });
        }
    });
    let results = results.into_inner().unwrap();
    let failures: Vec<&String> = results.values().flat_map(|report| &report.failures).collect();
    let listed: Vec<String> = failures.iter().map(|failure| format!("{failure}\n")).collect();
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), listed.join("\n"));
    let not_run = results.iter().filter(|(_, report)| report.not_run > 0);
    let not_run: Vec<(&str, usize)> = not_run.map(|(n, r)| (n.as_str(), r.not_run)).collect();
    assert_eq!(not_run, NOT_RUN);
    let commands: usize = results.values().map(|report| report.commands).sum();
    assert!(commands >= COMMANDS, "only {commands} commands were run");
}

/// One line with single spaces.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_engine_has_a_page_with_its_paper_and_options() {
    let pages = page::book();
    for entry in registry::engines() {
        let name = format!("docs/engines/{}.md", entry.name);
        let page = pages.iter().find(|page| page.name == name);
        let text = flat(&page.unwrap_or_else(|| panic!("there is no {name}")).text);
        assert!(text.contains(&flat(entry.paper)), "{name}: {}", entry.paper);
        for option in entry.options {
            let row = format!("| `--{}", option.name);
            assert!(text.contains(&row), "{name} has no row of --{}", option.name);
            let help = option.help.replace('|', "\\|");
            assert!(text.contains(&help), "{name}: --{} is described otherwise", option.name);
        }
    }
}

/// What these engines do depends on the time that queries take.
const TIMED: &[&str] = &["cnf-itp.svg"];

/// The pictures are what the engines do now.
#[test]
fn pictures_are_those_of_the_example() {
    let folder = tempfile::tempdir().unwrap();
    let wedge = Path::new(env!("CARGO_BIN_EXE_wedge"));
    let program = wedge.parent().unwrap().join("examples/pictures");
    let model = page::root().join("examples/threes.btor2");
    let status = Command::new(program).arg(model).arg(folder.path()).status();
    assert!(status.expect("cargo builds the example beside the tests").success());
    let mut pictures = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let kept = page::root().join("docs/pictures").join(&name);
        let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
        let is_open = TIMED.contains(&name.as_str()) && !read(&kept).is_empty();
        assert!(is_open || read(&path) == read(&kept), "docs/pictures/{name} is another one now");
        pictures += 1;
    }
    assert_eq!(pictures, registry::engines().count());
}
