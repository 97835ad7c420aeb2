//! Runs instructions.

use super::code::{Array, Code, Format, Instruction, Register};
use crate::arith::int::{self, NoResult};
use crate::execute::guide::Guide;
use crate::interp::{Choice, ChoiceKind, Oracle, Outcome, Snapshot, Undefined};
use crate::source::Position;
use crate::typed::{BinaryOp, Program};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The guide is asked after this many steps whether to go on.
const POLL: u64 = 1 << 12;

/// The state of a run; kept for the next one, so that nothing has to be allocated again.
pub struct Machine {
    registers: Vec<i64>,
    /// Registers without a value.
    open: Vec<bool>,
    returns: Vec<u32>,
    /// The next instruction where a question is asked.
    at: usize,
    steps: u64,
    next_poll: u64,
    /// How often each decision was made; the last number is for jumps without one.
    decided: Vec<u32>,
}

impl Machine {
    pub fn new(code: &Code) -> Machine {
        Machine {
            registers: Vec::new(),
            open: Vec::new(),
            returns: vec![0; code.functions as usize],
            at: 0,
            steps: 0,
            next_poll: 0,
            decided: vec![0; code.decisions.len() + 1],
        }
    }

    pub fn run(&mut self, code: &Code, program: &Program, guide: &mut Guide) -> (Outcome, u64) {
        self.registers.clone_from(&code.registers);
        self.open.clear();
        self.open.resize(code.registers.len(), false);
        (self.at, self.steps, self.next_poll) = (0, 0, POLL);
        self.decided.fill(0);
        let outcome = self.follow(code, program, guide);
        for (&(function, from, to), &times) in code.decisions.iter().zip(&self.decided) {
            guide.decided_often(function, from, to, times);
        }
        (outcome, self.steps)
    }

    fn get(&self, register: Register) -> i64 {
        self.registers[register as usize]
    }

    fn set(&mut self, register: Register, value: i64) {
        self.registers[register as usize] = value;
    }

    fn follow(&mut self, code: &Code, program: &Program, guide: &mut Guide) -> Outcome {
        let instructions = &code.instructions[..];
        let mut at = self.at;
        loop {
            let now = at;
            at += 1;
            match instructions[now] {
                Instruction::Tick(steps) => {
                    self.steps += steps as u64;
                    if self.steps >= self.next_poll && self.is_stopped(guide) {
                        return Outcome::StepLimit;
                    }
                }
                Instruction::Copy { to, from } => self.set(to, self.get(from)),
                Instruction::Convert { format, to, from } => {
                    self.set(to, format.number(self.get(from)));
                }
                Instruction::Unary { op, format, to, from } => {
                    let bits = self.get(from) as u64 as u128;
                    let bits = int::unary(op, bits, format.int_format());
                    self.set(to, format.number(bits as i64));
                }
                Instruction::Binary { op, format, to, left, right } => {
                    match binary(op, format, self.get(left), self.get(right)) {
                        Ok(value) => self.set(to, value),
                        Err(why) => return undefined(why.into()),
                    }
                }
                Instruction::Add { format, to, left, right } => {
                    let sum = self.get(left).wrapping_add(self.get(right));
                    self.set(to, format.number(sum));
                }
                Instruction::Subtract { format, to, left, right } => {
                    let difference = self.get(left).wrapping_sub(self.get(right));
                    self.set(to, format.number(difference));
                }
                Instruction::Multiply { format, to, left, right } => {
                    let product = self.get(left).wrapping_mul(self.get(right));
                    self.set(to, format.number(product));
                }
                Instruction::Mask { to, left, right } => {
                    self.set(to, self.get(left) & self.get(right));
                }
                Instruction::Compare { relation, to, left, right } => {
                    let truth = relation.holds(self.get(left), self.get(right));
                    self.set(to, truth as i64);
                }
                Instruction::Jump(to) => at = to as usize,
                Instruction::Go { decision, steps, to } => {
                    let count = &mut self.decided[decision as usize];
                    *count = count.saturating_add(1);
                    at = to as usize;
                    self.steps += steps as u64;
                    if self.steps >= self.next_poll && self.is_stopped(guide) {
                        return Outcome::StepLimit;
                    }
                }
                Instruction::Unless { relation, left, right, to } => {
                    if !relation.holds(self.get(left), self.get(right)) {
                        at = to as usize;
                    }
                }
                Instruction::Read { to, array, index } => {
                    let array = code.arrays[array as usize];
                    let Some(register) = element(array, self.get(index)) else {
                        return undefined(Undefined::OutOfBounds);
                    };
                    if self.open[register as usize]
                        && let Some(question) = array.question
                    {
                        self.at = at;
                        self.ask(register, question, code, program, guide);
                    }
                    self.set(to, self.get(register));
                }
                Instruction::Write { array, index, from } => {
                    let array = code.arrays[array as usize];
                    let Some(register) = element(array, self.get(index)) else {
                        return undefined(Undefined::OutOfBounds);
                    };
                    self.set(register, self.get(from));
                    self.open[register as usize] = false;
                }
                Instruction::Ask { to, question } => {
                    self.at = at;
                    self.ask(to, question, code, program, guide);
                }
                Instruction::Settle { register, question } => {
                    if self.open[register as usize] {
                        self.at = at;
                        self.ask(register, question, code, program, guide);
                    }
                }
                Instruction::Forget { first, count } => {
                    let range = first as usize..(first + count) as usize;
                    self.open[range].fill(true);
                }
                Instruction::Know(register) => self.open[register as usize] = false,
                Instruction::Call { to, function } => {
                    self.returns[function as usize] = at as u32;
                    at = to as usize;
                }
                Instruction::Return(function) => at = self.returns[function as usize] as usize,
                Instruction::Decide(decision) => {
                    let count = &mut self.decided[decision as usize];
                    *count = count.saturating_add(1);
                }
                Instruction::External(call) => {
                    let (function, position) = code.externals[call as usize];
                    guide.external_call(&program.function(function).name, &[], position);
                }
                Instruction::End(end) => return code.ends[end as usize].clone(),
                Instruction::Finish(status) => return Outcome::Finished(self.get(status) as i32),
            }
        }
    }

    #[cold]
    fn is_stopped(&mut self, guide: &mut Guide) -> bool {
        self.next_poll = self.steps + POLL;
        guide.wants_stop(self.steps)
    }

    fn ask(
        &mut self,
        to: Register,
        question: u32,
        code: &Code,
        program: &Program,
        guide: &mut Guide,
    ) {
        let question = &code.questions[question as usize];
        let kind = question.kind.choice(|id| &program.function(id).name);
        let is_input = matches!(kind, ChoiceKind::Input(_));
        let state = (is_input && guide.wants_states()).then(|| self.snapshot(code));
        let choice = Choice {
            kind,
            ty: question.ty,
            width: question.width,
            position: question.position,
            life: None,
            state,
        };
        let bits = int::truncate(guide.choose(&choice), question.width);
        self.set(to, question.format.number(bits as i64));
        self.open[to as usize] = false;
    }

    fn snapshot(&self, code: &Code) -> Snapshot {
        let mut hasher = FxHasher::default();
        self.at.hash(&mut hasher);
        self.registers[..code.globals].hash(&mut hasher);
        let memory = hasher.finish();
        self.registers[code.globals..code.variables].hash(&mut hasher);
        Snapshot { memory, everything: hasher.finish() }
    }
}

fn element(array: Array, index: i64) -> Option<Register> {
    u32::try_from(index).ok().filter(|&index| index < array.count).map(|index| array.first + index)
}

/// The interpreter knows where.
fn undefined(what: Undefined) -> Outcome {
    Outcome::UndefinedBehaviour(what, Position::default())
}

fn binary(op: BinaryOp, format: Format, left: i64, right: i64) -> Result<i64, NoResult> {
    let value = match op {
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Subtract => left.wrapping_sub(right),
        BinaryOp::Multiply => left.wrapping_mul(right),
        BinaryOp::And => left & right,
        BinaryOp::Or => left | right,
        BinaryOp::Xor => left ^ right,
        _ => {
            let (left, right) = (left as i128 as u128, right as i128 as u128);
            int::binary(op, left, right, format.int_format())? as i64
        }
    };
    Ok(format.number(value))
}
