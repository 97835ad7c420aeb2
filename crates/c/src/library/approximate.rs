//! Functions of `<math.h>` whose results are not computed: what is known about them.
//!
//! C leaves the accuracy of `sin` and its like open, so no rounding of the exact value would be
//! right. A result is any number within the mathematical range, rounded in any mode, that agrees
//! with the special cases of C11 Annex F.10. The rules are written once, over [`Reals`]; the
//! encoder reads them as terms, the interpreter as truth values.

use super::ranges;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Approximate {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Exp,
    Exp2,
    Exp10,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Pow,
    Cbrt,
    Hypot,
    Tgamma,
    Lgamma,
    Erf,
    Erfc,
}

/// The names of the versions for `double`.
pub(super) const NAMES: &[(&str, Approximate)] = &[
    ("sin", Approximate::Sin),
    ("cos", Approximate::Cos),
    ("tan", Approximate::Tan),
    ("asin", Approximate::Asin),
    ("acos", Approximate::Acos),
    ("atan", Approximate::Atan),
    ("atan2", Approximate::Atan2),
    ("sinh", Approximate::Sinh),
    ("cosh", Approximate::Cosh),
    ("tanh", Approximate::Tanh),
    ("asinh", Approximate::Asinh),
    ("acosh", Approximate::Acosh),
    ("atanh", Approximate::Atanh),
    ("exp", Approximate::Exp),
    ("exp2", Approximate::Exp2),
    ("exp10", Approximate::Exp10),
    ("pow10", Approximate::Exp10),
    ("expm1", Approximate::Expm1),
    ("log", Approximate::Log),
    ("log2", Approximate::Log2),
    ("log10", Approximate::Log10),
    ("log1p", Approximate::Log1p),
    ("pow", Approximate::Pow),
    ("cbrt", Approximate::Cbrt),
    ("hypot", Approximate::Hypot),
    ("tgamma", Approximate::Tgamma),
    ("lgamma", Approximate::Lgamma),
    ("gamma", Approximate::Lgamma),
    ("erf", Approximate::Erf),
    ("erfc", Approximate::Erfc),
];

impl Approximate {
    /// Number of operands.
    pub fn arity(self) -> usize {
        match self {
            Approximate::Atan2 | Approximate::Pow | Approximate::Hypot => 2,
            _ => 1,
        }
    }
}

/// Numbers of one floating-point format and statements about them.
pub trait Reals {
    type Float: Copy;
    type Truth: Copy;

    /// A constant that every format can represent.
    fn number(&mut self, value: f64) -> Self::Float;
    fn truth(&mut self, value: bool) -> Self::Truth;
    fn not(&mut self, a: Self::Truth) -> Self::Truth;
    fn and(&mut self, a: Self::Truth, b: Self::Truth) -> Self::Truth;
    fn is_nan(&mut self, x: Self::Float) -> Self::Truth;
    /// The sign bit.
    fn is_negative(&mut self, x: Self::Float) -> Self::Truth;
    /// The order of numbers; false for NaNs.
    fn le(&mut self, x: Self::Float, y: Self::Float) -> Self::Truth;
    /// The same bits.
    fn same(&mut self, x: Self::Float, y: Self::Float) -> Self::Truth;
    fn is_integral(&mut self, x: Self::Float) -> Self::Truth;
    /// Half of a number; only asked for integral ones.
    fn half(&mut self, x: Self::Float) -> Self::Float;
    fn magnitude(&mut self, x: Self::Float) -> Self::Float;
}

/// Whether a function may give this result for these operands; `None` if there are too few.
pub fn allowed<R: Reals>(
    reals: &mut R,
    function: Approximate,
    operands: &[R::Float],
    result: R::Float,
) -> Option<R::Truth> {
    let &x = operands.first()?;
    let &y = operands.get(function.arity() - 1)?;
    Some(ranges::allowed(reals, function, x, y, result))
}
