//! From syntax trees to the typed program.
//!
//! The files of a program are typed one after the other into the same tables and thereby linked.
//! Within a file, declarations come in order, and function bodies are lowered where they stand.
//!
//! | part | files |
//! | --- | --- |
//! | names, blocks | `scope`, `builder`, `tidy` |
//! | types | `specifiers`, `attributes`, `records`, `declarators` |
//! | objects and functions | `declarations`, `linkage`, `functions`, `initializers`, `parts` |
//! | statements | `statements`, `loops`, `switch` |
//! | expressions | `expressions`, `constants`, `nodes`, `operators`, `assignments`, `lvalues`, `logic`, `calls`, `builtins`, `bit_builtins`, `float_builtins`, `overflow`, `sizes`, `conversions` |

mod annotations;
mod assignments;
mod attributes;
mod bit_builtins;
mod builder;
mod builtins;
mod calls;
mod cleanup;
mod computed_goto;
mod constants;
mod conversions;
mod declarations;
mod declarators;
mod effects;
mod expressions;
mod float_builtins;
mod functions;
mod initializers;
mod lifetimes;
mod linkage;
mod logic;
mod loops;
mod lvalues;
mod nodes;
mod operators;
mod order;
mod overflow;
mod parts;
mod qualifiers;
mod records;
mod scope;
mod sizes;
mod specifiers;
mod startup;
mod statements;
mod switch;
mod tidy;
mod vectors;
mod weak;

use crate::annotation::Insertions;
use crate::error::{Fault, Warning};
use crate::library::UndefinedFunctions;
use crate::read::Unit;
use crate::source::{Files, Position};
use crate::typed::{
    Expr, FuncId, Function, Global, GlobalId, Local, LocalId, LocalKind, Place, PlaceKind, Program,
    StmtKind,
};
use crate::types::{DataModel, Ty, Types};
use annotations::Annotator;
use builder::{Builder, Mark};
use effects::Summary;
use lang_c::ast::ExternalDeclaration;
use lang_c::span::{Node, Span};
use linkage::{Alias, Entity};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Scopes;
use startup::Startup;
use vectors::Vector;

type Result<T> = std::result::Result<T, Fault>;

/// Types and links the files of a program.
pub fn type_program(
    units: &[Unit],
    model: DataModel,
    files: Files,
    warnings: Vec<Warning>,
    insertions: &Insertions,
) -> std::result::Result<(Program, Vec<usize>), (Fault, Files)> {
    let Some(first) = units.first() else {
        return Err((Fault::invalid(Position::default(), "no input"), files));
    };
    let mut typer = Typer::new(first, model, warnings);
    typer.annotations = Annotator::new(insertions);
    typer.effects = Summary::of(units.iter().map(|unit| &unit.tree));
    typer.missing = weak::undefined(units.iter().map(|unit| &unit.tree));
    for (number, unit) in units.iter().enumerate() {
        typer.begin_unit(unit, number as u32);
        if let Err(fault) = typer.unit() {
            return Err((fault, files));
        }
    }
    if let Err(fault) = typer.finish() {
        return Err((fault, files));
    }
    let misplaced = typer.annotations.misplaced();
    let Typer { types, globals, functions, warnings, .. } = typer;
    let main = functions.iter().position(|f| f.name == "main" && f.body.is_some());
    let main = main.map(|index| FuncId(index as u32));
    let undefined_functions = UndefinedFunctions::default();
    let entry = None;
    let witness = insertions.witness;
    let program = Program {
        types,
        globals,
        functions,
        main,
        files,
        warnings,
        undefined_functions,
        entry,
        witness,
    };
    Ok((program, misplaced))
}

struct Typer<'u> {
    types: Types,
    globals: Vec<Global>,
    functions: Vec<Function>,
    /// Names with external linkage, over all files.
    linkage: FxHashMap<String, Entity>,
    unit: &'u Unit,
    scopes: Scopes,
    builder: Builder,
    /// The function being lowered.
    function: Option<FuncId>,
    /// Inside a parameter list that is not that of a definition: array lengths may be unknown.
    in_prototype: u32,
    /// Inside an expression that has to be constant: it is not computed when the program runs.
    in_constant: u32,
    /// Objects of the current file that were first declared `static`.
    static_globals: FxHashSet<GlobalId>,
    /// Functions declared to be another name for the function of this name.
    aliases: Vec<Alias>,
    /// The names for the linker that objects have been given.
    object_symbols: Vec<(String, Position)>,
    /// Constructors and destructors.
    startup: Startup,
    /// Weak names that nobody defines.
    missing: FxHashSet<String>,
    /// Global objects that have had their initialiser.
    initialized: FxHashSet<GlobalId>,
    /// String literals by contents and element type.
    strings: FxHashMap<(Vec<u32>, Ty), GlobalId>,
    /// The vectors that there are.
    vectors: Vec<(Ty, Vector)>,
    /// What the functions of the program do.
    effects: Summary<'u>,
    /// The function that chooses the order of operands, if one has been needed.
    order_function: Option<FuncId>,
    warnings: Vec<Warning>,
    annotations: Annotator<'u>,
}

impl<'u> Typer<'u> {
    fn new(unit: &'u Unit, model: DataModel, warnings: Vec<Warning>) -> Typer<'u> {
        Typer {
            vectors: Vec::new(),
            effects: Summary::default(),
            order_function: None,
            types: Types::new(model),
            globals: Vec::new(),
            functions: Vec::new(),
            linkage: FxHashMap::default(),
            unit,
            scopes: Scopes::default(),
            builder: Builder::for_file(),
            function: None,
            in_prototype: 0,
            in_constant: 0,
            static_globals: FxHashSet::default(),
            aliases: Vec::new(),
            object_symbols: Vec::new(),
            startup: Startup::default(),
            missing: FxHashSet::default(),
            initialized: FxHashSet::default(),
            strings: FxHashMap::default(),
            warnings,
            annotations: Annotator::default(),
        }
    }

    fn begin_unit(&mut self, unit: &'u Unit, number: u32) {
        self.unit = unit;
        self.types.unit = number;
        self.scopes = Scopes::default();
        self.builder = Builder::for_file();
        self.annotations.begin_unit(number as usize);
    }

    fn unit(&mut self) -> Result<()> {
        let unit = self.unit;
        self.ghosts()?;
        for declaration in &unit.tree.0 {
            match &declaration.node {
                ExternalDeclaration::Declaration(declaration) => self.declaration(declaration)?,
                ExternalDeclaration::StaticAssert(assertion) => self.static_assert(assertion)?,
                ExternalDeclaration::FunctionDefinition(definition) => {
                    self.function_definition(definition)?;
                }
            }
        }
        Ok(())
    }

    fn at(&self, span: Span) -> Position {
        self.unit.position(span)
    }

    fn position<T>(&self, node: &Node<T>) -> Position {
        self.unit.position(node.span)
    }

    fn warn(&mut self, position: Position, what: impl Into<String>) {
        self.warnings.push(Warning { position, what: what.into() });
    }

    /// Runs `examine` for what it finds out; what it builds is thrown away.
    fn unevaluated<T>(&mut self, examine: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let suspended = self.builder.suspend();
        let result = examine(self);
        self.builder.resume(suspended);
        result
    }

    /// A variable or compound literal in the current scope.
    fn new_local(&mut self, name: Option<&str>, ty: Ty, align: u64, position: Position) -> LocalId {
        let scope = self.current_scope();
        let (name, kind) = (name.map(str::to_string), LocalKind::Variable);
        self.builder.local(Local { name, ty, kind, position, scope, align })
    }

    fn local_place(&self, id: LocalId, position: Position) -> Place {
        Place::new(PlaceKind::Local(id), self.builder.locals[id.0 as usize].ty, position)
    }

    fn global_place(&self, id: GlobalId, position: Position) -> Place {
        Place::new(PlaceKind::Global(id), self.globals[id.0 as usize].ty, position)
    }

    fn assign(&mut self, place: Place, value: Expr, position: Position) -> Result<()> {
        self.builder.emit(StmtKind::Assign { place, value }, position)
    }

    /// Stores `value` in a new temporary and gives the temporary's value.
    fn save(&mut self, value: Expr) -> Result<Expr> {
        let position = value.position;
        let temporary = self.builder.temporary(value.ty, position);
        let place = self.local_place(temporary, position);
        self.assign(place.clone(), value, position)?;
        Ok(Expr::load(place))
    }

    /// The value that `value` had at `mark`, which matters if something was done since then.
    fn settle(&mut self, mark: Mark, value: Expr) -> Expr {
        if self.builder.is_unchanged(mark) || !self.reads_storage(&value) {
            return value;
        }
        let position = value.position;
        let temporary = self.builder.temporary(value.ty, position);
        let place = self.local_place(temporary, position);
        self.builder.insert(mark, StmtKind::Assign { place: place.clone(), value }, position);
        Expr::load(place)
    }

    /// The place that `place` was at `mark`: indices and pointers are settled.
    fn settle_place(&mut self, mark: Mark, place: Place) -> Place {
        if self.builder.is_unchanged(mark) {
            return place;
        }
        let kind = match place.kind {
            PlaceKind::Deref(pointer) => PlaceKind::Deref(Box::new(self.settle(mark, *pointer))),
            PlaceKind::Field(base, index) => {
                PlaceKind::Field(Box::new(self.settle_place(mark, *base)), index)
            }
            PlaceKind::Index(base, index) => {
                let base = self.settle_place(mark, *base);
                PlaceKind::Index(Box::new(base), Box::new(self.settle(mark, *index)))
            }
            kind => kind,
        };
        Place::new(kind, place.ty, place.position)
    }
}
