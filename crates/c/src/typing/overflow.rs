//! gcc's arithmetic with overflow check, and its atomic operations, which are plain ones in a
//! sequential program.

use super::conversions::Operand;
use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{BinaryOp, Expr, Place};
use crate::types::Ty;
use lang_c::ast::Expression;
use lang_c::span::Node;

type Arguments = [Node<Expression>];

impl Typer<'_> {
    /// `__builtin_add_overflow(a, b, &r)` and the variants for fixed types.
    pub(super) fn overflow_builtin(
        &mut self,
        bare: &str,
        arguments: &Arguments,
        position: Position,
    ) -> Result<Option<Operand>> {
        let Some((op, fixed, is_predicate)) = overflow_operator(bare) else { return Ok(None) };
        let [a, b, result] = arguments else {
            return Err(Fault::invalid(position, "an overflow check has three arguments"));
        };
        let (a, b) = (self.saved_integer(a, fixed)?, self.saved_integer(b, fixed)?);
        let last = self.value(result)?;
        let ty =
            if is_predicate { last.ty } else { self.types.target(last.ty).unwrap_or(Ty::VOID) };
        let Some(format) = self.types.int_format(ty) else {
            return Err(Fault::invalid(position, "the result of an overflow check is an integer"));
        };
        let widths = [a.ty, b.ty].map(|ty| self.types.int_format(ty).map_or(128, |f| f.width));
        if format.width > 64 || widths.iter().any(|&width| width > 64) {
            return Err(Fault::unsupported(position, "overflow checks on 128 bits"));
        }
        // 128 bits hold the exact result of operands of 64 bits.
        let (a, b) = (self.cast(a, Ty::INT128), self.cast(b, Ty::INT128));
        let exact = self.binary(op, a, b, position);
        let exact = if exact.is_number() { exact } else { self.save(exact)? };
        let kept = self.cast(exact.clone(), ty);
        if !is_predicate {
            let place = self.deref(last, position)?;
            self.assign(place, kept.clone(), position)?;
        }
        let back = self.cast(kept, Ty::INT128);
        let overflowed = self.binary(BinaryOp::NotEqual, back, exact, position);
        Ok(Some(Operand::Value(self.cast(overflowed, Ty::BOOL))))
    }

    /// An integer, converted to the operand type of the builtin if it has a fixed one.
    fn saved_integer(&mut self, node: &Node<Expression>, fixed: Option<Ty>) -> Result<Expr> {
        let value = self.value(node)?;
        if !self.types.is_integer(value.ty) {
            return Err(Fault::invalid(self.position(node), "an integer is needed here"));
        }
        let value = match fixed {
            Some(ty) => self.cast(value, ty),
            None => value,
        };
        if self.reads_storage(&value) { self.save(value) } else { Ok(value) }
    }

    /// `__sync_…` and `__atomic_…`; `None` for operations that are not known.
    pub(super) fn atomic_builtin(
        &mut self,
        name: &str,
        arguments: &Arguments,
        position: Position,
    ) -> Result<Option<Operand>> {
        let bare = name.strip_prefix("__sync_").or_else(|| name.strip_prefix("__atomic_"));
        let bare = bare.unwrap_or(name);
        let is_sync = name.starts_with("__sync_");
        let result = match (bare, arguments) {
            ("synchronize" | "thread_fence" | "signal_fence", _) => {
                arguments.iter().try_for_each(|argument| self.effect(argument))?;
                Operand::Void
            }
            ("load_n", [pointer, ..]) => {
                let place = self.atomic_object(pointer)?;
                let value = self.read(place, position)?;
                Operand::Value(self.save(value)?)
            }
            // The generic forms take the operand and give the result through pointers.
            ("load", [pointer, result, _]) => {
                let place = self.atomic_object(pointer)?;
                let result = self.atomic_object(result)?;
                let value = self.read(place, position)?;
                self.store(result, value, false, position)?
            }
            ("store", [pointer, value, _]) => {
                let place = self.atomic_object(pointer)?;
                let value = self.atomic_object(value)?;
                let value = self.read(value, position)?;
                self.store(place, value, false, position)?
            }
            ("exchange", [pointer, value, result, _]) => {
                let place = self.atomic_object(pointer)?;
                let value = self.atomic_object(value)?;
                let result = self.atomic_object(result)?;
                let new = self.read(value, position)?;
                let new = self.save(new)?;
                let old = self.read(place.clone(), position)?;
                self.store(result, old, false, position)?;
                self.store(place, new, false, position)?
            }
            (
                "compare_exchange" | "compare_exchange_n",
                [pointer, expected, new, is_weak, success, failure],
            ) => {
                for order in [is_weak, success, failure] {
                    self.effect(order)?;
                }
                let what = "a weak exchange is taken not to fail by itself";
                if self.constant_integer(is_weak).is_ok_and(|(_, weak)| weak != 0) {
                    self.warn(position, what);
                }
                let is_pointer = bare == "compare_exchange";
                self.compare_exchange(pointer, expected, (new, is_pointer), position)?
            }
            ("test_and_set", [pointer, ..]) => {
                let place = self.atomic_object(pointer)?;
                let place = self.as_byte(place, position)?;
                let old = self.read(place.clone(), position)?;
                let old = self.save(old)?;
                let one = self.int(1, position);
                self.store(place, one, false, position)?;
                Operand::Value(self.cast(old, Ty::BOOL))
            }
            ("clear", [pointer, ..]) => {
                let place = self.atomic_object(pointer)?;
                let place = self.as_byte(place, position)?;
                let zero = self.int(0, position);
                self.store(place, zero, false, position)?
            }
            ("always_lock_free" | "is_lock_free", _) => {
                arguments.iter().try_for_each(|argument| self.effect(argument))?;
                Operand::Value(self.cast(self.int(1, position), Ty::BOOL))
            }
            ("store_n", [pointer, value, ..]) => {
                let (place, value) = self.atomic_operands(pointer, value)?;
                self.store(place, value, false, position)?
            }
            ("lock_release", [pointer, ..]) => {
                let place = self.atomic_object(pointer)?;
                let zero = self.int(0, position);
                self.store(place, zero, false, position)?
            }
            ("exchange_n" | "lock_test_and_set", [pointer, value, ..]) => {
                let (place, value) = self.atomic_operands(pointer, value)?;
                let old = self.read(place.clone(), position)?;
                let old = self.save(old)?;
                self.store(place, value, false, position)?;
                Operand::Value(old)
            }
            ("bool_compare_and_swap" | "val_compare_and_swap", [pointer, expected, new, ..]) => {
                self.compare_and_swap(pointer, expected, new, bare.starts_with("bool"), position)?
            }
            (_, [pointer, value, ..]) => {
                let Some((op, wants_old)) = fetch_operator(bare, is_sync) else {
                    return Err(Fault::unsupported(position, format!("`{name}`")));
                };
                self.fetch_and_operate(op, pointer, value, wants_old, position)?
            }
            _ => return Err(Fault::unsupported(position, format!("`{name}`"))),
        };
        Ok(Some(result))
    }

    fn atomic_object(&mut self, pointer: &Node<Expression>) -> Result<Place> {
        let position = self.position(pointer);
        let pointer = self.value(pointer)?;
        let pointer = if self.reads_storage(&pointer) { self.save(pointer)? } else { pointer };
        self.deref(pointer, position)
    }

    fn atomic_operands(
        &mut self,
        pointer: &Node<Expression>,
        value: &Node<Expression>,
    ) -> Result<(Place, Expr)> {
        let place = self.atomic_object(pointer)?;
        let position = self.position(value);
        let value = self.value(value)?;
        let value = self.convert(value, place.ty, position)?;
        let value = if self.reads_storage(&value) { self.save(value)? } else { value };
        Ok((place, value))
    }

    /// `void *` and `bool *` are both given to operations on flags, which are a byte.
    fn as_byte(&mut self, place: Place, position: Position) -> Result<Place> {
        let address = self.address(place, position);
        let ty = self.types.pointer(Ty::UCHAR);
        let address = self.cast(address, ty);
        self.deref(address, position)
    }

    /// Stores the new value if the object has the expected one, else the value in place of the
    /// expected one; never fails by itself, as a weak one might.
    fn compare_exchange(
        &mut self,
        pointer: &Node<Expression>,
        expected: &Node<Expression>,
        (new, is_pointer): (&Node<Expression>, bool),
        position: Position,
    ) -> Result<Operand> {
        let place = self.atomic_object(pointer)?;
        let expected = self.atomic_object(expected)?;
        let new = match is_pointer {
            true => {
                let new = self.atomic_object(new)?;
                self.read(new, position)?
            }
            false => self.value(new)?,
        };
        let new = self.convert(new, place.ty, position)?;
        let new = self.save(new)?;
        let old = self.read(place.clone(), position)?;
        let old = self.save(old)?;
        let wanted = self.read(expected.clone(), position)?;
        let wanted = self.convert(wanted, place.ty, position)?;
        let wanted = self.save(wanted)?;
        let equal = self.operate(BinaryOp::Equal, old.clone(), wanted.clone(), position)?;
        let equal = self.save(equal)?;
        let next = self.choice(self.truth(equal.clone()), new, old.clone(), position);
        self.store(place, next, false, position)?;
        let seen = self.choice(self.truth(equal.clone()), wanted, old, position);
        self.store(expected, seen, false, position)?;
        Ok(Operand::Value(self.cast(equal, Ty::BOOL)))
    }

    fn fetch_and_operate(
        &mut self,
        op: BinaryOp,
        pointer: &Node<Expression>,
        value: &Node<Expression>,
        wants_old: bool,
        position: Position,
    ) -> Result<Operand> {
        let (place, value) = self.atomic_operands(pointer, value)?;
        let old = self.read(place.clone(), position)?;
        let old = self.save(old)?;
        let new = self.operate(op, old.clone(), value, position)?;
        let new = self.store(place, new, true, position)?;
        Ok(if wants_old { Operand::Value(old) } else { new })
    }

    fn compare_and_swap(
        &mut self,
        pointer: &Node<Expression>,
        expected: &Node<Expression>,
        new: &Node<Expression>,
        wants_success: bool,
        position: Position,
    ) -> Result<Operand> {
        let (place, expected) = self.atomic_operands(pointer, expected)?;
        let new_position = self.position(new);
        let new = self.value(new)?;
        let new = self.convert(new, place.ty, new_position)?;
        let old = self.read(place.clone(), position)?;
        let old = self.save(old)?;
        let equal = self.operate(BinaryOp::Equal, old.clone(), expected, position)?;
        let equal = self.save(equal)?;
        let next = self.choice(self.truth(equal.clone()), new, old.clone(), position);
        self.store(place, next, false, position)?;
        Ok(Operand::Value(if wants_success { self.cast(equal, Ty::BOOL) } else { old }))
    }
}

/// The operator of an overflow builtin, the type of its operands if the name tells it, and whether
/// it only tells if the result would overflow.
fn overflow_operator(bare: &str) -> Option<(BinaryOp, Option<Ty>, bool)> {
    let (name, is_predicate) = match bare.strip_suffix("_overflow_p") {
        Some(name) => (name, true),
        None => (bare.strip_suffix("_overflow")?, false),
    };
    let operator = |name: &str| match name {
        "add" => Some(BinaryOp::Add),
        "sub" => Some(BinaryOp::Subtract),
        "mul" => Some(BinaryOp::Multiply),
        _ => None,
    };
    if let Some(op) = operator(name) {
        return Some((op, None, is_predicate));
    }
    let ty = match (name.get(..1)?, name.get(4..)?) {
        ("s", "") => Ty::INT,
        ("s", "l") => Ty::LONG,
        ("s", "ll") => Ty::LLONG,
        ("u", "") => Ty::UINT,
        ("u", "l") => Ty::ULONG,
        ("u", "ll") => Ty::ULLONG,
        _ => return None,
    };
    operator(name.get(1..4)?).map(|op| (op, Some(ty), is_predicate))
}

/// The operator of `fetch_and_add`, `add_and_fetch` (`__sync_`), `fetch_add` and `add_fetch`
/// (`__atomic_`), and whether the result is the old value.
fn fetch_operator(bare: &str, is_sync: bool) -> Option<(BinaryOp, bool)> {
    let (before, after) = if is_sync { ("fetch_and_", "_and_fetch") } else { ("fetch_", "_fetch") };
    let (name, wants_old) = match bare.strip_prefix(before) {
        Some(name) => (name, true),
        None => (bare.strip_suffix(after)?, false),
    };
    let op = match name {
        "add" => BinaryOp::Add,
        "sub" => BinaryOp::Subtract,
        "and" => BinaryOp::And,
        "or" => BinaryOp::Or,
        "xor" => BinaryOp::Xor,
        _ => return None,
    };
    Some((op, wants_old))
}
