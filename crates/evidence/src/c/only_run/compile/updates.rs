//! What an edge does to the variables.

use super::super::code::{Instruction, Register};
use super::Compiler;
use wedge_logic::{Op, Term};
use wedge_model::cfa::Edge;

/// In longer edges values are copied to their variables, however they are computed.
const LONGEST: usize = 200;
/// An array is written at most so often by one edge.
const WRITES: usize = 256;

/// A write to an array that waits until everything is computed.
struct Write {
    condition: Option<Register>,
    array: u32,
    index: Register,
    from: Register,
}

impl Compiler<'_> {
    /// The parallel assignments of an edge.
    pub(super) fn updates(&mut self, edge: &Edge) -> Option<()> {
        let start = self.code.instructions.len();
        let mut copies: Vec<(Register, Register)> = Vec::new();
        let mut writes = Vec::new();
        for &(variable, value) in &edge.updates {
            if let Some(&array) = self.arrays.get(&variable) {
                self.array(variable, array, value, None, &mut writes)?;
            } else {
                let to = *self.variables.get(&variable)?;
                let from = self.value(value)?;
                if to != from {
                    copies.push((to, from));
                }
            }
        }
        let is_changed = |register: Register, copies: &[(Register, Register)]| {
            copies.iter().any(|&(to, _)| to == register)
        };
        // What is changed by another assignment is saved before.
        for index in 0..copies.len() {
            let from = copies[index].1;
            if is_changed(from, &copies) {
                copies[index].1 = self.temporary();
                self.emit(Instruction::Copy { to: copies[index].1, from });
            }
        }
        // The writes read registers, and no word is assigned before them.
        for write in writes {
            let Write { condition, array, index, from } = write;
            self.emit(match condition {
                Some(condition) => Instruction::WriteIf { condition, array, index, from },
                None => Instruction::Write { array, index, from },
            });
        }
        for index in 0..copies.len() {
            let (to, from) = copies[index];
            // What stands in another variable of this edge stays there.
            let is_elsewhere = is_changed(from, &copies);
            if is_elsewhere || !self.computed_in_place(start, to, from) {
                self.emit(Instruction::Copy { to, from });
                continue;
            }
            // The value stands in the variable now, for others that get it as well.
            for (_, other) in copies[index + 1..].iter_mut().filter(|(_, other)| *other == from) {
                *other = to;
            }
        }
        Some(())
    }

    /// Lets the instruction that computes a value in between put it into the variable at once. That
    /// is right if nobody reads the variable after it.
    fn computed_in_place(&mut self, start: usize, variable: Register, value: Register) -> bool {
        let block = &mut self.code.instructions[start..];
        if block.len() > LONGEST {
            return false;
        }
        let writes = |instruction: &mut Instruction, register| {
            instruction.result().is_some_and(|result| *result == register)
        };
        let Some(at) = block.iter_mut().position(|instruction| writes(instruction, value)) else {
            return false;
        };
        let reads = |instruction: &mut Instruction| {
            instruction.operands().iter().any(|operand| **operand == variable)
        };
        if block[at + 1..].iter_mut().any(|i| reads(i) || writes(i, variable)) {
            return false;
        }
        *block[at].result().expect("it writes a register") = variable;
        for instruction in &mut block[at + 1..] {
            for operand in instruction.operands() {
                if *operand == value {
                    *operand = variable;
                }
            }
        }
        true
    }

    /// The writes that make the value of an array from the array itself.
    fn array(
        &mut self,
        variable: Term,
        array: u32,
        value: Term,
        condition: Option<Register>,
        writes: &mut Vec<Write>,
    ) -> Option<()> {
        let terms = &self.cfa.terms;
        if value == variable {
            return Some(());
        }
        if writes.len() > WRITES {
            return None;
        }
        let args: Vec<Term> = terms.args(value).to_vec();
        match terms.op(value) {
            Op::Write => {
                self.array(variable, array, args[0], condition, writes)?;
                let index = self.value(args[1])?;
                let from = self.value(args[2])?;
                writes.push(Write { condition, array, index, from });
                Some(())
            }
            Op::Ite => {
                let test = self.value(args[0])?;
                let not = self.temporary();
                self.emit(Instruction::Not { to: not, from: test, spare: 63 });
                for (test, branch) in [(test, args[1]), (not, args[2])] {
                    let both = match condition {
                        None => test,
                        Some(outer) => {
                            let to = self.temporary();
                            self.emit(Instruction::And { to, left: outer, right: test });
                            to
                        }
                    };
                    self.array(variable, array, branch, Some(both), writes)?;
                }
                Some(())
            }
            _ => None,
        }
    }
}
