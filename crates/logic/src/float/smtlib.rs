//! Printing with the theory `FloatingPoint` of SMT-LIB.
//!
//! The theory has no standard way back from a number to its bits. A result is therefore a new
//! bit-vector variable that is asserted to spell the number, and to be the canonical NaN where it
//! spells none. What the theory lacks is lowered: the 80-bit format, `fmod`, `scalbn`, and conversions to
//! integers, which it leaves open for numbers that do not fit.

use super::{FloatFormat, FloatFunction, FloatOp, Lowering, Rounding};
use crate::bitvec::BitVec;
use crate::smtlib::{constant, script_with};
use crate::term::{MAX_ARITY, Op, Sort, Term, TermStore};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// An operator that is kept: `result` spells its value on the operands, all of them variables or
/// constants.
struct Equation {
    op: FloatOp,
    args: Vec<Term>,
    result: Term,
}

/// Like [`crate::smtlib::script`], with floating-point operators.
pub fn script(store: &TermStore, assertions: &[Term]) -> String {
    let mut keeper = Keeper { store: store.clone(), ..Keeper::default() };
    let mut terms: Vec<Term> = assertions.iter().map(|&term| keeper.translate(term)).collect();
    let Keeper { store, equations, definitions, .. } = keeper;
    terms.extend(definitions);
    let vars = equations.iter().flat_map(|e| e.args.iter().copied().chain([e.result]));
    let vars: Vec<Term> = vars.filter(|&term| store.is_var(term)).collect();
    // Solvers disagree on the name of the smallest logic that would do.
    script_with(&store, &terms, &vars, "ALL", |names| {
        let mut text = String::new();
        for equation in &equations {
            let _ = writeln!(text, "(assert {})", equation.print(&store, names));
        }
        text
    })
}

#[derive(Default)]
struct Keeper {
    store: TermStore,
    lowering: Lowering,
    image: FxHashMap<Term, Term>,
    equations: Vec<Equation>,
    /// Conditions that define the variables of the equations.
    definitions: Vec<Term>,
}

impl Keeper {
    fn translate(&mut self, term: Term) -> Term {
        for old in self.store.cone_without(&[term], |t| self.image.contains_key(&t)) {
            let mut args = [term; MAX_ARITY];
            let arity = self.store.args(old).len();
            for (place, arg) in args.iter_mut().zip(self.store.args(old)) {
                *place = self.image[arg];
            }
            let args = &args[..arity];
            let new = match self.store.op(old) {
                Op::Float(op) if expressible(op) => self.keep(op, args),
                _ if args.is_empty() => old,
                op => {
                    let rebuilt = self.store.rebuild(op, args);
                    self.lowering.lower(&mut self.store, rebuilt)
                }
            };
            self.image.insert(old, new);
        }
        self.image[&term]
    }

    fn keep(&mut self, op: FloatOp, args: &[Term]) -> Term {
        let args: Vec<Term> = args.iter().map(|&arg| self.variable(arg)).collect();
        let result = self.store.fresh_var("float", Sort::Bv(op.width()));
        let canonical = self.canonical(op, &args, result);
        self.definitions.push(canonical);
        self.equations.push(Equation { op, args, result });
        result
    }

    /// A variable with the value of a term that is not a constant.
    fn variable(&mut self, term: Term) -> Term {
        if self.store.is_var(term) || self.store.is_const(term) {
            return term;
        }
        let var = self.store.fresh_var("operand", self.store.sort(term));
        let equal = self.store.eq(var, term);
        self.definitions.push(equal);
        var
    }

    /// A result that is no number is the canonical NaN with the sign that its operands give it.
    fn canonical(&mut self, op: FloatOp, args: &[Term], result: Term) -> Term {
        let s = &mut self.store;
        let (from, to) = formats(op);
        let mut positive = s.bool(false);
        for &arg in floats(op, args) {
            let (nan, sign) = (s.float_is_nan(from, arg), s.sign(arg));
            let unsigned = s.not(sign);
            let both = s.and(nan, unsigned);
            positive = s.or(positive, both);
        }
        let magnitude = to.nan().slice(to.width() - 2, 0);
        let (sign, magnitude) = (s.not(positive), s.constant(magnitude));
        let wanted = s.concat(sign, magnitude);
        let (nan, equal) = (s.float_is_nan(to, result), s.eq(result, wanted));
        s.implies(nan, equal)
    }
}

/// The formats of the operands and of the result.
fn formats(op: FloatOp) -> (FloatFormat, FloatFormat) {
    match op.function {
        FloatFunction::Convert(to) => (op.format, to),
        _ => (op.format, op.format),
    }
}

/// The operands that are floats.
fn floats(op: FloatOp, args: &[Term]) -> &[Term] {
    match op.function {
        FloatFunction::FromSigned | FloatFunction::FromUnsigned => &[],
        _ => &args[..args.len() - op.is_rounded() as usize],
    }
}

fn expressible(op: FloatOp) -> bool {
    use FloatFunction::*;
    let (from, to) = formats(op);
    let standard = !from.has_integer_bit() && !to.has_integer_bit();
    standard && !matches!(op.function, Modulo | Scale | ToSigned(_) | ToUnsigned(_))
}

/// The bits of a variable as a number of a format.
fn spelled(format: FloatFormat, bits: &str) -> String {
    format!("({} {bits})", to_fp(format))
}

fn to_fp(format: FloatFormat) -> String {
    format!("(_ to_fp {} {})", format.exponent_bits(), format.precision())
}

impl Equation {
    fn print(&self, store: &TermStore, names: &FxHashMap<Term, String>) -> String {
        let (from, to) = formats(self.op);
        let name = |&term: &Term| store.value(term).map_or_else(|| names[&term].clone(), constant);
        let mut value = format!("({}", self.head(to));
        if self.op.is_rounded() {
            let mode = self.args[self.args.len() - 1];
            let mode = match store.value(mode).and_then(BitVec::to_u64) {
                Some(number) => mode_name(Rounding::from_number(number)).to_string(),
                None => chosen_mode(&name(&mode)),
            };
            let _ = write!(value, " {mode}");
        }
        for arg in floats(self.op, &self.args) {
            let _ = write!(value, " {}", spelled(from, &name(arg)));
        }
        if floats(self.op, &self.args).is_empty() {
            let _ = write!(value, " {}", name(&self.args[0]));
        }
        format!("(= {} {value}))", spelled(to, &name(&self.result)))
    }

    fn head(&self, to: FloatFormat) -> String {
        use FloatFunction::*;
        let head = match self.op.function {
            Add => "fp.add",
            Subtract => "fp.sub",
            Multiply => "fp.mul",
            Divide => "fp.div",
            MultiplyAdd => "fp.fma",
            SquareRoot => "fp.sqrt",
            Remainder => "fp.rem",
            RoundToIntegral => "fp.roundToIntegral",
            Convert(_) | FromSigned => return to_fp(to),
            FromUnsigned => {
                return format!("(_ to_fp_unsigned {} {})", to.exponent_bits(), to.precision());
            }
            Modulo | Scale | ToSigned(_) | ToUnsigned(_) => unreachable!("not in the theory"),
        };
        head.to_string()
    }
}

fn mode_name(mode: Rounding) -> &'static str {
    match mode {
        Rounding::NearestEven => "RNE",
        Rounding::Down => "RTN",
        Rounding::Up => "RTP",
        Rounding::TowardZero => "RTZ",
        Rounding::NearestAway => "RNA",
    }
}

/// The mode whose number a variable holds.
fn chosen_mode(bits: &str) -> String {
    let others = Rounding::ALL.into_iter().filter(|&mode| mode != Rounding::NearestAway);
    others.fold(mode_name(Rounding::NearestAway).to_string(), |rest, mode| {
        let number = BitVec::new(super::ROUNDING_WIDTH, mode as u64);
        format!("(ite (= {bits} #b{number:b}) {} {rest})", mode_name(mode))
    })
}
