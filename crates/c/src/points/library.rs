//! Functions without a body: what their results point to and what they copy.

use super::offsets::Off;
use super::set::{Flags, Set};
use super::state::View;
use super::units::Unit;
use super::write::Effects;
use crate::flat::InstanceId;
use crate::library::{FunctionModel, model};
use crate::typed::{Expr, FuncId, Place};

/// The arguments that a model takes at least; all of them are scalars. A call that does not fit
/// is one of an unknown function.
pub fn arity(model: FunctionModel) -> Option<usize> {
    Some(match model {
        FunctionModel::Malloc
        | FunctionModel::Keep
        | FunctionModel::Alloca
        | FunctionModel::StrDuplicate => 1,
        FunctionModel::Calloc
        | FunctionModel::Realloc
        | FunctionModel::AlignedAlloc
        | FunctionModel::StrNDuplicate => 2,
        FunctionModel::MemZero => 2,
        FunctionModel::MemCopy
        | FunctionModel::MemCopyEnd
        | FunctionModel::MemSet
        | FunctionModel::MemFind => 3,
        FunctionModel::StrCopy | FunctionModel::StrCopyEnd | FunctionModel::StrAppend => 2,
        FunctionModel::StrNCopy | FunctionModel::StrNAppend => 3,
        FunctionModel::StrFind
        | FunctionModel::StrFindLast
        | FunctionModel::StrFindString
        | FunctionModel::StrFindAny => 2,
        _ => return None,
    })
}

/// Whether a model makes a new object.
pub fn allocates(model: FunctionModel) -> bool {
    use FunctionModel::*;
    matches!(
        model,
        Malloc | Keep | Calloc | Realloc | AlignedAlloc | Alloca | StrDuplicate | StrNDuplicate
    )
}

impl View<'_, '_> {
    pub fn external(
        &mut self,
        unit: &Unit,
        function: FuncId,
        result: Option<&Place>,
        arguments: &[Expr],
        out: &mut Effects,
    ) {
        let program = self.state.program;
        let known = model(&program.function(function).name);
        let fits = |count: usize| {
            arguments.len() >= count
                && arguments[..count].iter().all(|e| program.types.is_scalar(e.ty))
        };
        if known.is_none() {
            self.leave_as_arguments(unit.instance, arguments);
        }
        let known = known.filter(|known| arity(*known).is_some_and(fits));
        let value = match known {
            Some(known) => self.modelled(unit, known, arguments, out),
            None => Set::flags(Flags::ARBITRARY),
        };
        let Some(place) = result else { return };
        let to = self.destination(unit.instance, place);
        if program.types.is_scalar(place.ty) {
            self.put(&to, &value, place.ty, out);
        } else {
            self.leave_open(&to, place.ty, out);
        }
    }

    /// The effects of a modelled function, and its result.
    fn modelled(
        &mut self,
        unit: &Unit,
        model: FunctionModel,
        arguments: &[Expr],
        out: &mut Effects,
    ) -> Set {
        let instance = unit.instance;
        let first = self.value(instance, &arguments[0]).into_owned();
        let number = Set::flags(Flags::ARBITRARY);
        let site = || unit.site.map(|site| Set::one(site, Off::exact(0))).unwrap_or_default();
        match model {
            FunctionModel::Realloc => {
                let new = site();
                self.copy(&new, &first, None, out);
                with_null(new)
            }
            FunctionModel::MemCopy | FunctionModel::MemCopyEnd => {
                let from = self.value(instance, &arguments[1]).into_owned();
                let size = self.count(&arguments[2]);
                self.copy(&first, &from, size, out);
                match (model, size) {
                    (FunctionModel::MemCopy, _) => first,
                    (_, Some(size)) => first.map(|_, off| off.shift(size as i64)),
                    (_, None) => first.map(|_, off| off.anyhow(1)),
                }
            }
            FunctionModel::MemSet | FunctionModel::MemZero => {
                if model == FunctionModel::MemSet && !self.is_zero(instance, &arguments[1]) {
                    let size = self.count(&arguments[2]);
                    self.store_range(&first, size, &number, out);
                }
                first
            }
            FunctionModel::MemFind => with_null(first.map(|_, off| off.anyhow(1))),
            FunctionModel::StrFind
            | FunctionModel::StrFindLast
            | FunctionModel::StrFindString
            | FunctionModel::StrFindAny => with_null(self.text(&first)),
            FunctionModel::StrCopy
            | FunctionModel::StrCopyEnd
            | FunctionModel::StrNCopy
            | FunctionModel::StrAppend
            | FunctionModel::StrNAppend => {
                let written = self.text(&first);
                self.store(&written, 1, &number, out);
                if model == FunctionModel::StrCopyEnd { written } else { first }
            }
            _ => site(),
        }
    }

    /// A number of bytes that is known beforehand.
    fn count(&self, expr: &Expr) -> Option<u64> {
        expr.as_int().and_then(|bits| u64::try_from(bits).ok())
    }

    fn is_zero(&mut self, instance: InstanceId, expr: &Expr) -> bool {
        let value = self.value(instance, expr);
        value.list.is_empty() && value.flags == Flags::NULL
    }
}

fn with_null(mut set: Set) -> Set {
    set.flags = set.flags.with(Flags::NULL);
    set
}
