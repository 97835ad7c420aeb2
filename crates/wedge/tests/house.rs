//! The plan of the house: which crate may import which, and what documents promise.

use std::path::{Path, PathBuf};
use wedge_engines::registry;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The crates from bottom to top; a crate may import those of lower floors only.
const FLOORS: &[&[&str]] = &[
    &["logic", "process", "report"],
    &["sat", "model"],
    &["hw", "c", "smt"],
    &["engines", "evidence"],
    &["bench"],
    &["wedge"],
];

fn floor(name: &str) -> usize {
    let floor = FLOORS.iter().position(|floor| floor.contains(&name));
    floor.unwrap_or_else(|| panic!("the crate {name} has no floor"))
}

/// The crates of the workspace that a manifest names, without those that only tests use.
fn imports(manifest: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line == "[dependencies]";
        }
        if let Some(rest) = line.strip_prefix("wedge-").filter(|_| inside) {
            let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
            found.push(rest[..end].to_string());
        }
    }
    found
}

#[test]
fn no_crate_imports_upwards() {
    let mut crates = 0;
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let manifest = std::fs::read_to_string(path.join("Cargo.toml")).unwrap();
        for import in imports(&manifest) {
            assert!(floor(&import) < floor(&name), "{name} imports {import}");
        }
        crates += 1;
    }
    assert_eq!(crates, FLOORS.iter().map(|floor| floor.len()).sum::<usize>());
}

#[test]
fn imports_are_read_from_manifests() {
    let manifest = "[package]\nname = \"wedge-x\"\n[dependencies]\nserde.workspace = true\n\
        wedge-sat.workspace = true\n[dev-dependencies]\nwedge-hw.workspace = true\n";
    assert_eq!(imports(manifest), ["sat"]);
}

/// Only the binary prints, and the benchmark runner, which is a part of it.
#[test]
fn libraries_do_not_print() {
    let mut stack = vec![root().join("crates")];
    let mut files = 0;
    while let Some(path) = stack.pop() {
        if path.is_dir() {
            stack.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let name = path.display().to_string();
        let is_library = name.contains("/src/") && !name.contains("/cli/");
        if !name.ends_with(".rs") || !is_library || name.contains("crates/bench") {
            continue;
        }
        files += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        if name.ends_with("tests.rs") {
            continue;
        }
        for line in code.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
            let prints = ["println!(", "print!(", "process::exit("];
            let is_leash = name.ends_with("process/src/leash.rs");
            let found = prints.iter().find(|what| line.contains(**what) && !is_leash);
            assert!(found.is_none(), "{name}: {line}");
        }
    }
    assert!(files > 300);
}

#[test]
fn documents_name_every_engine() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    for entry in registry::engines() {
        assert!(readme.contains(&format!("| `{}` |", entry.name)), "README: {}", entry.name);
        assert!(!entry.paper.is_empty() && !entry.summary.is_empty(), "{}", entry.name);
        let levels = entry.levels.names();
        assert!(!levels.is_empty(), "{} reads nothing", entry.name);
    }
}
