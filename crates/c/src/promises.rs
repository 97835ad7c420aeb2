//! Results of which C promises the sign, or whether they are zero, and no more.
//!
//! `strcmp` gives a number below zero, zero or one above, and `isdigit` zero or something else; the
//! library's models give some such number. Where a program looks at more than that, the
//! result becomes an arbitrary number of which the same is true. The number is an input of the
//! program, so models, replay and counterexamples treat it as any other. Where a result is only
//! compared with zero, by itself or in a variable that nothing else is done with, nothing changes.

use crate::library::{FloatFunction, FunctionModel, SOME_NUMBER, model};
use crate::points::needs_memory;
use crate::typed::{
    BinaryOp, Body, Callee, Expr, ExprKind, FuncId, Function, Local, LocalId, LocalKind, Place,
    PlaceKind, Program, ScopeId, Stmt, StmtKind, Terminator,
};
use crate::types::Ty;
use rustc_hash::FxHashSet;

/// What is promised of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Promise {
    Sign,
    /// Whether it is zero.
    Truth,
}

/// Functions with programs in C for models.
const BY_NAME: &[(&str, Promise)] = &[
    ("bcmp", Promise::Truth),
    ("strcasecmp", Promise::Sign),
    ("strncasecmp", Promise::Sign),
    ("strcoll", Promise::Sign),
    ("wcscmp", Promise::Sign),
    ("wcsncmp", Promise::Sign),
    ("wmemcmp", Promise::Sign),
];

/// What is promised of the result of a function of the library.
fn promise(function: &Function) -> Option<Promise> {
    let name = function.name.as_str();
    if function.body.is_some() && !function.is_library {
        return None;
    }
    if let Some((_, promise)) = BY_NAME.iter().find(|(known, _)| *known == name) {
        return Some(*promise);
    }
    match model(name)? {
        FunctionModel::StrCompare | FunctionModel::StrNCompare | FunctionModel::MemCompare => {
            Some(Promise::Sign)
        }
        FunctionModel::CharacterTest => Some(Promise::Truth),
        FunctionModel::Program if name.starts_with("isw") => Some(Promise::Truth),
        FunctionModel::Float(
            FloatFunction::IsNan
            | FloatFunction::IsInfinite
            | FloatFunction::IsFinite
            | FloatFunction::SignBit,
        ) => Some(Promise::Truth),
        _ => None,
    }
}

impl Program {
    /// Leaves open what is not promised of results.
    pub(crate) fn keep_to_promises(&mut self) {
        let promises: Vec<Option<Promise>> = self.functions.iter().map(promise).collect();
        if promises.iter().all(Option::is_none) {
            return;
        }
        let mut some = None;
        for index in 0..self.functions.len() {
            let Some(mut body) = self.functions[index].body.take() else { continue };
            let wanted = match self.functions[index].is_library {
                true => Vec::new(),
                false => seen(self, &body, &promises),
            };
            for (block, place, promise) in wanted.into_iter().rev() {
                let at = body.blocks[block].statements[place].position;
                let some = *some.get_or_insert_with(|| {
                    crate::entry::new_function(self, SOME_NUMBER.to_string(), Ty::INT, &[], at)
                });
                leave_open(&mut body, (block, place), promise, some);
            }
            self.functions[index].body = Some(body);
        }
    }
}

/// The calls of a body whose results are looked at closely: block, statement and what is promised.
fn seen(
    program: &Program,
    body: &Body,
    promises: &[Option<Promise>],
) -> Vec<(usize, usize, Promise)> {
    let mut found = Vec::new();
    let mut is_in_memory = None;
    for (index, block) in body.blocks.iter().enumerate() {
        for (place, statement) in block.statements.iter().enumerate() {
            let StmtKind::Call { result: Some(to), callee: Callee::Function(id), .. } =
                &statement.kind
            else {
                continue;
            };
            let Some(promise) = promises.get(id.0 as usize).copied().flatten() else { continue };
            let is_in_memory =
                is_in_memory.get_or_insert_with(|| needs_memory(program, body)).as_slice();
            if program.types.is_integer(to.ty) && !is_only_tested(body, to, promise, is_in_memory) {
                found.push((index, place, promise));
            }
        }
    }
    found
}

/// Whether a result is only compared with zero, in the place that it is put into and in variables
/// that it is copied to.
fn is_only_tested(body: &Body, to: &Place, promise: Promise, is_in_memory: &[bool]) -> bool {
    let PlaceKind::Local(first) = to.kind else { return false };
    let mut copies: FxHashSet<LocalId> = [first].into_iter().collect();
    loop {
        let before = copies.len();
        for statement in body.blocks.iter().flat_map(|block| &block.statements) {
            if let StmtKind::Assign { place, value } = &statement.kind
                && loaded(value).is_some_and(|local| copies.contains(&local))
                && let PlaceKind::Local(copy) = place.kind
                && place.ty == value.ty
            {
                copies.insert(copy);
            }
        }
        if copies.len() == before {
            break;
        }
    }
    if copies.iter().any(|local| is_in_memory[local.0 as usize]) {
        return false;
    }
    let uses = Uses { copies: &copies, promise };
    body.blocks.iter().all(|block| {
        block.statements.iter().all(|statement| uses.in_statement(statement))
            && match &block.terminator {
                Terminator::Branch { condition, .. } => uses.as_condition(condition),
                Terminator::Switch { value, .. } | Terminator::Return(Some(value)) => {
                    uses.in_value(value)
                }
                Terminator::Goto(_) | Terminator::Return(None) | Terminator::Unreachable => true,
            }
    })
}

/// The variable that an expression is the value of.
fn loaded(expr: &Expr) -> Option<LocalId> {
    match &expr.kind {
        ExprKind::Load(place) => match place.kind {
            PlaceKind::Local(local) => Some(local),
            _ => None,
        },
        _ => None,
    }
}

/// How copies of a result are used; each question is whether zero is all that they are compared
/// with.
struct Uses<'a> {
    copies: &'a FxHashSet<LocalId>,
    promise: Promise,
}

impl Uses<'_> {
    fn is_copy(&self, expr: &Expr) -> bool {
        loaded(expr).is_some_and(|local| self.copies.contains(&local))
    }

    fn in_statement(&self, statement: &Stmt) -> bool {
        match &statement.kind {
            StmtKind::Assign { place, value } => {
                let is_copied = self.is_copy(value)
                    && matches!(place.kind, PlaceKind::Local(copy) if self.copies.contains(&copy));
                is_copied || self.in_place(place) && self.in_value(value)
            }
            StmtKind::Call { result, callee, arguments } => {
                let is_called = match callee {
                    Callee::Function(_) => true,
                    Callee::Pointer(pointer) => self.in_value(pointer),
                };
                is_called
                    && result.as_ref().is_none_or(|place| self.in_place(place))
                    && arguments.iter().all(|argument| self.in_value(argument))
            }
            StmtKind::Allocate { pointer, size } => self.in_place(pointer) && self.in_value(size),
            StmtKind::Zero(place) | StmtKind::VaStart(place) => self.in_place(place),
            StmtKind::VaArg { result, list } => self.in_place(result) && self.in_place(list),
            StmtKind::VaCopy { to, from } => self.in_place(to) && self.in_place(from),
            StmtKind::Declare(_) | StmtKind::Begin(_) | StmtKind::End(_) => true,
        }
    }

    /// Where only the truth of an expression counts.
    fn as_condition(&self, expr: &Expr) -> bool {
        self.is_copy(expr) || self.in_value(expr)
    }

    fn in_value(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Load(place) => !self.is_copy(expr) && self.in_place(place),
            ExprKind::AddressOf(place) => self.in_place(place),
            ExprKind::Binary(op, left, right) if self.is_test(*op) => {
                let tested =
                    |value: &Expr, zero: &Expr| self.is_copy(value) && zero.as_int() == Some(0);
                tested(left, right)
                    || tested(right, left)
                    || self.in_value(left) && self.in_value(right)
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.as_condition(left) && self.as_condition(right)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.as_condition(condition) && self.in_value(then) && self.in_value(otherwise)
            }
            _ => expr.operands().all(|operand| self.in_value(operand)),
        }
    }

    fn in_place(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => true,
            PlaceKind::Deref(pointer) => self.in_value(pointer),
            PlaceKind::Field(base, _) => self.in_place(base),
            PlaceKind::Index(base, index) => self.in_place(base) && self.in_value(index),
        }
    }

    fn is_test(&self, op: BinaryOp) -> bool {
        match self.promise {
            Promise::Sign => op.is_comparison(),
            Promise::Truth => matches!(op, BinaryOp::Equal | BinaryOp::NotEqual),
        }
    }
}

/// Makes the result of a call any number that keeps the promise.
fn leave_open(body: &mut Body, (block, place): (usize, usize), promise: Promise, some: FuncId) {
    let statement = &mut body.blocks[block].statements[place];
    let position = statement.position;
    let StmtKind::Call { result: Some(to), .. } = &mut statement.kind else { return };
    let target = to.clone();
    let mut temporary = |ty: Ty| {
        let id = LocalId(body.locals.len() as u32);
        let (kind, scope) = (LocalKind::Temporary, ScopeId(0));
        body.locals.push(Local { name: None, ty, kind, position, scope, align: 1 });
        Place::new(PlaceKind::Local(id), ty, position)
    };
    let (given, number) = (temporary(target.ty), temporary(Ty::INT));
    *to = given.clone();
    let value = kept(promise, (Expr::load(given), Expr::load(number.clone())), target.ty);
    let ask = StmtKind::Call {
        result: Some(number),
        callee: Callee::Function(some),
        arguments: Vec::new(),
    };
    let assign = StmtKind::Assign { place: target, value };
    let new = [ask, assign].map(|kind| Stmt { kind, position });
    body.blocks[block].statements.splice(place + 1..place + 1, new);
}

/// The number if it is as the given one is promised to be, else the nearest one that is.
fn kept(promise: Promise, (given, number): (Expr, Expr), ty: Ty) -> Expr {
    let at = given.position;
    let cast = |expr: Expr| match expr.ty == ty {
        true => expr,
        false => {
            Expr::new(ExprKind::Cast(crate::typed::CastKind::IntToInt, Box::new(expr)), ty, at)
        }
    };
    let int = |value: i128| Expr::int(value as u32 as u128, Ty::INT, at);
    let compared = |op: BinaryOp, value: &Expr| {
        let zero = Expr::int(0, value.ty, at);
        Expr::new(ExprKind::Binary(op, Box::new(value.clone()), Box::new(zero)), Ty::INT, at)
    };
    let choose = |condition: Expr, then: Expr, otherwise: Expr| {
        let parts = [condition, then, otherwise].map(Box::new);
        let [condition, then, otherwise] = parts;
        let ty = then.ty;
        Expr::new(ExprKind::Conditional(condition, then, otherwise), ty, at)
    };
    let side =
        |op: BinaryOp, nearest: i128| choose(compared(op, &number), number.clone(), int(nearest));
    cast(match promise {
        Promise::Truth => {
            choose(compared(BinaryOp::NotEqual, &given), side(BinaryOp::NotEqual, 1), int(0))
        }
        Promise::Sign => {
            let above =
                choose(compared(BinaryOp::Greater, &given), side(BinaryOp::Greater, 1), int(0));
            choose(compared(BinaryOp::Less, &given), side(BinaryOp::Less, -1), above)
        }
    })
}
