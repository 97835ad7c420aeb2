//! Pure expressions and places.

use super::program::{FuncId, GlobalId, LocalId};
use crate::source::Position;
use crate::types::{Length, Ty, Type, Types};

/// No expression is nested deeper than this, so code that recurses over expressions is safe. The
/// typing moves parts of deeper ones into temporaries.
pub const MAX_DEPTH: u16 = 200;

/// An expression without side effects. Its type is never a function or an array; expressions of
/// record type are always `Load`s.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Ty,
    pub position: Position,
    depth: u16,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// The bits of an integer, zero-extended, or of a pointer given by its address (0 is null).
    Int(u128),
    /// The bits of a floating-point number in the format of its type.
    Float(u128),
    /// The value stored in a place. Of a bit-field, its value extended to the type.
    Load(Box<Place>),
    /// The address of a place, which is not a bit-field.
    AddressOf(Box<Place>),
    /// The address of a function.
    Function(FuncId),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A pointer moved by a number of elements; `index` has the type of pointer differences.
    PointerAdd {
        pointer: Box<Expr>,
        index: Box<Expr>,
        /// The size of an element in bytes.
        scale: u64,
    },
    /// The distance of two pointers into one object, in elements of `scale` bytes.
    PointerDifference {
        left: Box<Expr>,
        right: Box<Expr>,
        scale: u64,
    },
    Cast(CastKind, Box<Expr>),
    /// 0 or 1 of type `int`; the right operand counts only if the left one is not 0. Both have
    /// type `int`.
    And(Box<Expr>, Box<Expr>),
    /// 0 or 1 of type `int`; the right operand counts only if the left one is 0.
    Or(Box<Expr>, Box<Expr>),
    /// The second operand if the first, of type `int`, is not 0, else the third.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// Arithmetic negation; wraps for integers.
    Negate,
    /// Bitwise complement of an integer.
    Complement,
    /// Leading zero bits; of 0, the width.
    LeadingZeros,
    /// Trailing zero bits; of 0, the width.
    TrailingZeros,
    /// Bits that are 1.
    PopulationCount,
    /// The bytes in reverse order.
    ReverseBytes,
}

/// Operators on two operands of one type, except for shifts, where the right operand has any
/// integer type. Comparisons give 0 or 1 of type `int`; the others the type of their (left)
/// operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    /// Integers: rounded towards zero, the most negative number by -1 wraps; by 0 undefined.
    Divide,
    /// Has the sign of the dividend; by 0 undefined.
    Remainder,
    And,
    Or,
    Xor,
    /// The count, taken as a number of its own type, is reduced modulo the smallest power of two
    /// that is not below the width of the left operand, as x86 does for 32 and 64 bits.
    ShiftLeft,
    /// Arithmetic if the left operand is signed. The count is reduced as for `ShiftLeft`.
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl BinaryOp {
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
    }

    /// `<`, `<=`, `>` and `>=`.
    pub fn is_order(self) -> bool {
        self.is_comparison() && !matches!(self, BinaryOp::Equal | BinaryOp::NotEqual)
    }

    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::ShiftLeft | BinaryOp::ShiftRight)
    }

    /// The operator as C writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Remainder => "%",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
        }
    }
}

/// What a conversion does; the types say from and to what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastKind {
    /// Between integers: truncates, or extends by the signedness of the operand.
    IntToInt,
    /// An integer, float or pointer to `_Bool`: whether it differs from 0.
    ToBool,
    /// Rounds to nearest, ties to even.
    IntToFloat,
    /// Truncates. What does not fit gives what x86 gives: the most negative number of 32 bits (of
    /// 64 for types beyond `int`), of which the low bits are taken.
    FloatToInt,
    /// Rounds to nearest, ties to even.
    FloatToFloat,
    /// The address, truncated or zero-extended.
    PointerToInt,
    /// The address, truncated or extended by the signedness of the operand.
    IntToPointer,
    PointerToPointer,
}

/// A part of storage that can be read and written.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub kind: PlaceKind,
    /// Of a bit-field, its declared type. Of an object, its type as known at this point of the
    /// program: an array of unknown length may have got a length elsewhere.
    pub ty: Ty,
    pub position: Position,
    depth: u16,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PlaceKind {
    Local(LocalId),
    Global(GlobalId),
    /// What a pointer points to, as an object of the place's type.
    Deref(Box<Expr>),
    /// The field of this index of a record.
    Field(Box<Place>, u32),
    /// An element of an array; the index has the type of pointer differences and may lead out of
    /// an inner array as long as it stays inside the object.
    Index(Box<Place>, Box<Expr>),
}

impl Expr {
    pub fn new(kind: ExprKind, ty: Ty, position: Position) -> Expr {
        let mut expr = Expr { kind, ty, position, depth: 0 };
        let depth = match &expr.kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => place.depth,
            _ => expr.operands().map(|operand| operand.depth).max().unwrap_or(0),
        };
        expr.depth = depth.saturating_add(1);
        expr
    }

    pub fn int(value: u128, ty: Ty, position: Position) -> Expr {
        Expr::new(ExprKind::Int(value), ty, position)
    }

    pub fn load(place: Place) -> Expr {
        let (ty, position) = (place.ty, place.position);
        Expr::new(ExprKind::Load(Box::new(place)), ty, position)
    }

    /// The expressions that this one is computed from, apart from those inside of places.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        let operands = match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Function(_)
            | ExprKind::Load(_)
            | ExprKind::AddressOf(_) => [None, None, None],
            ExprKind::Unary(_, operand) | ExprKind::Cast(_, operand) => [Some(operand), None, None],
            ExprKind::Binary(_, left, right)
            | ExprKind::PointerAdd { pointer: left, index: right, .. }
            | ExprKind::PointerDifference { left, right, .. }
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right) => [Some(left), Some(right), None],
            ExprKind::Conditional(condition, then, otherwise) => {
                [Some(condition), Some(then), Some(otherwise)]
            }
        };
        operands.into_iter().flatten().map(|operand| &**operand)
    }

    /// How deep the expression is nested.
    pub fn depth(&self) -> u16 {
        self.depth
    }

    /// The bits of an integer or pointer constant.
    pub fn as_int(&self) -> Option<u128> {
        match self.kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Whether the value is known without running the program: a number.
    pub fn is_number(&self) -> bool {
        matches!(self.kind, ExprKind::Int(_) | ExprKind::Float(_))
    }
}

impl Place {
    pub fn new(kind: PlaceKind, ty: Ty, position: Position) -> Place {
        let depth = match &kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => 0,
            PlaceKind::Deref(pointer) => pointer.depth,
            PlaceKind::Field(base, _) => base.depth,
            PlaceKind::Index(base, index) => base.depth.max(index.depth),
        };
        Place { kind, ty, position, depth: depth.saturating_add(1) }
    }

    pub fn depth(&self) -> u16 {
        self.depth
    }

    /// The local variable that it is, or is a part of.
    pub fn root_local(&self) -> Option<LocalId> {
        match &self.kind {
            PlaceKind::Local(id) => Some(*id),
            _ => self.base()?.root_local(),
        }
    }

    /// The place that this one is a part of.
    pub fn base(&self) -> Option<&Place> {
        match &self.kind {
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => Some(base),
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Deref(_) => None,
        }
    }
}

impl Types {
    /// Of an element of an array that is only a part of an object: how many elements the array has.
    /// The last member of a structure with one element or none stands for as many as there are.
    pub fn part_length(&self, element: &Place) -> Option<u64> {
        let PlaceKind::Index(array, _) = &element.kind else { return None };
        let Type::Array(_, Length::Fixed(length)) = *self.get(array.ty) else { return None };
        match &array.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => None,
            PlaceKind::Field(record, index) => {
                let is_last = *index as usize + 1 == self.fields(record.ty).len();
                (!is_last || length > 1).then_some(length)
            }
            PlaceKind::Deref(_) | PlaceKind::Index(..) => (length > 0).then_some(length),
        }
    }
}
