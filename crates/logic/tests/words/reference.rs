//! An independent statement of what the operators mean, over machine integers of up to 64 bits.

use wedge_logic::{BitVec, Operator};

pub const UNARY: [Operator; 8] = [
    Operator::Not,
    Operator::Neg,
    Operator::Inc,
    Operator::Dec,
    Operator::Redand,
    Operator::Redor,
    Operator::Redxor,
    Operator::Nego,
];

pub const BINARY: [Operator; 36] = [
    Operator::And,
    Operator::Or,
    Operator::Xor,
    Operator::Nand,
    Operator::Nor,
    Operator::Xnor,
    Operator::Eq,
    Operator::Neq,
    Operator::Ugt,
    Operator::Uge,
    Operator::Ult,
    Operator::Ule,
    Operator::Sgt,
    Operator::Sge,
    Operator::Slt,
    Operator::Sle,
    Operator::Sll,
    Operator::Srl,
    Operator::Sra,
    Operator::Rol,
    Operator::Ror,
    Operator::Add,
    Operator::Sub,
    Operator::Mul,
    Operator::Udiv,
    Operator::Urem,
    Operator::Sdiv,
    Operator::Srem,
    Operator::Smod,
    Operator::Uaddo,
    Operator::Saddo,
    Operator::Usubo,
    Operator::Ssubo,
    Operator::Umulo,
    Operator::Smulo,
    Operator::Sdivo,
];

fn mask(width: u32) -> u128 {
    (1 << width) - 1
}

fn signed(width: u32, value: u128) -> i128 {
    let sign = 1i128 << (width - 1);
    let value = value as i128;
    if value >= sign { value - 2 * sign } else { value }
}

fn outside(width: u32, value: i128) -> u128 {
    let bound = 1i128 << (width - 1);
    !(-bound..bound).contains(&value) as u128
}

/// Width and value of the operator's result on operands of one width, at most 64.
pub fn reference(operator: Operator, width: u32, a: u64, b: u64) -> (u32, u64) {
    let (a, b) = (a as u128, b as u128);
    let (result, value) = match unary(operator, width, a) {
        Some(value) => value,
        None => match comparison(operator, width, a, b) {
            Some(value) => (1, value),
            None => (width, arithmetic(operator, width, a, b)),
        },
    };
    (result, (value & mask(result)) as u64)
}

fn unary(operator: Operator, width: u32, a: u128) -> Option<(u32, u128)> {
    Some(match operator {
        Operator::Not => (width, !a),
        Operator::Neg => (width, a.wrapping_neg()),
        Operator::Inc => (width, a + 1),
        Operator::Dec => (width, a.wrapping_sub(1)),
        Operator::Redand => (1, (a == mask(width)) as u128),
        Operator::Redor => (1, (a != 0) as u128),
        Operator::Redxor => (1, a.count_ones() as u128),
        Operator::Nego => (1, outside(width, -signed(width, a))),
        _ => return None,
    })
}

fn comparison(operator: Operator, width: u32, a: u128, b: u128) -> Option<u128> {
    let (s, t) = (signed(width, a), signed(width, b));
    Some(match operator {
        Operator::Eq | Operator::Iff => (a == b) as u128,
        Operator::Neq => (a != b) as u128,
        Operator::Ugt => (a > b) as u128,
        Operator::Uge => (a >= b) as u128,
        Operator::Ult => (a < b) as u128,
        Operator::Ule => (a <= b) as u128,
        Operator::Sgt => (s > t) as u128,
        Operator::Sge => (s >= t) as u128,
        Operator::Slt => (s < t) as u128,
        Operator::Sle => (s <= t) as u128,
        Operator::Uaddo => (a + b > mask(width)) as u128,
        Operator::Usubo => (a < b) as u128,
        Operator::Umulo => (a * b > mask(width)) as u128,
        Operator::Saddo => outside(width, s + t),
        Operator::Ssubo => outside(width, s - t),
        Operator::Smulo => outside(width, s * t),
        Operator::Sdivo => s.checked_div(t).map_or(0, |q| outside(width, q)),
        _ => return None,
    })
}

fn arithmetic(operator: Operator, width: u32, a: u128, b: u128) -> u128 {
    let (s, t) = (signed(width, a), signed(width, b));
    let long = width as u128;
    match operator {
        Operator::And => a & b,
        Operator::Or => a | b,
        Operator::Xor => a ^ b,
        Operator::Nand => !(a & b),
        Operator::Nor => !(a | b),
        Operator::Xnor => !(a ^ b),
        Operator::Implies => !a | b,
        Operator::Sll => {
            if b < long {
                a << b
            } else {
                0
            }
        }
        Operator::Srl => {
            if b < long {
                a >> b
            } else {
                0
            }
        }
        Operator::Sra => (s >> b.min(long - 1)) as u128,
        Operator::Rol => rotate(width, a, b % long),
        Operator::Ror => rotate(width, a, (long - b % long) % long),
        Operator::Add => a + b,
        Operator::Sub => a.wrapping_sub(b),
        Operator::Mul => a.wrapping_mul(b),
        Operator::Udiv => a.checked_div(b).unwrap_or(u128::MAX),
        Operator::Urem => a.checked_rem(b).unwrap_or(a),
        Operator::Sdiv => s.checked_div(t).unwrap_or(if s < 0 { 1 } else { -1 }) as u128,
        Operator::Srem => s.checked_rem(t).unwrap_or(s) as u128,
        Operator::Smod => floor_mod(s, t) as u128,
        _ => panic!("{operator:?} has no reference"),
    }
}

/// The remainder with the sign of the divisor.
fn floor_mod(s: i128, t: i128) -> i128 {
    match t {
        0 => s,
        _ => ((s % t) + t) % t,
    }
}

fn rotate(width: u32, a: u128, steps: u128) -> u128 {
    if steps == 0 { a } else { a << steps | a >> (width as u128 - steps) }
}

/// The surface operator on values, by the operations of [`BitVec`] alone.
pub fn apply(operator: Operator, a: &BitVec, b: &BitVec) -> BitVec {
    match operator {
        Operator::Not => a.not(),
        Operator::Neg => a.neg(),
        Operator::Inc => a.inc(),
        Operator::Dec => a.dec(),
        Operator::Redand => a.redand(),
        Operator::Redor => a.redor(),
        Operator::Redxor => a.redxor(),
        Operator::Nego => a.nego().into(),
        Operator::Eq | Operator::Iff => (a == b).into(),
        Operator::Neq => (a != b).into(),
        Operator::Ugt => b.ult(a).into(),
        Operator::Uge => b.ule(a).into(),
        Operator::Ult => a.ult(b).into(),
        Operator::Ule => a.ule(b).into(),
        Operator::Sgt => b.slt(a).into(),
        Operator::Sge => b.sle(a).into(),
        Operator::Slt => a.slt(b).into(),
        Operator::Sle => a.sle(b).into(),
        Operator::Uaddo => a.uaddo(b).into(),
        Operator::Saddo => a.saddo(b).into(),
        Operator::Usubo => a.usubo(b).into(),
        Operator::Ssubo => a.ssubo(b).into(),
        Operator::Umulo => a.umulo(b).into(),
        Operator::Smulo => a.smulo(b).into(),
        Operator::Sdivo => a.sdivo(b).into(),
        _ => apply_word(operator, a, b),
    }
}

fn apply_word(operator: Operator, a: &BitVec, b: &BitVec) -> BitVec {
    match operator {
        Operator::And => a.and(b),
        Operator::Or => a.or(b),
        Operator::Xor => a.xor(b),
        Operator::Nand => a.and(b).not(),
        Operator::Nor => a.or(b).not(),
        Operator::Xnor => a.xor(b).not(),
        Operator::Implies => a.not().or(b),
        Operator::Sll => a.sll(b),
        Operator::Srl => a.srl(b),
        Operator::Sra => a.sra(b),
        Operator::Rol => a.rol(b),
        Operator::Ror => a.ror(b),
        Operator::Add => a.add(b),
        Operator::Sub => a.sub(b),
        Operator::Mul => a.mul(b),
        Operator::Udiv => a.udiv(b),
        Operator::Urem => a.urem(b),
        Operator::Sdiv => a.sdiv(b),
        Operator::Srem => a.srem(b),
        Operator::Smod => a.smod(b),
        Operator::Concat => a.concat(b),
        _ => panic!("{operator:?} is no operator on two words"),
    }
}
