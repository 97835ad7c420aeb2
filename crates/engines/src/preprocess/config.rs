//! Which steps of preprocessing run, and for how long.

use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Config {
    /// Latches that never change, by ternary simulation.
    pub constants: bool,
    /// Latches that are equal in all reachable states.
    pub latches: bool,
    /// Gates over latches that are equal in all reachable states.
    pub signals: bool,
    /// Gates with the same function.
    pub sweep: bool,
    /// How often all steps are repeated at most, as long as the circuit shrinks.
    pub rounds: usize,
    /// Time for everything.
    pub time: Duration,
    /// Time for everything, as a share of what is left.
    pub share: f64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            constants: true,
            latches: true,
            signals: true,
            sweep: true,
            rounds: 3,
            time: Duration::from_secs(2),
            share: 0.1,
        }
    }
}

impl Config {
    /// Only what cannot influence the property is removed.
    pub fn cone_only() -> Config {
        Config { sweep: false, ..Config::for_induction() }
    }

    /// Only steps after which a property that is k-inductive was so before.
    pub fn for_induction() -> Config {
        Config { constants: false, latches: false, signals: false, ..Config::default() }
    }
}
