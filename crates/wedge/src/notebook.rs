//! Notes of what an engine finds on its way, for those who read the report.
//!
//! Notes cost time, so they are taken only if they are wanted, and only of what people can read:
//! formulas of moderate size, the first ones of each kind.

use crate::input::{PathProblem, Problem};
use std::sync::{Arc, Mutex};
use wedge_engines::paths::ReachabilityGraph;
use wedge_engines::preprocess::Reductions;
use wedge_engines::{Context, Insight};
use wedge_model::Predicate;
use wedge_model::cfa::LocationId;
use wedge_report::shown::{Frame, Graph, Inside, Interpolant, Link, Node, NodeKind, Sample};

/// Interpolants that are kept.
const INTERPOLANTS: usize = 150;
/// Lemmas of one frame that are kept.
const LEMMAS: usize = 30;
/// Nodes of a graph that are kept.
const NODES: usize = 2000;
/// Larger ones are described by their size.
const GATES: usize = 400;

/// Where notes are taken; clones share them.
#[derive(Clone, Default)]
pub struct Notebook(Arc<Mutex<Inside>>);

impl Notebook {
    /// A context in which notes of an engine on a circuit are taken.
    pub fn on_circuit(
        &self,
        context: Context,
        problem: &Problem,
        way_back: Arc<Reductions>,
    ) -> Context {
        self.renew();
        let (notes, model, own) = (self.clone(), problem.analyses.clone(), context.clone());
        context.observed(Arc::new(move |insight: &Insight| {
            let formula = |predicate: &Predicate| {
                let predicate = way_back.predicate(predicate);
                let size = predicate.aig.num_ands();
                let said = (size <= GATES).then(|| model.formula(&predicate)).flatten();
                said.unwrap_or_else(|| format!("(a circuit of {size} AND gates)"))
            };
            match insight {
                Insight::Interpolant(found) => notes.interpolant(&own, found, false, &formula),
                Insight::FixedPoint(found) => notes.interpolant(&own, found, true, &formula),
                Insight::Frames(frames) => notes.frames(&frames(), &formula),
                _ => {}
            }
        }))
    }

    /// The same for an engine on an automaton.
    pub fn on_automaton(&self, context: Context, problem: &PathProblem) -> Context {
        self.renew();
        let (notes, problem) = (self.clone(), problem.clone());
        context.observed(Arc::new(move |insight: &Insight| {
            if let Insight::Graph(graph) = insight {
                let graph = shown(&graph(), &problem);
                notes.write(|inside| inside.reached = Some(graph));
            }
        }))
    }

    /// What was noted, and how the figures have grown.
    pub fn close(&self, context: &Context) -> Inside {
        let sample = |moment: &wedge_engines::course::Moment| Sample {
            seconds: moment.seconds,
            bound: moment.bound,
            refinements: moment.refinements,
            interpolants: moment.interpolants,
            size: moment.size,
            queries: moment.queries,
        };
        let mut inside = Inside::default();
        self.write(|notes| inside = std::mem::take(notes));
        inside.course = context.course().iter().map(sample).collect();
        inside
    }

    /// Another model, another page.
    fn renew(&self) {
        self.write(|inside| *inside = Inside::default());
    }

    fn write(&self, change: impl FnOnce(&mut Inside)) {
        change(&mut self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
    }

    fn interpolant(
        &self,
        context: &Context,
        found: &Predicate,
        is_fixed_point: bool,
        formula: &dyn Fn(&Predicate) -> String,
    ) {
        self.write(|inside| {
            if inside.interpolants.len() < INTERPOLANTS || is_fixed_point {
                inside.interpolants.push(Interpolant {
                    bound: context.figures().bound,
                    size: found.aig.num_ands() as u64,
                    formula: formula(found),
                    is_fixed_point,
                });
            }
        });
    }

    fn frames(&self, frames: &[Vec<Predicate>], formula: &dyn Fn(&Predicate) -> String) {
        let frame = |(number, lemmas): (usize, &Vec<Predicate>)| Frame {
            name: match number + 1 == frames.len() {
                true => "∞".to_string(),
                false => (number + 1).to_string(),
            },
            lemmas: lemmas.len(),
            shown: lemmas.iter().take(LEMMAS).map(formula).collect(),
        };
        let frames: Vec<Frame> = frames.iter().enumerate().map(frame).collect();
        self.write(|inside| inside.frames = frames);
    }
}

/// A reachability graph in terms of the model.
fn shown(graph: &ReachabilityGraph, problem: &PathProblem) -> Graph {
    let mut picture =
        Graph { omitted: graph.nodes.len().saturating_sub(NODES), ..Graph::default() };
    let numbers: rustc_hash::FxHashMap<u32, usize> =
        graph.nodes.iter().take(NODES).enumerate().map(|(at, node)| (node.id, at)).collect();
    for (at, node) in graph.nodes.iter().take(NODES).enumerate() {
        let place = problem.publication.location(LocationId(node.location));
        let kind = match node.covered_by.is_empty() {
            true => place.kind,
            false => NodeKind::Covered,
        };
        let detail = match problem.publication.formula_at_location(&graph.terms, node.formula) {
            formula if formula == "1" => "true".to_string(),
            formula if formula == "0" => "false".to_string(),
            formula => formula,
        };
        picture.nodes.push(Node { detail, kind, ..place });
        let link = |from, to, covers| Link { from, to, label: String::new(), covers };
        let parent = node.parent.and_then(|(parent, _)| numbers.get(&parent));
        picture.links.extend(parent.map(|&parent| link(parent, at, false)));
        let by = node.covered_by.iter().filter_map(|by| numbers.get(by));
        picture.links.extend(by.map(|&by| link(at, by, true)));
    }
    picture
}
