//! Partial models: deciding no more than what the assigned variables call for.
//!
//! A variable with a definition is a function of others, so while it is unassigned it can be
//! given its value later, whatever that is. An assigned one is *justified* once all its defining
//! clauses are satisfied, in particular if one of them made it true. If that holds for
//! every assigned variable and if every other clause is satisfied, the assignment extends to a
//! model, and the search may end. As in circuit solvers with a justification frontier, it then
//! leaves out what the query does not depend on: the branches not taken, so to say.

use super::arena::ClauseRef;
use super::domain::{FALSE, OPEN, TRUE};
use super::lit::{Lit, Var};
use super::{Assigned, Solver};

const UNDEFINED: u32 = u32::MAX;

/// The defining clauses by variable, each as its length and its literals, behind their number.
#[derive(Clone, Default)]
pub(super) struct Definitions {
    start: Vec<u32>,
    words: Vec<u32>,
}

impl Definitions {
    pub fn add_var(&mut self) {
        self.start.push(UNDEFINED);
    }

    fn define<'a>(&mut self, var: Var, clauses: impl Iterator<Item = &'a [Lit]>) {
        let start = self.words.len();
        self.start[var as usize] = start as u32;
        self.words.push(0);
        for clause in clauses {
            self.words[start] += 1;
            self.words.push(clause.len() as u32);
            self.words.extend(clause.iter().map(|l| l.code()));
        }
    }

    fn contains(&self, var: Var) -> bool {
        self.start[var as usize] != UNDEFINED
    }

    /// A clause of the definition in which no literal is true.
    fn unsatisfied(&self, var: Var, values: &[i8]) -> Option<&[u32]> {
        let mut at = self.start[var as usize] as usize;
        let count = self.words[at];
        at += 1;
        for _ in 0..count {
            let end = at + 1 + self.words[at] as usize;
            let clause = &self.words[at + 1..end];
            if clause.iter().all(|&code| values[code as usize] != TRUE) {
                return Some(clause);
            }
            at = end;
        }
        None
    }
}

/// How far the current assignment is known to be justified.
#[derive(Clone, Copy, Default)]
pub(super) struct Progress {
    trail: usize,
    required: usize,
    facts: usize,
}

/// A clause to be satisfied, with one of its literals that often does.
#[derive(Clone, Copy)]
pub(super) struct Required {
    clause: ClauseRef,
    blocker: Lit,
}

impl Solver {
    pub(super) fn require(&mut self, clause: ClauseRef) {
        let blocker = self.arena.lit(clause, 0);
        self.required.push(Required { clause, blocker });
    }

    /// Adds clauses that define `var` as a function of other variables, for good.
    ///
    /// Requires: for each assignment of the others exactly one value of `var` satisfies the
    /// clauses; `var` is defined once; definitions are acyclic.
    pub fn define<'a>(&mut self, var: Var, clauses: impl Iterator<Item = &'a [Lit]> + Clone) {
        self.definitions.define(var, clauses.clone());
        for clause in clauses {
            self.add_headed(clause, Some(var));
        }
        if matches!(self.values[2 * var as usize], TRUE | FALSE) {
            self.facts.push(var);
        }
    }

    /// Takes note of what level 0 says about a defined variable.
    pub(super) fn note_fact(&mut self, var: Var) {
        if self.definitions.contains(var) {
            self.facts.push(var);
        }
    }

    /// Drops the facts that other facts justify. At level 0.
    pub(super) fn prune_facts(&mut self) {
        let (definitions, values) = (&self.definitions, &self.values);
        self.facts.retain(|&var| definitions.unsatisfied(var, values).is_some());
    }

    /// A literal whose truth would bring the assignment closer to being justified; none if it is.
    pub(super) fn unjustified(&mut self) -> Option<Lit> {
        let start = self.levels.first().copied().unwrap_or(self.trail.len());
        self.progress.trail = self.progress.trail.max(start);
        self.open_on_trail().or_else(|| self.open_in_facts()).or_else(|| self.open_in_required())
    }

    fn open_on_trail(&mut self) -> Option<Lit> {
        while let Some(lit) = self.trail.get(self.progress.trail) {
            if let Some(open) = self.open_in_definition(lit.var()) {
                return Some(open);
            }
            self.progress.trail += 1;
        }
        None
    }

    fn open_in_facts(&mut self) -> Option<Lit> {
        while let Some(&var) = self.facts.get(self.progress.facts) {
            if let Some(open) = self.open_in_definition(var) {
                return Some(open);
            }
            self.progress.facts += 1;
        }
        None
    }

    fn open_in_required(&mut self) -> Option<Lit> {
        while let Some(&Required { clause, blocker }) = self.required.get(self.progress.required) {
            if self.values[blocker.index()] != TRUE {
                let codes = self.arena.codes(clause);
                if let Some(open) = self.open_in_clause(codes) {
                    return Some(open);
                }
                let satisfying = codes.iter().find(|&&code| self.values[code as usize] == TRUE);
                if let Some(&code) = satisfying {
                    self.required[self.progress.required].blocker = Lit::from_code(code);
                }
            }
            self.progress.required += 1;
        }
        let temporary = *self.guarded.first()?;
        self.open_in_clause(self.arena.codes(temporary))
    }

    fn open_in_definition(&self, var: Var) -> Option<Lit> {
        let Assigned { level, reason } = self.assigned[var as usize];
        if !self.definitions.contains(var) || level > 0 && self.defines(reason, var) {
            return None;
        }
        let clause = self.definitions.unsatisfied(var, &self.values)?;
        self.open_in_clause(clause)
    }

    fn defines(&self, clause: ClauseRef, var: Var) -> bool {
        clause != super::NO_CLAUSE && self.arena.head(clause) == Some(var)
    }

    /// An unassigned literal of a clause without a true one, by preference one whose saved phase
    /// makes it true. None if the clause is satisfied or not within the domain.
    fn open_in_clause(&self, clause: &[u32]) -> Option<Lit> {
        let mut open = None;
        for &code in clause {
            let lit = Lit::from_code(code);
            match self.values[code as usize] {
                OPEN if self.phase[lit.var() as usize] != lit.is_negated() => open = Some(lit),
                OPEN => open = open.or(Some(lit)),
                FALSE => {}
                _ => return None,
            }
        }
        open
    }
}
