//! Leaves out blocks that only jump on and blocks that cannot be reached.

use crate::typed::{BlockId, Body, ExprKind, Terminator};

pub fn tidy(body: &mut Body) {
    decide_branches(body);
    let forward = forwarding(body);
    for block in &mut body.blocks {
        block.terminator.retarget(|target| forward[target.0 as usize]);
    }
    for a_loop in &mut body.loops {
        a_loop.head = forward[a_loop.head.0 as usize];
    }
    let order = reachable(body, forward[0]);
    renumber(body, &order);
}

/// Branches on constants become jumps.
fn decide_branches(body: &mut Body) {
    for block in &mut body.blocks {
        if let Terminator::Branch { condition, then, otherwise } = &block.terminator
            && let ExprKind::Int(value) = condition.kind
        {
            block.terminator = Terminator::Goto(if value != 0 { *then } else { *otherwise });
        }
    }
}

/// For each block, the block in which the first thing happens on the way from it.
fn forwarding(body: &Body) -> Vec<BlockId> {
    let mut forward: Vec<Option<BlockId>> = vec![None; body.blocks.len()];
    let mut visited_from = vec![usize::MAX; body.blocks.len()];
    for start in 0..body.blocks.len() {
        let mut path = Vec::new();
        let mut at = BlockId(start as u32);
        let target = loop {
            if let Some(known) = forward[at.0 as usize] {
                break known;
            }
            // An empty loop keeps the block where it was entered.
            if std::mem::replace(&mut visited_from[at.0 as usize], start) == start {
                break at;
            }
            path.push(at);
            match &body.block(at).terminator {
                Terminator::Goto(next) if body.block(at).statements.is_empty() => at = *next,
                _ => break at,
            }
        };
        for block in path {
            forward[block.0 as usize] = Some(target);
        }
    }
    let identity =
        |(index, target): (usize, Option<BlockId>)| target.unwrap_or(BlockId(index as u32));
    forward.into_iter().enumerate().map(identity).collect()
}

/// The blocks that can be reached, in the order of a depth-first search.
fn reachable(body: &Body, entry: BlockId) -> Vec<BlockId> {
    let mut seen = vec![false; body.blocks.len()];
    let mut order = Vec::new();
    let mut stack = vec![entry];
    while let Some(block) = stack.pop() {
        if std::mem::replace(&mut seen[block.0 as usize], true) {
            continue;
        }
        order.push(block);
        stack.extend(body.block(block).terminator.successors().into_iter().rev());
    }
    order
}

fn renumber(body: &mut Body, order: &[BlockId]) {
    let mut number = vec![None; body.blocks.len()];
    for (new, old) in order.iter().enumerate() {
        number[old.0 as usize] = Some(BlockId(new as u32));
    }
    let mut old: Vec<_> = std::mem::take(&mut body.blocks).into_iter().map(Some).collect();
    body.blocks = order.iter().filter_map(|block| old[block.0 as usize].take()).collect();
    for block in &mut body.blocks {
        block.terminator.retarget(|target| number[target.0 as usize].unwrap_or(target));
    }
    body.loops.retain_mut(|a_loop| {
        let head = number[a_loop.head.0 as usize];
        a_loop.head = head.unwrap_or(a_loop.head);
        head.is_some()
    });
}
