//! Checks certificates and witnesses of word-level models.

use super::bits::WordMachine;
use super::ids::VariableIds;
use crate::lasso::check_word_lasso;
use crate::machine::Machine;
use crate::rejection::Rejection;
use crate::simulation::{Mapping, Source, check_simulation};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;
use wedge_hw::btor2::{self, Btor2Error, Witness};
use wedge_logic::Term;
use wedge_logic::blast::Limits;
use wedge_model::{System, WordTrace};
use wedge_sat::Interrupt;

/// Reads both files and checks the certificate of one of the model's properties.
pub fn check_word_certificate_files(
    model: &Path,
    certificate: &Path,
    property: usize,
    limits: Limits,
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    let name = model.display().to_string();
    let bytes = std::fs::read(model).map_err(|error| Btor2Error {
        path: name.clone(),
        line: None,
        kind: btor2::ErrorKind::Unreadable,
        cause: error.to_string(),
    })?;
    let (model, ids) = (btor2::parse(&name, &bytes)?, VariableIds::scan(&bytes));
    let certificate = btor2::read(certificate)?;
    check_word_certificate(&model, &ids, &certificate, property, limits, interrupt)
}

/// Checks the five conditions of [`check_simulation`] for two systems as read from their files.
/// The property of the certificate is that none of its bads holds.
pub fn check_word_certificate(
    model: &System,
    ids: &VariableIds,
    certificate: &System,
    property: usize,
    limits: Limits,
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    let bad = property_of(model, property)?;
    if certificate.bads.is_empty() {
        return Err(Rejection::Malformed("the certificate has no property".to_string()));
    }
    let shared = match by_symbol(model, ids, certificate)? {
        shared if shared.is_empty() => by_position(model, certificate),
        shared => shared,
    };
    check_sorts(model, certificate, &shared)?;
    let kept: FxHashSet<Term> = shared.values().copied().collect();
    let left = WordMachine::new(model, &[bad], &kept, limits)?;
    let bads: Vec<Term> = certificate.bads.iter().map(|bad| bad.term).collect();
    let own = certificate.states.iter().map(|state| state.var);
    let all: FxHashSet<Term> = own.chain(shared.keys().copied()).collect();
    let right = WordMachine::new(certificate, &bads, &all, limits)?;
    let mapping = bit_mapping(certificate, &shared, &left, &right);
    check_simulation(&left.machine(), &right.machine(), &mapping, interrupt)
}

pub(super) fn property_of(model: &System, property: usize) -> Result<Term, Rejection> {
    let count = model.bads.len();
    let missing = || Rejection::Malformed(format!("there is no property {property}, but {count}"));
    model.bads.get(property).map(|bad| bad.term).ok_or_else(missing)
}

/// From variables of the certificate to those of the model.
type Shared = FxHashMap<Term, Term>;

fn variables(system: &System) -> impl Iterator<Item = Term> {
    system.inputs.iter().copied().chain(system.states.iter().map(|state| state.var))
}

/// The variables whose symbol starts with `=`.
fn by_symbol(model: &System, ids: &VariableIds, certificate: &System) -> Result<Shared, Rejection> {
    let numbers = ids.inputs.iter().chain(&ids.states).copied();
    let declared: FxHashMap<u64, Term> = numbers.zip(variables(model)).collect();
    let mut shared = Shared::default();
    for var in variables(certificate) {
        let name = certificate.name(var);
        let Some(id) = name.strip_prefix('=') else { continue };
        let original = id.parse().ok().and_then(|id: u64| declared.get(&id));
        let missing = || {
            Rejection::Malformed(format!("symbol '{name}' names no input or state of the model"))
        };
        shared.insert(var, *original.ok_or_else(missing)?);
    }
    Ok(shared)
}

/// The first inputs and the first states of both systems correspond.
fn by_position(model: &System, certificate: &System) -> Shared {
    let inputs = certificate.inputs.iter().copied().zip(model.inputs.iter().copied());
    let states = certificate.states.iter().zip(&model.states);
    inputs.chain(states.map(|(state, original)| (state.var, original.var))).collect()
}

fn check_sorts(model: &System, certificate: &System, shared: &Shared) -> Result<(), Rejection> {
    for var in variables(certificate) {
        let Some(&original) = shared.get(&var) else { continue };
        let (given, wanted) = (certificate.terms.sort(var), model.terms.sort(original));
        if given != wanted {
            let name = certificate.name(var);
            let cause = format!("'{name}' has sort '{given}', in the model '{wanted}'");
            return Err(Rejection::Malformed(cause));
        }
    }
    Ok(())
}

/// The mapping bit by bit; bits that share nothing map to nothing.
fn bit_mapping(
    certificate: &System,
    shared: &Shared,
    left: &WordMachine,
    right: &WordMachine,
) -> Mapping {
    let Machine { inputs, registers, .. } = right.machine();
    let mut mapping =
        Mapping { inputs: vec![None; inputs.len()], registers: vec![None; registers.len()] };
    for (&var, &original) in shared {
        let (Some(here), Some(there)) = (right.place(var), left.place(original)) else { continue };
        let count = certificate.terms.sort(var).bits() as usize;
        for offset in 0..count {
            let source = match there {
                Source::Input(first) => Source::Input(first + offset),
                Source::Register(first) => Source::Register(first + offset),
            };
            match here {
                Source::Input(first) => mapping.inputs[first + offset] = Some(source),
                Source::Register(first) => mapping.registers[first + offset] = Some(source),
            }
        }
    }
    mapping
}

/// Accepts exactly the witnesses whose run reaches the bad states they name, and is a lasso for the
/// justice properties they name; returns the run.
pub fn check_word_witness(model: &System, witness: &Witness) -> Result<WordTrace, Rejection> {
    if witness.properties.is_empty() {
        return Err(Rejection::Malformed("the witness names no property".to_string()));
    }
    let trace = witness.check(model)?;
    for justice in witness.properties.iter().filter_map(|p| p.checked_sub(model.bads.len())) {
        check_word_lasso(model, justice, &trace)?;
    }
    Ok(trace)
}
