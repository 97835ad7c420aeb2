//! Which functions get one body for all their calls, because bodies of their own would be too many.
//!
//! Expanding calls multiplies a program: a function that is called twice by one that is called
//! twice has four bodies. How large the result will be is known before: a function has as many
//! bodies as those that call it have, once for each call. If that is more than a budget, the
//! function whose bodies take the most room next to one of them gets a single one, then the next,
//! until there is room. A function that
//! does not call itself, not by way of others either, has one activation at a time, so its
//! variables need not be saved; all that a single body needs to know is where it returns to.
//!
//! The flat program means the same either way. What is lost is that pointers are told apart by the
//! calls that lead to them.

use super::calls::has_body;
use super::candidates::Candidates;
use super::cycles::components;
use super::live::Live;
use crate::typed::{Callee, FuncId, Program, StmtKind};
use crate::types::Ty;
use crate::violation::Properties;

/// Blocks that a call makes around the body.
const CALL: f64 = 2.0;
/// Once the budget does not suffice, this part of it is aimed at: what the analysis of pointers and
/// the terms of accesses take grows faster than the program. With a third of 60,000 blocks, be2net
/// takes 1.5 GB and more than 40 s before an engine begins; with a tenth, 6 s and 170 MB.
const PART: f64 = 0.1;

/// The calls of a program, and what its functions weigh.
struct Calls {
    /// For each function those that it enters, once for each call.
    entered: Vec<Vec<usize>>,
    /// The blocks of one body.
    weight: Vec<f64>,
    may_share: Vec<bool>,
    /// Callees before their callers; recursive functions in any order.
    order: Vec<usize>,
    main: usize,
}

/// The functions that have a single body, if more than `budget` blocks would be made, given those that
/// each function enters, once for each call, and whether it calls itself.
pub(super) fn single_bodies(
    program: &Program,
    entered: Vec<Vec<usize>>,
    is_recursive: &[bool],
    budget: usize,
) -> Vec<bool> {
    let Some(main) = program.main else { return vec![false; program.functions.len()] };
    Calls::new(program, entered, is_recursive, main).choose(budget as f64)
}

impl Calls {
    fn new(
        program: &Program,
        entered: Vec<Vec<usize>>,
        is_recursive: &[bool],
        main: FuncId,
    ) -> Calls {
        let order = components(&entered).into_iter().flatten().collect();
        let ids = (0..program.functions.len()).map(|index| FuncId(index as u32));
        let blocks = |id| program.function(id).body.as_ref().map_or(0, |body| body.blocks.len());
        let weight =
            ids.clone().map(|id| blocks(id) as f64 + CALL * entered[id.0 as usize].len() as f64);
        let may_share = ids
            .clone()
            .map(|id| id != main && !is_recursive[id.0 as usize] && can_have_one_body(program, id));
        let (weight, may_share) = (weight.collect(), may_share.collect());
        Calls { entered, weight, may_share, order, main: main.0 as usize }
    }

    fn choose(&self, budget: f64) -> Vec<bool> {
        let mut single = vec![false; self.weight.len()];
        let mut wanted = budget;
        loop {
            let bodies = self.bodies(&single);
            let total: f64 = bodies.iter().zip(&self.weight).map(|(many, one)| many * one).sum();
            if total <= wanted {
                return single;
            }
            wanted = PART * budget;
            let sizes = self.sizes(&single);
            let saved = |index: &usize| (bodies[*index] - 1.0) * sizes[*index];
            let open = (0..single.len()).filter(|&index| self.may_share[index] && !single[index]);
            match open.max_by(|left, right| saved(left).total_cmp(&saved(right))) {
                Some(best) if saved(&best) > 0.0 => single[best] = true,
                _ => return single,
            }
        }
    }

    /// How many bodies each function has. Those of recursive functions inside one another count once.
    fn bodies(&self, single: &[bool]) -> Vec<f64> {
        let mut bodies = vec![0.0; single.len()];
        bodies[self.main] = 1.0;
        let mut is_done = vec![false; single.len()];
        for &caller in self.order.iter().rev() {
            is_done[caller] = true;
            for &callee in self.entered[caller].iter().filter(|&&callee| !is_done[callee]) {
                match single[callee] {
                    true if bodies[caller] > 0.0 => bodies[callee] = 1.0,
                    true => {}
                    false => bodies[callee] += bodies[caller],
                }
            }
        }
        bodies
    }

    /// The blocks of a body with all those that are expanded in it.
    fn sizes(&self, single: &[bool]) -> Vec<f64> {
        let mut sizes = vec![0.0; single.len()];
        for &caller in &self.order {
            let inside = self.entered[caller].iter().filter(|&&callee| !single[callee]);
            let inside: f64 = inside.map(|&callee| sizes[callee]).sum();
            sizes[caller] = self.weight[caller] + inside;
        }
        sizes
    }
}

/// The functions whose bodies a function enters, once for each call.
pub(super) fn entered(
    program: &Program,
    properties: &Properties,
    candidates: &Candidates,
    id: FuncId,
) -> Vec<usize> {
    let Some(body) = &program.function(id).body else { return Vec::new() };
    let mut found = Vec::new();
    for statement in body.blocks.iter().flat_map(|block| &block.statements) {
        let StmtKind::Call { callee, arguments, .. } = &statement.kind else { continue };
        let functions = match callee {
            Callee::Function(callee) => vec![*callee],
            Callee::Pointer(pointer) => candidates.of(id, pointer, arguments.len()).functions,
        };
        let is_entered =
            |id: &FuncId| has_body(program, properties, program.function(*id), arguments);
        let entered = functions.into_iter().filter(is_entered);
        found.extend(entered.map(|id| id.0 as usize));
    }
    found
}

/// Whether all activations of a function that does not call itself can use the same variables.
/// The library's functions are left out: what they ask for is told by the call in the program.
fn can_have_one_body(program: &Program, id: FuncId) -> bool {
    let function = program.function(id);
    let Some(body) = function.body.as_ref().filter(|_| !function.is_library) else { return false };
    let Some(signature) = program.types.signature(function.ty) else { return false };
    let result = signature.result;
    let returns_plainly = result == Ty::VOID || program.types.is_scalar(result);
    let mut statements = body.blocks.iter().flat_map(|block| &block.statements);
    let allocates = statements.any(|s| matches!(s.kind, StmtKind::Allocate { .. }));
    // Without a declaration, a variable would begin with the value of another activation.
    !signature.variadic && returns_plainly && !allocates && Live::find(body).is_closed()
}
