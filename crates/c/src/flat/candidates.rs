//! Which functions a call through a pointer may reach: those that the points-to analysis of the
//! program, before it is flattened, finds.

use crate::flat::InstanceId;
use crate::points::Points;
use crate::typed::{Callee, Expr, FuncId, Program, StmtKind};
use crate::violation::Properties;

pub(super) struct Candidates<'p> {
    program: &'p Program,
    /// None if no call goes through a pointer.
    points: Option<Points<'p>>,
}

pub(super) struct Callees {
    pub functions: Vec<FuncId>,
    /// What other values mean.
    pub others: Others,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    /// Undefined behaviour.
    Nothing,
    /// A function of the environment.
    Outside,
    /// Any function at all.
    Anything,
}

impl<'p> Candidates<'p> {
    pub fn find(program: &'p Program, properties: &'p Properties) -> Candidates<'p> {
        let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
        let mut statements = bodies.flat_map(|b| &b.blocks).flat_map(|block| &block.statements);
        let through_pointer = statements.any(|statement| {
            matches!(statement.kind, StmtKind::Call { callee: Callee::Pointer(_), .. })
        });
        let points = through_pointer.then(|| Points::of_program(program, properties));
        Candidates { program, points }
    }

    pub fn of(&self, caller: FuncId, pointer: &Expr, arguments: usize) -> Callees {
        // After giving up, a limit says more than all functions there are.
        let Some(points) = self.points.as_ref().filter(|points| !points.has_given_up()) else {
            return Callees { functions: Vec::new(), others: Others::Anything };
        };
        let targets = points.value(InstanceId(caller.0), pointer);
        let functions = points.functions(&targets);
        if !targets.is_unknown() {
            return Callees { functions, others: Others::Nothing };
        }
        // The environment might call back. Expanding what it might call mostly leads to recursion.
        let outside = points.functions_outside();
        let calls_back = |&id: &FuncId| !functions.contains(&id) && self.fits(id, arguments);
        let others = match outside.iter().any(calls_back) {
            true => Others::Anything,
            false => Others::Outside,
        };
        Callees { functions, others }
    }

    /// Whether a function can be called with so many arguments.
    fn fits(&self, id: FuncId, arguments: usize) -> bool {
        let body = self.program.function(id).body.as_ref();
        body.is_none_or(|body| body.parameters == arguments)
    }
}
