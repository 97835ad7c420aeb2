//! Which places of a program runs get to.
//!
//! A check that holds says little if no run comes to it. The places that tell are statements, and
//! the ends of blocks, where conditions are decided: each can be made the only thing that is asked
//! for ([`Kind::Reached`]). A call that is a violation wherever it is reached, such as that of an
//! error function, is looked at where the program decides whether to make it.

use crate::source::Position;
use crate::typed::{BlockId, Body, Callee, FuncId, Program, Stmt, StmtKind, Terminator};
use crate::violation::{CheckPoint, Kind, Properties, When};
use std::collections::BTreeSet;

/// The place of a statement, or of the end of a block.
fn goal(program: &Program, at: Position) -> CheckPoint {
    CheckPoint::new(Kind::Reached, &program.files, at)
}

/// The places of which one has to be reached for a check to mean something; none if that is not
/// known.
pub fn goals_of(
    program: &Program,
    properties: &Properties,
    point: &CheckPoint,
) -> BTreeSet<CheckPoint> {
    let wanted = CheckPoint { kind: Kind::Reached, ..point.clone() };
    let mut goals = BTreeSet::new();
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        for (index, block) in body.blocks.iter().enumerate() {
            for (number, statement) in block.statements.iter().enumerate() {
                if goal(program, statement.position) != wanted {
                    continue;
                }
                match is_violation(program, properties, statement) {
                    true => decisions(program, body, (index, number), &mut goals),
                    false => {
                        goals.insert(wanted.clone());
                    }
                }
            }
            if goal(program, block.position) == wanted {
                goals.insert(wanted.clone());
            }
        }
    }
    goals
}

/// Whether a statement is a call that is a violation in any case.
fn is_violation(program: &Program, properties: &Properties, statement: &Stmt) -> bool {
    let StmtKind::Call { callee: Callee::Function(id), .. } = &statement.kind else { return false };
    let check = properties.check(&program.types, program.function(*id));
    check.is_some_and(|check| check.when == When::Always)
}

/// Where it is decided whether a statement is executed.
fn decisions(
    program: &Program,
    body: &Body,
    (block, statement): (usize, usize),
    goals: &mut BTreeSet<CheckPoint>,
) {
    let before = &body.blocks[block].statements[..statement];
    let is_real = |statement: &&Stmt| !matches!(statement.kind, StmtKind::Declare(_));
    if let Some(last) = before.iter().rfind(is_real) {
        goals.insert(goal(program, last.position));
        return;
    }
    let mut seen = BTreeSet::from([block]);
    let mut work = vec![block];
    while let Some(now) = work.pop() {
        for (index, from) in body.blocks.iter().enumerate() {
            if !from.terminator.successors().contains(&BlockId(now as u32)) || !seen.insert(index) {
                continue;
            }
            let is_empty = from.statements.is_empty();
            match from.terminator {
                Terminator::Goto(_) if is_empty => work.push(index),
                _ => {
                    goals.insert(goal(program, from.position));
                }
            }
        }
    }
}

/// The beginning of a block of a function.
#[derive(Clone, Debug)]
pub struct Beginning {
    pub place: CheckPoint,
    /// The beginnings of the blocks that lead to it; none for the first block of a function.
    pub before: Vec<CheckPoint>,
}

/// Where the blocks of some functions begin, but for those that only report a violation.
pub fn beginnings(
    program: &Program,
    properties: &Properties,
    functions: &BTreeSet<FuncId>,
) -> Vec<Beginning> {
    let mut found = Vec::new();
    for &id in functions {
        let function = program.function(id);
        let Some(body) = function.body.as_ref().filter(|_| !function.is_library) else { continue };
        let begins: Vec<CheckPoint> = (0..body.blocks.len())
            .map(|index| {
                let block = &body.blocks[index];
                let first = block.statements.first().map(|statement| statement.position);
                goal(program, first.unwrap_or(block.position))
            })
            .collect();
        for (index, place) in begins.iter().enumerate() {
            let mut statements = body.blocks[index].statements.iter();
            if statements.any(|statement| is_violation(program, properties, statement)) {
                continue;
            }
            let leads = |from: &usize| {
                let successors = body.blocks[*from].terminator.successors();
                successors.contains(&BlockId(index as u32))
            };
            let before = (0..body.blocks.len()).filter(leads).map(|from| begins[from].clone());
            found.push(Beginning { place: place.clone(), before: before.collect() });
        }
    }
    found
}
