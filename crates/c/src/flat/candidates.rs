//! Which functions a call through a pointer may reach.

use crate::typed::{Expr, FuncId, Program};

pub(super) struct Candidates<'p> {
    program: &'p Program,
}

pub(super) struct Callees {
    pub functions: Vec<FuncId>,
    /// The pointer may have a value about which nothing is known.
    pub unknown: bool,
}

impl<'p> Candidates<'p> {
    pub fn find(program: &'p Program) -> Candidates<'p> {
        Candidates { program }
    }

    pub fn of(&self, _: FuncId, pointer: &Expr) -> Callees {
        let wanted = self.program.types.target(pointer.ty);
        let matches = |id: &FuncId| Some(self.program.function(*id).ty) == wanted;
        let all = (0..self.program.functions.len() as u32).map(FuncId);
        Callees { functions: all.filter(matches).collect(), unknown: true }
    }
}
