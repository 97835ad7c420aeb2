//! Functions of `<math.h>` that are not computed exactly.
//!
//! The oracle is asked for a result. If it insists, its value is used as long as the rules of
//! [`crate::library::approximate`] allow it; otherwise the machine's own function decides where it
//! has one. A value that is not the machine's makes the run inexact: no program has such a run
//! unless its library happens to round that way.

use super::Arguments;
use super::programs::{Given, Request, done, not_here};
use crate::arith::{float, math, mode};
use crate::interp::exec::Interpreter;
use crate::interp::oracle::ChoiceKind;
use crate::interp::outcome::{Outcome, Step};
use crate::interp::value::Scalar;
use crate::library::{Approximate, Reals, allowed};
use crate::types::{FloatKind, Ty};
use std::cmp::Ordering;
use wedge_logic::Rounding;

impl Interpreter<'_, '_> {
    /// `sincos`
    pub(super) fn sine_and_cosine(&mut self, request: Request) -> Given {
        let ty = match request.name {
            "sincos" => Ty::DOUBLE,
            "sincosf" => Ty::FLOAT,
            "sincosl" => Ty::LDOUBLE,
            _ => return not_here(),
        };
        for (index, function) in [(1, Approximate::Sin), (2, Approximate::Cos)] {
            let value = self.approximate(function, request.name, request.arguments, ty)?;
            let (Some(value), Some(to)) = (value, request.arguments.scalar(index)) else {
                return not_here();
            };
            self.store_at(to, value, ty, request.at)?;
        }
        done()
    }

    /// The machine's result of a call that nobody looks at.
    pub(super) fn unused_result(
        &self,
        function: Approximate,
        arguments: &Arguments,
    ) -> Option<Scalar> {
        let kind = self.program.types.float_kind(arguments.ty(0)?)?;
        let operands: Option<Vec<u128>> =
            (0..function.arity()).map(|index| Some(arguments.scalar(index)?.bits)).collect();
        machine(function, &operands?, kind).map(Scalar::number)
    }

    /// The result of a call; `None` if it does not fit the function.
    pub(super) fn approximate(
        &mut self,
        function: Approximate,
        name: &str,
        arguments: &Arguments,
        result: Ty,
    ) -> Step<Option<Scalar>> {
        let kind_of = |ty: Option<Ty>| ty.and_then(|ty| self.program.types.float_kind(ty));
        let Some(kind) = kind_of(Some(result)) else { return Ok(None) };
        let mut operands = Vec::new();
        for index in 0..function.arity() {
            match arguments.scalar(index) {
                Some(value) if kind_of(arguments.ty(index)) == Some(kind) => {
                    operands.push(value.bits);
                }
                _ => return Ok(None),
            }
        }
        let at = arguments.at;
        let chosen = self.choose(ChoiceKind::External(name), result, at).bits;
        let machine = match self.rounding {
            Rounding::NearestEven => machine(function, &operands, kind),
            _ => None,
        };
        let value = match machine {
            Some(value) if !self.oracle.insists() => value,
            _ => chosen,
        };
        let same = |a: u128, b: u128| a == b || float::is_nan(a, kind) && float::is_nan(b, kind);
        if !machine.is_some_and(|machine| same(machine, value)) {
            self.inexact.get_or_insert_with(|| (name.to_string(), at));
        }
        match allowed(&mut BitReals(kind), function, &operands, value) {
            Some(true) => Ok(Some(Scalar::number(value))),
            _ => Err(Box::new(Outcome::AssumeFailed(at))),
        }
    }
}

/// What the machine's library computes, for the types it has functions for.
pub(super) fn machine(function: Approximate, operands: &[u128], kind: FloatKind) -> Option<u128> {
    use Approximate::*;
    let &x = operands.first()?;
    let &y = operands.last()?;
    macro_rules! compute {
        ($F:ty, $bits:ty) => {{
            let (x, y) = (<$F>::from_bits(x as $bits), <$F>::from_bits(y as $bits));
            let value = match function {
                Sin => x.sin(),
                Cos => x.cos(),
                Tan => x.tan(),
                Asin => x.asin(),
                Acos => x.acos(),
                Atan => x.atan(),
                Atan2 => x.atan2(y),
                Sinh => x.sinh(),
                Cosh => x.cosh(),
                Tanh => x.tanh(),
                Exp => x.exp(),
                Exp2 => x.exp2(),
                Expm1 => x.exp_m1(),
                Log => x.ln(),
                Log2 => x.log2(),
                Log10 => x.log10(),
                Log1p => x.ln_1p(),
                Pow => x.powf(y),
                Cbrt => x.cbrt(),
                Hypot => x.hypot(y),
                // Rust computes these in another way than the C library, or not at all.
                Asinh | Acosh | Atanh | Exp10 | Tgamma | Lgamma | Erf | Erfc => return None,
            };
            Some(value.to_bits() as u128)
        }};
    }
    match kind {
        FloatKind::Float => compute!(f32, u32),
        FloatKind::Double => compute!(f64, u64),
        FloatKind::LongDouble | FloatKind::Float128 => None,
    }
}

/// Floats as bits.
pub(super) struct BitReals(pub FloatKind);

impl Reals for BitReals {
    type Float = u128;
    type Truth = bool;

    fn number(&mut self, value: f64) -> u128 {
        float::convert(value.to_bits() as u128, FloatKind::Double, self.0)
    }
    fn truth(&mut self, value: bool) -> bool {
        value
    }
    fn not(&mut self, a: bool) -> bool {
        !a
    }
    fn and(&mut self, a: bool, b: bool) -> bool {
        a && b
    }
    fn is_nan(&mut self, x: u128) -> bool {
        float::is_nan(x, self.0)
    }
    fn is_negative(&mut self, x: u128) -> bool {
        math::is_negative(x, self.0)
    }
    fn le(&mut self, x: u128, y: u128) -> bool {
        matches!(float::order(x, y, self.0), Some(Ordering::Less | Ordering::Equal))
    }
    fn same(&mut self, x: u128, y: u128) -> bool {
        x == y
    }
    fn is_integral(&mut self, x: u128) -> bool {
        let whole = mode::round(x, self.0, Rounding::TowardZero);
        float::order(whole, x, self.0) == Some(Ordering::Equal)
    }
    fn half(&mut self, x: u128) -> u128 {
        mode::scale(x, -1, self.0, Rounding::NearestEven)
    }
    fn magnitude(&mut self, x: u128) -> u128 {
        math::absolute(x, self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COMPUTED: [Approximate; 20] = {
        use Approximate::*;
        [
            Sin, Cos, Tan, Asin, Acos, Atan, Atan2, Sinh, Cosh, Tanh, Exp, Exp2, Expm1, Log, Log2,
            Log10, Log1p, Pow, Cbrt, Hypot,
        ]
    };

    /// Where the rules have special cases, and their neighbours.
    const SPECIAL: [f64; 16] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        2.0,
        -2.0,
        3.0,
        -3.0,
        0.5,
        -0.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MIN_POSITIVE,
        f64::MAX,
        -f64::MAX,
    ];

    fn agrees(function: Approximate, x: f64, y: f64) {
        let operands = [x, y].map(|x| x.to_bits() as u128);
        let operands = &operands[..function.arity()];
        let value = machine(function, operands, FloatKind::Double).unwrap();
        let ok = allowed(&mut BitReals(FloatKind::Double), function, operands, value);
        assert_eq!(
            ok,
            Some(true),
            "{function:?} of {x:?} {y:?} is {:?}",
            f64::from_bits(value as u64)
        );
        let operands = [x, y].map(|x| (x as f32).to_bits() as u128);
        let operands = &operands[..function.arity()];
        let value = machine(function, operands, FloatKind::Float).unwrap();
        let ok = allowed(&mut BitReals(FloatKind::Float), function, operands, value);
        assert_eq!(
            ok,
            Some(true),
            "{function:?} of {x:?} {y:?} is {:?}",
            f32::from_bits(value as u32)
        );
    }

    #[test]
    fn special_operands_have_the_results_of_the_machine() {
        for function in COMPUTED {
            for x in SPECIAL {
                for y in SPECIAL {
                    agrees(function, x, y);
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn results_of_the_machine_are_allowed(a in any::<u64>(), b in any::<u64>(), small in any::<bool>()) {
            let number = |bits: u64| match small {
                true => (bits as i64 >> 40) as f64 / 65536.0,
                false => f64::from_bits(bits),
            };
            for function in COMPUTED {
                agrees(function, number(a), number(b));
            }
        }
    }

    /// The rules say something: these results are refused.
    #[test]
    fn results_outside_the_range_are_refused() {
        use Approximate::*;
        let inf = f64::INFINITY;
        let refused: &[(Approximate, &[f64], f64)] = &[
            (Sin, &[1.0], 1.25),
            (Sin, &[inf], 0.0),
            (Sin, &[-0.0], 0.0),
            (Cos, &[0.0], 0.5),
            (Asin, &[2.0], 1.0),
            (Acos, &[0.5], -1.0),
            (Atan, &[inf], 1.5),
            (Atan2, &[1.0, -1.0], 1.0),
            (Cosh, &[1.0], 0.5),
            (Tanh, &[1.0], -0.5),
            (Exp, &[1.0], 0.5),
            (Exp, &[-1.0], -0.0),
            (Log, &[-1.0], 0.0),
            (Log, &[0.5], 1.0),
            (Log, &[0.0], -1.0),
            (Pow, &[f64::NAN, 0.0], 2.0),
            (Pow, &[-2.0, 3.0], 8.0),
            (Pow, &[-2.0, 0.5], 1.0),
            (Pow, &[0.0, -1.0], 0.0),
            (Hypot, &[inf, f64::NAN], f64::NAN),
            (Erf, &[1.0], 1.5),
            (Erfc, &[-inf], 1.0),
            (Tgamma, &[-2.0], 1.0),
            (Lgamma, &[0.0], 1.0),
        ];
        for (function, operands, value) in refused {
            let operands: Vec<u128> = operands.iter().map(|x| x.to_bits() as u128).collect();
            let value = value.to_bits() as u128;
            let ok = allowed(&mut BitReals(FloatKind::Double), *function, &operands, value);
            assert_eq!(ok, Some(false), "{function:?}");
        }
    }
}
