//! Word-level facts about sets of states that are given by bits.
//!
//! A [`Vocabulary`] knows which inputs of a graph are the bits of which words, and what is worth
//! saying about them: comparisons of words with each other and with numbers of the model, known
//! low bits, sums and differences ([`Atom`]). [`implied`] finds out what holds in a set, which is
//! asked by a solver ([`Set`]); [`separate`] picks as little as possible of what holds in one set
//! and excludes another: an interpolant made of words. That is how interpolants over bits are
//! lifted, for circuits by [`Lifter`], for terms by [`terms`].
//!
//! A program counter, if there is one, splits a set into places: facts are then said about each
//! place by itself.

mod affine;
mod budget;
mod candidates;
mod implied;
mod inductive;
mod lift;
mod separate;
mod set;
pub(crate) mod terms;
mod vocabulary;

pub use candidates::Level;
pub use implied::{implied, places};
pub use inductive::{Step, inductive};
pub use lift::{Asked, AskedStep, Lifted, Lifter};
pub use separate::{closed, reduce, separate};
pub use set::{Effort, Set, View};
pub use vocabulary::{Fact, Vocabulary};
pub use wedge_logic::atoms::{Atom, Relation, Side};
