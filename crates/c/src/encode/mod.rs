//! Programs as control-flow automata over terms.
//!
//! The flat program gives the graph, the points-to analysis the objects that each access can
//! mean, the accesses the layout of the objects, and the layout the variables. Undefined
//! behaviour ends a path: what a program does after it is nobody's business. Uninitialised
//! variables are arbitrary.

mod accesses;
mod address;
mod addresses;
mod again;
mod allocation;
mod approximate;
mod arguments;
mod births;
mod births_after;
mod blocks;
mod bulk;
mod calls;
mod compared;
mod elements;
mod equality;
mod expr;
mod floats;
mod focus;
mod foreign;
mod graph;
mod havoc;
mod hollow;
mod jumps;
mod layout;
mod lives;
mod lost;
mod math_errors;
mod memory;
mod outside;
mod parts;
mod reuse;
mod rounding;
mod stack;
mod step;
mod stmt;
mod storage;
mod unwritten;

use crate::error::{Error, Fault};
use crate::flat::{self, Flat, InstanceId, flatten};
use crate::interp::Havocked;
use crate::library::UndefinedFunctions;
use crate::points::{Object, ObjectId, ObjectKind, Points, Targets};
use crate::source::Position;
use crate::typed::{FuncId, GlobalId, LocalId, Place, PlaceKind, Program};
use crate::types::Ty;
use crate::violation::{CheckPoint, Kind, Properties};
use accesses::Collector;
pub use births::{Born, Part};
pub use foreign::{Foreign, ForeignKind};
use layout::Layout;
use rustc_hash::FxHashMap;
use stack::Slots;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use step::Step;
pub use storage::FIRST_ADDRESS;
use storage::Storage;
use wedge_logic::{Sort, Term};
use wedge_model::Cfa;
use wedge_model::cfa::{EdgeId, LocationId, TargetKind};

/// Flat programs with more blocks are not encoded.
const MAX_BLOCKS: usize = 1_000_000;
/// See [`Room::blocks`].
const BLOCKS: usize = 60_000;
/// Chosen on one driver, be2net.
const CROWD: usize = 100;

/// How much of a program is modelled. What goes beyond leads to a limit location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Activations of one function inside one another, where each gets its own body.
    pub depth: usize,
    /// Activations inside one another where they share their bodies over a stack.
    pub stack: usize,
    /// As `depth`, for functions that could share a body and call themselves in one place only;
    /// with 0 they do share it.
    pub linear: usize,
    /// Where more blocks than this would be made, functions that are called often have one body
    /// for all their calls.
    pub blocks: usize,
    /// Where functions share bodies and a pointer may refer to more objects than this, their contents are
    /// arbitrary.
    pub crowd: usize,
    /// Objects per allocation site that can be reached more than once.
    pub pool: usize,
    /// Objects beyond those of a pool, or too large, and calls that a stack has no room for are no
    /// limit: their contents are forgotten.
    /// Then the automaton has more runs than the program.
    pub forget: bool,
    /// If not 0, so many objects of a site that are chosen freely have room as well, and an error
    /// counts only if the last reads, so many of them, were none of lost objects. For models that
    /// forget.
    pub chosen: usize,
    /// Calls through pointers of which nothing is known are no limit: they go to functions of the environment
    /// that call nothing back. For models in which only errors count.
    pub beyond: bool,
    /// Objects that are allocated once and whose size is not constant may be as large as there are
    /// addresses for. Arrays of that size are for abstractions.
    pub large: bool,
}

impl Default for Room {
    fn default() -> Room {
        Room {
            depth: 3,
            stack: 32,
            linear: 32,
            blocks: BLOCKS,
            crowd: CROWD,
            pool: 3,
            forget: false,
            chosen: 0,
            large: false,
            beyond: false,
        }
    }
}

impl Room {
    /// The bytes of an object whose size is not a constant.
    fn dynamic_bytes(self) -> u64 {
        64 * self.pool as u64
    }
}

/// A program as an automaton, with what is needed to tell about it in terms of the source.
pub struct Encoded {
    pub cfa: Cfa,
    /// What the origins of locations and edges number.
    pub origins: Vec<Origin>,
    /// For each input of the automaton, in the same order.
    pub choices: Vec<ChoicePoint>,
    /// Whose contents the values at the entry are: lives that begin on an edge.
    pub births: FxHashMap<EdgeId, Vec<Born>>,
    /// What the edges from a location access in memory of the environment, in order.
    pub foreign: FxHashMap<LocationId, Vec<Foreign>>,
    /// For each variable of the automaton, in the same order.
    pub variables: Vec<Meaning>,
    /// Whether objects of one site are kept in a pool.
    pub has_pools: bool,
    /// Whether some objects have no bytes.
    pub has_hollow: bool,
    /// Assumptions a user should know of: functions without body or model, ...
    pub notes: Vec<String>,
    /// What is checked, statement by statement, without what the library does.
    pub checks: Vec<CheckPoint>,
    /// The functions that the model has.
    pub functions: BTreeSet<FuncId>,
}

/// Where in the source a location or an edge comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    pub function: FuncId,
    pub position: Position,
    pub kind: OriginKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OriginKind {
    /// A statement begins.
    Statement,
    /// Statements begin that are no loop, with the one at this position.
    Block,
    /// The head of the loop of this index in the body of the function.
    LoopHead(u32),
    /// A condition was decided this way.
    Branch(bool),
    Call(FuncId),
    Return(FuncId),
}

/// A value that the program leaves open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChoicePoint {
    pub kind: ChoicePointKind,
    pub ty: Ty,
    pub function: FuncId,
    pub position: Position,
    /// Of an array: the distance of its elements in bytes.
    pub stride: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChoicePointKind {
    /// The result of a call of this function: `__VERIFIER_nondet_…`, or without body and model.
    Call(FuncId),
    /// A local variable when it is declared, or the bytes of it that begin at this offset.
    Local(LocalId, u64),
    /// The bytes of a global without definition that begin at this offset.
    Global(GlobalId, u64),
    /// The bytes of an allocated object that begin at this offset.
    Heap(u64),
    /// The bytes at this offset of a record that a call gives without saying what it holds, or
    /// that a function does not return although it should.
    Result(u64),
    /// The bytes at this offset of an object that a function nobody knows may have changed.
    Havoc(Havocked, u64),
    /// A read through a pointer of unknown value.
    Environment,
    /// The result of a function that ended without giving one, a missing argument.
    Other,
}

/// What a variable of the automaton holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// Bytes of a global object from this offset; the whole of it if it is a scalar.
    Global(GlobalId, u64),
    /// Bytes of a local variable from this offset, and the number of calls on the way from `main`
    /// (0 for `main` itself).
    Local { function: FuncId, local: LocalId, offset: u64, instance: u32 },
    /// Bytes of the allocated objects of one site.
    Heap,
    /// Bookkeeping of the encoding.
    Internal,
}

/// Translates a program. Violations of the properties are targets, any others are dead ends.
pub fn encode(program: &Program, properties: &Properties, bounds: Room) -> Result<Encoded, Error> {
    let cleared = match properties.asks_operations() {
        true => None,
        false => flat::cleared(program),
    };
    let program = cleared.as_ref().unwrap_or(program);
    let options = flat::Options {
        depth: bounds.depth,
        linear: bounds.linear,
        budget: bounds.blocks,
        beyond: bounds.beyond,
        max_blocks: MAX_BLOCKS,
    };
    let flat = flatten(program, properties, options)?;
    let mut points = Points::analyse(&flat);
    // Which operations are defined depends on the objects that pointers refer to, and what unknown
    // functions change on those that are known outside.
    let knows_outside = program.undefined_functions == UndefinedFunctions::Havoc;
    if !properties.asks_operations() && !knows_outside {
        points.make_crowd(&flat, bounds.crowd);
    }
    if points.has_given_up() && !points.has_crowd() {
        let main = program.main.map(|main| program.function(main).position).unwrap_or_default();
        let what = "pointers that may refer to too many objects";
        return Err(Fault::unsupported(main, what).named(&program.files));
    }
    let encoded = Encoder::new(&flat, &points, properties, bounds);
    let encoded = encoded.and_then(|encoder| encoder.run(properties));
    encoded.map_err(|fault| fault.named(&program.files))
}

/// The translation at work.
struct Encoder<'a, 'p> {
    program: &'p Program,
    flat: &'a Flat<'p>,
    points: &'a Points<'p>,
    cfa: Cfa,
    storage: Storage,
    /// The variables of locals that are not in memory.
    registers: FxHashMap<(InstanceId, LocalId), Term>,
    /// How many objects of each pool are in use.
    counters: FxHashMap<ObjectId, Term>,
    /// By number.
    stacks: Vec<Slots>,
    stack_depth: usize,
    /// The results of instances that share a stack.
    results: FxHashMap<InstanceId, Term>,
    leaves: FxHashMap<Ty, Rc<Vec<(u64, u64)>>>,
    limits: FxHashMap<(TargetKind, String), LocationId>,
    /// Where violations lead that are asked for.
    violations: FxHashMap<Kind, LocationId>,
    properties: &'a Properties,
    /// The statement that is translated.
    at: Position,
    checks: BTreeSet<CheckPoint>,
    /// Which blocks can be reached from themselves.
    on_cycle: Vec<bool>,
    origins: Vec<Origin>,
    choices: Vec<ChoicePoint>,
    births: FxHashMap<EdgeId, Vec<Born>>,
    foreign: FxHashMap<LocationId, Vec<Foreign>>,
    pools: FxHashMap<ObjectId, Arc<Vec<Part>>>,
    variables: Vec<Meaning>,
    notes: BTreeSet<String>,
    pointer_width: u32,
    forget: bool,
    chosen: usize,
    /// How many reads there were since the last one of a lost object, if it matters.
    known_reads: Option<Term>,
    focus: Vec<focus::Focus>,
    /// What `main` was given, if it matters.
    arguments: Option<arguments::Given>,
    /// The rounding mode, where the program calls `fesetround`.
    rounding: Option<Term>,
    step: Step,
    /// Globals are getting their first values.
    starting: bool,
    /// The current block is one of the library.
    in_library: bool,
    /// Operations may be violations.
    checks_operations: bool,
    lives: lives::Lives,
    blocks: blocks::BlockLives,
    again: again::Again,
    /// Whether objects without a constant size have no bytes.
    are_hollow: bool,
    hollow: FxHashMap<ObjectId, hollow::Hollow>,
    mixed: jumps::Mixed,
    reuse: reuse::Reuse,
    looked: parts::Looked,
    unwritten: unwritten::Unwritten,
    outside: outside::Outside,
}

impl<'a, 'p> Encoder<'a, 'p> {
    fn new(
        flat: &'a Flat<'p>,
        points: &'a Points<'p>,
        properties: &'a Properties,
        bounds: Room,
    ) -> Result<Encoder<'a, 'p>, Fault> {
        let program = flat.program;
        // A chosen object must have room.
        let are_hollow = bounds.forget && bounds.chosen == 0 && properties.asks_memory();
        let meaning = |object: &Object| object_meaning(flat, object);
        let on_cycle = flat.on_cycle();
        let mut reuse = reuse::Reuse::find(flat, points);
        let (is_checked, compared) = (properties.asks_memory(), reuse.old());
        let mut kept = match is_checked || !compared.is_empty() {
            true => again::Kept::find(flat, points, &on_cycle),
            false => again::Kept::default(),
        };
        reuse.forgotten = kept.forgotten();
        kept.compare(&compared, is_checked);
        let shape = storage::Shape { bounds, are_hollow, twofold: &kept.twofold };
        let storage = Storage::new(program, points, shape, meaning)?;
        let mut encoder = Encoder {
            program,
            flat,
            points,
            cfa: Cfa::new(),
            storage,
            registers: FxHashMap::default(),
            counters: FxHashMap::default(),
            stacks: Vec::new(),
            stack_depth: bounds.stack,
            results: FxHashMap::default(),
            leaves: FxHashMap::default(),
            limits: FxHashMap::default(),
            violations: FxHashMap::default(),
            properties,
            at: Position::default(),
            checks: BTreeSet::new(),
            on_cycle,
            origins: Vec::new(),
            choices: Vec::new(),
            births: FxHashMap::default(),
            foreign: FxHashMap::default(),
            pools: FxHashMap::default(),
            variables: Vec::new(),
            notes: BTreeSet::new(),
            pointer_width: 8 * program.types.model.pointer_bytes() as u32,
            forget: bounds.forget,
            chosen: bounds.chosen,
            known_reads: None,
            focus: Vec::new(),
            arguments: None,
            rounding: None,
            step: Step::default(),
            starting: false,
            in_library: false,
            checks_operations: properties.asks_operations(),
            lives: lives::Lives::default(),
            blocks: blocks::BlockLives::default(),
            again: again::Again::default(),
            are_hollow,
            hollow: FxHashMap::default(),
            mixed: jumps::Mixed::default(),
            reuse,
            looked: parts::Looked::default(),
            unwritten: unwritten::Unwritten::default(),
            outside: outside::Outside::default(),
        };
        if points.has_crowd() {
            encoder.notes.insert(String::from(
                "objects that too many pointers may refer to have arbitrary contents",
            ));
        }
        encoder.make_rounding_mode();
        encoder.make_registers();
        encoder.make_stacks();
        encoder.make_known_reads();
        encoder.lay_out_objects()?;
        encoder.make_focus();
        encoder.find_outside();
        if properties.asks_memory() {
            encoder.make_lives();
        }
        encoder.make_bits(compared.into_iter().collect());
        encoder.make_again(&kept);
        encoder.make_unwritten(properties);
        encoder.make_arguments();
        Ok(encoder)
    }

    fn make_registers(&mut self) {
        for (index, instance) in self.flat.instances.iter().enumerate() {
            let id = InstanceId(index as u32);
            for (number, local) in instance.body.locals.iter().enumerate() {
                let local_id = LocalId(number as u32);
                let is_scalar = self.program.types.is_scalar(local.ty);
                if !is_scalar || self.points.in_memory(id, local_id) {
                    continue;
                }
                let name = self.local_name(id, local_id);
                let width = self.value_width(local.ty);
                let register = self.cfa.add_variable(name, Sort::Bv(width));
                let function = instance.function;
                let instance = index as u32;
                self.variables.push(Meaning::Local {
                    function,
                    local: local_id,
                    offset: 0,
                    instance,
                });
                self.registers.insert((id, local_id), register);
            }
        }
    }

    fn lay_out_objects(&mut self) -> Result<(), Fault> {
        let ended = blocks::Ended::find(self.flat, self.points);
        let mut collector = Collector::new(self, &ended);
        collector.collect()?;
        let (found, outlived, mixed) = (collector.found, collector.outlived, collector.mixed);
        self.mixed = mixed;
        self.make_block_lives(ended, &outlived);
        for (index, accesses) in found.into_iter().enumerate() {
            let id = ObjectId(index as u32);
            if accesses.is_empty() || self.storage.get(id).is_function {
                continue;
            }
            if self.is_hollow(id) {
                self.make_hollow(id, accesses.into_iter().map(accesses::unpacked).collect());
                continue;
            }
            let layout = Layout::new(
                accesses.into_iter().map(accesses::unpacked),
                self.storage.get(id).bytes,
            );
            let name = self.object_name(&self.points.objects()[index]);
            self.storage.lay_out(id, layout, &name, &mut self.cfa, &mut self.variables);
        }
        Ok(())
    }

    fn object_name(&self, object: &Object) -> String {
        match object.kind {
            ObjectKind::Global(id) => self.program.global(id).name.clone(),
            ObjectKind::Local(instance, local) => self.local_name(instance, local),
            ObjectKind::Function(id) => self.program.function(id).name.clone(),
            ObjectKind::Site(block, statement) => format!("allocated.{}.{statement}", block.0),
            ObjectKind::Variadic(instance) => format!("arguments.{}", instance.0),
        }
    }

    /// `f::x`, with the number of the instance unless it is that of `main`.
    fn local_name(&self, instance: InstanceId, local: LocalId) -> String {
        let activation = &self.flat.instances[instance.0 as usize];
        let function = &self.program.function(activation.function).name;
        let number = if instance.0 == 0 { String::new() } else { format!("#{}", instance.0) };
        match &activation.body.local(local).name {
            Some(name) => format!("{function}{number}::{name}"),
            None => format!("{function}{number}::{}", local.0),
        }
    }

    fn register(&self, instance: InstanceId, local: LocalId) -> Option<Term> {
        self.registers.get(&(instance, local)).copied()
    }

    /// The bytes that a value of scalar type occupies.
    fn value_bytes(&self, ty: Ty) -> u64 {
        let types = &self.program.types;
        match types.float_kind(ty) {
            Some(kind) => kind.value_bytes(),
            None => types.size(ty).unwrap_or(1),
        }
    }

    /// The width of a value of scalar type.
    fn value_width(&self, ty: Ty) -> u32 {
        let word = self.program.types.word_format(ty).map(|format| format.width);
        word.unwrap_or(8 * self.value_bytes(ty) as u32)
    }

    /// A local variable as a place.
    fn local_place(&self, instance: InstanceId, local: LocalId) -> Place {
        let declared = self.flat.instances[instance.0 as usize].body.local(local);
        Place::new(PlaceKind::Local(local), declared.ty, declared.position)
    }

    /// The object with the variable arguments of an activation.
    fn variadic_targets(&self, callee: InstanceId) -> Option<Targets> {
        let object = self.points.object_of(ObjectKind::Variadic(callee))?;
        let offsets = crate::points::Offsets { first: 0, stride: 1, count: 1 };
        let list = vec![crate::points::Target { object, offsets }];
        Some(Targets { list, ..Targets::default() })
    }

    /// The bytes that a variable argument takes.
    fn slot_bytes(&self, ty: Ty) -> u64 {
        let types = &self.program.types;
        types.size(ty).unwrap_or(0).next_multiple_of(types.model.pointer_bytes())
    }

    fn function_address(&mut self, function: FuncId) -> Term {
        let object = self.points.object_of(ObjectKind::Function(function));
        let address = object.map_or(0, |object| self.storage.get(object).base);
        self.cfa.terms.number(self.pointer_width, address)
    }

    /// The number of objects of a pool that are in use.
    fn counter(&mut self, object: ObjectId) -> Term {
        if let Some(&known) = self.counters.get(&object) {
            return known;
        }
        let width = self.storage.get(object).instance_bits() + 1;
        let counter = self.temporary("allocated", Sort::Bv(width));
        self.counters.insert(object, counter);
        counter
    }
}

fn object_meaning(flat: &Flat, object: &Object) -> Meaning {
    match object.kind {
        ObjectKind::Global(id) => Meaning::Global(id, 0),
        ObjectKind::Local(instance, local) => {
            let function = flat.instances[instance.0 as usize].function;
            Meaning::Local { function, local, offset: 0, instance: instance.0 }
        }
        ObjectKind::Site(..) => Meaning::Heap,
        ObjectKind::Function(_) | ObjectKind::Variadic(_) => Meaning::Internal,
    }
}
