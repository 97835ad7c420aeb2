//! Which functions a call through a pointer may reach: those that the points-to analysis of the
//! program, before it is flattened, finds.

use crate::flat::InstanceId;
use crate::points::Points;
use crate::typed::{Callee, Expr, FuncId, Program, StmtKind};

pub(super) struct Candidates<'p> {
    /// None if no call goes through a pointer.
    points: Option<Points<'p>>,
}

pub(super) struct Callees {
    pub functions: Vec<FuncId>,
    /// The pointer may have a value about which nothing is known.
    pub unknown: bool,
}

impl<'p> Candidates<'p> {
    pub fn find(program: &'p Program) -> Candidates<'p> {
        let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
        let mut statements = bodies.flat_map(|b| &b.blocks).flat_map(|block| &block.statements);
        let through_pointer = statements.any(|statement| {
            matches!(statement.kind, StmtKind::Call { callee: Callee::Pointer(_), .. })
        });
        Candidates { points: through_pointer.then(|| Points::of_program(program)) }
    }

    pub fn of(&self, caller: FuncId, pointer: &Expr) -> Callees {
        // After giving up, a limit says more than all functions there are.
        let Some(points) = self.points.as_ref().filter(|points| !points.has_given_up()) else {
            return Callees { functions: Vec::new(), unknown: true };
        };
        let targets = points.value(InstanceId(caller.0), pointer);
        let functions = points.functions(&targets);
        let unknown = targets.is_unknown();
        Callees { functions, unknown }
    }
}
