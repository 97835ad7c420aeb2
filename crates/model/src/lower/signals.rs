//! Signals of a lowered system: comparisons between its words.
//!
//! A loop invariant relates words: `i <= n`, `x == y`, `i < 10`. Candidates are, in this order:
//!
//! 1. the comparisons that occur in the bad state, then in the rest of the system, where a
//!    conditional operand stands for each of its branches;
//! 2. less, equal and greater between whatever is compared;
//! 3. the same between a variable and the variables and constants that are assigned to it;
//! 4. the same between variables that are counted up or down by the same amount.
//!
//! Only what is a function of state variables is a candidate, where a value that is not one, such
//! as an input, stands for the variables to which it is assigned. As many as asked for are kept.

use super::prepare::{Prepared, prepare};
use super::way_back::LoweringMap;
use crate::signals::Signals;
use crate::system::System;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::blast::Limits;
use wedge_logic::{Blaster, Lit, Op, Sort, Term, TermStore};

/// A term stands for at most so many others, one for each way through its conditionals.
const MAX_BRANCHES: usize = 6;
/// Operands with more operators are no candidates.
const MAX_SIZE: usize = 12;
/// Next functions are searched for assigned values up to this many conditionals.
const MAX_LEAVES: usize = 400;
/// Counters are paired up to this number.
const MAX_COUNTERS: usize = 12;
/// Comparisons of narrower variables are left to their bits.
const MIN_WIDTH: u32 = 4;

impl LoweringMap {
    /// At most `budget` signals for the circuit of the bad state number `bad` of `system`.
    ///
    /// Requires: this is the way back of that very circuit.
    pub fn signals(&self, system: &System, bad: usize, budget: usize) -> Signals {
        let latches = self.latches.iter().map(|(word, _)| word.first + word.width).max();
        let mut signals = Signals::new(latches.unwrap_or(0));
        if bad >= system.bads.len() {
            return signals;
        }
        let mut prepared = prepare(system, bad);
        let mut blaster = Blaster::new(Limits::default());
        let mut words = FxHashSet::default();
        for (word, _) in self.latches.iter().filter(|(word, _)| word.element.is_none()) {
            let bits: Vec<Lit> =
                (word.first..word.first + word.width).map(|l| signals.aig.input(l)).collect();
            blaster.bind(&prepared.system.terms, word.var, &bits);
            words.insert(word.var);
        }
        let candidates = Search::new(&mut prepared, words).candidates();
        for (_, term) in candidates {
            if signals.roots.len() >= budget {
                break;
            }
            if let Ok(root) = blaster.literal(&prepared.system.terms, &mut signals.aig, term) {
                signals.add(root);
            }
        }
        signals
    }
}

/// Whether and how a comparison is about the order of its operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Signed,
    Unsigned,
}

struct Search<'a> {
    prepared: &'a mut Prepared,
    /// The state variables that are words in latches.
    words: FxHashSet<Term>,
    /// By value that is no function of the state: the variables to which it is assigned.
    stored: FxHashMap<Term, Vec<Term>>,
    /// By term: the state functions that it may stand for.
    branches: FxHashMap<Term, Vec<Term>>,
    unsigned: FxHashSet<Term>,
    signed: FxHashSet<Term>,
    found: FxHashSet<Term>,
    /// With their tier.
    candidates: Vec<(u8, Term)>,
}

impl<'a> Search<'a> {
    fn new(prepared: &'a mut Prepared, words: FxHashSet<Term>) -> Search<'a> {
        Search {
            prepared,
            words,
            stored: FxHashMap::default(),
            branches: FxHashMap::default(),
            unsigned: FxHashSet::default(),
            signed: FxHashSet::default(),
            found: FxHashSet::default(),
            candidates: Vec::new(),
        }
    }

    fn terms(&mut self) -> &mut TermStore {
        &mut self.prepared.system.terms
    }

    fn candidates(mut self) -> Vec<(u8, Term)> {
        self.find_stored();
        let bad = self.prepared.system.terms.cone(&[self.prepared.bad]);
        let all = self.prepared.system.terms.cone(&self.prepared.roots());
        let mut compared = Vec::new();
        for (tier, cone) in [(0, bad), (1, all)] {
            for term in cone {
                self.compare(tier, term, &mut compared);
            }
        }
        for (op, a, b) in compared {
            let order = match op {
                Op::Ult => Order::Unsigned,
                Op::Slt => Order::Signed,
                _ => self.order_of(a, b),
            };
            self.relate(2, a, b, order);
        }
        self.assignments();
        self.candidates.sort_by_key(|(tier, _)| *tier);
        self.candidates
    }

    /// Takes a comparison as a candidate, once for each way through its conditionals.
    fn compare(&mut self, tier: u8, term: Term, compared: &mut Vec<(Op, Term, Term)>) {
        let op = self.terms().op(term);
        if !matches!(op, Op::Eq | Op::Ult | Op::Slt) {
            return;
        }
        let (a, b) = (self.terms().args(term)[0], self.terms().args(term)[1]);
        if self.terms().sort(a).is_array() {
            return;
        }
        for left in self.branches(a) {
            for right in self.branches(b) {
                let term = self.terms().rebuild(op, &[left, right]);
                if self.add(tier, term) {
                    compared.push((op, left, right));
                    match op {
                        Op::Ult => self.unsigned.extend([left, right]),
                        Op::Slt => self.signed.extend([left, right]),
                        _ => {}
                    }
                }
            }
        }
    }

    /// Adds a candidate, unless it is known or not worth it.
    fn add(&mut self, tier: u8, term: Term) -> bool {
        let terms = &self.prepared.system.terms;
        let width: u32 = terms.free_vars(&[term]).iter().map(|&var| terms.width(var)).sum();
        let is_new = width > MIN_WIDTH && self.found.insert(term);
        if is_new {
            self.candidates.push((tier, term));
        }
        is_new
    }

    /// The signedness of the comparisons in which the operands occur; signed if there is none.
    fn order_of(&self, a: Term, b: Term) -> Order {
        let known = |set: &FxHashSet<Term>| set.contains(&a) || set.contains(&b);
        match known(&self.unsigned) && !known(&self.signed) {
            true => Order::Unsigned,
            false => Order::Signed,
        }
    }

    fn relate(&mut self, tier: u8, a: Term, b: Term, order: Order) {
        let terms = self.terms();
        let equal = terms.eq(a, b);
        let (less, greater) = match order {
            Order::Signed => (terms.slt(a, b), terms.slt(b, a)),
            Order::Unsigned => (terms.ult(a, b), terms.ult(b, a)),
        };
        for term in [equal, less, greater] {
            if !self.terms().is_const(term) {
                self.add(tier, term);
            }
        }
    }

    /// Relates variables to what is assigned to them, and counters to each other.
    fn assignments(&mut self) {
        let states: Vec<(Term, Term)> =
            self.prepared.states().filter_map(|s| Some((s.var, s.next?))).collect();
        let mut counters: Vec<(Term, Term)> = Vec::new();
        for (var, next) in states {
            if !self.words.contains(&var) {
                continue;
            }
            for value in self.leaves(next) {
                let is_plain = self.words.contains(&value) || self.terms().is_const(value);
                if value != var && is_plain {
                    let order = self.order_of(var, value);
                    self.relate(3, var, value, order);
                }
                counters.extend(self.step_of(var, value).map(|step| (var, step)));
            }
        }
        counters.dedup();
        counters.truncate(MAX_COUNTERS);
        for (index, &(a, step)) in counters.iter().enumerate() {
            for &(b, other) in &counters[..index] {
                if step == other && a != b {
                    let order = self.order_of(a, b);
                    self.relate(4, a, b, order);
                }
            }
        }
    }

    /// Notes which variables take which values, such as inputs, in the next step: what is compared
    /// now is what the variable will be.
    fn find_stored(&mut self) {
        let states: Vec<(Term, Term)> =
            self.prepared.states().filter_map(|s| Some((s.var, s.next?))).collect();
        for (var, next) in states {
            if !self.words.contains(&var) {
                continue;
            }
            for value in self.leaves(next) {
                let stored = self.stored.entry(value).or_default();
                if stored.len() < MAX_BRANCHES {
                    stored.push(var);
                }
            }
        }
    }

    /// The constant c if the value is `var` + c.
    fn step_of(&mut self, var: Term, value: Term) -> Option<Term> {
        let terms = self.terms();
        match (terms.op(value), terms.args(value)) {
            (Op::Add, &[a, b]) if a == var && terms.is_const(b) => Some(b),
            (Op::Add, &[a, b]) if b == var && terms.is_const(a) => Some(a),
            _ => None,
        }
    }

    /// What a conditional term may be.
    fn leaves(&mut self, term: Term) -> Vec<Term> {
        let terms = &self.prepared.system.terms;
        let mut seen = FxHashSet::default();
        let mut stack = vec![term];
        let mut leaves = Vec::new();
        while let Some(term) = stack.pop() {
            if seen.len() >= MAX_LEAVES || !seen.insert(term) {
                continue;
            }
            match (terms.op(term), terms.args(term)) {
                (Op::Ite, &[_, then, other]) => stack.extend([other, then]),
                _ => leaves.push(term),
            }
        }
        leaves
    }

    /// The functions of state variables that a term may stand for; none if it reads an input that
    /// is not stored.
    fn branches(&mut self, term: Term) -> Vec<Term> {
        let is_known = |search: &Self, t: Term| search.branches.contains_key(&t);
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            let args: Vec<Term> = match is_known(self, top) {
                true => Vec::new(),
                false => self.terms().args(top).to_vec(),
            };
            let missing: Vec<Term> = args.into_iter().filter(|&t| !is_known(self, t)).collect();
            if missing.is_empty() {
                stack.pop();
                if !is_known(self, top) {
                    let mut branches = self.branches_of(top);
                    if branches.is_empty() {
                        branches = self.stored.get(&top).cloned().unwrap_or_default();
                    }
                    self.branches.insert(top, branches);
                }
            }
            stack.extend(missing);
        }
        self.branches[&term].clone()
    }

    /// Requires: those of the operands are known.
    fn branches_of(&mut self, term: Term) -> Vec<Term> {
        let op = self.terms().op(term);
        let args = self.terms().args(term).to_vec();
        if matches!(self.terms().sort(term), Sort::Array { .. }) || !is_light(op) {
            return Vec::new();
        }
        if let Op::Const(_) | Op::Var(_) = op {
            let is_state = matches!(op, Op::Const(_)) || self.words.contains(&term);
            return if is_state { vec![term] } else { Vec::new() };
        }
        let mut found = Vec::new();
        if op == Op::Ite {
            found.extend_from_slice(&self.branches[&args[1]]);
            found.extend_from_slice(&self.branches[&args[2]]);
        } else {
            for combination in combinations(args.iter().map(|arg| &self.branches[arg][..])) {
                let term = self.terms().rebuild(op, &combination);
                if self.terms().size(&[term]) <= MAX_SIZE {
                    found.push(term);
                }
            }
        }
        let mut seen = FxHashSet::default();
        found.retain(|&term| seen.insert(term));
        found.truncate(MAX_BRANCHES);
        found
    }
}

/// Whether an operator costs little as a circuit.
fn is_light(op: Op) -> bool {
    !matches!(op, Op::Mul | Op::Udiv | Op::Urem | Op::Read | Op::Write | Op::Float(_))
}

/// The first ways of choosing one term from each list.
fn combinations<'t>(lists: impl Iterator<Item = &'t [Term]>) -> Vec<Vec<Term>> {
    let mut chosen = vec![Vec::new()];
    for list in lists {
        let mut longer = Vec::new();
        for prefix in &chosen {
            for &term in list.iter().take(MAX_BRANCHES) {
                longer.push([&prefix[..], &[term]].concat());
            }
        }
        longer.truncate(MAX_BRANCHES);
        chosen = longer;
    }
    chosen
}
