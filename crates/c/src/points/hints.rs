//! What allocations are made for: how large they are, and of which type.
//!
//! Programs wrap `malloc`, so sizes are followed from parameters to arguments, and results
//! through copies and returns to the first conversion. A type found this way only decides how
//! finely the contents of an object are told apart.

use super::units::is_structured;
use crate::arith::int;
use crate::flat::{Flat, FlatStmt, InstanceId};
use crate::typed::{
    Body, CastKind, Expr, ExprKind, FuncId, LocalId, Place, PlaceKind, Program, StmtKind,
    Terminator,
};
use crate::types::Ty;
use rustc_hash::{FxHashMap, FxHashSet};

/// Copies and calls that are followed at most.
const MAX_STEPS: usize = 16;

pub struct Hints<'p> {
    program: &'p Program,
    bodies: Vec<(FuncId, &'p Body)>,
    arguments: FxHashMap<(InstanceId, LocalId), (InstanceId, &'p Expr)>,
    results: FxHashMap<InstanceId, (InstanceId, &'p Place)>,
    flows: FxHashMap<FuncId, Flows>,
}

/// What happens to the pointers in the locals of a function.
#[derive(Default)]
struct Flows {
    /// The first type that a local is converted to a pointer to.
    casts: FxHashMap<LocalId, Ty>,
    copies: FxHashMap<LocalId, LocalId>,
    returned: FxHashSet<LocalId>,
    written: FxHashSet<LocalId>,
}

impl<'p> Hints<'p> {
    pub fn new(flat: &Flat<'p>) -> Hints<'p> {
        let mut arguments = FxHashMap::default();
        let mut results = FxHashMap::default();
        for block in &flat.blocks {
            for statement in &block.statements {
                match statement {
                    FlatStmt::Bind { callee, parameter, argument: Some(argument), .. } => {
                        arguments.insert((*callee, *parameter), (block.instance, *argument));
                    }
                    FlatStmt::Result { place, callee, .. }
                    | FlatStmt::Take { place, callee, .. } => {
                        results.insert(*callee, (block.instance, *place));
                    }
                    _ => {}
                }
            }
        }
        // With several calls of one instance there is no single argument.
        arguments.retain(|(instance, _), _| !flat.is_single(*instance));
        for statement in flat.blocks.iter().flat_map(|block| &block.statements) {
            if let FlatStmt::Rebind { callee, .. } = statement {
                arguments.retain(|(instance, _), _| instance != callee);
            }
        }
        let bodies = flat.instances.iter().map(|i| (i.function, i.body)).collect();
        Hints { program: flat.program, bodies, arguments, results, flows: FxHashMap::default() }
    }

    fn flows(&mut self, instance: InstanceId) -> &Flows {
        let (function, body) = self.bodies[instance.0 as usize];
        let program = self.program;
        self.flows.entry(function).or_insert_with(|| Flows::find(program, body))
    }

    /// The value of an expression that is the same in every run.
    pub fn constant(&mut self, instance: InstanceId, expr: &Expr) -> Option<u128> {
        self.constant_within(instance, expr, MAX_STEPS)
    }

    fn constant_within(&mut self, instance: InstanceId, expr: &Expr, steps: usize) -> Option<u128> {
        let steps = steps.checked_sub(1)?;
        match &expr.kind {
            ExprKind::Int(bits) => Some(*bits),
            ExprKind::Cast(CastKind::IntToInt, operand) => {
                let bits = self.constant_within(instance, operand, steps)?;
                let format = |ty| self.program.types.int_format(ty);
                Some(int::convert(bits, format(operand.ty)?, format(expr.ty)?))
            }
            ExprKind::Load(place) => {
                let PlaceKind::Local(id) = place.kind else { return None };
                let (caller, argument) = *self.arguments.get(&(instance, id))?;
                let changed = self.flows(instance).written.contains(&id);
                let fits = argument.ty == expr.ty;
                if changed || !fits {
                    return None;
                }
                self.constant_within(caller, argument, steps)
            }
            _ => None,
        }
    }

    /// The type of the objects that the pointer stored in a place is meant for.
    pub fn pointee(&mut self, instance: InstanceId, place: &Place) -> Option<Ty> {
        let (mut instance, mut place) = (instance, place);
        for _ in 0..MAX_STEPS {
            if let Some(ty) = self.useful(place.ty) {
                return Some(ty);
            }
            let PlaceKind::Local(mut id) = place.kind else { return None };
            let flows = self.flows(instance);
            for _ in 0..MAX_STEPS {
                if let Some(ty) = flows.casts.get(&id) {
                    return Some(*ty);
                }
                if flows.returned.contains(&id) {
                    break;
                }
                id = *flows.copies.get(&id)?;
            }
            (instance, place) = *self.results.get(&instance)?;
        }
        None
    }

    fn useful(&self, pointer: Ty) -> Option<Ty> {
        let target = self.program.types.target(pointer)?;
        is_structured(self.program, target).then_some(target)
    }
}

impl Flows {
    fn find(program: &Program, body: &Body) -> Flows {
        let mut flows = Flows::default();
        for block in &body.blocks {
            for statement in &block.statements {
                flows.statement(program, &statement.kind);
            }
            if let Terminator::Return(Some(value)) = &block.terminator {
                flows.expr(program, value);
                if let Some(id) = carried(value) {
                    flows.returned.insert(id);
                }
            }
        }
        flows
    }

    fn statement(&mut self, program: &Program, kind: &StmtKind) {
        match kind {
            StmtKind::Assign { place, value } => {
                self.expr(program, value);
                self.address(place);
                if let PlaceKind::Local(to) = place.kind {
                    self.written.insert(to);
                    if let Some(from) = carried(value) {
                        self.copies.entry(from).or_insert(to);
                    }
                }
            }
            StmtKind::Call { result, arguments, .. } => {
                arguments.iter().for_each(|argument| self.expr(program, argument));
                result.iter().for_each(|place| self.write(place));
            }
            StmtKind::Zero(place)
            | StmtKind::Allocate { pointer: place, .. }
            | StmtKind::VaArg { result: place, .. } => self.write(place),
            StmtKind::Declare(_)
            | StmtKind::Begin(_)
            | StmtKind::End(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaCopy { .. } => {}
        }
    }

    fn write(&mut self, place: &Place) {
        self.address(place);
        if let PlaceKind::Local(id) = place.kind {
            self.written.insert(id);
        }
    }

    /// A local whose address is used may be written anywhere.
    fn address(&mut self, place: &Place) {
        let mut base = place;
        while let PlaceKind::Field(inner, _) | PlaceKind::Index(inner, _) = &base.kind {
            base = inner;
        }
        if let PlaceKind::Local(id) = base.kind
            && !std::ptr::eq(base, place)
        {
            self.written.insert(id);
        }
    }

    fn expr(&mut self, program: &Program, expr: &Expr) {
        match &expr.kind {
            ExprKind::Cast(kind, operand) => {
                if *kind == CastKind::PointerToPointer
                    && let Some(id) = loaded(operand)
                    && let Some(target) = program.types.target(expr.ty)
                    && is_structured(program, target)
                {
                    self.casts.entry(id).or_insert(target);
                }
                self.expr(program, operand);
            }
            ExprKind::AddressOf(place) => {
                if let PlaceKind::Local(id) = place.kind {
                    self.written.insert(id);
                }
                self.address(place);
            }
            ExprKind::Unary(_, operand) => self.expr(program, operand),
            ExprKind::Binary(_, left, right)
            | ExprKind::PointerAdd { pointer: left, index: right, .. } => {
                self.expr(program, left);
                self.expr(program, right);
            }
            ExprKind::Conditional(_, then, otherwise) => {
                self.expr(program, then);
                self.expr(program, otherwise);
            }
            _ => {}
        }
    }
}

fn loaded(expr: &Expr) -> Option<LocalId> {
    match &expr.kind {
        ExprKind::Load(place) => match place.kind {
            PlaceKind::Local(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// The local whose pointer an expression passes on.
fn carried(expr: &Expr) -> Option<LocalId> {
    match &expr.kind {
        ExprKind::Cast(CastKind::PointerToPointer, operand) => loaded(operand),
        _ => loaded(expr),
    }
}
