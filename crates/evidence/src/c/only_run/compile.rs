//! From an automaton to instructions.
//!
//! A location becomes the guards of its edges, each followed by what its edge does. All values of an
//! edge are computed before any variable gets its own, since the assignments are parallel. A
//! location with one way in stands where that edge ends. What does not fit into words of 64 bits, or is
//! no operation of this machine, is left to the evaluator, and so is every end of the run.

mod terms;
mod updates;

use super::code::{Instruction, Register};
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Op, Sort, Term};
use wedge_model::Cfa;
use wedge_model::cfa::{EdgeId, LocationId};

/// An automaton with more instructions is not worth the time.
const MOST: usize = 1 << 22;
/// The widest word.
const WORD: u32 = 64;

/// An automaton as instructions.
#[derive(Default)]
pub struct Code {
    pub instructions: Vec<Instruction>,
    /// What the registers hold at first.
    pub registers: Vec<u64>,
    /// Where the code of heads of loops begins, by location.
    pub entries: Vec<Option<u32>>,
    /// Variables with their registers and widths.
    pub words: Vec<(Term, Register, u32)>,
    /// Variables that are arrays, with the widths of their indices and elements.
    pub arrays: Vec<(Term, u32, u32)>,
}

/// None if there is nothing in it that runs for long.
pub fn compile(cfa: &Cfa, outgoing: &[Vec<EdgeId>]) -> Option<Code> {
    let heads = heads(cfa, outgoing);
    if heads.is_empty() {
        return None;
    }
    let mut compiler = Compiler::new(cfa, outgoing, &heads);
    compiler.declare();
    let mut entries = vec![None; outgoing.len()];
    for (location, entry) in entries.iter_mut().enumerate() {
        let id = LocationId(location as u32);
        if !compiler.begins[location] {
            continue;
        }
        *entry = Some(compiler.here());
        if heads.contains(&id) {
            compiler.code.instructions.push(Instruction::Arrive(id));
        }
        compiler.location(id);
        if compiler.code.instructions.len() > MOST {
            return None;
        }
    }
    let mut code = compiler.code;
    for instruction in &mut code.instructions {
        if let Instruction::Go { to, .. } = instruction {
            *to = entries[*to as usize].expect("a jump leads to where code begins");
        }
    }
    let is_head = |location: usize| heads.contains(&LocationId(location as u32));
    for (location, entry) in entries.iter_mut().enumerate() {
        *entry = entry.filter(|_| is_head(location));
    }
    code.entries = entries;
    Some(code)
}

struct Compiler<'a> {
    cfa: &'a Cfa,
    outgoing: &'a [Vec<EdgeId>],
    /// Whether the code of a location stands by itself.
    begins: Vec<bool>,
    inputs: FxHashSet<Term>,
    code: Code,
    variables: FxHashMap<Term, Register>,
    arrays: FxHashMap<Term, u32>,
    constants: FxHashMap<u64, Register>,
    /// The registers that hold terms in the state at hand.
    known: FxHashMap<Term, Register>,
}

impl<'a> Compiler<'a> {
    fn new(
        cfa: &'a Cfa,
        outgoing: &'a [Vec<EdgeId>],
        heads: &FxHashSet<LocationId>,
    ) -> Compiler<'a> {
        let mut ways_in = vec![0u32; outgoing.len()];
        for edge in &cfa.edges {
            ways_in[edge.to.0 as usize] += 1;
        }
        let is_head = |location: usize| heads.contains(&LocationId(location as u32));
        let begins = (0..outgoing.len()).map(|at| ways_in[at] != 1 || is_head(at)).collect();
        Compiler {
            cfa,
            outgoing,
            begins,
            inputs: cfa.inputs.iter().copied().collect(),
            code: Code::default(),
            variables: FxHashMap::default(),
            arrays: FxHashMap::default(),
            constants: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    /// Registers for variables and inputs.
    fn declare(&mut self) {
        let cfa = self.cfa;
        for &variable in cfa.variables.iter().chain(&cfa.inputs) {
            match cfa.terms.sort(variable) {
                Sort::Bv(width) if width <= WORD => {
                    let register = self.register(0);
                    self.variables.insert(variable, register);
                    if !self.inputs.contains(&variable) {
                        self.code.words.push((variable, register, width));
                    }
                }
                Sort::Array { index, element }
                    if index <= WORD && element <= WORD && !self.inputs.contains(&variable) =>
                {
                    self.arrays.insert(variable, self.code.arrays.len() as u32);
                    self.code.arrays.push((variable, index, element));
                }
                _ => {}
            }
        }
    }

    fn register(&mut self, value: u64) -> Register {
        self.code.registers.push(value);
        self.code.registers.len() as u32 - 1
    }

    fn emit(&mut self, instruction: Instruction) {
        self.code.instructions.push(instruction);
    }

    fn here(&self) -> u32 {
        self.code.instructions.len() as u32
    }

    /// The code of a location, and of those that only this one leads to. Edges that are not the last
    /// resort of their location stand behind.
    fn location(&mut self, location: LocationId) {
        let mut waiting = Vec::new();
        self.follow(location, 0, &mut waiting);
        while let Some(Waiting { edge, edges, jump, known }) = waiting.pop() {
            *self.code.instructions[jump].label().expect("a jump has a label") = self.here();
            self.known = known;
            if let Some(next) = self.edge(edge, edges) {
                self.follow(next, edges + 1, &mut waiting);
            }
        }
    }

    /// The guards of a location, its last edge, and what follows it alone; so many edges were taken and
    /// not counted.
    fn follow(&mut self, mut location: LocationId, mut edges: u32, waiting: &mut Vec<Waiting>) {
        loop {
            let (start, others) = (self.code.instructions.len(), waiting.len());
            self.known.clear();
            let last = match self.guards(location, edges, waiting) {
                Some(Some(edge)) => self.edge(edge, edges),
                Some(None) => {
                    self.emit(Instruction::Leave { edges, location });
                    None
                }
                None => {
                    self.code.instructions.truncate(start);
                    waiting.truncate(others);
                    self.emit(Instruction::Leave { edges, location });
                    None
                }
            };
            let Some(next) = last else { return };
            (location, edges) = (next, edges + 1);
        }
    }

    /// What an edge does; also the location that has to follow at once, if it is so.
    fn edge(&mut self, id: EdgeId, edges: u32) -> Option<LocationId> {
        let edge = self.cfa.edge(id);
        let start = self.code.instructions.len();
        if self.updates(edge).is_none() {
            self.code.instructions.truncate(start);
            self.emit(Instruction::Leave { edges, location: edge.from });
            return None;
        }
        if !self.begins[edge.to.0 as usize] {
            return Some(edge.to);
        }
        self.emit(Instruction::Go { edges: edges + 1, to: edge.to.0 });
        None
    }

    /// Jumps to the edges out of a location whose guards hold; the edge that is left is returned. None
    /// if one of the guards is not for this machine.
    fn guards(
        &mut self,
        location: LocationId,
        edges: u32,
        waiting: &mut Vec<Waiting>,
    ) -> Option<Option<EdgeId>> {
        self.scramble(location)?;
        let mut tested: Vec<Term> = Vec::new();
        for &edge in &self.outgoing[location.0 as usize] {
            let guard = self.cfa.edge(edge).guard;
            if self.is_left(guard, &tested) {
                return Some(Some(edge));
            }
            let jump = self.jump(guard)?;
            self.emit(jump);
            let jump = self.code.instructions.len() - 1;
            waiting.push(Waiting { edge, edges, jump, known: self.known.clone() });
            tested.push(guard);
        }
        Some(None)
    }

    /// New values for the inputs that the edges out of a location read.
    fn scramble(&mut self, location: LocationId) -> Option<()> {
        if self.inputs.is_empty() {
            return Some(());
        }
        let outgoing = &self.outgoing[location.0 as usize];
        let roots: Vec<Term> = outgoing.iter().flat_map(|&id| self.cfa.edge(id).roots()).collect();
        for input in self.cfa.terms.free_vars(&roots) {
            if self.inputs.contains(&input) {
                let to = *self.variables.get(&input)?;
                let spare = self.spare(input);
                self.emit(Instruction::Scramble { to, spare });
            }
        }
        Some(())
    }

    /// Whether a guard holds where those that were tested before do not.
    fn is_left(&self, guard: Term, tested: &[Term]) -> bool {
        let terms = &self.cfa.terms;
        let opposes = |other: &Term| {
            let under_not = |term: Term| (terms.op(term) == Op::Not).then(|| terms.args(term)[0]);
            under_not(guard) == Some(*other) || under_not(*other) == Some(guard)
        };
        let is_true = terms.value(guard).is_some_and(|value| value.is_one());
        is_true || tested.iter().any(opposes)
    }

    /// A jump where a guard holds.
    fn jump(&mut self, guard: Term) -> Option<Instruction> {
        let terms = &self.cfa.terms;
        let (inner, is_negated) = match terms.op(guard) {
            Op::Not => (terms.args(guard)[0], true),
            _ => (guard, false),
        };
        let (op, args, to) = (terms.op(inner), terms.args(inner).to_vec(), u32::MAX);
        if !matches!(op, Op::Eq | Op::Ult | Op::Slt) {
            let condition = self.value(inner)?;
            return Some(match is_negated {
                true => Instruction::IfZero { condition, to },
                false => Instruction::IfNot { condition, to },
            });
        }
        let (left, right) = (self.value(args[0])?, self.value(args[1])?);
        let spare = self.spare(args[0]);
        Some(match (op, is_negated) {
            (Op::Eq, true) => Instruction::UnlessEq { left, right, to },
            (Op::Eq, false) => Instruction::WhenEq { left, right, to },
            (Op::Ult, true) => Instruction::UnlessUlt { left, right, to },
            (Op::Ult, false) => Instruction::WhenUlt { left, right, to },
            (_, true) => Instruction::UnlessSlt { left, right, spare, to },
            (_, false) => Instruction::WhenSlt { left, right, spare, to },
        })
    }

    /// What a width lacks of 64.
    fn spare(&self, term: Term) -> u8 {
        (WORD - self.cfa.terms.width(term)) as u8
    }
}

/// An edge whose code stands behind a jump to it.
struct Waiting {
    edge: EdgeId,
    edges: u32,
    jump: usize,
    known: FxHashMap<Term, Register>,
}

/// The locations to which an edge leads back in a search in depth.
fn heads(cfa: &Cfa, outgoing: &[Vec<EdgeId>]) -> FxHashSet<LocationId> {
    let mut heads = FxHashSet::default();
    // Not seen, on the way, left.
    let mut states = vec![0u8; outgoing.len()];
    let mut stack = vec![(cfa.entry, 0)];
    states[cfa.entry.0 as usize] = 1;
    while let Some((location, next)) = stack.last_mut() {
        let at = location.0 as usize;
        let Some(&edge) = outgoing[at].get(*next) else {
            states[at] = 2;
            stack.pop();
            continue;
        };
        *next += 1;
        let to = cfa.edge(edge).to;
        match states[to.0 as usize] {
            0 => {
                states[to.0 as usize] = 1;
                stack.push((to, 0));
            }
            1 => {
                heads.insert(to);
            }
            _ => {}
        }
    }
    heads
}
