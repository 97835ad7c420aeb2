//! Calls of functions without a body.

use super::accesses::Collector;
use super::memory::Access;
use super::{ChoicePointKind, Encoder};
use crate::arith::int::truncate;
use crate::error::Fault;
use crate::flat::{FlatBlockId, InstanceId};
use crate::library::{FunctionModel, UndefinedFunctions, has_class, model};
use crate::source::Position;
use crate::typed::{Expr, ExprKind, FuncId, Place, PlaceKind};
use crate::types::{IntFormat, Ty};
use wedge_logic::Term;

/// Copies and fills of more bytes or pieces than this are not modelled.
const MAX_PIECES: usize = 1 << 14;
/// What the library in C asks for the length of a line or text by.
const LINE: &str = "__wedge_any_line";

impl<'p> Encoder<'_, 'p> {
    pub(super) fn external(
        &mut self,
        instance: InstanceId,
        function: FuncId,
        result: Option<&'p Place>,
        arguments: &'p [Expr],
        at: Position,
        site: (FlatBlockId, usize),
    ) -> Result<(), Fault> {
        if self.checks_operations {
            for argument in arguments {
                self.evaluate(instance, argument)?;
            }
        }
        let name = self.program.function(function).name.as_str();
        let known = model(name).filter(|&known| self.is_meant(known, arguments));
        let value = match known {
            None | Some(FunctionModel::Nondet | FunctionModel::Print | FunctionModel::Any) => {
                if known.is_none() {
                    self.call_unknown(instance, function, at);
                }
                if name == LINE {
                    self.notes.insert(String::from(
                        "lines and texts of the environment have at most 1,048,576 bytes",
                    ));
                }
                return match result {
                    Some(place) => {
                        let kind = ChoicePointKind::Call(function);
                        self.make_arbitrary(instance, place, kind, at, site)
                    }
                    None => Ok(()),
                };
            }
            Some(FunctionModel::Open(low, high)) => {
                let value =
                    result.map(|place| self.between(instance, function, place.ty, (low, high), at));
                if low == -1 {
                    self.fail(instance, function, value, at)?;
                }
                match value {
                    Some(value) => Some(value),
                    None => return Ok(()),
                }
            }
            Some(FunctionModel::Free) => return self.free(instance, arguments),
            Some(FunctionModel::Atomic | FunctionModel::Assume) => return Ok(()),
            Some(
                FunctionModel::Malloc
                | FunctionModel::Keep
                | FunctionModel::Alloca
                | FunctionModel::Calloc
                | FunctionModel::AlignedAlloc,
            ) => self.allocation(instance, known, arguments, at, site)?,
            Some(
                FunctionModel::MemCopy
                | FunctionModel::MemCopyEnd
                | FunctionModel::MemSet
                | FunctionModel::MemZero,
            ) => self.memory_call(instance, known, arguments, at)?,
            Some(
                FunctionModel::AbsoluteValue
                | FunctionModel::CharacterTest
                | FunctionModel::ToLower
                | FunctionModel::ToUpper,
            ) => self.character_call(instance, known, name, arguments)?,
            Some(FunctionModel::ObjectBytes) => match arguments.first() {
                Some(pointer) => Some(self.object_bytes(instance, pointer)?),
                None => None,
            },
            Some(
                FunctionModel::GetRounding | FunctionModel::SetRounding | FunctionModel::FltRounds,
            ) => self.rounding_call(instance, known, arguments)?,
            Some(FunctionModel::MakeNan) => result.and_then(|place| self.make_nan(place.ty)),
            Some(FunctionModel::Float(_) | FunctionModel::Approximate(_)) => {
                self.float_call(instance, (function, known), result, arguments, at)?
            }
            Some(_) => None,
        };
        let Some(value) = value else {
            let always = self.cfa.terms.bool(true);
            self.limit(always, format!("a call of `{name}`, which is not modelled"));
            return Ok(());
        };
        match result {
            Some(place) if self.program.types.is_scalar(place.ty) => {
                let width = self.value_width(place.ty);
                let value = self.resized(value, width, false);
                self.store(instance, place, value)
            }
            _ => Ok(()),
        }
    }

    /// A function that gives -1 if it fails may have stored the reason in `errno`.
    fn fail(
        &mut self,
        instance: InstanceId,
        function: FuncId,
        result: Option<Term>,
        at: Position,
    ) -> Result<(), Fault> {
        let Some(error) = self.program.error_number() else { return Ok(()) };
        let global = self.program.global(error);
        let place = Place::new(PlaceKind::Global(error), global.ty, at);
        let number = self.arbitrary(ChoicePointKind::Call(function), Ty::INT, 32, instance, at);
        let is_reason = self.in_range(number, 1, 133, true);
        let has_failed = match result {
            Some(result) => {
                let width = self.cfa.terms.width(result);
                let ones = self.cfa.terms.ones(width);
                self.cfa.terms.eq(result, ones)
            }
            None => self.cfa.terms.bool(true),
        };
        let is_set = self.cfa.terms.and(is_reason, has_failed);
        let old = self.expr(instance, &Expr::load(place.clone()))?;
        let new = self.cfa.terms.ite(is_set, number, old);
        self.store(instance, &place, new)
    }

    /// An arbitrary number between two bounds.
    fn between(
        &mut self,
        instance: InstanceId,
        function: FuncId,
        ty: Ty,
        (low, high): (i64, i64),
        at: Position,
    ) -> Term {
        let width = self.value_width(ty);
        let kind = ChoicePointKind::Call(function);
        let value = self.arbitrary(kind, ty, width, instance, at);
        if let Some(format) = self.program.types.int_format(ty) {
            let (low, high) = bounds_within(format, low, high);
            let inside = self.in_range(value, low, high, format.signed);
            self.require(inside);
        }
        value
    }

    /// A function that nobody knows.
    fn call_unknown(&mut self, instance: InstanceId, function: FuncId, at: Position) {
        if self.program.undefined_functions == UndefinedFunctions::Havoc {
            return self.havoc(instance, at);
        }
        let name = &self.program.function(function).name;
        self.notes.insert(format!(
            "`{name}` has no body: its result is arbitrary, and it is assumed to have no effect"
        ));
    }

    /// The bytes from a pointer to the end of its object.
    fn object_bytes(&mut self, instance: InstanceId, pointer: &Expr) -> Result<Term, Fault> {
        let width = self.pointer_width;
        let address = self.expr(instance, pointer)?;
        let targets = self.points.value(instance, pointer);
        let mut bytes = self.cfa.terms.zero(width);
        for target in &targets.list {
            let size = self.storage.get(target.object).bytes;
            let (condition, which) = self.is_at(address, target.object, None);
            let offset = self.low_bits(address, target.object);
            let size = match self.size_of(target.object, which) {
                Some(size) => size,
                None => self.cfa.terms.number(width, size),
            };
            let rest = self.cfa.terms.sub(size, offset);
            bytes = self.cfa.terms.ite(condition, rest, bytes);
        }
        if self.may_be_lost(&targets) {
            let kind = ChoicePointKind::Other;
            let some = self.arbitrary(kind, Ty::VOID, width, instance, pointer.position);
            let is_lost = self.is_lost(address);
            bytes = self.cfa.terms.ite(is_lost, some, bytes);
        }
        Ok(self.hollow_bytes(address, &targets, bytes))
    }

    /// `memcpy`, `memset` and their like, with a constant size.
    fn memory_call(
        &mut self,
        instance: InstanceId,
        model: Option<FunctionModel>,
        arguments: &'p [Expr],
        at: Position,
    ) -> Result<Option<Term>, Fault> {
        let Some(pieces) = self.pieces(instance, model, arguments, at)? else { return Ok(None) };
        let to = self.through(instance, &arguments[0])?;
        let start = self.expr(instance, &arguments[0])?;
        if matches!(model, Some(FunctionModel::MemCopy | FunctionModel::MemCopyEnd)) {
            let from = self.through(instance, &arguments[1])?;
            self.copy(&to, &from, &pieces);
            if model == Some(FunctionModel::MemCopyEnd) {
                let size = self.expr(instance, &arguments[2])?;
                return Ok(Some(self.cfa.terms.add(start, size)));
            }
            return Ok(Some(start));
        }
        let byte = match model {
            Some(FunctionModel::MemSet) => {
                let value = self.expr(instance, &arguments[1])?;
                self.resized(value, 8, false)
            }
            _ => self.cfa.terms.zero(8),
        };
        self.set_bytes(&to, byte, &pieces);
        Ok(Some(start))
    }

    fn through(&mut self, instance: InstanceId, pointer: &Expr) -> Result<Access, Fault> {
        let address = self.pointer(instance, pointer)?;
        let targets = self.points.value(instance, pointer);
        Ok(Access { address, targets, instance, position: pointer.position })
    }

    /// The pieces that a copy or fill of constant size consists of, by the type behind one of the
    /// pointers; `None` if the size is not constant or too large.
    pub(super) fn pieces(
        &mut self,
        instance: InstanceId,
        model: Option<FunctionModel>,
        arguments: &[Expr],
        at: Position,
    ) -> Result<Option<Vec<(u64, u64)>>, Fault> {
        let (size, pointers) = match model {
            Some(FunctionModel::MemCopy | FunctionModel::MemCopyEnd) => (arguments.get(2), 2),
            Some(FunctionModel::MemSet) => (arguments.get(2), 1),
            _ => (arguments.get(1), 1),
        };
        let Some(size) = size else { return Ok(None) };
        let term = self.expr(instance, size)?;
        let Some(total) = self.cfa.terms.value(term).and_then(|value| value.to_u64()) else {
            return Ok(None);
        };
        for pointer in &arguments[..pointers] {
            let ty = self.pointee(pointer, total);
            let Some(unit) = ty.and_then(|ty| self.program.types.size(ty)) else { continue };
            if unit <= 1 || total % unit != 0 {
                continue;
            }
            let Some(ty) = ty else { continue };
            let leaves = self.leaves(ty, at)?;
            if leaves.len() as u64 * (total / unit) > MAX_PIECES as u64 {
                return Ok(None);
            }
            let starts = (0..total / unit).map(|index| index * unit);
            let all = starts.flat_map(|start| leaves.iter().map(move |&(o, s)| (start + o, s)));
            return Ok(Some(all.collect()));
        }
        if total > MAX_PIECES as u64 {
            return Ok(None);
        }
        Ok(Some((0..total).map(|offset| (offset, 1)).collect()))
    }

    /// The type that a pointer pointed to before it was converted; of an array that is larger
    /// than `total`, its elements'.
    fn pointee(&self, pointer: &Expr, total: u64) -> Option<Ty> {
        let types = &self.program.types;
        let mut ty = match &pointer.kind {
            ExprKind::Cast(_, operand) if types.is_pointer(operand.ty) => {
                return self.pointee(operand, total);
            }
            _ => types.target(pointer.ty)?,
        };
        while types.size(ty).is_none_or(|size| size > total) {
            ty = types.element(ty)?;
        }
        Some(ty)
    }

    /// `abs` and `<ctype.h>`.
    fn character_call(
        &mut self,
        instance: InstanceId,
        model: Option<FunctionModel>,
        name: &str,
        arguments: &[Expr],
    ) -> Result<Option<Term>, Fault> {
        let Some(argument) = arguments.first() else { return Ok(None) };
        let value = self.expr(instance, argument)?;
        let width = self.cfa.terms.width(value);
        let terms = &mut self.cfa.terms;
        Ok(Some(match model {
            Some(FunctionModel::AbsoluteValue) => {
                let negative = terms.sign(value);
                let negated = terms.neg(value);
                terms.ite(negative, negated, value)
            }
            Some(FunctionModel::CharacterTest) => {
                let test = self.in_class(value, |c| has_class(c, name));
                self.cfa.terms.zext(test, width - 1)
            }
            _ => {
                let lower = model == Some(FunctionModel::ToLower);
                let changes =
                    |c: u8| if lower { c.is_ascii_uppercase() } else { c.is_ascii_lowercase() };
                let test = self.in_class(value, changes);
                let terms = &mut self.cfa.terms;
                let case = terms.number(width, 0x20);
                let changed = terms.xor(value, case);
                terms.ite(test, changed, value)
            }
        }))
    }

    /// Whether a number is a character of a class, by the ranges that the class consists of.
    fn in_class(&mut self, value: Term, is_in: impl Fn(u8) -> bool) -> Term {
        let width = self.cfa.terms.width(value);
        let terms = &mut self.cfa.terms;
        let mut ranges = Vec::new();
        let mut next = 0u32;
        while next < 256 {
            let first = next;
            while next < 256 && is_in(next as u8) {
                next += 1;
            }
            if next > first {
                let start = terms.number(width, first as u64);
                let length = terms.number(width, (next - first) as u64);
                let offset = terms.sub(value, start);
                ranges.push(terms.ult(offset, length));
            }
            next += 1;
        }
        terms.or_all(&ranges)
    }
}

/// Two numbers as bits of a format, each brought to its nearest value.
fn bounds_within(format: IntFormat, low: i64, high: i64) -> (u128, u128) {
    let bits = format.width.min(127);
    let (least, most) = match format.signed {
        true => (-1i128 << (bits - 1), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    };
    let nearest = |number: i64| (number as i128).clamp(least, most) as u128;
    (truncate(nearest(low), format.width), truncate(nearest(high), format.width))
}

impl<'p> Collector<'_, '_, 'p> {
    /// The accesses of a call of a function without a body.
    pub(super) fn external(
        &mut self,
        instance: InstanceId,
        function: FuncId,
        arguments: &'p [Expr],
        at: Position,
    ) -> Result<(), Fault> {
        let known = model(&self.encoder.program.function(function).name);
        let pointers = match known {
            Some(FunctionModel::MemCopy | FunctionModel::MemCopyEnd) => 2,
            Some(FunctionModel::MemSet | FunctionModel::MemZero) => 1,
            _ => return Ok(()),
        };
        let pieces = self.encoder.pieces(instance, known, arguments, at)?;
        // Translating the size must leave no trace.
        self.encoder.step = super::step::Step::default();
        let Some(pieces) = pieces else { return Ok(()) };
        for pointer in &arguments[..pointers] {
            let targets = self.encoder.points.value(instance, pointer);
            for &(offset, size) in &pieces {
                self.note(&super::address::moved_targets(&targets, offset), size);
            }
        }
        Ok(())
    }
}
