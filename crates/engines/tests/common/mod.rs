//! Random automata, for the tests of engines and of sources of assertions.

use wedge_logic::{Sort, Term};
use wedge_model::Cfa;
use wedge_model::cfa::{Edge, LocationId, Target, TargetKind};
use wedge_sat::random::Random;

pub const WIDTH: u32 = 3;

pub fn below(random: &mut Random, n: usize) -> usize {
    (random.word() >> 33) as usize % n
}

/// A word over variables and an input.
pub fn word(cfa: &mut Cfa, random: &mut Random, pool: &[Term]) -> Term {
    let a = pool[below(random, pool.len())];
    let b = pool[below(random, pool.len())];
    let number = below(random, 8) as u64;
    let number = cfa.terms.number(WIDTH, number);
    match below(random, 6) {
        0 => number,
        1 => cfa.terms.inc(a),
        2 => cfa.terms.add(a, b),
        3 => cfa.terms.xor(a, number),
        4 => {
            let less = cfa.terms.ult(a, b);
            cfa.terms.ite(less, b, number)
        }
        _ => a,
    }
}

pub fn condition(cfa: &mut Cfa, random: &mut Random, pool: &[Term]) -> Term {
    let (a, b) = (word(cfa, random, pool), word(cfa, random, pool));
    match below(random, 3) {
        0 => cfa.terms.eq(a, b),
        1 => cfa.terms.ult(a, b),
        _ => cfa.terms.slt(a, b),
    }
}

/// A few locations with two edges each, one of them an error.
pub fn random_automaton(random: &mut Random) -> Cfa {
    let mut cfa = Cfa::new();
    let variables: Vec<Term> =
        ["x", "y"].map(|name| cfa.add_variable(name, Sort::Bv(WIDTH))).to_vec();
    let count = 2 + below(random, 4);
    let locations: Vec<LocationId> = (0..count).map(|_| cfa.add_location(None)).collect();
    for location in &locations {
        cfa.locations[location.0 as usize].function = Some(location.0 % 2);
    }
    let error = cfa.add_location(None);
    let name = "error".to_string();
    cfa.targets.push(Target { location: error, kind: TargetKind::Error, name });
    let always = cfa.terms.bool(true);
    let zero = cfa.terms.zero(WIDTH);
    let updates = variables.iter().map(|&v| (v, zero)).collect();
    let entry = cfa.entry;
    cfa.add_edge(Edge { from: entry, to: locations[0], guard: always, updates, origin: None });
    for (number, &from) in locations.iter().enumerate() {
        let input = cfa.add_input(format!("i{number}"), Sort::Bv(WIDTH));
        let guard = condition(&mut cfa, random, &[variables[0], variables[1], input]);
        let other = cfa.terms.not(guard);
        for guard in [guard, other] {
            let input = cfa.add_input("j", Sort::Bv(WIDTH));
            let mut updates = Vec::new();
            for &variable in &variables {
                if below(random, 2) == 0 {
                    let pool = [variables[0], variables[1], variables[0], input];
                    updates.push((variable, word(&mut cfa, random, &pool)));
                }
            }
            let is_error = number > 0 && below(random, 5) == 0;
            let to = if is_error { error } else { locations[below(random, count)] };
            cfa.add_edge(Edge { from, to, guard, updates, origin: None });
        }
    }
    cfa
}
