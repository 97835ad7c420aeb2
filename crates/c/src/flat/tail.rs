//! Calls after which a function only returns what it was given. They need no room on the stack:
//! the called function can return to where the caller would.

use crate::typed::{BlockId, Body, Expr, ExprKind, FuncId, LocalId, Place, PlaceKind, Program};
use crate::typed::{StmtKind, Terminator};
use crate::types::Ty;

/// Whether a function does nothing after a call but return the result of it; `rest` is the block
/// and the statement after the call.
pub(super) fn is_tail(
    program: &Program,
    caller: FuncId,
    callee: FuncId,
    result: Option<&Place>,
    rest: (BlockId, usize),
) -> bool {
    let result_of = |id| program.types.signature(program.function(id).ty).map(|s| s.result);
    let (Some(given), Some(wanted)) = (result_of(callee), result_of(caller)) else { return false };
    let Some(body) = &program.function(caller).body else { return false };
    if given != wanted {
        return false;
    }
    match result {
        None => wanted == Ty::VOID && returned(body, rest, None),
        Some(place) => match place.kind {
            PlaceKind::Local(id) => place.ty == wanted && returned(body, rest, Some(id)),
            _ => false,
        },
    }
}

/// Whether only copies and jumps lie between a call and the return of its result.
fn returned(body: &Body, rest: (BlockId, usize), result: Option<LocalId>) -> bool {
    let (mut source, mut from) = rest;
    let mut result = result;
    // A cycle of jumps is left after as many steps as there are blocks.
    for _ in 0..body.blocks.len() {
        let block = body.block(source);
        for statement in &block.statements[from..] {
            match &statement.kind {
                StmtKind::Assign { place, value } if is_copy(place, value, result) => {
                    result = local(place);
                }
                _ => return false,
            }
        }
        match &block.terminator {
            Terminator::Goto(target) => (source, from) = (*target, 0),
            Terminator::Return(None) => return result.is_none(),
            Terminator::Return(Some(value)) => return result.is_some() && loaded(value) == result,
            _ => return false,
        }
    }
    false
}

fn is_copy(place: &Place, value: &Expr, of: Option<LocalId>) -> bool {
    of.is_some() && loaded(value) == of && local(place).is_some() && place.ty == value.ty
}

fn local(place: &Place) -> Option<LocalId> {
    match place.kind {
        PlaceKind::Local(id) => Some(id),
        _ => None,
    }
}

fn loaded(expr: &Expr) -> Option<LocalId> {
    match &expr.kind {
        ExprKind::Load(place) => local(place),
        _ => None,
    }
}
