//! Activations of functions.

use super::oracle::Life;
use super::value::{ObjectId, Scalar};
use crate::typed::{
    BlockId, Body, Expr, ExprKind, FuncId, LocalId, Place, PlaceKind, Program, StmtKind, Terminator,
};
use std::rc::Rc;

/// A running function.
pub struct Frame<'p> {
    pub function: FuncId,
    pub body: &'p Body,
    pub block: BlockId,
    /// The next statement of the block.
    pub statement: usize,
    /// Which locals live in registers: scalars whose address is never needed.
    pub in_register: Rc<Vec<bool>>,
    pub registers: Vec<Option<Scalar>>,
    /// The objects of the other locals, made when they are first used.
    pub objects: Vec<Option<ObjectId>>,
    /// The present lifetimes of the locals that have been declared.
    pub lives: Vec<Option<Life>>,
    /// Where those were whose blocks have ended.
    pub ended: Vec<(LocalId, u64)>,
    /// Everything that ends with the function.
    pub owned: Vec<ObjectId>,
    /// The arguments that go to `...`.
    pub variable_arguments: Option<ObjectId>,
    /// Where the stack was when the function was called.
    pub stack_mark: u64,
    /// Where the caller wants the result.
    pub result: Option<&'p Place>,
}

impl<'p> Frame<'p> {
    /// A function begins, in the storage of one that has ended.
    pub fn new(
        spare: Option<Frame<'p>>,
        (function, body): (FuncId, &'p Body),
        in_register: Rc<Vec<bool>>,
        stack_mark: u64,
        result: Option<&'p Place>,
    ) -> Frame<'p> {
        let storage = spare.map(|frame| (frame.registers, frame.objects, frame.lives, frame.owned));
        let (mut registers, mut objects, mut lives, mut owned) = storage.unwrap_or_default();
        let count = body.locals.len();
        registers.clear();
        registers.resize(count, None);
        objects.clear();
        objects.resize(count, None);
        lives.clear();
        lives.resize(count, None);
        owned.clear();
        Frame {
            function,
            body,
            block: BlockId(0),
            statement: 0,
            in_register,
            registers,
            objects,
            lives,
            ended: Vec::new(),
            owned,
            variable_arguments: None,
            stack_mark,
            result,
        }
    }
}

/// For each local, whether it can live in a register.
pub fn register_candidates(program: &Program, body: &Body) -> Vec<bool> {
    let scalar = |local: &crate::typed::Local| program.types.is_scalar(local.ty);
    let mut candidates: Vec<bool> = body.locals.iter().map(scalar).collect();
    let mut search = AddressSearch { candidates: &mut candidates };
    for block in &body.blocks {
        for statement in &block.statements {
            search.statement(&statement.kind);
        }
        match &block.terminator {
            Terminator::Branch { condition, .. } => search.expr(condition),
            Terminator::Switch { value, .. } => search.expr(value),
            Terminator::Return(Some(value)) => search.expr(value),
            _ => {}
        }
    }
    candidates
}

/// Strikes out locals that are used other than by reading or writing them as a whole.
struct AddressSearch<'a> {
    candidates: &'a mut Vec<bool>,
}

impl AddressSearch<'_> {
    fn strike(&mut self, local: LocalId) {
        if let Some(candidate) = self.candidates.get_mut(local.0 as usize) {
            *candidate = false;
        }
    }

    fn statement(&mut self, statement: &StmtKind) {
        match statement {
            StmtKind::Assign { place, value } => {
                self.whole(place);
                self.expr(value);
            }
            StmtKind::Zero(place) => self.part(place),
            StmtKind::Declare(_) | StmtKind::Begin(_) | StmtKind::End(_) => {}
            StmtKind::Call { result, callee, arguments } => {
                result.iter().for_each(|place| self.whole(place));
                if let crate::typed::Callee::Pointer(pointer) = callee {
                    self.expr(pointer);
                }
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            StmtKind::Allocate { pointer, size } => {
                self.whole(pointer);
                self.expr(size);
            }
            StmtKind::VaStart(list) => self.part(list),
            StmtKind::VaArg { result, list } => {
                self.whole(result);
                self.part(list);
            }
            StmtKind::VaCopy { to, from } => {
                self.part(to);
                self.part(from);
            }
        }
    }

    /// A place that is read or written as a whole.
    fn whole(&mut self, place: &Place) {
        if !matches!(place.kind, PlaceKind::Local(_)) {
            self.part(place);
        }
    }

    /// A place whose address is needed.
    fn part(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Local(id) => self.strike(*id),
            PlaceKind::Global(_) => {}
            PlaceKind::Deref(pointer) => self.expr(pointer),
            PlaceKind::Field(base, _) => self.part(base),
            PlaceKind::Index(base, index) => {
                self.part(base);
                self.expr(index);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(place) => self.whole(place),
            ExprKind::AddressOf(place) => self.part(place),
            _ => expr.operands().for_each(|operand| self.expr(operand)),
        }
    }
}
