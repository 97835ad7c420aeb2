//! A circuit made for simulation: what its step, its constraints and its bad states depend on, as a
//! list of gates over places, many runs at a time.

use wedge_logic::Lit;
use wedge_logic::aig::Node;
use wedge_model::Circuit;

/// Machine words per place.
const WORDS: usize = 4;
/// Runs that are made at once.
pub const LANES: usize = 64 * WORDS;

/// A bit for each run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits(pub [u64; WORDS]);

impl Bits {
    pub const NONE: Bits = Bits([0; WORDS]);
    pub const ALL: Bits = Bits([u64::MAX; WORDS]);

    /// Of words that are made one by one.
    #[inline(always)]
    pub fn made(mut word: impl FnMut() -> u64) -> Bits {
        let mut bits = Bits::NONE;
        for place in &mut bits.0 {
            *place = word();
        }
        bits
    }

    /// The same bit for all runs.
    pub fn all(bit: bool) -> Bits {
        if bit { Bits::ALL } else { Bits::NONE }
    }

    // Loops, because these are what the time goes to: closures over arrays are not always inlined.

    #[inline(always)]
    pub fn and(mut self, other: Bits) -> Bits {
        for word in 0..WORDS {
            self.0[word] &= other.0[word];
        }
        self
    }

    #[inline(always)]
    pub fn or(mut self, other: Bits) -> Bits {
        for word in 0..WORDS {
            self.0[word] |= other.0[word];
        }
        self
    }

    #[inline(always)]
    pub fn xor(mut self, other: Bits) -> Bits {
        for word in 0..WORDS {
            self.0[word] ^= other.0[word];
        }
        self
    }

    #[inline(always)]
    pub fn not(self) -> Bits {
        self.xor(Bits::ALL)
    }

    pub fn get(self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// The first run whose bit is set.
    #[inline(always)]
    pub fn first(self) -> Option<usize> {
        if self == Bits::NONE {
            return None;
        }
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }
}

/// A place, twice, and one more if its value is negated.
#[derive(Clone, Copy)]
struct Place(u32);

impl Place {
    #[inline(always)]
    fn read(self, values: &[Bits]) -> Bits {
        values[self.0 as usize >> 1].xor(Bits([(self.0 as u64 & 1).wrapping_neg(); WORDS]))
    }
}

/// Places are: nothing, the inputs of the graph, the gates.
pub struct Machine {
    gates: Vec<[Place; 2]>,
    first_gate: usize,
    /// By input and by latch of the circuit.
    pub inputs: Vec<usize>,
    pub states: Vec<usize>,
    nexts: Vec<Place>,
    constraints: Vec<Place>,
    bad: Place,
}

impl Machine {
    pub fn new(circuit: &Circuit) -> Machine {
        let aig = &circuit.aig;
        let nexts = circuit.latches.iter().map(|latch| latch.next);
        let roots: Vec<Lit> =
            nexts.chain(circuit.constraints.iter().copied()).chain([circuit.bad]).collect();
        let needed = aig.cone(&roots);
        let first_gate = 1 + aig.num_inputs();
        let mut place_of = vec![0; aig.len()];
        let place = |place_of: &[u32], lit: Lit| {
            Place(2 * place_of[lit.node() as usize] + u32::from(lit.is_negated()))
        };
        let mut gates = Vec::new();
        for node in 1..aig.len() {
            match aig.node(node as u32) {
                Node::Const => {}
                Node::Input(index) => place_of[node] = 1 + index,
                Node::And(a, b) if needed[node] => {
                    place_of[node] = (first_gate + gates.len()) as u32;
                    gates.push([place(&place_of, a), place(&place_of, b)]);
                }
                Node::And(..) => {}
            }
        }
        let at = |lit: Lit| place(&place_of, lit);
        let source = |lit: Lit| place_of[lit.node() as usize] as usize;
        Machine {
            first_gate,
            inputs: circuit.inputs.iter().map(|&input| source(input)).collect(),
            states: circuit.latches.iter().map(|latch| source(latch.state)).collect(),
            nexts: circuit.latches.iter().map(|latch| at(latch.next)).collect(),
            constraints: circuit.constraints.iter().map(|&lit| at(lit)).collect(),
            bad: at(circuit.bad),
            gates,
        }
    }

    /// A value for every place, all of them false.
    pub fn values(&self) -> Vec<Bits> {
        vec![Bits::NONE; self.first_gate + self.gates.len()]
    }

    /// Computes the gates from the inputs and states.
    pub fn simulate(&self, values: &mut [Bits]) {
        for (index, [a, b]) in self.gates.iter().enumerate() {
            let value = a.read(values).and(b.read(values));
            values[self.first_gate + index] = value;
        }
    }

    /// The runs in which all constraints hold.
    pub fn legal(&self, values: &[Bits]) -> Bits {
        self.constraints.iter().fold(Bits::ALL, |legal, place| legal.and(place.read(values)))
    }

    pub fn bad(&self, values: &[Bits]) -> Bits {
        self.bad.read(values)
    }

    /// The next states become the current ones.
    pub fn advance(&self, values: &mut [Bits]) {
        let next: Vec<Bits> = self.nexts.iter().map(|place| place.read(values)).collect();
        for (&place, next) in self.states.iter().zip(next) {
            values[place] = next;
        }
    }
}
