//! The parameters of `main`.
//!
//! `argc` is not negative, and `argv` has `argc` pointers that are not null, and then a null pointer
//! (C11 5.1.2.2.1). The array is memory of the environment, so what is read from there is arbitrary
//! but for this; if the program writes to such memory, nothing is assumed.

use super::Encoder;
use super::memory::Access;
use super::storage::FIRST_ADDRESS;
use crate::flat::{FlatBlockId, InstanceId};
use crate::typed::LocalId;
use wedge_logic::{Sort, Term};

/// `argc` and `argv` as they were given.
pub type Given = (Term, Term);

impl Encoder<'_, '_> {
    /// Makes variables for what `main` gets, if it is an array of texts.
    pub(super) fn make_arguments(&mut self) {
        let body = self.flat.instances[0].body;
        let types = &self.program.types;
        if body.parameters < 2 || self.points.is_outside_written() {
            return;
        }
        let (count, first) = (body.locals[0].ty, body.locals[1].ty);
        let Some(format) = types.int_format(count).filter(|format| format.signed) else { return };
        if !types.is_pointer(first)
            || format.width >= self.pointer_width && types.size(count) > types.size(first)
        {
            return;
        }
        let registers = [0, 1].map(|index| self.register(InstanceId(0), LocalId(index)));
        if registers.iter().any(Option::is_none) {
            return;
        }
        let count = self.temporary("argc", Sort::Bv(format.width));
        let first = self.temporary("argv", Sort::Bv(self.pointer_width));
        self.arguments = Some((count, first));
    }

    /// Arbitrary parameters of `main`; gives what holds of them: `argc` is not negative, and `argv`
    /// is not null.
    pub(super) fn start_arguments(&mut self, site: (FlatBlockId, usize)) -> Term {
        let main = InstanceId(0);
        let (function, body) = (self.flat.instances[0].function, self.flat.instances[0].body);
        let at = self.program.function(function).position;
        let mut shape = self.cfa.terms.bool(true);
        let given = self.arguments.map(|(count, first)| [count, first]);
        for index in 0..body.parameters {
            let (id, ty) = (LocalId(index as u32), body.locals[index].ty);
            self.declare(main, id, at, site);
            let Some(register) = self.register(main, id) else { continue };
            let value = self.step.current(register);
            if let Some(&kept) = given.as_ref().and_then(|given| given.get(index)) {
                self.step.update(kept, value);
            }
            let terms = &mut self.cfa.terms;
            let fits = match index {
                0 if self.program.types.int_format(ty).is_some_and(|format| format.signed) => {
                    let sign = terms.sign(value);
                    terms.not(sign)
                }
                1 | 2 if self.program.types.is_pointer(ty) => {
                    let first = terms.number(self.pointer_width, FIRST_ADDRESS);
                    terms.ule(first, value)
                }
                _ => continue,
            };
            shape = self.cfa.terms.and(shape, fits);
        }
        shape
    }

    /// A pointer that is read from `argv` is null at the end of it, and not before.
    pub(super) fn argument_shape(&mut self, access: &Access, value: Term) {
        let Some((count, first)) = self.arguments else { return };
        let width = self.pointer_width;
        if self.cfa.terms.width(value) != width {
            return;
        }
        let (count, first) = (self.step.current(count), self.step.current(first));
        let address = self.address_value(&access.address);
        let terms = &mut self.cfa.terms;
        let low = (width / 8).trailing_zeros();
        let more = width - terms.width(count);
        let count = terms.zext(count, more);
        let unit = terms.number(width, u64::from(width / 8));
        let (size, offset) = (terms.mul(count, unit), terms.sub(address, first));
        let rest = terms.slice(offset, low - 1, 0);
        let none = terms.zero(low);
        let (is_whole, zero) = (terms.eq(rest, none), terms.zero(width));
        let (is_inside, is_end) = (terms.ult(offset, size), terms.eq(offset, size));
        let (is_text, is_null) = (terms.neq(value, zero), terms.eq(value, zero));
        let is_element = terms.and(is_whole, is_inside);
        let (inside, end) = (terms.implies(is_element, is_text), terms.implies(is_end, is_null));
        let fits = terms.and(inside, end);
        self.require(fits);
    }
}
