//! Arrays by lemmas on demand.
//!
//! Brummayer and Biere, "Lemmas on demand for the extensional theory of arrays" (JSAT 2009). A
//! read is a new word variable and an equality of arrays a new Boolean one ([`abstraction`]). An
//! assignment of these is checked against what arrays are ([`consistency`]): values that are read
//! travel along writes, choices and equalities, and where two of them meet that differ, the
//! lemmas ([`lemma`]) along their ways are added. Nothing depends on the size of an array.

mod abstraction;
mod consistency;
mod lemma;

pub use abstraction::Abstraction;
pub(crate) use consistency::{Finding, check};
pub(crate) use lemma::Lemma;
