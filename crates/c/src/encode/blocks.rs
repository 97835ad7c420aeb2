//! Lives of the variables of blocks.
//!
//! A pointer to a variable may be followed after the block of the variable has ended. Where the
//! points-to analysis cannot exclude that, a bit of the automaton tells whether the block is being
//! executed, and an access through a pointer needs it. All other variables have no bit.
//!
//! What becomes of a pointer to a variable whose block has ended and begun again is told in
//! [`again`](super::again).

use super::Encoder;
use crate::flat::{Flat, FlatStmt, InstanceId};
use crate::points::{ObjectId, ObjectKind, Points};
use crate::typed::{LocalId, PlaceKind, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Sort, Term};

/// The objects whose blocks may have ended, a bit each.
pub type Set = Vec<u64>;

/// The variables whose blocks may have ended, place by place.
#[derive(Default)]
pub struct Ended {
    /// The objects that a variable stands for: its own, or arrays of variable length.
    objects: FxHashMap<(InstanceId, LocalId), Vec<ObjectId>>,
    /// The bits of the objects.
    bits: FxHashMap<ObjectId, usize>,
    /// By block of the flat program.
    starts: Vec<Set>,
}

/// A bit for each object that is accessed where its block may have ended.
#[derive(Default)]
pub struct BlockLives {
    objects: FxHashMap<(InstanceId, LocalId), Vec<ObjectId>>,
    bits: FxHashMap<ObjectId, Term>,
}

impl Ended {
    pub fn find(flat: &Flat, points: &Points) -> Ended {
        let mut found = Ended::default();
        found.find_objects(flat, points);
        if found.objects.is_empty() {
            return found;
        }
        let words = found.bits.len().div_ceil(64);
        found.starts = vec![vec![0; words]; flat.blocks.len()];
        // Blocks are in reverse postorder, so that few rounds are needed.
        loop {
            let mut changed = false;
            for (index, block) in flat.blocks.iter().enumerate() {
                let mut now = found.starts[index].clone();
                for statement in &block.statements {
                    found.step(block.instance, statement, &mut now);
                }
                for next in block.terminator.successors() {
                    for (start, now) in found.starts[next.0 as usize].iter_mut().zip(&now) {
                        changed |= now & !*start != 0;
                        *start |= now;
                    }
                }
            }
            if !changed {
                return found;
            }
        }
    }

    fn find_objects(&mut self, flat: &Flat, points: &Points) {
        let mut ending = FxHashSet::default();
        for block in &flat.blocks {
            for kind in block.statements.iter().filter_map(plain) {
                if let StmtKind::End(id) = kind {
                    ending.insert((block.instance, *id));
                }
            }
        }
        if ending.is_empty() {
            return;
        }
        let objects = points.objects().iter().enumerate();
        for (index, object) in objects {
            let variable = match object.kind {
                ObjectKind::Local(instance, id) => Some((instance, id)),
                ObjectKind::Site(block, statement) => {
                    let block = &flat.blocks[block.0 as usize];
                    match plain(&block.statements[statement]) {
                        Some(StmtKind::Allocate { pointer, .. }) => match pointer.kind {
                            PlaceKind::Local(id) => Some((block.instance, id)),
                            _ => None,
                        },
                        _ => None,
                    }
                }
                _ => None,
            };
            if let Some(variable) = variable.filter(|variable| ending.contains(variable)) {
                let id = ObjectId(index as u32);
                self.objects.entry(variable).or_default().push(id);
                self.bits.insert(id, self.bits.len());
            }
        }
    }

    pub fn at_start(&self, block: usize) -> Set {
        self.starts.get(block).cloned().unwrap_or_default()
    }

    /// What a statement does to the set.
    pub fn step(&self, instance: InstanceId, statement: &FlatStmt, set: &mut Set) {
        let FlatStmt::Plain(statement) = statement else { return };
        let (id, ends) = match &statement.kind {
            StmtKind::Begin(id) => (*id, false),
            StmtKind::End(id) => (*id, true),
            StmtKind::Allocate { pointer, .. } => match pointer.kind {
                PlaceKind::Local(id) => (id, false),
                _ => return,
            },
            _ => return,
        };
        for object in self.objects.get(&(instance, id)).into_iter().flatten() {
            let bit = self.bits[object];
            match ends {
                true => set[bit / 64] |= 1 << (bit % 64),
                false => set[bit / 64] &= !(1 << (bit % 64)),
            }
        }
    }

    pub fn contains(&self, set: &Set, object: ObjectId) -> bool {
        self.bits.get(&object).is_some_and(|bit| set[bit / 64] >> (bit % 64) & 1 == 1)
    }
}

/// A statement that is none of a call.
pub fn plain<'p>(statement: &FlatStmt<'p>) -> Option<&'p StmtKind> {
    match statement {
        FlatStmt::Plain(statement) => Some(&statement.kind),
        _ => None,
    }
}

impl Encoder<'_, '_> {
    /// Makes the bits.
    pub(super) fn make_block_lives(&mut self, ended: Ended, outlived: &FxHashSet<ObjectId>) {
        let mut outlived: Vec<ObjectId> = outlived.iter().copied().collect();
        outlived.sort_unstable_by_key(|object| object.0);
        for object in outlived {
            let bit = self.temporary("in block", Sort::BOOL);
            self.blocks.bits.insert(object, bit);
        }
        self.blocks.objects = ended.objects;
    }

    /// A block begins or ends.
    pub(super) fn set_in_block(&mut self, instance: InstanceId, local: LocalId, begins: bool) {
        let objects = self.blocks.objects.get(&(instance, local)).cloned().unwrap_or_default();
        for object in objects {
            if let Some(&bit) = self.blocks.bits.get(&object) {
                let value = self.cfa.terms.bool(begins);
                self.step.update(bit, value);
            }
        }
    }

    /// Whether the block that an object belongs to is being executed, if that is open.
    pub(super) fn is_in_block(&mut self, object: ObjectId) -> Option<Term> {
        let bit = *self.blocks.bits.get(&object)?;
        Some(self.step.current(bit))
    }
}
