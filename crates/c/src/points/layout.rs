//! Where accesses fall inside an object, with the elements of every array taken as one.
//!
//! An offset is normalised to the same place in the first element of each array around it. The
//! contract: two accesses that share a byte of the object have normalised places that overlap,
//! unless one of them is [`Access::Anywhere`]. So an access that does not stay inside one element
//! of each array is of that kind, and the members of unions are not normalised at all.

use super::offsets::{Off, gcd};
use crate::types::{Field, Length, RecordKind, Ty, Type, Types};

/// More places than this are not told apart.
const MAX_PLACES: u64 = 64;

/// How the bytes of an object are arranged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Typed(Ty),
    /// An array of such elements, of any length.
    Elements(Ty),
    Bytes,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Access {
    /// At these normalised offsets; none if all lie outside the object.
    Places(Vec<u64>),
    Anywhere,
}

/// The places that accesses of `size` bytes at the given offsets touch.
pub fn access(types: &Types, shape: Shape, extent: Option<u64>, off: &Off, size: u64) -> Access {
    let Some((first, count)) = inside(extent, off, size) else { return Access::Places(Vec::new()) };
    let mut places = Vec::new();
    let stride = off.stride;
    let done = match shape {
        Shape::Typed(ty) => spread(types, ty, first, stride, count, size, 0, &mut places),
        Shape::Elements(element) => {
            elements(types, element, first, stride, count, size, 0, &mut places)
        }
        Shape::Bytes => each(first, stride, count, |at| {
            places.push(at);
            true
        }),
    };
    if !done {
        return Access::Anywhere;
    }
    places.sort_unstable();
    places.dedup();
    Access::Places(places)
}

/// The first offset and the number of offsets at which `size` bytes lie inside the object.
fn inside(extent: Option<u64>, off: &Off, size: u64) -> Option<(u64, u64)> {
    let limit = match extent {
        Some(extent) => i64::try_from(extent.checked_sub(size)?).ok()?,
        None => i64::MAX,
    };
    let stride = off.stride.max(1) as i64;
    let first = match off.first {
        first if first >= 0 => first,
        _ if off.is_exact() => return None,
        first => first.rem_euclid(stride),
    };
    let last = off.last().unwrap_or(i64::MAX).min(limit);
    (first <= last).then(|| (first as u64, ((last - first) / stride) as u64 + 1))
}

fn each(first: u64, stride: u64, count: u64, mut visit: impl FnMut(u64) -> bool) -> bool {
    count <= MAX_PLACES && (0..count).all(|index| visit(first + index * stride))
}

/// Normalises a progression inside an object of a type, which begins at `base`.
#[expect(clippy::too_many_arguments, reason = "a progression, an access and where they are")]
fn spread(
    types: &Types,
    ty: Ty,
    first: u64,
    stride: u64,
    count: u64,
    size: u64,
    base: u64,
    places: &mut Vec<u64>,
) -> bool {
    if count == 1 && first == 0 && types.size(ty) == Some(size) {
        places.push(base);
        return true;
    }
    if let Some(element) = types.element(ty) {
        return elements(types, element, first, stride, count, size, base, places);
    }
    if is_struct(types, ty) {
        let end = stride.saturating_mul(count - 1).saturating_add(first).saturating_add(size);
        if let Some(field) = field_around(types, ty, first, end) {
            let (inner, base) = (first - field.offset, base + field.offset);
            return spread(types, field.ty, inner, stride, count, size, base, places);
        }
        if count == 1 {
            let touches = |field: &Field| overlaps(types, field, first, end);
            if types.fields(ty).iter().any(|field| touches(field) && has_array(types, field.ty)) {
                return false;
            }
            places.push(base + first);
            return true;
        }
        return each(first, stride, count, |at| spread(types, ty, at, 0, 1, size, base, places));
    }
    each(first, stride, count, |at| {
        places.push(base + at);
        true
    })
}

#[expect(clippy::too_many_arguments, reason = "a progression, an access and where they are")]
fn elements(
    types: &Types,
    element: Ty,
    first: u64,
    stride: u64,
    count: u64,
    size: u64,
    base: u64,
    places: &mut Vec<u64>,
) -> bool {
    let Some(width) = types.size(element).filter(|width| *width > 0) else { return false };
    let mut at =
        |rest: u64| rest + size <= width && spread(types, element, rest, 0, 1, size, base, places);
    if count == 1 || stride.is_multiple_of(width) {
        return at(first % width);
    }
    let last = first.saturating_add(stride.saturating_mul(count - 1));
    if first / width == last / width && last % width + size <= width {
        return spread(types, element, first % width, stride, count, size, base, places);
    }
    let step = gcd(stride, width);
    each(first % step, step, width / step, at)
}

fn is_struct(types: &Types, ty: Ty) -> bool {
    types.record(ty).is_some_and(|record| record.kind == RecordKind::Struct)
}

fn field_end(types: &Types, field: &Field) -> u64 {
    match (field.bits, types.get(field.ty)) {
        (Some(bits), _) => field.offset + (bits.shift + bits.width).div_ceil(8) as u64,
        (_, Type::Array(_, Length::Unknown)) => u64::MAX,
        _ => field.offset.saturating_add(types.size(field.ty).unwrap_or(0)),
    }
}

fn overlaps(types: &Types, field: &Field, begin: u64, end: u64) -> bool {
    field.offset < end && begin < field_end(types, field)
}

/// The field that holds all bytes from `begin` to `end`.
fn field_around(types: &Types, ty: Ty, begin: u64, end: u64) -> Option<&Field> {
    let holds = |field: &&Field| {
        field.bits.is_none() && field.offset <= begin && end <= field_end(types, field)
    };
    types.fields(ty).iter().find(holds)
}

/// Whether normalisation would change offsets inside a type.
pub fn has_array(types: &Types, ty: Ty) -> bool {
    match types.get(ty) {
        Type::Array(_, Length::Fixed(1)) | Type::Array(_, Length::Fixed(0)) => false,
        Type::Array(..) => true,
        Type::Record(_) if is_struct(types, ty) => {
            types.fields(ty).iter().any(|field| has_array(types, field.ty))
        }
        _ => false,
    }
}

/// The type of the part of an object that begins at a normalised offset and has this size.
pub fn part(types: &Types, shape: Shape, at: u64, size: u64) -> Option<Ty> {
    let mut at = at;
    let mut ty = match shape {
        Shape::Typed(ty) => ty,
        Shape::Elements(element) => {
            at %= types.size(element).filter(|width| *width > 0)?;
            element
        }
        Shape::Bytes => return None,
    };
    loop {
        if at == 0 && types.size(ty) == Some(size) {
            return Some(ty);
        }
        if let Some(element) = types.element(ty) {
            at %= types.size(element).filter(|width| *width > 0)?;
            ty = element;
        } else if is_struct(types, ty) {
            let field = field_around(types, ty, at, at.saturating_add(size))?;
            at -= field.offset;
            ty = field.ty;
        } else {
            return None;
        }
    }
}

/// The array around an offset whose elements have the given size: its offset and number of
/// elements. Arrays of arrays count as one. Innermost arrays come first.
pub fn array_around(types: &Types, ty: Ty, at: u64, element_size: u64) -> Option<(u64, u64)> {
    let (mut ty, mut base, mut found) = (ty, 0, None);
    let mut outer: Option<(u64, u64)> = None;
    loop {
        let rest = at.checked_sub(base)?;
        if let Type::Array(element, Length::Fixed(count)) = *types.get(ty) {
            let width = types.size(element).filter(|width| *width > 0)?;
            let (start, bytes) = outer.unwrap_or((base, width.checked_mul(count)?));
            // One past the end belongs to the array as well.
            if rest > width * count {
                return found;
            }
            if width == element_size && rest.is_multiple_of(width) {
                found = Some((start, bytes / width));
            }
            outer = Some((start, bytes));
            base += rest / width * width;
            ty = element;
        } else if is_struct(types, ty) {
            outer = None;
            let Some(field) = field_around(types, ty, rest, rest + 1) else { return found };
            base += field.offset;
            ty = field.ty;
        } else {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{DataModel, FieldSpec, RecordAttributes};

    /// `struct { int head; struct { char *name; int marks[3]; } items[5]; } [2]` in 32 bits.
    fn table() -> (Types, Ty) {
        let mut types = Types::new(DataModel::Ilp32);
        let text = types.pointer(Ty::CHAR);
        let marks = types.array(Ty::INT, Length::Fixed(3));
        let item = record(&mut types, &[text, marks]);
        let items = types.array(item, Length::Fixed(5));
        let outer = record(&mut types, &[Ty::INT, items]);
        let ty = types.array(outer, Length::Fixed(2));
        (types, ty)
    }

    fn record(types: &mut Types, fields: &[Ty]) -> Ty {
        let spec = |&ty: &Ty| FieldSpec {
            name: None,
            ty,
            bit_width: None,
            align: None,
            typedef_align: None,
            packed: false,
        };
        let members: Vec<FieldSpec> = fields.iter().map(spec).collect();
        let layout =
            types.lay_out(RecordKind::Struct, &members, RecordAttributes::default()).unwrap();
        let ty = types.new_record(RecordKind::Struct, None, Default::default());
        types.record_mut(ty).unwrap().layout = Some(layout);
        ty
    }

    #[test]
    fn overlapping_accesses_stay_overlapping() {
        let (types, ty) = table();
        let extent = types.size(ty).unwrap();
        let shape = Shape::Typed(ty);
        let places = |at, size| access(&types, shape, Some(extent), &Off::exact(at), size);
        for (a, b) in (0..100).flat_map(|a| (0..100).map(move |b| (a, b))) {
            for (m, n) in [(4, 4), (4, 1), (1, 4), (2, 8), (8, 8)] {
                let share = a < b + n && b < a + m;
                if let (Access::Places(p), Access::Places(q)) =
                    (places(a, m as u64), places(b, n as u64))
                    && share
                {
                    let (p, q) = (p[0] as i64, q[0] as i64);
                    assert!(p < q + n && q < p + m, "{a}+{m} at {p}, {b}+{n} at {q}");
                }
            }
        }
    }

    #[test]
    fn progressions_touch_the_places_of_their_members() {
        let (types, ty) = table();
        let extent = types.size(ty).unwrap();
        let shape = Shape::Typed(ty);
        for first in [0, 4, 8, 20, 24] {
            for stride in [4u64, 8, 16, 84, 12] {
                for count in [2, 3, 7, 40] {
                    let off = Off::range(first, stride, count);
                    let Access::Places(all) = access(&types, shape, Some(extent), &off, 4) else {
                        continue;
                    };
                    for at in (0..count).map(|index| first + (index * stride) as i64) {
                        let one = access(&types, shape, Some(extent), &Off::exact(at), 4);
                        let Access::Places(one) = one else { panic!("{at}") };
                        assert!(one.iter().all(|place| all.contains(place)), "{off:?} {at}");
                    }
                }
            }
        }
    }

    #[test]
    fn elements_of_arrays_are_one_place() {
        let (types, ty) = table();
        let places = |off| access(&types, Shape::Typed(ty), types.size(ty), &off, 4);
        assert_eq!(places(Off::exact(84 + 4 + 16)), Access::Places(vec![4]));
        assert_eq!(places(Off::exact(4 + 16 + 12)), Access::Places(vec![8]));
        assert_eq!(places(Off::class(8, 84)), Access::Places(vec![8]));
        assert_eq!(places(Off::exact(168)), Access::Places(vec![]));
        assert_eq!(array_around(&types, ty, 4 + 16 + 8, 4), Some((4 + 16 + 4, 3)));
        assert_eq!(array_around(&types, ty, 4 + 16, 16), Some((4, 5)));
        assert_eq!(array_around(&types, ty, 84, 84), Some((0, 2)));
    }
}
