//! Library functions that encoders treat as programs, because their meaning is a loop.

use super::{FunctionModel, characters, exits, formats, model};
use crate::source::FileId;
use crate::typed::{
    Callee, Expr, ExprKind, FuncId, Function, Initial, Program, StmtKind, Terminator,
};
use crate::types::{DataModel, Ty, Types};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Functions that have models of their own besides, as a text: each function stands alone, and a
/// blank line ends it.
const SOURCE: &str = include_str!("functions.c");

/// Functions that have none.
const PROGRAMS: [&str; 7] = [
    include_str!("formats.c"),
    include_str!("numbers.c"),
    include_str!("text.c"),
    include_str!("wide.c"),
    include_str!("sort.c"),
    include_str!("input.c"),
    include_str!("system.c"),
];

/// Functions that exist for each floating type.
const FLOATING: &str = include_str!("math.c");

/// What `REAL` and `_R` stand for in them.
const FLOATING_TYPES: [(&str, &str); 3] = [("double", ""), ("float", "f"), ("long double", "l")];

/// What other words stand for.
fn meaning(word: &str, model: DataModel) -> Option<&'static str> {
    let long = model == DataModel::Lp64;
    Some(match word {
        "SIZE" if long => "unsigned long",
        "SIZE" => "unsigned int",
        "LONG" if long => "long",
        "LONG" => "int",
        "WCHAR" if long => "int",
        "WCHAR" => "long",
        _ => return None,
    })
}

/// Before the names of functions that are defined in the texts, so that a program may declare them
/// as it likes.
pub const PREFIX: &str = "__wedge_model_";

/// The functions of a file.
fn functions(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.split("\n\n").skip(1).map(str::trim_end).filter(|text| !text.is_empty())
}

/// The texts of all functions by their names.
static TEXTS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let plain = functions(SOURCE).chain(PROGRAMS.into_iter().flat_map(functions));
    let plain = plain.map(str::to_string);
    let floating = FLOATING_TYPES.iter().flat_map(|(ty, suffix)| {
        functions(FLOATING).map(move |text| text.replace("REAL", ty).replace("_R", suffix))
    });
    let named = plain.chain(floating).filter_map(|text| Some((name_of(&text)?.to_string(), text)));
    named.chain(characters::tables()).collect()
});

/// The names of the functions whose model is [`FunctionModel::Program`].
pub(super) fn programs() -> impl Iterator<Item = &'static str> {
    let names = PROGRAMS.into_iter().flat_map(functions).filter_map(name_of);
    names.filter(|name| !name.starts_with("__wedge_") && !super::model::is_listed(name))
}

/// The name under which messages speak of the text.
pub const FILE: &str = "<library>";

/// Copies and fills of at most this many bytes are done at once if the number is a constant.
const AT_ONCE: u128 = 1 << 14;

/// Whether a call means the body of the function, and not its model.
pub fn is_body_meant(function: &Function, arguments: &[Expr]) -> bool {
    if !function.is_library {
        return function.body.is_some();
    }
    let size = match model(&function.name) {
        Some(FunctionModel::MemCopy | FunctionModel::MemCopyEnd | FunctionModel::MemSet) => {
            arguments.get(2)
        }
        Some(FunctionModel::MemZero) => arguments.get(1),
        _ => return true,
    };
    size.and_then(Expr::as_int).is_none_or(|size| size > AT_ONCE)
}

/// For each function of a program, whether it is called or its address is taken.
pub(super) fn used(program: &Program) -> Vec<bool> {
    let mut used = vec![false; program.functions.len()];
    let mut note = |FuncId(id): FuncId| used[id as usize] = true;
    for global in &program.globals {
        if let Initial::Values(values) = &global.initial {
            values.iter().for_each(|(_, value)| functions_in(value, &mut note));
        }
    }
    let bodies = program.functions.iter().filter(|f| !f.is_library).filter_map(|f| f.body.as_ref());
    for block in bodies.flat_map(|body| &body.blocks) {
        for statement in &block.statements {
            match &statement.kind {
                StmtKind::Call { callee, arguments, .. } => {
                    match callee {
                        Callee::Function(id) => note(*id),
                        Callee::Pointer(pointer) => functions_in(pointer, &mut note),
                    }
                    arguments.iter().for_each(|argument| functions_in(argument, &mut note));
                }
                StmtKind::Assign { value, .. } => functions_in(value, &mut note),
                _ => {}
            }
        }
        match &block.terminator {
            Terminator::Branch { condition: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::Return(Some(value)) => functions_in(value, &mut note),
            _ => {}
        }
    }
    used
}

/// The functions whose addresses an expression takes.
fn functions_in(expr: &Expr, note: &mut impl FnMut(FuncId)) {
    match &expr.kind {
        ExprKind::Function(id) => note(*id),
        ExprKind::Unary(_, operand) | ExprKind::Cast(_, operand) => functions_in(operand, note),
        ExprKind::Binary(_, left, right)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::PointerAdd { pointer: left, index: right, .. }
        | ExprKind::PointerDifference { left, right, .. } => {
            functions_in(left, note);
            functions_in(right, note);
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            functions_in(condition, note);
            functions_in(then, note);
            functions_in(otherwise, note);
        }
        _ => {}
    }
}

/// Prepares a program for [`missing`]: formats that functions pass on become literals.
pub fn prepare(program: &mut Program) {
    formats::specialise(program);
}

/// The texts of the functions that a program uses and does not define, and of those that they use
/// in turn.
pub fn missing(program: &Program) -> Vec<String> {
    let by_name: FxHashMap<&str, &str> =
        TEXTS.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let functions = program.functions.iter().zip(used(program));
    let lacks = functions.filter(|(f, used)| *used && f.body.is_none()).map(|(f, _)| &f.name[..]);
    let mut wanted: Vec<&str> = lacks.filter(|name| by_name.contains_key(name)).collect();
    exits::choose(&mut wanted);
    wanted.sort_unstable();
    wanted.dedup();
    let versions = formats::texts(program);
    let mut texts: Vec<&str> = wanted.iter().map(|name| by_name[name]).collect();
    texts.extend(versions.iter().map(String::as_str));
    let mut next = 0;
    while let Some(&text) = texts.get(next) {
        for word in words(text).filter(|word| by_name.contains_key(word)) {
            if !wanted.contains(&word) {
                wanted.push(word);
                texts.push(by_name[word]);
            }
        }
        next += 1;
    }
    let model = program.types.model;
    texts.into_iter().map(|text| with_prefixes(text, &by_name, model)).collect()
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_letter(c))
}

/// A text with its abbreviations written out and prefixes before the names of functions.
fn with_prefixes(text: &str, names: &FxHashMap<&str, &str>, model: DataModel) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_letter(first) {
            true => rest.find(|c| !is_letter(c)).unwrap_or(rest.len()),
            false => rest.find(is_letter).unwrap_or(rest.len()),
        };
        let (word, after) = rest.split_at(end);
        match meaning(word, model) {
            Some(meaning) => result += meaning,
            None if names.contains_key(word) => result += &format!("{PREFIX}{word}"),
            None => result += word,
        }
        rest = after;
    }
    result
}

/// Gives the functions of a program that it does not define the bodies from the texts, which are
/// in this file.
pub fn attach(program: &mut Program, file: FileId) {
    for function in &mut program.functions {
        function.is_library = function.body.is_some() && function.position.file == file;
    }
    for index in 0..program.functions.len() {
        let text = &program.functions[index];
        let Some(name) = text.name.strip_prefix(PREFIX).filter(|_| text.is_library) else {
            continue;
        };
        let (name, body, ty) = (name.to_string(), text.body.clone(), text.ty);
        for own in 0..program.functions.len() {
            let function = &program.functions[own];
            let is_meant = function.name == name && function.body.is_none();
            if is_meant && fits(&program.types, function.ty, ty) {
                program.functions[own].body = body.clone();
                program.functions[own].is_library = true;
            }
        }
    }
    exits::end_main(program);
    formats::specialise(program);
    formats::redirect(program);
}

/// Whether a function of one type can be called as one of the other: all values have the same
/// kinds, and other sizes only if they are integers that are passed.
fn fits(types: &Types, declared: Ty, defined: Ty) -> bool {
    let (Some(a), Some(b)) = (types.signature(declared), types.signature(defined)) else {
        return false;
    };
    let parameters = a.parameters.iter().zip(&b.parameters);
    let all = !a.prototype
        || a.parameters.len() == b.parameters.len()
            && a.variadic == b.variadic
            && parameters
                .into_iter()
                .all(|(&a, &b)| is_like(types, a, b) || types.is_integer(a) && types.is_integer(b));
    all && is_like(types, a.result, b.result)
}

fn is_like(types: &Types, a: Ty, b: Ty) -> bool {
    let kind = |ty: Ty| {
        (types.is_pointer(ty), types.is_integer(ty), types.float_kind(ty), types.is_record(ty))
    };
    (a == Ty::VOID) == (b == Ty::VOID) && kind(a) == kind(b) && types.size(a) == types.size(b)
}

/// The name that the text of a function defines: the word before its parameters.
fn name_of(text: &str) -> Option<&str> {
    let head = text.split('(').next()?;
    head.rsplit([' ', '*', '\n'])
        .next()
        .filter(|name| !name.is_empty() && name.chars().all(is_letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_and_not_defined_is_added() {
        let text = "int strcmp(const char *, const char *); unsigned strlen(const char *s);
            char *strchr(const char *s, int c) { return (char *)s; }
            int main(void) { return strcmp(\"a\", \"b\") + *strchr(\"a\", 1); }";
        let program = crate::load_text(text, "t.c", DataModel::Ilp32).unwrap();
        let has = |name: &str| {
            let id = program.function_named(name).unwrap();
            let function = program.function(id);
            (function.body.is_some(), function.is_library)
        };
        assert_eq!(has("strcmp"), (true, true));
        assert_eq!(has("strlen"), (false, false));
        assert_eq!(has("strchr"), (true, false));
    }

    #[test]
    fn every_function_has_a_model_too() {
        for (name, _) in TEXTS.iter().filter(|(name, _)| !name.starts_with("__wedge_")) {
            assert!(crate::library::model(name).is_some(), "{name}");
        }
    }

    #[test]
    fn all_texts_are_valid_in_both_data_models() {
        let by_name: FxHashMap<&str, &str> =
            TEXTS.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let all: Vec<String> =
                TEXTS.iter().map(|(_, text)| with_prefixes(text, &by_name, model)).collect();
            let text = all.join("\n\n") + "\nint main(void) { return 0; }";
            let program = crate::load_text(&text, "t.c", model).unwrap_or_else(|e| {
                let line = text.lines().nth(e.line as usize - 1).unwrap_or_default();
                panic!("{e}: {line}")
            });
            assert!(program.functions.iter().filter(|f| f.body.is_some()).count() > all.len());
        }
    }

    #[test]
    fn every_text_is_a_function() {
        let texts = [SOURCE, FLOATING].into_iter().chain(PROGRAMS).flat_map(functions);
        for text in texts {
            assert!(name_of(text).is_some() && text.ends_with('}'), "{text}");
        }
    }
}
