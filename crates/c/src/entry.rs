//! A function as the entry of a program, with arguments that may be anything.
//!
//! A function is added that stands for every caller: it gives each argument a value and calls the
//! function. Numbers are arbitrary. A pointer is null or refers to a new object of its own with one
//! to [`EntryPoint::max_array`] elements, whose contents are arbitrary in turn; pointers behind more
//! than [`EntryPoint::depth`] others are null. A pointer to a function is null or a function that nobody
//! knows. The objects come from the allocator, so they may be freed, and are kept in global
//! variables, so they are not lost when the function returns. Different pointers never refer to one
//! object. Each value is the result of a function whose name begins with [`ARGUMENT`], so
//! counterexamples, replay and tests treat arguments like any other input.

use crate::error::{Error, Fault};
use crate::library::ARGUMENT;
use crate::source::Position;
use crate::typed::{
    BinaryOp, Block, BlockId, Body, Callee, CastKind, Expr, ExprKind, FuncId, Function, Global,
    GlobalId, Initial, Local, LocalId, LocalKind, Place, PlaceKind, Program, Scope, ScopeId, Stmt,
    StmtKind, Terminator,
};
use crate::types::{Length, RecordKind, Signature, Ty, Type};

/// Where runs begin, and with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    pub function: String,
    /// The most elements behind a pointer.
    pub max_array: u64,
    /// How many pointers lead to an object at most.
    pub depth: u32,
    /// Whether global variables that are not `const` may have any value, instead of their first one.
    pub arbitrary_globals: bool,
}

/// Values beyond this number are left as they are when an object comes into being: arbitrary as
/// well, but without a name.
const MAX_INPUTS: usize = 400;
/// The name of the function that stands for callers.
const CALLER: &str = "the caller of ";

impl Program {
    /// Lets runs begin in another function. An error says why that is impossible.
    pub fn begin_at(&mut self, entry: &EntryPoint) -> Result<(), Error> {
        let found = self.functions.iter().position(|function| {
            function.name == entry.function && function.body.is_some() && !function.is_library
        });
        let Some(index) = found else {
            let fault = Fault::invalid(Position::default(), unknown(self, &entry.function));
            return Err(fault.named(&self.files));
        };
        let id = FuncId(index as u32);
        if self.main == Some(id) && !entry.arbitrary_globals {
            return Ok(());
        }
        let mut maker = Maker::new(self, entry, id);
        let made = maker.make(id);
        let (locals, blocks, at) = (maker.locals, maker.blocks, maker.at);
        made.map_err(|fault| fault.named(&self.files))?;
        let body = Body {
            locals,
            parameters: 0,
            blocks,
            loops: Vec::new(),
            scopes: vec![Scope { parent: None, begin: at, end: at }],
            end: at,
        };
        let caller = new_function(self, format!("{CALLER}{}", entry.function), Ty::INT, &[], at);
        self.functions[caller.0 as usize].body = Some(body);
        (self.main, self.entry) = (Some(caller), Some(id));
        Ok(())
    }
}

/// What to say about a name that no function has.
fn unknown(program: &Program, name: &str) -> String {
    let own = program.functions.iter().filter(|f| f.body.is_some() && !f.is_library);
    let mut names: Vec<&str> = own.map(|function| function.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    match names.is_empty() {
        true => format!("no function `{name}` is defined, nor any other"),
        false => format!("no function `{name}` is defined; there are {}", names.join(", ")),
    }
}

pub(crate) fn new_function(
    program: &mut Program,
    name: String,
    result: Ty,
    parameters: &[Ty],
    position: Position,
) -> FuncId {
    let parameters = parameters.to_vec();
    let signature = Signature { result, parameters, variadic: false, prototype: true };
    let ty = program.types.intern(Type::Function(signature));
    program.functions.push(Function {
        name,
        written: None,
        ty,
        position,
        body: None,
        noreturn: false,
        is_library: false,
        version_of: None,
    });
    FuncId(program.functions.len() as u32 - 1)
}

/// The body of the caller as it grows.
struct Maker<'a> {
    program: &'a mut Program,
    entry: &'a EntryPoint,
    locals: Vec<Local>,
    blocks: Vec<Block>,
    at: Position,
    inputs: usize,
    allocate: FuncId,
    assume: FuncId,
}

impl<'a> Maker<'a> {
    fn new(program: &'a mut Program, entry: &'a EntryPoint, id: FuncId) -> Maker<'a> {
        let at = program.function(id).position;
        let (size, any) = (program.types.size_type(), program.types.pointer(Ty::VOID));
        let allocate = new_function(program, "malloc".to_string(), any, &[size], at);
        let assume =
            new_function(program, "__VERIFIER_assume".to_string(), Ty::VOID, &[Ty::INT], at);
        let (locals, inputs) = (Vec::new(), 0);
        let blocks = vec![empty_block(at)];
        Maker { program, entry, locals, blocks, at, inputs, allocate, assume }
    }

    fn make(&mut self, id: FuncId) -> Result<(), Fault> {
        if self.entry.arbitrary_globals {
            self.globals()?;
        }
        let Some(body) = &self.program.function(id).body else { return Ok(()) };
        let parameters: Vec<Local> = body.locals[..body.parameters].to_vec();
        let mut arguments = Vec::new();
        for (index, parameter) in parameters.into_iter().enumerate() {
            let name = parameter.name.unwrap_or_else(|| format!("argument{}", index + 1));
            self.at = parameter.position;
            let place = self.keep(name.clone(), parameter.ty, parameter.align);
            self.arbitrary(&place, &name, self.entry.depth)?;
            arguments.push(Expr::load(place));
        }
        self.at = self.program.function(id).position;
        let callee = Callee::Function(id);
        self.push(StmtKind::Call { result: None, callee, arguments });
        let status = Expr::int(0, Ty::INT, self.at);
        self.end(Terminator::Return(Some(status)));
        Ok(())
    }

    /// Global variables that may have been written before.
    fn globals(&mut self) -> Result<(), Fault> {
        for index in 0..self.program.globals.len() {
            let global = &self.program.globals[index];
            let is_new = matches!(global.initial, Initial::External);
            if global.is_literal || global.is_constant || is_new && !self.has_pointers(global.ty) {
                continue;
            }
            let (name, ty) = (global.name.clone(), global.ty);
            self.at = global.position;
            let global = &mut self.program.globals[index];
            if !is_new {
                (global.initial, global.is_argument) = (Initial::External, true);
            }
            let place = self.place(PlaceKind::Global(GlobalId(index as u32)), ty);
            self.arbitrary(&place, &name, self.entry.depth)?;
        }
        Ok(())
    }

    /// A global variable for an argument.
    fn keep(&mut self, name: String, ty: Ty, align: u64) -> Place {
        let size = self.program.types.size(ty).unwrap_or(0);
        self.program.globals.push(Global {
            name,
            ty,
            position: self.at,
            initial: Initial::External,
            scope: None,
            is_literal: false,
            is_shared: false,
            is_constant: false,
            is_argument: true,
            align,
            size,
        });
        let id = GlobalId(self.program.globals.len() as u32 - 1);
        self.place(PlaceKind::Global(id), ty)
    }

    fn place(&self, kind: PlaceKind, ty: Ty) -> Place {
        Place::new(kind, ty, self.at)
    }

    fn push(&mut self, kind: StmtKind) {
        let position = self.at;
        if let Some(block) = self.blocks.last_mut() {
            block.statements.push(Stmt { kind, position });
        }
    }

    /// The last block ends.
    fn end(&mut self, terminator: Terminator) {
        let position = self.at;
        if let Some(block) = self.blocks.last_mut() {
            (block.terminator, block.position) = (terminator, position);
        }
    }

    /// What `then` makes happens only under a condition.
    fn when(
        &mut self,
        condition: Expr,
        then: impl FnOnce(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let first = BlockId(self.blocks.len() as u32);
        let from = self.blocks.len() - 1;
        self.blocks.push(empty_block(self.at));
        then(self)?;
        let rest = BlockId(self.blocks.len() as u32);
        self.end(Terminator::Goto(rest));
        let branch = Terminator::Branch { condition, then: first, otherwise: rest };
        (self.blocks[from].terminator, self.blocks[from].position) = (branch, self.at);
        self.blocks.push(empty_block(self.at));
        Ok(())
    }

    fn temporary(&mut self, ty: Ty) -> Place {
        let id = LocalId(self.locals.len() as u32);
        let align = self.program.types.align(ty);
        let (kind, scope, position) = (LocalKind::Temporary, ScopeId(0), self.at);
        self.locals.push(Local { name: None, ty, kind, position, scope, align });
        self.place(PlaceKind::Local(id), ty)
    }

    /// The result of an input function of this name.
    fn input(&mut self, name: &str, ty: Ty, result: Place) {
        self.inputs += 1;
        let name = format!("{ARGUMENT}{name}");
        let callee = Callee::Function(new_function(self.program, name, ty, &[], self.at));
        self.push(StmtKind::Call { result: Some(result), callee, arguments: Vec::new() });
    }

    /// A number from 0 to `most`.
    fn number(&mut self, name: &str, most: u64) -> Expr {
        let ty = self.program.types.size_type();
        let place = self.temporary(ty);
        self.input(name, ty, place.clone());
        let bound = Expr::int(most.into(), ty, self.at);
        let fits = self.compare(BinaryOp::LessEqual, Expr::load(place.clone()), bound);
        let callee = Callee::Function(self.assume);
        self.push(StmtKind::Call { result: None, callee, arguments: vec![fits] });
        Expr::load(place)
    }

    fn compare(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), Ty::INT, self.at)
    }

    /// Gives a place an arbitrary value.
    fn arbitrary(&mut self, place: &Place, name: &str, depth: u32) -> Result<(), Fault> {
        let types = &self.program.types;
        if self.inputs >= MAX_INPUTS {
            return match self.has_pointers(place.ty) {
                true => Err(Fault::unsupported(self.at, "so many pointers behind arguments")),
                false => Ok(()),
            };
        }
        match types.get(place.ty).clone() {
            Type::Pointer(target) => self.pointer(place, target, name, depth),
            Type::Array(element, Length::Fixed(count)) => {
                for index in 0..count {
                    if self.inputs >= MAX_INPUTS && !self.has_pointers(element) {
                        break;
                    }
                    let (at, offset) = (self.at, self.program.types.offset_type());
                    let number = Box::new(Expr::int(index.into(), offset, at));
                    let kind = PlaceKind::Index(Box::new(place.clone()), number);
                    self.arbitrary(&self.place(kind, element), &format!("{name}[{index}]"), depth)?;
                }
                Ok(())
            }
            Type::Array(..) => Ok(()),
            Type::Record(_) => self.record(place, name, depth),
            Type::VaList | Type::Function(_) | Type::Void => {
                let ty = types.show(place.ty);
                Err(Fault::unsupported(self.at, format!("an arbitrary value of type `{ty}`")))
            }
            _ => {
                // Bits of a word are not the result of a call, but are assigned.
                let between = self.temporary(place.ty);
                self.input(name, place.ty, between.clone());
                self.push(StmtKind::Assign { place: place.clone(), value: Expr::load(between) });
                Ok(())
            }
        }
    }

    /// All members of a structure, or one of a union.
    fn record(&mut self, place: &Place, name: &str, depth: u32) -> Result<(), Fault> {
        let types = &self.program.types;
        let is_union = types.record(place.ty).is_some_and(|r| r.kind == RecordKind::Union);
        let fields = types.fields(place.ty).iter().enumerate();
        let is_value = |field: &crate::types::Field| field.bits.is_none_or(|bits| bits.width > 0);
        let named: Vec<(u32, Ty, String)> = fields
            .filter(|(_, field)| is_value(field) && (field.name.is_some() || field.bits.is_none()))
            .map(|(index, field)| {
                let text = field.name.as_ref().map_or(String::new(), |f| format!(".{f}"));
                (index as u32, field.ty, text)
            })
            .collect();
        let which = match is_union && named.len() > 1 {
            true => Some(self.number(&format!("member of {name}"), named.len() as u64 - 1)),
            false => None,
        };
        for (number, (index, ty, text)) in named.into_iter().enumerate() {
            let member = self.place(PlaceKind::Field(Box::new(place.clone()), index), ty);
            let text = format!("{name}{text}");
            let Some(which) = &which else {
                self.arbitrary(&member, &text, depth)?;
                continue;
            };
            let wanted = Expr::int(number as u128, which.ty, self.at);
            let is_meant = self.compare(BinaryOp::Equal, which.clone(), wanted);
            self.when(is_meant, |maker| maker.arbitrary(&member, &text, depth))?;
        }
        Ok(())
    }

    /// Null, or a new object of some elements.
    fn pointer(&mut self, place: &Place, target: Ty, name: &str, depth: u32) -> Result<(), Fault> {
        let null = Expr::int(0, place.ty, self.at);
        self.push(StmtKind::Assign { place: place.clone(), value: null });
        if depth == 0 {
            return Ok(());
        }
        let zero = |maker: &Self| Expr::int(0, maker.program.types.size_type(), maker.at);
        if self.program.types.is_function(target) {
            let given = self.number(&format!("functions behind {name}"), 1);
            let is_given = self.compare(BinaryOp::NotEqual, given, zero(self));
            return self.when(is_given, |maker| {
                let function = maker.unknown_function(target, name);
                let value = Expr::new(ExprKind::Function(function), place.ty, maker.at);
                maker.push(StmtKind::Assign { place: place.clone(), value });
                Ok(())
            });
        }
        // Bytes, where the type is not known.
        let size = self.program.types.size(target).filter(|&size| size > 0 && target != Ty::VOID);
        let most = self.entry.max_array;
        let count = self.number(&format!("elements behind {name}"), most);
        let is_given = self.compare(BinaryOp::NotEqual, count.clone(), zero(self));
        self.when(is_given, |maker| {
            maker.allocate(place, (count.clone(), most), size.unwrap_or(1));
            for index in 0..most {
                if size.is_none() || maker.inputs >= MAX_INPUTS && !maker.has_pointers(target) {
                    break;
                }
                let element = maker.element(place, target, size.unwrap_or(1), index);
                let text = format!("{name}[{index}]");
                if index == 0 {
                    maker.arbitrary(&element, &text, depth - 1)?;
                    continue;
                }
                let number = Expr::int(index.into(), count.ty, maker.at);
                let exists = maker.compare(BinaryOp::Greater, count.clone(), number);
                maker.when(exists, |maker| maker.arbitrary(&element, &text, depth - 1))?;
            }
            Ok(())
        })
    }

    /// A function that nobody knows.
    fn unknown_function(&mut self, ty: Ty, name: &str) -> FuncId {
        let id = new_function(self.program, format!("behind {name}"), Ty::VOID, &[], self.at);
        self.program.functions[id.0 as usize].ty = ty;
        id
    }

    fn allocate(&mut self, place: &Place, (count, most): (Expr, u64), size: u64) {
        let (at, ty) = (self.at, self.program.types.size_type());
        let unit = Expr::int(size.into(), ty, at);
        let bytes = match most {
            1 => unit,
            _ => {
                let kind = ExprKind::Binary(BinaryOp::Multiply, Box::new(count), Box::new(unit));
                Expr::new(kind, ty, at)
            }
        };
        let any = self.program.types.pointer(Ty::VOID);
        let address = self.temporary(any);
        let callee = Callee::Function(self.allocate);
        let result = Some(address.clone());
        self.push(StmtKind::Call { result, callee, arguments: vec![bytes] });
        let value = match place.ty == any {
            true => Expr::load(address),
            false => {
                let operand = Box::new(Expr::load(address));
                Expr::new(ExprKind::Cast(CastKind::PointerToPointer, operand), place.ty, at)
            }
        };
        self.push(StmtKind::Assign { place: place.clone(), value });
    }

    /// An element of what a pointer points to.
    fn element(&self, pointer: &Place, ty: Ty, scale: u64, index: u64) -> Place {
        let pointer = Expr::load(pointer.clone());
        let (pointer_ty, offset) = (pointer.ty, self.program.types.offset_type());
        let pointer = match index {
            0 => pointer,
            _ => {
                let index = Box::new(Expr::int(index.into(), offset, self.at));
                let kind = ExprKind::PointerAdd { pointer: Box::new(pointer), index, scale };
                Expr::new(kind, pointer_ty, self.at)
            }
        };
        self.place(PlaceKind::Deref(Box::new(pointer)), ty)
    }

    fn has_pointers(&self, ty: Ty) -> bool {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Pointer(_) => true,
            Type::Array(element, _) => self.has_pointers(*element),
            Type::Record(_) => types.fields(ty).iter().any(|field| self.has_pointers(field.ty)),
            _ => false,
        }
    }
}

fn empty_block(position: Position) -> Block {
    Block { statements: Vec::new(), terminator: Terminator::Unreachable, position }
}
