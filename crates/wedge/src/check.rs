//! A check from beginning to end: read the model, decide a question, answer.

use crate::answer::Answer;
use crate::decide::check_property;
use crate::input::{self, InputError, Model};
use crate::observer::{Observer, Phase, Working};
use crate::options::{Choice, Options, ProgramOptions};
use crate::portfolio;
use crate::question::Question;
use crate::sharing::Sharing;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use wedge_engines::{Context, UnknownReason, figures};
use wedge_process::usage;

/// What is checked.
#[derive(Clone)]
pub enum Input {
    /// One model; several files are linked to one C program.
    Files(Vec<PathBuf>),
    /// One that was read before.
    Model(Arc<dyn Model>),
}

impl Input {
    pub fn file(path: impl Into<PathBuf>) -> Input {
        Input::Files(vec![path.into()])
    }
}

/// Decides the question of the options. A model with properties of several kinds has no single
/// question: see [`crate::properties::check_every`].
///
/// An error means that the input cannot be read, or that options do not fit it.
pub fn check(
    input: &Input,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Answer, InputError> {
    let start = Instant::now();
    let model = match input {
        Input::Model(model) => Some(model.clone()),
        Input::Files(files) => read(files, &options.program, options.timeout)?,
    };
    match model {
        Some(model) => check_model(&model, options, start, observer),
        None => Ok(Answer::bare(options.asked(), UnknownReason::Timeout.into())),
    }
}

/// Reads a model in another thread, so that the timeout counts; none if it has passed.
pub fn read(
    files: &[PathBuf],
    program: &ProgramOptions,
    timeout: Option<Duration>,
) -> Result<Option<Arc<dyn Model>>, InputError> {
    let name = files.first().map_or(String::new(), |file| file.display().to_string());
    let (files, program) = (files.to_vec(), program.clone());
    let (sender, receiver) = channel();
    let reader = std::thread::spawn(move || sender.send(input::read(&files, &program)));
    let failed = || InputError(format!("{name}: internal error while reading"));
    let received = match timeout {
        None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
        Some(timeout) => receiver.recv_timeout(timeout),
    };
    match received {
        Ok(result) => {
            // A portfolio copies this process, which must not happen while a thread is ending.
            let _ = reader.join();
            result.map(Some)
        }
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err(failed()),
    }
}

/// Decides a question about a model; the time since `start` counts. With a [`crate::Launcher`] it must
/// be called from a thread that lives as long as the processes that it starts.
pub fn check_model(
    model: &Arc<dyn Model>,
    options: &Options,
    start: Instant,
    observer: &mut dyn Observer,
) -> Result<Answer, InputError> {
    let options = &asking(model, options).map_err(InputError)?;
    let mut answer = match options.engine {
        Choice::Portfolio => portfolio::race(model, options, start, observer),
        Choice::Engine(entry) => {
            let mut observe = |context: &Context, is_checking: bool| {
                observer.working(&|| {
                    vec![Working {
                        engine: entry.name.into(),
                        counts: entry.counts,
                        figures: context.figures(),
                        phase: Phase::new(is_checking),
                        seconds: start.elapsed().as_secs_f64(),
                        memory: Some(usage::resident("self")),
                    }]
                });
            };
            check_property(options, entry, model, start, &Sharing::default(), &mut observe)
                .answer(options)?
        }
    };
    answer.about = model.about();
    let looks = portfolio::kind(model.features().as_ref());
    let gates = answer.figures.get(figures::GATES_AFTER);
    let kind = gates.map_or(looks, |gates| portfolio::refined(looks, gates));
    answer.about.push((TASK_KIND.to_string(), kind.name().to_string()));
    Ok(answer)
}

/// What answers call the kind of task that the model is, or turned out to be when its circuit was made.
pub const TASK_KIND: &str = "kind";

/// The options with a question, and with one that the model can answer.
fn asking(model: &Arc<dyn Model>, options: &Options) -> Result<Options, String> {
    let for_programs = [
        (options.invariants.is_some(), "--invariants"),
        (options.ignore_undefined, "--ignore-undefined"),
    ];
    if let Some((_, option)) = for_programs.into_iter().find(|(is_given, _)| *is_given)
        && model.features().is_none()
    {
        return Err(format!("{option} is for C programs only"));
    }
    let (count, bads) = (model.num_properties(), model.num_bads());
    let question = match &options.question {
        Some(question) => question.clone(),
        None => Question::any_of((0..count).collect()).ok_or("there is no property")?,
    };
    let properties = question.properties();
    if let Some(missing) = properties.iter().find(|&&property| property >= count) {
        return Err(format!("there is no property {missing}; the file has {count}"));
    }
    if question.single().is_none() && properties.iter().any(|&property| property >= bads) {
        return Err("justice properties are asked about one by one".to_string());
    }
    Ok(Options { question: Some(question), ..options.clone() })
}
