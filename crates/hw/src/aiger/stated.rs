//! The gates of a file as they stand there, beside the graph that holds them folded.
//!
//! A certificate is compared with its model gate by gate, also by checkers that simplify nothing: if
//! it has the gates of the model's file, equal functions are equal graphs. A folded graph means the
//! same and looks different.

use super::model::AigerModel;
use wedge_logic::Lit;
use wedge_logic::aig::Node;

/// What a file says, in the numbering of the binary form: variable 0 is the constant, then inputs,
/// latches and gates follow, fan-ins first.
///
/// Invariant: the graph that it belongs to only grows, so that `lits` stay what they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stated {
    pub(super) inputs: usize,
    /// The fan-ins of the gates.
    pub(super) gates: Vec<[u32; 2]>,
    /// The literal of the graph that each gate became.
    pub(super) lits: Vec<Lit>,
    pub(super) nexts: Vec<u32>,
    pub(super) resets: Vec<u32>,
    pub(super) constraints: Vec<u32>,
    /// Outputs and bad states.
    pub(super) properties: Vec<u32>,
}

impl Stated {
    /// The same with `latches` latches in all: gates move behind them.
    fn with_latches(&self, latches: usize) -> Stated {
        let sources = self.inputs + self.nexts.len();
        let distance = 2 * (latches - self.nexts.len()) as u32;
        let moved = |&literal: &u32| match literal as usize / 2 > sources {
            true => literal + distance,
            false => literal,
        };
        let all = |literals: &[u32]| literals.iter().map(moved).collect();
        Stated {
            inputs: self.inputs,
            gates: self.gates.iter().map(|gate| gate.map(|literal| moved(&literal))).collect(),
            lits: self.lits.clone(),
            nexts: all(&self.nexts),
            resets: all(&self.resets),
            constraints: all(&self.constraints),
            properties: all(&self.properties),
        }
    }
}

/// How a model is written: its gates, and the literals of everything else.
pub(super) struct Numbering {
    sources: usize,
    /// The fan-ins of the gates.
    fan_ins: Vec<[u32; 2]>,
    /// What the gates are in the graph.
    pub lits: Vec<Lit>,
    /// The literal of every node that is written.
    literals: Vec<u32>,
    pub nexts: Vec<u32>,
    pub resets: Vec<u32>,
    pub constraints: Vec<u32>,
}

/// The literal of a node that is not written.
const NONE: u32 = u32::MAX;

impl Numbering {
    /// The gates that the file stated, then those that the graph has beyond; both as far as
    /// anything depends on them.
    pub fn new(model: &AigerModel) -> Numbering {
        let fits = |stated: &&Stated| {
            stated.inputs == model.inputs.len() && stated.nexts.len() <= model.latches.len()
        };
        let stated = model.stated.as_deref().filter(fits);
        let stated = stated.map(|stated| stated.with_latches(model.latches.len()));
        let stated = stated.unwrap_or_default();
        let mut numbering = Numbering::of_file(model, &stated);
        let functions: [(&[u32], Vec<Lit>); 3] = [
            (&stated.nexts, model.latches.iter().map(|latch| latch.next).collect()),
            (&stated.resets, model.latches.iter().map(|latch| latch.reset).collect()),
            (&stated.constraints, model.constraints.iter().map(|c| c.lit).collect()),
        ];
        let others = model.properties_and_justice();
        let all = others.iter().chain(functions.iter().flat_map(|(_, lits)| lits));
        numbering.add_nodes(model, all);
        [numbering.nexts, numbering.resets, numbering.constraints] =
            functions.map(|(stated, lits)| numbering.as_stated(model, stated, &lits));
        numbering.drop_unused(&others);
        numbering
    }

    /// The literal of something that the model is made of.
    pub fn literal(&self, lit: Lit) -> u32 {
        self.literals[lit.node() as usize] ^ lit.is_negated() as u32
    }

    /// Gates as the binary form orders them: `lhs > rhs0 >= rhs1`.
    pub fn gates(&self) -> impl ExactSizeIterator<Item = [u32; 3]> + '_ {
        let gates = self.fan_ins.iter().enumerate();
        gates.map(|(gate, &[a, b])| [self.lhs(gate), a.max(b), a.min(b)])
    }

    fn lhs(&self, gate: usize) -> u32 {
        2 * (self.sources + 1 + gate) as u32
    }

    /// The gate that a literal stands for, if it is one.
    fn gate(&self, literal: u32) -> Option<usize> {
        (literal as usize / 2).checked_sub(self.sources + 1)
    }

    /// The inputs, the latches and all gates of the file.
    fn of_file(model: &AigerModel, stated: &Stated) -> Numbering {
        let sources = model.sources();
        let mut literals = vec![NONE; model.aig.len()];
        literals[0] = 0;
        for (index, lit) in sources.iter().enumerate() {
            literals[lit.node() as usize] = 2 * (index as u32 + 1);
        }
        let mut numbering = Numbering {
            sources: sources.len(),
            fan_ins: stated.gates.clone(),
            lits: stated.lits.clone(),
            literals,
            nexts: Vec::new(),
            resets: Vec::new(),
            constraints: Vec::new(),
        };
        // Of several gates that became one node, those of properties stand for it.
        let properties = stated.properties.iter().filter_map(|&literal| numbering.gate(literal));
        let gates: Vec<usize> = properties.chain(0..stated.gates.len()).collect();
        for gate in gates {
            let (lit, lhs) = (numbering.lits[gate], numbering.lhs(gate));
            let literal = &mut numbering.literals[lit.node() as usize];
            if *literal == NONE {
                *literal = lhs ^ lit.is_negated() as u32;
            }
        }
        numbering
    }

    /// Gates for the nodes below `roots` that have none.
    fn add_nodes<'a>(&mut self, model: &AigerModel, roots: impl Iterator<Item = &'a Lit>) {
        let mut marked = vec![false; model.aig.len()];
        roots.for_each(|root| marked[root.node() as usize] = true);
        let mut new = Vec::new();
        for node in (1..marked.len()).rev() {
            if !marked[node] || self.literals[node] != NONE {
                continue;
            }
            if let Node::And(a, b) = model.aig.node(node as u32) {
                (marked[a.node() as usize], marked[b.node() as usize]) = (true, true);
                new.push((node, [a, b]));
            }
        }
        for (node, fan_ins) in new.into_iter().rev() {
            self.literals[node] = self.lhs(self.fan_ins.len());
            self.fan_ins.push(fan_ins.map(|lit| self.literal(lit)));
            self.lits.push(Lit::new(node as u32, false));
        }
    }

    /// The literals of functions of the model: as the file stated them where they are still the same.
    fn as_stated(&self, model: &AigerModel, stated: &[u32], lits: &[Lit]) -> Vec<u32> {
        let sources = model.sources();
        let in_graph = |literal: u32| {
            let lit = match literal as usize / 2 {
                0 => Lit::FALSE,
                variable if variable <= self.sources => sources[variable - 1],
                _ => self.lits[self.gate(literal).expect("above the sources")],
            };
            lit.xor(literal % 2 == 1)
        };
        let literal = |(index, &lit): (usize, &Lit)| match stated.get(index) {
            Some(&literal) if in_graph(literal) == lit => literal,
            _ => self.literal(lit),
        };
        lits.iter().enumerate().map(literal).collect()
    }

    /// Leaves out the gates that neither these nor the functions depend on.
    fn drop_unused(&mut self, others: &[Lit]) {
        let mut used = vec![false; self.fan_ins.len()];
        let functions = self.nexts.iter().chain(&self.resets).chain(&self.constraints);
        let roots = functions.copied().chain(others.iter().map(|&lit| self.literal(lit)));
        roots.filter_map(|literal| self.gate(literal)).for_each(|gate| used[gate] = true);
        for gate in (0..used.len()).rev() {
            if used[gate] {
                let below = self.fan_ins[gate].into_iter().filter_map(|literal| self.gate(literal));
                below.for_each(|gate| used[gate] = true);
            }
        }
        let mut renamed = Vec::with_capacity(used.len());
        let mut count = 0;
        for &used in &used {
            renamed.push(self.lhs(count));
            count += used as usize;
        }
        let rename = |literal: &mut u32| {
            if let Some(gate) = (*literal as usize / 2).checked_sub(self.sources + 1)
                && *literal != NONE
            {
                *literal = renamed[gate] | (*literal % 2);
            }
        };
        self.fan_ins.iter_mut().flatten().for_each(rename);
        for literals in
            [&mut self.literals, &mut self.nexts, &mut self.resets, &mut self.constraints]
        {
            literals.iter_mut().for_each(rename);
        }
        let mut kept = used.iter();
        self.fan_ins.retain(|_| *kept.next().expect("one mark per gate"));
        let mut kept = used.iter();
        self.lits.retain(|_| *kept.next().expect("one mark per gate"));
    }
}
