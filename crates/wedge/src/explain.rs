//! The steps of a proof as they happen, in the terms of the model.
//!
//! For a C program this follows section 4.3 of "Interpolation and SAT-Based Model Checking
//! Revisited": the formulas of prefix, loop and suffix first, then every interpolant of each bound
//! and at last the fixed point.

use crate::input::Problem;
use crate::options::{Follower, ProofStep};
use std::sync::Arc;
use wedge_engines::preprocess::Reductions;
use wedge_engines::{Context, Insight};

/// A context in which the graph of a path engine is shown to the follower.
pub fn shown(context: Context, follower: &Follower) -> Context {
    let follower = follower.clone();
    context.observed(Arc::new(move |insight: &Insight| {
        if let Insight::Graph(graph) = insight {
            follower(&ProofStep::Graph(Box::new(graph())));
        }
    }))
}

/// A context in which the engine's insights are told to the follower.
pub fn observed(
    context: Context,
    follower: &Follower,
    problem: &Problem,
    way_back: Arc<Reductions>,
) -> Context {
    if let Some(text) = problem.analyses.outline() {
        follower(&ProofStep::Outline(text));
    }
    let (model, follower) = (problem.analyses.clone(), follower.clone());
    context.observed(Arc::new(move |insight: &Insight| {
        let formula = |predicate| {
            let predicate = way_back.predicate(predicate);
            let size = predicate.aig.num_ands();
            model.formula(&predicate).unwrap_or_else(|| format!("(a circuit of {size} AND gates)"))
        };
        follower(&match insight {
            Insight::Bound(bound) => ProofStep::Bound(*bound),
            Insight::Interpolant(predicate) => ProofStep::Interpolant(formula(predicate)),
            Insight::Spurious => ProofStep::Spurious,
            Insight::FixedPoint(predicate) => ProofStep::FixedPoint(formula(predicate)),
            Insight::Invariant(_) | Insight::Graph(_) | Insight::Frames(_) => return,
        });
    }))
}
