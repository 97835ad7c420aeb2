//! The system: errors, files, time.

use super::programs::{Given, Request, done, given, not_here};
use crate::interp::exec::Interpreter;
use crate::interp::outcome::unsupported;
use crate::interp::value::Scalar;
use crate::types::Ty;

impl Interpreter<'_, '_> {
    pub(super) fn system_function(&mut self, request: Request) -> Given {
        let at = request.at;
        let scalar = |index: usize| request.arguments.scalar(index);
        match request.name {
            "time" => {
                let now = self.ask_between(request, Ty::LONG, -1, i64::MAX as i128);
                if let Some(to) = scalar(0).filter(|to| to.bits != 0) {
                    self.store_number(to, now, Ty::LONG, at)?;
                }
                self.given_number(request, now)
            }
            "gettimeofday" => match scalar(0) {
                Some(to) if to.bits != 0 => self.instant(request, to, 1_000_000),
                _ => self.given_number(request, 0),
            },
            "clock_gettime" => {
                let Some(to) = scalar(1) else { return not_here() };
                match self.ask_between(request, Ty::INT, -1, 0) {
                    0 => self.instant(request, to, 1_000_000_000),
                    failure => {
                        self.set_error(22, at)?;
                        self.given_number(request, failure)
                    }
                }
            }
            "posix_memalign" => self.aligned_memory(request),
            "reallocarray" => {
                let (Some(old), Some(count), Some(size)) =
                    (scalar(0), request.arguments.size(1), request.arguments.size(2))
                else {
                    return not_here();
                };
                let most = match self.program.types.model.pointer_bytes() {
                    4 => u32::MAX as u64,
                    _ => u64::MAX,
                };
                match count.checked_mul(size).filter(|&total| total <= most) {
                    Some(total) => given(self.reallocate(old, total, at)?),
                    None => given(Scalar::number(0)),
                }
            }
            "fopen" | "fdopen" | "tmpfile" | "popen" => match self.ask(request, Ty::CHAR) & 1 {
                1 => given(self.in_library(1, at)?),
                _ => {
                    self.fail(request)?;
                    given(Scalar::number(0))
                }
            },
            "rewind" | "clearerr" | "clearerr_unlocked" => {
                self.forget_stream(request)?;
                done()
            }
            "fclose" | "fseek" | "fseeko" => {
                self.forget_stream(request)?;
                let result = self.ask_between(request, Ty::INT, -1, 0);
                if result != 0 {
                    self.fail(request)?;
                }
                self.given_number(request, result)
            }
            "pclose" => {
                let result = self.ask(request, Ty::INT);
                self.given_number(request, result)
            }
            "setvbuf" | "setbuf" if scalar(1).is_some_and(|buffer| buffer.bits != 0) => {
                unsupported("a buffer for a file", at)
            }
            "setbuf" => done(),
            "setvbuf" => {
                let result = self.ask(request, Ty::INT);
                self.given_number(request, result)
            }
            "strerror" => given(self.arbitrary_text(64, request)?),
            "pthread_once" | "call_once" => {
                let (Some(once), Some(function)) = (scalar(0), scalar(1)) else {
                    return not_here();
                };
                if self.load_at(once, Ty::INT, at)?.bits == 0 {
                    self.store_number(once, 2, Ty::INT, at)?;
                    self.call_back(function, &[], at)?;
                }
                match request.name {
                    "call_once" => done(),
                    _ => self.given_number(request, 0),
                }
            }
            _ => not_here(),
        }
    }

    /// Seconds and parts of a second.
    fn instant(&mut self, request: Request, to: Scalar, parts: i128) -> Given {
        let size = self.program.types.size(Ty::LONG).unwrap_or(8);
        let seconds = self.ask_between(request, Ty::LONG, 0, i64::MAX as i128);
        self.store_number(to, seconds, Ty::LONG, request.at)?;
        let rest = self.ask_between(request, Ty::LONG, 0, parts - 1);
        self.store_number(self.moved(to, size), rest, Ty::LONG, request.at)?;
        self.given_number(request, 0)
    }

    fn aligned_memory(&mut self, request: Request) -> Given {
        let arguments = request.arguments;
        let (Some(to), Some(alignment), Some(size)) =
            (arguments.scalar(0), arguments.size(1), arguments.size(2))
        else {
            return not_here();
        };
        let least = self.program.types.model.pointer_bytes();
        if alignment < least || !alignment.is_power_of_two() {
            return self.given_number(request, 22);
        }
        let new = self.aligned_on_heap(size, alignment, request.at)?;
        self.write_pointer(to, new, request.at)?;
        self.given_number(request, 0)
    }
}
