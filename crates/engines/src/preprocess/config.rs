//! Which steps of preprocessing run, and for how long.

use std::time::Duration;

#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// What cannot influence the property is removed.
    pub cone: bool,
    /// Inputs that constraints determine, or that make a gate as free as themselves.
    pub inputs: bool,
    /// Latches that only store inputs.
    pub registers: bool,
    /// First values for latches that no function reads in a first state.
    pub idle: bool,
    /// Latches that never change, by ternary simulation.
    pub constants: bool,
    /// Latches that are equal in all reachable states.
    pub latches: bool,
    /// Gates over latches that are equal in all reachable states.
    pub signals: bool,
    /// The engine knows words of the model, or is told facts about them while it runs. A latch that
    /// is read only by gates that were merged would go, and with it its word and all facts that
    /// read it; so gates over latches are merged last, and every latch stays.
    pub keep_words: bool,
    /// Gates with the same function.
    pub sweep: bool,
    /// How often all steps are repeated at most, as long as the circuit shrinks.
    pub rounds: usize,
    /// Only the paths on which what the model leaves open is 0 are kept ([`wedge_model::zero`]), before all
    /// other steps. A proof for the reduced circuit is none of the original.
    pub zero: bool,
    /// Time for everything.
    pub time: Duration,
    /// Time for everything, as a share of what is left.
    pub share: f64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            cone: true,
            inputs: true,
            registers: true,
            idle: true,
            constants: true,
            latches: true,
            signals: true,
            keep_words: false,
            sweep: true,
            rounds: 3,
            zero: false,
            time: Duration::from_secs(2),
            share: 0.1,
        }
    }
}

impl Config {
    /// Only what cannot influence the property is removed.
    pub fn cone_only() -> Config {
        Config { inputs: false, registers: false, sweep: false, ..Config::for_induction() }
    }

    /// Only the steps that take no solver: counterexamples are often found sooner than those
    /// with one would end.
    pub fn quick() -> Config {
        Config { latches: false, signals: false, sweep: false, ..Config::default() }
    }

    /// For engines that know words, or are told facts about them while they run.
    pub fn for_words() -> Config {
        Config { keep_words: true, ..Config::default() }
    }

    /// Only steps after which a property that is k-inductive was so before.
    pub fn for_induction() -> Config {
        Config {
            idle: false,
            constants: false,
            latches: false,
            signals: false,
            ..Config::default()
        }
    }

    /// Only steps after which a property that is k-inductive on simple paths was so before. No
    /// latch may go: states that differ in it only would become equal.
    pub fn for_simple_paths() -> Config {
        Config { cone: false, registers: false, ..Config::for_induction() }
    }
}
