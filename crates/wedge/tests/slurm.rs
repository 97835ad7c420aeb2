//! `wedge bench --slurm` on a real Slurm of two nodes, of which one is killed in the middle.

mod common;

use common::*;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const PROGRAMS: &[&str] =
    &["munged", "slurmctld", "slurmd", "sbatch", "squeue", "sinfo", "scontrol"];

fn is_there(program: &str) -> bool {
    let path = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin";
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

struct Cluster(PathBuf);

impl Cluster {
    fn start(directory: &Path) -> Cluster {
        let cluster = Cluster(directory.into());
        let port = 20000 + std::process::id() % 10000 * 3;
        cluster.tell("start", &port.to_string());
        cluster
    }

    fn tell(&self, action: &str, what: &str) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib/slurm/cluster.sh");
        let mut command = Command::new("sh");
        command.arg(script).arg(action).arg(&self.0).arg(what);
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.0.join("slurm.conf"));
        command
    }

    /// The nodes on which elements run, one line each.
    fn at_work(&self) -> String {
        let mut squeue = self.command("squeue");
        let output = squeue.args(["-h", "-r", "-t", "RUNNING", "-o", "%N"]).output().unwrap();
        stdout(&output)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.tell("stop", "");
    }
}

fn suite(directory: &Path) -> String {
    for n in 1..4 {
        write(directory, &format!("endless{n}.aag"), &endless());
        write(directory, &format!("safe{n}.aag"), &safe());
        write(directory, &format!("unsafe{n}.aag"), &unsafe_at_5());
    }
    let text = "name = \"small\"\n[limits]\ntime = \"3s\"\nmemory = \"500MB\"\n\
        [[tasks]]\nfiles = [\"endless*.aag\"]\n\
        [[tasks]]\nfiles = [\"safe*.aag\"]\nexpected = \"safe\"\n\
        [[tasks]]\nfiles = [\"unsafe*.aag\"]\nexpected = \"unsafe\"\n\
        [engines]\nbmc = [\"--engine\", \"bmc\"]\nimc = [\"--engine\", \"imc\"]\n";
    write(directory, "suite.toml", text).to_str().unwrap().to_string()
}

fn row(table: &str, engine: &str) -> Vec<String> {
    let line = table.lines().find(|l| l.starts_with(engine) && l.contains(" all ")).expect(table);
    line.split_whitespace().skip(2).take(6).map(str::to_string).collect()
}

#[test]
fn a_campaign_survives_an_interrupt_and_the_death_of_a_node() {
    if let Some(missing) = PROGRAMS.iter().find(|program| !is_there(program)) {
        eprintln!("skipped: there is no {missing} here (Debian: slurm-wlm, munge)");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let cluster = Cluster::start(&dir.path().join("cluster"));
    let suite = suite(dir.path());
    let out = dir.path().join("out");
    let bench = || -> Child {
        let mut command = cluster.command(env!("CARGO_BIN_EXE_wedge"));
        command.args(["bench", &suite, "--slurm", "--out", out.to_str().unwrap()]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let first = bench();
    eventually("both nodes are at work", || {
        let nodes = cluster.at_work();
        nodes.contains("node1") && nodes.contains("node2")
    });
    signal(first.id(), "INT");
    let first = first.wait_with_output().unwrap();
    assert_eq!(first.status.code(), Some(130));
    assert!(stdout(&first).contains("`scancel 1` cancels them"), "{}", stdout(&first));

    cluster.tell("kill", "node1");
    // Slurm would find out by itself, later; here a watchman tells it.
    let down = ["update", "nodename=node1", "state=down", "reason=killed"];
    assert!(cluster.command("scontrol").args(down).status().unwrap().success());
    let second = bench().wait_with_output().unwrap();
    let (table, errors) = (stdout(&second), String::from_utf8_lossy(&second.stderr));
    assert_eq!(second.status.code(), Some(0), "{table}{errors}");
    assert!(errors.contains("Slurm: job 1\n"), "it has submitted anew: {errors}");
    assert_eq!(row(&table, "bmc"), ["9", "3", "3", "0", "0", "3"], "{errors}");
    assert_eq!(row(&table, "imc"), ["9", "3", "3", "0", "0", "3"], "{errors}");
    let journal = std::fs::read_to_string(out.join("results.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 19, "each run counts once");
}
