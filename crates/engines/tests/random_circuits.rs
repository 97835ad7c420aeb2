//! Every engine on random circuits, against explicit-state search.
//!
//! A verdict must be the right one, a trace must replay, an invariant must hold in every
//! reachable state, be closed under steps and exclude every bad step.

use std::sync::{Arc, Mutex};
use wedge_engines::auxiliary::Auxiliary;
use wedge_engines::bounds::KnownBounds;
use wedge_engines::houdini::{QUICK, inductive_facts};
use wedge_engines::preprocess::{Config, preprocess};
use wedge_engines::registry::{Entry, Options, engines};
use wedge_engines::{Context, Insight, Outcome};
use wedge_evidence::check_strengthened_induction;
use wedge_logic::Lit;
use wedge_logic::aig::word;
use wedge_model::simulate::{evaluate, replay};
use wedge_model::{Circuit, Facts, Predicate, Reset};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
    fn flip(&mut self) -> bool {
        self.below(2) == 1
    }
    fn pick(&mut self, pool: &[Lit]) -> Lit {
        let lit = pool[self.below(pool.len())];
        lit.xor(self.flip())
    }
}

fn random_circuit(random: &mut Random) -> Circuit {
    let mut circuit = Circuit::default();
    let mut pool = Vec::new();
    for _ in 0..1 + random.below(2) {
        pool.push(circuit.add_input());
    }
    let latches = 2 + random.below(4);
    let mut states: Vec<Lit> = Vec::new();
    for _ in 0..latches {
        let reset = match random.below(8) {
            0 => Reset::Free,
            // A function of latches before this one: acyclic.
            1 if !states.is_empty() => Reset::Function(random.pick(&states)),
            2 => Reset::Const(true),
            _ => Reset::Const(false),
        };
        states.push(circuit.add_latch(reset));
    }
    pool.extend(&states);
    for _ in 0..4 + random.below(14) {
        let (a, b, c) = (random.pick(&pool), random.pick(&pool), random.pick(&pool));
        let gate = match random.below(4) {
            0 => circuit.aig.xor(a, b),
            1 => circuit.aig.ite(a, b, c),
            _ => circuit.aig.and(a, b),
        };
        pool.push(gate);
    }
    for index in 0..latches {
        circuit.latches[index].next = random.pick(&pool);
    }
    let few: Vec<Lit> = (0..3).map(|_| random.pick(&pool)).collect();
    circuit.bad = circuit.aig.and_all(&few);
    for _ in 0..random.below(3) {
        let (a, b) = (random.pick(&pool), random.pick(&pool));
        circuit.constraints.push(circuit.aig.or(a, b));
    }
    circuit.check();
    circuit
}

fn bits(value: usize, count: usize) -> Vec<bool> {
    (0..count).map(|i| value >> i & 1 == 1).collect()
}

fn number(bits: &[bool]) -> usize {
    bits.iter().enumerate().map(|(i, &b)| (b as usize) << i).sum()
}

/// What a state and inputs lead to: nothing if a constraint fails, else (bad, next state).
fn step(circuit: &Circuit, state: usize, inputs: usize) -> Option<(bool, usize)> {
    let state = bits(state, circuit.latches.len());
    let words = evaluate(circuit, &state, &bits(inputs, circuit.inputs.len()));
    let value = |lit: Lit| word(&words, lit) & 1 == 1;
    if !circuit.constraints.iter().all(|&c| value(c)) {
        return None;
    }
    let next: Vec<bool> = circuit.latches.iter().map(|l| value(l.next)).collect();
    Some((value(circuit.bad), number(&next)))
}

fn is_initial(circuit: &Circuit, state: usize) -> bool {
    let state = bits(state, circuit.latches.len());
    let words = evaluate(circuit, &state, &vec![false; circuit.inputs.len()]);
    circuit.latches.iter().zip(&state).all(|(latch, &value)| match latch.reset {
        Reset::Const(wanted) => value == wanted,
        Reset::Free => true,
        Reset::Function(lit) => value == (word(&words, lit) & 1 == 1),
    })
}

/// Explicit-state search: whether a bad step is reachable.
fn is_unsafe(circuit: &Circuit) -> bool {
    let states = 1 << circuit.latches.len();
    let mut stack: Vec<usize> = (0..states).filter(|&s| is_initial(circuit, s)).collect();
    let mut seen = vec![false; states];
    while let Some(state) = stack.pop() {
        if std::mem::replace(&mut seen[state], true) {
            continue;
        }
        for inputs in 0..1 << circuit.inputs.len() {
            match step(circuit, state, inputs) {
                Some((true, _)) => return true,
                Some((false, next)) => stack.push(next),
                None => {}
            }
        }
    }
    false
}

/// Whether no path has more than `length` steps.
fn paths_end(circuit: &Circuit, length: usize) -> bool {
    let mut last: Vec<usize> =
        (0..1 << circuit.latches.len()).filter(|&s| is_initial(circuit, s)).collect();
    for _ in 0..=length {
        let steps = |&state: &usize| {
            let inputs = 0..1 << circuit.inputs.len();
            inputs.filter_map(move |inputs| step(circuit, state, inputs)).map(|(_, next)| next)
        };
        let next: std::collections::BTreeSet<usize> = last.iter().flat_map(steps).collect();
        last = next.into_iter().collect();
    }
    last.is_empty()
}

fn assert_invariant(circuit: &Circuit, invariant: &Predicate, name: &str) {
    let latches = circuit.latches.len();
    let holds = |state: usize| invariant.aig.eval(invariant.root, &bits(state, latches));
    let all_inputs = 0..1 << circuit.inputs.len();
    let alive = |state: usize| all_inputs.clone().any(|i| step(circuit, state, i).is_some());
    for state in 0..1 << latches {
        assert!(!is_initial(circuit, state) || !alive(state) || holds(state), "{name}: initiation");
        for inputs in all_inputs.clone().filter(|_| holds(state)) {
            if let Some((bad, next)) = step(circuit, state, inputs) {
                assert!(!bad, "{name}: safety");
                assert!(holds(next) || !alive(next), "{name}: consecution");
            }
        }
    }
}

fn check(name: &str, options: &Options, circuit: &Circuit, expected_unsafe: bool) {
    let entry = engines().find(|e| e.name == name).unwrap();
    let context = Context::new(Some(std::time::Duration::from_secs(20)));
    match entry.on_circuit(options).unwrap().run(circuit, &context) {
        Outcome::Unsafe(trace) => {
            assert!(expected_unsafe, "{name} claims a counterexample: {circuit:?}");
            replay(circuit, &trace).unwrap();
        }
        Outcome::Safe(invariant) => {
            assert!(!expected_unsafe, "{name} claims a proof: {circuit:?}");
            assert_invariant(circuit, &invariant, name);
        }
        Outcome::SafeByInduction { .. } => assert!(!expected_unsafe, "{name} claims a proof"),
        Outcome::SafeByExhaustion { length } => {
            assert!(!expected_unsafe, "{name} claims a proof");
            assert!(paths_end(circuit, length), "{name}: a path has more than {length} steps");
        }
        Outcome::Unknown(reason) => assert!(options.max_bound.is_some(), "{name}: {reason}"),
    }
}

/// Options worth trying for an engine; a bound keeps the incomplete ones finite.
fn variants(name: &str) -> Vec<Options> {
    use wedge_engines::cut::Stride;
    use wedge_engines::imc::{Direction, Reuse};
    use wedge_engines::reduction::Reduce;
    use wedge_sat::InterpolationSystem;
    let bounded = Options { max_bound: Some(40), ..Options::default() };
    match name {
        "bmc" => vec![bounded.clone(), Options { sweep: true, ..bounded }],
        "execute" => vec![bounded],
        "kind" => vec![bounded, Options { simple_path: true, ..Options::default() }],
        "imc" => {
            let mut variants = vec![Options::default()];
            for system in [
                InterpolationSystem::McMillan,
                InterpolationSystem::Pudlak,
                InterpolationSystem::DualMcMillan,
            ] {
                for direction in [Direction::Forward, Direction::Backward] {
                    for plain in [true, false] {
                        variants.push(Options {
                            system: Some(system),
                            direction: Some(direction),
                            stride: Some(if plain { Stride::One } else { Stride::Iterations }),
                            inductive_check: !plain,
                            simplify: !plain,
                            reuse: Some(if plain { Reuse::Never } else { Reuse::Always }),
                            reduce: Some(if plain { Reduce::None } else { Reduce::Both }),
                            smallest: !plain && system == InterpolationSystem::Pudlak,
                            check_interpolants: true,
                            ..Options::default()
                        });
                    }
                }
            }
            variants
        }
        "cnf-itp" => {
            let base = Options { stride: Some(Stride::Iterations), ..Options::default() };
            vec![
                Options::default(),
                Options { b_weak: false, ..base.clone() },
                Options { push: false, inductive_check: false, ..base.clone() },
                Options { incremental: false, ..Options::default() },
                Options { generalize: false, inductive_check: false, ..base },
            ]
        }
        "ismc" | "dar" => {
            let mut variants = vec![Options::default()];
            for system in [
                InterpolationSystem::McMillan,
                InterpolationSystem::Pudlak,
                InterpolationSystem::DualMcMillan,
            ] {
                variants.push(Options {
                    system: Some(system),
                    simplify: false,
                    check_interpolants: true,
                    ..Options::default()
                });
            }
            variants
        }
        "explicit" => {
            let few = Options { max_states: Some(1), ..Options::default() };
            vec![Options::default(), few, Options { max_bound: Some(3), ..Options::default() }]
        }
        _ => vec![Options::default()],
    }
}

/// A bad state from which no legal step leads on is still reached: the bad step may be the last.
#[test]
fn a_bad_state_may_be_a_dead_end() {
    let mut circuit = Circuit::default();
    let input = circuit.add_input();
    let first = circuit.add_latch(Reset::Const(false));
    let second = circuit.add_latch(Reset::Const(false));
    let third = circuit.add_latch(Reset::Const(false));
    circuit.latches[0].next = input;
    circuit.latches[1].next = first;
    circuit.latches[2].next = second;
    circuit.bad = second;
    circuit.constraints.push(!third);
    for entry in engines().filter(|entry| entry.levels.circuit.is_some()) {
        for options in variants(entry.name) {
            check(entry.name, &options, &circuit, true);
        }
    }
}

#[test]
fn engines_agree_with_explicit_search() {
    // Every interpolant is checked on the way.
    wedge_logic::audit::turn_on();
    let mut random = Random(2024);
    let (mut safe, mut unsafe_) = (0, 0);
    while safe < 120 || unsafe_ < 60 {
        let circuit = random_circuit(&mut random);
        let expected = is_unsafe(&circuit);
        let (count, limit) = if expected { (&mut unsafe_, 120) } else { (&mut safe, 240) };
        if *count >= limit {
            continue;
        }
        *count += 1;
        for entry in engines().filter(|entry| entry.levels.circuit.is_some()) {
            for options in variants(entry.name) {
                check(entry.name, &options, &circuit, expected);
            }
        }
    }
}

/// Merging what is alike hides no path: the first counterexample comes in the same step.
#[test]
fn a_swept_unrolling_has_all_paths() {
    let mut random = Random(1996);
    let mut found = 0;
    while found < 200 {
        let circuit = random_circuit(&mut random);
        let Some(first) = first_bad(&circuit) else { continue };
        found += 1;
        let options = Options { sweep: true, ..Options::default() };
        let bmc =
            engines().find(|entry| entry.name == "bmc").unwrap().on_circuit(&options).unwrap();
        match bmc.run(&circuit, &Context::new(Some(std::time::Duration::from_secs(20)))) {
            Outcome::Unsafe(trace) => {
                replay(&circuit, &trace).unwrap();
                assert_eq!(trace.inputs.len(), first + 1, "{circuit:?}");
            }
            other => panic!("{other:?} for {circuit:?}"),
        }
    }
}

/// What is found where all that is left open is 0 is an error of the whole, and nothing else is said.
#[test]
fn paths_on_which_what_is_open_is_zero_are_some_of_all() {
    let mut random = Random(2000);
    let (mut found, mut missed) = (0, 0);
    for _ in 0..400 {
        let mut circuit = random_circuit(&mut random);
        circuit.undriven = circuit.inputs.iter().copied().filter(|_| random.flip()).collect();
        let options =
            Options { sweep: random.flip(), zero: true, max_bound: Some(40), ..Options::default() };
        let context = Context::new(Some(std::time::Duration::from_secs(20)));
        let entry = engines().find(|entry| entry.name == "bmc").unwrap();
        let config = (entry.preprocessing)(&options, random.flip());
        assert!(config.zero);
        let (reduced, way_back) = preprocess(&circuit, &config, &context);
        let expected = is_unsafe(&wedge_model::zero::zeroed(&circuit));
        match entry.on_circuit(&options).unwrap().run(&reduced, &context) {
            Outcome::Unsafe(trace) => {
                assert!(expected);
                found += 1;
                replay(&circuit, &way_back.trace(&trace)).unwrap();
            }
            Outcome::Unknown(_) => {
                assert!(!expected, "{circuit:?}");
                missed += is_unsafe(&circuit) as usize;
            }
            proof => panic!("{proof:?} of some of the paths"),
        }
        assert_eq!(context.bounds().own(), None);
    }
    assert!(found > 20 && missed > 5, "{found} found, {missed} missed");
}

fn random_facts(random: &mut Random, circuit: &Circuit) -> Facts {
    let mut facts = Facts::none(circuit.latches.len());
    let mut pool: Vec<Lit> = (0..circuit.latches.len()).map(|i| facts.aig.input(i)).collect();
    for _ in 0..6 {
        let (a, b) = (random.pick(&pool), random.pick(&pool));
        let fact = if random.flip() { facts.aig.or(a, b) } else { facts.aig.xor(a, b) };
        pool.push(fact);
        facts.roots.push(fact);
    }
    facts
}

/// The facts that are left when those go, one after the other, that an initial state or a step
/// from where all others hold violates.
fn largest_inductive_subset(circuit: &Circuit, facts: &Facts) -> Vec<Lit> {
    let latches = circuit.latches.len();
    let holds = |fact: Lit, state: usize| facts.aig.eval(fact, &bits(state, latches));
    let all_inputs = 0..1 << circuit.inputs.len();
    let alive = |state: usize| all_inputs.clone().any(|i| step(circuit, state, i).is_some());
    let mut kept = facts.roots.clone();
    for state in (0..1 << latches).filter(|&s| is_initial(circuit, s) && alive(s)) {
        kept.retain(|&fact| holds(fact, state));
    }
    loop {
        let before = kept.len();
        for state in 0..1 << latches {
            for inputs in all_inputs.clone() {
                let Some((_, next)) = step(circuit, state, inputs) else { continue };
                if alive(next) && kept.iter().all(|&fact| holds(fact, state)) {
                    kept.retain(|&fact| holds(fact, next));
                }
            }
        }
        if kept.len() == before {
            return kept;
        }
    }
}

#[test]
fn the_inductive_facts_are_the_largest_inductive_subset() {
    let mut random = Random(7);
    let interrupt = Context::new(None).interrupt();
    let mut proofs = 0;
    for _ in 0..400 {
        let circuit = random_circuit(&mut random);
        let candidates = random_facts(&mut random, &circuit);
        let none = Facts::none(circuit.latches.len());
        let found = inductive_facts(&circuit, &none, &candidates, QUICK, &interrupt).unwrap().facts;
        assert_eq!(found.roots, largest_inductive_subset(&circuit, &candidates));
        proofs += expect_strengthened(&circuit, found) as usize;
    }
    assert!(proofs > 0, "{proofs} proofs with facts");
}

/// Whether k-induction with the facts proves the property; a proof must pass its check.
fn expect_strengthened(circuit: &Circuit, facts: Facts) -> bool {
    let auxiliary = Auxiliary::default();
    auxiliary.post(facts.clone());
    let options = Options { max_bound: Some(30), auxiliary, ..Options::default() };
    let expected = is_unsafe(circuit);
    let context = Context::new(Some(std::time::Duration::from_secs(20)));
    let entry = engines().find(|e| e.name == "kind").unwrap();
    match entry.on_circuit(&options).unwrap().run(circuit, &context) {
        Outcome::Unsafe(trace) => {
            assert!(expected);
            replay(circuit, &trace).unwrap();
        }
        Outcome::Safe(invariant) => {
            assert!(!expected);
            assert_invariant(circuit, &invariant.and(&facts.conjunction()), "kind with facts");
        }
        Outcome::SafeByInduction { k, simple_path } => {
            assert!(!expected);
            let (facts, interrupt) = (facts.conjunction(), context.interrupt());
            check_strengthened_induction(circuit, &facts, k, simple_path, &interrupt).unwrap();
            return facts.root != Lit::TRUE;
        }
        Outcome::SafeByExhaustion { length } => {
            assert!(!expected && paths_end(circuit, length));
        }
        Outcome::Unknown(_) => {}
    }
    false
}

#[test]
fn facts_that_are_not_inductive_are_no_evidence() {
    let mut circuit = Circuit::default();
    let latch = circuit.add_latch(Reset::Const(false));
    circuit.latches[0].next = !latch;
    circuit.bad = latch;
    let mut facts = Facts::none(1);
    facts.roots.push(!facts.aig.input(0));
    let interrupt = Context::new(None).interrupt();
    let checked =
        check_strengthened_induction(&circuit, &facts.conjunction(), 1, false, &interrupt);
    assert!(checked.is_err(), "the latch is set after one step");
}

/// The number of steps after which a bad state is reached first.
fn first_bad(circuit: &Circuit) -> Option<usize> {
    let states = 1 << circuit.latches.len();
    let mut reached: Vec<bool> = (0..states).map(|state| is_initial(circuit, state)).collect();
    for steps in 0..=states {
        let mut next = vec![false; states];
        for state in (0..states).filter(|&state| reached[state]) {
            for inputs in 0..1 << circuit.inputs.len() {
                match step(circuit, state, inputs) {
                    Some((true, _)) => return Some(steps),
                    Some((false, successor)) => next[successor] = true,
                    None => {}
                }
            }
        }
        reached = next;
    }
    None
}

/// Runs an engine on the reduced circuit. KnownBounds and invariants that it tells must be those of
/// the original; returns how far it got and how many invariants there were.
fn check_news(
    entry: &Entry,
    circuit: &Circuit,
    config: &Config,
    bounds: KnownBounds,
) -> (Option<usize>, usize) {
    let context = Context::new(Some(std::time::Duration::from_secs(20)));
    let (reduced, way_back) = preprocess(circuit, config, &context);
    let told: Arc<Mutex<Vec<Predicate>>> = Arc::default();
    let invariants = told.clone();
    let context = context.apart(bounds.clone()).observed(Arc::new(move |insight: &Insight| {
        if let Insight::Invariant(invariant) = insight {
            invariants.lock().unwrap().push((*invariant).clone());
        }
    }));
    let options = Options { max_bound: Some(12), ..Options::default() };
    if let Outcome::Unsafe(trace) = entry.on_circuit(&options).unwrap().run(&reduced, &context) {
        replay(circuit, &way_back.trace(&trace)).unwrap();
    }
    let harmless = Circuit { bad: Lit::FALSE, ..circuit.clone() };
    let told = told.lock().unwrap();
    told.iter().for_each(|told| assert_invariant(&harmless, &way_back.predicate(told), entry.name));
    (bounds.own(), told.len())
}

#[test]
fn what_engines_tell_holds_in_the_circuit_as_read() {
    let mut random = Random(77);
    let config = Config::default();
    let mut bounded = 0;
    for _ in 0..150 {
        let circuit = random_circuit(&mut random);
        let first = first_bad(&circuit);
        assert_eq!(first.is_some(), is_unsafe(&circuit));
        for entry in engines().filter(|entry| entry.levels.circuit.is_some()) {
            let (own, _) = check_news(entry, &circuit, &config, KnownBounds::default());
            assert!(own.is_none() || first.is_none_or(|first| own < Some(first)), "{}", entry.name);
            bounded += own.is_some_and(|own| own > 0) as usize;
            // What is true may be told, and the counterexample is still found.
            let bounds = KnownBounds::default();
            if let Some(last_good) = first.and_then(|first| first.checked_sub(1)) {
                bounds.tell(last_good);
            }
            check_news(entry, &circuit, &config, bounds);
        }
    }
    assert!(bounded > 100, "{bounded} bounds");
}

/// A counter of five bits that goes up by 2 as long as its input says so and it is below 24. Odd
/// values are bad, for which one lemma is enough, and so is 30, which takes many frames.
#[test]
fn pdr_tells_what_holds_forever() {
    let mut circuit = Circuit::default();
    let input = circuit.add_input();
    let state: Vec<Lit> = (0..5).map(|_| circuit.add_latch(Reset::Const(false))).collect();
    let limit = circuit.aig.and(state[4], state[3]);
    let mut carry = circuit.aig.and(input, !limit);
    for (latch, &bit) in circuit.latches.iter_mut().zip(&state).skip(1) {
        latch.next = circuit.aig.xor(bit, carry);
        carry = circuit.aig.and(bit, carry);
    }
    let high = circuit.aig.and_all(&state[1..]);
    circuit.bad = circuit.aig.or(state[0], high);
    let pdr = engines().find(|entry| entry.name == "pdr").unwrap();
    let (_, told) = check_news(pdr, &circuit, &Config::cone_only(), KnownBounds::default());
    assert!(told > 0);
}
