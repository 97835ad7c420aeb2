//! Allocations that may fail.
//!
//! By option, each call of an allocating function first asks whether it fails. Then it gives null
//! (`posix_memalign`: the number of the error, `asprintf`: -1), `errno` is `ENOMEM` if the program has it, and nothing
//! else happens. The question is an input of the program, so models, replay and counterexamples treat
//! it as any other.

use crate::error::{Error, Fault};
use crate::library::FAILURE;
use crate::typed::{
    Block, BlockId, Body, Callee, Expr, ExprKind, FuncId, Local, LocalId, LocalKind, Place,
    PlaceKind, Program, ScopeId, Stmt, StmtKind, Terminator,
};
use crate::types::Ty;

/// The functions that may fail, with what their results are then.
const FALLIBLE: &[(&str, u128)] = &[
    ("malloc", 0),
    ("calloc", 0),
    ("realloc", 0),
    ("reallocarray", 0),
    ("aligned_alloc", 0),
    ("memalign", 0),
    ("valloc", 0),
    ("strdup", 0),
    ("strndup", 0),
    ("wcsdup", 0),
    ("posix_memalign", OUT_OF_MEMORY),
    ("asprintf", u32::MAX as u128),
    ("vasprintf", u32::MAX as u128),
];

/// `ENOMEM`
const OUT_OF_MEMORY: u128 = 12;

impl Program {
    /// Lets calls of allocating functions fail. An error names one that is called through a pointer.
    pub fn let_allocations_fail(&mut self) -> Result<(), Error> {
        let result = |function: &crate::typed::Function| {
            let is_own = function.body.is_some() && !function.is_library;
            // A call with a format leads to a version of its function.
            let original = function.version_of.map_or(function, |id| self.function(id));
            let known = FALLIBLE.iter().find(|(name, _)| *name == original.name);
            known.filter(|_| !is_own).map(|(_, result)| *result)
        };
        let results: Vec<Option<u128>> = self.functions.iter().map(result).collect();
        if results.iter().all(Option::is_none) {
            return Ok(());
        }
        self.refuse_pointers(&results)?;
        let at = self.main.map(|main| self.function(main).position).unwrap_or_default();
        let question = crate::entry::new_function(self, FAILURE.to_string(), Ty::INT, &[], at);
        let error = self.error_number().map(|id| {
            let global = self.global(id);
            Place::new(PlaceKind::Global(id), global.ty, global.position)
        });
        for function in self.functions.iter_mut().filter(|function| !function.is_library) {
            let Some(body) = function.body.as_mut() else { continue };
            for index in 0..body.blocks.len() {
                let mut next = Some(index);
                while let Some(index) = next {
                    next = split(body, index, &results, question, error.as_ref());
                }
            }
        }
        Ok(())
    }

    /// The address of an allocating function leads to calls that are not seen.
    fn refuse_pointers(&self, results: &[Option<u128>]) -> Result<(), Error> {
        let bodies =
            self.functions.iter().filter(|f| !f.is_library).filter_map(|f| f.body.as_ref());
        for statement in bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.statements) {
            let values: Vec<&Expr> = match &statement.kind {
                StmtKind::Assign { value, .. } => vec![value],
                StmtKind::Call { arguments, .. } => arguments.iter().collect(),
                _ => Vec::new(),
            };
            if let Some(id) = values.into_iter().find_map(|value| named_in(value, results)) {
                let name = &self.function(id).name;
                let what = format!("the address of `{name}`, which may fail");
                return Err(Fault::unsupported(statement.position, what).named(&self.files));
            }
        }
        Ok(())
    }
}

/// A function that may fail and whose address an expression takes.
fn named_in(expr: &Expr, results: &[Option<u128>]) -> Option<FuncId> {
    match &expr.kind {
        ExprKind::Function(id) => results[id.0 as usize].map(|_| *id),
        _ => expr.operands().find_map(|operand| named_in(operand, results)),
    }
}

/// Puts the question before the first call in a block that may fail. Gives the block of what
/// follows.
fn split(
    body: &mut Body,
    index: usize,
    results: &[Option<u128>],
    question: FuncId,
    error: Option<&Place>,
) -> Option<usize> {
    let statements = &body.blocks[index].statements;
    let found = statements.iter().enumerate().find_map(|(place, statement)| {
        let StmtKind::Call { result: Some(to), callee: Callee::Function(id), .. } = &statement.kind
        else {
            return None;
        };
        let value = results[id.0 as usize]?;
        Some((place, to.clone(), value, statement.position))
    });
    let (place, to, value, position) = found?;
    let answer = LocalId(body.locals.len() as u32);
    let (kind, scope) = (LocalKind::Temporary, ScopeId(0));
    body.locals.push(Local { name: None, ty: Ty::INT, kind, position, scope, align: 1 });
    let answer = Place::new(PlaceKind::Local(answer), Ty::INT, position);
    let next = |offset: usize| BlockId((body.blocks.len() + offset) as u32);
    let (calls, fails, rest) = (next(0), next(1), next(2));
    let block = &mut body.blocks[index];
    let after = block.statements.split_off(place + 1);
    let call = block.statements.pop();
    block.statements.push(Stmt {
        kind: StmtKind::Call {
            result: Some(answer.clone()),
            callee: Callee::Function(question),
            arguments: Vec::new(),
        },
        position,
    });
    let ask = Terminator::Branch { condition: Expr::load(answer), then: fails, otherwise: calls };
    let (end, end_at) = (
        std::mem::replace(&mut block.terminator, ask),
        std::mem::replace(&mut block.position, position),
    );
    let assign = |place: &Place, value: u128| {
        let value = Expr::int(value, place.ty, position);
        Stmt { kind: StmtKind::Assign { place: place.clone(), value }, position }
    };
    let mut failed = vec![assign(&to, value)];
    failed.extend(error.map(|error| assign(error, OUT_OF_MEMORY)));
    let to_rest = || Terminator::Goto(rest);
    body.blocks.push(Block {
        statements: call.into_iter().collect(),
        terminator: to_rest(),
        position,
    });
    body.blocks.push(Block { statements: failed, terminator: to_rest(), position });
    body.blocks.push(Block { statements: after, terminator: end, position: end_at });
    Some(rest.0 as usize)
}
