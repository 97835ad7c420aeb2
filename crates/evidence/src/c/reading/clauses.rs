//! Contracts of functions in witnesses of format 2.1.

use super::yaml::{InvariantFields, Lines, Scalar};
use super::{Condition, Contract, Unreadable};

/// The type of the items that are contracts.
pub const CONTRACT: &str = "function_contract";

/// Where the clauses of contracts are.
pub struct Clauses {
    requires: Lines,
    ensures: Lines,
}

impl Clauses {
    pub fn new(text: &str) -> Clauses {
        Clauses { requires: Lines::new(text, "requires"), ensures: Lines::new(text, "ensures") }
    }

    /// The contract of this number.
    pub fn contract(
        &self,
        number: usize,
        fields: InvariantFields,
        version: &str,
    ) -> Result<Contract, Unreadable> {
        let line = self.requires.of(number);
        let wrong = |field: &str, cause: String| {
            Unreadable::at(line, format!("content.contract.{field}: {cause}"))
        };
        if fields.kind.0 != CONTRACT || version == "2.0" {
            return Err(wrong("type", format!("{} is no contract of {version}", fields.kind.0)));
        }
        let missing = |field: &str| wrong(field, format!("missing in contract {}", number + 1));
        let format = fields.format.ok_or_else(|| missing("format"))?.0;
        if !["ext_c_expression", "acsl_expression", "c_expression"].contains(&format.as_str()) {
            return Err(wrong("format", format!("{format} is none of {version}")));
        }
        if fields.value.is_some() {
            return Err(wrong("value", "a contract has none".to_string()));
        }
        let clause = |value: Option<Scalar>, field: &str, lines: &Lines| {
            let value = value.ok_or_else(|| missing(field))?.0;
            Ok(Condition { value, line: lines.of(number) })
        };
        let requires = clause(fields.requires, "requires", &self.requires)?;
        let ensures = clause(fields.ensures, "ensures", &self.ensures)?;
        Ok(Contract { location: fields.location.into(), requires, ensures })
    }
}
