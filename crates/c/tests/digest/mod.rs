//! Programs that are executed on their automata: a digest instead of output, and zeros for all that
//! is left open.

use wedge_logic::{Term, TermStore, Value};
use wedge_model::cfa::{self, EdgeId, LocationId};

/// Everything that is left open is 0.
pub struct Zero<'a>(pub &'a TermStore);

impl cfa::run::Oracle for Zero<'_> {
    fn initial(&mut self, variable: Term) -> Value {
        Value::zero(self.0.sort(variable))
    }
    fn input(&mut self, input: Term) -> Value {
        Value::zero(self.0.sort(input))
    }
    fn taken(&mut self, _: EdgeId, _: &[Term]) {}
    fn reached(&mut self, _: LocationId) -> bool {
        true
    }
}

/// The program with a digest instead of output, and an error if it is as expected.
pub fn checked(text: &str, expected: u64) -> String {
    let text = text.replace("extern void emit(unsigned long long);", "");
    let text = text.replace("int main(", "int generated_main(");
    format!(
        "unsigned long long digest;
        void emit(unsigned long long x) {{ digest = digest * 31 + x; }}
        {text}
        extern void __VERIFIER_error(void);
        int main(void) {{
            generated_main();
            if (digest == {expected}ull) __VERIFIER_error();
            return 0;
        }}"
    )
}
