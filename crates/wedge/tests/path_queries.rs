//! Path formulas and triples of programs: the term solver against z3, both incrementally.
//!
//! The long run reads programs from a list:
//! `WEDGE_PROGRAMS=list.txt cargo test --release -p wedge --test path_queries -- --ignored --nocapture`

mod common;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use wedge::input::{self, Effort};
use wedge::{ProgramOptions, Question};
use wedge_engines::Context;
use wedge_logic::{Substitution, Term, TermStore};
use wedge_model::Cfa;
use wedge_model::cfa::{EdgeId, LocationId};
use wedge_sat::Interrupt;
use wedge_smt::external::{External, Reply, find, installed};
use wedge_smt::{Answer, Solver};

const LIMIT: Duration = Duration::from_secs(20);
/// Edges of a path, at most.
const LONGEST: usize = 24;

/// The queries of one program in the order in which they are asked, as scopes.
enum Command {
    Push,
    Pop,
    Assert(Term),
    Check,
}

/// A generator of numbers (xorshift), so that runs can be repeated.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

fn automaton(program: &str) -> Option<Arc<Cfa>> {
    let model = input::read(&[PathBuf::from(program)], &ProgramOptions::default()).ok()?;
    let context = Context::new(Some(LIMIT));
    // The last precision models every element of arrays.
    let precision = model.as_program().map_or(0, |program| program.precisions() - 1);
    let effort = Effort { precision, ..Effort::default() };
    Some(model.path_problem(&Question::one(0), &effort, &context).ok()?.automaton.clone())
}

fn outgoing(cfa: &Cfa, at: LocationId) -> Vec<EdgeId> {
    let leaves = |edge: &EdgeId| cfa.edges[edge.0 as usize].from == at;
    (0..cfa.edges.len() as u32).map(EdgeId).filter(leaves).collect()
}

/// Random ways through the automaton; after each edge, is the path so far feasible?
fn paths(cfa: &Cfa, store: &mut TermStore, dice: &mut Dice, count: usize) -> Vec<Command> {
    let mut commands = Vec::new();
    let mut checks = 0;
    for _ in 0..count {
        let (mut at, mut depth) = (cfa.entry, 0);
        let mut values: HashMap<Term, Term> = HashMap::new();
        while depth < LONGEST && checks < count {
            let edges = outgoing(cfa, at);
            if edges.is_empty() {
                break;
            }
            let edge = &cfa.edges[edges[dice.roll(edges.len())].0 as usize];
            let terms: Vec<Term> =
                edge.updates.iter().map(|&(_, value)| value).chain([edge.guard]).collect();
            let mut now = values.clone();
            for input in store.free_vars(&terms) {
                if !cfa.variables.contains(&input) {
                    now.insert(input, store.fresh_var("input", store.sort(input)));
                }
            }
            let mut now = Substitution::new(now);
            let guard = now.apply(store, edge.guard);
            for &(variable, value) in &edge.updates {
                values.insert(variable, now.apply(store, value));
            }
            commands.extend([Command::Push, Command::Assert(guard)]);
            depth += 1;
            if store.value(guard).is_none() {
                commands.push(Command::Check);
                checks += 1;
            }
            at = edge.to;
        }
        commands.extend((0..depth).map(|_| Command::Pop));
    }
    commands
}

/// {φ} edge {ψ} for conditions that the program itself has before and after the edge.
fn triples(cfa: &Cfa, store: &mut TermStore, dice: &mut Dice, count: usize) -> Vec<Command> {
    let over_variables = |store: &TermStore, term: Term| {
        store.value(term).is_none()
            && store.free_vars(&[term]).iter().all(|v| cfa.variables.contains(v))
    };
    let guards: Vec<Term> = cfa.edges.iter().map(|edge| edge.guard).collect();
    let guards: Vec<Term> =
        guards.into_iter().filter(|&guard| over_variables(store, guard)).collect();
    let mut commands = Vec::new();
    if guards.is_empty() {
        return commands;
    }
    for _ in 0..count {
        let edge = &cfa.edges[dice.roll(cfa.edges.len())];
        let [phi, psi] = [0; 2].map(|_| guards[dice.roll(guards.len())]);
        let after = Substitution::new(edge.updates.iter().copied()).apply(store, psi);
        let not_after = store.not(after);
        commands.push(Command::Push);
        // φ ∧ guard ∧ ¬ψ[updates]
        commands.extend([phi, edge.guard, not_after].map(Command::Assert));
        commands.extend([Command::Check, Command::Pop]);
    }
    commands
}

fn ours(store: &mut TermStore, commands: &[Command]) -> (Vec<Answer>, Duration) {
    let clock = Instant::now();
    let interrupt = Interrupt { deadline: Some(clock + 5 * LIMIT), ..Interrupt::default() };
    let mut solver = Solver::new(&interrupt);
    let mut answers = Vec::new();
    for command in commands {
        match command {
            Command::Push => solver.push(),
            Command::Pop => solver.pop(),
            Command::Assert(term) => solver.assert(store, *term),
            Command::Check => answers.push(solver.check(store)),
        }
    }
    (answers, clock.elapsed())
}

/// What another solver says; none where it gives no answer.
fn theirs(
    name: &str,
    store: &mut TermStore,
    commands: &[Command],
) -> (Vec<Option<Answer>>, Duration) {
    let clock = Instant::now();
    let mut solver = External::start(&find(name), LIMIT).expect("it is installed");
    let mut answers = Vec::new();
    for command in commands {
        match command {
            Command::Push => solver.push(),
            Command::Pop => solver.pop(),
            Command::Assert(term) => solver.assert(store, *term),
            Command::Check => answers.push(match solver.check() {
                Ok(Reply::Sat) => Some(Answer::Sat),
                Ok(Reply::Unsat) => Some(Answer::Unsat),
                Ok(Reply::Unknown) | Err(_) => None,
            }),
        }
    }
    (answers, clock.elapsed())
}

#[derive(Default, Debug)]
struct Sums {
    programs: usize,
    queries: usize,
    sat: usize,
    unanswered: usize,
    ours: Duration,
    theirs: Duration,
}

/// Asks both solvers; what both answer must agree.
fn compare(name: &str, programs: &[String], count: usize) -> Sums {
    let mut sums = Sums::default();
    for program in programs {
        let Some(cfa) = automaton(program) else { continue };
        let mut store = cfa.terms.clone();
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        let mut commands = paths(&cfa, &mut store, &mut dice, count);
        commands.extend(triples(&cfa, &mut store, &mut dice, count));
        let (answers, own_time) = ours(&mut store, &commands);
        let (expected, time) = theirs(name, &mut store, &commands);
        println!("{program}: {} queries, {own_time:.2?}, {name} {time:.2?}", answers.len());
        for (answer, expected) in answers.iter().zip(&expected) {
            match (answer, expected) {
                (Answer::Unknown(_), _) | (_, None) => sums.unanswered += 1,
                (answer, Some(expected)) => assert_eq!(answer, expected, "{program}"),
            }
            sums.sat += (*answer == Answer::Sat) as usize;
        }
        sums.programs += 1;
        sums.queries += answers.len();
        sums.ours += own_time;
        sums.theirs += time;
    }
    sums
}

fn is_installed(name: &str) -> bool {
    installed().iter().any(|solver| solver.entry.name == name)
}

#[test]
fn path_formulas_and_triples_agree_with_z3() {
    if !is_installed("z3") {
        return;
    }
    let sums =
        compare("z3", &[common::example("even_steps.c"), common::example("lost_update.c")], 20);
    assert!(sums.queries >= 20 && sums.unanswered == 0 && sums.sat > 0, "{sums:?}");
    assert!(sums.sat < sums.queries, "{sums:?}");
}

#[test]
#[ignore = "minutes; reads the list of programs that WEDGE_PROGRAMS names"]
fn many_path_formulas_and_triples_agree_with_z3() {
    let list = std::env::var("WEDGE_PROGRAMS").expect("a file with a program per line");
    let list = std::fs::read_to_string(list).expect("a list of programs");
    let programs: Vec<String> = list.lines().map(String::from).collect();
    let name = std::env::var("WEDGE_SOLVER").unwrap_or("z3".into());
    let sums = compare(&name, &programs, 80);
    let ratio = sums.ours.as_secs_f64() / sums.theirs.as_secs_f64();
    println!("{sums:?}; our time is {ratio:.2} of that of {name}");
    assert!(sums.queries > 0);
}
