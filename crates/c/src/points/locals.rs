//! Facts about the locals of a function: which need memory, and which may be read before they
//! are written.

use crate::typed::{
    Body, Callee, Expr, ExprKind, LocalId, LocalKind, Place, PlaceKind, Program, Stmt, StmtKind,
    Terminator,
};

#[derive(Clone, Debug)]
pub struct LocalFacts {
    pub in_memory: Vec<bool>,
    /// Whether the local may be read before it is written. Of locals in memory, whether they are
    /// declared without getting a value at once.
    pub uninitialised: Vec<bool>,
}

impl LocalFacts {
    pub fn find(program: &Program, body: &Body) -> LocalFacts {
        let scalar = |local: &crate::typed::Local| program.types.is_scalar(local.ty);
        let in_memory = body.locals.iter().map(|local| !scalar(local)).collect();
        let mut walk = Walk { marks: in_memory, wanted: Wanted::Addresses, bare: Vec::new() };
        for block in &body.blocks {
            block.statements.iter().for_each(|statement| walk.statement(statement));
            walk.terminator(&block.terminator);
        }
        let in_memory = walk.marks;
        let mut uninitialised = early_reads(body);
        for (index, local) in body.locals.iter().enumerate() {
            if in_memory[index] {
                uninitialised[index] = local.kind != LocalKind::Parameter
                    && declared_bare(body, LocalId(index as u32), local.kind);
            }
        }
        LocalFacts { in_memory, uninitialised }
    }
}

/// Whether a local in memory begins its life without a value.
fn declared_bare(body: &Body, id: LocalId, kind: LocalKind) -> bool {
    let mut declared = false;
    for block in &body.blocks {
        for (index, statement) in block.statements.iter().enumerate() {
            if !matches!(statement.kind, StmtKind::Declare(local) if local == id) {
                continue;
            }
            declared = true;
            let fills = block.statements.get(index + 1).is_some_and(|next| match &next.kind {
                StmtKind::Assign { place, .. } | StmtKind::Zero(place) => is_local(place, id),
                _ => false,
            });
            if !fills {
                return true;
            }
        }
    }
    // Temporaries are written before they are read; a variable may be jumped into.
    !declared && kind != LocalKind::Temporary
}

fn is_local(place: &Place, id: LocalId) -> bool {
    matches!(place.kind, PlaceKind::Local(local) if local == id)
}

/// The locals that some path reads before it writes them as a whole.
fn early_reads(body: &Body) -> Vec<bool> {
    let count = body.locals.len();
    let mut at_start: Vec<Option<Vec<bool>>> = vec![None; body.blocks.len()];
    let mut early = vec![false; count];
    let entry = (0..count).map(|index| index >= body.parameters).collect();
    let mut work = vec![(0usize, entry)];
    while let Some((index, bare)) = work.pop() {
        let Some(bare) = grown(&mut at_start[index], bare) else { continue };
        let block = &body.blocks[index];
        let mut walk = Walk { marks: early, wanted: Wanted::Reads, bare };
        for statement in &block.statements {
            walk.statement(statement);
            walk.effect(statement);
        }
        walk.terminator(&block.terminator);
        early = walk.marks;
        for successor in block.terminator.successors() {
            work.push((successor.0 as usize, walk.bare.clone()));
        }
    }
    early
}

/// Joins a set into the known one; gives the union if it is larger than that.
fn grown(known: &mut Option<Vec<bool>>, new: Vec<bool>) -> Option<Vec<bool>> {
    let Some(old) = known else {
        *known = Some(new.clone());
        return Some(new);
    };
    if old.iter().zip(&new).all(|(old, new)| *old || !*new) {
        return None;
    }
    old.iter_mut().zip(&new).for_each(|(old, new)| *old |= *new);
    Some(old.clone())
}

enum Wanted {
    /// Locals used other than by reading or writing them as a whole.
    Addresses,
    /// Locals that are read while they are bare.
    Reads,
}

struct Walk {
    marks: Vec<bool>,
    wanted: Wanted,
    /// The locals that have no value at this point.
    bare: Vec<bool>,
}

impl Walk {
    fn set(list: &mut [bool], id: LocalId, value: bool) {
        if let Some(entry) = list.get_mut(id.0 as usize) {
            *entry = value;
        }
    }

    /// What a statement does to the locals it names as a whole.
    fn effect(&mut self, statement: &Stmt) {
        let (place, value) = match &statement.kind {
            StmtKind::Declare(id) => return Walk::set(&mut self.bare, *id, true),
            StmtKind::Assign { place, .. } | StmtKind::Zero(place) => (Some(place), false),
            StmtKind::Call { result, .. } => (result.as_ref(), false),
            StmtKind::Allocate { pointer, .. } => (Some(pointer), false),
            StmtKind::VaArg { result, .. } => (Some(result), false),
            StmtKind::Begin(_)
            | StmtKind::End(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaCopy { .. } => (None, false),
        };
        if let Some(PlaceKind::Local(id)) = place.map(|place| &place.kind) {
            Walk::set(&mut self.bare, *id, value);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign { place, value } => {
                self.written(place);
                self.expr(value);
            }
            StmtKind::Zero(place) => self.written(place),
            StmtKind::Declare(_) | StmtKind::Begin(_) | StmtKind::End(_) => {}
            StmtKind::Call { result, callee, arguments } => {
                result.iter().for_each(|place| self.written(place));
                if let Callee::Pointer(pointer) = callee {
                    self.expr(pointer);
                }
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            StmtKind::Allocate { pointer, size } => {
                self.written(pointer);
                self.expr(size);
            }
            StmtKind::VaStart(list) => self.part(list),
            StmtKind::VaArg { result, list } => {
                self.written(result);
                self.part(list);
            }
            StmtKind::VaCopy { to, from } => {
                self.part(to);
                self.part(from);
            }
        }
    }

    fn terminator(&mut self, terminator: &Terminator) {
        match terminator {
            Terminator::Branch { condition: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::Return(Some(value)) => self.expr(value),
            Terminator::Goto(_) | Terminator::Return(None) | Terminator::Unreachable => {}
        }
    }

    fn written(&mut self, place: &Place) {
        if !matches!(place.kind, PlaceKind::Local(_)) {
            self.part(place);
        }
    }

    fn read(&mut self, place: &Place) {
        match (&place.kind, &self.wanted) {
            (PlaceKind::Local(id), Wanted::Reads) => {
                if self.bare.get(id.0 as usize) == Some(&true) {
                    Walk::set(&mut self.marks, *id, true);
                }
            }
            (PlaceKind::Local(_), Wanted::Addresses) => {}
            _ => self.part(place),
        }
    }

    /// A place whose address is needed.
    fn part(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Local(id) => {
                if matches!(self.wanted, Wanted::Addresses) {
                    Walk::set(&mut self.marks, *id, true);
                }
            }
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
            ExprKind::Load(place) => self.read(place),
            ExprKind::AddressOf(place) => self.part(place),
            _ => expr.operands().for_each(|operand| self.expr(operand)),
        }
    }
}
