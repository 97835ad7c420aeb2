//! BTOR2: reading, writing, witnesses, and files of every kind of brokenness.

mod errors;
mod examples;
mod fuzz;
mod generate;
mod roundtrip;
mod semantics;
mod witness;
