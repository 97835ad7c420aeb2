//! Concrete execution: a circuit on random inputs, a program in its interpreter on inputs that a
//! coverage-guided search chooses. It finds errors, and proves programs that have one run only.

mod circuit;
mod program;

#[derive(Clone, Debug, Default)]
pub struct Execute {
    /// The largest number of steps in a run of a circuit; none means no limit.
    pub max_bound: Option<usize>,
}
