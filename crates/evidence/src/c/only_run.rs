//! The only run of a program, executed a second time on its automaton.
//!
//! The interpreter has found that the program leaves nothing open and that its run ends without an
//! error. The automaton was made by the encoding, which shares nothing with the interpreter but
//! the reading of the program, and terms are evaluated here. What the automaton leaves open, such
//! as variables that are declared and written before they are read, gets scrambled values, which
//! must not matter. Agreement means that no target is reached here either.

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

/// Runs an automaton from its entry to the end.
pub fn execute(cfa: &Cfa, stop: &dyn Fn() -> bool) -> End {
    let outgoing = cfa.outgoing();
    let mut values = Scrambled(0x6a09_e667_f3bc_c909);
    let mut evaluator = Evaluator::new(&cfa.terms);
    for &symbol in cfa.variables.iter().chain(&cfa.inputs) {
        evaluator.assign(symbol, values.of(&cfa.terms, symbol));
    }
    let inputs = inputs_of_edges(cfa, &outgoing);
    let mut location = cfa.entry;
    for edges in 0u64.. {
        if let Some(target) = cfa.targets.iter().find(|target| target.location == location) {
            return match target.kind {
                TargetKind::Error => End::Error(target.name.clone()),
                TargetKind::Limit | TargetKind::Refused => End::Limit(target.clone()),
            };
        }
        if edges.is_multiple_of(POLL) && stop() {
            return End::Stopped;
        }
        for &input in &inputs[location.0 as usize] {
            evaluator.assign(input, values.of(&cfa.terms, input));
        }
        match step(cfa, &outgoing, location, &mut evaluator) {
            Ok(Some(next)) => location = next,
            Ok(None) => return End::Safe(edges),
            Err(what) => return End::Broken(what),
        }
    }
    End::Stopped
}

/// Takes the edge whose guard holds.
fn step(
    cfa: &Cfa,
    outgoing: &[Vec<EdgeId>],
    location: LocationId,
    evaluator: &mut Evaluator,
) -> Result<Option<LocationId>, String> {
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
        return Ok(Some(edge.to));
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

    #[test]
    fn a_run_is_stopped() {
        let text = "extern void reach_error(void);\nint main(void) { volatile int i = 1;
            while (i) i++; reach_error(); }";
        let program = wedge_c::load_text(text, "t.c", DataModel::Ilp32).unwrap();
        let cfa = encode(&program, &Properties::default(), Room::default()).unwrap().cfa;
        assert_eq!(execute(&cfa, &|| true), End::Stopped);
    }
}
