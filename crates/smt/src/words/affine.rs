//! The linear equations, modulo 2^width, that hold in a whole set of states.
//!
//! Elder, Lim, Sharma, Andersen, Reps, "Abstract domains of affine relations" (SAS 2011): the
//! equations that hold in some states are a module over the numbers modulo 2^width, here given by
//! generators. In one state every word equals its value. As long as the set has a state in which a
//! generator does not hold, that state is found, and the generators become those of the equations
//! that hold there, too. In the same way, equations become those that stay true from step to step
//! (Karr's analysis of programs): `x == n` and `y == 0` become `x + y == n` where x is moved to y.

use super::inductive::Step;
use super::set::Set;
use super::vocabulary::{Fact, Vocabulary};
use wedge_logic::Lit;
use wedge_logic::atoms::{Atom, PARTS, Relation, Side, mask};
use wedge_sat::session::Answer;

/// States that are joined for one width.
const MAX_STATES: usize = 60;

/// The equations about words of the same width that hold in the set.
///
/// Requires: the set is not empty.
pub(super) fn equations(
    set: &mut Set,
    vocabulary: &mut Vocabulary,
    words: &[usize],
) -> Result<Vec<Atom>, Answer> {
    let mut widths: Vec<u32> = words.iter().map(|&word| vocabulary.width(word)).collect();
    widths.sort_unstable();
    widths.dedup();
    let mut found = Vec::new();
    for width in widths.into_iter().filter(|&width| width > 1) {
        let same = words.iter().copied().filter(|&word| vocabulary.width(word) == width);
        let words: Vec<usize> = same.collect();
        found.extend(of_one_width(set, vocabulary, words, width)?);
    }
    Ok(found)
}

fn of_one_width(
    set: &mut Set,
    vocabulary: &mut Vocabulary,
    words: Vec<usize>,
    width: u32,
) -> Result<Vec<Atom>, Answer> {
    if set.solve(&[]) != Answer::Sat {
        return Err(Answer::Stopped);
    }
    let values = set.values(vocabulary);
    let mut module = Module::new(words, width, &values);
    for _ in 0..MAX_STATES {
        let atoms = module.atoms();
        let some_fails = set.session.new_var();
        let mut clause = vec![-some_fails];
        for &atom in &atoms {
            let lit = vocabulary.literal(&Fact::Atom { place: None, atom });
            if lit != Lit::TRUE {
                clause.push(-set.literal(vocabulary, lit));
            }
        }
        set.session.add_clause(&clause);
        let answer = set.solve(&[some_fails]);
        let values = match answer {
            Answer::Sat => set.values(vocabulary),
            _ => Vec::new(),
        };
        set.session.add_clause(&[-some_fails]);
        match answer {
            Answer::Unsat => return Ok(atoms),
            Answer::Stopped => return Err(Answer::Stopped),
            Answer::Sat => module.join(&values),
        }
    }
    // Too many states for equations worth having.
    Ok(Vec::new())
}

/// Of the equations that follow from these facts, those that together stay true in the step; none
/// if the effort does not suffice.
pub(super) fn stable_equations(
    step: &mut Step,
    vocabulary: &mut Vocabulary,
    facts: &[Fact],
) -> Option<Vec<Fact>> {
    let mut modules = modules(vocabulary, facts);
    for _ in 0..MAX_STATES {
        let of_one = |(place, module): &(Option<u64>, Module)| {
            let place = *place;
            module.atoms().into_iter().map(move |atom| Fact::Atom { place, atom })
        };
        let equations: Vec<Fact> = modules.iter().flat_map(of_one).collect();
        let mut assumptions = step.assumptions.clone();
        let some_fails = step.session.new_var();
        let mut clause = vec![-some_fails];
        for fact in &equations {
            let lit = vocabulary.literal(fact);
            assumptions.push(step.before.literal(&vocabulary.aig, lit, step.session));
            clause.push(-step.after.literal(&vocabulary.aig, lit, step.session));
        }
        step.session.add_clause(&clause);
        let (session, view, effort) = (&mut *step.session, &mut *step.after, step.effort);
        let mut after = Set { session, view, assumptions, effort };
        // e₁(s) ∧ e₂(s) ∧ … ∧ T(s,s') ∧ (¬e₁(s') ∨ ¬e₂(s') ∨ …)
        let answer = after.solve(&[some_fails]);
        if answer == Answer::Sat {
            let values = after.values(vocabulary);
            let here = vocabulary.control().map(|word| values[word]);
            let there = modules.iter_mut().filter(|(place, _)| place.is_none() || *place == here);
            there.for_each(|(_, module)| module.join(&values));
        }
        step.session.add_clause(&[-some_fails]);
        match answer {
            Answer::Sat => {}
            Answer::Unsat => return Some(equations),
            Answer::Stopped => return None,
        }
    }
    None
}

/// The equations among the facts, by place and width.
fn modules(vocabulary: &Vocabulary, facts: &[Fact]) -> Vec<(Option<u64>, Module)> {
    let mut modules: Vec<(Option<u64>, Module)> = Vec::new();
    for fact in facts {
        let Fact::Atom { place, atom } = fact else { continue };
        let Some((parts, value)) = linear(atom) else { continue };
        let width = vocabulary.width(parts[0].0);
        let known = modules.iter().position(|(p, module)| p == place && module.width == width);
        let at = known.unwrap_or_else(|| {
            let same = |&word: &usize| vocabulary.width(word) == width;
            let words = (0..vocabulary.len()).filter(same).collect();
            modules.push((*place, Module { words, width, rows: Vec::new() }));
            modules.len() - 1
        });
        let module = &mut modules[at].1;
        let mut factors = vec![0; module.words.len()];
        for (word, factor) in parts {
            let column = module.words.iter().position(|&other| other == word);
            factors[column.expect("words of this width")] = factor & mask(width);
        }
        module.rows.push(Row { factors, value });
    }
    modules
}

/// An atom as words with their factors and the value of their sum, if it is an equation.
fn linear(atom: &Atom) -> Option<(Vec<(usize, u64)>, u64)> {
    let minus = u64::MAX;
    Some(match *atom {
        Atom::Compare(Relation::Eq, Side::Word(word), Side::Value(value)) => {
            (vec![(word, 1)], value)
        }
        Atom::Compare(Relation::Eq, Side::Word(left), Side::Word(right)) => {
            (vec![(left, 1), (right, minus)], 0)
        }
        Atom::Sum { left, right, value } => (vec![(left, 1), (right, 1)], value),
        Atom::Difference { left, right, value } => (vec![(left, 1), (right, minus)], value),
        Atom::Linear { parts, value } => {
            (parts.into_iter().filter(|part| part.1 != 0).collect(), value)
        }
        _ => return None,
    })
}

/// An equation: the sum of the words times their factors is the value.
#[derive(Clone, Debug)]
struct Row {
    factors: Vec<u64>,
    value: u64,
}

/// Invariant: the rows generate all equations that hold in the states joined so far.
struct Module {
    words: Vec<usize>,
    width: u32,
    rows: Vec<Row>,
}

impl Module {
    /// The equations that hold in one state.
    fn new(words: Vec<usize>, width: u32, values: &[u64]) -> Module {
        let row = |at: usize| Row {
            factors: (0..words.len()).map(|other| (other == at) as u64).collect(),
            value: values[words[at]] & mask(width),
        };
        let rows = (0..words.len()).map(row).collect();
        Module { words, width, rows }
    }

    /// What is missing in a state for each row.
    fn errors(&self, values: &[u64]) -> Vec<u64> {
        let error = |row: &Row| {
            let products = row.factors.iter().zip(&self.words);
            let sum = products.map(|(factor, &word)| factor.wrapping_mul(values[word]));
            sum.fold(0, u64::wrapping_add).wrapping_sub(row.value) & mask(self.width)
        };
        self.rows.iter().map(error).collect()
    }

    /// Keeps the equations that hold in another state, too.
    ///
    /// A combination of rows holds there iff the same combination of their errors is 0. If an error
    /// e = u·2^t, u odd, has the smallest t, all others are multiples of it: subtracting its row as
    /// often makes them 0, and its row itself holds when multiplied by 2^(width - t).
    fn join(&mut self, values: &[u64]) {
        let errors = self.errors(values);
        let wrong = (0..self.rows.len()).filter(|&row| errors[row] != 0);
        let Some(pivot) = wrong.min_by_key(|&row| errors[row].trailing_zeros()) else { return };
        let twos = errors[pivot].trailing_zeros();
        let inverse = inverse(errors[pivot] >> twos);
        let subtracted = self.rows[pivot].clone();
        for (row, error) in self.rows.iter_mut().zip(&errors) {
            let times = (error >> twos).wrapping_mul(inverse).wrapping_neg();
            row.add(&subtracted, times, self.width);
        }
        let mut last = Row { factors: vec![0; self.words.len()], value: 0 };
        last.add(&subtracted, 1u64.checked_shl(self.width - twos).unwrap_or(0), self.width);
        self.rows[pivot] = last;
        self.rows.retain(|row| row.factors.iter().any(|&factor| factor != 0));
    }

    /// The rows that are about few words.
    fn atoms(&self) -> Vec<Atom> {
        self.rows.iter().filter_map(|row| self.atom(row)).collect()
    }

    fn atom(&self, row: &Row) -> Option<Atom> {
        let used: Vec<usize> = (0..self.words.len()).filter(|&at| row.factors[at] != 0).collect();
        if used.len() > PARTS {
            return None;
        }
        let all = mask(self.width);
        // An odd factor can be made 1.
        let odd = used.iter().find(|&&at| row.factors[at] & 1 == 1);
        let scale = odd.map_or(1, |&at| inverse(row.factors[at]));
        let value = row.value.wrapping_mul(scale) & all;
        let mut parts = [(0, 0); PARTS];
        for (part, &at) in parts.iter_mut().zip(&used) {
            *part = (self.words[at], row.factors[at].wrapping_mul(scale) & all);
        }
        Some(match parts {
            [(word, 1), (_, 0), ..] => {
                Atom::Compare(Relation::Eq, Side::Word(word), Side::Value(value))
            }
            [(left, 1), (right, 1), (_, 0), _] => Atom::Sum { left, right, value },
            [(left, 1), (right, minus), (_, 0), _] if minus == all => match value {
                0 => Atom::compare(Relation::Eq, left, right),
                _ => Atom::Difference { left, right, value },
            },
            _ => Atom::Linear { parts, value },
        })
    }
}

impl Row {
    fn add(&mut self, other: &Row, times: u64, width: u32) {
        let sum = |own: u64, other: u64| own.wrapping_add(other.wrapping_mul(times)) & mask(width);
        for (own, &other) in self.factors.iter_mut().zip(&other.factors) {
            *own = sum(*own, other);
        }
        self.value = sum(self.value, other.value);
    }
}

/// The inverse of an odd number modulo 2^64; each step doubles the number of right bits.
fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use wedge_sat::random::Random;

    /// Both ways: generators hold, and every equation that holds in all states follows from them,
    /// which is so if they have no more solutions than necessary.
    #[test]
    fn generators_of_all_equations() {
        let mut random = Random(3);
        for width in [2u32, 3] {
            for count in 1..6 {
                let state = |random: &mut Random| -> Vec<u64> {
                    (0..2).map(|_| random.word() >> 20 & mask(width)).collect()
                };
                let states: Vec<Vec<u64>> = (0..count).map(|_| state(&mut random)).collect();
                let mut module = Module::new(vec![0, 1], width, &states[0]);
                states[1..].iter().for_each(|state| module.join(state));
                for (a, b, c) in triples(width) {
                    let holds = |s: &[u64]| (a * s[0] + b * s[1]) & mask(width) == c;
                    let known = states.iter().all(|s| holds(s));
                    let follows = triples(width).all(|(x, y, _)| {
                        let solves = module.errors(&[x, y]).iter().all(|&error| error == 0);
                        !solves || holds(&[x, y])
                    });
                    assert!(known == follows, "{a}x + {b}y = {c} in {states:?}");
                }
            }
        }
    }

    fn triples(width: u32) -> impl Iterator<Item = (u64, u64, u64)> {
        let all = 1u64 << width;
        (0..all * all * all).map(move |n| (n % all, n / all % all, n / all / all))
    }

    #[test]
    fn inverses_of_odd_numbers() {
        for odd in [1u64, 3, 5, 12345677, u64::MAX] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }
}
