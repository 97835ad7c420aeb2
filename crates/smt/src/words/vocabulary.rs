//! What can be said: words, numbers, and facts as literals of one growing graph.

use rustc_hash::FxHashMap;
use wedge_logic::atoms::{Atom, Relation, Side};
use wedge_logic::{Aig, Lit};

/// A statement about states.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// An atom, everywhere or where the control word has this value.
    Atom { place: Option<u64>, atom: Atom },
    /// The control word has one of these values.
    Places(Vec<u64>),
}

impl Fact {
    /// How much it says.
    pub fn strength(&self) -> u32 {
        match self {
            Fact::Places(_) => 0,
            Fact::Atom { atom, .. } => atom.strength() + 10 * !atom.is_relation() as u32,
        }
    }
}

/// Invariants: the graph's inputs come before its gates; words have 1 to 64 bits, which are
/// constants or inputs.
pub struct Vocabulary {
    pub aig: Aig,
    words: Vec<Vec<Lit>>,
    widths: Vec<u32>,
    /// The word that says where a program is.
    control: Option<usize>,
    /// Numbers of the model, by width.
    constants: FxHashMap<u32, Vec<u64>>,
    literals: FxHashMap<Fact, Lit>,
}

impl Vocabulary {
    /// Words over a graph with so many inputs. Those without bits or with more than 64 are not
    /// used, but keep their number.
    pub fn new(
        inputs: usize,
        words: Vec<Vec<Lit>>,
        control: Option<usize>,
        numbers: &[(usize, u64)],
    ) -> Vocabulary {
        let mut constants: FxHashMap<u32, Vec<u64>> = FxHashMap::default();
        for &(width, number) in numbers {
            constants.entry(width as u32).or_default().push(number);
        }
        let widths = words.iter().map(|word| word.len() as u32).collect();
        let aig = Aig::with_inputs(inputs);
        let literals = FxHashMap::default();
        Vocabulary { aig, words, widths, control, constants, literals }
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn control(&self) -> Option<usize> {
        self.control
    }

    pub fn width(&self, word: usize) -> u32 {
        self.widths[word]
    }

    pub(super) fn widths(&self) -> &[u32] {
        &self.widths
    }

    pub(super) fn bits(&self, word: usize) -> &[Lit] {
        &self.words[word]
    }

    pub(super) fn constants(&self, width: u32) -> &[u64] {
        self.constants.get(&width).map_or(&[], Vec::as_slice)
    }

    /// The words with a bit among these inputs, by number; the control word is not one of them.
    pub fn reading(&self, is_read: impl Fn(usize) -> bool) -> Vec<usize> {
        let input = |bit: &Lit| match self.aig.node(bit.node()) {
            wedge_logic::aig::Node::Input(index) => is_read(index as usize),
            _ => false,
        };
        let usable = |word: &usize| (1..=64).contains(&self.widths[*word]);
        (0..self.words.len())
            .filter(|&word| Some(word) != self.control)
            .filter(usable)
            .filter(|&word| self.words[word].iter().any(input))
            .collect()
    }

    /// The control word has this value.
    pub fn at(&mut self, place: u64) -> Lit {
        match self.control {
            Some(word) => {
                let atom = Atom::Compare(Relation::Eq, Side::Word(word), Side::Value(place));
                self.literal(&Fact::Atom { place: None, atom })
            }
            None => Lit::TRUE,
        }
    }

    pub fn literal(&mut self, fact: &Fact) -> Lit {
        if let Some(&lit) = self.literals.get(fact) {
            return lit;
        }
        let lit = match fact {
            Fact::Atom { place: None, atom } => atom.literal(&mut self.aig, &self.words),
            Fact::Atom { place: Some(place), atom } => {
                let here = self.at(*place);
                let holds = self.literal(&Fact::Atom { place: None, atom: *atom });
                self.aig.implies(here, holds)
            }
            Fact::Places(places) => {
                let lits: Vec<Lit> = places.iter().map(|&place| self.at(place)).collect();
                self.aig.or_all(&lits)
            }
        };
        self.literals.insert(fact.clone(), lit);
        lit
    }

    /// All of the facts together, as a graph of its own and its root.
    pub fn conjunction(&mut self, facts: &[Fact]) -> (Aig, Lit) {
        let lits: Vec<Lit> = facts.iter().map(|fact| self.literal(fact)).collect();
        let mut aig = Aig::with_inputs(self.aig.num_inputs());
        let inputs: Vec<Lit> = (0..aig.num_inputs()).map(|i| aig.input(i)).collect();
        let lits = self.aig.copy_into(&mut aig, &lits, &inputs);
        let root = aig.and_all(&lits);
        (aig, root)
    }
}
