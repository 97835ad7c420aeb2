//! Suites: which tasks, which engines, which limits. A TOML file such as
//!
//! ```toml
//! name = "counters"
//!
//! [limits]
//! time = "20s"
//! cpu = "10s"
//! again = "40s"
//! memory = "4GB"
//! jobs = 1
//!
//! [[tasks]]
//! manifest = "tasks.tsv"
//!
//! [[tasks]]
//! files = ["counters/*.aag", "extra.aig"]
//! expected = "safe"
//! category = "counters"
//!
//! [[tasks]]
//! manifest = "tasks.tsv"
//! only = "Loops"
//! sample = 20
//! category = "Integer"
//! arguments = ["--arithmetic", "integer"]
//!
//! [engines]
//! imc = ["--engine", "imc"]
//! forward = ["--engine", "imc", "--direction", "forward"]
//! ```
//!
//! Tasks that no engine solves within `cpu` run once more, with the limit of processor time `again`.
//! `tasks` may also be one pattern or a list of patterns. Paths are relative to the file. Of a set of
//! tasks, `only` and `sample` take a part, `category` renames the categories of a manifest, and
//! `arguments` are what the program is told about its tasks: the same file may occur in another set
//! with others. With `engines = ["imc"]` only these run on the tasks of a set. `plans = "plans.tsv"` names plans of a portfolio that the study of shares begins with.

use crate::error::BenchError;
use crate::plan::Earlier;
use crate::tasks::{self, Expected, Task};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use wedge_process::units::{parse_bytes, parse_duration};

#[derive(Debug)]
pub struct Suite {
    pub name: String,
    pub tasks: Vec<Task>,
    pub engines: Vec<Engine>,
    pub limits: Limits,
    /// How many runs at once.
    pub jobs: usize,
    /// Plans of a portfolio that the study of shares begins with.
    pub plans: Earlier,
}

/// A name for the tables and what the program is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Engine {
    pub name: String,
    pub arguments: Vec<String>,
}

impl Engine {
    /// What the program is told about the engine and a task.
    pub fn told(&self, task: &Task) -> Vec<String> {
        self.arguments.iter().chain(&task.arguments).cloned().collect()
    }

    pub fn runs_on(&self, task: &Task) -> bool {
        task.engines.as_ref().is_none_or(|names| names.contains(&self.name))
    }
}

/// For every run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    pub time: Duration,
    /// Of the processor, for the run and all processes that it starts.
    pub cpu: Option<Duration>,
    pub memory: Option<u64>,
    /// Of the processor, for tasks that no engine has solved.
    pub again: Option<Duration>,
}

impl Limits {
    /// For the second round, on tasks that nobody solved in the first; none without one.
    pub fn of_second_round(&self) -> Option<Limits> {
        let longer = |&again: &Duration| self.cpu.is_none_or(|cpu| again > cpu);
        let again = self.again.filter(longer)?;
        Some(Limits { time: self.time + again, cpu: Some(again), ..*self })
    }
}

impl Suite {
    pub fn read(path: &Path) -> Result<Suite, BenchError> {
        let text = std::fs::read_to_string(path).map_err(BenchError::io(path))?;
        let error = |cause: String| BenchError::Suite { path: path.into(), cause };
        let file: SuiteFile =
            toml::from_str(&text).map_err(|e| error(e.to_string().trim_end().to_string()))?;
        if file.engines.0.is_empty() {
            return Err(error("the suite has no engines".into()));
        }
        let root = path.parent().unwrap_or(Path::new(""));
        let mut tasks = Vec::new();
        for set in &file.tasks.0 {
            tasks.extend(set.tasks(path, root)?);
        }
        let tasks = tasks::unique(tasks).map_err(error)?;
        let is_known = |name: &String| file.engines.0.iter().any(|engine| engine.name == *name);
        let named = tasks.iter().flat_map(|task: &Task| task.engines.iter().flatten());
        if let Some(unknown) = named.into_iter().find(|name| !is_known(name)) {
            return Err(error(format!(
                "a set of tasks is for the engine '{unknown}', which the suite does not have"
            )));
        }
        if tasks.is_empty() {
            return Err(error("the suite has no tasks".into()));
        }
        let jobs = file.limits.jobs;
        let plans = match &file.plans {
            Some(path) => Earlier::read(&root.join(path)).map_err(error)?,
            None => Earlier::default(),
        };
        Ok(Suite {
            name: file.name,
            tasks,
            engines: file.engines.0,
            limits: file.limits.into(),
            jobs,
            plans,
        })
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct SuiteFile {
    name: String,
    tasks: TaskSets,
    engines: Engines,
    #[serde(default)]
    limits: LimitsFile,
    plans: Option<PathBuf>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LimitsFile {
    #[serde(deserialize_with = "duration")]
    time: Duration,
    #[serde(deserialize_with = "some_duration")]
    cpu: Option<Duration>,
    #[serde(deserialize_with = "some_duration")]
    again: Option<Duration>,
    #[serde(deserialize_with = "bytes")]
    memory: Option<u64>,
    #[serde(deserialize_with = "positive")]
    jobs: usize,
}

impl Default for LimitsFile {
    fn default() -> LimitsFile {
        LimitsFile { time: Duration::from_secs(60), cpu: None, again: None, memory: None, jobs: 1 }
    }
}

impl From<LimitsFile> for Limits {
    fn from(file: LimitsFile) -> Limits {
        Limits { time: file.time, cpu: file.cpu, memory: file.memory, again: file.again }
    }
}

fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    parse_duration(&String::deserialize(deserializer)?).map_err(de::Error::custom)
}

fn some_duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    duration(deserializer).map(Some)
}

fn bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    parse_bytes(&String::deserialize(deserializer)?).map(Some).map_err(de::Error::custom)
}

fn positive<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    match usize::deserialize(deserializer)? {
        0 => Err(de::Error::custom("expected a positive number")),
        number => Ok(number),
    }
}

/// One `[[tasks]]` table: a manifest, or patterns with what is known about their files.
#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct TaskSet {
    manifest: Option<String>,
    files: Patterns,
    expected: Option<Expected>,
    category: Option<String>,
    data_model: Option<String>,
    only: Option<String>,
    sample: Option<usize>,
    arguments: Vec<String>,
    engines: Option<Vec<String>>,
}

impl TaskSet {
    /// The tasks of the set that are selected, each with what the program is told about it.
    fn tasks(&self, suite: &Path, root: &Path) -> Result<Vec<Task>, BenchError> {
        let all = self.all(suite, root)?;
        let selected = tasks::select(all, self.only.as_deref(), self.sample)?.into_iter();
        let named = |task: Task| match &self.category {
            Some(category) => Task { category: category.clone(), ..task },
            None => task,
        };
        let limited = |task: Task| Task { engines: self.engines.clone(), ..task };
        Ok(selected.map(|task| limited(named(task)).told(&self.arguments)).collect())
    }

    fn all(&self, suite: &Path, root: &Path) -> Result<Vec<Task>, BenchError> {
        let error = |cause: &str| BenchError::Suite { path: suite.into(), cause: cause.into() };
        let described = self.expected.is_some() || self.data_model.is_some();
        match (&self.manifest, self.files.0.as_slice()) {
            (Some(_), [_, ..]) => Err(error("a set of tasks has a manifest or files, not both")),
            (Some(_), []) if described => {
                Err(error("expected and data_model are columns of a manifest"))
            }
            (Some(manifest), []) => tasks::manifest(&root.join(manifest)),
            (None, []) => Err(error("a set of tasks needs a manifest or files")),
            (None, patterns) => {
                let model = Task {
                    expected: self.expected.unwrap_or(Expected::Unknown),
                    category: self.category.clone().unwrap_or_else(|| "-".into()),
                    data_model: self.data_model.clone(),
                    ..Task::default()
                };
                tasks::matching(suite, root, patterns, &model)
            }
        }
    }
}

struct TaskSets(Vec<TaskSet>);

impl<'de> Deserialize<'de> for TaskSets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TaskSets, D::Error> {
        deserializer.deserialize_any(TaskSetsVisitor)
    }
}

struct TaskSetsVisitor;

impl<'de> Visitor<'de> for TaskSetsVisitor {
    type Value = TaskSets;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a pattern, a list of patterns, or tables with manifest or files")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<TaskSets, E> {
        Ok(TaskSets(vec![TaskSet::pattern(text)]))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<TaskSets, A::Error> {
        let set = TaskSet::deserialize(de::value::MapAccessDeserializer::new(map))?;
        Ok(TaskSets(vec![set]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<TaskSets, A::Error> {
        let mut sets = Vec::new();
        while let Some(TaskSets(more)) = sequence.next_element()? {
            sets.extend(more);
        }
        Ok(TaskSets(sets))
    }
}

impl TaskSet {
    fn pattern(text: &str) -> TaskSet {
        TaskSet { files: Patterns(vec![text.into()]), ..TaskSet::default() }
    }
}

/// One pattern or a list of them.
#[derive(Default)]
struct Patterns(Vec<String>);

impl<'de> Deserialize<'de> for Patterns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Patterns, D::Error> {
        deserializer.deserialize_any(PatternsVisitor)
    }
}

struct PatternsVisitor;

impl<'de> Visitor<'de> for PatternsVisitor {
    type Value = Patterns;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a pattern or a list of patterns")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Patterns, E> {
        Ok(Patterns(vec![text.into()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<Patterns, A::Error> {
        Vec::deserialize(de::value::SeqAccessDeserializer::new(sequence)).map(Patterns)
    }
}

/// In the order of the file.
struct Engines(Vec<Engine>);

impl<'de> Deserialize<'de> for Engines {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Engines, D::Error> {
        deserializer.deserialize_map(EnginesVisitor)
    }
}

struct EnginesVisitor;

impl<'de> Visitor<'de> for EnginesVisitor {
    type Value = Engines;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a table of engines, each with a list of arguments")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Engines, A::Error> {
        let mut engines = Vec::new();
        while let Some((name, arguments)) = map.next_entry()? {
            engines.push(Engine { name, arguments });
        }
        Ok(Engines(engines))
    }
}
