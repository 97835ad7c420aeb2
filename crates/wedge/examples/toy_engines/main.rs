//! Wedge with two engines more: what it takes to add an algorithm.
//!
//! Each engine is a file and an entry; the command line, its help and its options follow from that.
//!
//! ```text
//! cargo run --release --example toy_engines -- check --engine coin --tosses 50 examples/leaky_bucket.btor2
//! cargo run --release --example toy_engines -- check --engine straight examples/lost_update.c
//! ```

#[path = "../../src/cli/mod.rs"]
mod cli;
mod coin;
mod straight;

use wedge_engines::registry::{self, Entry, Levels, PLAIN};

static ENGINES: [Entry; 2] = [
    Entry {
        name: "coin",
        paper: "an example",
        summary: "one run on inputs from a coin: a toy on circuits",
        levels: Levels::circuit(|options| Box::new(coin::Coin::new(options))),
        options: &[&coin::TOSSES],
        seeks_errors: true,
        ..PLAIN
    },
    Entry {
        name: "straight",
        paper: "an example",
        summary: "looks at paths without loops only: a toy on automata",
        levels: Levels::automaton(|_| Box::new(straight::Straight)),
        ..PLAIN
    },
];

fn main() -> std::process::ExitCode {
    registry::add(&ENGINES);
    cli::run()
}
