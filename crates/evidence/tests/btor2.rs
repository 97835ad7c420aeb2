//! Certificates and witnesses in BTOR2: each condition broken by hand, and random models.

mod common;

use common::{Random, Steps, predicate};
use wedge_evidence::btor2::{
    VariableIds, check_word_certificate, check_word_witness, word_certificate,
    word_induction_certificate,
};
use wedge_evidence::{Condition, Rejection, check_induction, check_invariant};
use wedge_hw::btor2::{Witness, parse};
use wedge_logic::blast::Limits;
use wedge_model::{Circuit, LoweringMap, Predicate, System, lower};
use wedge_sat::Interrupt;

struct Model {
    system: System,
    ids: VariableIds,
}

fn model(text: &str) -> Model {
    Model {
        system: parse("model", text.as_bytes()).unwrap(),
        ids: VariableIds::scan(text.as_bytes()),
    }
}

fn check(model: &Model, certificate: &str) -> Result<(), Rejection> {
    let certificate = parse("certificate", certificate.as_bytes()).unwrap();
    let limits = Limits::default();
    let interrupt = Interrupt::default();
    check_word_certificate(&model.system, &model.ids, &certificate, 0, limits, &interrupt)
}

/// Two counters that add the same input and are bad when they differ.
const COUNTERS: &str = "\
    1 sort bitvec 1\n2 sort bitvec 4\n3 input 2\n4 zero 2\n5 state 2 x\n6 state 2 y\n\
    7 init 2 5 4\n8 init 2 6 4\n9 add 2 5 3\n10 add 2 6 3\n11 next 2 5 9\n12 next 2 6 10\n\
    13 neq 1 5 6\n14 bad 13\n";

#[test]
fn the_invariant_as_a_certificate() {
    let counters = model(COUNTERS);
    assert_eq!(counters.ids, VariableIds { inputs: vec![3], states: vec![5, 6] });
    assert_eq!(check(&counters, COUNTERS), Ok(()));
    let named = COUNTERS.replace("3 input 2", "3 input 2 =3").replace("2 x", "2 =6");
    assert_eq!(check(&counters, &named.replace("2 y", "2 =5")), Ok(()));
}

#[test]
fn each_condition_can_fail_alone() {
    let wider = |line: &str| format!("{COUNTERS}{line}\n");
    let cases = [
        (Condition::Reset, COUNTERS.replace("4 zero 2", "4 one 2")),
        (Condition::Reset, wider("15 redor 1 3\n16 constraint 15")),
        (Condition::Transition, COUNTERS.replace("add 2", "sub 2")),
        (Condition::Transition, wider("15 redor 1 5\n16 constraint -15")),
        (Condition::Safety, COUNTERS.replace("13 neq 1 5 6", "13 zero 1")),
        (
            Condition::Base,
            wider("15 state 1\n16 zero 1\n17 one 1\n18 init 1 15 16\n19 next 1 15 17\n20 bad -15"),
        ),
        (Condition::Step, wider("15 redor 1 5\n16 bad 15")),
    ];
    for (condition, certificate) in cases {
        let rejection = check(&model(COUNTERS), &certificate).unwrap_err();
        assert_eq!(rejection.condition(), Some(condition), "for\n{certificate}");
    }
}

#[test]
fn certificates_that_do_not_fit() {
    let message = |certificate: &str| check(&model(COUNTERS), certificate).unwrap_err().to_string();
    assert_eq!(message("1 sort bitvec 1\n"), "the certificate has no property");
    let symbol = COUNTERS.replace("2 x", "2 =4");
    assert_eq!(message(&symbol), "symbol '=4' names no input or state of the model");
    let symbol = COUNTERS.replace("2 x", "2 =x");
    assert_eq!(message(&symbol), "symbol '=x' names no input or state of the model");
    let sort = "1 sort bitvec 1\n2 state 1 =5\n3 bad 2\n";
    assert_eq!(message(sort), "'=5' has sort 'bitvec 1', in the model 'bitvec 4'");
    let certificate = parse("certificate", COUNTERS.as_bytes()).unwrap();
    let Model { system, ids } = model(COUNTERS);
    let (limits, interrupt) = (Limits::default(), Interrupt::default());
    let rejection = check_word_certificate(&system, &ids, &certificate, 1, limits, &interrupt);
    assert_eq!(rejection.unwrap_err().to_string(), "there is no property 1, but 1");
    let small = Limits { nodes: 10, ..limits };
    let rejection = check_word_certificate(&system, &ids, &certificate, 0, small, &interrupt);
    assert!(matches!(rejection, Err(Rejection::TooLarge(_))), "{rejection:?}");
}

/// A state without next may change at will, which a certificate that keeps it must not ignore.
#[test]
fn states_without_next() {
    let free = "1 sort bitvec 1\n2 zero 1\n3 state 1\n4 init 1 3 2\n5 bad 3\n";
    let rejection = check(&model(free), free).unwrap_err();
    assert_eq!(rejection.condition(), Some(Condition::Step));
    let kept = "1 sort bitvec 1\n2 zero 1\n3 state 1 =3\n4 init 1 3 2\n5 bad 3\n6 next 1 3 3\n";
    let rejection = check(&model(free), kept).unwrap_err();
    assert_eq!(rejection.condition(), Some(Condition::Transition));
}

fn lowered(model: &Model) -> (Circuit, LoweringMap) {
    lower(&model.system, 0, Limits::default()).unwrap()
}

/// The certificate of a set of states of the lowered circuit.
fn certificate_of(model: &Model, way_back: &LoweringMap, set: &Predicate) -> String {
    let mut system = model.system.clone();
    let invariant = way_back.predicate(&mut system, set);
    word_certificate(&system, &model.ids, 0, invariant).unwrap()
}

fn certify(text: &str) -> Result<(), Rejection> {
    let model = model(text);
    let (circuit, way_back) = lowered(&model);
    let latches = circuit.latches.len();
    let set = predicate(&Steps::of(&circuit).reachable(), latches);
    check(&model, &certificate_of(&model, &way_back, &set))
}

/// A memory of two bits whose first element is never set, and a constant one that is read.
#[test]
fn arrays() {
    let memory = "1 sort bitvec 1\n2 sort array 1 1\n3 zero 1\n4 one 1\n5 state 2\n6 init 2 5 3\n\
                  7 input 1\n8 write 2 5 4 7\n9 next 2 5 8\n10 read 1 5 3\n";
    assert_eq!(certify(&format!("{memory}11 bad 10\n")), Ok(()));
    let constant = "11 state 2\n12 init 2 11 4\n13 next 2 11 11\n14 read 1 11 7\n";
    assert_eq!(certify(&format!("{memory}{constant}15 and 1 -14 10\n16 bad 15\n")), Ok(()));
    let other = "11 read 1 5 4\n12 bad 11\n";
    assert!(certify(&format!("{memory}{other}")).is_err());
}

/// The state keeps the first value of the input.
#[test]
fn an_initial_value_that_reads_an_input() {
    let text = "1 sort bitvec 2\n2 sort bitvec 1\n3 input 1\n4 state 1\n5 state 1\n6 init 1 4 3\n\
                7 init 1 5 4\n8 next 1 4 4\n9 next 1 5 5\n10 neq 2 4 5\n11 bad 10\n";
    assert_eq!(certify(text), Ok(()));
}

/// A random model in a few lines: words of width 1 and 2, sometimes a small array.
fn random_model(random: &mut Random) -> String {
    let mut text = "1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 1 1\n".to_string();
    let mut id = 3;
    let mut line = |rest: String| {
        id += 1;
        text += &format!("{id} {rest}\n");
        id
    };
    let (mut bits, mut words) = (vec![line("one 1".into())], vec![line("one 2".into())]);
    let mut states = Vec::new();
    for _ in 0..1 + random.below(3) {
        let wide = random.below(3) > 0;
        let (sort, pool) = if wide { (2, &mut words) } else { (1, &mut bits) };
        let init = pool[random.below(pool.len())];
        let state = line(format!("state {sort}"));
        if random.below(4) > 0 {
            line(format!("init {sort} {state} {init}"));
        }
        pool.push(state);
        states.push((sort, state));
    }
    bits.push(line("input 1".into()));
    if random.flip() {
        words.push(line("input 2".into()));
    }
    let mut array = random.flip().then(|| line("state 3".into()));
    if let Some(state) = array {
        line(format!("init 3 {state} {}", bits[0]));
        states.push((3, state));
    }
    for _ in 0..8 {
        let mut bit = || bits[random.below(bits.len())];
        let (a, b, c) = (bit(), bit(), bit());
        let mut word = || words[random.below(words.len())];
        let (v, w) = (word(), word());
        match random.below(9) {
            0 => words.push(line(format!("add 2 {v} {w}"))),
            1 => words.push(line(format!("ite 2 {a} {v} -{w}"))),
            2 => words.push(line(format!("concat 2 {a} {b}"))),
            3 => bits.push(line(format!("eq 1 {v} {w}"))),
            4 => bits.push(line(format!("ult 1 {v} {w}"))),
            5 => bits.push(line(format!("and 1 {a} -{b}"))),
            6 => bits.push(line(format!("slice 1 {v} 1 1"))),
            7 if array.is_some() => {
                array = array.map(|m| line(format!("write 3 {m} {a} {b}")));
            }
            _ => match array {
                Some(m) => bits.push(line(format!("read 1 {m} {c}"))),
                None => bits.push(line(format!("xor 1 {a} {c}"))),
            },
        }
    }
    for (sort, state) in states {
        let next = match (sort, array) {
            (1, _) => bits[random.below(bits.len())],
            (2, _) => words[random.below(words.len())],
            (_, array) => array.unwrap_or(state),
        };
        if random.below(8) > 0 {
            line(format!("next {sort} {state} {next}"));
        }
    }
    if random.below(3) == 0 {
        line(format!("constraint -{}", bits[1 + random.below(bits.len() - 1)]));
    }
    let (a, b) = (bits[random.below(bits.len())], bits[random.below(bits.len())]);
    let bad = line(format!("and 1 {a} {b}"));
    line(format!("bad {bad}"));
    text
}

/// Exchanges one word of a certificate for another that fits in some places.
fn mutate(random: &mut Random, certificate: &str) -> String {
    let exchanges = [
        ("and ", "or "),
        ("or ", "and "),
        ("add ", "sub "),
        ("zero ", "one "),
        ("one ", "zero "),
        ("not ", "redor "),
        ("ult ", "ulte "),
        ("constraint ", "bad "),
        (" =", " x"),
    ];
    let (from, to) = exchanges[random.below(exchanges.len())];
    let places: Vec<usize> = certificate.match_indices(from).map(|(at, _)| at).collect();
    if places.is_empty() {
        return certificate.to_string();
    }
    let at = places[random.below(places.len())];
    format!("{}{to}{}", &certificate[..at], &certificate[at + from.len()..])
}

/// Whether a changed certificate is accepted; it may also have become unreadable.
fn accepts(model: &Model, certificate: &str) -> bool {
    let Ok(certificate) = parse("certificate", certificate.as_bytes()) else { return false };
    let (limits, interrupt) = (Limits::default(), Interrupt::default());
    check_word_certificate(&model.system, &model.ids, &certificate, 0, limits, &interrupt).is_ok()
}

#[test]
fn certificates_of_random_models() {
    let mut random = Random(21);
    let (mut safe, mut rejected) = (0, 0);
    for round in 0..400 {
        let text = random_model(&mut random);
        let model = model(&text);
        let (circuit, way_back) = lowered(&model);
        let steps = Steps::of(&circuit);
        let set = predicate(&steps.reachable(), circuit.latches.len());
        let certificate = certificate_of(&model, &way_back, &set);
        if steps.is_safe() {
            assert_eq!(check_invariant(&circuit, &set, &Interrupt::default()), Ok(()));
            assert_eq!(check(&model, &certificate), Ok(()), "round {round}\n{text}\n{certificate}");
            safe += 1;
        } else {
            let mut certificate = certificate;
            for _ in 0..5 {
                assert!(!accepts(&model, &certificate), "round {round}\n{text}\n{certificate}");
                certificate = mutate(&mut random, &certificate);
                rejected += 1;
            }
        }
    }
    assert!(safe > 80 && rejected > 400, "{safe} safe, {rejected} rejected");
}

#[test]
fn induction_certificates_of_random_models() {
    let mut random = Random(22);
    let mut seen = [0; 2];
    for round in 0..250 {
        let text = random_model(&mut random);
        let model = model(&text);
        let (circuit, way_back) = lowered(&model);
        let mut system = model.system.clone();
        let all = Predicate::constant(true, circuit.latches.len());
        let facts = way_back.predicate(&mut system, &all);
        for k in 1..=3 {
            let wanted = check_induction(&circuit, k, false, &Interrupt::default()).is_ok();
            let certificate = word_induction_certificate(&system, &model.ids, 0, k, facts).unwrap();
            let found = check(&model, &certificate);
            assert_eq!(found.is_ok(), wanted, "round {round}, k = {k}: {found:?}\n{text}");
            seen[wanted as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

#[test]
fn witnesses() {
    let text = "1 sort bitvec 2\n2 sort bitvec 1\n3 input 2 up\n4 zero 1\n5 state 1 count\n\
                6 init 1 5 4\n7 uext 1 3 1\n8 add 1 5 7\n9 next 1 5 8\n10 ones 1\n\
                11 eq 2 5 10\n12 bad 11\n";
    let system = model(text).system;
    let check = |text: &str| {
        check_word_witness(&system, &Witness::parse("w", text.as_bytes(), &system).unwrap()[0])
    };
    let steps = "@0\n0 1\n@1\n0 1\n@2\n0 1\n@3\n0 0\n.\n";
    assert_eq!(check(&format!("sat\nb0\n#0\n{steps}")).unwrap().steps.len(), 4);
    assert!(check(&format!("sat\nb0\n#0\n0 01 count\n{steps}")).is_err());
    assert!(check("sat\nb0\n#0\n@0\n0 1\n@1\n0 1\n@2\n0 1\n.\n").is_err());
    let none = Witness { properties: Vec::new(), frames: Vec::new() };
    let rejection = check_word_witness(&system, &none).unwrap_err();
    assert_eq!(rejection.to_string(), "the witness names no property");
}
