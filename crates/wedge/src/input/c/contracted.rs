//! Contracts of recursive functions that prove a property: proposed by runs, shown without them.
//!
//! A contract is written if the program in which contracts stand for their functions
//! ([`wedge_evidence::c::modular`]) is proved by what is found out about witnesses anyway.

use super::alarms::Published;
use super::proofs::{Said, in_half_the_time, said};
use super::translation::ProgramAutomaton;
use std::sync::Arc;
use wedge_c::Properties;
use wedge_c::annotation::RESULT;
use wedge_c::encode::Room;
use wedge_c::typed::Program;
use wedge_evidence::c::contracts::{Contract, contracts};
use wedge_evidence::c::modular::{Claim, modular};
use wedge_evidence::c::samples::proposals;
use wedge_sat::Interrupt;

impl Published {
    /// What is said about a program: contracts that prove the property, if there are such, else what
    /// `otherwise` finds. Where the format has no contracts they are no proof, but true.
    pub fn said(
        &self,
        program: &Program,
        has_contracts: bool,
        interrupt: &Interrupt,
        otherwise: impl FnOnce() -> Said,
    ) -> Said {
        match self.contracts_that_prove(program, interrupt) {
            Some(contracts) if has_contracts => {
                Said { invariants: Vec::new(), contracts, is_proof: true }
            }
            Some(contracts) => Said { contracts, ..otherwise() },
            None => otherwise(),
        }
    }

    fn contracts_that_prove(
        &self,
        program: &Program,
        interrupt: &Interrupt,
    ) -> Option<Vec<Contract>> {
        let interrupt = in_half_the_time(interrupt);
        let stop = || interrupt.is_raised();
        let only = contracts(program, &self.properties, &stop);
        let tried = match only.is_empty() {
            true => proposals(program, &self.properties, &stop),
            false => vec![only],
        };
        tried.into_iter().find(|contracts| {
            !stop() && self.is_proved_by(program, contracts, &interrupt).unwrap_or(false)
        })
    }

    /// Whether contracts alone prove the property; none if they cannot stand for their functions.
    fn is_proved_by(
        &self,
        program: &Program,
        contracts: &[Contract],
        interrupt: &Interrupt,
    ) -> Option<bool> {
        let [source] = &self.sources.files[..] else { return None };
        let claim = |contract: &Contract| Claim {
            function: contract.function.clone(),
            requires: contract.requires.clone(),
            ensures: contract.ensures.replace("\\result", RESULT),
        };
        let claims: Vec<Claim> = contracts.iter().map(claim).collect();
        let made = modular(program, &self.properties, source, self.data_model, &claims)?;
        let properties = Properties::clone(&self.properties).with_invariants();
        let made =
            ProgramAutomaton::new(Arc::new(made), Arc::new(properties), Room::default()).ok()?;
        let terms = made.sliced.terms.clone();
        let found = said(&made, terms, Vec::new(), interrupt);
        Some(found.is_proof && found.invariants.iter().all(|invariant| invariant.value == "1"))
    }
}
