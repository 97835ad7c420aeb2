//! From float operators to bit-vector terms.
//!
//! Operands are taken apart once per term, whoever reads them, and the parts of a result are
//! remembered as they were before packing; so a chain of operations grows linearly, and between
//! two links nothing is computed but what the format demands. Nothing here is shared with the
//! evaluator, against which the tests compare it.

mod add;
mod circuit;
mod convert;
mod divide;
mod integer;
mod multiply;
mod remainder;
mod round;
mod scale;
mod unpack;

use super::{FloatFormat, FloatFunction, FloatOp};
use crate::term::{MAX_ARITY, Op, Term, TermStore};
use rustc_hash::FxHashMap;
use unpack::{Class, Fields, Normal};

/// An operand, taken apart.
#[derive(Clone, Copy, Debug)]
struct Operand {
    fields: Fields,
    class: Class,
}

/// Whether some operand is a NaN that is positive.
fn positive_nan(s: &mut TermStore, operands: &[Operand]) -> Term {
    let mut positive = s.bool(false);
    for operand in operands {
        let nan = circuit::and_not(s, operand.class.nan, operand.fields.sign);
        positive = s.or(positive, nan);
    }
    positive
}

/// Replaces float operators by bit-vector terms and remembers what it has done. Use one lowering
/// with one store only.
#[derive(Clone, Debug, Default)]
pub struct Lowering {
    image: FxHashMap<Term, Term>,
    fields: FxHashMap<(FloatFormat, Term), Fields>,
}

/// The terms without float operators, in the same order.
pub fn lower_floats(store: &mut TermStore, roots: &[Term]) -> Vec<Term> {
    let mut lowering = Lowering::new();
    roots.iter().map(|&root| lowering.lower(store, root)).collect()
}

impl Lowering {
    pub fn new() -> Lowering {
        Lowering::default()
    }

    /// Ensures: the result has no float operators and, under every assignment, the value of
    /// `term`.
    pub fn lower(&mut self, store: &mut TermStore, term: Term) -> Term {
        for old in store.cone_without(&[term], |t| self.image.contains_key(&t)) {
            let mut args = [term; MAX_ARITY];
            let arity = store.args(old).len();
            for (place, arg) in args.iter_mut().zip(store.args(old)) {
                *place = self.image[arg];
            }
            let args = &args[..arity];
            let new = match store.op(old) {
                Op::Float(op) => self.float(store, op, args),
                _ if *args == *store.args(old) => old,
                op => store.rebuild(op, args),
            };
            self.image.insert(old, new);
        }
        self.image[&term]
    }

    fn float(&mut self, s: &mut TermStore, op: FloatOp, args: &[Term]) -> Term {
        let format = op.format;
        match op.function {
            FloatFunction::ToSigned(width) => {
                let a = self.operand(s, format, args[0]);
                integer::to_signed(s, format, args[1], a, width)
            }
            FloatFunction::ToUnsigned(width) => {
                let a = self.operand(s, format, args[0]);
                integer::to_unsigned(s, format, args[1], a, width)
            }
            FloatFunction::Convert(to) => {
                let fields = self.convert(s, (format, to), args);
                self.pack(s, to, fields)
            }
            _ => {
                let fields = self.arithmetic(s, op, args);
                self.pack(s, format, fields)
            }
        }
    }

    /// The operators with results in the format of the operator.
    fn arithmetic(&mut self, s: &mut TermStore, op: FloatOp, args: &[Term]) -> Fields {
        use FloatFunction::*;
        let format = op.format;
        let mode = args[args.len() - 1];
        match op.function {
            FromSigned | FromUnsigned => {
                let signed = op.function == FromSigned;
                convert::from_integer(s, format, mode, args[0], signed)
            }
            RoundToIntegral => {
                let a = self.operand(s, format, args[0]);
                integer::round_to_integral(s, format, mode, a)
            }
            Add | Subtract => {
                let (a, b) = (self.fields(s, format, args[0]), self.fields(s, format, args[1]));
                add::add(s, format, mode, a, b, op.function == Subtract)
            }
            Scale => {
                let (a, x) = self.normal(s, format, args[0]);
                scale::scale(s, format, mode, a, x, args[1])
            }
            SquareRoot => {
                let (a, x) = self.normal(s, format, args[0]);
                divide::square_root(s, format, mode, a, x)
            }
            MultiplyAdd => {
                let [(a, x), (b, y), (c, z)] =
                    [args[0], args[1], args[2]].map(|arg| self.normal(s, format, arg));
                multiply::multiply_add(s, format, mode, [a, b, c], [x, y, z])
            }
            _ => {
                let [(a, x), (b, y)] = [args[0], args[1]].map(|arg| self.normal(s, format, arg));
                match op.function {
                    Multiply => multiply::multiply(s, format, mode, (a, b), (x, y)),
                    Divide => divide::divide(s, format, mode, (a, b), (x, y)),
                    function => {
                        let nearest = function == Remainder;
                        remainder::remainder(s, format, (a, b), (x, y), nearest)
                    }
                }
            }
        }
    }

    fn convert(
        &mut self,
        s: &mut TermStore,
        (from, to): (FloatFormat, FloatFormat),
        args: &[Term],
    ) -> Fields {
        let (a, number) = match convert::subnormals_vanish(from, to) {
            true => {
                let a = self.operand(s, from, args[0]);
                let (exponent, significand) = a.fields.plain(s);
                let exponent = s.zext(exponent, 2);
                (a, Normal { exponent, significand })
            }
            false => self.normal(s, from, args[0]),
        };
        convert::convert(s, (from, to), args[1], a, number)
    }

    fn pack(&mut self, s: &mut TermStore, format: FloatFormat, fields: Fields) -> Term {
        let term = fields.pack(s, format);
        self.fields.insert((format, term), fields);
        term
    }

    fn fields(&mut self, s: &mut TermStore, format: FloatFormat, float: Term) -> Fields {
        let known = self.fields.get(&(format, float)).copied();
        let fields = known.unwrap_or_else(|| Fields::unpack(s, format, float));
        self.fields.insert((format, float), fields);
        fields
    }

    fn operand(&mut self, s: &mut TermStore, format: FloatFormat, float: Term) -> Operand {
        let fields = self.fields(s, format, float);
        Operand { fields, class: fields.class(s) }
    }

    fn normal(&mut self, s: &mut TermStore, format: FloatFormat, float: Term) -> (Operand, Normal) {
        let operand = self.operand(s, format, float);
        (operand, operand.fields.normal(s))
    }
}
