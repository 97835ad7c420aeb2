//! Reset functions: newer files let a latch start with the value of any literal.
//!
//! A reset may read other latches in the first state, whose resets may read further ones; this
//! must end somewhere, or the first state would be a system of equations without, or with more
//! than one, solution.

use super::model::AigerModel;
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Ok if no reset depends on itself; otherwise the index of a latch on a cycle.
pub(super) fn check_acyclic(model: &AigerModel) -> Result<(), usize> {
    let mut latch_of = vec![None; model.aig.len()];
    for (index, latch) in model.latches.iter().enumerate() {
        if latch.reset != latch.state && !latch.reset.is_const() {
            latch_of[latch.state.node() as usize] = Some(index);
        }
    }
    let mut marks = vec![Mark::New; model.aig.len()];
    for latch in &model.latches {
        visit(model, latch.state.node(), &latch_of, &mut marks)?;
    }
    Ok(())
}

/// Depth-first search from `start` through gates and, at latches, through their resets.
fn visit(
    model: &AigerModel,
    start: u32,
    latch_of: &[Option<usize>],
    marks: &mut [Mark],
) -> Result<(), usize> {
    let mut stack = vec![start];
    while let Some(&node) = stack.last() {
        if marks[node as usize] != Mark::New {
            marks[node as usize] = Mark::Done;
            stack.pop();
            continue;
        }
        marks[node as usize] = Mark::Open;
        for successor in successors(model, node, latch_of) {
            match marks[successor as usize] {
                Mark::New => stack.push(successor),
                Mark::Open => return Err(latch_on_cycle(&stack, marks, latch_of, successor)),
                Mark::Done => {}
            }
        }
    }
    Ok(())
}

fn successors(model: &AigerModel, node: u32, latch_of: &[Option<usize>]) -> Vec<u32> {
    match model.aig.node(node) {
        Node::And(a, b) => vec![a.node(), b.node()],
        _ => match latch_of[node as usize] {
            Some(latch) => vec![model.latches[latch].reset.node()],
            None => Vec::new(),
        },
    }
}

/// The open nodes above `entry` on the stack form the cycle; gates alone cannot, so one of them
/// is a latch.
fn latch_on_cycle(stack: &[u32], marks: &[Mark], latch_of: &[Option<usize>], entry: u32) -> usize {
    let open = stack.iter().rev().filter(|&&node| marks[node as usize] == Mark::Open);
    let until = open.take_while(|&&node| node != entry).chain([&entry]);
    until.copied().find_map(|node| latch_of[node as usize]).expect("graphs are acyclic")
}

/// For every node, whether it depends on one of `inputs`.
pub(super) fn depends_on(aig: &Aig, inputs: impl Iterator<Item = Lit>) -> Vec<bool> {
    let mut depends = vec![false; aig.len()];
    for input in inputs {
        depends[input.node() as usize] = true;
    }
    for node in 0..aig.len() {
        if let Node::And(a, b) = aig.node(node as u32) {
            depends[node] = depends[a.node() as usize] || depends[b.node() as usize];
        }
    }
    depends
}
