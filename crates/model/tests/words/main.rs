//! Word-level systems: simulation, lowering and the way back, on examples and at random.

mod arrays;
mod cone;
mod lowering;
mod random_system;
mod simulation;
