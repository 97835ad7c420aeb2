//! A lowered operator as a circuit that is simulated on 64 assignments at a time.

use wedge_logic::aig::word;
use wedge_logic::blast::Limits;
use wedge_logic::float::{ROUNDING_WIDTH, SCALE_WIDTH, evaluate, lower_floats};
use wedge_logic::{
    Aig, BitVec, Blaster, FloatFormat, FloatFunction, FloatOp, Lit, Op, Sort, Term, TermStore,
};

pub struct Circuit {
    pub op: FloatOp,
    pub aig: Aig,
    /// The inputs are the bits of the operands, one after the other.
    widths: Vec<u32>,
    pub outputs: Vec<Lit>,
}

/// The widths of the operands, the rounding mode included.
pub fn operand_widths(op: FloatOp, integer: u32) -> Vec<u32> {
    let floats = op.arity() - op.is_rounded() as usize;
    let from_integer =
        matches!(op.function, FloatFunction::FromSigned | FloatFunction::FromUnsigned);
    let width = if from_integer { integer } else { op.format.width() };
    let mut widths = vec![width; floats];
    if op.function == FloatFunction::Scale {
        widths[1] = SCALE_WIDTH;
    }
    widths.extend(op.is_rounded().then_some(ROUNDING_WIDTH));
    widths
}

impl Circuit {
    /// `integer` is the width of the operand of a conversion from integers.
    pub fn new(format: FloatFormat, function: FloatFunction, integer: u32) -> Circuit {
        let op = FloatOp { format, function };
        let mut store = TermStore::new();
        let widths = operand_widths(op, integer);
        let vars: Vec<Term> = widths.iter().map(|&w| store.var("x", Sort::Bv(w))).collect();
        let term = store.rebuild(Op::Float(op), &vars);
        let lowered = lower_floats(&mut store, &[term])[0];
        store.check();
        Circuit::of(op, &store, &vars, lowered)
    }

    pub fn of(op: FloatOp, store: &TermStore, vars: &[Term], lowered: Term) -> Circuit {
        let (mut aig, mut blaster) = (Aig::new(), Blaster::new(Limits::default()));
        for &var in vars {
            blaster.blast(store, &mut aig, var).expect("small");
        }
        let widths = vars.iter().map(|&var| store.width(var)).collect();
        let outputs = blaster.blast(store, &mut aig, lowered).expect("small").to_vec();
        Circuit { op, aig, widths, outputs }
    }

    /// The outputs for up to 64 assignments.
    pub fn run(&self, cases: &[Vec<BitVec>]) -> Vec<BitVec> {
        let mut inputs = Vec::new();
        for operand in 0..self.widths.len() {
            for place in 0..self.widths[operand] {
                let bit = |lane: usize| (cases[lane][operand].bit(place) as u64) << lane;
                inputs.push((0..cases.len()).map(bit).sum());
            }
        }
        let words = self.aig.simulate(&inputs);
        let output = |lane: usize| {
            let bit = |&lit: &Lit| word(&words, lit) >> lane & 1 == 1;
            BitVec::from_bits(&self.outputs.iter().map(bit).collect::<Vec<bool>>())
        };
        (0..cases.len()).map(output).collect()
    }

    /// Asserts that circuit and evaluator agree on all cases.
    pub fn check(&self, cases: impl Iterator<Item = Vec<BitVec>>) {
        let mut batch = Vec::new();
        for case in cases {
            batch.push(case);
            if batch.len() == 64 {
                self.check_batch(&batch);
                batch.clear();
            }
        }
        self.check_batch(&batch);
    }

    fn check_batch(&self, batch: &[Vec<BitVec>]) {
        for (case, found) in batch.iter().zip(self.run(batch)) {
            let args: Vec<&BitVec> = case.iter().collect();
            let wanted = evaluate(self.op, &args);
            assert_eq!(found, wanted, "{:?} on {case:x?}", self.op);
        }
    }
}
