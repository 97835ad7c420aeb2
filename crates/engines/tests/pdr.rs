//! PDR, and the search that learns with its parts, on random small circuits against explicit reachability, in
//! every combination of its options: the verdict, the replay of traces, and invariants checked state by state.

use std::sync::Arc;
use std::time::Duration;
use wedge_engines::explicit::Explicit;
use wedge_engines::pdr::{
    Ctg, CtgLimits, ExtraSignals, Layout, Lifting, Localize, Pdr, PdrConfig, SolverKind,
};
use wedge_engines::preprocess::{Config, preprocess};
use wedge_engines::{Context, Engine, Outcome, UnknownReason};
use wedge_logic::blast::Limits;
use wedge_logic::{Lit, Sort, Term};
use wedge_model::simulate::replay;
use wedge_model::{Circuit, Named, Predicate, Reset, Signals, State, System, lower};

/// xorshift64*; the tests need reproducible, not good, randomness.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    fn pick(&mut self, from: &[Lit]) -> Lit {
        let index = self.below(from.len());
        from[index].xor(self.flip())
    }
}

/// A reset that reads only latches before `latch`, so that resets are acyclic.
fn random_reset(random: &mut Random, circuit: &mut Circuit) -> Reset {
    let earlier: Vec<Lit> = circuit.latches.iter().map(|l| l.state).collect();
    match random.below(6) {
        0 => Reset::Free,
        1 if earlier.len() > 1 => {
            let (a, b) = (random.pick(&earlier), random.pick(&earlier));
            Reset::Function(circuit.aig.and(a, b).xor(random.flip()))
        }
        _ => Reset::Const(random.flip()),
    }
}

fn random_circuit(random: &mut Random) -> Circuit {
    let mut circuit = Circuit::default();
    for _ in 0..3 + random.below(4) {
        let reset = random_reset(random, &mut circuit);
        circuit.add_latch(reset);
    }
    for _ in 0..1 + random.below(3) {
        circuit.add_input();
    }
    let mut pool: Vec<Lit> = circuit.latches.iter().map(|l| l.state).collect();
    pool.extend(&circuit.inputs);
    for _ in 0..4 + random.below(25) {
        let (a, b) = (random.pick(&pool), random.pick(&pool));
        let gate = match random.below(3) {
            0 => circuit.aig.xor(a, b),
            _ => circuit.aig.and(a, b),
        };
        pool.push(gate);
    }
    for index in 0..circuit.latches.len() {
        circuit.latches[index].next = random.pick(&pool);
    }
    for _ in 0..random.below(3) {
        let (a, b) = (random.pick(&pool), random.pick(&pool));
        let constraint = circuit.aig.or(a, b);
        circuit.constraints.push(constraint);
    }
    let (a, b, c) = (random.pick(&pool), random.pick(&pool), random.pick(&pool));
    let ab = circuit.aig.and(a, b);
    circuit.bad = circuit.aig.and(ab, c);
    circuit.check();
    circuit
}

fn bits(number: usize, count: usize) -> Vec<bool> {
    (0..count).map(|i| number >> i & 1 == 1).collect()
}

/// All steps of a circuit, by state and input.
struct Table {
    initial: Vec<bool>,
    /// By state: the successor and whether it is bad, for each input that the constraints allow.
    steps: Vec<Vec<(usize, bool)>>,
}

fn tabulate(circuit: &Circuit) -> Table {
    let mut table = Table { initial: vec![], steps: vec![] };
    let latches = circuit.latches.len();
    for state in 0..1 << latches {
        let values = bits(state, latches);
        let mut steps = Vec::new();
        let mut initial = true;
        for input in 0..1 << circuit.inputs.len() {
            let words = wedge_model::simulate::evaluate(
                circuit,
                &values,
                &bits(input, circuit.inputs.len()),
            );
            let value = |lit: Lit| wedge_logic::aig::word(&words, lit) & 1 == 1;
            initial = circuit.latches.iter().zip(&values).all(|(latch, &now)| match latch.reset {
                Reset::Const(wanted) => now == wanted,
                Reset::Free => true,
                Reset::Function(lit) => now == value(lit),
            });
            if circuit.constraints.iter().all(|&c| value(c)) {
                let next = circuit.latches.iter().enumerate();
                let next = next.map(|(i, l)| (value(l.next) as usize) << i).sum();
                steps.push((next, value(circuit.bad)));
            }
        }
        table.initial.push(initial);
        table.steps.push(steps);
    }
    table
}

/// The length of the shortest path to a bad step, if there is one.
fn shortest_violation(table: &Table) -> Option<usize> {
    let mut seen = table.initial.clone();
    let mut frontier: Vec<usize> = (0..seen.len()).filter(|&s| seen[s]).collect();
    let mut length = 1;
    while !frontier.is_empty() {
        if frontier.iter().any(|&s| table.steps[s].iter().any(|step| step.1)) {
            return Some(length);
        }
        let mut next = Vec::new();
        for (successor, _) in frontier.iter().flat_map(|&s| &table.steps[s]) {
            if !std::mem::replace(&mut seen[*successor], true) {
                next.push(*successor);
            }
        }
        frontier = next;
        length += 1;
    }
    None
}

/// Initiation holds even for initial states that violate the constraints, unless a reset is a
/// function or there are signals.
fn check_invariant(circuit: &Circuit, table: &Table, invariant: &Predicate, signals: bool) {
    let latches = circuit.latches.len();
    let holds: Vec<bool> = (0..1 << latches)
        .map(|state| invariant.aig.eval(invariant.root, &bits(state, latches)))
        .collect();
    let functions = circuit.latches.iter().any(|l| matches!(l.reset, Reset::Function(_)));
    for state in 0..1 << latches {
        let counts = !(functions || signals) || !table.steps[state].is_empty();
        assert!(holds[state] || !table.initial[state] || !counts, "initiation");
        for &(successor, bad) in table.steps[state].iter().filter(|_| holds[state]) {
            assert!(!bad, "safety");
            assert!(holds[successor], "consecution");
        }
    }
}

fn check(circuit: &Circuit, config: &PdrConfig) -> bool {
    judge(circuit, &Pdr { config: config.clone() }, config)
}

fn judge(circuit: &Circuit, engine: &dyn Engine, config: &PdrConfig) -> bool {
    let table = tabulate(circuit);
    let context = Context::new(Some(Duration::from_secs(20)));
    let violation = shortest_violation(&table);
    match engine.run(circuit, &context) {
        Outcome::Unsafe(trace) => {
            replay(circuit, &trace).expect("the trace replays");
            assert!(violation.is_some_and(|length| length <= trace.inputs.len()));
            true
        }
        Outcome::Safe(invariant) => {
            assert_eq!(violation, None, "claimed safe with {config:?}");
            check_invariant(circuit, &table, &invariant, config.signals.is_some());
            false
        }
        Outcome::SafeByInduction { .. } | Outcome::SafeByExhaustion { .. } => {
            panic!("these engines answer with an invariant")
        }
        Outcome::Unknown(reason) => panic!("no verdict: {reason}"),
    }
}

/// Every option switched, by the bits of `number`.
fn configuration(number: usize) -> PdrConfig {
    let bit = |index: usize| number >> index & 1 == 1;
    PdrConfig {
        solver: if number % 7 == 3 { SolverKind::Cadical } else { SolverKind::Light },
        layout: if bit(0) { Layout::Shared } else { Layout::PerFrame },
        domains: bit(1),
        partial: bit(10),
        eliminate: bit(2),
        lifting: [Lifting::Cone, Lifting::Justify, Lifting::Ternary][number % 3],
        ctg: [
            Ctg::Never,
            Ctg::Dynamic,
            Ctg::Always(CtgLimits { max: 3, depth: 1 }),
            Ctg::Always(CtgLimits { max: 2, depth: 2 }),
        ][number >> 3 & 3],
        activity: bit(5),
        parents: bit(6) ^ bit(10),
        attempts: bit(6).then_some(2),
        push_lemmas: bit(7),
        push_obligations: bit(8),
        witnesses: bit(4) ^ bit(9),
        infinity: bit(9),
        localize: match number % 9 {
            0 => Some(Localize::Latches),
            2 => Some(Localize::Variables),
            4 => Some(Localize::Updates),
            6 => Some(Localize::Constraints),
            _ => None,
        },
        words: None,
        max_frames: None,
        signal_budget: 0,
        signals: None,
        extra_signals: [ExtraSignals::None, ExtraSignals::Implied, ExtraSignals::All]
            [number / 3 % 3],
    }
}

#[test]
fn random_circuits_with_the_defaults() {
    let mut random = Random(11);
    let unsafes =
        (0..1500).filter(|_| check(&random_circuit(&mut random), &PdrConfig::default())).count();
    assert!((150..1350).contains(&unsafes), "one-sided test: {unsafes} of 1500 are unsafe");
}

#[test]
fn random_circuits_with_every_combination_of_options() {
    let mut random = Random(12);
    for number in 0..2048 {
        check(&random_circuit(&mut random), &configuration(number));
    }
}

/// Functions of the latches, some of which occur in the circuit.
fn random_signals(random: &mut Random, latches: usize) -> Signals {
    let mut signals = Signals::new(latches);
    let mut pool: Vec<Lit> = (0..latches).map(|latch| signals.aig.input(latch)).collect();
    for _ in 0..1 + random.below(8) {
        let (a, b) = (random.pick(&pool), random.pick(&pool));
        let gate = match random.flip() {
            true => signals.aig.xor(a, b),
            false => signals.aig.and(a, b),
        };
        signals.add(gate);
        pool.push(gate);
    }
    signals
}

#[test]
fn random_circuits_with_random_signals() {
    let mut random = Random(13);
    for number in 0..2048 {
        let circuit = random_circuit(&mut random);
        let signals = Some(Arc::new(random_signals(&mut random, circuit.latches.len())));
        let default = PdrConfig { signals: signals.clone(), ..PdrConfig::default() };
        let found = check(&circuit, &default);
        assert_eq!(found, check(&circuit, &PdrConfig { signals, ..configuration(number) }));
        let max_states = [0, 3, 100_000][number % 3];
        let explicit = Explicit { config: default.clone(), max_states, max_bound: None };
        assert_eq!(found, judge(&circuit, &explicit, &default));
    }
}

/// Two words and a flag; guarded assignments of each other, of constants and of sums.
fn random_system(random: &mut Random) -> System {
    let mut system = System::new();
    let input = system.add_input("input", Sort::Bv(3));
    let words = ["x", "y"].map(|name| system.terms.var(name, Sort::Bv(3)));
    let flag = system.terms.var("flag", Sort::Bv(1));
    let value = |system: &mut System, random: &mut Random| -> Term {
        let terms = &mut system.terms;
        let word = words[random.below(2)];
        let constant = terms.number(3, random.below(8) as u64);
        match random.below(6) {
            0 => constant,
            1 => terms.add(word, constant),
            2 if random.flip() => input,
            _ => word,
        }
    };
    let test = |system: &mut System, random: &mut Random| -> Term {
        let (a, b) = (value(system, random), value(system, random));
        let terms = &mut system.terms;
        let test = match random.below(4) {
            0 => terms.ult(a, b),
            1 => terms.slt(a, b),
            2 => terms.eq(a, b),
            _ => flag,
        };
        if random.flip() { terms.not(test) } else { test }
    };
    let bad = [test(&mut system, random), test(&mut system, random), test(&mut system, random)];
    let flag_next = test(&mut system, random);
    let guards = [test(&mut system, random), test(&mut system, random)];
    for (word, guard) in words.into_iter().zip(guards) {
        let (then, other) = (value(&mut system, random), value(&mut system, random));
        let next = system.terms.ite(guard, then, other);
        let init = random.flip().then(|| system.terms.number(3, random.below(8) as u64));
        system.states.push(State { var: word, init, next: Some(next) });
    }
    let init = Some(system.terms.bool(false));
    system.states.push(State { var: flag, init, next: Some(flag_next) });
    let bad = system.terms.and_all(&bad);
    system.bads.push(Named { name: None, term: bad });
    system
}

#[test]
fn signals_of_random_systems_survive_preprocessing() {
    let mut random = Random(14);
    let (mut unsafes, mut used) = (0, 0);
    for _ in 0..1500 {
        let system = random_system(&mut random);
        let (circuit, lowered) = lower::lower(&system, 0, Limits::default()).expect("small");
        let context = Context::new(Some(Duration::from_secs(20)));
        let (reduced, way_back) = preprocess(&circuit, &Config::default(), &context);
        let signals = way_back.signals(&lowered.signals(&system, 0, 64));
        used += (!signals.roots.is_empty()) as usize;
        let config = PdrConfig { signals: Some(Arc::new(signals)), ..PdrConfig::default() };
        let table = tabulate(&circuit);
        let violation = shortest_violation(&table);
        match (Pdr { config }).run(&reduced, &context) {
            Outcome::Safe(invariant) => {
                assert_eq!(violation, None);
                check_invariant(&circuit, &table, &way_back.predicate(&invariant), true);
            }
            Outcome::Unsafe(trace) => {
                replay(&circuit, &way_back.trace(&trace)).expect("the trace replays");
                unsafes += 1;
            }
            other => panic!("no verdict: {other:?}"),
        }
    }
    assert!((150..1350).contains(&unsafes), "one-sided test: {unsafes} of 1500 are unsafe");
    assert!(used > 300, "signals are rare: {used} of 1500");
}

/// A counter of `width` bits that starts at zero, counts when the input is true and wraps around
/// at `limit`; bad is the given value.
fn counter(width: usize, limit: usize, bad: usize) -> Circuit {
    let mut circuit = Circuit::default();
    let state: Vec<Lit> = (0..width).map(|_| circuit.add_latch(Reset::Const(false))).collect();
    let enable = circuit.add_input();
    let equals = |circuit: &mut Circuit, value: usize| {
        let lits: Vec<Lit> =
            state.iter().enumerate().map(|(i, &l)| l.xor(value >> i & 1 == 0)).collect();
        circuit.aig.and_all(&lits)
    };
    let wrap = equals(&mut circuit, limit);
    let mut carry = enable;
    for (index, &bit) in state.iter().enumerate() {
        let sum = circuit.aig.xor(bit, carry);
        carry = circuit.aig.and(bit, carry);
        circuit.latches[index].next = circuit.aig.and(sum, !wrap);
    }
    circuit.bad = equals(&mut circuit, bad);
    circuit
}

#[test]
fn a_counter_has_long_traces_and_a_small_invariant() {
    for number in [0, 1, 3, 30, 0x3ff] {
        let config = configuration(number);
        assert!(check(&counter(5, 20, 20), &config));
        assert!(!check(&counter(6, 20, 40), &config));
    }
}

#[test]
fn limits_are_kept_and_named() {
    let circuit = counter(5, 20, 20);
    let config = PdrConfig { max_frames: Some(2), ..PdrConfig::default() };
    let outcome = Pdr { config }.run(&circuit, &Context::new(None));
    assert!(matches!(outcome, Outcome::Unknown(UnknownReason::BoundReached(2))));
    let cancelled = Context::new(None);
    cancelled.cancel();
    let outcome = Pdr::default().run(&circuit, &cancelled);
    assert!(matches!(outcome, Outcome::Unknown(UnknownReason::Cancelled)));
    let late = Context::new(Some(Duration::ZERO));
    let outcome = Pdr::default().run(&circuit, &late);
    assert!(matches!(outcome, Outcome::Unknown(UnknownReason::Timeout)));
}

#[test]
fn figures_are_recorded() {
    let context = Context::new(None);
    Pdr::default().run(&counter(5, 20, 40 % 32), &context);
    let figures = context.figures();
    assert!(figures.bound > 0 && figures.queries > 0);
    assert!(figures.extra.iter().any(|(name, value)| name == "obligations" && *value > 0.0));
}
