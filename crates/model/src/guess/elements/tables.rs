//! Values of terms in all samples at a cut point, for small values of bound variables.

use super::runs::Small;
use wedge_logic::{BitVec, Evaluator, Term, TermStore, Value};

/// The values of a bound variable, where there is one and where there are two.
const ONE: [i64; 16] = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 18, 27];
const TWO: [i64; 10] = [0, 1, 2, 3, 4, 5, 6, 8, 11, 15];
/// Samples that are looked at where there are two.
const MAX_SAMPLES: usize = 12;

/// One value per point; the points are the same for all terms at a cut point with these variables.
pub type Values = Vec<u64>;

fn choices(bound: usize) -> Vec<Vec<i64>> {
    match bound {
        0 => vec![Vec::new()],
        1 => ONE.iter().map(|&number| vec![number]).collect(),
        _ => TWO.iter().flat_map(|&a| TWO.iter().map(move |&b| vec![a, b])).collect(),
    }
}

/// The values of terms of at most 64 bits at each point; none where there is no sample.
pub fn values(
    terms: &mut TermStore,
    smalls: &mut [Small],
    cut: usize,
    bound: &[Term],
    wanted: &[Term],
) -> Option<Vec<Values>> {
    let mut all: Vec<Values> = vec![Vec::new(); wanted.len()];
    let choices = choices(bound.len());
    for small in smalls {
        let images: Vec<Term> =
            wanted.iter().map(|&term| small.substitution.apply(terms, term)).collect();
        let mut evaluator = Evaluator::new(terms);
        let samples = &small.samples;
        let count = if bound.len() < 2 { usize::MAX } else { MAX_SAMPLES };
        for state in samples.seen[cut].iter().take(count) {
            for (&variable, value) in samples.variables.iter().zip(state) {
                evaluator.assign(variable, value.clone());
            }
            for choice in &choices {
                for (&variable, &number) in bound.iter().zip(choice) {
                    let value = BitVec::new(terms.width(variable), number as u64);
                    evaluator.assign(variable, Value::Bv(value));
                }
                for (list, &image) in all.iter_mut().zip(&images) {
                    let value = evaluator.eval_bv(image).ok()?;
                    list.push(value.to_u64().unwrap_or(u64::MAX));
                }
            }
        }
    }
    let is_empty = all.first().is_none_or(|list| list.is_empty());
    (!is_empty).then_some(all)
}
