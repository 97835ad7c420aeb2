//! What a path says of the memory of the environment, by address.
//!
//! The automaton reads it where programs of the library do; functions of the interpreter may read
//! the same bytes in another order, or once where the automaton reads them twice.

use rustc_hash::{FxHashMap, FxHashSet};
use wedge_c::encode::{Encoded, ForeignKind};
use wedge_logic::eval::Evaluator;
use wedge_logic::{Term, Value};
use wedge_model::cfa::Run;

/// The bytes that a path reads from there before it writes them.
pub fn contents(encoded: &Encoded, path: &Run) -> FxHashMap<u64, u8> {
    let mut found = FxHashMap::default();
    if encoded.foreign.is_empty() {
        return found;
    }
    let cfa = &encoded.cfa;
    let inputs: FxHashSet<Term> = cfa.inputs.iter().copied().collect();
    let mut written: FxHashSet<u64> = FxHashSet::default();
    let mut now = Evaluator::new(&cfa.terms);
    for (&variable, value) in cfa.variables.iter().zip(&path.initial) {
        now.assign(variable, value.clone());
    }
    let mut choices = path.choices.iter();
    for (&edge, assigned) in path.edges.iter().zip(&path.assigned) {
        let edge = cfa.edge(edge);
        let roots: Vec<Term> = edge.roots().collect();
        let free = cfa.terms.free_vars(&roots);
        let count = free.iter().filter(|term| inputs.contains(term)).count();
        for (place, value) in choices.by_ref().take(count) {
            now.assign(cfa.inputs[*place], value.clone());
        }
        for access in encoded.foreign.get(&edge.from).into_iter().flatten() {
            let (condition, is_read) = match &access.kind {
                ForeignKind::Read { condition } => (*condition, true),
                ForeignKind::Write { condition, .. } => (*condition, false),
            };
            let mut number = |term: Term| match now.eval(term) {
                Ok(Value::Bv(bits)) => bits.to_u64(),
                _ => None,
            };
            let (Some(1), Some(address)) = (number(condition), number(access.address)) else {
                continue;
            };
            let bytes = cfa.terms.width(access.value) as u64 / 8;
            let value = number(access.value);
            for index in 0..bytes {
                let at = address.wrapping_add(index);
                match (is_read, value) {
                    (true, Some(value)) if !written.contains(&at) => {
                        found.entry(at).or_insert((value >> (8 * index)) as u8);
                    }
                    (true, _) => {}
                    (false, _) => {
                        written.insert(at);
                    }
                }
            }
        }
        for (place, value) in assigned {
            now.assign(cfa.variables[*place], value.clone());
        }
    }
    found
}
