//! Which bytes of which objects a program reads and writes.

use super::Encoder;
use super::address::moved_targets;
use super::blocks::{Ended, Set};
use super::jumps::Mixed;
use super::memory::bit_field_bytes;
use crate::error::Fault;
use crate::flat::{FlatStmt, FlatTerminator, InstanceId};
use crate::points::{ObjectId, Offsets, Targets};
use crate::typed::{Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};
use rustc_hash::FxHashSet;

/// The accesses of each object.
pub type Found = Vec<FxHashSet<[u64; 4]>>;

/// Offsets and size of an access, from the form in which they are collected.
pub fn unpacked([first, stride, count, size]: [u64; 4]) -> (Offsets, u64) {
    (Offsets { first, stride, count }, size)
}

/// Walks over a program and notes its accesses.
pub struct Collector<'e, 'a, 'p> {
    pub encoder: &'e mut Encoder<'a, 'p>,
    pub found: Found,
    ended: &'e Ended,
    /// The objects whose blocks may have ended at the present statement.
    now: Set,
    /// Those that are accessed where their blocks may have ended.
    pub outlived: FxHashSet<ObjectId>,
    pub mixed: Mixed,
}

impl<'e, 'a, 'p> Collector<'e, 'a, 'p> {
    pub fn new(encoder: &'e mut Encoder<'a, 'p>, ended: &'e Ended) -> Collector<'e, 'a, 'p> {
        let found = vec![Default::default(); encoder.storage.len()];
        let (now, outlived, mixed) = Default::default();
        Collector { encoder, found, ended, now, outlived, mixed }
    }

    pub fn collect(&mut self) -> Result<(), Fault> {
        let flat = self.encoder.flat;
        for (index, block) in flat.blocks.iter().enumerate() {
            self.now = self.ended.at_start(index);
            for statement in &block.statements {
                self.statement(block.instance, statement)?;
                self.ended.step(block.instance, statement, &mut self.now);
            }
            match &block.terminator {
                FlatTerminator::Branch { condition, .. } => self.expr(block.instance, condition),
                FlatTerminator::Switch { value, .. } => self.expr(block.instance, value),
                FlatTerminator::Dispatch { pointer, .. } => self.expr(block.instance, pointer),
                _ => {}
            }
        }
        Ok(())
    }

    pub fn note(&mut self, targets: &Targets, size: u64) {
        self.mixed.note(targets, |object| self.encoder.points.object(object).repeated);
        for target in &targets.list {
            let Offsets { first, stride, count } = target.offsets;
            self.found[target.object.0 as usize].insert([first, stride, count, size]);
            if self.ended.contains(&self.now, target.object) {
                self.outlived.insert(target.object);
            }
        }
    }

    /// The scalars of a record, or the scalar itself, are accessed.
    pub fn whole(&mut self, instance: InstanceId, place: &Place) -> Result<(), Fault> {
        if self.encoder.program.types.is_scalar(place.ty) {
            self.scalar(instance, place);
            return Ok(());
        }
        self.inner(instance, place);
        let targets = self.encoder.points.place(instance, place);
        let leaves = self.encoder.leaves(place.ty, place.position)?;
        for &(offset, size) in leaves.iter() {
            self.note(&moved_targets(&targets, offset), size);
        }
        Ok(())
    }

    fn scalar(&mut self, instance: InstanceId, place: &Place) {
        self.inner(instance, place);
        if let PlaceKind::Local(id) = place.kind
            && self.encoder.register(instance, id).is_some()
        {
            return;
        }
        let targets = self.encoder.points.place(instance, place);
        let size = match self.encoder.bit_field(place) {
            Some(bits) => bit_field_bytes(bits),
            None => self.encoder.value_bytes(place.ty),
        };
        self.note(&targets, size);
    }

    /// The expressions inside a place.
    fn inner(&mut self, instance: InstanceId, place: &Place) {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Deref(pointer) => self.expr(instance, pointer),
            PlaceKind::Field(base, _) => self.inner(instance, base),
            PlaceKind::Index(base, index) => {
                self.inner(instance, base);
                self.expr(instance, index);
            }
        }
    }

    /// Expressions contain loads of scalars only; a record is loaded at the top.
    pub fn value(&mut self, instance: InstanceId, expr: &Expr) -> Result<(), Fault> {
        match &expr.kind {
            ExprKind::Load(place) => self.whole(instance, place),
            _ => {
                self.expr(instance, expr);
                Ok(())
            }
        }
    }

    pub fn expr(&mut self, instance: InstanceId, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
            ExprKind::Load(place) => {
                if self.encoder.program.types.is_scalar(place.ty) {
                    self.scalar(instance, place);
                }
            }
            ExprKind::AddressOf(place) => self.inner(instance, place),
            ExprKind::Unary(_, operand) | ExprKind::Cast(_, operand) => {
                self.expr(instance, operand);
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::PointerAdd { pointer: left, index: right, .. }
            | ExprKind::PointerDifference { left, right, .. }
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right) => {
                self.expr(instance, left);
                self.expr(instance, right);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.expr(instance, condition);
                self.expr(instance, then);
                self.expr(instance, otherwise);
            }
        }
    }

    fn statement(&mut self, instance: InstanceId, statement: &FlatStmt<'p>) -> Result<(), Fault> {
        match statement {
            FlatStmt::Plain(statement) => self.plain(instance, statement),
            FlatStmt::Bind { callee, parameter, argument, .. } => {
                if let Some(argument) = argument {
                    self.value(instance, argument)?;
                }
                self.parameter(*callee, *parameter)
            }
            FlatStmt::Variadic { callee, arguments, .. } => {
                for argument in *arguments {
                    self.value(instance, argument)?;
                }
                self.variable_arguments(*callee, arguments)
            }
            FlatStmt::Result { place, callee, value, .. } => {
                if let Some(value) = value {
                    self.value(*callee, value)?;
                }
                self.whole(instance, place)
            }
            FlatStmt::Rebind { arguments, .. } => {
                for argument in *arguments {
                    self.value(instance, argument)?;
                }
                Ok(())
            }
            FlatStmt::Yield { value, .. } | FlatStmt::Evaluate { value, .. } => {
                self.value(instance, value)
            }
            FlatStmt::Take { place, .. } => self.whole(instance, place),
            FlatStmt::Empty { .. } | FlatStmt::Push { .. } | FlatStmt::Pop { .. } => Ok(()),
            FlatStmt::External { function, result, arguments, position } => {
                for argument in *arguments {
                    self.value(instance, argument)?;
                }
                if let Some(place) = result {
                    self.whole(instance, place)?;
                }
                self.external(instance, *function, arguments, *position)
            }
            FlatStmt::Outside { result, arguments, .. } => {
                for argument in *arguments {
                    self.value(instance, argument)?;
                }
                result.map_or(Ok(()), |place| self.whole(instance, place))
            }
        }
    }

    fn plain(&mut self, instance: InstanceId, statement: &Stmt) -> Result<(), Fault> {
        match &statement.kind {
            StmtKind::Assign { place, value } => {
                self.value(instance, value)?;
                self.whole(instance, place)
            }
            StmtKind::Zero(place) => {
                self.inner(instance, place);
                // A whole object is filled whatever its cells are; others as scalars.
                match place.kind {
                    PlaceKind::Local(_) | PlaceKind::Global(_) => Ok(()),
                    _ => self.whole(instance, place),
                }
            }
            StmtKind::Declare(_)
            | StmtKind::Begin(_)
            | StmtKind::End(_)
            | StmtKind::Call { .. } => Ok(()),
            StmtKind::Allocate { pointer, size } => {
                self.expr(instance, size);
                self.whole(instance, pointer)
            }
            StmtKind::VaStart(list) => self.list(instance, list),
            StmtKind::VaArg { result, list } => {
                self.list(instance, list)?;
                let targets = self.encoder.points.value(instance, &list_value(list));
                self.typed(&targets, result.ty, statement.position)?;
                self.whole(instance, result)
            }
            StmtKind::VaCopy { to, from } => {
                self.list(instance, to)?;
                self.list(instance, from)
            }
        }
    }

    /// The pointer at the start of a `va_list`.
    fn list(&mut self, instance: InstanceId, list: &Place) -> Result<(), Fault> {
        self.inner(instance, list);
        let targets = self.encoder.points.place(instance, list);
        self.note(&targets, self.encoder.program.types.model.pointer_bytes());
        Ok(())
    }

    /// An object of a type is accessed through a pointer.
    pub fn typed(
        &mut self,
        targets: &Targets,
        ty: crate::types::Ty,
        at: crate::source::Position,
    ) -> Result<(), Fault> {
        let leaves = self.encoder.leaves(ty, at)?;
        for &(offset, size) in leaves.iter() {
            self.note(&moved_targets(targets, offset), size);
        }
        Ok(())
    }

    fn parameter(
        &mut self,
        callee: InstanceId,
        parameter: crate::typed::LocalId,
    ) -> Result<(), Fault> {
        let place = self.encoder.local_place(callee, parameter);
        self.whole(callee, &place)
    }

    fn variable_arguments(&mut self, callee: InstanceId, arguments: &[Expr]) -> Result<(), Fault> {
        let Some(targets) = self.encoder.variadic_targets(callee) else { return Ok(()) };
        let mut offset = 0;
        for argument in arguments {
            self.typed(&moved_targets(&targets, offset), argument.ty, argument.position)?;
            offset += self.encoder.slot_bytes(argument.ty);
        }
        Ok(())
    }
}

/// The pointer that a `va_list` holds, as an expression.
pub fn list_value(list: &Place) -> Expr {
    Expr::load(list.clone())
}
