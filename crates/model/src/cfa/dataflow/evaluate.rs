//! One edge on abstract states: its terms are evaluated bottom-up, its guard refines what is known
//! about them top-down (module `refine`), and the updates are read off.

use super::env::Env;
use super::float;
use super::value::Value;
use super::word::{MAX_WIDTH, Word};
use super::{Comparisons, arith};
use crate::cfa::symbols::{Symbol, Symbols};
use crate::cfa::{Cfa, EdgeId};
use wedge_logic::{BitVec, Op, Sort, Term, TermStore};

/// How deep the branches of a choice are evaluated again under its condition.
const BRANCH_DEPTH: u32 = 3;

pub struct Evaluation<'a> {
    pub cfa: &'a Cfa,
    symbols: &'a Symbols,
    pub comparisons: &'a Comparisons,
    /// For each edge its terms, operands first.
    cones: Vec<Option<Box<[Term]>>>,
    /// By term; none if nothing is known, or the term is not part of the edge in work.
    values: Vec<Option<Value>>,
    /// The terms that have changed, with what was known before.
    pub(super) log: Vec<(Term, Option<Value>)>,
    /// Terms evaluated so far.
    pub work: u64,
}

impl<'a> Evaluation<'a> {
    pub fn new(cfa: &'a Cfa, symbols: &'a Symbols, comparisons: &'a Comparisons) -> Evaluation<'a> {
        let cones = vec![None; cfa.edges.len()];
        let values = vec![None; cfa.terms.len()];
        Evaluation { cfa, symbols, comparisons, cones, values, log: Vec::new(), work: 0 }
    }

    /// What holds after the edge if `env` holds before; none if it cannot be taken.
    pub fn transfer(&mut self, edge: EdgeId, env: &Env) -> Option<Env> {
        let cone = match self.cones[edge.0 as usize].take() {
            Some(cone) => cone,
            None => {
                let roots: Vec<Term> = self.cfa.edge(edge).roots().collect();
                self.cfa.terms.cone(&roots).into_boxed_slice()
            }
        };
        self.work += 1 + cone.len() as u64;
        let after = self.taken(&cone, edge, env);
        for &term in &*cone {
            self.values[term.index()] = None;
        }
        self.log.clear();
        self.cones[edge.0 as usize] = Some(cone);
        after
    }

    fn taken(&mut self, cone: &[Term], edge: EdgeId, env: &Env) -> Option<Env> {
        for &term in cone {
            self.values[term.index()] = self.value_of(term, env);
        }
        let edge = self.cfa.edge(edge);
        let always = Word::constant(1, 1).into();
        self.restrict(edge.guard, always).then_some(())?;
        if !self.log.is_empty() {
            self.work += cone.len() as u64;
            for &term in cone {
                self.sharpen(term).then_some(())?;
            }
        }
        let mut after = env.clone();
        for &(term, _) in &self.log {
            if let Some(Symbol::Variable(variable)) = self.symbols.get(term) {
                after.set(variable, self.values[term.index()]);
            }
        }
        for &(variable, value) in &edge.updates {
            if let Some(variable) = self.symbols.variable(variable) {
                after.set(variable, self.values[value.index()]);
            }
        }
        Some(after)
    }

    fn value_of(&mut self, term: Term, env: &Env) -> Option<Value> {
        match self.symbols.get(term) {
            Some(Symbol::Variable(variable)) => match env.get(variable) {
                Some(value) => Some(*value),
                None => top(&self.cfa.terms, term),
            },
            Some(Symbol::Input(_)) => top(&self.cfa.terms, term),
            None => self.compute(term),
        }
    }

    /// Evaluates a term again after its operands were refined; false if it has no value left.
    fn sharpen(&mut self, term: Term) -> bool {
        if self.cfa.terms.args(term).is_empty() {
            return true;
        }
        match self.compute(term) {
            Some(value) => self.restrict(term, value),
            None => true,
        }
    }

    /// What is known about a term of the edge in work, or a constant.
    pub fn known(&self, term: Term) -> Option<Value> {
        if let Some((width, bits)) = self.comparisons.constant(term) {
            return Some(Word::constant(width, bits).into());
        }
        let value = self.cfa.terms.value(term).and_then(constant).map(Value::from);
        value.or_else(|| self.values[term.index()])
    }

    /// Whether a term is a constant, perhaps one that only a comparison speaks of.
    pub(super) fn is_fixed(&self, term: Term) -> bool {
        self.comparisons.constant(term).is_some() || self.cfa.terms.is_const(term)
    }

    /// Constants stay what they are.
    pub(super) fn set(&mut self, term: Term, value: Option<Value>) {
        if self.is_fixed(term) {
            return;
        }
        let old = std::mem::replace(&mut self.values[term.index()], value);
        self.log.push((term, old));
    }

    fn undo(&mut self, length: usize) {
        while self.log.len() > length {
            if let Some((term, value)) = self.log.pop() {
                self.values[term.index()] = value;
            }
        }
    }

    /// The value of a term that is no variable, from those of its operands.
    fn compute(&mut self, term: Term) -> Option<Value> {
        if self.cfa.terms.op(term) != Op::Ite {
            return self.apply(term, &|this, arg| this.known(arg));
        }
        let &[condition, then, other] = self.cfa.terms.args(term) else { return None };
        match self.known(condition).and_then(|value| value.word.truth()) {
            Some(true) => self.known(then),
            Some(false) => self.known(other),
            None => {
                let then = self.branch(condition, true, then);
                let other = self.branch(condition, false, other);
                match (then, other) {
                    (Some(then), Some(other)) => Some(then?.join(&other?)),
                    (then, other) => then.or(other).unwrap_or_else(|| top(&self.cfa.terms, term)),
                }
            }
        }
    }

    /// The value of a branch where the condition has this value; the outer option is none if it
    /// cannot have it.
    fn branch(&mut self, condition: Term, holds: bool, branch: Term) -> Option<Option<Value>> {
        let length = self.log.len();
        let holds = Word::constant(1, holds as u64).into();
        let possible = self.restrict(condition, holds);
        let changed = self.log.len() > length + 1;
        let value = match possible {
            true if changed => Some(self.deep(branch, BRANCH_DEPTH)),
            true => Some(self.known(branch)),
            false => None,
        };
        self.undo(length);
        value
    }

    /// The value of a term from what is known about the terms some levels below.
    fn deep(&self, term: Term, depth: u32) -> Option<Value> {
        let known = self.known(term);
        if depth == 0 || self.is_fixed(term) || self.cfa.terms.args(term).is_empty() {
            return known;
        }
        let again = self.apply(term, &|this, arg| this.deep(arg, depth - 1));
        match (known, again) {
            (Some(known), Some(again)) => Some(known.meet(&again).unwrap_or(known)),
            (known, again) => known.or(again),
        }
    }

    fn apply(&self, term: Term, value: &dyn Fn(&Self, Term) -> Option<Value>) -> Option<Value> {
        let terms = &self.cfa.terms;
        let args = terms.args(term);
        if let Some(comparison) = self.comparisons.get(term) {
            let ranges = comparison.operands.map(|operand| value(self, operand)?.range());
            if let Some(truth) = comparison.truth(ranges) {
                return Some(Word::bool(Some(truth)).into());
            }
        }
        let op = terms.op(term);
        if op == Op::Ite {
            let condition = value(self, args[0]).and_then(|value| value.word.truth());
            return match condition {
                Some(true) => value(self, args[1]),
                Some(false) => value(self, args[2]),
                None => Some(value(self, args[1])?.join(&value(self, args[2])?)),
            };
        }
        let mut values = [None; 4];
        for (slot, &arg) in values.iter_mut().zip(args) {
            *slot = value(self, arg);
        }
        let values = &values[..args.len()];
        let result = match op {
            Op::Const(_) => terms.value(term).and_then(constant).map(Value::from),
            Op::Float(op) => float::apply(op, values),
            Op::Concat => words(op, values).map(|word| {
                let of = float::magnitude_of(terms, args);
                let of = of.and_then(|(of, negates)| Some((value(self, of)?, negates)));
                float::with_sign(word, values[0], of)
            }),
            _ => words(op, values).map(Value::from),
        };
        result.or_else(|| top(terms, term))
    }
}

/// Nothing is known; none where nothing ever is.
pub fn top(terms: &TermStore, term: Term) -> Option<Value> {
    match terms.sort(term) {
        Sort::Bv(width) if width <= MAX_WIDTH => Some(Word::top(width).into()),
        _ => None,
    }
}

fn constant(value: &BitVec) -> Option<Word> {
    (value.width() <= MAX_WIDTH).then_some(())?;
    Some(Word::constant(value.width(), value.to_u64()?))
}

/// The operators on bit-vectors; none if nothing is known about an operand or the result.
fn words(op: Op, values: &[Option<Value>]) -> Option<Word> {
    let word = |place: usize| values.get(place)?.as_ref().map(|value| value.word);
    let a = word(0)?;
    Some(match op {
        Op::Not => arith::not(&a),
        Op::Neg => arith::neg(&a),
        Op::Slice { high, low } => arith::slice(&a, high, low),
        Op::Sext(by) if a.width + by <= MAX_WIDTH => arith::sext(&a, by),
        Op::And => arith::and(&a, &word(1)?),
        Op::Xor => arith::xor(&a, &word(1)?),
        Op::Eq => Word::bool(arith::equal(&a, &word(1)?)),
        Op::Ult => Word::bool(arith::ult(&a, &word(1)?)),
        Op::Slt => Word::bool(arith::slt(&a, &word(1)?)),
        Op::Add => arith::add(&a, &word(1)?),
        Op::Mul => arith::mul(&a, &word(1)?),
        Op::Udiv => arith::udiv(&a, &word(1)?),
        Op::Urem => arith::urem(&a, &word(1)?),
        Op::Sll => arith::sll(&a, &word(1)?),
        Op::Srl => arith::srl(&a, &word(1)?),
        Op::Sra => arith::sra(&a, &word(1)?),
        Op::Concat if a.width + word(1)?.width <= MAX_WIDTH => arith::concat(&a, &word(1)?),
        _ => return None,
    })
}
