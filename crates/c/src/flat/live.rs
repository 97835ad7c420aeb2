//! Which locals of a function are still needed after a call: those that an activation has to save
//! while another one of the same function runs.
//!
//! Only functions whose locals have no addresses are looked at, so every use is by name.

use crate::typed::{
    Block, BlockId, Body, Callee, Expr, ExprKind, LocalId, Place, PlaceKind, Stmt, StmtKind,
    Terminator,
};

/// The locals of a function that are live at the starts of its blocks.
pub(super) struct Live<'p> {
    body: &'p Body,
    at_start: Vec<Vec<bool>>,
}

impl<'p> Live<'p> {
    pub fn find(body: &'p Body) -> Live<'p> {
        let none = vec![false; body.locals.len()];
        let mut live = Live { body, at_start: vec![none; body.blocks.len()] };
        let mut changed = true;
        while changed {
            changed = false;
            for index in (0..body.blocks.len()).rev() {
                let new = live.before(&body.blocks[index], 0);
                changed |= new != live.at_start[index];
                live.at_start[index] = new;
            }
        }
        live
    }

    /// The locals that are live before a statement of a block, or before its terminator.
    fn before(&self, block: &Block, statement: usize) -> Vec<bool> {
        let mut set = vec![false; self.body.locals.len()];
        for successor in block.terminator.successors() {
            let there = &self.at_start[successor.0 as usize];
            set.iter_mut().zip(there).for_each(|(here, there)| *here |= *there);
        }
        match &block.terminator {
            Terminator::Branch { condition: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::Return(Some(value)) => read(value, &mut set),
            Terminator::Goto(_) | Terminator::Return(None) | Terminator::Unreachable => {}
        }
        for statement in block.statements[statement..].iter().rev() {
            step(statement, &mut set);
        }
        set
    }

    /// Whether every variable but the parameters is declared or written before it is read.
    pub fn is_closed(&self) -> bool {
        self.at_start[0][self.body.parameters..].iter().all(|live| !live)
    }

    /// What must be there when a call returns whose result goes to a place; `rest` is the block
    /// and the statement after the call.
    pub fn across(&self, rest: (BlockId, usize), result: Option<&Place>) -> Vec<LocalId> {
        let mut set = self.before(self.body.block(rest.0), rest.1);
        result.iter().for_each(|place| write(place, &mut set));
        let ids = (0..set.len()).filter(|&index| set[index]);
        ids.map(|index| LocalId(index as u32)).collect()
    }
}

/// From what is live after a statement to what is live before it.
fn step(statement: &Stmt, set: &mut [bool]) {
    match &statement.kind {
        StmtKind::Assign { place, value } => {
            write(place, set);
            read(value, set);
        }
        StmtKind::Zero(place) => write(place, set),
        StmtKind::Declare(id) => mark(*id, false, set),
        StmtKind::Begin(_) | StmtKind::End(_) => {}
        StmtKind::Call { result, callee, arguments } => {
            result.iter().for_each(|place| write(place, set));
            if let Callee::Pointer(pointer) = callee {
                read(pointer, set);
            }
            arguments.iter().for_each(|argument| read(argument, set));
        }
        StmtKind::Allocate { pointer, size } => {
            write(pointer, set);
            read(size, set);
        }
        StmtKind::VaStart(list) => inside(list, set),
        StmtKind::VaArg { result, list } => {
            write(result, set);
            inside(list, set);
        }
        StmtKind::VaCopy { to, from } => {
            inside(to, set);
            inside(from, set);
        }
    }
}

fn mark(id: LocalId, value: bool, set: &mut [bool]) {
    if let Some(entry) = set.get_mut(id.0 as usize) {
        *entry = value;
    }
}

fn write(place: &Place, set: &mut [bool]) {
    match place.kind {
        PlaceKind::Local(id) => mark(id, false, set),
        _ => inside(place, set),
    }
}

/// The locals that a place depends on, itself included if it is one.
fn inside(place: &Place, set: &mut [bool]) {
    match &place.kind {
        PlaceKind::Local(id) => mark(*id, true, set),
        PlaceKind::Global(_) => {}
        PlaceKind::Deref(pointer) => read(pointer, set),
        PlaceKind::Field(base, _) => inside(base, set),
        PlaceKind::Index(base, index) => {
            inside(base, set);
            read(index, set);
        }
    }
}

fn read(expr: &Expr, set: &mut [bool]) {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
        ExprKind::Load(place) | ExprKind::AddressOf(place) => inside(place, set),
        ExprKind::Unary(_, operand) | ExprKind::Cast(_, operand) => read(operand, set),
        ExprKind::Binary(_, left, right)
        | ExprKind::PointerAdd { pointer: left, index: right, .. }
        | ExprKind::PointerDifference { left, right, .. }
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right) => {
            read(left, set);
            read(right, set);
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            read(condition, set);
            read(then, set);
            read(otherwise, set);
        }
    }
}
