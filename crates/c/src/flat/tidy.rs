//! Tidying the graph: jumps skip blocks that do nothing, and what cannot be reached is dropped.
//!
//! The heads of the source's loops are kept even if they do nothing, so that invariants can be
//! told of them. Blocks are numbered in reverse postorder.

use super::{Flat, FlatBlock, FlatBlockId, FlatTerminator};

pub(super) fn tidy(mut flat: Flat) -> Flat {
    let skips: Vec<Option<FlatBlockId>> =
        flat.blocks.iter().map(|block| skip(&flat, block)).collect();
    let resolved: Vec<FlatBlockId> =
        (0..flat.blocks.len()).map(|index| follow(FlatBlockId(index as u32), &skips)).collect();
    for block in &mut flat.blocks {
        block.terminator.retarget(|target| resolved[target.0 as usize]);
    }
    let entry = resolved.first().copied().unwrap_or(FlatBlockId(0));
    let order = reverse_postorder(&flat.blocks, entry);
    let mut numbers = vec![FlatBlockId(u32::MAX); flat.blocks.len()];
    for (number, id) in order.iter().enumerate() {
        numbers[id.0 as usize] = FlatBlockId(number as u32);
    }
    let mut old: Vec<Option<FlatBlock>> = flat.blocks.into_iter().map(Some).collect();
    flat.blocks = order.iter().filter_map(|id| old[id.0 as usize].take()).collect();
    for block in &mut flat.blocks {
        block.terminator.retarget(|target| numbers[target.0 as usize]);
    }
    flat
}

/// Where a block leads that does nothing else.
fn skip(flat: &Flat, block: &FlatBlock) -> Option<FlatBlockId> {
    let FlatTerminator::Goto(target) = block.terminator else { return None };
    let is_head = |id| flat.instance(block.instance).body.loops.iter().any(|l| l.head == id);
    (block.statements.is_empty() && !block.source.is_some_and(is_head)).then_some(target)
}

/// Follows skipped blocks; stays where they form a cycle.
fn follow(start: FlatBlockId, skips: &[Option<FlatBlockId>]) -> FlatBlockId {
    let mut here = start;
    for _ in 0..skips.len() {
        match skips[here.0 as usize] {
            Some(next) if next != start => here = next,
            Some(_) => return start,
            None => return here,
        }
    }
    here
}

/// The blocks that can be reached, every one before its successors except on cycles.
pub(crate) fn reverse_postorder(blocks: &[FlatBlock], entry: FlatBlockId) -> Vec<FlatBlockId> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::new();
    let mut stack = vec![(entry, blocks[entry.0 as usize].terminator.successors())];
    seen[entry.0 as usize] = true;
    while let Some((id, successors)) = stack.last_mut() {
        match successors.pop() {
            Some(next) if !seen[next.0 as usize] => {
                seen[next.0 as usize] = true;
                stack.push((next, blocks[next.0 as usize].terminator.successors()));
            }
            Some(_) => {}
            None => {
                order.push(*id);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
