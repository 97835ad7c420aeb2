//! The same code with fewer instructions.
//!
//! A value that is computed into a temporary and then copied is computed where it belongs: a
//! temporary has one reader. A jump to a block counts the block's steps, and a decision before it. Sums,
//! differences and products have instructions of their own.

use super::code::{Code, Instruction, Register};
use crate::typed::BinaryOp;

pub fn tune(code: &mut Code, first_temporary: Register) {
    let is_target = targets(code);
    let old = std::mem::take(&mut code.instructions);
    let decisions = code.decisions.len() as u32;
    let mut new: Vec<Instruction> = Vec::with_capacity(old.len());
    // Where instructions are now.
    let mut places = Vec::with_capacity(old.len() + 1);
    let mut index = 0;
    while index < old.len() {
        places.push(new.len() as u32);
        let next = old.get(index + 1).filter(|_| !is_target[index + 1]);
        let (instruction, used) = match (old[index], next) {
            (Instruction::Decide(decision), Some(&Instruction::Jump(to))) => {
                (go(&old, decision, to).unwrap_or(Instruction::Decide(decision)), 2)
            }
            (Instruction::Jump(to), _) => (go(&old, decisions, to).unwrap_or(old[index]), 1),
            (mut first, Some(&Instruction::Copy { to, from })) if from >= first_temporary => {
                match first.result().filter(|result| **result == from) {
                    Some(result) => {
                        *result = to;
                        (first, 2)
                    }
                    None => (first, 1),
                }
            }
            (first, _) => (first, 1),
        };
        let used = if matches!(instruction, Instruction::Decide(_)) { 1 } else { used };
        new.push(special(instruction));
        places.extend((1..used).map(|_| new.len() as u32));
        index += used;
    }
    places.push(new.len() as u32);
    for instruction in &mut new {
        if let Some(label) = instruction.label() {
            *label = places[*label as usize];
        }
    }
    code.instructions = new;
}

/// The instructions that can be reached otherwise than from the one before.
fn targets(code: &Code) -> Vec<bool> {
    let mut is_target = vec![false; code.instructions.len() + 1];
    for (index, instruction) in code.instructions.iter().enumerate() {
        let mut instruction = *instruction;
        if let Some(label) = instruction.label() {
            is_target[*label as usize] = true;
        }
        if matches!(instruction, Instruction::Call { .. }) {
            is_target[index + 1] = true;
        }
    }
    is_target
}

/// A jump to a block that counts its steps.
fn go(old: &[Instruction], decision: u32, to: u32) -> Option<Instruction> {
    match old[to as usize] {
        Instruction::Tick(steps) => Some(Instruction::Go { decision, steps, to: to + 1 }),
        _ => None,
    }
}

fn special(instruction: Instruction) -> Instruction {
    match instruction {
        Instruction::Binary { op: BinaryOp::Add, format, to, left, right } => {
            Instruction::Add { format, to, left, right }
        }
        Instruction::Binary { op: BinaryOp::Subtract, format, to, left, right } => {
            Instruction::Subtract { format, to, left, right }
        }
        Instruction::Binary { op: BinaryOp::Multiply, format, to, left, right } => {
            Instruction::Multiply { format, to, left, right }
        }
        Instruction::Binary { op: BinaryOp::And, to, left, right, .. } => {
            Instruction::Mask { to, left, right }
        }
        other => other,
    }
}
