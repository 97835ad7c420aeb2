//! Control-flow automata: their passes and their transition systems, against explicit search.

mod agreement;
mod bits;
mod cells;
mod circuits;
mod dataflow;
mod explicit;
mod guesses;
mod random_cfa;
mod scale;
mod small;
