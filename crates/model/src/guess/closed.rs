//! Closed forms of loops, from their text: what variables are after N rounds.
//!
//! In a loop that always changes its variables in the same way, some stand *still*, others are *steady*:
//! they change by an amount d that stands still; and others *grow*: they change by an amount that is linear in
//! steady ones. With x₀ where the loop begins, modulo 2^w:
//!
//! ```text
//! steady   x = x₀ + d N         so that  d_y (x − x₀) = d_x (y − y₀)  for any two
//! growing  2x = 2x₀ + 2a N + b (N² − N)  if round n adds  a + b n
//! ```
//!
//! N itself is known from any variable whose step is an odd number. Besides the equations there are the
//! bounds that conditions of the loop set to steady variables, and the conditions under which it is
//! entered. All of this holds on the way through one loop; what other ways do to it has to be found out.

use crate::cfa::{Block, Cfa, Exit, Liveness, SingleLoop};
use wedge_logic::ring::{Polynomial, inverse};
use wedge_logic::{Op, Sort, Substitution, Term, TermStore};

/// Guesses per cut point; loops that were tried have at most a dozen.
const MAX_GUESSES: usize = 120;

/// How a variable moves in a round.
enum Motion {
    Still,
    /// By this amount, of variables that stand still.
    Steady(Polynomial),
    /// By this amount, linear in steady variables.
    Growing(Polynomial),
    Wild,
}

struct Variable {
    term: Term,
    width: u32,
    motion: Motion,
    /// Its value where the loop begins, of variables that stand still.
    start: Option<Polynomial>,
}

/// For each cut point the guesses about it, formulas over the variables of the automaton. `terms` extends the
/// store of the system.
pub fn closed_forms(cfa: &Cfa, single: &SingleLoop, terms: &mut TermStore) -> Vec<Vec<Term>> {
    let live = Liveness::new(cfa);
    let mut all = vec![Vec::new()];
    for &location in &single.cuts[1..] {
        let is_word = |&variable: &Term| matches!(terms.sort(variable), Sort::Bv(2..=64));
        let variables = live.live_at(location).map(|index| cfa.variables[index]);
        let variables: Vec<Term> = variables.filter(is_word).collect();
        let leads_here = |exit: &&Exit| exit.to == location;
        let split = |is_own: bool| {
            let blocks = single.blocks.iter().filter(move |b| (b.cut == location) == is_own);
            blocks.flat_map(|block: &Block| &block.exits).filter(leads_here).collect::<Vec<&Exit>>()
        };
        let mut counted = Counted { rounds: split(true), entries: split(false), variables: vec![] };
        counted.classify(terms, &variables);
        let mut guesses = counted.guesses(terms);
        guesses.sort_unstable();
        guesses.dedup();
        guesses.retain(|&guess| !terms.is_const(guess));
        guesses.truncate(MAX_GUESSES);
        all.push(guesses);
    }
    all
}

/// A loop.
struct Counted<'a> {
    rounds: Vec<&'a Exit>,
    entries: Vec<&'a Exit>,
    variables: Vec<Variable>,
}

/// The value of a variable after an exit.
fn after(exit: &Exit, variable: Term) -> Term {
    exit.values.iter().find(|(changed, _)| *changed == variable).map_or(variable, |pair| pair.1)
}

impl Counted<'_> {
    fn classify(&mut self, terms: &mut TermStore, variables: &[Term]) {
        let step = |terms: &TermStore, term: Term| {
            let of = |exit: &&Exit| {
                let next = Polynomial::of(terms, after(exit, term))?;
                next.minus(&Polynomial::atom(terms.width(term), term))
            };
            let first = self.rounds.first().and_then(of)?;
            self.rounds.iter().all(|exit| of(exit).as_ref() == Some(&first)).then_some(first)
        };
        let steps: Vec<Option<Polynomial>> =
            variables.iter().map(|&term| step(terms, term)).collect();
        let is_still = |term: Term| {
            let place = variables.iter().position(|&variable| variable == term);
            place.is_some_and(|place| {
                let by_step = steps[place].as_ref().is_some_and(Polynomial::is_zero);
                by_step || self.rounds.is_empty()
            })
        };
        let is_steady = |term: Term| {
            let place = variables.iter().position(|&variable| variable == term);
            let step = place.and_then(|place| steps[place].as_ref());
            step.is_some_and(|step| step.atoms().into_iter().all(is_still))
        };
        for (&term, step) in variables.iter().zip(&steps) {
            let motion = match step {
                _ if is_still(term) => Motion::Still,
                Some(step) if is_steady(term) => Motion::Steady(step.clone()),
                Some(step) if is_linear(step, &is_still, &is_steady) => {
                    Motion::Growing(step.clone())
                }
                _ => Motion::Wild,
            };
            let start = self.start(terms, term, variables, &is_still);
            let width = terms.width(term);
            self.variables.push(Variable { term, width, motion, start });
        }
    }

    /// What a variable is where the loop begins: a number, or a number more than one that stands still.
    fn start(
        &self,
        terms: &TermStore,
        term: Term,
        variables: &[Term],
        is_still: &impl Fn(Term) -> bool,
    ) -> Option<Polynomial> {
        let width = terms.width(term);
        let value = |exit: &Exit, of: Term| Polynomial::of(terms, after(exit, of));
        let alike = variables
            .iter()
            .filter(|&&other| other != term && terms.width(other) == width && is_still(other));
        let candidates = alike.map(|&other| Some(other)).chain([None]);
        for base in candidates {
            let offset = |exit: &&Exit| {
                let difference = match base {
                    Some(base) => value(exit, term)?.minus(&value(exit, base)?)?,
                    None => value(exit, term)?,
                };
                difference.value()
            };
            let Some(first) = self.entries.first().and_then(offset) else { continue };
            if self.entries.iter().all(|exit| offset(exit) == Some(first)) {
                let zero = Polynomial::constant(width, 0);
                let base = base.map_or(zero, |base| Polynomial::atom(width, base));
                return Some(base.plus_constant(first));
            }
        }
        None
    }

    fn guesses(&self, terms: &mut TermStore) -> Vec<Term> {
        let mut found = Vec::new();
        for (place, variable) in self.variables.iter().enumerate() {
            let others = self.variables[..place].iter();
            found.extend(others.filter_map(|other| Self::pair(variable, other)));
            found.extend(self.growth(variable));
        }
        let mut guesses: Vec<Term> = found
            .iter()
            .map(|zero| {
                let zero_term = terms.zero(zero.width());
                let pivot = zero.atoms().into_iter().rev().find_map(|atom| {
                    let solved = zero.solved_for(atom).filter(|_| terms.is_var(atom))?;
                    Some((atom, solved))
                });
                match pivot {
                    Some((atom, solved)) => {
                        let value = solved.term(terms);
                        terms.eq(atom, value)
                    }
                    None => {
                        let sum = zero.term(terms);
                        terms.eq(sum, zero_term)
                    }
                }
            })
            .collect();
        guesses.extend(self.bounds(terms));
        guesses.extend(self.entry_conditions(terms));
        guesses
    }

    /// d_y (x − x₀) − d_x (y − y₀), where both d are divided by the powers of 2 that they share.
    fn pair(x: &Variable, y: &Variable) -> Option<Polynomial> {
        let (Motion::Steady(dx), Motion::Steady(dy)) = (&x.motion, &y.motion) else { return None };
        if x.width != y.width {
            return None;
        }
        let gone = |v: &Variable| Polynomial::atom(v.width, v.term).minus(v.start.as_ref()?);
        let (mut dx, mut dy) = (dx.clone(), dy.clone());
        while let (Some(half), Some(other)) = (dx.half(), dy.half()) {
            (dx, dy) = (half, other);
        }
        dy.times(&gone(x)?)?.minus(&dx.times(&gone(y)?)?)
    }

    /// 2x − 2x₀ − 2a N − b (N² − N), or half of it if b is even.
    fn growth(&self, x: &Variable) -> Option<Polynomial> {
        let Motion::Growing(step) = &x.motion else { return None };
        let rounds = self.variables.iter().find_map(|counter| self.rounds_of(counter, x.width))?;
        let zero = Polynomial::constant(x.width, 0);
        let (mut a, mut b) = (zero.clone(), zero);
        for (atoms, coefficient) in step.monomials() {
            let mut factor = Polynomial::constant(x.width, coefficient);
            let mut steady = None;
            for &atom in atoms {
                let variable = self.variables.iter().find(|v| v.term == atom)?;
                match &variable.motion {
                    Motion::Steady(by) => steady = Some((variable.start.as_ref()?, by)),
                    _ => factor = factor.times(&Polynomial::atom(x.width, atom))?,
                }
            }
            match steady {
                Some((start, by)) => {
                    a = a.plus(&factor.times(start)?)?;
                    b = b.plus(&factor.times(by)?)?;
                }
                None => a = a.plus(&factor)?,
            }
        }
        let gone = Polynomial::atom(x.width, x.term).minus(x.start.as_ref()?)?;
        let (linear, square) = (a.times(&rounds)?, rounds.times(&rounds)?.minus(&rounds)?);
        match b.half() {
            Some(half) => gone.minus(&linear)?.minus(&half.times(&square)?),
            None => gone.scaled(2).minus(&linear.scaled(2))?.minus(&b.times(&square)?),
        }
    }

    /// The number of rounds, by a variable with an odd step.
    fn rounds_of(&self, counter: &Variable, width: u32) -> Option<Polynomial> {
        let Motion::Steady(step) = &counter.motion else { return None };
        let step = step.value().filter(|step| step % 2 == 1 && counter.width == width)?;
        let gone = Polynomial::atom(width, counter.term).minus(counter.start.as_ref()?)?;
        Some(gone.scaled(inverse(step)))
    }

    /// What the conditions of a round leave open about steady variables: one round more than allowed.
    fn bounds(&self, terms: &mut TermStore) -> Vec<Term> {
        let mut found = Vec::new();
        let is_of = |terms: &TermStore, term: Term, steady: bool| {
            let free = terms.free_vars(&[term]);
            let fits = |v: &Variable| match v.motion {
                Motion::Still => !steady,
                Motion::Steady(_) => steady,
                _ => false,
            };
            let known = |var: &Term| self.variables.iter().any(|v| v.term == *var && fits(v));
            free.iter().all(known) && (!steady || !free.is_empty())
        };
        for exit in &self.rounds {
            for part in terms.conjuncts(exit.condition) {
                let (inner, is_strict) = match terms.op(part) {
                    Op::Not => (terms.args(part)[0], false),
                    _ => (part, true),
                };
                let op = terms.op(inner);
                let &[left, right] = terms.args(inner) else { continue };
                let (less, more) = if is_strict { (left, right) } else { (right, left) };
                let at_most = |terms: &mut TermStore, op, less, more| {
                    let beyond = terms.rebuild(op, &[more, less]);
                    terms.not(beyond)
                };
                match op {
                    Op::Ult | Op::Slt if is_of(terms, less, true) && is_of(terms, more, false) => {
                        let most = if is_strict { more } else { terms.inc(more) };
                        found.push(at_most(terms, op, less, most));
                    }
                    Op::Ult | Op::Slt if is_of(terms, more, true) && is_of(terms, less, false) => {
                        let least = if is_strict { less } else { terms.dec(less) };
                        found.push(at_most(terms, op, least, more));
                    }
                    Op::Eq if !is_strict && !terms.sort(left).is_array() => {
                        for op in [Op::Ult, Op::Slt] {
                            found.push(at_most(terms, op, left, right));
                            found.push(at_most(terms, op, right, left));
                        }
                    }
                    _ => {}
                }
            }
        }
        for variable in &self.variables {
            if let (Motion::Steady(_), Some(start)) = (&variable.motion, &variable.start) {
                let start = start.term(terms);
                found.push(terms.uge(variable.term, start));
                found.push(terms.ule(variable.term, start));
                found.push(terms.sge(variable.term, start));
                found.push(terms.sle(variable.term, start));
            }
        }
        found
    }

    /// The conditions under which the loop is entered, as far as they speak of what stands still in it.
    fn entry_conditions(&self, terms: &mut TermStore) -> Vec<Term> {
        let still: Vec<Term> = self
            .variables
            .iter()
            .filter(|variable| matches!(variable.motion, Motion::Still))
            .map(|variable| variable.term)
            .collect();
        let mut found = Vec::new();
        for entry in &self.entries {
            let mut names: Vec<(Term, Term)> = Vec::new();
            for &variable in &still {
                let value = after(entry, variable);
                if !terms.is_const(value) {
                    names.push((value, variable));
                } else {
                    found.push(terms.eq(variable, value));
                }
            }
            let mut renamed = Substitution::new(names);
            for part in terms.conjuncts(entry.condition) {
                let part = renamed.apply(terms, part);
                let free = terms.free_vars(&[part]);
                if !free.is_empty() && free.iter().all(|var| still.contains(var)) {
                    found.push(part);
                }
            }
        }
        found
    }
}

/// Whether each product has at most one steady factor, and otherwise such as stand still.
fn is_linear(
    step: &Polynomial,
    is_still: &impl Fn(Term) -> bool,
    is_steady: &impl Fn(Term) -> bool,
) -> bool {
    step.monomials().all(|(atoms, _)| {
        let moving: Vec<Term> = atoms.iter().copied().filter(|&atom| !is_still(atom)).collect();
        moving.len() <= 1 && moving.into_iter().all(is_steady)
    })
}
