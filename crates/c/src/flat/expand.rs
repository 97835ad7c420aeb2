//! Replacing calls by bodies, from `main` outwards.
//!
//! Only what can be reached in the graph is expanded: a block of an instance is made when
//! something jumps to it, and what follows a call when the called function returns. So a function
//! that never returns costs nothing behind its calls.

use super::candidates::Candidates;
use super::components::Components;
use super::live::Live;
use super::shared::Group;
use super::{Flat, FlatBlock, FlatBlockId, FlatTerminator, Instance, InstanceId, StackId, tidy};
use crate::error::{Cause, Error, Fault};
use crate::source::Position;
use crate::typed::{Block, BlockId, Callee, FuncId, Place, Program, StmtKind, Terminator};
use crate::violation::{Kind, Properties};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How far a program is expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Activations of one function inside one another, at least 1, where each gets its own body.
    pub depth: usize,
    /// The same for functions that call themselves in one place only and could share one body;
    /// with 0 they do.
    pub linear: usize,
    /// Where more blocks than this would be made, functions that are called often have one body
    /// for all their calls: see [`plan`](super::plan).
    pub budget: usize,
    /// A call through a pointer of which nothing is known is one of a function of the environment, and no
    /// limit of the model. What such a function might call back is left out, so no proof is one.
    pub beyond: bool,
    /// Blocks beyond this number are an error.
    pub max_blocks: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { depth: 10, linear: 0, budget: usize::MAX, beyond: false, max_blocks: 2_000_000 }
    }
}

/// Expands all calls of a program. Fails if it has no `main` or becomes too large.
pub fn flatten<'p>(
    program: &'p Program,
    properties: &'p Properties,
    options: Options,
) -> Result<Flat<'p>, Error> {
    let fail = |fault: Fault| fault.named(&program.files);
    let Some(main) = program.main else {
        let fault = Fault::invalid(Position::default(), "there is no function `main`");
        return Err(Error { line: 0, column: 0, ..fail(fault) });
    };
    let candidates = Candidates::find(program, properties);
    let mut expansion = Expansion {
        program,
        properties,
        unasked: BTreeSet::new(),
        options,
        components: Components::find(program, properties, &candidates, options),
        candidates,
        instances: Vec::new(),
        groups: Vec::new(),
        groups_of: Vec::new(),
        singles: FxHashMap::default(),
        live: FxHashMap::default(),
        blocks: Vec::new(),
        starts: FxHashMap::default(),
        returns: Vec::new(),
        pending: FxHashMap::default(),
        work: Vec::new(),
    };
    expansion.run(main).map_err(fail)?;
    let Expansion { instances, blocks, groups, groups_of, singles, unasked, .. } = expansion;
    let shared = groups_of.iter().map(Option::is_some).collect();
    let singles = singles.into_values().collect();
    let stacks = groups.into_iter().map(Group::stack).collect();
    Ok(tidy::tidy(Flat { program, unasked, instances, blocks, stacks, shared, singles }))
}

/// Where an instance goes on when it returns.
#[derive(Clone, Copy)]
pub(super) struct Return<'p> {
    /// The caller's instance and block; none for `main`.
    pub to: Option<(InstanceId, FlatBlockId)>,
    pub result: Option<&'p Place>,
}

/// Statements that still have to be translated, and the block they go to.
pub(super) struct Work {
    pub instance: InstanceId,
    pub source: BlockId,
    pub statement: usize,
    pub into: FlatBlockId,
}

pub(super) struct Expansion<'p> {
    pub program: &'p Program,
    pub properties: &'p Properties,
    /// See [`Flat::unasked`].
    pub unasked: BTreeSet<Kind>,
    pub options: Options,
    pub candidates: Candidates<'p>,
    pub components: Components,
    pub instances: Vec<Instance<'p>>,
    /// By the number of their stacks.
    pub groups: Vec<Group<'p>>,
    /// For each instance, its group if it is in one.
    pub groups_of: Vec<Option<StackId>>,
    /// The instances of functions with a single body.
    pub singles: FxHashMap<FuncId, InstanceId>,
    pub live: FxHashMap<FuncId, Live<'p>>,
    pub blocks: Vec<FlatBlock<'p>>,
    /// The flat blocks at which typed blocks start.
    pub starts: FxHashMap<(InstanceId, BlockId), FlatBlockId>,
    /// For each instance.
    pub returns: Vec<Return<'p>>,
    /// What follows calls of functions that have not been seen to return.
    pub pending: FxHashMap<FlatBlockId, (BlockId, usize)>,
    pub work: Vec<Work>,
}

impl<'p> Expansion<'p> {
    fn run(&mut self, main: FuncId) -> Result<(), Fault> {
        let position = self.program.function(main).position;
        let entry = self.new_block(InstanceId(0), position);
        let back = Return { to: None, result: None };
        let instance = match self.components.shared(main) {
            Some(component) => self.new_group(entry, component, main, None, back, position),
            None => self.new_instance(main, None, back),
        };
        match instance {
            Some(instance) => {
                let start = self.start(instance, BlockId(0));
                self.end(entry, FlatTerminator::Goto(start), position);
            }
            None => return Err(Fault::invalid(position, "there is no function `main`")),
        }
        while let Some(work) = self.work.pop() {
            if self.blocks.len() > self.options.max_blocks {
                let function = self.program.function(self.function_of(work.instance));
                let what = format!(
                    "a program this large: more than {} blocks, reached while expanding `{}`",
                    self.options.max_blocks, function.name
                );
                return Err(Fault { cause: Cause::Unsupported(what), position: function.position });
            }
            self.translate(work);
        }
        Ok(())
    }

    pub(super) fn function_of(&self, instance: InstanceId) -> FuncId {
        self.instances[instance.0 as usize].function
    }

    /// An activation of a function, which must have a body.
    pub(super) fn new_instance(
        &mut self,
        function: FuncId,
        caller: Option<(InstanceId, Position)>,
        back: Return<'p>,
    ) -> Option<InstanceId> {
        let body = self.program.function(function).body.as_ref()?;
        let id = InstanceId(self.instances.len() as u32);
        self.instances.push(Instance { function, body, caller });
        self.returns.push(back);
        self.groups_of.push(None);
        Some(id)
    }

    /// A block to be filled later; until then it ends the program.
    pub(super) fn new_block(&mut self, instance: InstanceId, position: Position) -> FlatBlockId {
        let id = FlatBlockId(self.blocks.len() as u32);
        let (statements, terminator) = (Vec::new(), FlatTerminator::End);
        self.blocks.push(FlatBlock { instance, statements, terminator, position, source: None });
        id
    }

    pub(super) fn block_mut(&mut self, id: FlatBlockId) -> &mut FlatBlock<'p> {
        &mut self.blocks[id.0 as usize]
    }

    pub(super) fn end(
        &mut self,
        id: FlatBlockId,
        terminator: FlatTerminator<'p>,
        position: Position,
    ) {
        let block = self.block_mut(id);
        (block.terminator, block.position) = (terminator, position);
    }

    /// The flat block with which a typed block of an instance begins.
    pub(super) fn start(&mut self, instance: InstanceId, source: BlockId) -> FlatBlockId {
        if let Some(&known) = self.starts.get(&(instance, source)) {
            return known;
        }
        let into = self.new_block(instance, Position::default());
        self.block_mut(into).source = Some(source);
        self.starts.insert((instance, source), into);
        self.work.push(Work { instance, source, statement: 0, into });
        into
    }

    fn translate(&mut self, work: Work) {
        let Work { instance, source, statement, into } = work;
        let block: &'p Block = self.instances[instance.0 as usize].body.block(source);
        for index in statement..block.statements.len() {
            let current = &block.statements[index];
            let StmtKind::Call { result, callee, arguments } = &current.kind else {
                self.block_mut(into).statements.push(super::FlatStmt::Plain(current));
                continue;
            };
            let call = super::calls::Call {
                caller: instance,
                result: result.as_ref(),
                arguments,
                position: current.position,
                rest: (source, index + 1),
            };
            let goes_on = match callee {
                Callee::Function(function) => self.call(into, *function, &call),
                Callee::Pointer(pointer) => self.dispatch(into, pointer, &call),
            };
            if !goes_on {
                return;
            }
        }
        let terminator = self.terminator(instance, &block.terminator, block.position);
        self.end(into, terminator, block.position);
    }

    fn terminator(
        &mut self,
        instance: InstanceId,
        terminator: &'p Terminator,
        position: Position,
    ) -> FlatTerminator<'p> {
        match terminator {
            Terminator::Goto(target) => FlatTerminator::Goto(self.start(instance, *target)),
            Terminator::Branch { condition, then, otherwise } => {
                let then = self.start(instance, *then);
                let otherwise = self.start(instance, *otherwise);
                FlatTerminator::Branch { condition, then, otherwise }
            }
            Terminator::Switch { value, ranges, default } => {
                let starts =
                    ranges.iter().map(|range| (*range, self.start(instance, range.target)));
                let ranges = starts.collect();
                FlatTerminator::Switch { value, ranges, default: self.start(instance, *default) }
            }
            Terminator::Return(value) => self.leave(instance, value.as_ref(), position),
            Terminator::Unreachable => {
                let kind = Kind::Unreachable;
                let is_settled = self.properties.is_settled(kind, &self.program.files, position);
                match self.properties.asks(kind) && !is_settled {
                    true => FlatTerminator::Violation(kind),
                    false => FlatTerminator::End,
                }
            }
        }
    }
}
