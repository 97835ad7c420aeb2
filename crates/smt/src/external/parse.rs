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

/// Terms over variables with symbols, in the operators of bit-vectors and arrays. Solvers nest
/// deeply, so there is a stack of what is left to do instead of recursion.
pub(super) struct TermParser<'a> {
    pub store: &'a mut TermStore,
    pub symbols: FxHashMap<String, Term>,
}

enum Task<'s> {
    Read(&'s Sexp),
    /// Applies an operator to as many terms as it has operands.
    Apply(&'s Sexp, usize),
    /// Gives the names of a `let` to as many terms, then reads its body.
    Bind(Vec<&'s str>, &'s Sexp),
    Unbind(Vec<(String, Option<Term>)>),
}

impl TermParser<'_> {
    pub fn term(&mut self, sexp: &Sexp) -> Result<Term, ParseError> {
        let mut tasks = vec![Task::Read(sexp)];
        let mut terms: Vec<Term> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Read(sexp) => terms.extend(self.read(sexp, &mut tasks)?),
                Task::Apply(head, count) => {
                    let operands = terms.split_off(terms.len() - count);
                    terms.push(self.apply(head, &operands)?);
                }
                Task::Bind(names, body) => {
                    let values = terms.split_off(terms.len() - names.len());
                    let bindings = names.into_iter().map(String::from).zip(values);
                    let hidden = bindings
                        .map(|(name, value)| (name.clone(), self.symbols.insert(name, value)));
                    tasks.push(Task::Unbind(hidden.collect()));
                    tasks.push(Task::Read(body));
                }
                Task::Unbind(hidden) => {
                    for (name, old) in hidden {
                        match old {
                            Some(old) => self.symbols.insert(name, old),
                            None => self.symbols.remove(&name),
                        };
                    }
                }
            }
        }
        terms.pop().ok_or_else(|| ParseError(sexp.to_string()))
    }

    /// The term, or none if it comes from tasks.
    fn read<'s>(
        &mut self,
        sexp: &'s Sexp,
        tasks: &mut Vec<Task<'s>>,
    ) -> Result<Option<Term>, ParseError> {
        if let Some(value) = literal(sexp) {
            return Ok(Some(self.store.constant(value)));
        }
        let list = match sexp {
            Sexp::Atom(name) => {
                let term = self.symbols.get(name).copied();
                return term.map_or_else(|| error(sexp), |term| Ok(Some(term)));
            }
            Sexp::Text(_) => return error(sexp),
            Sexp::List(list) => list,
        };
        match list.as_slice() {
            [head, Sexp::List(bindings), body] if head.atom() == Some("let") => {
                let mut names = Vec::new();
                let mut values = Vec::new();
                for binding in bindings {
                    let Some([Sexp::Atom(name), value]) = binding.list() else {
                        return error(sexp);
                    };
                    names.push(name.as_str());
                    values.push(Task::Read(value));
                }
                tasks.push(Task::Bind(names, body));
                tasks.extend(values.into_iter().rev());
            }
            // An annotation says nothing about the term.
            [head, body, ..] if head.atom() == Some("!") => tasks.push(Task::Read(body)),
            [head, operands @ ..] => {
                tasks.push(Task::Apply(head, operands.len()));
                tasks.extend(operands.iter().rev().map(Task::Read));
            }
            [] => return error(sexp),
        }
        Ok(None)
    }

    fn apply(&mut self, head: &Sexp, args: &[Term]) -> Result<Term, ParseError> {
        let failed = || ParseError(head.to_string());
        let Sexp::List(list) = head else {
            let name = head.atom().ok_or_else(failed)?;
            return self.named(name, args).ok_or_else(failed);
        };
        let words: Vec<&str> = list.iter().filter_map(Sexp::atom).collect();
        let number = |at: usize| words.get(at).and_then(|w| w.parse::<u32>().ok());
        let operator = match (words.as_slice(), number(2), number(3)) {
            (["_", "extract", ..], Some(high), Some(low)) => Operator::Slice { high, low },
            (["_", "zero_extend", _], Some(by), _) => Operator::Zext(by),
            (["_", "sign_extend", _], Some(by), _) => Operator::Sext(by),
            (["_", "repeat", _], Some(times @ 1..), _) => {
                let &[word] = args else { return Err(failed()) };
                let words = vec![word; times as usize];
                return self.fold(Operator::Concat, &words).ok_or_else(failed);
            }
            (["_", rotate @ ("rotate_left" | "rotate_right"), _], Some(by), _) => {
                let &[word] = args else { return Err(failed()) };
                let Sort::Bv(width) = self.store.sort(word) else { return Err(failed()) };
                let by = self.store.number(width, u64::from(by % width));
                let left = *rotate == "rotate_left";
                let operator = if left { Operator::Rol } else { Operator::Ror };
                return self.store.apply(operator, &[word, by]).map_err(|_| failed());
            }
            _ => return Err(failed()),
        };
        self.store.apply(operator, args).map_err(|_| failed())
    }

    fn fold(&mut self, operator: Operator, args: &[Term]) -> Option<Term> {
        let (&first, rest) = args.split_first()?;
        rest.iter().try_fold(first, |a, &b| self.store.apply(operator, &[a, b]).ok())
    }

    /// Operators with names; `and`, `or` and their like may have any number of operands.
    fn named(&mut self, name: &str, args: &[Term]) -> Option<Term> {
        use Operator::*;
        let operator = operator(name)?;
        match (operator, args.len()) {
            (And | Or | Xor | Add | Mul | Concat, 1) => Some(args[0]),
            (And | Or | Xor | Add | Mul | Concat, 3..) => self.fold(operator, args),
            (Eq, 3..) => {
                let pairs: Option<Vec<Term>> =
                    args.windows(2).map(|pair| self.store.apply(Eq, pair).ok()).collect();
                Some(self.store.and_all(&pairs?))
            }
            (Neq, 3..) => {
                let mut pairs = Vec::new();
                for (place, &a) in args.iter().enumerate() {
                    for &b in &args[place + 1..] {
                        pairs.push(self.store.apply(Neq, &[a, b]).ok()?);
                    }
                }
                Some(self.store.and_all(&pairs))
            }
            (Implies, 3..) => {
                let (&last, rest) = args.split_last()?;
                let implied = rest.iter().rev();
                implied.copied().try_fold(last, |b, a| self.store.apply(Implies, &[a, b]).ok())
            }
            _ => self.store.apply(operator, args).ok(),
        }
    }
}

fn operator(name: &str) -> Option<Operator> {
    use Operator::*;
    Some(match name {
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
        "bvredand" => Redand,
        "bvredor" => Redor,
        "bvnego" => Nego,
        "bvuaddo" => Uaddo,
        "bvsaddo" => Saddo,
        "bvusubo" => Usubo,
        "bvssubo" => Ssubo,
        "bvumulo" => Umulo,
        "bvsmulo" => Smulo,
        "bvsdivo" => Sdivo,
        "concat" => Concat,
        "ite" => Ite,
        "select" => Read,
        "store" => Write,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<(TermStore, Term)> {
        let mut store = TermStore::new();
        let x = store.var("x", Sort::Bv(4));
        let symbols = FxHashMap::from_iter([("x".to_string(), x)]);
        let sexp = Sexp::parse(text).expect(text);
        let term = TermParser { store: &mut store, symbols }.term(&sexp).ok()?;
        Some((store, term))
    }

    /// What the term is where x is 6.
    fn value(text: &str) -> u64 {
        let (store, term) = parse(text).expect(text);
        let mut evaluator = wedge_logic::Evaluator::new(&store);
        let x = store.free_vars(&[term]);
        x.iter().for_each(|&x| evaluator.assign(x, Value::Bv(BitVec::new(4, 6))));
        evaluator.eval(term).expect("all have values").bv().to_u64().expect("a few bits")
    }

    #[test]
    fn operators_of_the_standard() {
        for (text, expected) in [
            ("((_ repeat 2) x)", 0x66),
            ("((_ rotate_left 5) x)", 12),
            ("((_ rotate_right 1) x)", 3),
            ("(= x #x6 (_ bv6 4))", 1),
            ("(distinct x #x1 #x6)", 0),
            ("(=> false true false)", 1),
            ("(and true)", 1),
            ("(bvadd x x x)", 2),
            ("(! (bvugt x #x5) :named a)", 1),
            ("(let ((y (bvneg x)) (x #x1)) (let ((y x) (z y)) (bvadd x y z)))", 12),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
        for text in ["y", "(foo x)", "(bvadd x #b1)", "(let ((x)) x)", "()", "((_ extract 4 0) x)"]
        {
            assert!(parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn nesting_is_no_trouble() {
        let mut text = "x".to_string();
        (0..1200).for_each(|_| text = format!("(let ((y {text})) (bvnot y))"));
        assert_eq!(value(&text), 6);
    }
}
