//! The figures of a run: what the papers tabulate, and what engines, models and portfolios count
//! besides. A figure of the second kind has a [`Key`], which stands in the table below or beside the
//! engine from outside that brings it.

/// The figures the papers tabulate. What an engine does not have stays at its default.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Figures {
    /// Unrolling bound k (frames for PDR).
    pub bound: usize,
    /// Steps until the fixed point was found.
    pub convergence: usize,
    pub interpolants: usize,
    pub interpolant_ands: u64,
    pub interpolant_atoms: u64,
    pub interpolant_clauses: u64,
    pub largest_interpolant: u64,
    pub queries: u64,
    pub refinements: u64,
    pub solver_seconds: f64,
    pub interpolation_seconds: f64,
    /// Engine-specific figures, in the order in which they were first set.
    pub extra: Vec<(String, f64)>,
    /// What is said in words, such as the versions of other solvers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<(String, String)>,
}

/// What a figure counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    Count,
    Seconds,
    Bits,
}

/// The name of a figure, as it is printed and as it stands in JSON, and its unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    pub name: &'static str,
    pub unit: Unit,
}

pub const fn count(name: &'static str) -> Key {
    Key { name, unit: Unit::Count }
}

pub const fn seconds(name: &'static str) -> Key {
    Key { name, unit: Unit::Seconds }
}

pub const fn bits(name: &'static str) -> Key {
    Key { name, unit: Unit::Bits }
}

/// What is no number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Saying(pub &'static str);

/// The name of another solver and what it says about its version.
pub const SOLVER: Saying = Saying("solver");
/// What holds at a cut point if words are unbounded integers.
pub const INTEGER_INVARIANT: Saying = Saying("invariant of unbounded integers");

impl Figures {
    /// Says something once.
    pub fn say(&mut self, what: Saying, text: String) {
        let new = (what.0.to_string(), text);
        if !self.said.contains(&new) {
            self.said.push(new);
        }
    }

    /// Sets a figure; an earlier value is replaced.
    pub fn set(&mut self, key: Key, value: f64) {
        self.extra.retain(|(known, _)| known != key.name);
        self.extra.push((key.name.to_string(), value));
    }

    /// Adds to a figure.
    pub fn add(&mut self, key: Key, amount: f64) {
        match self.extra.iter_mut().find(|(name, _)| name == key.name) {
            Some((_, value)) => *value += amount,
            None => self.extra.push((key.name.to_string(), amount)),
        }
    }

    /// The value of a figure, if it was recorded.
    pub fn get(&self, key: Key) -> Option<f64> {
        self.extra.iter().find(|(name, _)| name == key.name).map(|(_, value)| *value)
    }
}

pub const COMPLETE_B_WEAK: Key = count("complete B-weak interpolants");
pub const STRENGTHENING_CLAUSES: Key = count("strengthening clauses");
pub const INTERPOLANT_LITERALS: Key = count("literals in interpolants");
pub const RAW_ANDS: Key = count("AND gates in proofs");
pub const SWEPT_ANDS: Key = count("AND gates after sweeping");
pub const ITERATIONS: Key = count("iterations");
pub const BACKWARD_FIXED_POINT: Key = count("backward fixed point");
pub const GLOBAL_STRENGTHENINGS: Key = count("global strengthenings");
pub const LIFT_TRIED: Key = count("lift: tried");
pub const LIFT_KEPT: Key = count("lift: kept");
pub const LIFT_SECONDS: Key = seconds("lift: seconds");
pub const SIGNALS: Key = count("signals");
pub const TRANSITION_VARIABLES: Key = count("transition variables");
pub const TRANSITION_CLAUSES: Key = count("transition clauses");
pub const PARTS_LEFT_OPEN: Key = count("parts left open");
pub const OBLIGATIONS: Key = count("obligations");
pub const LEMMAS: Key = count("lemmas");
pub const CTGS: Key = count("counterexamples to generalisation");
pub const PUSHES_SPARED: Key = count("pushes spared");
pub const SIGNAL_LEMMAS: Key = count("lemmas with signals");
pub const REACHED_STATES: Key = count("reached states");
pub const LETTERS: Key = count("letters");
pub const EXECUTED_RUNS: Key = count("execution: runs");
pub const EXECUTED_STEPS: Key = count("execution: steps");
pub const COVERED_DECISIONS: Key = count("execution: decisions covered");
pub const ALL_DECISIONS: Key = count("execution: decisions in the program");
pub const KEPT_RUNS: Key = count("execution: runs kept");
pub const WALKED_STATES: Key = count("execution: states of walks");
pub const LATCHES_BEFORE: Key = count("latches before preprocessing");
pub const LATCHES_AFTER: Key = count("latches after preprocessing");
pub const GATES_BEFORE: Key = count("gates before preprocessing");
pub const GATES_AFTER: Key = count("gates after preprocessing");
pub const PREPROCESSING_SECONDS: Key = seconds("preprocessing seconds");
/// From the start of the program to the moment an engine begins to search, with everything ready.
pub const FIRST_STEP: Key = seconds("seconds to the first step");
pub const PLACES: Key = count("places");
pub const NODES: Key = count("nodes");
pub const COVERED: Key = count("nodes covered");
pub const COVERED_TOGETHER: Key = count("nodes covered by several together");
pub const FORCED_COVERINGS: Key = count("forced coverings");
pub const PREDICATES: Key = count("predicates");
pub const ABSTRACTIONS: Key = count("abstractions");
pub const SAFE_PRUNED: Key = count("nodes pruned by safety interpolants");
pub const SAFE_WITHDRAWN: Key = count("safety interpolants withdrawn");
pub const ERROR_HITS: Key = count("error interpolants confirmed");
pub const ERROR_WITHDRAWN: Key = count("error interpolants withdrawn");
pub const WEIGHT_CHOICES: Key = count("branches chosen by weight");
pub const SEQUENCES: Key = count("sequences of assertions");
pub const ASSERTION_NODES: Key = count("nodes of assertions");
pub const PERFECT_SEQUENCES: Key = count("perfect sequences");
pub const TRACE_STATEMENTS: Key = count("newton: statements of paths");
pub const CORE_STATEMENTS: Key = count("newton: statements in cores");
pub const APPROXIMATED_ASSERTIONS: Key = count("newton: assertions approximated");
pub const FLOYD_HOARE_STATES: Key = count("states of Floyd-Hoare automata");
pub const LARGEST_DIFFERENCE: Key = count("states of the largest difference");
pub const SPLIT_NODES: Key = count("nodes after splitting");
pub const DROPPED_EDGES: Key = count("edges dropped");
pub const TRIPLES: Key = count("triples asked");
pub const DIFFERENCE_SECONDS: Key = seconds("difference seconds");
pub const RESTARTS: Key = count("restarts");
pub const EVIDENCE_SECONDS: Key = seconds("evidence seconds");
pub const CANDIDATES: Key = count("invariants: candidates");
pub const FACTS: Key = count("invariants: facts");
pub const INVARIANT_SECONDS: Key = seconds("invariants: seconds");
pub const SHARED_BOUNDS: Key = count("shared: bounds");
pub const SHARED_FACTS: Key = count("shared: facts");
pub const MODEL_LOCATIONS: Key = count("model: locations");
pub const MODEL_EDGES: Key = count("model: edges");
pub const MODEL_VARIABLES: Key = count("model: variables");
pub const SLICED_LOCATIONS: Key = count("model: locations after slicing");
pub const SLICED_EDGES: Key = count("model: edges after slicing");
pub const SLICED_VARIABLES: Key = count("model: variables after slicing");
pub const RECURSION_DEPTH: Key = count("model: recursion depth");
pub const RECURSION_STACK: Key = count("model: recursion on the stack");
pub const ALLOCATION_POOL: Key = count("model: allocation pool");
pub const LOOP_HEADS: Key = count("model: loop heads");
pub const STATE_BITS: Key = bits("model: state bits");
pub const INPUT_BITS: Key = bits("model: input bits");
pub const TRANSLATION_SECONDS: Key = seconds("model: seconds to the transition system");
pub const MODEL_LATCHES: Key = count("model: latches");
pub const MODEL_GATES: Key = count("model: AND gates");

/// The keys of this table.
pub const KEYS: &[Key] = &[
    RAW_ANDS,
    SWEPT_ANDS,
    COMPLETE_B_WEAK,
    STRENGTHENING_CLAUSES,
    INTERPOLANT_LITERALS,
    ITERATIONS,
    BACKWARD_FIXED_POINT,
    GLOBAL_STRENGTHENINGS,
    LIFT_TRIED,
    LIFT_KEPT,
    LIFT_SECONDS,
    SIGNALS,
    TRANSITION_VARIABLES,
    TRANSITION_CLAUSES,
    PARTS_LEFT_OPEN,
    OBLIGATIONS,
    LEMMAS,
    CTGS,
    PUSHES_SPARED,
    SIGNAL_LEMMAS,
    REACHED_STATES,
    LETTERS,
    EXECUTED_RUNS,
    EXECUTED_STEPS,
    COVERED_DECISIONS,
    ALL_DECISIONS,
    KEPT_RUNS,
    WALKED_STATES,
    LATCHES_BEFORE,
    LATCHES_AFTER,
    GATES_BEFORE,
    GATES_AFTER,
    PREPROCESSING_SECONDS,
    FIRST_STEP,
    PLACES,
    NODES,
    COVERED,
    COVERED_TOGETHER,
    FORCED_COVERINGS,
    PREDICATES,
    ABSTRACTIONS,
    SAFE_PRUNED,
    SAFE_WITHDRAWN,
    ERROR_HITS,
    ERROR_WITHDRAWN,
    WEIGHT_CHOICES,
    SEQUENCES,
    ASSERTION_NODES,
    PERFECT_SEQUENCES,
    TRACE_STATEMENTS,
    CORE_STATEMENTS,
    APPROXIMATED_ASSERTIONS,
    FLOYD_HOARE_STATES,
    LARGEST_DIFFERENCE,
    SPLIT_NODES,
    DROPPED_EDGES,
    TRIPLES,
    DIFFERENCE_SECONDS,
    RESTARTS,
    EVIDENCE_SECONDS,
    CANDIDATES,
    FACTS,
    INVARIANT_SECONDS,
    SHARED_BOUNDS,
    SHARED_FACTS,
    MODEL_LOCATIONS,
    MODEL_EDGES,
    MODEL_VARIABLES,
    SLICED_LOCATIONS,
    SLICED_EDGES,
    SLICED_VARIABLES,
    RECURSION_DEPTH,
    RECURSION_STACK,
    ALLOCATION_POOL,
    LOOP_HEADS,
    STATE_BITS,
    INPUT_BITS,
    TRANSLATION_SECONDS,
    MODEL_LATCHES,
    MODEL_GATES,
];

/// The unit of a figure by its name; a figure that is not in the table is a count.
pub fn unit(name: &str) -> Unit {
    KEYS.iter().find(|key| key.name == name).map_or(Unit::Count, |key| key.unit)
}

/// A value as people read it.
pub fn shown(name: &str, value: f64) -> String {
    // The sum of nothing is -0.
    let value = value + 0.0;
    match unit(name) {
        Unit::Seconds => format!("{value:.3}"),
        Unit::Count | Unit::Bits => format!("{value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for (index, key) in KEYS.iter().enumerate() {
            assert!(KEYS[..index].iter().all(|other| other.name != key.name), "{}", key.name);
        }
    }

    #[test]
    fn figures_are_added_set_and_shown() {
        let mut figures = Figures::default();
        figures.add(LEMMAS, 2.0);
        figures.add(LEMMAS, 3.0);
        figures.set(EVIDENCE_SECONDS, 1.0);
        figures.set(EVIDENCE_SECONDS, 0.25);
        assert_eq!((figures.get(LEMMAS), figures.get(EVIDENCE_SECONDS)), (Some(5.0), Some(0.25)));
        assert_eq!(figures.get(RESTARTS), None);
        assert_eq!(
            (shown("lemmas", 5.0), shown("evidence seconds", 0.25)),
            ("5".into(), "0.250".into())
        );
    }
}
