//! Checks the rules that the documentation of the typed program states. The first violation is
//! described; there is none in a program that the typing made.

use super::expr::{BinaryOp, CastKind, Expr, ExprKind, MAX_DEPTH, Place, PlaceKind, UnaryOp};
use super::program::{Body, Callee, Function, Initial, Program, Stmt, StmtKind, Terminator};
use crate::types::{Ty, Type};

type Check = Result<(), String>;

/// Checks a whole program.
pub fn check(program: &Program) -> Check {
    for global in &program.globals {
        let checker = Checker { program, body: None };
        if let Initial::Values(values) = &global.initial {
            for (place, value) in values {
                checker
                    .assignment(place, value)
                    .map_err(|what| format!("{}: {what}", global.name))?;
            }
        }
    }
    program.functions.iter().try_for_each(|function| check_function(program, function))
}

fn check_function(program: &Program, function: &Function) -> Check {
    let Some(body) = &function.body else { return Ok(()) };
    let checker = Checker { program, body: Some(body) };
    let result = program.types.signature(function.ty).map(|s| s.result);
    let context = |what: String| format!("{}: {what}", function.name);
    checker.locals(function).map_err(context)?;
    for block in &body.blocks {
        for statement in &block.statements {
            let place = program.files.show(statement.position);
            checker.statement(statement).map_err(|what| context(format!("{place}: {what}")))?;
        }
        checker.terminator(&block.terminator, result).map_err(context)?;
    }
    let heads = body.loops.iter().map(|a_loop| a_loop.head);
    for head in heads {
        ensure((head.0 as usize) < body.blocks.len(), || "a loop without a head".into())
            .map_err(context)?;
    }
    Ok(())
}

fn ensure(condition: bool, what: impl FnOnce() -> String) -> Check {
    if condition { Ok(()) } else { Err(what()) }
}

struct Checker<'a> {
    program: &'a Program,
    body: Option<&'a Body>,
}

impl Checker<'_> {
    fn show(&self, ty: Ty) -> String {
        self.program.types.show(ty)
    }

    fn locals(&self, function: &Function) -> Check {
        let Some(body) = self.body else { return Ok(()) };
        let types = &self.program.types;
        for local in &body.locals {
            ensure(types.size(local.ty).is_some(), || "a local of incomplete type".into())?;
        }
        let Some(signature) = types.signature(function.ty) else {
            return Err("not of function type".into());
        };
        ensure(signature.parameters.len() == body.parameters, || "parameters differ".into())
    }

    fn assignment(&self, place: &Place, value: &Expr) -> Check {
        self.place(place)?;
        self.expr(value)?;
        let types = &self.program.types;
        let same_size = types.size(place.ty) == types.size(value.ty);
        let records = types.is_record(place.ty) && types.is_record(value.ty) && same_size;
        ensure(place.ty == value.ty || records, || {
            format!("`{}` assigned to `{}`", self.show(value.ty), self.show(place.ty))
        })
    }

    fn statement(&self, statement: &Stmt) -> Check {
        match &statement.kind {
            StmtKind::Assign { place, value } => self.assignment(place, value),
            StmtKind::Zero(place) => self.place(place),
            StmtKind::Declare(local) | StmtKind::Begin(local) | StmtKind::End(local) => {
                let count = self.body.map_or(0, |body| body.locals.len());
                ensure((local.0 as usize) < count, || "an unknown local".into())
            }
            StmtKind::Call { result, callee, arguments } => {
                result.iter().try_for_each(|place| self.place(place))?;
                arguments.iter().try_for_each(|argument| self.expr(argument))?;
                self.callee(callee, arguments)
            }
            StmtKind::Allocate { pointer, size } => {
                self.place(pointer)?;
                self.expr(size)?;
                ensure(size.ty == self.program.types.size_type(), || {
                    "a size of another type".into()
                })
            }
            StmtKind::VaStart(list) => self.va_list(list),
            StmtKind::VaArg { result, list } => {
                self.place(result)?;
                self.va_list(list)
            }
            StmtKind::VaCopy { to, from } => {
                self.va_list(to)?;
                self.va_list(from)
            }
        }
    }

    fn va_list(&self, place: &Place) -> Check {
        self.place(place)?;
        ensure(place.ty == Ty::VA_LIST, || "not a va_list".into())
    }

    fn callee(&self, callee: &Callee, arguments: &[Expr]) -> Check {
        let types = &self.program.types;
        match callee {
            Callee::Pointer(pointer) => {
                self.expr(pointer)?;
                let is_function = types.target(pointer.ty).is_some_and(|ty| types.is_function(ty));
                ensure(is_function, || "a call of something else".into())
            }
            Callee::Function(id) => {
                let function = self.program.function(*id);
                let parameters = types.signature(function.ty).map_or(&[][..], |s| &s.parameters);
                for (argument, &ty) in arguments.iter().zip(parameters) {
                    let scalars = types.is_scalar(argument.ty) && types.is_scalar(ty);
                    let mixed = types.is_float(ty) != types.is_float(argument.ty);
                    ensure(argument.ty == ty || !scalars || mixed, || {
                        format!("an argument of type `{}`", self.show(argument.ty))
                    })?;
                }
                Ok(())
            }
        }
    }

    fn terminator(&self, terminator: &Terminator, result: Option<Ty>) -> Check {
        let count = self.body.map_or(0, |body| body.blocks.len());
        for target in terminator.successors() {
            ensure((target.0 as usize) < count, || "a jump to nowhere".into())?;
        }
        match terminator {
            Terminator::Branch { condition, .. } => self.int(condition),
            Terminator::Switch { value, .. } => {
                self.expr(value)?;
                ensure(self.program.types.is_integer(value.ty), || "a switch on no integer".into())
            }
            Terminator::Return(Some(value)) => {
                self.expr(value)?;
                let fits = result == Some(value.ty) || self.program.types.is_record(value.ty);
                ensure(fits, || format!("a result of type `{}`", self.show(value.ty)))
            }
            _ => Ok(()),
        }
    }

    fn int(&self, expr: &Expr) -> Check {
        self.expr(expr)?;
        ensure(expr.ty == Ty::INT, || format!("a condition of type `{}`", self.show(expr.ty)))
    }

    fn expr(&self, expr: &Expr) -> Check {
        let types = &self.program.types;
        ensure(expr.depth() <= MAX_DEPTH + 16, || "too deep".into())?;
        let typed = |condition: bool| {
            ensure(condition, || format!("{:?} of type `{}`", expr.kind, self.show(expr.ty)))
        };
        match &expr.kind {
            ExprKind::Int(value) => match types.word_format(expr.ty) {
                Some(format) => typed(crate::arith::int::truncate(*value, format.width) == *value),
                None => typed(false),
            },
            ExprKind::Float(_) => typed(types.is_float(expr.ty)),
            ExprKind::Load(place) => {
                self.place(place)?;
                typed(
                    place.ty == expr.ty
                        && !types.is_array(expr.ty)
                        && types.size(expr.ty).is_some(),
                )
            }
            ExprKind::AddressOf(place) => {
                self.place(place)?;
                typed(types.target(expr.ty) == Some(place.ty))
            }
            ExprKind::Function(id) => {
                typed((id.0 as usize) < self.program.functions.len() && types.is_pointer(expr.ty))
            }
            ExprKind::Unary(op, operand) => {
                self.expr(operand)?;
                let floats = *op == UnaryOp::Negate && types.is_float(expr.ty);
                typed(operand.ty == expr.ty && (types.is_integer(expr.ty) || floats))
            }
            ExprKind::Binary(op, left, right) => {
                self.expr(left)?;
                self.expr(right)?;
                typed(self.binary_types(*op, left.ty, right.ty, expr.ty))
            }
            ExprKind::PointerAdd { pointer, index, .. } => {
                self.expr(pointer)?;
                self.expr(index)?;
                let offset = index.ty == types.offset_type();
                typed(pointer.ty == expr.ty && types.is_pointer(expr.ty) && offset)
            }
            ExprKind::PointerDifference { left, right, scale } => {
                self.expr(left)?;
                self.expr(right)?;
                let pointers = types.is_pointer(left.ty) && types.is_pointer(right.ty);
                typed(pointers && *scale > 0 && expr.ty == types.offset_type())
            }
            ExprKind::Cast(kind, operand) => {
                self.expr(operand)?;
                typed(self.cast_types(*kind, operand.ty, expr.ty))
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.int(left)?;
                self.int(right)?;
                typed(expr.ty == Ty::INT)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.int(condition)?;
                self.expr(then)?;
                self.expr(otherwise)?;
                typed(then.ty == expr.ty && otherwise.ty == expr.ty && types.is_scalar(expr.ty))
            }
        }
    }

    fn binary_types(&self, op: BinaryOp, left: Ty, right: Ty, result: Ty) -> bool {
        let types = &self.program.types;
        if op.is_comparison() {
            return left == right && types.is_scalar(left) && result == Ty::INT;
        }
        if op.is_shift() {
            return left == result && types.is_integer(left) && types.is_integer(right);
        }
        left == right && left == result && types.is_arithmetic(left)
    }

    fn cast_types(&self, kind: CastKind, from: Ty, to: Ty) -> bool {
        let types = &self.program.types;
        let (int, float, pointer) =
            (|ty| types.is_integer(ty), |ty| types.is_float(ty), |ty| types.is_pointer(ty));
        match kind {
            CastKind::IntToInt => int(from) && int(to),
            CastKind::ToBool => types.is_scalar(from) && to == Ty::BOOL,
            CastKind::IntToFloat => int(from) && float(to),
            CastKind::FloatToInt => float(from) && int(to),
            CastKind::FloatToFloat => float(from) && float(to),
            CastKind::PointerToInt => pointer(from) && int(to),
            CastKind::IntToPointer => int(from) && pointer(to),
            CastKind::PointerToPointer => pointer(from) && pointer(to),
        }
    }

    fn place(&self, place: &Place) -> Check {
        let types = &self.program.types;
        let typed = |condition: bool| {
            ensure(condition, || {
                format!("place {:?} of type `{}`", place.kind, self.show(place.ty))
            })
        };
        match &place.kind {
            PlaceKind::Local(id) => {
                let local = self.body.and_then(|body| body.locals.get(id.0 as usize));
                typed(local.is_some_and(|local| local.ty == place.ty))
            }
            PlaceKind::Global(id) => {
                let global = self.program.globals.get(id.0 as usize);
                typed(global.is_some_and(|global| types.compatible(global.ty, place.ty)))
            }
            PlaceKind::Deref(pointer) => {
                self.expr(pointer)?;
                typed(types.target(pointer.ty) == Some(place.ty))
            }
            PlaceKind::Field(base, index) => {
                self.place(base)?;
                let field = types.fields(base.ty).get(*index as usize);
                typed(field.is_some_and(|field| field.ty == place.ty))
            }
            PlaceKind::Index(base, index) => {
                self.place(base)?;
                self.expr(index)?;
                let is_element = types.element(base.ty) == Some(place.ty);
                let has_size = types.size(place.ty).is_some();
                let is_array = matches!(types.get(base.ty), Type::Array(..));
                typed(is_element && is_array && has_size && index.ty == types.offset_type())
            }
        }
    }
}
