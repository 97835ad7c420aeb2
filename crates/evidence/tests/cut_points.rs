//! Formulas at the cut points of a program's automaton: as loop invariants of the program and as an
//! invariant of its circuit.

use wedge_c::encode::{Encoded, Meaning, OriginKind, Room, encode};
use wedge_c::typed::Program;
use wedge_c::{DataModel, Properties};
use wedge_evidence::c::invariants::{Encoding, Known, printed};
use wedge_evidence::cuts::circuit::circuit_invariant;
use wedge_evidence::{Condition, Proof, claims};
use wedge_logic::blast::Limits;
use wedge_logic::{Term, TermStore};
use wedge_model::cfa::{BlockOptions, Cfa, CutInvariants, ERROR, LocationId, reduce, single_loop};
use wedge_model::lower;
use wedge_sat::Interrupt;

const PROGRAM: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    if (x < 10) { x++; y++; }
  }
  while (y > 0) { x--; y--; }
  if (x != 0) reach_error();
  return 0;
}";

struct Example {
    program: Program,
    encoded: Encoded,
    reduced: Cfa,
}

impl Example {
    fn new() -> Example {
        let program = wedge_c::load_text(PROGRAM, "t.c", DataModel::Ilp32).expect("valid");
        let encoded = encode(&program, &Properties::default(), Room::default()).expect("supported");
        let reduced = reduce(&encoded.cfa).cfa;
        Example { program, encoded, reduced }
    }

    /// The variables `x` and `y`.
    fn variables(&self) -> [Term; 2] {
        let mut found = Vec::new();
        for (&term, meaning) in self.encoded.cfa.variables.iter().zip(&self.encoded.variables) {
            if let Meaning::Local { function, local, .. } = meaning {
                let body = self.program.function(*function).body.as_ref().expect("a body");
                if ["x", "y"].contains(&body.local(*local).name.as_deref().unwrap_or_default()) {
                    found.push(term);
                }
            }
        }
        found.try_into().expect("two variables")
    }

    fn heads(&self) -> Vec<LocationId> {
        let is_head = |origin: u32| {
            matches!(self.encoded.origins[origin as usize].kind, OriginKind::LoopHead(_))
        };
        let locations = self.reduced.locations.iter().enumerate();
        let heads = locations.filter(|(_, location)| location.origin.is_some_and(is_head));
        heads.map(|(number, _)| LocationId(number as u32)).collect()
    }

    /// The same formula at both loops.
    fn claim(&self, formula: impl Fn(&mut TermStore, [Term; 2]) -> Term) -> CutInvariants {
        let mut terms = self.reduced.terms.clone();
        let formula = formula(&mut terms, self.variables());
        let invariants = self.heads().into_iter().map(|head| (head, formula)).collect();
        CutInvariants { terms, invariants }
    }
}

#[test]
fn formulas_at_cut_points_are_loop_invariants_and_certificates() {
    let example = Example::new();
    let proof = example.claim(|s, [x, y]| s.eq(x, y));
    let checked = claims::invariants(&example.reduced, proof, &Interrupt::default());
    let checked = checked.expect("x == y is inductive and excludes the error");
    let Proof::Invariants(proof) = &*checked else { panic!("another proof") };
    assert_eq!(proof.invariants.len(), 2);

    let encoding = Encoding {
        program: &example.program,
        cfa: &example.encoded.cfa,
        origins: &example.encoded.origins,
        variables: &example.encoded.variables,
    };
    let known: Known =
        proof.invariants.iter().map(|&(cut, formula)| (cut, vec![formula])).collect();
    let found = printed(&encoding, &example.reduced, &mut proof.terms.clone(), &known);
    let said: Vec<(u32, &str)> =
        found.iter().map(|found| (found.position.line, found.value.as_str())).collect();
    assert_eq!(said, [(5, "(x == y)"), (8, "(x == y)")]);
    assert!(found.iter().all(|found| !found.weakened && found.function == "main"));

    let single = single_loop(&example.reduced, &BlockOptions::default()).expect("small");
    let (circuit, lowered) = lower::lower(&single.system, ERROR, Limits::default()).expect("small");
    let invariant = circuit_invariant(&example.reduced, &single, &lowered, proof).expect("one");
    assert!(claims::invariant(&circuit, invariant, &Interrupt::default()).is_ok());
}

#[test]
fn formulas_that_are_too_weak_or_wrong_are_refuted() {
    let example = Example::new();
    let refuted = |formula: &dyn Fn(&mut TermStore, [Term; 2]) -> Term| {
        let claim = example.claim(formula);
        let rejection = claims::invariants(&example.reduced, claim, &Interrupt::default()).err();
        rejection.expect("no proof").condition().expect("a condition")
    };
    assert_eq!(refuted(&|s, _| s.bool(true)), Condition::Safety);
    let up_to = |bound: u64| {
        move |s: &mut TermStore, [x, y]: [Term; 2]| {
            let bound = s.number(32, bound);
            let (same, small) = (s.eq(x, y), s.ule(x, bound));
            s.and(same, small)
        }
    };
    assert_eq!(refuted(&up_to(9)), Condition::Consecution);
    let claim = example.claim(up_to(10));
    assert!(claims::invariants(&example.reduced, claim, &Interrupt::default()).is_ok());
}
