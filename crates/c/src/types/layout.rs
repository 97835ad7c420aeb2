//! Sizes, alignments and the layout of records, as gcc lays them out for the System V ABI of x86
//! (gcc's `stor-layout.cc`: `place_field`, `update_alignment_for_field`).

use super::{
    BitField, DataModel, Field, FloatKind, IntFormat, IntKind, Length, RecordKind, RecordLayout,
    Ty, Type, Types,
};

/// A member as declared, before it has a place.
#[derive(Clone, Debug)]
pub struct FieldSpec {
    pub name: Option<String>,
    pub ty: Ty,
    pub bit_width: Option<u32>,
    /// From an `aligned` attribute on the member.
    pub align: Option<u64>,
    /// From an `aligned` attribute on the typedef that names the type.
    pub typedef_align: Option<u64>,
    pub packed: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct RecordAttributes {
    pub packed: bool,
    pub align: Option<u64>,
    /// The limit of `#pragma pack`; 0 if there is none.
    pub pack: u8,
}

impl IntKind {
    pub fn signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }

    fn bytes(self, model: DataModel) -> u64 {
        use IntKind::*;
        match self {
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 4,
            Long | ULong => model.pointer_bytes(),
            LongLong | ULongLong => 8,
            Int128 | UInt128 => 16,
        }
    }
}

impl FloatKind {
    /// The bytes that the value occupies at the start of its storage.
    pub fn value_bytes(self) -> u64 {
        match self {
            FloatKind::Float => 4,
            FloatKind::Double => 8,
            FloatKind::LongDouble => 10,
            FloatKind::Float128 => 16,
        }
    }

    fn bytes(self, model: DataModel) -> u64 {
        match (self, model) {
            (FloatKind::LongDouble, DataModel::Ilp32) => 12,
            (FloatKind::LongDouble, DataModel::Lp64) => 16,
            _ => self.value_bytes(),
        }
    }
}

impl Types {
    /// The size in bytes; `None` for incomplete and variable types. As in GNU C, `void` and
    /// functions have size 1.
    pub fn size(&self, ty: Ty) -> Option<u64> {
        Some(match self.get(ty) {
            Type::Void | Type::Bool | Type::Function(_) => 1,
            Type::Int(kind) => kind.bytes(self.model),
            Type::Bits { width, .. } => (width.div_ceil(8) as u64).next_power_of_two(),
            Type::Float(kind) => kind.bytes(self.model),
            Type::Enum(_) => self.size(self.enumeration(ty)?.repr?)?,
            Type::Pointer(_) => self.model.pointer_bytes(),
            &Type::Array(element, Length::Fixed(count)) => {
                self.size(element)?.checked_mul(count)?
            }
            Type::Array(..) => return None,
            Type::Record(_) => self.record(ty)?.layout.as_ref()?.size,
            Type::VaList => match self.model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 24,
            },
        })
    }

    /// The alignment in bytes that members of the type get.
    pub fn align(&self, ty: Ty) -> u64 {
        match self.get(ty) {
            &Type::Array(element, _) => self.align(element),
            Type::Record(_) => {
                self.record(ty).and_then(|r| r.layout.as_ref()).map_or(1, |layout| layout.align)
            }
            Type::Enum(_) => {
                self.enumeration(ty).and_then(|e| e.repr).map_or(1, |repr| self.align(repr))
            }
            Type::Float(FloatKind::Float128) | Type::Int(IntKind::Int128 | IntKind::UInt128) => 16,
            Type::Float(FloatKind::LongDouble) if self.model == DataModel::Lp64 => 16,
            _ => self.size(ty).unwrap_or(1).min(self.model.pointer_bytes()),
        }
    }

    /// The width and signedness of an integer type; `None` for other types.
    pub fn int_format(&self, ty: Ty) -> Option<IntFormat> {
        match *self.get(ty) {
            Type::Bool => Some(IntFormat { width: 8, signed: false }),
            Type::Int(kind) => {
                Some(IntFormat { width: 8 * kind.bytes(self.model) as u32, signed: kind.signed() })
            }
            Type::Bits { width, signed } => Some(IntFormat { width, signed }),
            Type::Enum(_) => self.int_format(self.enumeration(ty)?.repr?),
            _ => None,
        }
    }

    /// The format of an integer or, seen as an unsigned integer, of a pointer.
    pub fn word_format(&self, ty: Ty) -> Option<IntFormat> {
        let width = 8 * self.model.pointer_bytes() as u32;
        let pointer = self.is_pointer(ty).then_some(IntFormat { width, signed: false });
        pointer.or_else(|| self.int_format(ty))
    }

    /// Places the members of a record. The error names the member that has no size, or is `None`
    /// if the record as a whole is too large.
    pub fn lay_out(
        &self,
        kind: RecordKind,
        members: &[FieldSpec],
        attributes: RecordAttributes,
    ) -> Result<RecordLayout, Option<usize>> {
        let mut placer = Placer { types: self, kind, attributes, bits: 0, end: 0, align: 1 };
        let mut fields = Vec::with_capacity(members.len());
        for (index, member) in members.iter().enumerate() {
            let is_last = index + 1 == members.len();
            fields.push(placer.place(member, is_last).ok_or(Some(index))?);
            if placer.end > u64::MAX >> 8 {
                return Err(None);
            }
        }
        let align = placer.align.max(attributes.align.unwrap_or(1));
        let size = placer.end.div_ceil(8).next_multiple_of(align);
        Ok(RecordLayout { fields, size, align })
    }
}

/// The state of laying out one record; positions are in bits.
struct Placer<'a> {
    types: &'a Types,
    kind: RecordKind,
    attributes: RecordAttributes,
    /// Where the next member may begin.
    bits: u64,
    /// The end of the furthest member.
    end: u64,
    /// In bytes.
    align: u64,
}

impl Placer<'_> {
    fn place(&mut self, member: &FieldSpec, is_last: bool) -> Option<Field> {
        if self.kind == RecordKind::Union {
            self.bits = 0;
        }
        let natural = member.typedef_align.unwrap_or_else(|| self.types.align(member.ty));
        match member.bit_width {
            Some(width) => self.place_bits(member, width, natural),
            None => self.place_bytes(member, natural, is_last),
        }
    }

    fn is_packed(&self, member: &FieldSpec) -> bool {
        self.attributes.packed || member.packed
    }

    fn limited(&self, align: u64) -> u64 {
        match self.attributes.pack {
            0 => align,
            pack => align.min(pack as u64),
        }
    }

    fn place_bytes(&mut self, member: &FieldSpec, natural: u64, is_last: bool) -> Option<Field> {
        let natural = if self.is_packed(member) { 1 } else { natural };
        let align = self.limited(natural.max(member.align.unwrap_or(1)));
        self.bits = self.bits.checked_next_multiple_of(8 * align)?;
        let offset = self.bits / 8;
        let flexible =
            is_last && matches!(self.types.get(member.ty), Type::Array(_, Length::Unknown));
        let size = if flexible { 0 } else { self.types.size(member.ty)? };
        self.bits = self.bits.checked_add(size.checked_mul(8)?)?;
        self.end = self.end.max(self.bits);
        self.align = self.align.max(align);
        Some(Field { name: member.name.clone(), ty: member.ty, offset, bits: None })
    }

    fn place_bits(&mut self, member: &FieldSpec, width: u32, natural: u64) -> Option<Field> {
        let packed = self.is_packed(member);
        if width == 0 {
            self.bits = self.bits.checked_next_multiple_of(8 * natural)?;
        } else {
            if let Some(align) = member.align {
                self.bits = self.bits.checked_next_multiple_of(8 * self.limited(align))?;
            }
            let unit = self.types.size(member.ty)? * 8;
            if !packed && self.attributes.pack == 0 && self.crosses(width, natural * 8, unit) {
                self.bits = self.bits.checked_next_multiple_of(8 * natural)?;
            }
        }
        if member.name.is_some() {
            let own = if packed && self.attributes.pack == 0 { 1 } else { self.limited(natural) };
            self.align = self.align.max(own).max(self.limited(member.align.unwrap_or(1)));
        }
        let (offset, shift) = (self.bits / 8, (self.bits % 8) as u32);
        self.bits = self.bits.checked_add(width as u64)?;
        self.end = self.end.max(self.bits);
        let bits = Some(BitField { shift, width });
        Some(Field { name: member.name.clone(), ty: member.ty, offset, bits })
    }

    /// Whether a bit-field placed here would span more aligned units than its type does.
    fn crosses(&self, width: u32, align: u64, unit: u64) -> bool {
        (self.bits % align + width as u64).div_ceil(align) > unit / align
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(ty: Ty, bit_width: Option<u32>) -> FieldSpec {
        let name = Some("x".to_string());
        FieldSpec { name, ty, bit_width, align: None, typedef_align: None, packed: false }
    }

    fn layout(
        model: DataModel,
        members: &[FieldSpec],
        attributes: RecordAttributes,
    ) -> RecordLayout {
        Types::new(model).lay_out(RecordKind::Struct, members, attributes).unwrap()
    }

    #[test]
    fn alignment_differs_between_models() {
        let members = [field(Ty::CHAR, None), field(Ty::LLONG, None)];
        let narrow = layout(DataModel::Ilp32, &members, RecordAttributes::default());
        assert_eq!((narrow.size, narrow.fields[1].offset), (12, 4));
        let wide = layout(DataModel::Lp64, &members, RecordAttributes::default());
        assert_eq!((wide.size, wide.fields[1].offset), (16, 8));
    }

    #[test]
    fn bit_fields_do_not_cross_their_unit() {
        let members =
            [field(Ty::INT, Some(20)), field(Ty::INT, Some(20)), field(Ty::CHAR, Some(3))];
        let plain = layout(DataModel::Lp64, &members, RecordAttributes::default());
        assert_eq!((plain.size, plain.fields[1].offset), (8, 4));
        assert_eq!(plain.fields[2].bits, Some(BitField { shift: 4, width: 3 }));
        let packed = RecordAttributes { packed: true, ..RecordAttributes::default() };
        let packed = layout(DataModel::Lp64, &members, packed);
        assert_eq!((packed.size, packed.align), (6, 1));
        assert_eq!(packed.fields[1].bits, Some(BitField { shift: 4, width: 20 }));
    }
}
