//! What the data-flow analysis says, against explicit search and against the evaluator.

use crate::explicit::{combinations, reachable};
use crate::random_cfa::{Genes, random_cfa};
use wedge_logic::{BitVec, Evaluator, FloatFormat, FloatFunction, Rounding, Sort, Term, Value};
use wedge_model::Cfa;
use wedge_model::cfa::dataflow::{Precision, analyse};
use wedge_model::cfa::{Edge, LocationId, Target, TargetKind};

const PRECISIONS: [Precision; 2] = [Precision::Quick, Precision::Thorough];

/// Asserts that the facts hold in these states, each given by the values of all variables. All
/// states are reached.
fn expect_facts(cfa: &Cfa, states: &[(LocationId, Vec<Value>)], about: &str) {
    for precision in PRECISIONS {
        let analysis = analyse(cfa, precision, &|| false).expect("small enough");
        let mut terms = cfa.terms.clone();
        let locations = 0..cfa.locations.len() as u32;
        let facts: Vec<Vec<Term>> =
            locations.map(|l| analysis.facts(&mut terms, LocationId(l))).collect();
        let mut evaluator = Evaluator::new(&terms);
        for (location, values) in states {
            for (&variable, value) in cfa.variables.iter().zip(values) {
                evaluator.assign(variable, value.clone());
            }
            for &fact in &facts[location.0 as usize] {
                assert_eq!(evaluator.holds(fact), Ok(true), "{about}, {precision:?}: {values:?}");
            }
        }
    }
}

#[test]
fn facts_hold_in_all_reachable_states_of_random_automata() {
    for seed in 0..700 {
        let cfa = random_cfa(&mut Genes::new(seed));
        expect_facts(&cfa, &reachable(&cfa), &format!("seed {seed}"));
    }
}

/// An automaton that reads x and y, takes one guarded edge on which z is assigned, and then uses
/// all of them.
fn one_edge(sort: Sort, make: impl FnOnce(&mut Cfa, Term, Term) -> (Term, Term)) -> Cfa {
    let mut cfa = Cfa::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| cfa.add_variable(name, sort));
    let after = cfa.add_location(None);
    let end = cfa.add_location(None);
    cfa.targets.push(Target { location: end, kind: TargetKind::Error, name: "end".into() });
    let (guard, value) = make(&mut cfa, x, y);
    let (from, origin) = (cfa.entry, None);
    cfa.add_edge(Edge { from, to: after, guard, updates: vec![(z, value)], origin });
    let sum = cfa.terms.xor(x, y);
    let guard = cfa.terms.eq(sum, z);
    cfa.add_edge(Edge { from: after, to: end, guard, updates: Vec::new(), origin });
    assert_eq!(cfa.check(), Ok(()));
    cfa
}

/// The states behind the guarded edge for these values of x and y.
fn behind(cfa: &Cfa, inputs: Vec<Vec<Value>>) -> Vec<(LocationId, Vec<Value>)> {
    let edge = &cfa.edges[0];
    let mut evaluator = Evaluator::new(&cfa.terms);
    let mut states = Vec::new();
    for mut values in inputs {
        for (&variable, value) in cfa.variables.iter().zip(&values) {
            evaluator.assign(variable, value.clone());
        }
        if evaluator.holds(edge.guard) == Ok(true) {
            let z = evaluator.eval(edge.updates[0].1).expect("assigned").clone();
            values.truncate(2);
            values.push(z);
            states.push((edge.to, values));
        }
    }
    states
}

/// A term over the pool, which ends with terms of width 1.
fn random_step(cfa: &mut Cfa, genes: &mut Genes, words: &mut Vec<Term>, bools: &mut Vec<Term>) {
    let pick = |genes: &mut Genes, pool: &[Term]| pool[genes.below(pool.len())];
    let (a, b) = (pick(genes, words), pick(genes, words));
    let (p, q) = (pick(genes, bools), pick(genes, bools));
    let (terms, width) = (&mut cfa.terms, 4);
    match genes.below(26) {
        0 => words.push(terms.add(a, b)),
        1 => words.push(terms.sub(a, b)),
        2 => words.push(terms.mul(a, b)),
        3 => words.push(terms.udiv(a, b)),
        4 => words.push(terms.urem(a, b)),
        5 => words.push(terms.sdiv(a, b)),
        6 => words.push(terms.srem(a, b)),
        7 => words.push(terms.sll(a, b)),
        8 => words.push(terms.srl(a, b)),
        9 => words.push(terms.sra(a, b)),
        10 => words.push(terms.and(a, b)),
        11 => words.push(terms.or(a, b)),
        12 => words.push(terms.xor(a, b)),
        13 => words.push(terms.not(a)),
        14 => words.push(terms.neg(a)),
        15 => words.push(terms.ite(p, a, b)),
        16 => {
            let high = genes.below(width as usize) as u32;
            let low = genes.below(high as usize + 1) as u32;
            let part = terms.slice(a, high, low);
            let rest = width - (high - low + 1);
            words.push(if genes.chance(2) {
                terms.zext(part, rest)
            } else {
                terms.sext(part, rest)
            });
        }
        17 => {
            let (low, high) = (terms.slice(a, 1, 0), terms.slice(b, 3, 2));
            words.push(terms.concat(low, high));
        }
        18 => bools.push(terms.eq(a, b)),
        19 => bools.push(terms.ult(a, b)),
        20 => bools.push(terms.slt(a, b)),
        21 => bools.push(terms.ule(a, b)),
        22 => bools.push(terms.sle(a, b)),
        23 => bools.push(terms.and(p, q)),
        24 => bools.push(terms.or(p, q)),
        _ => bools.push(terms.not(p)),
    }
}

#[test]
fn edges_cover_what_the_evaluator_computes() {
    for seed in 0..1500 {
        let mut genes = Genes::new(seed);
        let cfa = one_edge(Sort::Bv(4), |cfa, x, y| {
            let constant = cfa.terms.number(4, genes.next());
            let mut words = vec![x, y, constant];
            let mut bools = vec![cfa.terms.ult(x, constant)];
            for _ in 0..2 + genes.below(10) {
                random_step(cfa, &mut genes, &mut words, &mut bools);
            }
            (bools[bools.len() - 1], words[words.len() - 1])
        });
        let inputs = combinations(&cfa.terms, &cfa.variables[..2]);
        let zero = Value::Bv(BitVec::zero(4));
        let inputs = inputs.into_iter().map(|v| [v, vec![zero.clone()]].concat()).collect();
        expect_facts(&cfa, &behind(&cfa, inputs), &format!("seed {seed}"));
    }
}

/// Bits of floats: numbers of all kinds, of all sizes.
fn float_bits(genes: &mut Genes, format: FloatFormat) -> u64 {
    let numbers =
        [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 10.0, -7.25, 1e10, 1e-10, f64::INFINITY, f64::NAN, -1e300];
    let number = match genes.below(3) {
        0 => return genes.next() << 20 ^ genes.next(),
        1 => numbers[genes.below(numbers.len())],
        _ => (genes.below(2000) as f64 - 1000.0) / 16.0,
    };
    match format {
        FloatFormat::Single => (number as f32).to_bits() as u64,
        _ => number.to_bits(),
    }
}

fn random_float(
    cfa: &mut Cfa,
    genes: &mut Genes,
    format: FloatFormat,
    pool: &mut Vec<Term>,
    bools: &mut Vec<Term>,
) {
    let pick = |genes: &mut Genes, pool: &[Term]| pool[genes.below(pool.len())];
    let (a, b, p) = (pick(genes, pool), pick(genes, pool), pick(genes, bools));
    let terms = &mut cfa.terms;
    let mode = match genes.chance(3) {
        true => terms.slice(pool[0], 2, 0),
        false => terms.rounding(Rounding::ALL[genes.below(5)]),
    };
    let other = match format {
        FloatFormat::Single => FloatFormat::Double,
        _ => FloatFormat::Single,
    };
    let width = format.width();
    match genes.below(19) {
        17 => {
            let amount = (genes.below(300) as i64 - 150) as u32;
            let amount = terms.number(wedge_logic::float::SCALE_WIDTH, amount.into());
            pool.push(terms.float_scale(format, mode, a, amount));
        }
        0 => pool.push(terms.float_add(format, mode, a, b)),
        1 => pool.push(terms.float_sub(format, mode, a, b)),
        2 => pool.push(terms.float_mul(format, mode, a, b)),
        3 => pool.push(terms.float_div(format, mode, a, b)),
        4 => pool.push(terms.float_sqrt(format, mode, a)),
        5 => pool.push(terms.float_neg(format, a)),
        6 => pool.push(terms.float_abs(format, a)),
        7 => pool.push(terms.float_round(format, mode, a)),
        8 => pool.push(terms.float_modulo(format, a, b)),
        9 => pool.push(terms.float_remainder(format, a, b)),
        10 => {
            let there = terms.float_convert(format, other, mode, a);
            pool.push(terms.float_convert(other, format, mode, there));
        }
        11 => {
            let integer = terms.float(format, FloatFunction::ToSigned(width), &[a, mode]);
            pool.push(terms.float_from_int(format, mode, integer, genes.chance(2)));
        }
        12 => pool.push(terms.ite(p, a, b)),
        13 => pool.push(terms.float_copy_sign(format, a, b)),
        14 => bools.push(terms.float_lt(format, a, b)),
        15 => bools.push(terms.float_le(format, a, b)),
        16 => bools.push(terms.float_eq(format, a, b)),
        _ => {
            let last = bools[bools.len() - 1];
            let last = if genes.chance(2) { terms.not(last) } else { last };
            bools.push(terms.and(p, last));
        }
    }
}

#[test]
fn float_intervals_cover_what_the_evaluator_computes() {
    for seed in 0..1000 {
        let mut genes = Genes::new(seed);
        let format = if genes.chance(2) { FloatFormat::Single } else { FloatFormat::Double };
        let sort = Sort::Bv(format.width());
        let cfa = one_edge(sort, |cfa, x, y| {
            let mut pool = vec![x, y];
            for _ in 0..2 {
                let bits = float_bits(&mut genes, format);
                pool.push(cfa.terms.float_constant(format, bits as u128));
            }
            let mut bools = vec![cfa.terms.float_le(format, x, pool[2])];
            bools.push(cfa.terms.float_lt(format, pool[3], y));
            for _ in 0..2 + genes.below(8) {
                random_float(cfa, &mut genes, format, &mut pool, &mut bools);
            }
            (bools[bools.len() - 1], pool[pool.len() - 1])
        });
        let mut float = || Value::Bv(BitVec::new(format.width(), float_bits(&mut genes, format)));
        let inputs = (0..60).map(|_| vec![float(), float(), float()]).collect();
        expect_facts(&cfa, &behind(&cfa, inputs), &format!("seed {seed}"));
    }
}

/// `i = 0; while (i < 10) i = i + 1;` as an automaton: what is known at the head and at the end.
#[test]
fn a_counter_is_bounded() {
    let mut cfa = Cfa::new();
    let i = cfa.add_variable("i", Sort::Bv(32));
    let head = cfa.add_location(None);
    let end = cfa.add_location(None);
    let error = cfa.add_location(None);
    cfa.targets.push(Target { location: error, kind: TargetKind::Error, name: "error".into() });
    let (zero, ten) = (cfa.terms.zero(32), cfa.terms.number(32, 10));
    let (yes, less) = (cfa.terms.bool(true), cfa.terms.slt(i, ten));
    let (done, next) = (cfa.terms.not(less), cfa.terms.inc(i));
    let wrong = cfa.terms.neq(i, ten);
    let mut edge = |from, to, guard, updates| {
        cfa.add_edge(Edge { from, to, guard, updates, origin: None });
    };
    edge(LocationId(0), head, yes, vec![(i, zero)]);
    edge(head, head, less, vec![(i, next)]);
    edge(head, end, done, Vec::new());
    edge(end, error, wrong, Vec::new());
    for precision in PRECISIONS {
        let analysis = analyse(&cfa, precision, &|| false).expect("small enough");
        let mut terms = cfa.terms.clone();
        let (at_most, exactly) = (terms.ule(i, ten), terms.eq(i, ten));
        assert_eq!(analysis.facts(&mut terms, head), [at_most]);
        assert_eq!(analysis.facts(&mut terms, end), [exactly]);
        assert!(!analysis.is_reachable(error));
    }
}

#[test]
fn a_float_stays_between_its_bounds() {
    let format = FloatFormat::Double;
    let mut cfa = Cfa::new();
    let x = cfa.add_variable("x", Sort::Bv(64));
    let head = cfa.add_location(None);
    let error = cfa.add_location(None);
    cfa.targets.push(Target { location: error, kind: TargetKind::Error, name: "error".into() });
    let terms = &mut cfa.terms;
    let number = |terms: &mut wedge_logic::TermStore, n: f64| {
        terms.float_constant(format, n.to_bits() as u128)
    };
    let [zero, one, limit, beyond] = [0.0, 1.0, 100.0, 101.5].map(|n| number(terms, n));
    let mode = terms.rounding(Rounding::NearestEven);
    let (yes, less) = (terms.bool(true), terms.float_lt(format, x, limit));
    let (next, wrong) = (terms.float_add(format, mode, x, one), terms.float_lt(format, beyond, x));
    let (stays, negative) = (terms.not(less), terms.float_lt(format, x, zero));
    let wrong = terms.or(wrong, negative);
    let wrong = terms.and(stays, wrong);
    let mut edge = |from, to, guard, updates| {
        cfa.add_edge(Edge { from, to, guard, updates, origin: None });
    };
    edge(LocationId(0), head, yes, vec![(x, zero)]);
    edge(head, head, less, vec![(x, next)]);
    edge(head, error, wrong, Vec::new());
    let analysis = analyse(&cfa, Precision::Thorough, &|| false).expect("small enough");
    assert!(!analysis.is_reachable(error));
}
