//! Cell abstraction: a transition system with arrays as one without.
//!
//! An array is represented by its elements at a few symbolic indices, the prophecies (cells:
//! Monniaux and Gonnord, SAS 2016; prophecy: Mann et al., Counterexample-Guided Prophecy for Model
//! Checking Modulo the Theory of Arrays, TACAS 2021). A prophecy `p` is a state variable that is
//! arbitrary at first and never changes; all arrays share the prophecies, and each array `a` has a
//! state variable, its cell, that stands for `a[p]`. Within a step nothing is lost: a read of what
//! the step has written gives what was written, and reads of one array at equal indices give equal
//! values. A read of an array as it was before the step gives the cell if the index is a prophecy
//! and otherwise an arbitrary value, a new input.
//!
//! Every run of the system, together with any values of the prophecies, is a run of the
//! abstraction: give the cells the elements that they stand for, and the new inputs the elements
//! that are read. So a bad state that is reached is reached in the abstraction whatever the
//! prophecies are, and the abstraction may demand of them what suits the run: it calls a step bad
//! only if the prophecies are the indices that this very step reads on its way to the error
//! ([`prophecy`]), and those of the last step that let an element influence a variable. For each
//! run there are such values, and with them the run is bad in the abstraction. Hence a proof for
//! the abstraction is one for the system, while a counterexample may be spurious.
//!
//! A proof about all elements of an array becomes one about a single element: that of
//! `for (i) a[i] = 42; for (i) assert(a[i] == 42);` needs only `i <= p || c == 42`. To make such
//! invariants short, the comparisons they consist of become state variables (`predicates`). What
//! else is to be remembered from step to step may be dropped: a state variable that becomes an
//! input can still have the value that it has in a run of the system.

mod predicates;
mod prophecy;
mod translate;

use crate::cfa::{ERROR, LIMIT, SingleLoop};
use crate::system::{Named, State, System};
use predicates::predicates;
use prophecy::Plan;
use std::fmt;
use translate::Translation;
use wedge_logic::{Sort, Term, TermStore};

/// How precise the abstraction is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellOptions {
    /// Prophecies for the indices that are read on the way to the error, at most.
    pub indices: usize,
    /// Whether there is a prophecy for the last influential read.
    pub history: bool,
    /// State variables for comparisons, at most.
    pub predicates: usize,
    /// Whether wider variables are forgotten after each step, so that only the comparisons, the
    /// program counter and single bits are remembered (implicit predicate abstraction: Tonetta, FM
    /// 2009).
    pub only_predicates: bool,
    /// How many terms may be made.
    pub max_terms: usize,
}

impl Default for CellOptions {
    fn default() -> CellOptions {
        CellOptions {
            indices: 2,
            history: false,
            predicates: 96,
            only_predicates: false,
            max_terms: 5_000_000,
        }
    }
}

/// Why there is no abstraction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellError {
    /// Whole arrays are compared.
    Compared,
    TooManyTerms(usize),
}

impl fmt::Display for CellError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            CellError::Compared => write!(f, "a comparison of arrays cannot be abstracted"),
            CellError::TooManyTerms(limit) => {
                write!(f, "the abstraction of arrays needs more than {limit} terms")
            }
        }
    }
}

impl std::error::Error for CellError {}

/// The bits of the largest array among the states and inputs.
pub fn largest_array(system: &System) -> u64 {
    let variables = system.states.iter().map(|s| s.var).chain(system.inputs.iter().copied());
    let arrays = variables.map(|v| system.terms.sort(v)).filter(|sort| sort.is_array());
    arrays.map(Sort::bits).max().unwrap_or(0)
}

/// The abstraction of a system. Scalar states and inputs stay the terms that they are, and the
/// blocks are those of the concrete system. A bad state of the result that is unreachable is
/// unreachable in the system.
pub fn cells(single: &SingleLoop, options: &CellOptions) -> Result<SingleLoop, CellError> {
    let system = &single.system;
    let mut terms = system.terms.clone();
    let plan = Plan::new(&mut terms, single, options);
    let limit = terms.len().saturating_add(options.max_terms);
    let mut roots = system.roots();
    roots.extend(single.blocks.iter().flat_map(|block| [block.error, block.limit]));
    roots.extend(plan.indices.iter().flatten());
    roots.extend(plan.influences.iter().flat_map(|i| [i.condition, i.index]));
    let mut translation = Translation::new(terms, system, &plan, limit);
    translation.translate(&roots).map_err(|error| match error {
        CellError::TooManyTerms(_) => CellError::TooManyTerms(options.max_terms),
        other => other,
    })?;
    let mut states = scalar_states(system, &translation);
    states.extend(translation.cell_states(system));
    let frozen = |&p: &Term| State { var: p, init: None, next: Some(p) };
    states.extend(plan.chosen.iter().map(frozen));
    let bads = bads(single, &plan, &mut translation, &mut states);
    let mut constraints: Vec<Term> =
        system.constraints.iter().map(|&c| translation.image(c)).collect();
    predicates(single, &plan, &mut translation, options.predicates, &mut states, &mut constraints);
    let scalar = |&input: &Term| !system.terms.sort(input).is_array();
    let mut inputs: Vec<Term> = system.inputs.iter().copied().filter(scalar).collect();
    inputs.extend(&translation.inputs);
    if options.only_predicates {
        let terms = &translation.terms;
        let wide = |s: &State| Some(s.var) != single.pc && terms.width(s.var) > 1;
        inputs.extend(states.iter().filter(|s| wide(s)).map(|s| s.var));
        states.retain(|s| !wide(s));
    }
    let outputs = Vec::new();
    let terms = translation.terms;
    let (justice, fairness) = (Vec::new(), Vec::new());
    let system = System { terms, inputs, states, constraints, bads, justice, fairness, outputs };
    let (cuts, blocks) = (single.cuts.clone(), single.blocks.clone());
    Ok(SingleLoop { system, pc: single.pc, cuts, blocks })
}

fn scalar_states(system: &System, translation: &Translation) -> Vec<State> {
    let scalars = system.states.iter().filter(|s| !system.terms.sort(s.var).is_array());
    let image = |term: Option<Term>| term.map(|term| translation.image(term));
    scalars.map(|s| State { var: s.var, init: image(s.init), next: image(s.next) }).collect()
}

/// Whether the program counter is at the cut point of this number.
fn at(terms: &mut TermStore, pc: Option<Term>, block: usize) -> Term {
    match pc {
        None => terms.bool(true),
        Some(pc) => {
            let number = terms.number(terms.width(pc), block as u64);
            terms.eq(pc, number)
        }
    }
}

/// The bad states: those of the system in which the prophecies are what they must be.
fn bads(
    single: &SingleLoop,
    plan: &Plan,
    translation: &mut Translation,
    states: &mut Vec<State>,
) -> Vec<Named> {
    let history = plan.history_state(single, translation, states);
    let (mut error, mut limit) = (Vec::new(), Vec::new());
    for (number, block) in single.blocks.iter().enumerate() {
        let here = at(&mut translation.terms, single.pc, number);
        let indices = &plan.indices[number];
        let condition = plan.fulfilled(translation, indices);
        let condition = match history {
            Some(history) => translation.terms.and(condition, history),
            None => condition,
        };
        let here = translation.terms.and(here, condition);
        let image = translation.image(block.error);
        error.push(translation.terms.and(here, image));
        let image = translation.image(block.limit);
        limit.push(translation.terms.and(here, image));
    }
    let mut bads = Vec::new();
    for (place, terms) in [(ERROR, error), (LIMIT, limit)] {
        let name = single.system.bads[place].name.clone();
        bads.push(Named { name, term: translation.terms.or_all(&terms) });
    }
    bads
}
