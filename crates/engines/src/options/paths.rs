//! The options of the engines that look at paths.

use super::EngineOption;
use crate::paths::{BlockSize, Order};
use wedge_smt::Method;

pub static BLOCKS: EngineOption = EngineOption::value(
    "blocks",
    "loops|edge|N",
    "What a step is: all ways from one head of a loop to the next, a single edge, or such ways of \
     at most N edges.",
    |o, text| {
        o.paths.blocks = match text {
            "loops" => BlockSize::Loops,
            "edge" => BlockSize::Edge,
            _ => match text.parse() {
                Ok(0) | Err(_) => return Err("expected loops, edge or a number".to_string()),
                Ok(edges) => BlockSize::AtMost(edges),
            },
        };
        Ok(())
    },
)
.by_default("loops");

pub static ORDER: EngineOption = EngineOption::one_of(
    "order",
    "Which open node is looked at next: the newest or the oldest.",
    &[
        ("dfs", |o| o.paths.order = Order::DepthFirst),
        ("bfs", |o| o.paths.order = Order::BreadthFirst),
    ],
)
.by_default("dfs");

pub static SEQUENCE: EngineOption = EngineOption::one_of(
    "sequence",
    "How the interpolants along a path are made: all from one proof, or one after the other.",
    &[
        ("proof", |o| o.paths.interpolation.method = Method::Sequence),
        ("forward", |o| o.paths.interpolation.method = Method::Forward),
        ("backward", |o| o.paths.interpolation.method = Method::Backward),
    ],
)
.by_default("proof");

pub static NO_LIFT: EngineOption =
    EngineOption::flag("no-lift", "Leave interpolants over single bits as they are.", |o| {
        o.paths.interpolation.lift = false
    });

pub static NO_FACTS: EngineOption = EngineOption::flag(
    "no-facts",
    "Do not begin with what a data-flow analysis of the model knows.",
    |o| o.paths.facts = false,
);

pub static NO_FORCE: EngineOption =
    EngineOption::flag("no-force", "Do not force covering.", |o| o.paths.force = false);
