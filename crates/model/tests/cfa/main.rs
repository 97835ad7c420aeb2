//! Control-flow automata: their passes and their transition systems, against explicit search.

mod agreement;
mod explicit;
mod random_cfa;
