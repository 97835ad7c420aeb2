//! A run of the whole automaton in which the environment behaves like one memory.
//!
//! What slicing has removed does not decide whether a target is reached, so the way back from the
//! sliced automaton gives it the value 0. It decides whether the run is one of the program: a null
//! pointer from outside is followed, or what was written to memory of the environment is not read
//! again. [`retraced`] walks through the whole automaton once more with the inputs that the sliced
//! one has, in their order, and chooses the others such that memory of the environment keeps its
//! contents and pointers from outside refer to it. The path may be another one where nothing depends
//! on it. Whether the result is a run of the program is for the replay to say.

use super::translation::ProgramAutomaton;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use wedge_c::encode::{ChoicePointKind, Encoded, Foreign, ForeignKind};
use wedge_c::typed::Program;
use wedge_logic::{BitVec, Evaluator, Sort, Term, Value};
use wedge_model::cfa::{Cfa, Edge, EdgeId, LocationId, Run};

/// A walk is given up after so many edges, and so many for each of the run that it is to replace.
const SPARE_EDGES: usize = 10_000;
const EDGES: usize = 20;
/// Where memory of the environment lies that nobody has asked for, and how far apart. Small and
/// large numbers are often errors to programs that get pointers.
const FIRST: u64 = 0x7000_0000;
const APART: u64 = 1 << 16;
/// Nothing is nearer to null, and where pointers that are nearer are moved to.
const NEAR_NULL: u64 = 1 << 12;
const LIFTED: u64 = 0x3000_0000;

/// How often the open values are chosen, and with how many edges in all, walked or looked at. Guesses.
const WALKS: u64 = 40;
const ALL_EDGES: usize = 2_000_000;

/// How values are chosen.
#[derive(Clone, Copy)]
struct Way {
    /// Whether an open value as wide as a pointer is one, if its type is not known.
    wide_is_pointer: bool,
    /// Whether inputs that the sliced automaton has may change, too: what was written to the memory
    /// of the environment is read again, and pointers near null are moved away from it, since most
    /// are only compared with it. The walk shows whether more depends on them.
    mends: bool,
    /// Which of the open numbers are 1: bits that are drawn from this seed, or none.
    seed: Option<u64>,
}

impl Way {
    fn number(number: u64) -> Way {
        let way = Way { wide_is_pointer: false, mends: true, seed: None };
        match number {
            0 => way,
            1 => Way { wide_is_pointer: true, ..way },
            2 => Way { mends: false, ..way },
            seed => Way { wide_is_pointer: seed % 4 == 0, seed: Some(seed), ..way },
        }
    }
}

/// Runs along the inputs of this one that the sliced automaton knows, to the same target.
pub fn retraced<'a>(
    automaton: &'a ProgramAutomaton,
    run: &'a Run,
) -> impl Iterator<Item = Run> + use<'a> {
    let encoded = &automaton.encoded;
    let limit = run.edges.len() * EDGES + SPARE_EDGES;
    let walks = WALKS.min((ALL_EDGES / (limit + encoded.cfa.edges.len())) as u64);
    let walks = if encoded.foreign.is_empty() { 0 } else { walks };
    let found = move |number| {
        let way = Way::number(number);
        let mut walk = Walk::new(&automaton.program, encoded, &automaton.sliced, run, way);
        walk.follow(run, limit).filter(|found| found.target == run.target)
    };
    (0..walks).filter_map(found)
}

struct Walk<'a> {
    program: &'a Program,
    encoded: &'a Encoded,
    outgoing: Vec<Vec<EdgeId>>,
    inputs: FxHashMap<Term, usize>,
    variables: FxHashMap<Term, usize>,
    now: Evaluator<'a>,
    /// What is still to be read of the inputs that matter.
    values: FxHashMap<Term, VecDeque<Value>>,
    /// The inputs that the sliced automaton has.
    fixed: FxHashSet<Term>,
    /// The memory of the environment, as far as anybody has looked.
    memory: FxHashMap<u64, u8>,
    way: Way,
    pointers: u64,
    random: u64,
}

/// An edge as it is taken: the inputs with their values, and the assignments.
struct Taken {
    choices: Vec<(Term, Value)>,
    assigned: Vec<(Term, Value)>,
}

impl<'a> Walk<'a> {
    fn new(
        program: &'a Program,
        encoded: &'a Encoded,
        sliced: &Cfa,
        run: &Run,
        way: Way,
    ) -> Walk<'a> {
        let cfa = &encoded.cfa;
        let places = |terms: &[Term]| terms.iter().copied().zip(0..).collect();
        let inputs: FxHashMap<Term, usize> = places(&cfa.inputs);
        let roots: Vec<Term> = sliced.edges.iter().flat_map(Edge::roots).collect();
        let fixed: FxHashSet<Term> = sliced.terms.free_vars(&roots).into_iter().collect();
        let mut values: FxHashMap<Term, VecDeque<Value>> = FxHashMap::default();
        for (place, value) in &run.choices {
            let input = cfa.inputs[*place];
            if fixed.contains(&input) {
                values.entry(input).or_default().push_back(value.clone());
            }
        }
        let mut outgoing = vec![Vec::new(); cfa.locations.len()];
        for (edge, number) in cfa.edges.iter().zip(0..) {
            outgoing[edge.from.0 as usize].push(EdgeId(number));
        }
        let mut now = Evaluator::new(&cfa.terms);
        for (&variable, value) in cfa.variables.iter().zip(&run.initial) {
            now.assign(variable, value.clone());
        }
        Walk {
            program,
            encoded,
            outgoing,
            variables: places(&cfa.variables),
            inputs,
            now,
            values,
            fixed,
            memory: FxHashMap::default(),
            way,
            pointers: 0,
            random: way.seed.unwrap_or(0).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        }
    }

    fn follow(&mut self, old: &Run, limit: usize) -> Option<Run> {
        let cfa = &self.encoded.cfa;
        let mut run = Run { initial: old.initial.clone(), ..Run::default() };
        let mut location = cfa.entry;
        while run.edges.len() < limit {
            run.target = cfa.targets.iter().position(|target| target.location == location);
            if run.target.is_some() {
                return Some(run);
            }
            let edge = self.choose(location)?;
            let taken = self.take(cfa.edge(edge))?;
            let place = |(input, value): (Term, Value)| (self.inputs[&input], value);
            run.choices.extend(taken.choices.into_iter().map(place));
            let assigned = taken.assigned.into_iter();
            let place = |(variable, value)| Some((*self.variables.get(&variable)?, value));
            run.assigned.push(assigned.filter_map(place).collect());
            run.edges.push(edge);
            location = cfa.edge(edge).to;
        }
        None
    }

    /// The inputs of some terms, in the order of all runs.
    fn inputs_of(&self, roots: &[Term]) -> Vec<Term> {
        let free = self.encoded.cfa.terms.free_vars(roots).into_iter();
        free.filter(|term| self.inputs.contains_key(term)).collect()
    }

    /// The edge whose guard holds.
    fn choose(&mut self, location: LocationId) -> Option<EdgeId> {
        let cfa = &self.encoded.cfa;
        let outgoing = self.outgoing[location.0 as usize].clone();
        let guards: Vec<Term> = outgoing.iter().map(|&edge| cfa.edge(edge).guard).collect();
        for input in self.inputs_of(&guards) {
            let next = self.values.get(&input).and_then(|queue| queue.front()).cloned();
            let next = next.map(|value| self.lifted(input, value));
            let value = next.unwrap_or_else(|| Value::zero(cfa.terms.sort(input)));
            self.now.assign(input, value);
        }
        outgoing.into_iter().find(|&edge| self.now.holds(cfa.edge(edge).guard) == Ok(true))
    }

    fn take(&mut self, edge: &Edge) -> Option<Taken> {
        let cfa = &self.encoded.cfa;
        let of_guard: FxHashSet<Term> = self.inputs_of(&[edge.guard]).into_iter().collect();
        let mut choices = Vec::new();
        for input in self.inputs_of(&edge.roots().collect::<Vec<Term>>()) {
            let next = self.values.get_mut(&input).and_then(VecDeque::pop_front);
            let value = match next {
                Some(value) => self.lifted(input, value),
                None if of_guard.contains(&input) => Value::zero(cfa.terms.sort(input)),
                None => self.open(input),
            };
            self.now.assign(input, value.clone());
            choices.push((input, value));
        }
        let mut assigned = Vec::with_capacity(edge.updates.len());
        for &(variable, value) in &edge.updates {
            assigned.push((variable, self.now.eval(value).ok()?.clone()));
        }
        for (variable, value) in &assigned {
            self.now.assign(*variable, value.clone());
        }
        let mut taken = Taken { choices, assigned };
        for access in self.encoded.foreign.get(&edge.to).into_iter().flatten() {
            self.access(access, edge, &mut taken)?;
        }
        Some(taken)
    }

    /// A value that nothing depends on.
    fn open(&mut self, input: Term) -> Value {
        let sort = self.encoded.cfa.terms.sort(input);
        let Some(width) = self.pointer_width(input) else {
            return match sort {
                Sort::Bv(width) => Value::Bv(BitVec::new(width, self.bit())),
                Sort::Array { .. } => Value::zero(sort),
            };
        };
        self.pointers += 1;
        Value::Bv(BitVec::new(width, FIRST + self.pointers * APART))
    }

    /// The next of the bits that are drawn (Marsaglia's xorshift, 2003).
    fn bit(&mut self) -> u64 {
        for shift in [13, -7, 17] {
            self.random ^= match shift {
                left @ 0.. => self.random << left,
                right => self.random >> -right,
            };
        }
        self.random >> 63
    }

    /// How wide an input is, if it may be a pointer.
    fn pointer_width(&self, input: Term) -> Option<u32> {
        let point = &self.encoded.choices[self.inputs[&input]];
        let types = &self.program.types;
        let width = 8 * types.model.pointer_bytes() as u32;
        let is_pointer = match point.kind {
            ChoicePointKind::Environment => {
                self.way.wide_is_pointer && !self.fixed.contains(&input)
            }
            ChoicePointKind::Call(_) | ChoicePointKind::Global(..) | ChoicePointKind::Local(..) => {
                types.is_pointer(point.ty)
            }
            _ => false,
        };
        let fits = self.encoded.cfa.terms.sort(input) == Sort::Bv(width);
        (is_pointer && fits).then_some(width)
    }

    /// A value of the run, away from null if it is a pointer and not null.
    fn lifted(&self, input: Term, value: Value) -> Value {
        let (true, Some(width), Value::Bv(bits)) =
            (self.way.mends, self.pointer_width(input), &value)
        else {
            return value;
        };
        match bits.to_u64() {
            Some(near @ 1..NEAR_NULL) => Value::Bv(BitVec::new(width, LIFTED + near * APART)),
            _ => value,
        }
    }

    fn number(&mut self, term: Term) -> Option<u64> {
        match self.now.eval(term).ok()? {
            Value::Bv(bits) => bits.to_u64(),
            Value::Array(_) => None,
        }
    }

    /// An access after an edge, whose open inputs are chosen such that it fits the memory.
    fn access(&mut self, access: &Foreign, edge: &Edge, taken: &mut Taken) -> Option<()> {
        let (ForeignKind::Read { condition } | ForeignKind::Write { condition, .. }) = &access.kind;
        let width = self.encoded.cfa.terms.width(access.value);
        if self.number(*condition) != Some(1) || width > 64 {
            return Some(());
        }
        let (address, value) = (self.number(access.address)?, self.number(access.value)?);
        let bytes = (0..u64::from(width / 8)).map(|byte| (address.wrapping_add(byte), 8 * byte));
        match &access.kind {
            ForeignKind::Read { .. } => {
                let known = |(at, shift): (u64, u64)| {
                    let new = (value >> shift) as u8;
                    u64::from(*self.memory.entry(at).or_insert(new)) << shift
                };
                let there = bytes.map(known).sum();
                self.replace(access.value, Value::Bv(BitVec::new(width, there)), edge, taken);
            }
            ForeignKind::Write { kept, .. } => {
                self.memory.extend(bytes.map(|(at, shift)| (at, (value >> shift) as u8)));
                for &(old, new) in kept {
                    let old = self.now.eval(old).ok()?.clone();
                    self.replace(new, old, edge, taken);
                }
            }
        }
        Some(())
    }

    /// Gives a variable another value if the edge assigns an input to it that may have one.
    fn replace(&mut self, variable: Term, value: Value, edge: &Edge, taken: &mut Taken) {
        let mut updates = edge.updates.iter();
        let Some(&(_, input)) = updates.find(|&&(assigned, _)| assigned == variable) else {
            return;
        };
        let is_kept = !self.way.mends && self.fixed.contains(&input);
        if !self.inputs.contains_key(&input) || is_kept {
            return;
        }
        self.now.assign(input, value.clone());
        self.now.assign(variable, value.clone());
        for (place, known) in taken.choices.iter_mut().chain(&mut taken.assigned) {
            if *place == input || *place == variable {
                *known = value.clone();
            }
        }
    }
}
