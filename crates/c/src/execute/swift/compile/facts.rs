//! What has to be known of variables before they are compiled.

use super::expressions::{mentions, touches};
use crate::typed::{Body, Expr, LocalId, Place, PlaceKind, Stmt, StmtKind};

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
