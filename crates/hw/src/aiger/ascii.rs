//! The ASCII form: any even literal may name an input, a latch or a gate, and gates may come in
//! any order, so variables are collected first and gates built along their dependencies.

use super::error::Fault;
use super::header::Header;
use super::model::{AigerModel, LiteralMap};
use super::read::{
    LatchLine, Mention, assemble, read_latch_line, read_mention, read_mentions, read_sections,
};
use super::scan::Scanner;
use super::stated::Stated;
use rustc_hash::FxHashMap;
use wedge_logic::{Aig, Lit};

struct AndLine {
    lhs: Mention,
    rhs: [Mention; 2],
}

pub(super) fn read_ascii(scanner: &mut Scanner, header: &Header) -> Result<AigerModel, Fault> {
    let inputs = read_mentions(scanner, header, header.inputs, "an input literal")?;
    let mut latches = Vec::with_capacity(header.latches as usize);
    for _ in 0..header.latches {
        let state = read_mention(scanner, header, "a latch literal")?;
        scanner.blank("the latch's next literal")?;
        latches.push(read_latch_line(scanner, header, state)?);
    }
    let sections = read_sections(scanner, header, latches)?;
    let mut ands = Vec::with_capacity(header.ands as usize);
    for _ in 0..header.ands {
        ands.push(read_and_line(scanner, header)?);
    }
    let mut builder = Builder::declare(&inputs, &sections.latches, &ands)?;
    builder.build()?;
    // A literal that nothing defines is reported when the model is put together.
    let number = |literal: u64| match builder.variables.get(&(literal / 2)) {
        Some(&Variable::Built(_, number)) => number | (literal % 2) as u32,
        _ => 0,
    };
    sections.state(&mut builder.stated, number);
    let inputs = inputs.iter().map(|mention| mention.literal).collect();
    let literals = builder.literals();
    assemble(builder.aig, inputs, &sections, literals, builder.stated)
}

fn read_and_line(scanner: &mut Scanner, header: &Header) -> Result<AndLine, Fault> {
    let lhs = read_mention(scanner, header, "an and-gate literal")?;
    scanner.blank("the gate's first literal")?;
    let rhs0 = read_mention(scanner, header, "the gate's first literal")?;
    scanner.blank("the gate's second literal")?;
    let rhs1 = read_mention(scanner, header, "the gate's second literal")?;
    scanner.end_line()?;
    Ok(AndLine { lhs, rhs: [rhs0, rhs1] })
}

#[derive(Clone, Copy)]
enum Variable {
    /// With the literal that names it in the binary form.
    Built(Lit, u32),
    Gate(usize),
    /// A gate whose fan-ins are being built: meeting it again closes a cycle.
    Open(usize),
}

struct Builder<'a> {
    ands: &'a [AndLine],
    aig: Aig,
    stated: Stated,
    sources: usize,
    variables: FxHashMap<u64, Variable>,
}

impl<'a> Builder<'a> {
    /// Gives every variable its definition, and each exactly one.
    fn declare(
        inputs: &[Mention],
        latches: &[LatchLine],
        ands: &'a [AndLine],
    ) -> Result<Builder<'a>, Fault> {
        let count = inputs.len() + latches.len() + ands.len();
        let mut variables = FxHashMap::with_capacity_and_hasher(count + 1, Default::default());
        variables.insert(0, Variable::Built(Lit::FALSE, 0));
        let stated = Stated { inputs: inputs.len(), ..Stated::default() };
        let sources = inputs.len() + latches.len();
        let mut builder = Builder { ands, aig: Aig::new(), stated, sources, variables };
        let states = latches.iter().map(|line| &line.state);
        for (index, source) in inputs.iter().chain(states).enumerate() {
            let lit = builder.aig.add_input();
            builder.define(source, Variable::Built(lit, 2 * (index as u32 + 1)))?;
        }
        for (index, and) in ands.iter().enumerate() {
            builder.define(&and.lhs, Variable::Gate(index))?;
        }
        Ok(builder)
    }

    fn define(&mut self, mention: &Mention, variable: Variable) -> Result<(), Fault> {
        let literal = mention.literal;
        let wrong =
            |what: &str| Err(Fault::malformed(mention.offset, format!("literal {literal} {what}")));
        if literal < 2 {
            return wrong("is a constant and cannot be defined");
        }
        if literal % 2 == 1 {
            return wrong("is negated and cannot be defined");
        }
        match self.variables.insert(literal / 2, variable) {
            Some(_) => wrong("is defined twice"),
            None => Ok(()),
        }
    }

    fn build(&mut self) -> Result<(), Fault> {
        (0..self.ands.len()).try_for_each(|index| self.build_gate(index))
    }

    fn literals(&self) -> LiteralMap {
        let built = |(&variable, definition): (&u64, &Variable)| match *definition {
            Variable::Built(lit, _) => (variable, lit),
            _ => unreachable!("every gate is built"),
        };
        LiteralMap::Sparse(self.variables.iter().map(built).collect())
    }

    /// Builds a gate after the gates it depends on; a stack instead of recursion, since chains
    /// of gates are long.
    fn build_gate(&mut self, index: usize) -> Result<(), Fault> {
        let mut stack = vec![index];
        while let Some(&gate) = stack.last() {
            let and = &self.ands[gate];
            if let Variable::Built(..) = self.variables[&(and.lhs.literal / 2)] {
                stack.pop();
                continue;
            }
            self.variables.insert(and.lhs.literal / 2, Variable::Open(gate));
            match self.first_unbuilt(and)? {
                Some(dependency) => stack.push(dependency),
                None => self.finish_gate(and),
            }
        }
        Ok(())
    }

    /// A gate that must be built before `and`.
    fn first_unbuilt(&self, and: &AndLine) -> Result<Option<usize>, Fault> {
        for rhs in &and.rhs {
            match self.variables.get(&(rhs.literal / 2)) {
                Some(Variable::Built(..)) => {}
                Some(&Variable::Gate(dependency)) => return Ok(Some(dependency)),
                Some(&Variable::Open(open)) => return Err(self.cycle(open)),
                None => {
                    let cause = format!("literal {} is undefined", rhs.literal);
                    return Err(Fault::malformed(rhs.offset, cause));
                }
            }
        }
        Ok(None)
    }

    fn finish_gate(&mut self, and: &AndLine) {
        let [a, b] = and.rhs.map(|rhs| match self.variables[&(rhs.literal / 2)] {
            Variable::Built(lit, number) => {
                (lit.xor(rhs.literal % 2 == 1), number | (rhs.literal % 2) as u32)
            }
            _ => unreachable!("a gate is finished after its fan-ins"),
        });
        let lit = self.aig.and(a.0, b.0);
        let number = 2 * (self.sources + 1 + self.stated.gates.len()) as u32;
        self.stated.gates.push([a.1, b.1]);
        self.stated.lits.push(lit);
        self.variables.insert(and.lhs.literal / 2, Variable::Built(lit, number));
    }

    fn cycle(&self, gate: usize) -> Fault {
        let lhs = self.ands[gate].lhs;
        let cause = format!("combinational cycle through variable {}", lhs.literal / 2);
        Fault::malformed(lhs.offset, cause)
    }
}
