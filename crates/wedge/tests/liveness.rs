//! Justice and fairness: every engine against a search for fair loops in the graph of states, and
//! lassos that other readers of the formats accept.

mod common;

use common::run;
use std::path::Path;
use std::time::{Duration, Instant};
use wedge::input::read_circuit;
use wedge::{Options, Question, Silent, Verdict, check_model};
use wedge_engines::registry;
use wedge_hw::aiger::{AigerModel, Justice, Property};
use wedge_hw::btor2;
use wedge_logic::Lit;
use wedge_logic::aig::word;
use wedge_model::simulate::evaluate;
use wedge_model::{Circuit, Reset};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    fn pick(&mut self, pool: &[Lit]) -> Lit {
        let lit = pool[self.below(pool.len())];
        lit.xor(self.below(2) == 1)
    }
}

/// A small circuit with a justice property of one or two literals, and up to one fairness constraint
/// and one constraint.
fn random_model(random: &mut Random) -> AigerModel {
    let mut circuit = Circuit::default();
    let mut pool: Vec<Lit> = (0..1 + random.below(2)).map(|_| circuit.add_input()).collect();
    let latches = 2 + random.below(2);
    for _ in 0..latches {
        let reset = if random.below(6) == 0 { Reset::Free } else { Reset::Const(false) };
        pool.push(circuit.add_latch(reset));
    }
    for _ in 0..3 + random.below(6) {
        let (a, b) = (random.pick(&pool), random.pick(&pool));
        let gate = if random.below(3) == 0 { circuit.aig.xor(a, b) } else { circuit.aig.and(a, b) };
        pool.push(gate);
    }
    for index in 0..latches {
        circuit.latches[index].next = random.pick(&pool);
    }
    let lits = (0..1 + random.below(2)).map(|_| random.pick(&pool)).collect();
    let fairness = (0..random.below(2)).map(|_| random.pick(&pool)).collect::<Vec<_>>();
    if random.below(2) == 0 {
        let (a, b) = (random.pick(&pool), random.pick(&pool));
        circuit.constraints.push(circuit.aig.or(a, b));
    }
    let mut model = AigerModel::from_circuit(&circuit);
    model.bads.clear();
    model.justice = vec![Justice { lits, name: None }];
    model.fairness = fairness.into_iter().map(|lit| Property { lit, name: None }).collect();
    model.renumber();
    model
}

/// A circuit of which the answer is known by thought: a ring of so many latches in which one bit turns
/// while the input is 1; justice that the bit is at place 0, which it is again and again, or for ever.
fn ring(length: usize, stuck: bool) -> AigerModel {
    let mut circuit = Circuit::default();
    let go = circuit.add_input();
    let bits: Vec<Lit> =
        (0..length).map(|place| circuit.add_latch(Reset::Const(place == 0))).collect();
    for place in 0..length {
        let before = bits[(place + length - 1) % length];
        circuit.latches[place].next = circuit.aig.ite(go, before, bits[place]);
    }
    // Stuck: the bit shall be away and the input 1 again and again, but place 0 never again.
    let mut model = AigerModel::from_circuit(&circuit);
    let lits = if stuck { vec![!bits[0], go] } else { vec![bits[0], go] };
    model.constraints = match stuck {
        true => {
            let at_last = circuit.aig.and(go, bits[length - 1]);
            model.aig = circuit.aig.clone();
            vec![Property { lit: !at_last, name: None }]
        }
        false => Vec::new(),
    };
    model.bads.clear();
    model.justice = vec![Justice { lits, name: Some("turns".into()) }];
    model.renumber();
    model
}

fn bits(value: usize, count: usize) -> Vec<bool> {
    (0..count).map(|i| value >> i & 1 == 1).collect()
}

/// A step between states, and which conditions hold in it.
struct Edge {
    from: usize,
    to: usize,
    holds: Vec<bool>,
}

/// Whether there is an infinite path on which every condition holds infinitely often: a state that is
/// reachable and from which, for each condition in turn, an edge with it can be taken such that the
/// state is reached again.
fn has_fair_loop(model: &AigerModel) -> bool {
    let circuit = model.without_property();
    let latches = circuit.latches.len();
    let conditions: Vec<Lit> = model.justice[0]
        .lits
        .iter()
        .copied()
        .chain(model.fairness.iter().map(|fair| fair.lit))
        .collect();
    let mut edges = Vec::new();
    for from in 0..1usize << latches {
        for inputs in 0..1usize << circuit.inputs.len() {
            let words =
                evaluate(&circuit, &bits(from, latches), &bits(inputs, circuit.inputs.len()));
            let value = |lit: Lit| word(&words, lit) & 1 == 1;
            if circuit.constraints.iter().all(|&c| value(c)) {
                let to = circuit
                    .latches
                    .iter()
                    .enumerate()
                    .map(|(i, latch)| (value(latch.next) as usize) << i)
                    .sum();
                edges.push(Edge {
                    from,
                    to,
                    holds: conditions.iter().map(|&c| value(c)).collect(),
                });
            }
        }
    }
    let states = 1usize << latches;
    // Which states are reached from which, by at least no step.
    let mut reach = vec![vec![false; states]; states];
    for (state, row) in reach.iter_mut().enumerate() {
        let mut stack = vec![state];
        while let Some(at) = stack.pop() {
            if !std::mem::replace(&mut row[at], true) {
                stack.extend(edges.iter().filter(|edge| edge.from == at).map(|edge| edge.to));
            }
        }
    }
    let is_initial = |state: usize| {
        circuit.latches.iter().enumerate().all(|(i, latch)| match latch.reset {
            Reset::Const(value) => (state >> i & 1 == 1) == value,
            _ => true,
        })
    };
    let reachable = |state: usize| (0..states).any(|s| is_initial(s) && reach[s][state]);
    (0..states).filter(|&state| reachable(state)).any(|state| {
        let on_loop = |edge: &&Edge| reach[state][edge.from] && reach[edge.to][state];
        let on_loop: Vec<&Edge> = edges.iter().filter(on_loop).collect();
        !on_loop.is_empty()
            && (0..conditions.len()).all(|c| on_loop.iter().any(|edge| edge.holds[c]))
    })
}

/// The model as AIGER and as BTOR2.
fn files(folder: &Path, model: &AigerModel) -> [String; 2] {
    let aiger = folder.join("m.aig");
    std::fs::write(&aiger, model.to_binary()).unwrap();
    let lits: Vec<Lit> = model.justice[0]
        .lits
        .iter()
        .copied()
        .chain(model.fairness.iter().map(|fair| fair.lit))
        .collect();
    let (mut system, mut terms) = model.without_property().to_system_with(&lits);
    system.bads.clear();
    system.fairness = terms.split_off(model.justice[0].lits.len());
    system.justice = vec![wedge_model::Justice { name: None, terms }];
    let words = folder.join("m.btor2");
    std::fs::write(&words, btor2::write(&system).unwrap().text).unwrap();
    [aiger, words].map(|path| path.display().to_string())
}

fn verdict(file: &str, engine: &'static str) -> Verdict {
    let model = read_circuit(Path::new(file)).unwrap();
    let options = Options {
        question: Some(Question::one(0)),
        timeout: Some(Duration::from_secs(60)),
        ..Options::for_engine(engine).unwrap()
    };
    check_model(&model, &options, Instant::now(), &mut Silent).unwrap().verdict
}

/// Engines that decide by proof or counterexample, whatever the circuit.
fn complete() -> impl Iterator<Item = &'static str> {
    let unable = |name: &str| ["execute", "bmc", "kind", "forall", "closed"].contains(&name);
    registry::engines().map(|entry| entry.name).filter(move |name| !unable(name))
}

fn compare(seed: u64, circuits: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(seed);
    let mut models = vec![ring(3, false), ring(3, true), ring(4, false), ring(4, true)];
    models.extend((models.len()..circuits).map(|_| random_model(&mut random)));
    let mut seen = [0, 0];
    for (number, model) in models.iter().enumerate() {
        let has_loop = has_fair_loop(model);
        seen[has_loop as usize] += 1;
        let expected = if has_loop { "FALSE(justice)" } else { "TRUE" };
        for file in files(folder.path(), model) {
            for engine in complete() {
                let verdict = verdict(&file, engine).to_string();
                assert_eq!(verdict, expected, "circuit {number}: {engine} on {file}");
            }
            if has_loop {
                let witness = folder.path().join("w").display().to_string();
                let check = ["check", "--engine", "bmc", "--witness", &witness, &file];
                assert_eq!(run(&check).verdict(), expected);
                assert_eq!(run(&["certify", &file, &witness]).stdout, "ACCEPTED(witness)\n");
            }
        }
    }
    assert!(seen[0] > 1 && seen[1] > 1, "both answers occur: {seen:?}");
}

#[test]
fn engines_agree_with_a_search_for_fair_loops() {
    compare(1, 8);
}

/// The same on many circuits: `cargo test --release --test liveness -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn engines_agree_on_many_circuits() {
    compare(7, 60);
}

#[test]
fn bad_and_justice_properties_in_one_file() {
    let folder = tempfile::tempdir().unwrap();
    // A toggle: bad 0 never, bad 1 in the second step; justice 0 for ever on, justice 1 on and off.
    let text = "aag 1 0 1 0 0 2 0 2 0\n2 3\n0\n2\n2\n2\n0\n2\n2\n3\nb1 on\nj1 blinks\n";
    let file = folder.path().join("t.aag").display().to_string();
    std::fs::write(&file, text).unwrap();
    let check = run(&["check", "--engine", "pdr", &file]);
    let expected = "property 0: TRUE\nproperty 1 (on): FALSE(bad)\nproperty 2: TRUE\n\
                    property 3 (blinks): FALSE(justice)\nFALSE(bad)\n";
    assert_eq!((check.status, check.stdout.as_str()), (10, expected));
    let only = run(&["check", "--engine", "imc", "--property-index", "3", "--witness", "-", &file]);
    assert_eq!(only.stdout, "1\nj1\n0\n\n\n.\nFALSE(justice)\n");
}

/// A counter that the property does not depend on, and so no loop has to wait for.
#[test]
fn what_the_property_does_not_depend_on_may_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let text = "1 sort bitvec 1\n2 sort bitvec 5\n3 state 1 blink\n4 next 1 3 -3\n5 zero 1\n\
                6 init 1 3 5\n7 state 2 count\n8 zero 2\n9 init 2 7 8\n10 one 2\n11 add 2 7 10\n\
                12 next 2 7 11\n13 justice 2 3 -3\n";
    let file = folder.path().join("c.btor2").display().to_string();
    std::fs::write(&file, text).unwrap();
    let witness = folder.path().join("w").display().to_string();
    let check = run(&["check", "--engine", "pdr", "--stats", "--witness", &witness, &file]);
    assert_eq!(check.verdict(), "FALSE(justice)");
    assert!(check.stdout.contains("counterexample with 3 steps"), "{}", check.stdout);
    let text = std::fs::read_to_string(&witness).unwrap();
    assert!(text.contains("@31") && !text.contains("@32"), "all states come back: {text}");
    assert_eq!(run(&["certify", &file, &witness]).stdout, "ACCEPTED(witness)\n");
    std::fs::write(&witness, "sat\nj0\n#0\n@0\n.\n").unwrap();
    assert_eq!(run(&["certify", &file, &witness]).status, 1, "a loop that is not closed");
}
