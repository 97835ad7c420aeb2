//! How much of the time the engines of a portfolio get.
//!
//! One table of all shares, by kind of task. They were chosen by hand on the 386 C programs (SV-COMP
//! 2019, reachability) and the 250 circuits (HWMCC 2011 to 2020) that the figures in `docs/` are
//! about, with limits of 10 to 30 seconds on two cores.

/// What a task is like, as far as the choice of engines depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskKind {
    Circuit,
    /// A program with loops: proofs by induction and interpolation, and unrolling.
    Loops,
    /// Large arrays: errors lie behind long loops that fill them, which are executed best.
    Arrays,
    /// Without loops one step is a whole run, and recursion is unrolled best.
    Unrolled,
    /// Unbounded many objects: a few chosen ones stand for all.
    Heap,
    /// Wide arithmetic: few and hard queries, on which bits generalise badly.
    Floats,
    /// A program so large that few engines can encode it in time.
    Large,
}

impl TaskKind {
    pub const ALL: [TaskKind; 7] = [
        TaskKind::Circuit,
        TaskKind::Loops,
        TaskKind::Arrays,
        TaskKind::Unrolled,
        TaskKind::Heap,
        TaskKind::Floats,
        TaskKind::Large,
    ];
}

/// The shares of an engine by kind of task; an engine without a share is left out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shares {
    pub circuit: f64,
    pub loops: f64,
    pub arrays: f64,
    pub unrolled: f64,
    pub heap: f64,
    pub floats: f64,
    pub large: f64,
}

impl Shares {
    /// For engines that a portfolio does without.
    pub const NONE: Shares = row([0.0; 7]);

    pub fn of(&self, kind: TaskKind) -> f64 {
        match kind {
            TaskKind::Circuit => self.circuit,
            TaskKind::Loops => self.loops,
            TaskKind::Arrays => self.arrays,
            TaskKind::Unrolled => self.unrolled,
            TaskKind::Heap => self.heap,
            TaskKind::Floats => self.floats,
            TaskKind::Large => self.large,
        }
    }
}

const fn row([circuit, loops, arrays, unrolled, heap, floats, large]: [f64; 7]) -> Shares {
    Shares { circuit, loops, arrays, unrolled, heap, floats, large }
}

//                                   circuit loops arrays unrolled heap floats large
pub const EXECUTE: Shares = row([0.5, 2.5, 5.0, 2.0, 1.0, 1.0, 1.5]);
pub const BMC: Shares = row([2.0, 4.0, 3.0, 8.0, 4.0, 4.0, 3.0]);
pub const KIND: Shares = row([1.0, 4.0, 4.0, 1.0, 2.0, 3.0, 1.0]);
/// On circuits it has half of all shares, so that of two cores one is its own. On 32 AIGER circuits with
/// 7 s, shares of 6.0 and 9.5 solve the same 24, the larger one in less time (ratio 1.22).
pub const PDR: Shares = row([9.5, 4.0, 4.0, 1.0, 3.0, 2.0, 4.0]);
/// PDR on a model in which two objects of each site stand for all.
pub const PDR_OBJECTS: Shares = row([0.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0]);
pub const IMC: Shares = row([2.0, 1.5, 2.0, 2.0, 2.0, 3.0, 1.0]);
pub const CNF_ITP: Shares = row([2.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.0]);
pub const DAR: Shares = row([1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.0]);
pub const ISMC: Shares = row([1.0, 0.5, 0.5, 0.5, 0.5, 1.0, 0.0]);
// The engines on paths (`predabs`, `impact`, `interp`) have no share in programs. On the 36 drivers,
// 10 s each, one at a time beside other work: pdr 14, predabs 14, impact 13, interp with R+S+E 15.
// What they solve and pdr does not are two: g_printer, an error that bmc and execute find as well,
// and si4713, for which pdr --objects 2 takes the same 3.2 s of CPU time as interp.
/// Variants for machines with more processors than engines: there each has one of its own.
pub const SPARE: Shares = row([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
