//! Constructors of the kernel operators.
//!
//! Each one panics on operands of the wrong sort and returns a simplified term.

use super::{MAX_ARITY, MAX_WIDTH, Op, Sort, SortError, Term, TermStore};
use crate::bitvec::BitVec;
use crate::rewrite;

impl TermStore {
    /// The number `value` modulo 2^width.
    pub fn number(&mut self, width: u32, value: u64) -> Term {
        self.constant(BitVec::new(width, value))
    }
    pub fn bool(&mut self, value: bool) -> Term {
        self.constant(value.into())
    }
    pub fn zero(&mut self, width: u32) -> Term {
        self.constant(BitVec::zero(width))
    }
    pub fn one(&mut self, width: u32) -> Term {
        self.constant(BitVec::one(width))
    }
    pub fn ones(&mut self, width: u32) -> Term {
        self.constant(BitVec::ones(width))
    }

    pub fn not(&mut self, a: Term) -> Term {
        self.rebuild(Op::Not, &[a])
    }
    pub fn neg(&mut self, a: Term) -> Term {
        self.rebuild(Op::Neg, &[a])
    }
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.rebuild(Op::And, &[a, b])
    }
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        self.rebuild(Op::Xor, &[a, b])
    }
    /// Equality of two terms of the same sort, arrays included.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.rebuild(Op::Eq, &[a, b])
    }
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        self.rebuild(Op::Ult, &[a, b])
    }
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        self.rebuild(Op::Slt, &[a, b])
    }
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.rebuild(Op::Add, &[a, b])
    }
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        self.rebuild(Op::Mul, &[a, b])
    }
    /// Unsigned quotient; all ones if the divisor is 0.
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        self.rebuild(Op::Udiv, &[a, b])
    }
    /// Unsigned remainder; the dividend if the divisor is 0.
    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        self.rebuild(Op::Urem, &[a, b])
    }
    pub fn sll(&mut self, a: Term, amount: Term) -> Term {
        self.rebuild(Op::Sll, &[a, amount])
    }
    pub fn srl(&mut self, a: Term, amount: Term) -> Term {
        self.rebuild(Op::Srl, &[a, amount])
    }
    pub fn sra(&mut self, a: Term, amount: Term) -> Term {
        self.rebuild(Op::Sra, &[a, amount])
    }
    /// `high` becomes the upper part.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        self.rebuild(Op::Concat, &[high, low])
    }
    /// The bits `high` down to `low`, both included.
    pub fn slice(&mut self, a: Term, high: u32, low: u32) -> Term {
        self.rebuild(Op::Slice { high, low }, &[a])
    }
    /// `by` copies of the sign bit on top.
    pub fn sext(&mut self, a: Term, by: u32) -> Term {
        self.rebuild(Op::Sext(by), &[a])
    }
    /// The branches may be arrays.
    pub fn ite(&mut self, condition: Term, then: Term, other: Term) -> Term {
        self.rebuild(Op::Ite, &[condition, then, other])
    }
    pub fn read(&mut self, array: Term, index: Term) -> Term {
        self.rebuild(Op::Read, &[array, index])
    }
    pub fn write(&mut self, array: Term, index: Term, element: Term) -> Term {
        self.rebuild(Op::Write, &[array, index, element])
    }
    /// The array with indices of width `index` in which every element is `element`.
    pub fn const_array(&mut self, index: u32, element: Term) -> Term {
        self.rebuild(Op::ConstArray(index), &[element])
    }

    /// The simplified term with this kernel operator. `Const` and `Var` have constructors of
    /// their own. Panics on operands of the wrong number or sort.
    pub fn rebuild(&mut self, op: Op, args: &[Term]) -> Term {
        let sort = match self.kernel_sort(op, args) {
            Ok(sort) => sort,
            Err(error) => panic!("{op:?}: {error}"),
        };
        let mut ordered = [args[0]; MAX_ARITY];
        let ordered = &mut ordered[..args.len()];
        ordered.copy_from_slice(args);
        if op.is_commutative() {
            // Constants go last, so that rules look for them in one place only.
            ordered.sort_by_key(|&t| (self.is_const(t), t));
        }
        if let Op::Float(op) = op
            && op.is_commutative()
        {
            ordered[..2].sort_by_key(|&t| (self.is_const(t), t));
        }
        rewrite::simplify(self, op, ordered).unwrap_or_else(|| self.intern(op, ordered, sort))
    }

    /// The sort of a kernel term, or why there is none.
    pub(crate) fn kernel_sort(&self, op: Op, args: &[Term]) -> Result<Sort, SortError> {
        if args.len() != op.arity() || args.is_empty() {
            return Err(SortError::Arity { wanted: op.arity(), given: args.len() });
        }
        match op {
            Op::Const(_) | Op::Var(_) => Err(SortError::Arity { wanted: 0, given: args.len() }),
            Op::Eq => self.same_sort(args[0], args[1]).map(|_| Sort::BOOL),
            Op::Ult | Op::Slt => self.same_width(args[0], args[1]).map(|_| Sort::BOOL),
            Op::Not | Op::Neg => self.bv_width(args[0]).map(Sort::Bv),
            Op::Concat => {
                let width = self.bv_width(args[0])? as u64 + self.bv_width(args[1])? as u64;
                legal_width(width)
            }
            Op::Slice { high, low } => self.slice_sort(args[0], high, low),
            Op::Sext(by) => legal_width(self.bv_width(args[0])? as u64 + by as u64),
            Op::Ite => {
                self.is_bool(args[0])?;
                self.same_sort(args[1], args[2])
            }
            Op::Read => self.array_access(args[0], args[1]).map(Sort::Bv),
            Op::Write => {
                let element = self.array_access(args[0], args[1])?;
                let given = self.bv_width(args[2])?;
                equal(Sort::Bv(element), Sort::Bv(given))?;
                Ok(self.sort(args[0]))
            }
            Op::ConstArray(index) => {
                legal_width(index as u64)?;
                Ok(Sort::Array { index, element: self.bv_width(args[0])? })
            }
            Op::Float(op) => self.float_sort(op, args),
            _ => self.same_width(args[0], args[1]).map(Sort::Bv),
        }
    }

    pub(crate) fn bv_width(&self, term: Term) -> Result<u32, SortError> {
        match self.sort(term) {
            Sort::Bv(width) => Ok(width),
            sort => Err(SortError::NotBitVector(sort)),
        }
    }

    pub(crate) fn is_bool(&self, term: Term) -> Result<(), SortError> {
        equal(Sort::BOOL, self.sort(term))
    }

    pub(crate) fn same_width(&self, a: Term, b: Term) -> Result<u32, SortError> {
        let (a, b) = (self.bv_width(a)?, self.bv_width(b)?);
        equal(Sort::Bv(a), Sort::Bv(b)).map(|_| a)
    }

    pub(crate) fn same_sort(&self, a: Term, b: Term) -> Result<Sort, SortError> {
        let (a, b) = (self.sort(a), self.sort(b));
        equal(a, b).map(|_| a)
    }

    fn slice_sort(&self, arg: Term, high: u32, low: u32) -> Result<Sort, SortError> {
        let width = self.bv_width(arg)?;
        match low <= high && high < width {
            true => Ok(Sort::Bv(high - low + 1)),
            false => Err(SortError::Slice { high, low, width }),
        }
    }

    /// Checks an index against its array; the width of the elements.
    fn array_access(&self, array: Term, at: Term) -> Result<u32, SortError> {
        match self.sort(array) {
            Sort::Array { index, element } => {
                equal(Sort::Bv(index), self.sort(at)).map(|_| element)
            }
            sort => Err(SortError::NotArray(sort)),
        }
    }
}

pub(crate) fn equal(wanted: Sort, given: Sort) -> Result<(), SortError> {
    if wanted == given { Ok(()) } else { Err(SortError::Mismatch { wanted, given }) }
}

pub(crate) fn legal_width(width: u64) -> Result<Sort, SortError> {
    match width {
        0 => Err(SortError::ZeroWidth),
        _ if width > MAX_WIDTH as u64 => Err(SortError::TooWide(width)),
        _ => Ok(Sort::Bv(width as u32)),
    }
}
