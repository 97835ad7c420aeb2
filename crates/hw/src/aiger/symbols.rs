//! The symbol table (`i0 name`, `l0`, `o0`, `b0`, `c0`, `j0`, `f0`) and the comments after a line `c`.

use super::error::Fault;
use super::model::AigerModel;
use super::scan::Scanner;

pub(super) fn read_symbols(scanner: &mut Scanner, model: &mut AigerModel) -> Result<(), Fault> {
    while !scanner.at_end() {
        if scanner.accept(b"c\n") || scanner.accept(b"c\r\n") {
            let text = String::from_utf8_lossy(scanner.rest());
            model.comments = text.lines().map(str::to_string).collect();
            return Ok(());
        }
        read_symbol(scanner, model)?;
    }
    Ok(())
}

fn read_symbol(scanner: &mut Scanner, model: &mut AigerModel) -> Result<(), Fault> {
    let offset = scanner.offset();
    let Some(kind @ (b'i' | b'l' | b'o' | b'b' | b'c' | b'j' | b'f')) = scanner.peek() else {
        return Err(scanner.expected("a symbol or a comment"));
    };
    scanner.next_byte();
    let position = scanner.number("a symbol's position")?;
    if !scanner.accept(b" ") {
        return Err(scanner.expected("a blank and the symbol's name"));
    }
    let name = String::from_utf8_lossy(scanner.rest_of_line()?).into_owned();
    let symbol = format!("{}{position}", kind as char);
    let slot = name_of(model, kind, position)
        .ok_or_else(|| Fault::malformed(offset, format!("symbol {symbol} names nothing")))?;
    match slot.replace(name) {
        None => Ok(()),
        Some(_) => Err(Fault::malformed(offset, format!("symbol {symbol} occurs twice"))),
    }
}

fn name_of(model: &mut AigerModel, kind: u8, position: u64) -> Option<&mut Option<String>> {
    let position = usize::try_from(position).ok()?;
    match kind {
        b'i' => model.inputs.get_mut(position).map(|input| &mut input.name),
        b'l' => model.latches.get_mut(position).map(|latch| &mut latch.name),
        b'o' => model.outputs.get_mut(position).map(|output| &mut output.name),
        b'b' => model.bads.get_mut(position).map(|bad| &mut bad.name),
        b'c' => model.constraints.get_mut(position).map(|constraint| &mut constraint.name),
        b'j' => model.justice.get_mut(position).map(|justice| &mut justice.name),
        b'f' => model.fairness.get_mut(position).map(|fairness| &mut fairness.name),
        _ => None,
    }
}
