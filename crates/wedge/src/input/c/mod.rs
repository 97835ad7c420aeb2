//! C programs behind the interface of the command line.

mod analyses;
mod arrays;
mod execution;
mod formulas;
mod pipeline;
mod property;
mod way_back;

use super::{Bounds, CertifyError, Doubt, Effort, Emission, Executed, InputError, Model, Problem};
use crate::args::{ArraysArg, DataModelArg, ProgramArgs};
use arrays::Arrays;
use pipeline::{Pipeline, Size};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use way_back::ProgramWayBack;
use wedge_c::encode;
use wedge_c::source::Position;
use wedge_c::typed::Program;
use wedge_c::{Cause, DataModel, Error, Features, Properties, Task, is_task, load, read_task};
use wedge_engines::{Context, UnknownReason};
use wedge_evidence::c::Sources;
use wedge_evidence::c::sources::Source;
use wedge_sat::Interrupt;

/// Growing the model more often than this has no prospects.
const LEVELS: usize = 4;
const GROWTH: usize = 4;

struct C {
    /// Valid C that cannot be modelled, or a property that cannot be decided, is an answer, not a
    /// mistake of the user.
    program: Result<Arc<Program>, UnknownReason>,
    properties: Arc<Properties>,
    sources: Arc<Sources>,
    data_model: DataModel,
    model_by_default: bool,
    small_blocks: bool,
    arrays: ArraysArg,
    objects: Option<usize>,
}

/// Whether a path names a program or a task definition.
pub fn is_program(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    is_task(path) || matches!(extension, Some("c" | "i" | "h"))
}

pub fn read(files: &[PathBuf], args: &ProgramArgs) -> Result<Arc<dyn Model>, InputError> {
    let task = match files {
        [only] if is_task(only) => Some(read_task(only).map_err(input_error)?),
        _ => None,
    };
    check_names(files, task.as_ref())?;
    let files = task.as_ref().map_or(files, |task| &task.input_files);
    let properties = property::properties(args.property.as_deref(), task.as_ref())?;
    let asked = args.data_model.map(|model| match model {
        DataModelArg::Ilp32 => DataModel::Ilp32,
        DataModelArg::Lp64 => DataModel::Lp64,
    });
    let known = asked.or(task.as_ref().and_then(|task| task.data_model));
    let data_model = known.unwrap_or(DataModel::Ilp32);
    let program = match load(files, data_model) {
        Ok(program) => Ok(Arc::new(program)),
        Err(error) if error.is_unsupported() => Err(unsupported(&error)),
        Err(error) => return Err(input_error(error)),
    };
    if let Ok(program) = &program
        && program.main.is_none()
    {
        let name = files.first().map_or(String::new(), |file| file.display().to_string());
        return Err(InputError(format!("{name}: the program has no function `main`")));
    }
    let (program, properties) = match properties {
        Ok(properties) => (program, properties),
        Err(reason) => (Err(reason), Properties::default()),
    };
    Ok(Arc::new(C {
        program,
        properties: Arc::new(properties),
        sources: Arc::new(sources(files)?),
        data_model,
        model_by_default: known.is_none(),
        small_blocks: args.small_blocks,
        arrays: args.arrays,
        objects: args.objects.map(|n| n as usize),
    }))
}

fn input_error(error: Error) -> InputError {
    InputError(error.to_string())
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
    fn bounds(effort: &Effort, arrays: Arrays) -> encode::Bounds {
        let smallest = encode::Bounds::default();
        let factor = GROWTH.pow(effort.level as u32);
        let (forget, chosen) = (effort.forget.is_some(), effort.forget.unwrap_or(0));
        encode::Bounds {
            depth: smallest.depth * factor,
            // What is forgotten needs no room, and less of it makes proofs easier.
            stack: if forget { 3 } else { smallest.stack * factor },
            linear: if effort.level == 0 && !forget { smallest.linear } else { 0 },
            // Chosen objects stand for the first ones as well.
            pool: if chosen > 0 { 0 } else { smallest.pool * factor },
            forget,
            chosen,
            large: arrays.may_abstract(),
        }
    }

    fn pipeline(&self, bounds: encode::Bounds, arrays: Arrays) -> Result<Pipeline, UnknownReason> {
        let program = self.program.clone()?;
        Pipeline::new(program, &self.properties, bounds, self.small_blocks, arrays)
    }
}

impl C {
    /// Emitted are all elements, unless cells are asked for.
    fn emitted_arrays(&self) -> Arrays {
        match self.arrays {
            ArraysArg::Cells => Arrays::new(self.arrays, 0),
            _ => Arrays::PRECISE,
        }
    }
}

/// The sizes of the model among the figures; those of an earlier model are replaced.
fn record(context: &Context, sizes: &[Size]) {
    context.record(|figures| {
        for (name, value) in sizes {
            figures.extra.retain(|(known, _)| known != name);
            figures.extra.push((name.to_string(), *value));
        }
    });
}

impl Model for C {
    fn num_properties(&self) -> usize {
        1
    }

    fn property_name(&self, _: usize) -> Option<String> {
        let kinds: Vec<&str> = self.properties.kinds().map(|kind| kind.name()).collect();
        Some(kinds.join(", "))
    }

    fn notes(&self) -> Vec<String> {
        let is_vacuous = |program: &Arc<Program>| self.properties.is_vacuous(program);
        let kinds: Vec<&str> = self.properties.kinds().map(|kind| kind.name()).collect();
        match self.program.as_ref().is_ok_and(is_vacuous) {
            true => vec![format!("there is nothing to check: {} cannot fail", kinds.join(", "))],
            false => Vec::new(),
        }
    }

    fn about(&self) -> Vec<(String, String)> {
        let default = if self.model_by_default { " (by default)" } else { "" };
        let mut about = vec![
            ("data model".to_string(), format!("{}{default}", self.data_model.name())),
            ("specification".to_string(), self.properties.specification(None)),
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

    fn features(&self) -> Option<Features> {
        self.program.as_ref().ok().map(|program| Features::of(program))
    }

    fn levels(&self) -> usize {
        LEVELS
    }

    fn execute(&self, context: &Context) -> Option<Executed> {
        Some(execution::execute(self, context))
    }

    fn doubt(&self) -> Option<Doubt> {
        execution::doubt(self.program.as_ref().ok()?, &self.properties)
    }

    fn chosen_objects(&self) -> Option<usize> {
        self.objects
    }

    fn precisions(&self) -> usize {
        Arrays::precisions(self.arrays)
    }

    fn problem(
        &self,
        _: usize,
        effort: &Effort,
        context: &Context,
    ) -> Result<Problem, UnknownReason> {
        let arrays = Arrays::new(self.arrays, effort.precision);
        let pipeline = self.pipeline(C::bounds(effort, arrays), arrays)?;
        if let Some(reason) = context.interrupted() {
            return Err(reason);
        }
        if effort.forget > Some(0) && !pipeline.encoded.has_pools {
            let reason = "no objects are allocated repeatedly";
            return Err(UnknownReason::Unsupported(reason.into()));
        }
        let (circuit, lowered) = pipeline.circuit(effort.only_error)?;
        let mut sizes = pipeline.sizes();
        sizes.push(("model: latches", circuit.latches.len() as f64));
        sizes.push(("model: AND gates", circuit.aig.num_ands() as f64));
        record(context, &sizes);
        let notes = pipeline.encoded.notes.clone();
        let way_back = ProgramWayBack {
            circuit: Arc::new(circuit),
            pipeline,
            lowered,
            bad: Pipeline::bad(effort.only_error),
            sources: self.sources.clone(),
            properties: self.properties.clone(),
        };
        let circuit = way_back.circuit.clone();
        Ok(Problem { circuit, way_back: Arc::new(way_back), notes })
    }

    fn emit(&self, emission: Emission, (depth, pool): Bounds) -> Result<Vec<u8>, String> {
        let arrays = self.emitted_arrays();
        let effort = Effort { forget: self.objects, ..Effort::default() };
        let smallest = C::bounds(&effort, arrays);
        let bounds = encode::Bounds {
            depth: depth.unwrap_or(smallest.depth),
            stack: depth.unwrap_or(smallest.stack),
            linear: depth.unwrap_or(smallest.linear),
            pool: pool.unwrap_or(smallest.pool),
            ..smallest
        };
        let pipeline = self.pipeline(bounds, arrays).map_err(|reason| reason.to_string())?;
        pipeline.emit(emission)
    }

    fn certify(&self, _: &Path, _: usize, _: &Interrupt) -> Result<&'static str, CertifyError> {
        let cause = "certificates and witnesses of circuits only can be checked";
        Err(CertifyError::Input(cause.to_string()))
    }
}
