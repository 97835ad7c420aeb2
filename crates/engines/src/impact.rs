//! Lazy abstraction with interpolants (McMillan: Lazy Abstraction with Interpolants, CAV 2006), on
//! blocks (Beyer, Wendler: Algorithms for Software Model Checking: Predicate Abstraction vs. Impact,
//! FMCAD 2012).
//!
//! The automaton is unwound into a tree. A new node says nothing but what is known of its place.
//! Where a node cannot exclude that its block leads to a target, the path to it is asked for a run;
//! if there is none, assertions along the path strengthen its nodes (REFINE). A node is covered by
//! an older one of its place if it implies its formula (CLOSE), or if assertions can be found under
//! which it does (forced covering); what is strengthened loses the nodes that it does not cover any
//! more. When every node is expanded or covered, the formulas of a place together are its invariant.

use crate::contract::{AutomatonEngine, AutomatonOutcome, Context};
use crate::figures;
use crate::paths::{Goal, Going, NodeId, PathConfig, StepId, Unwinding, guards, parts};
use wedge_model::Cfa;
use wedge_smt::Answer;

/// How many nodes of its place a node is tried to be covered by against its will.
const FORCED: usize = 2;

pub struct Impact {
    pub config: PathConfig,
}

impl AutomatonEngine for Impact {
    fn run(&self, automaton: &Cfa, context: &Context) -> AutomatonOutcome {
        let mut tree = match Unwinding::new(automaton, &self.config, context) {
            Ok(tree) => tree,
            Err(outcome) => return *outcome,
        };
        let end = unwind(&mut tree);
        tree.finish();
        end.err().map_or_else(|| tree.proof(), |outcome| *outcome)
    }
}

fn unwind(tree: &mut Unwinding) -> Going<()> {
    while let Some(node) = tree.next_open()? {
        if tree.close(node) || (tree.config.force && force(tree, node)) {
            continue;
        }
        expand(tree, node)?;
    }
    Ok(())
}

/// EXPAND: refutes the steps to targets, and gives the others nodes to lead to.
fn expand(tree: &mut Unwinding, node: NodeId) -> Going<()> {
    for step in tree.blocked.place(tree.graph.node(node).place).steps.clone() {
        if tree.excludes(node, step) {
            continue;
        }
        match tree.blocked.step(step).to {
            Goal::Place(to) => {
                let facts = tree.blocked.place(to).facts;
                let child = tree.graph.add(node, step, to, facts);
                tree.open.push_back(child);
            }
            Goal::Target(_) => {
                refine(tree, node, step)?;
                if tree.is_settled(node) {
                    // It is expanded when it loses its cover.
                    return Ok(());
                }
            }
        }
    }
    tree.expanded(node);
    Ok(())
}

/// REFINE: excludes that the path by the node leads to a target, or ends with a run.
fn refine(tree: &mut Unwinding, node: NodeId, last: StepId) -> Going<()> {
    let assertions = tree.refute(node, last)?;
    let nodes = tree.graph.nodes_to(node);
    for (&node, assertion) in nodes.iter().zip(assertions) {
        tree.strengthen(node, assertion);
    }
    tree.close_along(&nodes);
    Ok(())
}

/// Forced covering: from their common ancestor on, the path to the node implies the formula of an
/// older node.
fn force(tree: &mut Unwinding, node: NodeId) -> bool {
    let older = tree.older(node);
    older.into_iter().rev().take(FORCED).any(|older| force_by(tree, node, older))
}

fn force_by(tree: &mut Unwinding, node: NodeId, older: NodeId) -> bool {
    let (line, other) = (tree.graph.nodes_to(node), tree.graph.nodes_to(older));
    let common = line.iter().zip(&other).take_while(|(a, b)| a == b).count() - 1;
    let steps = tree.graph.steps_to(node).split_off(common);
    let before = tree.graph.node(line[common]).formula;
    let after = tree.graph.node(older).formula;
    let outside = tree.blocked.store.not(after);
    let all = guards(&tree.blocked, &steps);
    let parts = parts(&mut tree.blocked, &steps, &all, Some(before), Some(outside));
    // φ_common(s₀) ∧ step₁ ∧ … ∧ stepₙ ∧ ¬φ_older(sₙ)
    let solver = &mut tree.paths.solver;
    if solver.check_assuming(&mut tree.blocked.store, &parts.terms) != Answer::Unsat {
        return false;
    }
    let blocked = &mut tree.blocked;
    let Some(between) = tree.source.between(blocked, before, &steps, after, &tree.interrupt) else {
        return false;
    };
    for (&node, assertion) in line[common..].iter().zip(between) {
        tree.strengthen(node, assertion);
    }
    tree.context.record(|f| f.add(figures::FORCED_COVERINGS, 1.0));
    tree.close_along(&line[common..]);
    tree.is_settled(node)
}
