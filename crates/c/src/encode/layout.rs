//! How the bytes of an object become variables, decided by the accesses that can reach it.
//!
//! Accesses that overlap share storage, all others do not, so a record falls apart into its
//! fields and a union keeps one cell for all its members. Accesses with a variable offset make an
//! array: of whole words, or, in an array of records, one array per field. Where accesses cut
//! across each other, the storage consists of the largest units that none of them divides.

use crate::points::Offsets;

/// Cells wider than this are cut into units.
const MAX_CELL_BYTES: u64 = 16;

/// Elements of `width` bytes at `lo`, `lo + stride`, ..., `count` of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Band {
    pub lo: u64,
    pub stride: u64,
    pub count: u64,
    pub width: u64,
}

/// The bands of one object, disjoint and in the order of their first bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    pub bands: Vec<Band>,
}

/// Where some bytes are: from byte `sub` of element `element` on, possibly across elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    pub band: usize,
    pub element: u64,
    pub sub: u64,
}

/// Accesses of some size at some offsets; `count` is at least 1 and finite.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Access {
    first: u64,
    stride: u64,
    count: u64,
    size: u64,
}

impl Access {
    /// The part of the access that lies inside an object of `bytes` bytes.
    fn inside(offsets: Offsets, size: u64, bytes: u64) -> Option<Access> {
        if size == 0 || offsets.first.checked_add(size)? > bytes {
            return None;
        }
        let room = bytes - offsets.first - size;
        let stride = offsets.stride.max(1);
        let count = offsets.count.clamp(1, room / stride + 1);
        Some(Access { first: offsets.first, stride, count, size })
    }

    fn end(&self) -> u64 {
        self.first + (self.count - 1) * self.stride + self.size
    }
}

impl Band {
    pub fn end(&self) -> u64 {
        self.lo + (self.count - 1) * self.stride + self.width
    }

    /// Whether accesses may cover several elements.
    pub fn is_dense(&self) -> bool {
        self.stride == self.width
    }
}

impl Layout {
    /// The layout of an object of `bytes` bytes.
    pub fn new(accesses: impl IntoIterator<Item = (Offsets, u64)>, bytes: u64) -> Layout {
        let inside = |(offsets, size)| Access::inside(offsets, size, bytes);
        let mut accesses: Vec<Access> = accesses.into_iter().filter_map(inside).collect();
        accesses.sort_unstable_by_key(|a| (a.first, a.stride, a.count, a.size));
        accesses.dedup();
        let mut bands = Vec::new();
        let mut rest = &accesses[..];
        while let Some(first) = rest.first() {
            let mut end = first.end();
            let mut length = 1;
            while length < rest.len() && rest[length].first < end {
                end = end.max(rest[length].end());
                length += 1;
            }
            let (cluster, others) = rest.split_at(length);
            cluster_bands(cluster, first.first, end, &mut bands);
            rest = others;
        }
        bands.sort_unstable_by_key(|band| band.lo);
        Layout { bands }
    }

    /// The place of `size` bytes at an offset, if they are represented.
    pub fn find(&self, offset: u64, size: u64) -> Option<Spot> {
        self.bands.iter().enumerate().find_map(|(index, band)| {
            let relative = offset.checked_sub(band.lo)?;
            let (element, sub) = (relative / band.stride, relative % band.stride);
            let fits = match band.is_dense() {
                true => offset + size <= band.end(),
                false => element < band.count && sub + size <= band.width,
            };
            fits.then_some(Spot { band: index, element, sub })
        })
    }
}

/// The bands of accesses that overlap, directly or through others, and cover `lo` to `hi`.
fn cluster_bands(cluster: &[Access], lo: u64, hi: u64, bands: &mut Vec<Band>) {
    let stride = cluster.iter().filter(|a| a.count > 1).fold(0, |g, a| gcd(g, a.stride));
    if stride == 0 {
        let width = hi - lo;
        if width <= MAX_CELL_BYTES {
            bands.push(Band { lo, stride: width, count: 1, width });
            return;
        }
        return units(cluster, lo, hi, 0, bands);
    }
    let phase = |access: &Access| (access.first - lo) % stride;
    if cluster.iter().any(|access| phase(access) + access.size > stride) {
        return units(cluster, lo, hi, stride, bands);
    }
    let mut parts: Vec<(u64, u64)> =
        cluster.iter().map(|access| (phase(access), phase(access) + access.size)).collect();
    parts.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (start, end) in parts {
        match merged.last_mut() {
            Some(last) if start < last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    if merged.iter().any(|(start, end)| end - start > MAX_CELL_BYTES) {
        return units(cluster, lo, hi, stride, bands);
    }
    for (start, end) in merged {
        let width = end - start;
        let Some(room) = (hi - lo).checked_sub(start + width) else { continue };
        bands.push(Band { lo: lo + start, stride, count: room / stride + 1, width });
    }
}

/// One band of units that every access consists of.
fn units(cluster: &[Access], lo: u64, hi: u64, stride: u64, bands: &mut Vec<Band>) {
    let start = gcd(stride, hi - lo);
    let unit = cluster.iter().fold(start, |g, a| gcd(gcd(g, a.size), a.first - lo));
    bands.push(Band { lo, stride: unit, count: (hi - lo) / unit, width: unit });
}

pub fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(first: u64, size: u64) -> (Offsets, u64) {
        (Offsets { first, stride: 1, count: 1 }, size)
    }

    fn strided(first: u64, stride: u64, count: u64, size: u64) -> (Offsets, u64) {
        (Offsets { first, stride, count }, size)
    }

    #[test]
    fn fields_are_apart_and_members_of_unions_together() {
        let layout = Layout::new([exact(0, 4), exact(4, 8), exact(4, 1)], 12);
        let cell = |lo, width| Band { lo, stride: width, count: 1, width };
        assert_eq!(layout.bands, [cell(0, 4), cell(4, 8)]);
        assert_eq!(layout.find(4, 1), Some(Spot { band: 1, element: 0, sub: 0 }));
        assert_eq!(layout.find(2, 4), None);
    }

    #[test]
    fn arrays_of_records_have_a_band_for_each_field() {
        let layout = Layout::new([strided(0, 12, 10, 4), strided(8, 12, 10, 1), exact(20, 1)], 120);
        let band = |lo, width| Band { lo, stride: 12, count: 10, width };
        assert_eq!(layout.bands, [band(0, 4), band(8, 1)]);
        assert_eq!(layout.find(20, 1), Some(Spot { band: 1, element: 1, sub: 0 }));
    }

    #[test]
    fn bytes_and_words_meet_in_units() {
        let layout = Layout::new([strided(0, 1, u64::MAX, 1), strided(0, 4, u64::MAX, 4)], 16);
        assert_eq!(layout.bands, [Band { lo: 0, stride: 1, count: 16, width: 1 }]);
        assert_eq!(layout.find(4, 4), Some(Spot { band: 0, element: 4, sub: 0 }));
    }

    #[test]
    fn what_lies_outside_is_not_represented() {
        let layout = Layout::new([exact(6, 4), strided(0, 4, 100, 4)], 8);
        assert_eq!(layout.bands, [Band { lo: 0, stride: 4, count: 2, width: 4 }]);
    }
}
