//! Random automata: few locations, few narrow variables, loops of any shape.

use wedge_logic::{Sort, Term};
use wedge_model::Cfa;
use wedge_model::cfa::{Edge, LocationId, Target, TargetKind};

pub const ARRAY: Sort = Sort::Array { index: 1, element: 1 };

/// Numbers from which everything is drawn.
pub struct Genes {
    state: u64,
}

impl Genes {
    pub fn new(seed: u64) -> Genes {
        Genes { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1 }
    }
    pub fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state >> 11
    }
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
    pub fn chance(&mut self, one_in: u64) -> bool {
        self.next().is_multiple_of(one_in)
    }
}

/// Some have arrays, some have more than one target of a kind, some are irreducible.
pub fn random_cfa(genes: &mut Genes) -> Cfa {
    let mut cfa = Cfa::new();
    let sorts = [Sort::Bv(1), Sort::Bv(2), Sort::Bv(2)];
    for i in 0..1 + genes.below(3) {
        cfa.add_variable(format!("v{i}"), sorts[genes.below(sorts.len())]);
    }
    if genes.chance(4) {
        cfa.add_variable("a", ARRAY);
    }
    let inner: Vec<LocationId> =
        (0..1 + genes.below(7)).map(|i| cfa.add_location(Some(i as u32))).collect();
    let mut ends = Vec::new();
    for i in 0..2 + genes.below(2) {
        let location = cfa.add_location(None);
        let kind = if genes.chance(2) { TargetKind::Error } else { TargetKind::Limit };
        cfa.targets.push(Target { location, kind, name: format!("target {i}") });
        ends.push(location);
    }
    for position in 0..=inner.len() {
        let from = if position == 0 { cfa.entry } else { inner[position - 1] };
        add_edges(&mut cfa, genes, from, position, &inner, &ends);
    }
    assert_eq!(cfa.check(), Ok(()));
    cfa
}

fn destination(
    genes: &mut Genes,
    position: usize,
    inner: &[LocationId],
    ends: &[LocationId],
) -> LocationId {
    match genes.below(8) {
        0 | 1 => ends[genes.below(ends.len())],
        2 | 3 => inner[genes.below(inner.len())],
        _ => inner[(position + genes.below(2)).min(inner.len() - 1)],
    }
}

/// Edges with disjoint guards that cover everything, or not quite.
fn add_edges(
    cfa: &mut Cfa,
    genes: &mut Genes,
    from: LocationId,
    position: usize,
    inner: &[LocationId],
    ends: &[LocationId],
) {
    let count = if genes.chance(20) { 0 } else { 1 + genes.below(3) };
    let mut rest = cfa.terms.bool(true);
    for branch in 0..count {
        let pool = pool_with_inputs(cfa, genes);
        let last = branch + 1 == count && !genes.chance(4);
        let guard = match last {
            true => rest,
            false => {
                let condition = random_term(cfa, genes, Sort::BOOL, &pool, 2);
                let guard = cfa.terms.and(rest, condition);
                let other = cfa.terms.not(condition);
                rest = cfa.terms.and(rest, other);
                guard
            }
        };
        // An input in a guard belongs to the other guards of the location, too.
        let mut updates = Vec::new();
        for variable in cfa.variables.clone() {
            if genes.chance(3) || (position == 0 && !genes.chance(3)) {
                let sort = cfa.terms.sort(variable);
                let steps = genes.below(3);
                let value = match position == 0 && !sort.is_array() && !genes.chance(3) {
                    true => cfa.terms.number(sort.bits() as u32, genes.next()),
                    false => random_term(cfa, genes, sort, &pool, steps),
                };
                updates.push((variable, value));
            }
        }
        let to = destination(genes, position, inner, ends);
        cfa.add_edge(Edge { from, to, guard, updates, origin: Some(position as u32) });
    }
}

/// The variables and, at times, a new input.
fn pool_with_inputs(cfa: &mut Cfa, genes: &mut Genes) -> Vec<Term> {
    let mut pool = cfa.variables.clone();
    if genes.chance(3) && cfa.inputs.len() < 6 {
        let sort = if genes.chance(6) { ARRAY } else { Sort::Bv(1 + genes.below(2) as u32) };
        let input = cfa.add_input(format!("i{}", cfa.inputs.len()), sort);
        pool.push(input);
    }
    pool
}

fn random_term(cfa: &mut Cfa, genes: &mut Genes, sort: Sort, pool: &[Term], steps: usize) -> Term {
    let mut pool = pool.to_vec();
    pool.push(cfa.terms.number(2, genes.next()));
    for _ in 0..steps {
        let pick = |genes: &mut Genes| pool[genes.below(pool.len())];
        let (a, b, c) = (pick(genes), pick(genes), pick(genes));
        let (a, b) = (fit(cfa, a, Sort::Bv(2)), fit(cfa, b, Sort::Bv(2)));
        let p = fit(cfa, c, Sort::BOOL);
        let term = match genes.below(7) {
            0 => cfa.terms.add(a, b),
            1 => cfa.terms.eq(a, b),
            2 => cfa.terms.ult(a, b),
            3 => cfa.terms.ite(p, a, b),
            4 => cfa.terms.xor(a, b),
            5 => cfa.terms.not(p),
            _ => {
                let array = fit(cfa, c, ARRAY);
                let bit = fit(cfa, a, Sort::BOOL);
                cfa.terms.write(array, p, bit)
            }
        };
        pool.push(term);
    }
    let last = pool[pool.len() - 1 - genes.below(steps + 1)];
    fit(cfa, last, sort)
}

/// The term, or one made from it, with the wanted sort.
fn fit(cfa: &mut Cfa, term: Term, sort: Sort) -> Term {
    let terms = &mut cfa.terms;
    match (terms.sort(term), sort) {
        (given, wanted) if given == wanted => term,
        (Sort::Bv(given), Sort::Bv(wanted)) if given > wanted => terms.slice(term, wanted - 1, 0),
        (Sort::Bv(given), Sort::Bv(wanted)) => terms.sext(term, wanted - given),
        (Sort::Array { .. }, Sort::Bv(_)) => {
            let index = terms.one(1);
            let read = terms.read(term, index);
            fit(cfa, read, sort)
        }
        (Sort::Bv(_), Sort::Array { index, .. }) => {
            let bit = fit(cfa, term, Sort::BOOL);
            cfa.terms.const_array(index, bit)
        }
        (_, Sort::Array { .. }) => term,
    }
}
