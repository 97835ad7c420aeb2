//! The typed program: what the typing makes of C, what the interpreter executes and what the
//! encoders read.
//!
//! Every function is a graph of [`Block`]s. Statements are simple: assignments of pure expressions
//! to places, calls with pure arguments, and a few operations on storage. All side effects of C
//! expressions have been put in order (left to right, where C leaves a choice) and their
//! intermediate results live in temporaries. Expressions ([`Expr`]) only read; lvalues ([`Place`])
//! are separate from them, and reading one is an explicit `Load`. Every conversion is an explicit
//! `Cast`; both operands of an arithmetic operator have its type. Constants are folded. Each node
//! knows its place in the source.
//!
//! What is left unspecified or undefined by C is fixed here where gcc fixes it: signed arithmetic
//! wraps, shift counts are taken modulo the next power of two of the width, conversions of floats
//! that do not fit give what x86 gives. Reads of uninitialised storage give arbitrary values.

mod check;
mod expr;
mod print;
mod program;

pub use check::check;
pub use expr::{BinaryOp, CastKind, Expr, ExprKind, MAX_DEPTH, Place, PlaceKind, UnaryOp};
pub use program::{
    Block, BlockId, Body, Callee, FuncId, Function, Global, GlobalId, Initial, Local, LocalId,
    LocalKind, Loop, Program, Scope, ScopeId, Stmt, StmtKind, SwitchRange, Terminator,
};
