//! Reading and printing values in binary, decimal and hexadecimal notation.

use super::BitVec;
use num_bigint::BigUint;
use std::fmt;

/// Why a text is no value of the wanted width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParseError {
    Empty,
    /// A character that is no digit of the base.
    Digit(char),
    /// The number does not fit into this width.
    TooLarge(u32),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ParseError::Empty => write!(f, "a number is missing"),
            ParseError::Digit(digit) => write!(f, "'{}' is no digit", digit.escape_default()),
            ParseError::TooLarge(width) => write!(f, "the number does not fit into {width} bits"),
        }
    }
}

impl std::error::Error for ParseError {}

impl BitVec {
    /// Reads a number in base 2, 10 or 16 with an optional minus sign. Fails unless it lies
    /// between -2^(width-1) and 2^width - 1.
    pub fn parse(width: u32, text: &str, base: u32) -> Result<BitVec, ParseError> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let value = parse_magnitude(width, digits, base)?;
        if value.bits() > width as u64 {
            return Err(ParseError::TooLarge(width));
        }
        let value = BitVec::from_biguint(width, value);
        match negative {
            true if value.is_negative() && !value.is_min_signed() => {
                Err(ParseError::TooLarge(width))
            }
            true => Ok(value.neg()),
            false => Ok(value),
        }
    }
}

fn parse_magnitude(width: u32, digits: &str, base: u32) -> Result<BigUint, ParseError> {
    if digits.is_empty() {
        return Err(ParseError::Empty);
    }
    if let Some(bad) = digits.chars().find(|c| !c.is_digit(base)) {
        return Err(ParseError::Digit(bad));
    }
    let significant = digits.trim_start_matches('0').as_bytes();
    // Every digit holds at least one bit: an early answer for texts of absurd length.
    if significant.len() > width as usize {
        return Err(ParseError::TooLarge(width));
    }
    if significant.is_empty() {
        return Ok(BigUint::default());
    }
    Ok(BigUint::parse_bytes(significant, base).expect("only digits are left"))
}

/// All digits, most significant first, as in `0101`.
impl fmt::Binary for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text: String =
            (0..self.width).rev().map(|i| if self.bit(i) { '1' } else { '0' }).collect();
        f.write_str(&text)
    }
}

/// The unsigned number in decimal.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.to_u64() {
            Some(value) => write!(f, "{value}"),
            None => write!(f, "{}", self.to_biguint()),
        }
    }
}

impl fmt::Debug for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}:{}", self.width)
    }
}
