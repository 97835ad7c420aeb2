//! What is not followed: calls whose meaning is not known well enough to say anything about them.

use super::{FunctionModel, is_known_input, model};
use crate::typed::{Function, Global, GlobalId, Program};

/// What a call of a function without body and model does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UndefinedFunctions {
    /// It gives an arbitrary result and has no other effect.
    #[default]
    Pure,
    /// It gives an arbitrary result and may have changed global variables, what its arguments and
    /// those of earlier calls point to, and what is behind pointers in there. It calls no function of
    /// the program and frees nothing.
    Havoc,
    /// It ends what can be said about the program.
    Refuse,
}

impl Program {
    /// The variable `errno`, if the program has it.
    pub fn error_number(&self) -> Option<GlobalId> {
        let is_it = |global: &Global| global.name == "errno" && global.scope.is_none();
        self.globals.iter().position(is_it).map(|index| GlobalId(index as u32))
    }

    /// Whether nothing is said about a program from a call of this function on.
    pub fn refuses(&self, function: &Function) -> bool {
        match model(&function.name) {
            // Calls that are understood lead elsewhere.
            Some(FunctionModel::Unsupported | FunctionModel::Formatted) => true,
            Some(FunctionModel::Nondet) => {
                !is_known_input(&function.name) && !self.gives_record(function)
            }
            None => self.undefined_functions == UndefinedFunctions::Refuse,
            Some(_) => false,
        }
    }

    /// `struct s __VERIFIER_nondet_s(void)`: the type says it all.
    fn gives_record(&self, function: &Function) -> bool {
        let signature = self.types.signature(function.ty);
        signature.is_some_and(|s| s.parameters.is_empty() && self.types.is_record(s.result))
    }

    /// The names of the functions that are called and that nobody knows, in alphabetical order.
    pub fn unknown_functions(&self) -> Vec<&str> {
        let called = super::bodies::used(self);
        let unknown = |f: &&Function| f.body.is_none() && model(&f.name).is_none();
        let functions = self.functions.iter().zip(called);
        let mut names: Vec<&str> = functions
            .filter(|(function, called)| *called && unknown(function))
            .map(|(function, _)| function.name.as_str())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}
