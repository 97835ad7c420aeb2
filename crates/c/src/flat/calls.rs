//! What becomes of a call: the body of the function, or what its model says about control.

use super::candidates::Others;
use super::expand::{Expansion, Return, Work};
use super::{FlatBlockId, FlatStmt, FlatTerminator, InstanceId};
use crate::library::bodies::is_body_meant;
use crate::library::{FunctionModel, model};
use crate::source::Position;
use crate::typed::{BlockId, Expr, FuncId, Function, LocalId, Place, Program};
use crate::violation::{Check, Kind, Properties, When};

/// A call in an instance.
pub(super) struct Call<'p> {
    pub caller: InstanceId,
    pub result: Option<&'p Place>,
    pub arguments: &'p [Expr],
    pub position: Position,
    /// The typed block and the index of the statement after the call.
    pub rest: (BlockId, usize),
}

/// Whether a call leads into the body of a function.
pub(super) fn has_body(
    program: &Program,
    properties: &Properties,
    function: &Function,
    arguments: &[Expr],
) -> bool {
    properties.check(&program.types, function).is_none() && is_body_meant(function, arguments)
}

impl<'p> Expansion<'p> {
    /// Adds a call of a known function to a block. Says whether the statements after the call
    /// follow in the same block; if not, the block has got its end.
    pub(super) fn call(&mut self, block: FlatBlockId, id: FuncId, call: &Call<'p>) -> bool {
        let function = self.program.function(id);
        let known = model(&function.name);
        let at = call.position;
        if let Some(check) = self.properties.check(&self.program.types, function) {
            return self.check(block, check, call);
        }
        if is_body_meant(function, call.arguments) && !self.blurs_leaks(function) {
            self.enter(block, id, call);
            return false;
        }
        if let Some(FunctionModel::Abort | FunctionModel::Exit) = known {
            self.end(block, FlatTerminator::Exit, at);
            return false;
        }
        let stores = self.program.may_store(&function.name, call.arguments);
        if stores || self.program.refuses(function) || self.blurs_leaks(function) {
            let (name, at) = self.seen_from_outside(id, call);
            let place = self.program.files.show(at);
            let what = format!("{} at {place}", self.program.function(name).name);
            self.end(block, FlatTerminator::Refused(what), call.position);
            return false;
        }
        if function.noreturn {
            self.end(block, FlatTerminator::Exit, at);
            return false;
        }
        match known {
            Some(FunctionModel::Atomic) => true,
            Some(FunctionModel::Assume) => match self.scalar_argument(call) {
                Some(condition) => {
                    self.unless(block, condition, FlatTerminator::End, call);
                    false
                }
                None => true,
            },
            _ => {
                let (result, arguments) = (call.result, call.arguments);
                let external = FlatStmt::External { function: id, result, arguments, position: at };
                self.block_mut(block).statements.push(external);
                true
            }
        }
    }

    /// Whether functions that are called at the end would find variables of `main` that have
    /// ended, which matters to what can still be reached.
    fn blurs_leaks(&self, function: &Function) -> bool {
        let is_late = matches!(function.name.as_str(), "atexit" | "on_exit");
        function.is_library && is_late && self.properties.asks(Kind::Memtrack)
    }

    /// The call as the program sees it: the function of the library that it calls itself, and
    /// where.
    fn seen_from_outside(&self, id: FuncId, call: &Call<'p>) -> (FuncId, Position) {
        let (mut seen, mut next) = ((id, call.position), Some(call.caller));
        while let Some(instance) = next.map(|id| &self.instances[id.0 as usize]) {
            if !self.program.function(instance.function).is_library {
                break;
            }
            let Some((caller, at)) = instance.caller else { break };
            (seen, next) = ((instance.function, at), Some(caller));
        }
        (self.program.original(seen.0), seen.1)
    }

    /// Adds a call that is or may be a violation.
    fn check(&mut self, block: FlatBlockId, check: Check, call: &Call<'p>) -> bool {
        let files = &self.program.files;
        let is_settled = self.properties.is_settled(check.kind, files, call.position);
        let violation = match check.is_asked && !is_settled {
            true => FlatTerminator::Violation(check.kind),
            false => {
                if !is_settled {
                    self.unasked.insert(check.kind);
                }
                FlatTerminator::Exit
            }
        };
        match (check.when, self.scalar_argument(call)) {
            (When::Always, _) => self.end(block, violation, call.position),
            (When::IfZero, Some(condition)) => self.unless(block, condition, violation, call),
            (When::IfZero, None) => return true,
        }
        false
    }

    /// Ends a block with a branch: what follows the call, or `otherwise` if a condition is 0.
    fn unless(
        &mut self,
        block: FlatBlockId,
        condition: &'p Expr,
        otherwise: FlatTerminator<'p>,
        call: &Call<'p>,
    ) {
        let then = self.continuation(call);
        let failed = self.new_block(call.caller, call.position);
        self.end(failed, otherwise, call.position);
        let branch = FlatTerminator::Branch { condition, then, otherwise: failed };
        self.end(block, branch, call.position);
    }

    fn scalar_argument(&self, call: &Call<'p>) -> Option<&'p Expr> {
        call.arguments.first().filter(|argument| self.program.types.is_scalar(argument.ty))
    }

    /// The block with the statements after a call.
    fn continuation(&mut self, call: &Call<'p>) -> FlatBlockId {
        let into = self.new_block(call.caller, call.position);
        let (source, statement) = call.rest;
        self.work.push(Work { instance: call.caller, source, statement, into });
        into
    }

    /// Ends a block with the entry into a function that has a body.
    fn enter(&mut self, block: FlatBlockId, id: FuncId, call: &Call<'p>) {
        if let Some(component) = self.components.shared(id) {
            return self.enter_shared(block, component, id, call);
        }
        if self.components.is_single(id) {
            return self.enter_single(block, id, call);
        }
        let depth = self.components.depth(id);
        if self.activations(call.caller, id) >= depth {
            let name = &self.program.function(id).name;
            let what = format!("recursion of `{name}` deeper than {depth}");
            self.end(block, FlatTerminator::Limit(what), call.position);
            return;
        }
        // Translated only when the function returns.
        let after = self.new_block(call.caller, call.position);
        let back = Return { to: Some((call.caller, after)), result: call.result };
        self.pending.insert(after, call.rest);
        let caller = Some((call.caller, call.position));
        let Some(callee) = self.new_instance(id, caller, back) else { return };
        self.bind(block, callee, call);
        let start = self.start(callee, BlockId(0));
        self.end(block, FlatTerminator::Goto(start), call.position);
    }

    pub(super) fn bind(&mut self, block: FlatBlockId, callee: InstanceId, call: &Call<'p>) {
        let position = call.position;
        let parameters = self.instances[callee.0 as usize].body.parameters;
        let statements = &mut self.block_mut(block).statements;
        for index in 0..parameters {
            let parameter = LocalId(index as u32);
            let argument = call.arguments.get(index);
            statements.push(FlatStmt::Bind { callee, parameter, argument, position });
        }
        if call.arguments.len() > parameters {
            let arguments = &call.arguments[parameters..];
            statements.push(FlatStmt::Variadic { callee, arguments, position });
        }
    }

    /// How often a function is active when an instance runs.
    fn activations(&self, instance: InstanceId, function: FuncId) -> usize {
        let mut count = 0;
        let mut next = Some(instance);
        while let Some(id) = next {
            let instance = &self.instances[id.0 as usize];
            count += usize::from(instance.function == function);
            next = instance.caller.map(|(caller, _)| caller);
        }
        count
    }

    /// How a block that returns from an instance ends.
    pub(super) fn leave(
        &mut self,
        instance: InstanceId,
        value: Option<&'p Expr>,
        position: Position,
    ) -> FlatTerminator<'p> {
        if let Some(stack) = self.groups_of[instance.0 as usize] {
            return self.leave_shared(stack, instance, value, position);
        }
        let Return { to, result } = self.returns[instance.0 as usize];
        let unused = value.filter(|_| result.is_none() && self.properties.asks_operations());
        let Some((caller, after)) = to else {
            return self.evaluated(instance, unused, FlatTerminator::Returned, position);
        };
        self.resume(caller, after);
        let Some(place) = result else {
            return self.evaluated(instance, unused, FlatTerminator::Goto(after), position);
        };
        let block = self.new_block(caller, position);
        let result = FlatStmt::Result { place, callee: instance, value, position };
        self.block_mut(block).statements.push(result);
        self.end(block, FlatTerminator::Goto(after), position);
        FlatTerminator::Goto(block)
    }

    /// The same end of a block, after a value has been computed.
    fn evaluated(
        &mut self,
        instance: InstanceId,
        value: Option<&'p Expr>,
        end: FlatTerminator<'p>,
        position: Position,
    ) -> FlatTerminator<'p> {
        let Some(value) = value else { return end };
        let block = self.new_block(instance, position);
        self.block_mut(block).statements.push(FlatStmt::Evaluate { value, position });
        self.end(block, end, position);
        FlatTerminator::Goto(block)
    }

    /// A block with a call of a function of the environment.
    fn outside(&mut self, call: &Call<'p>) -> FlatBlockId {
        let block = self.new_block(call.caller, call.position);
        let Call { result, arguments, position, .. } = *call;
        let statement = FlatStmt::Outside { result, arguments, position };
        self.block_mut(block).statements.push(statement);
        let after = self.continuation(call);
        self.end(block, FlatTerminator::Goto(after), position);
        block
    }

    /// Ends a block with a call through a pointer, or goes on if there is only one way.
    pub(super) fn dispatch(
        &mut self,
        block: FlatBlockId,
        pointer: &'p Expr,
        call: &Call<'p>,
    ) -> bool {
        let candidates =
            self.candidates.of(self.function_of(call.caller), pointer, call.arguments.len());
        let mut targets = Vec::with_capacity(candidates.functions.len());
        for id in candidates.functions {
            let target = self.new_block(call.caller, call.position);
            if self.call(target, id, call) {
                let after = self.continuation(call);
                self.end(target, FlatTerminator::Goto(after), call.position);
            }
            targets.push((id, target));
        }
        let otherwise = match candidates.others {
            Others::Nothing => None,
            Others::Outside => Some(self.outside(call)),
            Others::Anything if self.options.beyond => Some(self.outside(call)),
            Others::Anything => {
                let block = self.new_block(call.caller, call.position);
                let why = String::from("call through an unknown pointer");
                self.end(block, FlatTerminator::Limit(why), call.position);
                Some(block)
            }
        };
        self.end(block, FlatTerminator::Dispatch { pointer, targets, otherwise }, call.position);
        false
    }
}
