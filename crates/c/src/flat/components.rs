//! Which functions call themselves, and which of them can share one body over a stack.
//!
//! The functions that call one another in a circle are the strongly connected components of the
//! call graph. A component gets shared bodies if the locals of its functions are plain values,
//! which can be saved on a stack and restored; a local that has an address would have to exist
//! once for each activation.

use super::calls::has_body;
use super::candidates::Candidates;
use super::cycles::cyclic;
use super::live::Live;
use crate::points::needs_memory;
use crate::typed::{Callee, FuncId, Program, StmtKind};
use crate::types::Ty;

/// The number of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ComponentId(usize);

pub(super) struct Components {
    /// For each function, its component if that shares bodies.
    shared: Vec<Option<ComponentId>>,
}

impl Components {
    pub fn find(program: &Program, candidates: &Candidates) -> Components {
        let count = program.functions.len();
        let callees: Vec<Vec<usize>> =
            (0..count).map(|index| callees(program, candidates, FuncId(index as u32))).collect();
        let mut shared = vec![None; count];
        for (number, component) in cyclic(&callees).into_iter().enumerate() {
            let is_plain = |&index: &usize| is_plain(program, FuncId(index as u32));
            if component.iter().all(is_plain) {
                component.iter().for_each(|&index| shared[index] = Some(ComponentId(number)));
            }
        }
        Components { shared }
    }

    /// The component of a function whose recursion goes over a stack.
    pub fn shared(&self, function: FuncId) -> Option<ComponentId> {
        self.shared[function.0 as usize]
    }
}

/// The functions whose bodies a function may enter.
fn callees(program: &Program, candidates: &Candidates, id: FuncId) -> Vec<usize> {
    let Some(body) = &program.function(id).body else { return Vec::new() };
    let mut found = Vec::new();
    for statement in body.blocks.iter().flat_map(|block| &block.statements) {
        let StmtKind::Call { callee, arguments, .. } = &statement.kind else { continue };
        let functions = match callee {
            Callee::Function(callee) => vec![*callee],
            Callee::Pointer(pointer) => candidates.of(id, pointer, arguments.len()).functions,
        };
        let entered = functions.into_iter().filter(|id| has_body(program.function(*id), arguments));
        found.extend(entered.map(|id| id.0 as usize));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether activations of a function consist of values only.
fn is_plain(program: &Program, id: FuncId) -> bool {
    let function = program.function(id);
    let Some(body) = &function.body else { return false };
    let Some(signature) = program.types.signature(function.ty) else { return false };
    let result = signature.result;
    let returns_plainly = result == Ty::VOID || program.types.is_scalar(result);
    let in_memory = needs_memory(program, body);
    // Without a declaration, a variable would begin with the value of another activation.
    let declares_all = || Live::find(body).is_closed();
    !signature.variadic && returns_plainly && !in_memory.contains(&true) && declares_all()
}
