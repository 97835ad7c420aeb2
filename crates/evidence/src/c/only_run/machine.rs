//! Runs the instructions that an automaton became.

use super::Scrambled;
use super::code::{Instruction, Register, binary, cut, signed};
use super::compile::Code;
use rustc_hash::FxHashMap;
use wedge_logic::{ArrayValue, BitVec, Value};
use wedge_model::cfa::LocationId;

/// It is asked whether to stop after this many edges.
const POLL: u64 = 1 << 16;
/// Elements at smaller indices stand in a row.
const ROW: u64 = 1 << 22;

/// Registers and arrays.
pub struct Machine {
    registers: Vec<u64>,
    arrays: Vec<Array>,
    values: Scrambled,
}

/// The elements of an array.
#[derive(Default)]
struct Array {
    default: u64,
    row: Vec<u64>,
    others: FxHashMap<u64, u64>,
}

impl Array {
    #[inline]
    fn read(&self, index: u64) -> u64 {
        match self.row.get(index as usize) {
            Some(&element) => element,
            None if index < ROW => self.default,
            None => self.others.get(&index).copied().unwrap_or(self.default),
        }
    }

    #[inline]
    fn write(&mut self, index: u64, element: u64) {
        match self.row.get_mut(index as usize) {
            Some(place) => *place = element,
            None => self.write_beyond(index, element),
        }
    }

    #[cold]
    fn write_beyond(&mut self, index: u64, element: u64) {
        if index >= ROW {
            self.others.insert(index, element);
            return;
        }
        let length = (index as usize + 1).next_power_of_two();
        self.row.resize(length, self.default);
        self.row[index as usize] = element;
    }

    fn load(&mut self, value: &ArrayValue) -> Option<()> {
        self.default = value.default_element().to_u64()?;
        self.row.clear();
        self.others.clear();
        for (index, element) in value.entries() {
            self.write(index.to_u64()?, element.to_u64()?);
        }
        Some(())
    }

    fn value(&self, index: u32, element: u32) -> ArrayValue {
        let mut value = ArrayValue::constant(index, BitVec::new(element, self.default));
        let row = self.row.iter().enumerate().map(|(index, &element)| (index as u64, element));
        let others = self.others.iter().map(|(&index, &element)| (index, element));
        for (at, content) in row.chain(others).filter(|(_, content)| *content != self.default) {
            value = value.write(&BitVec::new(index, at), &BitVec::new(element, content));
        }
        value
    }
}

impl Machine {
    pub fn new(code: &Code) -> Machine {
        let arrays = code.arrays.iter().map(|_| Array::default()).collect();
        Machine { registers: code.registers.clone(), arrays, values: Scrambled::default() }
    }

    /// Takes the values of the variables; none if one does not fit.
    pub fn load(
        &mut self,
        code: &Code,
        mut value: impl FnMut(wedge_logic::Term) -> Option<Value>,
    ) -> Option<()> {
        for &(variable, register, _) in &code.words {
            self.registers[register as usize] = value(variable)?.bv().to_u64()?;
        }
        for (&(variable, ..), array) in code.arrays.iter().zip(&mut self.arrays) {
            array.load(value(variable)?.array())?;
        }
        Some(())
    }

    /// Gives the values of the variables back.
    pub fn store(&self, code: &Code, mut assign: impl FnMut(wedge_logic::Term, Value)) {
        for &(variable, register, width) in &code.words {
            assign(variable, BitVec::new(width, self.get(register)).into());
        }
        for (&(variable, index, element), array) in code.arrays.iter().zip(&self.arrays) {
            assign(variable, Value::Array(array.value(index, element)));
        }
    }

    #[inline(always)]
    fn get(&self, register: Register) -> u64 {
        self.registers[register as usize]
    }

    #[inline(always)]
    fn set(&mut self, register: Register, value: u64) {
        self.registers[register as usize] = value;
    }

    /// Runs from an instruction on until code says to leave, `arrive` does at the head of a loop, or
    /// `stop` does now and then. Tells where the run is and how many edges it took.
    ///
    /// Ensures: the automaton has a run of so many edges from the values before to those after.
    pub fn run(
        &mut self,
        code: &Code,
        start: u32,
        mut arrive: impl FnMut(LocationId) -> bool,
        stop: &dyn Fn() -> bool,
    ) -> (LocationId, u64) {
        let instructions = &code.instructions[..];
        let (mut at, mut edges, mut next_poll) = (start as usize, 0u64, POLL);
        loop {
            let now = at;
            at += 1;
            match instructions[now] {
                Instruction::Copy { to, from } => self.set(to, self.get(from)),
                Instruction::Not { to, from, spare } => self.set(to, cut(!self.get(from), spare)),
                Instruction::Neg { to, from, spare } => {
                    self.set(to, cut(self.get(from).wrapping_neg(), spare));
                }
                Instruction::And { to, left, right } => {
                    self.set(to, self.get(left) & self.get(right));
                }
                Instruction::Eq { to, left, right } => {
                    self.set(to, u64::from(self.get(left) == self.get(right)));
                }
                Instruction::Ult { to, left, right } => {
                    self.set(to, u64::from(self.get(left) < self.get(right)));
                }
                Instruction::Slt { to, left, right, spare } => {
                    let less = signed(self.get(left), spare) < signed(self.get(right), spare);
                    self.set(to, u64::from(less));
                }
                Instruction::Add { to, left, right, spare } => {
                    let sum = self.get(left).wrapping_add(self.get(right));
                    self.set(to, cut(sum, spare));
                }
                Instruction::Mul { to, left, right, spare } => {
                    let product = self.get(left).wrapping_mul(self.get(right));
                    self.set(to, cut(product, spare));
                }
                Instruction::Binary { op, to, left, right, spare } => {
                    self.set(to, binary(op, self.get(left), self.get(right), spare));
                }
                Instruction::Concat { to, left, right, low } => {
                    self.set(to, self.get(left) << low | self.get(right));
                }
                Instruction::Slice { to, from, low, spare } => {
                    self.set(to, cut(self.get(from) >> low, spare));
                }
                Instruction::Sext { to, from, from_spare, spare } => {
                    self.set(to, cut(signed(self.get(from), from_spare) as u64, spare));
                }
                Instruction::Ite { to, condition, yes, no } => {
                    let chosen = if self.get(condition) != 0 { yes } else { no };
                    self.set(to, self.get(chosen));
                }
                Instruction::Read { to, array, index } => {
                    let element = self.arrays[array as usize].read(self.get(index));
                    self.set(to, element);
                }
                Instruction::Write { array, index, from } => {
                    let (index, element) = (self.get(index), self.get(from));
                    self.arrays[array as usize].write(index, element);
                }
                Instruction::WriteIf { condition, array, index, from } => {
                    if self.get(condition) != 0 {
                        let (index, element) = (self.get(index), self.get(from));
                        self.arrays[array as usize].write(index, element);
                    }
                }
                Instruction::Scramble { to, spare } => {
                    let word = self.values.word();
                    self.set(to, cut(word, spare));
                }
                Instruction::IfZero { condition, to } => {
                    if self.get(condition) == 0 {
                        at = to as usize;
                    }
                }
                Instruction::IfNot { condition, to } => {
                    if self.get(condition) != 0 {
                        at = to as usize;
                    }
                }
                Instruction::UnlessEq { left, right, to } => {
                    if self.get(left) != self.get(right) {
                        at = to as usize;
                    }
                }
                Instruction::UnlessUlt { left, right, to } => {
                    if self.get(left) >= self.get(right) {
                        at = to as usize;
                    }
                }
                Instruction::UnlessSlt { left, right, spare, to } => {
                    if signed(self.get(left), spare) >= signed(self.get(right), spare) {
                        at = to as usize;
                    }
                }
                Instruction::WhenEq { left, right, to } => {
                    if self.get(left) == self.get(right) {
                        at = to as usize;
                    }
                }
                Instruction::WhenUlt { left, right, to } => {
                    if self.get(left) < self.get(right) {
                        at = to as usize;
                    }
                }
                Instruction::WhenSlt { left, right, spare, to } => {
                    if signed(self.get(left), spare) < signed(self.get(right), spare) {
                        at = to as usize;
                    }
                }
                Instruction::Go { edges: more, to } => {
                    edges += u64::from(more);
                    at = to as usize;
                }
                Instruction::Arrive(location) => {
                    if arrive(location) {
                        return (location, edges);
                    }
                    if edges >= next_poll {
                        next_poll = edges + POLL;
                        if stop() {
                            return (location, edges);
                        }
                    }
                }
                Instruction::Leave { edges: more, location } => {
                    return (location, edges + u64::from(more));
                }
            }
        }
    }
}
