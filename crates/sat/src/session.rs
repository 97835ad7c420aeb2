//! An incremental CaDiCaL solver, with or without a recorded proof.
//!
//! A session is created inside the thread that uses it. Variable 1 is the constant true in every
//! session, so an encoder can treat constants as ordinary literals and fold them away.

use crate::proof::{ClauseId, Proof, Recorder};
use cadical_sys::{CaDiCal, Status, Terminator};
use std::cell::{Ref, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The literal that is true in every session.
pub const TRUE: i32 = 1;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Sat,
    Unsat,
    /// Interrupted, or out of conflicts where a limit was given.
    Stopped,
}

/// When a running solver has to give up.
#[derive(Clone, Default, Debug)]
pub struct Interrupt {
    pub flag: Arc<AtomicBool>,
    pub deadline: Option<Instant>,
}

impl Interrupt {
    pub fn is_raised(&self) -> bool {
        self.flag.load(Ordering::Relaxed) || self.deadline.is_some_and(|d| Instant::now() >= d)
    }
}

/// What an encoder writes clauses to. Variable 1 is the constant true.
pub trait Sink {
    fn new_var(&mut self) -> i32;
    fn add_clause(&mut self, clause: &[i32]);

    /// Adds clauses that define a new variable as a function of the others that they mention.
    fn define(&mut self, _gate: i32, clauses: &[&[i32]]) {
        clauses.iter().for_each(|clause| self.add_clause(clause));
    }
}

impl Sink for Session {
    fn new_var(&mut self) -> i32 {
        Session::new_var(self)
    }
    fn add_clause(&mut self, clause: &[i32]) {
        Session::add_clause(self, clause)
    }
}

/// CaDiCaL polls often; the clock is read only at every 64th poll.
struct Poll {
    interrupt: Interrupt,
    polls: u32,
}

impl Terminator for Poll {
    fn terminated(&mut self) -> bool {
        self.polls = self.polls.wrapping_add(1);
        let flag = self.interrupt.flag.load(Ordering::Relaxed);
        flag || (self.polls.is_multiple_of(64) && self.interrupt.is_raised())
    }
}

pub struct Session {
    solver: CaDiCal,
    recorder: Option<Rc<RefCell<Recorder>>>,
    vars: i32,
    interrupt: Interrupt,
    /// Number of calls of `solve`.
    pub queries: u64,
    pub seconds: f64,
}

impl Session {
    /// A solver without a proof, with CaDiCaL's default techniques.
    pub fn new(interrupt: &Interrupt) -> Session {
        Session::with_solver(CaDiCal::new(), None, interrupt)
    }

    /// A solver for many small queries: without the techniques that pay off only in long runs.
    pub fn light(interrupt: &Interrupt) -> Session {
        let mut solver = CaDiCal::new();
        search_only(&mut solver);
        Session::with_solver(solver, None, interrupt)
    }

    /// A solver that records its proof. Techniques whose steps are not resolution stay off.
    pub fn recording(interrupt: &Interrupt) -> Session {
        let mut solver = CaDiCal::new();
        search_only(&mut solver);
        solver.set("factor", 0);
        let recorder = Rc::new(RefCell::new(Recorder::default()));
        solver.connect_proof_tracer1(recorder.clone(), true, false);
        Session::with_solver(solver, Some(recorder), interrupt)
    }

    fn with_solver(
        mut solver: CaDiCal,
        recorder: Option<Rc<RefCell<Recorder>>>,
        interrupt: &Interrupt,
    ) -> Session {
        solver.connect_terminator(Poll { interrupt: interrupt.clone(), polls: 0 });
        let interrupt = interrupt.clone();
        let mut session =
            Session { solver, recorder, vars: 0, interrupt, queries: 0, seconds: 0.0 };
        let constant = session.new_var();
        debug_assert_eq!(constant, TRUE);
        session.add_clause(&[TRUE]);
        session
    }

    /// Sets an option of CaDiCaL; false if there is no such option or value.
    pub fn set_option(&mut self, name: &str, value: i32) -> bool {
        self.solver.set(name, value)
    }

    pub fn new_var(&mut self) -> i32 {
        self.vars += 1;
        self.vars
    }

    pub fn num_vars(&self) -> i32 {
        self.vars
    }

    pub fn add_clause(&mut self, clause: &[i32]) {
        debug_assert!(clause.iter().all(|l| l.abs() <= self.vars), "undeclared variable");
        self.solver.clause6(clause);
    }

    /// Adds a clause to a partition of the proof; the partition is meaningless without one.
    pub fn add_clause_to(&mut self, partition: u32, clause: &[i32]) {
        self.set_partition(partition);
        self.add_clause(clause);
    }

    /// The partition that clauses added from now on belong to.
    pub fn set_partition(&mut self, partition: u32) {
        if let Some(recorder) = &self.recorder {
            recorder.borrow_mut().set_partition(partition);
        }
    }

    pub fn solve(&mut self, assumptions: &[i32]) -> Answer {
        self.solve_limited(assumptions, None)
    }

    /// Solves under assumptions, giving up after so many conflicts.
    pub fn solve_limited(&mut self, assumptions: &[i32], conflicts: Option<i32>) -> Answer {
        if self.interrupt.is_raised() {
            return Answer::Stopped;
        }
        for &assumption in assumptions {
            self.solver.assume(assumption);
        }
        if let Some(limit) = conflicts {
            self.solver.limit("conflicts", limit);
        }
        self.queries += 1;
        let start = Instant::now();
        let status = self.solver.solve();
        self.seconds += start.elapsed().as_secs_f64();
        match status {
            Status::SATISFIABLE => Answer::Sat,
            Status::UNSATISFIABLE => Answer::Unsat,
            Status::UNKNOWN => Answer::Stopped,
        }
    }

    /// The value of a literal in the model of the last `Sat`.
    pub fn value(&mut self, lit: i32) -> bool {
        self.solver.val(lit) == lit
    }

    /// Whether the last `Unsat` used this assumption.
    pub fn failed(&mut self, assumption: i32) -> bool {
        self.solver.failed(assumption)
    }

    /// The clause of the proof that refutes the last query: the empty clause, or a clause of
    /// negated assumptions.
    ///
    /// Requires: the session records, and the last answer was `Unsat`.
    pub fn refutation(&mut self) -> ClauseId {
        self.solver.conclude();
        let recorder = self.recorder.as_ref().expect("a recording session");
        recorder.borrow().conclusion()
    }

    /// The proof so far.
    ///
    /// Requires: the session records.
    pub fn proof(&self) -> Ref<'_, Proof> {
        Ref::map(self.recorder.as_ref().expect("a recording session").borrow(), Recorder::proof)
    }
}

fn search_only(solver: &mut CaDiCal) {
    for (option, value) in [("inprocessing", 0), ("lucky", 0), ("walk", 0)] {
        let known = solver.set(option, value);
        debug_assert!(known, "CaDiCaL has no option {option}");
    }
}
