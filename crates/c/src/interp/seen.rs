//! What functions that call themselves were given in a run, and what they gave.
//!
//! Recorded only on demand. A function counts once it is entered while it is active; what it is
//! called with before that is remembered from the beginning, so nothing is missing.

use super::value::{Scalar, Value};
use crate::typed::FuncId;
use crate::types::Ty;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// More different calls of one function than these are not kept.
const CALLS: usize = 64;

/// The bits of the parameters of a call; none for those that are no scalars.
pub type Arguments = Vec<Option<u128>>;

/// The calls of one function.
#[derive(Clone, Default, Debug)]
pub struct Calls {
    pub is_recursive: bool,
    /// Whether there were more of them than are kept.
    pub is_cut: bool,
    /// What it was called with.
    pub entered: BTreeSet<Arguments>,
    /// The same for calls that have ended, with what they gave if that is a scalar.
    pub returned: BTreeSet<(Arguments, Option<u128>)>,
    active: u64,
}

/// The calls of all functions of a run.
#[derive(Clone, Default, Debug)]
pub struct Seen {
    functions: FxHashMap<FuncId, Calls>,
    /// The arguments of the activations that have not ended, the newest last.
    open: Vec<Arguments>,
}

impl Seen {
    /// The functions that called themselves, by number.
    pub fn recursive(&self) -> Vec<(FuncId, &Calls)> {
        let mut found: Vec<(FuncId, &Calls)> =
            self.functions.iter().filter(|(_, c)| c.is_recursive).map(|(f, c)| (*f, c)).collect();
        found.sort_unstable_by_key(|(function, _)| *function);
        found
    }

    pub(super) fn enter(&mut self, function: FuncId, arguments: Arguments) {
        let calls = self.functions.entry(function).or_default();
        calls.is_recursive |= calls.active > 0;
        calls.active += 1;
        match calls.entered.len() < CALLS || calls.entered.contains(&arguments) {
            true => drop(calls.entered.insert(arguments.clone())),
            false => calls.is_cut = true,
        }
        self.open.push(arguments);
    }

    pub(super) fn leave(&mut self, function: FuncId, result: Option<&(Value, Ty)>) {
        let (Some(arguments), Some(calls)) = (self.open.pop(), self.functions.get_mut(&function))
        else {
            return;
        };
        calls.active = calls.active.saturating_sub(1);
        let result = match result {
            Some((Value::Scalar(Scalar { bits, .. }), _)) => Some(*bits),
            _ => None,
        };
        let call = (arguments, result);
        match calls.returned.len() < CALLS || calls.returned.contains(&call) {
            true => drop(calls.returned.insert(call)),
            false => calls.is_cut = true,
        }
    }
}
