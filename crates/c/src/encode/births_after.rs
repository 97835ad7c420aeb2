//! Which objects may begin after which others have ended: a forward analysis of the flat program, with the
//! objects that may have begun and those that may have ended at each place.

use super::blocks::{Set, plain};
use super::jumps::objects_of;
use crate::flat::{Flat, FlatBlock, FlatBlockId, FlatStmt, FlatTerminator, InstanceId};
use crate::library::bodies::PREFIX;
use crate::library::{FunctionModel, model};
use crate::points::{ObjectId, ObjectKind, Points};
use crate::typed::{Expr, LocalId, PlaceKind, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// The objects that may have begun, and those that may have ended, of some life.
#[derive(Clone, PartialEq)]
pub struct State {
    born: Set,
    pub ended: Set,
}

/// Which objects begin after which have ended: a forward analysis.
pub struct Flow<'a, 'p> {
    flat: &'a Flat<'p>,
    points: &'a Points<'p>,
    bits: &'a FxHashMap<ObjectId, usize>,
    /// The activation with which an object ends.
    owners: FxHashMap<ObjectId, InstanceId>,
    /// Arrays of variable length by the variable that stands for them.
    arrays: FxHashMap<(InstanceId, LocalId), Vec<ObjectId>>,
    starts: Vec<State>,
    pub ends: Vec<State>,
    pub after: FxHashSet<(ObjectId, ObjectId)>,
}

impl<'a, 'p> Flow<'a, 'p> {
    pub fn new(
        flat: &'a Flat<'p>,
        points: &'a Points<'p>,
        bits: &'a FxHashMap<ObjectId, usize>,
    ) -> Flow<'a, 'p> {
        let none = vec![0; bits.len().div_ceil(64)];
        let nothing = State { born: none.clone(), ended: none };
        let (mut owners, mut arrays) = (FxHashMap::default(), FxHashMap::default());
        for &object in bits.keys() {
            match points.object(object).kind {
                ObjectKind::Local(owner, _) | ObjectKind::Variadic(owner) => {
                    owners.insert(object, owner);
                }
                ObjectKind::Site(block, statement) => {
                    let block = flat.block(block);
                    let statement = &block.statements[statement];
                    if let Some(StmtKind::Allocate { pointer, .. }) = plain(statement)
                        && let PlaceKind::Local(id) = pointer.kind
                    {
                        let list: &mut Vec<ObjectId> =
                            arrays.entry((block.instance, id)).or_default();
                        list.push(object);
                    }
                    if !is_heap(flat, statement) {
                        owners.insert(object, block.instance);
                    }
                }
                ObjectKind::Global(_) | ObjectKind::Function(_) => {}
            }
        }
        let (starts, ends) = (vec![nothing.clone(); flat.blocks.len()], Vec::new());
        let after = FxHashSet::default();
        Flow { flat, points, bits, owners, arrays, starts, ends, after }
    }

    pub fn run(&mut self) {
        let flat = self.flat;
        // Blocks are in reverse postorder, so that few rounds are needed.
        loop {
            let mut changed = false;
            self.ends.clear();
            for (index, block) in flat.blocks.iter().enumerate() {
                let mut now = self.starts[index].clone();
                for (number, statement) in block.statements.iter().enumerate() {
                    self.step(block.instance, (index, number), statement, &mut now);
                }
                for next in block.terminator.successors() {
                    let mut there = now.clone();
                    self.leave(block, flat.block(next).instance, &mut there);
                    let start = &mut self.starts[next.0 as usize];
                    changed |= join(&mut start.born, &there.born);
                    changed |= join(&mut start.ended, &there.ended);
                }
                self.ends.push(now);
            }
            if !changed {
                return;
            }
        }
    }

    /// The objects of activations that have been left end.
    fn leave(&self, from: &FlatBlock, to: InstanceId, state: &mut State) {
        let is_back = matches!(from.terminator, FlatTerminator::Back { .. });
        if from.instance == to && !is_back {
            return;
        }
        let mut open = vec![to];
        while let Some((caller, _)) = self.flat.instance(open[open.len() - 1]).caller {
            open.push(caller);
        }
        for (&object, owner) in &self.owners {
            if !open.contains(owner) || is_back && self.flat.is_shared(*owner) {
                self.end(object, state);
            }
        }
    }

    fn step(
        &mut self,
        instance: InstanceId,
        (block, number): (usize, usize),
        statement: &FlatStmt,
        state: &mut State,
    ) {
        let local = |id: LocalId| self.points.object_of(ObjectKind::Local(instance, id));
        let site = ObjectKind::Site(FlatBlockId(block as u32), number);
        let site = self.points.object_of(site);
        match statement {
            FlatStmt::Plain(statement) => match &statement.kind {
                StmtKind::Begin(id) => self.begin(local(*id), state),
                StmtKind::End(id) => {
                    let arrays = self.arrays.get(&(instance, *id)).into_iter().flatten();
                    for object in local(*id).iter().chain(arrays) {
                        self.end(*object, state);
                    }
                }
                StmtKind::Allocate { .. } => self.begin(site, state),
                _ => {}
            },
            FlatStmt::Bind { callee, parameter, .. } => {
                self.again(ObjectKind::Local(*callee, *parameter), state);
            }
            FlatStmt::Variadic { callee, .. } => self.again(ObjectKind::Variadic(*callee), state),
            FlatStmt::Rebind { callee, .. } => {
                for number in 0..self.flat.instance(*callee).body.locals.len() {
                    self.again(ObjectKind::Local(*callee, LocalId(number as u32)), state);
                }
            }
            FlatStmt::External { function, arguments, .. } => {
                let name = &self.flat.program.function(*function).name;
                if matches!(model(name), Some(FunctionModel::Free | FunctionModel::Realloc))
                    && let Some(pointer) = arguments.first()
                {
                    self.free(instance, pointer, state);
                }
                if site.is_some() {
                    self.reallocate(instance, state);
                }
                self.begin(site, state);
            }
            _ => {}
        }
    }

    fn begin(&mut self, object: Option<ObjectId>, state: &mut State) {
        let Some(object) = object else { return };
        let Some(&bit) = self.bits.get(&object) else { return };
        let old = self.bits.iter().filter(|(_, bit)| has(&state.ended, **bit));
        self.after.extend(old.map(|(old, _)| (*old, object)));
        state.born[bit / 64] |= 1 << (bit % 64);
    }

    fn end(&self, object: ObjectId, state: &mut State) {
        if let Some(&bit) = self.bits.get(&object)
            && has(&state.born, bit)
        {
            state.ended[bit / 64] |= 1 << (bit % 64);
        }
    }

    /// An activation begins, and those before it have ended.
    fn again(&mut self, kind: ObjectKind, state: &mut State) {
        let Some(object) = self.points.object_of(kind) else { return };
        self.end(object, state);
        self.begin(Some(object), state);
    }

    fn free(&self, instance: InstanceId, pointer: &Expr, state: &mut State) {
        let targets = self.points.value(instance, pointer);
        let all = targets.arbitrary;
        let freed = objects_of(&targets);
        for &object in self.bits.keys() {
            if !self.owners.contains_key(&object) && (all || freed.contains(&object)) {
                self.end(object, state);
            }
        }
    }

    /// The library's `realloc` makes the new object before it ends the old one, of which it may be
    /// in the place.
    fn reallocate(&self, instance: InstanceId, state: &mut State) {
        let function = self.flat.program.function(self.flat.instance(instance).function);
        let name = function.name.strip_prefix(PREFIX).unwrap_or(&function.name);
        if function.is_library && name == "realloc" {
            for object in self.points.held_in(instance, LocalId(0)) {
                self.end(object, state);
            }
        }
    }
}

/// Whether what a statement makes lasts until it is freed.
fn is_heap(flat: &Flat, statement: &FlatStmt) -> bool {
    match statement {
        FlatStmt::External { function, .. } => {
            model(&flat.program.function(*function).name) != Some(FunctionModel::Alloca)
        }
        _ => false,
    }
}

pub fn has(set: &Set, bit: usize) -> bool {
    set[bit / 64] >> (bit % 64) & 1 == 1
}

/// Adds what is in another set, and tells whether that was anything.
fn join(set: &mut Set, more: &Set) -> bool {
    let mut changed = false;
    for (word, more) in set.iter_mut().zip(more) {
        changed |= more & !*word != 0;
        *word |= more;
    }
    changed
}
