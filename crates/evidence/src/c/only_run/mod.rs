//! The only run of a program, executed a second time on its automaton.
//!
//! The interpreter has found that the program leaves nothing open and that its run ends without an
//! error. The automaton was made by the encoding, which shares nothing with the interpreter but
//! the reading of the program, and terms are evaluated here. What the automaton leaves open, such
//! as variables that are declared and written before they are read, gets scrambled values, which
//! must not matter. Agreement means that no target is reached here either. Long loops are made many
//! iterations at once where a proof by [`induction`] allows it. Runs that go on are made by a
//! [`machine`] that the automaton is translated for; where they end is for the evaluator again.

mod code;
mod compile;
mod induction;
mod machine;

use compile::Code;
use induction::Induction;
use machine::Machine;
use rustc_hash::FxHashSet;
use wedge_logic::{BitVec, Evaluator, Sort, Term, TermStore, Value};
use wedge_model::Cfa;
use wedge_model::cfa::{EdgeId, LocationId, Target, TargetKind};

/// How the run of an automaton ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Without reaching a target, after so many edges.
    Safe(u64),
    /// At an error, against what the interpreter says.
    Error(String),
    /// Where the model ends or a call is not followed.
    Limit(Target),
    /// The automaton is broken.
    Broken(String),
    /// There was no time to finish.
    Stopped,
}

/// After this many edges it is asked whether to stop.
const POLL: u64 = 1 << 8;

/// Arrivals at a location before it is asked whether many iterations can be made at once, after that
/// was so, and the most.
const FIRST: u32 = 300;
const NEXT: u32 = 8;
const MOST: u32 = 1 << 22;
/// A loop with more edges is followed one by one.
const LONGEST: usize = 1_000;

/// Edges that the evaluator takes before the machine does.
const SLOW: u64 = 4_000;

/// The machine takes fewer edges than this in the time that a proof by induction takes.
const WORTH: u64 = 1 << 17;

/// Runs an automaton from its entry to the end.
pub fn execute(cfa: &Cfa, stop: &dyn Fn() -> bool) -> End {
    execute_with(cfa, SLOW, stop)
}

/// The same with the number of edges that the evaluator takes before the machine does.
fn execute_with(cfa: &Cfa, slow: u64, stop: &dyn Fn() -> bool) -> End {
    let outgoing = cfa.outgoing();
    let mut induction = None;
    let mut swift = None;
    let mut run = Run::new(cfa, &outgoing, stop);
    let mut patience = vec![(FIRST, FIRST); outgoing.len()];
    let mut next_swift = slow;
    loop {
        if let Err(end) = run.advance() {
            return end;
        }
        if run.edges >= next_swift {
            let swift = swift.get_or_insert_with(|| Swift::of(cfa, &outgoing));
            if run.hurry(swift.as_mut(), &mut patience) {
                next_swift = run.edges.saturating_add(slow);
            }
        }
        let at = run.location.0 as usize;
        patience[at].0 = patience[at].0.saturating_sub(1);
        if patience[at].0 > 0 {
            continue;
        }
        let induction = induction.get_or_insert_with(|| Induction::new(cfa, &outgoing));
        let before = run.edges;
        let was_worth_it = match run.leap(induction) {
            Ok(found) => {
                let is_swift = matches!(swift, Some(Some(_)));
                found.is_some() && (!is_swift || run.edges - before >= WORTH)
            }
            Err(end) => return end,
        };
        if was_worth_it {
            next_swift = run.edges.saturating_add(slow);
        }
        let last = patience[at].1;
        let next = if was_worth_it { NEXT } else { last.saturating_mul(2).clamp(FIRST, MOST) };
        patience[at] = (next, next);
    }
}

/// An automaton on the machine.
struct Swift {
    code: Code,
    machine: Machine,
}

impl Swift {
    fn of(cfa: &Cfa, outgoing: &[Vec<EdgeId>]) -> Option<Swift> {
        let code = compile::compile(cfa, outgoing)?;
        Some(Swift { machine: Machine::new(&code), code })
    }
}

/// A run so far.
struct Run<'a> {
    cfa: &'a Cfa,
    outgoing: &'a [Vec<EdgeId>],
    stop: &'a dyn Fn() -> bool,
    /// By location.
    targets: Vec<Option<&'a Target>>,
    inputs: Vec<Vec<Term>>,
    values: Scrambled,
    evaluator: Evaluator<'a>,
    location: LocationId,
    edges: u64,
    next_poll: u64,
}

impl<'a> Run<'a> {
    fn new(cfa: &'a Cfa, outgoing: &'a [Vec<EdgeId>], stop: &'a dyn Fn() -> bool) -> Run<'a> {
        let mut values = Scrambled::default();
        let mut evaluator = Evaluator::new(&cfa.terms);
        for &symbol in cfa.variables.iter().chain(&cfa.inputs) {
            evaluator.assign(symbol, values.of(&cfa.terms, symbol));
        }
        let mut targets = vec![None; outgoing.len()];
        for target in cfa.targets.iter().rev() {
            targets[target.location.0 as usize] = Some(target);
        }
        let inputs = inputs_of_edges(cfa, outgoing);
        let (location, edges, next_poll) = (cfa.entry, 0, 0);
        Run { cfa, outgoing, stop, targets, inputs, values, evaluator, location, edges, next_poll }
    }

    /// Takes one edge; an error is the end of the run.
    fn advance(&mut self) -> Result<EdgeId, End> {
        if let Some(target) = self.targets[self.location.0 as usize] {
            return Err(match target.kind {
                TargetKind::Error => End::Error(target.name.clone()),
                TargetKind::Limit | TargetKind::Refused => End::Limit(target.clone()),
            });
        }
        if self.edges >= self.next_poll {
            self.next_poll = self.edges.saturating_add(POLL);
            if (self.stop)() {
                return Err(End::Stopped);
            }
        }
        for &input in &self.inputs[self.location.0 as usize] {
            self.evaluator.assign(input, self.values.of(&self.cfa.terms, input));
        }
        match step(self.cfa, self.outgoing, self.location, &mut self.evaluator) {
            Ok(Some(edge)) => {
                self.location = self.cfa.edge(edge).to;
                self.edges = self.edges.saturating_add(1);
                Ok(edge)
            }
            Ok(None) => Err(End::Safe(self.edges)),
            Err(what) => Err(End::Broken(what)),
        }
    }

    /// Goes on with the machine from the head of a loop, until that has no more patience at some head or
    /// the machine is at its end. Tells whether it was at a head.
    fn hurry(&mut self, swift: Option<&mut Swift>, patience: &mut [(u32, u32)]) -> bool {
        let Some(Swift { code, machine }) = swift else { return true };
        let Some(start) = code.entries[self.location.0 as usize] else { return false };
        let evaluator = &mut self.evaluator;
        if machine.load(code, |term| evaluator.eval(term).ok().cloned()).is_none() {
            return true;
        }
        let arrive = |head: LocationId| {
            let left = &mut patience[head.0 as usize].0;
            *left = left.saturating_sub(1);
            *left <= 1
        };
        let (location, edges) = machine.run(code, start, arrive, self.stop);
        machine.store(code, |variable, value| evaluator.assign(variable, value));
        self.location = location;
        self.edges = self.edges.saturating_add(edges);
        true
    }

    /// Goes on until the run is here again; none if it takes too long.
    fn iteration(&mut self) -> Result<Option<Vec<EdgeId>>, End> {
        let (head, mut path) = (self.location, Vec::new());
        while path.len() < LONGEST {
            path.push(self.advance()?);
            if self.location == head {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// Makes many iterations at once, if that is possible; tells how many.
    fn leap(&mut self, induction: &mut Induction) -> Result<Option<u64>, End> {
        let Some(path) = self.iteration()? else { return Ok(None) };
        let Some(changed) = induction.changed(&path) else { return Ok(None) };
        let mut values: [Vec<u64>; 4] = Default::default();
        for (index, state) in values.iter_mut().enumerate() {
            if index > 0 && self.iteration()?.as_ref() != Some(&path) {
                return Ok(None);
            }
            let now: Option<Vec<u64>> = changed.iter().map(|&term| self.word(term)).collect();
            let Some(now) = now else { return Ok(None) };
            *state = now;
        }
        let Some((iterations, after)) = induction.leap(&path, &values, |term| self.word(term))
        else {
            return Ok(None);
        };
        for (variable, value) in after {
            self.evaluator.assign(variable, value);
        }
        let edges = iterations.saturating_mul(path.len() as u64);
        self.edges = self.edges.saturating_add(edges);
        Ok(Some(iterations))
    }

    fn word(&mut self, term: Term) -> Option<u64> {
        self.evaluator.eval_bv(term).ok()?.to_u64()
    }
}

/// Takes the edge whose guard holds.
fn step(
    cfa: &Cfa,
    outgoing: &[Vec<EdgeId>],
    location: LocationId,
    evaluator: &mut Evaluator,
) -> Result<Option<EdgeId>, String> {
    for &id in &outgoing[location.0 as usize] {
        let edge = cfa.edge(id);
        if !evaluator.holds(edge.guard).map_err(|error| error.to_string())? {
            continue;
        }
        let mut assigned = Vec::with_capacity(edge.updates.len());
        for &(variable, value) in &edge.updates {
            let value = evaluator.eval(value).map_err(|error| error.to_string())?;
            assigned.push((variable, value.clone()));
        }
        for (variable, value) in assigned {
            evaluator.assign(variable, value);
        }
        return Ok(Some(id));
    }
    Ok(None)
}

/// For each location the inputs that the edges out of it read.
fn inputs_of_edges(cfa: &Cfa, outgoing: &[Vec<EdgeId>]) -> Vec<Vec<Term>> {
    let is_input: FxHashSet<Term> = cfa.inputs.iter().copied().collect();
    let inputs = |edges: &Vec<EdgeId>| {
        let roots: Vec<Term> = edges.iter().flat_map(|&id| cfa.edge(id).roots()).collect();
        let mut read = cfa.terms.free_vars(&roots);
        read.retain(|term| is_input.contains(term));
        read
    };
    if is_input.is_empty() {
        return vec![Vec::new(); outgoing.len()];
    }
    outgoing.iter().map(inputs).collect()
}

/// Values without meaning.
struct Scrambled(u64);

impl Default for Scrambled {
    fn default() -> Scrambled {
        Scrambled(0x6a09_e667_f3bc_c909)
    }
}

impl Scrambled {
    fn of(&mut self, terms: &TermStore, symbol: Term) -> Value {
        match terms.sort(symbol) {
            Sort::Bv(width) => Value::Bv(self.bits(width)),
            sort => Value::zero(sort),
        }
    }

    fn bits(&mut self, width: u32) -> BitVec {
        let mut bits = BitVec::new(width.min(64), self.word());
        while bits.width() < width {
            let more = BitVec::new((width - bits.width()).min(64), self.word());
            bits = bits.concat(&more);
        }
        bits
    }

    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[cfg(test)]
mod tests;
