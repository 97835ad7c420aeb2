//! Lifetimes of the objects of blocks (C11 6.2.4 p6 and p7).
//!
//! The object of a variable or compound literal exists while its block is executed, also before its
//! declaration and where a jump has passed that by. While the graph of a function is built, the
//! points are noted where scopes begin and end. When it is finished, the statements `Begin` and
//! `End` are put there, for objects only whose addresses are taken and may be kept: nothing else can
//! tell whether an object exists. The objects of the outermost block end with the function; that a
//! call of it has new ones is written down at its beginning, where the old ones end and the new ones
//! begin. So do the old ones of an inner block that a `return` may have left.

use super::Typer;
use super::builder::Label;
use crate::source::Position;
use crate::typed::{
    Body, Callee, Expr, ExprKind, Local, LocalId, LocalKind, Place, PlaceKind, ScopeId, Stmt,
    StmtKind, Terminator,
};
use rustc_hash::FxHashMap;

/// A point of the graph where scopes begin or end.
pub struct Crossing {
    pub block: usize,
    /// The statement before which it is.
    pub statement: usize,
    pub kind: CrossingKind,
    pub position: Position,
}

pub enum CrossingKind {
    /// A scope begins.
    Enter(ScopeId),
    /// A label, to which jumps from outside of its scopes may lead.
    Arrive(ScopeId),
    /// From a scope to one around it.
    Leave(ScopeId, Option<ScopeId>),
    /// From a scope to a label.
    Jump(ScopeId, String),
    /// From a scope to the end of the function, whose value may still be computed in the scope.
    Return(ScopeId),
}

pub struct Crossings {
    pub list: Vec<Crossing>,
    pub labels: FxHashMap<String, Label>,
}

impl Typer<'_> {
    pub(super) fn current_scope(&self) -> ScopeId {
        self.scopes.current().unwrap_or(ScopeId(0))
    }

    /// Whether objects of a scope have had their addresses taken.
    pub(super) fn has_addresses(&self, scope: ScopeId) -> bool {
        let locals = &self.builder.locals;
        let is_here = |id: &LocalId| locals[id.0 as usize].scope == scope;
        let is_array =
            |local: &Local| local.scope == scope && local.kind == LocalKind::VariableArray;
        self.builder.addressed.iter().any(is_here) || locals.iter().any(is_array)
    }
}

impl Crossings {
    /// Puts the statements into a body whose blocks are numbered as they were built.
    pub fn apply(mut self, body: &mut Body) {
        let kept = kept_addresses(body);
        let mut locals: FxHashMap<ScopeId, Vec<LocalId>> = FxHashMap::default();
        for (index, local) in body.locals.iter().enumerate() {
            let is_array = local.kind == LocalKind::VariableArray;
            if local.scope != ScopeId(0) && (kept[index] || is_array) {
                locals.entry(local.scope).or_default().push(LocalId(index as u32));
            }
        }
        let fresh = self.fresh(body, &kept, &locals);
        // From the last to the first, so that the numbers of statements stay true.
        self.list.reverse();
        self.list.sort_by_key(|crossing| std::cmp::Reverse((crossing.block, crossing.statement)));
        for Crossing { block, statement, kind, position } in self.list {
            let (ends, scopes) = match kind {
                CrossingKind::Enter(scope) => (false, vec![scope]),
                CrossingKind::Arrive(scope) => (false, chain(body, scope, None)),
                CrossingKind::Leave(scope, kept) => (true, chain(body, scope, kept)),
                CrossingKind::Jump(scope, label) => {
                    let target = self.labels.get(&label).and_then(|label| label.scope);
                    let around = target.map_or_else(Vec::new, |to| chain(body, to, None));
                    let all = chain(body, scope, None);
                    (true, all.into_iter().filter(|scope| !around.contains(scope)).collect())
                }
                CrossingKind::Return(_) => continue,
            };
            let ids = scopes.iter().filter_map(|scope| locals.get(scope)).flatten();
            let is_array =
                |id: &LocalId| body.locals[id.0 as usize].kind == LocalKind::VariableArray;
            let kinds: Vec<StmtKind> = match ends {
                true => ids.map(|&id| StmtKind::End(id)).collect(),
                // An array of variable length begins with its declaration.
                false => ids.filter(|id| !is_array(id)).map(|&id| StmtKind::Begin(id)).collect(),
            };
            let statements = &mut body.blocks[block].statements;
            let at = statement.min(statements.len());
            statements.splice(at..at, kinds.into_iter().map(|kind| Stmt { kind, position }));
        }
        if let Some(first) = body.blocks.first_mut() {
            first.statements.splice(0..0, fresh);
        }
    }

    /// What a call begins with: whatever the variables were in a call before has ended.
    fn fresh(
        &self,
        body: &Body,
        kept: &[bool],
        inner: &FxHashMap<ScopeId, Vec<LocalId>>,
    ) -> Vec<Stmt> {
        let mut list = Vec::new();
        let mut add = |id: LocalId, kind: StmtKind| {
            list.push(Stmt { kind, position: body.local(id).position });
        };
        for (index, local) in body.locals.iter().enumerate().skip(body.parameters) {
            let id = LocalId(index as u32);
            let is_array = local.kind == LocalKind::VariableArray;
            if local.scope == ScopeId(0) && kept[index] && !is_array {
                add(id, StmtKind::End(id));
                add(id, StmtKind::Begin(id));
            }
        }
        let mut left: Vec<ScopeId> = Vec::new();
        for crossing in &self.list {
            if let CrossingKind::Return(scope) = crossing.kind {
                left.extend(chain(body, scope, None));
            }
        }
        left.sort_unstable_by_key(|scope| scope.0);
        left.dedup();
        for &id in left.iter().filter_map(|scope| inner.get(scope)).flatten() {
            add(id, StmtKind::End(id));
        }
        list
    }
}

/// A scope and those around it, up to one that is not among them.
fn chain(body: &Body, scope: ScopeId, end: Option<ScopeId>) -> Vec<ScopeId> {
    let mut list = Vec::new();
    let mut next = Some(scope);
    while let Some(now) = next.filter(|&now| Some(now) != end) {
        list.push(now);
        next = body.scopes[now.0 as usize].parent;
    }
    list
}

/// For each local, whether its address is computed for more than an access at once.
fn kept_addresses(body: &Body) -> Vec<bool> {
    let mut search = Search { kept: vec![false; body.locals.len()] };
    for block in &body.blocks {
        block.statements.iter().for_each(|statement| search.statement(&statement.kind));
        match &block.terminator {
            Terminator::Branch { condition, .. } => search.expr(condition),
            Terminator::Switch { value, .. } => search.expr(value),
            Terminator::Return(Some(value)) => search.expr(value),
            _ => {}
        }
    }
    search.kept
}

struct Search {
    kept: Vec<bool>,
}

impl Search {
    fn statement(&mut self, statement: &StmtKind) {
        match statement {
            StmtKind::Assign { place, value } => {
                self.place(place);
                self.expr(value);
            }
            StmtKind::Zero(place) | StmtKind::VaStart(place) => self.place(place),
            StmtKind::Declare(_) | StmtKind::Begin(_) | StmtKind::End(_) => {}
            StmtKind::Call { result, callee, arguments } => {
                result.iter().for_each(|place| self.place(place));
                if let Callee::Pointer(pointer) = callee {
                    self.expr(pointer);
                }
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            StmtKind::Allocate { pointer, size } => {
                self.place(pointer);
                self.expr(size);
            }
            StmtKind::VaArg { result: to, list: from } | StmtKind::VaCopy { to, from } => {
                self.place(to);
                self.place(from);
            }
        }
    }

    /// A place that is read or written.
    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Deref(pointer) => self.followed(pointer),
            PlaceKind::Field(base, _) => self.place(base),
            PlaceKind::Index(base, index) => {
                self.place(base);
                self.expr(index);
            }
        }
    }

    /// A pointer that is followed at once.
    fn followed(&mut self, pointer: &Expr) {
        match &pointer.kind {
            ExprKind::AddressOf(place) => self.place(place),
            ExprKind::Cast(_, operand) => self.followed(operand),
            ExprKind::PointerAdd { pointer, index, .. } => {
                self.followed(pointer);
                self.expr(index);
            }
            _ => self.expr(pointer),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => {
                self.place(place);
                if let Some(id) = place.root_local() {
                    self.kept[id.0 as usize] = true;
                }
            }
            _ => expr.operands().for_each(|operand| self.expr(operand)),
        }
    }
}
