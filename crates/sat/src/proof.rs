//! Resolution proofs as CaDiCaL hands them over: every derived clause with its antecedents.
//!
//! Antecedents come in unit-propagation order, so resolving them from the last to the first
//! gives one pivot per antecedent. A step that is not resolution (a clause with a witness) makes
//! the whole proof unusable and is reported by name, never skipped.

use cadical_sys::ProofTracer;

/// The number of a clause in its proof.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClauseId(pub u32);

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofError {
    /// A derived clause that is no resolvent but only preserves satisfiability.
    NotResolution(u64),
    /// An antecedent that the proof never introduced.
    UnknownAntecedent(u64),
    /// A chain in which some antecedent has no pivot, or more than one.
    BadChain(ClauseId),
    /// The solver stopped without saying which clause refutes the query.
    NoConclusion,
}

impl std::fmt::Display for ProofError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            ProofError::NotResolution(id) => write!(f, "proof step {id} is not resolution"),
            ProofError::UnknownAntecedent(id) => write!(f, "proof step {id} is used but unknown"),
            ProofError::BadChain(id) => write!(f, "proof step {} is no resolution chain", id.0),
            ProofError::NoConclusion => write!(f, "the proof has no conclusion"),
        }
    }
}

impl std::error::Error for ProofError {}

#[derive(Clone, Copy, Debug)]
struct Step {
    lits: u64,
    antecedents: u64,
    num_lits: u32,
    /// Zero for an original clause.
    num_antecedents: u32,
    partition: u32,
}

const ABSENT: Step =
    Step { lits: 0, antecedents: 0, num_lits: u32::MAX, num_antecedents: 0, partition: 0 };

/// All clauses of a run in one flat arena. Antecedents always have smaller numbers.
#[derive(Default, Debug)]
pub struct Proof {
    steps: Vec<Step>,
    lits: Vec<i32>,
    antecedents: Vec<u32>,
    error: Option<ProofError>,
}

impl Proof {
    pub fn clause(&self, id: ClauseId) -> &[i32] {
        let step = &self.steps[id.0 as usize];
        &self.lits[step.lits as usize..][..step.num_lits as usize]
    }

    /// Empty for an original clause.
    pub fn antecedents(&self, id: ClauseId) -> &[u32] {
        let step = &self.steps[id.0 as usize];
        &self.antecedents[step.antecedents as usize..][..step.num_antecedents as usize]
    }

    pub fn is_original(&self, id: ClauseId) -> bool {
        self.steps[id.0 as usize].num_antecedents == 0
    }

    /// The partition of an original clause.
    pub fn partition(&self, id: ClauseId) -> u32 {
        self.steps[id.0 as usize].partition
    }

    /// The original clauses of the partitions that satisfy `wanted`.
    pub fn originals(&self, wanted: impl Fn(u32) -> bool) -> Vec<Vec<i32>> {
        (0..self.steps.len() as u32)
            .map(ClauseId)
            .filter(|&id| self.has(id.0.into()) && self.is_original(id))
            .filter(|&id| wanted(self.partition(id)))
            .map(|id| self.clause(id).to_vec())
            .collect()
    }

    /// One more than the largest clause number.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// What makes the proof unusable, if anything does.
    pub fn error(&self) -> Option<&ProofError> {
        self.error.as_ref()
    }

    /// The clauses that `root` depends on, itself included, in the order of derivation; nothing
    /// below a clause for which `known` holds is visited.
    pub fn core(&self, root: ClauseId, known: impl Fn(ClauseId) -> bool) -> Vec<ClauseId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![root.0];
        let mut core = Vec::new();
        seen.insert(root.0);
        while let Some(id) = stack.pop() {
            core.push(ClauseId(id));
            if known(ClauseId(id)) {
                continue;
            }
            stack.extend(self.antecedents(ClauseId(id)).iter().filter(|&&a| seen.insert(a)));
        }
        core.sort_unstable();
        core
    }

    fn has(&self, id: u64) -> bool {
        self.steps.get(id as usize).is_some_and(|s| s.num_lits != u32::MAX)
    }

    fn insert(&mut self, id: u64, clause: &[i32], antecedents: &[i64], partition: u32) {
        if let Some(&missing) = antecedents.iter().find(|&&a| !self.has(a as u64)) {
            self.error.get_or_insert(ProofError::UnknownAntecedent(missing as u64));
            return;
        }
        let step = Step {
            lits: self.lits.len() as u64,
            antecedents: self.antecedents.len() as u64,
            num_lits: clause.len() as u32,
            num_antecedents: antecedents.len() as u32,
            partition,
        };
        self.lits.extend_from_slice(clause);
        self.antecedents.extend(antecedents.iter().map(|&a| a as u32));
        if self.steps.len() <= id as usize {
            self.steps.resize(id as usize + 1, ABSENT);
        }
        self.steps[id as usize] = step;
    }
}

/// The observer that CaDiCaL reports to.
#[derive(Default)]
pub struct Recorder {
    proof: Proof,
    partition: u32,
    conclusion: Option<u64>,
}

impl Recorder {
    pub fn proof(&self) -> &Proof {
        &self.proof
    }

    pub fn set_partition(&mut self, partition: u32) {
        self.partition = partition;
    }

    /// The clause that refutes the last query; `u32::MAX` if the solver named none.
    pub fn conclusion(&self) -> ClauseId {
        ClauseId(self.conclusion.map_or(u32::MAX, |id| id as u32))
    }
}

impl ProofTracer for Recorder {
    /// A restored clause comes back under its old number and is known already.
    fn add_original_clause(&mut self, id: i64, _redundant: bool, clause: &[i32], _restored: bool) {
        if !self.proof.has(id as u64) {
            self.proof.insert(id as u64, clause, &[], self.partition);
        }
    }

    fn add_derived_clause(
        &mut self,
        id: i64,
        _redundant: bool,
        witness: i32,
        clause: &[i32],
        antecedents: &[i64],
    ) {
        if witness != 0 || antecedents.is_empty() {
            self.proof.error.get_or_insert(ProofError::NotResolution(id as u64));
            return;
        }
        self.proof.insert(id as u64, clause, antecedents, u32::MAX);
        if clause.is_empty() {
            self.conclusion = Some(id as u64);
        }
    }

    /// Clauses stay in the arena after deletion: later chains may still refer to them.
    fn delete_clause(&mut self, _id: i64, _redundant: bool, _clause: &[i32]) {}
    fn weaken_minus(&mut self, _id: i64, _clause: &[i32]) {}
    fn strengthen(&mut self, _id: i64) {}
    fn finalize_clause(&mut self, _id: i64, _clause: &[i32]) {}
    fn add_assumption(&mut self, _lit: i32) {}
    fn add_constraint(&mut self, _clause: &[i32]) {}
    fn reset_assumptions(&mut self) {
        self.conclusion = None;
    }

    fn add_assumption_clause(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        if antecedents.is_empty() {
            self.proof.error.get_or_insert(ProofError::NotResolution(id as u64));
            return;
        }
        self.proof.insert(id as u64, clause, antecedents, u32::MAX);
    }

    fn conclude_sat(&mut self, _conclusion_type: i32, _model: &[i32]) {}
    fn conclude_unsat(&mut self, _conclusion_type: i32, clause_ids: &[i64]) {
        if let [id] = clause_ids {
            self.conclusion = Some(*id as u64);
        }
    }
    fn conclude_unknown(&mut self, _trail: &[i32]) {}
}
