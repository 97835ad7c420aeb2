//! Bytes of objects as they are stored: elements of bands, each a variable of its own or one entry
//! of an array.

use super::Encoder;
use super::address::{Element, Located};
use super::storage::{Cells, array_index_bits, bits_for};
use wedge_logic::Term;

impl Encoder<'_, '_> {
    pub(super) fn read_at(&mut self, spot: &Located, size: u64) -> Term {
        let band = self.storage.get(spot.object).layout.bands[spot.band];
        let count = (spot.sub + size).div_ceil(band.width);
        let mut bits = None;
        for step in 0..count {
            let element = self.next_element(spot.element, step);
            let part = self.read_element(spot, element);
            bits = Some(match bits {
                Some(low) => self.cfa.terms.concat(part, low),
                None => part,
            });
        }
        let bits = bits.unwrap_or_else(|| self.cfa.terms.zero(8));
        let low = 8 * spot.sub as u32;
        self.cfa.terms.slice(bits, low + 8 * size as u32 - 1, low)
    }

    pub(super) fn write_at(&mut self, spot: &Located, condition: Option<Term>, value: Term) {
        let band = self.storage.get(spot.object).layout.bands[spot.band];
        let size = self.cfa.terms.width(value) as u64 / 8;
        let count = (spot.sub + size).div_ceil(band.width);
        for step in 0..count {
            let element = self.next_element(spot.element, step);
            // The bytes of the element that are written, and those of the value that go there.
            let start = if step == 0 { spot.sub } else { 0 };
            let end = (spot.sub + size - step * band.width).min(band.width);
            let from = step * band.width + start - spot.sub;
            let low = 8 * from as u32;
            let part = self.cfa.terms.slice(value, low + 8 * (end - start) as u32 - 1, low);
            let part = match (start, end) {
                (0, end) if end == band.width => part,
                _ => self.merged(spot, element, part, start, end, band.width),
            };
            self.write_element(spot, element, condition, part);
        }
    }

    /// An element of which only the bytes from `start` to `end` are new.
    fn merged(
        &mut self,
        spot: &Located,
        element: Element,
        part: Term,
        start: u64,
        end: u64,
        width: u64,
    ) -> Term {
        let old = self.read_element(spot, element);
        let terms = &mut self.cfa.terms;
        let mut merged = part;
        if start > 0 {
            let low = terms.slice(old, 8 * start as u32 - 1, 0);
            merged = terms.concat(merged, low);
        }
        if end < width {
            let high = terms.slice(old, 8 * width as u32 - 1, 8 * end as u32);
            merged = terms.concat(high, merged);
        }
        merged
    }

    fn next_element(&mut self, element: Element, step: u64) -> Element {
        match element {
            Element::Constant(number) => Element::Constant(number + step),
            Element::Variable(term) => {
                let step = self.cfa.terms.number(self.pointer_width, step);
                Element::Variable(self.cfa.terms.add(term, step))
            }
        }
    }

    fn cells(&self, spot: &Located) -> (Cells, u64, u64) {
        let stored = self.storage.get(spot.object);
        let count = stored.layout.bands[spot.band].count;
        (stored.cells[spot.band].clone(), count, stored.instances)
    }

    /// The value of an element; after the writes of this step that came before.
    fn read_element(&mut self, spot: &Located, element: Element) -> Term {
        let (cells, count, instances) = self.cells(spot);
        match cells {
            Cells::Array(array) => {
                let index = self.array_index(spot, element);
                let array = self.step.current(array);
                self.cfa.terms.read(array, index)
            }
            Cells::Scalars(variables) => {
                let mut value: Option<Term> = None;
                for number in (0..instances * count).rev() {
                    let at = self.is_cell(spot, element, number / count, number % count);
                    if self.cfa.terms.value(at).is_some_and(|at| at.is_zero()) {
                        continue;
                    }
                    let here = self.step.current(variables[number as usize]);
                    value = Some(match value {
                        Some(other) => self.cfa.terms.ite(at, here, other),
                        None => here,
                    });
                }
                value.unwrap_or(variables[0])
            }
        }
    }

    fn write_element(
        &mut self,
        spot: &Located,
        element: Element,
        condition: Option<Term>,
        value: Term,
    ) {
        let (cells, count, instances) = self.cells(spot);
        match cells {
            Cells::Array(array) => {
                let index = self.array_index(spot, element);
                let old = self.step.current(array);
                let mut new = self.cfa.terms.write(old, index, value);
                if let Some(condition) = condition {
                    new = self.cfa.terms.ite(condition, new, old);
                }
                self.step.update(array, new);
            }
            Cells::Scalars(variables) => {
                for number in 0..instances * count {
                    let at = self.is_cell(spot, element, number / count, number % count);
                    let at = match condition {
                        Some(condition) => self.cfa.terms.and(condition, at),
                        None => at,
                    };
                    let variable = variables[number as usize];
                    let old = self.step.current(variable);
                    let new = self.cfa.terms.ite(at, value, old);
                    if new != old {
                        self.step.update(variable, new);
                    }
                }
            }
        }
    }

    /// Whether the spot means this element of this instance.
    fn is_cell(&mut self, spot: &Located, element: Element, instance: u64, number: u64) -> Term {
        let terms = &mut self.cfa.terms;
        let same_element = match element {
            Element::Constant(constant) => terms.bool(constant == number),
            Element::Variable(term) => {
                let width = terms.width(term);
                let number = terms.number(width, number);
                terms.eq(term, number)
            }
        };
        match spot.instance {
            None => same_element,
            Some(term) => {
                let width = terms.width(term);
                let number = terms.number(width, instance);
                let same = terms.eq(term, number);
                terms.and(same, same_element)
            }
        }
    }

    fn array_index(&mut self, spot: &Located, element: Element) -> Term {
        let stored = self.storage.get(spot.object);
        let band = &stored.layout.bands[spot.band];
        let low = bits_for(band.count);
        let width = array_index_bits(band, stored.instances);
        let terms = &mut self.cfa.terms;
        let element = match element {
            Element::Constant(number) => terms.number(width, number),
            Element::Variable(term) => {
                let has = terms.width(term);
                match low {
                    0 => terms.zero(width),
                    _ => {
                        let bits = terms.slice(term, low.min(has) - 1, 0);
                        let has = terms.width(bits);
                        terms.zext(bits, width - has)
                    }
                }
            }
        };
        match spot.instance {
            None => element,
            Some(instance) => {
                let has = terms.width(instance);
                let wide = terms.zext(instance, width - has);
                let shift = terms.number(width, low as u64);
                let shifted = terms.sll(wide, shift);
                terms.add(shifted, element)
            }
        }
    }
}
