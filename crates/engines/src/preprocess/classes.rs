//! A partition of nodes into classes that may be equal, up to negation; it is only ever refined.

use rustc_hash::FxHashMap;
use std::hash::Hash;

const NONE: u32 = u32::MAX;

/// Invariants: a class has at least two members, in the order of the candidates; the first one
/// is its representative. A candidate that is in no class equals nothing else.
pub struct Classes {
    /// In the order in which they may represent others.
    candidates: Vec<u32>,
    /// By node.
    class_of: Vec<u32>,
    /// By node: its value in some state, up to which values are compared.
    phases: Vec<bool>,
    members: Vec<Vec<u32>>,
}

impl Classes {
    /// Candidates with the same key are in one class.
    pub fn new<K: Hash + Eq>(
        candidates: Vec<u32>,
        phases: Vec<bool>,
        key: impl Fn(u32) -> K,
    ) -> Classes {
        let class_of = vec![NONE; phases.len()];
        let mut classes = Classes { candidates, class_of, phases, members: Vec::new() };
        let all = classes.candidates.clone();
        classes.group(all, NONE, key);
        classes
    }

    pub fn candidates(&self) -> &[u32] {
        &self.candidates
    }

    pub fn phase(&self, node: u32) -> bool {
        self.phases[node as usize]
    }

    /// The representative of a node that is not one itself.
    pub fn representative(&self, node: u32) -> Option<u32> {
        let class = self.class_of[node as usize];
        let first = *self.members.get(class as usize)?.first()?;
        (first != node).then_some(first)
    }

    /// Whether a node and its representative have opposite values.
    pub fn opposite(&self, node: u32, representative: u32) -> bool {
        self.phase(node) != self.phase(representative)
    }

    /// Splits all classes by what distinguishes their members. Returns whether any was split.
    pub fn refine<K: Hash + Eq>(&mut self, key: impl Fn(u32) -> K) -> bool {
        let mut split = false;
        for class in 0..self.members.len() {
            let members = &self.members[class];
            let Some(&first) = members.first() else { continue };
            let wanted = key(first);
            if members.iter().all(|&member| key(member) == wanted) {
                continue;
            }
            let members = std::mem::take(&mut self.members[class]);
            self.group(members, class as u32, &key);
            split = true;
        }
        split
    }

    /// Splits all classes by the values of their members in the runs of `mask`.
    pub fn refine_by(&mut self, words: &[u64], mask: u64) -> bool {
        let flips: Vec<u64> = self.phases.iter().map(|&p| if p { u64::MAX } else { 0 }).collect();
        self.refine(|node| (words[node as usize] ^ flips[node as usize]) & mask)
    }

    /// The runs in which all members of each class agree.
    pub fn agreement(&self, words: &[u64]) -> u64 {
        let value = |node: u32| {
            let word = words[node as usize];
            if self.phase(node) { !word } else { word }
        };
        let mut agreement = u64::MAX;
        for members in self.members.iter().filter(|members| !members.is_empty()) {
            let wanted = value(members[0]);
            members.iter().for_each(|&member| agreement &= !(value(member) ^ wanted));
        }
        agreement
    }

    /// Takes a node out of its class.
    pub fn separate(&mut self, node: u32) {
        let class = std::mem::replace(&mut self.class_of[node as usize], NONE);
        if let Some(members) = self.members.get_mut(class as usize) {
            members.retain(|&member| member != node);
            if let [last] = members[..] {
                self.class_of[last as usize] = NONE;
                members.clear();
            }
        }
    }

    /// Makes classes of the nodes with equal keys; the first of them takes the place `class`.
    fn group<K: Hash + Eq>(&mut self, nodes: Vec<u32>, class: u32, key: impl Fn(u32) -> K) {
        let mut place = FxHashMap::default();
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for node in nodes {
            let index = *place.entry(key(node)).or_insert(groups.len());
            if index == groups.len() {
                groups.push(Vec::new());
            }
            groups[index].push(node);
        }
        let mut class = class;
        for group in groups {
            if let [single] = group[..] {
                self.class_of[single as usize] = NONE;
                continue;
            }
            if class == NONE {
                class = self.members.len() as u32;
                self.members.push(Vec::new());
            }
            group.iter().for_each(|&node| self.class_of[node as usize] = class);
            self.members[class as usize] = group;
            class = NONE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refinement() {
        let phases = vec![false, true, false, true, false, false];
        let mut classes = Classes::new(vec![0, 2, 1, 3, 4, 5], phases, |node| node == 5);
        assert!((1..5).all(|node| classes.representative(node) == Some(0)));
        assert_eq!(classes.representative(5), None);
        assert!(classes.opposite(1, 0) && !classes.opposite(2, 0));
        // Up to phases, nodes 1 and 3 have the values of 0 and 2 in the only run that counts.
        assert!(!classes.refine_by(&[0, 1, 2, 3, 0, 0], 1));
        assert!(classes.refine_by(&[0, 3, 1, 2, 2, 0], 1));
        assert_eq!(classes.representative(1), Some(0));
        assert_eq!(classes.representative(3), Some(2));
        assert_eq!(classes.representative(4), Some(0));
        assert_eq!(classes.representative(2), None);
        classes.separate(3);
        assert_eq!(classes.representative(3), None);
        assert_eq!(classes.representative(2), None);
        classes.separate(0);
        assert_eq!(classes.representative(4), Some(1));
        assert_eq!(classes.representative(1), None);
    }
}
