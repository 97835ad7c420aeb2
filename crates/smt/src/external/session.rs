//! A session with an external solver: assertions, scopes, queries, values and cores.

use super::Trouble;
use super::catalog::{Entry, Interpolants};
use super::parse::value;
use super::process::{Process, shown};
use super::sexp::Sexp;
use crate::solver::Name;
use crate::transcript::{self, Status};
use std::fmt::Write;
use std::time::Duration;
use wedge_logic::float::Lowering;
use wedge_logic::smtlib::{self, Names};
use wedge_logic::{Term, TermStore, Value};
use wedge_sat::Interrupt;

/// What a solver answers to a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    Sat,
    Unsat,
    /// The solver itself says so.
    Unknown,
}

/// What a session may be asked for beside values: solvers have to know before they start, and
/// some cannot give both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    Cores,
    Interpolants,
}

/// Use with one store only.
pub struct External {
    pub(super) entry: Entry,
    pub(super) purpose: Purpose,
    process: Option<Process>,
    /// Everything that a new process has to be told, by scope.
    told: Vec<Vec<String>>,
    lowering: Lowering,
    pub(super) names: Names,
    assertions: usize,
    limit: Duration,
    pub(super) interrupt: Interrupt,
    /// Queries that were answered.
    pub queries: u64,
}

impl External {
    /// Starts a solver for values and unsat cores; each question may take so long.
    pub fn start(entry: &Entry, limit: Duration) -> Result<External, Trouble> {
        External::start_for(Purpose::Cores, entry, limit, &Interrupt::default())
    }

    /// Starts a solver; when the interrupt is raised, a question ends with [`Trouble::Stopped`].
    pub fn start_for(
        purpose: Purpose,
        entry: &Entry,
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<External, Trouble> {
        let mut external = External {
            entry: entry.clone(),
            purpose,
            process: None,
            told: vec![options(purpose, entry)],
            lowering: Lowering::new(),
            names: Names::default(),
            assertions: 0,
            limit,
            interrupt: interrupt.clone(),
            queries: 0,
        };
        external.running()?;
        Ok(external)
    }

    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The process; if there is none, a new one that knows everything.
    fn running(&mut self) -> Result<&mut Process, Trouble> {
        if self.process.is_none() {
            let interpolates = self.purpose == Purpose::Interpolants;
            let more = if interpolates { &self.entry.interpolating[..] } else { &[] };
            let mut process = Process::start(&self.entry, more)?;
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

    /// Tells a command that is not answered.
    pub(crate) fn tell(&mut self, text: String) {
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
    pub(super) fn text(&mut self, store: &mut TermStore, term: Term) -> String {
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
        let text = self.text(store, term);
        self.assert_text(&text)
    }

    /// The same for a formula that is written down already, over symbols that the solver knows.
    pub(crate) fn assert_text(&mut self, text: &str) -> Name {
        let name = self.assertions;
        self.assertions += 1;
        let mut marks = format!(":named wedge!{name}");
        if self.entry.abilities.interpolants == Interpolants::Groups {
            let _ = write!(marks, " :interpolation-group wedge!group{name}");
        }
        self.tell(format!("(assert (! {text} {marks}))"));
        Name(name)
    }

    pub fn check(&mut self) -> Result<Reply, Trouble> {
        let answer = self.ask("(check-sat)");
        let result = answer.and_then(|sexp| match sexp.atom() {
            Some("sat") => Ok(Reply::Sat),
            Some("unsat") => Ok(Reply::Unsat),
            Some("unknown") => Ok(Reply::Unknown),
            _ => self.nonsense(&sexp),
        });
        self.queries += result.is_ok() as u64;
        self.tell_observer(result.as_ref().ok());
        result
    }

    fn tell_observer(&self, reply: Option<&Reply>) {
        let status = match reply {
            Some(Reply::Sat) => Status::Sat,
            Some(Reply::Unsat) => Status::Unsat,
            Some(Reply::Unknown) | None => Status::Unknown,
        };
        transcript::tell_lines(self.told.iter().flatten(), status);
    }

    /// The answer to a question. A process in trouble is ended.
    pub(super) fn ask(&mut self, question: &str) -> Result<Sexp, Trouble> {
        let (limit, interrupt) = (self.limit, self.interrupt.clone());
        let result = self.running().and_then(|process| process.ask(question, limit, &interrupt));
        if result.is_err() {
            self.process = None;
        }
        result
    }

    /// An answer that is none ends the process.
    pub(super) fn nonsense<T>(&mut self, sexp: &Sexp) -> Result<T, Trouble> {
        self.process = None;
        let said = shown(&sexp.to_string());
        Err(Trouble::Nonsense { solver: self.entry.name.clone(), said })
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
        if !self.entry.abilities.cores || self.purpose != Purpose::Cores {
            return Err(self.unable("unsat cores"));
        }
        let sexp = self.ask("(get-unsat-core)")?;
        let number = |sexp: &Sexp| sexp.atom()?.strip_prefix("wedge!")?.parse().ok().map(Name);
        match sexp.list().and_then(|list| list.iter().map(number).collect()) {
            Some(names) => Ok(names),
            None => self.nonsense(&sexp),
        }
    }

    pub(super) fn unable(&self, what: &'static str) -> Trouble {
        Trouble::Unable { solver: self.entry.name.clone(), what }
    }
}

/// What a solver is told first.
fn options(purpose: Purpose, entry: &Entry) -> Vec<String> {
    let mut wanted = vec![("print-success", "false"), ("produce-models", "true")];
    match purpose {
        Purpose::Cores if entry.abilities.cores => wanted.push(("produce-unsat-cores", "true")),
        Purpose::Interpolants if entry.abilities.interpolants != Interpolants::None => {
            wanted.push(("produce-interpolants", "true"));
        }
        Purpose::Cores | Purpose::Interpolants => {}
    }
    let option = |(name, value): &(&str, &str)| format!("(set-option :{name} {value})");
    let mut lines: Vec<String> = wanted.iter().map(option).collect();
    lines.push(format!("(set-logic {})", entry.logic));
    lines
}
