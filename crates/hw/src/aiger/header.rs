//! The first line, `aag|aig M I L O A [B [C [J [F]]]]`, and what it may promise.
//!
//! Every count but the number of inputs of a binary file is backed by bytes of the file, so a
//! count that the file is too short for is refused before anything is allocated for it.

use super::error::Fault;
use super::scan::Scanner;

/// A binary file spends no byte on an input. One that is used is mentioned somewhere, so only
/// unused inputs can outnumber the bytes of the file; this many are believed.
const UNUSED_INPUTS: u64 = 1 << 20;

/// Graph literals have 32 bits, and the constant and a first-step latch need room too.
const MAX_VARIABLES: u64 = (1 << 31) - 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Ascii,
    Binary,
}

#[derive(Clone, Debug)]
pub(super) struct Header {
    pub form: Form,
    pub max_variable: u64,
    pub inputs: u64,
    pub latches: u64,
    pub outputs: u64,
    pub ands: u64,
    pub bads: u64,
    pub constraints: u64,
    pub justice: u64,
    pub fairness: u64,
}

impl Header {
    /// Reads the header. Afterwards every count may be allocated for.
    pub fn read(scanner: &mut Scanner, form: Form) -> Result<Header, Fault> {
        let mut counts = [0u64; 9];
        const NAMES: [&str; 9] = ["M", "I", "L", "O", "A", "B", "C", "J", "F"];
        for (index, name) in NAMES.iter().enumerate() {
            let ends = !scanner.skip_blanks() || scanner.at_line_end();
            if index >= 5 && ends {
                break;
            }
            counts[index] = scanner.number(&format!("the header's number {name}"))?;
        }
        scanner.end_line()?;
        let [max_variable, inputs, latches, outputs, ands, bads, constraints, justice, fairness] =
            counts;
        let header = Header {
            form,
            max_variable,
            inputs,
            latches,
            outputs,
            ands,
            bads,
            constraints,
            justice,
            fairness,
        };
        header.check_variables()?;
        header.check_size(scanner.remaining() as u64)?;
        Ok(header)
    }

    fn check_variables(&self) -> Result<(), Fault> {
        let defined = self.inputs.checked_add(self.latches).and_then(|n| n.checked_add(self.ands));
        let defined = defined.filter(|&n| n <= MAX_VARIABLES).ok_or_else(|| {
            Fault::unsupported(0, format!("more than {MAX_VARIABLES} variables are not supported"))
        })?;
        if self.max_variable > u64::MAX / 4 {
            return Err(Fault::malformed(0, "the header's number M is out of range"));
        }
        let fits = match self.form {
            Form::Ascii => self.max_variable >= defined,
            Form::Binary => self.max_variable == defined,
        };
        let relation = if self.form == Form::Ascii { "at least" } else { "exactly" };
        fits.then_some(()).ok_or_else(|| {
            let max = self.max_variable;
            Fault::malformed(0, format!("M is {max} but should be {relation} I+L+A = {defined}"))
        })
    }

    /// Refuses counts that `remaining` bytes cannot hold, at a byte per entry; a file that is
    /// just a little too short gets its error where it ends.
    fn check_size(&self, remaining: u64) -> Result<(), Fault> {
        let unused = if self.form == Form::Ascii { 0 } else { UNUSED_INPUTS };
        let entries = [
            ("inputs", self.inputs.saturating_sub(unused)),
            ("latches", self.latches),
            ("outputs", self.outputs),
            ("bad states", self.bads),
            ("constraints", self.constraints),
            ("justice properties", self.justice),
            ("fairness constraints", self.fairness),
            ("and-gates", self.ands),
        ];
        match entries.into_iter().find(|&(_, count)| count > remaining) {
            None => Ok(()),
            Some((name, _)) => {
                let cause = format!("the header promises more {name} than the file has room for");
                Err(Fault::malformed(0, cause))
            }
        }
    }
}
