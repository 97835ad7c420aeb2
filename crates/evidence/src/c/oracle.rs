//! The values of a path as an oracle of the interpreter.
//!
//! Results of calls are given in the order of the path, and the function and the place of each
//! must agree. Contents of variables and objects are chosen by the encoding when a lifetime
//! begins and asked for by the interpreter when they are first read; the n-th lifetime of a
//! variable, or at an allocation, gets what was chosen for the n-th there. A value that the path
//! does not mention is 0.

use super::replay::Given;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use wedge_c::encode::{ChoicePoint, ChoicePointKind};
use wedge_c::interp::{Birth, Choice, ChoiceKind, Life, Oracle};
use wedge_c::source::Position;
use wedge_c::typed::{FuncId, Program};
use wedge_logic::{BitVec, Value};

/// Bytes by offset.
type Contents = FxHashMap<u64, u8>;

pub struct Recorded<'p> {
    program: &'p Program,
    /// Results of calls: the function, the place, the value.
    calls: VecDeque<(FuncId, Position, u128)>,
    /// For each kind of lifetime, the contents of those that begin next.
    births: FxHashMap<Birth, VecDeque<Contents>>,
    living: FxHashMap<Life, Contents>,
    /// What is read through pointers into the environment, by place.
    environment: FxHashMap<Position, VecDeque<u128>>,
    /// What was answered to questions about calls, in order.
    pub given: Vec<Given>,
    /// Whether a value that is not the result of a call was asked for.
    pub uninitialised: bool,
    /// Where path and run first disagreed about calls.
    pub disagreement: Option<String>,
    /// Whether results of functions that are not computed exactly are those of the path.
    pub insists: bool,
}

impl<'p> Recorded<'p> {
    pub fn new(
        program: &'p Program,
        points: &[ChoicePoint],
        choices: &[(usize, Value)],
    ) -> Recorded<'p> {
        let mut recorded = Recorded {
            program,
            calls: VecDeque::new(),
            births: FxHashMap::default(),
            living: FxHashMap::default(),
            environment: FxHashMap::default(),
            given: Vec::new(),
            uninitialised: false,
            disagreement: None,
            insists: true,
        };
        for (index, value) in choices {
            if let Some(point) = points.get(*index) {
                recorded.add(point, value);
            }
        }
        recorded
    }

    fn add(&mut self, point: &ChoicePoint, value: &Value) {
        let (birth, offset) = match point.kind {
            ChoicePointKind::Call(function) => {
                if let Value::Bv(bits) = value {
                    self.calls.push_back((function, point.position, number(bits)));
                }
                return;
            }
            ChoicePointKind::Local(local, offset) => (Birth::Local(point.function, local), offset),
            ChoicePointKind::Global(global, offset) => (Birth::Global(global), offset),
            ChoicePointKind::Heap(offset) => (Birth::Allocation(point.position), offset),
            ChoicePointKind::Other => {
                if let Value::Bv(bits) = value {
                    let queue = self.environment.entry(point.position).or_default();
                    queue.push_back(number(bits));
                }
                return;
            }
        };
        let queue = self.births.entry(birth).or_default();
        // The same offset again is the beginning of the next lifetime.
        if queue.back().is_none_or(|contents| contents.contains_key(&offset)) {
            queue.push_back(Contents::default());
        }
        if let Some(contents) = queue.back_mut() {
            put(contents, offset, value);
        }
    }

    /// The result of a call, if it is the next one on the path.
    fn result(&mut self, name: &str, at: Position) -> u128 {
        let next = self.calls.front().copied();
        let agrees = next.is_some_and(|(function, position, _)| {
            self.program.function(function).name == name && position == at
        });
        if agrees {
            self.calls.pop_front();
            return next.map_or(0, |(_, _, bits)| bits);
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
        0
    }

    fn stored(&self, life: Option<Life>, offset: u64) -> u128 {
        let contents = life.and_then(|life| self.living.get(&life));
        let byte = |index: u64| contents.and_then(|c| c.get(&(offset + index)).copied());
        let bytes = std::array::from_fn(|index| byte(index as u64).unwrap_or(0));
        u128::from_le_bytes(bytes)
    }
}

impl Oracle for Recorded<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let (name, is_input) = match &choice.kind {
            ChoiceKind::Input(name) => (*name, true),
            ChoiceKind::External(name) => (*name, false),
            ChoiceKind::Local(_) => {
                self.uninitialised = true;
                return self.stored(choice.life, 0);
            }
            ChoiceKind::Memory(_, offset) => {
                self.uninitialised = true;
                return self.stored(choice.life, *offset);
            }
            ChoiceKind::Environment => {
                self.uninitialised = true;
                let queue = self.environment.get_mut(&choice.position);
                return queue.and_then(VecDeque::pop_front).unwrap_or(0);
            }
            ChoiceKind::MissingResult => {
                self.uninitialised = true;
                return 0;
            }
        };
        let bits = self.result(name, choice.position);
        let bits = if choice.width < 128 { bits & ((1 << choice.width) - 1) } else { bits };
        let (ty, position) = (choice.ty, choice.position);
        self.given.push(Given { name: name.to_string(), is_input, ty, bits, position });
        bits
    }

    fn environment(&self) -> Option<u64> {
        Some(1)
    }

    fn insists(&self) -> bool {
        self.insists
    }

    fn begin(&mut self, life: Life, birth: Birth) {
        let contents = self.births.get_mut(&birth).and_then(VecDeque::pop_front);
        if let Some(contents) = contents {
            self.living.insert(life, contents);
        }
    }
}

/// The lowest 128 bits.
fn number(bits: &BitVec) -> u128 {
    let set = bits.bits().take(128).enumerate().filter(|(_, bit)| *bit);
    set.fold(0, |number, (index, _)| number | 1 << index)
}

/// Spreads a value over the bytes from an offset; an array, element by element.
fn put(contents: &mut Contents, offset: u64, value: &Value) {
    match value {
        Value::Bv(bits) => {
            let count = bits.width().div_ceil(8) as usize;
            for (index, byte) in number(bits).to_le_bytes().into_iter().take(count).enumerate() {
                contents.insert(offset + index as u64, byte);
            }
        }
        Value::Array(array) => {
            // A place in the table makes the next lifetime recognisable.
            contents.entry(offset).or_insert(0);
            for (index, element) in array.entries() {
                let width = u64::from(element.width().div_ceil(8));
                if let Some(index) = index.to_u64().filter(|&index| index < 1 << 32) {
                    put(contents, offset + index * width, &Value::Bv(element.clone()));
                }
            }
        }
    }
}
