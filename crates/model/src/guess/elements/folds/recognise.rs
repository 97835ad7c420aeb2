//! What an iteration joins to a variable: of `s + f(a[i])` it is `f(a[i])`, joined by addition.

use wedge_logic::folds::Joint;
use wedge_logic::{BitVec, Evaluator, Op, Sort, Term, TermStore, Value};

/// How deep choices are looked into.
const MAX_DEPTH: usize = 8;

/// All ways in which a variable becomes a value by having something joined to it.
pub fn recognised(terms: &mut TermStore, variable: Term, value: Term) -> Vec<(Joint, Term)> {
    let mut found = Vec::new();
    let Sort::Bv(2..=64) = terms.sort(variable) else { return found };
    if value == variable {
        return found;
    }
    for joint in Joint::ALL {
        let mut search = Search { terms, variable, joint };
        if let Some(step) = search.step(value, MAX_DEPTH) {
            let args = terms.args(step).to_vec();
            // What is subtracted is added elsewhere, perhaps: one fold serves for both.
            let step = match (joint, terms.op(step)) {
                (Joint::Sum, Op::Neg) => args[0],
                _ => step,
            };
            found.push((joint, step));
        }
    }
    found
}

struct Search<'a> {
    terms: &'a mut TermStore,
    variable: Term,
    joint: Joint,
}

impl Search<'_> {
    fn speaks(&self, term: Term) -> bool {
        self.terms.free_vars(&[term]).contains(&self.variable)
    }

    /// What is joined to the variable, if the value is that.
    fn step(&mut self, value: Term, depth: usize) -> Option<Term> {
        let width = self.terms.width(self.variable);
        if value == self.variable {
            return Some(self.joint.unit(self.terms, width));
        }
        let depth = depth.checked_sub(1)?;
        let args = self.terms.args(value).to_vec();
        match (self.joint, self.terms.op(value)) {
            (_, Op::Ite) if !self.speaks(args[0]) => {
                let (a, b) = (self.step(args[1], depth)?, self.step(args[2], depth)?);
                Some(self.terms.ite(args[0], a, b))
            }
            (Joint::Max | Joint::Min, Op::Ite) => self.extreme(value),
            (Joint::Sum, Op::Add) | (Joint::Xor, Op::Xor) | (Joint::And, Op::And) => {
                let place = args.iter().position(|&arg| self.speaks(arg))?;
                let other = args[1 - place];
                if self.speaks(other) {
                    return None;
                }
                let step = self.step(args[place], depth)?;
                Some(self.joint.join(self.terms, step, other))
            }
            // a | b is ~(~a & ~b)
            (Joint::Or, Op::Not) => {
                let mut dual =
                    Search { terms: self.terms, variable: self.variable, joint: Joint::And };
                let step = dual.negated(args[0], depth)?;
                Some(self.terms.not(step))
            }
            _ => None,
        }
    }

    /// What is joined to the negation of the variable.
    fn negated(&mut self, value: Term, depth: usize) -> Option<Term> {
        let depth = depth.checked_sub(1)?;
        let args = self.terms.args(value).to_vec();
        match self.terms.op(value) {
            Op::Not if args[0] == self.variable => {
                Some(self.terms.ones(self.terms.width(self.variable)))
            }
            Op::And => {
                let place = args.iter().position(|&arg| self.speaks(arg))?;
                let other = args[1 - place];
                if self.speaks(other) {
                    return None;
                }
                let step = self.negated(args[place], depth)?;
                Some(self.terms.and(step, other))
            }
            _ => None,
        }
    }

    /// c ? e : v, or c ? v : e, where that is the larger or the smaller of both.
    fn extreme(&mut self, value: Term) -> Option<Term> {
        let args = self.terms.args(value).to_vec();
        let other = match (args[1] == self.variable, args[2] == self.variable) {
            (true, false) => args[2],
            (false, true) => args[1],
            _ => return None,
        };
        if self.speaks(other) {
            return None;
        }
        let width = self.terms.width(self.variable);
        let word = self.terms.fresh_var("other", Sort::Bv(width));
        let choice = self.terms.substitute(value, &[(other, word)]);
        let free = self.terms.free_vars(&[choice]);
        if free.iter().any(|&v| v != word && v != self.variable) {
            return None;
        }
        let mut evaluator = Evaluator::new(self.terms);
        let ones = u64::MAX >> (64 - width);
        let numbers = [0, 1, 2, ones, ones - 1, ones >> 1, (ones >> 1) + 1, 5 & ones];
        for a in numbers {
            for b in numbers {
                evaluator.assign(self.variable, Value::Bv(BitVec::new(width, a)));
                evaluator.assign(word, Value::Bv(BitVec::new(width, b)));
                let chosen = evaluator.eval_bv(choice).ok()?.to_u64()?;
                if chosen != joined(self.joint, width, a, b) {
                    return None;
                }
            }
        }
        Some(other)
    }
}

/// Two numbers of a width, joined.
pub fn joined(joint: Joint, width: u32, a: u64, b: u64) -> u64 {
    let mask = u64::MAX >> (64 - width);
    let signed = |value: u64| ((value << (64 - width)) as i64) >> (64 - width);
    let by = |is_first: bool| if is_first { a } else { b };
    match joint {
        Joint::Sum => a.wrapping_add(b) & mask,
        Joint::Xor => a ^ b,
        Joint::And => a & b,
        Joint::Or => a | b,
        Joint::Max => by(signed(a) >= signed(b)),
        Joint::Min => by(signed(a) <= signed(b)),
    }
}

/// What joining no numbers gives.
pub fn unit(joint: Joint, width: u32) -> u64 {
    let mask = u64::MAX >> (64 - width);
    match joint {
        Joint::Sum | Joint::Xor | Joint::Or => 0,
        Joint::And => mask,
        Joint::Max => 1 << (width - 1),
        Joint::Min => mask >> 1,
    }
}
