//! From expressions that solvers print to values and terms.

use super::sexp::Sexp;
use rustc_hash::FxHashMap;
use wedge_logic::{ArrayValue, BitVec, Operator, Sort, Term, TermStore, Value};

/// What cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError(pub String);

fn error<T>(sexp: &Sexp) -> Result<T, ParseError> {
    Err(ParseError(sexp.to_string()))
}

/// A bit-vector literal or a Boolean.
fn literal(sexp: &Sexp) -> Option<BitVec> {
    match sexp {
        Sexp::Atom(atom) => {
            if let Some(digits) = atom.strip_prefix("#b") {
                return BitVec::parse(u32::try_from(digits.len()).ok()?, digits, 2).ok();
            }
            if let Some(digits) = atom.strip_prefix("#x") {
                return BitVec::parse(4 * u32::try_from(digits.len()).ok()?, digits, 16).ok();
            }
            match atom.as_str() {
                "true" => Some(true.into()),
                "false" => Some(false.into()),
                _ => None,
            }
        }
        Sexp::List(list) => match list.as_slice() {
            [Sexp::Atom(underscore), Sexp::Atom(number), Sexp::Atom(width)]
                if underscore == "_" =>
            {
                BitVec::parse(width.parse().ok()?, number.strip_prefix("bv")?, 10).ok()
            }
            _ => None,
        },
        Sexp::Text(_) => None,
    }
}

/// The value of a variable of this sort.
pub(super) fn value(sexp: &Sexp, sort: Sort) -> Result<Value, ParseError> {
    match sort {
        Sort::Bv(width) => match literal(sexp) {
            Some(value) if value.width() == width => Ok(Value::Bv(value)),
            _ => error(sexp),
        },
        Sort::Array { index, element } => array(sexp, index, element).map(Value::Array),
    }
}

/// `((as const …) v)` under any number of `(store a i v)`.
fn array(sexp: &Sexp, index: u32, element: u32) -> Result<ArrayValue, ParseError> {
    let mut writes = Vec::new();
    let mut inner = sexp;
    loop {
        match inner.list() {
            Some([head, array, at, value]) if head.atom() == Some("store") => {
                writes.push((at, value));
                inner = array;
            }
            Some([Sexp::List(head), value])
                if head.first().and_then(Sexp::atom) == Some("as")
                    && head.get(1).and_then(Sexp::atom) == Some("const") =>
            {
                let word = |sexp: &Sexp, width: u32| match literal(sexp) {
                    Some(value) if value.width() == width => Ok(value),
                    _ => error(sexp),
                };
                let mut array = ArrayValue::constant(index, word(value, element)?);
                for (at, value) in writes.into_iter().rev() {
                    array = array.write(&word(at, index)?, &word(value, element)?);
                }
                return Ok(array);
            }
            _ => return error(sexp),
        }
    }
}

/// Terms over variables with symbols, in the operators of bit-vectors and arrays.
pub(super) struct TermParser<'a> {
    pub store: &'a mut TermStore,
    pub symbols: FxHashMap<String, Term>,
}

impl TermParser<'_> {
    pub fn term(&mut self, sexp: &Sexp) -> Result<Term, ParseError> {
        if let Some(value) = literal(sexp) {
            return Ok(self.store.constant(value));
        }
        match sexp {
            Sexp::Atom(name) => match self.symbols.get(name) {
                Some(&term) => Ok(term),
                None => error(sexp),
            },
            Sexp::Text(_) => error(sexp),
            Sexp::List(list) => match list.split_first() {
                Some((head, rest)) if head.atom() == Some("let") => self.bind(sexp, rest),
                Some((head, rest)) => {
                    let args: Result<Vec<Term>, _> = rest.iter().map(|a| self.term(a)).collect();
                    self.apply(head, &args?)
                }
                None => error(sexp),
            },
        }
    }

    fn bind(&mut self, whole: &Sexp, rest: &[Sexp]) -> Result<Term, ParseError> {
        let [Sexp::List(bindings), body] = rest else { return error(whole) };
        let mut outer = Vec::new();
        for binding in bindings {
            let Some([Sexp::Atom(name), value]) = binding.list() else { return error(whole) };
            let value = self.term(value)?;
            outer.push((name.clone(), value));
        }
        let hidden: Vec<(String, Option<Term>)> = outer
            .into_iter()
            .map(|(name, value)| (name.clone(), self.symbols.insert(name, value)))
            .collect();
        let result = self.term(body);
        for (name, old) in hidden {
            match old {
                Some(old) => self.symbols.insert(name, old),
                None => self.symbols.remove(&name),
            };
        }
        result
    }

    fn apply(&mut self, head: &Sexp, args: &[Term]) -> Result<Term, ParseError> {
        let failed = || ParseError(head.to_string());
        let operator = match head {
            Sexp::Atom(name) => return self.named(name, args).ok_or_else(failed),
            Sexp::List(list) => {
                let words: Vec<&str> = list.iter().filter_map(Sexp::atom).collect();
                let number = |at: usize| words.get(at).and_then(|w| w.parse::<u32>().ok());
                match (words.as_slice(), number(2), number(3)) {
                    (["_", "extract", ..], Some(high), Some(low)) => Operator::Slice { high, low },
                    (["_", "zero_extend", _], Some(by), _) => Operator::Zext(by),
                    (["_", "sign_extend", _], Some(by), _) => Operator::Sext(by),
                    _ => return Err(failed()),
                }
            }
            Sexp::Text(_) => return Err(failed()),
        };
        self.store.apply(operator, args).map_err(|_| failed())
    }

    /// Operators with names; `and`, `or` and their like may have many operands.
    fn named(&mut self, name: &str, args: &[Term]) -> Option<Term> {
        use Operator::*;
        let operator = match name {
            "not" | "bvnot" => Not,
            "bvneg" => Neg,
            "and" | "bvand" => And,
            "or" | "bvor" => Or,
            "xor" | "bvxor" => Xor,
            "bvnand" => Nand,
            "bvnor" => Nor,
            "bvxnor" => Xnor,
            "=>" => Implies,
            "=" | "bvcomp" => Eq,
            "distinct" => Neq,
            "bvult" => Ult,
            "bvule" => Ule,
            "bvugt" => Ugt,
            "bvuge" => Uge,
            "bvslt" => Slt,
            "bvsle" => Sle,
            "bvsgt" => Sgt,
            "bvsge" => Sge,
            "bvadd" => Add,
            "bvsub" => Sub,
            "bvmul" => Mul,
            "bvudiv" => Udiv,
            "bvurem" => Urem,
            "bvsdiv" => Sdiv,
            "bvsrem" => Srem,
            "bvsmod" => Smod,
            "bvshl" => Sll,
            "bvlshr" => Srl,
            "bvashr" => Sra,
            "concat" => Concat,
            "ite" => Ite,
            "select" => Read,
            "store" => Write,
            _ => return None,
        };
        if args.len() > 2 && operator.arity() == 2 {
            let folds = matches!(operator, And | Or | Xor | Add | Mul | Concat);
            let mut rest = args[1..].iter();
            return folds.then(|| {
                rest.try_fold(args[0], |a, &b| self.store.apply(operator, &[a, b]).ok())
            })?;
        }
        self.store.apply(operator, args).ok()
    }
}
