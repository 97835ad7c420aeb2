//! From files to a typed program.

use crate::annotation::{self, Annotations, Insertions};
use crate::error::{Cause, Error, Warning};
use crate::library;
use crate::read;
use crate::source::Files;
use crate::typed::Program;
use crate::types::DataModel;
use crate::typing;
use std::path::Path;

/// Stack for the recursion over syntax trees; `read::nesting` bounds their depth.
const STACK_BYTES: usize = 1 << 30;

/// Reads, types and links the files of a program.
pub fn load(paths: &[impl AsRef<Path>], model: DataModel) -> Result<Program, Error> {
    Ok(load_annotated(paths, model, &Annotations::default())?.program)
}

/// A program with annotations.
pub struct Loaded {
    pub program: Program,
    /// The annotations, by number, at whose places there is nothing that they can be about.
    pub misplaced: Vec<usize>,
}

/// The same, with statements for the annotations.
pub fn load_annotated(
    paths: &[impl AsRef<Path>],
    model: DataModel,
    annotations: &Annotations,
) -> Result<Loaded, Error> {
    let paths: Vec<&Path> = paths.iter().map(AsRef::as_ref).collect();
    let name = || paths.first().map_or(String::new(), |path| path.display().to_string());
    on_large_stack(name(), || {
        let (mut files, mut warnings) = (Files::default(), Vec::new());
        let mut units = Vec::new();
        for path in &paths {
            units.push(read::parse_file(path, model, &mut files, &mut warnings)?);
        }
        let insertions = annotation::insertions(annotations, &units, &mut files)?;
        finish(units, model, files, warnings, &insertions)
    })
}

/// Types the text of a preprocessed program that is not in a file.
pub fn load_text(text: &str, name: &str, model: DataModel) -> Result<Program, Error> {
    on_large_stack(name.to_string(), || {
        let (mut files, mut warnings) = (Files::default(), Vec::new());
        let file = files.intern(name);
        let unit = read::parse_bytes(text.as_bytes(), file, &mut files, &mut warnings);
        let unit = unit.map_err(|fault| fault.named(&files))?;
        let loaded = finish(vec![unit], model, files, warnings, &Insertions::default())?;
        Ok(loaded.program)
    })
}

fn finish(
    mut units: Vec<read::Unit>,
    model: DataModel,
    files: Files,
    warnings: Vec<Warning>,
    insertions: &Insertions,
) -> Result<Loaded, Error> {
    let mut loaded = linked(&mut units, (model, warnings, insertions), files)?;
    loaded.program.set_apart();
    loaded.program.keep_to_promises();
    Ok(loaded)
}

/// What else a program is read with.
type About<'i> = (DataModel, Vec<Warning>, &'i Insertions);

fn linked(units: &mut Vec<read::Unit>, about: About, files: Files) -> Result<Loaded, Error> {
    let (mut program, misplaced) =
        typing::type_program(units, about.0, files, about.1.clone(), about.2)
            .map_err(|(fault, files)| fault.named(&files))?;
    let loaded = |program| Loaded { program, misplaced };
    library::bodies::prepare(&mut program);
    let missing = library::bodies::missing(&program);
    if missing.is_empty() {
        return Ok(loaded(program));
    }
    if let Some(whole) = with_library(units, &missing, &program.files, &about)? {
        return Ok(loaded(whole));
    }
    // A program may declare such a function in a way of its own; then it is another function.
    let mut fitting: Vec<String> = Vec::new();
    let mut best = program;
    for text in missing {
        fitting.push(text);
        match with_library(units, &fitting, &best.files, &about)? {
            Some(whole) => best = whole,
            None => {
                fitting.pop();
            }
        }
    }
    Ok(loaded(best))
}

/// The program with texts of the library; `None` if they do not fit its declarations.
fn with_library(
    units: &mut Vec<read::Unit>,
    texts: &[String],
    files: &Files,
    (model, warnings, insertions): &About,
) -> Result<Option<Program>, Error> {
    let mut files = files.clone();
    let file = files.intern(library::bodies::FILE);
    let text = texts.join("\n\n");
    let unit = read::parse_bytes(text.as_bytes(), file, &mut files, &mut Vec::new());
    units.push(unit.map_err(|fault| fault.named(&files))?);
    let typed = typing::type_program(units, *model, files, warnings.clone(), insertions);
    units.pop();
    let Ok((mut program, _)) = typed else { return Ok(None) };
    library::bodies::attach(&mut program, file);
    Ok(Some(program))
}

fn on_large_stack<T: Send>(
    name: String,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Error> {
    let failed = |what: String| Error::whole_file(name, Cause::Unreadable(what));
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        match thread {
            Ok(handle) => match handle.join() {
                Ok(result) => result,
                Err(_) => Err(failed("internal error in the front end".to_string())),
            },
            Err(why) => Err(failed(format!("no thread for the front end: {why}"))),
        }
    })
}
