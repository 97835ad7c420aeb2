//! Library functions that encoders treat as programs, because their meaning is a loop.

use super::{Model, model};
use crate::typed::{Callee, Expr, ExprKind, FuncId, Function, Program, StmtKind};

/// Their text: functions that stand alone, separated by blank lines.
const SOURCE: &str = include_str!("functions.c");

/// Functions that exist for each floating type.
const FLOATING: &str = include_str!("math.c");

/// What `REAL` and `_R` stand for in them.
const FLOATING_TYPES: [(&str, &str); 3] = [("double", ""), ("float", "f"), ("long double", "l")];

/// The texts of all functions.
fn texts() -> impl Iterator<Item = String> {
    let plain = SOURCE.split("\n\n").skip(1).map(str::to_string);
    let floating = FLOATING_TYPES.iter().flat_map(|(ty, suffix)| {
        let functions = FLOATING.split("\n\n").skip(1);
        functions.map(move |text| text.replace("REAL", ty).replace("_R", suffix))
    });
    plain.chain(floating)
}

/// The name under which messages speak of the text.
pub const FILE: &str = "<library>";

/// Copies and fills of at most this many bytes are done at once if the number is a constant.
const AT_ONCE: u128 = 4096;

/// Whether a call means the body of the function, and not its model.
pub fn is_body_meant(function: &Function, arguments: &[Expr]) -> bool {
    if !function.is_library {
        return function.body.is_some();
    }
    let size = match model(&function.name) {
        Some(Model::MemCopy | Model::MemCopyEnd | Model::MemSet) => arguments.get(2),
        Some(Model::MemZero) => arguments.get(1),
        _ => return true,
    };
    size.and_then(Expr::as_int).is_none_or(|size| size > AT_ONCE)
}

/// The text of the functions that a program calls and does not define; empty if there are none.
pub fn missing(program: &Program) -> String {
    let mut called = vec![false; program.functions.len()];
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        for statement in body.blocks.iter().flat_map(|block| &block.statements) {
            match &statement.kind {
                StmtKind::Call { callee: Callee::Function(FuncId(id)), .. } => {
                    called[*id as usize] = true;
                }
                StmtKind::Assign { value, .. } => {
                    if let ExprKind::Function(FuncId(id)) = value.kind {
                        called[id as usize] = true;
                    }
                }
                _ => {}
            }
        }
    }
    let wanted = |name: &str| {
        let mut functions = program.functions.iter().zip(&called);
        functions.any(|(f, &called)| called && f.body.is_none() && f.name == name)
    };
    let texts = texts().filter(|text| name_of(text).is_some_and(wanted));
    texts.collect::<Vec<_>>().join("\n\n")
}

/// The name that the text of a function defines: the word before its parameters, which follow the
/// parentheses of `typeof`, if there are any.
fn name_of(text: &str) -> Option<&str> {
    let head = text.lines().next()?;
    let parameters = match head.strip_prefix("typeof(sizeof(0)) ") {
        Some(rest) => rest,
        None => head,
    };
    let before = parameters.split('(').next()?;
    before.rsplit([' ', '*']).next().filter(|name| !name.is_empty() && *name != "/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::DataModel;

    #[test]
    fn what_is_called_and_not_defined_is_added() {
        let text = "int strcmp(const char *, const char *); unsigned strlen(const char *s);
            char *strchr(const char *s, int c) { return (char *)s; }
            int main(void) { return strcmp(\"a\", \"b\") + *strchr(\"a\", 1); }";
        let program = crate::load_text(text, "t.c", DataModel::Ilp32).unwrap();
        let has = |name: &str| {
            let id = program.function_named(name).unwrap();
            let function = program.function(id);
            (function.body.is_some(), function.is_library)
        };
        assert_eq!(has("strcmp"), (true, true));
        assert_eq!(has("strlen"), (false, false));
        assert_eq!(has("strchr"), (true, false));
    }

    #[test]
    fn every_function_has_a_model_too() {
        for text in texts() {
            let name = name_of(&text).unwrap_or_else(|| panic!("{text}"));
            assert!(crate::library::model(name).is_some(), "{name}");
        }
    }
}
