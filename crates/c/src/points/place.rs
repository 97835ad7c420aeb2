//! Where places lie.

use super::layout;
use super::offsets::{Off, gcd};
use super::set::Set;
use super::state::View;
use super::{ObjectId, layout::Shape};
use crate::arith::int;
use crate::flat::InstanceId;
use crate::typed::{Expr, Place, PlaceKind};
use crate::types::{Length, Ty, Type};

/// An index expression: known steps in bytes, and the unit of the unknown ones (0 if there are
/// none).
struct Steps {
    known: i64,
    unit: u64,
}

/// How far the unknown steps may lead.
enum Reach {
    /// Inside so many bytes from the beginning of the array.
    Within(u64),
    /// From the beginning of the array to the end of the object.
    Upwards,
    Anywhere,
}

impl<'a, 'p> View<'a, 'p> {
    /// The addresses of a place; of a bit-field, of its first byte.
    pub fn place(&mut self, instance: InstanceId, place: &Place) -> Set {
        match &place.kind {
            PlaceKind::Local(id) => match self.state.local(instance, *id) {
                Some(object) => Set::one(object, Off::exact(0)),
                None => Set::default(),
            },
            PlaceKind::Global(id) => Set::one(self.state.global(*id), Off::exact(0)),
            PlaceKind::Deref(pointer) => self.value(instance, pointer).into_owned(),
            PlaceKind::Field(base, index) => {
                let fields = self.state.program.types.fields(base.ty);
                let offset = fields.get(*index as usize).map_or(0, |field| field.offset as i64);
                self.place(instance, base).map(|_, off| off.shift(offset))
            }
            PlaceKind::Index(..) => self.element(instance, place),
        }
    }

    /// An element of an array, or of an array of arrays.
    fn element(&mut self, instance: InstanceId, place: &Place) -> Set {
        let types = &self.state.program.types;
        let mut steps = Steps { known: 0, unit: 0 };
        let mut array = place;
        while let PlaceKind::Index(base, index) = &array.kind {
            let size = types.size(array.ty).unwrap_or(0);
            match self.constant(index) {
                Some(index) => {
                    steps.known = steps.known.wrapping_add(index.wrapping_mul(size as i64));
                }
                None => steps.unit = gcd(steps.unit, size),
            }
            array = base;
        }
        let start = self.place(instance, array);
        if steps.unit == 0 {
            return start.map(|_, off| off.shift(steps.known));
        }
        let rest = steps.known.rem_euclid(steps.unit as i64);
        match self.reach(array) {
            Reach::Within(bytes) => {
                let count = bytes.saturating_sub(rest as u64).div_ceil(steps.unit).max(1);
                start.map(|_, off| off.shift(rest).spread(steps.unit, Some(count)))
            }
            Reach::Upwards => start.map(|_, off| off.shift(rest).spread(steps.unit, None)),
            Reach::Anywhere => start.map(|_, off| off.shift(rest).anyhow(steps.unit)),
        }
    }

    fn reach(&self, array: &Place) -> Reach {
        let types = &self.state.program.types;
        if let PlaceKind::Field(base, index) = &array.kind {
            let is_last = *index as usize + 1 == types.fields(base.ty).len();
            let short = matches!(
                types.get(array.ty),
                Type::Array(_, Length::Unknown | Length::Fixed(0 | 1))
            );
            if is_last && short {
                return Reach::Upwards;
            }
        }
        match (types.get(array.ty), types.size(array.ty)) {
            (Type::Array(_, Length::Fixed(_)), Some(bytes)) => Reach::Within(bytes),
            _ => Reach::Anywhere,
        }
    }

    /// The number that a constant index is.
    pub fn constant(&self, expr: &Expr) -> Option<i64> {
        let bits = expr.as_int()?;
        let format = self.state.program.types.word_format(expr.ty)?;
        Some(int::extend(bits, format) as i64)
    }

    /// Pointers moved by an unknown number of elements. Those into a declared array of such
    /// elements stay inside it; bytes of any object may be walked over one by one.
    pub fn walked(&self, pointers: &Set, scale: u64) -> Set {
        pointers.map(|object, off| {
            let confined = (scale > 1).then(|| self.array(object, off, scale)).flatten();
            confined.unwrap_or_else(|| off.anyhow(scale))
        })
    }

    /// The declared array of such elements that an offset lies in.
    pub fn array(&self, object: ObjectId, off: &Off, scale: u64) -> Option<Off> {
        let Shape::Typed(ty) = self.state.contents[object.0 as usize].shape else { return None };
        let first = u64::try_from(off.first).ok()?;
        let (start, count) = layout::array_around(&self.state.program.types, ty, first, scale)?;
        let all = Off::range(start as i64, scale, count);
        let with_end = Off::range(start as i64, scale, count + 1);
        with_end.covers(off).then_some(all)
    }

    /// The pointee type for walking over a string.
    pub fn text(&self, pointers: &Set) -> Set {
        let scale = self.state.program.types.size(Ty::CHAR).unwrap_or(1);
        pointers
            .map(|object, off| self.array(object, off, scale).unwrap_or_else(|| off.anyhow(scale)))
    }
}
