//! Copies and fills of whole arrays.
//!
//! A buffer of some thousand bytes that is cleared or copied is one statement of a program. Where the
//! place is known and an array of the model is covered as a whole, its new value is one term and not
//! a chain of as many writes. The first and the last bytes are still written by themselves, which says
//! whether the access is valid at all; what is between them is inside if they are.

use super::Encoder;
use super::memory::Access;
use super::storage::Cells;
use crate::points::ObjectId;
use wedge_logic::{Sort, Term};

/// Fewer bytes are read and written one piece at a time.
const LEAST: u64 = 64;

/// Arrays with their new values.
type Copies = Vec<(Term, Term)>;

/// An array of the model that is covered, as bytes counted from the beginning of an access.
struct Covered {
    array: Term,
    lo: u64,
    stride: u64,
    count: u64,
    width: u64,
}

impl Covered {
    /// Whether some bytes are part of an element.
    fn contains(&self, (offset, size): (u64, u64)) -> bool {
        offset.checked_sub(self.lo).is_some_and(|from| {
            from / self.stride < self.count && from % self.stride + size <= self.width
        })
    }
}

impl Encoder<'_, '_> {
    /// The object and the offset that an access means, if it can mean only one.
    fn placed(&self, access: &Access) -> Option<(ObjectId, u64)> {
        let [target] = &access.targets.list[..] else { return None };
        let is_known = !access.targets.is_unknown()
            && !self.may_be_lost(&access.targets)
            && target.offsets.count == 1
            && self.storage.get(target.object).instances == 1;
        is_known.then_some((target.object, target.offsets.first))
    }

    /// The arrays that so many bytes cover.
    fn covered(&self, access: &Access, total: u64) -> Vec<Covered> {
        if total < LEAST || self.watches_writes() {
            return Vec::new();
        }
        let Some((object, start)) = self.placed(access) else { return Vec::new() };
        let Some(end) = start.checked_add(total) else { return Vec::new() };
        let stored = self.storage.get(object);
        let bands = stored.layout.bands.iter().zip(&stored.cells);
        let covered = |(band, cells): (&super::layout::Band, &Cells)| match cells {
            Cells::Array(array) if start <= band.lo && band.end() <= end => Some(Covered {
                array: *array,
                lo: band.lo - start,
                stride: band.stride,
                count: band.count,
                width: band.width,
            }),
            _ => None,
        };
        bands.filter_map(covered).collect()
    }

    /// Gives all bytes of some pieces, which are next to each other, the same value.
    pub(super) fn set_bytes(&mut self, to: &Access, byte: Term, pieces: &[(u64, u64)]) {
        let covered = match self.can_be_written(to) {
            true => self.covered(to, extent(pieces)),
            false => Vec::new(),
        };
        for part in &covered {
            let Sort::Array { index, .. } = self.cfa.terms.sort(part.array) else { continue };
            let element = self.repeated(byte, part.width);
            let all = self.cfa.terms.const_array(index, element);
            self.step.update(part.array, all);
        }
        for (offset, size) in outside(&covered, pieces) {
            let value = self.repeated(byte, size);
            self.write(&to.moved(offset), value);
        }
    }

    fn repeated(&mut self, byte: Term, size: u64) -> Term {
        (1..size).fold(byte, |value, _| self.cfa.terms.concat(byte, value))
    }

    /// What whole arrays become by a copy, and the pieces that are left.
    pub(super) fn copy_arrays(
        &mut self,
        to: &Access,
        from: &Access,
        pieces: &[(u64, u64)],
    ) -> (Copies, Vec<(u64, u64)>) {
        let total = extent(pieces);
        let sources = self.covered(from, total);
        let mut targets = match self.can_be_written(to) && !sources.is_empty() {
            true => self.covered(to, total),
            false => Vec::new(),
        };
        let shape = |part: &Covered| (part.lo, part.stride, part.count, part.width);
        let mut copies = Vec::new();
        targets.retain(|target| {
            let same = |source: &&Covered| {
                shape(source) == shape(target)
                    && self.cfa.terms.sort(source.array) == self.cfa.terms.sort(target.array)
            };
            let source = sources.iter().find(same);
            copies.extend(source.map(|s| (target.array, self.step.current(s.array))));
            source.is_some()
        });
        (copies, outside(&targets, pieces))
    }
}

/// How many bytes pieces cover, from 0 on.
fn extent(pieces: &[(u64, u64)]) -> u64 {
    pieces.iter().map(|&(offset, size)| offset + size).max().unwrap_or(0)
}

/// The pieces that are not part of what is covered, and the first and the last one.
fn outside(covered: &[Covered], pieces: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let last = pieces.len().saturating_sub(1);
    let is_left = |&(index, piece): &(usize, &(u64, u64))| {
        index == 0 || index == last || !covered.iter().any(|part| part.contains(*piece))
    };
    pieces.iter().enumerate().filter(is_left).map(|(_, piece)| *piece).collect()
}
