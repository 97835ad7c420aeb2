//! Compatible types and their composites (C11 6.2.7).

use super::{Length, Signature, Ty, Type, Types};

impl Types {
    /// Whether two declarations of one object or function may have these types. Records of
    /// different files are compatible if they agree in tag, size and alignment.
    pub fn compatible(&self, left: Ty, right: Ty) -> bool {
        if left == right {
            return true;
        }
        match (self.get(left), self.get(right)) {
            (&Type::Pointer(a), &Type::Pointer(b)) => self.compatible(a, b),
            (&Type::Array(a, m), &Type::Array(b, n)) => {
                let differ = matches!((m, n), (Length::Fixed(m), Length::Fixed(n)) if m != n);
                !differ && self.compatible(a, b)
            }
            (Type::Function(a), Type::Function(b)) => self.compatible_signatures(a, b),
            (Type::Enum(_), Type::Int(_)) => {
                self.enumeration(left).is_some_and(|e| e.repr == Some(right))
            }
            (Type::Int(_), Type::Enum(_)) => self.compatible(right, left),
            (Type::Record(_), Type::Record(_)) => self.compatible_records(left, right),
            _ => false,
        }
    }

    fn compatible_signatures(&self, a: &Signature, b: &Signature) -> bool {
        if !self.compatible(a.result, b.result) {
            return false;
        }
        if !a.prototype || !b.prototype {
            return true;
        }
        let pairs = || a.parameters.iter().zip(&b.parameters);
        a.variadic == b.variadic
            && a.parameters.len() == b.parameters.len()
            && pairs().all(|(&a, &b)| self.compatible(a, b))
    }

    fn compatible_records(&self, left: Ty, right: Ty) -> bool {
        let (Some(a), Some(b)) = (self.record(left), self.record(right)) else { return false };
        let same_layout = match (&a.layout, &b.layout) {
            (Some(x), Some(y)) => x.size == y.size && x.align == y.align,
            _ => true,
        };
        a.kind == b.kind && a.tag == b.tag && a.unit != b.unit && same_layout
    }

    /// The type that two compatible declarations give together: the more complete one.
    pub fn composite(&mut self, left: Ty, right: Ty) -> Ty {
        match (self.get(left).clone(), self.get(right).clone()) {
            (Type::Array(a, m), Type::Array(b, n)) => {
                let element = self.composite(a, b);
                let length = if m == Length::Unknown { n } else { m };
                self.array(element, length)
            }
            (Type::Function(a), Type::Function(b)) if !a.prototype && b.prototype => right,
            (Type::Record(_), Type::Record(_)) if self.size(left).is_none() => right,
            _ => left,
        }
    }
}
