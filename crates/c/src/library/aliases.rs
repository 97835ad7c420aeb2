//! Names that other verifiers and compilers have for assumptions and assertions.
//!
//! By option they mean what the functions of the competition and of `<assert.h>` mean. A function
//! that the program defines itself is what its body says.

use crate::typed::Program;

/// Each name with the one that has a meaning here.
const ALIASES: &[(&str, &str)] = &[
    ("__CPROVER_assume", "__VERIFIER_assume"),
    ("__ESBMC_assume", "__VERIFIER_assume"),
    ("__SMACK_assume", "__VERIFIER_assume"),
    ("__builtin_assume", "__VERIFIER_assume"),
    ("klee_assume", "__VERIFIER_assume"),
    ("__CPROVER_assert", "assert"),
    ("__ESBMC_assert", "assert"),
    ("__SMACK_assert", "assert"),
    ("klee_assert", "assert"),
    ("__VERIFIER_assert", "assert"),
];

/// The names, for help and documentation.
pub fn aliases() -> impl Iterator<Item = &'static str> {
    ALIASES.iter().map(|(name, _)| *name)
}

impl Program {
    /// Gives the functions of other tools the names of those that are known here.
    pub fn follow_aliases(&mut self) {
        for function in self.functions.iter_mut().filter(|function| function.body.is_none()) {
            if let Some((_, meant)) = ALIASES.iter().find(|(name, _)| *name == function.name) {
                let written = std::mem::replace(&mut function.name, meant.to_string());
                function.written = Some(written);
            }
        }
    }
}
