//! Variables with the attribute `cleanup` (gcc manual, section Common Variable Attributes): when one
//! goes out of scope, a function is called with its address, the last variable first.
//!
//! The typing keeps a list of the variables that are in scope. The end of a block, `break`,
//! `continue` and `return` call for those that they leave. A `goto` out of, or a label inside, their
//! scope is refused.

use super::scope::Binding;
use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{Callee, FuncId, LocalId};

/// A variable in scope and the function to call.
#[derive(Clone, Copy)]
pub struct Cleanup {
    local: LocalId,
    function: FuncId,
    position: Position,
}

impl Typer<'_> {
    /// From here on a variable is to be cleaned up.
    pub(super) fn begin_cleanup(
        &mut self,
        local: LocalId,
        function: &str,
        position: Position,
    ) -> Result<()> {
        let Some(&Binding::Function(function)) = self.scopes.lookup(function) else {
            return Err(Fault::invalid(position, format!("`{function}` is not a function")));
        };
        self.builder.cleanups.push(Cleanup { local, function, position });
        Ok(())
    }

    /// Calls the functions of all but the first `kept` variables, which stay in scope for the code
    /// that follows in the source.
    pub(super) fn clean_up(&mut self, kept: usize) -> Result<()> {
        for index in (kept..self.builder.cleanups.len()).rev() {
            let Cleanup { local, function, position } = self.builder.cleanups[index];
            let place = self.local_place(local, position);
            let address = self.address(place, position);
            let ty = self.functions[function.0 as usize].ty;
            let Some(signature) = self.types.signature(ty).cloned() else { continue };
            let argument = match signature.parameters.first() {
                Some(&parameter) => self.convert(address, parameter, position)?,
                None => address,
            };
            let callee = Callee::Function(function);
            self.emit_call(callee, &signature, vec![argument], false, position)?;
        }
        Ok(())
    }

    /// Runs `lower` for a scope, and cleans up what it declares.
    pub(super) fn with_cleanup<T>(
        &mut self,
        lower: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let kept = self.builder.cleanups.len();
        let result = lower(self)?;
        self.clean_up(kept)?;
        self.builder.cleanups.truncate(kept);
        Ok(result)
    }

    /// Refuses jumps and labels that may lead out of or into the scope of such variables: there
    /// must be no more of them than `kept`.
    pub(super) fn refuse_cleanup(&self, kept: usize, what: &str, at: Position) -> Result<()> {
        if self.builder.cleanups.len() <= kept || self.builder.is_unevaluated() {
            return Ok(());
        }
        let what = format!("{what} in the scope of a variable with `cleanup`");
        Err(Fault::unsupported(at, what))
    }
}
