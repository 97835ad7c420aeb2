//! Files that are not what they should be: the readers answer, and never panic.

use crate::generate::{Genes, random_model};
use proptest::prelude::*;
use wedge_hw::btor2::{Witness, parse, write};
use wedge_logic::blast::Limits;
use wedge_model::{System, lower};

/// Small limits, so that huge models that mutations make are refused quickly.
const LIMITS: Limits = Limits { array_bits: 1 << 10, nodes: 1 << 16 };

/// Reads, and if that works does everything else with the model too.
fn digest(bytes: &[u8]) {
    let Ok(system) = parse("fuzz", bytes) else { return };
    assert_eq!(system.check(), Ok(()));
    for bad in 0..system.bads.len() {
        if let Ok((circuit, _)) = lower(&system, bad, LIMITS) {
            circuit.check();
        }
    }
    if let Ok(written) = write(&system) {
        assert!(parse("copy", written.text.as_bytes()).is_ok(), "{}", written.text);
    }
}

/// Words that are likely to mean something.
const WORDS: [&str; 24] = [
    "1",
    "2",
    "3",
    "5",
    "-3",
    "0",
    "65536",
    "65537",
    "4000000000",
    "2147483648",
    "-1",
    "sort",
    "bitvec",
    "array",
    "state",
    "init",
    "next",
    "bad",
    "slice",
    "uext",
    "write",
    "constd",
    ";",
    "\n",
];

/// One change to the lines or words of a file.
fn mutate(text: &str, genes: &mut Genes) -> Vec<u8> {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let (at, other) = (genes.below(lines.len()), genes.below(lines.len()));
    match genes.below(8) {
        0 => return text.as_bytes()[..genes.below(text.len())].to_vec(),
        1 => lines.swap(at, other),
        2 => drop(lines.remove(at)),
        3 => lines.insert(at, lines[other].clone()),
        4 => {
            let mut bytes = text.as_bytes().to_vec();
            let at = genes.below(bytes.len());
            bytes[at] = genes.next() as u8;
            return bytes;
        }
        _ => {
            let mut words: Vec<&str> = lines[at].split(' ').collect();
            let place = genes.below(words.len());
            words[place] = WORDS[genes.below(WORDS.len())];
            lines[at] = words.join(" ");
        }
    }
    lines.join("\n").into_bytes()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        digest(&bytes);
    }

    #[test]
    fn random_words(picks in prop::collection::vec(0..WORDS.len(), 0..80)) {
        let words: Vec<&str> = picks.iter().map(|&i| WORDS[i]).collect();
        digest(words.join(" ").as_bytes());
    }

    #[test]
    fn mutated_models(seed in any::<u64>()) {
        let genes = &mut Genes::new(seed);
        let mut text = random_model(genes.next());
        for _ in 0..1 + genes.below(3) {
            let mutated = mutate(&text, genes);
            digest(&mutated);
            text = String::from_utf8_lossy(&mutated).into_owned() + "\n";
        }
    }

    #[test]
    fn mutated_witnesses(seed in any::<u64>()) {
        let genes = &mut Genes::new(seed);
        let text = "1 sort bitvec 2\n2 sort array 1 1\n3 state 2 m\n4 state 1 s\n5 input 1 i\n\
            6 sort bitvec 1\n7 eq 6 4 5\n8 bad 7\n";
        let system: System = parse("m", text.as_bytes()).expect("a valid model");
        let witness = "sat\nb0\n#0\n0 [01] 10 m#0\n1 11 s#0\n@0\n0 10 i@0\n#1\n1 01\n@1\n0 01\n.\n";
        let mutated = mutate(witness, genes);
        for witness in Witness::parse("w", &mutated, &system).unwrap_or_default() {
            let _ = witness.check(&system);
            prop_assert!(witness.write(&system).is_ok());
        }
    }
}
