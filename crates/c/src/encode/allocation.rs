//! New objects: the next one of their site.

use super::ChoicePointKind;
use super::Encoder;
use super::address::{Element, Located};
use super::births::pool_parts;
use super::stmt::Fill;
use crate::error::Fault;
use crate::flat::{FlatBlockId, InstanceId};
use crate::library::{FAILURE, FunctionModel};
use crate::points::{ObjectId, ObjectKind};
use crate::source::Position;
use crate::typed::Expr;
use std::sync::Arc;
use wedge_logic::Term;

/// Objects with more elements than this are not filled.
const MAX_ELEMENTS: u64 = 4096;

impl Encoder<'_, '_> {
    /// The address of a new object; `None` if the call does not fit the function.
    pub(super) fn allocation(
        &mut self,
        instance: InstanceId,
        model: Option<FunctionModel>,
        arguments: &[Expr],
        at: Position,
        site: (FlatBlockId, usize),
    ) -> Result<Option<Term>, Fault> {
        let mut sizes = Vec::new();
        for argument in arguments {
            let term = self.expr(instance, argument)?;
            sizes.push(self.resized(term, self.pointer_width, false));
        }
        let size = match (model, &sizes[..]) {
            (Some(FunctionModel::Calloc), &[count, size, ..]) => self.cfa.terms.mul(count, size),
            (Some(FunctionModel::AlignedAlloc), &[_, size, ..]) => size,
            (
                Some(FunctionModel::Malloc | FunctionModel::Keep | FunctionModel::Alloca),
                &[size, ..],
            ) => size,
            _ => return Ok(None),
        };
        let is_asked = !matches!(model, Some(FunctionModel::Keep | FunctionModel::Alloca));
        if is_asked && self.program.function_named(FAILURE).is_none() {
            self.notes.insert(String::from("allocation never fails (--malloc-may-fail lets it)"));
        }
        let fill = if model == Some(FunctionModel::Calloc) { Fill::Zero } else { Fill::Arbitrary };
        let address = self.allocate(site, size, fill, instance, at)?;
        if fill == Fill::Arbitrary {
            self.begin_unwritten(instance, address, size);
        }
        Ok(Some(address))
    }

    /// Takes the next object of a site.
    pub(super) fn allocate(
        &mut self,
        site: (FlatBlockId, usize),
        size: Term,
        fill: Fill,
        instance: InstanceId,
        at: Position,
    ) -> Result<Term, Fault> {
        let Some(object) = self.points.object_of(ObjectKind::Site(site.0, site.1)) else {
            return Err(Fault::unsupported(at, "an allocation that the points-to analysis missed"));
        };
        if self.points.is_crowded(object) {
            return Ok(self.somewhere(instance, at));
        }
        let width = self.pointer_width;
        let known = self.points.objects()[object.0 as usize].clone();
        let (base, bytes) = {
            let stored = self.storage.get(object);
            (stored.base, stored.bytes)
        };
        let mut lost = self.cfa.terms.bool(false);
        if self.is_hollow(object) {
            self.begin_life(object, None, size, lost);
            let address = self.hollow_address(object, size, instance, at);
            self.set_base(object, address);
            if fill == Fill::Zero {
                self.zero_hollow(object);
            }
            return Ok(address);
        }
        if known.size.is_none() {
            let most = self.cfa.terms.number(width, bytes);
            lost = self.cfa.terms.ult(most, size);
            if !self.forgets_sizes() {
                let what = format!("an allocation of more than {bytes} bytes");
                let what = format!("{what} ({})", self.program.files.show(at));
                self.limit(lost, what);
            }
        }
        if !known.repeated {
            self.begin_life(object, None, size, lost);
            let kind = ChoicePointKind::Heap(0);
            self.fill(object, 0, bytes, fill, kind, instance, at, site);
            let address = self.cfa.terms.number(width, base);
            return Ok(self.or_lost(lost, address, instance, at));
        }
        let stored = self.storage.get(object).clone();
        let counter = self.counter(object);
        let counter_width = self.cfa.terms.width(counter);
        let terms = &mut self.cfa.terms;
        let end = terms.number(counter_width, stored.instances);
        let used_up = terms.eq(counter, end);
        let next = terms.inc(counter);
        lost = terms.or(lost, used_up);
        let left_out = self.left_out(counter, stored.instances, instance, at);
        let terms = &mut self.cfa.terms;
        lost = terms.or(lost, left_out);
        let next = terms.ite(lost, counter, next);
        self.step.update(counter, next);
        if !self.forget {
            let what = format!("more than {} objects allocated", stored.instances);
            self.limit(used_up, format!("{what} ({})", self.program.files.show(at)));
        }
        self.set_newest(object, counter, lost);
        self.begin_life(object, Some(counter), size, lost);
        if fill == Fill::Zero {
            let kept = self.cfa.terms.not(lost);
            self.zero_instance(object, counter, kept, at)?;
        }
        // Bytes of a pool are arbitrary from the start, and no object is used twice.
        if fill == Fill::Arbitrary {
            let parts = self.pools.entry(object).or_insert_with(|| Arc::new(pool_parts(&stored)));
            let parts = parts.clone();
            self.note_birth(ChoicePointKind::Heap(0), instance, at, (Some(counter), parts));
        }
        let terms = &mut self.cfa.terms;
        let wide = terms.zext(counter, width - counter_width);
        let shift = terms.number(width, stored.offset_bits as u64);
        let offset = terms.sll(wide, shift);
        let base = terms.number(width, base);
        let address = terms.add(base, offset);
        Ok(self.or_lost(lost, address, instance, at))
    }

    fn zero_instance(
        &mut self,
        object: ObjectId,
        counter: Term,
        condition: Term,
        at: Position,
    ) -> Result<(), Fault> {
        let stored = self.storage.get(object).clone();
        let bits = stored.instance_bits();
        let which = match bits {
            0 => None,
            _ => Some(self.cfa.terms.slice(counter, bits - 1, 0)),
        };
        for (band, shape) in stored.layout.bands.iter().enumerate() {
            if shape.count > MAX_ELEMENTS {
                return Err(Fault::unsupported(at, "a repeated allocation this large"));
            }
            for element in 0..shape.count {
                let zero = self.cfa.terms.zero(8 * shape.width as u32);
                let element = Element::Constant(element);
                let spot =
                    Located { condition: None, object, instance: which, band, element, sub: 0 };
                self.write_at(&spot, Some(condition), zero);
            }
        }
        Ok(())
    }
}
