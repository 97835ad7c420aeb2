//! BTOR2 models: a circuit per property, and an automaton over words.

use super::as_smt2;
use super::clauses::show;
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
use wedge_evidence::btor2::{
    VariableIds, check_word_certificate, check_word_witness, joined_word_certificate,
    word_certificate, word_induction_certificate,
};
use wedge_evidence::{Course, Proof, Rejection, check_word_lasso, claims, closed_word_lasso};
use wedge_hw::aiger::AigerModel;
use wedge_hw::btor2::{self, Witness};
use wedge_logic::blast::Limits;
use wedge_logic::{Sort, Term, TermStore, Value};
use wedge_model::cfa::{Cfa, Run, word_trace};
use wedge_model::partial::partial;
use wedge_model::simulate_words::evaluator;
use wedge_model::{Choice, Circuit, Predicate, Signals, System, Trace, WordTrace, Words, lower};
use wedge_report::shown::{Signal, SignalKind, Waveform};
use wedge_sat::Interrupt;

struct Btor2 {
    system: Arc<System>,
    ids: Arc<VariableIds>,
}

/// A property of the file.
struct Property {
    system: Arc<System>,
    ids: Arc<VariableIds>,
    question: Question,
    /// The system in which the question is the bad with this number.
    asked: Arc<System>,
    index: usize,
}

/// The same property as a circuit.
struct CircuitProperty {
    property: Property,
    lowered: lower::LoweringMap,
    circuit: Arc<Circuit>,
}

/// The same property as an automaton.
struct PathProperty {
    property: Property,
    automaton: Arc<Cfa>,
}

pub fn read(path: &Path) -> Result<Arc<dyn Model>, InputError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|e| InputError(format!("{name}: {e}")))?;
    let system = btor2::parse(&name, &bytes).map_err(|e| InputError(e.to_string()))?;
    if system.bads.is_empty() && system.justice.is_empty() {
        let cause = "no property: there is no line with 'bad' or 'justice'";
        return Err(InputError(format!("{name}: {cause}")));
    }
    let ids = VariableIds::scan(&bytes);
    Ok(Arc::new(Btor2 { system: Arc::new(system), ids: Arc::new(ids) }))
}

impl Btor2 {
    /// Requires a question about properties that are there.
    fn property(&self, question: &Question) -> Property {
        let (system, ids, question) = (self.system.clone(), self.ids.clone(), question.clone());
        let (asked, index) = match question.single() {
            Some(property) => (system.clone(), property),
            None => (Arc::new(system.any_of(question.properties())), 0),
        };
        Property { system, ids, question, asked, index }
    }

    /// The justice property, if the question is about one.
    fn live(&self, question: &Question) -> Option<Live> {
        let property = question.single()?;
        let justice = property.checked_sub(self.num_bads())?;
        (justice < self.system.justice.len()).then(|| Live {
            property,
            liveness: self.system.liveness(justice),
            origin: Arc::new(LassoOf { system: self.system.clone(), justice }),
        })
    }
}

impl Model for Btor2 {
    fn num_properties(&self) -> usize {
        self.num_bads() + self.system.justice.len()
    }

    fn num_bads(&self) -> usize {
        self.system.bads.len()
    }

    fn property_name(&self, property: usize) -> Option<String> {
        match property.checked_sub(self.num_bads()) {
            None => self.system.bads[property].name.clone(),
            Some(justice) => self.system.justice[justice].name.clone(),
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
        let lowered = lower::lower(&property.asked, property.index, Limits::default());
        let (circuit, lowered) = lowered.map_err(not_modelled)?;
        let circuit = Arc::new(circuit);
        let way_back = CircuitProperty { property, lowered, circuit: circuit.clone() };
        Ok(Problem::new(circuit, Arc::new(way_back), Vec::new()))
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
        let automaton = Cfa::from_system(&property.asked, property.index).map_err(not_modelled)?;
        let automaton = Arc::new(automaton);
        let way_back = PathProperty { property, automaton: automaton.clone() };
        Ok(PathProblem::new(automaton, Arc::new(way_back), Vec::new()))
    }

    fn joined_certificate(&self, certificates: &[Vec<u8>]) -> Result<Vec<u8>, String> {
        let text = joined_word_certificate(certificates);
        text.map(String::into_bytes).map_err(|error| error.to_string())
    }

    fn emit(&self, emission: Emission, _: EmittedRoom) -> Result<Vec<u8>, String> {
        match emission {
            Emission::Btor2 => {
                let written = btor2::write(&self.system).map_err(|e| e.to_string())?;
                Ok(written.text.into_bytes())
            }
            Emission::Aiger(property, form) => {
                if let Some(live) = self.live(&Question::one(property)) {
                    return Ok(form.write(&as_aiger(&live.liveness.system)?));
                }
                let lowered = lower::lower(&self.system, property, Limits::default());
                let (circuit, _) = lowered.map_err(|e| e.to_string())?;
                Ok(form.write(&AigerModel::from_circuit(&circuit)))
            }
            Emission::Smt2(property, form) => {
                if let Some(live) = self.live(&Question::one(property)) {
                    return live_as_smt2(&live.liveness.system, form);
                }
                let automaton = Cfa::from_system(&self.system, property);
                as_smt2(&automaton.map_err(|e| e.to_string())?, form)
            }
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
        if bytes.starts_with(b"sat") {
            let witnesses = Witness::read(evidence, &self.system).map_err(CertifyError::input)?;
            let check = |witness| check_word_witness(&self.system, witness).map(drop);
            witnesses.iter().try_for_each(check)?;
            return Ok("witness");
        }
        let certificate = btor2::read(evidence).map_err(CertifyError::input)?;
        let limits = Limits::default();
        if question.properties().iter().any(|&property| property >= self.num_bads()) {
            let cause = "there are no certificates of justice properties";
            return Err(CertifyError::Input(cause.to_string()));
        }
        let Property { asked, ids, index, .. } = self.property(question);
        check_word_certificate(&asked, &ids, &certificate, index, limits, interrupt)?;
        Ok("certificate")
    }
}

impl Property {
    fn as_witness(&self, trace: &WordTrace) -> Witness {
        Witness::from_trace(&self.system, self.violated_by(trace), trace)
    }

    /// The properties in question that the last step of a path violates.
    fn violated_by(&self, trace: &WordTrace) -> Vec<usize> {
        let Some(last) = trace.steps.last() else { return Vec::new() };
        let mut evaluator = evaluator(&self.system, last);
        let mut holds =
            |&property: &usize| evaluator.holds(self.system.bads[property].term).unwrap_or(false);
        self.question.properties().iter().copied().filter(|property| holds(property)).collect()
    }

    fn replay(&self, trace: &WordTrace, course: Course) -> Replayed {
        claims::btor2_trace(&self.asked, self.index, trace, course)
    }

    fn witness(&self, trace: &WordTrace) -> Result<Piece<Vec<u8>>, Rejection> {
        let text = self.as_witness(trace).write(&self.system);
        text.map(|text| Piece::new(text.into_bytes()))
            .map_err(|e| Rejection::Malformed(e.to_string()))
    }

    fn waveform(&self, trace: &WordTrace) -> Waveform {
        let bad = |&property: &usize| {
            let bad = &self.system.bads[property];
            (bad.name.clone().unwrap_or_else(|| format!("bad {property}")), bad.term)
        };
        let bads: Vec<(String, Term)> = self.question.properties().iter().map(bad).collect();
        waveform(&self.system, trace, &bads)
    }

    /// The conjuncts of an invariant over these terms.
    fn clauses(&self, terms: &TermStore, invariant: Term) -> Vec<String> {
        let mut parts: Vec<String> =
            terms.conjuncts(invariant).iter().map(|&part| show(terms, part)).collect();
        parts.sort_by_key(String::len);
        parts
    }
}

/// The values of inputs, states and these terms along a path; arrays cannot be drawn.
fn waveform(system: &System, trace: &WordTrace, bads: &[(String, Term)]) -> Waveform {
    let inputs = system.inputs.iter().enumerate().map(|(index, &var)| {
        signal(system, var, SignalKind::Input, trace.steps.iter().map(|step| &step.inputs[index]))
    });
    let states = system.states.iter().enumerate().map(|(index, state)| {
        let values = trace.steps.iter().map(|step| &step.states[index]);
        signal(system, state.var, SignalKind::State, values)
    });
    let all: Vec<Option<Signal>> = inputs.chain(states).collect();
    let omitted = all.iter().filter(|signal| signal.is_none()).count();
    let mut signals: Vec<Signal> = all.into_iter().flatten().collect();
    for (name, term) in bads {
        let values = trace.steps.iter().map(|step| {
            let is_bad = evaluator(system, step).holds(*term).unwrap_or(false);
            if is_bad { "1" } else { "0" }.to_string()
        });
        signals.push(Signal::new(name, SignalKind::Bad, 1, values));
    }
    Waveform { steps: trace.steps.len(), signals, omitted }
}

fn signal<'a>(
    system: &System,
    var: Term,
    kind: SignalKind,
    values: impl Iterator<Item = &'a Value>,
) -> Option<Signal> {
    let Sort::Bv(width) = system.terms.sort(var) else { return None };
    let digits = |value: &Value| match value {
        Value::Bv(bits) => format!("{:x}", bits.to_biguint()),
        Value::Array(_) => String::new(),
    };
    Some(Signal::new(system.name(var), kind, width, values.map(digits)))
}

/// What is not listed counts as 0.
fn leave_out_zeros(frame: &mut Choice) {
    for value in frame.states.iter_mut().chain(&mut frame.inputs) {
        if matches!(value, Some(Value::Bv(bits)) if bits.is_zero()) {
            *value = None;
        }
    }
}

/// A lasso of a justice property.
struct LassoOf {
    system: Arc<System>,
    justice: usize,
}

impl Origin for LassoOf {
    fn replay(&self, lasso: &WordTrace, course: Course) -> Replayed {
        claims::btor2_lasso(&self.system, self.justice, lasso, course)
    }

    fn witness(&self, lasso: &WordTrace) -> Result<Piece<Vec<u8>>, Rejection> {
        let first = check_word_lasso(&self.system, self.justice, lasso)?;
        let closed = closed_word_lasso(&self.system, lasso, first);
        let remark = closed.is_none().then(|| NOT_CLOSED.to_string());
        let properties = vec![self.system.bads.len() + self.justice];
        let trace = closed.as_ref().unwrap_or(lasso);
        let text = Witness::from_trace(&self.system, properties, trace).write(&self.system);
        let text = text.map_err(|error| Rejection::Malformed(error.to_string()))?;
        Ok(Piece { content: Some(text.into_bytes()), remark })
    }

    fn waveform(&self, lasso: &WordTrace) -> Waveform {
        waveform(&self.system, lasso, &[])
    }
}

impl CircuitProperty {
    fn word_trace(&self, trace: &Trace) -> Result<WordTrace, Rejection> {
        Ok(self.lowered.trace(&self.property.asked, trace)?)
    }

    fn invariant_certificate(&self, invariant: &Predicate) -> Result<Vec<u8>, Rejection> {
        let Property { asked, ids, index, .. } = &self.property;
        let mut system = (**asked).clone();
        let invariant = self.lowered.predicate(&mut system, invariant);
        Ok(word_certificate(&system, ids, *index, invariant)?.into_bytes())
    }

    /// The certificate of a property that is k-inductive, together with facts if there are any.
    fn induction_certificate(
        &self,
        k: usize,
        facts: Option<&Predicate>,
    ) -> Result<Vec<u8>, Rejection> {
        let Property { asked, ids, index, .. } = &self.property;
        let mut system = (**asked).clone();
        let all = Predicate::constant(true, self.circuit.latches.len());
        // With what the lowering took for granted: the states that it replaced by constants.
        let facts = self.lowered.predicate(&mut system, facts.unwrap_or(&all));
        let text = word_induction_certificate(&system, ids, *index, k, facts)?;
        Ok(text.into_bytes())
    }
}

impl WayBack for CircuitProperty {
    fn replay(&self, trace: Trace) -> Replayed {
        self.property.replay(&self.word_trace(&trace)?, Course::Trace(trace))
    }
}

impl Analyses for CircuitProperty {
    fn signals(&self, budget: usize) -> Option<Signals> {
        let Property { asked, index, .. } = &self.property;
        Some(self.lowered.signals(asked, *index, budget))
    }

    fn words(&self) -> Option<Words> {
        Some(self.lowered.words(&self.property.asked, None))
    }

    fn formula(&self, predicate: &Predicate) -> Option<String> {
        let mut system = (*self.property.asked).clone();
        let term = self.lowered.predicate(&mut system, predicate);
        Some(show(&system.terms, term))
    }
}

impl Publication for CircuitProperty {
    fn witness(
        &self,
        evidence: &Evidence,
        _: WitnessFormat,
        _: &Interrupt,
    ) -> Result<Piece<Vec<u8>>, Rejection> {
        match evidence.trace() {
            Some(trace) => self.property.witness(&self.word_trace(trace)?),
            _ => Ok(Piece::none()),
        }
    }

    /// Values whose bits do not matter at all are left out, which stands for 0.
    fn partial_witness(&self, evidence: &Evidence) -> Option<Vec<u8>> {
        let trace = evidence.trace()?;
        let open = partial(&self.circuit, trace);
        let zeroed = |values: &[Option<bool>]| values.iter().map(|v| v.unwrap_or(false)).collect();
        let trace = Trace {
            initial: zeroed(&open.initial),
            inputs: open.inputs.iter().map(|step| zeroed(step)).collect(),
        };
        let words = self.word_trace(&trace).ok()?;
        let mut witness = self.property.as_witness(&words);
        witness.frames.iter_mut().for_each(leave_out_zeros);
        Some(witness.write(&self.property.system).ok()?.into_bytes())
    }

    fn violated(&self, evidence: &Evidence) -> Vec<usize> {
        let trace = evidence.trace().and_then(|trace| self.word_trace(trace).ok());
        trace.map_or(Vec::new(), |trace| self.property.violated_by(&trace))
    }

    fn certificate(&self, evidence: &Evidence) -> Result<Piece<Vec<u8>>, Rejection> {
        match evidence.proof() {
            Some(Proof::Invariant(invariant)) => {
                self.invariant_certificate(invariant).map(Piece::new)
            }
            Some(Proof::Induction { k, simple_path: false, facts }) => {
                self.induction_certificate(*k, facts.as_ref()).map(Piece::new)
            }
            _ => Ok(no_certificate(evidence)),
        }
    }

    fn waveform(&self, evidence: &Evidence) -> Option<Waveform> {
        let trace = self.word_trace(evidence.trace()?).ok()?;
        Some(self.property.waveform(&trace))
    }

    fn clauses(&self, evidence: &Evidence) -> Vec<String> {
        let Some(Proof::Invariant(invariant) | Proof::Induction { facts: Some(invariant), .. }) =
            evidence.proof()
        else {
            return Vec::new();
        };
        let mut system = (*self.property.asked).clone();
        let term = self.lowered.predicate(&mut system, invariant);
        self.property.clauses(&system.terms, term)
    }
}

impl PathProperty {
    fn word_trace(&self, run: &Run) -> WordTrace {
        word_trace(&self.property.asked, &self.automaton, run)
    }
}

impl PathWayBack for PathProperty {
    fn replay(&self, run: Run) -> Replayed {
        self.property.replay(&self.word_trace(&run), Course::Path(run))
    }
}

impl Publication for PathProperty {
    fn witness(
        &self,
        evidence: &Evidence,
        _: WitnessFormat,
        _: &Interrupt,
    ) -> Result<Piece<Vec<u8>>, Rejection> {
        match evidence.path() {
            Some(run) => self.property.witness(&self.word_trace(run)),
            _ => Ok(Piece::none()),
        }
    }

    fn violated(&self, evidence: &Evidence) -> Vec<usize> {
        let trace = evidence.path().map(|run| self.word_trace(run));
        trace.map_or(Vec::new(), |trace| self.property.violated_by(&trace))
    }

    /// The formula at the loop is an invariant of the system; its terms extend the system's.
    fn certificate(&self, evidence: &Evidence) -> Result<Piece<Vec<u8>>, Rejection> {
        let Some(Proof::Invariants(proof)) = evidence.proof() else {
            return Ok(no_certificate(evidence));
        };
        let Property { asked, ids, index, .. } = &self.property;
        let mut system = System { terms: proof.terms.clone(), ..(**asked).clone() };
        let invariant = at_head(&self.automaton, proof);
        let invariant = invariant.unwrap_or_else(|| system.terms.bool(true));
        let text = word_certificate(&system, ids, *index, invariant)?;
        Ok(Piece::new(text.into_bytes()))
    }

    fn waveform(&self, evidence: &Evidence) -> Option<Waveform> {
        Some(self.property.waveform(&self.word_trace(evidence.path()?)))
    }

    fn clauses(&self, evidence: &Evidence) -> Vec<String> {
        let Some(Proof::Invariants(proof)) = evidence.proof() else { return Vec::new() };
        let invariant = at_head(&self.automaton, proof);
        invariant.map_or(Vec::new(), |term| self.property.clauses(&proof.terms, term))
    }
}
