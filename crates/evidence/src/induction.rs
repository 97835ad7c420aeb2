//! k-induction as evidence: checking it directly, and as a certificate circuit.
//!
//! A property is k-inductive if no path of fewer than k transitions from an initial state ends in
//! a bad step (base), and no path of k transitions whose first k steps are good does (step). On
//! simple paths the step may assume that all states differ: a shortest counterexample repeats
//! none.
//!
//! The certificate is the model with the last k−1 steps remembered in extra latches. Its property
//! says that what is remembered is a good path which is complete or began in an initial state;
//! that is inductive in one step.

use crate::certificate::{name_shared, property_of, state_facts};
use crate::frame::Frame;
use crate::machine::Machine;
use crate::prefix::Prefix;
use crate::rejection::{Condition, Rejection};
use crate::solve::{refute, refute_in_turn};
use wedge_hw::aiger::{AigerModel, Latch, Property};
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};
use wedge_model::{Circuit, Predicate};
use wedge_sat::Interrupt;

/// Accepts exactly the k-inductive properties, `k` ≥ 1.
pub fn check_induction(
    circuit: &Circuit,
    k: usize,
    simple_path: bool,
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    let machine = Machine::from(circuit);
    base(&machine, k, interrupt)?;
    step(&machine, k, simple_path, interrupt)
}

/// R(s₀) ∧ C₀ ∧ F ∧ C₁ … → ¬bad₀ ∧ … ∧ ¬badₖ₋₁.
fn base(machine: &Machine, k: usize, interrupt: &Interrupt) -> Result<(), Rejection> {
    let mut aig = Aig::new();
    let prefix = Prefix::new(&mut aig, machine, k);
    refute_in_turn(&aig, &prefix.turns, Condition::Base, &prefix.first, interrupt)
}

/// C₀ ∧ ¬bad₀ ∧ F ∧ … ∧ Cₖ → ¬badₖ.
fn step(
    machine: &Machine,
    k: usize,
    simple_path: bool,
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    let mut aig = Aig::new();
    let mut frames = vec![Frame::any(&mut aig, machine)];
    for index in 0..k {
        let next = Frame::after(&mut aig, &frames[index]);
        frames.push(next);
    }
    let mut roots = Vec::new();
    for (index, frame) in frames.iter().enumerate() {
        roots.extend(frame.constraints(&mut aig));
        roots.push(frame.bad(&mut aig).xor(index < k));
    }
    if simple_path {
        for (index, later) in frames.iter().enumerate() {
            for earlier in &frames[..index] {
                roots.push(differ(&mut aig, &earlier.registers, &later.registers));
            }
        }
    }
    refute(&aig, &roots, Condition::Step, &frames[0].registers, interrupt)
}

fn differ(aig: &mut Aig, left: &[Lit], right: &[Lit]) -> Lit {
    let bits: Vec<Lit> = left.iter().zip(right).map(|(&l, &r)| aig.xor(l, r)).collect();
    aig.or_all(&bits)
}

/// The certificate circuit of a property that is k-inductive, `k` ≥ 1, together with facts about the
/// circuit of the model ([`AigerModel::circuit`]) if there are any: property and facts are one
/// property then.
pub fn induction_certificate(
    model: &AigerModel,
    property: usize,
    k: usize,
    facts: Option<&Predicate>,
) -> Result<AigerModel, Rejection> {
    let mut stronger = model.clone();
    let mut bad = property_of(model, property)?.lit;
    if let Some(facts) = facts {
        let mut holds = vec![!bad];
        holds.extend(state_facts(&mut stronger, facts)?);
        bad = !stronger.aig.and_all(&holds);
    }
    let (original, model) = (model, &stronger);
    let mut certificate = model.clone();
    let mut past = vec![Moment::now(model)];
    for _ in 1..k {
        let moment = remember(&mut certificate, past.last().expect("at least now"));
        past.push(moment);
    }
    let mut conjuncts = vec![!bad];
    for pair in past.windows(2) {
        conjuncts.push(consistent(&mut certificate.aig, model, bad, &pair[0], &pair[1]));
    }
    let holds = certificate.aig.and_all(&conjuncts);
    let properties = vec![Property { lit: !holds, name: None }];
    (certificate.outputs, certificate.bads) = match model.outputs_are_bad() {
        true => (properties, Vec::new()),
        false => (Vec::new(), properties),
    };
    name_shared(&mut certificate, original);
    certificate.renumber();
    Ok(certificate)
}

/// A step that the certificate knows: now, or remembered.
struct Moment {
    inputs: Vec<Lit>,
    latches: Vec<Lit>,
    /// Whether there was such a step already.
    valid: Lit,
}

impl Moment {
    fn now(model: &AigerModel) -> Moment {
        Moment {
            inputs: model.inputs.iter().map(|input| input.lit).collect(),
            latches: model.latches.iter().map(|latch| latch.state).collect(),
            valid: Lit::TRUE,
        }
    }

    /// The model's literals as they were at this moment.
    fn images(&self, aig: &mut Aig, model: &AigerModel, lits: &[Lit]) -> Vec<Lit> {
        let mut sources = vec![Lit::FALSE; model.aig.num_inputs()];
        let own = model.inputs.iter().map(|i| i.lit).chain(model.latches.iter().map(|l| l.state));
        for (lit, &image) in own.zip(self.inputs.iter().chain(&self.latches)) {
            if let Node::Input(index) = model.aig.node(lit.node()) {
                sources[index as usize] = image;
            }
        }
        model.aig.copy_into(aig, lits, &sources)
    }
}

/// Latches that hold in each step what `later` was one step before.
fn remember(certificate: &mut AigerModel, later: &Moment) -> Moment {
    let mut latch = |next: Lit| {
        let state = certificate.aig.add_input();
        let reset = Lit::FALSE;
        certificate.latches.push(Latch { state, next, reset, literal: 0, name: None });
        state
    };
    Moment {
        inputs: later.inputs.iter().map(|&lit| latch(lit)).collect(),
        latches: later.latches.iter().map(|&lit| latch(lit)).collect(),
        valid: latch(later.valid),
    }
}

/// A valid earlier step is good and leads to the later one; the first valid step is initial.
fn consistent(
    aig: &mut Aig,
    model: &AigerModel,
    bad: Lit,
    later: &Moment,
    earlier: &Moment,
) -> Lit {
    let constraints: Vec<Lit> = model.constraints.iter().map(|c| c.lit).collect();
    let nexts: Vec<Lit> = model.latches.iter().map(|latch| latch.next).collect();
    let mut facts = earlier.images(aig, model, &constraints);
    facts.push(!earlier.images(aig, model, &[bad])[0]);
    let nexts = earlier.images(aig, model, &nexts);
    facts.extend(nexts.iter().zip(&later.latches).map(|(&next, &state)| aig.iff(next, state)));
    let good = aig.and_all(&facts);

    let resets: Vec<Lit> = model.latches.iter().map(|latch| latch.reset).collect();
    let resets = later.images(aig, model, &resets);
    let initial: Vec<Lit> =
        resets.iter().zip(&later.latches).map(|(&reset, &state)| aig.iff(reset, state)).collect();
    let initial = aig.and_all(&initial);

    let when_valid = aig.and(later.valid, good);
    let begins = aig.implies(later.valid, initial);
    aig.ite(earlier.valid, when_valid, begins)
}
