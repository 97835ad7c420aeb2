//! Unsat cores: which named assertions and assumptions a refutation needs.

use super::scopes::{Name, Unit};
use super::{Answer, Solver};
use wedge_logic::{Term, TermStore};

/// How often a core is asked for a smaller one.
const ROUNDS: usize = 2;

/// What cannot hold together, besides what is asserted without names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Core {
    pub names: Vec<Name>,
    pub assumptions: Vec<Term>,
}

impl Core {
    fn of(units: &[Unit]) -> Core {
        Core {
            names: units.iter().filter_map(|unit| unit.name).collect(),
            assumptions: units.iter().filter(|u| u.name.is_none()).map(|u| u.term).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.names.len() + self.assumptions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn has(&self, unit: &Unit) -> bool {
        match unit.name {
            Some(name) => self.names.contains(&name),
            None => self.assumptions.contains(&unit.term),
        }
    }
}

impl Solver {
    /// The core of the last query, if its answer was `Unsat`.
    pub fn core(&self) -> Option<&Core> {
        self.core.as_ref()
    }

    /// The assumptions of the core of the last query, asked again as long as they become fewer.
    ///
    /// Requires: the last answer was `Unsat`, and nothing has a name.
    pub fn small_core(&mut self, store: &mut TermStore) -> Vec<Term> {
        let mut core = self.core.take().unwrap_or_default().assumptions;
        for _ in 0..ROUNDS {
            if self.check_assuming(store, &core) != Answer::Unsat {
                break;
            }
            let smaller = self.core.take().unwrap_or_default().assumptions;
            let is_done = smaller.len() == core.len();
            core = smaller;
            if is_done {
                break;
            }
        }
        core
    }

    pub(super) fn failed(&mut self, units: &[Unit]) -> Core {
        let failed = |unit: &&Unit| self.backend.failed(unit.literal);
        let mut failed: Vec<Unit> = units.iter().filter(failed).copied().collect();
        // Equal terms have one literal; one of them is enough.
        let mut seen = rustc_hash::FxHashSet::default();
        failed.retain(|unit| seen.insert(unit.literal));
        Core::of(&failed)
    }

    /// The core of the last query without anything that it does not need: each part is left out
    /// in turn. Where a query is not answered, its part stays. None if the last answer was not
    /// `Unsat`.
    pub fn minimal_core(&mut self, store: &mut TermStore) -> Option<Core> {
        let mut core = self.core.take()?;
        let mut units: Vec<Unit> = self.last.iter().filter(|u| core.has(u)).copied().collect();
        let mut at = 0;
        while at < units.len() {
            let mut fewer = units.clone();
            fewer.remove(at);
            match self.solve(store, &fewer) {
                Answer::Unsat => {
                    core = self.failed(&fewer);
                    units = fewer.into_iter().filter(|unit| core.has(unit)).collect();
                }
                _ => at += 1,
            }
            self.model = None;
        }
        core = Core::of(&units);
        self.core = Some(core.clone());
        Some(core)
    }
}
