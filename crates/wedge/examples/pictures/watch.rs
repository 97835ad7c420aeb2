//! Runs an engine and keeps what it says about states.

use crate::states::{Machine, States};
use std::error::Error;
use std::sync::{Arc, Mutex};
use wedge_engines::imc::Reuse;
use wedge_engines::paths::ReachabilityGraph;
use wedge_engines::registry::{Entry, Options};
use wedge_engines::{AutomatonOutcome, Context, Insight, Outcome};
use wedge_logic::{BitVec, Evaluator, Sort, Value};

/// A set of states and what it is.
#[derive(Clone)]
pub struct Row {
    pub label: String,
    /// None for a row that only says something.
    pub states: Option<States>,
}

/// Of larger graphs, nodes that say the same as others are left out.
const MANY: usize = 12;

/// More rows are not drawn.
const MOST: usize = 15;

/// So many rows where there is no end.
const BOUND: usize = 6;

pub fn rows(machine: &Machine, entry: &Entry) -> Result<Vec<Row>, Box<dyn Error>> {
    // Without regard to the time that queries take, so that the picture is always the same.
    let options = Options { reuse: Some(Reuse::Never), simplify: false, ..Options::default() };
    match (entry.on_automaton(&options), entry.on_circuit(&options)) {
        (Some(engine), _) => {
            let (context, notes) = watched(machine);
            let outcome = engine.run(&machine.automaton, &context);
            let mut rows = notes.lock().map_err(|_| "a note was not finished")?.clone();
            rows.push(match outcome {
                AutomatonOutcome::Safe(_) => row("proved", union(&rows)),
                _ => row("nothing is proved", 0),
            });
            Ok(rows)
        }
        _ if reads(entry, "simple-path") => Ok(before_bad(machine)),
        (_, Some(engine)) if !entry.seeks_errors && !entry.head_start => {
            let (context, notes) = watched(machine);
            let outcome = engine.run(&machine.circuit, &context);
            let mut rows = notes.lock().map_err(|_| "a note was not finished")?.clone();
            shorten(&mut rows);
            rows.push(match outcome {
                Outcome::Safe(invariant) => row("invariant", machine.states_of(&invariant)),
                _ => row("nothing is proved", 0),
            });
            Ok(rows)
        }
        _ => Ok(images(machine)),
    }
}

fn reads(entry: &Entry, option: &str) -> bool {
    entry.options.iter().any(|known| known.name == option)
}

/// What the step of k-induction asks for: good states from which k different good states, one after
/// the other, lead to a bad one.
fn before_bad(machine: &Machine) -> Vec<Row> {
    let mut rows = Vec::new();
    for length in 1..=BOUND {
        let states = (0..machine.count).filter(|&state| leads(machine, state, 0, length));
        let states = states.map(|state| 1 << state).sum();
        rows.push(row(format!("k = {length}: bad after {length} good"), states));
        if states == 0 {
            break;
        }
    }
    rows
}

/// Whether a path of so many good states, none of them among `earlier`, leads from here to a bad one.
fn leads(machine: &Machine, state: usize, earlier: States, length: usize) -> bool {
    let here = 1 << state;
    if (machine.bad | earlier) & here != 0 {
        return false;
    }
    let next = machine.image(here);
    if length == 1 {
        return next & machine.bad != 0;
    }
    let mut inside = (0..machine.count).filter(|state| next >> state & 1 == 1);
    inside.any(|state| leads(machine, state, earlier | here, length - 1))
}

fn row(label: impl Into<String>, states: States) -> Row {
    Row { label: label.into(), states: Some(states) }
}

fn union(rows: &[Row]) -> States {
    rows.iter().filter_map(|row| row.states).fold(0, |all, states| all | states)
}

/// Keeps the first rows and says how many are left out.
fn shorten(rows: &mut Vec<Row>) {
    let more = rows.len().saturating_sub(MOST);
    if more > 0 {
        rows.truncate(MOST);
        rows.push(Row { label: format!("and {more} more"), states: None });
    }
}

/// What engines look at that only run forwards: the states after each number of steps.
fn images(machine: &Machine) -> Vec<Row> {
    let mut states = machine.initial;
    let mut rows = Vec::new();
    for steps in 0..=BOUND {
        rows.push(row(format!("after {steps} steps"), states));
        states = machine.image(states);
    }
    rows
}

/// A context that takes notes.
fn watched(machine: &Machine) -> (Context, Arc<Mutex<Vec<Row>>>) {
    let notes: Arc<Mutex<Vec<Row>>> = Arc::default();
    let (shared, bound) = (notes.clone(), Mutex::new(0));
    let circuit = Arc::new(Machine {
        circuit: machine.circuit.clone(),
        automaton: machine.automaton.clone(),
        register: machine.register.clone(),
        ..*machine
    });
    let context = Context::new(None).observed(Arc::new(move |insight: &Insight| {
        let machine = &circuit;
        let mut notes = shared.lock().expect("notes are taken one by one");
        let mut bound = bound.lock().expect("notes are taken one by one");
        match insight {
            Insight::Bound(new) => *bound = *new,
            Insight::Interpolant(found) => {
                let label = match *bound {
                    0 => "interpolant".to_string(),
                    bound => format!("bound {bound}, interpolant"),
                };
                notes.push(row(label, machine.states_of(found)));
            }
            Insight::Frames(frames) => {
                let frames = frames();
                for number in 0..frames.len() {
                    let lemmas = frames[number..].iter().flatten();
                    let states =
                        lemmas.fold(machine.all(), |all, lemma| all & machine.states_of(lemma));
                    notes.push(row(format!("frame {}", number + 1), states));
                }
            }
            Insight::Graph(graph) => notes.extend(nodes(machine, &graph())),
            Insight::Spurious | Insight::FixedPoint(_) | Insight::Invariant(_) => {}
        }
    }));
    (context, notes)
}

/// The nodes of a graph behind its entry.
fn nodes(machine: &Machine, graph: &ReachabilityGraph) -> Vec<Row> {
    let mut rows = Vec::new();
    for node in graph.nodes.iter().skip(1) {
        let Some(states) = states_of(machine, graph, node.formula) else { continue };
        // A copy of another node says nothing new, unless it is where a small graph closes.
        let is_copy = |by: &u32| {
            let other = graph.nodes.iter().find(|other| other.id == *by);
            other.and_then(|o| states_of(machine, graph, o.formula)) == Some(states)
        };
        if states == 0 || (graph.nodes.len() > MANY && node.covered_by.iter().any(is_copy)) {
            continue;
        }
        let covered = match node.covered_by.as_slice() {
            [] => String::new(),
            by => {
                let names: Vec<String> = by.iter().map(u32::to_string).collect();
                format!(", covered by {}", names.join(" and "))
            }
        };
        let parent = match node.parent {
            Some((parent, _)) if parent > 0 => format!(" after {parent}"),
            _ => String::new(),
        };
        rows.push(row(format!("node {}{parent}{covered}", node.id), states));
    }
    rows
}

/// The states in which a formula about the register holds.
fn states_of(
    machine: &Machine,
    graph: &ReachabilityGraph,
    formula: wedge_logic::Term,
) -> Option<States> {
    let bits = machine.circuit.latches.len() as u32;
    let variables = graph.terms.free_vars(&[formula]);
    let mut states = 0;
    for state in 0..machine.count {
        let mut evaluator = Evaluator::new(&graph.terms);
        for &variable in &variables {
            if graph.terms.sort(variable) != Sort::Bv(bits) {
                return None;
            }
            evaluator.assign(variable, Value::from(BitVec::new(bits, state as u64)));
        }
        states |= u64::from(evaluator.holds(formula).ok()?) << state;
    }
    Some(states)
}
