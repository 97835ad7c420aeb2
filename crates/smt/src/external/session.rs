//! A session with an external solver: assertions, scopes, queries, values, cores, interpolants.

use super::Trouble;
use super::catalog::{Entry, Interpolants};
use super::parse::{TermParser, value};
use super::process::Process;
use super::sexp::Sexp;
use crate::solver::Name;
use crate::transcript::{self, Status};
use std::fmt::Write;
use std::time::Duration;
use wedge_logic::float::Lowering;
use wedge_logic::smtlib::{self, Names};
use wedge_logic::{Term, TermStore, Value};

/// What a solver answers to a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    Sat,
    Unsat,
    /// The solver itself says so.
    Unknown,
}

/// Use with one store only.
pub struct External {
    entry: Entry,
    process: Option<Process>,
    /// Everything that a new process has to be told, by scope.
    told: Vec<Vec<String>>,
    lowering: Lowering,
    names: Names,
    assertions: usize,
    limit: Duration,
    /// Queries that were answered.
    pub queries: u64,
}

impl External {
    /// Starts a solver; each query may take so long.
    pub fn start(entry: &Entry, limit: Duration) -> Result<External, Trouble> {
        let mut options = vec![
            "(set-option :print-success false)".to_string(),
            "(set-option :produce-models true)".to_string(),
        ];
        if entry.abilities.cores {
            options.push("(set-option :produce-unsat-cores true)".to_string());
        }
        if entry.abilities.interpolants != Interpolants::None {
            options.push("(set-option :produce-interpolants true)".to_string());
        }
        options.push("(set-logic ALL)".to_string());
        let mut external = External {
            entry: entry.clone(),
            process: None,
            told: vec![options],
            lowering: Lowering::new(),
            names: Names::default(),
            assertions: 0,
            limit,
            queries: 0,
        };
        external.running()?;
        Ok(external)
    }

    /// The process; if there is none, a new one that knows everything.
    fn running(&mut self) -> Result<&mut Process, Trouble> {
        if self.process.is_none() {
            let mut process = Process::start(&self.entry)?;
            for (depth, scope) in self.told.iter().enumerate() {
                if depth > 0 {
                    process.send("(push 1)");
                }
                scope.iter().for_each(|text| process.send(text));
            }
            self.process = Some(process);
        }
        Ok(self.process.as_mut().expect("just started"))
    }

    /// A process in trouble is ended.
    fn guard<T>(&mut self, result: Result<T, Trouble>) -> Result<T, Trouble> {
        if result.is_err() {
            self.process = None;
        }
        result
    }

    fn tell(&mut self, text: String) {
        if let Some(process) = &mut self.process {
            process.send(&text);
        }
        self.told.last_mut().expect("the first scope is never left").push(text);
    }

    pub fn push(&mut self) {
        if let Some(process) = &mut self.process {
            process.send("(push 1)");
        }
        self.told.push(Vec::new());
    }

    /// Leaves the innermost scope. Panics if there is none.
    pub fn pop(&mut self) {
        assert!(self.told.len() > 1, "a scope was opened before it is left");
        if let Some(process) = &mut self.process {
            process.send("(pop 1)");
        }
        // Declarations are forgotten with their scope by the solver, but not here.
        let scope = self.told.pop().expect("just counted");
        let declarations = scope.into_iter().filter(|text| text.starts_with("(declare-const"));
        for declaration in declarations {
            self.tell(declaration);
        }
    }

    /// The text of a term, with its variables declared.
    fn text(&mut self, store: &mut TermStore, term: Term) -> String {
        let lowered = self.lowering.lower(store, term);
        for variable in store.free_vars(&[lowered]) {
            if self.names.get(variable).is_none() {
                let name = self.names.add(store, variable).to_string();
                let sort = smtlib::sort(store.sort(variable));
                self.tell(format!("(declare-const {name} {sort})"));
            }
        }
        smtlib::formula_with(store, lowered, &self.names)
    }

    pub fn assert(&mut self, store: &mut TermStore, term: Term) {
        let text = self.text(store, term);
        self.tell(format!("(assert {text})"));
    }

    /// Asserts a term that cores and interpolants speak of.
    pub fn assert_named(&mut self, store: &mut TermStore, term: Term) -> Name {
        let name = self.assertions;
        self.assertions += 1;
        let text = self.text(store, term);
        let mut marks = format!(":named wedge!{name}");
        if self.entry.abilities.interpolants == Interpolants::Groups {
            let _ = write!(marks, " :interpolation-group wedge!group{name}");
        }
        self.tell(format!("(assert (! {text} {marks}))"));
        Name(name)
    }

    pub fn check(&mut self) -> Result<Reply, Trouble> {
        let limit = self.limit;
        let result = self.running().and_then(|process| {
            process.send("(check-sat)");
            let sexp = process.answer(limit)?;
            match sexp.atom() {
                Some("sat") => Ok(Reply::Sat),
                Some("unsat") => Ok(Reply::Unsat),
                Some("unknown") => Ok(Reply::Unknown),
                _ => Err(process.nonsense(&sexp)),
            }
        });
        self.queries += result.is_ok() as u64;
        self.tell_observer(result.as_ref().ok());
        self.guard(result)
    }

    fn tell_observer(&self, reply: Option<&Reply>) {
        let status = match reply {
            Some(Reply::Sat) => Status::Sat,
            Some(Reply::Unsat) => Status::Unsat,
            Some(Reply::Unknown) | None => Status::Unknown,
        };
        transcript::tell_lines(self.told.iter().flatten(), status);
    }

    fn ask(&mut self, command: &str) -> Result<Sexp, Trouble> {
        let limit = self.limit;
        let result = self.running().and_then(|process| {
            process.send(command);
            process.answer(limit)
        });
        self.guard(result)
    }

    fn nonsense<T>(&mut self, sexp: &Sexp) -> Result<T, Trouble> {
        let said = sexp.to_string();
        let trouble = Trouble::Nonsense { solver: self.entry.name.clone(), said };
        self.guard(Err(trouble))
    }

    /// The value of a variable after `Sat`.
    pub fn value(&mut self, store: &TermStore, variable: Term) -> Result<Value, Trouble> {
        let Some(name) = self.names.get(variable).map(String::from) else {
            return Ok(Value::zero(store.sort(variable)));
        };
        let sexp = self.ask(&format!("(get-value ({name}))"))?;
        let pair = sexp.list().and_then(|list| list.first()).and_then(Sexp::list);
        let Some([_, found]) = pair else { return self.nonsense(&sexp) };
        match value(found, store.sort(variable)) {
            Ok(value) => Ok(value),
            Err(_) => self.nonsense(&sexp),
        }
    }

    /// The named assertions that cannot hold together, after `Unsat`.
    pub fn core(&mut self) -> Result<Vec<Name>, Trouble> {
        if !self.entry.abilities.cores {
            return Err(self.unable("unsat cores"));
        }
        let sexp = self.ask("(get-unsat-core)")?;
        let number = |sexp: &Sexp| sexp.atom()?.strip_prefix("wedge!")?.parse().ok().map(Name);
        match sexp.list().and_then(|list| list.iter().map(number).collect()) {
            Some(names) => Ok(names),
            None => self.nonsense(&sexp),
        }
    }

    fn unable(&self, what: &'static str) -> Trouble {
        Trouble::Unable { solver: self.entry.name.clone(), what }
    }

    /// Interpolants between the named assertions, after `Unsat`: one per cut.
    pub fn interpolants(
        &mut self,
        store: &mut TermStore,
        parts: &[Name],
    ) -> Result<Vec<Term>, Trouble> {
        match self.entry.abilities.interpolants {
            Interpolants::None => Err(self.unable("interpolants")),
            Interpolants::Names => {
                let parts: Vec<String> =
                    parts.iter().map(|name| format!("wedge!{}", name.0)).collect();
                let sexp = self.ask(&format!("(get-interpolants {})", parts.join(" ")))?;
                match sexp.list() {
                    Some(list) if list.len() + 1 == parts.len() => {
                        list.iter().map(|sexp| self.parsed(store, sexp)).collect()
                    }
                    _ => self.nonsense(&sexp),
                }
            }
            Interpolants::Groups => {
                let mut terms = Vec::new();
                for cut in 1..parts.len() {
                    let groups: Vec<String> =
                        parts[..cut].iter().map(|name| format!("wedge!group{}", name.0)).collect();
                    let sexp = self.ask(&format!("(get-interpolant ({}))", groups.join(" ")))?;
                    terms.push(self.parsed(store, &sexp)?);
                }
                Ok(terms)
            }
        }
    }

    fn parsed(&mut self, store: &mut TermStore, sexp: &Sexp) -> Result<Term, Trouble> {
        let symbol = |name: &str| name.trim_matches('|').to_string();
        let symbols = self.names.iter().map(|(term, name)| (symbol(name), term)).collect();
        match (TermParser { store, symbols }).term(sexp) {
            Ok(term) => Ok(term),
            Err(_) => self.nonsense(sexp),
        }
    }
}
