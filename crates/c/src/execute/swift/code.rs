//! Instructions.
//!
//! A register holds the number that a value of integer type stands for; of unsigned numbers of 64
//! bits it holds the bits.

use crate::interp::{ChoiceKind, Outcome};
use crate::source::Position;
use crate::typed::{BinaryOp, BlockId, FuncId, LocalId, UnaryOp};
use crate::types::{IntFormat, Ty};

pub type Register = u32;
/// A place in the code; while it is made, the number of one.
pub type Label = u32;

/// An integer type of at most 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    bits: u8,
    signed: bool,
}

impl Format {
    pub fn new(format: IntFormat) -> Option<Format> {
        let bits = u8::try_from(format.width).ok().filter(|bits| (1..=64).contains(bits))?;
        Some(Format { bits, signed: format.signed })
    }

    /// The number that the low bits stand for.
    pub fn number(self, bits: i64) -> i64 {
        let shift = 64 - self.bits;
        match self.signed {
            true => bits << shift >> shift,
            false => ((bits as u64) << shift >> shift) as i64,
        }
    }

    pub fn int_format(self) -> IntFormat {
        IntFormat { width: self.bits as u32, signed: self.signed }
    }

    pub fn is_signed(self) -> bool {
        self.signed
    }
}

/// How two numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    /// Without signs.
    Below,
    BelowEqual,
}

impl Relation {
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Relation::Equal => left == right,
            Relation::NotEqual => left != right,
            Relation::Less => left < right,
            Relation::LessEqual => left <= right,
            Relation::Below => (left as u64) < right as u64,
            Relation::BelowEqual => left as u64 <= right as u64,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Instruction {
    /// So many steps of the interpreter follow without a branch.
    Tick(u32),
    Copy {
        to: Register,
        from: Register,
    },
    /// Makes a number one of another type.
    Convert {
        format: Format,
        to: Register,
        from: Register,
    },
    Unary {
        op: UnaryOp,
        format: Format,
        to: Register,
        from: Register,
    },
    /// Not a comparison.
    Binary {
        op: BinaryOp,
        format: Format,
        to: Register,
        left: Register,
        right: Register,
    },
    Add {
        format: Format,
        to: Register,
        left: Register,
        right: Register,
    },
    Subtract {
        format: Format,
        to: Register,
        left: Register,
        right: Register,
    },
    Multiply {
        format: Format,
        to: Register,
        left: Register,
        right: Register,
    },
    /// The bits that both have; of two numbers of one type it is one of it.
    Mask {
        to: Register,
        left: Register,
        right: Register,
    },
    Compare {
        relation: Relation,
        to: Register,
        left: Register,
        right: Register,
    },
    Jump(Label),
    /// Counts a decision and steps, and jumps. The last number of a decision is that of none.
    Go {
        decision: u32,
        steps: u32,
        to: Label,
    },
    /// Jumps if the relation does not hold.
    Unless {
        relation: Relation,
        left: Register,
        right: Register,
        to: Label,
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
    /// Asks for a value.
    Ask {
        to: Register,
        question: u32,
    },
    /// Asks for the value of a register that has none.
    Settle {
        register: Register,
        question: u32,
    },
    /// These registers have no values from here on.
    Forget {
        first: Register,
        count: u32,
    },
    /// The register has a value.
    Know(Register),
    /// Calls the function at a place.
    Call {
        to: Label,
        function: u32,
    },
    Return(u32),
    Decide(u32),
    /// A function without body is called.
    External(u32),
    /// The run ends.
    End(u32),
    /// The run ends with a status.
    Finish(Register),
}

impl Instruction {
    /// Where it jumps to.
    pub fn label(&mut self) -> Option<&mut Label> {
        match self {
            Instruction::Jump(to)
            | Instruction::Go { to, .. }
            | Instruction::Unless { to, .. }
            | Instruction::Call { to, .. } => Some(to),
            _ => None,
        }
    }

    /// The register that gets the value it computes.
    pub fn result(&mut self) -> Option<&mut Register> {
        match self {
            Instruction::Copy { to, .. }
            | Instruction::Convert { to, .. }
            | Instruction::Unary { to, .. }
            | Instruction::Binary { to, .. }
            | Instruction::Compare { to, .. }
            | Instruction::Read { to, .. }
            | Instruction::Ask { to, .. } => Some(to),
            _ => None,
        }
    }

    /// Replaces registers by their images.
    pub fn relocate(&mut self, image: impl Fn(Register) -> Register) {
        let map = |registers: &mut [&mut Register]| {
            registers.iter_mut().for_each(|register| **register = image(**register));
        };
        match self {
            Instruction::Copy { to, from }
            | Instruction::Convert { to, from, .. }
            | Instruction::Unary { to, from, .. } => map(&mut [to, from]),
            Instruction::Binary { to, left, right, .. }
            | Instruction::Add { to, left, right, .. }
            | Instruction::Subtract { to, left, right, .. }
            | Instruction::Multiply { to, left, right, .. }
            | Instruction::Mask { to, left, right }
            | Instruction::Compare { to, left, right, .. } => map(&mut [to, left, right]),
            Instruction::Unless { left, right, .. } => map(&mut [left, right]),
            Instruction::Read { to, index, .. } => map(&mut [to, index]),
            Instruction::Write { index, from, .. } => map(&mut [index, from]),
            Instruction::Ask { to, .. } => map(&mut [to]),
            Instruction::Settle { register, .. }
            | Instruction::Know(register)
            | Instruction::Finish(register) => map(&mut [register]),
            Instruction::Forget { first, .. } => map(&mut [first]),
            Instruction::Tick(_)
            | Instruction::Jump(_)
            | Instruction::Go { .. }
            | Instruction::Call { .. }
            | Instruction::Return(_)
            | Instruction::Decide(_)
            | Instruction::External(_)
            | Instruction::End(_) => {}
        }
    }
}

/// Something that the program leaves open.
#[derive(Clone, Debug)]
pub struct Question {
    pub kind: QuestionKind,
    pub ty: Ty,
    pub width: u32,
    pub format: Format,
    pub position: Position,
}

#[derive(Clone, Copy, Debug)]
pub enum QuestionKind {
    Input(FuncId),
    External(FuncId),
    Local(LocalId),
    Memory,
}

impl QuestionKind {
    pub fn choice<'a>(self, name: impl Fn(FuncId) -> &'a str) -> ChoiceKind<'a> {
        match self {
            QuestionKind::Input(id) => ChoiceKind::Input(name(id)),
            QuestionKind::External(id) => ChoiceKind::External(name(id)),
            QuestionKind::Local(id) => ChoiceKind::Local(id),
            QuestionKind::Memory => ChoiceKind::Memory(None, 0),
        }
    }
}

/// Registers in a row.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    pub first: Register,
    pub count: u32,
    /// Asked where an element has no value, if that can be.
    pub question: Option<u32>,
}

/// A program.
#[derive(Default)]
pub struct Code {
    pub instructions: Vec<Instruction>,
    /// What the registers hold at the start.
    pub registers: Vec<i64>,
    /// The first registers belong to global variables, those after them to variables of functions.
    pub globals: usize,
    pub variables: usize,
    pub arrays: Vec<Array>,
    pub questions: Vec<Question>,
    pub decisions: Vec<(FuncId, BlockId, BlockId)>,
    pub externals: Vec<(FuncId, Position)>,
    pub ends: Vec<Outcome>,
    pub functions: u32,
    /// Functions are called of which not everything is known and nothing is asked.
    pub is_open: bool,
}
