//! The concrete evaluator: the reference semantics of terms.
//!
//! Values are computed once per term, operands first, without recursion.

use crate::bitvec::BitVec;
use crate::float;
use crate::term::{Op, Term, TermStore};
use crate::value::{ArrayValue, Value};
use std::fmt;

/// A variable that the evaluation needs has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unassigned {
    pub variable: Term,
    pub name: String,
}

impl fmt::Display for Unassigned {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "the variable '{}' has no value", self.name)
    }
}

impl std::error::Error for Unassigned {}

/// Evaluates terms of one store under one assignment and remembers every value.
pub struct Evaluator<'a> {
    store: &'a TermStore,
    values: Vec<Option<Value>>,
    /// The terms whose value was computed rather than assigned.
    computed: Vec<Term>,
}

impl<'a> Evaluator<'a> {
    /// Nothing is assigned yet.
    pub fn new(store: &'a TermStore) -> Evaluator<'a> {
        Evaluator { store, values: vec![None; store.len()], computed: Vec::new() }
    }

    /// Gives a variable its value; if it had another, forgets what was computed from it. Panics
    /// on a value of another sort.
    pub fn assign(&mut self, variable: Term, value: Value) {
        assert_eq!(value.sort(), self.store.sort(variable), "a value has its variable's sort");
        // Nothing can have been computed from a variable without a value.
        if self.values[variable.index()].is_some() {
            for term in self.computed.drain(..) {
                self.values[term.index()] = None;
            }
        }
        self.values[variable.index()] = Some(value);
    }

    /// The value of a term under the assignment.
    pub fn eval(&mut self, term: Term) -> Result<&Value, Unassigned> {
        let mut stack = vec![term];
        while let Some(&term) = stack.last() {
            let height = stack.len();
            if self.values[term.index()].is_none() {
                let unknown = |t: &&Term| self.values[t.index()].is_none();
                stack.extend(self.store.args(term).iter().filter(unknown));
                if stack.len() > height {
                    continue;
                }
                self.values[term.index()] = Some(self.compute(term)?);
                self.computed.push(term);
            }
            stack.pop();
        }
        Ok(self.values[term.index()].as_ref().expect("just computed"))
    }

    /// The value of a bit-vector term. Panics on an array.
    pub fn eval_bv(&mut self, term: Term) -> Result<&BitVec, Unassigned> {
        self.eval(term).map(Value::bv)
    }

    /// Whether a term of width 1 holds.
    pub fn holds(&mut self, term: Term) -> Result<bool, Unassigned> {
        self.eval(term).map(Value::is_true)
    }

    /// The value of a term whose operands have values.
    fn compute(&self, term: Term) -> Result<Value, Unassigned> {
        let store = self.store;
        if let Some(name) = store.name(term) {
            return Err(Unassigned { variable: term, name: name.to_string() });
        }
        Ok(compute(store, term, |arg| {
            self.values[arg.index()].as_ref().expect("operands come first")
        }))
    }
}

/// The value of a term that is no variable, from the values of its operands.
pub fn compute<'v>(store: &TermStore, term: Term, value: impl Fn(Term) -> &'v Value) -> Value {
    if let Some(value) = store.value(term) {
        return Value::Bv(value.clone());
    }
    let arg = |i: usize| value(store.args(term)[i]);
    match store.op(term) {
        Op::Ite => (if arg(0).is_true() { arg(1) } else { arg(2) }).clone(),
        Op::Eq => (arg(0) == arg(1)).into(),
        Op::Read => Value::Bv(arg(0).array().read(arg(1).bv()).clone()),
        Op::Write => Value::Array(arg(0).array().write(arg(1).bv(), arg(2).bv())),
        Op::ConstArray(index) => Value::Array(ArrayValue::constant(index, arg(0).bv().clone())),
        Op::Float(op) => {
            let args: Vec<&BitVec> = (0..op.arity()).map(|i| arg(i).bv()).collect();
            Value::Bv(float::evaluate(op, &args))
        }
        op if op.arity() == 1 => Value::Bv(unary(op, arg(0).bv())),
        op => Value::Bv(binary(op, arg(0).bv(), arg(1).bv())),
    }
}

/// A unary kernel operator on bit-vectors.
pub(crate) fn unary(op: Op, a: &BitVec) -> BitVec {
    match op {
        Op::Not => a.not(),
        Op::Neg => a.neg(),
        Op::Slice { high, low } => a.slice(high, low),
        Op::Sext(by) => a.sext(by),
        _ => unreachable!("{op:?} is no unary operator on bit-vectors"),
    }
}

/// A binary kernel operator on bit-vectors.
pub(crate) fn binary(op: Op, a: &BitVec, b: &BitVec) -> BitVec {
    match op {
        Op::And => a.and(b),
        Op::Xor => a.xor(b),
        Op::Eq => (a == b).into(),
        Op::Ult => a.ult(b).into(),
        Op::Slt => a.slt(b).into(),
        Op::Add => a.add(b),
        Op::Mul => a.mul(b),
        Op::Udiv => a.udiv(b),
        Op::Urem => a.urem(b),
        Op::Sll => a.sll(b),
        Op::Srl => a.srl(b),
        Op::Sra => a.sra(b),
        Op::Concat => a.concat(b),
        _ => unreachable!("{op:?} is no binary operator on bit-vectors"),
    }
}
