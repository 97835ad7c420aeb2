//! The constants of a program, which its inputs are likely to be compared with.

use super::random::Random;
use super::values::small_float;
use crate::arith::float;
use crate::typed::{
    Callee, Expr, ExprKind, Initial, Place, PlaceKind, Program, StmtKind, Terminator,
};
use crate::types::{FloatKind, Types};

/// Numbers that occur in the program.
pub struct Words {
    integers: Vec<u128>,
    /// With the format they are written in.
    floats: Vec<(u128, FloatKind)>,
}

/// More are of no use.
const MAX_WORDS: usize = 4096;

impl Words {
    pub fn of(program: &Program) -> Words {
        let mut words = Words { integers: vec![0, 1], floats: Vec::new() };
        let types = &program.types;
        for global in &program.globals {
            if let (Initial::Values(values), false) = (&global.initial, global.is_literal) {
                values.iter().take(64).for_each(|(_, value)| words.expr(types, value));
            }
        }
        let bodies = program.functions.iter().filter(|f| !f.is_library);
        for block in bodies.filter_map(|f| f.body.as_ref()).flat_map(|body| &body.blocks) {
            block.statements.iter().for_each(|statement| words.statement(types, &statement.kind));
            match &block.terminator {
                Terminator::Branch { condition, .. } => words.expr(types, condition),
                Terminator::Switch { value, ranges, .. } => {
                    words.expr(types, value);
                    let ends = ranges.iter().flat_map(|range| [range.low, range.high]);
                    words.integers.extend(ends.take(256));
                }
                Terminator::Return(Some(value)) => words.expr(types, value),
                _ => {}
            }
        }
        words.integers.sort_unstable();
        words.integers.dedup();
        words.integers.truncate(MAX_WORDS);
        words.floats.dedup();
        words.floats.truncate(MAX_WORDS);
        words
    }

    fn statement(&mut self, types: &Types, statement: &StmtKind) {
        match statement {
            StmtKind::Assign { place, value } => {
                self.place(types, place);
                self.expr(types, value);
            }
            StmtKind::Call { callee, arguments, .. } => {
                if let Callee::Pointer(pointer) = callee {
                    self.expr(types, pointer);
                }
                arguments.iter().for_each(|argument| self.expr(types, argument));
            }
            StmtKind::Allocate { size, .. } => self.expr(types, size),
            _ => {}
        }
    }

    fn place(&mut self, types: &Types, place: &Place) {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Deref(pointer) => self.expr(types, pointer),
            PlaceKind::Field(base, _) => self.place(types, base),
            PlaceKind::Index(base, index) => {
                self.place(types, base);
                self.expr(types, index);
            }
        }
    }

    fn expr(&mut self, types: &Types, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(bits) => self.integers.push(*bits),
            ExprKind::Float(bits) => {
                self.floats.extend(types.float_kind(expr.ty).map(|kind| (*bits, kind)));
            }
            ExprKind::Load(place) | ExprKind::AddressOf(place) => self.place(types, place),
            ExprKind::Function(_) => {}
            ExprKind::Unary(_, operand) | ExprKind::Cast(_, operand) => self.expr(types, operand),
            ExprKind::Binary(_, left, right)
            | ExprKind::PointerAdd { pointer: left, index: right, .. }
            | ExprKind::PointerDifference { left, right, .. }
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right) => {
                self.expr(types, left);
                self.expr(types, right);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.expr(types, condition);
                self.expr(types, then);
                self.expr(types, otherwise);
            }
        }
    }

    pub fn integer(&self, random: &mut Random) -> u128 {
        let word = self.integers[random.below(self.integers.len() as u64) as usize];
        match random.below(8) {
            0 => word.wrapping_add(1),
            1 => word.wrapping_sub(1),
            2 => word.wrapping_neg(),
            _ => word,
        }
    }

    pub fn float(&self, kind: FloatKind, random: &mut Random) -> u128 {
        if self.floats.is_empty() {
            return small_float(random.below(9) as i64 - 4, kind);
        }
        let (bits, from) = self.floats[random.below(self.floats.len() as u64) as usize];
        let bits = float::convert(bits, from, kind);
        match random.below(6) {
            0 if kind != FloatKind::LongDouble => bits.wrapping_add(1),
            1 if kind != FloatKind::LongDouble => bits.wrapping_sub(1),
            2 => float::negate(bits, kind),
            _ => bits,
        }
    }
}
