//! The automaton of a program as a picture: its locations with their places in the source, and what
//! happens between them. Where nothing branches or joins, several edges are one.

use super::alarms::Published;
use super::translation::ProgramAutomaton;
use crate::input::clauses::show;
use rustc_hash::FxHashMap;
use wedge_c::encode::OriginKind;
use wedge_c::source::Position;
use wedge_evidence::c::invariants::LoopInvariant;
use wedge_logic::BitVec;
use wedge_model::cfa::{Cfa, Edge, LocationId, TargetKind};
use wedge_report::shown::{Graph, Invariant, Link, Node, NodeKind, Spot};

/// More nodes are no picture any more.
const MOST: usize = 4000;
/// Assignments of one edge that are shown.
const UPDATES: usize = 6;

/// What is known about the loops of a program, each in its place.
pub fn invariants(
    automaton: &ProgramAutomaton,
    published: &Published,
    found: Vec<LoopInvariant>,
) -> Vec<Invariant> {
    let said = |found: LoopInvariant| Invariant {
        spot: spot(automaton, published, found.position),
        place: automaton.program.files.show(found.position).to_string(),
        function: found.function,
        formula: found.value,
        weakened: found.weakened,
    };
    found.into_iter().map(said).collect()
}

fn spot(automaton: &ProgramAutomaton, published: &Published, at: Position) -> Option<Spot> {
    let found = published.sources.input(&automaton.program.files, at);
    found.map(|(file, line)| Spot { file, line })
}

/// A location of the automaton that engines see.
pub fn location(automaton: &ProgramAutomaton, published: &Published, at: LocationId) -> Node {
    let cfa = &automaton.sliced;
    let mut node = Node { label: format!("L{}", at.0), ..Node::default() };
    let origin = cfa.locations.get(at.0 as usize).and_then(|location| location.origin);
    if let Some(origin) = origin.and_then(|n| automaton.encoded.origins.get(n as usize)) {
        node.group = automaton.program.function(origin.function).name.clone();
        node.detail = automaton.program.files.show(origin.position).to_string();
        node.spot = spot(automaton, published, origin.position);
        node.label = match node.spot {
            Some(spot) => format!("{}:{}", node.group, spot.line),
            None => node.group.clone(),
        };
        if matches!(origin.kind, OriginKind::LoopHead(_)) {
            node.kind = NodeKind::Head;
            node.label += " loop";
        }
    }
    if at == cfa.entry {
        (node.kind, node.label) = (NodeKind::Entry, "entry".into());
    }
    if let Some(target) = cfa.targets.iter().find(|target| target.location == at) {
        node.label = target.name.clone();
        node.kind = match target.kind {
            TargetKind::Error => NodeKind::Error,
            TargetKind::Limit | TargetKind::Refused => NodeKind::Limit,
        };
    }
    node
}

pub fn graph(automaton: &ProgramAutomaton, published: &Published) -> Graph {
    let cfa = &*automaton.sliced;
    let chains = Chains::new(cfa);
    let mut number: FxHashMap<LocationId, usize> = FxHashMap::default();
    let mut order = vec![cfa.entry];
    number.insert(cfa.entry, 0);
    let mut links = Vec::new();
    let mut next = 0;
    // From the entry on, so that what is left out is what lies furthest away.
    while let Some(&from) = order.get(next) {
        for chain in chains.from(from) {
            let (to, known) = (chain.to, order.len());
            let at = *number.entry(to).or_insert_with(|| {
                order.push(to);
                known
            });
            links.push(Link { from: next, to: at, label: chain.label, covers: false });
        }
        next += 1;
    }
    let omitted = order.len().saturating_sub(MOST);
    order.truncate(MOST);
    links.retain(|link| link.from < MOST && link.to < MOST);
    let nodes = order.into_iter().map(|at| location(automaton, published, at)).collect();
    Graph { nodes, links, omitted }
}

struct Chain {
    to: LocationId,
    label: String,
}

/// Edges joined where nothing else leads in or out.
struct Chains<'a> {
    cfa: &'a Cfa,
    outgoing: Vec<Vec<wedge_model::cfa::EdgeId>>,
    incoming: Vec<usize>,
}

impl Chains<'_> {
    fn new(cfa: &Cfa) -> Chains<'_> {
        let incoming = cfa.incoming().iter().map(Vec::len).collect();
        Chains { cfa, outgoing: cfa.outgoing(), incoming }
    }

    fn from(&self, from: LocationId) -> Vec<Chain> {
        self.outgoing[from.0 as usize].iter().map(|&first| self.follow(first)).collect()
    }

    fn follow(&self, first: wedge_model::cfa::EdgeId) -> Chain {
        let mut edge = self.cfa.edge(first);
        let mut lines = Vec::new();
        let mut more = 0;
        // A chain that comes back to itself has another way in, or is never reached.
        for _ in 0..self.cfa.locations.len() {
            self.describe(edge, &mut lines, &mut more);
            let at = edge.to.0 as usize;
            let is_target = self.cfa.targets.iter().any(|target| target.location == edge.to);
            match &self.outgoing[at][..] {
                &[only] if self.incoming[at] == 1 && !is_target => edge = self.cfa.edge(only),
                _ => break,
            }
        }
        if more > 0 {
            lines.push(format!("and {more} more"));
        }
        Chain { to: edge.to, label: lines.join("\n") }
    }

    fn describe(&self, edge: &Edge, lines: &mut Vec<String>, more: &mut usize) {
        let terms = &self.cfa.terms;
        if !terms.value(edge.guard).is_some_and(BitVec::is_one) {
            lines.push(format!("[{}]", short(show(terms, edge.guard))));
        }
        for &(variable, value) in &edge.updates {
            if lines.len() < UPDATES {
                let name = terms.name(variable).unwrap_or("?");
                lines.push(format!("{name} := {}", short(show(terms, value))));
            } else {
                *more += 1;
            }
        }
    }
}

fn short(text: String) -> String {
    const LENGTH: usize = 90;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
