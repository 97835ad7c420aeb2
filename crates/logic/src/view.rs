//! Kernel terms seen as surface operators again, for printing.
//!
//! The constructors reduce `or` to `and` and `not`, `sub` to `add` and `neg` and so on; a view
//! recognises these patterns, so that printed formulas read as they were written.

use crate::term::{MAX_ARITY, Op, Operator, Term, TermStore};

/// An operator and its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    pub operator: Operator,
    operands: [Term; MAX_ARITY],
}

impl View {
    fn new(operator: Operator, args: &[Term]) -> View {
        let mut operands = [args[0]; MAX_ARITY];
        operands[..args.len()].copy_from_slice(args);
        View { operator, operands }
    }

    pub fn operands(&self) -> &[Term] {
        &self.operands[..self.operator.arity()]
    }
}

/// The term as an operator on other terms; `None` for constants and variables.
pub fn view(store: &TermStore, term: Term) -> Option<View> {
    let args = store.args(term);
    let operator = match store.op(term) {
        Op::Const(_) | Op::Var(_) => return None,
        Op::Not => return Some(view_not(store, args[0])),
        Op::Add => return Some(view_add(store, args)),
        Op::Concat if store.value(args[0]).is_some_and(|value| value.is_zero()) => {
            return Some(View::new(Operator::Zext(store.width(args[0])), &args[1..]));
        }
        op => plain(op),
    };
    Some(View::new(operator, args))
}

fn view_not(store: &TermStore, inner: Term) -> View {
    let args = store.args(inner);
    match store.op(inner) {
        Op::And => view_not_and(store, inner),
        Op::Xor => View::new(Operator::Xnor, args),
        Op::Eq => View::new(Operator::Neq, args),
        Op::Ult => View::new(Operator::Ule, &[args[1], args[0]]),
        Op::Slt => View::new(Operator::Sle, &[args[1], args[0]]),
        _ => View::new(Operator::Not, &[inner]),
    }
}

/// A disjunction if both operands are negated; an implication if one is, for single bits.
fn view_not_and(store: &TermStore, and: Term) -> View {
    let under = |t: Term| (store.op(t) == Op::Not).then(|| store.args(t)[0]);
    let (a, b) = (store.args(and)[0], store.args(and)[1]);
    match (under(a), under(b)) {
        (Some(a), Some(b)) => View::new(Operator::Or, &[a, b]),
        (None, Some(b)) if store.width(and) == 1 => View::new(Operator::Implies, &[a, b]),
        (Some(a), None) if store.width(and) == 1 => View::new(Operator::Implies, &[b, a]),
        _ => View::new(Operator::Not, &[and]),
    }
}

fn view_add(store: &TermStore, args: &[Term]) -> View {
    let under = |t: Term| (store.op(t) == Op::Neg).then(|| store.args(t)[0]);
    match (under(args[0]), under(args[1])) {
        (_, Some(b)) => View::new(Operator::Sub, &[args[0], b]),
        (Some(a), None) => View::new(Operator::Sub, &[args[1], a]),
        (None, None) => View::new(Operator::Add, args),
    }
}

/// The surface operator of the same name.
fn plain(op: Op) -> Operator {
    match op {
        Op::Not => Operator::Not,
        Op::Neg => Operator::Neg,
        Op::And => Operator::And,
        Op::Xor => Operator::Xor,
        Op::Eq => Operator::Eq,
        Op::Ult => Operator::Ult,
        Op::Slt => Operator::Slt,
        Op::Add => Operator::Add,
        Op::Mul => Operator::Mul,
        Op::Udiv => Operator::Udiv,
        Op::Urem => Operator::Urem,
        Op::Sll => Operator::Sll,
        Op::Srl => Operator::Srl,
        Op::Sra => Operator::Sra,
        Op::Concat => Operator::Concat,
        Op::Slice { high, low } => Operator::Slice { high, low },
        Op::Sext(by) => Operator::Sext(by),
        Op::Ite => Operator::Ite,
        Op::Read => Operator::Read,
        Op::Write => Operator::Write,
        Op::ConstArray(index) => Operator::ConstArray { index },
        Op::Float(op) => Operator::Float(op),
        Op::Const(_) | Op::Var(_) => unreachable!("leaves are no operators"),
    }
}

/// Everything reachable from `roots` through views, operands before users, stopping at (and
/// leaving out) the terms for which `skip` holds.
pub fn view_cone(store: &TermStore, roots: &[Term], skip: impl Fn(Term) -> bool) -> Vec<Term> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if !skip(term)
            && seen.insert(term)
            && let Some(view) = view(store, term)
        {
            stack.extend_from_slice(view.operands());
        }
    }
    let mut cone: Vec<Term> = seen.into_iter().collect();
    cone.sort_unstable();
    cone
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    /// Building the surface term and viewing it gives it back.
    fn returns(operator: Operator, width: u32) {
        let mut store = TermStore::new();
        let a = store.var("a", Sort::Bv(width));
        let b = store.var("b", Sort::Bv(width));
        let args = &[a, b][..operator.arity()];
        let term = store.apply(operator, args).expect("well-sorted");
        let view = view(&store, term).expect("no leaf");
        assert_eq!((view.operator, view.operands()), (operator, args), "{operator:?}");
    }

    #[test]
    fn surface_operators_return() {
        for operator in [
            Operator::Not,
            Operator::Or,
            Operator::Xnor,
            Operator::Neq,
            Operator::Ule,
            Operator::Sle,
            Operator::Sub,
            Operator::Zext(3),
            Operator::Sext(3),
            Operator::Slice { high: 2, low: 1 },
            Operator::Concat,
            Operator::Sll,
        ] {
            returns(operator, 4);
        }
        returns(Operator::Implies, 1);
    }

    #[test]
    fn a_partly_negated_conjunction_of_words_stays() {
        let mut store = TermStore::new();
        let a = store.var("a", Sort::Bv(4));
        let b = store.var("b", Sort::Bv(4));
        let term = store.nand(a, b);
        assert_eq!(view(&store, term).map(|v| v.operator), Some(Operator::Not));
        assert_eq!(view(&store, a), None);
    }
}
