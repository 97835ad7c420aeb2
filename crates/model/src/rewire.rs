//! Carries out what [`crate::inputs`] has found, and leads back from it.

use crate::circuit::{Circuit, Predicate, Reset, Trace};
use crate::inputs::Rewiring;
use crate::signals::Signals;
use wedge_logic::aig::{Node, word};
use wedge_logic::{Aig, Lit};

/// Where the value of an original input comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// A literal of the reduced circuit.
    Now(Lit),
    /// A literal of the reduced circuit, one step later.
    Later(Lit),
}

/// The way back from rewired inputs.
#[derive(Clone, Debug)]
pub struct RewireWayBack {
    /// The reduced circuit, with the gates that compute what was lost.
    reduced: Circuit,
    /// By input of the original.
    inputs: Vec<Source>,
    /// By latch of the original: its value in terms of the reduced circuit.
    latches: Vec<Lit>,
    /// The latches that were kept; the one that marks the first step comes after them.
    kept: Vec<usize>,
    /// Latches that became inputs after the first step, and their reset values.
    constant: Vec<(usize, bool)>,
}

/// Ensures: a path of either circuit to a bad state exists iff one of the other does, and if the
/// property of the reduced circuit is k-inductive, so is that of the original.
pub fn rewire(circuit: &Circuit, rewiring: &Rewiring) -> (Circuit, RewireWayBack) {
    let mut rewirer = Rewirer::new(circuit, rewiring);
    rewirer.place_leaves();
    rewirer.connect();
    (rewirer.reduced.clone(), rewirer.way_back())
}

struct Rewirer<'c> {
    circuit: &'c Circuit,
    rewiring: &'c Rewiring,
    reduced: Circuit,
    images: Vec<Option<Lit>>,
    kept: Vec<usize>,
    constant: Vec<(usize, bool)>,
    /// By latch: the input that it has become.
    moved: Vec<Option<Lit>>,
}

impl<'c> Rewirer<'c> {
    fn new(circuit: &'c Circuit, rewiring: &'c Rewiring) -> Rewirer<'c> {
        let mut images = vec![None; circuit.aig.len()];
        images[0] = Some(Lit::FALSE);
        Rewirer {
            circuit,
            rewiring,
            reduced: Circuit::default(),
            images,
            kept: Vec::new(),
            constant: Vec::new(),
            moved: vec![None; circuit.latches.len()],
        }
    }

    /// Images of the inputs that stay, of all latches and of the gates that become inputs.
    fn place_leaves(&mut self) {
        let circuit = self.circuit;
        let mut gone = vec![false; circuit.aig.len()];
        for input in self.rewiring.stored.iter().flatten() {
            gone[input.node() as usize] = true;
        }
        for (node, cut) in self.rewiring.cuts.iter().enumerate() {
            if let Some(cut) = cut {
                gone[cut.input.node() as usize] = true;
                self.images[node] = Some(self.reduced.add_input());
            }
        }
        for input in &circuit.inputs {
            let node = input.node() as usize;
            if self.rewiring.definitions[node].is_none() && !gone[node] {
                self.images[node] = Some(self.reduced.add_input());
            }
        }
        for (index, latch) in circuit.latches.iter().enumerate() {
            if self.rewiring.stored[index].is_none() {
                self.kept.push(index);
                self.images[latch.state.node() as usize] =
                    Some(self.reduced.add_latch(latch.reset));
            }
        }
        self.move_latches();
    }

    fn move_latches(&mut self) {
        let mut first = None;
        for (index, latch) in self.circuit.latches.iter().enumerate() {
            if self.rewiring.stored[index].is_none() {
                continue;
            }
            let input = self.reduced.add_input();
            self.moved[index] = Some(input);
            let image = match latch.reset {
                Reset::Const(value) => {
                    let first = *first.get_or_insert_with(|| add_first(&mut self.reduced));
                    self.constant.push((index, value));
                    self.reduced.aig.ite(first, value.into(), input)
                }
                _ => input,
            };
            self.images[latch.state.node() as usize] = Some(image);
        }
    }

    fn connect(&mut self) {
        let circuit = self.circuit;
        let constraints: Vec<Lit> =
            self.rewiring.constraints.iter().map(|&c| self.image(c)).collect();
        self.reduced.constraints = constraints.into_iter().filter(|&c| c != Lit::TRUE).collect();
        self.reduced.bad = self.image(circuit.bad);
        for place in 0..self.kept.len() {
            let latch = &circuit.latches[self.kept[place]];
            self.reduced.latches[place].next = self.image(latch.next);
            if let Reset::Function(lit) = latch.reset {
                self.reduced.latches[place].reset = Reset::Function(self.image(lit));
            }
        }
    }

    /// The copy of a literal; depth first, since a definition may come after its readers.
    fn image(&mut self, lit: Lit) -> Lit {
        let mut stack = vec![lit.node()];
        while let Some(&node) = stack.last() {
            if self.images[node as usize].is_none() {
                let before = stack.len();
                let reads = self.reads(node);
                let missing = reads.iter().map(|l| l.node());
                stack.extend(missing.filter(|&n| self.images[n as usize].is_none()));
                if stack.len() > before {
                    continue;
                }
                let [a, b] = reads.map(|l| self.known(l));
                self.images[node as usize] = Some(self.reduced.aig.and(a, b));
            }
            stack.pop();
        }
        self.known(lit)
    }

    fn reads(&self, node: u32) -> [Lit; 2] {
        match (self.circuit.aig.node(node), self.rewiring.definitions[node as usize]) {
            (Node::And(a, b), _) => [a, b],
            (_, Some(definition)) => [definition, Lit::TRUE],
            _ => unreachable!("all other inputs have images from the start"),
        }
    }

    fn known(&self, lit: Lit) -> Lit {
        self.images[lit.node() as usize].expect("copied before").xor(lit.is_negated())
    }

    fn way_back(mut self) -> RewireWayBack {
        let circuit = self.circuit;
        let mut sources: Vec<Option<Source>> = vec![None; circuit.aig.len()];
        for (index, stored) in self.rewiring.stored.iter().enumerate() {
            if let (Some(input), Some(moved)) = (stored, self.moved[index]) {
                let value = moved.xor(input.is_negated());
                sources[input.node() as usize] = Some(Source::Later(value));
            }
        }
        for node in 0..circuit.aig.len() {
            if let Some(cut) = self.rewiring.cuts[node] {
                let rest = self.image(cut.rest);
                let gate = self.known(Lit::new(node as u32, false));
                let value = self.reduced.aig.xor(gate, rest);
                sources[cut.input.node() as usize] = Some(Source::Now(value));
            }
        }
        let mut source = |input: Lit| {
            sources[input.node() as usize].unwrap_or_else(|| Source::Now(self.image(input)))
        };
        let inputs = circuit.inputs.iter().map(|&input| source(input)).collect();
        let latches = circuit.latches.iter().map(|l| self.known(l.state)).collect();
        let Rewirer { reduced, kept, constant, .. } = self;
        RewireWayBack { reduced, inputs, latches, kept, constant }
    }
}

/// A latch that is true in the first step only.
fn add_first(circuit: &mut Circuit) -> Lit {
    let first = circuit.add_latch(Reset::Const(true));
    circuit.latches.last_mut().expect("just added").next = Lit::FALSE;
    first
}

impl RewireWayBack {
    /// The latches of the original that the reduced circuit has, in its order.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// Signals of the original circuit as those of the reduced one; what became an input is lost.
    pub fn signals(&self, signals: &Signals) -> Signals {
        signals.map(self.reduced.latches.len(), &self.images())
    }

    /// The latches of the original as literals over those of the reduced circuit.
    pub fn images(&self) -> Vec<Option<Lit>> {
        let reduced = Aig::with_inputs(self.reduced.latches.len());
        let mut images = vec![None; self.latches.len()];
        for (index, &latch) in self.kept.iter().enumerate() {
            images[latch] = Some(reduced.input(index));
        }
        images
    }

    /// The same path, with the values that the inputs of the original must have had.
    pub fn trace(&self, trace: &Trace) -> Trace {
        let mut words = Vec::with_capacity(trace.inputs.len());
        let mut state = trace.initial.clone();
        for inputs in &trace.inputs {
            let step = crate::simulate::evaluate(&self.reduced, &state, inputs);
            state = self.reduced.latches.iter().map(|l| word(&step, l.next) & 1 == 1).collect();
            words.push(step);
        }
        let value = |step: usize, lit: Lit| words.get(step).is_some_and(|w| word(w, lit) & 1 == 1);
        let input = |step: usize, source: &Source| match *source {
            Source::Now(lit) => value(step, lit),
            Source::Later(lit) => value(step + 1, lit),
        };
        let inputs = |step| self.inputs.iter().map(|source| input(step, source)).collect();
        Trace {
            initial: self.latches.iter().map(|&latch| value(0, latch)).collect(),
            inputs: (0..words.len()).map(inputs).collect(),
        }
    }

    /// The states of the predicate; in its part for the first step, the latches that are only
    /// constant there have their reset values.
    pub fn predicate(&self, predicate: &Predicate) -> Predicate {
        let mut aig = Aig::with_inputs(self.latches.len());
        let mut latches: Vec<Lit> = self.kept.iter().map(|&l| aig.input(l)).collect();
        if self.constant.is_empty() {
            let root = predicate.aig.copy_into(&mut aig, &[predicate.root], &latches)[0];
            return Predicate { aig, root };
        }
        latches.push(Lit::FALSE);
        let later = predicate.aig.copy_into(&mut aig, &[predicate.root], &latches)[0];
        latches.pop();
        latches.push(Lit::TRUE);
        let first = predicate.aig.copy_into(&mut aig, &[predicate.root], &latches)[0];
        let reset = self.constant.iter().map(|&(latch, value)| aig.input(latch).xor(!value));
        let conjuncts: Vec<Lit> = reset.chain([first]).collect();
        let first = aig.and_all(&conjuncts);
        let root = aig.or(later, first);
        Predicate { aig, root }
    }
}
