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

    /// The offsets in one object.
    fn part(&self, object: ObjectId) -> &[(ObjectId, Off)] {
        let begin = self.list.partition_point(|(id, _)| *id < object);
        let end = self.list.partition_point(|(id, _)| *id <= object);
        &self.list[begin..end]
    }

    fn covers(&self, object: ObjectId, off: &Off) -> bool {
        self.part(object).iter().any(|(_, mine)| mine.covers(off))
    }

    /// Adds all of another set. Says whether there was anything new.
    pub fn join(&mut self, other: &Set) -> bool {
        let old = self.flags;
        self.flags = self.flags.with(other.flags);
        if self.list.is_empty() && !other.list.is_empty() {
            self.list = other.list.clone();
            return true;
        }
        if other.list.iter().all(|(object, off)| self.covers(*object, off)) {
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
        self.map(|_, _| Off::anywhere())
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

/// Merges two lists object by object.
fn merge(left: &[(ObjectId, Off)], right: &[(ObjectId, Off)]) -> Vec<(ObjectId, Off)> {
    let mut all = Vec::with_capacity(left.len() + right.len());
    all.extend_from_slice(left);
    all.extend_from_slice(right);
    normal(all)
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
