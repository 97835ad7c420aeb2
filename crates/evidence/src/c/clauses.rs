//! Contracts of functions that somebody has written, as annotations.
//!
//! A contract says what holds whenever a function is called and whenever it returns. Both become
//! checks of the program, at the beginning of the function and before each return, so that the
//! contract is believed if no run violates it. What it calls `\result`, and what it calls a
//! parameter as it was when the function was called, get names of C here.

use super::guide::{annotation, shown};
use super::reading::Contract;
use super::sources::Sources;
use wedge_c::annotation::{Action, Annotation, BEFORE, RESULT, Spot};

/// The annotations of a contract, with their names.
pub(super) fn clauses(
    sources: &Sources,
    number: usize,
    contract: &Contract,
) -> Result<Vec<(Annotation, String)>, String> {
    let mut made = Vec::new();
    for (clause, spot, what) in
        [(&contract.requires, Spot::Entry, "requires"), (&contract.ensures, Spot::Exit, "ensures")]
    {
        let what = format!("{what} of contract {} `{}`", number + 1, clause.value);
        let condition = match spot {
            Spot::Exit => at_first(&clause.value).map_err(|cause| format!("{what}: {cause}"))?,
            _ => clause.value.clone(),
        };
        let own = annotation(sources, &contract.location, spot, Action::Check, &condition);
        let own = own.map_err(|cause| format!("{what}: {cause}"))?;
        let name = format!("{what} at {}", shown(sources, &own, &contract.location));
        made.push((Annotation { witness_line: clause.line, ..own }, name));
    }
    Ok(made)
}

/// A condition at the end of a function with C names for the result and for what parameters were
/// when the function was called: `\result`, `\at(x, Pre)`, `\at(x, Old)`, `\old(x)`.
pub(super) fn at_first(condition: &str) -> Result<String, String> {
    let mut made = String::new();
    let mut rest = condition;
    while let Some(at) = rest.find('\\') {
        made += &rest[..at];
        rest = &rest[at..];
        if let Some(behind) = rest.strip_prefix("\\result") {
            made += RESULT;
            rest = behind;
            continue;
        }
        let inner = rest.strip_prefix("\\at").or_else(|| rest.strip_prefix("\\old"));
        let inner = inner.and_then(|text| text.trim_start().strip_prefix('('));
        let (inside, behind) = inner
            .and_then(|text| text.split_once(')'))
            .ok_or_else(|| format!("`{rest}` is not understood"))?;
        let mut parts = inside.split(',').map(str::trim);
        let (name, label) = (parts.next().unwrap_or_default(), parts.next());
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_first = match label {
            Some(label) => matches!(label, "Pre" | "Old") && rest.starts_with("\\at"),
            None => rest.starts_with("\\old"),
        };
        if !is_name || name.is_empty() || !is_first || parts.next().is_some() {
            return Err(format!("`{inside}` is no parameter as the function was called with"));
        }
        made += &format!("{BEFORE}{name}");
        rest = behind;
    }
    Ok(made + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_contracts_become_those_of_c() {
        let made = at_first("\\result == \\old(n) || \\result > \\at( m , Pre)").unwrap();
        assert_eq!(made, "__wedge_result == __wedge_before_n || __wedge_result > __wedge_before_m");
        assert_eq!(at_first("x < 3").unwrap(), "x < 3");
        for wrong in ["\\at(n, Here)", "\\at(n)", "\\old(n, Pre)", "\\old(n + 1)", "\\valid(p)"] {
            assert!(at_first(wrong).is_err(), "{wrong}");
        }
    }
}
