//! Values at run time.

/// An object in memory. Numbers are never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct ObjectId(pub u32);

/// The bits of a number or pointer, zero-extended, and the object that a pointer refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scalar {
    pub bits: u128,
    pub object: Option<ObjectId>,
}

impl Scalar {
    /// A number.
    pub fn number(bits: u128) -> Scalar {
        Scalar { bits, object: None }
    }

    pub fn truth(value: bool) -> Scalar {
        Scalar::number(value as u128)
    }
}

/// One byte of memory: its contents, unless it is uninitialised, and the object of the pointer
/// that it is a part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Byte {
    pub value: Option<u8>,
    pub object: Option<ObjectId>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Scalar(Scalar),
    /// A struct, union or `va_list`, byte by byte.
    Bytes(Vec<Byte>),
}
