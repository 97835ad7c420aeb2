//! Functions that pass their format on.
//!
//! A function that calls `vsnprintf` has the format as a parameter, which it hands over. It gets a
//! version for each literal that it is called with, in which the format is that literal.

use super::{Work, formatted};
use crate::points::needs_memory;
use crate::typed::{
    Body, Callee, CastKind, Expr, ExprKind, FuncId, LocalId, Place, PlaceKind, Program, Stmt,
    StmtKind,
};
use rustc_hash::FxHashMap;

/// More versions of functions are not made.
const MAX_VERSIONS: usize = 200;

/// For each function that passes a format on, the parameter that it is.
type Wrappers = FxHashMap<FuncId, usize>;

/// Gives functions that pass a format on a version for each literal.
pub fn specialise(program: &mut Program) {
    let wrappers = wrappers(program);
    let mut versions: FxHashMap<(FuncId, Vec<u8>), FuncId> = FxHashMap::default();
    // Versions are new functions, with calls of their own.
    let mut index = 0;
    while !wrappers.is_empty() && index < program.functions.len() {
        let Some(mut body) = program.functions[index].body.take() else {
            index += 1;
            continue;
        };
        let calls = body.blocks.iter_mut().flat_map(|block| &mut block.statements);
        let mut wanted = Vec::new();
        for statement in calls {
            let StmtKind::Call { callee, arguments, .. } = &mut statement.kind else { continue };
            let Callee::Function(id) = *callee else { continue };
            let Some(format) = wrappers.get(&id).and_then(|&place| arguments.get(place)) else {
                continue;
            };
            let Some(text) = program.literal(format) else { continue };
            let next = FuncId((program.functions.len() + wanted.len()) as u32);
            let version = *versions.entry((id, text)).or_insert_with(|| {
                wanted.push((id, format.clone()));
                next
            });
            *callee = Callee::Function(version);
        }
        program.functions[index].body = Some(body);
        for (id, format) in wanted {
            add_version(program, id, wrappers[&id], &format);
        }
        if versions.len() > MAX_VERSIONS {
            return;
        }
        index += 1;
    }
}

/// Adds a version of a function, in which a parameter has this value.
fn add_version(program: &mut Program, id: FuncId, parameter: usize, value: &Expr) {
    let mut version = program.function(id).clone();
    let statements = version.body.iter_mut().flat_map(|body| &mut body.blocks);
    for statement in statements.flat_map(|block| &mut block.statements) {
        let StmtKind::Call { arguments, .. } = &mut statement.kind else { continue };
        for argument in arguments.iter_mut() {
            if passed_on(argument) == Some(parameter) {
                let (ty, position) = (argument.ty, argument.position);
                let kind = ExprKind::Cast(CastKind::PointerToPointer, Box::new(value.clone()));
                *argument = Expr::new(kind, ty, position);
            }
        }
    }
    program.functions.push(version);
}

/// The functions that pass a parameter, which they never change, to one that takes it as a format.
fn wrappers(program: &Program) -> Wrappers {
    let mut found = Wrappers::default();
    loop {
        let before = found.len();
        for (index, function) in program.functions.iter().enumerate() {
            let id = FuncId(index as u32);
            let Some(body) = function.body.as_ref().filter(|_| !function.is_library) else {
                continue;
            };
            if found.contains_key(&id) {
                continue;
            }
            let is_parameter =
                |&local: &usize| local < body.parameters && is_constant(program, body, local);
            let mut passed =
                statements(body).filter_map(|s| format_of(program, &found, s)).filter(is_parameter);
            if let Some(parameter) = passed.next() {
                found.insert(id, parameter);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn statements(body: &Body) -> impl Iterator<Item = &Stmt> {
    body.blocks.iter().flat_map(|block| &block.statements)
}

/// The variable that is the format of a call whose meaning depends on it.
fn format_of(program: &Program, wrappers: &Wrappers, statement: &Stmt) -> Option<usize> {
    let StmtKind::Call { result, callee: Callee::Function(id), arguments } = &statement.kind else {
        return None;
    };
    let function = program.function(*id);
    let place = match formatted(&function.name).filter(|_| function.body.is_none()) {
        Some(known) if known.work != Work::Print || result.is_some() => known.parameters.len() - 1,
        Some(_) => return None,
        None => *wrappers.get(id)?,
    };
    passed_on(arguments.get(place)?)
}

/// The variable that an expression reads, as it is.
fn passed_on(expr: &Expr) -> Option<usize> {
    match &expr.kind {
        ExprKind::Cast(_, operand) => passed_on(operand),
        ExprKind::Load(place) => match place.kind {
            PlaceKind::Local(LocalId(local)) => Some(local as usize),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a parameter keeps its value.
fn is_constant(program: &Program, body: &Body, local: usize) -> bool {
    let is_it = |place: &Place| place.kind == PlaceKind::Local(LocalId(local as u32));
    let is_written = statements(body).any(|statement| match &statement.kind {
        StmtKind::Assign { place, .. } | StmtKind::Zero(place) => is_it(place),
        StmtKind::Call { result, .. } => result.as_ref().is_some_and(is_it),
        StmtKind::Allocate { pointer: place, .. } | StmtKind::VaArg { result: place, .. } => {
            is_it(place)
        }
        _ => false,
    });
    !is_written && !needs_memory(program, body)[local]
}
