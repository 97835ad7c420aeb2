//! The rounding mode of a program: a variable where the program calls `fesetround`, to nearest
//! otherwise.

use super::Encoder;
use crate::arith::mode::{FLT_ROUNDS, MODE_BITS, MODE_SHIFT};
use crate::error::Fault;
use crate::flat::{FlatStmt, InstanceId};
use crate::library::{FunctionModel, model};
use crate::typed::Expr;
use wedge_logic::float::ROUNDING_WIDTH;
use wedge_logic::{Rounding, Sort, Term};

/// The modes that a program can choose take two bits.
const CHOSEN_WIDTH: u32 = 2;

/// The width of `int`, the type of modes in C.
const INT_WIDTH: u32 = 32;

impl Encoder<'_, '_> {
    /// Makes the variable, if it is needed.
    pub(super) fn make_rounding_mode(&mut self) {
        let mut statements = self.flat.blocks.iter().flat_map(|block| &block.statements);
        let chooses = statements.any(|statement| match statement {
            FlatStmt::External { function, .. } => {
                model(&self.program.function(*function).name) == Some(FunctionModel::SetRounding)
            }
            _ => false,
        });
        if chooses {
            self.rounding = Some(self.temporary("rounding", Sort::Bv(CHOSEN_WIDTH)));
        }
    }

    /// Programs start in the mode to nearest.
    pub(super) fn start_rounding_mode(&mut self) {
        if let Some(variable) = self.rounding {
            let nearest = self.cfa.terms.number(CHOSEN_WIDTH, Rounding::NearestEven as u64);
            self.step.update(variable, nearest);
        }
    }

    /// The mode in which operations round now.
    pub(super) fn rounding_mode(&mut self) -> Term {
        match self.rounding {
            Some(variable) => {
                let current = self.step.current(variable);
                self.cfa.terms.zext(current, ROUNDING_WIDTH - CHOSEN_WIDTH)
            }
            None => self.cfa.terms.rounding(Rounding::NearestEven),
        }
    }

    /// `fegetround`, `fesetround` and `FLT_ROUNDS`; `None` if the call does not fit.
    pub(super) fn rounding_call(
        &mut self,
        instance: InstanceId,
        model: Option<FunctionModel>,
        arguments: &[Expr],
    ) -> Result<Option<Term>, Fault> {
        let mode = self.rounding_mode();
        Ok(match (model, arguments.first(), self.rounding) {
            (Some(FunctionModel::SetRounding), Some(argument), Some(variable)) => {
                let wanted = self.expr(instance, argument)?;
                let wanted = self.resized(wanted, INT_WIDTH, true);
                Some(self.choose_mode(variable, wanted))
            }
            (Some(FunctionModel::SetRounding), ..) => None,
            (Some(FunctionModel::FltRounds), ..) => Some(self.flt_rounds(mode)),
            _ => {
                let terms = &mut self.cfa.terms;
                let wide = terms.zext(mode, INT_WIDTH - ROUNDING_WIDTH);
                let shift = terms.number(INT_WIDTH, MODE_SHIFT as u64);
                Some(terms.sll(wide, shift))
            }
        })
    }

    /// Gives 1 and changes nothing if the number is no mode, as glibc does.
    fn choose_mode(&mut self, variable: Term, wanted: Term) -> Term {
        let before = self.step.current(variable);
        let terms = &mut self.cfa.terms;
        let other_bits = terms.number(INT_WIDTH, !MODE_BITS as u64);
        let rest = terms.and(wanted, other_bits);
        let zero = terms.zero(INT_WIDTH);
        let is_mode = terms.eq(rest, zero);
        let chosen = terms.slice(wanted, MODE_SHIFT + CHOSEN_WIDTH - 1, MODE_SHIFT);
        let after = terms.ite(is_mode, chosen, before);
        let refused = terms.not(is_mode);
        let result = terms.zext(refused, INT_WIDTH - 1);
        self.step.update(variable, after);
        result
    }

    fn flt_rounds(&mut self, mode: Term) -> Term {
        let terms = &mut self.cfa.terms;
        let mut result = terms.number(INT_WIDTH, FLT_ROUNDS[0]);
        for (number, value) in FLT_ROUNDS.into_iter().enumerate().skip(1) {
            let this = terms.number(ROUNDING_WIDTH, number as u64);
            let is_this = terms.eq(mode, this);
            let value = terms.number(INT_WIDTH, value);
            result = terms.ite(is_this, value, result);
        }
        result
    }
}
