//! Flattens C programs and analyses their pointers: `flatten [--lp64] [--depth N] FILE…`. Prints
//! one line per file: blocks, statements, instances, objects, seconds.

use std::time::Instant;
use wedge_c::flat::{Options, flatten};
use wedge_c::{DataModel, load};

fn main() {
    let mut model = DataModel::Ilp32;
    let mut options = Options { depth: 3, ..Options::default() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--lp64" => model = DataModel::Lp64,
            "--ilp32" => model = DataModel::Ilp32,
            "--depth" => {
                let depth = arguments.next().and_then(|text| text.parse().ok());
                options.depth = depth.unwrap_or(options.depth);
            }
            path => report(path, model, options),
        }
    }
}

fn report(path: &str, model: DataModel, options: Options) {
    let program = match load(&[path], model) {
        Ok(program) => program,
        Err(error) => return println!("error {error}"),
    };
    let start = Instant::now();
    match flatten(&program, options) {
        Ok(flat) => {
            let seconds = start.elapsed().as_secs_f64();
            let statements: usize = flat.blocks.iter().map(|block| block.statements.len()).sum();
            println!(
                "ok {seconds:.3} s, {} blocks, {statements} statements, {} instances, {path}",
                flat.blocks.len(),
                flat.instances.len()
            );
        }
        Err(error) => println!("error {error}"),
    }
}
