//! gcc's builtins that count, find and move bits.

use super::builtins::Arguments;
use super::conversions::Operand;
use super::{Result, Typer};
use crate::source::Position;
use crate::typed::{BinaryOp, Expr, UnaryOp};
use crate::types::Ty;

impl Typer<'_> {
    /// Byte order, counting and finding of bits.
    pub(super) fn bit_builtin(
        &mut self,
        bare: &str,
        arguments: &Arguments,
        position: Position,
    ) -> Result<Option<Operand>> {
        let swapped = match bare {
            "bswap16" => Some(Ty::USHORT),
            "bswap32" => Some(Ty::UINT),
            "bswap64" => Some(Ty::ULLONG),
            "bswap128" => Some(Ty::UINT128),
            _ => None,
        };
        if let Some(ty) = swapped {
            let operand = self.argument(arguments, ty, position)?;
            return Ok(Some(Operand::Value(self.unary(UnaryOp::ReverseBytes, operand))));
        }
        let base = bare.trim_end_matches('l');
        let ty = match bare.len() - base.len() {
            0 => Ty::UINT,
            1 => Ty::ULONG,
            _ => Ty::ULLONG,
        };
        let op = match base {
            "clz" => UnaryOp::LeadingZeros,
            "ctz" => UnaryOp::TrailingZeros,
            "popcount" | "parity" => UnaryOp::PopulationCount,
            "ffs" | "clrsb" => UnaryOp::TrailingZeros,
            _ => return Ok(None),
        };
        let operand = self.argument(arguments, ty, position)?;
        let counted = |typer: &Self, op, operand| typer.cast(typer.unary(op, operand), Ty::INT);
        Ok(Some(Operand::Value(match base {
            "parity" => {
                let count = counted(self, op, operand);
                self.binary(BinaryOp::And, count, self.int(1, position), position)
            }
            "ffs" => {
                // One more than the index of the lowest 1, and 0 if there is none.
                let operand = self.save(operand)?;
                let count = counted(self, op, operand.clone());
                let found = self.binary(BinaryOp::Add, count, self.int(1, position), position);
                let none = self.int(0, position);
                self.choice(self.truth(operand), found, none, position)
            }
            "clrsb" => self.redundant_sign_bits(operand, position)?,
            _ => counted(self, op, operand),
        })))
    }

    /// The bits after the sign that equal it: the leading zeros of `x ^ (x >> 1)`, less one.
    fn redundant_sign_bits(&mut self, operand: Expr, position: Position) -> Result<Expr> {
        let unsigned = operand.ty;
        let width = self.types.int_format(unsigned).map_or(32, |format| format.width);
        let signed = self.types.int_of_width(width, true);
        let operand = self.save(operand)?;
        let one = self.int(1, position);
        let number = self.cast(operand.clone(), signed);
        let shifted = self.binary(BinaryOp::ShiftRight, number, one.clone(), position);
        let shifted = self.cast(shifted, unsigned);
        let changes = self.binary(BinaryOp::Xor, operand, shifted, position);
        let zeros = self.cast(self.unary(UnaryOp::LeadingZeros, changes), Ty::INT);
        Ok(self.binary(BinaryOp::Subtract, zeros, one, position))
    }
}
