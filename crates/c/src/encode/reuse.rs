//! Objects that may be where others have been.
//!
//! When an object has ended, a new one may get its address: memory is allocated again after `free`,
//! `realloc` leaves an object where it is, variables of blocks and calls share a place on the stack. An old
//! pointer, or a number made from it, may then be equal to a new one (C11 6.2.4 p2 promises
//! nothing about its value). In the model every object has an address of its own, so the result of such a
//! comparison is arbitrary. That needs three things: the new object may have begun after the old one
//! ended, which an analysis of the flat program tells for each pair of objects that are compared; the old
//! one has ended now, for which allocated objects have a bit; and the two are different ones. Variables
//! that live again have two addresses ([`again`](super::again)), and who is at the wrong one is old.
//!
//! Objects that are alive at the same time are never equal, so programs that free nothing before they
//! allocate, or do not compare what they keep, pay nothing.

use super::Encoder;
use super::blocks::{Set, plain};
use super::jumps::objects_of;
use crate::flat::{Flat, FlatBlock, FlatStmt, FlatTerminator, InstanceId};
use crate::library::bodies::PREFIX;
use crate::library::{FunctionModel, model};
use crate::points::{ObjectId, ObjectKind, Points};
use crate::typed::{BinaryOp, Expr, ExprKind, LocalId, Place, PlaceKind, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::Term;

/// The pairs of objects of which one may be where the other one was.
#[derive(Default)]
pub struct Reuse {
    /// The old object and the new one.
    after: FxHashSet<(ObjectId, ObjectId)>,
    /// The bits of the objects that are compared.
    bits: FxHashMap<ObjectId, usize>,
    /// By block of the flat program: those that may have ended at its end.
    ended: Vec<Set>,
    /// The block that is translated.
    pub now: usize,
    /// Variables that live more than once, and to whom no old pointer leads.
    pub forgotten: FxHashSet<ObjectId>,
}

impl Reuse {
    pub fn find(flat: &Flat, points: &Points) -> Reuse {
        let mut found = Reuse::default();
        let compared = Comparisons::find(flat, points);
        for object in compared {
            let bit = found.bits.len();
            found.bits.entry(object).or_insert(bit);
        }
        if found.bits.is_empty() {
            return found;
        }
        let mut flow = Flow::new(flat, points, &found.bits);
        flow.run();
        found.after = flow.after;
        found.ended = flow.ends.into_iter().map(|state| state.ended).collect();
        found
    }

    /// The objects whose old addresses may be those of new ones.
    pub fn old(&self) -> FxHashSet<ObjectId> {
        self.after.iter().map(|(old, _)| *old).collect()
    }

    /// Whether the old addresses of an object are compared.
    pub fn is_old(&self, object: ObjectId) -> bool {
        self.after.iter().any(|(old, _)| *old == object)
    }

    /// Whether the second object may be where the first one was, which may have ended here.
    fn is_after(&self, old: ObjectId, new: ObjectId) -> bool {
        self.after.contains(&(old, new)) && has(&self.ended[self.now], self.bits[&old])
    }
}

/// The objects of which addresses are compared.
struct Comparisons<'a, 'p> {
    points: &'a Points<'p>,
    flat: &'a Flat<'p>,
    found: Vec<ObjectId>,
}

impl<'a, 'p> Comparisons<'a, 'p> {
    fn find(flat: &'a Flat<'p>, points: &'a Points<'p>) -> Vec<ObjectId> {
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

/// The objects that may have begun, and those that may have ended, of some life.
#[derive(Clone, PartialEq)]
struct State {
    born: Set,
    ended: Set,
}

/// Which objects begin after which have ended: a forward analysis.
struct Flow<'a, 'p> {
    flat: &'a Flat<'p>,
    points: &'a Points<'p>,
    bits: &'a FxHashMap<ObjectId, usize>,
    /// The activation with which an object ends.
    owners: FxHashMap<ObjectId, InstanceId>,
    /// Arrays of variable length by the variable that stands for them.
    arrays: FxHashMap<(InstanceId, LocalId), Vec<ObjectId>>,
    starts: Vec<State>,
    ends: Vec<State>,
    after: FxHashSet<(ObjectId, ObjectId)>,
}

impl<'a, 'p> Flow<'a, 'p> {
    fn new(
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

    fn run(&mut self) {
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
        let site = ObjectKind::Site(crate::flat::FlatBlockId(block as u32), number);
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

fn has(set: &Set, bit: usize) -> bool {
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

impl Encoder<'_, '_> {
    /// Conditions under which one of two addresses is that of an object that has ended, and the other
    /// one of an object that may be in its place.
    pub(super) fn reused(
        &mut self,
        instance: InstanceId,
        (a, left): (Term, &[ObjectId]),
        (b, right): (Term, &[ObjectId]),
        open: &mut Vec<Term>,
    ) {
        if self.reuse.after.is_empty() {
            return;
        }
        for &one in left {
            for &other in right {
                if self.reuse.is_after(one, other) {
                    self.takes_place(instance, (a, one), (b, other), open);
                }
                if self.reuse.is_after(other, one) {
                    self.takes_place(instance, (b, other), (a, one), open);
                }
            }
        }
    }

    fn takes_place(
        &mut self,
        instance: InstanceId,
        (old, first): (Term, ObjectId),
        (new, second): (Term, ObjectId),
        open: &mut Vec<Term>,
    ) {
        let is_site = matches!(self.points.object(first).kind, ObjectKind::Site(..));
        if self.reuse.forgotten.contains(&first) || first == second && !is_site {
            return;
        }
        // A variable that lives again is at the other of its addresses, unless its activation has ended.
        let (is_old, which) = match self.elsewhere_of(old, first) {
            Some(elsewhere) if self.is_open(first, instance) => (elsewhere, None),
            elsewhere => self.at_any(old, first, elsewhere),
        };
        let elsewhere = self.elsewhere_of(new, second);
        let (is_new, whose) = self.at_any(new, second, elsewhere);
        let (old_lost, new_lost) = (self.lost_of(old, first), self.lost_of(new, second));
        let mut all = vec![is_old, is_new];
        if let Some(exists) = self.exists_still(first, which) {
            all.push(self.cfa.terms.not(exists));
        }
        // The objects of a pool are numbered in the order in which they begin.
        if let (true, Some(which), Some(whose)) = (first == second, which, whose) {
            all.push(self.cfa.terms.ult(which, whose));
        }
        open.push(self.cfa.terms.and_all(&all));
        // Of a lost object it is not known whether it has ended.
        let terms = &mut self.cfa.terms;
        if let Some(old_lost) = old_lost {
            open.push(terms.and(old_lost, is_new));
        }
        if let Some(new_lost) = new_lost {
            let is_ended = terms.and_all(&[is_old, new_lost]);
            open.push(is_ended);
        }
    }

    /// Whether an address is in the chunk of an object, or in the other one that it has.
    fn at_any(
        &mut self,
        address: Term,
        object: ObjectId,
        elsewhere: Option<Term>,
    ) -> (Term, Option<Term>) {
        let (here, which) = self.is_around(address, object);
        match elsewhere {
            Some(elsewhere) => (self.cfa.terms.or(here, elsewhere), which),
            None => (here, which),
        }
    }

    fn lost_of(&mut self, address: Term, object: ObjectId) -> Option<Term> {
        (self.forget && self.can_be_lost(object)).then(|| self.is_lost(address))
    }
}
