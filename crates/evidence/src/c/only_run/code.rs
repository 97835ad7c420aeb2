//! Instructions of the machine that runs automata quickly, and what each of them does.
//!
//! A register holds a word of at most 64 bits as a number without sign; bits above its width are 0.
//! `spare` is what the width lacks of 64.

use wedge_model::cfa::LocationId;

pub type Register = u32;

/// Operators on two words without an instruction of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Xor,
    Udiv,
    Urem,
    Sll,
    Srl,
    Sra,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instruction {
    Copy {
        to: Register,
        from: Register,
    },
    Not {
        to: Register,
        from: Register,
        spare: u8,
    },
    Neg {
        to: Register,
        from: Register,
        spare: u8,
    },
    And {
        to: Register,
        left: Register,
        right: Register,
    },
    Eq {
        to: Register,
        left: Register,
        right: Register,
    },
    Ult {
        to: Register,
        left: Register,
        right: Register,
    },
    Slt {
        to: Register,
        left: Register,
        right: Register,
        spare: u8,
    },
    Add {
        to: Register,
        left: Register,
        right: Register,
        spare: u8,
    },
    Mul {
        to: Register,
        left: Register,
        right: Register,
        spare: u8,
    },
    /// An operator that is not as frequent as those above.
    Binary {
        op: Binary,
        to: Register,
        left: Register,
        right: Register,
        spare: u8,
    },
    /// The left operand above so many bits of the right one.
    Concat {
        to: Register,
        left: Register,
        right: Register,
        low: u8,
    },
    /// Bits from `low` on; the result lacks `spare` bits of 64.
    Slice {
        to: Register,
        from: Register,
        low: u8,
        spare: u8,
    },
    /// The operand lacks `from_spare` bits of 64, the result `spare`.
    Sext {
        to: Register,
        from: Register,
        from_spare: u8,
        spare: u8,
    },
    Ite {
        to: Register,
        condition: Register,
        yes: Register,
        no: Register,
    },
    Read {
        to: Register,
        array: u32,
        index: Register,
    },
    Write {
        array: u32,
        index: Register,
        from: Register,
    },
    WriteIf {
        condition: Register,
        array: u32,
        index: Register,
        from: Register,
    },
    /// A value without meaning.
    Scramble {
        to: Register,
        spare: u8,
    },
    /// Jump if the word is 0, or if it is not.
    IfZero {
        condition: Register,
        to: u32,
    },
    IfNot {
        condition: Register,
        to: u32,
    },
    /// Jump if the comparison does not hold, or if it does.
    UnlessEq {
        left: Register,
        right: Register,
        to: u32,
    },
    UnlessUlt {
        left: Register,
        right: Register,
        to: u32,
    },
    UnlessSlt {
        left: Register,
        right: Register,
        spare: u8,
        to: u32,
    },
    WhenEq {
        left: Register,
        right: Register,
        to: u32,
    },
    WhenUlt {
        left: Register,
        right: Register,
        to: u32,
    },
    WhenSlt {
        left: Register,
        right: Register,
        spare: u8,
        to: u32,
    },
    /// So many edges were taken; on to a location, by its number while code is made.
    Go {
        edges: u32,
        to: u32,
    },
    /// The run is at the head of a loop.
    Arrive(LocationId),
    /// So many edges were taken; what follows is not for this machine.
    Leave {
        edges: u32,
        location: LocationId,
    },
}

impl Instruction {
    /// The register that it writes.
    pub fn result(&mut self) -> Option<&mut Register> {
        match self {
            Instruction::Copy { to, .. }
            | Instruction::Not { to, .. }
            | Instruction::Neg { to, .. }
            | Instruction::And { to, .. }
            | Instruction::Eq { to, .. }
            | Instruction::Ult { to, .. }
            | Instruction::Slt { to, .. }
            | Instruction::Add { to, .. }
            | Instruction::Mul { to, .. }
            | Instruction::Binary { to, .. }
            | Instruction::Concat { to, .. }
            | Instruction::Slice { to, .. }
            | Instruction::Sext { to, .. }
            | Instruction::Ite { to, .. }
            | Instruction::Read { to, .. }
            | Instruction::Scramble { to, .. } => Some(to),
            _ => None,
        }
    }

    /// The registers that it reads.
    pub fn operands(&mut self) -> Vec<&mut Register> {
        match self {
            Instruction::Copy { from, .. }
            | Instruction::Not { from, .. }
            | Instruction::Neg { from, .. }
            | Instruction::Slice { from, .. }
            | Instruction::Sext { from, .. } => vec![from],
            Instruction::And { left, right, .. }
            | Instruction::Eq { left, right, .. }
            | Instruction::Ult { left, right, .. }
            | Instruction::Slt { left, right, .. }
            | Instruction::Add { left, right, .. }
            | Instruction::Mul { left, right, .. }
            | Instruction::Binary { left, right, .. }
            | Instruction::Concat { left, right, .. }
            | Instruction::UnlessEq { left, right, .. }
            | Instruction::UnlessUlt { left, right, .. }
            | Instruction::UnlessSlt { left, right, .. }
            | Instruction::WhenEq { left, right, .. }
            | Instruction::WhenUlt { left, right, .. }
            | Instruction::WhenSlt { left, right, .. } => vec![left, right],
            Instruction::Ite { condition, yes, no, .. } => vec![condition, yes, no],
            Instruction::Read { index, .. } => vec![index],
            Instruction::Write { index, from, .. } => vec![index, from],
            Instruction::WriteIf { condition, index, from, .. } => vec![condition, index, from],
            Instruction::IfZero { condition, .. } | Instruction::IfNot { condition, .. } => {
                vec![condition]
            }
            Instruction::Scramble { .. }
            | Instruction::Go { .. }
            | Instruction::Arrive(_)
            | Instruction::Leave { .. } => Vec::new(),
        }
    }

    /// Where it jumps to.
    pub fn label(&mut self) -> Option<&mut u32> {
        match self {
            Instruction::IfZero { to, .. }
            | Instruction::IfNot { to, .. }
            | Instruction::UnlessEq { to, .. }
            | Instruction::UnlessUlt { to, .. }
            | Instruction::UnlessSlt { to, .. }
            | Instruction::WhenEq { to, .. }
            | Instruction::WhenUlt { to, .. }
            | Instruction::WhenSlt { to, .. } => Some(to),
            _ => None,
        }
    }
}

/// The lowest bits of a number.
#[inline(always)]
pub fn cut(bits: u64, spare: u8) -> u64 {
    bits << spare >> spare
}

/// The number with the sign at its width.
#[inline(always)]
pub fn signed(bits: u64, spare: u8) -> i64 {
    (bits << spare) as i64 >> spare
}

/// An operator as the theory of bit-vectors defines it.
pub fn binary(op: Binary, left: u64, right: u64, spare: u8) -> u64 {
    let width = 64 - u64::from(spare);
    match op {
        Binary::Xor => left ^ right,
        Binary::Udiv => left.checked_div(right).unwrap_or(cut(u64::MAX, spare)),
        Binary::Urem => left.checked_rem(right).unwrap_or(left),
        Binary::Sll if right >= width => 0,
        Binary::Sll => cut(left << right, spare),
        Binary::Srl if right >= width => 0,
        Binary::Srl => left >> right,
        Binary::Sra => cut((signed(left, spare) >> right.min(63)) as u64, spare),
    }
}
