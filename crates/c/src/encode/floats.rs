//! Floating-point operations and the functions of `<math.h>`, as operators on terms.

use super::Encoder;
use crate::arith::mode::format as float_format;
use crate::error::Fault;
use crate::flat::InstanceId;
use crate::library::{FloatFunction as F, FunctionModel, reports_errors};
use crate::source::Position;
use crate::typed::{BinaryOp, Expr, FuncId, Place};
use crate::types::{FloatKind, Ty};
use wedge_logic::float::SCALE_WIDTH;
use wedge_logic::{BitVec, FloatFormat, Rounding, Term};

/// glibc's numbers for NaN, infinite, zero, subnormal and normal.
const CLASSES: [u64; 5] = [0, 1, 2, 3, 4];

fn no_operator(op: BinaryOp, expr: &Expr) -> Fault {
    let what = format!("`{}` on floating-point numbers", op.symbol());
    Fault::unsupported(expr.position, what)
}

impl Encoder<'_, '_> {
    pub(super) fn float_is_nonzero(&mut self, value: Term, kind: FloatKind) -> Term {
        let zero = self.cfa.terms.float_is_zero(float_format(kind), value);
        self.cfa.terms.not(zero)
    }

    pub(super) fn float_negate(&mut self, value: Term, kind: FloatKind) -> Term {
        self.cfa.terms.float_neg(float_format(kind), value)
    }

    pub(super) fn float_binary(
        &mut self,
        op: BinaryOp,
        a: Term,
        b: Term,
        kind: FloatKind,
        expr: &Expr,
    ) -> Result<Term, Fault> {
        let (mode, format) = (self.rounding_mode(), float_format(kind));
        let terms = &mut self.cfa.terms;
        Ok(match op {
            BinaryOp::Add => terms.float_add(format, mode, a, b),
            BinaryOp::Subtract => terms.float_sub(format, mode, a, b),
            BinaryOp::Multiply => terms.float_mul(format, mode, a, b),
            BinaryOp::Divide => terms.float_div(format, mode, a, b),
            _ => return Err(no_operator(op, expr)),
        })
    }

    pub(super) fn float_comparison(
        &mut self,
        op: BinaryOp,
        a: Term,
        b: Term,
        kind: FloatKind,
        expr: &Expr,
    ) -> Result<Term, Fault> {
        let format = float_format(kind);
        let terms = &mut self.cfa.terms;
        Ok(match op {
            BinaryOp::Equal => terms.float_eq(format, a, b),
            BinaryOp::NotEqual => {
                let equal = terms.float_eq(format, a, b);
                terms.not(equal)
            }
            BinaryOp::Less => terms.float_lt(format, a, b),
            BinaryOp::LessEqual => terms.float_le(format, a, b),
            BinaryOp::Greater => terms.float_lt(format, b, a),
            BinaryOp::GreaterEqual => terms.float_le(format, b, a),
            _ => return Err(no_operator(op, expr)),
        })
    }

    /// A conversion from or to a floating type.
    pub(super) fn float_cast(
        &mut self,
        value: Term,
        from: Ty,
        to: Ty,
        at: Position,
    ) -> Result<Term, Fault> {
        let chosen = self.rounding_mode();
        let types = &self.program.types;
        match (types.float_kind(from), types.float_kind(to)) {
            (Some(a), Some(b)) => {
                let (a, b) = (float_format(a), float_format(b));
                Ok(self.cfa.terms.float_convert(a, b, chosen, value))
            }
            (None, Some(kind)) => {
                let signed = self.format(from).signed;
                Ok(self.cfa.terms.float_from_int(float_format(kind), chosen, value, signed))
            }
            (Some(kind), None) => {
                let format = self.format(to);
                let mode = self.cfa.terms.rounding(Rounding::TowardZero);
                let (width, signed) = (format.width, format.signed);
                Ok(self.cfa.terms.float_to_int(float_format(kind), mode, value, width, signed))
            }
            (None, None) => Err(Fault::unsupported(at, "a conversion between words")),
        }
    }

    /// Whether a call can mean a function of `<math.h>`: another function may have its name.
    pub(super) fn is_meant(&self, known: FunctionModel, arguments: &[Expr]) -> bool {
        let kind = arguments.first().and_then(|first| self.program.types.float_kind(first.ty));
        !matches!(known, FunctionModel::Float(_) | FunctionModel::Approximate(_)) || kind.is_some()
    }

    /// A call of a function of `<math.h>`; `None` if it does not fit the function.
    pub(super) fn float_call(
        &mut self,
        instance: InstanceId,
        (function, known): (FuncId, Option<FunctionModel>),
        result: Option<&Place>,
        arguments: &[Expr],
        at: Position,
    ) -> Result<Option<Term>, Fault> {
        let kind = arguments.first().and_then(|a| self.program.types.float_kind(a.ty));
        let Some(kind) = kind else { return Ok(None) };
        let mut terms = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let term = self.expr(instance, argument)?;
            let scales = known == Some(FunctionModel::Float(F::Scale)) && index == 1;
            let types = &self.program.types;
            match (types.float_kind(argument.ty), types.int_format(argument.ty)) {
                (Some(other), _) if other == kind => terms.push(term),
                (None, Some(int)) if scales => {
                    terms.push(self.resized(term, SCALE_WIDTH, int.signed));
                }
                _ => return Ok(None),
            }
        }
        let Some(known) = known else { return Ok(None) };
        let operands = (&terms[..], kind);
        // Without a place for the result any term will do.
        let Some(place) = result else {
            let signature = self.program.types.signature(self.program.function(function).ty);
            let value = match (known, signature.map(|signature| signature.result)) {
                (FunctionModel::Float(float), Some(ty)) if reports_errors(known) => {
                    self.float_function(float, &terms, kind, ty)
                }
                _ => None,
            };
            self.math_error(instance, (function, known), operands, value, at)?;
            return Ok(terms.first().copied());
        };
        let value = match known {
            FunctionModel::Float(float) => self.float_function(float, &terms, kind, place.ty),
            FunctionModel::Approximate(which) => {
                self.approximate((which, function), &terms, kind, place.ty, instance, at)
            }
            _ => None,
        };
        if value.is_some() {
            self.math_error(instance, (function, known), operands, value, at)?;
        }
        Ok(value)
    }

    /// `nan`, for the type of its result.
    pub(super) fn make_nan(&mut self, result: Ty) -> Option<Term> {
        let kind = self.program.types.float_kind(result)?;
        Some(self.cfa.terms.constant(float_format(kind).nan()))
    }

    /// `ilogb`, with glibc's results for numbers without exponent.
    fn float_exponent(&mut self, format: FloatFormat, x: Term) -> Term {
        let terms = &mut self.cfa.terms;
        let exponent = terms.float_logb(format, x);
        let least = terms.constant(BitVec::min_signed(32));
        let most = terms.constant(BitVec::min_signed(32).not());
        let (zero, nan) = (terms.float_is_zero(format, x), terms.float_is_nan(format, x));
        let infinite = terms.float_is_infinite(format, x);
        let none = terms.or(zero, nan);
        let rest = terms.ite(infinite, most, exponent);
        terms.ite(none, least, rest)
    }

    /// The result of a function of `<math.h>`; `None` if the call does not fit it.
    pub(super) fn float_function(
        &mut self,
        function: F,
        arguments: &[Term],
        kind: FloatKind,
        result: Ty,
    ) -> Option<Term> {
        let format = float_format(kind);
        let &x = arguments.first()?;
        let second = arguments.get(1).copied();
        let chosen = self.rounding_mode();
        let terms = &mut self.cfa.terms;
        let mut rounded = |mode| {
            let mode = terms.rounding(mode);
            terms.float_round(format, mode, x)
        };
        let value = match function {
            F::Floor => rounded(Rounding::Down),
            F::Ceiling => rounded(Rounding::Up),
            F::Truncate => rounded(Rounding::TowardZero),
            F::Round => rounded(Rounding::NearestAway),
            F::RoundEven => rounded(Rounding::NearestEven),
            F::Absolute => terms.float_abs(format, x),
            F::RoundByMode => terms.float_round(format, chosen, x),
            F::SquareRoot => terms.float_sqrt(format, chosen, x),
            F::Minimum => terms.float_min(format, x, second?),
            F::Maximum => terms.float_max(format, x, second?),
            F::Remainder => terms.float_modulo(format, x, second?),
            F::IeeeRemainder => terms.float_remainder(format, x, second?),
            F::CopySign => terms.float_copy_sign(format, x, second?),
            F::PositiveDifference => terms.float_positive_difference(format, chosen, x, second?),
            F::Scale => terms.float_scale(format, chosen, x, second?),
            F::Exponent => self.float_exponent(format, x),
            // These are programs of the library.
            F::ScaleLong | F::ExponentAsFloat | F::Fraction | F::Split => return None,
            F::MultiplyAdd => terms.float_mul_add(format, chosen, x, second?, *arguments.get(2)?),
            F::RoundToInt | F::RoundByModeToInt => {
                let mode = match function {
                    F::RoundToInt => terms.rounding(Rounding::NearestAway),
                    _ => chosen,
                };
                let to = self.program.types.int_format(result)?;
                terms.float_to_int(format, mode, x, to.width, to.signed)
            }
            F::IsNan | F::IsInfinite | F::IsFinite | F::SignBit | F::Classify => {
                return self.float_class(function, x, format, result);
            }
        };
        Some(value)
    }

    fn float_class(
        &mut self,
        function: F,
        x: Term,
        format: FloatFormat,
        result: Ty,
    ) -> Option<Term> {
        let width = self.program.types.int_format(result)?.width;
        let terms = &mut self.cfa.terms;
        let truth = match function {
            F::IsNan => terms.float_is_nan(format, x),
            F::IsFinite => terms.float_is_finite(format, x),
            F::SignBit => terms.float_sign(format, x),
            F::IsInfinite => {
                let infinite = terms.float_is_infinite(format, x);
                let negative = terms.float_sign(format, x);
                let (one, minus_one) = (terms.one(width), terms.ones(width));
                let zero = terms.zero(width);
                let signed = terms.ite(negative, minus_one, one);
                return Some(terms.ite(infinite, signed, zero));
            }
            _ => return Some(terms.float_classify(format, x, width, CLASSES)),
        };
        Some(terms.zext(truth, width - 1))
    }
}
