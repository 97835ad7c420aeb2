//! Flattens C programs and analyses their pointers: `flatten [--lp64] [--depth N] [--budget N] [--max-blocks N]
//! FILE…`. Prints one line per file: blocks, statements, instances, objects, seconds.

use std::time::Instant;
use wedge_c::Properties;
use wedge_c::flat::{Options, flatten};
use wedge_c::points::{ObjectId, Points};
use wedge_c::{DataModel, load};

fn main() {
    let mut model = DataModel::Ilp32;
    let mut options = Options { depth: 3, ..Options::default() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--lp64" => model = DataModel::Lp64,
            "--ilp32" => model = DataModel::Ilp32,
            "--depth" => options.depth = number(arguments.next()),
            "--budget" => options.budget = number(arguments.next()),
            "--max-blocks" => options.max_blocks = number(arguments.next()),
            path => report(path, model, options),
        }
    }
}

fn number(text: Option<String>) -> usize {
    text.and_then(|text| text.parse().ok()).unwrap_or(usize::MAX)
}

fn report(path: &str, model: DataModel, options: Options) {
    let program = match load(&[path], model) {
        Ok(program) => program,
        Err(error) => return println!("error {error}"),
    };
    let start = Instant::now();
    match flatten(&program, &Properties::default(), options) {
        Ok(flat) => {
            let seconds = start.elapsed().as_secs_f64();
            let statements: usize = flat.blocks.iter().map(|block| block.statements.len()).sum();
            let start = Instant::now();
            let mut points = Points::analyse(&flat);
            let (objects, given_up) = (points.objects().len(), points.has_given_up());
            points.make_crowd(&flat, wedge_c::encode::Room::default().crowd);
            let crowd = (0..objects as u32).filter(|&id| points.is_crowded(ObjectId(id))).count();
            println!(
                "ok {seconds:.3} s flat, {:.3} s points, {} blocks, {statements} statements, \
                 {} instances, {objects} objects ({crowd} in the crowd), {}, {path}",
                start.elapsed().as_secs_f64(),
                flat.blocks.len(),
                flat.instances.len(),
                if given_up { "given up" } else { "complete" },
            );
        }
        Err(error) => println!("error {error}"),
    }
}
