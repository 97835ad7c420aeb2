//! AIGER models: a circuit per property, and an automaton over bits.

use super::as_smt2;
use super::clauses::clauses;
use super::liveness::{Live, NOT_CLOSED, Origin, as_aiger, live_as_smt2};
use super::problem::{at_head, no_certificate, not_modelled};
use super::{
    Analyses, CertifyError, Effort, Emission, EmittedRoom, InputError, Model, PathProblem,
    PathWayBack, Piece, Problem, Publication, Replayed, WayBack,
};
use crate::decide::Evidence;
use crate::options::WitnessFormat;
use crate::question::Question;
use std::path::Path;
use std::sync::Arc;
use wedge_engines::{Context, UnknownReason};
use wedge_evidence::{
    Course, Proof, Rejection, check_certificate, check_lasso, check_trace, check_witness, claims,
    closed_lasso, joined_certificate,
};
use wedge_hw::aiger::{self, AigerModel, Witness};
use wedge_logic::aig::word;
use wedge_logic::{Lit, Term};
use wedge_model::bits::{bit_predicate, bit_trace};
use wedge_model::cfa::{Cfa, CutInvariants, Run, word_trace};
use wedge_model::partial::partial;
use wedge_model::simulate::evaluate;
use wedge_model::{Circuit, Justice, Predicate, System, Trace, WordTrace};
use wedge_report::shown::{Signal, SignalKind, Waveform};
use wedge_sat::Interrupt;

struct Aiger(Arc<AigerModel>);

struct Property {
    model: Arc<AigerModel>,
    question: Question,
    /// The model in which the question is the property with this number.
    asked: Arc<AigerModel>,
    index: usize,
}

/// The same property as an automaton.
struct PathProperty {
    property: Property,
    system: System,
    automaton: Arc<Cfa>,
}

pub fn read(path: &Path) -> Result<Arc<dyn Model>, InputError> {
    let model = aiger::read(path).map_err(|e| InputError(e.to_string()))?;
    Ok(Arc::new(Aiger(Arc::new(model))))
}

impl Aiger {
    /// Requires a question about properties that are there.
    fn property(&self, question: &Question) -> Property {
        let (model, question) = (self.0.clone(), question.clone());
        let (asked, index) = match question.single() {
            Some(property) => (model.clone(), property),
            None => (Arc::new(model.any_of(question.properties())), 0),
        };
        Property { model, question, asked, index }
    }

    /// The justice property, if the question is about one.
    fn live(&self, question: &Question) -> Option<Live> {
        let property = question.single()?;
        let index = property.checked_sub(self.num_bads())?;
        let justice = self.0.justice.get(index)?;
        let fairness = self.0.fairness.iter().map(|fair| fair.lit);
        let lits: Vec<Lit> = justice.lits.iter().copied().chain(fairness).collect();
        let (mut system, mut terms) = self.0.without_property().to_system_with(&lits);
        system.fairness = terms.split_off(justice.lits.len());
        system.justice = vec![Justice { name: justice.name.clone(), terms }];
        let origin = Arc::new(LassoOf { model: self.0.clone(), justice: index });
        Some(Live { property, liveness: system.liveness(0), origin })
    }

    fn circuit(&self, property: usize) -> Result<Circuit, String> {
        self.0.circuit(property).ok_or_else(|| format!("there is no property {property}"))
    }
}

impl Model for Aiger {
    fn num_properties(&self) -> usize {
        self.num_bads() + self.0.justice.len()
    }

    fn num_bads(&self) -> usize {
        self.0.properties().len()
    }

    fn property_name(&self, property: usize) -> Option<String> {
        match property.checked_sub(self.num_bads()) {
            None => self.0.properties()[property].name.clone(),
            Some(justice) => self.0.justice[justice].name.clone(),
        }
    }

    fn problem(
        &self,
        question: &Question,
        _: &Effort,
        _: &Context,
    ) -> Result<Problem, UnknownReason> {
        if let Some(live) = self.live(question) {
            return live.problem();
        }
        let property = self.property(question);
        Ok(Problem::new(Arc::new(property.circuit()), Arc::new(property), Vec::new()))
    }

    fn path_problem(
        &self,
        question: &Question,
        _: &Effort,
        _: &Context,
    ) -> Result<PathProblem, UnknownReason> {
        if let Some(live) = self.live(question) {
            return live.path_problem();
        }
        let property = self.property(question);
        let system = property.circuit().to_system();
        let automaton = Cfa::from_system(&system, 0).map_err(not_modelled)?;
        let automaton = Arc::new(automaton);
        let way_back = PathProperty { property, system, automaton: automaton.clone() };
        Ok(PathProblem::new(automaton, Arc::new(way_back), Vec::new()))
    }

    fn joined_certificate(&self, certificates: &[Vec<u8>]) -> Result<Vec<u8>, String> {
        let read = |bytes: &Vec<u8>| aiger::parse(bytes, "certificate");
        let certificates: Result<Vec<AigerModel>, _> = certificates.iter().map(read).collect();
        let certificates = certificates.map_err(|error| error.to_string())?;
        let joined = joined_certificate(&self.0, &certificates).map_err(|e| e.to_string())?;
        Ok(joined.to_binary())
    }

    fn emit(&self, emission: Emission, _: EmittedRoom) -> Result<Vec<u8>, String> {
        match emission {
            Emission::Aiger(property, form) => {
                if let Some(live) = self.live(&Question::one(property)) {
                    return Ok(form.write(&as_aiger(&live.liveness.system)?));
                }
                let circuit = self.circuit(property)?;
                Ok(form.write(&AigerModel::from_circuit(&circuit)))
            }
            Emission::Smt2(property, form) => {
                if let Some(live) = self.live(&Question::one(property)) {
                    return live_as_smt2(&live.liveness.system, form);
                }
                let automaton = Cfa::from_system(&self.circuit(property)?.to_system(), 0);
                as_smt2(&automaton.map_err(|e| e.to_string())?, form)
            }
            Emission::Btor2 => Err("a bit-level circuit cannot be written as words".into()),
            Emission::Dot => Err("a circuit has no control-flow automaton".into()),
        }
    }

    fn certify(
        &self,
        evidence: &Path,
        question: &Question,
        interrupt: &Interrupt,
    ) -> Result<&'static str, CertifyError> {
        let bytes = std::fs::read(evidence)
            .map_err(|e| CertifyError::Input(format!("{}: {e}", evidence.display())))?;
        if bytes.starts_with(b"aig ") || bytes.starts_with(b"aag ") {
            let certificate = aiger::read(evidence).map_err(CertifyError::input)?;
            if question.properties().iter().any(|&property| property >= self.num_bads()) {
                let cause = "there are no certificates of justice properties";
                return Err(CertifyError::Input(cause.to_string()));
            }
            let Property { asked, index, .. } = self.property(question);
            check_certificate(&asked, &certificate, index, interrupt)?;
            return Ok("certificate");
        }
        let witnesses = Witness::read(evidence, &self.0).map_err(CertifyError::input)?;
        witnesses.iter().try_for_each(|witness| check_witness(&self.0, witness))?;
        Ok("witness")
    }
}

impl Property {
    fn circuit(&self) -> Circuit {
        self.asked.circuit(self.index).expect("the question was checked")
    }

    fn as_witness(&self, trace: &Trace) -> Witness {
        let bads = self.model.properties().len();
        Witness { properties: self.violated_by(trace), bads, trace: self.model.trace(trace) }
    }

    /// The properties in question that the last step of a path violates.
    fn violated_by(&self, trace: &Trace) -> Vec<usize> {
        if self.question.single().is_some() {
            return self.question.properties().to_vec();
        }
        let circuit = self.circuit();
        let Ok(states) = check_trace(&circuit, trace) else { return Vec::new() };
        let (Some(state), Some(inputs)) = (states.last(), trace.inputs.last()) else {
            return Vec::new();
        };
        let words = evaluate(&circuit, state, inputs);
        let holds =
            |&property: &usize| word(&words, self.model.properties()[property].lit) & 1 == 1;
        self.question.properties().iter().copied().filter(holds).collect()
    }

    fn replay(&self, trace: &Trace, course: Course) -> Replayed {
        claims::aiger_trace(&self.asked, self.index, trace, course)
    }

    fn invariant_certificate(&self, invariant: &Predicate) -> Result<Piece<Vec<u8>>, Rejection> {
        let certificate = wedge_evidence::certificate(&self.asked, self.index, invariant)?;
        Ok(Piece::new(certificate.to_binary()))
    }

    fn waveform(&self, trace: &Trace) -> Waveform {
        let bad = |&property: &usize| {
            let bad = &self.model.properties()[property];
            (bad.name.clone().unwrap_or_else(|| format!("bad {property}")), bad.lit)
        };
        let bads: Vec<(String, Lit)> = self.question.properties().iter().map(bad).collect();
        waveform(&self.model, &self.circuit(), trace, &bads)
    }

    /// The conjuncts of an invariant.
    fn clauses(&self, invariant: &Predicate) -> Vec<String> {
        let mut names: Vec<String> = latch_names(&self.model).collect();
        names.resize(invariant.aig.num_inputs().max(names.len()), "first step".into());
        clauses(invariant, &names)
    }
}

fn latch_names(model: &AigerModel) -> impl Iterator<Item = String> + '_ {
    let latches = model.latches.iter().enumerate();
    latches.map(|(index, latch)| latch.name.clone().unwrap_or_else(|| format!("l{index}")))
}

/// The values of inputs, latches and these literals along a path, which the simulator finds.
fn waveform(
    model: &AigerModel,
    circuit: &Circuit,
    trace: &Trace,
    bads: &[(String, Lit)],
) -> Waveform {
    let digit = |value: bool| if value { "1" } else { "0" }.to_string();
    let mut states = vec![trace.initial.clone()];
    let mut seen: Vec<Vec<String>> = vec![Vec::new(); bads.len()];
    for (step, inputs) in trace.inputs.iter().enumerate() {
        let words = evaluate(circuit, &states[step], inputs);
        let value = |lit: Lit| word(&words, lit) & 1 == 1;
        seen.iter_mut().zip(bads).for_each(|(seen, (_, lit))| seen.push(digit(value(*lit))));
        states.push(circuit.latches.iter().map(|latch| value(latch.next)).collect());
    }
    states.truncate(trace.inputs.len());
    let mut signals = Vec::new();
    for (index, input) in model.inputs.iter().enumerate() {
        let name = input.name.clone().unwrap_or_else(|| format!("i{index}"));
        let values = trace.inputs.iter().map(|step| digit(step[index]));
        signals.push(Signal::new(name, SignalKind::Input, 1, values));
    }
    for (index, name) in latch_names(model).enumerate() {
        let values = states.iter().map(|state| digit(state[index]));
        signals.push(Signal::new(name, SignalKind::State, 1, values));
    }
    for ((name, _), seen) in bads.iter().zip(seen) {
        signals.push(Signal::new(name, SignalKind::Bad, 1, seen.into_iter()));
    }
    Waveform { steps: trace.inputs.len(), signals, omitted: 0 }
}

impl Analyses for Property {
    fn formula(&self, predicate: &Predicate) -> Option<String> {
        Some(self.clauses(predicate).join(" ∧ "))
    }
}

impl WayBack for Property {
    fn replay(&self, trace: Trace) -> Replayed {
        Property::replay(self, &trace, Course::Trace(trace.clone()))
    }
}

impl Publication for Property {
    fn witness(
        &self,
        evidence: &Evidence,
        _: WitnessFormat,
        _: &Interrupt,
    ) -> Result<Piece<Vec<u8>>, Rejection> {
        Ok(match evidence.trace() {
            Some(trace) => Piece::new(self.as_witness(trace).to_string().into_bytes()),
            _ => Piece::none(),
        })
    }

    fn partial_witness(&self, evidence: &Evidence) -> Option<Vec<u8>> {
        let trace = evidence.trace()?;
        let mut open = partial(&self.circuit(), trace);
        open.initial.truncate(self.model.latches.len());
        Some(self.as_witness(trace).partial_text(&open).into_bytes())
    }

    fn violated(&self, evidence: &Evidence) -> Vec<usize> {
        evidence.trace().map_or(Vec::new(), |trace| self.violated_by(trace))
    }

    fn certificate(&self, evidence: &Evidence) -> Result<Piece<Vec<u8>>, Rejection> {
        match evidence.proof() {
            Some(Proof::Invariant(invariant)) => self.invariant_certificate(invariant),
            Some(Proof::Induction { k, simple_path: false, facts }) => {
                let (model, facts) = (&self.asked, facts.as_ref());
                let made = wedge_evidence::induction_certificate(model, self.index, *k, facts)?;
                Ok(Piece::new(made.to_binary()))
            }
            _ => Ok(no_certificate(evidence)),
        }
    }

    fn waveform(&self, evidence: &Evidence) -> Option<Waveform> {
        Some(Property::waveform(self, evidence.trace()?))
    }

    fn clauses(&self, evidence: &Evidence) -> Vec<String> {
        match evidence.proof() {
            Some(Proof::Invariant(invariant) | Proof::Induction { facts: Some(invariant), .. }) => {
                Property::clauses(self, invariant)
            }
            _ => Vec::new(),
        }
    }
}

/// A lasso of a justice property.
struct LassoOf {
    model: Arc<AigerModel>,
    justice: usize,
}

impl LassoOf {
    fn bits(&self, lasso: &WordTrace) -> Trace {
        self.model.trace(&bit_trace(lasso))
    }
}

impl Origin for LassoOf {
    fn replay(&self, lasso: &WordTrace, course: Course) -> Replayed {
        claims::aiger_lasso(&self.model, self.justice, &self.bits(lasso), course)
    }

    fn witness(&self, lasso: &WordTrace) -> Result<Piece<Vec<u8>>, Rejection> {
        let lasso = self.bits(lasso);
        let first = check_lasso(&self.model, self.justice, &lasso)?;
        let closed = closed_lasso(&self.model, &lasso, first);
        let remark = closed.is_none().then(|| NOT_CLOSED.to_string());
        let bads = self.model.properties().len();
        let trace = closed.unwrap_or(lasso);
        let witness = Witness { properties: vec![bads + self.justice], bads, trace };
        Ok(Piece { content: Some(witness.to_string().into_bytes()), remark })
    }

    fn waveform(&self, lasso: &WordTrace) -> Waveform {
        waveform(&self.model, &self.model.without_property(), &self.bits(lasso), &[])
    }
}

impl PathProperty {
    fn trace(&self, run: &Run) -> Trace {
        bit_trace(&word_trace(&self.system, &self.automaton, run))
    }

    /// What a proof says at the only loop.
    fn at_loop(&self, proof: &CutInvariants) -> Result<Predicate, Rejection> {
        let states: Vec<Term> = self.system.states.iter().map(|s| s.var).collect();
        Ok(match at_head(&self.automaton, proof) {
            Some(term) => bit_predicate(&proof.terms, term, &states)?,
            None => Predicate::constant(true, states.len()),
        })
    }
}

impl PathWayBack for PathProperty {
    fn replay(&self, run: Run) -> Replayed {
        self.property.replay(&self.trace(&run), Course::Path(run))
    }
}

impl Publication for PathProperty {
    fn witness(
        &self,
        evidence: &Evidence,
        _: WitnessFormat,
        _: &Interrupt,
    ) -> Result<Piece<Vec<u8>>, Rejection> {
        let Some(run) = evidence.path() else { return Ok(Piece::none()) };
        let witness = self.property.as_witness(&self.trace(run));
        Ok(Piece::new(witness.to_string().into_bytes()))
    }

    fn violated(&self, evidence: &Evidence) -> Vec<usize> {
        evidence.path().map_or(Vec::new(), |run| self.property.violated_by(&self.trace(run)))
    }

    fn certificate(&self, evidence: &Evidence) -> Result<Piece<Vec<u8>>, Rejection> {
        match evidence.proof() {
            Some(Proof::Invariants(proof)) => {
                self.property.invariant_certificate(&self.at_loop(proof)?)
            }
            _ => Ok(no_certificate(evidence)),
        }
    }

    fn waveform(&self, evidence: &Evidence) -> Option<Waveform> {
        Some(self.property.waveform(&self.trace(evidence.path()?)))
    }

    fn clauses(&self, evidence: &Evidence) -> Vec<String> {
        match evidence.proof() {
            Some(Proof::Invariants(proof)) => {
                self.at_loop(proof).map_or(Vec::new(), |found| self.property.clauses(&found))
            }
            _ => Vec::new(),
        }
    }
}
