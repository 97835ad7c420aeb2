//! Large-block encoding (Interpolation and Model Checking for Software, section 3.2; Beyer et
//! al., FMCAD 2009): what happens between two cut points, as terms.
//!
//! Cut points are the entry and a location on every cycle. From each, its region is executed
//! symbolically and merged at joins, so that every variable leaves the block as one term over the
//! values at its entry and over inputs. The execution walks over the dominator tree: what an
//! ancestor assigned holds until it is assigned or merged again, so that a variable costs nothing
//! where nothing happens to it.

use super::graph::{Graph, Order};
use super::live::Liveness;
use super::merge::{Merge, any_of, is_false};
use super::region::{Context, NodeKind, Region};
use super::symbols::{Reads, Symbols};
use super::{Cfa, EdgeId, LocationId, TargetKind};
use rustc_hash::FxHashMap;
use std::fmt;
use wedge_logic::{Substitution, Term, TermStore};

/// Where an automaton is cut into blocks, besides its entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cuts {
    /// At the heads of loops.
    Heads,
    /// At the heads of loops, and where a way through a block would have more edges than this
    /// (adjustable blocks: Beyer, Keremoglu, Wendler, FMCAD 2010).
    AtMost(usize),
    /// At every location.
    Everywhere,
}

/// How an automaton is cut into blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockOptions {
    pub cuts: Cuts,
    /// How many terms may be made.
    pub max_terms: usize,
}

impl Default for BlockOptions {
    fn default() -> BlockOptions {
        BlockOptions { cuts: Cuts::Heads, max_terms: 20_000_000 }
    }
}

/// The blocks need more terms than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyTerms {
    pub limit: usize,
}

impl fmt::Display for TooManyTerms {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "the blocks of the program need more than {} terms", self.limit)
    }
}

impl std::error::Error for TooManyTerms {}

/// What happens from a cut point on. All conditions exclude one another; if none holds, the run
/// ends. Terms read the values at the cut point and inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    pub cut: LocationId,
    pub exits: Vec<Exit>,
    /// A target of kind `Error` is reached.
    pub error: Term,
    /// A target of kind `Limit` is reached.
    pub limit: Term,
}

/// The way to the next cut point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exit {
    pub to: LocationId,
    pub condition: Term,
    /// The live variables whose values have changed, with their values, in the order of the
    /// automaton's variables.
    pub values: Vec<(Term, Term)>,
}

/// An automaton in blocks. `terms` extends the store of the automaton.
pub struct Blocks {
    pub terms: TermStore,
    /// One per cut point; the first is that of the entry.
    pub blocks: Vec<Block>,
    pub live: Liveness,
}

/// The blocks of an automaton.
pub fn blocks(cfa: &Cfa, options: &BlockOptions) -> Result<Blocks, TooManyTerms> {
    let graph = Graph::new(cfa);
    let order = Order::new(cfa, &graph);
    let symbols = Symbols::new(cfa);
    let reads = Reads::new(cfa, &symbols);
    let live = Liveness::compute(cfa, &graph, &order, &reads);
    let mut terms = cfa.terms.clone();
    let limit = terms.len().saturating_add(options.max_terms);
    let cuts = cuts(cfa, &graph, &order, options.cuts);
    let mut is_cut = vec![false; cfa.locations.len()];
    cuts.iter().for_each(|cut| is_cut[cut.0 as usize] = true);
    let is_total = totals(cfa, &graph, &mut terms);
    let target_kinds = target_kinds(cfa);
    let context = Context { cfa, graph, order, live, reads, is_cut, is_total, target_kinds };
    let mut execution = Execution {
        context: &context,
        symbols: &symbols,
        current: cfa.variables.clone(),
        log: Vec::new(),
        terms,
        limit,
    };
    let blocks = cuts.iter().map(|&cut| execution.block(cut));
    let blocks = blocks.collect::<Option<Vec<Block>>>();
    let terms = execution.terms;
    let blocks = blocks.ok_or(TooManyTerms { limit: options.max_terms })?;
    Ok(Blocks { terms, blocks, live: context.live })
}

/// The entry first, then the others as they come in the program.
fn cuts(cfa: &Cfa, graph: &Graph, order: &Order, cuts: Cuts) -> Vec<LocationId> {
    let mut list = vec![cfa.entry];
    // The most edges on a way from a cut point to each location.
    let mut lengths = vec![0; cfa.locations.len()];
    for &location in order.postorder.iter().rev().skip(1) {
        let index = location.0 as usize;
        let before = graph.incoming(location).map(|edge| cfa.edge(edge).from.0 as usize);
        let length = before.map(|from| lengths[from] + 1).max().unwrap_or(0);
        let is_cut = order.is_head[index]
            || match cuts {
                Cuts::Heads => false,
                Cuts::AtMost(edges) => !graph.is_target[index] && length >= edges,
                Cuts::Everywhere => !graph.is_target[index],
            };
        lengths[index] = if is_cut { 0 } else { length };
        if is_cut {
            list.push(location);
        }
    }
    list
}

fn totals(cfa: &Cfa, graph: &Graph, terms: &mut TermStore) -> Vec<bool> {
    let total = |location: usize| {
        let edges = graph.outgoing(LocationId(location as u32));
        let guards: Vec<Term> = edges.map(|e| cfa.edge(e).guard).collect();
        let all = any_of(terms, &guards);
        terms.value(all).is_some_and(|value| value.is_one())
    };
    (0..cfa.locations.len()).map(total).collect()
}

/// Symbolic execution, one region after the other.
struct Execution<'a> {
    context: &'a Context<'a>,
    symbols: &'a Symbols,
    /// The value of each variable at the node in work; between regions the variable itself.
    current: Vec<Term>,
    /// The variables assigned on the way to the node in work, with what they were before.
    log: Vec<(u32, Term)>,
    terms: TermStore,
    /// How many terms there may be.
    limit: usize,
}

/// What is known about the nodes and edges that have been executed.
struct Progress {
    /// For each node, whether it is reached from its immediate dominator.
    relative: Vec<Term>,
    /// The guards of the edges that may be taken.
    guards: FxHashMap<EdgeId, Term>,
    /// The assignments of an edge that is the only one into its node.
    updates: FxHashMap<EdgeId, Vec<(u32, Term)>>,
    /// The values that an edge brings to a join, in the order of what is merged there.
    brought: FxHashMap<EdgeId, Vec<Term>>,
    exits: Vec<(usize, Vec<(Term, Term)>)>,
    targets: Vec<usize>,
}

enum Visit {
    Enter(usize),
    /// Undo the log down to this length.
    Leave(usize),
}

impl Execution<'_> {
    /// None if there are too many terms.
    fn block(&mut self, cut: LocationId) -> Option<Block> {
        let region = Region::new(self.context, cut);
        let always = self.terms.bool(true);
        let mut progress = Progress {
            relative: vec![always; region.nodes.len()],
            guards: FxHashMap::default(),
            updates: FxHashMap::default(),
            brought: FxHashMap::default(),
            exits: Vec::new(),
            targets: Vec::new(),
        };
        let mut stack = vec![Visit::Enter(0)];
        while let Some(visit) = stack.pop() {
            match visit {
                Visit::Leave(length) => self.undo(length),
                Visit::Enter(node) => {
                    stack.push(Visit::Leave(self.log.len()));
                    if self.enter(&region, &mut progress, node) {
                        let children = region.children[node].iter().rev();
                        stack.extend(children.map(|&child| Visit::Enter(child as usize)));
                    }
                }
            }
            if self.terms.len() > self.limit {
                self.undo(0);
                return None;
            }
        }
        Some(self.summary(&region, progress, cut))
    }

    fn undo(&mut self, length: usize) {
        while self.log.len() > length {
            if let Some((variable, value)) = self.log.pop() {
                self.current[variable as usize] = value;
            }
        }
    }

    fn assign(&mut self, variable: u32, value: Term) {
        let old = std::mem::replace(&mut self.current[variable as usize], value);
        self.log.push((variable, old));
    }

    /// Executes what leads into the node and what leaves it. False if the node cannot be reached,
    /// and with it nothing that it dominates.
    fn enter(&mut self, region: &Region, progress: &mut Progress, node: usize) -> bool {
        match region.nodes[node].incoming[..] {
            [] => {}
            [(edge, _)] => {
                let Some(&guard) = progress.guards.get(&edge) else { return false };
                progress.relative[node] = guard;
                for (variable, value) in progress.updates.remove(&edge).unwrap_or_default() {
                    self.assign(variable, value);
                }
            }
            _ => self.join(region, progress, node),
        }
        if is_false(&self.terms, progress.relative[node]) {
            return false;
        }
        match region.nodes[node].kind {
            NodeKind::Inner => self.leave_by_edges(region, progress, node),
            NodeKind::Exit => {
                let values = self.changed(region.nodes[node].location);
                progress.exits.push((node, values));
            }
            NodeKind::Target => progress.targets.push(node),
        }
        true
    }

    fn join(&mut self, region: &Region, progress: &mut Progress, node: usize) {
        let incoming = region.nodes[node].incoming.iter();
        let way = |&(edge, from)| progress.guards.get(&edge).map(|&guard| (edge, from, guard));
        let ways: Vec<(EdgeId, u32, Term)> = incoming.filter_map(way).collect();
        let guards: Vec<(u32, Term)> = ways.iter().map(|&(_, from, guard)| (from, guard)).collect();
        let merge = Merge::new(&mut self.terms, region, node, &guards, &progress.relative);
        progress.relative[node] = merge.condition;
        if is_false(&self.terms, merge.condition) {
            return;
        }
        let brought = ways.iter().map(|(e, ..)| progress.brought.remove(e).unwrap_or_default());
        let brought: Vec<Vec<Term>> = brought.collect();
        for (place, &variable) in region.nodes[node].merged.iter().enumerate() {
            let values: Vec<Term> = brought.iter().map(|values| values[place]).collect();
            let value = merge.value(&mut self.terms, &values);
            self.assign(variable, value);
        }
    }

    /// Evaluates guards and updates of the edges that leave a node.
    fn leave_by_edges(&mut self, region: &Region, progress: &mut Progress, node: usize) {
        let outgoing = &region.nodes[node].outgoing;
        let mut substitution = self.substitution(region, node);
        for &(edge, to) in outgoing {
            let guard = substitution.apply(&mut self.terms, self.context.cfa.edge(edge).guard);
            if is_false(&self.terms, guard) {
                continue;
            }
            progress.guards.insert(edge, guard);
            let updates = self.updates(&mut substitution, edge);
            let to = &region.nodes[to as usize];
            if to.incoming.len() == 1 {
                progress.updates.insert(edge, updates);
                continue;
            }
            let updates: FxHashMap<u32, Term> = updates.into_iter().collect();
            let value = |v: &u32| updates.get(v).copied().unwrap_or(self.current[*v as usize]);
            progress.brought.insert(edge, to.merged.iter().map(value).collect());
        }
    }

    /// The assignments of an edge to live variables, in terms of the cut point.
    fn updates(&mut self, substitution: &mut Substitution, edge: EdgeId) -> Vec<(u32, Term)> {
        let edge = self.context.cfa.edge(edge);
        let mut updates = Vec::new();
        for &(variable, value) in &edge.updates {
            let live = |&v: &u32| self.context.live.is_live(edge.to, v as usize);
            if let Some(variable) = self.symbols.variable(variable).filter(live) {
                updates.push((variable, substitution.apply(&mut self.terms, value)));
            }
        }
        updates
    }

    /// From the variables that the edges of the node read to their current values.
    fn substitution(&self, region: &Region, node: usize) -> Substitution {
        let reads = region.nodes[node].outgoing.iter().flat_map(|&(edge, _)| {
            let reads = self.context.reads.of(edge);
            let values = reads.updates.iter().flat_map(|(_, reads)| reads);
            reads.guard.iter().chain(values).map(|&v| v as usize)
        });
        let variables = &self.context.cfa.variables;
        Substitution::new(reads.map(|v| (variables[v], self.current[v])))
    }

    /// The variables that are live at an exit and differ from what they were at the cut point.
    fn changed(&self, exit: LocationId) -> Vec<(Term, Term)> {
        let mut changed: Vec<usize> = self.log.iter().map(|&(v, _)| v as usize).collect();
        changed.sort_unstable();
        changed.dedup();
        let variables = &self.context.cfa.variables;
        let pairs = changed.into_iter().filter(|&v| self.context.live.is_live(exit, v));
        let pairs = pairs.map(|v| (variables[v], self.current[v]));
        pairs.filter(|(variable, value)| variable != value).collect()
    }

    fn summary(&mut self, region: &Region, progress: Progress, cut: LocationId) -> Block {
        let mut reached = vec![None; region.nodes.len()];
        let terms = &mut self.terms;
        let mut reach = |node| reach(terms, region, &progress.relative, &mut reached, node);
        let exits = progress.exits.into_iter().map(|(node, values)| Exit {
            to: region.nodes[node].location,
            condition: reach(node),
            values,
        });
        let exits: Vec<Exit> = exits.collect();
        let (mut error, mut limit) = (Vec::new(), Vec::new());
        for node in progress.targets {
            let kinds = &self.context.target_kinds[&region.nodes[node].location];
            for kind in kinds {
                match kind {
                    TargetKind::Error => error.push(reach(node)),
                    TargetKind::Limit | TargetKind::Refused => limit.push(reach(node)),
                }
            }
        }
        let (error, limit) = (any_of(terms, &error), any_of(terms, &limit));
        Block { cut, exits, error, limit }
    }
}

fn target_kinds(cfa: &Cfa) -> FxHashMap<LocationId, Vec<TargetKind>> {
    let mut kinds: FxHashMap<LocationId, Vec<TargetKind>> = FxHashMap::default();
    for target in &cfa.targets {
        kinds.entry(target.location).or_default().push(target.kind);
    }
    kinds
}

/// Whether a node is reached from the cut point: the conditions along the dominators.
fn reach(
    terms: &mut TermStore,
    region: &Region,
    relative: &[Term],
    reached: &mut [Option<Term>],
    node: usize,
) -> Term {
    let mut path = Vec::new();
    let mut at = node;
    while at != 0 && reached[at].is_none() {
        path.push(at);
        at = region.dominators.parent(at);
    }
    let mut condition = reached[at].unwrap_or_else(|| terms.bool(true));
    for node in path.into_iter().rev() {
        condition = terms.and(condition, relative[node]);
        reached[node] = Some(condition);
    }
    condition
}
