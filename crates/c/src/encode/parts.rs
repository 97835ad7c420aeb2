//! Bytes of pointers.
//!
//! What is read from a part of a pointer is as arbitrary as the address is. A copy of it is none of the
//! program's business, so bytes that only go from memory to memory are what they are, also by way of
//! a variable; they become arbitrary where an operator looks at them, where they are converted to another
//! width, and where a variable gets them that is used for anything but copies. Later uses of that variable
//! agree with one another.

use super::{ChoicePointKind, Encoder};
use crate::flat::InstanceId;
use crate::typed::{
    Body, Callee, CastKind, Expr, ExprKind, FuncId, LocalId, Place, PlaceKind, StmtKind, Terminator,
};
use crate::types::Ty;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use wedge_logic::Term;

/// For each local of a function, whether it is read for anything but to be stored elsewhere.
pub type Looked = FxHashMap<FuncId, Rc<Vec<bool>>>;

impl Encoder<'_, '_> {
    /// What an operator sees of a value that may be a part of a pointer.
    pub(super) fn part_observed(&mut self, instance: InstanceId, expr: &Expr, value: Term) -> Term {
        let expr = self.without_sign(expr);
        let ExprKind::Load(place) = &expr.kind else { return value };
        let width = self.cfa.terms.width(value);
        if width >= self.pointer_width || !is_indirect(place) || self.is_float(expr.ty) {
            return value;
        }
        if self.points.value(instance, expr).list.is_empty() {
            return value;
        }
        self.notes.insert(String::from("the bytes of pointers are arbitrary"));
        self.arbitrary(ChoicePointKind::Other, Ty::VOID, width, instance, expr.position)
    }

    /// An expression without conversions that change the sign only.
    fn without_sign<'e>(&self, expr: &'e Expr) -> &'e Expr {
        match &expr.kind {
            ExprKind::Cast(CastKind::IntToInt, inner)
                if self.value_width(inner.ty) == self.value_width(expr.ty) =>
            {
                self.without_sign(inner)
            }
            _ => expr,
        }
    }

    /// What a place gets. What the library keeps in variables is copied.
    pub(super) fn part_kept(
        &mut self,
        (owner, place): (InstanceId, &Place),
        (source, expr): (InstanceId, &Expr),
        value: Term,
    ) -> Term {
        let PlaceKind::Local(local) = place.kind else { return value };
        if self.in_library || self.register(owner, local).is_none() {
            return value;
        }
        let (function, body) = {
            let instance = self.flat.instance(owner);
            (instance.function, instance.body)
        };
        let looked = self.looked.entry(function).or_insert_with(|| Rc::new(looked(body)));
        match looked[local.0 as usize] {
            true => self.part_observed(source, expr, value),
            false => value,
        }
    }
}

/// Whether a place is reached through a pointer.
fn is_indirect(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => false,
        PlaceKind::Deref(_) => true,
        PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => is_indirect(base),
    }
}

fn looked(body: &Body) -> Vec<bool> {
    let mut search = Search(vec![false; body.locals.len()]);
    for block in &body.blocks {
        for statement in &block.statements {
            search.statement(&statement.kind);
        }
        match &block.terminator {
            Terminator::Branch { condition: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::Return(Some(value)) => search.expr(value),
            _ => {}
        }
    }
    search.0
}

struct Search(Vec<bool>);

impl Search {
    fn statement(&mut self, statement: &StmtKind) {
        match statement {
            StmtKind::Assign { place, value } => {
                self.place(place);
                if local_of(value).is_none() {
                    self.expr(value);
                }
            }
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
            StmtKind::VaArg { result: one, list: other }
            | StmtKind::VaCopy { to: one, from: other } => {
                self.place(one);
                self.place(other);
            }
            StmtKind::Zero(place) | StmtKind::VaStart(place) => self.place(place),
            StmtKind::Declare(_) | StmtKind::Begin(_) | StmtKind::End(_) => {}
        }
    }

    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Deref(pointer) => self.expr(pointer),
            PlaceKind::Field(base, _) => self.place(base),
            PlaceKind::Index(base, index) => {
                self.place(base);
                self.expr(index);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        if let Some(LocalId(id)) = local_of(expr) {
            self.0[id as usize] = true;
        }
        if let ExprKind::Load(place) | ExprKind::AddressOf(place) = &expr.kind {
            self.place(place);
        }
        expr.operands().for_each(|operand| self.expr(operand));
    }
}

/// The variable that an expression is.
fn local_of(expr: &Expr) -> Option<LocalId> {
    match &expr.kind {
        ExprKind::Load(place) => match place.kind {
            PlaceKind::Local(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}
