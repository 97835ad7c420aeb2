//! The reader's entry points, and the part that both forms of the format share.

use super::ascii::read_ascii;
use super::binary::read_binary;
use super::error::{AigerError, Fault};
use super::file::read_bytes;
use super::header::{Form, Header};
use super::model::{AigerModel, Input, Justice, Latch, LiteralMap, Property};
use super::resets::check_acyclic;
use super::scan::Scanner;
use super::stated::Stated;
use super::symbols::read_symbols;
use std::path::Path;
use std::sync::Arc;
use wedge_logic::{Aig, Lit};

/// Reads a model from a file, ASCII or binary.
pub fn read(path: &Path) -> Result<AigerModel, AigerError> {
    let name = path.display().to_string();
    let bytes = read_bytes(path, |start| form_of(start).is_some())?;
    parse(&bytes, &name)
}

fn form_of(bytes: &[u8]) -> Option<Form> {
    match bytes.get(..4)? {
        b"aag " => Some(Form::Ascii),
        b"aig " => Some(Form::Binary),
        _ => None,
    }
}

/// Reads a model from the contents of a file; `path` is for the error message only.
pub fn parse(bytes: &[u8], path: &str) -> Result<AigerModel, AigerError> {
    let Some(form) = form_of(bytes) else {
        let empty = "the file is empty";
        let cause = if bytes.is_empty() { empty } else { "neither 'aag' nor 'aig' at the start" };
        return Err(Fault::malformed(0, cause).at_line(path, bytes));
    };
    parse_form(bytes, form).map_err(|fault| match form {
        Form::Ascii => fault.at_line(path, bytes),
        Form::Binary => fault.at_byte(path),
    })
}

fn parse_form(bytes: &[u8], form: Form) -> Result<AigerModel, Fault> {
    let mut scanner = Scanner::new(bytes);
    scanner.accept(if form == Form::Ascii { b"aag" } else { b"aig" });
    let header = Header::read(&mut scanner, form)?;
    let mut model = match form {
        Form::Ascii => read_ascii(&mut scanner, &header)?,
        Form::Binary => read_binary(&mut scanner, &header)?,
    };
    read_symbols(&mut scanner, &mut model)?;
    if model.properties().is_empty() && model.justice.is_empty() {
        return Err(Fault::malformed(
            0,
            "no property: the file has neither bad states nor outputs nor justice properties",
        ));
    }
    Ok(model)
}

/// A literal as the file mentions it, with its place for errors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mention {
    pub literal: u64,
    pub offset: usize,
}

pub(super) struct LatchLine {
    pub state: Mention,
    pub next: Mention,
    pub reset: Option<Mention>,
}

/// Everything between the header and the and-gates except the inputs.
pub(super) struct Sections {
    pub latches: Vec<LatchLine>,
    pub outputs: Vec<Mention>,
    pub bads: Vec<Mention>,
    pub constraints: Vec<Mention>,
    pub justice: Vec<Vec<Mention>>,
    pub fairness: Vec<Mention>,
}

impl Sections {
    /// Says where functions and properties are among the gates; `number` gives a literal of the file
    /// as one of the binary form.
    pub fn state(&self, stated: &mut Stated, number: impl Fn(u64) -> u32) {
        let all = |mentions: &mut dyn Iterator<Item = &Mention>| -> Vec<u32> {
            mentions.map(|mention| number(mention.literal)).collect()
        };
        stated.nexts = all(&mut self.latches.iter().map(|line| &line.next));
        stated.constraints = all(&mut self.constraints.iter());
        stated.properties = all(&mut self.outputs.iter().chain(&self.bads));
        let resets = self.latches.iter().map(|line| line.reset);
        stated.resets = resets.map(|reset| reset.map_or(0, |r| number(r.literal))).collect();
    }
}

pub(super) fn read_mention(
    scanner: &mut Scanner,
    header: &Header,
    what: &str,
) -> Result<Mention, Fault> {
    let offset = scanner.offset();
    let literal = scanner.number(what)?;
    if literal / 2 > header.max_variable {
        let max = header.max_variable * 2 + 1;
        return Err(Fault::malformed(offset, format!("{what} is {literal}, above 2M+1 = {max}")));
    }
    Ok(Mention { literal, offset })
}

/// `count` lines of one literal each.
pub(super) fn read_mentions(
    scanner: &mut Scanner,
    header: &Header,
    count: u64,
    what: &str,
) -> Result<Vec<Mention>, Fault> {
    let mut mentions = Vec::with_capacity(count as usize);
    for _ in 0..count {
        mentions.push(read_mention(scanner, header, what)?);
        scanner.end_line()?;
    }
    Ok(mentions)
}

/// The part of a latch line that both forms have: `next [reset]` and the end of the line.
pub(super) fn read_latch_line(
    scanner: &mut Scanner,
    header: &Header,
    state: Mention,
) -> Result<LatchLine, Fault> {
    let next = read_mention(scanner, header, "the latch's next literal")?;
    let more = scanner.skip_blanks() && !scanner.at_line_end();
    let reset = match more {
        true => Some(read_mention(scanner, header, "the latch's reset literal")?),
        false => None,
    };
    scanner.end_line()?;
    Ok(LatchLine { state, next, reset })
}

/// The lists of properties and constraints that follow the latches.
pub(super) fn read_sections(
    scanner: &mut Scanner,
    header: &Header,
    latches: Vec<LatchLine>,
) -> Result<Sections, Fault> {
    let outputs = read_mentions(scanner, header, header.outputs, "an output literal")?;
    let bads = read_mentions(scanner, header, header.bads, "a bad state literal")?;
    let constraints = read_mentions(scanner, header, header.constraints, "a constraint literal")?;
    let justice = read_justice(scanner, header)?;
    let fairness = read_mentions(scanner, header, header.fairness, "a fairness literal")?;
    Ok(Sections { latches, outputs, bads, constraints, justice, fairness })
}

/// The sizes of all justice properties, then their literals.
fn read_justice(scanner: &mut Scanner, header: &Header) -> Result<Vec<Vec<Mention>>, Fault> {
    let mut sizes = Vec::with_capacity(header.justice as usize);
    for _ in 0..header.justice {
        let offset = scanner.offset();
        let size = scanner.number("the size of a justice property")?;
        scanner.end_line()?;
        if size > scanner.remaining() as u64 {
            let cause = "a justice property has more literals than the file has room for";
            return Err(Fault::malformed(offset, cause));
        }
        sizes.push(size);
    }
    let lits = |size: u64| read_mentions(scanner, header, size, "a justice literal");
    sizes.into_iter().map(lits).collect()
}

/// Puts the model together once every variable has its literal in `literals`.
pub(super) fn assemble(
    aig: Aig,
    inputs: Vec<u64>,
    sections: &Sections,
    literals: LiteralMap,
    stated: Stated,
) -> Result<AigerModel, Fault> {
    let resolve = |mention: &Mention| {
        literals.get(mention.literal).ok_or_else(|| {
            Fault::malformed(mention.offset, format!("literal {} is undefined", mention.literal))
        })
    };
    let property = |mention: &Mention| Ok(Property { lit: resolve(mention)?, name: None });
    let latch = |line: &LatchLine| {
        let reset = line.reset.as_ref().map_or(Ok(Lit::FALSE), resolve)?;
        let (state, next) = (resolve(&line.state)?, resolve(&line.next)?);
        Ok(Latch { state, next, reset, literal: line.state.literal, name: None })
    };
    let input = |literal: u64| -> Result<Input, Fault> {
        let lit = resolve(&Mention { literal, offset: 0 })?;
        Ok(Input { lit, literal, name: None })
    };
    let justice = |mentions: &Vec<Mention>| {
        let lits = mentions.iter().map(resolve).collect::<Result<_, _>>()?;
        Ok(Justice { lits, name: None })
    };
    let properties = |list: &[Mention]| list.iter().map(property).collect::<Result<Vec<_>, _>>();
    let model = AigerModel {
        inputs: inputs.into_iter().map(input).collect::<Result<_, _>>()?,
        latches: sections.latches.iter().map(latch).collect::<Result<Vec<_>, Fault>>()?,
        outputs: properties(&sections.outputs)?,
        bads: properties(&sections.bads)?,
        constraints: properties(&sections.constraints)?,
        justice: sections.justice.iter().map(justice).collect::<Result<_, Fault>>()?,
        fairness: properties(&sections.fairness)?,
        comments: Vec::new(),
        aig,
        literals,
        stated: Some(Arc::new(stated)),
    };
    check_acyclic(&model).map_err(|latch| {
        let line = &sections.latches[latch];
        let offset = line.reset.map_or(line.state.offset, |reset| reset.offset);
        let literal = line.state.literal;
        Fault::malformed(offset, format!("the reset of latch {literal} depends on itself"))
    })?;
    Ok(model)
}
