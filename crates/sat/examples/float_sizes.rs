//! Prints how large the circuits and clauses of the floating-point operators are, rounding to
//! nearest even: gates of the and-inverter graph, variables and clauses. The right column is
//! compared with other tools in `docs/floats.md`.

use wedge_logic::FloatFunction::{self, *};
use wedge_logic::blast::Limits;
use wedge_logic::float::lower_floats;
use wedge_logic::{Aig, Blaster, FloatFormat, FloatOp, Op, Rounding, Sort, Term, TermStore};
use wedge_sat::gates::{Frame, Gates};
use wedge_sat::session::Sink;

/// Counts what it is given.
#[derive(Default)]
struct Counter {
    variables: i32,
    clauses: usize,
}

impl Sink for Counter {
    fn new_var(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }
    fn add_clause(&mut self, _: &[i32]) {
        self.clauses += 1;
    }
}

fn measure(format: FloatFormat, function: FloatFunction) -> Result<(), wedge_logic::BlastError> {
    let op = FloatOp { format, function };
    let mut store = TermStore::new();
    let mode = store.rounding(Rounding::NearestEven);
    let floats = op.arity() - op.is_rounded() as usize;
    let mut args: Vec<Term> =
        (0..floats).map(|_| store.var("x", Sort::Bv(format.width()))).collect();
    args.extend(op.is_rounded().then_some(mode));
    let term = store.rebuild(Op::Float(op), &args);
    let lowered = lower_floats(&mut store, &[term])[0];

    let (mut aig, mut blaster) = (Aig::new(), Blaster::new(Limits::default()));
    let bits = blaster.blast(&store, &mut aig, lowered)?.to_vec();
    let gates = Gates::new(&aig, &bits);
    let (mut counter, mut frame) = (Counter::default(), Frame::new(&aig));
    for &bit in &bits {
        frame.encode(&gates, &mut counter, bit);
    }
    let (name, terms) = (format!("{function:?}"), store.size(&[lowered]));
    let (gates, variables) = (aig.cone_ands(&bits), counter.variables);
    let clauses = counter.clauses;
    println!(
        "{format:?} {name:16} {terms:7} terms {gates:8} gates {variables:8} variables {clauses:8} clauses"
    );
    Ok(())
}

fn main() -> Result<(), wedge_logic::BlastError> {
    for format in [FloatFormat::Single, FloatFormat::Double, FloatFormat::Extended] {
        for function in
            [Add, Multiply, Divide, MultiplyAdd, SquareRoot, RoundToIntegral, Modulo, Remainder]
        {
            measure(format, function)?;
        }
        for function in [ToSigned(32), ToSigned(64), Convert(FloatFormat::Half)] {
            measure(format, function)?;
        }
    }
    Ok(())
}
