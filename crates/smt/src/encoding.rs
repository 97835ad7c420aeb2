//! From terms to literals of a session: floats are lowered, arrays abstracted, words blasted, and
//! gates become clauses. Every step remembers what it has done, so that shared terms are encoded
//! once per session.

use crate::arrays::Abstraction;
use wedge_logic::blast::Limits;
use wedge_logic::float::Lowering;
use wedge_logic::{Aig, BitVec, BlastError, Blaster, Lit, Sort, Term, TermStore, Value};
use wedge_sat::Session;
use wedge_sat::growing::Growing;

/// Nodes of the graph of one session.
const MAX_NODES: u64 = 1 << 25;

/// Use one encoding with one store and one session only.
pub(crate) struct Encoding {
    pub lowering: Lowering,
    pub abstraction: Abstraction,
    pub aig: Aig,
    pub blaster: Blaster,
    pub growing: Growing,
}

impl Encoding {
    pub fn new() -> Encoding {
        let limits = Limits { nodes: MAX_NODES, ..Limits::default() };
        Encoding {
            lowering: Lowering::new(),
            abstraction: Abstraction::default(),
            aig: Aig::new(),
            blaster: Blaster::new(limits),
            growing: Growing::new(),
        }
    }

    /// The term over bit-vectors alone that stands for a term of any sort.
    pub fn plain(&mut self, store: &mut TermStore, term: Term) -> Term {
        let lowered = self.lowering.lower(store, term);
        self.abstraction.apply(store, lowered)
    }

    /// A plain term of width 1 in the graph.
    pub fn bit(&mut self, store: &TermStore, plain: Term) -> Result<Lit, BlastError> {
        self.blaster.literal(store, &mut self.aig, plain)
    }

    /// The literal of a plain term of width 1.
    pub fn literal(
        &mut self,
        store: &TermStore,
        session: &mut Session,
        plain: Term,
    ) -> Result<i32, BlastError> {
        let lit = self.bit(store, plain)?;
        Ok(self.growing.encode(&self.aig, session, lit))
    }

    /// The value of a bit-vector variable where bits have these values; 0 for bits that are not in
    /// the graph.
    pub fn leaf(&self, store: &TermStore, value: impl FnMut(Lit) -> bool, variable: Term) -> Value {
        let Sort::Bv(width) = store.sort(variable) else {
            return Value::zero(store.sort(variable));
        };
        let Some(bits) = self.blaster.bits(variable) else {
            return Value::Bv(BitVec::zero(width));
        };
        Value::Bv(BitVec::from_bits(&bits.iter().copied().map(value).collect::<Vec<_>>()))
    }

    /// The same in the assignment of a session.
    pub fn leaf_in(&self, store: &TermStore, session: &mut Session, variable: Term) -> Value {
        let value = |lit| self.growing.get(lit).is_some_and(|lit| session.value(lit));
        self.leaf(store, value, variable)
    }
}
