//! Types C files one by one and prints what came out: `front [--lp64] FILE…`.

use std::time::Instant;
use wedge_c::{DataModel, load, typed};

fn main() {
    let mut model = DataModel::Ilp32;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--lp64" => model = DataModel::Lp64,
            "--ilp32" => model = DataModel::Ilp32,
            path => report(path, model),
        }
    }
}

fn report(path: &str, model: DataModel) {
    let start = Instant::now();
    match load(&[path], model) {
        Ok(program) => {
            let defined = program.functions.iter().filter(|f| f.body.is_some()).count();
            let seconds = start.elapsed().as_secs_f64();
            match typed::check(&program) {
                Ok(()) => println!("ok {seconds:.3} s, {defined} functions, {path}"),
                Err(what) => println!("broken {path}: {what}"),
            }
        }
        Err(error) => println!("error {error}"),
    }
}
