//! Cores and interpolants of other solvers: played ones, whose commands are compared, and those
//! that are installed.

use crate::external::solver;
use crate::generator::{Generator, Kinds};
use crate::played::Played;
use std::time::Duration;
use wedge_logic::{Sort, Term, TermStore};
use wedge_sat::Interrupt;
use wedge_smt::external::{Explained, External, Purpose, Trouble, find};
use wedge_smt::{Answer, Solver};

const LIMIT: Duration = Duration::from_secs(20);

/// x = 5, y = x + 1, y < 3
fn parts(store: &mut TermStore) -> Vec<Term> {
    let (x, y) = (store.var("x", Sort::Bv(8)), store.var("y", Sort::Bv(8)));
    let [five, one, three] = [5, 1, 3].map(|n| store.number(8, n));
    let sum = store.add(x, one);
    vec![store.eq(x, five), store.eq(y, sum), store.ult(y, three)]
}

fn start(command: &str, purpose: Purpose) -> External {
    let entry = find(command);
    External::start_for(purpose, &entry, LIMIT, &Interrupt::default()).expect("it starts")
}

/// What a played solver says about the parts, with what it was told.
fn interpolate(
    test: &str,
    name: &str,
    cases: &str,
) -> (Result<Explained<Vec<Term>>, Trouble>, TermStore, String) {
    let cases = format!("{cases} *check-sat*) echo unsat;;");
    let played = Played::cases(test, name, &cases);
    let mut store = TermStore::new();
    let parts = parts(&mut store);
    let mut external = start(&played.command(), Purpose::Interpolants);
    let result = external.interpolants(&mut store, &parts);
    (result, store, played.log())
}

/// x = 5 and y = 6 between the parts.
fn assert_expected(result: Result<Explained<Vec<Term>>, Trouble>, store: &mut TermStore) {
    let Ok(Explained::Refuted(found)) = &result else { panic!("{result:?}") };
    let [x, y] = [1, 2].map(|cut| store.free_vars(&found[cut..=cut])[0]);
    assert_ne!(x, y);
    let [five, six] = [5, 6].map(|n| store.number(8, n));
    let [first, second] = [store.eq(x, five), store.eq(y, six)];
    let sequence = vec![store.bool(true), first, second, store.bool(false)];
    assert_eq!(result, Ok(Explained::Refuted(sequence)));
}

#[test]
fn solvers_are_asked_in_their_own_words() {
    let cases = "*'(get-interpolants wedge!0 wedge!1 wedge!2)'*) echo '((= x #x05) (= #x06 y))';;";
    for name in ["smtinterpol", "opensmt"] {
        let (result, mut store, log) = interpolate(name, name, cases);
        assert_expected(result, &mut store);
        assert!(log.contains("(set-option :produce-interpolants true)"), "{log}");
        assert!(!log.contains("unsat-cores"), "{log}");
    }
    let cases = "*'(get-interpolant (wedge!group0))'*) echo '(= x #x05)';; \
        *'(get-interpolant (wedge!group0 wedge!group1))'*) echo '(let ((.d y)) (= .d #x06))';;";
    let (result, mut store, log) = interpolate("mathsat", "mathsat", cases);
    assert_expected(result, &mut store);
    assert!(log.contains("arguments: -input=smt2 -theory.bv.eager=false"), "{log}");
    assert!(log.contains(":interpolation-group wedge!group2"), "{log}");
    let cases = cases.replace("group", "");
    let (result, mut store, log) = interpolate("bitwuzla", "bitwuzla", &cases);
    assert_expected(result, &mut store);
    assert!(log.contains("(set-logic QF_ABV)"), "{log}");
    // The second question of cvc5 is asked where the first answer is asserted.
    let cases = "*get-interpolant*'(not '*x*) echo '(define-fun wedge!interpolant () Bool (= x #x05))';; \
        *get-interpolant*) echo '(define-fun wedge!interpolant () Bool (= y #x06))';;";
    let (result, mut store, log) = interpolate("cvc5", "cvc5", cases);
    assert_expected(result, &mut store);
    assert_eq!(log.matches("(push 1)").count(), 3, "{log}");
}

/// Interpolants of single cuts that do not follow one another are asked for again, from the first
/// to the last.
#[test]
fn cuts_that_do_not_follow_are_asked_for_again() {
    let cases = "*'(get-interpolant (wedge!group0))'*) echo '(distinct x #xff)';; \
        *'(get-interpolant (wedge!group0 wedge!group1))'*) echo '(= y #x06)';; \
        *'(get-interpolant (wedge!group3))'*) echo '(= x #x05)';; \
        *'(get-interpolant (wedge!group5))'*) echo '(= y #x06)';;";
    let (result, mut store, _) = interpolate("again-in-order", "mathsat", cases);
    assert_expected(result, &mut store);
}

#[test]
fn wrong_interpolants_are_refused() {
    for (answer, expected) in [
        ("((= x #x05) (= y #x07))", "refutes it"),
        ("((= x #x05) (= x #x05))", "on one side only"),
        ("((= x #x05) x)", "cannot be understood"),
        ("((= x #x05) (= z #x05))", "cannot be understood"),
        ("((= x #x05))", "cannot be understood"),
        ("(error \"no\")", "cannot be understood"),
    ] {
        let cases = format!("*get-interpolants*) echo '{answer}';;");
        let (result, ..) = interpolate("wrong", "smtinterpol", &cases);
        let trouble = result.unwrap_err().to_string();
        assert!(trouble.starts_with("the solver ") && trouble.contains(expected), "{trouble}");
    }
    let (result, ..) = interpolate("fails", "cvc5", "*get-interpolant*) echo fail;;");
    assert_eq!(result, Ok(Explained::Unknown));
    let (result, ..) = interpolate("none", "z3", "");
    assert!(matches!(result, Err(Trouble::Unable { .. })));
}

#[test]
fn wrong_cores_are_refused() {
    for (answer, expected) in [
        ("(wedge!0 wedge!2)", "refutes it"),
        ("(wedge!0 wedge!7)", "names something else"),
        ("(a b)", "cannot be understood"),
        ("unsat", "cannot be understood"),
    ] {
        let cases = format!("*get-unsat-core*) echo '{answer}';; *check-sat*) echo unsat;;");
        let played = Played::cases("cores", "solver", &cases);
        let mut store = TermStore::new();
        let parts = parts(&mut store);
        let mut external = start(&played.command(), Purpose::Cores);
        let trouble = external.unsat_core(&mut store, &parts).unwrap_err().to_string();
        assert!(trouble.contains(expected), "{trouble}");
    }
}

/// Random parts: what installed solvers say agrees with Wedge's own solver, and their cores are
/// checked by it.
#[test]
fn cores_of_installed_solvers() {
    for name in ["z3", "cvc5"] {
        if solver(name).is_none() {
            continue;
        }
        let (mut refuted, mut feasible) = (0, 0);
        for seed in 0..12 {
            let mut generator = Generator::new(seed, &[Sort::Bv(8), Sort::Bv(5), Sort::BOOL]);
            let mut external = start(name, Purpose::Cores);
            for _ in 0..5 {
                (0..5).for_each(|_| generator.step(Kinds { arrays: false, floats: false }));
                let parts: Vec<Term> = (0..4).map(|_| generator.condition()).collect();
                let store = &mut generator.store;
                let answer = Solver::new(&Interrupt::default()).check_assuming(store, &parts);
                match external.unsat_core(store, &parts).expect("no trouble") {
                    Explained::Refuted(core) => {
                        assert_eq!(answer, Answer::Unsat);
                        assert!(core.iter().all(|&place| place < parts.len()));
                        refuted += 1;
                    }
                    Explained::Feasible(values) => {
                        assert_eq!(answer, Answer::Sat);
                        let mut evaluator = wedge_logic::Evaluator::new(store);
                        values.into_iter().for_each(|(v, value)| evaluator.assign(v, value));
                        assert!(parts.iter().all(|&part| evaluator.holds(part).unwrap()));
                        feasible += 1;
                    }
                    Explained::Unknown => {}
                }
            }
        }
        assert!(refuted > 5 && feasible > 5, "{name}: {refuted} refuted, {feasible} feasible");
    }
}

/// cvc5 guesses interpolants from a grammar, so the parts are simple ones.
#[test]
fn interpolants_of_cvc5() {
    if solver("cvc5").is_none() {
        return;
    }
    let mut store = TermStore::new();
    let parts = parts(&mut store);
    let mut external = start("cvc5", Purpose::Interpolants);
    match external.interpolants(&mut store, &parts) {
        Ok(Explained::Refuted(sequence)) => assert_eq!(sequence.len(), 4),
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        external.interpolants(&mut store, &parts[..2]),
        Ok(Explained::Feasible(values)) if values.len() == 2
    ));
}
