//! Calls of a function that has one body for all of them: see [`plan`](super::plan).
//!
//! The function does not call itself, so a stack with room for one call is enough: a call leaves its
//! number there, and a return looks for it. The variables of the body begin anew with each call,
//! since parameters are bound and the others are declared before they are read.

use super::calls::Call;
use super::expand::{Expansion, Return};
use super::{FlatBlockId, FlatTerminator, InstanceId};
use crate::typed::{BlockId, FuncId};

impl<'p> Expansion<'p> {
    /// Ends a block with the entry into a function that has a single body.
    pub(super) fn enter_single(&mut self, block: FlatBlockId, id: FuncId, call: &Call<'p>) {
        let Some(callee) = self.single(id, call) else { return };
        let Some(stack) = self.groups_of[callee.0 as usize] else { return };
        self.wait(block, stack, callee, Vec::new(), call);
        self.bind(block, callee, call);
        let start = self.start(callee, BlockId(0));
        self.end(block, FlatTerminator::Goto(start), call.position);
        self.connect(stack);
    }

    fn single(&mut self, id: FuncId, call: &Call<'p>) -> Option<InstanceId> {
        if let Some(known) = self.singles.get(&id) {
            return Some(*known);
        }
        let outside = Return { to: None, result: None };
        let callee = self.new_instance(id, Some((call.caller, call.position)), outside)?;
        self.add_group(None, id, callee, outside);
        self.singles.insert(id, callee);
        Some(callee)
    }
}
