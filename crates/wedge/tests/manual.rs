//! The manual and the completions know every command and every option of every engine.

mod common;

use common::run;
use std::path::Path;
use std::process::Command;
use wedge_engines::registry;

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let help = run(&["--help"]).stdout;
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.map(|line| line.split_whitespace().next().unwrap().to_string());
    names.filter(|name| name != "help").collect()
}

/// A page as it reads: without the escapes of roff.
fn page(folder: &Path, name: &str) -> String {
    let text = std::fs::read_to_string(folder.join(format!("{name}.1"))).unwrap();
    text.replace("\\fB", "").replace("\\fI", "").replace("\\fR", "").replace('\\', "")
}

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("man1");
    assert_eq!(run(&["man", "--out", folder.to_str().unwrap()]).status, 0);
    let commands = commands();
    assert!(commands.len() >= 9, "{commands:?}");
    let whole = page(&folder, "wedge");
    for name in &commands {
        assert!(whole.contains(&format!("wedge-{name}(1)")), "wedge.1 does not name {name}");
        let own = page(&folder, &format!("wedge-{name}"));
        assert!(own.contains(".SH SYNOPSIS") && own.contains(".SH DESCRIPTION"), "{name}");
        let printed = run(&["man", name]).stdout;
        let written = std::fs::read_to_string(folder.join(format!("wedge-{name}.1"))).unwrap();
        assert_eq!(printed, written);
    }
    assert_eq!(run(&["man", "nonsense"]).status, 2);
}

#[test]
fn the_page_of_check_has_every_option() {
    let text = run(&["man", "check"]).stdout.replace('\\', "");
    let mut options = 0;
    for entry in registry::engines() {
        assert!(text.contains(&format!("{}: {}", entry.name, entry.summary)), "{}", entry.name);
        for option in entry.options {
            assert!(text.contains(&format!("--{}", option.name)), "--{}", option.name);
            options += 1;
        }
    }
    assert!(options > 60);
    // What the help shows, the page shows; what it hides, the page hides.
    let help = run(&["check", "--help"]).stdout;
    let shown = help.lines().filter_map(|line| line.trim_start().strip_prefix("--"));
    for option in shown.map(|rest| rest.split([' ', '=', '<']).next().unwrap()) {
        assert!(text.contains(&format!("--{option}")), "--{option}");
    }
    assert!(!text.contains("--leashed"));
}

#[test]
fn completions_know_engines_and_their_options() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&["completions", shell]);
        assert_eq!(script.status, 0, "{shell}");
        for command in commands() {
            assert!(script.stdout.contains(&command), "{shell}: {command}");
        }
        for entry in registry::engines() {
            let options = entry.options.iter();
            let missing = options.filter(|option| !script.stdout.contains(option.name)).count();
            assert_eq!(missing, 0, "{shell}: {}", entry.name);
        }
        assert!(script.stdout.contains("interpolants"), "{shell}");
        if ["bash", "fish", "zsh"].contains(&shell) {
            assert!(script.stdout.contains("cnf-itp"), "{shell} does not complete engines");
            parses(shell, &script.stdout);
        }
    }
}

/// Lets the shell read the script without running it, where there is one.
fn parses(shell: &str, script: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = common::write(folder.path(), "script", script);
    match Command::new(shell).arg("-n").arg(&file).output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() && said.is_empty(), "{shell}: {said}");
        }
        Err(_) => eprintln!("skipped: {shell} is not installed"),
    }
}

#[test]
fn bash_completes_an_engine() {
    let script = run(&["completions", "bash"]).stdout;
    let folder = tempfile::tempdir().unwrap();
    let file = common::write(folder.path(), "wedge.bash", &script);
    let line = format!(
        "source {}; COMP_WORDS=(wedge check --engine cnf); COMP_CWORD=3; _wedge wedge cnf --engine; \
         echo \"${{COMPREPLY[@]}}\"",
        file.display()
    );
    match Command::new("bash").args(["--norc", "-c", &line]).output() {
        Ok(output) => assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "cnf-itp"),
        Err(_) => eprintln!("skipped: bash is not installed"),
    }
}
