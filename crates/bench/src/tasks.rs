//! Tasks: files with what is known about them, from a manifest or by pattern.

use crate::error::BenchError;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Task {
    /// As the suite or the manifest writes it, with the arguments; identifies the task.
    pub name: String,
    pub file: PathBuf,
    pub expected: Expected,
    pub category: String,
    pub data_model: Option<String>,
    /// The file of the property; without it the program's own default.
    pub property: Option<PathBuf>,
    /// What an alarm has to name, as in `FALSE(valid-deref)`.
    pub subproperty: Option<String>,
    /// What the program is told about this task, besides what it is told about the engine.
    pub arguments: Vec<String>,
    /// Where the file comes from; without it, the folder that it lies in.
    pub origin: Option<String>,
    /// The engines that run on it, by name; without them, all.
    pub engines: Option<Vec<String>>,
}

impl Task {
    /// Tasks that come from one place are often one model in several versions.
    pub fn folder(&self) -> String {
        let folder = || Path::new(&self.name).parent().map(|folder| folder.display().to_string());
        self.origin.clone().or_else(folder).unwrap_or_default()
    }

    /// The same task for a program that is told more: another one.
    pub fn told(self, arguments: &[String]) -> Task {
        if arguments.is_empty() {
            return self;
        }
        let name = format!("{} {}", self.name, arguments.join(" "));
        let arguments = self.arguments.iter().chain(arguments).cloned().collect();
        Task { name, arguments, ..self }
    }
}

/// What is known about a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    #[serde(alias = "true", alias = "TRUE")]
    Safe,
    #[serde(alias = "false", alias = "FALSE")]
    Unsafe,
    #[default]
    Unknown,
}

impl Expected {
    pub fn parse(text: &str) -> Option<Expected> {
        match text.to_ascii_lowercase().as_str() {
            "safe" | "true" => Some(Expected::Safe),
            "unsafe" | "false" => Some(Expected::Unsafe),
            "unknown" => Some(Expected::Unknown),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Expected::Safe => "safe",
            Expected::Unsafe => "unsafe",
            Expected::Unknown => "unknown",
        }
    }
}

/// The tasks of a manifest: tab-separated with a header line that names the columns. `path` and
/// `expected` are needed, `category` (or `format`), `data_model`, `property` (the file
/// `properties/NAME.prp` beside the manifest), `subproperty` and `origin` are used, others are ignored.
pub fn manifest(path: &Path) -> Result<Vec<Task>, BenchError> {
    let text = std::fs::read_to_string(path).map_err(BenchError::io(path))?;
    let error = |line: usize, cause: String| BenchError::Line { path: path.into(), line, cause };
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let (_, header) = lines.next().ok_or_else(|| error(1, "the manifest is empty".into()))?;
    let columns = Columns::new(header).map_err(|cause| error(1, cause))?;
    let root = path.parent().unwrap_or(Path::new(""));
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| columns.task(line, root).map_err(|cause| error(number, cause)))
        .collect()
}

struct Columns {
    count: usize,
    path: usize,
    expected: usize,
    category: Option<usize>,
    data_model: Option<usize>,
    property: Option<usize>,
    subproperty: Option<usize>,
    origin: Option<usize>,
}

impl Columns {
    fn new(header: &str) -> Result<Columns, String> {
        let names: Vec<&str> = header.split('\t').map(str::trim).collect();
        let find = |name: &str| names.iter().position(|n| *n == name);
        let need = |name: &str| find(name).ok_or_else(|| format!("there is no column '{name}'"));
        Ok(Columns {
            count: names.len(),
            path: need("path")?,
            expected: need("expected")?,
            category: find("category").or_else(|| find("format")),
            data_model: find("data_model"),
            property: find("property"),
            subproperty: find("subproperty"),
            origin: find("origin"),
        })
    }

    fn task(&self, line: &str, root: &Path) -> Result<Task, String> {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        if fields.len() != self.count {
            return Err(format!("expected {} columns, found {}", self.count, fields.len()));
        }
        let name = fields[self.path].to_string();
        let file = root.join(&name);
        if !file.is_file() {
            return Err(format!("there is no file {}", file.display()));
        }
        let expected = fields[self.expected];
        let expected = Expected::parse(expected).ok_or_else(|| {
            format!("expected is '{expected}'; use safe, unsafe or unknown (or true, false)")
        })?;
        let optional = |column: Option<usize>| {
            column.map(|c| fields[c]).filter(|f| !f.is_empty()).map(str::to_string)
        };
        let category = optional(self.category).unwrap_or_else(|| "-".into());
        let property =
            optional(self.property).map(|name| root.join("properties").join(format!("{name}.prp")));
        if let Some(missing) = property.as_ref().filter(|property| !property.is_file()) {
            return Err(format!("there is no file {}", missing.display()));
        }
        let columns = [self.data_model, self.subproperty, self.origin];
        let [data_model, subproperty, origin] = columns.map(optional);
        let known = Task { name, file, expected, category, ..Task::default() };
        Ok(Task { data_model, property, subproperty, origin, ..known })
    }
}

/// The files that match one of the patterns, each a copy of `model`. A pattern that matches
/// nothing is an error.
pub fn matching(
    suite: &Path,
    root: &Path,
    patterns: &[String],
    model: &Task,
) -> Result<Vec<Task>, BenchError> {
    let error = |cause: String| BenchError::Suite { path: suite.into(), cause };
    let mut tasks = Vec::new();
    for pattern in patterns {
        let full = Path::new(&glob::Pattern::escape(&root.to_string_lossy())).join(pattern);
        let paths = glob::glob(&full.to_string_lossy())
            .map_err(|e| error(format!("pattern '{pattern}': {e}")))?;
        let before = tasks.len();
        for file in paths {
            let file = file.map_err(|e| error(e.to_string()))?;
            if file.is_file() {
                let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().into_owned();
                tasks.push(Task { name, file, ..model.clone() });
            }
        }
        if tasks.len() == before {
            return Err(error(format!("no file matches '{pattern}'")));
        }
    }
    Ok(tasks)
}

/// Each file with the same arguments once; what is said about it twice has to agree.
pub fn unique(tasks: Vec<Task>) -> Result<Vec<Task>, String> {
    let mut first: HashMap<(PathBuf, Vec<String>), usize> = HashMap::new();
    let mut kept: Vec<Task> = Vec::new();
    for task in tasks {
        let key = (task.file.clone(), task.arguments.clone());
        match first.get(&key) {
            Some(&index) if kept[index].expected != task.expected => {
                return Err(format!(
                    "{} is expected to be both {} and {}",
                    task.name,
                    kept[index].expected.name(),
                    task.expected.name()
                ));
            }
            Some(_) => {}
            None => {
                first.insert(key, kept.len());
                kept.push(task);
            }
        }
    }
    Ok(kept)
}

/// Tasks whose name or category matches `only`; of those about `sample`, evenly spread.
pub fn select(
    tasks: Vec<Task>,
    only: Option<&str>,
    sample: Option<usize>,
) -> Result<Vec<Task>, BenchError> {
    let mut tasks = tasks;
    if let Some(only) = only {
        let regex = regex::Regex::new(only).map_err(|e| BenchError::Selection(e.to_string()))?;
        tasks.retain(|task| regex.is_match(&format!("{} {}", task.name, task.category)));
        if tasks.is_empty() {
            return Err(BenchError::Selection(format!("no task matches '{only}'")));
        }
    }
    let count = tasks.len();
    match sample {
        Some(sample) if sample < count => {
            Ok((0..sample).map(|index| tasks[index * count / sample].clone()).collect())
        }
        _ => Ok(tasks),
    }
}
