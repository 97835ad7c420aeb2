//! `--explain`: the steps of a proof as they happen, in the terms of the model.
//!
//! For a C program this follows section 4.3 of "Interpolation and SAT-Based Model Checking
//! Revisited": the formulas of prefix, loop and suffix first, then every interpolant of each bound
//! and at last the fixed point.

use crate::input::Problem;
use std::sync::Arc;
use wedge_engines::preprocess::Pipeline;
use wedge_engines::{Context, Insight};

/// A context in which the engine's insights are printed.
pub fn observed(context: Context, problem: &Problem, way_back: Arc<Pipeline>) -> Context {
    if let Some(text) = problem.way_back.outline() {
        print!("{text}");
    }
    let model = problem.way_back.clone();
    context.observed(Arc::new(move |insight: &Insight| {
        let formula = |predicate| {
            let predicate = way_back.predicate(predicate);
            let size = predicate.aig.num_ands();
            model.formula(&predicate).unwrap_or_else(|| format!("(a circuit of {size} AND gates)"))
        };
        match insight {
            Insight::Bound(bound) => println!("Unrolling bound {bound}"),
            Insight::Interpolant(predicate) => println!("  interpolant: {}", formula(predicate)),
            Insight::Spurious => println!("  the next query is satisfiable: the bound grows"),
            Insight::FixedPoint(predicate) => println!("Fixed point: {}", formula(predicate)),
            Insight::Invariant(_) => {}
        }
    }))
}
