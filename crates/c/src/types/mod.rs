//! C types, interned: equal types have equal [`Ty`]s.
//!
//! Qualifiers are not part of types: they do not influence the values a program computes. Sizes
//! and alignments are those of gcc for x86, in 32 bits ([`DataModel::Ilp32`]) or 64
//! ([`DataModel::Lp64`]).

mod compatible;
mod convert;
mod layout;
mod show;
mod table;

pub use layout::{FieldSpec, RecordAttributes};

use crate::source::Position;
use rustc_hash::FxHashMap;

/// The widths of `long` and of pointers: 32 bits or 64.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits. The convention of the verification suites where
    /// nothing else is said.
    #[default]
    Ilp32,
    /// `long` and pointers have 64 bits.
    Lp64,
}

impl DataModel {
    pub fn pointer_bytes(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }

    /// The name used in task definitions and witnesses.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
}

/// A type in a [`Types`] table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Ty(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RecordId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EnumId(u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    /// `_Bool`: one byte, 0 or 1.
    Bool,
    Int(IntKind),
    /// The type of a bit-field that is wider than `int` and narrower than its declared type. gcc
    /// computes with exactly that many bits.
    Bits {
        width: u32,
        signed: bool,
    },
    Float(FloatKind),
    Enum(EnumId),
    Pointer(Ty),
    Array(Ty, Length),
    /// A struct or union.
    Record(RecordId),
    Function(Signature),
    /// `va_list`, opaque.
    VaList,
}

/// The standard integer types and `__int128`, in increasing rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum IntKind {
    /// Plain `char`, which is signed on x86.
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum FloatKind {
    /// binary32
    Float,
    /// binary64
    Double,
    /// The 80-bit extended format of x87.
    LongDouble,
    /// binary128
    Float128,
}

/// The number of elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Length {
    Fixed(u64),
    /// `[]`, unknown or flexible.
    Unknown,
    /// Held by a local variable, of type `size_t`, of the function in which the type occurs.
    Variable(u32),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    pub result: Ty,
    pub parameters: Vec<Ty>,
    pub variadic: bool,
    /// Whether the parameters are known; `int f()` does not tell them.
    pub prototype: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordKind {
    Struct,
    Union,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub kind: RecordKind,
    pub tag: Option<String>,
    /// The first typedef that names it, if it has no tag.
    pub typedef: Option<String>,
    pub position: Position,
    /// The number of the file it comes from; a header read twice gives two records.
    unit: u32,
    /// `None` as long as the type is incomplete.
    pub layout: Option<RecordLayout>,
    /// gcc's `transparent_union`: arguments may be given as one of the members.
    pub transparent: bool,
}

#[derive(Clone, Debug, Default)]
pub struct RecordLayout {
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for anonymous members and unnamed bit-fields.
    pub name: Option<String>,
    pub ty: Ty,
    /// In bytes from the start of the record; of a bit-field, the byte with its lowest bit.
    pub offset: u64,
    pub bits: Option<BitField>,
}

/// The place of a bit-field relative to the byte at its field's offset, lowest bits first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    /// Bits below it in its first byte, 0 to 7.
    pub shift: u32,
    pub width: u32,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: Option<String>,
    pub position: Position,
    /// The integer type that represents it; `None` as long as it is incomplete.
    pub repr: Option<Ty>,
}

/// How an integer type represents numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntFormat {
    pub width: u32,
    pub signed: bool,
}

/// The table of all types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    pub model: DataModel,
    /// The number of the file being read.
    pub unit: u32,
    list: Vec<Type>,
    unique: FxHashMap<Type, Ty>,
    records: Vec<Record>,
    enums: Vec<Enum>,
}

/// The types at fixed places of every table, in the order of the constants below.
const COMMON: [Type; 20] = [
    Type::Void,
    Type::Bool,
    Type::Int(IntKind::Char),
    Type::Int(IntKind::SChar),
    Type::Int(IntKind::UChar),
    Type::Int(IntKind::Short),
    Type::Int(IntKind::UShort),
    Type::Int(IntKind::Int),
    Type::Int(IntKind::UInt),
    Type::Int(IntKind::Long),
    Type::Int(IntKind::ULong),
    Type::Int(IntKind::LongLong),
    Type::Int(IntKind::ULongLong),
    Type::Int(IntKind::Int128),
    Type::Int(IntKind::UInt128),
    Type::Float(FloatKind::Float),
    Type::Float(FloatKind::Double),
    Type::Float(FloatKind::LongDouble),
    Type::Float(FloatKind::Float128),
    Type::VaList,
];

impl Ty {
    pub const VOID: Ty = Ty(0);
    pub const BOOL: Ty = Ty(1);
    pub const CHAR: Ty = Ty(2);
    pub const SCHAR: Ty = Ty(3);
    pub const UCHAR: Ty = Ty(4);
    pub const SHORT: Ty = Ty(5);
    pub const USHORT: Ty = Ty(6);
    pub const INT: Ty = Ty(7);
    pub const UINT: Ty = Ty(8);
    pub const LONG: Ty = Ty(9);
    pub const ULONG: Ty = Ty(10);
    pub const LLONG: Ty = Ty(11);
    pub const ULLONG: Ty = Ty(12);
    pub const INT128: Ty = Ty(13);
    pub const UINT128: Ty = Ty(14);
    pub const FLOAT: Ty = Ty(15);
    pub const DOUBLE: Ty = Ty(16);
    pub const LDOUBLE: Ty = Ty(17);
    pub const FLOAT128: Ty = Ty(18);
    pub const VA_LIST: Ty = Ty(19);
}
