//! Which functions of `<math.h>` may report an error in `errno`.

use super::{Approximate, FloatFunction, FunctionModel};

/// Whether a function may have a domain, pole or range error that implementations report. Those that
/// give integers (`lrint`, `lround`) leave `errno` alone, as in glibc.
pub fn reports_errors(model: FunctionModel) -> bool {
    use FloatFunction::*;
    match model {
        FunctionModel::Approximate(_) => true,
        FunctionModel::Float(function) => matches!(
            function,
            SquareRoot
                | Remainder
                | IeeeRemainder
                | Scale
                | ScaleLong
                | Exponent
                | MultiplyAdd
                | PositiveDifference
        ),
        _ => false,
    }
}

/// Whether a result may be too small for its type.
pub fn may_underflow(model: FunctionModel) -> bool {
    use Approximate::*;
    match model {
        FunctionModel::Approximate(function) => {
            matches!(function, Exp | Exp2 | Exp10 | Erfc | Pow | Tgamma)
        }
        FunctionModel::Float(function) => {
            matches!(function, FloatFunction::Scale | FloatFunction::ScaleLong)
        }
        _ => false,
    }
}

impl FunctionModel {
    /// Whether 0 as the first operand gives 0 without an error.
    pub fn is_exact_at_zero(self) -> bool {
        matches!(
            self,
            FunctionModel::Approximate(Approximate::Pow)
                | FunctionModel::Float(FloatFunction::Scale | FloatFunction::ScaleLong)
        )
    }
}
