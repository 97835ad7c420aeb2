//! Lives of objects, where memory safety is asked for.
//!
//! Each object of an allocation site has a bit that tells whether it exists: it has been allocated
//! and not been freed. Where the size is not a constant, it is kept beside it. Local variables need
//! no bit: the activations that are open at a place of the flat program are those on the way from
//! `main` to it.
//!
//! When the program ends, objects that exist are left over (`valid-memcleanup`). They are lost if no
//! chain of pointers leads to them (`valid-memtrack`); since a run need not end, this is looked at
//! where loops begin as well. Only pointers in single variables are
//! followed, so an object may be called lost here that is not; the replay knows better.

use super::Encoder;
use super::address::{Element, Located};
use super::jumps::objects_of;
use super::memory::Access;
use super::storage::Cells;
use crate::error::Fault;
use crate::flat::{FlatStmt, InstanceId};
use crate::library::{FunctionModel, model};
use crate::points::{ObjectId, ObjectKind};
use crate::typed::Expr;
use crate::violation::Kind;
use rustc_hash::FxHashMap;
use wedge_logic::{Sort, Term};

/// Chains of pointers longer than this are not followed.
const MAX_CHAIN: usize = 16;

#[derive(Default)]
pub struct Lives {
    /// Whether it matters which objects exist.
    pub are_tracked: bool,
    /// For each object of a site, in the order of the pool: whether it exists.
    exist: FxHashMap<ObjectId, Vec<Term>>,
    /// And its size, where it is not a constant.
    sizes: FxHashMap<ObjectId, Vec<Term>>,
    /// The addresses of hollow objects.
    bases: FxHashMap<ObjectId, Term>,
    /// An object of a pool was allocated for which there is no room.
    lost: Option<Term>,
}

impl Encoder<'_, '_> {
    pub(super) fn make_lives(&mut self) {
        self.lives.are_tracked = true;
        for index in 0..self.storage.len() {
            let id = ObjectId(index as u32);
            let ObjectKind::Site(..) = self.points.object(id).kind else { continue };
            let instances = self.storage.get(id).instances;
            if self.is_heap(id) {
                let list = (0..instances).map(|_| self.temporary("exists", Sort::BOOL)).collect();
                self.lives.exist.insert(id, list);
            }
            if self.points.object(id).size.is_none() {
                let sort = Sort::Bv(self.pointer_width);
                let list = (0..instances).map(|_| self.temporary("size", sort)).collect();
                self.lives.sizes.insert(id, list);
                if self.is_hollow(id) {
                    let base = self.temporary("base", sort);
                    self.lives.bases.insert(id, base);
                }
            }
        }
        if self.forget {
            self.lives.lost = Some(self.temporary("lost", Sort::BOOL));
        }
    }

    /// Bits for the objects of some sites only: nothing is checked, but it matters whether they have
    /// been freed.
    pub(super) fn make_bits(&mut self, mut sites: Vec<ObjectId>) {
        sites.sort_unstable();
        for id in sites {
            if self.is_heap(id) && !self.lives.exist.contains_key(&id) {
                let instances = self.storage.get(id).instances;
                let list = (0..instances).map(|_| self.temporary("exists", Sort::BOOL)).collect();
                self.lives.exist.insert(id, list);
            }
        }
    }

    /// Whether an object of a site has not been freed, where that is known.
    pub(super) fn exists_still(&mut self, object: ObjectId, which: Option<Term>) -> Option<Term> {
        let list = self.lives.exist.get(&object)?.clone();
        self.numbered(&list, which)
    }

    /// At the start there are no allocated objects.
    pub(super) fn start_lives(&mut self) {
        let all = self.lives.exist.values().flatten().chain(&self.lives.lost);
        let mut all: Vec<Term> = all.copied().collect();
        all.sort_unstable();
        for variable in all {
            let none = self.cfa.terms.bool(false);
            self.step.update(variable, none);
        }
    }

    /// The function that makes the objects of a site.
    fn maker(&self, id: ObjectId) -> Option<FunctionModel> {
        let ObjectKind::Site(block, statement) = self.points.object(id).kind else { return None };
        match &self.flat.blocks[block.0 as usize].statements[statement] {
            FlatStmt::External { function, .. } => model(&self.program.function(*function).name),
            _ => Some(FunctionModel::Alloca),
        }
    }

    /// Whether the objects of a site last until they are freed.
    fn is_heap(&self, id: ObjectId) -> bool {
        let maker = self.maker(id);
        maker.is_some_and(|maker| !matches!(maker, FunctionModel::Alloca | FunctionModel::Keep))
    }

    /// Whether the objects of a site last until their activation ends.
    pub(super) fn ends_with_activation(&self, id: ObjectId) -> bool {
        self.maker(id) == Some(FunctionModel::Alloca)
    }

    /// Whether the objects of a site are those of an array of variable length.
    pub(super) fn is_variable_array(&self, id: ObjectId) -> bool {
        let ObjectKind::Site(block, statement) = self.points.object(id).kind else { return false };
        let statement = &self.flat.blocks[block.0 as usize].statements[statement];
        matches!(statement, FlatStmt::Plain(_))
    }

    /// The next object of a site comes into being, unless it is lost. `counter` is its number.
    pub(super) fn begin_life(
        &mut self,
        object: ObjectId,
        counter: Option<Term>,
        size: Term,
        lost: Term,
    ) {
        if !self.lives.are_tracked && !self.lives.exist.contains_key(&object) {
            return;
        }
        let has_base = self.lives.bases.contains_key(&object);
        let lost = if has_base { self.cfa.terms.bool(false) } else { lost };
        if let Some(flag) = self.lives.lost {
            let now = self.step.current(flag);
            let next = self.cfa.terms.or(now, lost);
            self.step.update(flag, next);
        }
        let kept = self.cfa.terms.not(lost);
        let exist = self.lives.exist.get(&object).cloned().unwrap_or_default();
        let yes = self.cfa.terms.bool(true);
        self.update_numbered(&exist, counter, kept, yes);
        let sizes = self.lives.sizes.get(&object).cloned().unwrap_or_default();
        self.update_numbered(&sizes, counter, kept, size);
    }

    /// Keeps the address of a hollow object.
    pub(super) fn set_base(&mut self, object: ObjectId, address: Term) {
        if let Some(&base) = self.lives.bases.get(&object) {
            self.step.update(base, address);
        }
    }

    /// Whether an address leads to `size` bytes of a hollow object. If it may be one of several, the
    /// pointer that it starts from tells which one.
    pub(super) fn lost_exists(&mut self, access: &Access, address: Term, size: u64) -> Term {
        let mut all = Vec::new();
        let is_mixed = objects_of(&access.targets).len() > 1;
        let start = access.address.start().map(|(start, _)| start).filter(|_| is_mixed);
        let mut done: Vec<ObjectId> = Vec::new();
        for target in &access.targets.list {
            let object = target.object;
            if done.contains(&object) || !self.is_open(object, access.instance) {
                continue;
            }
            done.push(object);
            let Some(offset) = self.offset_in(object, address) else { continue };
            let Some(has) = self.size_of(object, None) else { continue };
            let terms = &mut self.cfa.terms;
            let bytes = terms.number(terms.width(has), size);
            let (fits, rest) = (terms.ule(bytes, has), terms.sub(has, bytes));
            let inside = terms.ule(offset, rest);
            let inside = terms.and(fits, inside);
            let exist = self.lives.exist.get(&object).cloned().unwrap_or_default();
            let exists = self.numbered(&exist, None);
            let in_block = self.is_in_block(object);
            let from_here = start.map(|start| self.is_around(start, object).0);
            let conditions: Vec<Term> =
                [Some(inside), exists, in_block, from_here].into_iter().flatten().collect();
            all.push(self.cfa.terms.and_all(&conditions));
        }
        self.cfa.terms.or_all(&all)
    }

    /// How far an address is behind that of a hollow object.
    pub(super) fn offset_in(&mut self, object: ObjectId, address: Term) -> Option<Term> {
        let base = *self.lives.bases.get(&object)?;
        let base = self.base_of(object, base);
        Some(self.cfa.terms.sub(address, base))
    }

    /// Gives the variable with a number a value, under a condition.
    fn update_numbered(
        &mut self,
        list: &[Term],
        number: Option<Term>,
        condition: Term,
        value: Term,
    ) {
        for (index, &variable) in list.iter().enumerate() {
            let now = self.step.current(variable);
            let terms = &mut self.cfa.terms;
            let is_meant = match number {
                Some(number) => {
                    let index = terms.number(terms.width(number), index as u64);
                    let same = terms.eq(number, index);
                    terms.and(same, condition)
                }
                None => condition,
            };
            let next = terms.ite(is_meant, value, now);
            self.step.update(variable, next);
        }
    }

    /// The present value of the variable with a number.
    fn numbered(&mut self, list: &[Term], number: Option<Term>) -> Option<Term> {
        let (&first, rest) = list.split_first()?;
        let mut value = self.step.current(first);
        let Some(number) = number else { return Some(value) };
        for (index, &variable) in rest.iter().enumerate() {
            let here = self.step.current(variable);
            let terms = &mut self.cfa.terms;
            let index = terms.number(terms.width(number), index as u64 + 1);
            let is_here = terms.eq(number, index);
            value = terms.ite(is_here, here, value);
        }
        Some(value)
    }

    /// The size of an object of a site, where it is not a constant.
    pub(super) fn size_of(&mut self, object: ObjectId, which: Option<Term>) -> Option<Term> {
        let sizes = self.lives.sizes.get(&object)?.clone();
        self.numbered(&sizes, which)
    }

    /// Whether an access of some bytes is one of this place, and there is an object.
    pub(super) fn exists(&mut self, spot: &Located, access: &Access, size: u64) -> Term {
        let mut all = vec![self.is_allocated(spot)];
        if !access.address.is_direct() {
            all.extend(self.is_in_block(spot.object));
            all.extend(self.is_newest(spot, (access.instance, access.position)));
            if !self.is_open(spot.object, access.instance) {
                all.push(self.cfa.terms.bool(false));
            }
        }
        if !self.lives.are_tracked {
            return self.cfa.terms.and_all(&all);
        }
        if let Some(list) = self.lives.exist.get(&spot.object).cloned() {
            all.extend(self.numbered(&list, spot.instance));
        }
        if let Some(has) = self.size_of(spot.object, spot.instance) {
            all.push(self.is_within(spot, size, has));
        }
        self.cfa.terms.and_all(&all)
    }

    /// Whether the bytes of a place are the first `has` ones of its object.
    fn is_within(&mut self, spot: &Located, size: u64, has: Term) -> Term {
        let band = self.storage.get(spot.object).layout.bands[spot.band];
        let width = self.pointer_width;
        let terms = &mut self.cfa.terms;
        let element = match spot.element {
            Element::Constant(number) => terms.number(width, number),
            Element::Variable(term) => term,
        };
        let stride = terms.number(width, band.stride);
        let first = terms.mul(element, stride);
        let rest = terms.number(width, band.lo + spot.sub + size);
        let end = terms.add(first, rest);
        terms.ule(end, has)
    }

    /// Whether the activation that an object belongs to has not ended, at a place in another one.
    pub(super) fn is_open(&self, object: ObjectId, place: InstanceId) -> bool {
        let owner = match self.points.object(object).kind {
            ObjectKind::Local(instance, _) | ObjectKind::Variadic(instance) => instance,
            ObjectKind::Site(block, _) if self.maker(object) == Some(FunctionModel::Alloca) => {
                self.flat.blocks[block.0 as usize].instance
            }
            _ => return true,
        };
        if self.flat.is_shared(owner) {
            return true;
        }
        let mut next = Some(place);
        while let Some(now) = next {
            if now == owner || self.flat.is_shared(now) {
                return true;
            }
            next = self.flat.instance(now).caller.map(|(caller, _)| caller);
        }
        false
    }

    /// `free`: the object exists, was allocated, and the pointer is its address; or it is null.
    pub(super) fn free(&mut self, instance: InstanceId, arguments: &[Expr]) -> Result<(), Fault> {
        let matters = self.lives.are_tracked || !self.lives.exist.is_empty();
        let Some(pointer) = arguments.first().filter(|_| matters) else {
            return Ok(());
        };
        let address = self.expr(instance, pointer)?;
        let targets = self.points.value(instance, pointer);
        let null = self.cfa.terms.zero(self.pointer_width);
        let is_null = self.cfa.terms.eq(address, null);
        let mut allowed = vec![is_null];
        let mut done: Vec<ObjectId> = Vec::new();
        for target in &targets.list {
            let object = target.object;
            let Some(list) = self.lives.exist.get(&object).cloned() else { continue };
            if done.contains(&object) {
                continue;
            }
            done.push(object);
            let (mut here, which) = self.is_at(address, object, Some(0));
            if let Some(offset) = self.offset_in(object, address) {
                here = self.cfa.terms.eq(offset, null);
            }
            let Some(exists) = self.numbered(&list, which) else { continue };
            let condition = self.cfa.terms.and(here, exists);
            allowed.push(condition);
            let no = self.cfa.terms.bool(false);
            self.update_numbered(&list, which, here, no);
        }
        if self.lives.are_tracked {
            let valid = self.cfa.terms.or_all(&allowed);
            self.check(Kind::Free, valid);
        }
        Ok(())
    }

    /// The program ends, with a call in an activation or by a return from `main`: is anything left?
    pub(super) fn check_leaks(&mut self, at: Option<InstanceId>) {
        let objects = self.allocated();
        let bits = |(_, _, exists): &(ObjectId, usize, Term)| *exists;
        if self.violations.contains_key(&Kind::Memcleanup) {
            let left: Vec<Term> = objects.iter().map(bits).collect();
            self.check_none(Kind::Memcleanup, left);
        }
        if self.violations.contains_key(&Kind::Memtrack) {
            self.check_tracked(at);
        }
    }

    /// In the middle of a run, which may have no end: a lost object is a violation. Whether there
    /// was anything to check.
    pub(super) fn check_tracked(&mut self, at: Option<InstanceId>) -> bool {
        if !self.violations.contains_key(&Kind::Memtrack) || self.lives.exist.is_empty() {
            return false;
        }
        let tracked = self.tracked(at);
        let mut left = Vec::new();
        for (id, number, exists) in self.allocated() {
            let unknown = self.cfa.terms.not(tracked[&(id, number)]);
            left.push(self.cfa.terms.and(exists, unknown));
        }
        self.check_none(Kind::Memtrack, left);
        true
    }

    /// None of the conditions holds, and there was no object without room.
    fn check_none(&mut self, kind: Kind, mut conditions: Vec<Term>) {
        conditions.extend(self.lives.lost.map(|lost| self.step.current(lost)));
        let left = self.cfa.terms.or_all(&conditions);
        let none = self.cfa.terms.not(left);
        self.check(kind, none);
    }

    /// The objects of all sites with the bits that tell whether they exist.
    fn allocated(&self) -> Vec<(ObjectId, usize, Term)> {
        let lists = self.lives.exist.iter();
        let mut all: Vec<(ObjectId, usize, Term)> = lists
            .flat_map(|(&id, list)| list.iter().enumerate().map(move |(n, &bit)| (id, n, bit)))
            .map(|(id, number, bit)| (id, number, self.step.current(bit)))
            .collect();
        all.sort_unstable_by_key(|&(id, number, _)| (id.0, number));
        all
    }

    /// For each allocated object, whether a chain of pointers leads to it.
    fn tracked(&mut self, at: Option<InstanceId>) -> FxHashMap<(ObjectId, usize), Term> {
        let objects = self.allocated();
        let roots = self.roots(at);
        let no = self.cfa.terms.bool(false);
        let mut tracked: FxHashMap<(ObjectId, usize), Term> = FxHashMap::default();
        for &(id, number, _) in &objects {
            let by_root: Vec<Term> =
                roots.iter().map(|&root| self.leads_to(root, id, number)).collect();
            tracked.insert((id, number), self.cfa.terms.or_all(&by_root));
        }
        for _ in 1..objects.len().min(MAX_CHAIN) {
            let mut next = tracked.clone();
            for &(from, from_number, exists) in &objects {
                let known = tracked[&(from, from_number)];
                let known = self.cfa.terms.and(known, exists);
                if known == no {
                    continue;
                }
                for pointer in self.pointers_in(from, Some(from_number)) {
                    for &(id, number, _) in &objects {
                        let leads = self.leads_to(pointer, id, number);
                        let leads = self.cfa.terms.and(known, leads);
                        let old = next[&(id, number)];
                        next.insert((id, number), self.cfa.terms.or(old, leads));
                    }
                }
            }
            if next == tracked {
                break;
            }
            tracked = next;
        }
        tracked
    }

    /// The pointers in global variables, and in those of the activations that are open.
    fn roots(&mut self, at: Option<InstanceId>) -> Vec<Term> {
        let mut roots = Vec::new();
        for index in 0..self.storage.len() {
            let id = ObjectId(index as u32);
            let is_root = match self.points.object(id).kind {
                ObjectKind::Global(_) => true,
                ObjectKind::Local(..) | ObjectKind::Variadic(_) => {
                    at.is_some_and(|at| self.is_open(id, at))
                }
                _ => false,
            };
            if is_root {
                roots.extend(self.pointers_in(id, None));
            }
        }
        let Some(at) = at else { return roots };
        let mut registers: Vec<Term> = Vec::new();
        let mut next = Some(at);
        while let Some(now) = next {
            // A temporary has done its service.
            let body = self.flat.instance(now).body;
            let own = self.registers.iter().filter(|((instance, local), _)| {
                *instance == now && body.local(*local).name.is_some()
            });
            registers.extend(own.map(|(_, &register)| register));
            next = self.flat.instance(now).caller.map(|(caller, _)| caller);
        }
        registers.retain(|&register| self.cfa.terms.width(register) == self.pointer_width);
        registers.sort_unstable();
        roots.extend(registers.into_iter().map(|register| self.step.current(register)));
        roots
    }

    /// The words of the size of a pointer in an object, or in one of a pool.
    fn pointers_in(&mut self, id: ObjectId, number: Option<usize>) -> Vec<Term> {
        let stored = self.storage.get(id);
        let width = self.pointer_width as u64 / 8;
        let mut found = Vec::new();
        for (band, cells) in stored.layout.bands.iter().zip(&stored.cells) {
            let Cells::Scalars(list) = cells else { continue };
            if band.width != width {
                continue;
            }
            let count = band.count as usize;
            let first = number.unwrap_or(0) * count;
            found.extend(list.iter().skip(first).take(count).copied());
        }
        found.into_iter().map(|variable| self.step.current(variable)).collect()
    }

    /// Whether a pointer leads to an object of a pool.
    fn leads_to(&mut self, pointer: Term, id: ObjectId, number: usize) -> Term {
        let (mut here, which) = self.is_at(pointer, id, None);
        if let Some(offset) = self.offset_in(id, pointer)
            && let Some(has) = self.size_of(id, None)
        {
            here = self.cfa.terms.ule(offset, has);
        }
        match which {
            Some(which) => {
                let terms = &mut self.cfa.terms;
                let wanted = terms.number(terms.width(which), number as u64);
                let same = terms.eq(which, wanted);
                terms.and(here, same)
            }
            None => here,
        }
    }
}
