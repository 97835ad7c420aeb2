//! Functions that read a format: the interpreter's own reading of it, at the time of the call.

mod floats;
mod print;
mod scan;

use super::Arguments;
use super::programs::{Given, Request};
use crate::interp::calls::Argument;
use crate::interp::exec::Interpreter;
use crate::interp::outcome::{Step, Undefined, undefined, unsupported};
use crate::interp::value::{Scalar, Value};
use crate::source::Position;
use crate::types::Ty;

/// The arguments that a format speaks of: those after it, or those of a list.
struct Values<'a> {
    rest: &'a [Argument],
    list: Option<Scalar>,
}

impl Interpreter<'_, '_> {
    /// A call of `printf`, `scanf` and their like.
    pub(super) fn formatted_function(
        &mut self,
        name: &str,
        arguments: &Arguments,
        result: Option<Ty>,
    ) -> Given {
        let request = Request { name, arguments, result, at: arguments.at };
        let bare = name.rsplit('_').next().unwrap_or(name);
        let has_list = bare.starts_with('v');
        let plain = if has_list { &bare[1..] } else { bare };
        let before = match plain {
            "printf" | "scanf" => 0,
            "snprintf" => 2,
            _ => 1,
        };
        let Some(format) = arguments.scalar(before) else {
            return undefined(Undefined::MissingArgument, arguments.at);
        };
        let format = self.string(format, u64::MAX, arguments.at)?;
        let rest = &arguments.values[(before + 1).min(arguments.values.len())..];
        let list = match (has_list, rest.first()) {
            (true, Some((value, _))) => Some(self.first_of_list(value)),
            (true, None) => return undefined(Undefined::MissingArgument, arguments.at),
            (false, _) => None,
        };
        let mut values = Values { rest, list };
        match plain {
            "sscanf" => self.scan_text(request, &format, &mut values),
            "scanf" | "fscanf" => self.scan_file(request, &format, &mut values),
            _ => self.print(request, plain, &format, &mut values),
        }
    }

    /// Where the next argument of a `va_list` is.
    fn first_of_list(&self, list: &Value) -> Scalar {
        match list {
            Value::Scalar(pointer) => *pointer,
            Value::Bytes(bytes) => {
                let size = self.program.types.model.pointer_bytes() as usize;
                let bytes = &bytes[..size.min(bytes.len())];
                let bits = bytes
                    .iter()
                    .rev()
                    .fold(0u128, |bits, byte| bits << 8 | u128::from(byte.value.unwrap_or(0)));
                Scalar { bits, object: bytes.first().and_then(|byte| byte.object) }
            }
        }
    }

    /// The next argument, which a format says to be of this type.
    fn next_value(&mut self, values: &mut Values, ty: Ty, at: Position) -> Step<Scalar> {
        if let Some(place) = values.list {
            let size = self.program.types.size(ty).unwrap_or(0);
            if self.memory.resolve(place, size, at).is_err() {
                return undefined(Undefined::MissingArgument, at);
            }
            values.list = Some(self.moved(place, self.slot_size(ty)));
            return self.load_at(place, ty, at);
        }
        let Some(((value, given), rest)) = values.rest.split_first() else {
            return undefined(Undefined::MissingArgument, at);
        };
        values.rest = rest;
        let types = &self.program.types;
        let is_like = types.size(*given) == types.size(ty)
            && types.is_pointer(*given) == types.is_pointer(ty)
            && types.float_kind(*given) == types.float_kind(ty);
        match value {
            Value::Scalar(value) if is_like => Ok(*value),
            _ => unsupported("an argument of another type than its format says", at),
        }
    }

    /// The next argument, which is a pointer.
    fn next_pointer(&mut self, values: &mut Values, at: Position) -> Step<Scalar> {
        if let Some(place) = values.list {
            let size = self.program.types.model.pointer_bytes();
            if self.memory.resolve(place, size, at).is_err() {
                return undefined(Undefined::MissingArgument, at);
            }
            values.list = Some(self.moved(place, size));
            return self.read_pointer(place, at);
        }
        let Some(((value, given), rest)) = values.rest.split_first() else {
            return undefined(Undefined::MissingArgument, at);
        };
        values.rest = rest;
        match value {
            Value::Scalar(value) if self.program.types.is_pointer(*given) => Ok(*value),
            _ => unsupported("an argument of another type than its format says", at),
        }
    }

    /// The signed type that a length modifier means for integers, and its size.
    fn modified(&self, modifier: &str) -> Option<(Ty, u32)> {
        let ty = match modifier {
            "hh" => Ty::SCHAR,
            "h" => Ty::SHORT,
            "" => Ty::INT,
            "l" | "z" | "t" => Ty::LONG,
            "ll" | "j" | "L" | "q" => Ty::LLONG,
            _ => return None,
        };
        Some((ty, self.program.types.int_format(ty)?.width))
    }
}

/// Takes the longest beginning of a text that consists of such bytes.
fn take_while<'t>(text: &mut &'t [u8], is_meant: impl Fn(u8) -> bool) -> &'t [u8] {
    let count = text.iter().take_while(|&&byte| is_meant(byte)).count();
    let (taken, rest) = text.split_at(count);
    *text = rest;
    taken
}

fn as_text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or("")
}
