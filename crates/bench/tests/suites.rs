//! Suites as files: what they mean, and what is wrong with them.

use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use wedge_bench::{Expected, Suite, tasks};

/// A directory with two circuits, a program and the given files.
fn directory(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let defaults = [("a/one.aag", ""), ("a/two.aag", ""), ("b.c", "")];
    for (name, content) in defaults.iter().chain(files) {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    dir
}

fn read(dir: &TempDir) -> Result<Suite, String> {
    Suite::read(&dir.path().join("suite.toml")).map_err(|error| error.to_string())
}

fn suite(text: &str) -> Result<Suite, String> {
    read(&directory(&[("suite.toml", text)]))
}

#[track_caller]
fn fails(text: &str, expected: &str) {
    let error = suite(text).expect_err("the suite is bad");
    assert!(error.contains("suite.toml"), "{error}");
    assert!(error.contains(expected), "{error}");
}

const ENGINES: &str = "[engines]\nzeta = [\"--engine\", \"z\"]\nalpha = []\n";

#[test]
fn patterns_engines_and_limits() {
    let text = format!(
        "name = \"n\"\n[limits]\ntime = \"1.5m\"\ncpu = \"40s\"\nmemory = \"2GB\"\njobs = 3\n[[tasks]]\n\
         files = \"a/*.aag\"\nexpected = \"true\"\ncategory = \"counters\"\n[[tasks]]\n\
         files = [\"b.c\"]\ndata_model = \"LP64\"\n{ENGINES}"
    );
    let dir = directory(&[("suite.toml", &text)]);
    let suite = read(&dir).unwrap();
    assert_eq!((suite.name.as_str(), suite.jobs), ("n", 3));
    assert_eq!(suite.limits.time, Duration::from_secs(90));
    assert_eq!(suite.limits.cpu, Some(Duration::from_secs(40)));
    assert_eq!(suite.limits.memory, Some(2_000_000_000));
    let names: Vec<&str> = suite.engines.iter().map(|engine| engine.name.as_str()).collect();
    assert_eq!(names, ["zeta", "alpha"]);
    assert_eq!(suite.engines[0].arguments, ["--engine", "z"]);
    let tasks: Vec<_> = suite
        .tasks
        .iter()
        .map(|t| (t.name.as_str(), t.expected, t.category.as_str(), t.data_model.as_deref()))
        .collect();
    assert_eq!(
        tasks,
        [
            ("a/one.aag", Expected::Safe, "counters", None),
            ("a/two.aag", Expected::Safe, "counters", None),
            ("b.c", Expected::Unknown, "-", Some("LP64")),
        ]
    );
    assert!(suite.tasks.iter().all(|task| task.file.is_file()));
}

#[test]
fn short_forms_and_defaults() {
    let one = suite(&format!("name = \"n\"\ntasks = \"a/*.aag\"\n{ENGINES}")).unwrap();
    assert_eq!(one.tasks.len(), 2);
    assert_eq!((one.jobs, one.limits.memory), (1, None));
    assert_eq!(one.limits.time, Duration::from_secs(60));
    let list = format!("name = \"n\"\ntasks = [\"a/*.aag\", \"a/one.aag\", \"b.c\"]\n{ENGINES}");
    assert_eq!(suite(&list).unwrap().tasks.len(), 3);
}

#[test]
fn a_manifest() {
    let manifest = "origin\tpath\texpected\tformat\tdata_model\n\
                    x\ta/one.aag\tsafe\taig\t\ny\tb.c\tFALSE\tc\tILP32\n\n";
    let text = format!("name = \"n\"\ntasks = [{{ manifest = \"sub/m.tsv\" }}]\n{ENGINES}");
    let manifest = manifest.replace("a/one.aag", "../a/one.aag").replace("b.c", "../b.c");
    let dir = directory(&[("suite.toml", &text), ("sub/m.tsv", &manifest)]);
    let suite = read(&dir).unwrap();
    assert_eq!(suite.tasks[0].name, "../a/one.aag");
    assert_eq!(suite.tasks[0].expected, Expected::Safe);
    assert_eq!((suite.tasks[0].category.as_str(), &suite.tasks[0].data_model), ("aig", &None));
    assert_eq!(suite.tasks[1].expected, Expected::Unsafe);
    assert_eq!(suite.tasks[1].data_model.as_deref(), Some("ILP32"));
    assert!(suite.tasks[1].file.is_file());
}

#[test]
fn parts_of_a_manifest_with_arguments() {
    let sets = "[[tasks]]\nmanifest = \"m.tsv\"\n\
                [[tasks]]\nmanifest = \"m.tsv\"\nonly = \"aag\"\nsample = 1\n\
                category = \"Integer\"\narguments = [\"--arithmetic\", \"integer\"]\n";
    let text = format!("name = \"n\"\n{sets}{ENGINES}");
    let manifest =
        "path\texpected\tcategory\na/one.aag\tsafe\tx\na/two.aag\tsafe\tx\nb.c\tsafe\tx\n";
    let suite = read(&directory(&[("suite.toml", &text), ("m.tsv", manifest)])).unwrap();
    let tasks: Vec<(&str, &str)> =
        suite.tasks.iter().map(|task| (task.name.as_str(), task.category.as_str())).collect();
    assert_eq!(
        tasks,
        [
            ("a/one.aag", "x"),
            ("a/two.aag", "x"),
            ("b.c", "x"),
            ("a/one.aag --arithmetic integer", "Integer"),
        ]
    );
    let engine = &suite.engines[0];
    assert_eq!(engine.told(&suite.tasks[0]), engine.arguments);
    assert!(engine.told(&suite.tasks[3]).ends_with(&["--arithmetic".into(), "integer".into()]));
}

#[test]
fn properties_of_a_manifest() {
    let text = format!("name = \"n\"\ntasks = {{ manifest = \"m.tsv\" }}\n{ENGINES}");
    let manifest = "path\texpected\tproperty\tsubproperty\nb.c\tfalse\tmemory\tvalid-deref\n";
    let property = ("properties/memory.prp", "CHECK( init(main()), LTL(G valid-deref) )\n");
    let suite = read(&directory(&[("suite.toml", &text), ("m.tsv", manifest), property])).unwrap();
    let task = &suite.tasks[0];
    assert!(task.property.as_ref().is_some_and(|file| file.ends_with("properties/memory.prp")));
    assert_eq!(task.subproperty.as_deref(), Some("valid-deref"));
    manifest_fails("path\texpected\tproperty\nb.c\tfalse\tnone\n", "properties/none.prp");
}

#[track_caller]
fn manifest_fails(manifest: &str, expected: &str) {
    let text = format!("name = \"n\"\ntasks = {{ manifest = \"m.tsv\" }}\n{ENGINES}");
    let error = read(&directory(&[("suite.toml", &text), ("m.tsv", manifest)])).err().unwrap();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn bad_manifests() {
    manifest_fails("", "m.tsv:1: the manifest is empty");
    manifest_fails("path\tformat\n", "m.tsv:1: there is no column 'expected'");
    manifest_fails("path\texpected\nb.c\n", "m.tsv:2: expected 2 columns, found 1");
    manifest_fails("path\texpected\nb.c\tmaybe\n", "m.tsv:2: expected is 'maybe'");
    manifest_fails("path\texpected\n\nno.c\tsafe\n", "m.tsv:3: there is no file");
    manifest_fails("path\texpected\n", "the suite has no tasks");
}

#[test]
fn bad_suites() {
    let tasks = "tasks = \"b.c\"";
    fails(&format!("name = \"n\"\n{tasks}\ncolour = 1\n{ENGINES}"), "unknown field `colour`");
    fails(&format!("name = \"n\"\n{tasks}\ncolour = 1\n{ENGINES}"), "line 3");
    fails(&format!("{tasks}\n{ENGINES}"), "missing field `name`");
    fails(&format!("name = \"n\"\n{ENGINES}"), "missing field `tasks`");
    fails(&format!("name = \"n\"\n{tasks}\n[engines]\n"), "the suite has no engines");
    fails(&format!("name = \"n\"\n{tasks}\n[engines]\nx = \"imc\"\n"), "expected a sequence");
    let limits = |line: &str| format!("name = \"n\"\n{tasks}\n[limits]\n{line}\n{ENGINES}");
    fails(&limits("time = \"3 days\""), "unknown unit 'days'");
    fails(&limits("memory = \"much\""), "line 4");
    fails(&limits("jobs = 0"), "expected a positive number");
    fails(&limits("cores = 2"), "unknown field `cores`");
}

#[test]
fn bad_sets_of_tasks() {
    let set = |lines: &str| format!("name = \"n\"\n[[tasks]]\n{lines}\n{ENGINES}");
    fails(&set("files = \"*.v\""), "no file matches '*.v'");
    fails(&set("files = \"a/***\""), "pattern 'a/***'");
    fails(&set("category = \"x\""), "needs a manifest or files");
    fails(&set("files = \"b.c\"\nmanifest = \"m\""), "not both");
    fails(&set("manifest = \"m\"\nexpected = \"safe\""), "columns of a manifest");
    fails(&set("files = \"b.c\"\nexpected = \"perhaps\""), "unknown variant `perhaps`");
    fails(&set("file = \"b.c\""), "unknown field `file`");
    let twice =
        "files = \"b.c\"\nexpected = \"safe\"\n[[tasks]]\nfiles = \"*.c\"\nexpected = \"unsafe\"";
    fails(&set(twice), "b.c is expected to be both safe and unsafe");
    let error = Suite::read(Path::new("does/not/exist.toml")).err().unwrap().to_string();
    assert!(error.contains("does/not/exist.toml"), "{error}");
}

#[test]
fn selections() {
    let names: Vec<String> = (0..10).map(|n| format!("t{n}.aag")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let text = format!("name = \"n\"\ntasks = [\"t*.aag\", \"b.c\"]\n{ENGINES}");
    let dir = directory(&[files.as_slice(), &[("suite.toml", text.as_str())]].concat());
    let all = read(&dir).unwrap().tasks;
    let select = |only, sample| {
        let selected = tasks::select(all.clone(), only, sample).unwrap();
        selected.into_iter().map(|task| task.name).collect::<Vec<_>>()
    };
    assert_eq!(select(None, None).len(), 11);
    assert_eq!(select(Some("[37].aag"), None), ["t3.aag", "t7.aag"]);
    assert_eq!(select(Some("aag"), Some(3)), ["t0.aag", "t3.aag", "t6.aag"]);
    assert_eq!(select(Some("aag"), Some(100)).len(), 10);
    assert!(tasks::select(all.clone(), Some("zzz"), None).is_err());
    assert!(tasks::select(all, Some("("), None).is_err());
}
