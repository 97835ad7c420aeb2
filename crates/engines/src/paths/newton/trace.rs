//! A path as a trace of statements, its formula, and its abstraction.
//!
//! A step of an automaton is three kinds of statements at once: inputs are havocs, the guard is an
//! `assume`, and the updates are assignments. Its guard is read before, and its updates are
//! parallel, which the definitions of the paper allow for with no change: each has a conjunct of
//! the trace formula of its own.

use super::super::blocked::Blocked;
use super::super::choice::CoreGrain;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Substitution, Term, TermStore};
use wedge_smt::StepId;

/// The statements of a step.
#[derive(Clone, Debug)]
pub struct Statements {
    /// The conjuncts of an `assume`.
    pub guard: Vec<Term>,
    /// Assignments; without a value, the variable is havocked.
    pub updates: Vec<(Term, Option<Term>)>,
    pub inputs: Vec<Term>,
}

impl Statements {
    pub fn assume(condition: Term) -> Statements {
        Statements { guard: vec![condition], updates: Vec::new(), inputs: Vec::new() }
    }

    /// The variables and inputs that are read.
    pub fn reads(&self, store: &TermStore) -> Vec<Term> {
        let values = self.updates.iter().filter_map(|&(_, value)| value);
        let roots: Vec<Term> = values.chain(self.guard.iter().copied()).collect();
        store.free_vars(&roots)
    }

    pub fn assigned(&self) -> impl Iterator<Item = Term> + '_ {
        self.updates.iter().map(|&(variable, _)| variable)
    }
}

/// The conjunct of a trace formula that belongs to a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Statement {
    /// A part of the guard of a step.
    Assume { step: usize, part: usize },
    /// An update of a step.
    Assign { step: usize, update: usize },
}

#[derive(Clone, Debug)]
pub struct Trace {
    pub steps: Vec<Statements>,
}

/// Copies of variables along a trace: the paper's rename and index.
pub struct Indexed {
    now: FxHashMap<Term, Term>,
}

impl Indexed {
    /// Copies of inputs are those of the step with this place.
    fn substitution(&self, blocked: &mut Blocked, step: &Statements, place: usize) -> Substitution {
        let mut pairs: Vec<(Term, Term)> = self.now.iter().map(|(&a, &b)| (a, b)).collect();
        pairs.extend(step.inputs.iter().map(|&input| (input, blocked.copy(input, place))));
        Substitution::new(pairs)
    }

    /// The variables that have copies, with the newest ones.
    pub fn newest(&self) -> impl Iterator<Item = (Term, Term)> + '_ {
        self.now.iter().map(|(&variable, &copy)| (variable, copy))
    }
}

impl Trace {
    /// The path, from the states of `before` to those of `after`.
    pub fn new(
        blocked: &Blocked,
        path: &[StepId],
        grain: CoreGrain,
        before: Option<Term>,
        after: Option<Term>,
    ) -> Trace {
        let mut steps: Vec<Statements> = before.map(Statements::assume).into_iter().collect();
        for &id in path {
            let step = blocked.step(id);
            let guard = match grain {
                CoreGrain::Statements => vec![step.guard],
                CoreGrain::Conjuncts => blocked.store.conjuncts(step.guard),
            };
            let updates = step.updates.iter().map(|&(x, value)| (x, Some(value))).collect();
            steps.push(Statements { guard, updates, inputs: step.inputs.clone() });
        }
        steps.extend(after.map(Statements::assume));
        Trace { steps }
    }

    /// The trace formula F₁ ∧ … ∧ Fₙ (section 4.1), without conjuncts that are true by themselves.
    pub fn formula(&self, blocked: &mut Blocked) -> Vec<(Statement, Term)> {
        let read_later = self.future_live(&blocked.store);
        let mut formula = Vec::new();
        let mut indexed = Indexed { now: FxHashMap::default() };
        for (place, step) in self.steps.iter().enumerate() {
            let mut renamed = indexed.substitution(blocked, step, place);
            for (part, &conjunct) in step.guard.iter().enumerate() {
                let term = renamed.apply(&mut blocked.store, conjunct);
                formula.push((Statement::Assume { step: place, part }, term));
            }
            for (update, &(variable, value)) in step.updates.iter().enumerate() {
                let copy = blocked.copy(variable, place);
                indexed.now.insert(variable, copy);
                // What nobody reads is in no core.
                if let Some(value) = value
                    && read_later[place + 1].contains(&variable)
                {
                    let value = renamed.apply(&mut blocked.store, value);
                    let term = blocked.store.eq(copy, value);
                    formula.push((Statement::Assign { step: place, update }, term));
                }
            }
        }
        formula.retain(|&(_, term)| !blocked.is_true(term));
        formula
    }

    /// The copies of inputs in the trace formula.
    pub fn input_copies(&self, blocked: &mut Blocked) -> Vec<Term> {
        let steps = self.steps.iter().enumerate();
        let inputs = steps.flat_map(|(place, step)| step.inputs.iter().map(move |&i| (i, place)));
        inputs.map(|(input, place)| blocked.copy(input, place)).collect()
    }

    /// Definition 4.5: statements that are not in the core become `assume true` or havocs.
    pub fn abstracted(&self, core: &[Statement]) -> Trace {
        let mut steps: Vec<Statements> = self.steps.clone();
        for step in &mut steps {
            step.guard.clear();
            step.updates.iter_mut().for_each(|update| update.1 = None);
        }
        for &statement in core {
            match statement {
                Statement::Assume { step, part } => {
                    let conjunct = self.steps[step].guard[part];
                    steps[step].guard.push(conjunct);
                }
                Statement::Assign { step, update } => {
                    steps[step].updates[update] = self.steps[step].updates[update];
                }
            }
        }
        Trace { steps }
    }

    /// What the steps from this place on say, over the variables before them and over copies.
    pub fn rest(&self, blocked: &mut Blocked, from: usize) -> Term {
        self.conjunction(blocked, from..self.steps.len()).0
    }

    /// What the steps before this place say, with the newest copies.
    pub fn beginning(&self, blocked: &mut Blocked, to: usize) -> (Term, Indexed) {
        self.conjunction(blocked, 0..to)
    }

    fn conjunction(
        &self,
        blocked: &mut Blocked,
        places: std::ops::Range<usize>,
    ) -> (Term, Indexed) {
        let mut indexed = Indexed { now: FxHashMap::default() };
        let mut all = Vec::new();
        for place in places {
            let step = &self.steps[place];
            let mut renamed = indexed.substitution(blocked, step, place);
            for &conjunct in &step.guard {
                all.push(renamed.apply(&mut blocked.store, conjunct));
            }
            for &(variable, value) in &step.updates {
                let copy = blocked.copy(variable, place);
                indexed.now.insert(variable, copy);
                if let Some(value) = value {
                    let value = renamed.apply(&mut blocked.store, value);
                    all.push(blocked.store.eq(copy, value));
                }
            }
        }
        (blocked.store.and_all(&all), indexed)
    }

    /// FL (definition 5.1): the variables at each position whose values are read later.
    pub fn future_live(&self, store: &TermStore) -> Vec<FxHashSet<Term>> {
        let mut live = FxHashSet::default();
        let mut all = vec![live.clone()];
        for step in self.steps.iter().rev() {
            step.assigned().for_each(|variable| {
                live.remove(&variable);
            });
            live.extend(step.reads(store));
            all.push(live.clone());
        }
        all.reverse();
        all
    }

    /// PL (definition 5.1): the variables at each position whose values were read or written
    /// before.
    pub fn past_live(&self, store: &TermStore) -> Vec<FxHashSet<Term>> {
        let mut live = FxHashSet::default();
        let mut all = vec![live.clone()];
        for step in &self.steps {
            live.extend(step.reads(store));
            for &(variable, value) in &step.updates {
                match value {
                    Some(_) => live.insert(variable),
                    None => live.remove(&variable),
                };
            }
            all.push(live.clone());
        }
        all
    }
}
