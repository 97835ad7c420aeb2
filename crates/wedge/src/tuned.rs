//! The numbers that were chosen by trying: which ones, and on what. The shares of engines stand in
//! `wedge_engines::shares`.
//!
//! All of them were chosen on the 386 C programs (SV-COMP 2019, reachability) and the 250 circuits
//! (HWMCC 2011 to 2020) that the figures in `docs/` are about, with limits of 10 to 30 seconds on
//! two cores.

use std::time::Duration;

/// A model that may have too many runs is tried for so long, unless more time has passed already.
/// Chosen on the programs with recursion and heaps.
pub const FORGETFUL_TIME: Duration = Duration::from_secs(1);
/// For each level the models that forget, by how many objects they choose. Chosen on the heaps.
pub const FORGETFUL: [&[usize]; 2] = [&[0, 2], &[0]];
/// An abstraction of arrays gets one part in this many of the time that is left. Chosen on the
/// arrays.
pub const ABSTRACT_SHARE: u32 = 2;
/// Without a timeout, large arrays are looked at by what is written to them for so long, before they
/// are abstracted. Not tuned.
pub const WRITES_TIME: Duration = Duration::from_secs(60);

/// A model with objects without bytes gets this share of the time that is left: where it does not help,
/// a counterexample says so soon. Not tuned; the proofs of MemSafety-Arrays are all on such models.
pub const HOLLOW_SHARE: f64 = 0.75;

/// The share of the time that is left which is spent on invariants before an engine starts.
pub const INVARIANTS_SHARE: f64 = 0.2;
/// Candidates for invariants that patience is worth spending on. Chosen on the loops.
pub const MAX_HARD_CANDIDATES: usize = 32;

/// A run that has had more processor seconds does not start again with new facts; after each start
/// half of it. Chosen on the loops, with sharing.
pub const YOUNG_SECONDS: f64 = 2.0;
pub const MAX_RESTARTS: i32 = 3;

/// Searches that were shorter count as this long when the check of their evidence is given
/// priority. Chosen on the sequentialised programs and on state machines, whose checks are long: `explicit` proves
/// `Problem06` of ECA in less than a second of search, and the check takes several.
pub const LEAST_CHECK: Duration = Duration::from_secs(5);
/// For so long an engine with a head start is not stopped, whatever its share is. Chosen on the unsafe circuits: of 16 that
/// `execute` finds within five seconds it finds 12 within 0.2.
pub const HEAD_START: Duration = Duration::from_millis(250);
/// The part of the memory limit that a portfolio keeps free, for growth between two looks.
pub const MEMORY_MARGIN: f64 = 0.05;
/// Programs with more statements than this are large: an engine takes more time to encode one than
/// its share allows. Chosen on the drivers.
pub const LARGE_PROGRAM: usize = 10_000;
/// So are programs that would have more statements than this if every call had a body of its own: their
/// functions share bodies. Chosen between be2net (336,000), which `interp` proves, and a product line (104,000)
/// that the plan for loops is good for.
pub const LARGE_EXPANSION: u64 = 200_000;
/// And so are programs whose circuit has more gates than this after preprocessing. Chosen between `Problem15` of ECA
/// (237,000), which only circuits are good for, and `rekh_aso.1` (452,000), which `interp` and `bmc` prove.
pub const LARGE_CIRCUIT: f64 = 300_000.0;
/// Of several properties without a timeout, a question has so much time in the first round. Not
/// tuned: short enough not to keep easy properties waiting, long enough for most proofs.
pub const FIRST_ROUND: Duration = Duration::from_secs(60);
/// A counterexample of a circuit of which a witness is wanted is worth so long a search for a shorter
/// one. Not tuned: it is about what a user does not notice.
pub const SHORTEN_TIME: Duration = Duration::from_secs(1);
