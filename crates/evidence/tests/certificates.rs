//! Certificate circuits: each condition broken by hand, and all of them against enumeration.

mod common;

use common::{Random, Steps, bits, predicate};
use wedge_evidence::{Condition, Rejection, certificate, check_certificate};
use wedge_hw::aiger::{AigerModel, parse};
use wedge_logic::Lit;
use wedge_logic::aig::word;
use wedge_sat::Interrupt;

fn read(text: &str) -> AigerModel {
    parse(text.as_bytes(), "test").unwrap()
}

fn check(model: &AigerModel, certificate: &AigerModel) -> Result<(), Rejection> {
    check_certificate(model, certificate, 0, &Interrupt::default())
}

/// Two latches that follow the input and are bad when they differ; gate 12 says they are equal.
const MODEL: &str = "aag 6 1 2 0 3 1\n2\n4 2\n6 2\n13\n8 4 7\n10 5 6\n12 9 11\n";

#[test]
fn the_invariant_as_a_certificate() {
    for symbols in ["", "i0 = 2\nl0 = 4\nl1 = 6\n", "i0 =2\nl0 =4\nl1 =6\nb0 bad\n"] {
        assert_eq!(check(&read(MODEL), &read(&format!("{MODEL}{symbols}"))), Ok(()));
    }
}

#[test]
fn each_condition_can_fail_alone() {
    let cases = [
        // Both latches start with 1.
        (Condition::Reset, "aag 6 1 2 0 3 1\n2\n4 2 1\n6 2 1\n13\n8 4 7\n10 5 6\n12 9 11\n"),
        // The constraint asks for input 1, which the model does not promise.
        (Condition::Reset, "aag 6 1 2 0 3 1 1\n2\n4 2\n6 2\n13\n2\n8 4 7\n10 5 6\n12 9 11\n"),
        // Both latches stay 0.
        (Condition::Transition, "aag 6 1 2 0 3 1\n2\n4 0\n6 0\n13\n8 4 7\n10 5 6\n12 9 11\n"),
        // The constraint that the first latch is 0 holds in the first step only.
        (Condition::Transition, "aag 6 1 2 0 3 1 1\n2\n4 2\n6 2\n13\n5\n8 4 7\n10 5 6\n12 9 11\n"),
        // The property is trivial.
        (Condition::Safety, "aag 6 1 2 0 3 1\n2\n4 2\n6 2\n0\n8 4 7\n10 5 6\n12 9 11\n"),
        // A third latch, 8, is 1 from the second step on, and the property demands it.
        (
            Condition::Base,
            "aag 8 1 3 0 4 1\n2\n4 2\n6 2\n8 1\n17\n10 4 7\n12 5 6\n14 11 13\n16 14 8\n",
        ),
        // The property also says that the latches are 0.
        (Condition::Step, "aag 7 1 2 0 4 1\n2\n4 2\n6 2\n15\n8 4 7\n10 5 6\n12 9 11\n14 12 5\n"),
    ];
    for (condition, text) in cases {
        let rejection = check(&read(MODEL), &read(text)).unwrap_err();
        assert_eq!(rejection.condition(), Some(condition), "for {text}");
    }
}

/// The certificate knows the input by another name and order, computes with one latch only, and
/// the mapping tells.
#[test]
fn a_certificate_may_look_different() {
    // Latch 4 is the model's second, latch 6 its first, 8 an extra copy of the input's past.
    let text = "aag 7 1 3 0 3 1\n2\n4 2\n6 2\n8 2\n15\n10 4 7\n12 5 6\n14 11 13\n";
    let mapped = |symbols: &str| read(&format!("{text}{symbols}"));
    assert_eq!(check(&read(MODEL), &mapped("i0 = 2\nl0 = 6\nl1 = 4\n")), Ok(()));
    assert_eq!(check(&read(MODEL), &mapped("")), Ok(()));
    let rejection = check(&read(MODEL), &mapped("i0 = 2\nl0 = 6\n")).unwrap_err();
    assert_eq!(rejection.condition(), Some(Condition::Safety));
    let rejection = check(&read(MODEL), &mapped("i0 = 2\nl0 = 6\nl1 = 8\n")).unwrap_err();
    assert_eq!(rejection.to_string(), "symbol '= 8' names no input or latch of the model");
    let rejection = check(&read(MODEL), &mapped("i0 = x\n")).unwrap_err();
    assert_eq!(rejection.to_string(), "symbol '= x' names no input or latch of the model");
    let rejection = check(&read(MODEL), &mapped("c\nMAPPING 1\n12 2\n")).unwrap_err();
    assert_eq!(rejection.to_string(), "mappings of gates in comments are not supported");
}

/// The model's latches follow a delayed input; the certificate has an input for the delay.
#[test]
fn a_latch_may_be_simulated_by_an_input() {
    let model = read("aag 7 1 3 0 3 1\n2\n4 2\n6 4\n8 4\n15\n10 6 9\n12 7 8\n14 11 13\n");
    assert_eq!(check(&model, &read(&format!("{MODEL}i0 = 4\nl0 = 6\nl1 = 8\n"))), Ok(()));
    let wrong = read(&format!("{MODEL}i0 = 2\nl0 = 6\nl1 = 8\n"));
    assert_eq!(check(&model, &wrong).unwrap_err().condition(), Some(Condition::Transition));
}

/// x' = y and y' = 0, both reset to 0, bad when x: a property that is 2-inductive only. The
/// certificate remembers the previous step in px = 6 and py = 8, and in v = 10 that there was one.
/// Its property: x is 0 (gate 28); with a previous step (22) that was not bad and leads here
/// (20), without one (24) the latches have their resets.
#[test]
fn a_two_inductive_certificate() {
    let model = read("aag 2 0 2 0 0 1\n2 4\n4 0\n2\n");
    assert_eq!(check(&model, &model).unwrap_err().condition(), Some(Condition::Step));
    let text = "aag 14 0 5 0 9 1\n2 4\n4 0\n6 2 6\n8 4 8\n10 1\n29\n\
                12 2 9\n14 3 8\n16 13 15\n18 16 7\n20 18 5\n22 10 21\n24 11 4\n\
                26 23 25\n28 26 3\nl0 = 2\nl1 = 4\n";
    assert_eq!(check(&model, &read(text)), Ok(()));
    let without_reset = text.replace("26 23 25", "26 23 1");
    let rejection = check(&model, &read(&without_reset)).unwrap_err();
    assert_eq!(rejection.condition(), Some(Condition::Step));
    let wrong_history = text.replace("6 2 6", "6 3 6");
    let rejection = check(&model, &read(&wrong_history)).unwrap_err();
    assert_eq!(rejection.condition(), Some(Condition::Step));
}

#[test]
fn shapes_that_do_not_fit() {
    let message =
        |certificate: &str| check(&read(MODEL), &read(certificate)).unwrap_err().to_string();
    let two = "aag 1 1 0 2 0\n2\n0\n0\n";
    assert_eq!(message(two), "a certificate has one property, this one has 2");
    let rejection = check_certificate(&read(MODEL), &read(MODEL), 1, &Interrupt::default());
    assert_eq!(rejection.unwrap_err().to_string(), "there is no property 1, but 1");
}

/// The parser refuses cyclic resets; a model built in memory may still have them.
#[test]
fn cyclic_resets_prove_nothing() {
    let model = read("aag 1 0 1 0 0 1\n2 2 1\n2\n");
    let mut certificate = read("aag 2 0 2 0 0 1\n2 2 1\n4 4\n0\nl0 = 2\n");
    certificate.latches[1].reset = !certificate.latches[1].state;
    certificate.bads[0].lit = certificate.latches[0].state;
    // No state satisfies the reset x = not x, so base would hold.
    let rejection = check(&model, &certificate).unwrap_err();
    assert_eq!(rejection.to_string(), "the resets of the certificate are cyclic");
}

/// The second latch starts with the input, the first with its negation, and both keep their
/// value: they always differ.
#[test]
fn resets_that_read_inputs() {
    let text = "aag 6 1 2 0 3 1\n2\n4 4 3\n6 6 2\n12\n8 4 7\n10 5 6\n12 9 11\n";
    let model = read(text);
    let circuit = model.circuit(0).unwrap();
    assert_eq!(circuit.latches.len(), 3);
    let differ = |state: usize| matches!(state & 3, 1 | 2);
    let set: Vec<bool> = (0..8).map(|state| state & 4 != 0 || differ(state)).collect();
    let invariant = predicate(&set, 3);
    assert_eq!(
        wedge_evidence::check_invariant(&circuit, &invariant, &Interrupt::default()),
        Ok(())
    );
    let proof = certificate(&model, 0, &invariant).unwrap();
    assert_eq!(proof.latches.len(), 3);
    assert_eq!(check(&model, &parse(&proof.to_binary(), "proof").unwrap()), Ok(()));
    let other = read(&text.replace("4 4 3", "4 4 2"));
    assert_eq!(check(&other, &proof).unwrap_err().condition(), Some(Condition::Reset));
}

/// Also where reading has folded them: gate 8 is the input, 10 and 12 are the same.
#[test]
fn a_certificate_has_the_gates_of_the_file() {
    let (latches, gates) = ("4 10\n6 12\n", "8 2 2\n10 8 4\n12 4 2\n");
    let model = read(&format!("aag 7 1 2 0 4 1\n2\n{latches}14\n{gates}14 12 7\n"));
    assert_eq!(model.aig.num_ands(), 2);
    let proof = certificate(&model, 0, &predicate(&[true, false, true, false], 2)).unwrap();
    let written = String::from_utf8(proof.to_ascii()).unwrap();
    assert!(written.contains(latches) && written.contains(gates), "{written}");
    assert_eq!(check(&model, &read(&written)), Ok(()));
}

#[derive(Clone, Copy)]
enum Variable {
    Input(usize),
    Latch(usize),
}

/// All values of a model for one assignment.
struct Values {
    inputs: Vec<bool>,
    state: Vec<bool>,
    nexts: Vec<bool>,
    resets: Vec<bool>,
    constrained: bool,
    bad: bool,
}

fn values(model: &AigerModel, inputs: Vec<bool>, state: Vec<bool>) -> Values {
    let mut words = vec![0; model.aig.num_inputs()];
    let states = model.latches.iter().map(|latch| latch.state);
    let sources = model.inputs.iter().map(|input| input.lit).chain(states);
    for (lit, &value) in sources.zip(inputs.iter().chain(&state)) {
        let index = (0..words.len()).find(|&i| model.aig.input(i) == lit).unwrap();
        words[index] = value as u64;
    }
    let words = model.aig.simulate(&words);
    let value = |lit: Lit| word(&words, lit) & 1 == 1;
    Values {
        nexts: model.latches.iter().map(|latch| value(latch.next)).collect(),
        resets: model.latches.iter().map(|latch| value(latch.reset)).collect(),
        constrained: model.constraints.iter().all(|c| value(c.lit)),
        bad: value(model.properties()[0].lit),
        inputs,
        state,
    }
}

fn every(model: &AigerModel) -> Vec<Values> {
    let (inputs, latches) = (model.inputs.len(), model.latches.len());
    let all = (0..1usize << (inputs + latches))
        .map(|number| values(model, bits(number, inputs), bits(number >> inputs, latches)));
    all.collect()
}

/// The variable of the model for each input and latch of the certificate.
fn mapping(model: &AigerModel, certificate: &AigerModel) -> Vec<Option<Variable>> {
    let find = |name: &Option<String>| -> Option<Variable> {
        let literal: u64 = name.as_ref()?.strip_prefix("= ")?.parse().unwrap();
        let input = model.inputs.iter().position(|input| input.literal == literal);
        let latch = || model.latches.iter().position(|latch| latch.literal == literal);
        input.map(Variable::Input).or_else(|| latch().map(Variable::Latch))
    };
    let inputs = certificate.inputs.iter().map(|input| find(&input.name));
    inputs.chain(certificate.latches.iter().map(|latch| find(&latch.name))).collect()
}

/// The first condition that is violated, by enumerating every assignment.
fn violated(model: &AigerModel, certificate: &AigerModel) -> Option<Condition> {
    let map = mapping(model, certificate);
    let (models, certificates) = (every(model), every(certificate));
    let inputs = certificate.inputs.len();
    let agree = |m: &Values, c: &Values| {
        map.iter().zip(c.inputs.iter().chain(&c.state)).all(|(variable, &value)| match variable {
            Some(Variable::Input(index)) => m.inputs[*index] == value,
            Some(Variable::Latch(index)) => m.state[*index] == value,
            None => true,
        })
    };
    let shared_model: Vec<usize> = map
        .iter()
        .filter_map(|v| if let Some(Variable::Latch(index)) = v { Some(*index) } else { None })
        .collect();
    let shared: Vec<usize> =
        (0..certificate.latches.len()).filter(|l| map[inputs + l].is_some()).collect();
    let pairs = || models.iter().flat_map(|m| certificates.iter().map(move |c| (m, c)));
    let pairs: Vec<(&Values, &Values)> = pairs().filter(|(m, c)| agree(m, c)).collect();
    for (m, c) in &pairs {
        let premise = m.constrained && shared_model.iter().all(|&l| m.state[l] == m.resets[l]);
        let conclusion = c.constrained && shared.iter().all(|&l| c.state[l] == c.resets[l]);
        if premise && !conclusion {
            return Some(Condition::Reset);
        }
    }
    for (m0, c0) in pairs.iter().filter(|(m, c)| m.constrained && c.constrained) {
        for (m1, c1) in pairs.iter().filter(|(m, _)| m.constrained) {
            let premise = shared_model.iter().all(|&l| m1.state[l] == m0.nexts[l]);
            let conclusion = c1.constrained && shared.iter().all(|&l| c1.state[l] == c0.nexts[l]);
            if premise && !conclusion {
                return Some(Condition::Transition);
            }
        }
    }
    if pairs.iter().any(|(m, c)| m.constrained && c.constrained && !c.bad && m.bad) {
        return Some(Condition::Safety);
    }
    if certificates.iter().any(|c| c.state == c.resets && c.constrained && c.bad) {
        return Some(Condition::Base);
    }
    for c0 in certificates.iter().filter(|c| c.constrained && !c.bad) {
        if certificates.iter().any(|c1| c1.state == c0.nexts && c1.constrained && c1.bad) {
            return Some(Condition::Step);
        }
    }
    None
}

/// Changes one thing about a certificate.
fn mutate(random: &mut Random, certificate: &mut AigerModel) {
    let inputs = certificate.inputs.iter().map(|input| input.lit);
    let mut pool: Vec<Lit> = inputs.chain(certificate.latches.iter().map(|l| l.state)).collect();
    pool.push(Lit::FALSE);
    random.grow(&mut certificate.aig, &mut pool, 3);
    let lit = random.pick(&pool);
    let latch = random.below(certificate.latches.len());
    match random.below(6) {
        0 => certificate.latches[latch].next = lit,
        1 => certificate.latches[latch].reset = if random.flip() { Lit::TRUE } else { lit },
        2 => {
            let bad = certificate.bads[0].lit;
            certificate.bads[0].lit = match random.below(3) {
                0 => certificate.aig.and(bad, lit),
                1 => certificate.aig.or(bad, lit),
                _ => lit,
            }
        }
        3 => certificate.constraints.push(wedge_hw::aiger::Property { lit, name: None }),
        4 => drop(certificate.constraints.pop()),
        _ => certificate.latches[latch].name = None,
    }
}

/// Adds a latch that the model does not have; it may be reset to a function of the others.
fn add_latch(random: &mut Random, certificate: &mut AigerModel) {
    let pool: Vec<Lit> = certificate.latches.iter().map(|latch| latch.state).collect();
    let state = certificate.aig.add_input();
    let latch = wedge_hw::aiger::Latch {
        state,
        next: random.pick(&pool),
        reset: [Lit::FALSE, state, random.pick(&pool)][random.below(3)],
        literal: 0,
        name: None,
    };
    certificate.latches.push(latch);
}

fn is_acyclic(certificate: &AigerModel) -> bool {
    parse(&certificate.to_binary(), "certificate").is_ok()
}

#[test]
fn agrees_with_enumeration() {
    let mut random = Random(7);
    let mut seen = [0; 6];
    for round in 0..1500 {
        let (inputs, latches) = (random.below(2), 1 + random.below(2));
        let circuit = random.circuit(inputs, latches);
        let steps = Steps::of(&circuit);
        let model = AigerModel::from_circuit(&circuit);
        let model = parse(&model.to_binary(), "model").unwrap();
        let mut proof = certificate(&model, 0, &predicate(&steps.reachable(), latches)).unwrap();
        if steps.is_safe() {
            let written = parse(&proof.to_binary(), "proof").unwrap();
            assert_eq!(check(&model, &written), Ok(()), "round {round}");
        }
        if random.flip() {
            add_latch(&mut random, &mut proof);
        }
        for _ in 0..4 {
            if proof.latches.iter().all(|latch| latch.name.is_none()) || !is_acyclic(&proof) {
                break;
            }
            let wanted = violated(&model, &proof);
            let found = check(&model, &proof).map_err(|rejection| rejection.condition().unwrap());
            assert_eq!(found.err(), wanted, "round {round}");
            assert!(wanted.is_some() || steps.is_safe(), "accepted means safe, round {round}");
            seen[match wanted {
                None => 0,
                Some(Condition::Reset) => 1,
                Some(Condition::Transition) => 2,
                Some(Condition::Safety) => 3,
                Some(Condition::Base) => 4,
                _ => 5,
            }] += 1;
            mutate(&mut random, &mut proof);
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "every outcome is exercised: {seen:?}");
}
