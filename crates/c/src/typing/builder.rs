//! Builds the graph of a function.
//!
//! Statements go to the current block. A [`Mark`] remembers a point of the sequence: when an
//! operand turns out to be followed by side effects of a later operand, its value is saved in a
//! temporary at the point where it was computed.

use super::cleanup::Cleanup;
use super::computed_goto::Computed;
use super::lifetimes::{Crossing, CrossingKind};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{
    Block, BlockId, Body, Local, LocalId, LocalKind, Loop, Scope, ScopeId, Stmt, StmtKind,
    Terminator,
};
use crate::types::Ty;
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Default)]
struct OpenBlock {
    statements: Vec<Stmt>,
    end: Option<(Terminator, Position)>,
}

/// A label, which may be used before it is defined.
pub struct Label {
    pub block: BlockId,
    pub first_use: Position,
    /// The scope in which it is defined, if it is.
    pub scope: Option<ScopeId>,
}

/// Where a jump out of a statement leads.
#[derive(Clone, Copy)]
pub struct Exit {
    pub block: BlockId,
    /// How many variables to clean up are in scope there.
    pub cleanups: usize,
    pub scope: ScopeId,
}

/// The cases met so far in a `switch`.
pub struct OpenSwitch {
    pub ty: Ty,
    /// How many variables to clean up were in scope before it.
    pub cleanups: usize,
    /// Low, high and target, with the position of the label.
    pub ranges: Vec<(u128, u128, BlockId, Position)>,
    pub default: Option<BlockId>,
}

/// A point between two statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    block: usize,
    statement: usize,
    /// Blocks that existed then: new ones are side effects, too.
    blocks: usize,
}

pub struct Builder {
    blocks: Vec<OpenBlock>,
    current: usize,
    pub locals: Vec<Local>,
    pub parameters: usize,
    pub labels: FxHashMap<String, Label>,
    /// Where `break` and `continue` lead.
    pub breaks: Vec<Exit>,
    pub continues: Vec<Exit>,
    /// The variables in scope that are to be cleaned up.
    pub cleanups: Vec<Cleanup>,
    pub computed: Computed,
    pub crossings: Vec<Crossing>,
    /// The locals whose addresses have been taken.
    pub addressed: FxHashSet<LocalId>,
    pub switches: Vec<OpenSwitch>,
    pub loops: Vec<Loop>,
    pub scopes: Vec<Scope>,
    pub result: Ty,
    /// Outside functions only constants make sense, and nothing can be executed.
    is_file: bool,
    /// Inside an operand that is not evaluated; what is emitted will be thrown away.
    unevaluated: u32,
}

/// The blocks of a function while an operand that is not evaluated is examined.
pub struct Suspended {
    blocks: Vec<OpenBlock>,
    current: usize,
    labels: FxHashMap<String, Label>,
    switches: Vec<OpenSwitch>,
    crossings: Vec<Crossing>,
    loops: usize,
}

impl Builder {
    /// A builder that refuses to build, for the file scope.
    pub fn for_file() -> Builder {
        let mut builder = Builder::for_function(Ty::VOID, Position::default());
        builder.is_file = true;
        builder
    }

    pub fn for_function(result: Ty, position: Position) -> Builder {
        Builder {
            blocks: vec![OpenBlock::default()],
            current: 0,
            locals: Vec::new(),
            parameters: 0,
            labels: FxHashMap::default(),
            breaks: Vec::new(),
            continues: Vec::new(),
            cleanups: Vec::new(),
            computed: Computed::default(),
            crossings: Vec::new(),
            addressed: FxHashSet::default(),
            switches: Vec::new(),
            loops: Vec::new(),
            scopes: vec![Scope { parent: None, begin: position, end: position }],
            result,
            is_file: false,
            unevaluated: 0,
        }
    }

    pub fn is_file(&self) -> bool {
        self.is_file
    }

    /// Inside an operand that is not evaluated.
    pub fn is_unevaluated(&self) -> bool {
        self.unevaluated > 0
    }

    /// Whether statements can be executed here.
    pub fn can_emit(&self) -> bool {
        !self.is_file || self.unevaluated > 0
    }

    fn require_emission(&self, position: Position) -> Result<(), Fault> {
        if self.can_emit() {
            return Ok(());
        }
        Err(Fault::invalid(position, "not a constant expression"))
    }

    pub fn emit(&mut self, kind: StmtKind, position: Position) -> Result<(), Fault> {
        self.require_emission(position)?;
        self.blocks[self.current].statements.push(Stmt { kind, position });
        Ok(())
    }

    pub fn new_block(&mut self) -> BlockId {
        self.blocks.push(OpenBlock::default());
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Ends the current block, unless it has already ended, and goes on in a new one that nothing
    /// leads to.
    pub fn terminate(&mut self, end: Terminator, position: Position) -> Result<(), Fault> {
        self.require_emission(position)?;
        self.close(end, position);
        let next = self.new_block();
        self.current = next.0 as usize;
        Ok(())
    }

    fn close(&mut self, end: Terminator, position: Position) {
        let block = &mut self.blocks[self.current];
        if block.end.is_none() {
            block.end = Some((end, position));
        }
    }

    /// Ends the current block with a jump to `block` and goes on there.
    pub fn flow_into(&mut self, block: BlockId, position: Position) {
        self.close(Terminator::Goto(block), position);
        self.current = block.0 as usize;
    }

    /// Goes on in `block`; the current one must have ended, or be left without a way in.
    pub fn continue_in(&mut self, block: BlockId) {
        self.current = block.0 as usize;
    }

    pub fn current(&self) -> BlockId {
        BlockId(self.current as u32)
    }

    /// Sets the terminator of a block that was left open.
    pub fn terminate_block(&mut self, block: BlockId, end: Terminator, position: Position) {
        self.blocks[block.0 as usize].end = Some((end, position));
    }

    pub fn mark(&self) -> Mark {
        let statement = self.blocks[self.current].statements.len();
        Mark { block: self.current, statement, blocks: self.blocks.len() }
    }

    /// Whether nothing has been built since `mark`.
    pub fn is_unchanged(&self, mark: Mark) -> bool {
        self.mark() == mark
    }

    /// Inserts a statement at an earlier point.
    pub fn insert(&mut self, mark: Mark, kind: StmtKind, position: Position) {
        let statements = &mut self.blocks[mark.block].statements;
        let index = mark.statement.min(statements.len());
        statements.insert(index, Stmt { kind, position });
        for crossing in &mut self.crossings {
            if crossing.block == mark.block && crossing.statement >= index {
                crossing.statement += 1;
            }
        }
    }

    /// Removes `block` again if it is the last one, current, empty and open; then the current
    /// block is `back`.
    pub fn retract(&mut self, block: BlockId, back: BlockId) -> bool {
        let is_last = block.0 as usize + 1 == self.blocks.len();
        let is_current = self.current == block.0 as usize;
        let open = &self.blocks[block.0 as usize];
        let can = is_last && is_current && open.statements.is_empty() && open.end.is_none();
        if can {
            self.blocks.pop();
            // Scopes that were entered and left without doing anything.
            self.crossings.retain(|crossing| crossing.block != block.0 as usize);
            self.current = back.0 as usize;
        }
        can
    }

    pub fn local(&mut self, local: Local) -> LocalId {
        self.locals.push(local);
        LocalId(self.locals.len() as u32 - 1)
    }

    pub fn temporary(&mut self, ty: Ty, position: Position) -> LocalId {
        let (kind, scope) = (LocalKind::Temporary, ScopeId(0));
        self.local(Local { name: None, ty, kind, position, scope, align: 1 })
    }

    pub fn open_scope(&mut self, parent: Option<ScopeId>, begin: Position) -> ScopeId {
        self.scopes.push(Scope { parent, begin, end: begin });
        ScopeId(self.scopes.len() as u32 - 1)
    }

    /// Notes that scopes begin or end at this point.
    pub fn cross(&mut self, kind: CrossingKind, position: Position) {
        let (block, statement) = (self.current, self.blocks[self.current].statements.len());
        self.crossings.push(Crossing { block, statement, kind, position });
    }

    /// The block of a label, which becomes known by its first use.
    pub fn label(&mut self, name: &str, position: Position) -> &mut Label {
        if !self.labels.contains_key(name) {
            let block = self.new_block();
            let label = Label { block, first_use: position, scope: None };
            self.labels.insert(name.to_string(), label);
        }
        self.labels.get_mut(name).expect("inserted above")
    }

    /// Puts the blocks aside: until `resume`, what is built is thrown away.
    pub fn suspend(&mut self) -> Suspended {
        self.unevaluated += 1;
        Suspended {
            blocks: std::mem::replace(&mut self.blocks, vec![OpenBlock::default()]),
            current: std::mem::take(&mut self.current),
            labels: std::mem::take(&mut self.labels),
            switches: std::mem::take(&mut self.switches),
            crossings: std::mem::take(&mut self.crossings),
            loops: self.loops.len(),
        }
    }

    pub fn resume(&mut self, suspended: Suspended) {
        self.unevaluated -= 1;
        self.blocks = suspended.blocks;
        self.current = suspended.current;
        self.labels = suspended.labels;
        self.switches = suspended.switches;
        self.crossings = suspended.crossings;
        self.loops.truncate(suspended.loops);
    }

    /// The finished graph: open ends return, what cannot be reached is left out.
    pub fn finish(self, end: Position, last: Terminator) -> Result<Body, Fault> {
        if let Some((name, label)) = self.labels.iter().find(|(_, label)| label.scope.is_none()) {
            let what = format!("label `{name}` is used but not defined");
            return Err(Fault::invalid(label.first_use, what));
        }
        let close = |block: OpenBlock| {
            let (terminator, position) = block.end.unwrap_or((last.clone(), end));
            Block { statements: block.statements, terminator, position }
        };
        let blocks = self.blocks.into_iter().map(close).collect();
        let crossings = super::lifetimes::Crossings { list: self.crossings, labels: self.labels };
        let mut body = Body {
            locals: self.locals,
            parameters: self.parameters,
            blocks,
            loops: self.loops,
            scopes: self.scopes,
            end,
        };
        crossings.apply(&mut body);
        super::tidy::tidy(&mut body);
        Ok(body)
    }
}
