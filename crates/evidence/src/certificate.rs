//! Certificate circuits in AIGER, as Certifaiger reads them.
//!
//! The certificate of an inductive invariant is the model itself with a stronger property,
//! P' = Inv ∧ P. Every input and latch carries the symbol `= <literal of the model's file>`.

use crate::machine::Machine;
use crate::rejection::Rejection;
use crate::simulation::{Mapping, Source, check_simulation};
use rustc_hash::FxHashMap;
use std::path::Path;
use wedge_hw::aiger::{self, AigerModel, Latch, Property};
use wedge_logic::Lit;
use wedge_model::Predicate;
use wedge_sat::Interrupt;

/// The certificate of property `property` of `model`; `invariant` is one of its circuit
/// ([`AigerModel::circuit`]).
///
/// If that circuit has a first-step latch, the certificate has it too, and its property says
/// that in the first step the latches have their resets, which the circuit had as a constraint.
pub fn certificate(
    model: &AigerModel,
    property: usize,
    invariant: &Predicate,
) -> Result<AigerModel, Rejection> {
    let bad = property_of(model, property)?.lit;
    let mut certificate = model.clone();
    let mut conjuncts = vec![!bad];
    conjuncts.extend(state_facts(&mut certificate, invariant)?);
    let holds = certificate.aig.and_all(&conjuncts);
    let properties = vec![Property { lit: !holds, name: None }];
    (certificate.outputs, certificate.bads) = match model.outputs_are_bad() {
        true => (properties, Vec::new()),
        false => (Vec::new(), properties),
    };
    name_shared(&mut certificate, model);
    certificate.renumber();
    Ok(certificate)
}

/// An invariant of the circuit of a model as literals of a certificate that begins as a copy of it. If
/// the circuit has a first-step latch, the certificate gets it.
pub(crate) fn state_facts(
    certificate: &mut AigerModel,
    invariant: &Predicate,
) -> Result<Vec<Lit>, Rejection> {
    let own = certificate.latches.clone();
    let mut latches: Vec<Lit> = own.iter().map(|latch| latch.state).collect();
    let mut conjuncts = Vec::new();
    let reads_input = certificate.latches_reset_by_inputs();
    if reads_input.contains(&true) {
        let first = add_first_step_latch(certificate);
        latches.push(first);
        for (latch, _) in own.iter().zip(&reads_input).filter(|(_, reads)| **reads) {
            let reset = certificate.aig.iff(latch.state, latch.reset);
            conjuncts.push(certificate.aig.implies(first, reset));
        }
    }
    if invariant.aig.num_inputs() != latches.len() {
        let (given, wanted) = (invariant.aig.num_inputs(), latches.len());
        let cause = format!("the invariant is over {given} latches, the circuit has {wanted}");
        return Err(Rejection::Malformed(cause));
    }
    conjuncts.extend(invariant.aig.copy_into(&mut certificate.aig, &[invariant.root], &latches));
    Ok(conjuncts)
}

pub(crate) fn property_of(model: &AigerModel, property: usize) -> Result<&Property, Rejection> {
    let count = model.properties().len();
    let missing = || Rejection::Malformed(format!("there is no property {property}, but {count}"));
    model.properties().get(property).ok_or_else(missing)
}

fn add_first_step_latch(certificate: &mut AigerModel) -> Lit {
    let state = certificate.aig.add_input();
    let (next, reset) = (Lit::FALSE, Lit::TRUE);
    certificate.latches.push(Latch { state, next, reset, literal: 0, name: None });
    state
}

pub(crate) fn name_shared(certificate: &mut AigerModel, model: &AigerModel) {
    for (input, original) in certificate.inputs.iter_mut().zip(&model.inputs) {
        input.name = Some(format!("= {}", original.literal));
    }
    for (latch, original) in certificate.latches.iter_mut().zip(&model.latches) {
        latch.name = Some(format!("= {}", original.literal));
    }
    certificate.constraints.iter_mut().for_each(|constraint| constraint.name = None);
    certificate.justice.clear();
    certificate.fairness.clear();
    certificate.comments.clear();
}

/// Reads both files and checks the certificate of one of the model's properties.
pub fn check_certificate_files(
    model: &Path,
    certificate: &Path,
    property: usize,
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    let (model, certificate) = (aiger::read(model)?, aiger::read(certificate)?);
    check_certificate(&model, &certificate, property, interrupt)
}

/// Checks the five conditions of [`check_simulation`] for two models as read from their files.
pub fn check_certificate(
    model: &AigerModel,
    certificate: &AigerModel,
    property: usize,
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    property_of(model, property)?;
    let count = certificate.properties().len();
    if count != 1 {
        let cause = format!("a certificate has one property, this one has {count}");
        return Err(Rejection::Malformed(cause));
    }
    let (Some(left), Some(right)) =
        (Machine::of_model(model, property), Machine::of_model(certificate, 0))
    else {
        return Err(Rejection::Malformed("there is no such property".to_string()));
    };
    let mapping = match read_mapping(model, certificate)? {
        Some(mapping) => mapping,
        None => Mapping::by_position(&left, &right),
    };
    check_simulation(&left, &right, &mapping, interrupt)
}

/// The mapping in the certificate's symbol table, `None` if no symbol starts with `=`.
pub(crate) fn read_mapping(
    model: &AigerModel,
    certificate: &AigerModel,
) -> Result<Option<Mapping>, Rejection> {
    let mut sources = FxHashMap::default();
    for (index, input) in model.inputs.iter().enumerate() {
        sources.insert(input.literal, Source::Input(index));
    }
    for (index, latch) in model.latches.iter().enumerate() {
        sources.insert(latch.literal, Source::Register(index));
    }
    let source = |name: &Option<String>| match name.as_deref().and_then(|n| n.strip_prefix('=')) {
        Some(literal) => read_source(literal, &sources).map(Some),
        None => Ok(None),
    };
    let inputs = certificate.inputs.iter().map(|input| source(&input.name));
    let latches = certificate.latches.iter().map(|latch| source(&latch.name));
    let mapping = Mapping {
        inputs: inputs.collect::<Result<_, _>>()?,
        registers: latches.collect::<Result<_, _>>()?,
    };
    if mapping.inputs.iter().chain(&mapping.registers).any(Option::is_some) {
        return Ok(Some(mapping));
    }
    match certificate.comments.iter().any(|line| line.starts_with("MAPPING")) {
        true => {
            Err(Rejection::Malformed("mappings of gates in comments are not supported".to_string()))
        }
        false => Ok(None),
    }
}

fn read_source(text: &str, sources: &FxHashMap<u64, Source>) -> Result<Source, Rejection> {
    let literal = text.trim().parse().ok();
    literal.and_then(|literal: u64| sources.get(&literal)).copied().ok_or_else(|| {
        Rejection::Malformed(format!("symbol '={text}' names no input or latch of the model"))
    })
}
