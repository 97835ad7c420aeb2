//! Wide and multibyte characters in the C locale. Those beyond ASCII are not followed.

use super::programs::{Given, Request, not_here};
use crate::interp::exec::Interpreter;
use crate::interp::outcome::{Step, unsupported};
use crate::interp::value::Scalar;
use crate::library::has_class;
use crate::source::Position;
use crate::types::Ty;

/// Bytes of a wide character.
const WIDE: u64 = 4;

impl Interpreter<'_, '_> {
    pub(super) fn multibyte_function(&mut self, request: Request) -> Given {
        let (arguments, at) = (request.arguments, request.at);
        let Some(first) = arguments.scalar(0) else { return not_here() };
        let character = first.bits as u32;
        let byte = u8::try_from(character).ok().filter(u8::is_ascii);
        match request.name {
            "towlower" | "towupper" => {
                let changed = match (byte, request.name) {
                    (Some(byte), "towlower") => u32::from(byte.to_ascii_lowercase()),
                    (Some(byte), _) => u32::from(byte.to_ascii_uppercase()),
                    (None, _) => character,
                };
                self.given_number(request, i128::from(changed))
            }
            "mbstowcs" => self.converted(request, (1, WIDE)),
            "wcstombs" => self.converted(request, (WIDE, 1)),
            "mblen" | "mbtowc" => self.character_length(request),
            "wctomb" if first.bits == 0 && first.object.is_none() => self.given_number(request, 0),
            "wctomb" => {
                let code = arguments.scalar(1).map_or(0, |value| value.bits as u32);
                let byte = self.ascii(code, at)?;
                self.write_text(first, &[byte], at)?;
                self.given_number(request, 1)
            }
            "btowc" | "wctob" if character == u32::MAX => self.given_number(request, -1),
            "btowc" | "wctob" => {
                let byte = self.ascii(character, at)?;
                self.given_number(request, i128::from(byte))
            }
            name => match name.strip_prefix("isw") {
                Some(class) => {
                    let class = format!("is{class}");
                    let is_in = byte.is_some_and(|byte| has_class(byte, &class));
                    self.given_number(request, i128::from(is_in))
                }
                None => not_here(),
            },
        }
    }

    fn ascii(&self, code: u32, at: Position) -> Step<u8> {
        match u8::try_from(code).ok().filter(u8::is_ascii) {
            Some(byte) => Ok(byte),
            None => unsupported("a character beyond ASCII", at),
        }
    }

    /// The character of so many bytes at a place.
    fn character_at(&mut self, place: Scalar, size: u64, at: Position) -> Step<u8> {
        let ty = if size == 1 { Ty::UCHAR } else { Ty::UINT };
        let code = self.load_at(place, ty, at)?.bits as u32;
        self.ascii(code, at)
    }

    /// `mbstowcs` and `wcstombs`: characters of one size become such of another.
    fn converted(&mut self, request: Request, (from_size, to_size): (u64, u64)) -> Given {
        let (arguments, at) = (request.arguments, request.at);
        let (Some(to), Some(from), Some(most)) =
            (arguments.scalar(0), arguments.scalar(1), arguments.size(2))
        else {
            return not_here();
        };
        let is_counted = to.bits == 0 && to.object.is_none();
        let mut count = 0;
        while is_counted || count < most {
            let byte = self.character_at(self.moved(from, from_size * count), from_size, at)?;
            if !is_counted {
                let code = u32::from(byte).to_le_bytes();
                let place = self.moved(to, to_size * count);
                self.write_text(place, &code[..to_size as usize], at)?;
            }
            if byte == 0 {
                break;
            }
            count += 1;
        }
        self.given_number(request, i128::from(count))
    }

    /// `mblen` and `mbtowc`.
    fn character_length(&mut self, request: Request) -> Given {
        let (arguments, at) = (request.arguments, request.at);
        let place = usize::from(request.name == "mbtowc");
        let (Some(from), Some(most)) = (arguments.scalar(place), arguments.size(place + 1)) else {
            return not_here();
        };
        if from.bits == 0 && from.object.is_none() {
            return self.given_number(request, 0);
        }
        if most == 0 {
            return self.given_number(request, -1);
        }
        let byte = self.character_at(from, 1, at)?;
        if let Some(to) = arguments.scalar(0).filter(|to| place == 1 && to.bits != 0) {
            self.write_text(to, &u32::from(byte).to_le_bytes(), at)?;
        }
        self.given_number(request, i128::from(byte != 0))
    }
}
