//! Auxiliary invariants: facts that hold in all reachable states, found while an engine runs.
//!
//! A finder posts facts, an engine reads what is new whenever it likes (Beyer, Dangl, Wendler, CAV
//! 2015). Each posting is inductive together with those before it, so that a proof that used
//! some of them is one that uses all.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;
use wedge_model::Facts;
use wedge_sat::Interrupt;

/// How often a waiting thread looks whether it should stop.
const POLLING: Duration = Duration::from_millis(20);

/// A board for facts, shared between threads.
#[derive(Clone, Debug, Default)]
pub struct Auxiliary {
    board: Arc<(Mutex<Board>, Condvar)>,
}

#[derive(Debug, Default)]
struct Board {
    postings: Vec<Arc<Facts>>,
    /// Whether someone is looking for more.
    expecting: bool,
}

impl Auxiliary {
    /// A board on which facts will be posted until it is closed.
    pub fn expecting() -> Auxiliary {
        let auxiliary = Auxiliary::default();
        auxiliary.change(|board| board.expecting = true);
        auxiliary
    }

    fn change(&self, change: impl FnOnce(&mut Board)) {
        let (board, changed) = &*self.board;
        change(&mut board.lock().expect("no thread panics while it holds the board"));
        changed.notify_all();
    }

    pub fn post(&self, facts: Facts) {
        self.change(|board| board.postings.push(Arc::new(facts)));
    }

    /// Nothing more will be posted.
    pub fn close(&self) {
        self.change(|board| board.expecting = false);
    }

    /// What was posted after the first `known` postings.
    pub fn news(&self, known: usize) -> Vec<Arc<Facts>> {
        let board = self.board.0.lock().expect("no thread panics while it holds the board");
        board.postings.get(known..).unwrap_or_default().to_vec()
    }

    /// Waits until there are at least so many postings, or will never be, or the time is over.
    pub fn wait_for(&self, postings: usize, time: Duration) {
        let (board, changed) = &*self.board;
        let guard = board.lock().expect("no thread panics while it holds the board");
        let waiting = |board: &mut Board| board.expecting && board.postings.len() < postings;
        drop(changed.wait_timeout_while(guard, time, waiting));
    }

    /// Waits until nothing more will be posted, or the interrupt is raised.
    pub fn wait_for_all(&self, interrupt: &Interrupt) {
        let is_expecting = || self.board.0.lock().is_ok_and(|board| board.expecting);
        while is_expecting() && !interrupt.is_raised() {
            self.wait_for(usize::MAX, POLLING);
        }
    }
}
