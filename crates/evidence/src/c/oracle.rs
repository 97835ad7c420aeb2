//! The values of a path as an oracle of the interpreter.
//!
//! Results of calls are given in the order of the path, and the function and the place of each
//! must agree. Contents of variables and objects are chosen by the encoding when a lifetime
//! begins, or from the start, and asked for by the interpreter when they are first read; the n-th
//! lifetime of a variable, or at an allocation, gets what was chosen for the n-th there. A value
//! that the path does not mention is 0.

use super::contents::contents;
use super::replay::Given;
use super::unwritten::Unwritten;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use wedge_c::Properties;
use wedge_c::encode::{Born, ChoicePoint, ChoicePointKind, Encoded, Part};
use wedge_c::interp::{Birth, Choice, ChoiceKind, Life, Oracle};
use wedge_c::source::Position;
use wedge_c::typed::{FuncId, Program};
use wedge_logic::{ArrayValue, BitVec, Term, Value};
use wedge_model::cfa::Run;

/// Nothing is nearer to null.
const FIRST_FOREIGN: u64 = 1 << 12;
/// Where things that are meant to be apart lie, and how far.
const FIRST_APART: u64 = 0x7000_0000;
const APART: u64 = 1 << 12;
/// Elements of an array without an entry of their own that are looked at.
const MAX_DEFAULT: u64 = 1 << 16;

/// Bytes by offset.
type Contents = FxHashMap<u64, u8>;

/// Null pointers that refer to something after all: in a model that leaves out what does not matter, many
/// pointers that are followed are null because nothing depends on them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Filled {
    None,
    /// Those of which the path says nothing, and variables that are read before they are written.
    Open,
    All,
}

pub struct Recorded<'p> {
    program: &'p Program,
    /// Results of calls: the function, the place, the value.
    calls: VecDeque<(FuncId, Position, u128)>,
    /// For each kind of lifetime, the contents of those that begin next.
    births: FxHashMap<Birth, VecDeque<Contents>>,
    living: FxHashMap<Life, Contents>,
    /// What is read through pointers into the environment, by place.
    environment: FxHashMap<Position, VecDeque<u128>>,
    /// The same by address, where the path says so.
    contents: Contents,
    /// What was answered to questions about calls, in order.
    pub given: Vec<Given>,
    /// Whether a value that is not the result of a call was asked for.
    pub uninitialised: bool,
    /// Where path and run first disagreed about calls.
    pub disagreement: Option<String>,
    /// Whether results of functions that are not computed exactly are those of the path.
    pub insists: bool,
    /// Whether pointers into the environment all refer to different things, and how many there
    /// were. A path says nothing about the contents of what they refer to being the same.
    pub apart: Option<u64>,
    /// Which null pointers refer to something as well, where pointers are apart.
    pub filled: Filled,
    unwritten: Unwritten,
}

impl<'p> Recorded<'p> {
    pub fn new(
        program: &'p Program,
        properties: &Properties,
        encoded: &Encoded,
        path: &Run,
    ) -> Recorded<'p> {
        let mut recorded = Recorded {
            program,
            calls: VecDeque::new(),
            births: FxHashMap::default(),
            living: FxHashMap::default(),
            environment: FxHashMap::default(),
            contents: contents(encoded, path),
            given: Vec::new(),
            uninitialised: false,
            disagreement: None,
            insists: true,
            apart: None,
            filled: Filled::None,
            unwritten: Unwritten::new(properties),
        };
        for (index, value) in &path.choices {
            if let Some(point) = encoded.choices.get(*index) {
                recorded.add(point, value);
            }
        }
        if !encoded.births.is_empty() {
            recorded.add_initial(encoded, path);
        }
        recorded
    }

    /// Contents that are arbitrary from the start.
    fn add_initial(&mut self, encoded: &Encoded, path: &Run) {
        let places = encoded.cfa.variables.iter().enumerate();
        let places: FxHashMap<Term, usize> = places.map(|(place, &term)| (term, place)).collect();
        let mut counts: FxHashMap<Term, u64> = FxHashMap::default();
        let mut seen: FxHashMap<Birth, usize> = FxHashMap::default();
        for (edge, assigned) in path.edges.iter().zip(&path.assigned) {
            for born in encoded.births.get(edge).into_iter().flatten() {
                let Some((birth, _)) = birth(born.function, &born.kind, born.position) else {
                    continue;
                };
                let number = *seen.entry(birth).and_modify(|n| *n += 1).or_insert(0);
                let queue = self.births.entry(birth).or_default();
                while queue.len() <= number {
                    queue.push_back(Contents::default());
                }
                let counted = |counter: Term| {
                    let place = places.get(&counter)?;
                    let (_, value) = assigned.iter().find(|(variable, _)| variable == place)?;
                    bits(value).and_then(BitVec::to_u64)
                };
                let instance = match born.counter {
                    None => Some(0),
                    // Unless the object is one of those that the model has no room for.
                    Some(counter) => counted(counter)
                        .filter(|&now| counts.insert(counter, now).unwrap_or(0) < now)
                        .map(|now| now - 1),
                };
                if let Some(instance) = instance {
                    let initial = |term: Term| path.initial.get(*places.get(&term)?);
                    start(&mut queue[number], born, instance, initial);
                }
            }
        }
    }

    fn add(&mut self, point: &ChoicePoint, value: &Value) {
        let Some((birth, offset)) = birth(point.function, &point.kind, point.position) else {
            let Some(bits) = bits(value).map(number) else { return };
            match point.kind {
                ChoicePointKind::Call(function) => {
                    self.calls.push_back((function, point.position, bits));
                }
                _ => self.environment.entry(point.position).or_default().push_back(bits),
            }
            return;
        };
        let queue = self.births.entry(birth).or_default();
        // The same offset again is the beginning of the next lifetime.
        if queue.back().is_none_or(|contents| contents.contains_key(&offset)) {
            queue.push_back(Contents::default());
        }
        let Some(contents) = queue.back_mut() else { return };
        match value {
            Value::Bv(bits) => put(contents, offset, bits),
            Value::Array(array) => put_array(contents, offset, array, point.stride, Some),
        }
    }

    /// The result of a call, if it is the next one on the path.
    fn result(&mut self, name: &str, at: Position) -> Option<u128> {
        let next = self.calls.front().copied();
        let agrees = next.is_some_and(|(function, position, _)| {
            self.program.function(function).name == name && position == at
        });
        if agrees {
            self.calls.pop_front();
            return next.map(|(_, _, bits)| bits);
        }
        if self.disagreement.is_none() {
            let place = self.program.files.show(at);
            self.disagreement = Some(match next {
                Some((function, position, _)) => {
                    let wanted = &self.program.function(function).name;
                    let there = self.program.files.show(position);
                    format!("{place} calls {name} where the path calls {wanted} at {there}")
                }
                None => format!("{place} calls {name} beyond the end of the path"),
            });
        }
        None
    }

    /// What the path says, if anything.
    fn said(&mut self, choice: &Choice) -> Option<u128> {
        match &choice.kind {
            ChoiceKind::Input(name) | ChoiceKind::External(name) => {
                let bits = self.result(name, choice.position)?;
                Some(if choice.width < 128 { bits & ((1 << choice.width) - 1) } else { bits })
            }
            ChoiceKind::Local(_) => self.stored(choice.life, 0),
            ChoiceKind::Memory(_, offset) => self.stored(choice.life, *offset),
            ChoiceKind::Environment | ChoiceKind::MissingResult => {
                self.environment.get_mut(&choice.position)?.pop_front()
            }
        }
    }

    /// The address of something else, in the place of a pointer from outside.
    fn placed(&mut self, choice: &Choice, said: Option<u128>) -> Option<u128> {
        let count = self.apart.filter(|_| self.program.types.is_pointer(choice.ty))?;
        // Of variables that are read before they are written, the path has values that do not matter.
        let is_open = matches!(choice.kind, ChoiceKind::Local(_) | ChoiceKind::Memory(..));
        let is_meant = match said {
            Some(0) if is_open => self.filled >= Filled::Open,
            Some(0) => self.filled == Filled::All,
            Some(bits) => self.filled > Filled::None || bits >= u128::from(FIRST_FOREIGN),
            None => self.filled > Filled::None,
        };
        is_meant.then(|| {
            self.apart = Some(count + 1);
            u128::from(FIRST_APART + count * APART)
        })
    }

    fn stored(&self, life: Option<Life>, offset: u64) -> Option<u128> {
        let contents = life.and_then(|life| self.living.get(&life));
        let byte = |index: u64| contents.and_then(|c| c.get(&(offset + index)).copied());
        (0..size_of::<u64>() as u64).find_map(byte)?;
        let bytes = std::array::from_fn(|index| byte(index as u64).unwrap_or(0));
        Some(u128::from_le_bytes(bytes))
    }
}

impl Oracle for Recorded<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let said = self.said(choice);
        let bits = self.placed(choice, said).or(said).unwrap_or(0);
        match &choice.kind {
            ChoiceKind::Input(name) | ChoiceKind::External(name) => {
                let is_input = matches!(choice.kind, ChoiceKind::Input(_));
                let (name, ty, position) = (name.to_string(), choice.ty, choice.position);
                self.given.push(Given { name, is_input, ty, bits, position });
            }
            _ => self.uninitialised = true,
        }
        self.unwritten.chosen(self.program, choice, bits);
        bits
    }

    fn leads_nowhere(&self, address: u64) -> bool {
        self.unwritten.leads_nowhere(address)
    }

    fn environment(&self) -> Option<u64> {
        Some(FIRST_FOREIGN)
    }

    fn environment_byte(&mut self, address: u64) -> Option<u8> {
        self.contents.get(&address).copied().filter(|_| self.apart.is_none())
    }

    fn is_environment_writable(&self) -> bool {
        true
    }

    fn insists(&self) -> bool {
        self.insists
    }

    fn moved(&mut self, from: Life, size: u64, to: Life) {
        let Some(old) = self.living.get(&from) else { return };
        let beyond = old.iter().filter(|(offset, _)| **offset >= size);
        let beyond: Vec<(u64, u8)> = beyond.map(|(offset, byte)| (*offset, *byte)).collect();
        self.living.entry(to).or_default().extend(beyond);
    }

    fn begin(&mut self, life: Life, birth: Birth) {
        let contents = self.births.get_mut(&birth).and_then(VecDeque::pop_front);
        if let Some(contents) = contents {
            self.living.insert(life, contents);
        }
        self.unwritten.begin(self.program, life, birth);
    }
}

/// The lowest 128 bits.
fn number(bits: &BitVec) -> u128 {
    let set = bits.bits().take(128).enumerate().filter(|(_, bit)| *bit);
    set.fold(0, |number, (index, _)| number | 1 << index)
}

/// What begins to live with this value, and where in it the value is.
fn birth(function: FuncId, kind: &ChoicePointKind, at: Position) -> Option<(Birth, u64)> {
    match *kind {
        ChoicePointKind::Local(local, offset) => Some((Birth::Local(function, local), offset)),
        ChoicePointKind::Global(global, offset) => Some((Birth::Global(global), offset)),
        ChoicePointKind::Heap(offset) => Some((Birth::Allocation(at), offset)),
        ChoicePointKind::Result(offset) => Some((Birth::Result(at), offset)),
        ChoicePointKind::Havoc(what, offset) => Some((Birth::Havoc(at, what), offset)),
        ChoicePointKind::Call(_) | ChoicePointKind::Environment | ChoicePointKind::Other => None,
    }
}

fn bits(value: &Value) -> Option<&BitVec> {
    match value {
        Value::Bv(bits) => Some(bits),
        Value::Array(_) => None,
    }
}

/// What the variables of an object hold at the entry.
fn start<'v>(
    contents: &mut Contents,
    born: &Born,
    instance: u64,
    initial: impl Fn(Term) -> Option<&'v Value>,
) {
    for &Part { variable, offset, instance: whose, elements } in born.parts.iter() {
        match (initial(variable), elements) {
            (Some(Value::Bv(bits)), None) if whose == instance => put(contents, offset, bits),
            (Some(Value::Array(array)), Some((stride, low))) => {
                let element =
                    |index: u64| (index >> low == instance).then(|| index - (instance << low));
                put_array(contents, offset, array, stride, element);
            }
            _ => {}
        }
    }
}

/// Spreads a value over the bytes from an offset.
fn put(contents: &mut Contents, offset: u64, bits: &BitVec) {
    let count = bits.width().div_ceil(8) as usize;
    for (index, byte) in number(bits).to_le_bytes().into_iter().take(count).enumerate() {
        contents.insert(offset + index as u64, byte);
    }
}

/// The same for the elements of an array, each `stride` bytes after the one before; `element` says
/// which one is at an index, if it is one of them.
fn put_array(
    contents: &mut Contents,
    offset: u64,
    array: &ArrayValue,
    stride: u64,
    element: impl Fn(u64) -> Option<u64>,
) {
    // A place in the table makes the next lifetime recognisable.
    contents.entry(offset).or_insert(0);
    if !array.default_element().is_zero() {
        for index in (0..MAX_DEFAULT.min(1 << array.index_width().min(16))).filter_map(&element) {
            put(contents, offset + index * stride, array.default_element());
        }
    }
    for (index, value) in array.entries() {
        if let Some(index) = index.to_u64().filter(|&i| i < 1 << 32).and_then(&element) {
            put(contents, offset + index * stride, value);
        }
    }
}
