//! From a model with the gates of its file one by one to the one that everybody works with.

use super::model::{AigerModel, Input, Justice, Latch, LiteralMap, Property};
use std::sync::Arc;
use wedge_logic::{Aig, Lit};

/// The model with its gates folded, in their order; `written` stays beside it.
pub(super) fn folded(written: AigerModel) -> AigerModel {
    let mut aig = Aig::with_inputs(written.aig.num_inputs());
    let inputs: Vec<Lit> = (0..aig.num_inputs()).map(|index| aig.input(index)).collect();
    let nodes: Vec<Lit> = (0..written.aig.len() as u32).map(|n| Lit::new(n, false)).collect();
    let images = written.aig.copy_into(&mut aig, &nodes, &inputs);
    let image = |lit: Lit| images[lit.node() as usize].xor(lit.is_negated());
    let properties = |list: &[Property]| -> Vec<Property> {
        list.iter().map(|p| Property { lit: image(p.lit), name: p.name.clone() }).collect()
    };
    let input = |input: &Input| Input { lit: image(input.lit), ..input.clone() };
    let latch = |latch: &Latch| Latch {
        state: image(latch.state),
        next: image(latch.next),
        reset: image(latch.reset),
        ..latch.clone()
    };
    let justice = |justice: &Justice| Justice {
        lits: justice.lits.iter().map(|&lit| image(lit)).collect(),
        name: justice.name.clone(),
    };
    AigerModel {
        inputs: written.inputs.iter().map(input).collect(),
        latches: written.latches.iter().map(latch).collect(),
        outputs: properties(&written.outputs),
        bads: properties(&written.bads),
        constraints: properties(&written.constraints),
        justice: written.justice.iter().map(justice).collect(),
        fairness: properties(&written.fairness),
        comments: written.comments.clone(),
        literals: match &written.literals {
            LiteralMap::Dense(lits) => LiteralMap::Dense(lits.iter().map(|&l| image(l)).collect()),
            LiteralMap::Sparse(lits) => {
                LiteralMap::Sparse(lits.iter().map(|(&name, &lit)| (name, image(lit))).collect())
            }
        },
        aig,
        as_written: Some(Arc::new(written)),
    }
}
