//! `sprintf`, `sscanf` and their like: a version of the function for every format.
//!
//! What such a function does is said by its format, which is a literal in nearly all programs. For
//! every literal and the types of the arguments that go with it there is a program in C of its own
//! ([`print`], [`scan`]), without a list of arguments whose types nobody knows; calls lead there. A
//! call with another format, or with one that is not understood, keeps its function and is
//! refused. The interpreter reads formats itself.

mod directives;
mod print;
mod scan;
mod wrappers;

pub use wrappers::specialise;

use crate::typed::{Callee, CastKind, Expr, ExprKind, FuncId, Program, Stmt, StmtKind};
use crate::types::{FloatKind, Ty, Types};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Before the numbers of versions.
const VERSION: &str = "__wedge_version_";

/// What a function with a format does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    /// Prints to a file.
    Print,
    /// Prints into a buffer of unknown size.
    PrintInto,
    /// Prints into a buffer of known size.
    PrintWithin,
    /// Prints into a new buffer.
    PrintNew,
    /// Reads from the standard input.
    Scan,
    /// Reads from a file.
    ScanFile,
    /// Reads from a text.
    ScanText,
}

/// A function with a format.
#[derive(Clone, Copy, Debug)]
struct Formatted {
    work: Work,
    /// The parameters before the arguments; the format is `format`.
    parameters: &'static [&'static str],
    /// The arguments are in a list.
    has_list: bool,
}

const FORMATTED: &[(&str, Work, &[&str])] = &[
    ("printf", Work::Print, &["const char *format"]),
    ("fprintf", Work::Print, &["void *file", "const char *format"]),
    ("dprintf", Work::Print, &["int file", "const char *format"]),
    ("sprintf", Work::PrintInto, &["char *to", "const char *format"]),
    ("snprintf", Work::PrintWithin, &["char *to", "SIZE size", "const char *format"]),
    ("asprintf", Work::PrintNew, &["char **place", "const char *format"]),
    ("scanf", Work::Scan, &["const char *format"]),
    ("fscanf", Work::ScanFile, &["void *file", "const char *format"]),
    ("sscanf", Work::ScanText, &["const char *s", "const char *format"]),
];

/// The function of this name; glibc's headers have other names for some.
fn formatted(name: &str) -> Option<Formatted> {
    let bare = ["__isoc99_", "__isoc23_"].iter().find_map(|prefix| name.strip_prefix(prefix));
    let name = bare.unwrap_or(name);
    let find = |name: &str| FORMATTED.iter().find(|(known, ..)| *known == name);
    let (&(_, work, parameters), has_list) = match (find(name), name.strip_prefix('v')) {
        (Some(found), _) => (found, false),
        (None, Some(rest)) => (find(rest)?, true),
        (None, None) => return None,
    };
    Some(Formatted { work, parameters, has_list })
}

/// The type of an argument as far as it matters to a format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    /// Of so many bytes.
    Integer(u64),
    Pointer,
    Double,
    LongDouble,
}

impl Kind {
    fn of(types: &Types, ty: Ty) -> Option<Kind> {
        if types.is_pointer(ty) {
            return Some(Kind::Pointer);
        }
        match types.float_kind(ty) {
            Some(FloatKind::Double) => return Some(Kind::Double),
            Some(FloatKind::LongDouble) => return Some(Kind::LongDouble),
            Some(_) => return None,
            None => {}
        }
        let format = types.int_format(ty)?;
        (format.width == 32 || format.width == 64)
            .then_some(Kind::Integer(u64::from(format.width) / 8))
    }

    /// A type of this kind.
    fn spelt(self) -> &'static str {
        match self {
            Kind::Integer(4) => "int",
            Kind::Integer(_) => "long long",
            Kind::Pointer => "void *",
            Kind::Double => "double",
            Kind::LongDouble => "long double",
        }
    }
}

/// What a version is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Key {
    function: String,
    format: Vec<u8>,
    kinds: Vec<Kind>,
}

impl Key {
    /// The version that a call means, if it has a literal format.
    fn of(program: &Program, statement: &Stmt) -> Option<Key> {
        let StmtKind::Call { result, callee: Callee::Function(id), arguments } = &statement.kind
        else {
            return None;
        };
        let function = program.function(*id);
        let known = formatted(&function.name).filter(|_| function.body.is_none())?;
        let (fixed, rest) = arguments.split_at_checked(known.parameters.len())?;
        let mut format = program.literal(fixed.last()?)?;
        format.truncate(format.iter().position(|&byte| byte == 0)?);
        let is_seen = result.is_some() || super::has_count(&format);
        if known.work == Work::Print && !is_seen {
            return None;
        }
        let kinds = match known.has_list {
            true => Vec::new(),
            false => rest.iter().map(|e| Kind::of(&program.types, e.ty)).collect::<Option<_>>()?,
        };
        Some(Key { function: function.name.clone(), format, kinds })
    }

    /// The program of the version.
    fn text(&self, number: usize, long_bytes: u64) -> Option<String> {
        let known = formatted(&self.function)?;
        let body = match known.work {
            Work::Scan | Work::ScanFile | Work::ScanText => {
                scan::text(&directives::scanning(&self.format, long_bytes)?, known.work)?
            }
            work => print::text(&directives::printing(&self.format, long_bytes)?, work)?,
        };
        let mut parameters: Vec<String> = known.parameters.iter().map(|p| p.to_string()).collect();
        let mut taken = String::new();
        if known.has_list {
            parameters.push("__builtin_va_list list".to_string());
            for (index, kind) in body.kinds.iter().enumerate() {
                let ty = kind.spelt();
                let _ = writeln!(taken, "    {ty} a{index} = __builtin_va_arg(list, {ty});");
            }
        } else {
            // Arguments that no directive asks for are ignored (C11 7.21.6.1).
            if body.kinds.len() > self.kinds.len() || !self.kinds.starts_with(&body.kinds) {
                return None;
            }
            let rest = self.kinds.iter().enumerate();
            parameters.extend(rest.map(|(index, kind)| format!("{} a{index}", kind.spelt())));
        }
        let parameters = parameters.join(", ");
        Some(format!("int {VERSION}{number}({parameters})\n{{\n{taken}{}}}", body.text))
    }
}

/// The body of a version and the arguments that it takes.
struct Body {
    text: String,
    kinds: Vec<Kind>,
}

fn statements(program: &Program) -> impl Iterator<Item = &Stmt> {
    let bodies = program.functions.iter().filter(|f| !f.is_library).filter_map(|f| f.body.as_ref());
    bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.statements)
}

/// The versions that a program needs, in the order of their first calls.
fn versions(program: &Program) -> Vec<(Key, String)> {
    let long = program.types.size(Ty::LONG).unwrap_or(8);
    let mut numbers: FxHashMap<Key, ()> = FxHashMap::default();
    let mut list = Vec::new();
    for key in statements(program).filter_map(|statement| Key::of(program, statement)) {
        if numbers.insert(key.clone(), ()).is_none()
            && let Some(text) = key.text(list.len(), long)
        {
            list.push((key, text));
        }
    }
    list
}

/// The texts of the versions.
pub(super) fn texts(program: &Program) -> Vec<String> {
    versions(program).into_iter().map(|(_, text)| text).collect()
}

/// Leads the calls to their versions, which have been defined.
pub(super) fn redirect(program: &mut Program) {
    let numbers: FxHashMap<Key, usize> =
        versions(program).into_iter().map(|(key, _)| key).zip(0..).collect();
    if numbers.is_empty() {
        return;
    }
    for index in 0..program.functions.len() {
        let Some(mut body) = program.functions[index].body.take() else { continue };
        if !program.functions[index].is_library {
            for statement in body.blocks.iter_mut().flat_map(|block| &mut block.statements) {
                let number = Key::of(program, statement).and_then(|key| numbers.get(&key));
                let version = number.and_then(|n| program.function_named(&format!("{VERSION}{n}")));
                if let Some(version) = version {
                    lead(program, statement, version);
                }
            }
        }
        program.functions[index].body = Some(body);
    }
}

/// Makes a call one of a version.
fn lead(program: &mut Program, statement: &mut Stmt, version: FuncId) {
    let StmtKind::Call { callee, arguments, .. } = &mut statement.kind else { return };
    let Callee::Function(original) = *callee else { return };
    program.functions[version.0 as usize].version_of = Some(original);
    *callee = Callee::Function(version);
    let signature = program.types.signature(program.function(version).ty);
    let parameters = signature.map_or(Vec::new(), |signature| signature.parameters.clone());
    for (argument, ty) in arguments.iter_mut().zip(parameters) {
        let kind = match (program.types.is_pointer(argument.ty), program.types.is_integer(ty)) {
            _ if argument.ty == ty || program.types.is_float(ty) => continue,
            (true, false) => CastKind::PointerToPointer,
            (false, true) => CastKind::IntToInt,
            _ => continue,
        };
        let position = argument.position;
        let inner = std::mem::replace(argument, Expr::int(0, ty, position));
        *argument = Expr::new(ExprKind::Cast(kind, Box::new(inner)), ty, position);
    }
}
