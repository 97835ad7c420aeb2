//! Formulas at cut points as an invariant of the circuit that was made of the automaton.
//!
//! The single-loop system has a program counter, which numbers the cut points, and the variables
//! that are live at one of them; what formulas say is said where the counter has its number. The
//! parts that speak of variables the circuit does not hold, and those of cut points that it does
//! not have, are left out. So the result is a proposal: it counts when it has passed
//! [`claims::invariant`](crate::claims::invariant), and then it has a certificate.

use super::paths::imported;
use rustc_hash::FxHashSet;
use wedge_logic::Term;
use wedge_model::cfa::{CutInvariants, SingleLoop};
use wedge_model::{Cfa, LoweringMap, Predicate};

/// The proposal for the circuit of a single-loop system; none where a formula does not belong to
/// the automaton. `lowered` leads from the system to the circuit.
pub fn circuit_invariant(
    automaton: &Cfa,
    single: &SingleLoop,
    lowered: &LoweringMap,
    proof: &CutInvariants,
) -> Option<Predicate> {
    let mut terms = single.system.terms.clone();
    let is_variable: FxHashSet<Term> = automaton.variables.iter().copied().collect();
    let mut facts = Vec::new();
    for (number, cut) in single.cuts.iter().enumerate() {
        let own = proof.invariants.iter().find(|(location, _)| location == cut);
        let Some(&(_, formula)) = own else { continue };
        let formula = imported(&proof.terms, formula, &mut terms, &is_variable)?;
        for part in terms.conjuncts(formula) {
            facts.push(match single.pc {
                Some(pc) => {
                    let number = terms.number(terms.width(pc), number as u64);
                    let here = terms.eq(pc, number);
                    terms.implies(here, part)
                }
                None => part,
            });
        }
    }
    Some(lowered.facts(&mut terms, &facts).conjunction())
}
