//! A listing of typed programs, close to C, for people and for tests.

use super::expr::{CastKind, Expr, ExprKind, Place, PlaceKind, UnaryOp};
use super::program::{Body, Callee, Function, Initial, Program, Stmt, StmtKind, Terminator};
use crate::arith::{float, int};
use crate::types::FloatKind;
use std::fmt::{self, Write};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for global in &self.globals {
            let declaration = self.types.declare(global.ty, &global.name);
            match &global.initial {
                Initial::External => writeln!(f, "extern {declaration};")?,
                Initial::Values(values) if values.is_empty() => writeln!(f, "{declaration};")?,
                Initial::Values(values) => {
                    let names = Names { program: self, body: None };
                    let parts = values.iter().map(|(place, value)| {
                        format!("{} = {}", names.place(place), names.expr(value))
                    });
                    writeln!(f, "{declaration} {{ {} }}", parts.collect::<Vec<_>>().join("; "))?;
                }
            }
        }
        self.functions.iter().try_for_each(|function| self.write_function(f, function))
    }
}

impl Program {
    fn write_function(&self, f: &mut fmt::Formatter, function: &Function) -> fmt::Result {
        let declaration = self.types.declare(function.ty, &function.name);
        let Some(body) = &function.body else { return writeln!(f, "{declaration};") };
        writeln!(f, "{declaration} {{")?;
        let names = Names { program: self, body: Some(body) };
        for (number, local) in body.locals.iter().enumerate() {
            writeln!(f, "  {};", self.types.declare(local.ty, &names.local(number)))?;
        }
        for (number, block) in body.blocks.iter().enumerate() {
            writeln!(f, "b{number}:")?;
            for statement in &block.statements {
                writeln!(f, "  {};", names.statement(statement))?;
            }
            writeln!(f, "  {};", names.terminator(&block.terminator))?;
        }
        writeln!(f, "}}")
    }

    /// An expression of a function (of an initialiser without `body`), as a listing shows it.
    pub fn show_expr(&self, body: Option<&Body>, expr: &Expr) -> String {
        Names { program: self, body }.expr(expr)
    }

    /// The value with these bits, as C would write it.
    pub fn show_value(&self, ty: crate::types::Ty, bits: u128) -> String {
        let kind = match self.types.is_float(ty) {
            true => ExprKind::Float(bits),
            false => ExprKind::Int(bits),
        };
        self.show_expr(None, &Expr::new(kind, ty, crate::source::Position::default()))
    }

    /// A place of a function, as a listing shows it.
    pub fn show_place(&self, body: Option<&Body>, place: &Place) -> String {
        Names { program: self, body }.place(place)
    }
}

/// Gives names to what expressions refer to.
struct Names<'a> {
    program: &'a Program,
    body: Option<&'a Body>,
}

impl Names<'_> {
    fn local(&self, number: usize) -> String {
        let local = self.body.and_then(|body| body.locals.get(number));
        match local.and_then(|local| local.name.as_deref()) {
            Some(name) if self.is_unique(name) => name.to_string(),
            Some(name) => format!("{name}.{number}"),
            None => format!("t{number}"),
        }
    }

    fn is_unique(&self, name: &str) -> bool {
        let locals = self.body.map_or(&[][..], |body| &body.locals);
        locals.iter().filter(|local| local.name.as_deref() == Some(name)).count() <= 1
    }

    fn place(&self, place: &Place) -> String {
        match &place.kind {
            PlaceKind::Local(id) => self.local(id.0 as usize),
            PlaceKind::Global(id) => {
                self.program.globals.get(id.0 as usize).map_or("?".into(), |g| g.name.clone())
            }
            PlaceKind::Deref(pointer) => format!("*{}", self.operand(pointer)),
            PlaceKind::Field(base, index) => {
                let fields = self.program.types.fields(base.ty);
                let name = fields.get(*index as usize).and_then(|field| field.name.as_deref());
                let name = name.map_or_else(|| format!("<{index}>"), str::to_string);
                match &base.kind {
                    PlaceKind::Deref(pointer) => format!("{}->{name}", self.operand(pointer)),
                    _ => format!("{}.{name}", self.place(base)),
                }
            }
            PlaceKind::Index(base, index) => {
                let shown = match &base.kind {
                    PlaceKind::Deref(_) => format!("({})", self.place(base)),
                    _ => self.place(base),
                };
                format!("{shown}[{}]", self.expr(index))
            }
        }
    }

    /// An expression in parentheses, unless it is a single thing.
    fn operand(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Load(_) | ExprKind::Function(_) => self.expr(expr),
            ExprKind::Int(_) | ExprKind::Float(_) => self.expr(expr),
            _ => format!("({})", self.expr(expr)),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        let types = &self.program.types;
        match &expr.kind {
            ExprKind::Int(value) => self.int(*value, expr),
            ExprKind::Float(bits) => {
                let kind = types.float_kind(expr.ty).unwrap_or(FloatKind::Double);
                let double = float::convert(*bits, kind, FloatKind::Double);
                format!("{:?}", f64::from_bits(double as u64))
            }
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => format!("&{}", self.place(place)),
            ExprKind::Function(id) => self.program.function(*id).name.clone(),
            ExprKind::Unary(op, operand) => {
                let operand = self.operand(operand);
                match op {
                    UnaryOp::Negate => format!("-{operand}"),
                    UnaryOp::Complement => format!("~{operand}"),
                    UnaryOp::LeadingZeros => format!("clz({operand})"),
                    UnaryOp::TrailingZeros => format!("ctz({operand})"),
                    UnaryOp::PopulationCount => format!("popcount({operand})"),
                    UnaryOp::ReverseBytes => format!("bswap({operand})"),
                }
            }
            ExprKind::Binary(op, left, right) => {
                format!("{} {} {}", self.operand(left), op.symbol(), self.operand(right))
            }
            ExprKind::PointerAdd { pointer, index, scale } => {
                format!("{} +{scale} {}", self.operand(pointer), self.operand(index))
            }
            ExprKind::PointerDifference { left, right, scale } => {
                format!("{} -{scale} {}", self.operand(left), self.operand(right))
            }
            ExprKind::Cast(kind, operand) => {
                let mark =
                    if *kind == CastKind::ToBool { "_Bool".into() } else { types.show(expr.ty) };
                format!("({mark}){}", self.operand(operand))
            }
            ExprKind::And(left, right) => {
                format!("{} && {}", self.operand(left), self.operand(right))
            }
            ExprKind::Or(left, right) => {
                format!("{} || {}", self.operand(left), self.operand(right))
            }
            ExprKind::Conditional(condition, then, otherwise) => format!(
                "{} ? {} : {}",
                self.operand(condition),
                self.operand(then),
                self.operand(otherwise)
            ),
        }
    }

    fn int(&self, value: u128, expr: &Expr) -> String {
        match self.program.types.int_format(expr.ty) {
            Some(format) if format.signed => (int::extend(value, format) as i128).to_string(),
            Some(_) => format!("{value}u"),
            None if value == 0 => "null".to_string(),
            None => format!("@{value:#x}"),
        }
    }

    fn statement(&self, statement: &Stmt) -> String {
        match &statement.kind {
            StmtKind::Assign { place, value } => {
                format!("{} = {}", self.place(place), self.expr(value))
            }
            StmtKind::Zero(place) => format!("zero {}", self.place(place)),
            StmtKind::Declare(id) => format!("declare {}", self.local(id.0 as usize)),
            StmtKind::Begin(id) => format!("begin {}", self.local(id.0 as usize)),
            StmtKind::End(id) => format!("end {}", self.local(id.0 as usize)),
            StmtKind::Call { result, callee, arguments } => {
                let mut text = String::new();
                if let Some(place) = result {
                    let _ = write!(text, "{} = ", self.place(place));
                }
                match callee {
                    Callee::Function(id) => text.push_str(&self.program.function(*id).name),
                    Callee::Pointer(pointer) => {
                        let _ = write!(text, "(*{})", self.operand(pointer));
                    }
                }
                let arguments: Vec<String> = arguments.iter().map(|a| self.expr(a)).collect();
                let _ = write!(text, "({})", arguments.join(", "));
                text
            }
            StmtKind::Allocate { pointer, size } => {
                format!("{} = allocate {}", self.place(pointer), self.expr(size))
            }
            StmtKind::VaStart(list) => format!("va_start {}", self.place(list)),
            StmtKind::VaArg { result, list } => {
                format!("{} = va_arg {}", self.place(result), self.place(list))
            }
            StmtKind::VaCopy { to, from } => {
                format!("va_copy {}, {}", self.place(to), self.place(from))
            }
        }
    }

    fn terminator(&self, terminator: &Terminator) -> String {
        match terminator {
            Terminator::Goto(target) => format!("goto b{}", target.0),
            Terminator::Branch { condition, then, otherwise } => {
                format!("if {} goto b{} else b{}", self.operand(condition), then.0, otherwise.0)
            }
            Terminator::Switch { value, ranges, default } => {
                let mut text = format!("switch {}", self.operand(value));
                for range in ranges {
                    let bound = |bits| self.int(bits, value);
                    let _ = write!(text, " {}", bound(range.low));
                    if range.high != range.low {
                        let _ = write!(text, "..{}", bound(range.high));
                    }
                    let _ = write!(text, ": b{},", range.target.0);
                }
                let _ = write!(text, " default: b{}", default.0);
                text
            }
            Terminator::Return(Some(value)) => format!("return {}", self.expr(value)),
            Terminator::Return(None) => "return".to_string(),
            Terminator::Unreachable => "unreachable".to_string(),
        }
    }
}
