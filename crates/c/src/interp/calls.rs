//! Calls, returns and variable arguments.

use super::exec::{Interpreter, Known};
use super::frame::{Frame, register_candidates};
use super::memory::Origin;
use super::oracle::ChoiceKind;
use super::outcome::{Outcome, Step, Undefined, undefined, unsupported};
use super::trace::Event;
use super::value::{Scalar, Value};
use crate::arith::int;
use crate::library::{FunctionModel, model};
use crate::source::Position;
use crate::typed::{Body, Callee, Expr, FuncId, LocalId, Place};
use crate::types::{Ty, Types};
use crate::violation::{Check, Violation, When};
use std::rc::Rc;

/// An argument with the type it was passed as.
pub type Argument = (Value, Ty);

impl<'p> Interpreter<'p, '_> {
    pub(super) fn call(
        &mut self,
        result: Option<&'p Place>,
        callee: &'p Callee,
        arguments: &'p [Expr],
        at: Position,
    ) -> Step<()> {
        let mut values: Vec<Argument> = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push((self.eval_value(argument)?, argument.ty));
        }
        let id = match callee {
            Callee::Function(id) => *id,
            Callee::Pointer(pointer) => {
                let value = self.eval(pointer)?;
                if self.is_foreign_function(value) {
                    return self.call_foreign(result, &values, at);
                }
                self.function_at(value, at)?
            }
        };
        let function = self.program.function(id);
        let known = self.known(id);
        if let Some(check) = known.check {
            return self.check(check, &values, at);
        }
        if function.body.is_some() && !function.is_library {
            return self.enter(id, values, result, at);
        }
        let value = self.call_model(id, known, values, result, at)?;
        if function.noreturn {
            return Err(Box::new(Outcome::Aborted(at)));
        }
        match (result, value) {
            (Some(place), Some(value)) => self.store(place, value, at),
            _ => Ok(()),
        }
    }

    fn known(&mut self, id: FuncId) -> Known {
        let (program, properties) = (self.program, self.properties);
        *self.models[id.0 as usize].get_or_insert_with(|| {
            let function = program.function(id);
            let check = properties.check(&program.types, function);
            let original = program.function(program.original(id));
            let model = model(&original.name);
            // Formats that are no literals are refused by the encoding only.
            let is_formatted = model == Some(FunctionModel::Formatted);
            let is_refused = program.refuses(original) && !is_formatted;
            Known { model, check, is_refused }
        })
    }

    /// A call that is or may be a violation; if it is one the run ends.
    fn check(&mut self, check: Check, values: &[Argument], at: Position) -> Step<()> {
        let is_violated = match (check.when, values.first()) {
            (When::Always, _) => true,
            (When::IfZero, Some((Value::Scalar(value), _))) => value.bits == 0,
            (When::IfZero, _) => false,
        };
        let violation = Violation { kind: check.kind, position: at };
        match (is_violated, check.is_asked) {
            (false, _) => Ok(()),
            (true, true) => Err(Box::new(Outcome::Violated(violation))),
            (true, false) => Err(Box::new(Outcome::Aborted(at))),
        }
    }

    /// Begins to execute a function that has a body.
    pub(super) fn enter(
        &mut self,
        id: FuncId,
        arguments: Vec<Argument>,
        result: Option<&'p Place>,
        at: Position,
    ) -> Step<()> {
        let Some(body) = self.program.function(id).body.as_ref() else {
            return undefined(Undefined::InvalidCall, at);
        };
        if self.frames.len() >= self.limits.depth {
            return unsupported("recursion this deep", at);
        }
        let program = self.program;
        let in_register = &mut self.registers[id.0 as usize];
        let in_register =
            in_register.get_or_insert_with(|| Rc::new(register_candidates(program, body))).clone();
        let spare = self.spare.pop();
        let mark = self.memory.stack_mark();
        self.frames.push(Frame::new(spare, (id, body), in_register, mark, result));
        self.trace.push(Event::Enter(id, at));
        let mut arguments = arguments;
        let rest = arguments.split_off(arguments.len().min(body.parameters));
        self.note_entry(id, body, &arguments);
        for (index, argument) in arguments.into_iter().enumerate() {
            self.bind_parameter(LocalId(index as u32), argument, at)?;
        }
        if !rest.is_empty() {
            self.keep_variable_arguments(rest, at)?;
        }
        Ok(())
    }

    /// Records what a function is called with, if that is wanted.
    fn note_entry(&mut self, id: FuncId, body: &Body, arguments: &[Argument]) {
        let Some(seen) = &mut self.seen else { return };
        let types = &self.program.types;
        let bits = |(index, (value, ty)): (usize, &Argument)| {
            let own = body.local(LocalId(index as u32)).ty;
            match value {
                Value::Scalar(value) if types.is_scalar(own) => {
                    Some(passed(types, *value, *ty, own).bits)
                }
                _ => None,
            }
        };
        seen.enter(id, arguments.iter().enumerate().map(bits).collect());
    }

    /// Calls a function of the program from within a function of the library and waits for it to
    /// return.
    pub(super) fn call_back(
        &mut self,
        function: Scalar,
        arguments: &[Scalar],
        at: Position,
    ) -> Step<Option<Scalar>> {
        let program = self.program;
        let id = self.function_at(function, at)?;
        let callee = program.function(id);
        let parameters = program.types.signature(callee.ty).map_or(&[][..], |s| &s.parameters);
        if parameters.len() != arguments.len() {
            return unsupported("a call back with other arguments", at);
        }
        let values = arguments.iter().zip(parameters);
        let values = values.map(|(value, ty)| (Value::Scalar(*value), *ty)).collect();
        if callee.body.is_none() || callee.is_library {
            let known = self.known(id);
            let value = self.call_model(id, known, values, None, at)?;
            return Ok(value.and_then(|value| match value {
                Value::Scalar(value) => Some(value),
                Value::Bytes(_) => None,
            }));
        }
        let depth = self.frames.len();
        self.enter(id, values, None, at)?;
        while self.frames.len() > depth {
            self.step_once()?;
        }
        Ok(self.returned)
    }

    fn bind_parameter(&mut self, id: LocalId, argument: Argument, at: Position) -> Step<()> {
        let frame = self.frame_mut();
        let local = frame.body.local(id);
        let types = &self.program.types;
        match argument {
            (Value::Scalar(value), ty) if types.is_scalar(local.ty) => {
                if ty != local.ty {
                    self.note_passed(value, ty, local.ty, at);
                }
                let types = &self.program.types;
                let value = passed(types, value, ty, local.ty);
                if self.frame().in_register[id.0 as usize] {
                    self.frame_mut().registers[id.0 as usize] = Some(value);
                    return Ok(());
                }
                let pointer = self.parameter_object(id, at)?;
                self.store_at(pointer, value, local.ty, at)
            }
            (Value::Bytes(bytes), ty) if types.size(ty) == types.size(local.ty) => {
                let pointer = self.parameter_object(id, at)?;
                self.memory.write_bytes(pointer, &bytes, at)
            }
            // A call through a pointer of the wrong type: the parameter is arbitrary.
            _ => Ok(()),
        }
    }

    fn parameter_object(&mut self, id: LocalId, at: Position) -> Step<Scalar> {
        let local = self.frame().body.local(id);
        let size = self.program.types.size(local.ty).unwrap_or(0);
        let object =
            self.memory.allocate(size, 16, Origin::Local(self.frame().function, id), at)?;
        let frame = self.frame_mut();
        frame.objects[id.0 as usize] = Some(object);
        frame.owned.push(object);
        Ok(self.memory.pointer(object))
    }

    /// Leaves the current function; gives the status when it was `main`.
    pub(super) fn leave(&mut self, value: Option<&'p Expr>, at: Position) -> Step<Option<i32>> {
        let value = match value {
            Some(expr) => Some((self.eval_value(expr)?, expr.ty)),
            None => None,
        };
        let Some(mut frame) = self.frames.pop() else { return Ok(Some(0)) };
        self.trace.push(Event::Return(frame.function, at));
        if let Some(seen) = &mut self.seen {
            seen.leave(frame.function, value.as_ref());
        }
        for object in frame.owned.iter().rev() {
            self.memory.kill(*object);
        }
        self.memory.release_stack(frame.stack_mark);
        let place = frame.result.take();
        self.spare.push(frame);
        self.returned = match value {
            Some((Value::Scalar(value), _)) => Some(value),
            _ => None,
        };
        if self.frames.is_empty() {
            self.check_leaks(at)?;
            return Ok(Some(self.status(value.as_ref().map(|(value, _)| value))));
        }
        if let Some(place) = place {
            self.give_result(place, value, at)?;
        }
        Ok(None)
    }

    fn give_result(&mut self, place: &'p Place, value: Option<Argument>, at: Position) -> Step<()> {
        let types = &self.program.types;
        let value = match value {
            Some((Value::Scalar(value), ty)) if types.is_scalar(place.ty) => {
                if ty != place.ty {
                    self.note_passed(value, ty, place.ty, at);
                }
                let types = &self.program.types;
                Value::Scalar(passed(types, value, ty, place.ty))
            }
            Some((Value::Bytes(bytes), ty)) if types.size(ty) == types.size(place.ty) => {
                Value::Bytes(bytes)
            }
            _ if types.is_scalar(place.ty) => {
                Value::Scalar(self.choose(ChoiceKind::MissingResult, place.ty, at))
            }
            _ => {
                self.note_unspecified("a missing result", at);
                self.arbitrary_record(place.ty, at)
            }
        };
        self.store(place, value, at)
    }

    /// Puts the arguments of `...` into an object, one after the other.
    fn keep_variable_arguments(&mut self, arguments: Vec<Argument>, at: Position) -> Step<()> {
        let sizes: Vec<u64> = arguments.iter().map(|(_, ty)| self.slot_size(*ty)).collect();
        let object = self.memory.allocate(sizes.iter().sum(), 16, Origin::Frame, at)?;
        let frame = self.frame_mut();
        frame.owned.push(object);
        frame.variable_arguments = Some(object);
        let mut pointer = self.memory.pointer(object);
        for ((value, ty), size) in arguments.into_iter().zip(sizes) {
            match value {
                Value::Scalar(value) => self.store_at(pointer, value, ty, at)?,
                Value::Bytes(bytes) => self.memory.write_bytes(pointer, &bytes, at)?,
            }
            pointer = self.moved(pointer, size);
        }
        Ok(())
    }

    pub(super) fn slot_size(&self, ty: Ty) -> u64 {
        let types = &self.program.types;
        types.size(ty).unwrap_or(0).next_multiple_of(types.model.pointer_bytes())
    }

    pub(super) fn va_start(&mut self, list: &'p Place, at: Position) -> Step<()> {
        let pointer = match self.frame().variable_arguments {
            Some(object) => self.memory.pointer(object),
            None => {
                let object = self.memory.allocate(0, 16, Origin::Frame, at)?;
                self.frame_mut().owned.push(object);
                self.memory.pointer(object)
            }
        };
        let list = self.address(list)?;
        self.write_pointer(list, pointer, at)
    }

    pub(super) fn write_pointer(&mut self, to: Scalar, pointer: Scalar, at: Position) -> Step<()> {
        let size = self.program.types.model.pointer_bytes();
        let (object, offset) = self.memory.resolve_mut(to, size, at)?;
        object.write(offset, size, pointer);
        Ok(())
    }

    pub(super) fn va_arg(&mut self, result: &'p Place, list: &'p Place, at: Position) -> Step<()> {
        let list = self.address(list)?;
        let size = self.program.types.model.pointer_bytes();
        let (id, offset) = self.memory.resolve(list, size, at)?;
        let pointer = self.memory.object(id).and_then(|object| object.read(offset, size));
        let Some(pointer) = pointer else { return undefined(Undefined::InvalidPointer, at) };
        let value_size = self.program.types.size(result.ty).unwrap_or(0);
        if self.memory.resolve(pointer, value_size, at).is_err() {
            return undefined(Undefined::MissingArgument, at);
        }
        let value = if self.program.types.is_scalar(result.ty) {
            Value::Scalar(self.load_at(pointer, result.ty, at)?)
        } else {
            Value::Bytes(self.memory.read_bytes(pointer, value_size, at)?)
        };
        let next = self.moved(pointer, self.slot_size(result.ty));
        self.write_pointer(list, next, at)?;
        self.store(result, value, at)
    }
}

/// A scalar as it arrives where another type is expected, which happens in calls through pointers
/// of the wrong type: numbers and addresses are cut off or extended, floats keep their bits.
fn passed(types: &Types, value: Scalar, from: Ty, to: Ty) -> Scalar {
    match (types.word_format(from), types.word_format(to)) {
        _ if from == to => value,
        (Some(from), Some(to)) => {
            let bits = int::convert(value.bits, from, to);
            Scalar { bits, object: value.object.filter(|_| bits == value.bits) }
        }
        _ => {
            let float = types.float_kind(to).map(|kind| 8 * kind.value_bytes() as u32);
            let width = float.or_else(|| types.word_format(to).map(|format| format.width));
            Scalar::number(int::truncate(value.bits, width.unwrap_or(128)))
        }
    }
}
