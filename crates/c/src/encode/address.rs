//! Where places are: addresses as sums, and the bytes they can mean.

use super::Encoder;
use super::layout::Band;
use super::storage::bits_for;
use crate::error::Fault;
use crate::flat::InstanceId;
use crate::points::{ObjectId, ObjectKind, Targets};
use crate::typed::{Expr, ExprKind, Place, PlaceKind};
use wedge_logic::Term;

/// A sum: root, constant, and terms times scales. Terms and the sum have the width of pointers.
#[derive(Clone)]
pub struct Address {
    root: Root,
    constant: u64,
    scaled: Vec<(Term, u64)>,
}

#[derive(Clone)]
enum Root {
    Object(ObjectId),
    /// The value of a pointer, and what it may refer to.
    Value(Term, Targets),
}

/// Bytes that an address may mean.
pub struct Located {
    /// When it means these; `None` stands for always.
    pub condition: Option<Term>,
    pub object: ObjectId,
    /// Which object of a pool.
    pub instance: Option<Term>,
    pub band: usize,
    pub element: Element,
    /// The first byte inside the element.
    pub sub: u64,
}

/// The number of an element of a band.
#[derive(Clone, Copy)]
pub enum Element {
    Constant(u64),
    /// Has the width of pointers; in range whenever the condition holds.
    Variable(Term),
}

/// An address with respect to one object.
struct Relative<'a> {
    condition: Option<Term>,
    object: ObjectId,
    instance: Option<Term>,
    constant: u64,
    scaled: &'a [(Term, u64)],
}

impl Encoder<'_, '_> {
    /// The address of a place that is in memory.
    pub(super) fn address(
        &mut self,
        instance: InstanceId,
        place: &Place,
    ) -> Result<Address, Fault> {
        match &place.kind {
            PlaceKind::Local(id) => self.object_address(ObjectKind::Local(instance, *id), place),
            PlaceKind::Global(id) => self.object_address(ObjectKind::Global(*id), place),
            PlaceKind::Deref(pointer) => self.pointer(instance, pointer),
            PlaceKind::Field(base, index) => {
                let address = self.address(instance, base)?;
                let field = self.program.types.fields(base.ty).get(*index as usize);
                Ok(address.moved(field.map_or(0, |field| field.offset)))
            }
            PlaceKind::Index(base, index) => {
                let address = self.address(instance, base)?;
                let size = self.program.types.size(place.ty).unwrap_or(0);
                self.add_index(instance, address, index, size)
            }
        }
    }

    fn object_address(&mut self, kind: ObjectKind, place: &Place) -> Result<Address, Fault> {
        match self.points.object_of(kind) {
            Some(object) => Ok(Address::object(object)),
            None => Err(Fault::unsupported(place.position, "a variable without an address")),
        }
    }

    /// The address that an expression of pointer type stands for.
    pub(super) fn pointer(&mut self, instance: InstanceId, expr: &Expr) -> Result<Address, Fault> {
        match &expr.kind {
            ExprKind::AddressOf(place) => self.address(instance, place),
            ExprKind::PointerAdd { pointer, index, scale } => {
                let address = self.pointer(instance, pointer)?;
                self.add_index(instance, address, index, *scale)
            }
            ExprKind::Cast(_, operand) if self.program.types.is_pointer(operand.ty) => {
                self.pointer(instance, operand)
            }
            _ => {
                let term = self.expr(instance, expr)?;
                let targets = self.points.value(instance, expr);
                Ok(Address { root: Root::Value(term, targets), constant: 0, scaled: Vec::new() })
            }
        }
    }

    fn add_index(
        &mut self,
        instance: InstanceId,
        mut address: Address,
        index: &Expr,
        scale: u64,
    ) -> Result<Address, Fault> {
        let term = self.expr(instance, index)?;
        match self.cfa.terms.value(term).and_then(|value| value.to_u64()) {
            Some(number) => {
                let number = sign_extended(number, self.pointer_width) as u64;
                Ok(address.moved(number.wrapping_mul(scale)))
            }
            None => {
                address.scaled.push((term, scale));
                Ok(address)
            }
        }
    }

    /// The address as a number.
    pub(super) fn address_value(&mut self, address: &Address) -> Term {
        let width = self.pointer_width;
        let mut sum = match &address.root {
            Root::Object(object) => {
                let base = self.place_of(*object);
                let constant = self.cfa.terms.number(width, address.constant);
                self.cfa.terms.add(base, constant)
            }
            Root::Value(term, _) => {
                let constant = self.cfa.terms.number(width, address.constant);
                self.cfa.terms.add(*term, constant)
            }
        };
        for &(term, scale) in &address.scaled {
            let scale = self.cfa.terms.number(width, scale);
            let product = self.cfa.terms.mul(term, scale);
            sum = self.cfa.terms.add(sum, product);
        }
        sum
    }

    /// All the places where `size` bytes at an address can be. `targets` are those of the address
    /// as the points-to analysis knows them.
    pub(super) fn located(
        &mut self,
        address: &Address,
        targets: &Targets,
        size: u64,
    ) -> Vec<Located> {
        let mut found = Vec::new();
        let Address { root, constant, scaled } = address;
        match root {
            Root::Object(object) => {
                let (condition, instance) = (None, None);
                let constant = *constant;
                let relative = Relative { condition, object: *object, instance, constant, scaled };
                self.locate(relative, targets, size, &mut found);
            }
            Root::Value(term, roots) => {
                let mut done: Vec<ObjectId> = Vec::new();
                for target in &roots.list {
                    let object = target.object;
                    if self.storage.get(object).is_function || done.contains(&object) {
                        continue;
                    }
                    let of_object = || roots.list.iter().filter(|other| other.object == object);
                    if of_object().all(|other| other.offsets.count == 1) {
                        let offset = target.offsets.first;
                        let (condition, instance) = self.is_at(*term, object, Some(offset));
                        let constant = offset.wrapping_add(*constant);
                        let condition = Some(condition);
                        let relative = Relative { condition, object, instance, constant, scaled };
                        self.locate(relative, targets, size, &mut found);
                        continue;
                    }
                    done.push(object);
                    let (condition, instance) = self.is_at(*term, object, None);
                    let low = self.low_bits(*term, object);
                    let mut scaled = scaled.clone();
                    scaled.push((low, 1));
                    let (condition, constant) = (Some(condition), *constant);
                    let relative =
                        Relative { condition, object, instance, constant, scaled: &scaled };
                    self.locate(relative, targets, size, &mut found);
                }
            }
        }
        found
    }

    /// Whether an address lies in the chunk of an object, at an offset if one is given, and which
    /// of the pool it is.
    pub(super) fn is_at(
        &mut self,
        term: Term,
        object: ObjectId,
        offset: Option<u64>,
    ) -> (Term, Option<Term>) {
        let width = self.pointer_width;
        let stored = self.storage.get(object);
        let (low, middle) = (stored.offset_bits, stored.instance_bits());
        let instances = stored.instances;
        let base = self.place_of(object);
        let terms = &mut self.cfa.terms;
        if middle == 0
            && let Some(offset) = offset
        {
            let offset = terms.number(width, offset);
            let wanted = terms.add(base, offset);
            return (terms.eq(term, wanted), None);
        }
        let upper = terms.slice(term, width - 1, low + middle);
        let wanted = terms.slice(base, width - 1, low + middle);
        let mut condition = terms.eq(upper, wanted);
        if let Some(offset) = offset {
            let lower = terms.slice(term, low - 1, 0);
            let wanted = terms.number(low, offset);
            let same = terms.eq(lower, wanted);
            condition = terms.and(condition, same);
        }
        if middle == 0 {
            return (condition, None);
        }
        let instance = terms.slice(term, low + middle - 1, low);
        if !instances.is_power_of_two() {
            let end = terms.number(middle, instances);
            let exists = terms.ult(instance, end);
            condition = terms.and(condition, exists);
        }
        (condition, Some(instance))
    }

    /// The offset bits of an address, as a number of pointer width.
    pub(super) fn low_bits(&mut self, term: Term, object: ObjectId) -> Term {
        let low = self.storage.get(object).offset_bits;
        let terms = &mut self.cfa.terms;
        let bits = terms.slice(term, low - 1, 0);
        terms.zext(bits, self.pointer_width - low)
    }

    fn locate(
        &mut self,
        relative: Relative,
        targets: &Targets,
        size: u64,
        found: &mut Vec<Located>,
    ) {
        let Relative { condition, object, instance, constant, scaled } = relative;
        let layout = &self.storage.get(object).layout;
        if scaled.is_empty() {
            let Some(spot) = layout.find(constant, size) else { return };
            let element = Element::Constant(spot.element);
            let (band, sub) = (spot.band, spot.sub);
            found.push(Located { condition, object, instance, band, element, sub });
            return;
        }
        // The bands that the offsets can mean, with the first byte and whether the offsets hit no
        // others.
        let mut spots: Vec<(usize, u64, bool)> = Vec::new();
        for target in targets.list.iter().filter(|target| target.object == object) {
            let offsets = target.offsets;
            let Some(spot) = layout.find(offsets.first, size) else { continue };
            let stride = layout.bands[spot.band].stride;
            let regular = offsets.count == 1 || offsets.stride % stride == 0;
            match spots.iter_mut().find(|known| (known.0, known.1) == (spot.band, spot.sub)) {
                Some(known) => known.2 &= regular,
                None => spots.push((spot.band, spot.sub, regular)),
            }
        }
        let alone = spots.len() == 1;
        for (band, sub, regular) in spots {
            let shape = self.storage.get(object).layout.bands[band];
            let (element, inside) =
                self.element(&shape, sub, size, constant, scaled, regular && alone);
            let condition = match condition {
                Some(condition) => self.cfa.terms.and(condition, inside),
                None => inside,
            };
            let (condition, element) = (Some(condition), Element::Variable(element));
            found.push(Located { condition, object, instance, band, element, sub });
        }
    }

    /// The number of the element at an offset, and whether there is one. `regular` says that the
    /// offset is known to be the beginning of an element (plus `sub`).
    fn element(
        &mut self,
        band: &Band,
        sub: u64,
        size: u64,
        constant: u64,
        scaled: &[(Term, u64)],
        regular: bool,
    ) -> (Term, Term) {
        let (width, stride) = (self.pointer_width, band.stride);
        let offset = constant.wrapping_sub(band.lo + sub);
        let signed = sign_extended(offset, width);
        let terms = &mut self.cfa.terms;
        let spanned = (sub + size).div_ceil(band.width);
        let end = terms.number(width, (band.count + 1).saturating_sub(spanned));
        let divides = signed % stride as i64 == 0 && scaled.iter().all(|(_, s)| s % stride == 0);
        if divides {
            let mut sum = terms.number(width, (signed / stride as i64) as u64);
            for &(term, scale) in scaled {
                let factor = terms.number(width, scale / stride);
                let product = terms.mul(term, factor);
                sum = terms.add(sum, product);
            }
            return (sum, terms.ult(sum, end));
        }
        let mut sum = terms.number(width, offset);
        for &(term, scale) in scaled {
            let factor = terms.number(width, scale);
            let product = terms.mul(term, factor);
            sum = terms.add(sum, product);
        }
        if stride.is_power_of_two() {
            let shift = stride.trailing_zeros();
            let upper = terms.slice(sum, width - 1, shift);
            let number = terms.zext(upper, shift);
            let mut inside = terms.ult(number, end);
            if !regular {
                let lower = terms.slice(sum, shift - 1, 0);
                let zero = terms.zero(shift);
                let exact = terms.eq(lower, zero);
                inside = terms.and(inside, exact);
            }
            return (number, inside);
        }
        // Only as many bits as offsets inside the object can have are divided.
        let limit = band.end() - band.lo;
        let narrow = bits_for(limit + 1).max(bits_for(stride + 1));
        let limit = terms.number(width, limit);
        let mut inside = terms.ult(sum, limit);
        let low = terms.slice(sum, narrow - 1, 0);
        let divisor = terms.number(narrow, stride);
        let quotient = terms.udiv(low, divisor);
        if !regular {
            let product = terms.mul(quotient, divisor);
            let exact = terms.eq(product, low);
            inside = terms.and(inside, exact);
        }
        let number = terms.zext(quotient, width - narrow);
        let below = terms.ult(number, end);
        (number, terms.and(inside, below))
    }
}

impl Address {
    pub fn object(object: ObjectId) -> Address {
        Address { root: Root::Object(object), constant: 0, scaled: Vec::new() }
    }

    /// The address of the pointer value `term`.
    pub fn value(term: Term, targets: Targets) -> Address {
        Address { root: Root::Value(term, targets), constant: 0, scaled: Vec::new() }
    }

    pub fn moved(mut self, bytes: u64) -> Address {
        self.constant = self.constant.wrapping_add(bytes);
        self
    }

    /// The pointer value that it starts from, and what that may refer to; none if it starts from a
    /// variable by name.
    pub fn start(&self) -> Option<(Term, &Targets)> {
        match &self.root {
            Root::Value(term, targets) => Some((*term, targets)),
            Root::Object(_) => None,
        }
    }

    /// The variable that it starts from.
    pub fn variable(&self) -> Option<ObjectId> {
        match self.root {
            Root::Object(object) => Some(object),
            Root::Value(..) => None,
        }
    }

    /// Whether nothing is added to where it starts.
    pub fn is_unmoved(&self) -> bool {
        self.scaled.is_empty() && self.constant == 0
    }

    /// Whether it is that of a variable by name.
    pub fn is_direct(&self) -> bool {
        matches!(self.root, Root::Object(_))
    }

    /// The object and offset, if both are constant.
    pub fn fixed(&self) -> Option<(ObjectId, u64)> {
        match &self.root {
            Root::Object(object) if self.scaled.is_empty() => Some((*object, self.constant)),
            _ => None,
        }
    }
}

/// Targets moved by a number of bytes.
pub fn moved_targets(targets: &Targets, bytes: u64) -> Targets {
    let mut moved = targets.clone();
    for target in &mut moved.list {
        target.offsets.first = target.offsets.first.wrapping_add(bytes);
    }
    moved
}

fn sign_extended(bits: u64, width: u32) -> i64 {
    let shift = 64 - width;
    ((bits << shift) as i64) >> shift
}
