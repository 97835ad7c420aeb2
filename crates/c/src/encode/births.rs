//! Contents that are arbitrary from the start.
//!
//! Where an object begins to live only once, or is the next one of a pool, nothing has been written
//! to its variables before, and they keep the arbitrary values that they have at the entry. For
//! those who replay a run, each edge on which such a life begins says whose contents these are.

use super::storage::{Cells, Stored, bits_for};
use super::{ChoicePointKind, Encoder};
use crate::flat::InstanceId;
use crate::source::Position;
use crate::typed::FuncId;
use std::sync::Arc;
use wedge_logic::Term;

/// A life that begins on an edge.
#[derive(Clone, Debug)]
pub struct Born {
    /// With offset 0.
    pub kind: ChoicePointKind,
    pub function: FuncId,
    pub position: Position,
    /// Of an object of a pool: the variable that counts them, this one included.
    pub counter: Option<Term>,
    pub parts: Arc<Vec<Part>>,
}

/// Bytes of it, and the variable that has them at the entry.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub variable: Term,
    pub offset: u64,
    /// Which object of the pool, unless it is an array.
    pub instance: u64,
    /// Of an array: the distance of its elements, and how many bits of the index tell them apart.
    pub elements: Option<(u64, u32)>,
}

impl Encoder<'_, '_> {
    /// A life begins with these parts on the edge of the current step.
    pub(super) fn note_birth(
        &mut self,
        kind: ChoicePointKind,
        instance: InstanceId,
        at: Position,
        (counter, parts): (Option<Term>, Arc<Vec<Part>>),
    ) {
        let (kind, position) = self.seen_from_outside(kind, instance, at);
        let function = self.flat.instances[instance.0 as usize].function;
        self.step.born.push(Born { kind, function, position, counter, parts });
    }
}

/// All variables of the objects of a pool.
pub fn pool_parts(stored: &Stored) -> Vec<Part> {
    let mut parts = Vec::new();
    for (band, cells) in stored.layout.bands.iter().zip(&stored.cells) {
        match cells {
            Cells::Scalars(variables) => {
                for (index, &variable) in variables.iter().enumerate() {
                    let (instance, element) =
                        (index as u64 / band.count, index as u64 % band.count);
                    let offset = band.lo + element * band.stride;
                    parts.push(Part { variable, offset, instance, elements: None });
                }
            }
            Cells::Array(array) => {
                let elements = Some((band.stride, bits_for(band.count)));
                let (variable, offset) = (*array, band.lo);
                parts.push(Part { variable, offset, instance: 0, elements });
            }
        }
    }
    parts
}
