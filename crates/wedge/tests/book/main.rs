//! The book and the README: every command in them does what they show, every link leads somewhere,
//! and every engine and option is in them.

mod compare;
mod links;
mod page;
mod session;

use std::collections::BTreeMap;
use std::sync::Mutex;
use wedge_engines::registry;

/// How many blocks of a page are not run, for the reason that stands above each of them.
const NOT_RUN: &[(&str, usize)] = &[];

/// The least number of commands: fewer mean that they are not found any more.
const COMMANDS: usize = 20;

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
            assert!(text.contains(&format!("| `--{}", option.name)), "{name}: --{}", option.name);
        }
    }
}
