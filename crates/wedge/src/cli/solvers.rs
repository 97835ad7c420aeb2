//! `wedge solvers`: which other solvers are installed, and what they can.

use std::io::Write;
use wedge::InputError;
use wedge_smt::external::catalog::{Interpolants, installed, known};

pub fn run() -> Result<u8, InputError> {
    let found = installed();
    let mut out = std::io::stdout().lock();
    for entry in known() {
        let line = match found.iter().find(|solver| solver.entry.name == entry.name) {
            None => format!("{:<12} not installed", entry.name),
            Some(solver) => {
                let mut abilities = vec!["values"];
                abilities.extend(entry.abilities.arrays.then_some("arrays"));
                abilities.extend(entry.abilities.cores.then_some("unsat cores"));
                let interpolates = entry.abilities.interpolants != Interpolants::None;
                abilities.extend(interpolates.then_some("interpolants"));
                let path = solver.path.display();
                format!("{:<12} {} ({path}): {}", entry.name, solver.version, abilities.join(", "))
            }
        };
        let written = writeln!(out, "{line}");
        written.map_err(|error| InputError(format!("standard output: {error}")))?;
    }
    Ok(0)
}
