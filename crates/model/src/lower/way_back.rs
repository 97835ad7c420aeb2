//! From traces and predicates of the circuit to those of the system.

use crate::circuit::{Predicate, Trace};
use crate::facts::Facts;
use crate::simulate_words::{Choice, WordReplayError, WordTrace, run};
use crate::system::System;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::aig::Node;
use wedge_logic::blast::Limits;
use wedge_logic::{
    ArrayValue, BitVec, Blaster, Lit, Sort, Substitution, Term, TermStore, Value, float,
};

/// A word of the system and where its bits lie in the circuit, the least significant first.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub var: Term,
    /// The index, if the word is an element of an array.
    pub element: Option<BitVec>,
    /// Position of the first bit among the latches or inputs.
    pub first: usize,
    pub width: usize,
}

/// Which step a circuit input belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Moment {
    /// The step in which it is read.
    Now,
    /// The step after.
    Next,
}

/// The way back from a lowered circuit.
#[derive(Clone, Debug)]
pub struct LoweringMap {
    pub(super) inputs: Vec<(Word, Moment)>,
    /// The words held in latches, and whether their first value is free.
    pub(super) latches: Vec<(Word, bool)>,
    /// The states that were replaced by their only value.
    constants: Vec<(Term, Value)>,
}

impl LoweringMap {
    pub(super) fn new(constants: Vec<(Term, Value)>) -> LoweringMap {
        LoweringMap { inputs: Vec::new(), latches: Vec::new(), constants }
    }

    /// The variables in latches, and the range of latches of each; elements of arrays one by one.
    pub fn latch_words(&self) -> Vec<(Term, std::ops::Range<usize>)> {
        let range = |word: &Word| word.first..word.first + word.width;
        self.latches.iter().map(|(word, _)| (word.var, range(word))).collect()
    }

    /// The path of the system that a path of the circuit stands for. Everything that is free is
    /// taken from the trace, the rest is computed by the word-level simulator; what the circuit
    /// does not mention is 0.
    pub fn trace(&self, system: &System, trace: &Trace) -> Result<WordTrace, WordReplayError> {
        run(system, &self.choices(system, trace)?)
    }

    /// The free values of a trace, step by step.
    pub fn choices(&self, system: &System, trace: &Trace) -> Result<Vec<Choice>, WordReplayError> {
        self.check_shape(trace)?;
        let mut slots = Slots::new(system, trace.inputs.len());
        for (word, _) in self.latches.iter().filter(|(_, free)| *free) {
            slots.put(0, word, &trace.initial);
        }
        for (step, inputs) in trace.inputs.iter().enumerate() {
            for (word, moment) in &self.inputs {
                match moment {
                    Moment::Now => slots.put(step, word, inputs),
                    Moment::Next => slots.put(step + 1, word, inputs),
                }
            }
        }
        Ok(slots.choices)
    }

    fn check_shape(&self, trace: &Trace) -> Result<(), WordReplayError> {
        let end = |word: &Word| word.first + word.width;
        let latches = self.latches.iter().map(|(w, _)| end(w)).max().unwrap_or(0);
        let inputs = self.inputs.iter().map(|(w, _)| end(w)).max().unwrap_or(0);
        let fits = trace.initial.len() == latches && trace.inputs.iter().all(|i| i.len() == inputs);
        let error = || WordReplayError::Shape("the trace does not fit the lowered circuit".into());
        fits.then_some(()).ok_or_else(error)
    }

    /// The set of states as a term of width 1 over the system's states, and over those inputs
    /// that an `init` reads, as they are latches in the circuit. States that were replaced by a
    /// constant have it in every state of the set.
    pub fn predicate(&self, system: &mut System, predicate: &Predicate) -> Term {
        let bits = self.latch_terms(system);
        let terms = &mut system.terms;
        let cone = predicate.aig.cone(&[predicate.root]);
        let mut image = vec![terms.bool(false); predicate.aig.len()];
        for node in (0..predicate.aig.len()).filter(|&n| cone[n]) {
            let mut at = |lit: Lit| {
                let term = image[lit.node() as usize];
                if lit.is_negated() { terms.not(term) } else { term }
            };
            image[node] = match predicate.aig.node(node as u32) {
                Node::Const => image[node],
                Node::Input(index) => bits[index as usize],
                Node::And(a, b) => {
                    let (a, b) = (at(a), at(b));
                    terms.and(a, b)
                }
            };
        }
        let root = image[predicate.root.node() as usize];
        let root = if predicate.root.is_negated() { terms.not(root) } else { root };
        self.with_constants(system, root)
    }

    /// Sets of states, given as terms of width 1 over the system's states, as sets of states of
    /// the circuit. Those that read what the circuit does not hold in latches, or that are too
    /// large, are left out.
    pub fn facts(&self, terms: &mut TermStore, facts: &[Term]) -> Facts {
        let end = |(word, _): &(Word, bool)| word.first + word.width;
        let mut lowered = Facts::none(self.latches.iter().map(end).max().unwrap_or(0));
        let constants: Vec<(Term, Term)> =
            self.constants.iter().map(|(var, value)| (*var, terms.value_term(value))).collect();
        let mut substitution = Substitution::new(constants);
        let mut blaster = Blaster::new(Limits::default());
        let mut held = FxHashSet::default();
        for (word, _) in self.latches.iter().filter(|(word, _)| word.element.is_none()) {
            let bits: Vec<Lit> =
                (0..word.width).map(|bit| lowered.aig.input(word.first + bit)).collect();
            blaster.bind(terms, word.var, &bits);
            held.insert(word.var);
        }
        let mut floats = float::Lowering::new();
        for &fact in facts {
            let fact = substitution.apply(terms, fact);
            let fact = floats.lower(terms, fact);
            if terms.free_vars(&[fact]).iter().all(|variable| held.contains(variable))
                && let Ok(root) = blaster.literal(terms, &mut lowered.aig, fact)
                && root != Lit::TRUE
            {
                lowered.roots.push(root);
            }
        }
        lowered
    }

    /// One term of width 1 per latch.
    fn latch_terms(&self, system: &mut System) -> Vec<Term> {
        let terms = &mut system.terms;
        let mut bits = Vec::new();
        for (word, _) in &self.latches {
            let term = match &word.element {
                None => word.var,
                Some(index) => {
                    let index = terms.constant(index.clone());
                    terms.read(word.var, index)
                }
            };
            bits.extend((0..word.width as u32).map(|bit| terms.slice(term, bit, bit)));
        }
        bits
    }

    fn with_constants(&self, system: &mut System, term: Term) -> Term {
        let terms = &mut system.terms;
        let mut facts = vec![term];
        for (var, value) in &self.constants {
            let value = terms.value_term(value);
            facts.push(terms.eq(*var, value));
        }
        terms.and_all(&facts)
    }
}

/// Choices under construction.
struct Slots<'a> {
    system: &'a System,
    states: FxHashMap<Term, usize>,
    inputs: FxHashMap<Term, usize>,
    choices: Vec<Choice>,
}

impl<'a> Slots<'a> {
    fn new(system: &'a System, steps: usize) -> Slots<'a> {
        Slots {
            system,
            states: system.states.iter().enumerate().map(|(i, s)| (s.var, i)).collect(),
            inputs: system.inputs.iter().enumerate().map(|(i, &var)| (var, i)).collect(),
            choices: vec![Choice::open(system); steps],
        }
    }

    /// Sets a word from its bits; a step beyond the end is ignored, as nothing reads it.
    fn put(&mut self, step: usize, word: &Word, bits: &[bool]) {
        let Some(choice) = self.choices.get_mut(step) else { return };
        let slot = match (self.states.get(&word.var), self.inputs.get(&word.var)) {
            (Some(&at), _) => &mut choice.states[at],
            (None, Some(&at)) => &mut choice.inputs[at],
            (None, None) => return,
        };
        let value = BitVec::from_bits(&bits[word.first..][..word.width]);
        *slot = Some(match (&word.element, self.system.terms.sort(word.var)) {
            (Some(index), Sort::Array { index: width, element }) => {
                let array = match slot.take() {
                    Some(Value::Array(array)) => array,
                    _ => ArrayValue::constant(width, BitVec::zero(element)),
                };
                Value::Array(array.write(index, &value))
            }
            _ => Value::Bv(value),
        });
    }
}
