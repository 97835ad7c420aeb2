//! The graph of the automaton, and the values that globals start with.

use super::memory::Access;
use super::stmt::Fill;
use super::{ChoicePointKind, Encoded, Encoder, Origin, OriginKind};
use crate::error::Fault;
use crate::flat::{FlatBlock, FlatBlockId, FlatStmt, FlatTerminator, InstanceId};
use crate::points::ObjectKind;
use crate::source::Position;
use crate::typed::{FuncId, GlobalId, Initial};
use crate::violation::{CheckPoint, Kind, Properties};
use wedge_logic::Term;
use wedge_model::cfa::{Edge, LocationId, Target, TargetKind};

impl<'p> Encoder<'_, 'p> {
    pub(super) fn run(mut self, properties: &Properties) -> Result<Encoded, Fault> {
        let flat = self.flat;
        let locations: Vec<LocationId> =
            flat.blocks.iter().map(|block| self.block_location(block)).collect();
        properties.kinds().for_each(|kind| self.add_violation(kind));
        self.note_unasked();
        let end = self.cfa.add_location(None);
        for (index, block) in flat.blocks.iter().enumerate() {
            let function = self.flat.instance(block.instance).function;
            self.in_library = self.program.function(function).is_library;
            let mut at = locations[index];
            self.at = block.position;
            self.reuse.now = index;
            if self.is_loop_head(block) && self.check_tracked(Some(block.instance)) {
                let function = self.flat.instance(block.instance).function;
                let origin = self.origin(function, block.position, OriginKind::Statement);
                at = self.finish(at, origin);
            }
            for (number, statement) in block.statements.iter().enumerate() {
                let site = (FlatBlockId(index as u32), number);
                let origin = self.statement_origin(block, statement);
                self.at = self.origins[origin as usize].position;
                self.check_goal();
                self.statement(block.instance, statement, site)?;
                at = self.finish(at, origin);
            }
            self.at = block.position;
            if self.check_goal() {
                let origin = self.origin(function, block.position, OriginKind::Statement);
                at = self.finish(at, origin);
            }
            self.terminator(block, at, &locations, end)?;
        }
        self.start(locations[0])?;
        for location in &mut self.cfa.locations {
            let origin = location.origin.map(|origin| &self.origins[origin as usize]);
            location.function = origin.map(|origin| origin.function.0);
        }
        Ok(Encoded {
            has_pools: self.has_pools(),
            has_hollow: self.has_hollow(),
            cfa: self.cfa,
            origins: self.origins,
            choices: self.choices,
            births: self.births,
            foreign: self.foreign,
            variables: self.variables,
            notes: self.notes.into_iter().collect(),
            checks: self.checks.into_iter().collect(),
            functions: self.flat.instances.iter().map(|instance| instance.function).collect(),
        })
    }

    /// The location that all violations of a kind lead to.
    fn add_violation(&mut self, kind: Kind) {
        let location = self.cfa.add_location(None);
        let name = kind.name().to_string();
        self.cfa.targets.push(Target { location, kind: TargetKind::Error, name });
        self.violations.insert(kind, location);
    }

    fn note_unasked(&mut self) {
        for kind in &self.flat.unasked {
            let name = kind.name();
            let what = kind.event();
            self.notes.insert(format!("where {what} a run ends; `{name}` is not asked for there"));
        }
    }

    fn is_loop_head(&self, block: &FlatBlock) -> bool {
        let loops = &self.flat.instance(block.instance).body.loops;
        block.source.is_some_and(|source| loops.iter().any(|a_loop| a_loop.head == source))
    }

    fn block_location(&mut self, block: &FlatBlock) -> LocationId {
        let instance = &self.flat.instances[block.instance.0 as usize];
        let head = block
            .source
            .and_then(|source| instance.body.loops.iter().position(|a_loop| a_loop.head == source));
        let (position, kind) = match head {
            Some(index) => {
                (instance.body.loops[index].position, OriginKind::LoopHead(index as u32))
            }
            None => {
                let first = block.statements.first().map(FlatStmt::position);
                (first.unwrap_or(block.position), OriginKind::Block)
            }
        };
        let origin = self.origin(instance.function, position, kind);
        self.cfa.add_location(Some(origin))
    }

    fn origin(&mut self, function: FuncId, position: Position, kind: OriginKind) -> u32 {
        self.origins.push(Origin { function, position, kind });
        self.origins.len() as u32 - 1
    }

    fn statement_origin(&mut self, block: &FlatBlock, statement: &FlatStmt) -> u32 {
        let function_of = |id: InstanceId| self.flat.instances[id.0 as usize].function;
        let function = function_of(block.instance);
        let kind = match statement {
            FlatStmt::Bind { callee, .. }
            | FlatStmt::Variadic { callee, .. }
            | FlatStmt::Push { callee, .. }
            | FlatStmt::Rebind { callee, .. } => OriginKind::Call(function_of(*callee)),
            FlatStmt::Plain(_)
            | FlatStmt::Empty { .. }
            | FlatStmt::Evaluate { .. }
            | FlatStmt::Yield { .. }
            | FlatStmt::Outside { .. } => OriginKind::Statement,
            FlatStmt::Result { callee, .. }
            | FlatStmt::Pop { callee, .. }
            | FlatStmt::Take { callee, .. } => OriginKind::Return(function_of(*callee)),
            FlatStmt::External { function, .. } => OriginKind::Call(*function),
        };
        self.origin(function, statement.position(), kind)
    }

    fn terminator(
        &mut self,
        block: &FlatBlock<'p>,
        at: LocationId,
        locations: &[LocationId],
        end: LocationId,
    ) -> Result<(), Fault> {
        let instance = block.instance;
        let function = self.flat.instances[instance.0 as usize].function;
        let place = |id: &FlatBlockId| locations[id.0 as usize];
        let always = self.cfa.terms.bool(true);
        let origin = self.origin(function, block.position, OriginKind::Statement);
        match &block.terminator {
            FlatTerminator::Goto(to) => self.branch(at, vec![(always, place(to), origin)], origin),
            FlatTerminator::End => self.branch(at, vec![(always, end, origin)], origin),
            FlatTerminator::Returned | FlatTerminator::Exit => {
                let is_exit = matches!(block.terminator, FlatTerminator::Exit);
                self.check_leaks(is_exit.then_some(instance));
                self.branch(at, vec![(always, end, origin)], origin);
            }
            FlatTerminator::Violation(kind) => {
                let point = CheckPoint::new(*kind, &self.program.files, block.position);
                self.checks.insert(point);
                let counts = self.last_reads_are_known();
                let to = self.violations[kind];
                self.branch(at, vec![(counts, to, origin)], origin);
            }
            FlatTerminator::Limit(what) | FlatTerminator::Refused(what) => {
                let kind = match &block.terminator {
                    FlatTerminator::Refused(_) => TargetKind::Refused,
                    _ => TargetKind::Limit,
                };
                let to = self.end_location(kind, what.clone());
                self.branch(at, vec![(always, to, origin)], origin);
            }
            FlatTerminator::Branch { condition, then, otherwise } => {
                let truth = self.truth(instance, condition)?;
                let negated = self.cfa.terms.not(truth);
                let taken = self.origin(function, block.position, OriginKind::Branch(true));
                let passed = self.origin(function, block.position, OriginKind::Branch(false));
                let branches =
                    vec![(truth, place(then), taken), (negated, place(otherwise), passed)];
                self.branch(at, branches, origin);
            }
            FlatTerminator::Switch { value, ranges, default } => {
                let signed = self.format(value.ty).signed;
                let term = self.expr(instance, value)?;
                let term = self.observed(instance, value, term);
                let mut branches = Vec::new();
                let mut rest = always;
                for (range, target) in ranges {
                    let inside = self.in_range(term, range.low, range.high, signed);
                    branches.push((inside, place(target), origin));
                    let outside = self.cfa.terms.not(inside);
                    rest = self.cfa.terms.and(rest, outside);
                }
                branches.push((rest, place(default), origin));
                self.branch(at, branches, origin);
            }
            FlatTerminator::Back { stack, outside, sites } => {
                let outside = outside.as_ref().map(place);
                let sites: Vec<_> = sites.iter().map(|(number, to)| (*number, place(to))).collect();
                let branches = self.ways_back(*stack, outside, &sites, origin);
                self.branch(at, branches, origin);
            }
            FlatTerminator::Dispatch { pointer, targets, otherwise } => {
                let term = self.expr(instance, pointer)?;
                let mut branches = Vec::new();
                let mut rest = always;
                for (function, target) in targets {
                    let address = self.function_address(*function);
                    let same = self.cfa.terms.eq(term, address);
                    branches.push((same, place(target), origin));
                    let other = self.cfa.terms.not(same);
                    rest = self.cfa.terms.and(rest, other);
                }
                let mut invalid = rest;
                if let Some(otherwise) = otherwise {
                    let null = self.cfa.terms.zero(self.pointer_width);
                    let is_null = self.cfa.terms.eq(term, null);
                    invalid = self.cfa.terms.and(rest, is_null);
                    let not_null = self.cfa.terms.not(is_null);
                    let rest = self.cfa.terms.and(rest, not_null);
                    branches.push((rest, place(otherwise), origin));
                }
                let valid = self.cfa.terms.not(invalid);
                self.check(Kind::Deref, valid);
                self.branch(at, branches, origin);
            }
        }
        Ok(())
    }

    pub(super) fn in_range(&mut self, value: Term, low: u128, high: u128, signed: bool) -> Term {
        let width = self.cfa.terms.width(value);
        let low = self.constant(low, width);
        let high = self.constant(high, width);
        let terms = &mut self.cfa.terms;
        if low == high {
            return terms.eq(value, low);
        }
        let (above, below) = match signed {
            true => (terms.sle(low, value), terms.sle(value, high)),
            false => (terms.ule(low, value), terms.ule(value, high)),
        };
        terms.and(above, below)
    }

    /// The edge from the entry: globals get their initial values, pools are empty.
    fn start(&mut self, first: LocationId) -> Result<(), Fault> {
        let main = InstanceId(0);
        let site = (FlatBlockId(0), 0);
        self.start_rounding_mode();
        self.starting = true;
        for (index, global) in self.program.globals.iter().enumerate() {
            let id = GlobalId(index as u32);
            let Some(object) = self.points.object_of(ObjectKind::Global(id)) else { continue };
            let (size, at) = (self.storage.get(object).bytes, global.position);
            match &global.initial {
                Initial::External => {
                    let kind = ChoicePointKind::Global(id, 0);
                    self.fill(object, 0, size, Fill::Arbitrary, kind, main, at, site);
                }
                Initial::Values(values) => {
                    let kind = ChoicePointKind::Other;
                    self.fill(object, 0, size, Fill::Zero, kind, main, at, site);
                    if self.storage.get(object).cells.is_empty() {
                        continue;
                    }
                    for (place, value) in values {
                        self.initial_value(place, value)?;
                    }
                }
            }
        }
        self.starting = false;
        let shape = self.start_arguments(site);
        self.start_known_reads();
        self.start_focus();
        let counters: Vec<Term> = self.counters.values().copied().collect();
        for counter in counters {
            let zero = self.cfa.terms.zero(self.cfa.terms.width(counter));
            self.step.update(counter, zero);
        }
        self.start_lives();
        self.start_unwritten();
        // What is not represented needs no value, and its absence is no undefined behaviour.
        self.step.guards.clear();
        self.step.violations.clear();
        let function = self.flat.instances[0].function;
        let position = self.program.function(function).position;
        let origin = self.origin(function, position, OriginKind::Statement);
        let start = self.cfa.entry;
        let step = std::mem::take(&mut self.step);
        let (guard, updates) = (shape, step.updates);
        let edge = Edge { from: start, to: first, guard, updates, origin: Some(origin) };
        let edge = self.cfa.add_edge(edge);
        self.bear(edge, &step.born);
        Ok(())
    }

    fn initial_value(
        &mut self,
        place: &crate::typed::Place,
        value: &crate::typed::Expr,
    ) -> Result<(), Fault> {
        let main = InstanceId(0);
        let access = self.access(main, place)?;
        let Some((object, offset)) = access.address.fixed() else { return Ok(()) };
        let size = match self.bit_field(place) {
            Some(bits) => super::memory::bit_field_bytes(bits),
            None => self.value_bytes(place.ty),
        };
        if self.storage.get(object).layout.find(offset, size).is_none() {
            return self.initial_bytes(&access, place, value, size);
        }
        let value = self.expr(main, value)?;
        self.store(main, place, value)
    }

    /// An initial value of which only some bytes are represented.
    fn initial_bytes(
        &mut self,
        access: &Access,
        place: &crate::typed::Place,
        value: &crate::typed::Expr,
        size: u64,
    ) -> Result<(), Fault> {
        let Some((object, offset)) = access.address.fixed() else { return Ok(()) };
        let layout = self.storage.get(object).layout.clone();
        if !(0..size).any(|byte| layout.find(offset + byte, 1).is_some()) {
            return Ok(());
        }
        if self.bit_field(place).is_some() {
            let what = "a bit-field that is also accessed in parts";
            return Err(Fault::unsupported(place.position, what));
        }
        let value = self.expr(InstanceId(0), value)?;
        for byte in 0..size {
            if layout.find(offset + byte, 1).is_some() {
                let low = 8 * byte as u32;
                let part = self.cfa.terms.slice(value, low + 7, low);
                self.write(&access.moved(byte), part);
            }
        }
        Ok(())
    }
}
