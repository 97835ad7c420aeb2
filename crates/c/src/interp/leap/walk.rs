//! One iteration, followed without changing the run.

use super::super::exec::Interpreter;
use super::Variable;
use crate::closed::{Path, Word};
use crate::typed::{
    BinaryOp, BlockId, Body, Callee, Expr, FuncId, LocalId, LocalKind, Place, PlaceKind, Stmt,
    StmtKind, SwitchRange, Terminator,
};
use crate::types::{IntFormat, Ty};
use crate::violation::When;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// An iteration with more steps has no closed form.
const LONGEST: u64 = 1_000;

/// A function that the iteration is in.
struct Level<'p> {
    body: &'p Body,
    in_register: Rc<Vec<bool>>,
    block: BlockId,
    statement: usize,
    result: Option<&'p Place>,
}

/// Everything that is not simple arithmetic on variables gives `None`, all the way up.
pub(super) struct Walk<'w, 'p, 'o> {
    pub interpreter: &'w Interpreter<'p, 'o>,
    head: BlockId,
    /// The variables that change, by symbol.
    symbols: &'w [Variable],
    /// What was written, none where nothing has been since the variable began to live.
    values: FxHashMap<Variable, Option<Word>>,
    order: Vec<Variable>,
    levels: Vec<Level<'p>>,
    pub path: Path,
    pub steps: u64,
    pub events: u64,
    pub lives: u64,
    pub declared: Vec<(LocalId, u64)>,
}

impl<'w, 'p, 'o> Walk<'w, 'p, 'o> {
    pub fn new(
        interpreter: &'w Interpreter<'p, 'o>,
        head: BlockId,
        symbols: &'w [Variable],
    ) -> Walk<'w, 'p, 'o> {
        let frame = interpreter.frame();
        let level = Level {
            body: frame.body,
            in_register: frame.in_register.clone(),
            block: head,
            statement: 0,
            result: None,
        };
        Walk {
            interpreter,
            head,
            symbols,
            values: FxHashMap::default(),
            order: Vec::new(),
            levels: vec![level],
            path: Path::new(interpreter.checks_overflow),
            steps: 0,
            events: 0,
            lives: 0,
            declared: Vec::new(),
        }
    }

    /// The variables that were written and live on.
    pub fn written(&self) -> Vec<Variable> {
        self.order.iter().copied().filter(|variable| self.values.contains_key(variable)).collect()
    }

    pub fn end_of(&self, variable: Variable) -> Option<(IntFormat, Word)> {
        let format = self.interpreter.variable_format(variable)?;
        self.values.get(&variable)?.clone().map(|word| (format, word))
    }

    /// From the head of the loop until it is reached again.
    pub fn iteration(&mut self) -> Option<()> {
        loop {
            self.steps += 1;
            if self.steps > LONGEST {
                return None;
            }
            let level = self.levels.last_mut()?;
            let body: &'p Body = level.body;
            let block = body.block(level.block);
            let Some(statement) = block.statements.get(level.statement) else {
                self.terminate(&block.terminator)?;
                let level = self.levels.last()?;
                let is_head = level.block == self.head && level.statement == 0;
                if self.levels.len() == 1 && is_head {
                    return Some(());
                }
                continue;
            };
            level.statement += 1;
            self.statement(statement)?;
        }
    }

    fn statement(&mut self, statement: &'p Stmt) -> Option<()> {
        match &statement.kind {
            StmtKind::Assign { place, value } => {
                let word = self.eval(value)?;
                self.store(place, word, value.ty)
            }
            StmtKind::Declare(id) => {
                let variable = self.local(*id)?;
                self.begin(variable);
                if self.levels.len() == 1 {
                    self.declared.push((*id, self.lives));
                }
                self.lives += 1;
                Some(())
            }
            StmtKind::Begin(_) => Some(()),
            StmtKind::End(id) => {
                let is_array = self.body()?.local(*id).kind == LocalKind::VariableArray;
                self.local(*id).filter(|_| !is_array).map(|_| ())
            }
            StmtKind::Call { result, callee: Callee::Function(id), arguments } => {
                self.call(result.as_ref(), *id, arguments)
            }
            _ => None,
        }
    }

    fn terminate(&mut self, terminator: &'p Terminator) -> Option<()> {
        let target = match terminator {
            Terminator::Goto(target) => *target,
            Terminator::Branch { condition, then, otherwise } => {
                let truth = self.truth(condition)?;
                self.events += 1;
                if truth { *then } else { *otherwise }
            }
            Terminator::Switch { value, ranges, default } => {
                self.range(value, ranges)?.unwrap_or(*default)
            }
            Terminator::Return(value) => return self.leave(value.as_ref()),
            Terminator::Unreachable => return None,
        };
        let level = self.levels.last_mut()?;
        (level.block, level.statement) = (target, 0);
        Some(())
    }

    fn range(&mut self, value: &'p Expr, ranges: &[SwitchRange]) -> Option<Option<BlockId>> {
        let (format, word) = (self.format(value.ty)?, self.eval(value)?);
        for range in ranges {
            let bound = |bits: u128| Word::constant(self.extended(bits, format));
            let (low, high) = (bound(range.low), bound(range.high));
            if self.path.compare(BinaryOp::LessEqual, &low, &word, format)?
                && self.path.compare(BinaryOp::LessEqual, &word, &high, format)?
            {
                return Some(Some(range.target));
            }
        }
        Some(None)
    }

    fn call(&mut self, result: Option<&'p Place>, id: FuncId, arguments: &'p [Expr]) -> Option<()> {
        let words = arguments.iter().map(|argument| self.eval(argument));
        let words = words.collect::<Option<Vec<Word>>>()?;
        let known = self.interpreter.models[id.0 as usize]?;
        if let Some(check) = known.check {
            let (When::IfZero, Some(word), Some(argument)) =
                (check.when, words.first(), arguments.first())
            else {
                return None;
            };
            return self.is_not_zero(word, argument.ty)?.then_some(());
        }
        let program = self.interpreter.program;
        let function = program.function(id);
        let body = function.body.as_ref().filter(|_| !function.is_library)?;
        let in_register = self.interpreter.registers[id.0 as usize].clone()?;
        let depth = self.interpreter.frames.len() + self.levels.len();
        if arguments.len() != body.parameters || depth >= self.interpreter.limits.depth {
            return None;
        }
        let level = Level { body, in_register, block: BlockId(0), statement: 0, result };
        self.levels.push(level);
        self.events += 1;
        for (index, (word, argument)) in words.into_iter().zip(arguments).enumerate() {
            let id = LocalId(index as u32);
            if argument.ty != body.local(id).ty {
                return None;
            }
            let variable = self.local(id)?;
            self.values.insert(variable, Some(word));
        }
        Some(())
    }

    fn leave(&mut self, value: Option<&'p Expr>) -> Option<()> {
        let word = match value {
            Some(value) => Some((self.eval(value)?, value.ty)),
            None => None,
        };
        let depth = self.levels.len() - 1;
        let level = self.levels.pop().filter(|_| depth > 0)?;
        self.events += 1;
        self.values.retain(|variable, _| !matches!(variable, Variable::Local(d, _) if *d == depth));
        match (level.result, word) {
            (Some(place), Some((word, ty))) => self.store(place, word, ty),
            (Some(_), None) => None,
            (None, _) => Some(()),
        }
    }

    fn store(&mut self, place: &'p Place, word: Word, ty: Ty) -> Option<()> {
        let variable = self.variable(place).filter(|_| place.ty == ty)?;
        if let Variable::Global(id) = variable {
            // It can be written.
            let format = self.format(self.interpreter.program.global(id).ty)?;
            self.interpreter.number_of(variable, format)?;
        }
        self.events += 1;
        self.begin(variable);
        self.values.insert(variable, Some(word));
        Some(())
    }

    /// The variable has no value any more.
    fn begin(&mut self, variable: Variable) {
        let is_outer = !matches!(variable, Variable::Local(1.., _));
        if is_outer && !self.order.contains(&variable) {
            self.order.push(variable);
        }
        self.values.insert(variable, None);
    }

    pub fn load(&mut self, place: &'p Place) -> Option<Word> {
        let variable = self.variable(place)?;
        if let Some(value) = self.values.get(&variable) {
            return value.clone();
        }
        let number = self.interpreter.number_of(variable, self.format(place.ty)?)?;
        let symbol = self.symbols.iter().position(|symbol| *symbol == variable);
        Some(match symbol {
            Some(symbol) => Word::symbol(symbol as u32, number),
            None => Word::constant(number),
        })
    }

    fn body(&self) -> Option<&'p Body> {
        self.levels.last().map(|level| level.body)
    }

    /// A variable of the function at hand that lives in a register.
    fn local(&self, id: LocalId) -> Option<Variable> {
        let level = self.levels.last()?;
        self.format(level.body.local(id).ty)?;
        let depth = self.levels.len() - 1;
        level.in_register[id.0 as usize].then_some(Variable::Local(depth, id))
    }

    fn variable(&self, place: &Place) -> Option<Variable> {
        match place.kind {
            PlaceKind::Local(id) => self.local(id),
            PlaceKind::Global(id) => {
                self.format(self.interpreter.program.global(id).ty)?;
                Some(Variable::Global(id))
            }
            _ => None,
        }
    }
}
