//! Evidence about word-level models in BTOR2.
//!
//! A certificate is a BTOR2 file as Cerbotor reads it: inputs and states that it shares with the
//! model carry the symbol `=<id>`, the id of the line that declares them in the model's file.
//! Both files are expressed in bits, and the conditions are those of
//! [`check_simulation`](crate::check_simulation).

mod bits;
pub mod certificate;
pub mod check;
pub mod ids;
pub mod induction;
mod join;

pub use certificate::word_certificate;
pub use check::{check_word_certificate, check_word_certificate_files, check_word_witness};
pub use ids::VariableIds;
pub use induction::word_induction_certificate;
pub use join::joined_word_certificate;
