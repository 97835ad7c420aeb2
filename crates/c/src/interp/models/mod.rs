//! Functions without a body: what their [`FunctionModel`] says, or an arbitrary result.

mod allocation;
mod approximate;
mod characters;
mod floats;
mod formats;
mod input;
mod late;
mod math_errors;
mod memory;
mod multibyte;
mod numbers;
mod programs;
mod sort;
mod streams;
mod strings;
mod system;
mod tokens;
mod wide;

pub use late::Late;
pub use streams::Streams;

use super::calls::Argument;
use super::exec::{Interpreter, Known};
use super::oracle::{Birth, ChoiceKind};
use super::outcome::{Outcome, Step, unsupported};
use super::value::{Byte, Scalar, Value};
use crate::arith::int;
use crate::library::{FunctionModel, UndefinedFunctions, has_count};
use crate::source::Position;
use crate::typed::{FuncId, Place};
use crate::types::Ty;

/// The arguments of a modelled function.
struct Arguments<'a> {
    values: &'a [Argument],
    at: Position,
}

impl Arguments<'_> {
    /// The scalar at this place of the list.
    fn scalar(&self, index: usize) -> Option<Scalar> {
        match self.values.get(index) {
            Some((Value::Scalar(value), _)) => Some(*value),
            _ => None,
        }
    }

    fn ty(&self, index: usize) -> Option<Ty> {
        self.values.get(index).map(|(_, ty)| *ty)
    }

    /// A length or character: the number in the bits, which are unsigned.
    fn size(&self, index: usize) -> Option<u64> {
        self.scalar(index).map(|value| value.bits as u64)
    }
}

impl<'p> Interpreter<'p, '_> {
    /// The result of a call of a function without a body.
    pub(super) fn call_model(
        &mut self,
        id: FuncId,
        known: Known,
        values: Vec<Argument>,
        result: Option<&'p Place>,
        at: Position,
    ) -> Step<Option<Value>> {
        let function = self.program.function(self.program.original(id));
        let name = function.name.as_str();
        if known.is_refused {
            return unsupported(format!("`{name}`"), at);
        }
        let arguments = Arguments { values: &values, at };
        if function.version_of.is_none() && self.program.original(id) != id {
            // A version of a function that prints or reads by a format.
            if let Some(value) = self.formatted_function(name, &arguments, result.map(|p| p.ty))? {
                return Ok(value);
            }
        }
        if let Some(model) = known.model
            && let Some(value) = self.modelled(model, name, &arguments, result.map(|p| p.ty))?
        {
            return Ok(value);
        }
        let bits: Vec<u128> =
            (0..values.len()).map(|i| arguments.scalar(i).map_or(0, |value| value.bits)).collect();
        self.oracle.external_call(name, &bits, at);
        if known.model.is_none() && self.program.undefined_functions == UndefinedFunctions::Havoc {
            self.havoc(&values, at);
        }
        Ok(result.map(|place| self.arbitrary(place.ty, ChoiceKind::External(name), at)))
    }

    /// An arbitrary value of any type.
    pub(super) fn arbitrary(&mut self, ty: Ty, kind: ChoiceKind, at: Position) -> Value {
        if self.program.types.is_scalar(ty) {
            return Value::Scalar(self.choose(kind, ty, at));
        }
        self.arbitrary_record(ty, at)
    }

    /// A record with arbitrary contents.
    pub(super) fn arbitrary_record(&mut self, ty: Ty, at: Position) -> Value {
        let life = self.begin(Birth::Result(at));
        let size = self.program.types.size(ty).unwrap_or(0);
        Value::Bytes((0..size).map(|offset| Byte::arbitrary(life, offset)).collect())
    }

    /// `%n` in a format is not followed.
    fn refuse_count(&mut self, name: &str, arguments: &Arguments) -> Step<()> {
        let index = match name {
            "printf" | "vprintf" | "printk" => 0,
            _ => 1,
        };
        let Some(format) = arguments.scalar(index).filter(|format| format.object.is_some()) else {
            return Ok(());
        };
        let text = self.string(format, u64::MAX, arguments.at)?;
        match has_count(&text) {
            true => unsupported(format!("`{name}` with `%n`"), arguments.at),
            false => Ok(()),
        }
    }

    /// A number between two bounds; answers beyond them are brought back.
    fn choose_between(
        &mut self,
        name: &'p str,
        ty: Ty,
        (low, high): (i64, i64),
        at: Position,
    ) -> Scalar {
        let bits = self.choose(ChoiceKind::External(name), ty, at).bits;
        let Some(format) = self.program.types.int_format(ty) else { return Scalar::number(bits) };
        let value = int::extend(bits, format) as i128;
        let (low, high) = (low as i128, high as i128);
        let inside = if (low..=high).contains(&value) {
            value
        } else {
            low + value.rem_euclid(high - low + 1)
        };
        Scalar::number(int::truncate(inside as u128, format.width))
    }

    /// A function of which only the bounds of its result are known. If it may have failed, `errno`
    /// may say why.
    fn open_function(
        &mut self,
        name: &'p str,
        result: Option<Ty>,
        bounds: (i64, i64),
        at: Position,
    ) -> Step<Option<Option<Value>>> {
        let value = result.map(|ty| self.choose_between(name, ty, bounds, at));
        let has_failed = match (value, result.and_then(|ty| self.program.types.int_format(ty))) {
            (Some(value), Some(format)) => int::extend(value.bits, format) as i128 == -1,
            _ => true,
        };
        if bounds.0 == -1 && self.program.error_number().is_some() {
            let number = self.choose(ChoiceKind::External(name), Ty::INT, at).bits as u32;
            if has_failed && (1..=133).contains(&number) {
                self.set_error(i128::from(number), at)?;
            }
        }
        Ok(Some(value.map(Value::Scalar)))
    }

    /// The result of a modelled function; `None` if the call does not fit the model, so that the
    /// function must be another one of the same name.
    fn modelled(
        &mut self,
        model: FunctionModel,
        name: &'p str,
        arguments: &Arguments,
        result: Option<Ty>,
    ) -> Step<Option<Option<Value>>> {
        let at = arguments.at;
        let scalar = |value: Option<Scalar>| Ok(value.map(|value| Some(Value::Scalar(value))));
        match model {
            FunctionModel::Abort => {
                self.before_abort(at)?;
                Err(Box::new(Outcome::Aborted(at)))
            }
            FunctionModel::Error => Err(Box::new(Outcome::Aborted(at))),
            FunctionModel::Unsupported => unsupported(format!("`{name}`"), at),
            FunctionModel::Any => {
                Ok(Some(result.map(|ty| self.arbitrary(ty, ChoiceKind::External(name), at))))
            }
            FunctionModel::Open(low, high) => self.open_function(name, result, (low, high), at),
            FunctionModel::Program => self.program_function(name, arguments, result),
            FunctionModel::Formatted => self.formatted_function(name, arguments, result),
            FunctionModel::Exit => {
                self.before_exit(name, arguments.scalar(0), at)?;
                let status = arguments.scalar(0).map(Value::Scalar);
                self.check_leaks(arguments.at)?;
                Err(Box::new(Outcome::Finished(self.status(status.as_ref()))))
            }
            FunctionModel::Assume => match arguments.scalar(0) {
                Some(value) if value.bits == 0 => Err(Box::new(Outcome::AssumeFailed(at))),
                _ => Ok(Some(None)),
            },
            FunctionModel::Nondet => {
                Ok(Some(result.map(|ty| self.arbitrary(ty, ChoiceKind::Input(name), at))))
            }
            FunctionModel::Print => {
                self.refuse_count(name, arguments)?;
                Ok(Some(result.map(|ty| self.arbitrary(ty, ChoiceKind::External(name), at))))
            }
            FunctionModel::Atomic | FunctionModel::Assert => Ok(Some(None)),
            FunctionModel::ObjectBytes | FunctionModel::Keep => unsupported("the library in C", at),
            FunctionModel::GetRounding | FunctionModel::SetRounding | FunctionModel::FltRounds => {
                scalar(self.rounding_function(model, arguments))
            }
            FunctionModel::Malloc
            | FunctionModel::Calloc
            | FunctionModel::Realloc
            | FunctionModel::AlignedAlloc
            | FunctionModel::Free
            | FunctionModel::Alloca => self.allocation(model, arguments),
            FunctionModel::MemCopy
            | FunctionModel::MemCopyEnd
            | FunctionModel::MemSet
            | FunctionModel::MemZero
            | FunctionModel::MemCompare
            | FunctionModel::MemFind => scalar(self.memory_function(model, arguments)?),
            FunctionModel::CharacterTest
            | FunctionModel::ToLower
            | FunctionModel::ToUpper
            | FunctionModel::AbsoluteValue => {
                scalar(self.character_function(model, name, arguments))
            }
            FunctionModel::Float(function) => {
                let value = self.float_function((function, name), arguments, result)?;
                self.math_error(model, name, arguments, value)?;
                scalar(value)
            }
            FunctionModel::Approximate(function) => match result {
                Some(ty) => {
                    let value = self.approximate(function, name, arguments, ty)?;
                    self.math_error(model, name, arguments, value)?;
                    scalar(value)
                }
                None => {
                    let value = self.unused_result(function, arguments);
                    self.math_error(model, name, arguments, value)?;
                    Ok(Some(None))
                }
            },
            FunctionModel::MakeNan => scalar(self.make_nan(result)),
            _ => scalar(self.string_function(model, arguments)?),
        }
    }
}
