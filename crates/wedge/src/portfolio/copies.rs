//! Members of a portfolio as copies of one process that has read and encoded the model: see
//! [`wedge_process::nursery`].

use super::protocol::{Line, member};
use super::schedule::Entry;
use super::threads::with_settings;
use crate::efforts::Efforts;
use crate::input::{Model, Remembering};
use crate::options::{Choice, MemberTask, Options};
use crate::question::Question;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use wedge_engines::preprocess::Config;
use wedge_process::{Work, leash};

/// Models are encoded by functions that call themselves as deep as the model is.
const STACK: usize = 1 << 30;

/// A [`MemberTask`] on its way to the nursery.
#[derive(Serialize, Deserialize)]
struct Task {
    /// Which entry of the plan.
    index: usize,
    question: Question,
    timeout: Option<Duration>,
    memory: Option<u64>,
}

/// A task as the nursery reads it, for the engine with this place in the plan.
pub fn message(index: usize, task: &MemberTask) -> Option<Vec<u8>> {
    let &MemberTask { timeout, memory, .. } = task;
    serde_json::to_vec(&Task { index, question: task.question.clone(), timeout, memory }).ok()
}

/// What members of a portfolio on one model do.
pub struct Members {
    model: Arc<Remembering>,
    options: Options,
    plan: Vec<Entry>,
}

impl Members {
    pub fn new(model: &Arc<dyn Model>, options: &Options, plan: Vec<Entry>) -> Members {
        let model = Arc::new(Remembering::new(model.clone()));
        Members { model, options: options.clone(), plan }
    }

    /// The task and its entry of the plan.
    fn read(&self, task: &[u8]) -> Option<(Task, Entry)> {
        let task: Task = serde_json::from_slice(task).ok()?;
        let entry = *self.plan.get(task.index)?;
        Some((task, entry))
    }

    /// The engine as a member, on the model as the task wants it.
    fn run(&self, task: &Task, entry: &Entry) -> Option<u8> {
        let output = File::from(rustix::io::dup(rustix::stdio::stdout()).ok()?);
        let line = Line::new(Arc::new(Mutex::new(output)), self.options.portfolio.sharing);
        leash::hold_and_hear(line.receiver());
        line.report_ready().ok()?;
        let model: Arc<dyn Model> = match entry.variant.objects {
            None => self.model.clone(),
            Some(objects) => self.model.as_program()?.with_objects(objects),
        };
        let mut options = with_settings(&self.options, entry);
        options.engine = Choice::Engine(entry.engine);
        options.question = Some(task.question.clone());
        options.timeout = task.timeout;
        options.memory = task.memory;
        member(&model, &options, entry.engine, Instant::now(), &line).ok()
    }
}

/// What an engine reads of a model.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// The program itself, or a model of its own.
    Nothing,
    Automaton,
    Circuit,
}

impl Members {
    /// What there is to prepare for an engine: what [`crate::decide`] asks for first.
    fn reads(&self, entry: &Entry) -> Reads {
        let levels = &entry.engine.levels;
        match () {
            _ if entry.variant.objects.is_some() => Reads::Nothing,
            _ if levels.program.is_some() && self.model.as_program().is_some() => Reads::Nothing,
            _ if levels.automaton.is_some() => Reads::Automaton,
            _ if levels.circuit.is_some() => Reads::Circuit,
            _ => Reads::Nothing,
        }
    }
}

impl Members {
    /// How the circuit is to be reduced for an engine, if others want it reduced like that, too.
    fn shared_reduction(&self, entry: &Entry) -> Option<Config> {
        let config = |entry: &Entry| {
            let settings = with_settings(&self.options, entry).settings;
            (entry.engine.preprocessing)(&settings, self.options.simplify)
        };
        let wanted = config(entry);
        let readers = self.plan.iter().filter(|other| self.reads(other) == Reads::Circuit);
        (readers.filter(|other| config(other) == wanted).count() > 1).then_some(wanted)
    }
}

impl Work for Members {
    fn is_prepared(&self, task: &[u8]) -> bool {
        let Some((_, entry)) = self.read(task) else { return true };
        let reduced = || self.shared_reduction(&entry).is_none_or(|c| self.model.is_reduced(&c));
        match self.reads(&entry) {
            Reads::Circuit => self.model.has_problem() && reduced(),
            Reads::Automaton => self.model.has_path_problem(),
            Reads::Nothing => true,
        }
    }

    /// The circuit first, and when it is there its reduction.
    fn prepare(&mut self, task: &[u8]) {
        let Some((task, entry)) = self.read(task) else { return };
        let reads = self.reads(&entry);
        let reduction = self.shared_reduction(&entry);
        let first = Efforts::new(&*self.model, entry.engine).now;
        let Some(model) = Arc::get_mut(&mut self.model) else { return };
        let prepare = || match (reads, reduction) {
            (Reads::Circuit, Some(config)) if model.has_problem() => {
                model.reduce(&config, task.timeout);
            }
            (Reads::Circuit, _) => model.prepare_problem(task.question, first),
            (Reads::Automaton, _) => model.prepare_path_problem(task.question, first),
            (Reads::Nothing, _) => {}
        };
        // A panic is left to the member, which meets it again and reports it.
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(STACK);
            let _ = builder.spawn_scoped(scope, prepare).map(|thread| thread.join());
        });
    }

    fn name(&self, task: &[u8]) -> String {
        self.read(task).map_or(String::new(), |(_, entry)| format!("wedge {}", entry.engine.name))
    }

    fn perform(&mut self, task: &[u8]) -> u8 {
        self.read(task).and_then(|(task, entry)| self.run(&task, &entry)).unwrap_or(2)
    }
}
