//! Where arbitrary values come from.

use crate::source::Position;
use crate::typed::LocalId;
use crate::types::Ty;
use std::collections::VecDeque;

/// A value that the program leaves open.
#[derive(Clone, Debug)]
pub struct Choice<'a> {
    pub kind: ChoiceKind<'a>,
    pub ty: Ty,
    pub width: u32,
    pub position: Position,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceKind<'a> {
    /// The result of a function `__VERIFIER_nondet_…`.
    Input(&'a str),
    /// The result of a function that has neither body nor model, or whose model leaves it open.
    External(&'a str),
    /// A local variable that is read before it is written.
    Local(LocalId),
    /// Uninitialised or external memory: the name of the object, where it has one, and the offset.
    Memory(Option<&'a str>, u64),
    /// The result of a function that ended without giving one.
    MissingResult,
}

/// Supplies the values that a program leaves open.
pub trait Oracle {
    /// The bits of the value; those beyond the width are ignored.
    fn choose(&mut self, choice: &Choice) -> u128;

    /// A function without body or model is called with these arguments.
    fn external_call(&mut self, _name: &str, _arguments: &[u128], _at: Position) {}
}

/// Inputs from a list; when it is used up, and for everything that is not an input, zero.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    pub values: VecDeque<u128>,
}

impl Inputs {
    pub fn new(values: impl IntoIterator<Item = u128>) -> Inputs {
        Inputs { values: values.into_iter().collect() }
    }
}

impl Oracle for Inputs {
    fn choose(&mut self, choice: &Choice) -> u128 {
        match choice.kind {
            ChoiceKind::Input(_) => self.values.pop_front().unwrap_or(0),
            _ => 0,
        }
    }
}
