//! The cell abstraction against explicit search: whatever is reached is reached in the abstraction.

use super::explicit::{search_cfa, search_system};
use super::random_cfa::Genes;
use wedge_logic::{Sort, Term};
use wedge_model::Cfa;
use wedge_model::cells::{CellOptions, cells};
use wedge_model::cfa::{
    BlockOptions, ERROR, Edge, LIMIT, LocationId, Target, TargetKind, single_loop,
};

/// Larger abstractions are not searched.
const MAX_BITS: u64 = 12;

struct Vars {
    i: Term,
    x: Term,
    arrays: Vec<Term>,
}

/// Loops over one or two arrays, one after the other: each writes, reads, copies, or looks for an
/// element that is an error.
fn array_program(genes: &mut Genes) -> Cfa {
    let mut cfa = Cfa::new();
    let i = cfa.add_variable("i", Sort::Bv(2));
    let x = cfa.add_variable("x", Sort::BOOL);
    let mut arrays = Vec::new();
    for name in &["a", "b"][..1 + genes.below(2)] {
        let index = 1 + genes.below(2) as u32;
        arrays.push(cfa.add_variable(*name, Sort::Array { index, element: 1 }));
    }
    let vars = Vars { i, x, arrays };
    let targets =
        [(TargetKind::Error, "error"), (TargetKind::Limit, "limit")].map(|(kind, name)| {
            let location = cfa.add_location(None);
            cfa.targets.push(Target { location, kind, name: name.into() });
            location
        });
    let loops: Vec<LocationId> = (0..2 + genes.below(2)).map(|_| cfa.add_location(None)).collect();
    let end = cfa.add_location(None);
    let zero = cfa.terms.zero(2);
    let mut updates = vec![(i, zero)];
    for &array in &vars.arrays {
        if genes.chance(3) {
            let Sort::Array { index, .. } = cfa.terms.sort(array) else { continue };
            let bit = cfa.terms.bool(genes.chance(2));
            updates.push((array, cfa.terms.const_array(index, bit)));
        }
    }
    let guard = cfa.terms.bool(true);
    cfa.add_edge(Edge { from: cfa.entry, to: loops[0], guard, updates, origin: None });
    for (place, &head) in loops.iter().enumerate() {
        let next = loops.get(place + 1).copied().unwrap_or(end);
        let is_last = place + 1 == loops.len();
        add_loop(&mut cfa, genes, &vars, head, next, is_last.then_some(targets));
    }
    assert_eq!(cfa.check(), Ok(()));
    cfa
}

fn index(cfa: &mut Cfa, genes: &mut Genes, vars: &Vars, array: Term) -> Term {
    let Sort::Array { index, .. } = cfa.terms.sort(array) else { unreachable!("an array") };
    let one = cfa.terms.one(2);
    let at = match genes.below(8) {
        0 => cfa.terms.add(vars.i, one),
        1 => cfa.terms.zero(2),
        _ => vars.i,
    };
    cfa.terms.slice(at, index - 1, 0)
}

fn element(cfa: &mut Cfa, genes: &mut Genes, vars: &Vars) -> Term {
    let array = vars.arrays[genes.below(vars.arrays.len())];
    let at = index(cfa, genes, vars, array);
    cfa.terms.read(array, at)
}

fn value(cfa: &mut Cfa, genes: &mut Genes, vars: &Vars) -> Term {
    match genes.below(6) {
        0 | 1 => cfa.terms.bool(genes.chance(2)),
        2 if cfa.inputs.len() < 2 => cfa.add_input("any", Sort::BOOL),
        3 => vars.x,
        _ => element(cfa, genes, vars),
    }
}

/// While `i` is not at its bound, something is done with the elements.
fn add_loop(
    cfa: &mut Cfa,
    genes: &mut Genes,
    vars: &Vars,
    head: LocationId,
    next: LocationId,
    targets: Option<[LocationId; 2]>,
) {
    let bound = cfa.terms.number(2, 2 + genes.below(2) as u64);
    let ends = cfa.terms.eq(vars.i, bound);
    let mut goes_on = cfa.terms.not(ends);
    let zero = cfa.terms.zero(2);
    let leave = vec![(vars.i, zero)];
    cfa.add_edge(Edge { from: head, to: next, guard: ends, updates: leave, origin: None });
    if let Some(targets) = targets {
        let read = if genes.chance(4) { vars.x } else { element(cfa, genes, vars) };
        let other = if genes.chance(2) { cfa.terms.bool(false) } else { element(cfa, genes, vars) };
        let wrong = cfa.terms.xor(read, other);
        let guard = cfa.terms.and(goes_on, wrong);
        let to = targets[usize::from(genes.chance(4))];
        cfa.add_edge(Edge { from: head, to, guard, updates: Vec::new(), origin: None });
        let right = cfa.terms.not(wrong);
        goes_on = cfa.terms.and(goes_on, right);
    }
    let one = cfa.terms.one(2);
    let mut updates = vec![(vars.i, cfa.terms.add(vars.i, one))];
    if targets.is_none() || genes.chance(4) {
        let array = vars.arrays[genes.below(vars.arrays.len())];
        let at = index(cfa, genes, vars, array);
        let written = value(cfa, genes, vars);
        updates.push((array, cfa.terms.write(array, at, written)));
    }
    if genes.chance(3) {
        updates.push((vars.x, value(cfa, genes, vars)));
    }
    cfa.add_edge(Edge { from: head, to: head, guard: goes_on, updates, origin: None });
}

/// How often the abstraction shows that no bad state is reachable.
fn compare(options: CellOptions, seeds: std::ops::Range<u64>) -> usize {
    let mut proved = 0;
    for seed in seeds {
        let cfa = array_program(&mut Genes::new(seed));
        let single = single_loop(&cfa, &BlockOptions::default()).expect("small");
        let abstracted = cells(&single, &options).expect("no arrays are compared");
        let system = &abstracted.system;
        assert_eq!(system.check(), Ok(()), "seed {seed}");
        let states = system.states.iter().map(|s| system.terms.sort(s.var).bits());
        let inputs = system.inputs.iter().map(|&i| system.terms.sort(i).bits());
        if states.chain(inputs).sum::<u64>() > MAX_BITS {
            continue;
        }
        let (error, limit) = search_cfa(&cfa);
        let found = search_system(system);
        let reached = (found[ERROR].is_some(), found[LIMIT].is_some());
        assert!(reached.0 >= error && reached.1 >= limit, "seed {seed}: lost a bad state");
        proved += usize::from(!reached.0 && !reached.1);
    }
    proved
}

#[test]
fn one_index_loses_no_bad_state() {
    let options = CellOptions { indices: 1, predicates: 0, ..CellOptions::default() };
    let proved = compare(options, 0..300);
    assert!(proved > 10, "{proved}");
}

#[test]
fn two_indices_and_history_lose_no_bad_state() {
    let options =
        CellOptions { indices: 2, history: true, predicates: 0, ..CellOptions::default() };
    let proved = compare(options, 400..700);
    assert!(proved > 5, "{proved}");
}

#[test]
fn predicates_lose_no_bad_state() {
    let options = CellOptions { indices: 1, predicates: 2, ..CellOptions::default() };
    let proved = compare(options, 800..1100);
    assert!(proved > 5, "{proved}");
}

#[test]
fn predicates_alone_lose_no_bad_state() {
    let options =
        CellOptions { indices: 1, predicates: 5, only_predicates: true, ..CellOptions::default() };
    let proved = compare(options, 1100..1400);
    assert!(proved > 10, "{proved}");
}
