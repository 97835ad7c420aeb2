//! A swift way to run programs that only compute with integers.
//!
//! The interpreter follows the typed program itself, on memory made of bytes, which is right for
//! evidence but slow for a search. Here a program becomes a list of small instructions on
//! registers, one for every variable, because functions do not call themselves. Programs with
//! pointers, records, floating-point numbers or recursion are left to the interpreter, and so is
//! the last word: what is found here counts only if the interpreter finds it as well.

mod code;
mod compile;
mod machine;
mod tune;

use super::guide::Guide;
use crate::interp::Outcome;
use crate::typed::Program;
use crate::violation::Properties;
use code::Code;
use machine::Machine;

/// A program made for many runs.
pub struct Swift {
    code: Code,
    machine: Machine,
}

impl Swift {
    /// None if the program needs the interpreter.
    pub fn of(program: &Program, properties: &Properties) -> Option<Swift> {
        let code = compile::compile(program, properties)?;
        Some(Swift { machine: Machine::new(&code), code })
    }

    /// Whether everything that the program leaves open is asked.
    pub fn is_closed(&self) -> bool {
        !self.code.is_open
    }

    /// One run, and about how many steps the interpreter takes for it.
    pub fn run(&mut self, program: &Program, guide: &mut Guide) -> (Outcome, u64) {
        self.machine.run(&self.code, program, guide)
    }
}

#[cfg(test)]
mod tests;
