//! Variables that live again.
//!
//! The variable of a block that begins again, or of a function that is called again, is another object
//! than before, and a pointer to the old one leads nowhere. In the model both have the same bytes. Where a
//! register is all that may keep an address from one life to the next, the register is made invalid when
//! the life ends. Any other variable that may be referred to by something that outlives it has two
//! addresses, and each life is at one of them, which is arbitrary: for every use of an old pointer
//! there is a run of the model in which it is the wrong address, and a pointer to the present object is
//! always right. Comparisons of an old pointer with a new one may give either result, as in C.
//!
//! Arrays of variable length and what `alloca` gives are objects of a pool, a new one each time. Of
//! those that end with their activation only the newest one exists.
//!
//! Variables that were given to the environment (see `points/crowd.rs`) are anywhere in the upper
//! half, each life at a place of its own: which addresses are compared is not known of them.
//!
//! All of the rest is for programs whose accesses are checked; otherwise an access to an object that has
//! ended may as well go on.

use super::address::Located;
use super::lost::{ALIGNED, UPPER};
use super::{ChoicePointKind, Encoder};
use crate::flat::{Flat, FlatBlockId, FlatStmt, InstanceId};
use crate::points::{ObjectId, ObjectKind, Points};
use crate::source::Position;
use crate::typed::{LocalId, ScopeId, StmtKind};
use crate::types::Ty;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Sort, Term};

/// Neither null nor the address of an object.
const NOWHERE: u64 = 16;

/// What may keep the addresses of variables that live again.
#[derive(Default)]
pub struct Kept {
    /// Those that have two addresses.
    pub twofold: FxHashSet<ObjectId>,
    /// The registers that may hold the addresses of the others.
    registers: Vec<(ObjectId, InstanceId, LocalId)>,
    /// All variables that live again.
    pub reborn: Vec<ObjectId>,
}

#[derive(Default)]
pub struct Again {
    /// At which of its two addresses an object is.
    places: FxHashMap<ObjectId, Term>,
    /// Which address a variable of the crowd has.
    crowded: FxHashMap<ObjectId, Term>,
    /// The registers that become invalid when an object ends.
    holders: FxHashMap<ObjectId, Vec<Term>>,
    /// The number of the newest object of a pool, and whether older ones may exist.
    newest: FxHashMap<ObjectId, (Term, bool)>,
}

/// Where a variable belongs.
type Home = (InstanceId, ScopeId);

impl Kept {
    pub fn find(flat: &Flat, points: &Points, on_cycle: &[bool]) -> Kept {
        let reborn = reborn(flat, points, on_cycle);
        let mut kept = Kept::default();
        if reborn.is_empty() {
            return kept;
        }
        kept.reborn = reborn.keys().copied().collect();
        for (index, instance) in flat.instances.iter().enumerate() {
            let id = InstanceId(index as u32);
            for (number, local) in instance.body.locals.iter().enumerate() {
                let variable = LocalId(number as u32);
                if points.in_memory(id, variable) {
                    continue;
                }
                let is_plain = flat.program.types.is_pointer(local.ty) && !flat.is_shared(id);
                for object in points.held_in(id, variable) {
                    let Some(&home) = reborn.get(&object) else { continue };
                    if outlives(flat, (id, local.scope), home) {
                        match is_plain {
                            true => kept.registers.push((object, id, variable)),
                            false => drop(kept.twofold.insert(object)),
                        }
                    }
                }
            }
        }
        for (index, holder) in points.objects().iter().enumerate() {
            let lives = match holder.kind {
                ObjectKind::Local(instance, local) => {
                    Some((instance, flat.instance(instance).body.local(local).scope))
                }
                ObjectKind::Variadic(instance) => Some((instance, ScopeId(0))),
                _ => None,
            };
            for object in points.stored_in(ObjectId(index as u32)) {
                let Some(&home) = reborn.get(&object) else { continue };
                if lives.is_none_or(|lives| outlives(flat, lives, home)) {
                    kept.twofold.insert(object);
                }
            }
        }
        kept.registers.retain(|(object, ..)| !kept.twofold.contains(object));
        kept
    }

    /// Variables whose old addresses are compared have two addresses, whoever holds them. The others
    /// matter only where accesses are checked.
    pub fn compare(&mut self, compared: &FxHashSet<ObjectId>, is_checked: bool) {
        let held = self.registers.iter().map(|(object, ..)| *object);
        self.twofold.extend(held.filter(|object| compared.contains(object)));
        self.registers.retain(|(object, ..)| is_checked && !compared.contains(object));
        self.twofold.retain(|object| is_checked || compared.contains(object));
    }

    /// The variables that live again, and to which no old pointer leads.
    pub fn forgotten(&self) -> FxHashSet<ObjectId> {
        let held = self.registers.iter().map(|(object, ..)| *object);
        let kept: FxHashSet<ObjectId> = held.chain(self.twofold.iter().copied()).collect();
        self.reborn.iter().copied().filter(|object| !kept.contains(object)).collect()
    }
}

/// The variables that may begin to live more than once, and where they belong.
fn reborn(flat: &Flat, points: &Points, on_cycle: &[bool]) -> FxHashMap<ObjectId, Home> {
    let mut found = FxHashMap::default();
    let blocks = flat.blocks.iter().zip(on_cycle).filter(|(_, on_cycle)| **on_cycle);
    for (block, _) in blocks {
        for statement in &block.statements {
            let (kind, instance, scope) = match statement {
                FlatStmt::Plain(statement) => match statement.kind {
                    StmtKind::End(id) => {
                        let scope = flat.instance(block.instance).body.local(id).scope;
                        (ObjectKind::Local(block.instance, id), block.instance, scope)
                    }
                    _ => continue,
                },
                FlatStmt::Bind { callee, parameter, .. } => {
                    (ObjectKind::Local(*callee, *parameter), *callee, ScopeId(0))
                }
                FlatStmt::Variadic { callee, .. } => {
                    (ObjectKind::Variadic(*callee), *callee, ScopeId(0))
                }
                _ => continue,
            };
            if let Some(object) = points.object_of(kind) {
                found.insert(object, (instance, scope));
            }
        }
    }
    found
}

/// Whether a variable may exist longer than one that belongs elsewhere: it is one of an activation
/// around, or of a block around. What is around a single body is not known.
fn outlives(flat: &Flat, (holder, outer): Home, (owner, inner): Home) -> bool {
    if holder == owner {
        let scopes = &flat.instance(owner).body.scopes;
        let mut next = Some(outer);
        while let Some(now) = next {
            if now == inner {
                return false;
            }
            next = scopes[now.0 as usize].parent;
        }
        return true;
    }
    let mut around = flat.is_single(owner);
    let mut next = flat.instance(owner).caller;
    while let Some((now, _)) = next {
        around |=
            now == holder || flat.is_single(now) || flat.is_shared(now) && flat.is_shared(holder);
        next = flat.instance(now).caller;
    }
    around
}

impl Encoder<'_, '_> {
    pub(super) fn make_again(&mut self, kept: &Kept) {
        let mut twofold: Vec<ObjectId> = kept.twofold.iter().copied().collect();
        twofold.sort_unstable();
        for object in twofold {
            let bit = self.temporary("life", Sort::BOOL);
            self.again.places.insert(object, bit);
        }
        self.place_crowd();
        for &(object, instance, local) in &kept.registers {
            if let Some(register) = self.register(instance, local) {
                self.again.holders.entry(object).or_default().push(register);
            }
        }
        for index in 0..self.storage.len() {
            let id = ObjectId(index as u32);
            let object = self.points.object(id);
            let ObjectKind::Site(block, _) = object.kind else { continue };
            if !object.repeated || !self.ends_with_activation(id) {
                continue;
            }
            let (is_reentered, is_repeated) = self.repetitions(block);
            let is_array = self.is_variable_array(id);
            if is_reentered || is_array {
                let width = self.storage.get(id).instance_bits() + 1;
                let newest = self.temporary("newest", Sort::Bv(width));
                self.again.newest.insert(id, (newest, is_repeated && !is_array));
            }
        }
    }

    /// Makes the addresses of the variables of the crowd, arbitrary from the start.
    fn place_crowd(&mut self) {
        let width = self.pointer_width - UPPER - ALIGNED;
        for index in 0..self.storage.len() {
            let id = ObjectId(index as u32);
            let kind = self.points.object(id).kind;
            let is_local = matches!(kind, ObjectKind::Local(..) | ObjectKind::Variadic(_));
            if is_local && self.points.is_crowded(id) {
                let middle = self.temporary("place", Sort::Bv(width));
                self.again.crowded.insert(id, middle);
            }
        }
    }

    /// Whether a block may be executed again after its activation has ended, and in the same one.
    fn repetitions(&self, block: FlatBlockId) -> (bool, bool) {
        let flat = self.flat;
        let owner = flat.block(block).instance;
        let is_inside = |id: FlatBlockId| {
            let mut next = Some(flat.block(id).instance);
            while let Some(now) = next {
                if now == owner {
                    return true;
                }
                next = flat.instance(now).caller.map(|(caller, _)| caller);
            }
            false
        };
        // Each block with whether the way to it has left the activation.
        let mut seen: FxHashSet<(FlatBlockId, bool)> = FxHashSet::default();
        let mut work = vec![(block, false)];
        while let Some((from, has_left)) = work.pop() {
            for next in flat.block(from).terminator.successors() {
                let step = (next, has_left || !is_inside(next));
                if seen.insert(step) {
                    work.push(step);
                }
            }
        }
        let is_shared = flat.is_shared(owner);
        (seen.contains(&(block, true)) || is_shared, seen.contains(&(block, false)))
    }

    /// Where an object is at present.
    pub(super) fn place_of(&mut self, object: ObjectId) -> Term {
        if let Some(&middle) = self.again.crowded.get(&object) {
            let middle = self.step.current(middle);
            return self.in_upper_half(middle);
        }
        let stored = self.storage.get(object);
        let (base, chunk) = (stored.base, 1u64 << stored.offset_bits);
        let here = self.cfa.terms.number(self.pointer_width, base);
        let Some(&place) = self.again.places.get(&object) else { return here };
        let is_other = self.step.current(place);
        let there = self.cfa.terms.number(self.pointer_width, base + chunk);
        self.cfa.terms.ite(is_other, there, here)
    }

    /// Whether an address is the one of a variable with two at which it is not at present.
    pub(super) fn elsewhere_of(&mut self, address: Term, object: ObjectId) -> Option<Term> {
        self.again.places.get(&object)?;
        let stored = self.storage.get(object);
        let (low, base) = (stored.offset_bits, stored.base);
        let (here, _) = self.is_at(address, object, None);
        let width = self.pointer_width;
        let terms = &mut self.cfa.terms;
        let base = terms.number(width, base);
        let upper = terms.slice(address, width - 1, low + 1);
        let wanted = terms.slice(base, width - 1, low + 1);
        let (around, away) = (terms.eq(upper, wanted), terms.not(here));
        Some(terms.and(around, away))
    }

    /// Whether an object has two addresses.
    pub(super) fn is_twofold(&self, object: ObjectId) -> bool {
        self.again.places.contains_key(&object)
    }

    /// The life of a variable has ended, or another one begins: old pointers lead nowhere.
    pub(super) fn end_life(&mut self, kind: ObjectKind, at: Position) {
        let Some(object) = self.points.object_of(kind) else { return };
        let instance = match kind {
            ObjectKind::Local(instance, _) | ObjectKind::Variadic(instance) => instance,
            _ => InstanceId(0),
        };
        if let Some(&middle) = self.again.crowded.get(&object) {
            let width = self.cfa.terms.width(middle);
            let some = self.arbitrary(ChoicePointKind::Other, Ty::VOID, width, instance, at);
            self.step.update(middle, some);
        }
        if let Some(&place) = self.again.places.get(&object) {
            let some = self.arbitrary(ChoicePointKind::Other, Ty::VOID, 1, instance, at);
            self.step.update(place, some);
        }
        for register in self.again.holders.get(&object).cloned().unwrap_or_default() {
            let now = self.step.current(register);
            let (leads_here, _) = self.is_at(now, object, None);
            let nowhere = self.cfa.terms.number(self.pointer_width, NOWHERE);
            let new = self.cfa.terms.ite(leads_here, nowhere, now);
            self.step.update(register, new);
        }
    }

    /// A pool has a new object, with this number unless it is lost.
    pub(super) fn set_newest(&mut self, object: ObjectId, counter: Term, lost: Term) {
        let Some(&(newest, _)) = self.again.newest.get(&object) else { return };
        let terms = &mut self.cfa.terms;
        let none = terms.ones(terms.width(newest));
        let number = terms.ite(lost, none, counter);
        self.step.update(newest, number);
    }

    /// Whether a place is in an object whose activation goes on, if that is open.
    pub(super) fn is_newest(&mut self, spot: &Located, at: (InstanceId, Position)) -> Option<Term> {
        let &(newest, has_others) = self.again.newest.get(&spot.object)?;
        let newest = self.step.current(newest);
        let terms = &mut self.cfa.terms;
        let width = terms.width(newest);
        let which = match spot.instance {
            Some(which) => terms.zext(which, width - terms.width(which)),
            None => terms.zero(width),
        };
        let same = terms.eq(which, newest);
        if !has_others {
            return Some(same);
        }
        // Which of the others are of this activation is not known.
        let some = self.arbitrary(ChoicePointKind::Other, Ty::VOID, 1, at.0, at.1);
        Some(self.cfa.terms.or(same, some))
    }
}
