//! From a program to a circuit: automaton, slice, transition system, bits. Everything on the way
//! is kept, since evidence goes the same way back.

use super::arrays::Arrays;
use super::unsupported;
use crate::input::Emission;
use crate::input::as_smt2;
use crate::input::problem::not_modelled;
use std::sync::Arc;
use std::time::Instant;
use wedge_c::Properties;
use wedge_c::encode::{Encoded, Room, encode};
use wedge_c::typed::Program;
use wedge_engines::UnknownReason;
use wedge_engines::figures;
use wedge_evidence::btor2::{VariableIds, word_certificate};
use wedge_evidence::cuts::circuit::circuit_invariant;
use wedge_evidence::{Rejection, claims};
use wedge_hw::aiger::AigerModel;
use wedge_hw::btor2;
use wedge_logic::Sort;
use wedge_logic::blast::Limits;
use wedge_model::cfa::{
    self, BlockOptions, Cfa, CutInvariants, Cuts, ERROR, LIMIT, LocationId, Run, SingleLoop,
    Sliced, TooLarge, reduce_within, single_loop,
};
use wedge_model::{Circuit, Named, System, WordTrace, lower};
use wedge_sat::Interrupt;

/// A figure about the model.
pub type Size = (figures::Key, f64);

/// The bad state after those of the transition system: an error or the end of the model.
const EITHER: usize = 2;
/// The reductions keep a bit for every variable at every location; this is 2 GB of them.
const MAX_LIVENESS_BITS: usize = 16 << 30;
/// No run of an automaton that is followed is longer.
const MAX_EDGES: usize = 50_000_000;

/// A program as an automaton.
pub struct ProgramAutomaton {
    pub program: Arc<Program>,
    pub properties: Arc<Properties>,
    pub encoded: Encoded,
    pub sliced: Arc<Cfa>,
    pub bounds: Room,
    seconds: f64,
}

impl ProgramAutomaton {
    pub fn new(
        program: Arc<Program>,
        properties: Arc<Properties>,
        bounds: Room,
    ) -> Result<ProgramAutomaton, UnknownReason> {
        let start = Instant::now();
        let encoded = encode(&program, &properties, bounds).map_err(|error| unsupported(&error))?;
        let too_large = |size: TooLarge| {
            UnknownReason::TooLarge(format!("a program this large: {size} that may matter"))
        };
        let Sliced { cfa: sliced, .. } =
            reduce_within(&encoded.cfa, MAX_LIVENESS_BITS).map_err(too_large)?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(ProgramAutomaton {
            program,
            properties,
            encoded,
            sliced: Arc::new(sliced),
            bounds,
            seconds,
        })
    }

    pub fn sizes(&self) -> Vec<Size> {
        vec![
            (figures::MODEL_LOCATIONS, self.encoded.cfa.locations.len() as f64),
            (figures::MODEL_EDGES, self.encoded.cfa.edges.len() as f64),
            (figures::MODEL_VARIABLES, self.encoded.cfa.variables.len() as f64),
            (figures::SLICED_LOCATIONS, self.sliced.locations.len() as f64),
            (figures::SLICED_EDGES, self.sliced.edges.len() as f64),
            (figures::SLICED_VARIABLES, self.sliced.variables.len() as f64),
            (figures::RECURSION_DEPTH, self.bounds.depth as f64),
            (figures::RECURSION_STACK, self.bounds.stack as f64),
            (figures::ALLOCATION_POOL, self.bounds.pool as f64),
        ]
    }

    /// The run of the automaton before slicing that a run of it stands for.
    pub fn whole_run(&self, run: &Run) -> Result<Run, Rejection> {
        if run.target.is_none() {
            return Err(Rejection::Malformed("the run does not reach a target".into()));
        }
        cfa::run::retrace(&self.encoded.cfa, &self.sliced, run, MAX_EDGES).map_err(shape)
    }

    /// Where a location comes from.
    fn label(&self, location: LocationId) -> Option<String> {
        let origin = self.sliced.locations[location.0 as usize].origin?;
        let origin = self.encoded.origins.get(origin as usize)?;
        let function = &self.program.function(origin.function).name;
        Some(format!("{function} {}", self.program.files.show(origin.position)))
    }
}

fn shape(error: cfa::run::RunError) -> Rejection {
    Rejection::Malformed(error.to_string())
}

/// A program as a transition system with one loop.
pub struct Translation {
    pub automaton: ProgramAutomaton,
    /// With a third bad: one of the first two.
    pub single: SingleLoop,
    /// Whether arrays are abstracted in `single`.
    pub is_coarse: bool,
    seconds: f64,
}

/// The transition system of an automaton, with a third bad: one of the first two.
pub fn single_loop_of(automaton: &Cfa, small_blocks: bool) -> Result<SingleLoop, UnknownReason> {
    let cuts = if small_blocks { Cuts::Everywhere } else { Cuts::Heads };
    let options = BlockOptions { cuts, ..BlockOptions::default() };
    let too_large = |error: cfa::TooManyTerms| UnknownReason::TooLarge(error.to_string());
    let mut single = single_loop(automaton, &options).map_err(too_large)?;
    add_either(&mut single.system);
    Ok(single)
}

fn add_either(system: &mut System) {
    let either = system.terms.or(system.bads[ERROR].term, system.bads[LIMIT].term);
    system.bads.push(Named { name: Some("error or limit".into()), term: either });
}

/// A transition system as it is emitted, and the numbers of its variables in that file.
pub fn emitted(system: &System) -> Result<(System, VariableIds), Rejection> {
    let written = btor2::write(system);
    let written = written.map_err(|error| Rejection::Malformed(error.to_string()))?;
    let ids = VariableIds::scan(written.text.as_bytes());
    Ok((system.clone(), ids))
}

/// The certificate of formulas at the cut points, about the transition system that is emitted; none
/// if they are no invariant of it, as where it holds fewer variables than they speak of.
pub fn certificate_at_cuts(
    automaton: &Cfa,
    proof: &CutInvariants,
) -> Result<Option<Vec<u8>>, Rejection> {
    let malformed = |reason: String| Rejection::Malformed(reason);
    let single = single_loop_of(automaton, false).map_err(|e| malformed(e.to_string()))?;
    let (circuit, lowered) = lower::lower(&single.system, EITHER, Limits::default())
        .map_err(|error| malformed(error.to_string()))?;
    let Some(invariant) = circuit_invariant(automaton, &single, &lowered, proof) else {
        return Ok(None);
    };
    match claims::invariant(&circuit, invariant.clone(), &Interrupt::default()) {
        Ok(_) => {}
        Err(Rejection::Refuted { .. }) => return Ok(None),
        Err(other) => return Err(other),
    }
    let (mut system, ids) = emitted(&single.system)?;
    let invariant = lowered.predicate(&mut system, &invariant);
    Ok(Some(word_certificate(&system, &ids, ERROR, invariant)?.into_bytes()))
}

impl Translation {
    pub fn new(
        automaton: ProgramAutomaton,
        small_blocks: bool,
        arrays: Arrays,
    ) -> Result<Translation, UnknownReason> {
        let start = Instant::now();
        let mut single = single_loop_of(&automaton.sliced, small_blocks)?;
        let is_coarse = arrays.is_abstracted(&single.system);
        if is_coarse {
            single.system.bads.truncate(EITHER);
            single = arrays.abstracted(&single)?;
            add_either(&mut single.system);
        }
        let seconds = automaton.seconds + start.elapsed().as_secs_f64();
        Ok(Translation { automaton, single, is_coarse, seconds })
    }

    /// The bad state of the transition system that is to be avoided.
    pub fn bad(only_error: bool) -> usize {
        if only_error { ERROR } else { EITHER }
    }

    pub fn circuit(
        &self,
        only_error: bool,
    ) -> Result<(Circuit, lower::LoweringMap), UnknownReason> {
        let bad = Translation::bad(only_error);
        let lowered = lower::lower(&self.single.system, bad, Limits::default());
        lowered.map_err(not_modelled)
    }

    pub fn sizes(&self) -> Vec<Size> {
        let system = &self.single.system;
        let bits = |sort: Sort| sort.bits() as f64;
        let state_bits: f64 = system.states.iter().map(|s| bits(system.terms.sort(s.var))).sum();
        let input_bits: f64 = system.inputs.iter().map(|&i| bits(system.terms.sort(i))).sum();
        let mut sizes = self.automaton.sizes();
        sizes.extend([
            (figures::LOOP_HEADS, self.single.cuts.len() as f64 - 1.0),
            (figures::STATE_BITS, state_bits),
            (figures::INPUT_BITS, input_bits),
            (figures::TRANSLATION_SECONDS, self.seconds),
        ]);
        sizes
    }

    /// The run of the whole automaton that a trace of the system stands for.
    pub fn run(&self, trace: &WordTrace) -> Result<Run, Rejection> {
        let sliced = &self.automaton.sliced;
        let run = cfa::run::run(sliced, &self.single, trace, MAX_EDGES).map_err(shape)?;
        self.automaton.whole_run(&run)
    }

    pub fn emit(&self, emission: Emission) -> Result<Vec<u8>, String> {
        match emission {
            Emission::Btor2 => {
                let mut system = self.single.system.clone();
                system.bads.truncate(EITHER);
                let never = |bad: &Named| system.terms.value(bad.term).is_some_and(|v| v.is_zero());
                if never(&system.bads[LIMIT]) {
                    system.bads.truncate(LIMIT);
                }
                let written = btor2::write(&system).map_err(|error| error.to_string())?;
                Ok(written.text.into_bytes())
            }
            Emission::Aiger(property, form) if property < EITHER => {
                let lowered = lower::lower(&self.single.system, property, Limits::default());
                let (circuit, _) = lowered.map_err(|error| error.to_string())?;
                Ok(form.write(&AigerModel::from_circuit(&circuit)))
            }
            Emission::Aiger(property, _) => Err(format!("there is no property {property}")),
            Emission::Smt2(0, form) => as_smt2(&self.automaton.sliced, form),
            Emission::Smt2(property, _) => Err(format!("there is no property {property}")),
            Emission::Dot => {
                let automaton = &self.automaton;
                let label = |location| automaton.label(location);
                Ok(cfa::dot(&automaton.sliced, &label).into_bytes())
            }
        }
    }
}
