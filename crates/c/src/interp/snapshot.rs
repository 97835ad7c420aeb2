//! Hashes of the state of a run.

use super::exec::Interpreter;
use super::oracle::Snapshot;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

impl Interpreter<'_, '_> {
    pub(super) fn snapshot(&self) -> Snapshot {
        let mut hasher = FxHasher::default();
        self.memory.hash_contents(&mut hasher);
        for frame in &self.frames {
            (frame.function, frame.block, frame.statement).hash(&mut hasher);
        }
        self.token.bits.hash(&mut hasher);
        (self.rounding as u8).hash(&mut hasher);
        self.late.hash(&mut hasher);
        let memory = hasher.finish();
        for frame in &self.frames {
            for register in &frame.registers {
                register.map(|scalar| scalar.bits).hash(&mut hasher);
            }
        }
        Snapshot { memory, everything: hasher.finish() }
    }
}
