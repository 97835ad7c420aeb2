//! The end of a program that has something to do then: `atexit` and its like, signals.
//!
//! `exit` and `abort` are programs in C only where functions or handlers may have been registered.
//! Then a return from `main` is a call of `exit` (C11 5.1.2.2.3).

use crate::typed::{Callee, Expr, FuncId, Program, Stmt, StmtKind, Terminator};
use crate::types::Ty;

/// What has a program only if one of the others is used.
const ENDS: &[(&str, &[&str])] =
    &[("exit", &["atexit", "on_exit"]), ("quick_exit", &["at_quick_exit"]), ("abort", &["signal"])];

/// Adds the functions that end programs to what is wanted, or takes them away.
pub(super) fn choose(wanted: &mut Vec<&str>) {
    for (end, registers) in ENDS {
        let is_used = registers.iter().any(|name| wanted.contains(name));
        wanted.retain(|name| name != end);
        if is_used {
            wanted.push(end);
        }
    }
}

/// Makes every return from `main` a call of `exit`, if `exit` has a program.
pub(super) fn end_main(program: &mut Program) {
    let text = format!("{}exit", super::bodies::PREFIX);
    let (Some(main), Some(text)) = (program.main, program.function_named(&text)) else { return };
    let exit = program.function_named("exit").unwrap_or_else(|| {
        let mut exit = program.function(text).clone();
        exit.name = "exit".to_string();
        program.functions.push(exit);
        FuncId(program.functions.len() as u32 - 1)
    });
    if !program.function(exit).is_library {
        return;
    }
    let Some(body) = program.functions[main.0 as usize].body.as_mut() else { return };
    for block in &mut body.blocks {
        let Terminator::Return(value) = &block.terminator else { continue };
        let position = block.position;
        let status = match value {
            Some(value) if value.ty == Ty::INT => value.clone(),
            _ => Expr::int(0, Ty::INT, position),
        };
        let call = StmtKind::Call {
            result: None,
            callee: Callee::Function(exit),
            arguments: vec![status],
        };
        block.statements.push(Stmt { kind: call, position });
    }
}
