//! Wedge as a library: checks a file with an engine and tells what came out.
//!
//! ```text
//! cargo run --release --example library -- examples/lost_update.c
//! cargo run --release --example library -- examples/arbiter.aag imc
//! ```

use std::time::Duration;
use wedge::{Input, Observer, Options, Said, Working, check};

/// Prints how far the engines are, once in a while.
struct Printer {
    calls: usize,
}

impl Observer for Printer {
    fn working(&mut self, engines: &dyn Fn() -> Vec<Working>) {
        self.calls += 1;
        if self.calls.is_multiple_of(200) {
            for Working { engine, figures, .. } in engines() {
                eprintln!("{engine} is at bound {}", figures.bound);
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: library FILE [ENGINE]")?;
    let options = match arguments.next() {
        Some(engine) => Options::for_engine(&engine).ok_or("there is no such engine")?,
        None => Options::default(),
    };
    let options = options.within(Duration::from_secs(60));
    let answer = check(&Input::file(file), &options, &mut Printer { calls: 0 })?;
    match answer.verdict.said() {
        Said::True => println!("no error is reachable"),
        Said::False(what) => println!("{what} is violated"),
        Said::Unknown(reason) => println!("nothing is known: {reason}"),
    }
    println!("evidence: {}", answer.evidence);
    if let Some(counterexample) = &answer.files.counterexample {
        print!("{}", counterexample.text());
    }
    Ok(())
}
