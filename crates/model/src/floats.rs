//! Systems without operators on floats, for readers that know bit-vectors only.

use crate::system::System;
use std::borrow::Cow;
use wedge_logic::Op;
use wedge_logic::float::Lowering;

impl System {
    /// The same system with all floating-point operators lowered to bit-vectors. The variables
    /// keep their places.
    pub fn without_floats(&self) -> Cow<'_, System> {
        let is_float = |&term: &_| matches!(self.terms.op(term), Op::Float(_));
        if !self.terms.cone(&self.roots()).iter().any(is_float) {
            return Cow::Borrowed(self);
        }
        let mut system = self.clone();
        let mut lowering = Lowering::new();
        let terms = &mut system.terms;
        for state in &mut system.states {
            state.init = state.init.map(|t| lowering.lower(terms, t));
            state.next = state.next.map(|t| lowering.lower(terms, t));
        }
        let live = system.justice.iter_mut().flat_map(|justice| &mut justice.terms);
        for constraint in system.constraints.iter_mut().chain(&mut system.fairness).chain(live) {
            *constraint = lowering.lower(terms, *constraint);
        }
        for named in system.bads.iter_mut().chain(&mut system.outputs) {
            named.term = lowering.lower(terms, named.term);
        }
        Cow::Owned(system)
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::lower;
    use crate::system::System;
    use wedge_logic::blast::Limits;
    use wedge_logic::{BitVec, FloatFormat, Op, Rounding, Sort};

    /// A counter that adds 1/4 and must not exceed 1.
    fn counter() -> System {
        let mut system = System::new();
        let x = system.add_state("x", Sort::Bv(32));
        let s = &mut system.terms;
        let format = FloatFormat::Single;
        let mode = s.rounding(Rounding::NearestEven);
        let [quarter, one] = [0.25f32, 1.0].map(|x| s.number(32, x.to_bits() as u64));
        let next = s.float_add(format, mode, x, quarter);
        let bad = s.float_lt(format, one, x);
        let zero = s.zero(32);
        system.states[0].init = Some(zero);
        system.states[0].next = Some(next);
        system.add_bad(None, bad);
        system
    }

    #[test]
    fn nothing_is_left() {
        let system = counter();
        let lowered = system.without_floats();
        lowered.check().expect("well-formed");
        let cone = lowered.terms.cone(&lowered.roots());
        assert!(cone.iter().all(|&t| !matches!(lowered.terms.op(t), Op::Float(_))));
        let mut plain = System::new();
        let x = plain.add_state("x", Sort::Bv(8));
        plain.states[0].next = Some(x);
        assert!(matches!(plain.without_floats(), std::borrow::Cow::Borrowed(_)));
    }

    #[test]
    fn systems_with_floats_become_circuits() {
        let (circuit, _) = lower(&counter(), 0, Limits::default()).expect("small");
        let mut state: Vec<bool> = vec![false; circuit.latches.len()];
        // 5/4 is reached after five steps.
        for step in 0..6 {
            let bad = circuit.aig.eval(circuit.bad, &state);
            assert_eq!(bad, step == 5, "step {step}");
            state = circuit.latches.iter().map(|l| circuit.aig.eval(l.next, &state)).collect();
        }
        assert_eq!(BitVec::from_bits(&state), BitVec::new(32, 1.5f32.to_bits() as u64));
    }
}
