//! Calls: of functions with bodies, and of those that the library knows.

use super::super::code::{Instruction, QuestionKind, Register, Relation};
use super::Compiler;
use crate::interp::Outcome;
use crate::library::{FunctionModel, model};
use crate::source::Position;
use crate::typed::{Expr, FuncId, LocalId, Place, Terminator};
use crate::violation::{Check, Violation, When};

impl<'p> Compiler<'p> {
    pub(super) fn call(
        &mut self,
        result: Option<&'p Place>,
        id: FuncId,
        arguments: &'p [Expr],
        at: Position,
    ) -> Option<()> {
        let function = self.program.function(id);
        let model = model(&function.name);
        if let Some(check) = self.properties.check(&self.program.types, function) {
            return self.check(check, arguments, at);
        }
        if let Some(body) = function.body.as_ref().filter(|_| !function.is_library) {
            let lacks =
                body.blocks.iter().any(|b| matches!(b.terminator, Terminator::Return(None)));
            if lacks && result.is_some() || arguments.len() != body.parameters {
                return None;
            }
            return self.enter(result, id, arguments);
        }
        if function.version_of.is_some() {
            return None;
        }
        // Nothing that is printed matters.
        if model == Some(FunctionModel::Print) {
            return self.ask(result, QuestionKind::External(id), at);
        }
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.value(argument)?);
        }
        match (model, values.first()) {
            _ if self.program.refuses(function) => return None,
            (Some(FunctionModel::Open(..)), _) if result.is_none() => self.code.is_open = true,
            (Some(FunctionModel::Nondet), _) => self.ask(result, QuestionKind::Input(id), at)?,
            (Some(FunctionModel::Atomic), _) => {}
            (Some(FunctionModel::Abort), _) => self.end(Outcome::Aborted(at)),
            (Some(FunctionModel::Exit), Some(&status)) => self.emit(Instruction::Finish(status)),
            (Some(FunctionModel::Assume), Some(&value)) => {
                self.demand(value, Outcome::AssumeFailed(at))
            }
            (None, _) => {
                self.code.externals.push((id, at));
                let call = self.code.externals.len() as u32 - 1;
                self.emit(Instruction::External(call));
                self.ask(result, QuestionKind::External(id), at)?;
            }
            _ => return None,
        }
        if function.noreturn {
            self.end(Outcome::Aborted(at));
        }
        Some(())
    }

    /// A call that is or may be a violation.
    fn check(&mut self, check: Check, arguments: &'p [Expr], at: Position) -> Option<()> {
        let end = match check.is_asked {
            true => Outcome::Violated(Violation { kind: check.kind, position: at }),
            false => Outcome::Aborted(at),
        };
        match check.when {
            When::Always => self.end(end),
            When::IfZero => {
                let value = self.value(arguments.first()?)?;
                self.demand(value, end);
            }
        }
        Some(())
    }

    fn ask(&mut self, result: Option<&'p Place>, kind: QuestionKind, at: Position) -> Option<()> {
        let Some(place) = result else { return Some(()) };
        let question = self.question(kind, place.ty, at)?;
        let to = self.temporary();
        self.emit(Instruction::Ask { to, question });
        self.store(place, to)
    }

    /// Ends the run if a value is 0.
    fn demand(&mut self, value: Register, otherwise: Outcome) {
        let (zero, fine) = (self.constant(0), self.label());
        let relation = Relation::Equal;
        self.emit(Instruction::Unless { relation, left: value, right: zero, to: fine });
        self.end(otherwise);
        self.place_label(fine);
    }

    fn enter(
        &mut self,
        result: Option<&'p Place>,
        id: FuncId,
        arguments: &'p [Expr],
    ) -> Option<()> {
        let body = self.program.function(id).body.as_ref()?;
        let known = self.known(id)?;
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.value(argument)?);
        }
        for (index, &from) in values.iter().enumerate() {
            let format = self.format(body.local(LocalId(index as u32)).ty)?;
            self.emit(Instruction::Convert { format, to: known.parameters[index], from });
        }
        self.emit(Instruction::Call { to: known.entry, function: known.number });
        let Some(place) = result else { return Some(()) };
        let (format, value) = (self.format(place.ty)?, self.temporary());
        self.emit(Instruction::Convert { format, to: value, from: known.result });
        self.store(place, value)
    }
}
