//! Strongly connected components (Tarjan, "Depth-first search and linear graph algorithms",
//! 1972), without recursion.

use super::Flat;

/// The components of a graph, given the successors of each node: those that others lead to go first.
pub(crate) fn components(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let count = successors.len();
    let (mut index, mut low) = (vec![usize::MAX; count], vec![0; count]);
    let (mut stack, mut on_stack) = (Vec::new(), vec![false; count]);
    let (mut next, mut components) = (0, Vec::new());
    for root in 0..count {
        if index[root] != usize::MAX {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some(&mut (node, ref mut child)) = work.last_mut() {
            if *child == 0 {
                (index[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&target) = successors[node].get(*child) {
                *child += 1;
                if index[target] == usize::MAX {
                    work.push((target, 0));
                } else if on_stack[target] {
                    low[node] = low[node].min(index[target]);
                }
                continue;
            }
            work.pop();
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                let start = stack.iter().rposition(|&member| member == node).unwrap_or(0);
                let component = stack.split_off(start);
                component.iter().for_each(|&member| on_stack[member] = false);
                components.push(component);
            }
        }
    }
    components
}

/// The components with an edge inside.
pub(super) fn cyclic(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut found = components(successors);
    found.retain(|members| members.len() > 1 || successors[members[0]].contains(&members[0]));
    found
}

impl Flat<'_> {
    /// For each block, whether it can be reached from itself.
    pub(crate) fn on_cycle(&self) -> Vec<bool> {
        let successors = |block: &super::FlatBlock| -> Vec<usize> {
            block.terminator.successors().iter().map(|id| id.0 as usize).collect()
        };
        let successors: Vec<Vec<usize>> = self.blocks.iter().map(successors).collect();
        let mut result = vec![false; self.blocks.len()];
        for member in cyclic(&successors).into_iter().flatten() {
            result[member] = true;
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::cyclic;

    #[test]
    fn components_are_those_of_mutual_reachability() {
        let mut state = 1u64;
        for _ in 0..300 {
            let mut next = |bound: u64| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 33) % bound
            };
            let count = 1 + next(8) as usize;
            let mut graph = vec![Vec::new(); count];
            for _ in 0..next(14) {
                let from = next(count as u64) as usize;
                graph[from].push(next(count as u64) as usize);
            }
            let mut reach = vec![vec![false; count]; count];
            for _ in 0..count {
                for a in 0..count {
                    for &b in &graph[a] {
                        reach[a][b] = true;
                        (0..count).for_each(|c| reach[a][c] |= reach[b][c]);
                    }
                }
            }
            let found = cyclic(&graph);
            let number = |node: usize| found.iter().position(|members| members.contains(&node));
            for (a, from) in reach.iter().enumerate() {
                assert_eq!(number(a).is_some(), from[a], "{graph:?}");
                for (b, back) in reach.iter().enumerate() {
                    let same = number(a).is_some() && number(a) == number(b);
                    assert_eq!(same, from[b] && back[a], "{graph:?}");
                }
            }
        }
    }
}
