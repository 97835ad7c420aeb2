//! Terms: each is computed once in the state at hand.

use super::super::code::{Binary, Instruction, Register};
use super::{Compiler, WORD};
use wedge_logic::{Op, Sort, Term};

/// Terms that are deeper are left to the evaluator.
const DEEPEST: u32 = 400;

impl Compiler<'_> {
    /// The register that holds the value of a term.
    pub(super) fn value(&mut self, term: Term) -> Option<Register> {
        self.word(term, 0)
    }

    pub(super) fn constant(&mut self, value: u64) -> Register {
        if let Some(&known) = self.constants.get(&value) {
            return known;
        }
        let register = self.register(value);
        self.constants.insert(value, register);
        register
    }

    fn word(&mut self, term: Term, depth: u32) -> Option<Register> {
        if let Some(&known) = self.known.get(&term) {
            return Some(known);
        }
        let terms = &self.cfa.terms;
        let Sort::Bv(width @ 1..=WORD) = terms.sort(term) else { return None };
        if depth > DEEPEST {
            return None;
        }
        if let Some(value) = terms.value(term) {
            let value = value.to_u64()?;
            return Some(self.constant(value));
        }
        if terms.is_var(term) {
            return self.variables.get(&term).copied();
        }
        let args: Vec<Term> = terms.args(term).to_vec();
        let op = terms.op(term);
        if op == Op::Read {
            let index = self.word(args[1], depth + 1)?;
            let register = self.element(args[0], index, depth + 1)?;
            self.known.insert(term, register);
            return Some(register);
        }
        let mut operands = [0; 3];
        for (operand, &arg) in operands.iter_mut().zip(&args) {
            *operand = self.word(arg, depth + 1)?;
        }
        let to = self.temporary();
        let instruction = self.operation(op, to, &args, operands, (WORD - width) as u8)?;
        self.emit(instruction);
        self.known.insert(term, to);
        Some(to)
    }

    pub(super) fn temporary(&mut self) -> Register {
        self.register(0)
    }

    fn operation(
        &self,
        op: Op,
        to: Register,
        args: &[Term],
        operands: [Register; 3],
        spare: u8,
    ) -> Option<Instruction> {
        let [left, right, third] = operands;
        let from_spare = self.spare(*args.first()?);
        let binary = |op| Instruction::Binary { op, to, left, right, spare };
        Some(match op {
            Op::Not => Instruction::Not { to, from: left, spare },
            Op::Neg => Instruction::Neg { to, from: left, spare },
            Op::And => Instruction::And { to, left, right },
            Op::Eq => Instruction::Eq { to, left, right },
            Op::Ult => Instruction::Ult { to, left, right },
            Op::Slt => Instruction::Slt { to, left, right, spare: from_spare },
            Op::Add => Instruction::Add { to, left, right, spare },
            Op::Mul => Instruction::Mul { to, left, right, spare },
            Op::Xor => binary(Binary::Xor),
            Op::Udiv => binary(Binary::Udiv),
            Op::Urem => binary(Binary::Urem),
            Op::Sll => binary(Binary::Sll),
            Op::Srl => binary(Binary::Srl),
            Op::Sra => binary(Binary::Sra),
            Op::Concat => {
                let low = self.cfa.terms.width(args[1]) as u8;
                Instruction::Concat { to, left, right, low }
            }
            Op::Slice { low, .. } => Instruction::Slice { to, from: left, low: low as u8, spare },
            Op::Sext(_) => Instruction::Sext { to, from: left, from_spare, spare },
            Op::Ite => Instruction::Ite { to, condition: left, yes: right, no: third },
            _ => return None,
        })
    }

    /// The element of an array at an index.
    fn element(&mut self, array: Term, index: Register, depth: u32) -> Option<Register> {
        if depth > DEEPEST {
            return None;
        }
        let terms = &self.cfa.terms;
        let args: Vec<Term> = terms.args(array).to_vec();
        match terms.op(array) {
            Op::Var(_) => {
                let array = *self.arrays.get(&array)?;
                let to = self.temporary();
                self.emit(Instruction::Read { to, array, index });
                Some(to)
            }
            Op::ConstArray(_) => self.word(args[0], depth + 1),
            Op::Write => {
                let at = self.word(args[1], depth + 1)?;
                let yes = self.word(args[2], depth + 1)?;
                let no = self.element(args[0], index, depth + 1)?;
                let condition = self.temporary();
                self.emit(Instruction::Eq { to: condition, left: at, right: index });
                let to = self.temporary();
                self.emit(Instruction::Ite { to, condition, yes, no });
                Some(to)
            }
            Op::Ite => {
                let condition = self.word(args[0], depth + 1)?;
                let yes = self.element(args[1], index, depth + 1)?;
                let no = self.element(args[2], index, depth + 1)?;
                let to = self.temporary();
                self.emit(Instruction::Ite { to, condition, yes, no });
                Some(to)
            }
            _ => None,
        }
    }
}
