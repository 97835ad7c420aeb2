//! Terms read as statements about unbounded integers, and decided by another solver (Dietsch,
//! Heizmann, Musa, Nutz, Podelski, "Craig vs. Newton in Software Model Checking", ESEC/FSE 2017, section 7,
//! the set Integer).
//!
//! A word is the signed number that it is as long as nothing overflows ([`reading`]); operations on
//! bits that no arithmetic expresses give any number. So neither answer is one about words: what
//! cannot hold may rest on the absence of overflow, and what can hold on what is over-approximated.
//! Whoever asks has to check what follows from the answers bit by bit.

mod back;
mod interpolants;
mod reading;

use crate::external::{Entry, External, Purpose, Reply, Trouble};
use crate::solver::{Answer, Why};
use reading::{Reader, Reading, WIDEST, bounds, sort};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::{Duration, Instant};
use wedge_logic::float::Lowering;
use wedge_logic::smtlib::Names;
use wedge_logic::{Sort, Term, TermStore};
use wedge_sat::Interrupt;

/// Use with one store only.
pub struct Integers {
    solver: External,
    lowering: Lowering,
    names: Names,
    /// What stands for each term that the solver knows.
    texts: FxHashMap<Term, String>,
    /// The variables that are known to be within the bounds of their widths.
    bounded: FxHashSet<Term>,
    core: Option<Vec<Term>>,
    pub queries: u64,
    /// How long the solver has taken.
    pub seconds: f64,
    /// Terms of which nothing is known but their width.
    pub approximated: u64,
}

impl Integers {
    /// Starts a solver for answers and cores; each question may take so long.
    pub fn start(
        entry: &Entry,
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<Integers, Trouble> {
        let solver = External::start_for(Purpose::Cores, entry, limit, interrupt)?;
        Ok(Integers::with(solver))
    }

    fn with(solver: External) -> Integers {
        Integers {
            solver,
            lowering: Lowering::new(),
            names: Names::default(),
            texts: FxHashMap::default(),
            bounded: FxHashSet::default(),
            core: None,
            queries: 0,
            seconds: 0.0,
            approximated: 0,
        }
    }

    pub fn entry(&self) -> &Entry {
        self.solver.entry()
    }

    /// These variables are what words of their widths can be. That loses nothing for inputs, since
    /// every word is one signed number.
    pub fn bound(&mut self, store: &mut TermStore, variables: &[Term]) {
        for &variable in variables {
            if self.bounded.insert(variable) {
                let text = self.text(store, variable);
                self.tell_bounds(store, variable, &text);
            }
        }
    }

    fn tell_bounds(&mut self, store: &TermStore, term: Term, text: &str) {
        if let Sort::Bv(width @ 2..=WIDEST) = store.sort(term) {
            self.solver.tell(format!("(assert {})", bounds(text, width)));
        }
    }

    /// What stands for a term, after all definitions that it needs.
    fn text(&mut self, store: &mut TermStore, term: Term) -> String {
        let root = self.lowering.lower(store, term);
        for term in store.cone_without(&[root], |term| self.texts.contains_key(&term)) {
            let text = self.define(store, term);
            self.texts.insert(term, text);
        }
        self.texts[&root].clone()
    }

    /// Requires: the operands have texts.
    fn define(&mut self, store: &TermStore, term: Term) -> String {
        let sort = sort(store.sort(term));
        if store.is_var(term) {
            let name = self.names.add(store, term).to_string();
            self.solver.tell(format!("(declare-const {name} {sort})"));
            return name;
        }
        let text = |operand: Term| self.texts[&operand].clone();
        let reading = Reader { store, text: &text }.read(term);
        let name = format!("wedge!int{}", self.texts.len());
        match reading {
            Reading::Text(text) if store.value(term).is_some() => text,
            Reading::Text(text) => {
                self.solver.tell(format!("(define-fun {name} () {sort} {text})"));
                name
            }
            Reading::Any => {
                self.approximated += 1;
                self.solver.tell(format!("(declare-const {name} {sort})"));
                self.tell_bounds(store, term, &name);
                name
            }
        }
    }

    /// Whether integers satisfy all terms. What goes wrong with the solver is no answer.
    pub fn check(&mut self, store: &mut TermStore, terms: &[Term]) -> Answer {
        self.ask(store, terms, false)
    }

    /// The same, with a core if they do not.
    pub fn explain(&mut self, store: &mut TermStore, terms: &[Term]) -> Answer {
        self.ask(store, terms, true)
    }

    /// Those of the terms that the last refutation with an explanation needs.
    pub fn core(&self) -> Option<&[Term]> {
        self.core.as_deref()
    }

    fn ask(&mut self, store: &mut TermStore, terms: &[Term], explain: bool) -> Answer {
        let start = Instant::now();
        self.queries += 1;
        self.core = None;
        let texts: Vec<String> = terms.iter().map(|&term| self.text(store, term)).collect();
        self.solver.push();
        let names: Vec<_> = texts.iter().map(|text| self.solver.assert_text(text)).collect();
        let found = self.solver.check().and_then(|reply| match reply {
            Reply::Unsat if explain => {
                let core = self.solver.core()?;
                let named = names.iter().zip(terms).filter(|(name, _)| core.contains(name));
                self.core = Some(named.map(|(_, &term)| term).collect());
                Ok(Answer::Unsat)
            }
            reply => Ok(answer(reply)),
        });
        self.solver.pop();
        self.seconds += start.elapsed().as_secs_f64();
        found.unwrap_or_else(|trouble| Answer::Unknown(why(trouble)))
    }
}

fn answer(reply: Reply) -> Answer {
    match reply {
        Reply::Unsat => Answer::Unsat,
        Reply::Sat => Answer::Sat,
        Reply::Unknown => Answer::Unknown(Why::Stopped),
    }
}

fn why(trouble: Trouble) -> Why {
    match trouble {
        Trouble::Stopped { .. } | Trouble::TimedOut { .. } => Why::Stopped,
        other => Why::Trouble(Box::new(other)),
    }
}
