//! Floats: the lowering to bit-vectors against the evaluator, and the evaluator against the
//! machine.

mod bits;
mod exhaustive;
mod machine;
mod printing;
mod random;
mod rules;
mod simulate;
mod sizes;
