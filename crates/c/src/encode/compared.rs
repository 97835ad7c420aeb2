//! The objects whose addresses are compared, which is where a program can see that memory is used again:
//! by equality of pointers and numbers, and by order and difference of numbers.

use super::jumps::objects_of;
use crate::flat::{Flat, FlatBlock, FlatStmt, FlatTerminator, InstanceId};
use crate::points::{ObjectId, ObjectKind, Points};
use crate::typed::{BinaryOp, Expr, ExprKind, Place, PlaceKind, StmtKind};

/// The objects of which addresses are compared.
pub struct Comparisons<'a, 'p> {
    points: &'a Points<'p>,
    flat: &'a Flat<'p>,
    found: Vec<ObjectId>,
}

impl<'a, 'p> Comparisons<'a, 'p> {
    pub fn find(flat: &'a Flat<'p>, points: &'a Points<'p>) -> Vec<ObjectId> {
        let mut search = Comparisons { points, flat, found: Vec::new() };
        for block in &flat.blocks {
            search.block(block);
        }
        search.found
    }

    fn block(&mut self, block: &FlatBlock) {
        let instance = block.instance;
        for statement in &block.statements {
            match statement {
                FlatStmt::Plain(statement) => match &statement.kind {
                    StmtKind::Assign { place, value } => {
                        self.place(instance, place);
                        self.expr(instance, value);
                    }
                    StmtKind::Zero(place) | StmtKind::VaStart(place) => self.place(instance, place),
                    StmtKind::Allocate { pointer, size } => {
                        self.place(instance, pointer);
                        self.expr(instance, size);
                    }
                    StmtKind::VaArg { result: one, list: other }
                    | StmtKind::VaCopy { to: one, from: other } => {
                        self.place(instance, one);
                        self.place(instance, other);
                    }
                    StmtKind::Declare(_)
                    | StmtKind::Begin(_)
                    | StmtKind::End(_)
                    | StmtKind::Call { .. } => {}
                },
                FlatStmt::Bind { argument, .. } => {
                    argument.iter().for_each(|argument| self.expr(instance, argument));
                }
                FlatStmt::Result { place, callee, value, .. } => {
                    self.place(instance, place);
                    value.iter().for_each(|value| self.expr(*callee, value));
                }
                FlatStmt::Variadic { arguments, .. } | FlatStmt::Rebind { arguments, .. } => {
                    arguments.iter().for_each(|argument| self.expr(instance, argument));
                }
                FlatStmt::Yield { value, .. } | FlatStmt::Evaluate { value, .. } => {
                    self.expr(instance, value);
                }
                FlatStmt::Take { place, .. } => self.place(instance, place),
                FlatStmt::External { result, arguments, .. }
                | FlatStmt::Outside { result, arguments, .. } => {
                    result.iter().for_each(|place| self.place(instance, place));
                    arguments.iter().for_each(|argument| self.expr(instance, argument));
                }
                FlatStmt::Empty { .. } | FlatStmt::Push { .. } | FlatStmt::Pop { .. } => {}
            }
        }
        match &block.terminator {
            FlatTerminator::Branch { condition: value, .. }
            | FlatTerminator::Switch { value, .. }
            | FlatTerminator::Dispatch { pointer: value, .. } => self.expr(instance, value),
            _ => {}
        }
    }

    fn place(&mut self, instance: InstanceId, place: &Place) {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Deref(pointer) => self.expr(instance, pointer),
            PlaceKind::Field(base, _) => self.place(instance, base),
            PlaceKind::Index(base, index) => {
                self.place(instance, base);
                self.expr(instance, index);
            }
        }
    }

    fn expr(&mut self, instance: InstanceId, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => self.place(instance, place),
            ExprKind::Binary(op, left, right) if self.compares(*op, left) => {
                self.comparison(instance, left, right);
            }
            _ => {}
        }
        expr.operands().for_each(|operand| self.expr(instance, operand));
    }

    /// Equality of pointers and numbers. Order and distance of pointers to different objects are undefined,
    /// those of numbers are not.
    fn compares(&self, op: BinaryOp, left: &Expr) -> bool {
        let is_number = self.flat.program.types.is_integer(left.ty);
        match op {
            BinaryOp::Equal | BinaryOp::NotEqual => true,
            BinaryOp::Subtract => is_number,
            _ => op.is_order() && is_number,
        }
    }

    fn comparison(&mut self, instance: InstanceId, left: &Expr, right: &Expr) {
        let types = &self.flat.program.types;
        let is_short =
            |expr: &Expr| types.size(expr.ty).is_none_or(|size| size < types.model.pointer_bytes());
        let no_address = |expr: &Expr| expr.as_int().is_some() || types.is_float(expr.ty);
        if no_address(left) || no_address(right) || is_short(left) || is_short(right) {
            return;
        }
        let ending = |expr: &Expr| {
            let mut objects = objects_of(&self.points.value(instance, expr));
            objects.retain(|&object| may_end(self.points, object));
            objects
        };
        let (left, right) = (ending(left), ending(right));
        let differ = |one: ObjectId| right.iter().any(|&other| one != other);
        let again = |one: &ObjectId| {
            let object = self.points.object(*one);
            object.repeated || !matches!(object.kind, ObjectKind::Site(..))
        };
        let is_open = |one: &ObjectId| differ(*one) || again(one) && right.contains(one);
        if left.iter().any(is_open) {
            self.found.extend(left);
            self.found.extend(right);
        }
    }
}

fn may_end(points: &Points, object: ObjectId) -> bool {
    match points.object(object).kind {
        ObjectKind::Local(..) | ObjectKind::Variadic(_) | ObjectKind::Site(..) => true,
        ObjectKind::Global(_) | ObjectKind::Function(_) => false,
    }
}
