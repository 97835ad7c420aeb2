//! Statements.

use super::accesses::list_value;
use super::address::Address;
use super::memory::Access;
use super::storage::{Cells, bits_for};
use super::{ChoicePointKind, Encoder, Part};
use crate::error::Fault;
use crate::flat::{FlatBlockId, FlatStmt, InstanceId};
use crate::points::{ObjectId, ObjectKind, Offsets, Target, Targets};
use crate::source::Position;
use crate::typed::{Expr, ExprKind, LocalId, Place, PlaceKind, Stmt, StmtKind};
use crate::types::Ty;
use std::sync::Arc;
use wedge_logic::{Sort, Term};

/// What bytes become.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    Zero,
    Arbitrary,
}

impl<'p> Encoder<'_, 'p> {
    pub(super) fn statement(
        &mut self,
        instance: InstanceId,
        statement: &FlatStmt<'p>,
        site: (FlatBlockId, usize),
    ) -> Result<(), Fault> {
        match statement {
            FlatStmt::Plain(statement) => self.plain(instance, statement, site),
            FlatStmt::Bind { callee, parameter, argument, position } => {
                self.end_life(ObjectKind::Local(*callee, *parameter), *position);
                let place = self.local_place(*callee, *parameter);
                self.pass(*callee, &place, instance, *argument, *position, site)
            }
            FlatStmt::Variadic { callee, arguments, position } => {
                self.end_life(ObjectKind::Variadic(*callee), *position);
                self.pass_variable(instance, *callee, arguments, *position)
            }
            FlatStmt::Result { place, callee, value, position } => {
                self.pass(instance, place, *callee, *value, *position, site)
            }
            FlatStmt::Empty { .. }
            | FlatStmt::Push { .. }
            | FlatStmt::Rebind { .. }
            | FlatStmt::Yield { .. }
            | FlatStmt::Pop { .. }
            | FlatStmt::Take { .. } => self.recursive(instance, statement, site),
            FlatStmt::External { function, result, arguments, position } => {
                self.external(instance, *function, *result, arguments, *position, site)
            }
            FlatStmt::Evaluate { value, .. } => self.evaluate(instance, value),
            FlatStmt::Outside { result, position, .. } => {
                self.outside(instance, *result, *position, site)
            }
        }
    }

    /// Computes a value that nobody uses.
    pub(super) fn evaluate(&mut self, instance: InstanceId, value: &Expr) -> Result<(), Fault> {
        if self.program.types.is_scalar(value.ty) {
            return self.expr(instance, value).map(drop);
        }
        let ExprKind::Load(from) = &value.kind else { return Ok(()) };
        let leaves = self.leaves(value.ty, value.position)?;
        let from = self.access(instance, from)?;
        for &(offset, size) in leaves.iter() {
            self.read(&from.moved(offset), size);
        }
        Ok(())
    }

    fn plain(
        &mut self,
        instance: InstanceId,
        statement: &Stmt,
        site: (FlatBlockId, usize),
    ) -> Result<(), Fault> {
        let at = statement.position;
        match &statement.kind {
            StmtKind::Assign { place, value } => self.assign(instance, place, instance, value, at),
            StmtKind::Zero(place) => self.zero(instance, place),
            StmtKind::Declare(local) => {
                self.declare(instance, *local, at, site);
                Ok(())
            }
            StmtKind::Begin(local) => {
                self.set_in_block(instance, *local, true);
                Ok(())
            }
            StmtKind::End(local) => {
                self.set_in_block(instance, *local, false);
                self.end_life(ObjectKind::Local(instance, *local), at);
                Ok(())
            }
            StmtKind::Allocate { pointer, size } => {
                let size = self.expr(instance, size)?;
                let value = self.allocate(site, size, Fill::Arbitrary, instance, at)?;
                self.begin_unwritten(instance, value, size);
                if let PlaceKind::Local(local) = pointer.kind {
                    self.set_in_block(instance, local, true);
                }
                self.store(instance, pointer, value)
            }
            StmtKind::VaStart(list) => {
                let value = match self.points.object_of(ObjectKind::Variadic(instance)) {
                    Some(object) => self.place_of(object),
                    None => self.cfa.terms.zero(self.pointer_width),
                };
                let list = self.access(instance, list)?;
                self.write(&list, value);
                Ok(())
            }
            StmtKind::VaArg { result, list } => self.next_argument(instance, result, list, at),
            StmtKind::VaCopy { to, from } => {
                let bytes = self.program.types.model.pointer_bytes();
                let from = self.access(instance, from)?;
                let value = self.read(&from, bytes);
                let to = self.access(instance, to)?;
                self.write(&to, value);
                Ok(())
            }
            StmtKind::Call { .. } => {
                Err(Fault::unsupported(at, "internal error: a call that was not expanded"))
            }
        }
    }

    /// Gives a place the value of an expression of the same type, maybe of another instance.
    fn assign(
        &mut self,
        instance: InstanceId,
        place: &Place,
        source: InstanceId,
        value: &Expr,
        at: Position,
    ) -> Result<(), Fault> {
        if self.program.types.is_scalar(place.ty) {
            let term = self.expr(source, value)?;
            let term = self.part_kept((instance, place), (source, value), term);
            return self.store(instance, place, term);
        }
        let ExprKind::Load(from) = &value.kind else {
            return Err(Fault::unsupported(at, "a record that is not in memory"));
        };
        // Records of one size may have different types; the smaller pieces are those of both.
        let leaves = self.leaves(place.ty, at)?;
        let from = self.access(source, from)?;
        let to = self.access(instance, place)?;
        self.copy(&to, &from, &leaves);
        Ok(())
    }

    /// A value as it arrives where another type may be expected, or an arbitrary one.
    pub(super) fn pass(
        &mut self,
        instance: InstanceId,
        place: &Place,
        source: InstanceId,
        value: Option<&Expr>,
        at: Position,
        site: (FlatBlockId, usize),
    ) -> Result<(), Fault> {
        let types = &self.program.types;
        let is_scalar = types.is_scalar(place.ty);
        match value {
            Some(value) if is_scalar && types.is_scalar(value.ty) => {
                let term = self.expr(source, value)?;
                let term = self.part_kept((instance, place), (source, value), term);
                let term = self.passed(term, value.ty, place.ty);
                self.store(instance, place, term)
            }
            Some(value) if !is_scalar && types.size(place.ty) == types.size(value.ty) => {
                self.assign(instance, place, source, value, at)
            }
            _ => self.make_arbitrary(instance, place, ChoicePointKind::Other, at, site),
        }
    }

    pub(super) fn passed(&mut self, value: Term, from: Ty, to: Ty) -> Term {
        let types = &self.program.types;
        let words = types.word_format(from).zip(types.word_format(to));
        let signed = words.is_some_and(|(from, _)| from.signed);
        self.resized(value, self.value_width(to), signed)
    }

    /// An arbitrary value for a place of any type.
    pub(super) fn make_arbitrary(
        &mut self,
        instance: InstanceId,
        place: &Place,
        kind: ChoicePointKind,
        at: Position,
        site: (FlatBlockId, usize),
    ) -> Result<(), Fault> {
        if self.program.types.is_scalar(place.ty) {
            let width = self.value_width(place.ty);
            let chosen = if place.ty == Ty::BOOL { 1 } else { width };
            let input = self.input(kind, place.ty, Sort::Bv(chosen), instance, at);
            let value = self.resized(input, width, false);
            if let PlaceKind::Local(id) = place.kind
                && let Some(register) = self.register(instance, id)
            {
                self.step.update(register, value);
                self.set_written(register, true);
                return Ok(());
            }
            // Elsewhere the value may be read by several edges.
            let temporary = self.temporary("arbitrary", Sort::Bv(width));
            self.step.before.push((temporary, value));
            return self.store(instance, place, temporary);
        }
        let access = self.access(instance, place)?;
        let kind = ChoicePointKind::Result(0);
        if let Some((object, offset)) = access.address.fixed() {
            let size = self.program.types.size(place.ty).unwrap_or(0);
            self.fill(object, offset, size, Fill::Arbitrary, kind, instance, at, site);
            return Ok(());
        }
        let leaves = self.leaves(place.ty, at)?;
        for &(offset, size) in leaves.iter() {
            let width = 8 * size as u32;
            let kind = with_offset(&kind, offset);
            let value = self.arbitrary(kind, Ty::VOID, width, instance, at);
            self.write(&access.moved(offset), value);
        }
        Ok(())
    }

    fn zero(&mut self, instance: InstanceId, place: &Place) -> Result<(), Fault> {
        if let PlaceKind::Local(id) = place.kind
            && let Some(register) = self.register(instance, id)
        {
            let zero = self.cfa.terms.zero(self.value_width(place.ty));
            self.step.update(register, zero);
            self.set_written(register, true);
            return Ok(());
        }
        let access = self.access(instance, place)?;
        let at = place.position;
        if let (Some((object, offset)), PlaceKind::Local(_) | PlaceKind::Global(_)) =
            (access.address.fixed(), &place.kind)
        {
            let size = self.storage.get(object).bytes;
            let site = (FlatBlockId(0), 0);
            let kind = ChoicePointKind::Other;
            self.fill(object, offset, size, Fill::Zero, kind, instance, at, site);
            return Ok(());
        }
        let leaves = self.leaves(place.ty, at)?;
        for &(offset, size) in leaves.iter() {
            let zero = self.cfa.terms.zero(8 * size as u32);
            self.write(&access.moved(offset), zero);
        }
        Ok(())
    }

    pub(super) fn declare(
        &mut self,
        instance: InstanceId,
        local: LocalId,
        at: Position,
        site: (FlatBlockId, usize),
    ) {
        let ty = self.flat.instances[instance.0 as usize].body.local(local).ty;
        if let Some(register) = self.register(instance, local) {
            let width = self.value_width(ty);
            let chosen = if ty == Ty::BOOL { 1 } else { width };
            let kind = ChoicePointKind::Local(local, 0);
            let input = self.input(kind, ty, Sort::Bv(chosen), instance, at);
            let value = self.resized(input, width, false);
            self.step.update(register, value);
            self.set_written(register, false);
            return;
        }
        if let Some(object) = self.points.object_of(ObjectKind::Local(instance, local)) {
            let size = self.storage.get(object).bytes;
            let kind = ChoicePointKind::Local(local, 0);
            self.fill(object, 0, size, Fill::Arbitrary, kind, instance, at, site);
            let base = self.place_of(object);
            self.begin_unwritten_local(instance, base, size);
        }
    }

    /// Fills bytes of an object that is not one of a pool.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn fill(
        &mut self,
        object: ObjectId,
        offset: u64,
        size: u64,
        fill: Fill,
        kind: ChoicePointKind,
        instance: InstanceId,
        at: Position,
        site: (FlatBlockId, usize),
    ) {
        let stored = self.storage.get(object).clone();
        let end = offset.saturating_add(size);
        let mut born = Vec::new();
        for (band, cells) in stored.layout.bands.iter().zip(&stored.cells) {
            match cells {
                Cells::Array(array) if offset <= band.lo && band.end() <= end => {
                    let new = match fill {
                        Fill::Zero => {
                            let zero = self.cfa.terms.zero(8 * band.width as u32);
                            let Sort::Array { index, .. } = self.cfa.terms.sort(*array) else {
                                continue;
                            };
                            self.cfa.terms.const_array(index, zero)
                        }
                        // Arbitrary from the start, and nothing has been written yet.
                        Fill::Arbitrary if !self.on_cycle[site.0.0 as usize] => {
                            let elements = Some((band.stride, bits_for(band.count)));
                            let (variable, offset) = (*array, band.lo - offset);
                            born.push(Part { variable, offset, instance: 0, elements });
                            continue;
                        }
                        Fill::Arbitrary => {
                            let sort = self.cfa.terms.sort(*array);
                            let kind = with_offset(&kind, band.lo - offset);
                            let input = self.input(kind, Ty::VOID, sort, instance, at);
                            if let Some(choice) = self.choices.last_mut() {
                                choice.stride = band.stride;
                            }
                            input
                        }
                    };
                    self.step.update(*array, new);
                }
                _ => {
                    let targets = Targets {
                        list: vec![Target {
                            object,
                            offsets: Offsets { first: 0, stride: 1, count: u64::MAX },
                        }],
                        ..Targets::default()
                    };
                    let address = Address::object(object);
                    let access = Access { address, targets, instance, position: at };
                    for element in 0..band.count {
                        let lo = band.lo + element * band.stride;
                        let (from, to) = (lo.max(offset), (lo + band.width).min(end));
                        if from >= to {
                            continue;
                        }
                        let width = 8 * (to - from) as u32;
                        let value = match fill {
                            Fill::Zero => self.cfa.terms.zero(width),
                            Fill::Arbitrary => {
                                let kind = with_offset(&kind, from - offset);
                                self.input(kind, Ty::VOID, Sort::Bv(width), instance, at)
                            }
                        };
                        self.write(&access.moved(from), value);
                    }
                }
            }
        }
        if !born.is_empty() {
            self.note_birth(kind, instance, at, (None, Arc::new(born)));
        }
    }

    fn pass_variable(
        &mut self,
        instance: InstanceId,
        callee: InstanceId,
        arguments: &[Expr],
        at: Position,
    ) -> Result<(), Fault> {
        let Some(targets) = self.variadic_targets(callee) else { return Ok(()) };
        let object = targets.list[0].object;
        let base = Access { address: Address::object(object), targets, instance, position: at };
        let mut offset = 0;
        for argument in arguments {
            let to = base.moved(offset);
            if self.program.types.is_scalar(argument.ty) {
                let value = self.expr(instance, argument)?;
                self.write(&to, value);
            } else if let ExprKind::Load(from) = &argument.kind {
                let leaves = self.leaves(argument.ty, at)?;
                let from = self.access(instance, from)?;
                self.copy(&to, &from, &leaves);
            }
            offset += self.slot_bytes(argument.ty);
        }
        Ok(())
    }

    fn next_argument(
        &mut self,
        instance: InstanceId,
        result: &Place,
        list: &Place,
        at: Position,
    ) -> Result<(), Fault> {
        let width = self.pointer_width;
        let targets = self.points.value(instance, &list_value(list));
        let list = self.access(instance, list)?;
        let pointer = self.read(&list, width as u64 / 8);
        let address = Address::value(pointer, targets.clone());
        let from = Access { address, targets, instance, position: at };
        let step = self.cfa.terms.number(width, self.slot_bytes(result.ty));
        let next = self.cfa.terms.add(pointer, step);
        self.write(&list, next);
        if self.program.types.is_scalar(result.ty) {
            let value = self.read(&from, self.value_bytes(result.ty));
            return self.store(instance, result, value);
        }
        let leaves = self.leaves(result.ty, at)?;
        let to = self.access(instance, result)?;
        self.copy(&to, &from, &leaves);
        Ok(())
    }
}

/// The bytes at an offset of what a choice is about.
pub fn with_offset(kind: &ChoicePointKind, offset: u64) -> ChoicePointKind {
    match kind {
        ChoicePointKind::Local(local, _) => ChoicePointKind::Local(*local, offset),
        ChoicePointKind::Global(global, _) => ChoicePointKind::Global(*global, offset),
        ChoicePointKind::Heap(_) => ChoicePointKind::Heap(offset),
        ChoicePointKind::Result(_) => ChoicePointKind::Result(offset),
        ChoicePointKind::Havoc(what, _) => ChoicePointKind::Havoc(*what, offset),
        other => other.clone(),
    }
}
