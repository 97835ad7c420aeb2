//! What a scalar may be: addresses in objects, and kinds of numbers.

use super::ObjectId;
use super::offsets::{self, Off};
use std::borrow::Cow;

/// Which values other than addresses of objects are possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags(u8);

impl Flags {
    pub const NONE: Flags = Flags(0);
    pub const NULL: Flags = Flags(1);
    /// A number that was computed or read from outside.
    pub const ARBITRARY: Flags = Flags(2);
    /// What storage holds before it is written.
    pub const UNINITIALISED: Flags = Flags(4);

    pub fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
    pub fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }
    pub fn any(self) -> bool {
        self.0 != 0
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Set {
    /// Sorted; no entry covers another one.
    pub list: Vec<(ObjectId, Off)>,
    pub flags: Flags,
}

impl Set {
    pub fn flags(flags: Flags) -> Set {
        Set { list: Vec::new(), flags }
    }

    pub fn one(object: ObjectId, off: Off) -> Set {
        Set { list: vec![(object, off)], flags: Flags::NONE }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && !self.flags.any()
    }

    /// Whether all addresses of another set are in this one. Both lists are sorted by object.
    fn covers(&self, other: &Set) -> bool {
        let mut begin = 0;
        for (object, off) in &other.list {
            while self.list.get(begin).is_some_and(|(mine, _)| mine < object) {
                begin += 1;
            }
            let same = self.list[begin..].iter().take_while(|(mine, _)| mine == object);
            if !same.into_iter().any(|(_, mine)| mine == off || mine.covers(off)) {
                return false;
            }
        }
        true
    }

    /// Adds all of another set. Says whether there was anything new.
    pub fn join(&mut self, other: &Set) -> bool {
        let old = self.flags;
        self.flags = self.flags.with(other.flags);
        if self.list.is_empty() && !other.list.is_empty() {
            self.list = other.list.clone();
            return true;
        }
        if self.covers(other) {
            return self.flags != old;
        }
        self.list = merge(&self.list, &other.list);
        true
    }

    /// The same objects with changed offsets.
    pub fn map(&self, change: impl Fn(ObjectId, &Off) -> Off) -> Set {
        let changed = self.list.iter().map(|(object, off)| (*object, change(*object, off)));
        Set { list: normal(changed.collect()), flags: self.flags }
    }

    /// Anywhere in the same objects.
    pub fn smeared(&self) -> Set {
        let mut list: Vec<(ObjectId, Off)> =
            self.list.iter().map(|(object, _)| (*object, Off::anywhere())).collect();
        list.dedup();
        Set { list, flags: self.flags }
    }
}

/// Joins two possibly borrowed sets.
pub fn joined<'a>(left: Cow<'a, Set>, right: Cow<'a, Set>) -> Cow<'a, Set> {
    if right.is_empty() {
        return left;
    }
    if left.is_empty() {
        return right;
    }
    let mut left = left.into_owned();
    left.join(&right);
    Cow::Owned(left)
}

/// Merges two sorted lists object by object.
fn merge(left: &[(ObjectId, Off)], right: &[(ObjectId, Off)]) -> Vec<(ObjectId, Off)> {
    let mut all = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left, right);
    while let (Some((a, _)), Some((b, _))) = (left.first(), right.first()) {
        let object = *a.min(b);
        let own = run(left, object);
        let other = run(right, object);
        match (own, other) {
            (_, 0) => all.extend_from_slice(&left[..own]),
            (0, _) => all.extend_from_slice(&right[..other]),
            _ => {
                let mut offsets: Vec<Off> = left[..own].iter().map(|(_, off)| *off).collect();
                for (_, off) in &right[..other] {
                    offsets::insert(&mut offsets, *off);
                }
                all.extend(offsets.into_iter().map(|off| (object, off)));
            }
        }
        (left, right) = (&left[own..], &right[other..]);
    }
    all.extend_from_slice(left);
    all.extend_from_slice(right);
    all
}

/// How many entries at the beginning of a list belong to an object.
fn run(list: &[(ObjectId, Off)], object: ObjectId) -> usize {
    list.iter().take_while(|(id, _)| *id == object).count()
}

fn normal(mut all: Vec<(ObjectId, Off)>) -> Vec<(ObjectId, Off)> {
    if all.len() <= 1 {
        return all;
    }
    all.sort_unstable();
    let mut result = Vec::with_capacity(all.len());
    for group in all.chunk_by(|(a, _), (b, _)| a == b) {
        if let [single] = group {
            result.push(*single);
            continue;
        }
        let mut offsets = Vec::with_capacity(group.len());
        group.iter().for_each(|(_, off)| {
            offsets::insert(&mut offsets, *off);
        });
        result.extend(offsets.into_iter().map(|off| (group[0].0, off)));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_keep_objects_apart() {
        let mut set = Set::one(ObjectId(3), Off::exact(4));
        assert!(set.join(&Set::one(ObjectId(1), Off::exact(0))));
        assert!(!set.join(&Set::one(ObjectId(3), Off::exact(4))));
        assert!(set.join(&Set::one(ObjectId(3), Off::exact(8))));
        let expected = [(1, 0), (3, 4), (3, 8)];
        let expected: Vec<_> =
            expected.iter().map(|&(object, at)| (ObjectId(object), Off::exact(at))).collect();
        assert_eq!(set.list, expected);
        assert!(set.join(&Set::flags(Flags::NULL)));
        assert!(!set.join(&Set::flags(Flags::NULL)));
        assert_eq!(set.smeared().list.len(), 2);
    }
}
