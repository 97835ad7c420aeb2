//! One run of a circuit on inputs that a coin decides.

use wedge_engines::options::{EngineOption, Options};
use wedge_engines::{Context, Engine, Outcome, UnknownReason};
use wedge_model::simulate::replay;
use wedge_model::{Circuit, Trace, first_state};
use wedge_sat::random::Random;

pub static TOSSES: EngineOption =
    EngineOption::value("tosses", "N", "How many steps the run has at most.", |options, text| {
        text.parse::<usize>().map_err(|_| "expected a number".to_string())?;
        options.others.insert("tosses", text.to_string());
        Ok(())
    })
    .by_default("1000");

pub struct Coin {
    tosses: usize,
}

impl Coin {
    pub fn new(options: &Options) -> Coin {
        let tosses = options.others.get("tosses").and_then(|text| text.parse().ok());
        Coin { tosses: tosses.unwrap_or(1000) }
    }
}

impl Engine for Coin {
    fn run(&self, circuit: &Circuit, context: &Context) -> Outcome {
        let mut random = Random(1);
        let chosen = vec![None; circuit.latches.len()];
        let mut trace = Trace { initial: first_state(circuit, &chosen), inputs: Vec::new() };
        for toss in 0..self.tosses {
            if let Some(reason) = context.interrupted() {
                return Outcome::Unknown(reason);
            }
            let coin = |_: &_| random.word() & 1 == 1;
            trace.inputs.push(circuit.inputs.iter().map(coin).collect());
            context.record(|figures| figures.bound = toss);
            if replay(circuit, &trace).is_ok() {
                return Outcome::Unsafe(trace);
            }
        }
        Outcome::Unknown(UnknownReason::BoundReached(self.tosses))
    }
}
