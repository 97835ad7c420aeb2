//! Engines that lift interpolants to words, on random systems: claims are checked, and all engines
//! have to agree.

use std::sync::Arc;
use std::time::Duration;
use wedge_engines::preprocess::{Config, preprocess};
use wedge_engines::registry::{Options, find};
use wedge_engines::{Context, Outcome};
use wedge_evidence::check_invariant;
use wedge_logic::blast::Limits;
use wedge_logic::{Sort, Term};
use wedge_model::simulate::replay;
use wedge_model::{Named, State, System, lower};
use wedge_sat::random::Random;

const ENGINES: [&str; 3] = ["imc", "ismc", "dar"];

fn below(random: &mut Random, n: usize) -> usize {
    (random.word() >> 20) as usize % n
}

/// Runs an engine with lifting and checks what it claims; whether the system is safe, and how
/// many interpolants were lifted.
fn run(system: &System, engine: &str, time: u64) -> (Option<bool>, f64) {
    let (circuit, lowered) = lower(system, 0, Limits::default()).expect("a small system");
    let context = Context::new(Some(Duration::from_secs(time)));
    let (reduced, way_back) = preprocess(&circuit, &Config::default(), &context);
    let words = way_back.words(&lowered.words(system, None));
    let options = Options { lift: true, words: Some(Arc::new(words)), ..Options::default() };
    let outcome = find(engine).unwrap().on_circuit(&options).unwrap().run(&reduced, &context);
    let figures = context.figures();
    let kept = figures.extra.iter().find(|(name, _)| name == "lift: kept").map_or(0.0, |f| f.1);
    let safe = match outcome {
        Outcome::Safe(invariant) => {
            let invariant = way_back.predicate(&invariant);
            check_invariant(&circuit, &invariant, &context.interrupt()).expect("an invariant");
            Some(true)
        }
        Outcome::Unsafe(trace) => {
            replay(&circuit, &way_back.trace(&trace)).expect("the trace replays");
            Some(false)
        }
        _ => None,
    };
    (safe, kept)
}

/// Two words that are counted, copied and compared, under an input.
fn random_system(random: &mut Random) -> System {
    let mut system = System::default();
    let terms = &mut system.terms;
    let (x, y) = (terms.var("x", Sort::Bv(3)), terms.var("y", Sort::Bv(3)));
    let input = terms.var("input", Sort::Bv(3));
    let mut operands = vec![x, y];
    for number in 0..4 {
        operands.push(terms.number(3, number * 2 + below(random, 2) as u64));
    }
    let mut nexts = Vec::new();
    for _ in 0..2 {
        let pick = |random: &mut Random| operands[below(random, operands.len())];
        let (a, b, c, d) = (pick(random), pick(random), pick(random), pick(random));
        let guard = match below(random, 4) {
            0 => terms.ult(a, b),
            1 => terms.slt(a, b),
            2 => terms.eq(a, b),
            _ => terms.ult(input, a),
        };
        let (then, other) = (terms.add(a, c), if below(random, 2) == 0 { d } else { x });
        nexts.push(terms.ite(guard, then, other));
    }
    let pick = |random: &mut Random| operands[below(random, operands.len())];
    let (a, b) = (pick(random), operands[below(random, 2)]);
    let bad: Term = if below(random, 2) == 0 { terms.ult(a, b) } else { terms.eq(a, b) };
    for (var, next) in [x, y].into_iter().zip(nexts) {
        let init = Some(system.terms.number(3, below(random, 3) as u64));
        system.states.push(State { var, init, next: Some(next) });
    }
    system.inputs.push(input);
    system.bads.push(Named { name: None, term: bad });
    system
}

#[test]
fn verdicts_on_random_systems() {
    let mut random = Random(5);
    let (mut safes, mut lifted) = (0, 0.0);
    for round in 0..250 {
        let system = random_system(&mut random);
        let wanted = run(&system, "imc", 20).0;
        safes += (wanted == Some(true)) as usize;
        assert!(wanted.is_some(), "system {round}");
        for engine in ENGINES {
            let (safe, kept) = run(&system, engine, 20);
            lifted += kept;
            assert_eq!(safe, wanted, "{engine} on system {round}");
        }
    }
    assert!((30..220).contains(&safes), "one-sided: {safes} of 250 are safe");
    assert!(lifted > 30.0, "hardly anything was lifted: {lifted}");
}
