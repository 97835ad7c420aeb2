//! Objects that are not told apart from the memory of the environment.
//!
//! In large programs many pointers may refer to thousands of objects. A read through one of them would
//! be a term that mentions all, and a write would change all. So these objects, the crowd, are seen
//! as the environment's: whatever is read from them is arbitrary, and what is written to them is
//! forgotten. Every run of the program remains one of such a model. Once there is a crowd, the objects
//! that are known outside belong to it too, because pointers to the crowd look as if they came from
//! there, and nothing else may change through those. A complete analysis makes a crowd only of programs that
//! are so large that functions share their bodies.
//!
//! If the analysis has given up, every object whose address is taken anywhere belongs to the crowd.

use super::state::State;
use super::{ObjectId, ObjectKind};
use crate::flat::Flat;
use crate::typed::{
    Body, Callee, Expr, ExprKind, Initial, LocalId, Place, PlaceKind, Stmt, StmtKind, Terminator,
};
use rustc_hash::FxHashSet;

/// The crowd of a complete analysis: where a pointer may refer to more than `many` objects.
pub fn of_sets(state: &State, outside: Vec<ObjectId>, many: usize) -> FxHashSet<ObjectId> {
    let mut crowd = FxHashSet::default();
    let is_function =
        |id: ObjectId| matches!(state.public[id.0 as usize].kind, ObjectKind::Function(_));
    for set in state.nodes.iter().filter(|set| set.list.len() > many) {
        let mut objects: Vec<ObjectId> =
            set.list.iter().map(|(id, _)| *id).filter(|&id| !is_function(id)).collect();
        objects.dedup();
        if objects.len() > many {
            crowd.extend(objects);
        }
    }
    if !crowd.is_empty() {
        crowd.extend(outside);
    }
    crowd
}

/// All objects of a program that a pointer can refer to.
pub fn of_addresses(flat: &Flat, state: &State) -> FxHashSet<ObjectId> {
    let mut taken = Taken::default();
    let program = flat.program;
    for global in &program.globals {
        let Initial::Values(values) = &global.initial else { continue };
        values.iter().for_each(|(_, value)| taken.expr(value));
    }
    let mut by_function = vec![None; program.functions.len()];
    for instance in &flat.instances {
        by_function[instance.function.0 as usize].get_or_insert_with(|| {
            taken.locals.clear();
            taken.body(instance.body);
            taken.locals.clone()
        });
    }
    let is_taken = |kind: ObjectKind| match kind {
        ObjectKind::Global(id) => taken.globals.contains(&id),
        ObjectKind::Local(instance, local) => {
            let function = flat.instance(instance).function;
            let locals: &Option<FxHashSet<LocalId>> = &by_function[function.0 as usize];
            locals.as_ref().is_none_or(|locals| locals.contains(&local))
        }
        ObjectKind::Function(_) => false,
        ObjectKind::Site(..) | ObjectKind::Variadic(_) => true,
    };
    let objects = state.public.iter().enumerate().filter(|(_, object)| is_taken(object.kind));
    objects.map(|(index, _)| ObjectId(index as u32)).collect()
}

/// The variables whose addresses occur in expressions.
#[derive(Default)]
struct Taken {
    globals: FxHashSet<crate::typed::GlobalId>,
    locals: FxHashSet<LocalId>,
}

impl Taken {
    fn body(&mut self, body: &Body) {
        for block in &body.blocks {
            block.statements.iter().for_each(|statement| self.statement(statement));
            match &block.terminator {
                Terminator::Branch { condition: value, .. }
                | Terminator::Switch { value, .. }
                | Terminator::Return(Some(value)) => self.expr(value),
                Terminator::Goto(_) | Terminator::Return(None) | Terminator::Unreachable => {}
            }
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign { place, value } => {
                self.inside(place);
                self.expr(value);
            }
            StmtKind::Zero(place) => self.inside(place),
            StmtKind::Declare(_) | StmtKind::Begin(_) | StmtKind::End(_) => {}
            StmtKind::Call { result, callee, arguments } => {
                result.iter().for_each(|place| self.inside(place));
                if let Callee::Pointer(pointer) = callee {
                    self.expr(pointer);
                }
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            StmtKind::Allocate { pointer, size } => {
                self.inside(pointer);
                self.expr(size);
            }
            StmtKind::VaStart(list) => self.inside(list),
            StmtKind::VaArg { result, list } => {
                self.inside(result);
                self.inside(list);
            }
            StmtKind::VaCopy { to, from } => {
                self.inside(to);
                self.inside(from);
            }
        }
    }

    /// The expressions in a place.
    fn inside(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Deref(pointer) => self.expr(pointer),
            PlaceKind::Field(base, _) => self.inside(base),
            PlaceKind::Index(base, index) => {
                self.inside(base);
                self.expr(index);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(place) => self.inside(place),
            ExprKind::AddressOf(place) => {
                self.inside(place);
                let mut base = place.as_ref();
                while let PlaceKind::Field(inner, _) | PlaceKind::Index(inner, _) = &base.kind {
                    base = inner;
                }
                match base.kind {
                    PlaceKind::Global(id) => drop(self.globals.insert(id)),
                    PlaceKind::Local(id) => drop(self.locals.insert(id)),
                    _ => {}
                }
            }
            _ => expr.operands().for_each(|operand| self.expr(operand)),
        }
    }
}
