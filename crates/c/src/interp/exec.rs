//! The main loop.

use super::detail::Culprit;
use super::frame::Frame;
use super::leap::Leaps;
use super::memory::{Memory, Origin, Placement};
use super::models::{Late, Streams};
use super::oracle::{Birth, Life, Oracle};
use super::outcome::{Outcome, Step, Undefined, undefined, unsupported};
use super::outside::Outside;
use super::seen::Seen;
use super::trace::{Event, Trace};
use super::value::{Byte, ObjectId, Scalar, Source, Value};
use crate::arith::int;
use crate::library::FunctionModel;
use crate::source::Position;
use crate::typed::{
    BinaryOp, Block, BlockId, Body, Expr, ExprKind, FuncId, Initial, LocalId, LocalKind, Program,
    Stmt, StmtKind, SwitchRange, Terminator,
};
use crate::violation::{Check, Kind, Properties, Violation};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::rc::Rc;
use wedge_logic::Rounding;

/// How far a run may go and what is recorded of it.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Statements and branches.
    pub steps: u64,
    /// Functions active at once.
    pub depth: usize,
    /// Events kept in the trace; 0 records nothing.
    pub trace: usize,
    /// Whether accesses to memory are recorded, too.
    pub accesses: bool,
    /// Whether it is recorded what recursive functions are given and give.
    pub calls: bool,
    pub placement: Placement,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: 10_000_000,
            depth: 1_000_000,
            trace: 0,
            accesses: false,
            calls: false,
            placement: Placement::Usual,
        }
    }
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Run<'p> {
    pub outcome: Outcome,
    pub trace: Trace<'p>,
    pub steps: u64,
    /// Those of the steps that were made many at a time.
    pub leapt: u64,
    /// The first thing on which the run may depend although C leaves it to implementations and the
    /// oracle was not asked: addresses of objects, mostly. Another implementation may go another
    /// way from there.
    pub unspecified: Option<(&'static str, Position)>,
    /// The first function that gave a result which is not the machine's, and where: the run need
    /// not be one of the program on any machine.
    pub inexact: Option<(String, Position)>,
    /// Of a violation: what it is about, as a sentence.
    pub detail: Option<String>,
    /// The last statement.
    pub statement: Position,
    /// The calls of functions, if they are wanted.
    pub seen: Option<Seen>,
    pub outside: Outside,
}

/// The oracle is asked after this many steps whether to go on.
const POLL: u64 = 1 << 12;
/// Circles of at most so many jumps are recognised.
const SHORT_CIRCLE: usize = 4;

/// What runs of one program find out about it, for those that follow.
#[derive(Default)]
pub struct Experience {
    /// Which locals live in registers, by function.
    registers: Vec<Option<Rc<Vec<bool>>>>,
    /// The statements and ends of blocks that were reached, if somebody wants to know.
    pub visited: Option<FxHashSet<Position>>,
}

/// Runs a program from `main`, up to the first violation of the properties.
pub fn run<'p>(
    program: &'p Program,
    properties: &Properties,
    oracle: &mut dyn Oracle,
    limits: Limits,
) -> Run<'p> {
    run_again(program, properties, oracle, limits, &mut Experience::default())
}

/// Runs a program with what is known from earlier runs of it.
pub fn run_again<'p>(
    program: &'p Program,
    properties: &Properties,
    oracle: &mut dyn Oracle,
    limits: Limits,
    experience: &mut Experience,
) -> Run<'p> {
    experience.registers.resize(program.functions.len(), None);
    let (comparisons, states) = (oracle.wants_comparisons(), oracle.wants_states());
    let mut memory = Memory::new(program.types.model, limits.placement);
    memory.near_null = oracle.environment().unwrap_or(u64::MAX).min(memory.near_null);
    let mut interpreter = Interpreter {
        program,
        properties,
        oracle,
        comparisons,
        states,
        checks_overflow: properties.asks(Kind::Overflow),
        checks_parts: properties.asks(Kind::Deref),
        unwritten: properties.asks(Kind::Uninitialised).then(FxHashSet::default),
        tracks: properties.asks(Kind::Memtrack),
        unspecified: None,
        culprit: Cell::new(None),
        has_goals: properties.has_goals(),
        visited: experience.visited.take(),
        now: Position::default(),
        models: vec![None; program.functions.len()],
        spare: Vec::new(),
        memory,
        globals: Vec::new(),
        functions: Vec::new(),
        frames: Vec::new(),
        registers: std::mem::take(&mut experience.registers),
        limits,
        steps: 0,
        trace: Trace::with_capacity(limits.trace).with_accesses(limits.accesses),
        seen: limits.calls.then(Seen::default),
        lives: 0,
        rounding: Rounding::NearestEven,
        inexact: None,
        returned: None,
        token: Scalar::number(0),
        streams: Streams::default(),
        outside: Outside::default(),
        given_arguments: [None; 2],
        late: Late::default(),
        reached: FxHashSet::default(),
        settled: FxHashMap::default(),
        foreign: FxHashMap::default(),
        leaps: Leaps::default(),
    };
    interpreter.leaps = Leaps::new(interpreter.may_leap(), program.functions.len());
    let outcome = match interpreter.start() {
        Ok(()) => interpreter.main_loop(),
        Err(stop) => *stop,
    };
    let outcome = interpreter.with_promise(outcome);
    let outcome = interpreter.with_leaks(outcome);
    let detail = interpreter.detail(&outcome);
    let statement = interpreter.now;
    let outcome = outcome.seen_by(properties, program, statement);
    let guessed = interpreter.memory.guessed.get().map(|at| ("an address given by a number", at));
    let unspecified = interpreter.unspecified.or(guessed);
    let leapt = interpreter.leaps.leapt;
    let Interpreter { trace, steps, inexact, registers, visited, seen, outside, .. } = interpreter;
    (experience.registers, experience.visited) = (registers, visited);
    Run { outcome, trace, steps, leapt, unspecified, inexact, detail, statement, seen, outside }
}

/// What a call of a function means, beside its body.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub model: Option<FunctionModel>,
    pub check: Option<Check>,
    /// Nothing is said about a run from a call on.
    pub is_refused: bool,
}

pub(super) struct Interpreter<'p, 'o> {
    pub program: &'p Program,
    pub properties: &'o Properties,
    pub oracle: &'o mut dyn Oracle,
    pub memory: Memory,
    /// The objects of the global variables and of the functions.
    pub globals: Vec<ObjectId>,
    pub functions: Vec<ObjectId>,
    pub frames: Vec<Frame<'p>>,
    /// Which locals live in registers, for the functions met so far.
    pub registers: Vec<Option<Rc<Vec<bool>>>>,
    /// What is known about the functions called so far.
    pub models: Vec<Option<Known>>,
    /// Frames of functions that have ended, whose storage is used again.
    pub spare: Vec<Frame<'p>>,
    /// Whether the oracle wants to know about comparisons.
    pub comparisons: bool,
    /// Whether it wants to know states.
    pub states: bool,
    /// Whether signed results that do not fit end a run.
    pub checks_overflow: bool,
    /// The lives that began without being given contents, if it matters.
    pub unwritten: Option<FxHashSet<Life>>,
    /// Whether subscripts have to stay inside arrays that are parts of objects.
    pub checks_parts: bool,
    /// Whether lost objects end a run.
    pub tracks: bool,
    pub unspecified: Option<(&'static str, Position)>,
    /// What the undefined behaviour that was met last is about.
    pub culprit: Cell<Option<Culprit<'p>>>,
    pub has_goals: bool,
    pub visited: Option<FxHashSet<Position>>,
    /// The statement that is being executed.
    pub now: Position,
    pub limits: Limits,
    pub steps: u64,
    pub trace: Trace<'p>,
    /// See [`Run::seen`].
    pub seen: Option<Seen>,
    /// Lifetimes begun so far.
    pub lives: u64,
    /// What `fesetround` chose.
    pub rounding: Rounding,
    /// See [`Run::inexact`].
    pub inexact: Option<(String, Position)>,
    /// What the last function that ended has given, if it is a scalar.
    pub returned: Option<Scalar>,
    /// Where `strtok` goes on.
    pub token: Scalar,
    /// What is known of the characters that come next.
    pub streams: Streams,
    /// What it was given from outside.
    pub outside: Outside,
    /// `argc` and `argv` as the program got them, once it has looked.
    pub given_arguments: [Option<Scalar>; 2],
    /// What was registered for later.
    pub late: Late,
    /// The objects that functions nobody knows can reach, by what they have been given.
    pub reached: FxHashSet<ObjectId>,
    /// Uninitialised bytes that were copied, once they are known.
    pub settled: FxHashMap<Source, u8>,
    /// What is known of the memory of the environment, by address.
    pub foreign: FxHashMap<u64, Byte>,
    /// What is known of loops.
    pub leaps: Leaps,
}

impl<'p> Interpreter<'p, '_> {
    pub(super) fn frame(&self) -> &Frame<'p> {
        self.frames.last().expect("the loop ends with the last frame")
    }

    pub(super) fn frame_mut(&mut self) -> &mut Frame<'p> {
        self.frames.last_mut().expect("the loop ends with the last frame")
    }

    /// Makes the global objects and enters `main`.
    fn start(&mut self) -> Step<()> {
        let Some(main) = self.program.main else {
            return unsupported("a program without `main`", Position::default());
        };
        for index in 0..self.program.functions.len() {
            let position = self.program.functions[index].position;
            let origin = Origin::Function(FuncId(index as u32));
            let id = self.memory.allocate(1, 16, origin, position)?;
            if let Some(object) = self.memory.object_mut(id) {
                object.writable = false;
            }
            self.functions.push(id);
        }
        for (index, global) in self.program.globals.iter().enumerate() {
            let origin = Origin::Global(crate::typed::GlobalId(index as u32));
            let id = self.memory.allocate(global.size, global.align, origin, global.position)?;
            self.globals.push(id);
        }
        self.enter(main, Vec::new(), None, self.program.function(main).position)?;
        let parameters = self.frame().body.parameters;
        (0..parameters).for_each(|index| self.declare(LocalId(index as u32)));
        self.initialize_globals()
    }

    fn initialize_globals(&mut self) -> Step<()> {
        for (index, global) in self.program.globals.iter().enumerate() {
            let id = self.globals[index];
            if let Initial::Values(values) = &global.initial {
                if let Some(object) = self.memory.object_mut(id) {
                    object.fill(0, global.size, Some(0));
                }
                for (place, value) in values {
                    let value = self.eval_value(value)?;
                    self.store_quietly(place, value)?;
                }
            }
            if matches!(global.initial, Initial::External) {
                let variable = crate::typed::GlobalId(index as u32);
                self.begin_object(id, Birth::Global(variable));
                if let Some(life) = self.memory.object(id).and_then(|object| object.life) {
                    self.outside.begin(life, variable);
                }
            }
            if let Some(object) = self.memory.object_mut(id) {
                object.writable = !global.is_literal;
            }
        }
        Ok(())
    }

    /// Stores without an entry in the trace.
    fn store_quietly(&mut self, place: &'p crate::typed::Place, value: Value) -> Step<()> {
        let trace = std::mem::take(&mut self.trace);
        let result = self.store(place, value, place.position);
        self.trace = trace;
        result
    }

    fn main_loop(&mut self) -> Outcome {
        loop {
            match self.step_once() {
                Ok(None) => {}
                Ok(Some(status)) => return Outcome::Finished(status),
                Err(stop) => return *stop,
            }
        }
    }

    /// One step, if there may be more.
    pub(super) fn step_once(&mut self) -> Step<Option<i32>> {
        if self.steps >= self.limits.steps {
            return Err(Box::new(Outcome::StepLimit));
        }
        if self.steps.is_multiple_of(POLL) && self.oracle.wants_stop(self.steps - self.leaps.leapt)
        {
            return Err(Box::new(Outcome::StepLimit));
        }
        self.steps += 1;
        self.step()
    }

    /// Executes one statement or terminator; the result is the status when `main` has returned.
    fn step(&mut self) -> Step<Option<i32>> {
        let frame = self.frame_mut();
        let block: &'p Block = frame.body.block(frame.block);
        match block.statements.get(frame.statement) {
            Some(statement) => {
                frame.statement += 1;
                self.statement(statement)?;
                Ok(None)
            }
            None => self.terminate(block),
        }
    }

    /// A statement begins, or the end of a block.
    fn arrive(&mut self, at: Position) -> Step<()> {
        self.now = at;
        if let Some(visited) = &mut self.visited {
            visited.insert(at);
        }
        if self.has_goals && self.properties.is_goal(&self.program.files, at) {
            let violation = Violation { kind: Kind::Reached, position: at };
            return Err(Box::new(Outcome::Violated(violation)));
        }
        Ok(())
    }

    fn statement(&mut self, statement: &'p Stmt) -> Step<()> {
        let at = statement.position;
        self.arrive(at)?;
        match &statement.kind {
            StmtKind::Assign { place, value } => {
                let value = self.eval_value(value)?;
                self.store(place, value, at)
            }
            StmtKind::Zero(place) => {
                let pointer = self.address(place)?;
                let size = self.program.types.size(place.ty).unwrap_or(0);
                self.fill(pointer, size, 0, at)
            }
            StmtKind::Declare(id) => {
                self.declare(*id);
                let life = self.frame().lives[id.0 as usize];
                self.leave_unwritten(life);
                Ok(())
            }
            // Its object is made when it is first used.
            StmtKind::Begin(_) => Ok(()),
            StmtKind::End(id) => {
                self.end_block_of(*id);
                Ok(())
            }
            StmtKind::Call { result, callee, arguments } => {
                self.call(result.as_ref(), callee, arguments, at)
            }
            StmtKind::Allocate { pointer, size } => {
                let wanted = self.product(size)?;
                let size = self.eval_number(size)? as u64;
                if wanted != Some(size as u128) {
                    return unsupported("an array larger than the address space", at);
                }
                let object = self.memory.allocate(size, 16, Origin::Frame, at)?;
                self.begin_object(object, Birth::Allocation(at));
                self.leave_object_unwritten(object);
                self.frame_mut().owned.push(object);
                let address = self.memory.pointer(object);
                self.store(pointer, Value::Scalar(address), at)
            }
            StmtKind::VaStart(list) => self.va_start(list, at),
            StmtKind::VaArg { result, list } => self.va_arg(result, list, at),
            StmtKind::VaCopy { to, from } => {
                let value = self.load_value(from)?;
                self.store(to, value, at)
            }
        }
    }

    /// The size of an array as it would be in a larger address space.
    fn product(&mut self, size: &'p Expr) -> Step<Option<u128>> {
        match &size.kind {
            ExprKind::Binary(BinaryOp::Multiply, count, element) => {
                let (count, element) = (self.product(count)?, self.product(element)?);
                Ok(count.zip(element).and_then(|(count, element)| count.checked_mul(element)))
            }
            _ => Ok(Some(self.eval(size)?.bits)),
        }
    }

    /// The value of a variable whose lifetime begins anew is arbitrary.
    fn declare(&mut self, id: LocalId) {
        let life = self.begin(Birth::Local(self.frame().function, id));
        let frame = self.frame_mut();
        frame.lives[id.0 as usize] = Some(life);
        frame.registers[id.0 as usize] = None;
        if let Some(object) = frame.objects[id.0 as usize]
            && let Some(object) = self.memory.object_mut(object)
        {
            object.begin(life);
        }
    }

    /// The block of a variable ends: pointers to it lead nowhere, and the next time the block begins
    /// there is another object, at the same address.
    fn end_block_of(&mut self, id: LocalId) {
        let frame = self.frame_mut();
        let is_array = frame.body.local(id).kind == LocalKind::VariableArray;
        let object = match is_array {
            true => frame.registers[id.0 as usize].and_then(|address| address.object),
            false => frame.objects[id.0 as usize].take(),
        };
        let Some(object) = object else { return };
        if let Some(index) = frame.owned.iter().rposition(|&owned| owned == object) {
            frame.owned.swap_remove(index);
        }
        if !is_array && let Some(object) = self.memory.object(object) {
            let base = object.base;
            let ended = &mut self.frame_mut().ended;
            ended.retain(|&(other, _)| other != id);
            ended.push((id, base));
        }
        self.memory.kill(object);
        self.memory.forget_if_many();
    }

    /// What begins to live has not been written. The caller of an entry gives what it makes.
    fn leave_unwritten(&mut self, life: Option<Life>) {
        let program = self.program;
        let is_given = program.entry.is_some() && Some(self.frame().function) == program.main;
        if let (Some(unwritten), Some(life), false) = (&mut self.unwritten, life, is_given) {
            unwritten.insert(life);
        }
    }

    pub(super) fn leave_object_unwritten(&mut self, id: ObjectId) {
        let life = self.memory.object(id).and_then(|object| object.life);
        self.leave_unwritten(life);
    }

    /// A lifetime of arbitrary contents begins.
    pub(super) fn begin(&mut self, birth: Birth) -> Life {
        let life = Life(self.lives);
        self.lives += 1;
        self.oracle.begin(life, birth);
        life
    }

    pub(super) fn begin_object(&mut self, id: ObjectId, birth: Birth) {
        let life = self.begin(birth);
        if let Some(object) = self.memory.object_mut(id) {
            object.life = Some(life);
        }
    }

    fn terminate(&mut self, block: &'p Block) -> Step<Option<i32>> {
        self.arrive(block.position)?;
        let target = match &block.terminator {
            Terminator::Goto(target) => {
                let frame = self.frame_mut();
                if block.statements.is_empty() && is_endless(frame.body, *target) {
                    return Err(Box::new(Outcome::StepLimit));
                }
                (frame.block, frame.statement) = (*target, 0);
                self.check_tracked(*target, block.position)?;
                self.leap(*target)?;
                return Ok(None);
            }
            Terminator::Branch { condition, then, otherwise } => {
                let truth = self.eval(condition)?.bits != 0;
                let function = self.frame().function;
                self.trace.push(Event::Branch(function, truth, block.position));
                if truth { *then } else { *otherwise }
            }
            Terminator::Switch { value, ranges, default } => {
                self.switch_target(value, ranges)?.unwrap_or(*default)
            }
            Terminator::Return(value) => return self.leave(value.as_ref(), block.position),
            Terminator::Unreachable => return undefined(Undefined::Unreachable, block.position),
        };
        let frame = self.frame_mut();
        let (function, from) = (frame.function, frame.block);
        (frame.block, frame.statement) = (target, 0);
        self.oracle.decided(function, from, target);
        self.check_tracked(target, block.position)?;
        self.leap(target)?;
        Ok(None)
    }

    fn switch_target(&mut self, value: &'p Expr, ranges: &[SwitchRange]) -> Step<Option<BlockId>> {
        let number = self.eval_number(value)?;
        let Some(format) = self.program.types.int_format(value.ty) else { return Ok(None) };
        let bound = |bits: u128| int::extend(bits, format) as i128;
        let found = ranges.iter().find(|r| bound(r.low) <= number && number <= bound(r.high));
        Ok(found.map(|range| range.target))
    }

    /// A number as the status of the program.
    pub(super) fn status(&self, value: Option<&Value>) -> i32 {
        match value {
            Some(Value::Scalar(Scalar { bits, .. })) => *bits as u32 as i32,
            _ => 0,
        }
    }
}

/// Whether nothing but jumps follows, in a circle.
fn is_endless(body: &Body, first: BlockId) -> bool {
    let mut now = first;
    for _ in 0..SHORT_CIRCLE {
        let block = body.block(now);
        match block.terminator {
            Terminator::Goto(next) if block.statements.is_empty() => now = next,
            _ => return false,
        }
        if now == first {
            return true;
        }
    }
    false
}
