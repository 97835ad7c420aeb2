//! How the arrays of a program are modelled, from coarse to precise.

use crate::options::ArrayModel;
use wedge_engines::UnknownReason;
use wedge_model::System;
use wedge_model::cells::{CellOptions, cells, largest_array};
use wedge_model::cfa::SingleLoop;

/// Arrays of at most this many bits are small: all their elements are worth modelling at once.
const SMALL: u64 = 1 << 10;

/// The abstractions, from coarse to precise.
const STAGES: [Stage; 3] = [
    Stage { indices: 2, history: false, only_predicates: true },
    Stage { indices: 3, history: true, only_predicates: true },
    Stage { indices: 3, history: true, only_predicates: false },
];

#[derive(Clone, Copy)]
struct Stage {
    indices: usize,
    history: bool,
    only_predicates: bool,
}

/// One way to model arrays.
#[derive(Clone, Copy)]
pub struct Arrays {
    /// Without a stage every element is modelled.
    stage: Option<Stage>,
    /// Arrays of at most this many bits are not abstracted.
    small: u64,
}

impl Arrays {
    pub const PRECISE: Arrays = Arrays { stage: None, small: 0 };

    /// How many ways there are to model arrays as asked for.
    pub fn precisions(asked: ArrayModel) -> usize {
        match asked {
            ArrayModel::Precise => 1,
            ArrayModel::Cells => STAGES.len(),
            ArrayModel::Auto => STAGES.len() + 1,
        }
    }

    pub fn new(asked: ArrayModel, precision: usize) -> Arrays {
        match asked {
            ArrayModel::Precise => Arrays::PRECISE,
            ArrayModel::Cells => Arrays { stage: STAGES.get(precision).copied(), small: 0 },
            ArrayModel::Auto => Arrays { stage: STAGES.get(precision).copied(), small: SMALL },
        }
    }

    /// Whether arrays may be of any size.
    pub fn may_abstract(self) -> bool {
        self.stage.is_some()
    }

    /// Whether the arrays of a system are abstracted.
    pub fn is_abstracted(self, system: &System) -> bool {
        self.stage.is_some() && largest_array(system) > self.small
    }

    pub fn abstracted(self, single: &SingleLoop) -> Result<SingleLoop, UnknownReason> {
        let stage = self.stage.unwrap_or(STAGES[0]);
        let options = CellOptions {
            indices: stage.indices,
            history: stage.history,
            only_predicates: stage.only_predicates,
            ..CellOptions::default()
        };
        cells(single, &options).map_err(|error| UnknownReason::Unsupported(error.to_string()))
    }
}
