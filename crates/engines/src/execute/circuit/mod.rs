//! Execution of a circuit on random inputs, many runs at a time, guided by what is new.
//!
//! It finds errors that many inputs reach, however deep they lie, and proves nothing. Turns alternate between
//! two kinds of runs:
//! - *long* ones from first states. Every other batch is twice as long as the shortest, every fourth four
//!   times, and so on.
//! - *short* ones from states that were worth keeping. A state is kept if the step to it shows something new: two
//!   signals differ that had been equal in all such steps so far ([`classes`]). That is the coverage of fuzzers of
//!   programs (afl-fuzz), with the candidates for equivalence of SAT sweeping in the place of branches: what a
//!   control unit has to go through one by one is found one by one, and where two copies of a
//!   design ought to agree, the first difference inside is news long before it shows outside.
//!
//! Guided runs begin in one first state, in which what is free is 0.
//!
//! When that has gone on for a while, a solver is asked for two things: for runs to what is missing, states in which latches
//! differ that were alike so far ([`Apart`]), which are gone on from like others; and for bad states a few steps behind
//! one that was kept ([`probe`]), first of all where latches differ that changed alike before.
//!
//! Nothing is recorded but numbers: runs follow from them ([`runs`]), so the trace is made by running again.

mod classes;
mod corpus;
mod machine;
mod probe;
mod runs;

use super::Execute;
use crate::contract::{Context, Engine, Outcome, UnknownReason};
use crate::demand::{Apart, Class};
use crate::figures;
use classes::Classes;
use corpus::{Corpus, Origin, Way};
use machine::{LANES, Machine};
use probe::probe;
use runs::{Runs, Start};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};
use wedge_model::first::FirstState;
use wedge_model::{Circuit, Trace};
use wedge_sat::random::Random;

/// Steps of the shortest of the long runs.
const SHORTEST: usize = 32;
/// The longest ones are longer by this power of two.
const DOUBLINGS: u32 = 20;
/// Steps of runs from states that were kept.
const SHORT_STEPS: usize = 24;
/// Of one step so many states are kept at most.
const NEWS: usize = 4;
/// Steps between two looks at the clock.
const POLL: usize = 4;
/// Turns when the length of runs is limited, so that there is an end.
const LIMITED_TURNS: u64 = 500;
/// Gates that are computed in short runs, and steps that are made, before a solver is asked. Not tuned: it is
/// half a second of work where circuits are large.
const SURVEY_GATES: usize = 50_000_000;
const SURVEY_STEPS: usize = 20_000;
/// The kinds of runs.
const LONG: usize = 0;
const SHORT: usize = 1;
/// Parts of the time, one in so many, for the solver: for states to go on from, and for bad states behind those
/// that were kept. Not tuned.
const ASKING: u32 = 4;
const PROBING: u32 = 2;
/// No slice of them is longer.
const SLICE: Duration = Duration::from_millis(200);

impl Engine for Execute {
    fn run(&self, circuit: &Circuit, context: &Context) -> Outcome {
        let longest = self.max_bound.map_or(usize::MAX, |bound| bound.saturating_add(1));
        let turns = self.max_bound.map_or(u64::MAX, |_| LIMITED_TURNS);
        let machine = Machine::new(circuit);
        let first = FirstState::new(circuit);
        let mut search = Search::new(&machine, &first, longest, context);
        let survey = (SURVEY_GATES / machine.values().len()).min(SURVEY_STEPS);
        let mut apart = None;
        let mut probing = Part::new(PROBING);
        for _ in 0..turns {
            let end = match search.steps[LONG] < search.steps[SHORT] {
                true => search.long(),
                false => search.short(),
            };
            let end = match end {
                End::Nothing if search.steps[SHORT] > survey => {
                    let new = || {
                        let (first, latches) = (search.first_state(), search.latches());
                        Asked::new(Apart::new(circuit, &first, &latches, &context.interrupt()))
                    };
                    let asked = apart.get_or_insert_with(new);
                    match search.ask(asked) {
                        End::Nothing => search.probe(circuit, &mut probing),
                        end => end,
                    }
                }
                end => end,
            };
            match end {
                End::Bad(way) => return Outcome::Unsafe(search.trace(way)),
                End::Found(trace) => return Outcome::Unsafe(trace),
                End::Behind(parent, trace) => {
                    return Outcome::Unsafe(search.joined(parent, trace));
                }
                End::Interrupted(reason) => return Outcome::Unknown(reason),
                End::Nothing => {}
            }
        }
        Outcome::Unknown(UnknownReason::BoundReached(longest - 1))
    }
}

/// How runs end.
enum End {
    /// The run in a bad state; its last step is the one in which it is there.
    Bad(Way),
    /// This run ends in a bad state.
    Found(Trace),
    /// This one does, from a state that was kept.
    Behind(Option<usize>, Trace),
    Nothing,
    Interrupted(UnknownReason),
}

/// One part of the time.
struct Part {
    one_in: u32,
    start: Instant,
    used: Duration,
}

impl Part {
    fn new(one_in: u32) -> Part {
        Part { one_in, start: Instant::now(), used: Duration::ZERO }
    }

    /// What is left of it.
    fn slice(&self) -> Duration {
        (self.start.elapsed() / self.one_in).saturating_sub(self.used).min(SLICE)
    }
}

/// The solver that is asked for what simulation does not find, and its time.
struct Asked<'c> {
    apart: Apart<'c>,
    part: Part,
}

impl<'c> Asked<'c> {
    fn new(apart: Apart<'c>) -> Asked<'c> {
        Asked { apart, part: Part::new(ASKING) }
    }
}

struct Search<'a> {
    machine: &'a Machine,
    first: &'a FirstState,
    /// Steps of the longest run that is allowed.
    longest: usize,
    context: &'a Context,
    corpus: Corpus,
    /// By kind: how many batches of runs there were, and their steps.
    batches: [u64; 2],
    steps: [usize; 2],
    /// From the first step of a short run on.
    classes: Option<Classes>,
    random: Random,
}

impl<'a> Search<'a> {
    fn new(
        machine: &'a Machine,
        first: &'a FirstState,
        longest: usize,
        context: &'a Context,
    ) -> Search<'a> {
        let (corpus, random) = (Corpus::default(), Random(0x5851_f42d_4c95_7f2d));
        let (batches, steps) = ([0; 2], [0; 2]);
        Search { machine, first, longest, context, corpus, batches, steps, classes: None, random }
    }

    /// The one that guided runs begin in.
    fn first_state(&self) -> Vec<bool> {
        Runs::new(self.machine, Start::First(self.first), true, 0).state(0)
    }

    fn long(&mut self) -> End {
        let length = SHORTEST << (self.batches[LONG] + 1).trailing_zeros().min(DOUBLINGS);
        self.go(LONG, None, length.min(self.longest))
    }

    fn short(&mut self) -> End {
        let parent = self.corpus.choose(&mut self.random);
        self.short_from(parent)
    }

    fn short_from(&mut self, parent: Option<usize>) -> End {
        let left = self.longest.saturating_sub(self.corpus.depth(parent));
        self.go(SHORT, parent, SHORT_STEPS.min(left))
    }

    /// Asks the solver for states to go on from, for its part of the time.
    fn ask(&mut self, asked: &mut Asked) -> End {
        let slice = asked.part.slice();
        let start = Instant::now();
        let mut end = End::Nothing;
        while let (End::Nothing, Some(left)) = (&end, slice.checked_sub(start.elapsed())) {
            let found = asked.apart.look(left);
            let is_allowed = |(trace, _): &(Trace, bool)| trace.inputs.len() <= self.longest;
            let Some((trace, odd)) = found.filter(is_allowed) else { break };
            end = self.follow(trace, odd);
        }
        asked.part.used += start.elapsed();
        end
    }

    /// Looks for bad states behind one that was kept.
    fn probe(&mut self, circuit: &Circuit, part: &mut Part) -> End {
        if part.slice().is_zero() {
            return End::Nothing;
        }
        let Some(parent) = self.corpus.choose_odd(&mut self.random) else { return End::Nothing };
        let start = Instant::now();
        let left = self.longest.saturating_sub(self.corpus.depth(Some(parent)));
        let state = self.corpus.state(parent);
        let found = probe(circuit, state, left, SLICE, &self.context.interrupt());
        part.used += start.elapsed();
        found.map_or(End::Nothing, |trace| End::Behind(Some(parent), trace))
    }

    /// Keeps the state in which a run reads its last inputs, if it keeps the constraints until then.
    fn follow(&mut self, mut trace: Trace, odd: bool) -> End {
        let mut runs = Runs::new(self.machine, Start::State(&trace.initial), true, 0);
        trace.inputs.pop();
        for inputs in &trace.inputs {
            runs.read(inputs);
            if let Some(lane) = runs.bad().first() {
                let inputs = trace.inputs[..runs.steps].to_vec();
                let inputs = inputs.into_iter().chain([runs.inputs(lane)]).collect();
                return End::Found(Trace { initial: trace.initial, inputs });
            }
            runs.advance();
        }
        if let Some(lane) = runs.alive.first() {
            self.corpus.keep(Origin::Trace(trace), runs.state(lane), odd, &mut self.random);
        }
        End::Nothing
    }

    fn go(&mut self, kind: usize, parent: Option<usize>, length: usize) -> End {
        let number = 2 * self.batches[kind] + kind as u64;
        self.batches[kind] += 1;
        let start = match parent {
            None => Start::First(self.first),
            Some(parent) => Start::State(self.corpus.state(parent)),
        };
        let mut runs = Runs::new(self.machine, start, is_short(number), number);
        let mut end = End::Nothing;
        while runs.steps < length && runs.alive.first().is_some() {
            if runs.steps.is_multiple_of(POLL)
                && let Some(reason) = self.context.interrupted()
            {
                end = End::Interrupted(reason);
                break;
            }
            runs.draw();
            if let Some(lane) = runs.bad().first() {
                end = End::Bad(Way { parent, number, lane, steps: runs.steps });
                break;
            }
            let news = if is_short(number) { self.news(&runs) } else { Vec::new() };
            runs.advance();
            for (lane, odd) in news {
                let way = Way { parent, number, lane, steps: runs.steps };
                self.corpus.keep(Origin::Way(way), runs.state(lane), odd, &mut self.random);
            }
        }
        self.steps[kind] += runs.steps;
        let depth = self.corpus.depth(parent) + runs.steps;
        let kept = self.corpus.len() as f64;
        self.context.record(|figures| {
            figures.bound = figures.bound.max(depth.saturating_sub(1));
            figures.add(figures::EXECUTED_RUNS, LANES as f64);
            figures.add(figures::EXECUTED_STEPS, (LANES * runs.steps) as f64);
            figures.set(figures::KEPT_RUNS, kept);
        });
        end
    }

    /// The runs whose current step shows something new, each with whether it tells latches apart that changed alike
    /// before.
    fn news(&mut self, runs: &Runs) -> Vec<(usize, bool)> {
        let Some(lane) = runs.alive.first() else { return Vec::new() };
        let classes = self.classes.get_or_insert_with(|| Classes::new(&runs.values, lane));
        classes.split(&runs.values, runs.alive, NEWS, &self.machine.states)
    }

    /// By latch, which other one it has always been like.
    fn latches(&self) -> Vec<Class> {
        let Some(classes) = &self.classes else {
            return vec![(None, false); self.machine.states.len()];
        };
        let mut firsts: FxHashMap<usize, (usize, bool)> = FxHashMap::default();
        let class = |(latch, &place): (usize, &usize)| {
            let (leader, flip) = classes.leader(place);
            if leader == 0 {
                return (None, flip);
            }
            let (first, other) = *firsts.entry(leader).or_insert((latch, flip));
            (Some(first), flip != other)
        };
        self.machine.states.iter().enumerate().map(class).collect()
    }

    /// The run to a bad state, made again from a first state on.
    fn trace(&self, last: Way) -> Trace {
        let (mut made, state) = self.way_to(last.parent);
        self.repeat(Way { steps: last.steps + 1, ..last }, &state, &mut made);
        made
    }

    /// The run to a state that was kept, and the one that begins there.
    fn joined(&self, parent: Option<usize>, rest: Trace) -> Trace {
        let (made, _) = self.way_to(parent);
        let inputs = made.inputs.into_iter().chain(rest.inputs).collect();
        Trace { initial: made.initial, inputs }
    }

    /// The run to a state that was kept, and that state.
    fn way_to(&self, kept: Option<usize>) -> (Trace, Vec<bool>) {
        let mut made = Trace { initial: Vec::new(), inputs: Vec::new() };
        let mut state = Vec::new();
        for origin in self.corpus.history(kept) {
            match origin {
                Origin::Trace(trace) => {
                    made = trace.clone();
                    let start = Start::State(&made.initial);
                    let mut runs = Runs::new(self.machine, start, true, 0);
                    made.inputs.iter().for_each(|inputs| {
                        runs.read(inputs);
                        runs.advance();
                    });
                    state = runs.state(0);
                }
                Origin::Way(way) => state = self.repeat(*way, &state, &mut made),
            }
        }
        (made, state)
    }

    /// Goes a way again and writes down its inputs; the state that it ends in.
    fn repeat(&self, way: Way, state: &[bool], made: &mut Trace) -> Vec<bool> {
        let start = match way.parent {
            None => Start::First(self.first),
            Some(_) => Start::State(state),
        };
        let mut runs = Runs::new(self.machine, start, is_short(way.number), way.number);
        if way.parent.is_none() {
            made.initial = runs.state(way.lane);
        }
        while runs.steps < way.steps {
            runs.draw();
            made.inputs.push(runs.inputs(way.lane));
            runs.advance();
        }
        runs.state(way.lane)
    }
}

/// Whether the runs with this number are guided.
fn is_short(number: u64) -> bool {
    number % 2 == SHORT as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use wedge_evidence::check_trace;
    use wedge_logic::Lit;
    use wedge_model::Reset;

    /// A counter of so many bits that counts while the input is true; bad when all are true.
    fn counter(bits: usize, reset: Reset) -> Circuit {
        let mut circuit = Circuit::default();
        let enable = circuit.add_input();
        let states: Vec<Lit> = (0..bits).map(|_| circuit.add_latch(reset)).collect();
        let mut carry = enable;
        for (index, &state) in states.iter().enumerate() {
            circuit.latches[index].next = circuit.aig.xor(state, carry);
            carry = circuit.aig.and(state, carry);
        }
        circuit.bad = circuit.aig.and_all(&states);
        circuit
    }

    /// With more time than it needs on any machine.
    fn run(circuit: &Circuit) -> Outcome {
        Execute::default().run(circuit, &Context::new(Some(Duration::from_secs(100))))
    }

    #[test]
    fn deep_errors_are_found_and_replayed() {
        for reset in [Reset::Const(false), Reset::Free] {
            let circuit = counter(10, reset);
            let Outcome::Unsafe(trace) = run(&circuit) else { panic!("no counterexample") };
            assert!(check_trace(&circuit, &trace).is_ok());
        }
    }

    #[test]
    fn constraints_hold_in_every_step() {
        let mut circuit = counter(4, Reset::Const(false));
        let (enable, low) = (circuit.inputs[0], circuit.latches[0].state);
        let other = circuit.add_input();
        let agree = circuit.aig.iff(other, low);
        circuit.constraints = vec![agree];
        let Outcome::Unsafe(trace) = run(&circuit) else { panic!("no counterexample") };
        assert!(check_trace(&circuit, &trace).is_ok());
        circuit.constraints.push(!enable);
        let soon = Context::new(Some(Duration::from_millis(100)));
        let outcome = Execute::default().run(&circuit, &soon);
        assert!(matches!(outcome, Outcome::Unknown(UnknownReason::Timeout)));
    }

    #[test]
    fn a_circuit_without_latches_has_nothing_to_part() {
        let mut circuit = Circuit::default();
        let input = circuit.add_input();
        circuit.bad = circuit.aig.and(input, Lit::FALSE);
        let soon = Context::new(Some(Duration::from_millis(300)));
        let outcome = Execute::default().run(&circuit, &soon);
        assert!(matches!(outcome, Outcome::Unknown(UnknownReason::Timeout)));
    }

    #[test]
    fn a_bound_is_kept() {
        let engine = Execute { max_bound: Some(5) };
        let outcome = engine.run(&counter(4, Reset::Const(false)), &Context::new(None));
        assert!(matches!(outcome, Outcome::Unknown(UnknownReason::BoundReached(5))));
    }

    /// A lock that opens by one step per right code of six bits, and closes otherwise: only who goes on from what was
    /// reached last comes to its end.
    #[test]
    fn what_is_found_one_by_one_is_found() {
        let mut circuit = Circuit::default();
        let code: Vec<Lit> = (0..6).map(|_| circuit.add_input()).collect();
        let stages: Vec<Lit> = (0..10).map(|_| circuit.add_latch(Reset::Const(false))).collect();
        let mut before = Lit::TRUE;
        for (index, &stage) in stages.iter().enumerate() {
            let key = (index * 29 + 11) % 64;
            let bits: Vec<Lit> = (0..6).map(|bit| code[bit].xor(key >> bit & 1 == 0)).collect();
            let right = circuit.aig.and_all(&bits);
            let opens = circuit.aig.and(before, right);
            let wrong = circuit.aig.and(before, !stage);
            let closes = circuit.aig.and(wrong, !right);
            circuit.latches[index].next = circuit.aig.and(opens, !closes);
            before = stage;
        }
        circuit.bad = stages[9];
        let Outcome::Unsafe(trace) = run(&circuit) else { panic!("no counterexample") };
        assert!(check_trace(&circuit, &trace).is_ok());
        assert!(trace.inputs.len() > 10);
    }
}
