//! Functions that run before and after `main`: the attributes `constructor` and `destructor` (gcc
//! manual, section Common Function Attributes).
//!
//! `main` begins with calls of the constructors, in the order of their priorities and then of their
//! definitions. It ends, as every call of `exit` begins, with calls of the destructors in the
//! opposite order. Where the program registers functions with `atexit` or `on_exit`, those run before
//! the destructors: the destructors are then registered first of all. What would need more than that
//! is refused: parameters, a `main` that the program calls itself, `exit` through a pointer.

use super::attributes::Priority;
use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{
    Block, BlockId, Body, Callee, Expr, ExprKind, FuncId, Stmt, StmtKind, Terminator,
};
use crate::types::{Signature, Ty, Type};

/// Functions that register others for the end.
const REGISTERING: &[&str] = &["atexit", "on_exit"];

/// The functions with one of the two attributes.
#[derive(Default)]
pub struct Startup {
    constructors: Vec<(Priority, FuncId)>,
    destructors: Vec<(Priority, FuncId)>,
}

impl Startup {
    pub fn add(&mut self, constructor: Option<Priority>, destructor: Option<Priority>, id: FuncId) {
        let lists = [(constructor, &mut self.constructors), (destructor, &mut self.destructors)];
        for (priority, list) in lists {
            if let Some(priority) = priority
                && !list.iter().any(|&(_, known)| known == id)
            {
                list.push((priority, id));
            }
        }
    }
}

impl Typer<'_> {
    /// Puts the calls where they belong.
    pub(super) fn link_startup(&mut self) -> Result<()> {
        let Startup { mut constructors, mut destructors } = std::mem::take(&mut self.startup);
        if constructors.is_empty() && destructors.is_empty() {
            return Ok(());
        }
        let is_main = |f: &crate::typed::Function| f.name == "main" && f.body.is_some();
        let Some(main) = self.functions.iter().position(is_main) else { return Ok(()) };
        constructors.sort_by_key(|&(priority, _)| priority);
        destructors.sort_by_key(|&(priority, _)| priority);
        destructors.reverse();
        let mut before = self.startup_calls(&constructors)?;
        let mut after = self.startup_calls(&destructors)?;
        self.refuse_other_ends(FuncId(main as u32), !after.is_empty())?;
        if self.functions.iter().any(|f| REGISTERING.contains(&f.name.as_str())) {
            let first: Vec<Stmt> = std::mem::take(&mut after)
                .into_iter()
                .rev()
                .filter_map(|c| self.registered(c))
                .collect();
            before.splice(0..0, first);
        }
        if !after.is_empty() {
            self.call_before_exit(&after);
        }
        let Some(body) = self.functions[main].body.as_mut() else { return Ok(()) };
        if !after.is_empty() {
            end_with(body, &after);
        }
        begin_with(body, before);
        Ok(())
    }

    /// Instead of a call, one that registers the function for the end of the program.
    fn registered(&mut self, call: Stmt) -> Option<Stmt> {
        let StmtKind::Call { callee: Callee::Function(id), .. } = call.kind else { return None };
        let position = call.position;
        let known = self.functions.iter().position(|f| f.name == "atexit");
        let pointer = self.types.pointer(self.functions[id.0 as usize].ty);
        let atexit = known.map(|index| FuncId(index as u32)).unwrap_or_else(|| {
            let signature = Signature {
                result: Ty::INT,
                parameters: vec![pointer],
                variadic: false,
                prototype: true,
            };
            let ty = self.types.intern(Type::Function(signature));
            self.new_function("atexit", ty, false, position)
        });
        let wanted = self.types.signature(self.functions[atexit.0 as usize].ty)?;
        let wanted = wanted.parameters.first().copied().unwrap_or(pointer);
        let function = Expr::new(ExprKind::Function(id), pointer, position);
        let function = self.cast(function, wanted);
        let callee = Callee::Function(atexit);
        let kind = StmtKind::Call { result: None, callee, arguments: vec![function] };
        Some(Stmt { kind, position })
    }

    fn startup_calls(&self, list: &[(Priority, FuncId)]) -> Result<Vec<Stmt>> {
        let mut calls = Vec::new();
        for &(_, id) in list {
            let function = &self.functions[id.0 as usize];
            let position = function.position;
            if function.body.is_none() {
                continue;
            }
            if self.types.signature(function.ty).is_some_and(|s| !s.parameters.is_empty()) {
                let what = "a constructor or destructor with parameters";
                return Err(Fault::unsupported(position, what));
            }
            let (callee, arguments) = (Callee::Function(id), Vec::new());
            calls.push(Stmt { kind: StmtKind::Call { result: None, callee, arguments }, position });
        }
        Ok(calls)
    }

    /// Refuses what makes it unclear where the program begins and ends.
    fn refuse_other_ends(&self, main: FuncId, has_destructors: bool) -> Result<()> {
        let refuse = |position: Position, what: &str| {
            let what = format!("{what} in a program with constructors or destructors");
            Err(Fault::unsupported(position, what))
        };
        for statement in self.all_statements() {
            let StmtKind::Call { callee, .. } = &statement.kind else { continue };
            match callee {
                Callee::Function(id) if *id == main => {
                    return refuse(statement.position, "a call of `main`");
                }
                _ => {}
            }
        }
        let is_exit = |id: FuncId| self.functions[id.0 as usize].name == "exit";
        let taken = self.all_statements().find(|s| takes_address(&s.kind, &is_exit));
        match taken.filter(|_| has_destructors) {
            Some(statement) => refuse(statement.position, "the address of `exit`"),
            None => Ok(()),
        }
    }

    fn all_statements(&self) -> impl Iterator<Item = &Stmt> {
        let bodies = self.functions.iter().filter_map(|function| function.body.as_ref());
        bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.statements)
    }

    fn call_before_exit(&mut self, calls: &[Stmt]) {
        let is_exit: Vec<bool> = self.functions.iter().map(|f| f.name == "exit").collect();
        for body in self.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
            for block in &mut body.blocks {
                let statements = std::mem::take(&mut block.statements);
                for statement in statements {
                    if let StmtKind::Call { callee: Callee::Function(id), .. } = &statement.kind
                        && is_exit[id.0 as usize]
                    {
                        block.statements.extend_from_slice(calls);
                    }
                    block.statements.push(statement);
                }
            }
        }
    }
}

/// The entry of a body may be the head of a loop, so the calls get a block of their own.
fn begin_with(body: &mut Body, calls: Vec<Stmt>) {
    if calls.is_empty() {
        return;
    }
    let moved = BlockId(body.blocks.len() as u32);
    let map = |id: BlockId| if id.0 == 0 { moved } else { id };
    for block in &mut body.blocks {
        block.terminator.retarget(map);
    }
    for a_loop in &mut body.loops {
        a_loop.head = map(a_loop.head);
    }
    let position = body.blocks[0].position;
    let first = Block { statements: calls, terminator: Terminator::Goto(moved), position };
    let old = std::mem::replace(&mut body.blocks[0], first);
    body.blocks.push(old);
}

/// The value that `main` returns is the program's status, which is no matter of a property.
fn end_with(body: &mut Body, calls: &[Stmt]) {
    for block in &mut body.blocks {
        if let Terminator::Return(_) = block.terminator {
            block.statements.extend_from_slice(calls);
        }
    }
}

fn takes_address(kind: &StmtKind, wanted: &impl Fn(FuncId) -> bool) -> bool {
    let within = |expr: &Expr| mentions(expr, wanted);
    match kind {
        StmtKind::Assign { value, .. } => within(value),
        StmtKind::Call { arguments, .. } => arguments.iter().any(within),
        _ => false,
    }
}

fn mentions(expr: &Expr, wanted: &impl Fn(FuncId) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Function(id) => wanted(*id),
        _ => expr.operands().any(|operand| mentions(operand, wanted)),
    }
}
