//! Objects at fixed addresses, and the variables that hold their bytes.
//!
//! Every object has a chunk of the address space of its own, a power of two in size and aligned to
//! it, with room for a pointer just past the end. Upper bits of an address therefore tell the
//! object, lower bits the offset. The objects of an allocation site that can be reached
//! repeatedly, its pool, have one chunk each, in a row, and bits in between tell which it is.

use super::layout::{Band, Layout};
use super::{Meaning, Room};
use crate::error::Fault;
use crate::points::{Object, ObjectId, ObjectKind, Points};
use crate::source::Position;
use crate::typed::Program;
use rustc_hash::FxHashSet;
use wedge_logic::{Sort, Term};
use wedge_model::Cfa;

/// Bands with at most this many elements become single variables.
const MAX_SCALARS: u64 = 32;
/// An object whose size is not constant is smaller than this; a power of two.
const MAX_LARGE: u128 = 1 << 26;
/// Null and its neighbourhood belong to no object.
pub const FIRST_ADDRESS: u64 = 1 << 12;

/// The variables of a band.
#[derive(Clone, Debug)]
pub enum Cells {
    /// One variable for each element, instance by instance.
    Scalars(Vec<Term>),
    /// An array variable; the index has the element in its lower bits, the instance above.
    Array(Term),
}

/// An object, or a pool of them.
#[derive(Clone, Debug)]
pub struct Stored {
    pub base: u64,
    /// The number of address bits that tell the offset.
    pub offset_bits: u32,
    pub instances: u64,
    pub bytes: u64,
    pub layout: Layout,
    pub cells: Vec<Cells>,
    pub is_function: bool,
    /// The meaning of its variables, with offset 0.
    pub meaning: Meaning,
}

impl Stored {
    /// The number of address bits that tell the instance.
    pub fn instance_bits(&self) -> u32 {
        bits_for(self.instances)
    }
}

/// The bytes of an object that is allocated once and whose size is not a constant: an equal share
/// of a quarter of the address space, if they are to be large.
fn large_bytes(points: &Points, bounds: Room, limit: u128) -> u64 {
    let open = |object: &&Object| object.size.is_none() && !object.repeated;
    let count = points.objects().iter().filter(open).count() as u128;
    let share = (limit / 4) / count.max(1).next_power_of_two();
    match bounds.large {
        true => bounds.dynamic_bytes().max((share.min(MAX_LARGE) as u64).saturating_sub(1)),
        false => bounds.dynamic_bytes(),
    }
}

/// Addresses are multiples of more than this only by chance.
pub const MAX_ALIGNMENT: u64 = 1 << 16;

/// Bits that tell `count` things apart.
pub fn bits_for(count: u64) -> u32 {
    count.max(1).next_power_of_two().trailing_zeros()
}

/// What decides how much of the address space objects take.
#[derive(Clone, Copy)]
pub struct Shape<'a> {
    pub bounds: Room,
    /// Objects without a constant size have no bytes.
    pub are_hollow: bool,
    /// The objects with two chunks, each life in one of them.
    pub twofold: &'a FxHashSet<ObjectId>,
}

pub struct Storage {
    objects: Vec<Stored>,
    /// Whatever is smaller is no address and was not computed from one by adding or subtracting less.
    pub numbers: u64,
}

impl Storage {
    /// Gives addresses to all objects; layouts come later.
    pub fn new(
        program: &Program,
        points: &Points,
        shape: Shape,
        meaning: impl Fn(&Object) -> Meaning,
    ) -> Result<Storage, Fault> {
        let width = 8 * program.types.model.pointer_bytes();
        // Far from the numbers that programs compute with, if there is room.
        let high = 1u64 << (width - 3);
        let starts = [(high, high / 2), (2 * FIRST_ADDRESS, FIRST_ADDRESS)];
        for (start, numbers) in starts {
            let limit = 1u128 << (width - 1);
            if let Some(objects) = placed(points, shape, (start, limit), &meaning) {
                return Ok(Storage { objects, numbers });
            }
        }
        let what = "more memory than there are addresses";
        Err(Fault::unsupported(Position::default(), what))
    }

    pub fn get(&self, id: ObjectId) -> &Stored {
        &self.objects[id.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Makes the variables of an object.
    pub fn lay_out(
        &mut self,
        id: ObjectId,
        layout: Layout,
        name: &str,
        cfa: &mut Cfa,
        meanings: &mut Vec<Meaning>,
    ) {
        let stored = &mut self.objects[id.0 as usize];
        let instances = stored.instances;
        for band in &layout.bands {
            let offset_of = |element: u64| band.lo + element * band.stride;
            let total = instances * band.count;
            let width = 8 * band.width as u32;
            let whole = layout.bands.len() == 1 && band.count == 1 && instances == 1;
            if total > MAX_SCALARS {
                let index = array_index_bits(band, instances);
                let sort = Sort::Array { index, element: width };
                let array = cfa.add_variable(cell_name(name, band.lo, whole), sort);
                meanings.push(at_offset(&stored.meaning, band.lo));
                stored.cells.push(Cells::Array(array));
                continue;
            }
            let mut variables = Vec::new();
            for index in 0..total {
                let offset = offset_of(index % band.count);
                let mut cell = cell_name(name, offset, whole);
                if instances > 1 {
                    cell.push_str(&format!("@{}", index / band.count));
                }
                variables.push(cfa.add_variable(cell, Sort::Bv(width)));
                meanings.push(at_offset(&stored.meaning, offset));
            }
            stored.cells.push(Cells::Scalars(variables));
        }
        stored.layout = layout;
    }
}

/// All objects from an address on; nothing if they do not fit below the limit.
fn placed(
    points: &Points,
    Shape { bounds, are_hollow, twofold }: Shape,
    (start, limit): (u64, u128),
    meaning: &impl Fn(&Object) -> Meaning,
) -> Option<Vec<Stored>> {
    let large = large_bytes(points, bounds, limit);
    let mut next = start as u128;
    let mut objects = Vec::new();
    for (index, object) in points.objects().iter().enumerate() {
        let is_site = matches!(object.kind, ObjectKind::Site(..));
        let pool = bounds.pool + bounds.chosen;
        let instances = if is_site && object.repeated { pool as u64 } else { 1 };
        let bytes = object.size.unwrap_or(match object.repeated {
            true => bounds.dynamic_bytes(),
            false if are_hollow && is_site => 0,
            false => large,
        });
        let align = object.align.clamp(16, MAX_ALIGNMENT);
        let chunk = (bytes as u128 + 1).next_power_of_two().max(align as u128);
        let places = if twofold.contains(&ObjectId(index as u32)) { 2 } else { 1 };
        let whole = chunk * places * instances.next_power_of_two() as u128;
        let base = next.next_multiple_of(whole);
        next = base + whole;
        if next > limit {
            return None;
        }
        objects.push(Stored {
            base: base as u64,
            offset_bits: chunk.trailing_zeros(),
            instances,
            bytes,
            layout: Layout::default(),
            cells: Vec::new(),
            is_function: matches!(object.kind, ObjectKind::Function(_)),
            meaning: meaning(object),
        });
    }
    Some(objects)
}

pub fn array_index_bits(band: &Band, instances: u64) -> u32 {
    (bits_for(band.count) + bits_for(instances)).max(1)
}

fn cell_name(name: &str, offset: u64, whole: bool) -> String {
    if whole { name.to_string() } else { format!("{name}+{offset}") }
}

fn at_offset(meaning: &Meaning, by: u64) -> Meaning {
    match meaning.clone() {
        Meaning::Global(id, offset) => Meaning::Global(id, offset + by),
        Meaning::Local { function, local, offset, instance } => {
            Meaning::Local { function, local, offset: offset + by, instance }
        }
        other => other,
    }
}
