//! The checking front door for readers: surface operators with operands of any sort.

use super::build::{equal, legal_width};
use super::{Sort, Term, TermStore};
use crate::float::FloatOp;
use std::fmt;

/// The operators of BTOR2, with their parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    Not,
    Neg,
    Inc,
    Dec,
    Redand,
    Redor,
    Redxor,
    And,
    Or,
    Xor,
    Nand,
    Nor,
    Xnor,
    Implies,
    Iff,
    Eq,
    Neq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
    Concat,
    Slice {
        high: u32,
        low: u32,
    },
    Zext(u32),
    Sext(u32),
    Sll,
    Srl,
    Sra,
    Rol,
    Ror,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Smod,
    Uaddo,
    Saddo,
    Usubo,
    Ssubo,
    Umulo,
    Smulo,
    Sdivo,
    Nego,
    Ite,
    Read,
    Write,
    ConstArray {
        index: u32,
    },
    /// Not an operator of BTOR2, but the view of a float term.
    Float(FloatOp),
}

/// Why operands do not fit an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortError {
    Arity { wanted: usize, given: usize },
    Mismatch { wanted: Sort, given: Sort },
    NotBitVector(Sort),
    NotArray(Sort),
    Slice { high: u32, low: u32, width: u32 },
    ZeroWidth,
    TooWide(u64),
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SortError::Arity { wanted, given } => {
                write!(f, "{wanted} operands wanted, {given} given")
            }
            SortError::Mismatch { wanted, given } => {
                write!(f, "an operand of sort '{wanted}' wanted, one of sort '{given}' given")
            }
            SortError::NotBitVector(sort) => {
                write!(f, "a bit-vector wanted, an operand of sort '{sort}' given")
            }
            SortError::NotArray(sort) => {
                write!(f, "an array wanted, an operand of sort '{sort}' given")
            }
            SortError::Slice { high, low, width } => {
                write!(f, "bits {high} down to {low} of an operand of width {width}")
            }
            SortError::ZeroWidth => write!(f, "a bit-vector of width 0"),
            SortError::TooWide(width) => {
                write!(
                    f,
                    "a bit-vector of width {width}; at most {} is supported",
                    super::MAX_WIDTH
                )
            }
        }
    }
}

impl std::error::Error for SortError {}

impl Operator {
    /// Number of operands.
    pub fn arity(self) -> usize {
        use Operator::*;
        match self {
            Not | Neg | Inc | Dec | Redand | Redor | Redxor | Nego => 1,
            Slice { .. } | Zext(_) | Sext(_) | ConstArray { .. } => 1,
            Ite | Write => 3,
            Float(op) => op.arity(),
            _ => 2,
        }
    }
}

impl TermStore {
    /// The operator applied to the operands, or why they do not fit. Never panics.
    pub fn apply(&mut self, operator: Operator, args: &[Term]) -> Result<Term, SortError> {
        if args.len() != operator.arity() {
            return Err(SortError::Arity { wanted: operator.arity(), given: args.len() });
        }
        if let Operator::Float(op) = operator {
            self.float_sort(op, args)?;
            return Ok(self.rebuild(super::Op::Float(op), args));
        }
        match *args {
            [a] => self.apply_unary(operator, a),
            [a, b] => self.apply_binary(operator, a, b),
            [a, b, c] => self.apply_ternary(operator, a, b, c),
            _ => unreachable!("no operator has {} operands", args.len()),
        }
    }

    fn apply_unary(&mut self, operator: Operator, a: Term) -> Result<Term, SortError> {
        let width = self.bv_width(a)?;
        Ok(match operator {
            Operator::Not => self.not(a),
            Operator::Neg => self.neg(a),
            Operator::Inc => self.inc(a),
            Operator::Dec => self.dec(a),
            Operator::Redand => self.redand(a),
            Operator::Redor => self.redor(a),
            Operator::Redxor => self.redxor(a),
            Operator::Nego => self.nego(a),
            Operator::Slice { high, low } if low <= high && high < width => {
                self.slice(a, high, low)
            }
            Operator::Slice { high, low } => return Err(SortError::Slice { high, low, width }),
            Operator::Zext(by) => {
                legal_width(width as u64 + by as u64)?;
                self.zext(a, by)
            }
            Operator::Sext(by) => {
                legal_width(width as u64 + by as u64)?;
                self.sext(a, by)
            }
            Operator::ConstArray { index } => {
                legal_width(index as u64)?;
                self.const_array(index, a)
            }
            _ => unreachable!("{operator:?} is not unary"),
        })
    }

    fn apply_binary(&mut self, operator: Operator, a: Term, b: Term) -> Result<Term, SortError> {
        self.check_binary(operator, a, b)?;
        Ok(match operator {
            Operator::And => self.and(a, b),
            Operator::Or => self.or(a, b),
            Operator::Xor => self.xor(a, b),
            Operator::Nand => self.nand(a, b),
            Operator::Nor => self.nor(a, b),
            Operator::Xnor => self.xnor(a, b),
            Operator::Implies => self.implies(a, b),
            Operator::Iff | Operator::Eq => self.eq(a, b),
            Operator::Neq => self.neq(a, b),
            Operator::Ugt => self.ugt(a, b),
            Operator::Uge => self.uge(a, b),
            Operator::Ult => self.ult(a, b),
            Operator::Ule => self.ule(a, b),
            Operator::Sgt => self.sgt(a, b),
            Operator::Sge => self.sge(a, b),
            Operator::Slt => self.slt(a, b),
            Operator::Sle => self.sle(a, b),
            Operator::Concat => self.concat(a, b),
            Operator::Read => self.read(a, b),
            _ => self.apply_arithmetic(operator, a, b),
        })
    }

    fn apply_arithmetic(&mut self, operator: Operator, a: Term, b: Term) -> Term {
        match operator {
            Operator::Sll => self.sll(a, b),
            Operator::Srl => self.srl(a, b),
            Operator::Sra => self.sra(a, b),
            Operator::Rol => self.rol(a, b),
            Operator::Ror => self.ror(a, b),
            Operator::Add => self.add(a, b),
            Operator::Sub => self.sub(a, b),
            Operator::Mul => self.mul(a, b),
            Operator::Udiv => self.udiv(a, b),
            Operator::Urem => self.urem(a, b),
            Operator::Sdiv => self.sdiv(a, b),
            Operator::Srem => self.srem(a, b),
            Operator::Smod => self.smod(a, b),
            Operator::Uaddo => self.uaddo(a, b),
            Operator::Saddo => self.saddo(a, b),
            Operator::Usubo => self.usubo(a, b),
            Operator::Ssubo => self.ssubo(a, b),
            Operator::Umulo => self.umulo(a, b),
            Operator::Smulo => self.smulo(a, b),
            Operator::Sdivo => self.sdivo(a, b),
            _ => unreachable!("{operator:?} is not binary"),
        }
    }

    fn check_binary(&self, operator: Operator, a: Term, b: Term) -> Result<(), SortError> {
        match operator {
            Operator::Eq | Operator::Neq => self.same_sort(a, b).map(|_| ()),
            Operator::Implies | Operator::Iff => self.is_bool(a).and(self.is_bool(b)),
            Operator::Concat => {
                let width = self.bv_width(a)? as u64 + self.bv_width(b)? as u64;
                legal_width(width).map(|_| ())
            }
            Operator::Read => self.kernel_sort(super::Op::Read, &[a, b]).map(|_| ()),
            // These compute with an extended width on the way.
            Operator::Uaddo => legal_width(self.same_width(a, b)? as u64 + 1).map(|_| ()),
            Operator::Umulo | Operator::Smulo => {
                legal_width(self.same_width(a, b)? as u64 * 2).map(|_| ())
            }
            _ => self.same_width(a, b).map(|_| ()),
        }
    }

    fn apply_ternary(
        &mut self,
        operator: Operator,
        a: Term,
        b: Term,
        c: Term,
    ) -> Result<Term, SortError> {
        let op = if operator == Operator::Ite { super::Op::Ite } else { super::Op::Write };
        self.kernel_sort(op, &[a, b, c])?;
        Ok(self.rebuild(op, &[a, b, c]))
    }

    /// Checks that a term has the wanted sort.
    pub fn expect_sort(&self, term: Term, wanted: Sort) -> Result<(), SortError> {
        equal(wanted, self.sort(term))
    }
}
