//! Values at run time.

use super::oracle::Life;

/// An object in memory. Numbers are never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct ObjectId(pub u32);

/// The bits of a number or pointer, zero-extended, and the object that a pointer refers to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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

/// One byte of memory: its contents, unless it is uninitialised, the object of the pointer that it
/// is a part of, and of an uninitialised byte whose contents it will have: a copy is asked for
/// where it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Byte {
    pub value: Option<u8>,
    pub object: Option<ObjectId>,
    pub source: Option<Source>,
}

/// A byte of something that began to live with arbitrary contents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    pub life: Life,
    pub offset: u64,
}

impl Byte {
    pub fn known(value: u8) -> Byte {
        Byte { value: Some(value), object: None, source: None }
    }

    pub fn arbitrary(life: Life, offset: u64) -> Byte {
        Byte { value: None, object: None, source: Some(Source { life, offset }) }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Scalar(Scalar),
    /// A struct, union or `va_list`, byte by byte.
    Bytes(Vec<Byte>),
}
