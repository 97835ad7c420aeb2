//! `wedge bench` over several machines: shards merged, and Slurm as programs that stand for it.

mod common;

use common::*;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;

const ENGINES: &str = "[engines]\nbmc = [\"--engine\", \"bmc\"]\nimc = [\"--engine\", \"imc\"]\n";

/// Four circuits that are decided at once.
fn suite(directory: &Path) -> String {
    let circuits = [("safe", safe()), ("unsafe", unsafe_at_5())];
    for (name, text) in &circuits {
        (1..3).for_each(|n| drop(write(directory, &format!("{name}{n}.aag"), text)));
    }
    let tasks = "[[tasks]]\nfiles = [\"safe*.aag\"]\nexpected = \"safe\"\n\
                 [[tasks]]\nfiles = [\"unsafe*.aag\"]\nexpected = \"unsafe\"\n";
    let text = format!("name = \"small\"\n[limits]\ntime = \"60s\"\n{tasks}{ENGINES}");
    write(directory, "suite.toml", &text).to_str().unwrap().to_string()
}

/// The table without times.
fn counts(output: &Output) -> Vec<Vec<String>> {
    let text = stdout(output);
    let rows = text.lines().filter(|line| line.starts_with("bmc ") || line.starts_with("imc "));
    let cells = |row: &str| row.split_whitespace().take(10).map(str::to_string).collect();
    rows.filter(|row| row.contains(" all ")).map(cells).collect()
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn shards_merge_to_the_table_of_an_undivided_run() {
    let dir = tempfile::tempdir().unwrap();
    let suite = suite(dir.path());
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_string();
    let whole = output(&["bench", &suite, "--out", &path("whole")]);
    assert_eq!(counts(&whole)[0], ["bmc", "all", "4", "2", "2", "0", "0", "0", "0", "0"]);
    // Two shards share a folder, the third has one of its own.
    for (shard, out) in [("1/3", "a"), ("2/3", "a"), ("3/3", "b")] {
        let run = output(&["bench", &suite, "--shard", shard, "--out", &path(out)]);
        assert_eq!(run.status.code(), Some(0), "{}", complaint(&run));
    }
    let part = output(&["bench", &suite, "--merge", "--out", &path("a")]);
    assert_eq!(part.status.code(), Some(3));
    assert!(stdout(&part).contains("2 runs are missing: --merge other"), "{}", stdout(&part));
    let merged = output(&["bench", &suite, "--out", &path("a"), "--merge", &path("b")]);
    assert_eq!(merged.status.code(), Some(0), "{}", complaint(&merged));
    assert_eq!(counts(&merged), counts(&whole));
    let lines = std::fs::read_to_string(dir.path().join("a/results.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 9);
    assert!(lines.contains("\"machine\":{\"host\":"), "{lines}");
    for bad in
        [&["--shard", "4/3"][..], &["--shard", "1/3", "--fresh"], &["--shard", "1/2", "--slurm"]]
    {
        assert_eq!(output(&[&["bench", &suite], bad].concat()).status.code(), Some(2), "{bad:?}");
    }
}

/// Slurm's programs, of which sbatch runs all elements but those in `lost` before it answers.
fn stand_ins(directory: &Path) {
    let sbatch = "#!/bin/sh\ncd \"${0%/*}\"\necho \"$*\" >> asked\n\
         for word; do case $word in --array=*) list=${word#--array=}; list=${list%%[%]*};; esac; script=$word; done\n\
         [ ! -e refuse ] || { echo 'sbatch: error: no such partition' >&2; exit 1; }\n\
         for range in $(echo \"$list\" | tr , ' '); do\n\
         for n in $(seq \"${range%-*}\" \"${range#*-}\"); do\n\
         [ -e \"lost$n\" ] || SLURM_ARRAY_TASK_ID=$n sh \"$script\" > /dev/null 2>&1; done; done\n\
         echo '17;cluster'\n";
    let squeue = "#!/bin/sh\ncd \"${0%/*}\"\n\
         [ -e live ] || { echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1; }\n\
         cat live\n";
    for (name, text) in [("sbatch", sbatch), ("squeue", squeue), ("scontrol", "#!/bin/sh\n")] {
        let path = write(directory, name, text);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn what_a_cluster_has_lost_is_submitted_again() {
    let dir = tempfile::tempdir().unwrap();
    let bin = dir.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    stand_ins(&bin);
    let suite = suite(dir.path());
    let out = dir.path().join("out");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let bench = |more: &[&str]| {
        let common = ["bench", &suite, "--slurm", "--out", out.to_str().unwrap()];
        wedge(&[&common, more].concat()).env("PATH", &path).output().unwrap()
    };
    write(&bin, "refuse", "");
    let refused = bench(&["--slurm-option", "partition=gone"]);
    assert_eq!(refused.status.code(), Some(2));
    let message = "wedge: Slurm: sbatch failed: error: no such partition\n";
    assert_eq!(complaint(&refused), message);
    std::fs::remove_file(bin.join("refuse")).unwrap();
    let asked = || std::fs::read_to_string(bin.join("asked")).unwrap();
    assert!(
        asked().contains("--array=1-4 ") && asked().contains(" --partition=gone "),
        "{}",
        asked()
    );

    write(&bin, "lost2", "");
    write(&bin, "lost3", "");
    let first = bench(&["--jobs", "7"]);
    assert_eq!(first.status.code(), Some(3), "{}", complaint(&first));
    assert!(asked().lines().last().unwrap().contains("--array=1-4%7 "), "{}", asked());
    assert!(stdout(&first).contains("Runs of elements 2-3 are missing"), "{}", stdout(&first));
    // Element 3 is said to be at work now, so only element 2 is submitted.
    std::fs::remove_file(bin.join("lost2")).unwrap();
    write(&bin, "live", "17|3|RUNNING|None\n");
    let other = bench(&["--only", "unsafe"]);
    assert!(complaint(&other).contains("scancel 17"), "{}", complaint(&other));
    let discarded = bench(&["--fresh"]);
    assert!(complaint(&discarded).contains("scancel 17"), "{}", complaint(&discarded));
    let second = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| bench(&[]));
        eventually("element 2 is submitted", || asked().contains("--array=2 "));
        std::fs::remove_file(bin.join("live")).unwrap();
        waiting.join().unwrap()
    });
    assert_eq!(second.status.code(), Some(3), "{}", complaint(&second));
    std::fs::remove_file(bin.join("lost3")).unwrap();
    let third = bench(&[]);
    assert_eq!(third.status.code(), Some(0), "{}", complaint(&third));
    assert!(asked().lines().last().unwrap().contains("--array=3 "), "{}", asked());
    assert_eq!(counts(&third)[1], ["imc", "all", "4", "2", "2", "0", "0", "0", "0", "0"]);
    // With all runs there is nothing to ask Slurm for.
    std::fs::remove_file(bin.join("sbatch")).unwrap();
    assert_eq!(bench(&[]).status.code(), Some(0));
}

#[test]
fn without_slurm_there_is_one_message() {
    let dir = tempfile::tempdir().unwrap();
    let suite = suite(dir.path());
    let out = dir.path().join("out");
    let arguments = ["bench", &suite, "--slurm", "--out", out.to_str().unwrap()];
    let run = wedge(&arguments).env("PATH", dir.path()).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(complaint(&run).contains("there is no sbatch on the PATH"), "{}", complaint(&run));
}
