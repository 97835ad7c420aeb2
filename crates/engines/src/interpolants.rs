//! What the interpolation-based engines share: cutting an unrolling between two steps, and what
//! happens to an interpolant before it is used.

use crate::contract::Context;
use std::time::Duration;
use wedge_logic::{Aig, Lit};
use wedge_model::Predicate;
use wedge_sat::Sink;
use wedge_sat::gates::Gates;
use wedge_sat::session::TRUE;
use wedge_sat::sweep::{Budget, sweep};

/// Literals for the latches of s₁ that a B-side may use, and the shared variables with their
/// meaning. Where several latches would share a variable, or a latch is constant, a variable of
/// its own keeps the cut a plain renaming of the latches.
pub fn cut_state(session: &mut impl Sink, next: &[i32], aig: &Aig) -> (Vec<i32>, Vec<(i32, Lit)>) {
    let mut taken = rustc_hash::FxHashSet::default();
    let mut cut = Vec::with_capacity(next.len());
    let mut shared = Vec::with_capacity(next.len());
    for (index, &lit) in next.iter().enumerate() {
        let literal = if lit.abs() == TRUE || !taken.insert(lit.abs()) {
            let copy = session.new_var();
            add_folded(session, &[-copy, lit]);
            add_folded(session, &[copy, -lit]);
            copy
        } else {
            lit
        };
        cut.push(literal);
        shared.push((literal.abs(), aig.input(index).xor(literal < 0)));
    }
    (cut, shared)
}

/// Adds a clause whose literals may be constants.
pub fn add_folded(session: &mut impl Sink, clause: &[i32]) {
    if !clause.contains(&TRUE) {
        let clause: Vec<i32> = clause.iter().copied().filter(|&l| l != -TRUE).collect();
        session.add_clause(&clause);
    }
}

/// The cone of a literal as a graph of its own.
pub fn compact(aig: &Aig, root: Lit) -> Predicate {
    let mut target = Aig::with_inputs(aig.num_inputs());
    let inputs: Vec<Lit> = (0..aig.num_inputs()).map(|i| target.input(i)).collect();
    let root = aig.copy_into(&mut target, &[root], &inputs)[0];
    Predicate { aig: target, root }
}

/// Counts an interpolant in the figures.
pub fn record_interpolant(interpolant: &Predicate, seconds: f64, context: &Context) {
    let (aig, root) = (&interpolant.aig, interpolant.root);
    let size = aig.num_ands() as u64;
    let cone = aig.cone(&[root]);
    let atoms = (0..aig.num_inputs()).filter(|&i| cone[aig.input(i).node() as usize]).count();
    // The clauses that define its gates, and the one that asserts it.
    let clauses = Gates::new(aig, &[root]).num_clauses() + 1;
    context.record(|f| {
        f.interpolant_atoms += atoms as u64;
        f.interpolant_clauses += clauses as u64;
        f.interpolation_seconds += seconds;
        f.interpolants += 1;
        f.interpolant_ands += size;
        f.largest_interpolant = f.largest_interpolant.max(size);
    });
}

/// Sweeps an interpolant, spending no more than what its query took.
pub fn simplify(predicate: Predicate, effort: f64, context: &Context) -> Predicate {
    let budget = Budget {
        conflicts_per_query: 50,
        time: Duration::from_secs_f64((0.5 * effort).clamp(0.01, 2.0)),
    };
    let (aig, roots) = sweep(&predicate.aig, &[predicate.root], budget, &context.interrupt());
    Predicate { aig, root: roots[0] }
}
