//! Draws what each engine says about the states of a small circuit: a row of squares, one for each
//! state, for every interpolant, frame or node of the engine, and for the invariant in the end.
//!
//! ```text
//! cargo run --release --example pictures -- examples/threes.btor2 docs/pictures
//! ```

mod draw;
mod states;
mod watch;

use states::Machine;
use std::path::PathBuf;
use wedge_engines::registry;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(model), Some(out)) = (arguments.next(), arguments.next()) else {
        return Err("usage: pictures MODEL.btor2 DIRECTORY".into());
    };
    let machine = Machine::read(&model)?;
    let out = PathBuf::from(out);
    std::fs::create_dir_all(&out)?;
    for entry in registry::engines() {
        let rows = watch::rows(&machine, entry)?;
        std::fs::write(out.join(format!("{}.svg", entry.name)), draw::svg(&machine, &rows))?;
    }
    Ok(())
}
