//! Writes models in both forms.
//!
//! Variables are numbered as the binary form demands: inputs, latches, then the gates that
//! anything depends on, fan-ins first. The ASCII form uses the same numbers. A model that was read
//! keeps the gates of its file ([`super::stated`]).

use super::model::{AigerModel, Input, Latch, LiteralMap, Property};
use super::stated::Numbering;
use wedge_logic::Lit;
use wedge_model::{Circuit, Reset};

impl AigerModel {
    /// The model of a circuit; its bad state is the only property, and nothing has a name.
    pub fn from_circuit(circuit: &Circuit) -> AigerModel {
        let latch = |latch: &wedge_model::Latch| Latch {
            state: latch.state,
            next: latch.next,
            reset: match latch.reset {
                Reset::Const(value) => value.into(),
                Reset::Free => latch.state,
                Reset::Function(lit) => lit,
            },
            literal: 0,
            name: None,
        };
        let property = |&lit: &Lit| Property { lit, name: None };
        let input = |&lit: &Lit| Input { lit, literal: 0, name: None };
        let mut model = AigerModel {
            aig: circuit.aig.clone(),
            inputs: circuit.inputs.iter().map(input).collect(),
            latches: circuit.latches.iter().map(latch).collect(),
            outputs: Vec::new(),
            bads: vec![property(&circuit.bad)],
            constraints: circuit.constraints.iter().map(property).collect(),
            justice: Vec::new(),
            fairness: Vec::new(),
            comments: Vec::new(),
            literals: LiteralMap::Dense(Vec::new()),
            stated: None,
        };
        model.renumber();
        model
    }

    /// Replaces the literals of the file the model was read from by those of the file that
    /// [`AigerModel::to_ascii`] and [`AigerModel::to_binary`] write.
    pub fn renumber(&mut self) {
        let numbering = Numbering::new(self);
        for input in &mut self.inputs {
            input.literal = numbering.literal(input.lit).into();
        }
        for latch in &mut self.latches {
            latch.literal = numbering.literal(latch.state).into();
        }
        let lits = [Lit::FALSE].into_iter().chain(self.sources()).chain(numbering.lits);
        self.literals = LiteralMap::Dense(lits.collect());
    }

    pub fn to_ascii(&self) -> Vec<u8> {
        let numbering = Numbering::new(self);
        let mut out = self.header("aag", &numbering).into_bytes();
        for input in &self.inputs {
            push_line(&mut out, &[numbering.literal(input.lit)]);
        }
        self.write_sections(&mut out, &numbering, true);
        for [lhs, rhs0, rhs1] in numbering.gates() {
            push_line(&mut out, &[lhs, rhs0, rhs1]);
        }
        self.write_symbols(&mut out);
        out
    }

    pub fn to_binary(&self) -> Vec<u8> {
        let numbering = Numbering::new(self);
        let mut out = self.header("aig", &numbering).into_bytes();
        self.write_sections(&mut out, &numbering, false);
        for [lhs, rhs0, rhs1] in numbering.gates() {
            push_delta(&mut out, lhs - rhs0);
            push_delta(&mut out, rhs0 - rhs1);
        }
        self.write_symbols(&mut out);
        out
    }

    /// The inputs and latches in the order of their variables.
    pub(super) fn sources(&self) -> Vec<Lit> {
        let states = self.latches.iter().map(|latch| latch.state);
        self.inputs.iter().map(|input| input.lit).chain(states).collect()
    }

    /// What is written besides the functions of latches and the constraints.
    pub(super) fn properties_and_justice(&self) -> Vec<Lit> {
        let properties = self.outputs.iter().chain(&self.bads).chain(&self.fairness);
        let justice = self.justice.iter().flat_map(|justice| justice.lits.iter().copied());
        properties.map(|property| property.lit).chain(justice).collect()
    }

    /// Counts are left out from behind, so that files with outputs only keep the header of AIGER 1.0.
    fn header(&self, magic: &str, numbering: &Numbering) -> String {
        let (inputs, latches, gates) =
            (self.inputs.len(), self.latches.len(), numbering.gates().len());
        let max = inputs + latches + gates;
        let outputs = self.outputs.len();
        let mut header = format!("{magic} {max} {inputs} {latches} {outputs} {gates}");
        let counts =
            [self.bads.len(), self.constraints.len(), self.justice.len(), self.fairness.len()];
        let used = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        counts[..used].iter().for_each(|count| header += &format!(" {count}"));
        header + "\n"
    }

    fn write_sections(&self, out: &mut Vec<u8>, numbering: &Numbering, with_state: bool) {
        for (index, latch) in self.latches.iter().enumerate() {
            let mut numbers = Vec::with_capacity(3);
            if with_state {
                numbers.push(numbering.literal(latch.state));
            }
            numbers.push(numbering.nexts[index]);
            if numbering.resets[index] != 0 {
                numbers.push(numbering.resets[index]);
            }
            push_line(out, &numbers);
        }
        for property in self.outputs.iter().chain(&self.bads) {
            push_line(out, &[numbering.literal(property.lit)]);
        }
        numbering.constraints.iter().for_each(|&literal| push_line(out, &[literal]));
        self.justice.iter().for_each(|justice| push_line(out, &[justice.lits.len() as u32]));
        let justice = self.justice.iter().flat_map(|justice| &justice.lits);
        let fairness = self.fairness.iter().map(|fairness| &fairness.lit);
        justice.chain(fairness).for_each(|&lit| push_line(out, &[numbering.literal(lit)]));
    }

    fn write_symbols(&self, out: &mut Vec<u8>) {
        let names = |properties: &[Property]| -> Vec<Option<String>> {
            properties.iter().map(|property| property.name.clone()).collect()
        };
        let inputs: Vec<_> = self.inputs.iter().map(|input| input.name.clone()).collect();
        let latches: Vec<_> = self.latches.iter().map(|latch| latch.name.clone()).collect();
        push_symbols(out, 'i', &inputs);
        push_symbols(out, 'l', &latches);
        push_symbols(out, 'o', &names(&self.outputs));
        push_symbols(out, 'b', &names(&self.bads));
        push_symbols(out, 'c', &names(&self.constraints));
        let justice: Vec<_> = self.justice.iter().map(|justice| justice.name.clone()).collect();
        push_symbols(out, 'j', &justice);
        push_symbols(out, 'f', &names(&self.fairness));
        if !self.comments.is_empty() {
            out.extend_from_slice(b"c\n");
        }
        for line in &self.comments {
            out.extend_from_slice(one_line(line).as_bytes());
            out.push(b'\n');
        }
    }
}

fn push_line(out: &mut Vec<u8>, numbers: &[u32]) {
    let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
    out.extend_from_slice(words.join(" ").as_bytes());
    out.push(b'\n');
}

fn push_delta(out: &mut Vec<u8>, mut delta: u32) {
    while delta >= 0x80 {
        out.push(delta as u8 & 0x7f | 0x80);
        delta >>= 7;
    }
    out.push(delta as u8);
}

fn push_symbols(out: &mut Vec<u8>, kind: char, names: &[Option<String>]) {
    for (index, name) in names.iter().enumerate() {
        if let Some(name) = name {
            out.extend_from_slice(format!("{kind}{index} {}\n", one_line(name)).as_bytes());
        }
    }
}

/// A line break inside a name would start another symbol.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
