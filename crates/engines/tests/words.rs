//! The engines on words, on systems with arrays that no register holds.

use std::time::Duration;
use wedge_engines::words::{WordBmc, WordImc, WordInduction};
use wedge_engines::{AutomatonEngine, AutomatonOutcome, Context};
use wedge_evidence::{check_cut_invariants, check_exhausted_automaton};
use wedge_logic::{Sort, Term};
use wedge_model::{Cfa, System};
use wedge_sat::{InterpolationSystem, Interrupt};

const MEMORY: Sort = Sort::Array { index: 32, element: 8 };

/// A memory of 4 GB that begins with zeros. Each step writes `element` at any index; the last
/// element that was written is remembered, and reading it must give what was written.
fn remembering_system(
    element: impl Fn(&mut System, Term) -> Term,
    bad: fn(&mut System, [Term; 4]) -> Term,
) -> System {
    let mut system = System::new();
    let memory = system.add_state("memory", MEMORY);
    let at = system.add_state("at", Sort::Bv(32));
    let last = system.add_state("last", Sort::Bv(8));
    let (index, data) =
        (system.add_input("index", Sort::Bv(32)), system.add_input("data", Sort::Bv(8)));
    let written = element(&mut system, data);
    let zero = system.terms.zero(8);
    let first = system.terms.zero(32);
    system.states[0].init = Some(system.terms.const_array(32, zero));
    system.states[1].init = Some(first);
    system.states[2].init = Some(zero);
    system.states[0].next = Some(system.terms.write(memory, index, written));
    system.states[1].next = Some(index);
    system.states[2].next = Some(written);
    let bad = bad(&mut system, [memory, at, last, index]);
    system.add_bad(None, bad);
    system
}

fn remembering(
    element: impl Fn(&mut System, Term) -> Term,
    bad: fn(&mut System, [Term; 4]) -> Term,
) -> Cfa {
    Cfa::from_system(&remembering_system(element, bad), 0).expect("well-formed")
}

/// Reading what was written last gives something else.
fn forgotten(system: &mut System, [memory, at, last, _]: [Term; 4]) -> Term {
    let read = system.terms.read(memory, at);
    system.terms.neq(read, last)
}

/// Some element is 200.
fn two_hundred(system: &mut System, [memory, at, ..]: [Term; 4]) -> Term {
    let read = system.terms.read(memory, at);
    let number = system.terms.number(8, 200);
    system.terms.eq(read, number)
}

fn engines() -> Vec<Box<dyn AutomatonEngine>> {
    let max_bound = Some(6);
    let system = InterpolationSystem::McMillan;
    vec![
        Box::new(WordBmc { max_bound }),
        Box::new(WordInduction { max_bound }),
        Box::new(WordImc { max_bound, system, lift: true }),
        Box::new(WordImc { max_bound, system, lift: false }),
    ]
}

fn outcomes(cfa: &Cfa) -> Vec<AutomatonOutcome> {
    let context = || Context::new(Some(Duration::from_secs(60)));
    engines().iter().map(|engine| engine.run(cfa, &context())).collect()
}

#[test]
fn runs_are_found_by_all() {
    let cfa = remembering(|_, data| data, two_hundred);
    for outcome in outcomes(&cfa) {
        let AutomatonOutcome::Unsafe(run) = outcome else { panic!("an element can be 200") };
        assert!(run.target.is_some());
    }
}

#[test]
fn proofs_are_accepted() {
    let cfa = remembering(|_, data| data, forgotten);
    let mut proofs = 0;
    for outcome in outcomes(&cfa) {
        match outcome {
            AutomatonOutcome::Safe(proof) => {
                proofs += 1;
                assert!(check_cut_invariants(&cfa, &proof, &Interrupt::default()).is_ok());
            }
            AutomatonOutcome::Unsafe(_) => panic!("what was written is there"),
            AutomatonOutcome::SafeByExhaustion { .. } => panic!("paths go on"),
            AutomatonOutcome::SafeForAll(_)
            | AutomatonOutcome::SafeForIntegers(_)
            | AutomatonOutcome::Unknown(_) => {}
        }
    }
    assert!(proofs >= 1, "at least one engine proves it");
}

/// Three steps are allowed, and then no more.
#[test]
fn bmc_proves_where_every_path_ends() {
    let mut system = remembering_system(|_, data| data, forgotten);
    let count = system.add_state("count", Sort::Bv(8));
    let (zero, one, three) =
        (system.terms.zero(8), system.terms.number(8, 1), system.terms.number(8, 3));
    let place = system.states.iter().position(|state| state.var == count).unwrap();
    system.states[place].init = Some(zero);
    system.states[place].next = Some(system.terms.add(count, one));
    let allowed = system.terms.ult(count, three);
    system.constraints.push(allowed);
    let cfa = Cfa::from_system(&system, 0).expect("well-formed");
    let context = Context::new(Some(Duration::from_secs(60)));
    let outcome = WordBmc { max_bound: Some(20) }.run(&cfa, &context);
    let AutomatonOutcome::SafeByExhaustion { cuts, length } = outcome else {
        panic!("every path ends")
    };
    let check = |length| check_exhausted_automaton(&cfa, &cuts, length, &Interrupt::default());
    assert!(check(length).is_ok());
    assert!(check(length - 2).is_err());
}
