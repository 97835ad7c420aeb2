//! Encodes programs and prints the sizes of their automata: `encode ILP32|LP64 FILE...`.

use std::time::Instant;
use wedge_c::Properties;
use wedge_c::encode::{Room, encode};
use wedge_c::{DataModel, load};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let model = match arguments.next().as_deref() {
        Some("LP64") => DataModel::Lp64,
        _ => DataModel::Ilp32,
    };
    for file in arguments {
        let start = Instant::now();
        let program = match load(&[&file], model) {
            Ok(program) => program,
            Err(error) => {
                println!("{file}: {error}");
                continue;
            }
        };
        match encode(&program, &Properties::default(), Room::default()) {
            Ok(encoded) => {
                let cfa = &encoded.cfa;
                println!(
                    "{file}: {} locations, {} edges, {} variables, {} inputs, {} terms, {} limits, {:.2} s",
                    cfa.locations.len(),
                    cfa.edges.len(),
                    cfa.variables.len(),
                    cfa.inputs.len(),
                    cfa.terms.len(),
                    cfa.targets.len() - 1,
                    start.elapsed().as_secs_f64()
                );
            }
            Err(error) => println!("{error}"),
        }
    }
}
