//! What is known so far: the sets of registers and of parts of objects.

use super::layout::Shape;
use super::locals::LocalFacts;
use super::outside::{Leaving, Outside};
use super::set::{Flags, Set};
use super::{Object, ObjectId, ObjectKind};
use crate::flat::InstanceId;
use crate::typed::{Body, Expr, FuncId, Initial, LocalId, Program};

use crate::types::Ty;
use crate::violation::Properties;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Something with a set: a register, or a part of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeId(pub u32);

/// More parts of one object than this are not told apart.
pub const MAX_CELLS: usize = 256;

/// The values stored at a normalised offset.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub at: u64,
    /// Of the largest value stored there.
    pub size: u64,
    pub node: NodeId,
}

/// Values stored somewhere in an object.
#[derive(Clone, Copy, Debug)]
pub struct Blob {
    pub node: NodeId,
    /// If all of them have one size, which their offsets leave the same remainder of.
    pub grid: Option<Grid>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    pub size: u64,
    pub rest: u64,
}

/// The contents of an object.
#[derive(Clone, Debug)]
pub struct Contents {
    pub shape: Shape,
    /// In the order of their offsets.
    pub cells: Vec<Cell>,
    pub blob: Option<Blob>,
    /// All that is stored anywhere, with any offset in its objects.
    pub all: NodeId,
    /// Read by everything that depends on which parts there are; its set stays empty.
    pub structure: NodeId,
    /// What is there before anything is written.
    pub initial: Flags,
    pub writable: bool,
}

/// An activation as the analysis sees it.
#[derive(Clone, Debug)]
pub struct Activation<'p> {
    pub body: &'p Body,
    pub facts: Arc<LocalFacts>,
    /// The node of the first local; the others follow.
    registers: u32,
    /// The objects of the locals in memory.
    objects: Vec<Option<ObjectId>>,
}

pub struct State<'p> {
    pub program: &'p Program,
    /// Which calls are violations; only of programs that are not flat.
    pub properties: Option<&'p Properties>,
    pub nodes: Vec<Set>,
    pub public: Vec<Object>,
    pub contents: Vec<Contents>,
    pub by_kind: FxHashMap<ObjectKind, ObjectId>,
    /// By instance; none for those that are not active (yet).
    pub activations: Vec<Option<Activation<'p>>>,
    /// What every node holds if the analysis has given up: values of which nothing is known.
    pub everything: Option<Set>,
    pub outside: Outside,
    /// What functions return; only of programs that are not flat.
    pub returns: FxHashMap<FuncId, Vec<Option<&'p Expr>>>,
    /// The offsets and types of variable arguments, for objects that hold those of one call.
    pub slots: FxHashMap<ObjectKind, Option<Vec<(i64, Ty)>>>,
    facts: FxHashMap<FuncId, Arc<LocalFacts>>,
    globals: Vec<ObjectId>,
    functions: Vec<ObjectId>,
}

/// Reading access to a state that notes which nodes were read.
pub struct View<'a, 'p> {
    pub state: &'a State<'p>,
    pub reads: Vec<NodeId>,
    /// Addresses in the sets that were read.
    pub cost: usize,
    /// What leaves the program, if that is asked for.
    pub leaving: Option<Leaving>,
}

impl<'p> State<'p> {
    /// A state with the objects that exist from the start.
    pub fn new(program: &'p Program, properties: Option<&'p Properties>) -> State<'p> {
        let mut state = State {
            program,
            properties,
            nodes: Vec::new(),
            public: Vec::new(),
            contents: Vec::new(),
            by_kind: FxHashMap::default(),
            activations: Vec::new(),
            everything: None,
            outside: Outside::default(),
            returns: FxHashMap::default(),
            slots: FxHashMap::default(),
            facts: FxHashMap::default(),
            globals: Vec::new(),
            functions: Vec::new(),
        };
        for (index, function) in program.functions.iter().enumerate() {
            let kind = ObjectKind::Function(FuncId(index as u32));
            let object =
                Object { kind, size: Some(1), repeated: false, ty: Some(function.ty), align: 1 };
            let id = state.add(object, Shape::Bytes, Flags::NONE);
            state.contents[id.0 as usize].writable = false;
            state.functions.push(id);
        }
        for (index, global) in program.globals.iter().enumerate() {
            let kind = ObjectKind::Global(crate::typed::GlobalId(index as u32));
            let (size, ty) = (Some(global.size), Some(global.ty));
            let initial = match global.initial {
                Initial::External => Flags::ARBITRARY,
                Initial::Values(_) => Flags::NULL,
            };
            let align = global.align.max(program.types.align(global.ty));
            let object = Object { kind, size, repeated: false, ty, align };
            let id = state.add(object, Shape::Typed(global.ty), initial);
            state.contents[id.0 as usize].writable = !global.is_literal;
            state.globals.push(id);
        }
        state
    }

    pub fn node(&mut self) -> NodeId {
        self.nodes.push(Set::default());
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub fn add(&mut self, object: Object, shape: Shape, initial: Flags) -> ObjectId {
        let id = ObjectId(self.public.len() as u32);
        self.by_kind.insert(object.kind, id);
        self.public.push(object);
        let (structure, all) = (self.node(), self.node());
        self.contents.push(Contents {
            shape,
            all,
            cells: Vec::new(),
            blob: None,
            structure,
            initial,
            writable: true,
        });
        id
    }

    /// Makes the locals of an instance.
    pub fn activate(&mut self, instance: InstanceId, function: FuncId, body: &'p Body) {
        let index = instance.0 as usize;
        if self.activations.len() <= index {
            self.activations.resize(index + 1, None);
        }
        let program = self.program;
        let facts = self.facts.entry(function);
        let facts = facts.or_insert_with(|| Arc::new(LocalFacts::find(program, body))).clone();
        let registers = self.nodes.len() as u32;
        for local in 0..body.locals.len() {
            let node = self.node();
            if facts.uninitialised[local] {
                self.nodes[node.0 as usize].flags = Flags::UNINITIALISED;
            }
        }
        let mut objects = vec![None; body.locals.len()];
        for (local, object) in objects.iter_mut().enumerate() {
            if facts.in_memory[local] {
                *object = Some(self.add_local(instance, LocalId(local as u32), body, &facts));
            }
        }
        self.activations[index] = Some(Activation { body, facts, registers, objects });
    }

    fn add_local(
        &mut self,
        instance: InstanceId,
        local: LocalId,
        body: &Body,
        facts: &LocalFacts,
    ) -> ObjectId {
        let ty = body.local(local).ty;
        let size = Some(self.program.types.size(ty).unwrap_or(0));
        let kind = ObjectKind::Local(instance, local);
        let initial = match facts.uninitialised[local.0 as usize] {
            true => Flags::UNINITIALISED,
            false => Flags::NONE,
        };
        let align = body.local(local).align.max(self.program.types.align(ty));
        let object = Object { kind, size, repeated: false, ty: Some(ty), align };
        self.add(object, Shape::Typed(ty), initial)
    }

    pub fn activation(&self, instance: InstanceId) -> Option<&Activation<'p>> {
        self.activations.get(instance.0 as usize)?.as_ref()
    }

    pub fn in_memory(&self, instance: InstanceId, local: LocalId) -> bool {
        let facts = self.activation(instance).map(|activation| &activation.facts);
        facts.is_some_and(|facts| facts.in_memory.get(local.0 as usize) == Some(&true))
    }

    /// The node of a local in a register.
    pub fn register(&self, instance: InstanceId, local: LocalId) -> Option<NodeId> {
        let activation = self.activation(instance)?;
        let in_register = activation.facts.in_memory.get(local.0 as usize) == Some(&false);
        in_register.then(|| NodeId(activation.registers + local.0))
    }

    pub fn local(&self, instance: InstanceId, local: LocalId) -> Option<ObjectId> {
        self.activation(instance)?.objects.get(local.0 as usize).copied().flatten()
    }

    pub fn global(&self, id: crate::typed::GlobalId) -> ObjectId {
        self.globals[id.0 as usize]
    }

    pub fn function(&self, id: FuncId) -> ObjectId {
        self.functions[id.0 as usize]
    }

    /// From now on nothing is known of what is read from nodes.
    pub fn give_up(&mut self) {
        let flags = Flags::NULL.with(Flags::ARBITRARY).with(Flags::UNINITIALISED);
        self.everything = Some(Set::flags(flags));
    }

    /// The bytes that a value of this type occupies.
    pub fn width(&self, ty: Ty) -> u64 {
        let types = &self.program.types;
        types.float_kind(ty).map_or_else(|| types.size(ty).unwrap_or(0), |kind| kind.value_bytes())
    }
}

impl<'a, 'p> View<'a, 'p> {
    pub fn new(state: &'a State<'p>) -> View<'a, 'p> {
        View { state, reads: Vec::new(), cost: 0, leaving: None }
    }

    pub fn read(&mut self, node: NodeId) -> &'a Set {
        self.reads.push(node);
        let set = self.state.everything.as_ref().unwrap_or(&self.state.nodes[node.0 as usize]);
        self.cost += set.list.len() + 1;
        set
    }

    pub fn contents(&mut self, object: ObjectId) -> &'a Contents {
        let contents = &self.state.contents[object.0 as usize];
        self.reads.push(contents.structure);
        contents
    }

    pub fn extent(&self, object: ObjectId) -> Option<u64> {
        self.state.public[object.0 as usize].size
    }
}
