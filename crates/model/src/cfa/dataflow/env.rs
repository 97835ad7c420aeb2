//! Abstract states: what is known about each variable, as a persistent map.
//!
//! A state differs from its predecessor in the few variables that an edge touches, so states
//! share all the rest (a trie of 16 ways by the variables' numbers), and operations on two states
//! skip what they share. A variable that is not in the map may have any value.

use super::value::Value;
use std::rc::Rc;

const BITS: u32 = 4;
const WAYS: usize = 1 << BITS;

enum Node {
    Leaf(Value),
    Inner([Option<Rc<Node>>; WAYS]),
}

type Link = Option<Rc<Node>>;

#[derive(Clone)]
pub struct Env {
    root: Link,
    /// Levels of inner nodes.
    height: u32,
}

impl Env {
    /// Nothing is known about so many variables.
    pub fn top(variables: usize) -> Env {
        let mut height = 1;
        while variables > 1usize << (BITS * height) {
            height += 1;
        }
        Env { root: None, height }
    }

    fn way(&self, variable: u32, level: u32) -> usize {
        (variable >> (BITS * (self.height - 1 - level))) as usize % WAYS
    }

    pub fn get(&self, variable: u32) -> Option<&Value> {
        let mut link = &self.root;
        for level in 0..self.height {
            match link.as_deref()? {
                Node::Inner(children) => link = &children[self.way(variable, level)],
                Node::Leaf(_) => return None,
            }
        }
        match link.as_deref()? {
            Node::Leaf(value) => Some(value),
            Node::Inner(_) => None,
        }
    }

    /// The state in which the variable has this value, or any.
    pub fn set(&mut self, variable: u32, value: Option<Value>) {
        let value = value.filter(|value| !value.is_top());
        if self.get(variable) == value.as_ref() {
            return;
        }
        self.root = self.changed(&self.root, variable, 0, value);
    }

    fn changed(&self, link: &Link, variable: u32, level: u32, value: Option<Value>) -> Link {
        if level == self.height {
            return value.map(|value| Rc::new(Node::Leaf(value)));
        }
        let mut children = match link.as_deref() {
            Some(Node::Inner(children)) => children.clone(),
            _ => Default::default(),
        };
        let way = self.way(variable, level);
        children[way] = self.changed(&children[way], variable, level + 1, value);
        inner(children)
    }

    /// What may hold in either state.
    pub fn join(&self, other: &Env) -> Env {
        self.combined(other, &|a, b| Some(a.join(b)))
    }

    /// Combines what both states know; what one of them does not know is unknown. Shares with
    /// `self` all that stays the same.
    pub fn combined(&self, other: &Env, combine: &dyn Fn(&Value, &Value) -> Option<Value>) -> Env {
        Env { root: combined(&self.root, &other.root, combine), ..*self }
    }

    /// What both states say. None if that is impossible.
    pub fn meet(&self, other: &Env) -> Option<Env> {
        Some(Env { root: meet(&self.root, &other.root)?, ..*self })
    }

    pub fn is_same(&self, other: &Env) -> bool {
        same(&self.root, &other.root)
    }
}

fn same(a: &Link, b: &Link) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        _ => false,
    }
}

fn inner(children: [Link; WAYS]) -> Link {
    let empty = children.iter().all(Option::is_none);
    (!empty).then(|| Rc::new(Node::Inner(children)))
}

fn combined(a: &Link, b: &Link, combine: &dyn Fn(&Value, &Value) -> Option<Value>) -> Link {
    if same(a, b) {
        return a.clone();
    }
    let (Some(left), Some(right)) = (a, b) else { return None };
    match (&**left, &**right) {
        (Node::Leaf(x), Node::Leaf(y)) => match combine(x, y).filter(|value| !value.is_top()) {
            Some(value) if value == *x => a.clone(),
            value => value.map(|value| Rc::new(Node::Leaf(value))),
        },
        (Node::Inner(xs), Node::Inner(ys)) => {
            let mut children: [Link; WAYS] = Default::default();
            let mut kept = true;
            for (way, child) in children.iter_mut().enumerate() {
                *child = combined(&xs[way], &ys[way], combine);
                kept &= same(child, &xs[way]);
            }
            if kept { a.clone() } else { inner(children) }
        }
        _ => None,
    }
}

/// The outer option is none if a variable can have no value.
fn meet(a: &Link, b: &Link) -> Option<Link> {
    if same(a, b) {
        return Some(a.clone());
    }
    let (Some(left), Some(right)) = (a, b) else {
        return Some(a.as_ref().or(b.as_ref()).cloned());
    };
    match (&**left, &**right) {
        (Node::Leaf(x), Node::Leaf(y)) => Some(Some(Rc::new(Node::Leaf(x.meet(y)?)))),
        (Node::Inner(xs), Node::Inner(ys)) => {
            let mut children: [Link; WAYS] = Default::default();
            for (way, child) in children.iter_mut().enumerate() {
                *child = meet(&xs[way], &ys[way])?;
            }
            Some(inner(children))
        }
        _ => Some(a.clone()),
    }
}
