//! Answers, values, cores, interpolants and projections of random terms against brute force.

mod arrays;
mod external;
mod generator;
mod interpolants;
mod projection;
mod solver;
mod triples;
