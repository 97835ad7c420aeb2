//! Interpolants of statements about integers, by a solver that has them: Craig interpolation in the
//! set Integer of "Craig vs. Newton" (section 7).
//!
//! The bounds of the variables are said in every part that mentions them, so that no cut needs to
//! mention a variable for the sake of its bounds alone. What the solver prints is read back as terms
//! ([`super::back`]) and asked about again, as integers.

use super::back::BackReader;
use super::reading::{WIDEST, bounds};
use super::{Integers, answer, why};
use crate::external::catalog::Interpolants;
use crate::external::{Entry, Explained, External, Purpose, Reply, Sexp, Trouble, body};
use crate::solver::{Answer, Why};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;
use wedge_logic::{Sort, Term, TermStore};
use wedge_sat::Interrupt;

const WHAT: &str = "interpolant";

impl Integers {
    /// Starts a solver for interpolants; each question may take so long.
    pub fn start_interpolating(
        entry: &Entry,
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<Integers, Trouble> {
        let solver = External::start_for(Purpose::Interpolants, entry, limit, interrupt)?;
        match entry.abilities.interpolants {
            Interpolants::None => {
                Err(Trouble::Unable { solver: entry.name.clone(), what: "interpolants" })
            }
            _ => Ok(Integers::with(solver)),
        }
    }

    /// Formulas I₀ = true, I₁, …, Iₙ = false with Iₖ ∧ partₖ → Iₖ₊₁ for integers; each over
    /// variables that occur both before and after its cut.
    ///
    /// Requires: the session was started for interpolants.
    /// Ensures: the sequence was checked.
    pub fn interpolants(
        &mut self,
        store: &mut TermStore,
        parts: &[Term],
    ) -> Result<Explained<Vec<Term>>, Trouble> {
        let texts: Vec<String> = parts.iter().map(|&part| self.bounded(store, part)).collect();
        let found = match self.solver.entry().abilities.interpolants {
            Interpolants::Conjecture => self.by_conjecture(store, &texts)?,
            _ => self.by_names(store, &texts)?,
        };
        let Some(mut cuts) = found else { return Ok(Explained::Unknown) };
        cuts.insert(0, store.bool(true));
        cuts.push(store.bool(false));
        self.checked(store, parts, &texts, &cuts)?;
        Ok(Explained::Refuted(cuts))
    }

    /// A part, and that its variables are what words of their widths can be.
    fn bounded(&mut self, store: &mut TermStore, part: Term) -> String {
        let mut text = format!("(and {}", self.text(store, part));
        for variable in store.free_vars(&[part]) {
            if let Sort::Bv(width @ 2..=WIDEST) = store.sort(variable) {
                let name = self.text(store, variable);
                text += &format!(" {}", bounds(&name, width));
            }
        }
        text + ")"
    }

    /// All cuts of one refutation.
    fn by_names(
        &mut self,
        store: &mut TermStore,
        texts: &[String],
    ) -> Result<Option<Vec<Term>>, Trouble> {
        self.solver.push();
        let names: Vec<_> = texts.iter().map(|text| self.solver.assert_text(text)).collect();
        let found = self.solver.check().and_then(|reply| match reply {
            Reply::Unsat => self.solver.cuts(&names).map(Some),
            _ => Ok(None),
        });
        self.solver.pop();
        let Some(cuts) = found? else { return Ok(None) };
        cuts.iter().map(|sexp| self.formula(store, sexp)).collect::<Result<_, _>>().map(Some)
    }

    /// One cut after the other: A = Iₖ ∧ partₖ, B = partₖ₊₁ ∧ … ∧ partₙ.
    fn by_conjecture(
        &mut self,
        store: &mut TermStore,
        texts: &[String],
    ) -> Result<Option<Vec<Term>>, Trouble> {
        let mut cuts: Vec<Term> = Vec::new();
        for cut in 1..texts.len() {
            let before = match cuts.last() {
                Some(&last) => self.text(store, last),
                None => "true".to_string(),
            };
            self.solver.push();
            self.solver.tell(format!("(assert (and {before} {}))", texts[cut - 1]));
            let after = format!("(not (and {}))", texts[cut..].join(" "));
            let found = self.solver.conjecture(&after);
            self.solver.pop();
            match found? {
                Some(sexp) => cuts.push(self.formula(store, &sexp)?),
                None => return Ok(None),
            }
        }
        Ok(Some(cuts))
    }

    /// A formula that the solver prints, as a term.
    fn formula(&mut self, store: &mut TermStore, sexp: &Sexp) -> Result<Term, Trouble> {
        let plain = |text: &String| text.trim_matches('|').to_string();
        let names = self.texts.iter().filter(|(_, text)| !text.starts_with(['(', '-']));
        let symbols: FxHashMap<String, Term> =
            names.map(|(&term, text)| (plain(text), term)).collect();
        match (BackReader { store, symbols }).formula(body(sexp)) {
            Some(term) => Ok(term),
            None => Err(Trouble::Nonsense {
                solver: self.entry().name.clone(),
                said: sexp.to_string().chars().take(200).collect(),
            }),
        }
    }

    /// Whether the formulas are a sequence of interpolants of integers.
    fn checked(
        &mut self,
        store: &mut TermStore,
        parts: &[Term],
        texts: &[String],
        cuts: &[Term],
    ) -> Result<(), Trouble> {
        for (place, text) in texts.iter().enumerate() {
            let left: FxHashSet<Term> = store.free_vars(&parts[..=place]).into_iter().collect();
            let right: FxHashSet<Term> = store.free_vars(&parts[place + 1..]).into_iter().collect();
            let is_shared = |v: &Term| left.contains(v) && right.contains(v);
            if !store.free_vars(&[cuts[place + 1]]).iter().all(is_shared) {
                return Err(self.wrong("it mentions what is on one side only"));
            }
            // Iₖ ∧ partₖ ∧ ¬Iₖ₊₁
            let before = self.text(store, cuts[place]);
            let after = self.text(store, cuts[place + 1]);
            match self.ask_texts(&[before, text.clone(), format!("(not {after})")]) {
                Answer::Unsat => {}
                Answer::Sat => return Err(self.wrong("the solver itself refutes it")),
                Answer::Unknown(Why::Trouble(trouble)) => return Err(*trouble),
                Answer::Unknown(why) => {
                    return Err(self.wrong(&format!("its check gave up ({why})")));
                }
            }
        }
        Ok(())
    }

    fn ask_texts(&mut self, texts: &[String]) -> Answer {
        self.queries += 1;
        self.solver.push();
        texts.iter().for_each(|text| self.solver.tell(format!("(assert {text})")));
        let reply = self.solver.check();
        self.solver.pop();
        reply.map_or_else(|trouble| Answer::Unknown(why(trouble)), answer)
    }

    fn wrong(&self, why: &str) -> Trouble {
        Trouble::Wrong { solver: self.entry().name.clone(), what: WHAT, why: why.to_string() }
    }
}
