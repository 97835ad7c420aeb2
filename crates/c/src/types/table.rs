//! Making types and asking what they are.

use super::{
    COMMON, DataModel, Enum, EnumId, Field, FloatKind, Length, Record, RecordId, RecordKind,
    Signature, Ty, Type, Types,
};
use crate::source::Position;

impl Types {
    pub fn new(model: DataModel) -> Types {
        let unique = COMMON.iter().cloned().zip((0..).map(Ty)).collect();
        let list = COMMON.to_vec();
        Types { model, unit: 0, list, unique, records: Vec::new(), enums: Vec::new() }
    }

    pub fn intern(&mut self, ty: Type) -> Ty {
        if let Some(&known) = self.unique.get(&ty) {
            return known;
        }
        let new = Ty(self.list.len() as u32);
        self.list.push(ty.clone());
        self.unique.insert(ty, new);
        new
    }

    pub fn get(&self, ty: Ty) -> &Type {
        &self.list[ty.0 as usize]
    }

    pub fn pointer(&mut self, target: Ty) -> Ty {
        self.intern(Type::Pointer(target))
    }

    pub fn array(&mut self, element: Ty, length: Length) -> Ty {
        self.intern(Type::Array(element, length))
    }

    pub fn new_record(&mut self, kind: RecordKind, tag: Option<String>, position: Position) -> Ty {
        let id = RecordId(self.records.len() as u32);
        let unit = self.unit;
        let (typedef, layout, transparent) = (None, None, false);
        self.records.push(Record { kind, tag, typedef, position, unit, layout, transparent });
        self.intern(Type::Record(id))
    }

    pub fn new_enum(&mut self, tag: Option<String>, position: Position) -> Ty {
        let id = EnumId(self.enums.len() as u32);
        self.enums.push(Enum { tag, position, repr: None });
        self.intern(Type::Enum(id))
    }

    /// The record that `ty` is, if it is one.
    pub fn record(&self, ty: Ty) -> Option<&Record> {
        match self.get(ty) {
            Type::Record(id) => Some(&self.records[id.0 as usize]),
            _ => None,
        }
    }

    pub fn record_mut(&mut self, ty: Ty) -> Option<&mut Record> {
        match self.list[ty.0 as usize] {
            Type::Record(id) => Some(&mut self.records[id.0 as usize]),
            _ => None,
        }
    }

    /// The fields of a complete record; none for other types.
    pub fn fields(&self, ty: Ty) -> &[Field] {
        let layout = self.record(ty).and_then(|record| record.layout.as_ref());
        layout.map_or(&[], |layout| &layout.fields)
    }

    /// The enumeration that `ty` is, if it is one.
    pub fn enumeration(&self, ty: Ty) -> Option<&Enum> {
        match self.get(ty) {
            Type::Enum(id) => Some(&self.enums[id.0 as usize]),
            _ => None,
        }
    }

    pub fn enumeration_mut(&mut self, ty: Ty) -> Option<&mut Enum> {
        match self.list[ty.0 as usize] {
            Type::Enum(id) => Some(&mut self.enums[id.0 as usize]),
            _ => None,
        }
    }

    /// What a pointer points to.
    pub fn target(&self, ty: Ty) -> Option<Ty> {
        match *self.get(ty) {
            Type::Pointer(target) => Some(target),
            _ => None,
        }
    }

    /// The element type of an array.
    pub fn element(&self, ty: Ty) -> Option<Ty> {
        match *self.get(ty) {
            Type::Array(element, _) => Some(element),
            _ => None,
        }
    }

    /// The signature of a function type.
    pub fn signature(&self, ty: Ty) -> Option<&Signature> {
        match self.get(ty) {
            Type::Function(signature) => Some(signature),
            _ => None,
        }
    }

    pub fn float_kind(&self, ty: Ty) -> Option<FloatKind> {
        match *self.get(ty) {
            Type::Float(kind) => Some(kind),
            _ => None,
        }
    }

    pub fn is_pointer(&self, ty: Ty) -> bool {
        matches!(self.get(ty), Type::Pointer(_))
    }
    pub fn is_array(&self, ty: Ty) -> bool {
        matches!(self.get(ty), Type::Array(..))
    }
    pub fn is_record(&self, ty: Ty) -> bool {
        matches!(self.get(ty), Type::Record(_))
    }
    pub fn is_function(&self, ty: Ty) -> bool {
        matches!(self.get(ty), Type::Function(_))
    }
    pub fn is_float(&self, ty: Ty) -> bool {
        matches!(self.get(ty), Type::Float(_))
    }
    /// Integers, `_Bool` and enumerations.
    pub fn is_integer(&self, ty: Ty) -> bool {
        matches!(self.get(ty), Type::Bool | Type::Int(_) | Type::Bits { .. } | Type::Enum(_))
    }
    pub fn is_arithmetic(&self, ty: Ty) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }
    /// Arithmetic types and pointers.
    pub fn is_scalar(&self, ty: Ty) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    pub fn size_type(&self) -> Ty {
        match self.model {
            DataModel::Ilp32 => Ty::UINT,
            DataModel::Lp64 => Ty::ULONG,
        }
    }

    /// `ptrdiff_t`, which is also the type of pointer-sized offsets.
    pub fn offset_type(&self) -> Ty {
        match self.model {
            DataModel::Ilp32 => Ty::INT,
            DataModel::Lp64 => Ty::LONG,
        }
    }

    pub fn wide_char_type(&self) -> Ty {
        match self.model {
            DataModel::Ilp32 => Ty::LONG,
            DataModel::Lp64 => Ty::INT,
        }
    }
}
