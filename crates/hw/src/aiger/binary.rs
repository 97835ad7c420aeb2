//! The binary form: variables are numbered inputs, latches, and-gates in this order; gates are
//! pairs of differences, seven bits to a byte, least significant first.

use super::error::Fault;
use super::header::Header;
use super::model::{AigerModel, LiteralMap};
use super::read::{Mention, assemble, read_latch_line, read_sections};
use super::scan::Scanner;
use super::stated::Stated;
use wedge_logic::{Aig, Lit};

pub(super) fn read_binary(scanner: &mut Scanner, header: &Header) -> Result<AigerModel, Fault> {
    let mut latches = Vec::with_capacity(header.latches as usize);
    for index in 0..header.latches {
        let literal = 2 * (1 + header.inputs + index);
        let state = Mention { literal, offset: scanner.offset() };
        latches.push(read_latch_line(scanner, header, state)?);
    }
    let sections = read_sections(scanner, header, latches)?;
    let sources = header.inputs + header.latches;
    let mut aig = Aig::with_inputs(sources as usize);
    let mut lits: Vec<Lit> = Vec::with_capacity(header.max_variable as usize + 1);
    lits.push(Lit::FALSE);
    lits.extend((0..sources as usize).map(|index| aig.input(index)));
    let mut stated = Stated { inputs: header.inputs as usize, ..Stated::default() };
    for index in 0..header.ands {
        let lhs = 2 * (1 + sources + index);
        let (rhs0, rhs1) = read_and(scanner, lhs)?;
        let fan_in = |rhs: u64| lits[rhs as usize / 2].xor(rhs % 2 == 1);
        let lit = aig.and(fan_in(rhs0), fan_in(rhs1));
        stated.gates.push([rhs0 as u32, rhs1 as u32]);
        stated.lits.push(lit);
        lits.push(lit);
    }
    let inputs = (0..header.inputs).map(|index| 2 * (1 + index)).collect();
    sections.state(&mut stated, |literal| literal as u32);
    assemble(aig, inputs, &sections, LiteralMap::Dense(lits), stated)
}

/// The two fan-ins of gate `lhs`, with `lhs > rhs0 >= rhs1`.
fn read_and(scanner: &mut Scanner, lhs: u64) -> Result<(u64, u64), Fault> {
    let offset = scanner.offset();
    let wrong = |what: &str| Fault::malformed(offset, format!("and-gate {lhs}: {what}"));
    let delta0 = read_delta(scanner, lhs)?;
    let delta1 = read_delta(scanner, lhs)?;
    if delta0 == 0 {
        return Err(wrong("its first difference is 0, so it depends on itself"));
    }
    let rhs0 = lhs.checked_sub(delta0).ok_or_else(|| wrong("its first literal is negative"))?;
    let rhs1 = rhs0.checked_sub(delta1).ok_or_else(|| wrong("its second literal is negative"))?;
    Ok((rhs0, rhs1))
}

fn read_delta(scanner: &mut Scanner, lhs: u64) -> Result<u64, Fault> {
    let offset = scanner.offset();
    let mut value = 0u64;
    for shift in (0..63).step_by(7) {
        let byte = scanner.next_byte().ok_or_else(|| {
            Fault::malformed(scanner.offset(), format!("the file ends inside and-gate {lhs}"))
        })?;
        value |= ((byte & 0x7f) as u64) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(Fault::malformed(offset, format!("and-gate {lhs}: a difference is out of range")))
}
