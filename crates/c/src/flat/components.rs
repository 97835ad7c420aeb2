//! Which functions call themselves, and which of them can share one body over a stack.
//!
//! The functions that call one another in a circle are the strongly connected components of the
//! call graph. A component gets shared bodies if the locals of its functions are plain values,
//! which can be saved on a stack and restored; a local that has an address would have to exist
//! once for each activation. A recursion that grows in one place only may be asked to be expanded
//! all the same.

use super::candidates::Candidates;
use super::cycles::cyclic;
use super::expand::Options;
use super::live::Live;
use super::plan::{entered, single_bodies};
use super::tail::is_tail;
use crate::points::needs_memory;
use crate::typed::{BlockId, Callee, FuncId, Program, StmtKind};
use crate::types::Ty;
use crate::violation::Properties;

/// The number of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ComponentId(usize);

pub(super) struct Components {
    /// For each function, its component if that shares bodies.
    shared: Vec<Option<ComponentId>>,
    /// For each other function, how many activations get their own bodies.
    depth: Vec<usize>,
    /// For each function, whether all its calls lead to one body without a stack.
    single: Vec<bool>,
}

impl Components {
    pub fn find(
        program: &Program,
        properties: &Properties,
        candidates: &Candidates,
        options: Options,
    ) -> Components {
        let count = program.functions.len();
        let entered_by = |index| entered(program, properties, candidates, FuncId(index));
        let entered: Vec<Vec<usize>> = (0..count as u32).map(entered_by).collect();
        let mut callees = entered.clone();
        for list in &mut callees {
            list.sort_unstable();
            list.dedup();
        }
        let recursive = cyclic(&callees);
        let (mut shared, mut depth) = (vec![None; count], vec![options.depth; count]);
        for (number, members) in recursive.iter().enumerate() {
            if !members.iter().all(|&index| is_plain(program, FuncId(index as u32))) {
                continue;
            }
            let alone = !reaches_others(&callees, &recursive, number);
            if options.linear > 0 && alone && is_linear(program, members) {
                members.iter().for_each(|&index| depth[index] = options.linear);
            } else {
                members.iter().for_each(|&index| shared[index] = Some(ComponentId(number)));
            }
        }
        let mut is_recursive = vec![false; count];
        recursive.iter().flatten().for_each(|&index| is_recursive[index] = true);
        let single = match properties.asks_operations() {
            // Which objects have ended is told by bodies.
            true => vec![false; count],
            false => single_bodies(program, entered, &is_recursive, options.budget),
        };
        Components { shared, depth, single }
    }

    /// Whether all calls of a function, which is not recursive, lead to one body.
    pub fn is_single(&self, function: FuncId) -> bool {
        self.single[function.0 as usize]
    }

    /// The component of a function whose recursion goes over a stack.
    pub fn shared(&self, function: FuncId) -> Option<ComponentId> {
        self.shared[function.0 as usize]
    }

    /// How many activations of another function get their own bodies inside one another.
    pub fn depth(&self, function: FuncId) -> usize {
        self.depth[function.0 as usize]
    }
}

/// Whether functions of a component can get to another one that is recursive.
fn reaches_others(callees: &[Vec<usize>], recursive: &[Vec<usize>], number: usize) -> bool {
    let mut seen = vec![false; callees.len()];
    let mut work = recursive[number].clone();
    while let Some(function) = work.pop() {
        if !std::mem::replace(&mut seen[function], true) {
            work.extend(&callees[function]);
        }
    }
    let is_other = |(other, members): (usize, &Vec<usize>)| other != number && seen[members[0]];
    recursive.iter().enumerate().any(is_other)
}

/// Whether each function of a component calls the component in one place only, with more to do
/// afterwards, and has no loops: then bodies one inside another are a straight line of code,
/// which engines like better than a loop over a stack.
fn is_linear(program: &Program, members: &[usize]) -> bool {
    members.iter().all(|&index| {
        let id = FuncId(index as u32);
        let Some(body) = &program.function(id).body else { return false };
        let mut sites = 0;
        for (number, block) in body.blocks.iter().enumerate() {
            for (index, statement) in block.statements.iter().enumerate() {
                let StmtKind::Call { result, callee, .. } = &statement.kind else { continue };
                let Callee::Function(callee) = callee else { return false };
                if !members.contains(&(callee.0 as usize)) {
                    continue;
                }
                let rest = (BlockId(number as u32), index + 1);
                if is_tail(program, id, *callee, result.as_ref(), rest) {
                    return false;
                }
                sites += 1;
            }
        }
        sites <= 1 && body.loops.is_empty()
    })
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
