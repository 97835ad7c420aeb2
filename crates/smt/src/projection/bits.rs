//! Projection on a graph: ∃b. f is f with b false or f with b true, bit by bit.

use super::Limits;
use crate::encoding::Encoding;
use crate::terms::to_terms;
use rustc_hash::FxHashSet;
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit, Term, TermStore};

/// The formula without the variables; none if that takes more than the limits allow.
pub(super) fn project(
    store: &mut TermStore,
    variables: &FxHashSet<Term>,
    formula: Term,
    limits: &Limits,
) -> Option<Term> {
    let bits: u64 = variables.iter().map(|&v| store.sort(v).bits()).fold(0, u64::saturating_add);
    if bits > limits.bits {
        return None;
    }
    let mut encoding = Encoding::new();
    let plain = encoding.plain(store, formula);
    if !encoding.abstraction.is_trivial() {
        return None;
    }
    let Encoding { blaster, aig, .. } = &mut encoding;
    let mut root = blaster.literal(store, aig, plain).ok()?;
    let mut names = vec![(plain, 0); aig.num_inputs()];
    let mut quantified = Vec::new();
    for &variable in blaster.fresh() {
        for (place, bit) in blaster.bits(variable)?.iter().enumerate() {
            let Node::Input(index) = aig.node(bit.node()) else { unreachable!("a fresh input") };
            names[index as usize] = (variable, place as u32);
            if variables.contains(&variable) {
                quantified.push(index as usize);
            }
        }
    }
    let mut graph = std::mem::take(aig);
    for input in quantified {
        (graph, root) = without(&graph, root, input);
        if graph.num_ands() > limits.gates {
            return None;
        }
    }
    Some(to_terms(store, &graph, &names, &[root])[0])
}

/// The graph of f with the input false or f with the input true.
fn without(aig: &Aig, root: Lit, input: usize) -> (Aig, Lit) {
    let mut result = Aig::with_inputs(aig.num_inputs());
    let mut inputs: Vec<Lit> = (0..aig.num_inputs()).map(|i| result.input(i)).collect();
    let mut cofactor = |value: bool, result: &mut Aig| {
        inputs[input] = value.into();
        aig.copy_into(result, &[root], &inputs)[0]
    };
    let low = cofactor(false, &mut result);
    let high = cofactor(true, &mut result);
    let either = result.or(low, high);
    (result, either)
}
