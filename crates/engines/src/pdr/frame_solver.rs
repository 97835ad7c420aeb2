//! One solver of a frame: a backend, the variables loaded into it and the domain of its queries.

use super::backend::Backend;
use super::transition::{TRUE, Transition};
use wedge_model::Reset;
use wedge_sat::Answer;
use wedge_sat::light::{Domain, Lit, Query, Var};

const NOT_LOADED: Var = Var::MAX;

pub struct FrameSolver<'t, B> {
    transition: &'t Transition,
    backend: B,
    /// By variable of the transition: the backend's variable.
    local: Vec<Var>,
    /// The resets, in the initial frame.
    resets: Option<Vec<Reset>>,
    domains: bool,
    /// The backend's variables in the domain of the query at hand; the first `always` of them
    /// are in every domain.
    domain: Vec<Var>,
    always: usize,
    /// Number of assumptions of the query that the domain was made for.
    domain_for: usize,
    is_lemma_latch: Vec<bool>,
    /// The activation literal of each frame that shares this solver, in the backend.
    active: Vec<Lit>,
    visited: Vec<u32>,
    visit: u32,
    stack: Vec<Var>,
    /// What was loaded and has yet to be defined.
    loaded: Vec<Var>,
    loaded_latches: Vec<Var>,
    assumptions: Vec<Lit>,
    clause: Vec<Lit>,
    ends: Vec<usize>,
    lemmas: usize,
    /// Lemmas in this solver that were replaced by others.
    pub outdated: usize,
}

impl<'t, B: Backend> FrameSolver<'t, B> {
    /// A solver without lemmas. With resets it is restricted to the initial states; a reset is
    /// loaded with its latch.
    pub fn new(
        transition: &'t Transition,
        domains: bool,
        backend: B,
        resets: Option<Vec<Reset>>,
    ) -> Self {
        let mut solver = FrameSolver {
            transition,
            backend,
            local: vec![NOT_LOADED; transition.num_vars()],
            resets,
            domains,
            domain: vec![],
            always: 0,
            domain_for: usize::MAX,
            is_lemma_latch: vec![false; transition.num_latches()],
            active: vec![],
            visited: vec![0; transition.num_vars()],
            visit: 0,
            stack: vec![],
            loaded: vec![],
            loaded_latches: vec![],
            assumptions: vec![],
            clause: vec![],
            ends: vec![],
            lemmas: 0,
            outdated: 0,
        };
        solver.assert_constraints();
        solver
    }

    fn assert_constraints(&mut self) {
        let constraints = &self.transition.constraints;
        self.include(constraints.iter().map(|c| c.var()));
        self.always = self.domain.len();
        for &constraint in constraints {
            let unit = self.lit(constraint);
            self.backend.add_clause(&[unit]);
        }
    }

    fn lit(&self, lit: Lit) -> Lit {
        Lit::new(self.local[lit.var() as usize], lit.is_negated())
    }

    /// Extends the domain by the cones of `roots`, loading what is not there yet.
    fn include(&mut self, roots: impl Iterator<Item = Var>) {
        self.visit += 1;
        self.stack.extend(roots);
        while let Some(var) = self.stack.pop() {
            let index = var as usize;
            let is_loaded = self.local[index] != NOT_LOADED;
            if std::mem::replace(&mut self.visited[index], self.visit) == self.visit
                || (is_loaded && !self.domains)
            {
                continue;
            }
            if !is_loaded {
                self.local[index] = self.backend.new_var();
                self.loaded.push(var);
                self.loaded_latches.extend(self.transition.latch_of(var).map(|_| var));
            }
            self.domain.push(self.local[index]);
            self.stack.extend_from_slice(self.transition.fanins(var));
            if let Some(latch) = self.transition.latch_of(var) {
                let reset = self.resets.as_ref().and(self.transition.reset_function(latch));
                let function = self.transition.definition(latch).or(reset);
                self.stack.extend(function.map(|f| f.var()));
            }
        }
        while let Some(var) = self.loaded.pop() {
            self.define(var);
        }
    }

    fn define(&mut self, var: Var) {
        let transition = self.transition;
        self.clause.clear();
        self.ends.clear();
        for clause in transition.clauses(var) {
            self.append(clause);
        }
        if var == TRUE.var() {
            self.append(&[TRUE]);
        }
        self.append_latch(var);
        if !self.ends.is_empty() {
            let starts = [0].iter().chain(&self.ends);
            let spans = starts.zip(&self.ends).map(|(&start, &end)| &self.clause[start..end]);
            self.backend.define(self.local[var as usize], spans);
        }
    }

    /// Signals have a definition; in the initial frame resets define the other latches.
    fn append_latch(&mut self, var: Var) {
        let Some(latch) = self.transition.latch_of(var) else { return };
        let state = Lit::new(var, false);
        if let Some(definition) = self.transition.definition(latch) {
            self.append(&[state, !definition]);
            self.append(&[!state, definition]);
            return;
        }
        match self.resets.as_ref().map(|resets| resets[latch]) {
            Some(Reset::Const(value)) => self.append(&[state.xor(!value)]),
            Some(Reset::Function(_)) => {
                if let Some(function) = self.transition.reset_function(latch) {
                    self.append(&[state, !function]);
                    self.append(&[!state, function]);
                }
            }
            Some(Reset::Free) | None => {}
        }
    }

    fn append(&mut self, clause: &[Lit]) {
        for &lit in clause {
            self.clause.push(self.lit(lit));
        }
        self.ends.push(self.clause.len());
    }

    pub fn add_activation(&mut self) {
        let var = self.backend.new_var();
        self.active.push(Lit::new(var, false));
    }

    /// Adds the negation of a cube, to be activated with a frame if one is given.
    pub fn add_lemma(&mut self, cube: &[Lit], frame: Option<usize>) {
        self.lemmas += 1;
        let mut local = std::mem::take(&mut self.clause);
        local.clear();
        for &lit in cube {
            let var = self.lemma_latch(lit.var());
            local.push(Lit::new(var, !lit.is_negated()));
        }
        if let Some(frame) = frame {
            local.push(!self.active[frame - 1]);
        }
        self.backend.add_clause(&local);
        self.clause = local;
    }

    /// The backend's variable of a latch, which belongs to every domain from now on, as does the
    /// definition of a signal: a lemma must not give it any other value.
    fn lemma_latch(&mut self, var: Var) -> Var {
        let latch = var as usize - 1;
        if !std::mem::replace(&mut self.is_lemma_latch[latch], true) {
            self.domain.truncate(self.always);
            self.include([var].into_iter());
            self.domain_for = usize::MAX;
            if self.transition.definition(latch).is_none() {
                self.domain.truncate(self.always);
                self.domain.push(self.local[var as usize]);
            }
            self.always = self.domain.len();
        }
        self.local[var as usize]
    }

    /// Answers a query in variables of the transition; its domain is computed here. In a shared
    /// solver the lemmas from `frame` on are active.
    pub fn ask(&mut self, query: Query, frame: Option<usize>) -> Answer {
        let domain_kept = self.keeps_domain(&query);
        if !domain_kept {
            self.domain.truncate(self.always);
            let mentioned = query.assumptions.iter().chain(query.temporary);
            self.include(mentioned.map(|l| l.var()));
            self.domain_for = query.assumptions.len();
        }
        let mut assumptions = std::mem::take(&mut self.assumptions);
        assumptions.clear();
        if let Some(frame) = frame {
            assumptions.extend_from_slice(&self.active[frame - 1..]);
        }
        assumptions.extend(query.assumptions.iter().map(|&l| self.lit(l)));
        let mut temporary = std::mem::take(&mut self.clause);
        temporary.clear();
        temporary.extend(query.temporary.iter().map(|&l| self.lit(l)));
        let domain = match (self.domains, domain_kept) {
            (false, _) => Domain::All,
            (true, true) => Domain::Same,
            (true, false) => Domain::Of(&self.domain),
        };
        let answer = self.backend.ask(Query {
            assumptions: &assumptions,
            temporary: &temporary,
            domain,
            partial: query.partial,
        });
        self.clause = temporary;
        self.assumptions = assumptions;
        answer
    }

    /// Whether the last domain contains that of a query and is not much larger. This is so while
    /// a cube is generalised, which drops one literal after the other.
    fn keeps_domain(&self, query: &Query) -> bool {
        let visited = |l: &Lit| self.visited[l.var() as usize] == self.visit;
        self.domains
            && 2 * query.assumptions.len() >= self.domain_for
            && query.assumptions.iter().chain(query.temporary).all(visited)
    }

    pub fn value(&mut self, lit: Lit) -> Option<bool> {
        if self.local[lit.var() as usize] == NOT_LOADED {
            return None;
        }
        self.backend.value(self.lit(lit))
    }

    /// The latch literals that are true in the last model.
    pub fn model_latches(&mut self) -> Vec<Lit> {
        let mut latches = std::mem::take(&mut self.loaded_latches);
        let value = |&var: &Var| {
            let lit = Lit::new(var, false);
            self.value(lit).map(|value| lit.xor(!value))
        };
        let model = latches.iter().filter_map(value).collect();
        std::mem::swap(&mut self.loaded_latches, &mut latches);
        model
    }

    pub fn failed(&mut self, assumption: Lit) -> bool {
        let lit = self.lit(assumption);
        self.backend.failed(lit)
    }

    /// Whether more than half of the lemmas are outdated, or the backend is worn.
    pub fn is_worn(&self, limit: usize) -> bool {
        self.backend.worn() > limit || self.outdated > limit && 2 * self.outdated > self.lemmas
    }
}
