//! Answers, values, cores, interpolants and projections of random terms against brute force.

mod arrays;
mod explain;
mod external;
mod generator;
mod integers;
mod interpolants;
mod many;
mod played;
mod projection;
mod solver;
mod triples;
mod trouble;
