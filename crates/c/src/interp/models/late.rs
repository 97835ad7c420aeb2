//! What is registered for later: `atexit` and its like, handlers of signals.

use super::programs::{Given, Request, not_here};
use crate::interp::exec::Interpreter;
use crate::interp::outcome::{Outcome, Step, unsupported};
use crate::interp::value::Scalar;
use crate::source::Position;
use crate::violation::Kind;
use std::collections::BTreeMap;

const IGNORE: u128 = 1;
const ABORT: i32 = 6;
const INVALID: i128 = 22;
/// No standard says that more functions can be registered.
const MOST: usize = 32;
/// Signals that do nothing unless there is a handler.
const HARMLESS: [i32; 4] = [17, 18, 23, 28];

/// Functions that wait to be called.
#[derive(Clone, Default, Hash)]
pub struct Late {
    /// For `exit`, and the argument of those that have one.
    exits: Vec<(Scalar, Option<Scalar>)>,
    quick_exits: Vec<Scalar>,
    handlers: BTreeMap<i32, Scalar>,
    /// Signals whose handlers are at work.
    handled: Vec<i32>,
}

impl Interpreter<'_, '_> {
    pub(super) fn late_function(&mut self, request: Request) -> Given {
        let Some(first) = request.arguments.scalar(0) else { return not_here() };
        let second = request.arguments.scalar(1);
        match request.name {
            "atexit" | "on_exit" => {
                if self.late.exits.len() >= MOST || self.properties.asks(Kind::Memtrack) {
                    return unsupported(format!("`{}`", request.name), request.at);
                }
                let argument = second.filter(|_| request.name == "on_exit");
                self.late.exits.push((first, argument));
                self.given_number(request, 0)
            }
            "at_quick_exit" => {
                if self.late.quick_exits.len() >= MOST {
                    return unsupported("so many functions for the end", request.at);
                }
                self.late.quick_exits.push(first);
                self.given_number(request, 0)
            }
            "signal" => {
                let Some(handler) = second else { return not_here() };
                let number = first.bits as u32 as i32;
                if !(1..=64).contains(&number) || matches!(number, 9 | 19) {
                    self.set_error(INVALID, request.at)?;
                    return self.given_number(request, -1).map(|_| Some(Some(self.minus_one())));
                }
                let old = self.late.handlers.insert(number, handler);
                super::programs::given(old.unwrap_or(Scalar::number(0)))
            }
            "raise" => {
                let number = first.bits as u32 as i32;
                if !(0..=64).contains(&number) {
                    self.set_error(INVALID, request.at)?;
                    return self.given_number(request, -1);
                }
                self.raise(number, request.at)?;
                self.given_number(request, 0)
            }
            _ => not_here(),
        }
    }

    /// `SIG_ERR`
    fn minus_one(&self) -> crate::interp::value::Value {
        let width = 8 * self.program.types.model.pointer_bytes();
        crate::interp::value::Value::Scalar(Scalar::number(u128::MAX >> (128 - width)))
    }

    fn raise(&mut self, number: i32, at: Position) -> Step<()> {
        let handler = self.late.handlers.get(&number).copied().unwrap_or(Scalar::number(0));
        let is_default = handler.bits == 0 && handler.object.is_none();
        match number {
            0 => Ok(()),
            _ if handler.bits == IGNORE && handler.object.is_none() => Ok(()),
            _ if is_default && HARMLESS.contains(&number) => Ok(()),
            _ if is_default => {
                self.check_leaks(at)?;
                Err(Box::new(Outcome::Finished(128 + number)))
            }
            _ if self.late.handled.contains(&number) => {
                unsupported("a signal inside its own handler", at)
            }
            _ => self.handle(number, handler, at),
        }
    }

    fn handle(&mut self, number: i32, handler: Scalar, at: Position) -> Step<()> {
        self.late.handled.push(number);
        self.call_back(handler, &[Scalar::number(number as u128)], at)?;
        self.late.handled.retain(|other| *other != number);
        Ok(())
    }

    /// What happens before a program is aborted.
    pub(super) fn before_abort(&mut self, at: Position) -> Step<()> {
        let handler = self.late.handlers.get(&ABORT).copied();
        let is_free = !self.late.handled.contains(&ABORT);
        match handler.filter(|handler| is_free && handler.bits > IGNORE) {
            Some(handler) => self.handle(ABORT, handler, at),
            None => Ok(()),
        }
    }

    /// What happens before a program ends, the last thing that was registered first.
    pub(super) fn before_exit(
        &mut self,
        name: &str,
        status: Option<Scalar>,
        at: Position,
    ) -> Step<()> {
        if name == "quick_exit" {
            while let Some(function) = self.late.quick_exits.pop() {
                self.call_back(function, &[], at)?;
            }
        }
        if name == "exit" {
            let status = status.unwrap_or(Scalar::number(0));
            while let Some((function, argument)) = self.late.exits.pop() {
                match argument {
                    Some(argument) => self.call_back(function, &[status, argument], at)?,
                    None => self.call_back(function, &[], at)?,
                };
            }
        }
        Ok(())
    }
}
