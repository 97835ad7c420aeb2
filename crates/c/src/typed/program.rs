//! Programs, functions and statements.

use super::expr::{Expr, Place};
use crate::error::Warning;
use crate::library::UndefinedFunctions;
use crate::source::{FileId, Files, Position};
use crate::types::{Ty, Types};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FuncId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct GlobalId(pub u32);
/// A local variable, parameter or temporary of the function it occurs in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct LocalId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct BlockId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ScopeId(pub u32);

/// A whole program, linked from all its files.
#[derive(Clone, Debug)]
pub struct Program {
    pub types: Types,
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
    /// The function `main`, if it is defined.
    pub main: Option<FuncId>,
    pub files: Files,
    pub warnings: Vec<Warning>,
    /// What is assumed of functions that nobody knows.
    pub undefined_functions: UndefinedFunctions,
    /// The function that `main` stands for, if it is not the program's own: see [`crate::entry`].
    pub entry: Option<FuncId>,
    /// The witness that statements come from which are none of the program: see
    /// [`crate::annotation`].
    pub witness: Option<FileId>,
}

/// An object with static storage: a global or static variable, a string literal, or a compound
/// literal outside functions.
#[derive(Clone, Debug)]
pub struct Global {
    pub name: String,
    pub ty: Ty,
    pub position: Position,
    pub initial: Initial,
    /// The function and scope in which a static local variable is visible.
    pub scope: Option<(FuncId, ScopeId)>,
    /// String literals must not be written to.
    pub is_literal: bool,
    /// A literal that the program has in several places, which need not be one object.
    pub is_shared: bool,
    /// Declared `const`.
    pub is_constant: bool,
    /// Its value is arbitrary because of [`crate::entry`].
    pub is_argument: bool,
    /// The alignment asked for by attributes, if it is more than that of the type.
    pub align: u64,
    /// The size, which flexible array members may make larger than that of the type.
    pub size: u64,
}

/// The contents of a global object when the program starts.
#[derive(Clone, Debug)]
pub enum Initial {
    /// Zero, except for these scalar parts of the object. The values are numbers, or addresses of
    /// globals and functions with constant offsets.
    Values(Vec<(Place, Expr)>),
    /// Declared but nowhere defined: arbitrary.
    External,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// The name in the program's text, if [`crate::library::aliases`] has given it another one.
    pub written: Option<String>,
    /// The type of the function itself, not of a pointer to it.
    pub ty: Ty,
    pub position: Position,
    /// `None` if the function is only declared.
    pub body: Option<Body>,
    /// Declared not to return.
    pub noreturn: bool,
    /// The body is not the program's own, but says what a library function does.
    pub is_library: bool,
    /// The library function of which this is the version for one call.
    pub version_of: Option<FuncId>,
}

/// The graph of a function.
#[derive(Clone, Debug)]
pub struct Body {
    /// Parameters first.
    pub locals: Vec<Local>,
    pub parameters: usize,
    /// Block 0 is the entry.
    pub blocks: Vec<Block>,
    pub loops: Vec<Loop>,
    pub scopes: Vec<Scope>,
    /// The position of the closing brace.
    pub end: Position,
}

#[derive(Clone, Debug)]
pub struct Local {
    /// The declared name; temporaries have none.
    pub name: Option<String>,
    pub ty: Ty,
    pub kind: LocalKind,
    pub position: Position,
    pub scope: ScopeId,
    pub align: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalKind {
    Parameter,
    Variable,
    /// Introduced by the typing. Never has its address taken, unless it is a compound literal or
    /// the result of a call that returns a record.
    Temporary,
    /// The address of a variable-length array that was declared under this name.
    VariableArray,
}

/// A block of the source with the names it declares. Scope 0 is that of the parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    pub parent: Option<ScopeId>,
    pub begin: Position,
    pub end: Position,
}

/// A loop statement of the source. Loops made by `goto` are not listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The block that every iteration begins with.
    pub head: BlockId,
    /// Of the keyword `for`, `while` or `do`.
    pub position: Position,
    pub scope: ScopeId,
}

/// A sequence of statements and the way out.
#[derive(Clone, Debug)]
pub struct Block {
    pub statements: Vec<Stmt>,
    pub terminator: Terminator,
    /// Of the terminator.
    pub position: Position,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub position: Position,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Both sides have the same type, or are records of the same size.
    Assign { place: Place, value: Expr },
    /// Sets all bytes of a place to 0.
    Zero(Place),
    /// The lifetime of a variable begins: its value is arbitrary from here on.
    Declare(LocalId),
    /// The block that a variable or compound literal belongs to begins, if it has not begun. Stands
    /// only for those whose address is taken, as the next one does.
    Begin(LocalId),
    /// Its block ends, and with it the object; of an array of variable length, what its variable
    /// points to.
    End(LocalId),
    /// Calls of functions that are known have arguments of the types of the parameters. If they
    /// are more, the rest goes to `...` or is ignored; if they are fewer, the remaining parameters
    /// are arbitrary. Through a pointer, types may disagree as well.
    Call { result: Option<Place>, callee: Callee, arguments: Vec<Expr> },
    /// Allocates `size` bytes that live until the function returns, or until [`StmtKind::End`] of
    /// the variable, and stores their address.
    Allocate { pointer: Place, size: Expr },
    /// Makes a `va_list` refer to the arguments after the last parameter.
    VaStart(Place),
    /// Takes the next argument of a `va_list`.
    VaArg { result: Place, list: Place },
    /// Copies a `va_list`.
    VaCopy { to: Place, from: Place },
}

#[derive(Clone, Debug)]
pub enum Callee {
    Function(FuncId),
    /// The value of a pointer to a function.
    Pointer(Expr),
}

#[derive(Clone, Debug)]
pub enum Terminator {
    Goto(BlockId),
    /// The condition has type `int`.
    Branch {
        condition: Expr,
        then: BlockId,
        otherwise: BlockId,
    },
    /// The ranges do not overlap.
    Switch {
        value: Expr,
        ranges: Vec<SwitchRange>,
        default: BlockId,
    },
    /// Without a value in a function that has a result, the result is arbitrary.
    Return(Option<Expr>),
    /// Reaching this is undefined behaviour (`__builtin_unreachable`).
    Unreachable,
}

/// The values from `low` to `high`, as bits of the type of the controlling expression and compared
/// by its signedness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SwitchRange {
    pub low: u128,
    pub high: u128,
    pub target: BlockId,
}

impl Terminator {
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Terminator::Goto(target) => vec![*target],
            Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Terminator::Switch { ranges, default, .. } => {
                ranges.iter().map(|range| range.target).chain([*default]).collect()
            }
            Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
        }
    }

    /// Replaces every successor by its image under `map`.
    pub fn retarget(&mut self, map: impl Fn(BlockId) -> BlockId) {
        match self {
            Terminator::Goto(target) => *target = map(*target),
            Terminator::Branch { then, otherwise, .. } => {
                (*then, *otherwise) = (map(*then), map(*otherwise));
            }
            Terminator::Switch { ranges, default, .. } => {
                *default = map(*default);
                for range in ranges {
                    range.target = map(range.target);
                }
            }
            Terminator::Return(_) | Terminator::Unreachable => {}
        }
    }
}

impl Program {
    /// Whether a statement stands for an annotation.
    pub fn is_annotation(&self, statement: Position) -> bool {
        self.witness == Some(statement.file)
    }

    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The library function that a version of it stands for; of any other, the function itself.
    pub fn original(&self, id: FuncId) -> FuncId {
        self.function(id).version_of.unwrap_or(id)
    }

    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }

    /// The function of this name; the first one if several files have static ones.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().position(|f| f.name == name).map(|index| FuncId(index as u32))
    }
}

impl Body {
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }
}
