//! The kernel operators on words: each result contains every value that the operator has on
//! values of its operands.

use super::word::{Word, mask, signed_max, signed_min};

pub fn not(a: &Word) -> Word {
    let all = mask(a.width);
    Word {
        width: a.width,
        zeros: a.ones,
        ones: a.zeros,
        umin: all - a.umax,
        umax: all - a.umin,
        smin: -1 - a.smax,
        smax: -1 - a.smin,
    }
}

pub fn neg(a: &Word) -> Word {
    add(&not(a), &Word::constant(a.width, 1))
}

pub fn and(a: &Word, b: &Word) -> Word {
    let bits = Word { zeros: a.zeros | b.zeros, ones: a.ones & b.ones, ..Word::top(a.width) };
    Word { umax: a.umax.min(b.umax), ..bits }.reduced_or_top()
}

pub fn xor(a: &Word, b: &Word) -> Word {
    let zeros = (a.zeros & b.zeros) | (a.ones & b.ones);
    Word::bits(a.width, zeros, (a.zeros & b.ones) | (a.ones & b.zeros))
}

/// Unsigned numbers modulo 2^width, if the interval does not wrap in its middle.
fn unsigned_interval(width: u32, low: u128, high: u128) -> Word {
    let period = 1u128 << width;
    if low / period != high / period {
        return Word::top(width);
    }
    Word::unsigned(width, (low % period) as u64, (high % period) as u64)
}

/// Signed numbers modulo 2^width, if the interval does not wrap in its middle.
fn signed_interval(width: u32, low: i128, high: i128) -> Word {
    let half = 1i128 << (width - 1);
    let (low, high) = (low + half, high + half);
    let period = half * 2;
    if low.div_euclid(period) != high.div_euclid(period) {
        return Word::top(width);
    }
    let number = |n: i128| (n.rem_euclid(period) - half) as i64;
    Word::signed(width, number(low), number(high))
}

/// All of these hold of the same value.
fn both(a: Word, b: Word) -> Word {
    a.meet(&b).unwrap_or(a)
}

pub fn add(a: &Word, b: &Word) -> Word {
    let most = (!a.zeros).wrapping_add(!b.zeros);
    let least = a.ones.wrapping_add(b.ones);
    let no_carry = !(most ^ a.zeros ^ b.zeros);
    let carry = least ^ a.ones ^ b.ones;
    let known = (a.zeros | a.ones) & (b.zeros | b.ones) & (no_carry | carry);
    let bits = Word::bits(a.width, !most & known, least & known);
    let (umin, umax) = (a.umin as u128 + b.umin as u128, a.umax as u128 + b.umax as u128);
    let (smin, smax) = (a.smin as i128 + b.smin as i128, a.smax as i128 + b.smax as i128);
    let intervals =
        both(unsigned_interval(a.width, umin, umax), signed_interval(a.width, smin, smax));
    both(bits, intervals)
}

pub fn mul(a: &Word, b: &Word) -> Word {
    let known = a.low_known().min(b.low_known());
    let mut bits = Word::top(a.width);
    if known > 0 {
        let product = a.ones.wrapping_mul(b.ones) & mask(known);
        bits = Word::bits(a.width, !product & mask(known), product);
    }
    let zeros = a.zeros.trailing_ones() + b.zeros.trailing_ones();
    if zeros > 0 {
        bits = both(bits, Word::bits(a.width, mask(zeros.min(64)), 0));
    }
    let corners = [
        a.smin as i128 * b.smin as i128,
        a.smin as i128 * b.smax as i128,
        a.smax as i128 * b.smin as i128,
        a.smax as i128 * b.smax as i128,
    ];
    let (mut low, mut high) = (corners[0], corners[0]);
    for corner in corners {
        (low, high) = (low.min(corner), high.max(corner));
    }
    let unsigned = (a.umin as u128 * b.umin as u128, a.umax as u128 * b.umax as u128);
    let unsigned = unsigned_interval(a.width, unsigned.0, unsigned.1);
    both(bits, both(unsigned, signed_interval(a.width, low, high)))
}

/// Division by 0 gives all ones.
pub fn udiv(a: &Word, b: &Word) -> Word {
    if b.umax == 0 {
        return Word::constant(a.width, u64::MAX);
    }
    let low = a.umin / b.umax;
    let high = a.umax.checked_div(b.umin).unwrap_or(mask(a.width));
    Word::unsigned(a.width, low, high)
}

/// The remainder by 0 is the dividend.
pub fn urem(a: &Word, b: &Word) -> Word {
    if b.umax == 0 || (b.umin > 0 && a.umax < b.umin) {
        return *a;
    }
    if let Some(power) = b.value().filter(|value| value.is_power_of_two()) {
        let low = power - 1;
        let known = Word::bits(a.width, a.zeros | !low, a.ones & low);
        return both(known, Word::unsigned(a.width, 0, a.umax));
    }
    let limit = if b.umin == 0 { a.umax } else { a.umax.min(b.umax - 1) };
    Word::unsigned(a.width, 0, limit)
}

/// How far the shift goes: at most the width.
fn amounts(b: &Word, width: u32) -> (u32, u32) {
    let amount = |n: u64| n.min(width as u64) as u32;
    (amount(b.umin), amount(b.umax))
}

pub fn sll(a: &Word, b: &Word) -> Word {
    let (least, most) = amounts(b, a.width);
    if least == a.width {
        return Word::constant(a.width, 0);
    }
    let shift = |bits: u64| bits << least;
    let zeros = a.zeros.trailing_ones().min(a.width) + least;
    let known = if least == most {
        Word::bits(a.width, shift(a.zeros) | (shift(1) - 1), shift(a.ones))
    } else {
        Word::bits(a.width, mask(zeros.clamp(1, 64)) * (zeros > 0) as u64, 0)
    };
    let high = (a.umax as u128) << most.min(63);
    if most == a.width || high > mask(a.width) as u128 {
        return known;
    }
    both(known, Word::unsigned(a.width, shift(a.umin), high as u64))
}

pub fn srl(a: &Word, b: &Word) -> Word {
    let (least, most) = amounts(b, a.width);
    let shift = |bits: u64, by: u32| bits.checked_shr(by).unwrap_or(0);
    let interval = Word::unsigned(a.width, shift(a.umin, most), shift(a.umax, least));
    if least != most {
        return interval;
    }
    let gone = !shift(mask(a.width), least);
    both(interval, Word::bits(a.width, shift(a.zeros, least) | gone, shift(a.ones, least)))
}

pub fn sra(a: &Word, b: &Word) -> Word {
    let (least, most) = amounts(b, a.width);
    let (least, most) = (least.min(63), most.min(63));
    let low = a.smin >> if a.smin < 0 { least } else { most };
    let high = a.smax >> if a.smax < 0 { most } else { least };
    let interval = Word::signed(a.width, low, high);
    if least != most {
        return interval;
    }
    let unused = 64 - a.width;
    let shift = |bits: u64| (((bits << unused) as i64) >> unused >> least) as u64;
    both(interval, Word::bits(a.width, shift(a.zeros), shift(a.ones)))
}

/// Together at most 64 bits.
pub fn concat(a: &Word, b: &Word) -> Word {
    let width = a.width + b.width;
    let shift = |bits: u64| bits << b.width;
    let word = Word {
        width,
        zeros: shift(a.zeros) | b.zeros,
        ones: shift(a.ones) | b.ones,
        umin: shift(a.umin) | b.umin,
        umax: shift(a.umax) | b.umax,
        smin: (a.smin << b.width) | b.umin as i64,
        smax: (a.smax << b.width) | b.umax as i64,
    };
    word.reduced_or_top()
}

pub fn slice(a: &Word, high: u32, low: u32) -> Word {
    let shifted = srl(a, &Word::constant(a.width, low as u64));
    let width = high - low + 1;
    if width == a.width {
        return shifted;
    }
    let all = mask(width);
    let bits = Word::bits(width, shifted.zeros & all, shifted.ones & all);
    let period = |n: u64| n.checked_shr(width).unwrap_or(0);
    let mut interval = Word::top(width);
    if period(shifted.umin) == period(shifted.umax) {
        interval = Word::unsigned(width, shifted.umin & all, shifted.umax & all);
    }
    let fits = shifted.smin >= signed_min(width) && shifted.smax <= signed_max(width);
    if fits {
        interval = both(interval, Word::signed(width, shifted.smin, shifted.smax));
    }
    both(bits, interval)
}

/// At most 64 bits afterwards.
pub fn sext(a: &Word, by: u32) -> Word {
    let width = a.width + by;
    let sign = 1u64 << (a.width - 1);
    let top = mask(width) & !mask(a.width);
    let extend = |bits: u64| if bits & sign != 0 { bits | top } else { bits };
    let word = Word { zeros: extend(a.zeros), ones: extend(a.ones), ..Word::top(width) };
    Word { smin: a.smin, smax: a.smax, ..word }.reduced_or_top()
}

pub fn equal(a: &Word, b: &Word) -> Option<bool> {
    match (a.value(), b.value()) {
        (Some(a), Some(b)) => Some(a == b),
        _ if a.meet(b).is_none() => Some(false),
        _ => None,
    }
}

pub fn ult(a: &Word, b: &Word) -> Option<bool> {
    order(a.umax < b.umin, a.umin >= b.umax)
}

pub fn slt(a: &Word, b: &Word) -> Option<bool> {
    order(a.smax < b.smin, a.smin >= b.smax)
}

fn order(always: bool, never: bool) -> Option<bool> {
    (always || never).then_some(always)
}
