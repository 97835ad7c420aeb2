//! Values that are worth trying.

use super::random::Random;
use super::walk::View;
use super::words::Words;
use crate::arith::{float, int};
use crate::interp::{Choice, ChoiceKind};
use crate::typed::BinaryOp;
use crate::types::{FloatKind, IntFormat, Types};

/// How the answers of a run are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Always the same number.
    Constant(i64),
    /// 0, 1, 2, ...
    Counting,
    /// Down from 1000.
    Descending,
    /// As large as the type allows.
    Greatest,
    /// Small numbers, not negative, below this.
    Small(u8),
    /// Small numbers of either sign.
    Signed(u8),
    /// Constants of the program and their neighbours.
    Words,
    /// The ends of the type, powers of two, and their neighbours.
    Boundary,
    Uniform,
    /// Each question at the same place gets the same answer.
    Sites,
    /// Another style for every answer.
    Mixed,
    /// Inputs are chosen by the state of the run.
    Walk(View),
}

/// The styles of whole runs, in their order.
pub const STYLES: &[Style] = &[
    Style::Constant(0),
    Style::Mixed,
    // Its square has more than 32 bits.
    Style::Constant(70_000),
    Style::Constant(1),
    Style::Uniform,
    Style::Small(8),
    Style::Counting,
    Style::Words,
    Style::Constant(-1),
    Style::Sites,
    Style::Small(2),
    Style::Constant(2),
    Style::Descending,
    Style::Signed(64),
    Style::Greatest,
    Style::Boundary,
    Style::Constant(10),
    Style::Constant(100),
];

impl Style {
    /// Whether another run of this style is another run.
    pub fn is_random(self) -> bool {
        !matches!(self, Style::Constant(_) | Style::Counting | Style::Descending | Style::Greatest)
    }
}

/// Any value, for one place in a list of answers.
pub fn any(width: u32, words: &Words, random: &mut Random) -> u128 {
    let bits = match random.below(5) {
        0 => random.wide(),
        1 => random.below(16) as u128,
        2 => boundary(width, random),
        _ => words.integer(random),
    };
    int::truncate(bits, width)
}

/// What the answers of a run are drawn from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub types: &'a Types,
    pub words: &'a Words,
    /// Another number for every run.
    pub salt: u64,
}

/// The answer of a style to the question of this index, which is not for a pointer.
pub fn draw(
    style: Style,
    index: usize,
    choice: &Choice,
    source: Source,
    random: &mut Random,
) -> u128 {
    let Source { types, words, salt } = source;
    if style == Style::Mixed {
        let style = MIXED[random.below(MIXED.len() as u64) as usize];
        return draw(style, index, choice, source, random);
    }
    if style == Style::Sites {
        let place = choice.position;
        let site = (place.line as u64) << 20 | place.column as u64;
        let mut random = Random::new(site.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ salt);
        return draw(Style::Mixed, index, choice, source, &mut random);
    }
    // What is no input is mostly left alone, or no run with uninitialised memory is ever short.
    let is_memory = matches!(choice.kind, ChoiceKind::Memory(..) | ChoiceKind::Local(_));
    if is_memory && !matches!(style, Style::Constant(_)) && !random.once_in(4) {
        return 0;
    }
    match types.float_kind(choice.ty) {
        Some(kind) => draw_float(style, index, kind, words, random),
        None => draw_integer(style, index, choice.width, words, random),
    }
}

const MIXED: &[Style] = &[
    Style::Constant(0),
    Style::Constant(1),
    Style::Small(2),
    Style::Small(8),
    Style::Words,
    Style::Words,
    Style::Signed(64),
    Style::Boundary,
    Style::Uniform,
];

fn draw_integer(
    style: Style,
    index: usize,
    width: u32,
    words: &Words,
    random: &mut Random,
) -> u128 {
    let signed = |number: i64| number as i128 as u128;
    match style {
        Style::Constant(number) => signed(number),
        Style::Counting => index as u128,
        Style::Descending => signed(1000 - index as i64),
        Style::Greatest => int::truncate(u128::MAX, width.saturating_sub(1).max(1)),
        Style::Small(bound) => random.below(bound as u64) as u128,
        Style::Signed(bound) => signed(random.below(2 * bound as u64) as i64 - bound as i64),
        Style::Words => words.integer(random),
        Style::Boundary => boundary(width, random),
        Style::Uniform | Style::Sites | Style::Mixed | Style::Walk(_) => random.wide(),
    }
}

fn boundary(width: u32, random: &mut Random) -> u128 {
    let power = 1u128 << random.below(width.clamp(1, 127) as u64);
    match random.below(6) {
        0 => power,
        1 => power.wrapping_sub(1),
        2 => power.wrapping_add(1),
        3 => power.wrapping_neg(),
        4 => int::truncate(u128::MAX, width.saturating_sub(1)),
        _ => 1u128 << (width.clamp(1, 128) - 1),
    }
}

pub fn small_float(number: i64, kind: FloatKind) -> u128 {
    let format = IntFormat { width: 64, signed: true };
    float::from_int(number as u64 as u128, format, kind)
}

fn draw_float(
    style: Style,
    index: usize,
    kind: FloatKind,
    words: &Words,
    random: &mut Random,
) -> u128 {
    match style {
        Style::Constant(number) => small_float(number, kind),
        Style::Counting => small_float(index as i64, kind),
        Style::Descending => small_float(1000 - index as i64, kind),
        Style::Greatest => special("1e300", kind),
        Style::Small(bound) => small_float(random.below(bound as u64) as i64, kind),
        Style::Signed(bound) => {
            let eighths = random.below(16 * bound as u64) as i64 - 8 * bound as i64;
            let eight = small_float(8, kind);
            float::binary(BinaryOp::Divide, small_float(eighths, kind), eight, kind)
        }
        Style::Boundary => boundary_float(kind, random),
        Style::Words => words.float(kind, random),
        // Not every pattern of bits is a number of the extended format.
        _ if kind == FloatKind::LongDouble => words.float(kind, random),
        Style::Uniform | Style::Sites | Style::Mixed | Style::Walk(_) => random.wide(),
    }
}

fn special(text: &str, kind: FloatKind) -> u128 {
    float::parse(text, kind).unwrap_or(0)
}

/// Zeros, infinities, numbers that are none, and numbers at the ends of the range.
fn boundary_float(kind: FloatKind, random: &mut Random) -> u128 {
    let texts = ["0.0", "1.0", "1e-40", "1e-310", "1e38", "1e300", "1e5000", "0.1", "0.5"];
    let text = texts[random.below(texts.len() as u64) as usize];
    let bits = special(text, kind);
    let infinity = || special("1e5000", kind);
    let bits = match random.below(8) {
        // The quotient of infinities is not a number.
        0 => float::binary(BinaryOp::Divide, infinity(), infinity(), kind),
        1 => infinity(),
        2 => 1,
        _ => bits,
    };
    if random.once_in(2) { float::negate(bits, kind) } else { bits }
}
