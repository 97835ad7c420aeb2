//! Several certificates as one.
//!
//! Certificates that extend the same model have a product: the model's variables once, what each
//! certificate adds beside them, and the conjunction of their properties. Each of the five conditions
//! of a certificate holds for the product if it holds for the factors, because every factor keeps the
//! model's resets, steps and constraints. The check of the product does not rest on that.

use crate::certificate::{name_shared, read_mapping};
use crate::machine::Machine;
use crate::rejection::Rejection;
use crate::simulation::{Mapping, Source};
use wedge_hw::aiger::{AigerModel, Latch, Property};
use wedge_logic::Lit;
use wedge_logic::aig::Node;

/// One certificate of all that these ones show of `model`.
pub fn joined_certificate(
    model: &AigerModel,
    certificates: &[AigerModel],
) -> Result<AigerModel, Rejection> {
    let mut joint = model.clone();
    let mut bads = Vec::new();
    for certificate in certificates {
        bads.push(add(&mut joint, model, certificate)?);
    }
    let lit = joint.aig.or_all(&bads);
    let properties = vec![Property { lit, name: None }];
    (joint.outputs, joint.bads) = match model.outputs_are_bad() {
        true => (properties, Vec::new()),
        false => (Vec::new(), properties),
    };
    name_shared(&mut joint, model);
    joint.renumber();
    Ok(joint)
}

/// Adds what a certificate has beyond the model; returns where it is violated.
fn add(
    joint: &mut AigerModel,
    model: &AigerModel,
    certificate: &AigerModel,
) -> Result<Lit, Rejection> {
    let mapping = mapping(model, certificate)?;
    let mut images = vec![Lit::FALSE; certificate.aig.num_inputs()];
    let mut set = |lit: Lit, image: Lit| {
        if let Node::Input(index) = certificate.aig.node(lit.node()) {
            images[index as usize] = image;
        }
    };
    for (input, source) in certificate.inputs.iter().zip(&mapping.inputs) {
        match source {
            Some(Source::Input(index)) => set(input.lit, model.inputs[*index].lit),
            _ => return Err(unfit("an input is none of the model")),
        }
    }
    let first = joint.latches.len();
    let mut own = Vec::new();
    for (latch, source) in certificate.latches.iter().zip(&mapping.registers) {
        match source {
            Some(Source::Register(index)) => set(latch.state, model.latches[*index].state),
            Some(Source::Input(_)) => return Err(unfit("a latch stands for an input")),
            None => {
                let state = joint.aig.add_input();
                let (next, reset) = (state, Lit::FALSE);
                joint.latches.push(Latch { state, next, reset, literal: 0, name: None });
                set(latch.state, state);
                own.push(latch);
            }
        }
    }
    let [property] = certificate.properties() else { return Err(unfit("it has one property")) };
    let mut roots = vec![property.lit];
    roots.extend(own.iter().flat_map(|latch| [latch.next, latch.reset]));
    let copied = certificate.aig.copy_into(&mut joint.aig, &roots, &images);
    for (latch, pair) in joint.latches[first..].iter_mut().zip(copied[1..].chunks(2)) {
        (latch.next, latch.reset) = (pair[0], pair[1]);
    }
    Ok(copied[0])
}

fn mapping(model: &AigerModel, certificate: &AigerModel) -> Result<Mapping, Rejection> {
    if let Some(mapping) = read_mapping(model, certificate)? {
        return Ok(mapping);
    }
    let none = || unfit("it has no property");
    let left = Machine::of_model(model, 0).ok_or_else(none)?;
    let right = Machine::of_model(certificate, 0).ok_or_else(none)?;
    Ok(Mapping::by_position(&left, &right))
}

fn unfit(cause: &str) -> Rejection {
    Rejection::Malformed(format!("the certificate cannot be joined with others: {cause}"))
}
