//! What a run got from outside: the text of its standard input and the values of variables that other
//! files define. A test that is made of the run gives them to a compiled program.

use super::oracle::Life;
use crate::typed::GlobalId;
use rustc_hash::FxHashMap;

/// Longer input is not kept.
const MOST: usize = 1 << 15;

/// A part of a variable when the program starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outer {
    pub variable: GlobalId,
    pub offset: u64,
    pub bits: u128,
    pub bytes: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Outside {
    /// The parts of variables that the run has read.
    pub variables: Vec<Outer>,
    input: Vec<u8>,
    /// A format did not fit what comes next, and nothing has been read since.
    misfit: bool,
    /// What was read cannot be written down.
    is_unclear: bool,
    lives: FxHashMap<Life, GlobalId>,
}

impl Outside {
    /// What the standard input has to hold; none if that is not known.
    pub fn input(&self) -> Option<Vec<u8>> {
        let mut input = self.input.clone();
        if self.misfit {
            input.push(b'?');
        }
        (!self.is_unclear).then_some(input)
    }

    /// The life of a variable that another file defines begins.
    pub(super) fn begin(&mut self, life: Life, variable: GlobalId) {
        self.lives.insert(life, variable);
    }

    /// A value is chosen for some bytes of an object.
    pub(super) fn note(&mut self, life: Option<Life>, offset: u64, bits: u128, width: u32) {
        if let Some(&variable) = life.and_then(|life| self.lives.get(&life)) {
            let bytes = u64::from(width.div_ceil(8));
            self.variables.push(Outer { variable, offset, bits, bytes });
        }
    }

    /// These characters are read.
    pub(super) fn read(&mut self, text: &[u8]) {
        self.misfit = false;
        self.input.extend_from_slice(text);
        self.is_unclear |= self.input.len() > MOST;
    }

    /// What comes next does not fit a format.
    pub(super) fn misfit(&mut self) {
        self.misfit = true;
    }

    /// Something is read that has many spellings, or none.
    pub(super) fn read_unclear(&mut self) {
        self.is_unclear = true;
    }
}
