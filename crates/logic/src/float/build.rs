//! Constructors of the operators that round. Like all constructors they panic on operands of the
//! wrong width.

use super::{FloatFormat, FloatFunction, FloatOp, ROUNDING_WIDTH, Rounding, SCALE_WIDTH};
use crate::bitvec::BitVec;
use crate::term::{Op, Sort, SortError, Term, TermStore};

impl TermStore {
    /// A rounding mode as an operand.
    pub fn rounding(&mut self, mode: Rounding) -> Term {
        self.number(ROUNDING_WIDTH, mode as u64)
    }

    /// The kernel operator, simplified.
    pub fn float(&mut self, format: FloatFormat, function: FloatFunction, args: &[Term]) -> Term {
        self.rebuild(Op::Float(FloatOp { format, function }), args)
    }

    pub fn float_add(&mut self, format: FloatFormat, mode: Term, a: Term, b: Term) -> Term {
        self.float(format, FloatFunction::Add, &[a, b, mode])
    }
    pub fn float_sub(&mut self, format: FloatFormat, mode: Term, a: Term, b: Term) -> Term {
        self.float(format, FloatFunction::Subtract, &[a, b, mode])
    }
    pub fn float_mul(&mut self, format: FloatFormat, mode: Term, a: Term, b: Term) -> Term {
        self.float(format, FloatFunction::Multiply, &[a, b, mode])
    }
    pub fn float_div(&mut self, format: FloatFormat, mode: Term, a: Term, b: Term) -> Term {
        self.float(format, FloatFunction::Divide, &[a, b, mode])
    }
    /// `a * b + c`, rounded once.
    pub fn float_mul_add(
        &mut self,
        format: FloatFormat,
        mode: Term,
        a: Term,
        b: Term,
        c: Term,
    ) -> Term {
        self.float(format, FloatFunction::MultiplyAdd, &[a, b, c, mode])
    }
    pub fn float_sqrt(&mut self, format: FloatFormat, mode: Term, a: Term) -> Term {
        self.float(format, FloatFunction::SquareRoot, &[a, mode])
    }
    /// C's `fmod`.
    pub fn float_modulo(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        self.float(format, FloatFunction::Modulo, &[a, b])
    }
    /// C's `remainder`.
    pub fn float_remainder(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        self.float(format, FloatFunction::Remainder, &[a, b])
    }
    /// C's `scalbn`; the amount is a signed word of [`SCALE_WIDTH`] bits.
    pub fn float_scale(&mut self, format: FloatFormat, mode: Term, a: Term, amount: Term) -> Term {
        self.float(format, FloatFunction::Scale, &[a, amount, mode])
    }
    /// C's `floor`, `ceil`, `trunc`, `round`, `roundeven` and `rint`, by the mode.
    pub fn float_round(&mut self, format: FloatFormat, mode: Term, a: Term) -> Term {
        self.float(format, FloatFunction::RoundToIntegral, &[a, mode])
    }

    /// Conversion between formats; none is needed between equal ones.
    pub fn float_convert(
        &mut self,
        from: FloatFormat,
        to: FloatFormat,
        mode: Term,
        a: Term,
    ) -> Term {
        if from == to {
            return a;
        }
        self.float(from, FloatFunction::Convert(to), &[a, mode])
    }

    /// Conversion from an integer of any width.
    pub fn float_from_int(
        &mut self,
        format: FloatFormat,
        mode: Term,
        integer: Term,
        signed: bool,
    ) -> Term {
        let function = match signed {
            true => FloatFunction::FromSigned,
            false => FloatFunction::FromUnsigned,
        };
        self.float(format, function, &[integer, mode])
    }

    /// Conversion to an integer as gcc's code for x86 does it: towards zero for a C conversion,
    /// in another mode for `lrint` and its like. What does not fit gives the most negative number
    /// of 32 bits, or of 64 for types beyond `int`, of which the low bits are taken; unsigned
    /// results of 33 to 64 bits come from a 64-bit conversion of the number less 2⁶³ where it is
    /// at least that; 128-bit unsigned results saturate.
    pub fn float_to_int(
        &mut self,
        format: FloatFormat,
        mode: Term,
        a: Term,
        width: u32,
        signed: bool,
    ) -> Term {
        let value = match (width, signed) {
            (0..=31, _) | (32, true) => self.float_to_signed(format, mode, a, 32),
            (33..=64, false) => self.float_to_u64(format, mode, a),
            (..=64, _) => self.float_to_signed(format, mode, a, 64),
            (_, true) => self.float_to_signed(format, mode, a, width.max(128)),
            (_, false) => {
                let function = FloatFunction::ToUnsigned(width.max(128));
                self.float(format, function, &[a, mode])
            }
        };
        self.slice(value, width - 1, 0)
    }

    fn float_to_signed(&mut self, format: FloatFormat, mode: Term, a: Term, width: u32) -> Term {
        self.float(format, FloatFunction::ToSigned(width), &[a, mode])
    }

    /// A signed conversion to 65 bits holds every result that fits. What is below -2⁶³ in it did
    /// not fit: positive numbers wrap to 0, all others give 2⁶³.
    fn float_to_u64(&mut self, format: FloatFormat, mode: Term, a: Term) -> Term {
        let wide = self.float_to_signed(format, mode, a, 65);
        let (top, next) = (self.sign(wide), self.slice(wide, 63, 63));
        let fits = self.implies(top, next);
        let low = self.slice(wide, 63, 0);
        let (negative, nan) = (self.sign(a), self.float_is_nan(format, a));
        let invalid = self.or(negative, nan);
        let least = self.constant(BitVec::min_signed(64));
        let zero = self.zero(64);
        let unfit = self.ite(invalid, least, zero);
        self.ite(fits, low, unfit)
    }

    /// The sort of a float operator on these operands, or why there is none.
    pub(crate) fn float_sort(&self, op: FloatOp, args: &[Term]) -> Result<Sort, SortError> {
        let floats = match op.is_rounded() {
            true => {
                self.expect_sort(args[args.len() - 1], Sort::Bv(ROUNDING_WIDTH))?;
                &args[..args.len() - 1]
            }
            false => args,
        };
        if matches!(op.function, FloatFunction::FromSigned | FloatFunction::FromUnsigned) {
            self.bv_width(floats[0])?;
        } else {
            let floats = match op.function {
                FloatFunction::Scale => {
                    self.expect_sort(floats[1], Sort::Bv(SCALE_WIDTH))?;
                    &floats[..1]
                }
                _ => floats,
            };
            for &operand in floats {
                self.expect_sort(operand, Sort::Bv(op.format.width()))?;
            }
        }
        crate::term::legal_width(op.width() as u64)
    }
}
