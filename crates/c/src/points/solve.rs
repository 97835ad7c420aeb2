//! The work list: statements are evaluated until nothing changes.
//!
//! A statement that reads a node is evaluated again when the node has grown. Sets only grow and
//! every chain of them is short ([`offsets`](super::offsets)), so this ends.

use super::ObjectId;
use super::set::{Flags, Set};
use super::state::{Blob, Cell, NodeId, State, View};
use super::units::{self, Unit};
use super::write::{Destination, Effect, Effects};
use crate::flat::{Flat, InstanceId};
use crate::typed::{FuncId, Initial, Program, Terminator};
use crate::violation::Properties;
use std::collections::VecDeque;

/// Analyses a flat program.
pub fn flat<'p>(flat: &Flat<'p>) -> State<'p> {
    let mut solver = Solver::new(State::new(flat.program, None));
    let units = units::of_flat(flat, &mut solver.state);
    solver.initialise();
    solver.add(units);
    solver.complete();
    solver.state
}

/// Analyses a program with one activation for every function that can be called from `main`.
pub fn program<'p>(program: &'p Program, properties: &'p Properties) -> State<'p> {
    let mut solver = Solver::new(State::new(program, Some(properties)));
    solver.initialise();
    if let Some(main) = program.main {
        solver.activate(main);
    }
    solver.complete();
    solver.state
}

struct Solver<'p> {
    state: State<'p>,
    units: Vec<Unit<'p>>,
    /// Whether a unit is in the queue.
    queued: Vec<bool>,
    queue: VecDeque<u32>,
    /// The units that have read a node since it last changed.
    readers: Vec<Vec<u32>>,
    cost: usize,
}

/// Addresses that are read, over and over, before the analysis gives up: a second or two.
const MAX_COST: usize = 60_000_000;

impl<'p> Solver<'p> {
    fn new(state: State<'p>) -> Solver<'p> {
        let (units, queued, queue) = (Vec::new(), Vec::new(), VecDeque::new());
        Solver { state, units, queued, queue, readers: Vec::new(), cost: 0 }
    }

    fn add(&mut self, units: Vec<Unit<'p>>) {
        for unit in units {
            self.queue.push_back(self.units.len() as u32);
            self.units.push(unit);
            self.queued.push(true);
        }
    }

    /// The values that globals have when the program starts.
    fn initialise(&mut self) {
        let program = self.state.program;
        let mut effects = Effects::new();
        for global in &program.globals {
            let Initial::Values(values) = &global.initial else { continue };
            let mut view = View::new(&self.state);
            for (place, value) in values {
                let none = InstanceId(u32::MAX);
                let to = view.destination(none, place);
                let set = view.value(none, value).into_owned();
                match to {
                    Destination::Memory(_) | Destination::Bits(..) => {
                        view.put(&to, &set, place.ty, &mut effects);
                    }
                    Destination::Register(_) => {}
                }
            }
        }
        self.apply(effects);
    }

    /// Lets the sets grow, and what is known outside, until both are complete.
    fn complete(&mut self) {
        self.run();
        while self.state.everything.is_none() {
            let opened = self.state.let_out(&self.units);
            if opened.is_empty() {
                return;
            }
            for object in opened {
                let contents = &mut self.state.contents[object.0 as usize];
                contents.initial = contents.initial.with(Flags::ARBITRARY);
                let structure = contents.structure;
                self.wake(structure);
            }
            self.run();
        }
    }

    fn run(&mut self) {
        while let Some(index) = self.queue.pop_front() {
            self.queued[index as usize] = false;
            let mut effects = Effects::new();
            let mut view = View::new(&self.state);
            view.transfer(&self.units[index as usize], &mut effects);
            self.cost += view.cost;
            let mut reads = view.reads;
            reads.sort_unstable_by_key(|node| node.0);
            reads.dedup();
            self.readers.resize(self.state.nodes.len(), Vec::new());
            for node in reads {
                self.readers[node.0 as usize].push(index);
            }
            if effects.iter().any(|effect| matches!(effect, Effect::Activate(_))) {
                self.enqueue(index);
            }
            self.apply(effects);
            if self.cost > MAX_COST {
                self.state.give_up();
                return;
            }
        }
    }

    fn enqueue(&mut self, unit: u32) {
        if !std::mem::replace(&mut self.queued[unit as usize], true) {
            self.queue.push_back(unit);
        }
    }

    fn wake(&mut self, node: NodeId) {
        let Some(readers) = self.readers.get_mut(node.0 as usize) else { return };
        for unit in std::mem::take(readers) {
            self.enqueue(unit);
        }
    }

    fn grow(&mut self, node: NodeId, set: &Set) -> bool {
        let grows = self.state.nodes[node.0 as usize].join(set);
        if grows {
            self.wake(node);
        }
        grows
    }

    /// Adds to a part of an object.
    fn grow_part(&mut self, object: ObjectId, node: NodeId, set: &Set) {
        if self.grow(node, set) {
            let all = self.state.contents[object.0 as usize].all;
            self.grow(all, &set.smeared());
        }
    }

    fn apply(&mut self, effects: Effects) {
        for effect in effects {
            match effect {
                Effect::Node(node, set) => {
                    self.grow(node, &set);
                }
                Effect::Cell { object, at, size, set } => {
                    let contents = &self.state.contents[object.0 as usize];
                    let found = contents.cells.binary_search_by_key(&at, |cell| cell.at);
                    let node = match found {
                        Ok(index) => contents.cells[index].node,
                        Err(_) => self.state.node(),
                    };
                    let contents = &mut self.state.contents[object.0 as usize];
                    let structure = contents.structure;
                    let changed = match found {
                        Ok(index) => {
                            let cell = &mut contents.cells[index];
                            let grows = size > cell.size;
                            cell.size = cell.size.max(size);
                            grows
                        }
                        Err(index) => {
                            contents.cells.insert(index, Cell { at, size, node });
                            true
                        }
                    };
                    if changed {
                        self.wake(structure);
                    }
                    self.grow_part(object, node, &set);
                }
                Effect::Blob { object, grid, set } => {
                    let index = object.0 as usize;
                    let old = self.state.contents[index].blob;
                    let node = old.map_or_else(|| self.state.node(), |blob| blob.node);
                    let grid = match old {
                        Some(blob) if blob.grid != grid => None,
                        _ => grid,
                    };
                    self.state.contents[index].blob = Some(Blob { node, grid });
                    if old.is_none_or(|blob| blob.grid != grid) {
                        self.wake(self.state.contents[index].structure);
                    }
                    self.grow_part(object, node, &set);
                }
                Effect::Activate(function) => self.activate(function),
            }
        }
    }

    fn activate(&mut self, function: FuncId) {
        if self.state.activation(InstanceId(function.0)).is_some() {
            return;
        }
        let program = self.state.program;
        let units = units::of_function(function, &mut self.state);
        let blocks = program.function(function).body.iter().flat_map(|body| &body.blocks);
        let returns = blocks.filter_map(|block| match &block.terminator {
            Terminator::Return(value) => Some(value.as_ref()),
            _ => None,
        });
        self.state.returns.insert(function, returns.collect());
        self.add(units);
    }
}
