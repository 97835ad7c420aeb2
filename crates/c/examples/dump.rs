//! Prints the typed program of C files: `dump [--lp64] FILE…`.

use wedge_c::{DataModel, load};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let wide = arguments.iter().any(|a| a == "--lp64");
    let model = if wide { DataModel::Lp64 } else { DataModel::Ilp32 };
    let paths: Vec<&String> = arguments.iter().filter(|a| !a.starts_with("--")).collect();
    match load(&paths, model) {
        Ok(program) => print!("{program}"),
        Err(error) => eprintln!("{error}"),
    }
}
