//! C programs: read and typed, then an automaton, a transition system and a circuit.

mod alarms;
mod analyses;
mod arrays;
mod automaton;
mod circuit;
mod contracted;
mod correctness;
mod environment;
mod executions;
mod formulas;
mod picture;
mod proofs;
mod property;
mod retrace;
mod translation;
mod witness;

use super::{
    CertifyError, Checks, Doubt, Effort, Emission, EmittedRoom, InputError, Model, PathProblem,
    Problem, ProgramModel, Publication,
};
use crate::options::{ArrayModel, ProgramOptions};
use crate::question::Question;
use alarms::Published;
use arrays::Arrays;
use automaton::AutomatonWayBack;
use circuit::CircuitWayBack;
use executions::Executions;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use translation::{ProgramAutomaton, Size, Translation};
use wedge_c::encode;
use wedge_c::execute;
use wedge_c::interp::Outcome;
use wedge_c::library::UndefinedFunctions;
use wedge_c::reach;
use wedge_c::source::Position;
use wedge_c::typed::{FuncId, Function, Program};
use wedge_c::{Cause, DataModel, Error, Properties, Task, is_task, load, read_task};
use wedge_engines::figures;
use wedge_engines::{Context, UnknownReason};
use wedge_evidence::c::guide::Guide;
use wedge_evidence::c::modular;
use wedge_evidence::c::reading::{Content, Read};
use wedge_evidence::c::replay::describe;
use wedge_evidence::c::sources::Source;
use wedge_evidence::c::{Sources, replay_answers};
use wedge_model::cfa::{Cfa, TargetKind};
use wedge_sat::Interrupt;

/// Growing the model more often than this has no prospects.
const LEVELS: usize = 4;
const GROWTH: usize = 4;

#[derive(Clone)]
struct C {
    /// Valid C that cannot be modelled, or a property that cannot be decided, is an answer, not a
    /// mistake of the user.
    program: Result<Arc<Program>, UnknownReason>,
    published: Published,
    model_by_default: bool,
    small_blocks: bool,
    arrays: ArrayModel,
    objects: Option<usize>,
    /// See [`encode::Room::blocks`].
    expand: Option<usize>,
    /// See [`encode::Room::crowd`].
    crowd: Option<usize>,
}

/// Whether a path names a program or a task definition.
pub fn is_program(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    is_task(path) || matches!(extension, Some("c" | "i" | "h"))
}

pub fn read(files: &[PathBuf], options: &ProgramOptions) -> Result<Arc<dyn Model>, InputError> {
    let as_input = |error| match error {
        CertifyError::Input(cause)
        | CertifyError::Rejected(cause)
        | CertifyError::Undecided(cause) => InputError(cause),
    };
    match &options.witness {
        Some(witness) => {
            let witnessed = witnessed(files, options, witness).map_err(as_input)?;
            Ok(witnessed.model)
        }
        None => Ok(Arc::new(program(files, options, None).map_err(as_input)?.0)),
    }
}

/// A program with what a witness says about it.
pub struct Witnessed {
    pub model: Arc<dyn Model>,
    /// None if it cannot be modelled.
    pub program: Option<Arc<Program>>,
    pub properties: Arc<Properties>,
    pub sources: Arc<Sources>,
    pub read: Read,
    pub guide: Guide,
    /// The program with the contracts of the witness in the place of their functions, where they are
    /// all that the witness says and can stand there.
    pub modular: Option<Arc<dyn Model>>,
}

/// Reads a program and a witness about it.
pub fn witnessed(
    files: &[PathBuf],
    options: &ProgramOptions,
    witness: &Path,
) -> Result<Witnessed, CertifyError> {
    let read = witness::read(witness)?;
    let (model, guide) = program(files, options, Some((&read, witness)))?;
    let published = model.published.clone();
    let program = model.program.as_ref().ok().cloned();
    let guide = guide.ok_or_else(|| CertifyError::Undecided("no program".to_string()))?;
    let modular = modular(&model, options, &read);
    let (sources, properties) = (published.sources, published.properties);
    Ok(Witnessed { model: Arc::new(model), program, properties, sources, read, guide, modular })
}

/// The program with the contracts of a witness in the place of their functions.
fn modular(model: &C, options: &ProgramOptions, read: &Read) -> Option<Arc<dyn Model>> {
    let Content::Correctness { invariants, contracts } = &read.content else { return None };
    let [source] = &model.published.sources.files[..] else { return None };
    let is_usual = !options.aliases && !options.malloc_may_fail && options.entry.is_none();
    if !invariants.is_empty() || contracts.is_empty() || !is_usual {
        return None;
    }
    let Published { properties, data_model, .. } = &model.published;
    let program = model.program.as_ref().ok()?;
    let claims = modular::claims(program, source, contracts)?;
    let made = modular::modular(program, properties, source, *data_model, &claims)?;
    Some(Arc::new(C {
        program: Ok(Arc::new(made)),
        published: model.published.clone(),
        model_by_default: model.model_by_default,
        small_blocks: model.small_blocks,
        arrays: model.arrays,
        objects: model.objects,
        expand: model.expand,
        crowd: model.crowd,
    }))
}

/// Reads a program, with what a witness says about it if there is one.
fn program(
    files: &[PathBuf],
    options: &ProgramOptions,
    witness: Option<(&Read, &Path)>,
) -> Result<(C, Option<Guide>), CertifyError> {
    let input = |InputError(cause)| CertifyError::Input(cause);
    let task = match files {
        [only] if is_task(only) => Some(read_task(only).map_err(CertifyError::input)?),
        _ => None,
    };
    check_names(files, task.as_ref()).map_err(input)?;
    let files = task.as_ref().map_or(files, |task| &task.input_files);
    let properties = match witness {
        Some((read, _)) => property::witnessed(options, task.as_ref(), read)?,
        None => property::properties(options, task.as_ref()).map_err(input)?,
    };
    let said = witness.and_then(|(read, _)| read.about.data_model);
    let known = options.data_model.or(task.as_ref().and_then(|task| task.data_model)).or(said);
    let data_model = known.unwrap_or(DataModel::Ilp32);
    let sources = Arc::new(sources(files).map_err(input)?);
    let mut guide = None;
    let loaded = match witness {
        None => load(files, data_model),
        Some((read, path)) => {
            let (program, own) = witness::annotated(files, data_model, read, path, &sources)?;
            guide = Some(own);
            Ok(program)
        }
    };
    let program = match loaded {
        Ok(mut program) => {
            program.undefined_functions = options.undefined_functions;
            if options.aliases {
                program.follow_aliases();
            }
            let fallible = match options.malloc_may_fail {
                true => program.let_allocations_fail(),
                false => Ok(()),
            };
            match fallible {
                Ok(()) => begin(program, options).map_err(input)?,
                Err(error) => Err(unsupported(&error)),
            }
        }
        Err(error) if error.is_unsupported() => Err(unsupported(&error)),
        Err(error) => return Err(CertifyError::input(error)),
    };
    if let Ok(program) = &program
        && program.main.is_none()
    {
        let name = files.first().map_or(String::new(), |file| file.display().to_string());
        return Err(CertifyError::Input(format!("{name}: the program has no function `main`")));
    }
    let (program, properties) = match properties {
        Ok(properties) => (program, properties.without(options.settled.clone())),
        Err(reason) => (Err(reason), Properties::default()),
    };
    let has_invariants = guide.as_ref().is_some_and(|guide| guide.says_something());
    let properties = Arc::new(match has_invariants {
        true => properties.with_invariants(),
        false => properties,
    });
    let model = C {
        program,
        published: Published { sources, properties, data_model },
        model_by_default: known.is_none(),
        small_blocks: options.small_blocks,
        arrays: options.arrays,
        objects: options.objects.map(usize::from),
        expand: options.expand,
        crowd: options.crowd,
    };
    Ok((model, guide))
}

/// The program with the entry that was asked for.
fn begin(
    mut program: Program,
    options: &ProgramOptions,
) -> Result<Result<Arc<Program>, UnknownReason>, InputError> {
    match options.entry.as_ref().map_or(Ok(()), |entry| program.begin_at(entry)) {
        Ok(()) => Ok(Ok(Arc::new(program))),
        Err(error) if error.is_unsupported() => Ok(Err(unsupported(&error))),
        Err(error) => Err(InputError(format!("--function: {}", error.cause))),
    }
}

/// Several files must all be C.
fn check_names(files: &[PathBuf], task: Option<&Task>) -> Result<(), InputError> {
    let wrong = files.iter().find(|file| task.is_none() && (is_task(file) || !is_program(file)));
    match wrong {
        Some(file) => {
            let cause = "only C files (.c, .i) can be linked to one program";
            Err(InputError(format!("{}: {cause}", file.display())))
        }
        None => Ok(()),
    }
}

fn sources(files: &[PathBuf]) -> Result<Sources, InputError> {
    let mut sources = Sources::default();
    for path in files {
        let text = std::fs::read(path);
        let text = text.map_err(|error| InputError(format!("{}: {error}", path.display())))?;
        sources.files.push(Source::new(path, text));
    }
    Ok(sources)
}

/// An unsupported construct as the reason of an answer: what it is, then where.
fn unsupported(error: &Error) -> UnknownReason {
    let place = match error.line {
        0 => error.file.clone(),
        line => format!("{}:{line}", error.file),
    };
    UnknownReason::Unsupported(match &error.cause {
        Cause::Unsupported(what) => format!("unsupported: {what} at {place}"),
        other => format!("{other} at {place}"),
    })
}

impl C {
    fn bounds(&self, effort: &Effort, large: bool) -> encode::Room {
        let smallest = encode::Room::default();
        let factor = GROWTH.pow(effort.level as u32);
        let (forget, chosen) = (effort.forget.is_some(), effort.forget.unwrap_or(0));
        encode::Room {
            depth: smallest.depth * factor,
            // What is forgotten needs no room, and less of it makes proofs easier.
            stack: if forget { 3 } else { smallest.stack * factor },
            linear: if effort.level == 0 && !forget { smallest.linear } else { 0 },
            // Chosen objects stand for the first ones as well.
            pool: if chosen > 0 { 0 } else { smallest.pool * factor },
            forget,
            chosen,
            large,
            beyond: effort.only_error,
            blocks: self.expand.unwrap_or(smallest.blocks),
            crowd: self.crowd.unwrap_or(smallest.crowd),
        }
    }

    /// The names of the properties that are checked.
    fn kinds(&self) -> String {
        let kinds: Vec<&str> = self.published.properties.kinds().map(|kind| kind.name()).collect();
        kinds.join(", ")
    }

    fn automaton(&self, bounds: encode::Room) -> Result<ProgramAutomaton, UnknownReason> {
        let properties = self.published.properties.clone();
        ProgramAutomaton::new(self.program()?.clone(), properties, bounds)
    }

    fn translation(
        &self,
        bounds: encode::Room,
        arrays: Arrays,
    ) -> Result<Translation, UnknownReason> {
        Translation::new(self.automaton(bounds)?, self.small_blocks, arrays)
    }

    /// Emitted are all elements, unless cells are asked for.
    fn emitted_arrays(&self) -> Arrays {
        match self.arrays {
            ArrayModel::Cells => Arrays::new(self.arrays, 0),
            _ => Arrays::PRECISE,
        }
    }
}

/// The sizes of the model among the figures; those of an earlier model are replaced.
fn record(context: &Context, sizes: &[Size]) {
    context.record(|figures| sizes.iter().for_each(|(key, value)| figures.set(*key, *value)));
}

/// A model that was asked for makes sense only where objects are allocated repeatedly.
fn forgets_something(effort: &Effort, encoded: &encode::Encoded) -> Result<(), UnknownReason> {
    let missing = if effort.hollow && !encoded.has_hollow {
        "all objects have constant sizes"
    } else if effort.forget > Some(0) && !encoded.has_pools {
        "no objects are allocated repeatedly"
    } else {
        return Ok(());
    };
    Err(UnknownReason::Inapplicable(missing.into()))
}

impl Model for C {
    fn num_properties(&self) -> usize {
        1
    }

    fn property_name(&self, _: usize) -> Option<String> {
        Some(self.kinds())
    }

    fn notes(&self) -> Vec<String> {
        let is_vacuous = |program: &Arc<Program>| self.published.properties.is_vacuous(program);
        let mut notes = match self.program.as_ref().is_ok_and(is_vacuous) {
            true => vec![format!("there is nothing to check: {} cannot fail", self.kinds())],
            false => Vec::new(),
        };
        if let Ok(program) = &self.program {
            let effect = match program.undefined_functions {
                UndefinedFunctions::Pure => "it is assumed to have no effect",
                UndefinedFunctions::Havoc => {
                    "it may change global variables and what it gets the addresses of"
                }
                UndefinedFunctions::Refuse => return notes,
            };
            notes.extend(program.unknown_functions().iter().map(|name| {
                format!("`{name}` is not defined: its result is arbitrary, and {effect}")
            }));
        }
        notes
    }

    fn about(&self) -> Vec<(String, String)> {
        let default = if self.model_by_default { " (by default)" } else { "" };
        let mut about = vec![
            ("data model".to_string(), format!("{}{default}", self.published.data_model.name())),
            ("specification".to_string(), {
                let program = self.program.as_deref().ok();
                self.published.properties.specification(None, program)
            }),
        ];
        if let Ok(program) = &self.program {
            let place = |at: Position| program.files.show(at).to_string();
            let warnings = program.warnings.iter();
            about
                .extend(warnings.map(|w| {
                    ("warning".to_string(), format!("{}: {}", place(w.position), w.what))
                }));
        }
        about
    }

    fn sources(&self) -> Vec<(String, String)> {
        let text = |source: &Source| String::from_utf8_lossy(source.text()).into_owned();
        let files = self.published.sources.files.iter();
        files.map(|source| (source.path.display().to_string(), text(source))).collect()
    }

    fn as_program(&self) -> Option<&dyn ProgramModel> {
        Some(self)
    }

    fn problem(
        &self,
        _: &Question,
        effort: &Effort,
        context: &Context,
    ) -> Result<Problem, UnknownReason> {
        let arrays = Arrays::new(self.arrays, effort.precision);
        let translation = self.translation(self.bounds(effort, arrays.may_abstract()), arrays)?;
        if let Some(reason) = context.interrupted() {
            return Err(reason);
        }
        forgets_something(effort, &translation.automaton.encoded)?;
        let (circuit, lowered) = translation.circuit(effort.only_error)?;
        let circuit = Arc::new(circuit);
        let mut sizes = translation.sizes();
        sizes.push((figures::MODEL_LATCHES, circuit.latches.len() as f64));
        sizes.push((figures::MODEL_GATES, circuit.aig.num_ands() as f64));
        record(context, &sizes);
        let notes = translation.automaton.encoded.notes.clone();
        let way_back = CircuitWayBack {
            circuit: circuit.clone(),
            translation,
            lowered,
            bad: Translation::bad(effort.only_error),
            published: self.published.clone(),
        };
        Ok(Problem::new(circuit, Arc::new(way_back), notes))
    }

    fn path_problem(
        &self,
        _: &Question,
        effort: &Effort,
        context: &Context,
    ) -> Result<PathProblem, UnknownReason> {
        let mut automaton = self.automaton(self.bounds(effort, true))?;
        if effort.only_error {
            automaton.sliced = Arc::new(without_limits(&automaton.sliced));
        }
        if let Some(reason) = context.interrupted() {
            return Err(reason);
        }
        forgets_something(effort, &automaton.encoded)?;
        record(context, &automaton.sizes());
        let notes = automaton.encoded.notes.clone();
        let sliced = automaton.sliced.clone();
        let way_back = AutomatonWayBack { automaton, published: self.published.clone() };
        Ok(PathProblem::new(sliced, Arc::new(way_back), notes))
    }

    fn emit(&self, emission: Emission, room: EmittedRoom) -> Result<Vec<u8>, String> {
        let arrays = self.emitted_arrays();
        let effort = Effort { forget: self.objects, ..Effort::default() };
        let smallest = self.bounds(&effort, arrays.may_abstract());
        let bounds = encode::Room {
            depth: room.depth.unwrap_or(smallest.depth),
            stack: room.depth.unwrap_or(smallest.stack),
            linear: room.depth.unwrap_or(smallest.linear),
            pool: room.pool.unwrap_or(smallest.pool),
            ..smallest
        };
        let translation = self.translation(bounds, arrays).map_err(|reason| reason.to_string())?;
        translation.emit(emission)
    }

    fn certify(&self, _: &Path, _: &Question, _: &Interrupt) -> Result<&'static str, CertifyError> {
        let cause = "a witness of a program is read together with it";
        Err(CertifyError::Input(cause.to_string()))
    }
}

/// The automaton in which only errors are targets.
fn without_limits(automaton: &Cfa) -> Cfa {
    let mut automaton = automaton.clone();
    automaton.targets.retain(|target| target.kind == TargetKind::Error);
    automaton
}

/// The search for runs that speak against a proof finds the same every time.
const SEED: u64 = 1;

impl ProgramModel for C {
    fn program(&self) -> Result<&Arc<Program>, UnknownReason> {
        self.program.as_ref().map_err(UnknownReason::clone)
    }

    fn properties(&self) -> &Properties {
        &self.published.properties
    }

    fn executions(&self) -> Result<Arc<dyn Publication>, UnknownReason> {
        let program = self.program()?.clone();
        let room = self.bounds(&Effort::default(), true);
        Ok(Arc::new(Executions { program, published: self.published.clone(), room }))
    }

    fn doubt(&self) -> Option<Doubt> {
        let program = self.program.as_ref().ok()?;
        let properties = &self.published.properties;
        match execute::doubt(program, properties, SEED)? {
            execute::Doubt::Undefined(what, at) => {
                let what = describe(program, &Outcome::UndefinedBehaviour(what, at));
                Some(Doubt::Undefined(what))
            }
            execute::Doubt::Error { answers, steps } => {
                let alarm = replay_answers(program, properties, &answers, steps, 0).ok()?;
                alarm.inexact.is_none().then_some(Doubt::Error)
            }
        }
    }

    fn checks(&self) -> Result<Checks, UnknownReason> {
        let program = self.program()?;
        let room = self.bounds(&Effort::default(), false);
        let encoded = encode::encode(program, &self.published.properties, room);
        let encoded = encoded.map_err(|error| unsupported(&error))?;
        let is_own = |(id, f): &(usize, &Function)| {
            let is_there = encoded.functions.contains(&FuncId(*id as u32));
            let is_header = program.files.name(f.position.file).ends_with(".h");
            f.body.is_some() && !f.is_library && !is_header && !is_there
        };
        // A function may have several versions.
        let places: Vec<Position> =
            encoded.functions.iter().map(|id| program.function(*id).position).collect();
        let missing = program.functions.iter().enumerate().filter(is_own);
        let missing = missing.filter(|(_, f)| !places.contains(&f.position));
        let unused = missing
            .map(|(_, f)| (f.name.clone(), program.files.show(f.position).to_string()))
            .collect();
        let properties = &self.published.properties;
        let beginnings = reach::beginnings(program, properties, &encoded.functions);
        Ok(Checks { points: encoded.checks, beginnings, unused })
    }

    fn levels(&self) -> usize {
        LEVELS
    }

    fn chosen_objects(&self) -> Option<usize> {
        self.objects
    }

    fn precisions(&self) -> usize {
        Arrays::precisions(self.arrays)
    }

    fn with_objects(&self, objects: u8) -> Arc<dyn Model> {
        Arc::new(C { objects: Some(objects.into()), ..self.clone() })
    }
}
