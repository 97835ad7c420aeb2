//! What has to be known of a program before it is compiled.

use super::expressions::{mentions, touches};
use crate::typed::{
    Body, Callee, Expr, FuncId, LocalId, Place, PlaceKind, Program, Stmt, StmtKind,
};

/// Whether a variable gets a value right after each of its declarations, before it is read.
pub fn is_set_at_once(body: &Body, id: LocalId) -> bool {
    let reads = |expr: &Expr| mentions(expr, id);
    let is_local = |place: &Place| matches!(place.kind, PlaceKind::Local(local) if local == id);
    let sets = |statement: &Stmt| match &statement.kind {
        StmtKind::Assign { place, value } => (is_local(place) && !reads(value))
            .then_some(true)
            .or_else(|| (reads(value) || touches(place, id)).then_some(false)),
        StmtKind::Call { result, arguments, .. } => {
            let is_read = arguments.iter().any(reads);
            let is_set = result.as_ref().is_some_and(is_local);
            (is_read || is_set).then_some(is_set && !is_read)
        }
        _ => None,
    };
    let mut declared = false;
    for block in &body.blocks {
        for (index, statement) in block.statements.iter().enumerate() {
            if !matches!(statement.kind, StmtKind::Declare(local) if local == id) {
                continue;
            }
            declared = true;
            if block.statements[index + 1..].iter().find_map(sets) != Some(true) {
                return false;
            }
        }
    }
    // Temporaries of the typing are set before they are read.
    declared || body.local(id).name.is_none()
}

pub fn has_recursion(program: &Program, main: FuncId) -> bool {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let calls = |id: FuncId| -> Vec<FuncId> {
        let blocks = program.function(id).body.iter().flat_map(|body| &body.blocks);
        let statements = blocks.flat_map(|block| &block.statements);
        let callee = |statement: &Stmt| match &statement.kind {
            StmtKind::Call { callee: Callee::Function(id), .. } => Some(*id),
            _ => None,
        };
        statements.filter_map(callee).collect()
    };
    let mut marks = vec![Mark::New; program.functions.len()];
    let mut stack = vec![(main, calls(main))];
    marks[main.0 as usize] = Mark::Open;
    while let Some((id, rest)) = stack.last_mut() {
        let Some(next) = rest.pop() else {
            marks[id.0 as usize] = Mark::Done;
            stack.pop();
            continue;
        };
        match marks[next.0 as usize] {
            Mark::Open => return true,
            Mark::Done => {}
            Mark::New => {
                marks[next.0 as usize] = Mark::Open;
                stack.push((next, calls(next)));
            }
        }
    }
    false
}
