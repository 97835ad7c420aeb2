//! Why parts cannot hold together, in the words of another solver: an unsat core of them, or an
//! interpolant for every cut.
//!
//! What the solver says is checked by Wedge's own: a core has to be unsatisfiable, and a sequence
//! of interpolants inductive and over the variables that both sides of each cut mention. A solver
//! whose interpolants of single cuts are correct but do not follow one another (they may come from
//! different proofs) is asked again from the first cut to the last, where they do by construction:
//!
//! ```text
//! A = Iₖ ∧ partₖ        B = partₖ₊₁ ∧ … ∧ partₙ
//! ```

use super::catalog::Interpolants;
use super::parse::TermParser;
use super::sexp::Sexp;
use super::{External, Purpose, Reply, Trouble};
use crate::solver::{Answer, Name, Solver};
use rustc_hash::FxHashSet;
use wedge_logic::{Sort, Term, TermStore, Value};

/// What a solver says about parts: `T` if they cannot hold together.
#[derive(Clone, PartialEq, Debug)]
pub enum Explained<T> {
    Refuted(T),
    /// They can, with these values of their variables.
    Feasible(Vec<(Term, Value)>),
    /// The solver does not know, or finds no interpolant.
    Unknown,
}

/// The places of the parts that cannot hold together, in order.
pub type Core = Vec<usize>;

impl External {
    /// Which of the parts cannot hold together. Not necessarily minimal.
    ///
    /// Requires: the session is one for cores, and nothing else is asserted.
    /// Ensures: the core was checked.
    pub fn unsat_core(
        &mut self,
        store: &mut TermStore,
        parts: &[Term],
    ) -> Result<Explained<Core>, Trouble> {
        self.within(store, parts, |external, store, names| {
            let core = external.core()?;
            let place = |name: &Name| names.iter().position(|other| other == name);
            let Some(mut core) = core.iter().map(place).collect::<Option<Core>>() else {
                return Err(external.wrong("unsat core", "it names something else"));
            };
            core.sort_unstable();
            let chosen: Vec<Term> = core.iter().map(|&place| parts[place]).collect();
            external.refuted(store, &chosen, "unsat core")?;
            Ok(Explained::Refuted(core))
        })
    }

    /// Formulas I₀ = true, I₁, …, Iₙ = false with Iₖ ∧ partₖ → Iₖ₊₁; each over variables that
    /// occur both before and after its cut.
    ///
    /// Requires: the session is one for interpolants, and nothing else is asserted.
    /// Ensures: the sequence was checked.
    pub fn interpolants(
        &mut self,
        store: &mut TermStore,
        parts: &[Term],
    ) -> Result<Explained<Vec<Term>>, Trouble> {
        let how = self.entry.abilities.interpolants;
        if how == Interpolants::None || self.purpose != Purpose::Interpolants {
            return Err(self.unable("interpolants"));
        }
        let found = self.within(store, parts, |external, store, names| match how {
            Interpolants::Conjecture => Ok(Explained::Refuted(Vec::new())),
            _ => external.formulas(store, names),
        })?;
        let mut cuts = match found {
            Explained::Refuted(cuts) => cuts,
            other => return Ok(other),
        };
        let (checked, one_by_one) = match how {
            Interpolants::Conjecture => (Ok(()), true),
            Interpolants::Sequence | Interpolants::None => {
                (self.checked(store, parts, &cuts), false)
            }
            Interpolants::Names | Interpolants::Groups => {
                (Ok(()), self.checked(store, parts, &cuts).is_err())
            }
        };
        checked?;
        if one_by_one {
            cuts.clear();
            for cut in 1..parts.len() {
                let before = cuts.last().map_or(parts[0], |&last| store.and(last, parts[cut - 1]));
                match self.one_cut(store, before, &parts[cut..])? {
                    Explained::Refuted(formula) => cuts.push(formula),
                    _ => return Ok(Explained::Unknown),
                }
            }
            self.checked(store, parts, &cuts)?;
        }
        cuts.insert(0, store.bool(true));
        cuts.push(store.bool(false));
        Ok(Explained::Refuted(cuts))
    }

    /// Asserts the parts in a scope of their own, and explains why they are unsatisfiable.
    fn within<T>(
        &mut self,
        store: &mut TermStore,
        parts: &[Term],
        explain: impl FnOnce(&mut External, &mut TermStore, &[Name]) -> Result<Explained<T>, Trouble>,
    ) -> Result<Explained<T>, Trouble> {
        self.push();
        let names: Vec<Name> = parts.iter().map(|&part| self.assert_named(store, part)).collect();
        let result = self.check().and_then(|reply| match reply {
            Reply::Unsat => explain(self, store, &names),
            Reply::Unknown => Ok(Explained::Unknown),
            Reply::Sat => {
                let variables = store.free_vars(parts).into_iter();
                let values = variables.map(|v| Ok((v, self.value(store, v)?)));
                values.collect::<Result<_, Trouble>>().map(Explained::Feasible)
            }
        });
        self.pop();
        result
    }

    /// What the solver prints for each cut between assertions, after `Unsat`.
    ///
    /// Requires: its interpolants are not by conjecture.
    pub(crate) fn cuts(&mut self, names: &[Name]) -> Result<Vec<Sexp>, Trouble> {
        let names = |prefix: &str| -> Vec<String> {
            names.iter().map(|name| format!("{prefix}{}", name.0)).collect()
        };
        match self.entry.abilities.interpolants {
            Interpolants::Sequence => self.all_cuts(&names("wedge!")),
            Interpolants::Names => self.each_cut(&names("wedge!")),
            Interpolants::Groups => self.each_cut(&names("wedge!group")),
            Interpolants::Conjecture | Interpolants::None => Err(self.unable("interpolants")),
        }
    }

    fn all_cuts(&mut self, names: &[String]) -> Result<Vec<Sexp>, Trouble> {
        if names.len() < 2 {
            return Ok(Vec::new());
        }
        let answer = self.ask(&format!("(get-interpolants {})", names.join(" ")))?;
        match answer.list() {
            Some(list) if list.len() + 1 == names.len() => Ok(list.to_vec()),
            // OpenSMT prints a single formula without parentheses around it.
            _ if names.len() == 2 => Ok(vec![answer]),
            _ => self.nonsense(&answer),
        }
    }

    fn each_cut(&mut self, names: &[String]) -> Result<Vec<Sexp>, Trouble> {
        let cuts = 1..names.len();
        cuts.map(|cut| self.ask(&format!("(get-interpolant ({}))", names[..cut].join(" "))))
            .collect()
    }

    /// What the solver prints for the cut between what is asserted and a formula that follows from
    /// it; none if it finds nothing.
    pub(crate) fn conjecture(&mut self, formula: &str) -> Result<Option<Sexp>, Trouble> {
        let answer = self.ask(&format!("(get-interpolant wedge!interpolant {formula})"))?;
        let is_found = !matches!(answer.atom(), Some("fail" | "none" | "unknown"));
        Ok(is_found.then_some(answer))
    }

    fn formulas(
        &mut self,
        store: &mut TermStore,
        names: &[Name],
    ) -> Result<Explained<Vec<Term>>, Trouble> {
        let cuts = self.cuts(names)?;
        let formulas = cuts.iter().map(|sexp| self.formula(store, sexp));
        formulas.collect::<Result<_, _>>().map(Explained::Refuted)
    }

    /// An interpolant between a formula and the conjunction of others.
    fn one_cut(
        &mut self,
        store: &mut TermStore,
        before: Term,
        after: &[Term],
    ) -> Result<Explained<Term>, Trouble> {
        let after = store.and_all(after);
        if self.entry.abilities.interpolants != Interpolants::Conjecture {
            let cuts = self.within(store, &[before, after], External::formulas)?;
            return Ok(match cuts {
                Explained::Refuted(cuts) => Explained::Refuted(cuts[0]),
                Explained::Feasible(_) | Explained::Unknown => Explained::Unknown,
            });
        }
        self.push();
        self.assert(store, before);
        let outside = store.not(after);
        let text = self.text(store, outside);
        let result = self.conjecture(&text).and_then(|found| match found {
            Some(sexp) => self.formula(store, &sexp).map(Explained::Refuted),
            None => Ok(Explained::Unknown),
        });
        self.pop();
        result
    }

    /// A formula that the solver prints, alone or as `(define-fun I () Bool formula)`.
    fn formula(&mut self, store: &mut TermStore, sexp: &Sexp) -> Result<Term, Trouble> {
        let body = body(sexp);
        let symbol = |name: &str| name.trim_matches('|').to_string();
        let symbols = self.names.iter().map(|(term, name)| (symbol(name), term)).collect();
        match (TermParser { store, symbols }).term(body) {
            Ok(term) if store.sort(term) == Sort::BOOL => Ok(term),
            Ok(_) | Err(_) => self.nonsense(sexp),
        }
    }

    /// Whether formulas for the cuts are a sequence of interpolants.
    fn checked(
        &mut self,
        store: &mut TermStore,
        parts: &[Term],
        cuts: &[Term],
    ) -> Result<(), Trouble> {
        const WHAT: &str = "interpolant";
        let mut before = store.bool(true);
        for (place, &part) in parts.iter().enumerate() {
            let after = cuts.get(place).copied().unwrap_or_else(|| store.bool(false));
            let left: FxHashSet<Term> = store.free_vars(&parts[..=place]).into_iter().collect();
            let right: FxHashSet<Term> = store.free_vars(&parts[place + 1..]).into_iter().collect();
            let is_shared = |v: &Term| left.contains(v) && right.contains(v);
            if !store.free_vars(&[after]).iter().all(is_shared) {
                return Err(self.wrong(WHAT, "it mentions what is on one side only"));
            }
            // Iₖ ∧ partₖ ∧ ¬Iₖ₊₁
            let outside = store.not(after);
            self.refuted(store, &[before, part, outside], WHAT)?;
            before = after;
        }
        Ok(())
    }

    /// Whether Wedge's own solver agrees that the terms cannot hold together.
    fn refuted(
        &mut self,
        store: &mut TermStore,
        terms: &[Term],
        what: &'static str,
    ) -> Result<(), Trouble> {
        let mut solver = Solver::new(&self.interrupt);
        match solver.check_assuming(store, terms) {
            Answer::Unsat => Ok(()),
            Answer::Sat => Err(self.wrong(what, "a check by another solver refutes it")),
            Answer::Unknown(_) if self.interrupt.is_raised() => {
                Err(Trouble::Stopped { solver: self.entry.name.clone() })
            }
            Answer::Unknown(why) => Err(self.wrong(what, &format!("its check gave up ({why})"))),
        }
    }

    fn wrong(&self, what: &'static str, why: &str) -> Trouble {
        Trouble::Wrong { solver: self.entry.name.clone(), what, why: why.to_string() }
    }
}

/// What `(define-fun I () Bool formula)` defines; other expressions as they are.
pub(crate) fn body(sexp: &Sexp) -> &Sexp {
    match sexp.list() {
        Some([head, _, _, _, body]) if head.atom() == Some("define-fun") => body,
        _ => sexp,
    }
}
