//! The five conditions under which a certificate circuit proves a model safe (Froleyks, Yu,
//! Biere, Heljanko: "Certifying Phase Abstraction", IJCAR 2024; Yu et al.: "Stratified
//! Certification for k-Induction", FMCAD 2022).
//!
//! With K the variables that the certificate shares with the model:
//!
//! ```text
//! reset        R{K} ∧ C                    → R'{K} ∧ C'
//! transition   F{K} ∧ C₀ ∧ C₁ ∧ C'₀        → F'{K} ∧ C'₁
//! safety       C ∧ C' ∧ P'                 → P
//! base         R' ∧ C'                     → P'
//! step         F' ∧ C'₀ ∧ C'₁ ∧ P'₀        → P'₁
//! ```
//!
//! The first two let every path of the model be extended, step by step, to one of the
//! certificate: shared variables are copied, other registers computed, which needs acyclic
//! resets, and other inputs chosen at will. The last two say that P' holds along that path, and
//! safety that P then holds along the model's. The mapping is a hint, not an assumption: with a
//! wrong one a condition fails.

use crate::frame::Frame;
use crate::machine::Machine;
use crate::rejection::{Condition, Rejection};
use crate::solve::refute;
use wedge_logic::{Aig, Lit};
use wedge_sat::Interrupt;

/// A variable of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Input(usize),
    Register(usize),
}

/// For every input and register of the certificate, the variable of the model it stands for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mapping {
    pub inputs: Vec<Option<Source>>,
    pub registers: Vec<Option<Source>>,
}

impl Mapping {
    /// The first inputs and the first registers of both machines correspond.
    pub fn by_position(model: &Machine, certificate: &Machine) -> Mapping {
        let inputs = 0..certificate.inputs.len();
        let registers = 0..certificate.registers.len();
        Mapping {
            inputs: inputs.map(|i| (i < model.inputs.len()).then_some(Source::Input(i))).collect(),
            registers: registers
                .map(|r| (r < model.registers.len()).then_some(Source::Register(r)))
                .collect(),
        }
    }

    /// Requires: the mapping has one entry per variable of `certificate`, and names variables
    /// of `model`.
    fn check_shape(&self, model: &Machine, certificate: &Machine) -> Result<(), Rejection> {
        let exists = |source: &Source| match *source {
            Source::Input(index) => index < model.inputs.len(),
            Source::Register(index) => index < model.registers.len(),
        };
        let fits = self.inputs.len() == certificate.inputs.len()
            && self.registers.len() == certificate.registers.len()
            && self.inputs.iter().chain(&self.registers).flatten().all(exists);
        fits.then_some(())
            .ok_or_else(|| Rejection::Malformed("the mapping does not fit".to_string()))
    }

    /// The registers of the model in K, as a mark per register.
    fn shared_in_model(&self, model: &Machine) -> Vec<bool> {
        let mut shared = vec![false; model.registers.len()];
        for source in self.inputs.iter().chain(&self.registers).flatten() {
            if let Source::Register(index) = *source {
                shared[index] = true;
            }
        }
        shared
    }

    /// The registers of the certificate in K.
    fn shared_in_certificate(&self) -> Vec<usize> {
        (0..self.registers.len()).filter(|&index| self.registers[index].is_some()).collect()
    }
}

/// Accepts the certificate if all five conditions hold.
///
/// Returns `Rejection::Stopped` soon after `interrupt` is raised.
pub fn check_simulation(
    model: &Machine,
    certificate: &Machine,
    mapping: &Mapping,
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    mapping.check_shape(model, certificate)?;
    if !certificate.resets_are_acyclic() {
        return Err(Rejection::Malformed("the resets of the certificate are cyclic".to_string()));
    }
    let check = Check { model, certificate, mapping, interrupt };
    check.reset()?;
    check.transition()?;
    check.safety()?;
    check.base()?;
    check.step()
}

struct Check<'c, 'a> {
    model: &'c Machine<'a>,
    certificate: &'c Machine<'a>,
    mapping: &'c Mapping,
    interrupt: &'c Interrupt,
}

/// The variables of the model in one step.
struct Variables {
    inputs: Vec<Lit>,
    registers: Vec<Lit>,
}

impl Variables {
    fn of(&self, source: Source) -> Lit {
        match source {
            Source::Input(index) => self.inputs[index],
            Source::Register(index) => self.registers[index],
        }
    }
}

impl<'c, 'a> Check<'c, 'a> {
    /// R{K} ∧ C → R'{K} ∧ C'
    fn reset(&self) -> Result<(), Rejection> {
        let mut aig = Aig::new();
        let shared = self.mapping.shared_in_model(self.model);
        let (model, certificate) = self.pair(&mut aig, |index, aig| {
            let reset = self.model.registers[index].reset;
            reset.filter(|r| r.is_const() && shared[index]).unwrap_or_else(|| aig.add_input())
        });
        let in_model: Vec<usize> = (0..shared.len()).filter(|&index| shared[index]).collect();
        let mut roots = model.resets(&mut aig, &in_model);
        roots.extend(model.constraints(&mut aig));
        let mut conclusion = certificate.resets(&mut aig, &self.mapping.shared_in_certificate());
        conclusion.extend(certificate.constraints(&mut aig));
        roots.push(!aig.and_all(&conclusion));
        refute(&aig, &roots, Condition::Reset, &model.registers, self.interrupt)
    }

    /// F{K} ∧ C₀ ∧ C₁ ∧ C'₀ → F'{K} ∧ C'₁
    fn transition(&self) -> Result<(), Rejection> {
        let mut aig = Aig::new();
        let shared = self.mapping.shared_in_model(self.model);
        let (model0, certificate0) = self.pair(&mut aig, |_, aig| aig.add_input());
        let nexts = model0.nexts(&mut aig);
        let (model1, certificate1) = self.pair(&mut aig, |index, aig| match shared[index] {
            true => nexts[index],
            false => aig.add_input(),
        });
        let mut roots = model0.constraints(&mut aig);
        roots.extend(model1.constraints(&mut aig));
        roots.extend(certificate0.constraints(&mut aig));
        let mut conclusion = certificate1.constraints(&mut aig);
        let nexts = certificate0.nexts(&mut aig);
        let determined = |index: &usize| self.certificate.registers[*index].next.is_some();
        for index in self.mapping.shared_in_certificate().into_iter().filter(determined) {
            conclusion.push(aig.iff(certificate1.registers[index], nexts[index]));
        }
        roots.push(!aig.and_all(&conclusion));
        refute(&aig, &roots, Condition::Transition, &model0.registers, self.interrupt)
    }

    /// C ∧ C' ∧ P' → P
    fn safety(&self) -> Result<(), Rejection> {
        let mut aig = Aig::new();
        let (model, certificate) = self.pair(&mut aig, |_, aig| aig.add_input());
        let mut roots = vec![!certificate.bad(&mut aig), model.bad(&mut aig)];
        roots.extend(model.constraints(&mut aig));
        roots.extend(certificate.constraints(&mut aig));
        refute(&aig, &roots, Condition::Safety, &model.registers, self.interrupt)
    }

    /// R' ∧ C' → P'
    fn base(&self) -> Result<(), Rejection> {
        let mut aig = Aig::new();
        let (frame, mut roots) = Frame::first(&mut aig, self.certificate);
        roots.extend(frame.constraints(&mut aig));
        roots.push(frame.bad(&mut aig));
        refute(&aig, &roots, Condition::Base, &frame.registers, self.interrupt)
    }

    /// F' ∧ C'₀ ∧ C'₁ ∧ P'₀ → P'₁
    fn step(&self) -> Result<(), Rejection> {
        let mut aig = Aig::new();
        let now = Frame::any(&mut aig, self.certificate);
        let next = Frame::after(&mut aig, &now);
        let mut roots = vec![!now.bad(&mut aig), next.bad(&mut aig)];
        roots.extend(now.constraints(&mut aig));
        roots.extend(next.constraints(&mut aig));
        refute(&aig, &roots, Condition::Step, &now.registers, self.interrupt)
    }

    /// One step of both machines, equal on K; `register` gives the model's registers.
    fn pair(
        &self,
        aig: &mut Aig,
        mut register: impl FnMut(usize, &mut Aig) -> Lit,
    ) -> (Frame<'c, 'a>, Frame<'c, 'a>) {
        let inputs = crate::frame::fresh(aig, self.model.inputs.len());
        let registers = (0..self.model.registers.len()).map(|index| register(index, aig));
        let variables = Variables { registers: registers.collect(), inputs };
        let mut image = |sources: &[Option<Source>]| -> Vec<Lit> {
            let image = sources.iter().map(|source| match *source {
                Some(source) => variables.of(source),
                None => aig.add_input(),
            });
            image.collect()
        };
        let (inputs, registers) = (image(&self.mapping.inputs), image(&self.mapping.registers));
        let certificate = Frame::new(self.certificate, &inputs, registers);
        (Frame::new(self.model, &variables.inputs, variables.registers), certificate)
    }
}
