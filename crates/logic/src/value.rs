//! Concrete values of terms: bit-vectors and arrays.

use crate::bitvec::BitVec;
use crate::term::{Sort, Term, TermStore};
use rpds::RedBlackTreeMapSync;

/// The value of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Bv(BitVec),
    Array(ArrayValue),
}

/// An array as a default element and the exceptions to it. The versions of an array that writes
/// make share what they have in common. Invariant: no exception equals the default.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    index_width: u32,
    default: BitVec,
    entries: RedBlackTreeMapSync<BitVec, BitVec>,
}

impl Value {
    /// The value of this sort in which every bit is 0.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bv(width) => Value::Bv(BitVec::zero(width)),
            Sort::Array { index, element } => {
                Value::Array(ArrayValue::constant(index, BitVec::zero(element)))
            }
        }
    }

    pub fn sort(&self) -> Sort {
        match self {
            Value::Bv(value) => Sort::Bv(value.width()),
            Value::Array(array) => {
                Sort::Array { index: array.index_width, element: array.default.width() }
            }
        }
    }

    /// The bit-vector. Panics on an array.
    pub fn bv(&self) -> &BitVec {
        match self {
            Value::Bv(value) => value,
            Value::Array(_) => panic!("a bit-vector wanted, an array found"),
        }
    }

    /// The array. Panics on a bit-vector.
    pub fn array(&self) -> &ArrayValue {
        match self {
            Value::Array(array) => array,
            Value::Bv(_) => panic!("an array wanted, a bit-vector found"),
        }
    }

    /// Whether this is the bit-vector 1 of width 1.
    pub fn is_true(&self) -> bool {
        matches!(self, Value::Bv(value) if value.width() == 1 && value.is_one())
    }
}

impl From<BitVec> for Value {
    fn from(value: BitVec) -> Value {
        Value::Bv(value)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bv(value.into())
    }
}

impl ArrayValue {
    /// The array in which every element is `element`.
    pub fn constant(index_width: u32, element: BitVec) -> ArrayValue {
        ArrayValue { index_width, default: element, entries: RedBlackTreeMapSync::new_sync() }
    }

    pub fn index_width(&self) -> u32 {
        self.index_width
    }
    /// The element at every index without an entry.
    pub fn default_element(&self) -> &BitVec {
        &self.default
    }
    /// The elements that differ from the default, by increasing index.
    pub fn entries(&self) -> impl Iterator<Item = (&BitVec, &BitVec)> {
        self.entries.iter()
    }

    /// Panics on an index of the wrong width.
    pub fn read(&self, index: &BitVec) -> &BitVec {
        assert_eq!(index.width(), self.index_width, "an index has the width of its array");
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array after an assignment. Panics on an index or element of the wrong width.
    pub fn write(&self, index: &BitVec, element: &BitVec) -> ArrayValue {
        assert_eq!(element.width(), self.default.width(), "an element has its array's width");
        if self.read(index) == element {
            return self.clone();
        }
        let entries = match *element == self.default {
            true => self.entries.remove(index),
            false => self.entries.insert(index.clone(), element.clone()),
        };
        ArrayValue { entries, ..self.clone() }
    }

    /// Whether the two agree although their defaults differ: then every index has an entry in
    /// one of them.
    fn agree_everywhere(&self, other: &ArrayValue) -> bool {
        let entries = (self.entries.size() + other.entries.size()) as u64;
        if 1u64.checked_shl(self.index_width).is_none_or(|indices| indices > entries) {
            return false;
        }
        let mut indices = (0..1 << self.index_width).map(|i| BitVec::new(self.index_width, i));
        indices.all(|index| self.read(&index) == other.read(&index))
    }
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        if self.index_width != other.index_width {
            return false;
        }
        match self.default == other.default {
            true => self.entries == other.entries,
            false => self.default.width() == other.default.width() && self.agree_everywhere(other),
        }
    }
}

impl Eq for ArrayValue {}

impl TermStore {
    /// The term with this value: a constant, or writes to a constant array.
    pub fn value_term(&mut self, value: &Value) -> Term {
        let array = match value {
            Value::Bv(value) => return self.constant(value.clone()),
            Value::Array(array) => array,
        };
        let default = self.constant(array.default.clone());
        let mut term = self.const_array(array.index_width, default);
        for (index, element) in array.entries() {
            let (index, element) = (self.constant(index.clone()), self.constant(element.clone()));
            term = self.write(term, index, element);
        }
        term
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bv(width: u32, value: u64) -> BitVec {
        BitVec::new(width, value)
    }

    #[test]
    fn writes_back_to_the_default_leave_no_trace() {
        let array = ArrayValue::constant(4, bv(8, 7));
        let written = array.write(&bv(4, 3), &bv(8, 1));
        assert_ne!(written, array);
        assert_eq!(written.read(&bv(4, 3)), &bv(8, 1));
        assert_eq!(written.read(&bv(4, 2)), &bv(8, 7));
        assert_eq!(written.write(&bv(4, 3), &bv(8, 7)), array);
    }

    #[test]
    fn equality_is_that_of_the_functions() {
        let zeros = ArrayValue::constant(1, bv(2, 0));
        let full = zeros.write(&bv(1, 0), &bv(2, 3)).write(&bv(1, 1), &bv(2, 3));
        assert_eq!(full, ArrayValue::constant(1, bv(2, 3)));
        assert_ne!(zeros.write(&bv(1, 0), &bv(2, 3)), ArrayValue::constant(1, bv(2, 3)));
        assert_ne!(ArrayValue::constant(1, bv(2, 0)), ArrayValue::constant(2, bv(2, 0)));
        assert_ne!(ArrayValue::constant(70, bv(2, 0)), ArrayValue::constant(70, bv(2, 1)));
    }

    #[test]
    fn sorts_of_values() {
        let sort = Sort::Array { index: 3, element: 5 };
        assert_eq!(Value::zero(sort).sort(), sort);
        assert_eq!(Value::from(true).sort(), Sort::BOOL);
        assert!(Value::from(true).is_true());
        assert!(!Value::from(bv(2, 1)).is_true());
    }
}
