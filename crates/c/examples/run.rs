//! Runs a C program in the interpreter: `run [--lp64] [--trace] FILE [INPUT…]`.

use wedge_c::Properties;
use wedge_c::interp::{Inputs, Limits, run};
use wedge_c::{DataModel, load};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|a| a == flag);
    let model = if has("--lp64") { DataModel::Lp64 } else { DataModel::Ilp32 };
    let mut plain = arguments.iter().filter(|a| !a.starts_with("--"));
    let Some(path) = plain.next() else { return eprintln!("a file is needed") };
    let inputs = plain.filter_map(|a| a.parse::<i128>().ok()).map(|value| value as u128);
    match load(&[path], model) {
        Ok(program) => {
            let trace = if has("--trace") { 1000 } else { 0 };
            let limits = Limits { trace, ..Limits::default() };
            let run = run(&program, &Properties::default(), &mut Inputs::new(inputs), limits);
            print!("{}", run.trace.show(&program));
            println!("{:?} after {} steps", run.outcome, run.steps);
        }
        Err(error) => eprintln!("{error}"),
    }
}
