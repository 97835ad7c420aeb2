//! From typed programs to instructions: functions, statements and calls. What does not fit gives
//! `None`, all the way up.

use super::code::{Array, Code, Format, Instruction, Label, Question, QuestionKind, Register};
use super::tune::tune;
use crate::features::Features;
use crate::interp::{Outcome, Undefined};
use crate::source::Position;
use crate::typed::{
    Body, Callee, ExprKind, FuncId, GlobalId, Initial, LocalId, Place, PlaceKind, Program, Stmt,
    StmtKind, Terminator,
};
use crate::types::{Length, Ty, Type};
use crate::violation::Properties;
use rustc_hash::FxHashMap;

/// Programs with more elements of arrays are left to the interpreter.
const MAX_REGISTERS: usize = 1 << 20;
/// Registers from here on are constants, and temporaries, until their places are known.
const CONSTANTS: Register = 1 << 28;
const TEMPORARIES: Register = 1 << 29;

mod calls;
mod expressions;
mod facts;

pub fn compile(program: &Program, properties: &Properties) -> Option<Code> {
    if properties.has_settled() {
        return None;
    }
    let mut compiler = Compiler {
        program,
        properties,
        code: Code::default(),
        labels: Vec::new(),
        constants: FxHashMap::default(),
        temporaries: 0,
        most_temporaries: 0,
        globals: FxHashMap::default(),
        functions: FxHashMap::default(),
        waiting: Vec::new(),
        locals: FxHashMap::default(),
        function: program.main?,
    };
    compiler.lay_out_globals()?;
    compiler.whole()?;
    compiler.link();
    Some(compiler.code)
}

/// Where a variable is.
#[derive(Clone, Copy)]
enum Storage {
    /// The question is asked where it may have no value.
    Scalar(Register, Option<u32>),
    Array(u32),
}

#[derive(Clone)]
struct Function {
    number: u32,
    entry: Label,
    parameters: Vec<Register>,
    result: Register,
}

struct Compiler<'p> {
    program: &'p Program,
    properties: &'p Properties,
    code: Code,
    /// The place of each label.
    labels: Vec<u32>,
    constants: FxHashMap<i64, Register>,
    /// In use by the statement at hand, and the most of any.
    temporaries: u32,
    most_temporaries: u32,
    globals: FxHashMap<GlobalId, Storage>,
    functions: FxHashMap<FuncId, Function>,
    waiting: Vec<FuncId>,
    /// Of all functions.
    locals: FxHashMap<(FuncId, LocalId), Storage>,
    /// The one at hand.
    function: FuncId,
}

impl<'p> Compiler<'p> {
    fn emit(&mut self, instruction: Instruction) {
        self.code.instructions.push(instruction);
    }

    fn label(&mut self) -> Label {
        self.labels.push(0);
        self.labels.len() as u32 - 1
    }

    fn place_label(&mut self, label: Label) {
        self.labels[label as usize] = self.code.instructions.len() as u32;
    }

    /// The register of a variable.
    fn variable(&mut self) -> Register {
        self.code.registers.push(0);
        self.code.registers.len() as u32 - 1
    }

    /// A register for a value inside of a statement.
    fn temporary(&mut self) -> Register {
        self.temporaries += 1;
        self.most_temporaries = self.most_temporaries.max(self.temporaries);
        TEMPORARIES + self.temporaries - 1
    }

    fn constant(&mut self, value: i64) -> Register {
        let next = CONSTANTS + self.constants.len() as u32;
        *self.constants.entry(value).or_insert(next)
    }

    fn format(&self, ty: Ty) -> Option<Format> {
        self.program.types.int_format(ty).and_then(Format::new)
    }

    /// The elements of an array of integers.
    fn elements(&self, ty: Ty) -> Option<(Ty, u32)> {
        match *self.program.types.get(ty) {
            Type::Array(element, Length::Fixed(count)) => {
                self.format(element)?;
                let count = u32::try_from(count).ok()?;
                let room = MAX_REGISTERS.checked_sub(self.code.registers.len())?;
                (count as usize <= room).then_some((element, count))
            }
            _ => None,
        }
    }

    fn array(&mut self, count: u32, question: Option<u32>) -> u32 {
        let first = self.code.registers.len() as u32;
        let end = self.code.registers.len() + count as usize;
        self.code.registers.resize(end, 0);
        self.code.arrays.push(Array { first, count, question });
        self.code.arrays.len() as u32 - 1
    }

    fn question(&mut self, kind: QuestionKind, ty: Ty, position: Position) -> Option<u32> {
        let format = self.format(ty)?;
        let width = if ty == Ty::BOOL { 1 } else { format.int_format().width };
        self.code.questions.push(Question { kind, ty, width, format, position });
        Some(self.code.questions.len() as u32 - 1)
    }

    fn end(&mut self, outcome: Outcome) {
        self.code.ends.push(outcome);
        let end = self.code.ends.len() as u32 - 1;
        self.emit(Instruction::End(end));
    }

    /// Globals that do not fit have no storage; that matters only where they are used.
    fn lay_out_globals(&mut self) -> Option<()> {
        for (index, global) in self.program.globals.iter().enumerate() {
            let Initial::Values(values) = &global.initial else { continue };
            let storage = match (self.format(global.ty), self.elements(global.ty)) {
                (Some(_), _) => Storage::Scalar(self.variable(), None),
                (None, Some((_, count))) => Storage::Array(self.array(count, None)),
                (None, None) => continue,
            };
            for (place, value) in values {
                let (ExprKind::Int(bits), Some(format)) = (&value.kind, self.format(value.ty))
                else {
                    return None;
                };
                let register = match (&place.kind, storage) {
                    (PlaceKind::Global(_), Storage::Scalar(register, _)) => register,
                    (PlaceKind::Index(_, at), Storage::Array(array)) => {
                        let array = self.code.arrays[array as usize];
                        let at = u32::try_from(at.as_int()?).ok()?;
                        array.first + (at < array.count).then_some(at)?
                    }
                    _ => return None,
                };
                self.code.registers[register as usize] = format.number(*bits as i64);
            }
            self.globals.insert(GlobalId(index as u32), storage);
        }
        self.code.globals = self.code.registers.len();
        Some(())
    }

    fn whole(&mut self) -> Option<()> {
        let main = self.program.main?;
        if self.program.function(main).body.as_ref()?.parameters > 0 {
            return None;
        }
        if Features::of(self.program).recursion {
            return None;
        }
        self.known(main)?;
        while let Some(id) = self.waiting.pop() {
            self.function(id)?;
        }
        Some(())
    }

    /// What callers have to know of a function; its code is made later.
    fn known(&mut self, id: FuncId) -> Option<Function> {
        if let Some(known) = self.functions.get(&id) {
            return Some(known.clone());
        }
        let body = self.program.function(id).body.as_ref()?;
        let outer = std::mem::replace(&mut self.function, id);
        let mut parameters = Vec::new();
        for index in 0..body.parameters {
            let local = LocalId(index as u32);
            self.format(body.local(local).ty)?;
            let register = self.variable();
            self.locals.insert((id, local), Storage::Scalar(register, None));
            parameters.push(register);
        }
        self.function = outer;
        let (entry, result) = (self.label(), self.variable());
        let number = self.functions.len() as u32;
        let function = Function { number, entry, parameters, result };
        self.functions.insert(id, function.clone());
        self.code.functions = self.functions.len() as u32;
        self.waiting.push(id);
        Some(function)
    }

    fn function(&mut self, id: FuncId) -> Option<()> {
        let body: &'p Body = self.program.function(id).body.as_ref()?;
        self.function = id;
        let known = self.known(id)?;
        self.place_label(known.entry);
        let variables = (body.parameters..body.locals.len()).map(|index| LocalId(index as u32));
        for local in variables {
            self.local(body, local)?;
        }
        let blocks: Vec<Label> = body.blocks.iter().map(|_| self.label()).collect();
        for (index, block) in body.blocks.iter().enumerate() {
            self.place_label(blocks[index]);
            self.emit(Instruction::Tick(block.statements.len() as u32 + 1));
            for statement in &block.statements {
                self.statement(statement)?;
            }
            self.terminator(crate::typed::BlockId(index as u32), block, &blocks)?;
        }
        Some(())
    }

    /// Makes room for a local variable, which has no value yet. One that does not fit has no
    /// storage; that matters only where it is used.
    fn local(&mut self, body: &'p Body, id: LocalId) -> Option<()> {
        let declared = body.local(id);
        let storage = match (self.format(declared.ty), self.elements(declared.ty)) {
            (Some(_), _) => {
                let register = self.variable();
                let is_set_at_once = facts::is_set_at_once(body, id);
                let question = match is_set_at_once {
                    true => None,
                    false => {
                        let kind = QuestionKind::Local(id);
                        Some(self.question(kind, declared.ty, declared.position)?)
                    }
                };
                if question.is_some() {
                    self.emit(Instruction::Forget { first: register, count: 1 });
                }
                Storage::Scalar(register, question)
            }
            (None, Some((element, count))) => {
                let question = self.question(QuestionKind::Memory, element, declared.position)?;
                let array = self.array(count, Some(question));
                let first = self.code.arrays[array as usize].first;
                self.emit(Instruction::Forget { first, count });
                Storage::Array(array)
            }
            (None, None) => return Some(()),
        };
        self.locals.insert((self.function, id), storage);
        Some(())
    }

    fn storage(&self, place: &Place) -> Option<Storage> {
        match place.kind {
            PlaceKind::Local(id) => self.locals.get(&(self.function, id)).copied(),
            PlaceKind::Global(id) => self.globals.get(&id).copied(),
            _ => None,
        }
    }

    fn statement(&mut self, statement: &'p Stmt) -> Option<()> {
        let at = statement.position;
        self.temporaries = 0;
        match &statement.kind {
            StmtKind::Assign { place, value } => {
                let value = self.value(value)?;
                self.store(place, value)
            }
            StmtKind::Zero(place) => match self.storage(place)? {
                Storage::Scalar(..) => {
                    let zero = self.constant(0);
                    self.store(place, zero)
                }
                Storage::Array(array) => {
                    let array = self.code.arrays[array as usize];
                    let zero = self.constant(0);
                    for register in array.first..array.first + array.count.min(64) {
                        self.emit(Instruction::Copy { to: register, from: zero });
                        self.emit(Instruction::Know(register));
                    }
                    (array.count <= 64).then_some(())
                }
            },
            StmtKind::Begin(_) | StmtKind::End(_) => Some(()),
            StmtKind::Declare(id) => {
                match self.locals.get(&(self.function, *id)).copied() {
                    Some(Storage::Scalar(first, Some(_))) => {
                        self.emit(Instruction::Forget { first, count: 1 });
                    }
                    Some(Storage::Array(array)) => {
                        let Array { first, count, .. } = self.code.arrays[array as usize];
                        self.emit(Instruction::Forget { first, count });
                    }
                    _ => {}
                }
                Some(())
            }
            StmtKind::Call { result, callee: Callee::Function(id), arguments } => {
                self.call(result.as_ref(), *id, arguments, at)
            }
            _ => None,
        }
    }

    /// Stores a number of the place's type.
    fn store(&mut self, place: &'p Place, value: Register) -> Option<()> {
        match &place.kind {
            PlaceKind::Index(base, index) => {
                self.format(place.ty)?;
                let Storage::Array(array) = self.storage(base)? else { return None };
                let index = self.value(index)?;
                self.emit(Instruction::Write { array, index, from: value });
            }
            _ => {
                let Storage::Scalar(to, question) = self.storage(place)? else { return None };
                self.emit(Instruction::Copy { to, from: value });
                if question.is_some() {
                    self.emit(Instruction::Know(to));
                }
            }
        }
        Some(())
    }

    fn terminator(
        &mut self,
        from: crate::typed::BlockId,
        block: &'p crate::typed::Block,
        blocks: &[Label],
    ) -> Option<()> {
        let label = |id: crate::typed::BlockId| blocks[id.0 as usize];
        self.temporaries = 0;
        match &block.terminator {
            Terminator::Goto(to) => self.emit(Instruction::Jump(label(*to))),
            Terminator::Branch { condition, then, otherwise } => {
                let no = self.label();
                self.unless(condition, no)?;
                self.decide(from, *then, label(*then));
                self.place_label(no);
                self.decide(from, *otherwise, label(*otherwise));
            }
            Terminator::Switch { value, ranges, default } => {
                let format = self.format(value.ty)?;
                let value = self.value(value)?;
                for range in ranges {
                    let next = self.label();
                    let low = self.constant(format.number(range.low as i64));
                    let high = self.constant(format.number(range.high as i64));
                    let relation = expressions::at_most(format);
                    self.emit(Instruction::Unless { relation, left: low, right: value, to: next });
                    self.emit(Instruction::Unless { relation, left: value, right: high, to: next });
                    self.decide(from, range.target, label(range.target));
                    self.place_label(next);
                }
                self.decide(from, *default, label(*default));
            }
            Terminator::Return(value) => {
                let known = self.known(self.function)?;
                let value = match value {
                    Some(value) => Some(self.value(value)?),
                    None => None,
                };
                if Some(self.function) == self.program.main {
                    let status = value.unwrap_or_else(|| self.constant(0));
                    self.emit(Instruction::Finish(status));
                    return Some(());
                }
                if let Some(from) = value {
                    self.emit(Instruction::Copy { to: known.result, from });
                }
                self.emit(Instruction::Return(known.number));
            }
            Terminator::Unreachable => {
                self.end(Outcome::UndefinedBehaviour(Undefined::Unreachable, block.position));
            }
        }
        Some(())
    }

    fn decide(&mut self, from: crate::typed::BlockId, to: crate::typed::BlockId, label: Label) {
        self.code.decisions.push((self.function, from, to));
        let decision = self.code.decisions.len() as u32 - 1;
        self.emit(Instruction::Decide(decision));
        self.emit(Instruction::Jump(label));
    }

    /// Puts places for the labels, and constants and temporaries behind the variables.
    fn link(&mut self) {
        let variables = self.code.registers.len() as u32;
        let constants = self.constants.len() as u32;
        self.code.variables = variables as usize;
        let all = (variables + constants + self.most_temporaries) as usize;
        self.code.registers.resize(all, 0);
        let image = |register: Register| match register {
            TEMPORARIES.. => register - TEMPORARIES + variables + constants,
            CONSTANTS.. => register - CONSTANTS + variables,
            _ => register,
        };
        for (&value, &register) in &self.constants {
            self.code.registers[image(register) as usize] = value;
        }
        for instruction in &mut self.code.instructions {
            instruction.relocate(image);
        }
        for instruction in &mut self.code.instructions {
            if let Some(label) = instruction.label() {
                *label = self.labels[*label as usize];
            }
        }
        tune(&mut self.code, variables + constants);
    }
}
