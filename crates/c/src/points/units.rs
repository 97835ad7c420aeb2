//! The statements that the analysis evaluates, and the objects they allocate.

use super::hints::Hints;
use super::layout::Shape;
use super::library::allocates;
use super::set::Flags;
use super::state::State;
use super::{Object, ObjectId, ObjectKind};
use crate::flat::{Flat, FlatBlockId, FlatStmt, InstanceId};
use crate::library::{FunctionModel, model};
use crate::typed::{Callee, Expr, FuncId, Place, Program, Stmt, StmtKind};
use crate::types::Ty;

/// A statement of an instance.
pub struct Unit<'p> {
    pub instance: InstanceId,
    pub kind: Kind<'p>,
    /// What it allocates.
    pub site: Option<ObjectId>,
}

pub enum Kind<'p> {
    Flat(FlatStmt<'p>),
    /// A call in a program that is not flat.
    Call {
        callee: &'p Callee,
        result: Option<&'p Place>,
        arguments: &'p [Expr],
    },
}

/// What `malloc` aligns to.
const HEAP_ALIGNMENT: u64 = 16;
/// More is not promised by objects that are asked to be aligned.
const MAX_ALIGNMENT: u64 = 1 << 16;

/// All statements of a flat program; makes their objects.
pub fn of_flat<'p>(flat: &Flat<'p>, state: &mut State<'p>) -> Vec<Unit<'p>> {
    for (index, instance) in flat.instances.iter().enumerate() {
        state.activate(InstanceId(index as u32), instance.function, instance.body);
    }
    let repeated = flat.on_cycle();
    let mut hints = Hints::new(flat);
    let mut units = Vec::new();
    for (index, block) in flat.blocks.iter().enumerate() {
        for (position, statement) in block.statements.iter().enumerate() {
            let instance = block.instance;
            if let FlatStmt::Variadic { callee, arguments, .. } = statement {
                add_variadic(state, *callee, Some(arguments));
            }
            let site = allocation(flat.program, statement).map(|made| {
                let kind = ObjectKind::Site(FlatBlockId(index as u32), position);
                let size = made.size(&mut hints, instance);
                let ty = made.place.and_then(|place| hints.pointee(instance, place));
                let align = made.align(&mut hints, instance);
                let object = Object { kind, size, repeated: repeated[index], ty, align };
                add_site(state, object, made.initial())
            });
            units.push(Unit { instance, kind: Kind::Flat(statement.clone()), site });
        }
    }
    units
}

/// The statements of one function of a program that is not flat.
pub fn of_function<'p>(id: FuncId, state: &mut State<'p>) -> Vec<Unit<'p>> {
    let program = state.program;
    let function = program.function(id);
    let instance = InstanceId(id.0);
    let Some(body) = &function.body else { return Vec::new() };
    state.activate(instance, id, body);
    if program.types.signature(function.ty).is_some_and(|signature| signature.variadic) {
        add_variadic(state, instance, None);
    }
    let mut units = Vec::new();
    for statement in body.blocks.iter().flat_map(|block| &block.statements) {
        let number = FlatBlockId(state.public.len() as u32);
        let kind = match &statement.kind {
            StmtKind::Call { result, callee, arguments } => {
                Kind::Call { callee, result: result.as_ref(), arguments }
            }
            _ => Kind::Flat(FlatStmt::Plain(statement)),
        };
        let site = may_allocate(program, statement).then(|| {
            let kind = ObjectKind::Site(number, 0);
            let object =
                Object { kind, size: None, repeated: true, ty: None, align: HEAP_ALIGNMENT };
            add_site(state, object, Flags::UNINITIALISED)
        });
        units.push(Unit { instance, kind, site });
    }
    units
}

fn may_allocate(program: &Program, statement: &Stmt) -> bool {
    match &statement.kind {
        StmtKind::Allocate { .. } | StmtKind::Call { callee: Callee::Pointer(_), .. } => true,
        StmtKind::Call { callee: Callee::Function(id), .. } => {
            model(&program.function(*id).name).is_some_and(allocates)
        }
        _ => false,
    }
}

fn add_site(state: &mut State, object: Object, initial: Flags) -> ObjectId {
    let size = object.ty.and_then(|ty| state.program.types.size(ty));
    let shape = match object.ty {
        Some(ty) if size == object.size => Shape::Typed(ty),
        Some(ty) => Shape::Elements(ty),
        None => Shape::Bytes,
    };
    state.add(object, shape, initial)
}

fn add_variadic(state: &mut State, callee: InstanceId, arguments: Option<&[Expr]>) {
    let types = &state.program.types;
    let word = types.model.pointer_bytes();
    let slot = |e: &Expr| types.size(e.ty).unwrap_or(0).next_multiple_of(word);
    let size = arguments.map(|arguments| arguments.iter().map(slot).sum());
    let kind = ObjectKind::Variadic(callee);
    let mut at = 0;
    let slots = arguments.map(|arguments| {
        let places = arguments.iter().map(|argument| {
            at += slot(argument) as i64;
            (at - slot(argument) as i64, argument.ty)
        });
        places.collect()
    });
    // Several calls share the object.
    let slots = if state.slots.contains_key(&kind) { None } else { slots };
    state.slots.insert(kind, slots);
    let object = Object { kind, size, repeated: false, ty: None, align: 1 };
    state.add(object, Shape::Bytes, Flags::NONE);
}

/// An allocation: which function makes it, from which arguments, and where the address goes.
struct Allocation<'p> {
    model: FunctionModel,
    arguments: &'p [Expr],
    place: Option<&'p Place>,
}

fn allocation<'p>(program: &Program, statement: &FlatStmt<'p>) -> Option<Allocation<'p>> {
    match statement {
        FlatStmt::Plain(Stmt { kind: StmtKind::Allocate { pointer, size }, .. }) => {
            let arguments = std::slice::from_ref(size);
            Some(Allocation { model: FunctionModel::Alloca, arguments, place: Some(pointer) })
        }
        FlatStmt::External { function, result, arguments, .. } => {
            let model = model(&program.function(*function).name)?;
            allocates(model).then_some(Allocation { model, arguments, place: *result })
        }
        _ => None,
    }
}

impl Allocation<'_> {
    fn size(&self, hints: &mut Hints, instance: InstanceId) -> Option<u64> {
        let mut number = |index: usize| {
            let bits = hints.constant(instance, self.arguments.get(index)?)?;
            u64::try_from(bits).ok()
        };
        match self.model {
            FunctionModel::Malloc | FunctionModel::Keep | FunctionModel::Alloca => number(0),
            FunctionModel::Calloc => number(0)?.checked_mul(number(1)?),
            FunctionModel::Realloc | FunctionModel::AlignedAlloc => number(1),
            _ => None,
        }
    }

    fn align(&self, hints: &mut Hints, instance: InstanceId) -> u64 {
        let asked = match self.model {
            FunctionModel::AlignedAlloc => {
                self.arguments.first().and_then(|argument| hints.constant(instance, argument))
            }
            _ => None,
        };
        let fits = |align: &u64| align.is_power_of_two() && *align <= MAX_ALIGNMENT;
        let asked = asked.and_then(|bits| u64::try_from(bits).ok()).filter(fits);
        asked.unwrap_or(1).max(HEAP_ALIGNMENT)
    }

    fn initial(&self) -> Flags {
        match self.model {
            FunctionModel::Calloc => Flags::NULL,
            FunctionModel::StrDuplicate | FunctionModel::StrNDuplicate => Flags::ARBITRARY,
            _ => Flags::UNINITIALISED,
        }
    }
}

/// Whether objects of a type can be told from bytes.
pub fn is_structured(program: &Program, ty: Ty) -> bool {
    let types = &program.types;
    !types.is_function(ty) && types.size(ty).is_some_and(|size| size > 1)
}
