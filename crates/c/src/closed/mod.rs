//! Closed forms of loops: what many iterations that all go the same way do, computed at once.
//!
//! One iteration is followed with [`Word`]s. A word has the number that it is in the iteration at
//! hand, and a linear [`Form`] over the numbers that the variables have where the iteration begins.
//! The form and the value of the word agree modulo 2^width in every iteration that goes the same
//! way; they agree as numbers as long as the form stays in the range of the type. Whatever relies
//! on more than the remainder asks for that range with a [`Demand`]: a conversion to a wider type,
//! an order between two words that both change, signed arithmetic where overflow ends a run.
//! Decisions are demands, too: that they fall as they do now.
//!
//! At the end of the iteration every changed variable has a form. If it is the variable itself plus
//! what is known already, or only of what is known already, its value after n iterations is a
//! [`Series`], a polynomial of degree 2 at most, modulo 2^width. With these the first iteration that
//! does not meet a demand is found ([`first`]), and [`Leap::of`] says how many iterations before it
//! go the same way and what the variables are after any number of them. Iterations in which a word
//! leaves its range, a signed result does not fit or a decision falls otherwise are never part of a
//! leap: they are for the caller to take one step after the other.

mod first;
mod form;
mod leap;
mod series;

#[cfg(test)]
mod tests;

pub use form::Word;
pub use leap::{Changed, Leap, Path};
