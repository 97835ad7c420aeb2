//! Integer promotions and the usual arithmetic conversions (C11 6.3.1).

use super::{BitField, IntFormat, IntKind, Ty, Type, Types};

impl Types {
    /// The type of a bit-field's value before promotion. As in gcc it has the precision of the
    /// field, so promotion depends on the width, not on the declared type.
    pub fn bit_field_type(&mut self, declared: Ty, bits: BitField) -> Ty {
        let Some(format) = self.int_format(declared) else { return declared };
        let int_width = 32;
        if declared == Ty::BOOL || bits.width == format.width {
            return declared;
        }
        match (bits.width == int_width, bits.width < int_width, format.signed) {
            (true, _, true) | (_, true, _) => Ty::INT,
            (true, _, false) => Ty::UINT,
            (_, _, signed) => self.intern(Type::Bits { width: bits.width, signed }),
        }
    }

    /// The promoted type of an integer (C11 6.3.1.1).
    pub fn promote(&self, ty: Ty) -> Ty {
        match *self.get(ty) {
            Type::Bool => Ty::INT,
            Type::Int(kind) if kind < IntKind::Int => Ty::INT,
            Type::Enum(_) => {
                self.enumeration(ty).and_then(|e| e.repr).map_or(Ty::INT, |repr| self.promote(repr))
            }
            _ => ty,
        }
    }

    /// The type that an argument without a parameter gets (C11 6.5.2.2).
    pub fn promote_argument(&self, ty: Ty) -> Ty {
        if ty == Ty::FLOAT { Ty::DOUBLE } else { self.promote(ty) }
    }

    /// The common type of two arithmetic operands (C11 6.3.1.8).
    pub fn common_arithmetic(&self, left: Ty, right: Ty) -> Ty {
        match (self.float_kind(left), self.float_kind(right)) {
            (Some(a), Some(b)) => return if a >= b { left } else { right },
            (Some(_), None) => return left,
            (None, Some(_)) => return right,
            (None, None) => {}
        }
        let (left, right) = (self.promote(left), self.promote(right));
        let (Some(a), Some(b)) = (self.int_format(left), self.int_format(right)) else {
            return left;
        };
        match a.width.cmp(&b.width) {
            std::cmp::Ordering::Greater => left,
            std::cmp::Ordering::Less => right,
            std::cmp::Ordering::Equal => self.same_width(left, a, right, b),
        }
    }

    /// Of two types of one width, that of higher rank, unsigned if one of them is.
    fn same_width(&self, left: Ty, a: IntFormat, right: Ty, b: IntFormat) -> Ty {
        let higher = if self.rank(left) >= self.rank(right) { left } else { right };
        let signed = a.signed && b.signed;
        match *self.get(higher) {
            Type::Int(kind) if !signed && kind.signed() => unsigned_of(kind),
            Type::Bits { .. } => {
                if signed || !a.signed {
                    left
                } else {
                    right
                }
            }
            _ => higher,
        }
    }

    fn rank(&self, ty: Ty) -> Option<IntKind> {
        match *self.get(ty) {
            Type::Int(kind) => Some(kind),
            _ => None,
        }
    }

    /// The signed or unsigned integer type with `width` bits that C names first.
    pub fn int_of_width(&mut self, width: u32, signed: bool) -> Ty {
        let signed_types = [Ty::SCHAR, Ty::SHORT, Ty::INT, Ty::LONG, Ty::LLONG, Ty::INT128];
        let unsigned_types = [Ty::UCHAR, Ty::USHORT, Ty::UINT, Ty::ULONG, Ty::ULLONG, Ty::UINT128];
        let candidates = if signed { signed_types } else { unsigned_types };
        let has_width = |ty: &Ty| self.int_format(*ty).is_some_and(|f| f.width == width);
        let found = candidates.into_iter().find(has_width);
        found.unwrap_or_else(|| self.intern(Type::Bits { width, signed }))
    }
}

fn unsigned_of(kind: IntKind) -> Ty {
    match kind {
        IntKind::Char | IntKind::SChar | IntKind::UChar => Ty::UCHAR,
        IntKind::Short | IntKind::UShort => Ty::USHORT,
        IntKind::Int | IntKind::UInt => Ty::UINT,
        IntKind::Long | IntKind::ULong => Ty::ULONG,
        IntKind::LongLong | IntKind::ULongLong => Ty::ULLONG,
        IntKind::Int128 | IntKind::UInt128 => Ty::UINT128,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::DataModel;

    #[test]
    fn common_types() {
        let narrow = Types::new(DataModel::Ilp32);
        let wide = Types::new(DataModel::Lp64);
        for (left, right, in_32, in_64) in [
            (Ty::CHAR, Ty::USHORT, Ty::INT, Ty::INT),
            (Ty::UINT, Ty::INT, Ty::UINT, Ty::UINT),
            (Ty::UINT, Ty::LONG, Ty::ULONG, Ty::LONG),
            (Ty::ULONG, Ty::LLONG, Ty::LLONG, Ty::ULLONG),
            (Ty::FLOAT, Ty::LLONG, Ty::FLOAT, Ty::FLOAT),
            (Ty::DOUBLE, Ty::LDOUBLE, Ty::LDOUBLE, Ty::LDOUBLE),
            (Ty::BOOL, Ty::BOOL, Ty::INT, Ty::INT),
        ] {
            assert_eq!(narrow.common_arithmetic(left, right), in_32);
            assert_eq!(wide.common_arithmetic(left, right), in_64);
            assert_eq!(wide.common_arithmetic(right, left), in_64);
        }
    }

    #[test]
    fn bit_fields_have_their_own_precision() {
        let mut types = Types::new(DataModel::Lp64);
        let bits = |width| BitField { shift: 0, width };
        assert_eq!(types.bit_field_type(Ty::UINT, bits(31)), Ty::INT);
        assert_eq!(types.bit_field_type(Ty::ULONG, bits(32)), Ty::UINT);
        assert_eq!(types.bit_field_type(Ty::ULONG, bits(64)), Ty::ULONG);
        let wide = types.bit_field_type(Ty::ULONG, bits(40));
        assert_eq!(types.int_format(wide), Some(IntFormat { width: 40, signed: false }));
        assert_eq!(types.common_arithmetic(wide, Ty::INT), wide);
        assert_eq!(types.common_arithmetic(wide, Ty::LONG), Ty::LONG);
    }
}
