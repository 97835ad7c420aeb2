//! Makes the property a plain set of states, without constraints.
//!
//! Two latches are added: `alive` holds while every constraint held so far, `failed` remembers
//! that the last step was bad (and its path legal). The new property is that `failed` stays
//! false. Engines that reason backwards from the bad states need this where bad or a constraint
//! reads an input.

use crate::circuit::{Circuit, Predicate, Reset, Trace};
use wedge_logic::{Aig, Lit};

#[derive(Clone, Debug)]
pub struct MonitorWayBack {
    latches: usize,
}

/// Ensures: the result has no constraints, and its bad literal is a latch that is initially
/// false. A path of the circuit to a bad step exists iff a path of the result, one step longer,
/// does.
pub fn monitor(circuit: &Circuit) -> (Circuit, MonitorWayBack) {
    let mut monitored = circuit.clone();
    let alive = monitored.add_latch(Reset::Const(true));
    let failed = monitored.add_latch(Reset::Const(false));
    let constraints = std::mem::take(&mut monitored.constraints);
    let legal = monitored.aig.and_all(&constraints);
    let still_alive = monitored.aig.and(alive, legal);
    let latches = circuit.latches.len();
    monitored.latches[latches].next = still_alive;
    monitored.latches[latches + 1].next = monitored.aig.and(still_alive, circuit.bad);
    monitored.bad = failed;
    (monitored, MonitorWayBack { latches })
}

impl MonitorWayBack {
    /// The last step only carried the news.
    pub fn trace(&self, trace: &Trace) -> Trace {
        let mut trace = trace.clone();
        trace.initial.truncate(self.latches);
        trace.inputs.pop();
        trace
    }

    /// The states of legal, good paths: alive and not failed.
    pub fn predicate(&self, predicate: &Predicate) -> Predicate {
        let mut aig = Aig::with_inputs(self.latches);
        let mut inputs: Vec<Lit> = (0..self.latches).map(|i| aig.input(i)).collect();
        inputs.extend([Lit::TRUE, Lit::FALSE]);
        let root = predicate.aig.copy_into(&mut aig, &[predicate.root], &inputs)[0];
        Predicate { aig, root }
    }
}
