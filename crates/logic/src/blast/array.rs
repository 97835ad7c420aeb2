//! Arrays as registers: reading through a multiplexer, writing through a decoder.

use super::{BlastError, Blaster, array_name, choose, equal};
use crate::aig::{Aig, Lit};
use crate::bitvec::BitVec;
use crate::term::{Term, TermStore};
use std::sync::Arc;

/// The elements of an array that are represented, by increasing index. Only arrays that are read
/// at constant indices alone can do with fewer than all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    indices: Arc<[BitVec]>,
}

impl Layout {
    /// The elements at these indices.
    pub fn new(indices: impl IntoIterator<Item = BitVec>) -> Layout {
        let mut indices: Vec<BitVec> = indices.into_iter().collect();
        indices.sort_unstable();
        indices.dedup();
        Layout { indices: indices.into() }
    }

    pub fn indices(&self) -> &[BitVec] {
        &self.indices
    }

    pub(super) fn bits(&self, element: u32) -> u64 {
        self.indices.len() as u64 * element as u64
    }
}

/// The value of a literal vector without unknowns.
fn constant(bits: &[Lit]) -> Option<BitVec> {
    let known = bits.iter().all(|bit| bit.is_const());
    known.then(|| BitVec::from_bits(&bits.iter().map(|&bit| bit == Lit::TRUE).collect::<Vec<_>>()))
}

pub(super) fn read(
    blaster: &Blaster,
    store: &TermStore,
    aig: &mut Aig,
    array: Term,
    index: Term,
) -> Result<Vec<Lit>, BlastError> {
    let (elements, at) = (blaster.known(array), blaster.known(index));
    let Some(layout) = blaster.layouts.get(&array) else { return Ok(select(aig, elements, at)) };
    let position = constant(at).and_then(|at| layout.indices.binary_search(&at).ok());
    let Some(position) = position else {
        return Err(BlastError::OutsideLayout { name: array_name(store, array) });
    };
    let width = elements.len() / layout.indices.len();
    Ok(elements[position * width..][..width].to_vec())
}

/// The element at the index: half of the elements remain after each bit of it.
fn select(aig: &mut Aig, elements: &[Lit], index: &[Lit]) -> Vec<Lit> {
    let width = elements.len() >> index.len();
    let mut rest = elements.to_vec();
    for &bit in index {
        rest = rest
            .chunks(2 * width)
            .flat_map(|pair| choose(aig, bit, &pair[width..], &pair[..width]))
            .collect();
    }
    rest
}

/// The operands are array, index and element.
pub(super) fn write(
    blaster: &Blaster,
    store: &TermStore,
    aig: &mut Aig,
    args: &[Term],
) -> Vec<Lit> {
    let [elements, index, element] = [0, 1, 2].map(|i| blaster.known(args[i]));
    let width = store.width(args[2]) as usize;
    let written: Vec<Lit> = match blaster.layouts.get(&args[0]) {
        None => decode(aig, index),
        Some(layout) => layout
            .indices
            .iter()
            .map(|at| equal(aig, index, &at.bits().map(Lit::from).collect::<Vec<_>>()))
            .collect(),
    };
    elements
        .chunks(width)
        .zip(written)
        .flat_map(|(old, here)| choose(aig, here, element, old))
        .collect()
}

/// One literal per index, true for the selected one.
fn decode(aig: &mut Aig, index: &[Lit]) -> Vec<Lit> {
    let mut selected = vec![Lit::TRUE];
    for &bit in index.iter().rev() {
        selected = selected.into_iter().flat_map(|s| [aig.and(s, !bit), aig.and(s, bit)]).collect();
    }
    selected
}
