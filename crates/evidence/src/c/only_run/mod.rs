//! The only run of a program, executed a second time on its automaton.
//!
//! The interpreter has found that the program leaves nothing open and that its run ends without an
//! error. The automaton was made by the encoding, which shares nothing with the interpreter but
//! the reading of the program, and terms are evaluated here. What the automaton leaves open, such
//! as variables that are declared and written before they are read, gets scrambled values, which
//! must not matter. Agreement means that no target is reached here either. Long loops are made many
//! iterations at once where a proof by [`induction`] allows it.

mod induction;

use induction::Induction;
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

/// Runs an automaton from its entry to the end.
pub fn execute(cfa: &Cfa, stop: &dyn Fn() -> bool) -> End {
    let outgoing = cfa.outgoing();
    let mut induction = None;
    let mut run = Run::new(cfa, &outgoing, stop);
    let mut patience = vec![(FIRST, FIRST); outgoing.len()];
    loop {
        if let Err(end) = run.advance() {
            return end;
        }
        let at = run.location.0 as usize;
        patience[at].0 -= 1;
        if patience[at].0 > 0 {
            continue;
        }
        let induction = induction.get_or_insert_with(|| Induction::new(cfa, &outgoing));
        let was_worth_it = match run.leap(induction) {
            Ok(found) => found.is_some(),
            Err(end) => return end,
        };
        let last = patience[at].1;
        let next = if was_worth_it { NEXT } else { last.saturating_mul(2).clamp(FIRST, MOST) };
        patience[at] = (next, next);
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
        let mut values = Scrambled(0x6a09_e667_f3bc_c909);
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
mod tests {
    use super::*;
    use wedge_c::DataModel;
    use wedge_c::Properties;
    use wedge_c::encode::{Room, encode};

    fn end(text: &str) -> End {
        let text = format!("extern void reach_error(void);\n{text}");
        let program = wedge_c::load_text(&text, "t.c", DataModel::Ilp32).unwrap();
        execute(&encode(&program, &Properties::default(), Room::default()).unwrap().cfa, &|| false)
    }

    #[test]
    fn runs_end_as_they_should() {
        let counting = "int main(void) { unsigned i, s = 0; for (i = 0; i < 100; i++) s += i;";
        assert!(matches!(
            end(&format!("{counting} if (s != 4950) reach_error(); return 0; }}")),
            End::Safe(edges) if edges > 100
        ));
        assert!(matches!(
            end(&format!("{counting} if (s == 4950) reach_error(); return 0; }}")),
            End::Error(_)
        ));
        let deep = "int f(int n) { return n ? 1 + f(n - 1) : 0; } int main(void) { return f(9); }";
        assert!(matches!(end(deep), End::Limit(_) | End::Safe(_)));
    }

    /// The run ends after so many edges, at least.
    fn is_long(body: &str, least: u64) {
        match end(&format!("int main(void) {{ {body} }}")) {
            End::Safe(edges) => assert!(edges >= least, "{edges}: {body}"),
            other => panic!("{other:?}: {body}"),
        }
    }

    #[test]
    fn long_loops_are_short() {
        let long = 1 << 30;
        is_long("unsigned x = 0; while (x < 4294967295u) x++; if (x != -1u) reach_error();", long);
        is_long(
            "int i; for (i = 0; i != 2000000000; i++); if (i != 2000000000) reach_error();",
            long,
        );
        is_long(
            "unsigned long long s = 0; for (unsigned i = 0; i < 2147483648u; i++) s += i;
            if (s != 2305843008139952128ull) reach_error();",
            long,
        );
        is_long(
            "unsigned i = 0, c = 0; while (i < 2000000000) { i += 2; if (i > 1000000000) c++; }
            if (c != 500000000) reach_error();",
            long / 2,
        );
    }

    #[test]
    fn errors_behind_long_loops_are_seen() {
        let text = "int main(void) { unsigned x = 0; while (x < 4294967295u) x += 5;
            if (x == 4294967295u) reach_error(); return 0; }";
        assert!(matches!(end(text), End::Error(_)));
        let text = "int main(void) { unsigned x = 0; while (1) { x += 3; if (x == 2999999999u)
            reach_error(); if (x == 3000000000u) break; } return 0; }";
        assert!(matches!(end(text), End::Safe(_)));
        let text = "int main(void) { unsigned x = 0; while (1) { x += 3; if (x == 2999999997u)
            reach_error(); if (x == 3000000000u) break; } return 0; }";
        assert!(matches!(end(text), End::Error(_)));
    }

    #[test]
    fn a_run_is_stopped() {
        let text = "extern void reach_error(void);\nint main(void) { volatile int i = 1;
            while (i) i++; reach_error(); }";
        let program = wedge_c::load_text(text, "t.c", DataModel::Ilp32).unwrap();
        let cfa = encode(&program, &Properties::default(), Room::default()).unwrap().cfa;
        assert_eq!(execute(&cfa, &|| true), End::Stopped);
    }
}
