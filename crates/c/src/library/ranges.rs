//! The ranges and special cases of the functions of [`super::approximate`].
//!
//! The first case that applies decides. Bounds that are not exact lie outside the range of the
//! function, so that they hold for results rounded in any mode.

use super::approximate::{Approximate, Reals};

/// Numbers with few digits on both sides of π/2 and π.
const BELOW_HALF_PI: f64 = 25735.0 / 16384.0;
const ABOVE_HALF_PI: f64 = 25736.0 / 16384.0;
const BELOW_PI: f64 = 51471.0 / 16384.0;
const ABOVE_PI: f64 = 51472.0 / 16384.0;
const INFINITY: f64 = f64::INFINITY;

/// The cases of one function, in the order in which they are asked.
struct Cases<'r, R: Reals> {
    r: &'r mut R,
    result: R::Float,
    /// No case so far applies.
    rest: R::Truth,
    /// What the cases so far demand.
    all: R::Truth,
}

impl<R: Reals> Cases<'_, R> {
    fn case(&mut self, condition: R::Truth, demand: R::Truth) {
        let applies = self.r.and(self.rest, condition);
        let refused = self.r.not(demand);
        let wrong = self.r.and(applies, refused);
        let right = self.r.not(wrong);
        self.all = self.r.and(self.all, right);
        let other = self.r.not(condition);
        self.rest = self.r.and(self.rest, other);
    }

    fn otherwise(mut self, demand: R::Truth) -> R::Truth {
        let always = self.r.truth(true);
        self.case(always, demand);
        self.all
    }

    fn or(&mut self, a: R::Truth, b: R::Truth) -> R::Truth {
        let (not_a, not_b) = (self.r.not(a), self.r.not(b));
        let neither = self.r.and(not_a, not_b);
        self.r.not(neither)
    }

    /// `x` is this number; zeros of both signs are equal.
    fn equals(&mut self, x: R::Float, value: f64) -> R::Truth {
        let value = self.r.number(value);
        let (above, below) = (self.r.le(value, x), self.r.le(x, value));
        self.r.and(above, below)
    }

    /// `x < value`, false for NaN.
    fn below(&mut self, x: R::Float, value: f64) -> R::Truth {
        let value = self.r.number(value);
        let (at_most, at_least) = (self.r.le(x, value), self.r.le(value, x));
        let less = self.r.not(at_least);
        self.r.and(at_most, less)
    }

    fn above(&mut self, x: R::Float, value: f64) -> R::Truth {
        let value = self.r.number(value);
        let (at_least, at_most) = (self.r.le(value, x), self.r.le(x, value));
        let more = self.r.not(at_most);
        self.r.and(at_least, more)
    }

    fn is_infinite(&mut self, x: R::Float) -> R::Truth {
        let magnitude = self.r.magnitude(x);
        self.equals(magnitude, INFINITY)
    }

    /// The result is a NaN.
    fn nan(&mut self) -> R::Truth {
        self.r.is_nan(self.result)
    }

    /// The result is exactly this number, with its sign.
    fn gives(&mut self, value: f64) -> R::Truth {
        let value = self.r.number(value);
        self.r.same(self.result, value)
    }

    /// The result is exactly the operand.
    fn gives_operand(&mut self, x: R::Float) -> R::Truth {
        self.r.same(self.result, x)
    }

    /// The result is a number between two others.
    fn between(&mut self, low: f64, high: f64) -> R::Truth {
        let (low, high) = (self.r.number(low), self.r.number(high));
        let (above, below) = (self.r.le(low, self.result), self.r.le(self.result, high));
        self.r.and(above, below)
    }

    /// The result has a magnitude between two numbers.
    fn magnitude_between(&mut self, low: f64, high: f64) -> R::Truth {
        let magnitude = self.r.magnitude(self.result);
        let (low, high) = (self.r.number(low), self.r.number(high));
        let (above, below) = (self.r.le(low, magnitude), self.r.le(magnitude, high));
        self.r.and(above, below)
    }

    fn number(&mut self) -> R::Truth {
        let nan = self.nan();
        self.r.not(nan)
    }

    fn finite(&mut self) -> R::Truth {
        let infinite = self.is_infinite(self.result);
        let number = self.number();
        let finite = self.r.not(infinite);
        self.r.and(number, finite)
    }

    fn positive_sign(&mut self) -> R::Truth {
        let negative = self.r.is_negative(self.result);
        self.r.not(negative)
    }

    /// The result has the sign of an operand.
    fn sign_of(&mut self, x: R::Float) -> R::Truth {
        let (a, b) = (self.r.is_negative(x), self.r.is_negative(self.result));
        self.agree(a, b)
    }

    fn agree(&mut self, a: R::Truth, b: R::Truth) -> R::Truth {
        let both = self.r.and(a, b);
        let either = self.or(a, b);
        let neither = self.r.not(either);
        self.or(both, neither)
    }

    /// The result has the sign of an operand, and what else is asked of it.
    fn with_sign_of(&mut self, x: R::Float, demand: R::Truth) -> R::Truth {
        let sign = self.sign_of(x);
        self.r.and(sign, demand)
    }

    fn zero_stays(&mut self, x: R::Float) {
        let zero = self.equals(x, 0.0);
        let same = self.gives_operand(x);
        self.case(zero, same);
    }

    fn infinity_stays(&mut self, x: R::Float) {
        let infinite = self.is_infinite(x);
        let same = self.gives_operand(x);
        self.case(infinite, same);
    }

    /// The operand `at` has exactly the result `value`.
    fn point(&mut self, x: R::Float, at: f64, value: f64) {
        let here = self.equals(x, at);
        let value = self.gives(value);
        self.case(here, value);
    }

    fn domain_error(&mut self, outside: R::Truth) {
        let nan = self.nan();
        self.case(outside, nan);
    }

    fn magnitude_above_one(&mut self, x: R::Float) -> R::Truth {
        let magnitude = self.r.magnitude(x);
        self.above(magnitude, 1.0)
    }
}

pub fn allowed<R: Reals>(
    r: &mut R,
    function: Approximate,
    x: R::Float,
    y: R::Float,
    result: R::Float,
) -> R::Truth {
    use Approximate::*;
    let (rest, all) = (r.truth(true), r.truth(true));
    let mut c = Cases { r, result, rest, all };
    match function {
        Pow => return power(c, x, y),
        Hypot => return hypotenuse(c, x, y),
        _ => {}
    }
    for operand in [x, y] {
        let nan = c.r.is_nan(operand);
        c.domain_error(nan);
    }
    match function {
        Sin | Cos | Tan | Asin | Acos | Atan => circular(c, function, x),
        Atan2 => angle(c, x, y),
        Sinh | Cosh | Tanh | Asinh | Acosh | Atanh => hyperbolic(c, function, x),
        Exp | Exp2 | Exp10 | Expm1 => exponential(c, function, x),
        Log | Log2 | Log10 | Log1p => logarithm(c, function, x),
        _ => special(c, function, x),
    }
}

fn circular<R: Reals>(mut c: Cases<R>, function: Approximate, x: R::Float) -> R::Truth {
    use Approximate::*;
    if matches!(function, Sin | Cos | Tan) {
        let infinite = c.is_infinite(x);
        c.domain_error(infinite);
    }
    match function {
        Cos => c.point(x, 0.0, 1.0),
        Acos => c.point(x, 1.0, 0.0),
        _ => c.zero_stays(x),
    }
    if matches!(function, Asin | Acos) {
        let outside = c.magnitude_above_one(x);
        c.domain_error(outside);
    }
    let range = match function {
        Sin | Cos => c.between(-1.0, 1.0),
        Tan => c.finite(),
        Acos => {
            let positive = c.positive_sign();
            let range = c.between(0.0, ABOVE_PI);
            c.r.and(positive, range)
        }
        _ => {
            let infinite = c.is_infinite(x);
            let right = c.magnitude_between(BELOW_HALF_PI, ABOVE_HALF_PI);
            let right = c.with_sign_of(x, right);
            c.case(infinite, right);
            let range = c.between(-ABOVE_HALF_PI, ABOVE_HALF_PI);
            c.with_sign_of(x, range)
        }
    };
    c.otherwise(range)
}

/// `atan2(y, x)`; the result has the sign of `y`.
fn angle<R: Reals>(mut c: Cases<R>, y: R::Float, x: R::Float) -> R::Truth {
    let sign = c.sign_of(y);
    let wrong = c.r.not(sign);
    let never = c.r.truth(false);
    c.case(wrong, never);
    let left = c.r.is_negative(x);
    let right = c.r.not(left);
    let straight = c.magnitude_between(BELOW_PI, ABOVE_PI);
    let flat = c.magnitude_between(0.0, 0.0);
    let upright = c.magnitude_between(BELOW_HALF_PI, ABOVE_HALF_PI);
    let on_axis = c.equals(y, 0.0);
    let (axis_left, axis_right) = (c.r.and(on_axis, left), c.r.and(on_axis, right));
    c.case(axis_left, straight);
    c.case(axis_right, flat);
    let vertical = c.equals(x, 0.0);
    c.case(vertical, upright);
    let (x_infinite, y_infinite) = (c.is_infinite(x), c.is_infinite(y));
    let both = c.r.and(x_infinite, y_infinite);
    let diagonal = c.magnitude_between(0.75, 2.5);
    c.case(both, diagonal);
    c.case(y_infinite, upright);
    let (far_left, far_right) = (c.r.and(x_infinite, left), c.r.and(x_infinite, right));
    c.case(far_left, straight);
    c.case(far_right, flat);
    let obtuse = c.magnitude_between(BELOW_HALF_PI, ABOVE_PI);
    c.case(left, obtuse);
    let acute = c.magnitude_between(0.0, ABOVE_HALF_PI);
    c.otherwise(acute)
}

fn hyperbolic<R: Reals>(mut c: Cases<R>, function: Approximate, x: R::Float) -> R::Truth {
    use Approximate::*;
    match function {
        Cosh => {
            c.point(x, 0.0, 1.0);
            let range = c.between(1.0, INFINITY);
            let infinite = c.is_infinite(x);
            let infinity = c.gives(INFINITY);
            c.case(infinite, infinity);
            return c.otherwise(range);
        }
        Acosh => {
            let outside = c.below(x, 1.0);
            c.domain_error(outside);
            c.point(x, 1.0, 0.0);
            c.infinity_stays(x);
            let positive = c.positive_sign();
            let finite = c.finite();
            let demand = c.r.and(positive, finite);
            return c.otherwise(demand);
        }
        _ => c.zero_stays(x),
    }
    match function {
        Tanh => {
            c.point(x, INFINITY, 1.0);
            c.point(x, -INFINITY, -1.0);
            let range = c.between(-1.0, 1.0);
            let demand = c.with_sign_of(x, range);
            return c.otherwise(demand);
        }
        Atanh => {
            c.point(x, 1.0, INFINITY);
            c.point(x, -1.0, -INFINITY);
            let outside = c.magnitude_above_one(x);
            c.domain_error(outside);
        }
        _ => c.infinity_stays(x),
    }
    let range = if function == Sinh { c.number() } else { c.finite() };
    let demand = c.with_sign_of(x, range);
    c.otherwise(demand)
}

fn exponential<R: Reals>(mut c: Cases<R>, function: Approximate, x: R::Float) -> R::Truth {
    c.point(x, INFINITY, INFINITY);
    if function == Approximate::Expm1 {
        c.zero_stays(x);
        c.point(x, -INFINITY, -1.0);
        let range = c.between(-1.0, INFINITY);
        let demand = c.with_sign_of(x, range);
        return c.otherwise(demand);
    }
    c.point(x, 0.0, 1.0);
    c.point(x, -INFINITY, 0.0);
    let negative = c.below(x, 0.0);
    let (small, positive) = (c.between(0.0, 1.0), c.positive_sign());
    let demand = c.r.and(small, positive);
    c.case(negative, demand);
    let large = c.between(1.0, INFINITY);
    c.otherwise(large)
}

fn logarithm<R: Reals>(mut c: Cases<R>, function: Approximate, x: R::Float) -> R::Truth {
    let pole = if function == Approximate::Log1p { -1.0 } else { 0.0 };
    c.point(x, pole, -INFINITY);
    let outside = c.below(x, pole);
    c.domain_error(outside);
    c.infinity_stays(x);
    let finite = c.finite();
    if function == Approximate::Log1p {
        c.zero_stays(x);
        let demand = c.with_sign_of(x, finite);
        return c.otherwise(demand);
    }
    c.point(x, 1.0, 0.0);
    let below_one = c.below(x, 1.0);
    let (low, high) = (c.between(-INFINITY, 0.0), c.between(0.0, INFINITY));
    let (low, high) = (c.r.and(low, finite), c.r.and(high, finite));
    c.case(below_one, low);
    c.otherwise(high)
}

fn special<R: Reals>(mut c: Cases<R>, function: Approximate, x: R::Float) -> R::Truth {
    use Approximate::*;
    let range = match function {
        Cbrt => {
            c.zero_stays(x);
            c.infinity_stays(x);
            let finite = c.finite();
            c.with_sign_of(x, finite)
        }
        Erf => {
            c.zero_stays(x);
            c.point(x, INFINITY, 1.0);
            c.point(x, -INFINITY, -1.0);
            let range = c.between(-1.0, 1.0);
            c.with_sign_of(x, range)
        }
        Erfc => {
            c.point(x, INFINITY, 0.0);
            c.point(x, -INFINITY, 2.0);
            let (range, positive) = (c.between(0.0, 2.0), c.positive_sign());
            c.r.and(range, positive)
        }
        Lgamma => {
            let infinite = c.is_infinite(x);
            let infinity = c.gives(INFINITY);
            c.case(infinite, infinity);
            let (nonpositive, integral) = (c.equals(x, 0.0), c.r.is_integral(x));
            let negative = c.below(x, 0.0);
            let nonpositive = c.or(nonpositive, negative);
            let pole = c.r.and(nonpositive, integral);
            c.case(pole, infinity);
            c.point(x, 1.0, 0.0);
            c.point(x, 2.0, 0.0);
            c.number()
        }
        _ => gamma(&mut c, x),
    };
    c.otherwise(range)
}

fn gamma<R: Reals>(c: &mut Cases<R>, x: R::Float) -> R::Truth {
    let zero = c.equals(x, 0.0);
    let pole = c.magnitude_between(INFINITY, INFINITY);
    let pole = c.with_sign_of(x, pole);
    c.case(zero, pole);
    c.point(x, INFINITY, INFINITY);
    let (negative, integral) = (c.below(x, 0.0), c.r.is_integral(x));
    let minus_infinite = c.equals(x, -INFINITY);
    let integral = c.or(integral, minus_infinite);
    let outside = c.r.and(negative, integral);
    c.domain_error(outside);
    let number = c.number();
    c.case(negative, number);
    let positive = c.positive_sign();
    c.r.and(number, positive)
}

fn hypotenuse<R: Reals>(mut c: Cases<R>, x: R::Float, y: R::Float) -> R::Truth {
    let (x_infinite, y_infinite) = (c.is_infinite(x), c.is_infinite(y));
    let infinite = c.or(x_infinite, y_infinite);
    let infinity = c.gives(INFINITY);
    c.case(infinite, infinity);
    for operand in [x, y] {
        let nan = c.r.is_nan(operand);
        c.domain_error(nan);
    }
    let (x_zero, y_zero) = (c.equals(x, 0.0), c.equals(y, 0.0));
    let both = c.r.and(x_zero, y_zero);
    let zero = c.gives(0.0);
    c.case(both, zero);
    let (number, positive) = (c.between(0.0, INFINITY), c.positive_sign());
    let demand = c.r.and(number, positive);
    c.otherwise(demand)
}

fn power<R: Reals>(mut c: Cases<R>, x: R::Float, y: R::Float) -> R::Truth {
    c.point(y, 0.0, 1.0);
    c.point(x, 1.0, 1.0);
    for operand in [x, y] {
        let nan = c.r.is_nan(operand);
        c.domain_error(nan);
    }
    let (y_infinite, x_infinite) = (c.is_infinite(y), c.is_infinite(x));
    let (falls, base) = (c.r.is_negative(y), c.r.magnitude(x));
    let rises = c.r.not(falls);
    let (unit, small) = (c.equals(base, 1.0), c.below(base, 1.0));
    let large = c.above(base, 1.0);
    let (one, zero, infinity) = (c.gives(1.0), c.gives(0.0), c.gives(INFINITY));
    for (size, direction, value) in [
        (small, falls, infinity),
        (small, rises, zero),
        (large, falls, zero),
        (large, rises, infinity),
        (unit, rises, one),
        (unit, falls, one),
    ] {
        let here = c.r.and(size, direction);
        let here = c.r.and(y_infinite, here);
        c.case(here, value);
    }
    let odd = is_odd(&mut c, y);
    let negative = c.r.is_negative(x);
    let negative_result = c.r.and(negative, odd);
    let sign = c.r.is_negative(c.result);
    let sign_fits = c.agree(sign, negative_result);
    let none = c.magnitude_between(0.0, 0.0);
    let none = c.r.and(none, sign_fits);
    let boundless = c.magnitude_between(INFINITY, INFINITY);
    let boundless = c.r.and(boundless, sign_fits);
    let x_zero = c.equals(x, 0.0);
    for (extreme, direction, value) in [
        (x_zero, falls, boundless),
        (x_zero, rises, none),
        (x_infinite, falls, none),
        (x_infinite, rises, boundless),
    ] {
        let here = c.r.and(extreme, direction);
        c.case(here, value);
    }
    let integral = c.r.is_integral(y);
    let broken = c.r.not(integral);
    let outside = c.r.and(negative, broken);
    c.domain_error(outside);
    let number = c.number();
    let demand = c.r.and(number, sign_fits);
    c.otherwise(demand)
}

fn is_odd<R: Reals>(c: &mut Cases<R>, y: R::Float) -> R::Truth {
    let integral = c.r.is_integral(y);
    let half = c.r.half(y);
    let even = c.r.is_integral(half);
    let not_even = c.r.not(even);
    c.r.and(integral, not_even)
}
