//! Linear equations that all samples satisfy.
//!
//! The samples as signed numbers span a space; what is orthogonal to it are the equations. They
//! are found modulo a large prime, and kept if they have small integers as coefficients and hold
//! of the samples with the arithmetic of the machine.

use super::Column;
use wedge_logic::{Term, TermStore};

const PRIME: i128 = (1 << 61) - 1;
/// The largest numerator and denominator of a coefficient.
const MAX_COEFFICIENT: i128 = 1000;
const MAX_COLUMNS: usize = 12;
const MAX_EQUATIONS: usize = 12;

fn reduce(value: i128) -> i128 {
    value.rem_euclid(PRIME)
}

/// The inverse of a number that is not 0 (Fermat).
fn inverse(value: i128) -> i128 {
    let (mut base, mut exponent, mut result) = (reduce(value), PRIME - 2, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = reduce(result * base);
        }
        base = reduce(base * base);
        exponent >>= 1;
    }
    result
}

/// Equations c₀ + c₁x₁ + … = 0 between columns of one width, at least two of them in each.
pub fn equations(terms: &mut TermStore, columns: &[&Column]) -> Vec<Term> {
    let columns = &columns[..columns.len().min(MAX_COLUMNS)];
    let Some(first) = columns.first() else { return Vec::new() };
    let count = first.values.len();
    if columns.len() < 2 || count < 3 {
        return Vec::new();
    }
    let rows = (0..count).map(|row| {
        let number = |c: &&Column| {
            let unused = 64 - c.width;
            reduce((((c.values[row] << unused) as i64) >> unused) as i128)
        };
        columns.iter().map(number).chain([1]).collect::<Vec<i128>>()
    });
    let mut equations = Vec::new();
    for vector in kernel(rows.collect()) {
        let Some(coefficients) = small(&vector) else { continue };
        let telling = coefficients[..columns.len()].iter().filter(|&&c| c != 0).count();
        if telling >= 2 && holds(columns, &coefficients) && equations.len() < MAX_EQUATIONS {
            equations.push(equation(terms, columns, &coefficients));
        }
    }
    equations
}

/// A basis of the vectors that are orthogonal to all rows.
fn kernel(mut rows: Vec<Vec<i128>>) -> Vec<Vec<i128>> {
    let width = rows.first().map_or(0, Vec::len);
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..width {
        let done = pivots.len();
        let Some(found) = (done..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
        rows.swap(done, found);
        let scale = inverse(rows[done][column]);
        rows[done].iter_mut().for_each(|value| *value = reduce(*value * scale));
        let pivot = rows[done].clone();
        for (index, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if index != done && factor != 0 {
                row.iter_mut().zip(&pivot).for_each(|(v, p)| *v = reduce(*v - factor * p));
            }
        }
        pivots.push(column);
    }
    let free = (0..width).filter(|column| !pivots.contains(column));
    free.map(|column| {
        let mut vector = vec![0; width];
        vector[column] = 1;
        for (row, &pivot) in pivots.iter().enumerate() {
            vector[pivot] = reduce(-rows[row][column]);
        }
        vector
    })
    .collect()
}

/// The vector as small integers, up to a common factor.
fn small(vector: &[i128]) -> Option<Vec<i64>> {
    let mut scale: i128 = 1;
    for &value in vector {
        let (_, denominator) = fraction(reduce(value * scale))?;
        scale *= denominator;
        (scale <= MAX_COEFFICIENT).then_some(())?;
    }
    let integer = |&value: &i128| {
        let value = reduce(value * scale);
        let number = if value > PRIME / 2 { value - PRIME } else { value };
        // The constant may be large.
        i64::try_from(number).ok()
    };
    vector.iter().map(integer).collect()
}

/// Numerator and denominator that give the number modulo the prime (Wang's algorithm).
fn fraction(value: i128) -> Option<(i128, i128)> {
    let (mut r, mut s) = ((PRIME, value), (0i128, 1i128));
    let limit = 1i128 << 45;
    while r.1 > limit {
        let quotient = r.0 / r.1;
        r = (r.1, r.0 - quotient * r.1);
        s = (s.1, s.0 - quotient * s.1);
    }
    let (numerator, denominator) = if s.1 < 0 { (-r.1, -s.1) } else { (r.1, s.1) };
    (denominator != 0 && denominator <= MAX_COEFFICIENT).then_some((numerator, denominator))
}

/// Whether the equation holds of all samples modulo 2^width.
fn holds(columns: &[&Column], coefficients: &[i64]) -> bool {
    let mask = u64::MAX >> (64 - columns[0].width);
    let constant = coefficients[columns.len()] as u64;
    (0..columns[0].values.len()).all(|row| {
        let terms = columns.iter().zip(coefficients);
        let sum = terms.fold(constant, |sum, (column, &coefficient)| {
            sum.wrapping_add(column.values[row].wrapping_mul(coefficient as u64))
        });
        sum & mask == 0
    })
}

/// What is negative goes to the other side, since small factors make small circuits.
fn equation(terms: &mut TermStore, columns: &[&Column], coefficients: &[i64]) -> Term {
    let width = columns[0].width;
    let mut sides = [terms.zero(width), terms.zero(width)];
    for (column, &coefficient) in columns.iter().zip(coefficients).filter(|(_, c)| **c != 0) {
        let factor = terms.number(width, coefficient.unsigned_abs());
        let product = terms.mul(column.variable, factor);
        let side = &mut sides[(coefficient < 0) as usize];
        *side = terms.add(*side, product);
    }
    let constant = coefficients[columns.len()];
    let side = &mut sides[(constant < 0) as usize];
    let constant = terms.number(width, constant.unsigned_abs());
    *side = terms.add(*side, constant);
    terms.eq(sides[0], sides[1])
}
